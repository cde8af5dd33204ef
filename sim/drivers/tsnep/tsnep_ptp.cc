// The PTP clock: system time, free-running cycles, rate.
#include <cerrno>

#include "sim/drivers/tsnep/tsnep_driver.h"

namespace doorbell::drivers::tsnep {

namespace reg = hw::reg;

// High, low, high, until high stood still.
uint64_t TsnepDriver::read_time(uint32_t low, uint32_t high) {
  uint32_t above = rd(high);
  for (;;) {
    const uint32_t below = rd(low);
    const uint32_t again = rd(high);
    if (again == above) return uint64_t{above} << 32 | below;
    above = again;
  }
}

uint64_t TsnepDriver::ptp_time() {
  return read_time(reg::kSystemTimeLow, reg::kSystemTimeHigh);
}

uint64_t TsnepDriver::ptp_cycles() {
  return read_time(reg::kCounterLow, reg::kCounterHigh);
}

// The device takes the high half with the low one.
void TsnepDriver::set_ptp_time(uint64_t ns) {
  wr(reg::kSystemTimeHigh, static_cast<uint32_t>(ns >> 32));
  wr(reg::kSystemTimeLow, static_cast<uint32_t>(ns));
}

void TsnepDriver::adjust_ptp_time(int64_t ns) {
  set_ptp_time(ptp_time() + static_cast<uint64_t>(ns));
}

// 2^-32 ns on every 8 ns clock are 2^-35, so one part per million is 2^35 / 10^6 of them.
int TsnepDriver::adjust_ptp_rate(int64_t scaled_ppm) {
  const uint64_t magnitude =
      scaled_ppm < 0 ? -static_cast<uint64_t>(scaled_ppm) : static_cast<uint64_t>(scaled_ppm);
  constexpr uint64_t kMaxScaled = (uint64_t{hw::kMaxAdjustPpb} << 16) / 1000;
  if (magnitude > kMaxScaled) return -ERANGE;
  const auto rate = static_cast<uint32_t>((magnitude << 19) / 1000000);
  wr(reg::kClockRate, rate | (scaled_ppm < 0 ? hw::clock_rate::kNegative : 0));
  return 0;
}

}  // namespace doorbell::drivers::tsnep
