// A bus initiator's view of one E810: registers through TLM, rings in memory, a scripted wire on
// both sides, a sink for MSI-X messages. Owns calendar and memory.
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/calendar.h"
#include "models/fabric/memory.h"
#include "models/ice/ice.h"
#include "models/ice/ice_adminq.h"
#include "models/ice/ice_desc.h"
#include "models/ice/ice_limits.h"
#include "models/ice/ice_params.h"
#include "models/ice/ice_regs.h"
#include "models/net/checksum.h"
#include "models/net/frame.h"

namespace doorbell::ice::test {

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
  };
  void transmit(Picos start, base::ByteView bytes, uint8_t) override {
    if (!sent.empty()) {
      EXPECT_GE(start, last);
    }
    last = start;
    ++count;
    if (keep) sent.push_back({start, Bytes(bytes.begin(), bytes.end())});
  }
  std::vector<Sent> sent;
  uint64_t count = 0;
  Picos last;
  bool keep = true;
};

class RecordingMsix final : public fabric::MsixSink {
 public:
  struct Message {
    uint64_t address;
    uint32_t data;
    Picos at;
  };
  void message(uint64_t address, uint32_t data, Picos at) override {
    messages.push_back({address, data, at});
    if (look) look();
  }
  std::vector<Message> messages;
  std::function<void()> look;
};

inline constexpr uint64_t kMemory = 0x100000000;
inline constexpr uint64_t kMsixAddress = 0xFEE00000;

/// Ring positions and buffers of a queue that the bench drives as software would.
struct Ring {
  uint64_t base = 0;
  uint64_t buffers = 0;
  uint32_t size = 0;
  uint32_t next = 0;  // to fill
  uint32_t look = 0;  // to look at
};

class Bench : public sc_core::sc_module {
 public:
  explicit Bench(const IceConfig& config = {}, const fabric::PcieConfig& link = pcie_config(),
                 const sc_core::sc_module_name& name = "bench")
      : sc_module(name),
        bus("bus"),
        bus3("bus3"),
        memory("memory", memory_config()),
        ice("ice", calendar, config, link) {
    bus.bind(ice.regs);
    bus3.bind(ice.msix);
    ice.pcie.socket.bind(memory.socket);
    ice.pcie.set_msix_sink(&msix);
    ice.connect(&in, &out);
    end_module();  // because elaboration ends inside this constructor
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static fabric::PcieConfig pcie_config() {
    fabric::PcieConfig c;
    c.lanes = 16;
    c.root_spread = Picos(0);  // so that tests can say what a time must be
    return c;
  }
  static fabric::MemoryConfig memory_config() {
    fabric::MemoryConfig m;
    m.base = kMemory;
    m.size = 1u << 30;
    return m;
  }

  // Time.
  Picos now() const { return calendar.now(); }
  void run_to(Picos t) { calendar.run_until(t); }
  void run(Picos span) { calendar.run_until(now() + span); }

  // Registers.
  tlm::tlm_response_status access(bool write, uint64_t offset, void* data, unsigned size,
                                  bool bar3 = false) {
    payload_.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload_.set_address(offset);
    payload_.set_data_ptr(static_cast<uint8_t*>(data));
    payload_.set_data_length(size);
    payload_.set_streaming_width(size);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = fabric::to_sc(now() - fabric::kernel_now());
    if (bar3) {
      bus3->b_transport(payload_, delay);
    } else {
      bus->b_transport(payload_, delay);
    }
    return payload_.get_response_status();
  }
  uint32_t rd(uint32_t offset, bool bar3 = false) {
    uint32_t value = 0;
    EXPECT_EQ(access(false, offset, &value, 4, bar3), tlm::TLM_OK_RESPONSE) << std::hex << offset;
    return value;
  }
  void wr(uint32_t offset, uint32_t value, bool bar3 = false) {
    EXPECT_EQ(access(true, offset, &value, 4, bar3), tlm::TLM_OK_RESPONSE) << std::hex << offset;
  }

  // Memory, as software sees it now.
  uint8_t* at(uint64_t address) {
    memory.settle(now());
    return memory.pointer(address);
  }
  Bytes bytes_at(uint64_t address, size_t n) {
    const uint8_t* p = at(address);
    return Bytes(p, p + n);
  }

  // MSI-X: vector v sends v.
  void enable_msix(unsigned vectors) {
    for (unsigned v = 0; v < vectors; ++v) {
      wr(16 * v, static_cast<uint32_t>(kMsixAddress), true);
      wr(16 * v + 4, 0, true);
      wr(16 * v + 8, v, true);
      wr(16 * v + 12, 0, true);
    }
    ice.set_msix_control(true, false);
  }
  void arm(unsigned vector, uint32_t more = 0) {
    wr(reg::glint_dyn_ctl(vector),
       glint_dyn_ctl::kIntEna | glint_dyn_ctl::kClearPba | 3u << 3 | more);
  }
  void set_itr(unsigned vector, unsigned itr, unsigned units) {
    wr(reg::glint_itr(itr, vector), units);
  }
  static uint32_t cause(unsigned vector, unsigned itr) {
    return vector | itr << 11 | qint_ctl::kCauseEna;
  }

  // Admin queue.
  static constexpr uint32_t kAdminEntries = 64;
  static constexpr uint64_t kAdminRing = kMemory + 0x10000;
  static constexpr uint64_t kEventRing = kMemory + 0x14000;
  static constexpr uint64_t kAdminBuffer = kMemory + 0x18000;
  void open_admin() {
    wr(reg::kPfFwAtqbal, static_cast<uint32_t>(kAdminRing));
    wr(reg::kPfFwAtqbah, static_cast<uint32_t>(kAdminRing >> 32));
    wr(reg::kPfFwAtqh, 0);
    wr(reg::kPfFwAtqt, 0);
    wr(reg::kPfFwAtqlen, kAdminEntries | fw_qlen::kEnable);
    wr(reg::kPfFwArqbal, static_cast<uint32_t>(kEventRing));
    wr(reg::kPfFwArqbah, static_cast<uint32_t>(kEventRing >> 32));
    wr(reg::kPfFwArqlen, kAdminEntries | fw_qlen::kEnable);
    wr(reg::kPfFwArqt, kAdminEntries - 1);
    admin_tail = 0;
  }
  /// Runs one command and returns its descriptor as completed. `data` goes to the buffer.
  IceAqDesc admin(IceAqDesc d, const Bytes& data = {}, size_t room = 0) {
    if (!data.empty() || room != 0) {
      uint8_t* p = at(kAdminBuffer);
      if (!data.empty()) std::memcpy(p, data.data(), data.size());
      d.flags |= aq_flag::kBuf;
      d.datalen = static_cast<uint16_t>(data.empty() ? room : data.size());
      d.set_buffer(kAdminBuffer);
    }
    if (!data.empty()) d.flags |= aq_flag::kRd;
    const uint64_t where = kAdminRing + admin_tail * kAqDescBytes;
    encode(d, at(where));
    admin_tail = (admin_tail + 1) % kAdminEntries;
    wr(reg::kPfFwAtqt, admin_tail);
    for (int i = 0; i < 100; ++i) {
      run(1_us);
      const IceAqDesc back = decode_aq(at(where));
      if ((back.flags & aq_flag::kDd) != 0) return back;
    }
    ADD_FAILURE() << "admin command " << std::hex << d.opcode << " got no answer";
    return d;
  }

  // Transmit queues. Queue q's ring and buffers have their own 4 MiB.
  IceTxContext tx_context(unsigned queue, uint32_t size) const {
    IceTxContext c;
    c.base = tx_ring_base(queue) >> kRingBaseShift;
    c.qlen = size;
    c.tso_ena = 1;
    c.tso_qnum = queue;
    c.legacy_int = 1;
    return c;
  }
  static uint64_t tx_ring_base(unsigned queue) { return kMemory + 0x2000000 + queue * 0x400000u; }
  static uint64_t rx_ring_base(unsigned queue) { return kMemory + 0x12000000 + queue * 0x400000u; }
  Ring& add_tx(unsigned queue, uint32_t size, unsigned vector = 0, unsigned itr = kTxItr) {
    return add_tx(queue, tx_context(queue, size), vector, itr);
  }
  Ring& add_tx(unsigned queue, const IceTxContext& context, unsigned vector = 0,
               unsigned itr = kTxItr) {
    if (rd(reg::kPfFwAtqlen) == 0) open_admin();
    Bytes buffer(kAqTxGroupBytes + kAqTxQueueBytes);
    EXPECT_TRUE(encode_add_tx_queue(buffer.data(), 0x20, static_cast<uint16_t>(queue), context));
    IceAqDesc d;
    d.opcode = aq_op::kAddTxQueues;
    d.param[0] = 1;
    EXPECT_EQ(admin(d, buffer).retval, 0);
    wr(reg::qint_tqctl(queue), cause(vector, itr));
    Ring& ring = tx[queue];
    ring = {context.base << kRingBaseShift, tx_ring_base(queue) + 0x40000, context.qlen, 0, 0};
    std::memset(at(ring.base), 0, size_t{context.qlen} * kTxDescBytes);
    return ring;
  }
  uint64_t tx_buffer(unsigned queue, uint32_t i) const {
    return tx.at(queue).buffers + i % 256 * 0x2800u;
  }
  /// Writes a raw descriptor at the ring's next place.
  void put_tx(unsigned queue, uint64_t address, uint64_t qw1) {
    Ring& r = tx[queue];
    uint8_t* d = at(r.base + r.next * kTxDescBytes);
    encode_tx_address(d, address);
    encode_tx_qw1(d, qw1);
    r.next = r.next + 1 == r.size ? 0 : r.next + 1;
  }
  /// A frame in one descriptor.
  void put_frame(unsigned queue, const Bytes& frame, uint32_t cmd = tx_cmd::kLast) {
    const uint64_t buffer = tx_buffer(queue, tx[queue].next);
    std::memcpy(at(buffer), frame.data(), frame.size());
    put_tx(queue, buffer, tx_plain_qw1(cmd, static_cast<uint32_t>(frame.size())));
  }
  void ring_tx(unsigned queue) { wr(reg::qtx_comm_dbell(queue), tx[queue].next); }
  uint64_t tx_qw1_at(unsigned queue, uint32_t i) {
    return decode_tx_qw1(at(tx[queue].base + i * kTxDescBytes));
  }
  bool tx_done(unsigned queue, uint32_t i) {
    return tx_dtype(tx_qw1_at(queue, i)) == TxDtype::kDone;
  }
  /// Descriptors from 0 to `n` that read done, as a string of 0 and 1.
  std::string tx_done_map(unsigned queue, uint32_t n) {
    std::string map;
    for (uint32_t i = 0; i < n; ++i) map += tx_done(queue, i) ? '1' : '0';
    return map;
  }

  // Receive queues.
  IceRxContext rx_context(unsigned queue, uint32_t size) const {
    IceRxContext c;
    c.base = rx_ring_base(queue) >> kRingBaseShift;
    c.qlen = size;
    c.dbuf = 16;  // 2 KiB
    c.rxmax = 9728;
    return c;
  }
  Ring& add_rx(unsigned queue, uint32_t size, unsigned vector = 0, unsigned itr = kRxItr) {
    return add_rx(queue, rx_context(queue, size), vector, itr);
  }
  Ring& add_rx(unsigned queue, const IceRxContext& context, unsigned vector = 0,
               unsigned itr = kRxItr) {
    std::array<uint32_t, kRxContextWords> words{};
    EXPECT_TRUE(encode(context, words));
    for (unsigned i = 0; i < kRxContextWords; ++i) wr(reg::qrx_context(i, queue), words[i]);
    wr(reg::qrxflxp_cntxt(queue), kRxdidNic | 3u << 8);
    wr(reg::qint_rqctl(queue), cause(vector, itr));
    wr(reg::qrx_ctrl(queue), qrx_ctrl::kQenaReq | rd(reg::qrx_ctrl(queue)));
    for (int i = 0; i < 50 && (rd(reg::qrx_ctrl(queue)) & qrx_ctrl::kQenaStat) == 0; ++i) {
      run(1_us);
    }
    EXPECT_NE(rd(reg::qrx_ctrl(queue)) & qrx_ctrl::kQenaStat, 0u);
    Ring& ring = rx[queue];
    ring = {context.base << kRingBaseShift, rx_ring_base(queue) + 0x40000, context.qlen, 0, 0};
    return ring;
  }
  uint64_t rx_buffer(unsigned queue, uint32_t i) const {
    return rx.at(queue).buffers + i % 512 * 0x800u;
  }
  /// Gives `n` descriptors to the ring and rings.
  void refill(unsigned queue, uint32_t n) {
    Ring& r = rx[queue];
    for (uint32_t i = 0; i < n; ++i) {
      encode_rx_read(at(r.base + r.next * kRxDescBytes), rx_buffer(queue, r.next));
      r.next = r.next + 1 == r.size ? 0 : r.next + 1;
    }
    wr(reg::qrx_tail(queue), r.next);
  }
  IceRxWriteback rx_at(unsigned queue, uint32_t i) {
    return decode_rx(at(rx[queue].base + i * kRxDescBytes));
  }
  bool rx_done(unsigned queue, uint32_t i) {
    return (decode_rx_status0(at(rx[queue].base + i * kRxDescBytes)) & rx_status0::kDd) != 0;
  }

  uint64_t count(const char* name) {
    ice.settle();
    const probe::Counter* c = ice.counters().find(name);
    EXPECT_NE(c, nullptr) << name;
    return c == nullptr ? 0 : c->value;
  }
  uint64_t sum(const char* const* first, size_t n) {
    uint64_t total = 0;
    for (size_t i = 0; i < n; ++i) total += count(first[i]);
    return total;
  }
  uint64_t rx_drops() { return sum(kRxDropReasons, std::size(kRxDropReasons)); }
  uint64_t tx_drops() { return sum(kTxDropReasons, std::size(kTxDropReasons)); }

  tlm::tlm_generic_payload payload_;  // one for all: its construction allocates
  base::Calendar calendar;
  tlm_utils::simple_initiator_socket<Bench> bus;
  tlm_utils::simple_initiator_socket<Bench> bus3;
  fabric::Memory memory;
  Ice ice;
  ScriptedIn in;
  RecordingOut out;
  RecordingMsix msix;
  std::map<unsigned, Ring> tx;
  std::map<unsigned, Ring> rx;
  uint32_t admin_tail = 0;
};

inline constexpr Picos kOctet{80};
inline Picos line_time(size_t bytes) {
  return kOctet * static_cast<int64_t>(8 + bytes + 4);
}
inline Picos slot_time(size_t bytes) {
  return line_time(bytes) + kOctet * 12;
}

inline const Bytes kOwn{0x02, 0x00, 0x5E, 0x10, 0x00, 0x01};
inline const Bytes kOther{0x02, 0x00, 0x5E, 0x10, 0x00, 0x77};

/// A frame of `size` octets without FCS, type 0x88B5 (experimental), bytes that depend on `seed`.
inline Bytes frame(size_t size, uint8_t seed = 1, const Bytes& to = kOther) {
  Bytes f(size);
  for (size_t i = 0; i < size; ++i) f[i] = static_cast<uint8_t>(seed + i * 7);
  std::copy(to.begin(), to.end(), f.begin());
  if (size >= 12) std::copy(kOwn.begin(), kOwn.end(), f.begin() + 6);
  if (size >= 14) base::store_be16(f.data() + 12, 0x88B5);
  return f;
}
/// An IPv4 frame with right checksums: UDP, or TCP.
inline Bytes ip_frame(size_t size, uint8_t seed = 1, bool tcp = false, const Bytes& to = kOther) {
  Bytes f = frame(size, seed, to);
  base::store_be16(f.data() + 12, 0x0800);
  uint8_t* ip = f.data() + 14;
  const uint8_t header[20] = {
      0x45, 0, 0,   0,  0, 1,    0,   0,  64, static_cast<uint8_t>(tcp ? 6 : 17),
      0,    0, 198, 18, 0, seed, 198, 19, 0,  1};
  std::memcpy(ip, header, 20);
  base::store_be16(ip + 2, static_cast<uint16_t>(size - 14));
  base::store_be16(ip + 10, net::internet_checksum({ip, 20}));
  uint8_t* l4 = ip + 20;
  base::store_be16(l4, static_cast<uint16_t>(1024 + seed));
  base::store_be16(l4 + 2, 4791);
  if (tcp) {
    l4[12] = 0x50;
    l4[13] = 0x18;
    base::store_be16(l4 + 16, 0);
  } else {
    base::store_be16(l4 + 4, static_cast<uint16_t>(size - 34));
    base::store_be16(l4 + 6, 0);
  }
  const net::Layers layers = net::parse_layers({f.data(), f.size()});
  base::store_be16(l4 + (tcp ? 16 : 6), net::l4_checksum({f.data(), f.size()}, layers));
  return f;
}

}  // namespace doorbell::ice::test
