// A bus initiator's view of one tsnep: registers through TLM with annotated time, rings of linked
// blocks in memory, a scripted wire on both sides, a cautious driver's ring arithmetic. Owns
// calendar, memory and AXI link. Latencies are round numbers so that tests can say what a time must
// be. Register numbers and layouts are typed from the fact sheet where a test pins them.
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <deque>
#include <systemc>
#include <vector>

#include "models/base/calendar.h"
#include "models/fabric/axi.h"
#include "models/fabric/memory.h"
#include "models/net/checksum.h"
#include "models/net/frame.h"
#include "models/tsnep/tsnep.h"
#include "models/tsnep/tsnep_desc.h"
#include "models/tsnep/tsnep_limits.h"
#include "models/tsnep/tsnep_regs.h"

namespace doorbell::tsnep::test {

using base::Picos;
using namespace doorbell::base::literals;
using Bytes = std::vector<uint8_t>;

/// Arrivals in order; what is pushed later than the device has looked is announced.
class ScriptedIn final : public net::WireIn {
 public:
  const net::Arrival* peek() override { return queue_.empty() ? nullptr : &queue_.front().arrival; }
  void pop() override { queue_.pop_front(); }
  void set_listener(net::ArrivalListener* listener) override { listener_ = listener; }
  void push(Picos start, const Bytes& bytes, uint8_t flaws = 0) {
    queue_.push_back({bytes, {}});
    Item& item = queue_.back();
    item.arrival = {start, {item.bytes.data(), item.bytes.size()}, next_id_++, flaws};
    if (queue_.size() == 1 && listener_ != nullptr) listener_->arrivals_changed();
  }
  size_t left() const { return queue_.size(); }

 private:
  struct Item {
    Bytes bytes;
    net::Arrival arrival;
  };
  std::deque<Item> queue_;
  net::ArrivalListener* listener_ = nullptr;
  uint64_t next_id_ = 0;
};

class RecordingOut final : public net::WireOut {
 public:
  struct Sent {
    Picos start;
    Bytes bytes;
    uint8_t flaws;
  };
  void transmit(Picos start, base::ByteView bytes, uint8_t flaws) override {
    sent.push_back({start, Bytes(bytes.begin(), bytes.end()), flaws});
  }
  std::vector<Sent> sent;
};

class RecordingIrq final : public fabric::IrqSink {
 public:
  struct Edge {
    unsigned line;
    bool level;
    Picos at;
  };
  void set_level(unsigned line, bool level, Picos at) override {
    edges.push_back({line, level, at});
    levels[line] = level;
  }
  unsigned rises(unsigned line) const {
    unsigned n = 0;
    for (const Edge& e : edges) n += e.line == line && e.level ? 1 : 0;
    return n;
  }
  std::vector<Edge> edges;
  bool levels[8] = {};
};

inline constexpr uint32_t kMemory = 0x40000000;
inline constexpr Picos kForward{40'000};
inline constexpr Picos kReturn{20'000};
inline constexpr Picos kLatency{60'000};

/// Software's side of a ring: owner counter by the sheet's rule, not by our class.
struct SoftRing {
  uint32_t base = 0;
  unsigned write = 0;
  unsigned read = 0;
  unsigned owner = 1;
  int step_at = 255;
  bool flag[256] = {};
  uint32_t submitted[256] = {};  // owner bits as written

  uint32_t block(unsigned slot) const { return base + 256 * (slot % 256); }
  /// Owner counter for the slot being activated.
  unsigned activate(unsigned slot) {
    if (static_cast<int>(slot) == step_at) {
      owner = owner == 3 ? 1 : owner + 1;
      step_at = step_at == 0 ? 255 : step_at - 1;
    }
    return owner;
  }
  unsigned used() const { return (write - read) % 256; }
};

/// One fragment for Bench::send_parts.
struct Part {
  Bytes data;
  bool inlined = false;
};

inline TsnepConfig quick_link(TsnepConfig config = {}) {
  config.autoneg_time = 1_us;
  return config;
}

class Bench : public sc_core::sc_module {
 public:
  explicit Bench(const TsnepConfig& config = quick_link(), fabric::AxiConfig axi = axi_config(),
                 const sc_core::sc_module_name& name = "bench")
      : sc_module(name),
        bus("bus"),
        memory("memory", memory_config()),
        link("link", axi),
        nic("tsnep", calendar, config, axi.forward_latency) {
    bus.bind(nic.regs);
    nic.dma.socket.bind(link.from_device);
    link.to_memory.bind(memory.socket);
    nic.connect(&in, &out, &irq);
    end_module();  // because elaboration ends inside this constructor
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static fabric::AxiConfig axi_config() {
    fabric::AxiConfig axi;
    axi.clock = base::Hertz(250'000'000);
    axi.forward_latency = kForward;
    axi.return_latency = kReturn;
    return axi;
  }
  static fabric::MemoryConfig memory_config() {
    fabric::MemoryConfig m;
    m.base = kMemory;
    m.size = 32u << 20;
    m.latency = kLatency;
    return m;
  }

  // Time.
  Picos now() const { return calendar.now(); }
  void run_to(Picos t) { calendar.run_until(t); }
  void run(Picos span) { calendar.run_until(now() + span); }

  // Registers.
  tlm::tlm_response_status access(bool write, uint32_t offset, void* data, unsigned size) {
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(offset);
    payload.set_data_ptr(static_cast<uint8_t*>(data));
    payload.set_data_length(size);
    payload.set_streaming_width(size);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = fabric::to_sc(now() - fabric::kernel_now());
    bus->b_transport(payload, delay);
    return payload.get_response_status();
  }
  uint32_t rd(uint32_t offset, unsigned size = 4) {
    uint32_t value = 0;
    EXPECT_EQ(access(false, offset, &value, size), tlm::TLM_OK_RESPONSE) << std::hex << offset;
    return value;
  }
  void wr(uint32_t offset, uint32_t value, unsigned size = 4) {
    EXPECT_EQ(access(true, offset, &value, size), tlm::TLM_OK_RESPONSE) << std::hex << offset;
  }

  // Memory, as software sees it now.
  uint8_t* at(uint32_t address) {
    memory.settle(now());
    return memory.pointer(address);
  }
  Bytes bytes_at(uint32_t address, size_t n) {
    const uint8_t* p = at(address);
    return Bytes(p, p + n);
  }

  // Rings.
  static uint32_t rx_buffer(unsigned queue, unsigned slot) {
    return kMemory + 0x800000 + (queue * 256 + slot % 256) * 0x1000;
  }
  static uint32_t tx_buffer(unsigned queue, unsigned slot) {
    return kMemory + 0x1000000 + (queue * 256 + slot % 256) * 0x1000;
  }
  /// Zeroes a ring, links its blocks, tells the device.
  void init_ring(SoftRing& ring, uint32_t base, uint32_t low_register) {
    ring = SoftRing();
    ring.base = base;
    std::memset(at(base), 0, 0x10000);
    for (unsigned i = 0; i < 256; ++i) {
      base::store_le<uint64_t>(at(ring.block(i)) + 144, ring.block(i + 1));
    }
    wr(low_register, base | 1);
    wr(low_register + 4, 0);
  }
  static uint32_t block_of(unsigned queue) {
    return queue == 0 ? 0 : 0x4000 + 0x1000 * (queue - 1);
  }
  void init_tx(unsigned queue) {
    init_ring(tx[queue], kMemory + 0x100000 + queue * 0x10000, block_of(queue) + 0x140);
  }
  void init_rx(unsigned queue) {
    init_ring(rx[queue], kMemory + 0x200000 + queue * 0x10000, block_of(queue) + 0x180);
  }
  void ring_tx(unsigned queue = 0) { wr(block_of(queue) + 0x108, 0x2); }
  void ring_rx(unsigned queue = 0) { wr(block_of(queue) + 0x108, 0x200); }

  /// Hands `count` buffers of `size` to the device; no doorbell.
  void refill(unsigned queue, unsigned count, uint32_t size = 2048, bool interrupt = true) {
    SoftRing& r = rx[queue];
    for (; count > 0; --count) {
      ASSERT_LT(r.used(), 255u);
      const unsigned slot = r.write;
      uint8_t* d = at(r.block(slot)) + 128;
      base::store_le<uint64_t>(d + 24, rx_buffer(queue, slot));
      const uint32_t owner = r.activate(slot) << 30;
      r.submitted[slot] = owner;
      base::store_le<uint32_t>(d, owner | size | (interrupt ? 1u << 18 : 0));
      r.write = (r.write + 1) % 256;
    }
  }
  /// True if the oldest receive slot is written back.
  bool rx_done(unsigned queue) {
    SoftRing& r = rx[queue];
    if (r.used() == 0) return false;
    const auto word = base::load_le<uint32_t>(at(r.block(r.read)));
    return (word & 0xC0000000) == r.submitted[r.read];
  }
  /// Takes the oldest received buffer: metadata, frame, FCS.
  Bytes receive(unsigned queue = 0) {
    SoftRing& r = rx[queue];
    EXPECT_TRUE(rx_done(queue));
    const auto word = base::load_le<uint32_t>(at(r.block(r.read)));
    const Bytes all = bytes_at(rx_buffer(queue, r.read), word & 0x3FFF);
    r.read = (r.read + 1) % 256;
    return all;
  }

  /// Writes a frame of several fragments; no doorbell. `flags` go into the first one's properties.
  void put_parts(unsigned queue, const std::vector<Part>& parts, uint32_t flags = 1u << 18) {
    SoftRing& r = tx[queue];
    uint32_t total = 0;
    for (const Part& p : parts) total += static_cast<uint32_t>(p.data.size());
    for (size_t i = 0; i < parts.size(); ++i) {
      ASSERT_LT(r.used(), 255u);
      const unsigned slot = r.write;
      uint8_t* d = at(r.block(slot)) + 128;
      const Bytes& data = parts[i].data;
      uint32_t word = i == 0 ? total | flags : 0;
      if (i + 1 == parts.size()) word |= 1u << 16;
      if (parts[i].inlined) {
        word |= 1u << 17;
        std::copy(data.begin(), data.end(), d + 24);
      } else {
        std::copy(data.begin(), data.end(), at(tx_buffer(queue, slot)));
        base::store_le<uint64_t>(d + 24, tx_buffer(queue, slot));
      }
      base::store_le<uint32_t>(d + 4, static_cast<uint32_t>(data.size()));
      if (i == 0) r.flag[slot] = !r.flag[slot];
      const uint32_t owner = r.activate(slot) << 30 | (r.flag[slot] ? 1u << 29 : 0);
      r.submitted[slot] = owner;
      base::store_le<uint32_t>(d, word | owner);
      r.write = (r.write + 1) % 256;
    }
  }
  void put(unsigned queue, const Bytes& frame, uint32_t flags = 1u << 18) {
    put_parts(queue, {{frame, false}}, flags);
  }
  void send(const Bytes& frame, unsigned queue = 0, uint32_t flags = 1u << 18) {
    put(queue, frame, flags);
    ring_tx(queue);
  }
  bool tx_done(unsigned queue, unsigned slot) {
    SoftRing& r = tx[queue];
    const auto word = base::load_le<uint32_t>(at(r.block(slot)));
    return (word & 0xE0000000) == r.submitted[slot];
  }

  /// As a driver opens a 1 Gb/s device: link, address, gates open, rings empty.
  void setup() {
    run_to(2_us);
    wr(0x80, 0x04000000);
    wr(0x800, 0x105E0002);
    wr(0x804, 0x0100, 2);
    if (nic.config().gate_control) wr(0x808, 0xFFFF0000);
    for (unsigned q = 0; q < nic.config().queues; ++q) {
      init_tx(q);
      init_rx(q);
    }
    wr(0x18, 0x7FFFFFFF);
  }
  /// setup(), and every receive ring filled and running.
  void open(uint32_t size = 2048) {
    setup();
    for (unsigned q = 0; q < nic.config().queues; ++q) {
      refill(q, 255, size);
      ring_rx(q);
    }
    run(2_us);
  }

  uint64_t count(const char* name) {
    nic.settle();
    const probe::Counter* c = nic.counters().find(name);
    EXPECT_NE(c, nullptr) << name;
    return c == nullptr ? 0 : c->value;
  }
  uint64_t rx_dropped() {
    uint64_t n = 0;
    for (const char* reason : kRxDropReasons) n += count(reason);
    return n;
  }
  uint64_t tx_dropped() {
    uint64_t n = 0;
    for (const char* reason : kTxDropReasons) n += count(reason);
    return n;
  }

  tlm::tlm_generic_payload payload;  // reused: its constructor allocates
  base::Calendar calendar;
  tlm_utils::simple_initiator_socket<Bench> bus;
  fabric::Memory memory;
  fabric::AxiLink link;
  Tsnep nic;
  ScriptedIn in;
  RecordingOut out;
  RecordingIrq irq;
  SoftRing tx[8];
  SoftRing rx[8];
};

inline constexpr Picos kOctet = 8_ns;
/// Start of a frame to the end of its FCS.
inline Picos line_time(const Bytes& frame) {
  return kOctet * static_cast<int64_t>(8 + frame.size() + 4);
}

inline const Bytes kOwn{0x02, 0x00, 0x5E, 0x10, 0x00, 0x01};
inline const Bytes kOther{0x02, 0x00, 0x5E, 0x10, 0x00, 0x77};
inline const Bytes kBroadcast{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
inline const Bytes kMulticast{0x01, 0x00, 0x5E, 0x00, 0x00, 0x05};

/// A frame of `size` octets without FCS, bytes that depend on `seed`.
inline Bytes frame(size_t size, const Bytes& to = kOwn, uint8_t seed = 1, uint16_t type = 0x88B5) {
  Bytes f(size);
  for (size_t i = 0; i < size; ++i) f[i] = static_cast<uint8_t>(seed + i * 7);
  const Bytes from{0x02, 0x00, 0x5E, 0x10, 0x00, 0x02};
  std::copy_n(to.begin(), std::min<size_t>(6, size), f.begin());
  if (size >= 14) {
    std::copy(from.begin(), from.end(), f.begin() + 6);
    base::store_be16(f.data() + 12, type);
  }
  return f;
}
inline Bytes with_fcs(Bytes f) {
  uint8_t tail[4];
  net::store_fcs(tail, net::fcs({f.data(), f.size()}));
  f.insert(f.end(), tail, tail + 4);
  return f;
}

}  // namespace doorbell::tsnep::test
