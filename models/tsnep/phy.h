// A gigabit PHY as tsnep's MDIO bus sees it: the clause 22 registers a driver's PHY library uses.
//
// Modelled: BMCR, BMSR (link latches low), identifiers, ANAR, LPAR, 1000BASE-T control and status,
// extended status; auto-negotiation that completes a set time after reset, restart or plugging the
// cable and yields the configured link; full duplex only. Not modelled: clause 45, power-down,
// loopback, vendor registers. Time: accesses act when the management frame ends.
// Source: IEEE 802.3 clauses 22, 28, 40.
#pragma once

#include <array>
#include <cstdint>

#include "models/tsnep/tsnep_config.h"

namespace doorbell::tsnep {

class Phy {
 public:
  explicit Phy(const TsnepConfig& config);

  uint16_t read(unsigned reg, base::Picos now);
  /// True if the link's future has changed.
  bool write(unsigned reg, uint16_t value, base::Picos now);
  void plug(bool in, base::Picos now);

  /// When the link is or will be up; kNever while the cable is out.
  base::Picos link_at() const { return link_at_; }
  bool link_up(base::Picos now) const { return now >= link_at_; }

 private:
  void restart(base::Picos now);

  bool gigabit_;
  bool plugged_ = true;
  bool was_down_ = false;  // the link was lost since BMSR was read
  uint32_t id_;
  base::Picos autoneg_time_;
  base::Picos link_at_;
  std::array<uint16_t, 32> regs_{};
};

}  // namespace doorbell::tsnep
