#include "models/fabric/iommu.h"

#include <algorithm>

namespace doorbell::fabric {

using base::Picos;

Iommu::Iommu(const IommuConfig& config)
    : config_(config), set_mask_(config.entries / config.ways - 1), entries_(config.entries) {
  while ((uint64_t{1} << page_shift_) < config.page_bytes) {
    ++page_shift_;
  }
}

Picos Iommu::walk(Picos at) {
  Picos* walker = std::min_element(walker_free_.data(), walker_free_.data() + config_.walkers);
  const Picos start = base::max(at, *walker);
  *walker = start + config_.walk_latency;
  walk_stall_ += start - at;
  walk_busy_ += config_.walk_latency;
  return *walker;
}

Picos Iommu::look_up(Picos at, uint64_t page) {
  Entry* set = set_of(page);
  unsigned i = 0;
  while (i < config_.ways && set[i].page != page) {
    ++i;
  }
  Entry entry{page, {}};
  if (i < config_.ways) {
    ++hits_;
    entry = set[i];
  } else {
    ++misses_;
    entry.ready = walk(at + config_.hit_latency);
    i = config_.ways - 1;
  }
  for (; i > 0; --i) {
    set[i] = set[i - 1];
  }
  set[0] = last_ = entry;
  return base::max(at + config_.hit_latency, entry.ready);
}

void Iommu::invalidate_all() {
  std::fill(entries_.begin(), entries_.end(), Entry{});
  last_ = {};
}

void Iommu::invalidate(uint64_t addr) {
  const uint64_t page = (addr >> page_shift_) + 1;
  Entry* set = set_of(page);
  for (unsigned i = 0; i < config_.ways; ++i) {
    if (set[i].page == page) {
      set[i] = {};
    }
  }
  last_ = {};
}

}  // namespace doorbell::fabric
