// net_device: what a driver implements and the stack calls, with the transmit queues between them.
//
// Modelled: queue stop and wake, the transmit lock (a cost, cores are simulated one at a time),
// trans_start and the transmit watchdog, native and generic XDP programs. Not modelled: qdiscs (a
// packet for a stopped queue is dropped and counted), BQL, feature negotiation. Calls do not block
// but advance the calling core's time.
#pragma once

#include <array>
#include <cerrno>
#include <cstdint>
#include <vector>

#include "models/base/units.h"
#include "sim/hal/hal.h"
#include "sim/stack/drop.h"
#include "sim/stack/sk_buff.h"
#include "sim/stack/xdp.h"

namespace doorbell::stack {

namespace xsk {
class Pool;
}

enum class TxStatus : uint8_t {
  kOk,    ///< taken: sent, or dropped and counted
  kBusy,  ///< not taken, the caller keeps it
};

struct NetQueue {
  bool stopped = false;
  base::Picos trans_start;
  uint64_t timeouts = 0;
  uint64_t stops = 0;
  uint64_t wakes = 0;
};

/// How often a device's program said what, native or generic.
struct XdpCounts {
  uint64_t aborted = 0;
  uint64_t drop = 0;
  uint64_t pass = 0;
  uint64_t tx = 0;
  uint64_t redirect = 0;
  uint64_t unknown = 0;

  void count(Verdict verdict);
};

class NetDevice {
 public:
  NetDevice(hal::Hal& hal, uint32_t queue_count, base::Picos watchdog_timeout);
  virtual ~NetDevice();
  NetDevice(const NetDevice&) = delete;
  NetDevice& operator=(const NetDevice&) = delete;

  virtual const char* name() const = 0;
  /// 0, or a negative errno.
  virtual int open() = 0;
  virtual void stop() = 0;
  /// Called with the queue's lock held.
  virtual TxStatus xmit(SkBuff& skb, uint16_t queue) = 0;
  /// Sends XDP frames; takes its own lock. Returns how many it took, from the first on; the caller
  /// keeps the rest. Negative errno: none.
  virtual int xdp_xmit(XdpFrame* const* frames, int count) = 0;
  /// The same when the caller comes back at once with more for this core: the doorbell may wait
  /// (no XDP_XMIT_FLUSH).
  virtual int xdp_xmit_more(XdpFrame* const* frames, int count) { return xdp_xmit(frames, count); }
  virtual uint16_t select_queue(const SkBuff& skb) = 0;
  /// A stopped queue made no progress for the watchdog's time. Process context.
  virtual void tx_timeout(uint16_t queue) = 0;
  /// Attaches or detaches (nullptr) a native program. 0, or a negative errno.
  virtual int set_xdp_program(XdpProgram* program) = 0;
  /// Why the last xdp_xmit() that took fewer frames than offered stopped.
  virtual DropReason xdp_refusal() const { return DropReason::kRedirectRingFull; }
  /// Takes redirected frames now.
  virtual bool accepts_xdp_frames() const = 0;
  /// XDP_SETUP_XSK_POOL: starts zero copy on a queue with `pool`, or ends it (nullptr), when every
  /// buffer of the old pool has been given back. The driver must map the pool. Process context. 0,
  /// or a negative errno.
  virtual int setup_xsk_pool(xsk::Pool* /*pool*/, uint32_t /*queue*/) { return -EOPNOTSUPP; }
  /// ndo_xsk_wakeup: xsk::kWakeupRx, kWakeupTx. Process context, interrupts enabled. 0, or a
  /// negative errno.
  virtual int xsk_wakeup(uint32_t /*queue*/, uint32_t /*flags*/) { return -EOPNOTSUPP; }
  /// The NAPI instance that serves receive queue `queue`, for busy polling; nullptr: unknown.
  virtual hal::Napi* queue_napi(uint32_t /*queue*/) { return nullptr; }

  /// Generic XDP: the stack runs the program on sk_buffs.
  void set_generic_program(XdpProgram* program) { generic_program_ = program; }
  XdpProgram* generic_program() const { return generic_program_; }

  uint32_t queue_count() const { return static_cast<uint32_t>(queues_.size()); }
  NetQueue& queue(uint32_t index) { return queues_[index]; }
  const NetQueue& queue(uint32_t index) const { return queues_[index]; }
  bool carrier() const { return carrier_; }
  bool running() const { return running_; }
  uint32_t ifindex() const { return ifindex_; }
  void set_ifindex(uint32_t ifindex) { ifindex_ = ifindex; }

  void stop_queue(uint32_t index);
  /// Restarts a stopped queue; nothing if it runs.
  void wake_queue(uint32_t index);
  void stop_all_queues();
  void wake_all_queues();
  /// txq_trans_cond_update: notes that the queue made progress.
  void note_transmit(uint32_t index) { queues_[index].trans_start = hal_.cpu.now(); }

  XdpCounts xdp_counts;

 protected:
  void set_carrier(bool up);
  void set_running(bool running);

 private:
  // dev_watchdog: looks at the queues once per timeout while the device runs with a carrier.
  class Watchdog : public hal::Work {
   public:
    explicit Watchdog(NetDevice& device) : device_(device) {}
    void run_work() override { device_.check_queues(); }

   private:
    NetDevice& device_;
  };
  void check_queues();
  void arm_watchdog();

  hal::Hal& hal_;
  std::vector<NetQueue> queues_;
  base::Picos watchdog_timeout_;
  Watchdog watchdog_;
  bool watchdog_armed_ = false;
  bool carrier_ = false;
  bool running_ = false;
  uint32_t ifindex_ = 0;
  XdpProgram* generic_program_ = nullptr;
};

/// __netif_tx_lock: what taking and releasing a transmit queue's lock costs.
inline void charge_tx_lock(hal::Hal& hal) {
  hal.cpu.charge(hal::Op::kTxLock);
}

}  // namespace doorbell::stack
