// A gigabit PHY as the MDIO bus sees it: clause 22 registers, and enough of clause 45 to be polled.
//
// Modelled: BMCR, BMSR, identifiers, ANAR, LPAR, 1000BASE-T control and status, extended status;
// auto-negotiation that completes a set time after reset or restart and yields the configured link.
// Clause 45: address cycles are remembered per device, writes are stored, unknown registers read 0
// (no EEE). Not modelled: loopback, isolate, power-down, link faults, vendor registers.
// Time: reads and writes act when the management frame ends. Source: IEEE 802.3 clauses 22, 28, 40.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "models/base/units.h"
#include "models/fec/fec_config.h"

namespace doorbell::fec {

class Phy {
 public:
  explicit Phy(const FecConfig& config);

  uint16_t read(unsigned reg, base::Picos now) const;
  void write(unsigned reg, uint16_t value, base::Picos now);

  void set_address_45(unsigned device, uint16_t address) { address_45_[device & 31] = address; }
  /// `increment`: moves the address on afterwards, but not past 0xFFFF.
  uint16_t read_45(unsigned device, bool increment);
  void write_45(unsigned device, uint16_t value);

  bool link_up(base::Picos now) const { return now >= link_at_; }

 private:
  void restart(base::Picos now) { link_at_ = now + autoneg_time_; }

  bool gigabit_;
  bool partner_pause_;
  uint32_t id_;
  base::Picos autoneg_time_;
  base::Picos link_at_;
  std::array<uint16_t, 32> regs_{};
  std::array<uint16_t, 32> address_45_{};
  std::map<uint32_t, uint16_t> regs_45_;
};

}  // namespace doorbell::fec
