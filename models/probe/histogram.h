// A histogram of time spans with a fixed relative resolution (log-linear, in the way of HDR
// histograms), for latencies from 1 ns to 100 s.
//
// Each octave of picoseconds has 128 equal buckets, so a percentile is at most 1/128 (0.8 %) above
// the exact one; count, sum, minimum and maximum are exact. Spans below 128 ps have buckets of 1
// ps; spans over 100 s are booked in the last bucket, and max() still tells their exact length. A
// negative span is a programmer error.
// record() is a few instructions and never allocates; the table (about 41 kB) is part of the
// object.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "models/base/units.h"

namespace doorbell::probe {

namespace histogram_detail {
inline constexpr unsigned kSubBits = 7;
inline constexpr uint64_t kSub = uint64_t{1} << kSubBits;
inline constexpr uint64_t kCeiling = 100'000'000'000'000;  // 100 s

constexpr size_t index_of(uint64_t v) {
  if (v > kCeiling) v = kCeiling;
  if (v < kSub) return v;
  const unsigned shift = 63u - static_cast<unsigned>(__builtin_clzll(v)) - kSubBits;
  return (static_cast<size_t>(shift) << kSubBits) + (v >> shift);
}
constexpr uint64_t upper_bound_of(size_t index) {
  if (index < kSub) return index;
  const unsigned shift = static_cast<unsigned>(index >> kSubBits) - 1;
  return (((index & (kSub - 1)) + kSub + 1) << shift) - 1;
}
inline constexpr size_t kBuckets = index_of(kCeiling) + 1;
}  // namespace histogram_detail

class Histogram {
 public:
  void record(base::Picos span) {
    assert(span.count() >= 0);
    const auto v = static_cast<uint64_t>(span.count());
    ++buckets_[histogram_detail::index_of(v)];
    ++count_;
    sum_ += v;
    if (v > max_) max_ = v;
    if (v < min_) min_ = v;
  }

  uint64_t count() const { return count_; }
  /// All zero when nothing was recorded.
  base::Picos max() const { return base::Picos(static_cast<int64_t>(max_)); }
  base::Picos min() const { return base::Picos(count_ == 0 ? 0 : static_cast<int64_t>(min_)); }
  base::Picos mean() const {
    return base::Picos(count_ == 0 ? 0 : static_cast<int64_t>(sum_ / count_));
  }
  /// Smallest bucket bound that `percent` % of the spans do not pass; 0 <= percent <= 100.
  base::Picos percentile(double percent) const;
  void reset() { *this = Histogram(); }

 private:
  std::array<uint64_t, histogram_detail::kBuckets> buckets_{};
  uint64_t count_ = 0;
  unsigned __int128 sum_ = 0;
  uint64_t max_ = 0;
  uint64_t min_ = UINT64_MAX;
};

}  // namespace doorbell::probe
