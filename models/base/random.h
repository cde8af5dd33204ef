// Seeded random streams that give the same numbers on every machine and library.
//
// std:: distributions differ between standard libraries, so the few that traffic needs are here.
// A stream is named: Stream(seed, "traffic") and Stream(seed, "pcie") are independent, and adding a
// user of one does not shift the numbers of another.
// Generator: xoshiro256** 1.0 seeded by splitmix64 (Blackman and Vigna, public domain algorithm).
#pragma once

#include <cstdint>
#include <string_view>

#include "models/base/units.h"

namespace doorbell::base {

class Stream {
 public:
  Stream(uint64_t seed, std::string_view name);

  /// 64 uniform random bits.
  uint64_t next();
  /// Uniform in [0, bound); bound > 0.
  uint64_t below(uint64_t bound);
  /// Uniform in [lo, hi], both included.
  uint64_t between(uint64_t lo, uint64_t hi) { return lo + below(hi - lo + 1); }
  /// True with probability numerator / denominator.
  bool chance(uint64_t numerator, uint64_t denominator) { return below(denominator) < numerator; }
  /// Exponentially distributed span with the given mean, in whole picoseconds; integer arithmetic
  /// only (log2 by table), so the value is the same everywhere.
  Picos exponential(Picos mean);

 private:
  uint64_t state_[4];
};

}  // namespace doorbell::base
