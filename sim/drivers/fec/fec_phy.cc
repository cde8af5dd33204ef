// Link state by polling a clause-22 PHY: starts autonegotiation at open, then reads its outcome.
//
// Sources: IEEE 802.3-2018 clauses 22.2.4, 28.2.4, 40.5.1.1 (register bits).
#include "sim/drivers/fec/fec_driver.h"

namespace doorbell::drivers::fec {

namespace {

constexpr unsigned kBmcr = 0;
constexpr unsigned kBmsr = 1;
constexpr unsigned kAnar = 4;
constexpr unsigned kAnlpar = 5;
constexpr unsigned kCtrl1000 = 9;
constexpr unsigned kStat1000 = 10;

constexpr uint16_t kBmcrRestartAutoneg = 0x1200;  // enable, restart
constexpr int kBmsrLink = 0x0004;
constexpr int kBmsrAutonegDone = 0x0020;
constexpr uint16_t kAnarBase = 0x01E1;  // 10/100, both duplexes, IEEE 802.3
constexpr uint16_t kAnarPause = 0x0C00;
constexpr uint16_t kCtrl1000Full = 0x0200;
constexpr int kStat1000Full = 0x0800;
constexpr int kLp100Full = 0x0100;
constexpr int kLp100Half = 0x0080;
constexpr int kLp10Full = 0x0040;

}  // namespace

void FecDriver::phy_start() {
  if (config_.assume_link) {
    pause_ = config_.pause;
    link_change(true, config_.assumed_mbps, true);
    return;
  }
  const uint16_t advertise = config_.pause ? kAnarBase | kAnarPause : kAnarBase;
  mdio_write(config_.phy_address, kAnar, advertise);
  mdio_write(config_.phy_address, kCtrl1000, kCtrl1000Full);
  mdio_write(config_.phy_address, kBmcr, kBmcrRestartAutoneg);
  phy_running_ = true;
  hal_.timers.schedule(phy_work_, base::Picos(0));
}

void FecDriver::phy_stop() {
  if (!phy_running_) return;
  phy_running_ = false;
  hal_.timers.cancel(phy_work_);
}

void FecDriver::phy_work() {
  if (!phy_running_) return;
  hal_.timers.schedule(phy_work_, config_.phy_poll);
  int status = mdio_read(config_.phy_address, kBmsr);
  // The link bit latches low: while the link is up a single read shows a short loss; while it is
  // down the second read shows the present.
  if (!link_ && status >= 0 && (status & kBmsrLink) == 0) {
    status = mdio_read(config_.phy_address, kBmsr);
  }
  if (status < 0) return;
  if ((status & kBmsrLink) == 0 || (status & kBmsrAutonegDone) == 0) {
    link_change(false, 0, false);
    return;
  }
  const int gigabit = mdio_read(config_.phy_address, kStat1000);
  const int partner = mdio_read(config_.phy_address, kAnlpar);
  if (gigabit < 0 || partner < 0) return;
  partner_pause_ = (partner & kAnarPause) != 0;
  pause_ = config_.pause && partner_pause_;
  if ((gigabit & kStat1000Full) != 0) {
    link_change(true, 1000, true);
  } else if ((partner & (kLp100Full | kLp100Half)) != 0) {
    link_change(true, 100, (partner & kLp100Full) != 0);
  } else {
    link_change(true, 10, (partner & kLp10Full) != 0);
  }
}

}  // namespace doorbell::drivers::fec
