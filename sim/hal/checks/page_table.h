// Records by page of a memory range: one flat table, a record made when its page is first used.
//
// Addresses outside the range have no record. Walking it goes up in address order, so that whoever
// reports by it reports in the same order on every machine. A look-up is one index; pages of
// host::kPageBytes. Takes no simulated time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/host/cache_view.h"

namespace doorbell::hal::checks {

template <typename Record>
class PageTable {
 public:
  PageTable(uint64_t base, uint64_t size)
      : first_(base / host::kPageBytes),
        slots_((base + size + host::kPageBytes - 1) / host::kPageBytes - first_) {}

  /// Record of the page that holds `addr`; nullptr outside the range.
  Record* at(uint64_t addr) {
    const uint64_t index = addr / host::kPageBytes - first_;
    if (addr / host::kPageBytes < first_ || index >= slots_.size()) return nullptr;
    if (slots_[index] == nullptr) slots_[index] = std::make_unique<Record>();
    return slots_[index].get();
  }
  /// The same, nullptr also for a page without a record.
  Record* find(uint64_t addr) const {
    const uint64_t index = addr / host::kPageBytes - first_;
    if (addr / host::kPageBytes < first_ || index >= slots_.size()) return nullptr;
    return slots_[index].get();
  }

  /// Calls f(record, page address) for the pages of [addr, addr+bytes) inside the range.
  template <typename F>
  void over(uint64_t addr, uint32_t bytes, F f) {
    if (bytes == 0) return;
    const uint64_t last = std::min((addr + bytes - 1) / host::kPageBytes, first_ + slots_.size());
    for (uint64_t page = std::max(addr / host::kPageBytes, first_); page <= last; ++page) {
      if (Record* record = at(page * host::kPageBytes)) f(*record, page * host::kPageBytes);
    }
  }
  template <typename F>
  void each(F f) const {
    for (size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i] != nullptr) f(*slots_[i], (first_ + i) * host::kPageBytes);
    }
  }

 private:
  uint64_t first_;
  std::vector<std::unique_ptr<Record>> slots_;
};

}  // namespace doorbell::hal::checks
