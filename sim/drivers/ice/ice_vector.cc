// Interrupt and poll.
#include "sim/drivers/ice/ice_vector.h"

#include <algorithm>

#include "sim/drivers/ice/ice_driver.h"

namespace doorbell::drivers::ice {

void RingContainer::DimWork::run_work() {
  driver_.apply_dim(vector_, container_);
}

bool IceVector::handle_irq(unsigned) {
  ++events;
  hal.napi.schedule();
  return true;
}

int IceVector::poll(int budget) {
  polling = true;
  const int done = driver_.poll(*this, budget);
  polling = false;
  return done;
}

int IceDriver::poll(IceVector& v, int budget) {
  ++stats_.polls;
  bool complete = clean_tx(*v.tx);
  // Since commit 9610bd988df9 XDP rings are cleaned where they are filled.
  if (config_.rs == RsMode::kEvery) {
    for (TxRing* ring : v.xdp) complete = clean_tx(*ring) && complete;
  }
  // Budget 0 is netpoll: transmit only.
  if (budget <= 0) return budget;
  const int done = receive(*v.rx, budget);
  if (!complete || done >= budget) {
    set_wb_on_itr(v);
    return budget;
  }
  if (v.hal.napi.complete(done)) {
    net_dim(v);
    enable_interrupt(v);
  } else {
    set_wb_on_itr(v);
  }
  return std::min(done, budget - 1);
}

}  // namespace doorbell::drivers::ice
