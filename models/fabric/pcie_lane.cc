#include "models/fabric/pcie_lane.h"

#include <algorithm>

namespace doorbell::fabric {

PcieLane::PcieLane(double bits_per_second)
    : buckets_(kBuckets),
      time_per_byte_(static_cast<int64_t>(8e12 / bits_per_second * (1 << kFraction) + 0.5)) {
  // About the time of 512 bytes, so that a bucket holds several small TLPs whatever the rate.
  const int64_t target = duration(512).count();
  shift_ = 10;
  while (shift_ < 20 && (int64_t{2} << shift_) <= target) {
    ++shift_;
  }
}

void PcieLane::commit_long() {
  const int64_t first = run_start_ >> shift_;
  const int64_t last = free_ >> shift_;
  bucket_of(first).used += static_cast<uint32_t>(((first + 1) << shift_) - run_start_);
  for (int64_t number = std::max(first + 1, last - kBuckets); number < last; ++number) {
    bucket_of(number).used = uint32_t{1} << shift_;
  }
  bucket_of(last).used += static_cast<uint32_t>(free_ - (last << shift_));
  if (first + 1 <= full_to_ && first + 1 >= full_from_) {
    full_to_ = std::max(full_to_, last);
  } else if (last - first > kLongScan) {
    full_from_ = first + 1;
    full_to_ = last;
  }
}

int64_t PcieLane::backfill(int64_t ready, int64_t span) {
  int64_t number = ready >> shift_;
  // Buckets from here to `number` have no room.
  int64_t full_since = number;
  if (number >= full_from_ && number <= full_to_) {
    number = full_to_;
    full_since = full_from_;
  } else if (number + kBuckets <= newest_) {
    return ready + span;
  }
  for (;; ++number) {
    if (number >= full_from_ && number < full_to_) {
      number = full_to_;
    }
    const int64_t start = number << shift_;
    if (start >= run_start_) {
      return free_ += span;
    }
    Bucket& bucket = bucket_of(number);
    const int64_t end = std::min(start + (int64_t{1} << shift_), run_start_);
    const int64_t from = std::max(ready, start + bucket.used);
    const int64_t room = end - from;
    if (room >= span) {
      bucket.used += static_cast<uint32_t>(span);
      return from + span;
    }
    if (room > 0) {
      bucket.used += static_cast<uint32_t>(room);
      span -= room;
    }
    if (bucket.used >> shift_ == 0) {
      full_since = number + 1;  // idle before `ready`, or the run begins here
    } else if (number - full_since >= kLongScan) {
      full_from_ = full_since;
      full_to_ = number + 1;
    }
  }
}

}  // namespace doorbell::fabric
