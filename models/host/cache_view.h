// The CPU's view of cached memory on a machine whose devices do not snoop.
//
// Two bytes for every address: what devices see (fabric::Memory) and what the CPU sees through its
// caches. Per page one bit a line says "cached" and one "dirty". A clean copies dirty lines out, an
// invalidate forgets lines, a touch fetches missing lines and tells how many missed. So a driver
// that forgets a sync really transmits or reads stale bytes, each time, on every host. Assumptions:
// the cache never evicts (worst case for a missing clean, best case for misses); an invalidate of a
// dirty line loses the dirty bytes, but partial edge lines are cleaned first, as arm64 does. On a
// coherent machine both views are one and clean and invalidate have no effect.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/host_array.h"
#include "models/fabric/memory.h"

namespace doorbell::host {

inline constexpr uint32_t kLineBytes = 64;
inline constexpr uint32_t kPageBytes = 4096;

class CacheView : public fabric::WriteObserver {
 public:
  CacheView(fabric::Memory& memory, bool coherent);
  ~CacheView() override;
  CacheView(const CacheView&) = delete;
  CacheView& operator=(const CacheView&) = delete;

  bool coherent() const { return coherent_; }
  uint8_t* virt(uint64_t addr) { return view_ + (addr - base_); }
  uint64_t phys(const uint8_t* p) const { return base_ + static_cast<uint64_t>(p - view_); }
  static uint32_t lines(uint64_t addr, uint32_t bytes) {
    return bytes == 0
               ? 0
               : static_cast<uint32_t>((addr + bytes - 1) / kLineBytes - addr / kLineBytes + 1);
  }

  /// Brings [addr, addr+bytes) into the CPU's view; returns the number of lines that missed.
  uint32_t touch(uint64_t addr, uint32_t bytes, bool write);
  /// Writes dirty lines of the range to memory; returns how many there were.
  uint32_t clean(uint64_t addr, uint32_t bytes);
  /// A device wrote here (coherent machines): the lines leave the cores' caches.
  void written(uint64_t addr, uint32_t bytes) override;
  void coming(uint64_t addr) override {
    __builtin_prefetch(&pages_[(addr - base_) / kPageBytes], 1);
  }
  /// Drops the range's lines.
  void invalidate(uint64_t addr, uint32_t bytes);
  /// What the CPU would read now, without caching or charging anything: a pointer into memory or
  /// the view when one of them holds the whole range, else `scratch` (at least `bytes` long),
  /// filled.
  const uint8_t* snoop(uint64_t addr, uint32_t bytes, uint8_t* scratch);
  /// True if a line of the range is dirty: the device would see old bytes.
  bool dirty(uint64_t addr, uint32_t bytes) const;

 private:
  struct PageLines {
    uint64_t cached = 0;
    uint64_t dirty = 0;
  };
  template <typename F>
  void each_page(uint64_t addr, uint32_t bytes, F f);
  void copy_lines(uint64_t page, uint64_t mask, bool out);

  fabric::Memory& memory_;
  bool coherent_;
  uint64_t base_;
  uint8_t* view_;
  base::HostArray<PageLines> pages_;
};

}  // namespace doorbell::host
