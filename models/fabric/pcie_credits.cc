#include "models/fabric/pcie_credits.h"

#include <utility>

namespace doorbell::fabric {

using base::Picos;

PcieCredits::PcieCredits(const PcieCreditConfig& config) : config_(config) {
  // The pool that bounds the TLPs in flight bounds the ring.
  const unsigned most = config.headers != 0 ? config.headers : config.data;
  if (most != 0) {
    size_t size = 2;
    while (size < most + size_t{1}) {
      size *= 2;
    }
    entries_.resize(size);
    mask_ = size - 1;
  }
}

Picos PcieCredits::earliest_finite(Picos at, uint32_t units) {
  Picos headers = at;
  if (config_.headers != 0 && taken_ >= config_.headers) {
    headers = base::max(at, entries_[(taken_ - config_.headers) & mask_].release);
    header_stall_ += headers - at;
  }
  if (config_.data == 0) {
    return headers;
  }
  // Every TLP whose units must be back before `units` more fit into the pool.
  while (data_tail_ < taken_ && units_ + units > config_.data + units_before_tail()) {
    data_free_ = base::max(data_free_, entries_[data_tail_ & mask_].release);
    ++data_tail_;
  }
  data_stall_ += base::max(Picos(0), data_free_ - headers);
  return base::max(headers, data_free_);
}

void PcieCredits::take_finite(uint32_t units, Picos from, Picos release) {
  // The ring has room for as many TLPs as can be in flight; older ones have been waited for.
  if (config_.data != 0 && taken_ - data_tail_ > mask_ - 1) {
    data_free_ = base::max(data_free_, entries_[data_tail_ & mask_].release);
    ++data_tail_;
  }
  units_ += units;
  entries_[taken_ & mask_] = {release, units_};
  ++taken_;
  header_held_ += release - from;
  data_held_ += (release - from) * units;
}

Picos PcieTags::earliest_of_few(Picos at) {
  constexpr size_t kFew = 8;
  const size_t size = release_.size();
  size_t best = next_;
  for (size_t i = 1; i < kFew && i < size; ++i) {
    const size_t tag = (next_ + i) % size;
    if (release_[tag] < release_[best]) {
      best = tag;
    }
  }
  std::swap(release_[next_], release_[best]);
  return base::max(at, release_[next_]);
}

}  // namespace doorbell::fabric
