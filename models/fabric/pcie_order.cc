#include "models/fabric/pcie_order.h"

namespace doorbell::fabric {

using base::Picos;

Picos PcieOrder::floor_of_earlier(Picos issue) const {
  const int64_t number = issue.count() >> kShift;
  for (int64_t n = number; n > number - kBuckets && n >= 0; --n) {
    const Bucket& bucket = buckets_[static_cast<size_t>(n & (kBuckets - 1))];
    if (bucket.number == n) {
      return bucket.effect;
    }
  }
  return Picos(0);
}

void PcieOrder::add_earlier(Picos issue, Picos effect) {
  frontier_effect_ = base::max(frontier_effect_, effect);
  // Whatever was issued between this write and the frontier is not to be passed by less.
  const int64_t last = frontier_issue_.count() >> kShift;
  for (int64_t n = (issue.count() >> kShift) + 1; n <= last; ++n) {
    Bucket& bucket = buckets_[static_cast<size_t>(n & (kBuckets - 1))];
    if (bucket.number == n) {
      if (bucket.effect >= effect) {
        break;
      }
      bucket.effect = effect;
    }
  }
}

}  // namespace doorbell::fabric
