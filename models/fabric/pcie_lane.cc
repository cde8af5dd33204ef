#include "models/fabric/pcie_lane.h"

namespace doorbell::fabric {

PcieLane::PcieLane(double bits_per_second)
    : buckets_(kBuckets),
      time_per_byte_(static_cast<int64_t>(8e12 / bits_per_second * (1 << kFraction) + 0.5)) {
  // About the time of 128 bytes, so that a bucket holds a few small TLPs whatever the rate.
  const int64_t target = duration(128).count();
  shift_ = 10;
  while (shift_ < 20 && (int64_t{2} << shift_) <= target) {
    ++shift_;
  }
}

// A span that does not fit into what is left of its first bucket.
int64_t PcieLane::place_long(int64_t pos, int64_t span) {
  const int64_t first = pos >> shift_;
  // Buckets from here to `number` have no room.
  int64_t full_since = first >= full_from_ && first <= full_to_ ? full_from_ : first;
  for (int64_t number = first;; ++number) {
    if (number >= full_from_ && number < full_to_) {
      number = full_to_;
    }
    Bucket& bucket = bucket_of(number);
    const int64_t start = number << shift_;
    const int64_t end = start + (int64_t{1} << shift_);
    const int64_t used_to = start + bucket.used;
    const int64_t from = pos > used_to ? pos : used_to;
    const int64_t room = end - from;
    if (room >= span) {
      bucket.used += static_cast<uint32_t>(span);
      return from + span;
    }
    if (room > 0) {
      bucket.used += static_cast<uint32_t>(room);
      span -= room;
    }
    if (end != start + bucket.used) {
      full_since = number + 1;  // idle time before `pos` is lost to this span only
    } else if (number - full_since >= kLongScan) {
      full_from_ = full_since;
      full_to_ = number + 1;
    }
  }
}

int64_t PcieLane::backfill(int64_t ready, int64_t span) {
  int64_t number = ready >> shift_;
  if (number >= full_from_ && number < full_to_) {
    number = full_to_;
    ready = number << shift_;
  }
  if (number + kBuckets <= newest_) {
    return ready + span;
  }
  return place(ready, span);
}

}  // namespace doorbell::fabric
