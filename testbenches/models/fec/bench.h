// A bus initiator's view of one FEC: registers through TLM with annotated time, rings in memory, a
// scripted wire on both sides. Owns calendar, memory and AXI link. Latencies are round numbers so
// that tests can say what a time must be.
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
#include "models/fec/fec.h"
#include "models/fec/fec_desc.h"
#include "models/fec/fec_limits.h"
#include "models/fec/fec_mib.h"
#include "models/fec/fec_params.h"
#include "models/fec/fec_regs.h"
#include "models/net/checksum.h"
#include "models/net/frame.h"

namespace doorbell::fec::test {

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
  std::vector<Edge> edges;
  bool levels[4] = {};
};

inline constexpr uint32_t kMemory = 0x40000000;
inline constexpr Picos kForward{40'000};
inline constexpr Picos kReturn{20'000};
inline constexpr Picos kLatency{60'000};

class Bench : public sc_core::sc_module {
 public:
  explicit Bench(const FecConfig& config = {}, fabric::AxiConfig axi = axi_config(),
                 const sc_core::sc_module_name& name = "bench")
      : sc_module(name),
        bus("bus"),
        memory("memory", memory_config()),
        link("link", axi),
        fec("fec", calendar, config, kForward) {
    bus.bind(fec.regs);
    fec.dma.socket.bind(link.from_device);
    link.to_memory.bind(memory.socket);
    fec.connect(&in, &out, &irq);
    end_module();  // because elaboration ends inside this constructor
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static fabric::AxiConfig axi_config() {
    fabric::AxiConfig axi;
    axi.forward_latency = kForward;
    axi.return_latency = kReturn;
    return axi;
  }
  static fabric::MemoryConfig memory_config() {
    fabric::MemoryConfig m;
    m.base = kMemory;
    m.size = 16u << 20;
    m.latency = kLatency;
    return m;
  }

  // Time.
  Picos now() const { return calendar.now(); }
  void run_to(Picos t) { calendar.run_until(t); }
  void run(Picos span) { calendar.run_until(now() + span); }

  // Registers.
  tlm::tlm_response_status access(bool write, uint32_t offset, void* data, unsigned size) {
    tlm::tlm_generic_payload payload;
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
  uint32_t rd(uint32_t offset) {
    uint32_t value = 0;
    EXPECT_EQ(access(false, offset, &value, 4), tlm::TLM_OK_RESPONSE) << std::hex << offset;
    return value;
  }
  void wr(uint32_t offset, uint32_t value) {
    EXPECT_EQ(access(true, offset, &value, 4), tlm::TLM_OK_RESPONSE) << std::hex << offset;
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

  // Rings. Descriptors of a ring are `stride` apart from `ring_base`.
  static uint32_t rx_base(unsigned ring) { return kMemory + 0x10000 + ring * 0x10000; }
  static uint32_t tx_base(unsigned ring) { return kMemory + 0x80000 + ring * 0x10000; }
  static uint32_t rx_buffer(unsigned ring, unsigned i) {
    return kMemory + 0x200000 + (ring * 512 + i) * 0x800;
  }
  static uint32_t tx_buffer(unsigned ring, unsigned i) {
    return kMemory + 0x600000 + (ring * 1024 + i) * 0x800;
  }
  DescFormat format() const { return enhanced ? DescFormat::kEnhanced : DescFormat::kLegacy; }
  uint32_t rx_bd(unsigned ring, unsigned i) const { return rx_base(ring) + i * stride(format()); }
  uint32_t tx_bd(unsigned ring, unsigned i) const { return tx_base(ring) + i * stride(format()); }

  void arm_rx(unsigned ring, unsigned i, bool wrap = false, bool interrupt = true) {
    FecRxDesc d;
    d.status = static_cast<uint16_t>(rx_sc::kEmpty | (wrap ? rx_sc::kWrap : 0));
    d.address = rx_buffer(ring, i);
    d.control = interrupt ? rx_esc::kInt : 0;
    encode(d, at(rx_bd(ring, i)), format());
  }
  void make_rx_ring(unsigned ring, unsigned size) {
    for (unsigned i = 0; i < size; ++i) arm_rx(ring, i, i + 1 == size);
  }
  FecRxDesc rx(unsigned ring, unsigned i) {
    return decode<FecRxDesc>(at(rx_bd(ring, i)), format());
  }
  FecTxDesc tx(unsigned ring, unsigned i) {
    return decode<FecTxDesc>(at(tx_bd(ring, i)), format());
  }
  /// One descriptor with its data. `flags` on top of R.
  void put_tx(unsigned ring, unsigned i, const Bytes& data, uint16_t flags, uint32_t control = 0) {
    FecTxDesc d;
    d.length = static_cast<uint16_t>(data.size());
    d.status = static_cast<uint16_t>(tx_sc::kReady | flags);
    d.address = tx_buffer(ring, i);
    d.control = control | tx_esc::ftype(ring);
    if (!data.empty()) std::memcpy(at(d.address), data.data(), data.size());
    encode(d, at(tx_bd(ring, i)), format());
  }
  /// A whole frame in one descriptor, with CRC and interrupt.
  void send(unsigned ring, unsigned i, const Bytes& frame, bool wrap = false,
            uint32_t control = tx_esc::kInt) {
    put_tx(ring, i, frame,
           static_cast<uint16_t>(tx_sc::kLast | tx_sc::kTc | (wrap ? tx_sc::kWrap : 0)), control);
  }

  /// Registers as a driver sets them at 1 Gb/s full duplex; change `rcr`, `racc`, ... before.
  void setup() {
    wr(reg::kEcr, 0);
    wr(reg::kPalr, 0x02005E10);
    wr(reg::kPaur, 0x00010000);
    wr(reg::kEir, 0xFFFFFFFF);
    for (unsigned ring = 0; ring < kRings; ++ring) {
      wr(reg::rdsr(ring), rx_base(ring));
      wr(reg::tdsr(ring), tx_base(ring));
      wr(reg::mrbr(ring), 1984);
    }
    wr(reg::kRcmr1, kRcmr1Default);
    wr(reg::kRcmr2, kRcmr2Default);
    wr(reg::kDma1Cfg, dma_cfg::kClassEn | kIdleSlopeDefault);
    wr(reg::kDma2Cfg, dma_cfg::kClassEn | kIdleSlopeDefault);
    wr(reg::kTcr, tcr::kFdEn);
    wr(reg::kRacc, racc);
    wr(reg::kFtrl, 1984);
    wr(reg::kRcr, rcr);
    wr(reg::kTfwr, tfwr::kStrFwd);
    wr(reg::kMibc, 0);
    enable();
  }
  void enable() {
    wr(reg::kEcr, ecr::kEtherEn | ecr::kSpeed | ecr::kDbSwp | (enhanced ? ecr::kEn1588 : 0));
  }

  uint64_t count(const char* name) {
    fec.settle();
    const probe::Counter* c = fec.counters().find(name);
    EXPECT_NE(c, nullptr) << name;
    return c == nullptr ? 0 : c->value;
  }

  base::Calendar calendar;
  tlm_utils::simple_initiator_socket<Bench> bus;
  fabric::Memory memory;
  fabric::AxiLink link;
  Fec fec;
  ScriptedIn in;
  RecordingOut out;
  RecordingIrq irq;
  bool enhanced = true;
  uint32_t rcr = 0x47C00044;
  uint32_t racc = 0;
};

inline constexpr Picos kOctet = 8_ns;
/// Start of a frame to the end of its FCS.
inline Picos line_time(const Bytes& frame) {
  return kOctet * static_cast<int64_t>(8 + frame.size() + 4);
}
/// Cycles of the module clock.
inline Picos cycles(unsigned n) {
  return base::Hertz(266666666).cycles(n);
}

inline const Bytes kOwn{0x02, 0x00, 0x5E, 0x10, 0x00, 0x01};
inline const Bytes kOther{0x02, 0x00, 0x5E, 0x10, 0x00, 0x77};
inline const Bytes kBroadcast{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

/// A frame of `size` octets without FCS, type 0x88B5 (experimental), bytes that depend on `seed`.
inline Bytes frame(size_t size, const Bytes& to = kOwn, uint8_t seed = 1) {
  Bytes f(size);
  for (size_t i = 0; i < size; ++i) f[i] = static_cast<uint8_t>(seed + i * 7);
  const Bytes from{0x02, 0x00, 0x5E, 0x10, 0x00, 0x02};
  std::copy(to.begin(), to.end(), f.begin());
  std::copy(from.begin(), from.end(), f.begin() + 6);
  if (size >= 14) base::store_be16(f.data() + 12, 0x88B5);
  return f;
}
/// The same with an 802.1Q tag of the given priority.
inline Bytes tagged(size_t size, unsigned priority, uint8_t seed = 1) {
  Bytes f = frame(size, kOwn, seed);
  base::store_be16(f.data() + 12, 0x8100);
  base::store_be16(f.data() + 14, static_cast<uint16_t>(priority << 13 | 5));
  base::store_be16(f.data() + 16, 0x88B5);
  return f;
}
/// An IPv4 UDP frame with right checksums.
inline Bytes udp_frame(size_t size, uint8_t seed = 1) {
  Bytes f = frame(size, kOwn, seed);
  base::store_be16(f.data() + 12, 0x0800);
  uint8_t* ip = f.data() + 14;
  const uint8_t header[20] = {0x45, 0, 0, 0, 0, 1, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2};
  std::memcpy(ip, header, 20);
  base::store_be16(ip + 2, static_cast<uint16_t>(size - 14));
  base::store_be16(ip + 10, net::internet_checksum({ip, 20}));
  uint8_t* udp = ip + 20;
  base::store_be16(udp, 1000);
  base::store_be16(udp + 2, 2000);
  base::store_be16(udp + 4, static_cast<uint16_t>(size - 34));
  base::store_be16(udp + 6, 0);
  const net::Layers layers = net::parse_layers({f.data(), f.size()});
  base::store_be16(udp + 6, net::l4_checksum({f.data(), f.size()}, layers));
  return f;
}
inline Bytes with_fcs(Bytes f) {
  uint8_t tail[4];
  net::store_fcs(tail, net::fcs({f.data(), f.size()}));
  f.insert(f.end(), tail, tail + 4);
  return f;
}

}  // namespace doorbell::fec::test
