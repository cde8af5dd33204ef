#include "models/fabric/pcie_llc.h"

namespace doorbell::fabric {
namespace {
constexpr uint64_t kLine = 64;
}

PcieLlc::PcieLlc(uint64_t bytes, unsigned ways, unsigned ddio_ways)
    : ways_(ways), ddio_ways_(ddio_ways) {
  uint64_t sets = 1;
  while (sets * 2 * ways * kLine <= bytes) {
    sets *= 2;
  }
  set_mask_ = sets - 1;
  lines_.resize(sets * ways);
}

PcieLlc::Way* PcieLlc::find(uint64_t line) {
  Way* set = set_of(line);
  for (unsigned i = 0; i < ways_; ++i) {
    if (set[i].line == line + 1) {
      return &set[i];
    }
  }
  return nullptr;
}

void PcieLlc::insert(uint64_t line, unsigned ways) {
  Way* set = set_of(line);
  Way* oldest = set;
  for (unsigned i = 1; i < ways; ++i) {
    if (set[i].used < oldest->used) {
      oldest = &set[i];
    }
  }
  *oldest = {line + 1, ++clock_};
}

bool PcieLlc::read(uint64_t addr, uint64_t bytes) {
  bool all = true;
  for (uint64_t line = addr / kLine; line <= (addr + bytes - 1) / kLine; ++line) {
    if (Way* way = find(line)) {
      way->used = ++clock_;
      ++hits_;
    } else {
      all = false;
      ++misses_;
    }
  }
  return all;
}

void PcieLlc::write(uint64_t addr, uint64_t bytes, bool allocate) {
  for (uint64_t line = addr / kLine; line <= (addr + bytes - 1) / kLine; ++line) {
    Way* way = find(line);
    if (!allocate) {
      if (way != nullptr) {
        *way = {};
      }
    } else if (way != nullptr) {
      way->used = ++clock_;
    } else {
      insert(line, ddio_ways_);
    }
  }
}

void PcieLlc::touch(uint64_t addr, uint64_t bytes) {
  for (uint64_t line = addr / kLine; line <= (addr + bytes - 1) / kLine; ++line) {
    if (Way* way = find(line)) {
      way->used = ++clock_;
    } else {
      insert(line, ways_);
    }
  }
}

}  // namespace doorbell::fabric
