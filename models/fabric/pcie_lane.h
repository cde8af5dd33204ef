// One direction of a link: who may send when, by reservation and with gaps.
//
// A reservation made for later (the completion of a read that is still on its way) must not hold
// back one for sooner (a doorbell). So a lane knows the end of its last contiguous run, where
// reservations in order of time are exact to the picosecond, and keeps for the time before it a
// ring of buckets with the time used in each. A reservation that falls before the run takes what
// is free from its bucket on: total capacity is kept exactly, the place within a bucket (about the
// time of 128 bytes) is not. Reservations older than the ring (4096 buckets) do not wait,
// unless all since is known to be full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/units.h"

namespace doorbell::fabric {

class PcieLane {
 public:
  explicit PcieLane(double bits_per_second);

  /// Sends `bytes` from `ready` on; returns when the last one has left.
  base::Picos send(base::Picos ready, uint32_t bytes) {
    bytes_ += bytes;
    return occupy(ready, duration(bytes));
  }
  /// The same for something whose cost is a time.
  base::Picos occupy(base::Picos ready, base::Picos span) {
    busy_ += span;
    const int64_t at = ready.count();
    int64_t end;
    if (at >= run_start_) {
      const int64_t start = at > free_ ? at : free_;
      if (start > free_) {
        run_start_ = start;
      }
      end = place(start, span.count());
    } else {
      end = backfill(at, span.count());
    }
    free_ = end > free_ ? end : free_;
    waited_ += base::Picos(end - span.count() - at);
    return base::Picos(end);
  }

  base::Picos duration(uint32_t bytes) const {
    return base::Picos((bytes * time_per_byte_ + kHalf) >> kFraction);
  }
  uint64_t bytes() const { return bytes_; }
  /// Time spent sending, and time that TLPs waited for others.
  base::Picos busy() const { return busy_; }
  base::Picos waited() const { return waited_; }
  /// End of the latest reservation.
  base::Picos free() const { return base::Picos(free_); }

 private:
  static constexpr unsigned kFraction = 20;
  static constexpr int64_t kHalf = int64_t{1} << (kFraction - 1);
  static constexpr int64_t kBuckets = 4096;
  static constexpr int64_t kLongScan = 8;  // full buckets worth remembering
  struct Bucket {
    uint32_t index = UINT32_MAX;  // low bits of time / bucket length: whose time this is
    uint32_t used = 0;            // picoseconds
  };

  int64_t place(int64_t pos, int64_t span) {
    const int64_t number = pos >> shift_;
    Bucket& bucket = bucket_of(number);
    const int64_t start = number << shift_;
    const int64_t from = pos > start + bucket.used ? pos : start + bucket.used;
    if (from + span <= start + (int64_t{1} << shift_)) {
      bucket.used += static_cast<uint32_t>(span);
      return from + span;
    }
    return place_long(pos, span);
  }
  Bucket& bucket_of(int64_t number) {
    Bucket& bucket = buckets_[static_cast<size_t>(number) & (kBuckets - 1)];
    if (bucket.index != static_cast<uint32_t>(number)) {
      bucket.index = static_cast<uint32_t>(number);
      bucket.used = 0;
    }
    newest_ = number > newest_ ? number : newest_;
    return bucket;
  }
  int64_t place_long(int64_t pos, int64_t span);
  int64_t backfill(int64_t ready, int64_t span);

  std::vector<Bucket> buckets_;
  int64_t time_per_byte_;  // picoseconds, fixed point
  unsigned shift_;         // bucket length is 2^shift_ ps
  int64_t newest_ = 0;
  int64_t run_start_ = 0;  // no gap between here and free_
  int64_t free_ = 0;
  int64_t full_from_ = 0;  // buckets of the last long scan that were full
  int64_t full_to_ = 0;
  uint64_t bytes_ = 0;
  base::Picos busy_;
  base::Picos waited_;
};

}  // namespace doorbell::fabric
