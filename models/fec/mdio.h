// The management interface: MMFR, MSCR and the MDIO frame on the way to the PHY.
//
// A frame takes 64 MDC periods, 32 with DIS_PRE; MDC is the module clock / (2 (MII_SPEED + 1)):
// 25.9 us with the values Linux writes. It starts when MMFR is written while MSCR's low octet is
// not 0, or when that octet leaves 0 while MMFR is not 0; EIR.MII is set at its end. MMFR written
// during a frame: the new frame starts over (assumption) and a counter says so.
// Sources: Linux 6.12 fec_main.c (event rule), i.MX 6ULL RM ch. 22.
#pragma once

#include "models/fec/fec_core.h"
#include "models/fec/phy.h"

namespace doorbell::fec {

class Mdio {
 public:
  Mdio(Core& core, Phy& phy) : core_(core), phy_(phy) { done_.bind<&Mdio::finish>(*this); }

  void mmfr_written(const reg::WriteEvent& event);
  void mscr_written(const reg::WriteEvent& event);
  void reset() { core_.calendar.cancel(done_); }

 private:
  void start();
  void finish();
  uint16_t read(uint32_t mmfr);
  void write(uint32_t mmfr);

  Core& core_;
  Phy& phy_;
  base::Event done_;
};

}  // namespace doorbell::fec
