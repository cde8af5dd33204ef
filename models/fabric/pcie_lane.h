// One direction of a link: who may send when, by reservation and with gaps.
//
// A reservation made for later (the completion of a read that is still on its way) must not hold
// back one for sooner (a doorbell). So a lane knows its last contiguous run exactly, to which
// reservations in order of time are added, and keeps for the time before it a ring of buckets with
// the time used in each. A reservation that falls before the run takes what is free from its bucket
// on, and the rest behind the run: total capacity is kept exactly, the place within a bucket (about
// the time of 512 bytes) is not. Reservations older than the ring (2048 buckets) do not wait,
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
      if (at > free_) {
        commit();
        run_start_ = free_ = at;
      }
      end = free_ += span.count();
    } else {
      end = backfill(at, span.count());
    }
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
  static constexpr int64_t kBuckets = 2048;
  static constexpr int64_t kLongScan = 8;  // full buckets worth remembering
  struct Bucket {
    uint32_t index = UINT32_MAX;  // low bits of time / bucket length: whose time this is
    uint32_t used = 0;            // picoseconds
  };

  Bucket& bucket_of(int64_t number) {
    Bucket& bucket = buckets_[static_cast<size_t>(number) & (kBuckets - 1)];
    if (bucket.index != static_cast<uint32_t>(number)) {
      bucket.index = static_cast<uint32_t>(number);
      bucket.used = 0;
    }
    newest_ = number > newest_ ? number : newest_;
    return bucket;
  }
  /// Enters the run, which is over, into the buckets.
  void commit() {
    const int64_t number = run_start_ >> shift_;
    if (free_ < (number + 1) << shift_) {
      bucket_of(number).used += static_cast<uint32_t>(free_ - run_start_);
    } else {
      commit_long();
    }
  }
  void commit_long();
  int64_t backfill(int64_t ready, int64_t span);

  std::vector<Bucket> buckets_;
  int64_t time_per_byte_;  // picoseconds, fixed point
  unsigned shift_;         // bucket length is 2^shift_ ps
  int64_t newest_ = 0;
  int64_t run_start_ = 0;  // no gap between here and free_; not in the buckets
  int64_t free_ = 0;
  int64_t full_from_ = 0;  // buckets that are known to be full
  int64_t full_to_ = 0;
  uint64_t bytes_ = 0;
  base::Picos busy_;
  base::Picos waited_;
};

}  // namespace doorbell::fabric
