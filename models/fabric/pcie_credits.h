// Flow-control credits and tags by reservation.
//
// A pool hands out its credits in order of call and remembers when each comes back: the k-th taker
// of n credits waits for the return of the (k - n)-th. Calls that run ahead of the calendar should
// stay within one pool's worth of credits, or takers of sooner times wait for them. Held time is
// integrated, so that utilisation of a pool is held / (size x window). Infinite pools cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/units.h"
#include "models/fabric/pcie_config.h"

namespace doorbell::fabric {

/// Header and data credits of one class at one receiver.
class PcieCredits {
 public:
  explicit PcieCredits(const PcieCreditConfig& config);

  /// When a TLP with `units` of data credit may go, not before `at`. take() must follow.
  base::Picos earliest(base::Picos at, uint32_t units) {
    return entries_.empty() ? at : earliest_finite(at, units);
  }
  /// The TLP went at `from`; its credits are back at `release`.
  void take(uint32_t units, base::Picos from, base::Picos release) {
    if (!entries_.empty()) {
      take_finite(units, from, release);
    }
  }
  bool finite() const { return !entries_.empty(); }
  /// Time that TLPs waited for a header and for data credits.
  base::Picos header_stall() const { return header_stall_; }
  base::Picos data_stall() const { return data_stall_; }
  /// Credits x time.
  base::Picos header_held() const { return header_held_; }
  base::Picos data_held() const { return data_held_; }
  const PcieCreditConfig& config() const { return config_; }

 private:
  struct Entry {
    base::Picos release;
    uint64_t units_after = 0;  // data units taken from the beginning up to and with this TLP
  };
  base::Picos earliest_finite(base::Picos at, uint32_t units);
  /// Data units of all TLPs older than data_tail_: these are back.
  uint64_t units_before_tail() const {
    return data_tail_ == 0 ? 0 : entries_[(data_tail_ - 1) & mask_].units_after;
  }
  void take_finite(uint32_t units, base::Picos from, base::Picos release);

  PcieCreditConfig config_;
  std::vector<Entry> entries_;  // ring, a power of two
  uint64_t mask_ = 0;
  uint64_t taken_ = 0;      // TLPs
  uint64_t units_ = 0;      // data units
  uint64_t data_tail_ = 0;  // oldest TLP whose data units may still be missing
  base::Picos data_free_;   // latest release passed by data_tail_
  base::Picos header_stall_;
  base::Picos data_stall_;
  base::Picos header_held_;
  base::Picos data_held_;
};

/// Tags of outstanding read requests, used in turn. One that is not back yet is passed over for the
/// first of the next few that is back sooner, so that a lost completion costs its tag and no more.
class PcieTags {
 public:
  explicit PcieTags(unsigned count) : release_(count) {}
  /// When the next request can have a tag. take() must follow.
  base::Picos earliest(base::Picos at) { return release_[next_] <= at ? at : earliest_of_few(at); }
  void take(base::Picos wanted, base::Picos from, base::Picos release) {
    stall_ += from - wanted;
    held_ += release - from;
    release_[next_] = release;
    next_ = next_ + 1 == release_.size() ? 0 : next_ + 1;
  }
  unsigned count() const { return static_cast<unsigned>(release_.size()); }
  base::Picos stall() const { return stall_; }
  base::Picos held() const { return held_; }

 private:
  base::Picos earliest_of_few(base::Picos at);

  std::vector<base::Picos> release_;
  size_t next_ = 0;
  base::Picos stall_;
  base::Picos held_;
};

}  // namespace doorbell::fabric
