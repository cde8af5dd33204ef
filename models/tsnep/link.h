// Link: MDIO with its PHY, the STATUS register, and whether frames pass.
//
// A management frame takes 64 clocks of MDC, 32 without preamble; MD_STATUS is busy until its end,
// where it acts. A command during a frame starts over (assumption). Neither read nor write: nothing
// happens. The PHY's link is a wire to the MAC: each change raises the LINK interrupt. Frames pass
// while the PHY has a link and software has set the mode that fits its speed.
// Sources: Linux 6.12 tsnep_main.c, tsnep_hw.h; IEEE 802.3 clause 22.
#pragma once

#include "models/tsnep/phy.h"
#include "models/tsnep/tsnep_core.h"

namespace doorbell::tsnep {

class Link {
 public:
  explicit Link(Core& core);

  void plug(bool in);
  /// Frames pass.
  bool carrier() const { return carrier_; }

  void command_written(const reg::WriteEvent& event);
  uint32_t read_command(uint32_t, uint32_t) {
    return uint32_t{data_} << 16 | (done_.pending() ? md_status::kBusy : 0);
  }
  void status_written(const reg::WriteEvent& event);
  uint32_t read_status(uint32_t, uint32_t) { return mode_ | (up_ ? 0 : status::kNoLink); }
  void reset();

 private:
  void finish();
  void plan();
  void look();
  void update_carrier();

  Core& core_;
  Phy phy_;
  base::Event done_;
  base::Event change_;
  uint32_t command_ = 0;
  uint16_t data_ = 0;
  uint32_t mode_ = 0;
  bool up_ = false;
  bool carrier_ = false;
};

}  // namespace doorbell::tsnep
