#include "models/reg/reg_file.h"

namespace doorbell::reg {

RegFile::RegFile(RegTable table) : table_(table) {
  assert(well_formed(table));
  assert(table.count < kNoSlot);
  index_.assign(table.data[table.count - 1].offset / 4 + 1, kNoSlot);
  slots_.reserve(table.count);
  for (const RegSpec& row : table) {
    index_[row.offset / 4] = static_cast<uint16_t>(slots_.size());
    Slot slot;
    slot.value = row.reset;
    slot.rw = row.mask(Access::kRw);
    slot.self_clearing = row.mask(Access::kSelfClearing);
    slot.set = row.mask(Access::kW1s) | slot.self_clearing;
    slot.w1c = row.mask(Access::kW1c);
    slot.rc = row.mask(Access::kRc);
    slot.implemented = row.implemented();
    slots_.push_back(slot);
  }
}

void RegFile::reset() {
  for (size_t i = 0; i < slots_.size(); ++i) slots_[i].value = table_.data[i].reset;
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
