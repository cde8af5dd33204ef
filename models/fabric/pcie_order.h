// The order of posted writes: nothing passes what was issued before it.
//
// floor(t) is the latest time that any write added so far with an issue time of at most t takes
// effect. Calls usually come in order of issue and need one compare. A call for an earlier issue
// (another engine has run ahead) looks into a ring of 64 ns buckets; within a bucket it is held
// back by later issues too, never let through too early.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/units.h"

namespace doorbell::fabric {

class PcieOrder {
 public:
  PcieOrder() : buckets_(kBuckets) {}

  base::Picos floor(base::Picos issue) const {
    return issue >= frontier_issue_ ? frontier_effect_ : floor_of_earlier(issue);
  }
  void add(base::Picos issue, base::Picos effect) {
    if (issue >= frontier_issue_) {
      frontier_issue_ = issue;
      frontier_effect_ = effect = base::max(frontier_effect_, effect);
    } else {
      effect = base::max(effect, floor_of_earlier(issue));
      add_earlier(issue, effect);
    }
    const int64_t number = issue.count() >> kShift;
    Bucket& bucket = buckets_[static_cast<size_t>(number & (kBuckets - 1))];
    if (bucket.number == number) {
      bucket.effect = base::max(bucket.effect, effect);
    } else if (bucket.number < number) {
      bucket = {number, effect};
    }
  }

 private:
  static constexpr unsigned kShift = 16;
  static constexpr int64_t kBuckets = 256;
  struct Bucket {
    int64_t number = -1;
    base::Picos effect;
  };
  base::Picos floor_of_earlier(base::Picos issue) const;
  void add_earlier(base::Picos issue, base::Picos effect);

  std::vector<Bucket> buckets_;
  base::Picos frontier_issue_;
  base::Picos frontier_effect_;
};

}  // namespace doorbell::fabric
