#include "sim/stack/net_device.h"

namespace doorbell::stack {

void XdpCounts::count(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAborted:
      ++aborted;
      return;
    case Verdict::kDrop:
      ++drop;
      return;
    case Verdict::kPass:
      ++pass;
      return;
    case Verdict::kTx:
      ++tx;
      return;
    case Verdict::kRedirect:
      ++redirect;
      return;
  }
  ++unknown;
}

NetDevice::NetDevice(hal::Hal& hal, uint32_t queue_count, base::Picos watchdog_timeout)
    : hal_(hal), queues_(queue_count), watchdog_timeout_(watchdog_timeout), watchdog_(*this) {}

NetDevice::~NetDevice() {
  if (watchdog_armed_) hal_.timers.cancel(watchdog_);
}

void NetDevice::stop_queue(uint32_t index) {
  NetQueue& q = queues_[index];
  if (!q.stopped) ++q.stops;
  q.stopped = true;
}

void NetDevice::wake_queue(uint32_t index) {
  NetQueue& q = queues_[index];
  if (q.stopped) ++q.wakes;
  q.stopped = false;
}

void NetDevice::stop_all_queues() {
  for (uint32_t i = 0; i < queue_count(); ++i) stop_queue(i);
}

void NetDevice::wake_all_queues() {
  for (uint32_t i = 0; i < queue_count(); ++i) wake_queue(i);
}

void NetDevice::set_carrier(bool up) {
  carrier_ = up;
  arm_watchdog();
}

void NetDevice::set_running(bool running) {
  running_ = running;
  arm_watchdog();
}

void NetDevice::arm_watchdog() {
  const bool wanted = carrier_ && running_;
  if (wanted == watchdog_armed_) return;
  watchdog_armed_ = wanted;
  if (!wanted) {
    hal_.timers.cancel(watchdog_);
    return;
  }
  for (NetQueue& q : queues_) q.trans_start = hal_.cpu.now();
  hal_.timers.schedule(watchdog_, watchdog_timeout_);
}

void NetDevice::check_queues() {
  if (!watchdog_armed_) return;
  // The next look is due when the queue that has waited longest would time out.
  const base::Picos now = hal_.cpu.now();
  base::Picos next = now + watchdog_timeout_;
  for (uint32_t i = 0; i < queue_count(); ++i) {
    NetQueue& q = queues_[i];
    if (!q.stopped) continue;
    if (now - q.trans_start < watchdog_timeout_) {
      next = base::min(next, q.trans_start + watchdog_timeout_);
      continue;
    }
    ++q.timeouts;
    tx_timeout(static_cast<uint16_t>(i));
  }
  hal_.timers.schedule(watchdog_, next - now);
}

}  // namespace doorbell::stack
