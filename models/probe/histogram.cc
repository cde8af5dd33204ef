#include "models/probe/histogram.h"

#include <cmath>

namespace doorbell::probe {

base::Picos Histogram::percentile(double percent) const {
  assert(percent >= 0 && percent <= 100);
  if (count_ == 0) return base::Picos(0);
  auto rank = static_cast<uint64_t>(std::ceil(percent / 100.0 * static_cast<double>(count_)));
  if (rank < 1) rank = 1;
  if (rank > count_) rank = count_;
  uint64_t seen = 0;
  for (size_t i = 0; i < buckets_.size() - 1; ++i) {
    seen += buckets_[i];
    if (seen < rank) continue;
    const uint64_t bound = histogram_detail::upper_bound_of(i);
    return base::Picos(static_cast<int64_t>(bound < max_ ? bound : max_));
  }
  return max();  // the last bucket has no upper bound
}

}  // namespace doorbell::probe
