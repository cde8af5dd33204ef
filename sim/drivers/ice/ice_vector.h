// One interrupt vector of the ice driver: its rings, NAPI instance and moderation.
//
// Vector i serves receive ring i, sk_buff transmit ring i and its share of the XDP rings, on one
// core. The interrupt handler counts and schedules the poll; it writes no register, since the
// device disarms the vector itself. Sources: Linux 6.12 ice_txrx.c, ice_main.c.
#pragma once

#include <vector>

#include "sim/drivers/ice/ice_config.h"
#include "sim/drivers/ice/ice_dim.h"
#include "sim/drivers/ice/ice_ring.h"
#include "sim/hal/hal.h"

namespace doorbell::drivers::ice {

class IceDriver;
class IceVector;

/// Moderation of one direction.
struct RingContainer {
  RingContainer(IceDriver& driver, IceVector& vector, unsigned itr)
      : itr_index(itr), work(driver, vector, *this) {}

  // Writes the timer of a new profile, outside the poll.
  class DimWork : public hal::Work {
   public:
    DimWork(IceDriver& driver, IceVector& vector, RingContainer& container)
        : driver_(driver), vector_(vector), container_(container) {}
    void run_work() override;

   private:
    IceDriver& driver_;
    IceVector& vector_;
    RingContainer& container_;
  };

  unsigned itr_index;  // 0 receive, 1 transmit
  ItrSetting setting;
  Dim dim;
  DimWork work;
};

class IceVector : public hal::IrqHandler, public hal::NapiPoll {
 public:
  IceVector(IceDriver& driver, hal::Hal& own_hal, unsigned number)
      : hal(own_hal),
        index(number),
        rx_moderation(driver, *this, hw::kRxItr),
        tx_moderation(driver, *this, hw::kTxItr),
        driver_(driver) {}
  IceVector(const IceVector&) = delete;
  IceVector& operator=(const IceVector&) = delete;

  bool handle_irq(unsigned line) override;
  int poll(int budget) override;

  hal::Hal& hal;
  unsigned index;
  unsigned msix = 0;  // of the device
  RxRing* rx = nullptr;
  TxRing* tx = nullptr;
  std::vector<TxRing*> xdp;
  RingContainer rx_moderation;
  RingContainer tx_moderation;
  bool wb_on_itr = false;
  bool polling = false;
  uint64_t events = 0;

 private:
  IceDriver& driver_;
};

}  // namespace doorbell::drivers::ice
