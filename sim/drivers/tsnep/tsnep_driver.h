// Driver of tsnep, the Engleder TSN endpoint: queue pairs with owner counters, native XDP, AF_XDP
// zero copy, gate control lists, time stamps.
//
// Written on hal and stack; knows nothing of the device's model but its contract. Behaviour is that
// of Linux 6.12 drivers/net/ethernet/engleder; TsnepDriverConfig::fix_hazards says whether its
// suspected defects are there. Not modelled: per-queue statistics of qdiscs, self tests, time-based
// transmission, EEE, sleeping (waits are busy). Differences: a queue is drained by the caller, not
// by NAPI, and for a second at most, then its transmit half is reset. Timing: hardware accesses
// charge themselves; the driver adds DriverRx per received frame, DriverTx and DriverClean per
// transmit descriptor, MapSetup, TxLock, CopyOctets. Any HAL call may let another core run: what
// the cores share is behind the transmit queue's lock. Nothing allocates per packet.
// Files: tsnep_driver.cc (life cycle, queues), tsnep_phy.cc (MDIO, link), tsnep_queue.cc (interrupt
// and poll), tsnep_tx.cc, tsnep_clean.cc, tsnep_rx.cc, tsnep_rx_refill.cc, tsnep_xdp.cc,
// tsnep_xsk.cc, tsnep_taprio.cc, tsnep_ptp.cc, tsnep_ethtool.cc.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/drivers/tsnep/tsnep_config.h"
#include "sim/drivers/tsnep/tsnep_queue.h"
#include "sim/drivers/tsnep/tsnep_statistics.h"
#include "sim/drivers/tsnep/tsnep_taprio.h"
#include "sim/hal/hal.h"
#include "sim/stack/net_stack.h"

namespace doorbell::drivers::tsnep {

/// The machine as this driver sees it. All share registers, memory, barriers and the running CPU.
struct TsnepHals {
  /// Queue i: interrupt line 0 is the device's line i; NAPI and timers of the core that serves it.
  std::vector<hal::Hal*> queues;
};

/// Looks at memory and device without cost or side effect; for ledgers and reports only.
class DevicePeek {
 public:
  virtual ~DevicePeek() = default;
  virtual uint32_t peek32(hal::DmaAddr addr) const = 0;
  /// Frames of all queues that left the device's transmit path and are not written back yet.
  virtual uint64_t tx_not_closed() const = 0;
};

class TsnepDriver : public stack::NetDevice {
 public:
  /// Touches no hardware. Everything handed in must outlive the driver.
  TsnepDriver(const TsnepHals& hals, stack::NetStack& stack, const TsnepDriverConfig& config);
  ~TsnepDriver() override;

  /// Reads what the device has, sets it up, registers with the stack. 0, or a negative errno:
  /// -EINVAL (check() refuses the configuration), -ENODEV (the device has fewer queues).
  int probe();

  // stack::NetDevice
  const char* name() const override { return "tsnep"; }
  int open() override;
  void stop() override;
  stack::TxStatus xmit(stack::SkBuff& skb, uint16_t queue) override;
  int xdp_xmit(stack::XdpFrame* const* frames, int count) override;
  int xdp_xmit_more(stack::XdpFrame* const* frames, int count) override;
  uint16_t select_queue(const stack::SkBuff& skb) override;
  void tx_timeout(uint16_t) override { ++stats_.tx_timeouts; }
  int set_xdp_program(stack::XdpProgram* program) override;
  stack::DropReason xdp_refusal() const override { return xdp_refusal_; }
  bool accepts_xdp_frames() const override { return running(); }
  int setup_xsk_pool(stack::xsk::Pool* pool, uint32_t queue) override;
  int xsk_wakeup(uint32_t queue, uint32_t flags) override;
  hal::Napi* queue_napi(uint32_t queue) override;

  // taprio.
  /// 0; -EOPNOTSUPP: the device has no gate control; -EINVAL, -ERANGE: check(); -EBUSY: the last
  /// change is still to come; -EAGAIN: the start is more than 2^32 ns away, or no enable came in
  /// time.
  int set_gate_schedule(const GateSchedule& schedule);
  void clear_gate_schedule();

  // PTP clock.
  uint64_t ptp_time();
  uint64_t ptp_cycles();
  void set_ptp_time(uint64_t ns);
  void adjust_ptp_time(int64_t ns);
  /// Parts per million in units of 2^-16. 0, or -ERANGE.
  int adjust_ptp_rate(int64_t scaled_ppm);
  uint64_t last_tx_timestamp_ns() const { return last_tx_timestamp_ns_; }

  // ethtool.
  static constexpr int kAnyLocation = -1;
  /// Steers an EtherType to a queue. The rule's location, or -ENOENT, -EINVAL, -ENOSPC, -EEXIST.
  int add_flow_rule(uint16_t ether_type, unsigned queue, int location = kAnyLocation);
  int remove_flow_rule(unsigned location);
  /// 0, or -ERANGE beyond 255 us.
  int set_interrupt_delay(unsigned queue, uint32_t micros);
  void set_rx_mode(bool promiscuous, bool all_multicast);
  /// 0, or -EINVAL.
  int set_mtu(uint32_t mtu);
  /// Adds what the device counted since the last call.
  void read_device_statistics();
  const TsnepStatistics& statistics() const { return stats_; }
  /// Driver counters by name. Costs nothing.
  std::vector<StatisticRow> statistic_rows() const;

  /// For the ledger; without cost. Frames in receive rings that poll() has not taken yet.
  uint64_t pending_rx(const DevicePeek& peek) const;
  /// Frames submitted and not reclaimed yet.
  uint64_t pending_tx() const;
  /// Of those, frames that the device has not sent.
  uint64_t pending_tx_device(const DevicePeek& peek) const;
  /// Lets stop() count exactly what it throws away (rx_ring_reset, tx_ring_reset).
  void set_peek(const DevicePeek* peek) { peek_ = peek; }

  const TsnepDriverConfig& config() const { return config_; }
  unsigned queues() const { return queue_count(); }
  const TsnepQueue& pair(unsigned i) const { return *pairs_[i]; }
  /// Receive page pool, for failure injection; nullptr while closed.
  stack::PagePool* rx_pool(unsigned i) { return pairs_[i]->rx.pages.get(); }
  unsigned link_mbps() const { return link_mbps_; }

  // Called by queues and deferred work.
  bool interrupt(TsnepQueue& queue);
  int poll(TsnepQueue& queue, int budget);
  void phy_work();

 private:
  enum class XdpResult : uint8_t { kPass, kConsumed, kTx, kRedirected };
  // What one poll left to be done at its end.
  struct PollTodo {
    bool sent = false;
    bool redirected = false;
  };
  // A fragment for the device.
  struct TxPart {
    const uint8_t* data = nullptr;
    uint32_t bytes = 0;
    uint32_t type = 0;
  };

  // tsnep_driver.cc
  int open_queue(TsnepQueue& q);
  void close_queue(TsnepQueue& q);
  void enable_queue(TsnepQueue& q);
  void disable_queue(TsnepQueue& q);
  void drain_tx(TsnepQueue& q);
  bool wait_idle(TsnepQueue& q, uint32_t running_bit);
  void wait_for_poll(TsnepQueue& q);
  void purge_tx(TsnepQueue& q);
  void release_rx(TsnepQueue& q);
  uint64_t pending_rx(const RxRing& ring, const DevicePeek& peek) const;

  // tsnep_phy.cc
  bool mdio_wait();
  int mdio_read(unsigned reg);
  bool mdio_write(unsigned reg, uint16_t value);
  void phy_start();
  void phy_stop();
  void link_change(unsigned mbps);

  // tsnep_queue.cc
  bool work_pending(const TsnepQueue& q);

  // tsnep_tx.cc
  void start_tx_ring(TxRing& ring);
  bool fill_skb(TxRing& ring, stack::SkBuff& skb, unsigned count);
  bool place(TxRing& ring, uint32_t index, const TxPart& part);
  void unwind(TxRing& ring, uint32_t first, unsigned count);
  void unmap(const TxSlot& slot);
  void activate(TxRing& ring, uint32_t index, bool first, bool last);
  void ring_tx_doorbell(TxRing& ring);
  stack::TxStatus drop_skb(stack::SkBuff& skb, stack::DropReason reason);
  void lock(TxRing& ring, bool charged = false);
  void unlock(TxRing& ring);

  // tsnep_clean.cc
  bool clean_tx(TsnepQueue& q, bool may_submit);
  bool tx_done(const TxRing& ring, uint32_t& writeback);
  void reclaim(TxRing& ring, uint32_t writeback, uint32_t& xsk_frames);
  void read_timestamp(const TxRing& ring, uint32_t writeback);

  // tsnep_rx.cc
  int receive_pages(TsnepQueue& q, int budget);
  int receive_xsk(TsnepQueue& q, int budget);
  bool rx_done(const RxRing& ring, uint32_t& writeback);
  bool frame_length(uint32_t writeback, uint32_t& length);
  void count_rx(RxRing& ring, const uint8_t* data, uint32_t length);
  void take_page(TsnepQueue& q, stack::Page& page, uint32_t length, stack::XdpProgram* program,
                 PollTodo& todo);
  void take_xsk(TsnepQueue& q, stack::XdpBuff& buff, uint32_t length, stack::XdpProgram* program,
                PollTodo& todo);
  void pass_page(RxRing& ring, stack::Page& page, uint8_t* data, uint32_t length,
                 const uint8_t* metadata);
  void pass_xsk(RxRing& ring, stack::XdpBuff& buff, const uint8_t* from, uint32_t length);
  void drop_rx(stack::DropReason reason);

  // tsnep_rx_refill.cc
  void start_rx_ring(RxRing& ring);
  uint32_t refill_pages(RxRing& ring, uint32_t count, bool reuse);
  uint32_t refill_xsk(RxRing& ring, uint32_t count, bool reuse);
  bool put_buffer(RxRing& ring, uint32_t index);
  void activate_rx(RxRing& ring, uint32_t index, uint32_t bytes);
  void ring_rx_doorbell(RxRing& ring);
  void refill_now(RxRing& ring, bool may_reuse);

  // tsnep_xdp.cc
  void run_xdp(TsnepQueue& q, stack::XdpBuff& buff, stack::XdpProgram& program, XdpResult& result);
  XdpResult xdp_tx(TsnepQueue& q, stack::XdpBuff& buff, uint32_t sync);
  bool xdp_send(TxRing& ring, stack::XdpFrame& frame, uint32_t type, bool& map_failed);
  void xdp_drop(stack::XdpBuff& buff, stack::DropReason reason, uint32_t sync);
  void finalize_xdp(TsnepQueue& q, const PollTodo& todo);
  int xdp_submit(stack::XdpFrame* const* frames, int count, bool flush);

  // tsnep_xsk.cc
  void xsk_transmit(TxRing& ring);
  void switch_pool(TsnepQueue& q, stack::xsk::Pool* pool);
  void rx_need_wakeup(RxRing& ring);

  // tsnep_taprio.cc
  uint64_t change_start(const GateSchedule& schedule) const;
  int try_gate_list(const GateSchedule& schedule, unsigned list, bool& late);
  void write_operation(unsigned list, const GateOperation& operation);

  uint64_t read_time(uint32_t low, uint32_t high);
  uint32_t rd(uint32_t reg) { return hal_.mmio.read32(reg); }
  void wr(uint32_t reg, uint32_t value) { hal_.mmio.write32(reg, value); }

  hal::Hal& hal_;
  stack::NetStack& stack_;
  TsnepDriverConfig config_;
  stack::XdpProgram* program_ = nullptr;  // native
  std::vector<std::unique_ptr<TsnepQueue>> pairs_;
  std::vector<std::unique_ptr<stack::PagePool>> retired_pools_;  // closed with pages in flight
  hal::DmaAddr lock_words_ = 0;
  bool probed_ = false;
  bool gate_control_ = false;
  bool phy_running_ = false;
  unsigned link_mbps_ = 0;
  stack::DropReason xdp_refusal_ = stack::DropReason::kRedirectRingFull;
  std::array<GateList, 2> gate_lists_;
  unsigned gate_list_ = 0;  // enabled last
  bool gates_run_ = false;
  uint64_t last_tx_timestamp_ns_ = 0;
  std::array<bool, hw::kRxAssignRules> rule_used_{};
  std::array<uint16_t, hw::kRxAssignRules> rule_type_{};
  uint32_t stat_seen_ = 0;
  std::array<uint32_t, hw::kMaxQueues> rx_statistic_seen_{};
  const DevicePeek* peek_ = nullptr;
  TsnepStatistics stats_;

  class PhyWork : public hal::Work {
   public:
    explicit PhyWork(TsnepDriver& driver) : driver_(driver) {}
    void run_work() override { driver_.phy_work(); }

   private:
    TsnepDriver& driver_;
  };
  PhyWork phy_work_{*this};
};

}  // namespace doorbell::drivers::tsnep
