// MDIO through MMFR: one transfer at a time, its end polled in EIR every 2 us for up to 30 ms.
#include <cerrno>

#include "sim/drivers/fec/fec_driver.h"

namespace doorbell::drivers::fec {

namespace reg = hw::reg;
using doorbell::reg::get_field;
using doorbell::reg::put_field;

namespace {
constexpr base::Picos kPollStep = base::Picos(2000000);         // 2 us
constexpr base::Picos kPollTimeout = base::Picos(30000000000);  // 30 ms
}  // namespace

// MMFR = 0 first: starting MDC with a frame in MMFR would raise a MII event of its own.
void FecDriver::mdio_init() {
  wr(reg::kMmfr, 0);
  wr(reg::kMscr, phy_speed_);
  wr(reg::kEir, hw::eir::kMii);
}

bool FecDriver::mdio_wait() {
  const base::Picos deadline = hal_.cpu.now() + kPollTimeout;
  while ((rd(reg::kEir) & hw::eir::kMii) == 0) {
    if (hal_.cpu.now() >= deadline) {
      ++stats_.mdio_timeouts;
      return false;
    }
    hal_.cpu.delay(kPollStep);
  }
  wr(reg::kEir, hw::eir::kMii);
  return true;
}

// One frame. The data field as read back, or a negative errno.
int FecDriver::mdio_transfer(uint32_t st, uint32_t op, unsigned pa, unsigned ra, uint16_t data) {
  wr(reg::kMmfr, put_field(hw::mmfr::kSt, st) | put_field(hw::mmfr::kOp, op) |
                     put_field(hw::mmfr::kPa, pa) | put_field(hw::mmfr::kRa, ra) |
                     put_field(hw::mmfr::kTa, hw::mmfr::kTaValue) | data);
  if (!mdio_wait()) return -ETIMEDOUT;
  const bool reads =
      st == hw::mmfr::kStClause22 ? op == hw::mmfr::kOpRead22 : op == hw::mmfr::kOpRead45;
  return reads ? static_cast<int>(get_field(hw::mmfr::kData, rd(reg::kMmfr))) : 0;
}

int FecDriver::mdio_read(unsigned phy, unsigned phy_reg) {
  return mdio_transfer(hw::mmfr::kStClause22, hw::mmfr::kOpRead22, phy, phy_reg, 0);
}

int FecDriver::mdio_write(unsigned phy, unsigned phy_reg, uint16_t value) {
  return mdio_transfer(hw::mmfr::kStClause22, hw::mmfr::kOpWrite, phy, phy_reg, value);
}

int FecDriver::mdio_read45(unsigned port, unsigned device, unsigned phy_reg) {
  const int error = mdio_transfer(hw::mmfr::kStClause45, hw::mmfr::kOpAddress45, port, device,
                                  static_cast<uint16_t>(phy_reg));
  if (error < 0) return error;
  return mdio_transfer(hw::mmfr::kStClause45, hw::mmfr::kOpRead45, port, device, 0);
}

int FecDriver::mdio_write45(unsigned port, unsigned device, unsigned phy_reg, uint16_t value) {
  const int error = mdio_transfer(hw::mmfr::kStClause45, hw::mmfr::kOpAddress45, port, device,
                                  static_cast<uint16_t>(phy_reg));
  if (error < 0) return error;
  return mdio_transfer(hw::mmfr::kStClause45, hw::mmfr::kOpWrite, port, device, value);
}

}  // namespace doorbell::drivers::fec
