// MDIO and link: the PHY is looked at when the driver opens and at each link interrupt.
//
// Sources: Linux 6.12 tsnep_main.c (behaviour); IEEE 802.3-2018 clauses 22.2.4, 28.2.4, 40.5.1.1.
#include "sim/drivers/tsnep/tsnep_driver.h"

namespace doorbell::drivers::tsnep {

namespace reg = hw::reg;
using doorbell::reg::get_field;
using doorbell::reg::put_field;

namespace {

constexpr base::Picos kMdioStep{int64_t{hw::kMdioPollMicros} * 1000000};
constexpr base::Picos kMdioTimeout{int64_t{hw::kMdioTimeoutMicros} * 1000000};

constexpr unsigned kBmcr = 0;
constexpr unsigned kBmsr = 1;
constexpr unsigned kAnar = 4;
constexpr unsigned kAnlpar = 5;
constexpr unsigned kCtrl1000 = 9;
constexpr unsigned kStat1000 = 10;

constexpr uint16_t kRestartAutoneg = 0x1200;  // enable, restart
constexpr int kBmsrLink = 0x0004;
constexpr int kBmsrAutonegDone = 0x0020;
// Full duplex only, no 10 Mb/s: that is all the MAC can.
constexpr uint16_t kAnar100Full = 0x0101;
constexpr uint16_t kCtrl1000Full = 0x0200;
constexpr int kStat1000Full = 0x0800;
constexpr int kPartner100Full = 0x0100;

}  // namespace

bool TsnepDriver::mdio_wait() {
  const base::Picos deadline = hal_.cpu.now() + kMdioTimeout;
  while ((rd(reg::kMdControl) & hw::md_status::kBusy) != 0) {
    if (hal_.cpu.now() >= deadline) {
      ++stats_.mdio_timeouts;
      return false;
    }
    hal_.cpu.delay(kMdioStep);
  }
  return true;
}

// The register, or -1.
int TsnepDriver::mdio_read(unsigned number) {
  wr(reg::kMdControl, hw::md_control::kPreamble | hw::md_control::kRead |
                          put_field(hw::md_control::kRegister, number) |
                          put_field(hw::md_control::kPhy, config_.phy_address));
  if (!mdio_wait()) return -1;
  return static_cast<int>(get_field(hw::md_status::kData, rd(reg::kMdControl)));
}

bool TsnepDriver::mdio_write(unsigned number, uint16_t value) {
  wr(reg::kMdControl, hw::md_control::kPreamble | hw::md_control::kWrite |
                          put_field(hw::md_control::kRegister, number) |
                          put_field(hw::md_control::kPhy, config_.phy_address) |
                          put_field(hw::md_control::kData, uint32_t{value}));
  return mdio_wait();
}

// Interrupt first, then a look: a link that comes in between is not missed. Auto-negotiation starts
// again only if it would offer something else.
void TsnepDriver::phy_start() {
  phy_running_ = true;
  wr(reg::kIntEnable, hw::interrupt::kLink);
  const int offered = mdio_read(kAnar);
  const int gigabit = mdio_read(kCtrl1000);
  if (offered != kAnar100Full || gigabit != kCtrl1000Full) {
    mdio_write(kAnar, kAnar100Full);
    mdio_write(kCtrl1000, kCtrl1000Full);
    mdio_write(kBmcr, kRestartAutoneg);
  }
  hal_.timers.schedule(phy_work_, base::Picos(0));
}

void TsnepDriver::phy_stop() {
  phy_running_ = false;
  hal_.timers.cancel(phy_work_);
  wr(reg::kIntEnable, hw::interrupt::kDisable | hw::interrupt::kLink);
}

void TsnepDriver::phy_work() {
  if (!phy_running_) return;
  int status = mdio_read(kBmsr);
  // The bit latches low: when it shows no link while we have none, the second look is the present.
  if (link_mbps_ == 0 && status >= 0 && (status & kBmsrLink) == 0) status = mdio_read(kBmsr);
  if (status < 0) return;
  if ((status & kBmsrLink) == 0 || (status & kBmsrAutonegDone) == 0) {
    const bool was_up = link_mbps_ != 0;
    link_change(0);
    // A short loss: the latch said so, and no interrupt will come for the link that is there again.
    if (was_up) hal_.timers.schedule(phy_work_, base::Picos(0));
    return;
  }
  const int gigabit = mdio_read(kStat1000);
  const int partner = mdio_read(kAnlpar);
  if (gigabit < 0 || partner < 0) return;
  if ((gigabit & kStat1000Full) != 0) {
    link_change(1000);
  } else {
    link_change((partner & kPartner100Full) != 0 ? 100 : 0);
  }
}

void TsnepDriver::link_change(unsigned mbps) {
  if (mbps == link_mbps_) return;
  link_mbps_ = mbps;
  wr(reg::kStatus, mbps == 1000  ? hw::status::kMode1000
                   : mbps == 100 ? hw::status::kMode100
                                 : hw::status::kNoLink);
  if (!running()) return;
  set_carrier(mbps != 0);
  for (const auto& q : pairs_) {
    if (mbps != 0 && !q->tx.draining) {
      wake_queue(q->index);
    } else {
      stop_queue(q->index);
    }
  }
}

}  // namespace doorbell::drivers::tsnep
