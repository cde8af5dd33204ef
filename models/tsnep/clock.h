// The two clocks of tsnep: the free-running counter and the adjustable system time, both in ns.
//
// A clock of 8 ns drives both: the counter gains 8, the system time 8 ns plus or minus CLOCK_RATE
// times 2^-32 ns. Reads see whole clocks. Gate control compares with finer resolution than a clock
// (assumption): to it, system time grows evenly between two clocks, so its windows are exact to the
// picosecond. Nothing ticks: values are computed when somebody asks. Stamps of events before the
// latest change of time or rate use what was in force then (one change back).
// Source: Linux 6.12 tsnep_ptp.c, tsnep_hw.h.
#pragma once

#include <cstdint>

#include "models/base/units.h"
#include "models/tsnep/tsnep_limits.h"

namespace doorbell::tsnep {

class SystemClock {
 public:
  static constexpr int64_t kTickPicos = int64_t{kClockNs} * 1000;

  /// Free-running counter at `t`.
  static uint64_t counter(base::Picos t) {
    return static_cast<uint64_t>(t.count() / kTickPicos) * kClockNs;
  }
  /// System time at `t` as a register or a stamp shows it.
  uint64_t time(base::Picos t) const;
  /// System time at `t` without the grain of the clock, rounded down to 1 ns.
  uint64_t fine_time(base::Picos t) const;
  /// First moment at or after the latest change at which fine time is `ns` or more.
  base::Picos when(uint64_t ns) const;

  void set_time(base::Picos now, uint64_t ns);
  /// CLOCK_RATE's value.
  void set_rate(base::Picos now, uint32_t value);
  void reset(base::Picos now);

 private:
  using Wide = unsigned __int128;
  static constexpr uint64_t kNominal = uint64_t{kClockNs} << 32;  // of 2^-32 ns
  struct Segment {
    base::Picos start;  // a multiple of the clock
    uint64_t ns = 0;    // system time at start
    uint32_t fraction = 0;
    uint64_t step = kNominal;  // 2^-32 ns a clock
  };
  static Wide value(const Segment& s, base::Picos t);
  void begin(base::Picos now);

  Segment now_;
  Segment before_;
};

}  // namespace doorbell::tsnep
