#include "models/fabric/msix.h"

#include <cassert>

#include "models/fabric/pcie_port.h"

namespace doorbell::fabric {

using base::Picos;

MsixTable::MsixTable(PciePort& port, unsigned vectors) : port_(port), entries_(vectors) {}

void MsixTable::set_control(bool enable, bool function_mask, Picos at) {
  enable_ = enable;
  function_mask_ = function_mask;
  for (unsigned v = 0; v < vectors(); ++v) {
    flush(v, at);
  }
}

bool MsixTable::write_table(uint32_t offset, uint32_t value, Picos at) {
  const unsigned vector = offset / kEntryBytes;
  if (offset % 4 != 0 || vector >= vectors()) {
    return false;
  }
  Entry& entry = entries_[vector];
  switch (offset % kEntryBytes) {
    case 0:
      entry.address = (entry.address & 0xFFFFFFFF00000000u) | (value & ~3u);
      break;
    case 4:
      entry.address = (entry.address & 0xFFFFFFFFu) | (static_cast<uint64_t>(value) << 32);
      break;
    case 8:
      entry.data = value;
      break;
    default:
      entry.masked = (value & 1) != 0;
      flush(vector, at);
  }
  return true;
}

bool MsixTable::read_table(uint32_t offset, uint32_t& value) const {
  const unsigned vector = offset / kEntryBytes;
  if (offset % 4 != 0 || vector >= vectors()) {
    return false;
  }
  const Entry& entry = entries_[vector];
  switch (offset % kEntryBytes) {
    case 0:
      value = static_cast<uint32_t>(entry.address);
      break;
    case 4:
      value = static_cast<uint32_t>(entry.address >> 32);
      break;
    case 8:
      value = entry.data;
      break;
    default:
      value = entry.masked ? 1 : 0;
  }
  return true;
}

bool MsixTable::read_pending(uint32_t offset, uint32_t& value) const {
  const unsigned first = offset * 8;
  // The array is a whole number of 64-bit words.
  if (offset % 4 != 0 || first >= (vectors() + 63) / 64 * 64) {
    return false;
  }
  value = 0;
  for (unsigned i = 0; i < 32 && first + i < vectors(); ++i) {
    value |= entries_[first + i].pending ? 1u << i : 0u;
  }
  return true;
}

bool MsixTable::signal(unsigned vector, Picos issue, Picos* arrival) {
  assert(vector < entries_.size());
  Entry& entry = entries_[vector];
  if (!enable_ || function_mask_ || entry.masked) {
    entry.pending = true;
    return false;
  }
  const Picos time = port_.msix(issue, entry.address, entry.data).time;
  ++sent_;
  if (arrival != nullptr) {
    *arrival = time;
  }
  return true;
}

void MsixTable::flush(unsigned vector, Picos at) {
  Entry& entry = entries_[vector];
  if (entry.pending && enable_ && !function_mask_ && !entry.masked) {
    entry.pending = false;
    signal(vector, at);
  }
}

}  // namespace doorbell::fabric
