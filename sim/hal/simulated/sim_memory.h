// Memory of the simulated machine as drivers use it: coherent blocks, pages, streaming DMA.
//
// Coherent memory is reached directly in fabric::Memory (uncached: each access is charged and
// sampled at the core's local time). Pages are cached: pointers look at host::CacheView, and map,
// unmap and sync do the cache maintenance of arm64 (a clean towards the device, whatever the
// direction; an invalidate towards the CPU), one barrier at the end of each. Shared memory is pages
// whose lines are known by core (shared_lines.h); cores meet where they touch it.
#pragma once

#include <vector>

#include "sim/hal/process.h"
#include "sim/hal/simulated/machine.h"
#include "sim/hal/simulated/shared_lines.h"

namespace doorbell::hal {

class SimMemory : public Dma, public Coherent, public SharedMemory {
 public:
  explicit SimMemory(Machine& machine);

  DmaAddr alloc_coherent(uint32_t bytes, uint32_t align) override;
  void free_coherent(DmaAddr addr) override;
  uint8_t* alloc_page() override;
  void free_page(uint8_t* page) override;
  DmaAddr phys(const uint8_t* p) const override;
  uint8_t* virt(DmaAddr addr) const override;
  DmaAddr map(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) override;
  void unmap(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
  DmaAddr map_no_sync(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) override;
  void unmap_no_sync(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
  void sync_for_device(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
  void sync_for_cpu(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
  void touch(const uint8_t* p, uint32_t bytes, Touch how) override;

  uint8_t* alloc_shared(uint32_t bytes) override;
  void free_shared(uint8_t* p, uint32_t bytes) override;
  void poke(uint8_t* p, base::ByteView bytes) override;

  uint16_t read16(DmaAddr addr) override;
  uint32_t read32(DmaAddr addr) override;
  void write16(DmaAddr addr, uint16_t value) override;
  void write32(DmaAddr addr, uint32_t value) override;
  uint64_t read64(DmaAddr addr) override;
  void write64(DmaAddr addr, uint64_t value) override;
  void write_bytes(DmaAddr addr, base::ByteView bytes) override;

  uint32_t pages_in_use() const { return pages_total_ - static_cast<uint32_t>(free_.size()); }

 private:
  uint32_t page_of(DmaAddr addr) const {
    return static_cast<uint32_t>((addr - first_page_) / host::kPageBytes);
  }
  bool find_run(uint32_t pages, uint32_t& first) const;
  void touch_shared(DmaAddr addr, uint32_t bytes, bool write);
  void tell_watchers(DmaAddr addr, uint32_t bytes);
  void own_line(DmaAddr addr, uint32_t bytes, bool write);
  template <typename T>
  T load(DmaAddr addr);
  template <typename T>
  void store(DmaAddr addr, T value);

  Machine& machine_;
  DmaAddr next_coherent_;
  DmaAddr end_coherent_;
  struct Block {
    DmaAddr addr;
    uint32_t bytes;
    bool used;
  };
  std::vector<Block> blocks_;
  std::vector<uint32_t> free_;  // page numbers, last freed first
  DmaAddr first_page_;
  uint32_t pages_total_;
  SharedLines shared_;
};

}  // namespace doorbell::hal
