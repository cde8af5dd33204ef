// The 1588 timer: a 31-bit nanosecond counter, extended to 64 bits in software.
#include "sim/drivers/fec/fec_driver.h"

namespace doorbell::drivers::fec {

namespace reg = hw::reg;

namespace {
constexpr uint32_t kWrap = 0x80000000;  // ATPER: the counter wraps at 2^31 ns
constexpr uint32_t kMask = kWrap - 1;
// ATCR at start: EN, PEREN, and bit 5, which is reserved (Linux 6.12 fec_ptp.c writes it).
constexpr uint32_t kStartControl = hw::atcr::kEn | hw::atcr::kPerEn | 0x20;
// The capture crosses into the 1588 clock: at least six cycles of the slower clock.
constexpr base::Picos kCaptureWait = base::Picos(1000000);
constexpr base::Picos kKeepalive = base::Picos(1000000000000);
constexpr int64_t kPicosPerNano = 1000;
}  // namespace

void FecDriver::ptp_start() {
  wr(reg::kAtinc, static_cast<uint32_t>(1000000000 / config_.ptp_clock.count()));
  wr(reg::kAtper, kWrap);
  wr(reg::kAtcr, kStartControl);
  ptp_.cycle_last = 0;
  ptp_.ns = 0;
}

uint32_t FecDriver::ptp_capture() {
  wr(reg::kAtcr, rd(reg::kAtcr) | hw::atcr::kCapture);
  hal_.cpu.delay(kCaptureWait);
  return rd(reg::kAtvr) & kMask;
}

uint64_t FecDriver::ptp_time() {
  if (!enhanced()) return 0;
  const uint32_t now = ptp_capture();
  ptp_.ns += (now - ptp_.cycle_last) & kMask;
  ptp_.cycle_last = now;
  return ptp_.ns;
}

// A restart resets the timer; what it showed goes on from where it was.
void FecDriver::ptp_save() {
  ptp_.saved_ns = ptp_time();
  ptp_.saved_at = hal_.cpu.now();
  ptp_.saved_correction = rd(reg::kAtcor);
  ptp_.saved_increment = rd(reg::kAtinc) & hw::atinc::kIncCorr;
}

void FecDriver::ptp_restore() {
  wr(reg::kAtcor, ptp_.saved_correction);
  wr(reg::kAtinc,
     ptp_.saved_increment | static_cast<uint32_t>(1000000000 / config_.ptp_clock.count()));
  const int64_t elapsed = (hal_.cpu.now() - ptp_.saved_at).count() / kPicosPerNano;
  ptp_.ns = ptp_.saved_ns + static_cast<uint64_t>(elapsed);
  ptp_.cycle_last = static_cast<uint32_t>(ptp_.ns) & kMask;
  wr(reg::kAtvr, ptp_.cycle_last);
}

// A stamp is at most half a wrap away from the last look at the timer.
uint64_t FecDriver::ptp_extend(uint32_t stamp) const {
  const uint32_t ahead = (stamp - ptp_.cycle_last) & kMask;
  if (ahead <= kMask / 2) return ptp_.ns + ahead;
  return ptp_.ns - ((ptp_.cycle_last - stamp) & kMask);
}

void FecDriver::ptp_keepalive() {
  ptp_time();
  hal_.timers.schedule(ptp_work_, kKeepalive);
}

}  // namespace doorbell::drivers::fec
