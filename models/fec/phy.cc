#include "models/fec/phy.h"

namespace doorbell::fec {

namespace {
// Clause 22 register numbers and the bits used here.
constexpr unsigned kBmcr = 0, kBmsr = 1, kId1 = 2, kId2 = 3, kAnar = 4, kLpar = 5, kAner = 6;
constexpr unsigned kCtrl1000 = 9, kStat1000 = 10, kEstatus = 15;
constexpr uint16_t kReset = 0x8000, kAnEnable = 0x1000, kAnRestart = 0x0200;
constexpr uint16_t kBmcrDefault = 0x1140;
constexpr uint16_t kBmsrAbilities = 0x7949;  // 100 and 10, full and half; extended status
constexpr uint16_t kBmsrAnDone = 0x0020, kBmsrLink = 0x0004;
}  // namespace

Phy::Phy(const FecConfig& config)
    : gigabit_(config.link.count() >= 1'000'000'000),
      partner_pause_(config.partner_pause),
      id_(config.phy_id),
      autoneg_time_(config.autoneg_time),
      link_at_(config.autoneg_time) {
  regs_[kBmcr] = kBmcrDefault;
  regs_[kAnar] = 0x01E1;
  regs_[kCtrl1000] = 0x0200;
}

uint16_t Phy::read(unsigned reg, base::Picos now) const {
  const bool up = link_up(now);
  switch (reg) {
    case kBmsr:
      return static_cast<uint16_t>(kBmsrAbilities | (up ? kBmsrAnDone | kBmsrLink : 0));
    case kId1:
      return static_cast<uint16_t>(id_ >> 16);
    case kId2:
      return static_cast<uint16_t>(id_);
    case kLpar:
      return static_cast<uint16_t>(up ? 0xC1E1 | (partner_pause_ ? 0x0400 : 0) : 0);
    case kAner:
      return up ? 0x000F : 0x0004;
    case kStat1000:
      return up && gigabit_ ? 0x3800 : 0;
    case kEstatus:
      return 0x2000;
    default:
      return regs_[reg & 31];
  }
}

void Phy::write(unsigned reg, uint16_t value, base::Picos now) {
  if (reg == kBmcr) {
    if ((value & kReset) != 0) {
      regs_[kBmcr] = kBmcrDefault;
      regs_[kAnar] = 0x01E1;
      regs_[kCtrl1000] = 0x0200;
      restart(now);
      return;
    }
    if ((value & kAnEnable) != 0 && (value & kAnRestart) != 0) restart(now);
    regs_[kBmcr] = static_cast<uint16_t>(value & ~kAnRestart);
  } else if (reg == kAnar || reg == kCtrl1000 || reg > kEstatus) {
    regs_[reg & 31] = value;
  }
}

uint16_t Phy::read_45(unsigned device, bool increment) {
  uint16_t& address = address_45_[device & 31];
  const auto found = regs_45_.find((device & 31) << 16 | address);
  const uint16_t value = found == regs_45_.end() ? uint16_t{0} : found->second;
  if (increment && address != 0xFFFF) ++address;
  return value;
}

void Phy::write_45(unsigned device, uint16_t value) {
  regs_45_[(device & 31) << 16 | address_45_[device & 31]] = value;
}

}  // namespace doorbell::fec
