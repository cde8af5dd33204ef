#include "models/reg/reg_file.h"

#include <algorithm>

namespace doorbell::reg {

RegFile::RegFile(RegTable table) : table_(table) {
  assert(well_formed(table));
  assert(table.count < kNoSlot);
  pages_.assign(((table.data[table.count - 1].end() - 1) >> kPageShift) + 1, 0);
  index_.assign(kPageWords, kNoSlot);
  slots_.reserve(table.count);
  for (const RegSpec& row : table) {
    map(row, static_cast<uint16_t>(slots_.size()));
    Slot slot;
    slot.offset = row.offset;
    slot.shift = static_cast<uint32_t>(__builtin_ctz(row.stride));
    slot.first = static_cast<uint32_t>(values_.size());
    slot.rw = row.mask(Access::kRw);
    slot.self_clearing = row.mask(Access::kSelfClearing);
    slot.set = row.mask(Access::kW1s) | slot.self_clearing;
    slot.w1c = row.mask(Access::kW1c);
    slot.rc = row.mask(Access::kRc);
    slot.implemented = row.implemented();
    slots_.push_back(slot);
    values_.resize(values_.size() + row.count, row.reset);
  }
}

void RegFile::map(const RegSpec& row, uint16_t number) {
  for (uint32_t i = 0; i < row.count; ++i) {
    const uint32_t offset = row.offset + i * row.stride;
    uint32_t& page = pages_[offset >> kPageShift];
    if (page == 0) {
      page = static_cast<uint32_t>(index_.size());
      index_.resize(index_.size() + kPageWords, kNoSlot);
    }
    index_[page + (offset >> 2) % kPageWords] = number;
  }
}

void RegFile::reset() {
  for (size_t i = 0; i < slots_.size(); ++i) {
    const RegSpec& row = table_.data[i];
    std::fill_n(values_.begin() + slots_[i].first, row.count, row.reset);
  }
}

Status RegFile::fail(uint32_t size, uint32_t offset) {
  if (size != 4 || offset % 4 != 0) {
    ++bad_size_;
    return Status::kBadSize;
  }
  ++unmapped_;
  return Status::kUnmapped;
}

}  // namespace doorbell::reg
