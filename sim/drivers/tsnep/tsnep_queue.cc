// Interrupt and poll.
#include "sim/drivers/tsnep/tsnep_queue.h"

#include <algorithm>

#include "sim/drivers/tsnep/tsnep_driver.h"

namespace doorbell::drivers::tsnep {

namespace reg = hw::reg;

bool TsnepQueue::handle_irq(unsigned) {
  ++interrupts;
  return driver_.interrupt(*this);
}

int TsnepQueue::poll(int budget) {
  polling = true;
  const int done = driver_.poll(*this, budget);
  polling = false;
  return done;
}

// Claim, mask, schedule: masking for a poll that somebody else runs would be forgotten when that
// one enables. HAL's schedule() claims; the poll itself cannot begin before this handler ends.
bool TsnepDriver::interrupt(TsnepQueue& q) {
  uint32_t bits = hw::interrupt::queue(q.index);
  if (q.index == 0) {
    const uint32_t active = rd(reg::kIntActive);
    if (active == 0) return false;
    wr(reg::kIntActive, active);
    if ((active & hw::interrupt::kLink) != 0 && phy_running_) {
      ++stats_.link_events;
      q.hal.timers.schedule(phy_work_, base::Picos(0));
    }
    bits &= active;
    if (bits == 0) return true;
  }
  if (q.hal.napi.schedule()) {
    wr(reg::kIntEnable, hw::interrupt::kDisable | hw::interrupt::queue(q.index));
  } else if (q.index != 0) {
    // Somebody polls already, and comes back for this. Linux does nothing here; how the line falls
    // then is not known. Ours is high until its bits are masked or acknowledged (assumption), and
    // one that stays high would never rise again.
    wr(reg::kIntActive, bits);
  }
  return true;
}

// Transmit first, whatever the budget; 0 is netpoll, where page pools are out of bounds.
int TsnepDriver::poll(TsnepQueue& q, int budget) {
  ++stats_.polls;
  const bool complete = clean_tx(q, true);
  if (budget <= 0) return 0;
  const int done = q.rx.pool != nullptr ? receive_xsk(q, budget) : receive_pages(q, budget);
  if (done >= budget || !complete) return budget;
  if (q.hal.napi.complete(done)) {
    wr(reg::kIntEnable, hw::interrupt::queue(q.index));
    // What came after the last look and before the enable has no interrupt of its own.
    if (config_.recheck && work_pending(q)) {
      ++stats_.rechecks;
      if (q.hal.napi.schedule()) {
        wr(reg::kIntEnable, hw::interrupt::kDisable | hw::interrupt::queue(q.index));
      }
    }
  }
  return std::min(done, budget - 1);
}

bool TsnepDriver::work_pending(const TsnepQueue& q) {
  uint32_t writeback = 0;
  return tx_done(q.tx, writeback) || rx_done(q.rx, writeback);
}

}  // namespace doorbell::drivers::tsnep
