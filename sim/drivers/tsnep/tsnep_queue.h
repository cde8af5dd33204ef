// One queue pair of the tsnep driver: its rings, interrupt line and NAPI instance.
//
// Queue n has interrupt line n: line 0 ("mac") also tells of the link and is acknowledged in
// INT_ACTIVE, the others are not. An interrupt claims NAPI and masks the queue's two bits; the poll
// enables them. Source: Linux 6.12 tsnep_main.c (behaviour).
#pragma once

#include "sim/drivers/tsnep/tsnep_ring.h"
#include "sim/hal/hal.h"

namespace doorbell::drivers::tsnep {

class TsnepDriver;

class TsnepQueue : public hal::IrqHandler, public hal::NapiPoll {
 public:
  TsnepQueue(TsnepDriver& driver, hal::Hal& own_hal, unsigned number)
      : hal(own_hal), index(number), driver_(driver) {
    tx.queue = rx.queue = number;
  }
  TsnepQueue(const TsnepQueue&) = delete;
  TsnepQueue& operator=(const TsnepQueue&) = delete;

  bool handle_irq(unsigned line) override;
  int poll(int budget) override;

  hal::Hal& hal;  // interrupt, NAPI and timers of the core that serves it
  unsigned index;
  TxRing tx;
  RxRing rx;
  bool enabled = false;  // NAPI and interrupts are on
  bool polling = false;
  uint64_t interrupts = 0;

 private:
  TsnepDriver& driver_;
};

}  // namespace doorbell::drivers::tsnep
