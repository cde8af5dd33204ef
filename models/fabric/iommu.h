// The I/O translation cache (IOTLB) of a root port and its page walkers.
//
// A set-associative cache of page numbers with least-recently-used replacement. A miss waits for
// one of `walkers`, keeps it for `walk_latency` and fills the cache; who asks for the same page
// meanwhile waits for the same walk. Translation itself is identity: what a device may touch is the
// business of the DMA sanitizer (sim/hal/checks). Not modelled: device-side caches (ATS), walk
// caches, cost of invalidation. Time by reservation.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/units.h"
#include "models/fabric/pcie_config.h"

namespace doorbell::fabric {

class Iommu {
 public:
  explicit Iommu(const IommuConfig& config);

  /// A request for `addr` is at the root port at `at`: when it goes on.
  base::Picos translate(base::Picos at, uint64_t addr) {
    const uint64_t page = (addr >> page_shift_) + 1;  // 0 marks an empty entry
    if (page == last_.page) {
      ++hits_;
      return base::max(at + config_.hit_latency, last_.ready);
    }
    return look_up(at, page);
  }
  /// Forgets everything, or one page: what unmapping a buffer does.
  void invalidate_all();
  void invalidate(uint64_t addr);

  uint64_t hits() const { return hits_; }
  uint64_t misses() const { return misses_; }
  /// Sum of the times that walkers were busy, and that requests waited for one.
  base::Picos walk_busy() const { return walk_busy_; }
  base::Picos walk_stall() const { return walk_stall_; }
  const IommuConfig& config() const { return config_; }

 private:
  struct Entry {
    uint64_t page = 0;
    base::Picos ready;  // end of the walk that brought it
  };
  base::Picos look_up(base::Picos at, uint64_t page);
  base::Picos walk(base::Picos at);
  Entry* set_of(uint64_t page) { return &entries_[(page & set_mask_) * config_.ways]; }

  IommuConfig config_;
  unsigned page_shift_ = 0;
  uint64_t set_mask_;
  std::vector<Entry> entries_;  // sets x ways, most recently used first
  std::array<base::Picos, 16> walker_free_{};
  Entry last_;
  uint64_t hits_ = 0;
  uint64_t misses_ = 0;
  base::Picos walk_busy_;
  base::Picos walk_stall_;
};

}  // namespace doorbell::fabric
