#include "models/tsnep/phy.h"

namespace doorbell::tsnep {

namespace {
// Clause 22 register numbers and the bits used here.
constexpr unsigned kBmcr = 0, kBmsr = 1, kId1 = 2, kId2 = 3, kAnar = 4, kLpar = 5, kAner = 6;
constexpr unsigned kCtrl1000 = 9, kStat1000 = 10, kEstatus = 15;
constexpr uint16_t kReset = 0x8000, kAnEnable = 0x1000, kAnRestart = 0x0200;
constexpr uint16_t kBmcrDefault = 0x1140;
constexpr uint16_t kAnarDefault = 0x0101;  // 100BASE-TX full duplex
constexpr uint16_t kCtrl1000Full = 0x0200;
constexpr uint16_t kBmsrAbilities = 0x4109;  // 100 full, extended status, auto-negotiation
constexpr uint16_t kBmsrAnDone = 0x0020, kBmsrLink = 0x0004;
}  // namespace

Phy::Phy(const TsnepConfig& config)
    : gigabit_(config.link.count() >= 1'000'000'000),
      id_(config.phy_id),
      autoneg_time_(config.autoneg_time),
      link_at_(config.autoneg_time) {
  regs_[kBmcr] = kBmcrDefault;
  regs_[kAnar] = kAnarDefault;
  regs_[kCtrl1000] = kCtrl1000Full;
}

void Phy::restart(base::Picos now) {
  was_down_ = true;
  link_at_ = plugged_ ? now + autoneg_time_ : base::kNever;
}

void Phy::plug(bool in, base::Picos now) {
  if (in == plugged_) return;
  plugged_ = in;
  restart(now);
}

uint16_t Phy::read(unsigned reg, base::Picos now) {
  const bool up = link_up(now);
  switch (reg) {
    case kBmsr: {
      const bool shown = up && !was_down_;
      was_down_ = false;
      return static_cast<uint16_t>(kBmsrAbilities | (up ? kBmsrAnDone : 0) |
                                   (shown ? kBmsrLink : 0));
    }
    case kId1:
      return static_cast<uint16_t>(id_ >> 16);
    case kId2:
      return static_cast<uint16_t>(id_);
    case kLpar:
      return up ? 0xC101 : 0;
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

bool Phy::write(unsigned reg, uint16_t value, base::Picos now) {
  if (reg == kBmcr) {
    if ((value & kReset) != 0) {
      regs_[kBmcr] = kBmcrDefault;
      regs_[kAnar] = kAnarDefault;
      regs_[kCtrl1000] = kCtrl1000Full;
      restart(now);
      return true;
    }
    regs_[kBmcr] = static_cast<uint16_t>(value & ~kAnRestart);
    if ((value & kAnEnable) != 0 && (value & kAnRestart) != 0) {
      restart(now);
      return true;
    }
  } else if (reg == kAnar || reg == kCtrl1000 || reg > kEstatus) {
    regs_[reg & 31] = value;
  }
  return false;
}

}  // namespace doorbell::tsnep
