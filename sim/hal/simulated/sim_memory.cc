#include "sim/hal/simulated/sim_memory.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "sim/hal/simulated/executive.h"

namespace doorbell::hal {

using base::Picos;
using host::CacheView;

SimMemory::SimMemory(Machine& machine)
    : machine_(machine),
      next_coherent_(machine.config().memory.base),
      end_coherent_(next_coherent_ + machine.config().coherent_bytes),
      first_page_(end_coherent_),
      pages_total_(static_cast<uint32_t>(
          (machine.config().memory.base + machine.config().memory.size - first_page_) /
          host::kPageBytes)),
      shared_(pages_total_) {
  free_.reserve(pages_total_);
  for (uint32_t i = pages_total_; i > 0; --i) {
    free_.push_back(i - 1);
  }
}

// Whole pages, as Linux 6.12 kernel/dma/direct.c: no two blocks share a page.
DmaAddr SimMemory::alloc_coherent(uint32_t bytes, uint32_t align) {
  bytes = (bytes + host::kPageBytes - 1) / host::kPageBytes * host::kPageBytes;
  align = std::max(align, host::kPageBytes);
  for (Block& block : blocks_) {
    if (!block.used && block.bytes >= bytes && block.addr % align == 0) {
      block.used = true;
      std::memset(machine_.memory().pointer(block.addr), 0, block.bytes);
      return block.addr;
    }
  }
  const DmaAddr addr = (next_coherent_ + align - 1) / align * align;
  if (addr + bytes > end_coherent_) {
    return 0;
  }
  next_coherent_ = addr + bytes;
  blocks_.push_back({addr, bytes, true});
  return addr;
}

void SimMemory::free_coherent(DmaAddr addr) {
  for (Block& block : blocks_) {
    if (block.addr == addr) {
      assert(block.used);
      block.used = false;
      return;
    }
  }
  assert(false && "not a coherent block");
}

uint8_t* SimMemory::alloc_page() {
  if (free_.empty()) {
    return nullptr;
  }
  const uint32_t page = free_.back();
  free_.pop_back();
  uint8_t* data = virt(first_page_ + static_cast<uint64_t>(page) * host::kPageBytes);
  // The host finds its own page now, at set-up, and not when the first packet comes.
  *static_cast<volatile uint8_t*>(data) = *data;
  return data;
}

void SimMemory::free_page(uint8_t* page) {
  free_.push_back(static_cast<uint32_t>((phys(page) - first_page_) / host::kPageBytes));
}

// The highest run of free pages: far from where single pages come from.
bool SimMemory::find_run(uint32_t pages, uint32_t& first) const {
  std::vector<uint32_t> sorted(free_);
  std::sort(sorted.begin(), sorted.end());
  for (size_t end = sorted.size(); end >= pages; --end) {
    if (sorted[end - 1] - sorted[end - pages] == pages - 1) {
      first = sorted[end - pages];
      return true;
    }
  }
  return false;
}

uint8_t* SimMemory::alloc_shared(uint32_t bytes) {
  const uint32_t pages = (bytes + host::kPageBytes - 1) / host::kPageBytes;
  uint32_t first = 0;
  if (pages == 0 || !find_run(pages, first)) {
    return nullptr;
  }
  free_.erase(std::remove_if(free_.begin(), free_.end(),
                             [=](uint32_t page) { return page >= first && page - first < pages; }),
              free_.end());
  for (uint32_t page = first; page < first + pages; ++page) {
    shared_.add_page(page);
  }
  const DmaAddr addr = first_page_ + static_cast<uint64_t>(first) * host::kPageBytes;
  const uint32_t whole = pages * host::kPageBytes;
  machine_.cache().invalidate(addr, whole);
  std::memset(machine_.memory().pointer(addr), 0, whole);
  std::memset(virt(addr), 0, whole);
  return virt(addr);
}

void SimMemory::free_shared(uint8_t* p, uint32_t bytes) {
  const uint32_t pages = (bytes + host::kPageBytes - 1) / host::kPageBytes;
  const uint32_t first = page_of(phys(p));
  for (uint32_t page = first + pages; page > first; --page) {
    shared_.remove_page(page - 1);
    free_.insert(free_.begin(), page - 1);
  }
}

void SimMemory::poke(uint8_t* p, base::ByteView bytes) {
  const DmaAddr addr = phys(p);
  machine_.memory().settle(addr, static_cast<uint32_t>(bytes.size), machine_.running().now());
  std::memcpy(machine_.memory().pointer(addr), bytes.data, bytes.size);
  std::memcpy(p, bytes.data, bytes.size);
}

DmaAddr SimMemory::phys(const uint8_t* p) const {
  return machine_.cache().phys(p);
}
uint8_t* SimMemory::virt(DmaAddr addr) const {
  return machine_.cache().virt(addr);
}

DmaAddr SimMemory::map(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) {
  ok = true;
  const DmaAddr addr = phys(p);
  sync_for_device(addr, bytes, dir);
  return addr;
}

void SimMemory::unmap(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  sync_for_cpu(addr, bytes, dir);
}

DmaAddr SimMemory::map_no_sync(const uint8_t* p, uint32_t, DmaDir, bool& ok) {
  ok = true;
  return phys(p);
}

void SimMemory::unmap_no_sync(DmaAddr, uint32_t, DmaDir) {}

void SimMemory::sync_for_device(DmaAddr addr, uint32_t bytes, DmaDir) {
  if (machine_.cache().coherent()) {
    return;
  }
  machine_.charge(Op::kLineClean, CacheView::lines(addr, bytes));
  host::Core& core = machine_.running();
  core.sync();
  machine_.memory().settle(addr, bytes, core.now());
  const uint32_t dirty = machine_.cache().clean(addr, bytes);
  machine_.charge(Op::kLineWriteback, dirty);
  // The barrier at the end waits for the lines: the device sees them from here on.
  machine_.charge(Op::kDsb);
}

void SimMemory::sync_for_cpu(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  // Nothing to forget when the device only read (arm64 skips it too).
  if (machine_.cache().coherent() || dir == DmaDir::kToDevice) {
    return;
  }
  machine_.charge(Op::kLineInvalidate, CacheView::lines(addr, bytes));
  machine_.charge(Op::kDsb);
  host::Core& core = machine_.running();
  core.sync();
  machine_.memory().settle(addr, bytes, core.now());
  machine_.cache().invalidate(addr, bytes);
}

void SimMemory::touch(const uint8_t* p, uint32_t bytes, Touch how) {
  const DmaAddr addr = phys(p);
  if (addr >= first_page_ && shared_.has(page_of(addr))) {
    touch_shared(addr, bytes, how == Touch::kWrite);
    return;
  }
  host::Core& core = machine_.running();
  core.sync();
  machine_.memory().settle(phys(p), bytes, core.now());
  const uint32_t missed = machine_.cache().touch(phys(p), bytes, how == Touch::kWrite);
  if (missed != 0) {
    machine_.charge(Op::kCacheMiss, missed);
  }
}

void SimMemory::touch_shared(DmaAddr addr, uint32_t bytes, bool write) {
  host::Core& core = machine_.running();
  core.meet();
  machine_.memory().settle(addr, bytes, core.now());
  uint32_t missed = 0;
  uint32_t moved = 0;
  const DmaAddr end = addr + bytes;
  if (write) {
    tell_watchers(addr, bytes);
  }
  for (DmaAddr line = addr / host::kLineBytes * host::kLineBytes; line < end;
       line += host::kLineBytes) {
    const bool miss = machine_.cache().touch(line, 1, write) != 0;
    const auto in_page = static_cast<uint32_t>(line % host::kPageBytes / host::kLineBytes);
    missed += miss ? 1 : 0;
    moved += shared_.touch(page_of(line), in_page, core.id(), write, miss) ? 1 : 0;
  }
  if (missed != 0) {
    machine_.charge(Op::kCacheMiss, missed);
  }
  if (moved != 0) {
    machine_.charge(Op::kLineTransfer, moved);
  }
}

// Threads of other cores that spin until one of these lines changes.
void SimMemory::tell_watchers(DmaAddr addr, uint32_t bytes) {
  const host::Core& writer = machine_.running();
  for (unsigned i = 0; i < machine_.cores(); ++i) {
    Executive& executive = machine_.executive(i);
    if (i == writer.id() || !executive.watches()) {
      continue;
    }
    for (DmaAddr line = addr / host::kLineBytes; line <= (addr + bytes - 1) / host::kLineBytes;
         ++line) {
      executive.note_write(line, writer.now());
    }
  }
}

// An uncached load reaches memory half-way through its round trip.
template <typename T>
T SimMemory::load(DmaAddr addr) {
  host::Core& core = machine_.running();
  const auto label = static_cast<unsigned>(Label::kDescriptor);
  const Picos cost = machine_.cost(Op::kUncachedLoad);
  const Picos way = cost / 2;
  core.spend(way, label);
  core.sync();
  machine_.memory().settle(addr, sizeof(T), core.now());
  const T value = base::load_le<T>(machine_.memory().pointer(addr));
  core.spend(cost - way, label);
  own_line(addr, sizeof(T), false);
  machine_.count(Op::kUncachedLoad);
  return value;
}

template <typename T>
void SimMemory::store(DmaAddr addr, T value) {
  machine_.charge(Op::kUncachedStore);
  host::Core& core = machine_.running();
  core.sync();
  machine_.memory().settle(addr, sizeof(T), core.now());
  base::store_le<T>(machine_.memory().pointer(addr), value);
  own_line(addr, sizeof(T), true);
}

// Coherent memory is cached where DMA snoops: a line the device has written since misses.
void SimMemory::own_line(DmaAddr addr, uint32_t bytes, bool write) {
  if (!machine_.cache().coherent()) {
    return;
  }
  const uint32_t missed = machine_.cache().touch(addr, bytes, write);
  if (missed != 0) {
    machine_.charge(Op::kCacheMiss, missed);
  }
}

uint16_t SimMemory::read16(DmaAddr addr) {
  return load<uint16_t>(addr);
}
uint32_t SimMemory::read32(DmaAddr addr) {
  return load<uint32_t>(addr);
}
void SimMemory::write16(DmaAddr addr, uint16_t value) {
  store(addr, value);
}
void SimMemory::write32(DmaAddr addr, uint32_t value) {
  store(addr, value);
}
uint64_t SimMemory::read64(DmaAddr addr) {
  return load<uint64_t>(addr);
}
void SimMemory::write64(DmaAddr addr, uint64_t value) {
  store(addr, value);
}

void SimMemory::write_bytes(DmaAddr addr, base::ByteView bytes) {
  machine_.charge(Op::kUncachedStore, static_cast<uint32_t>((bytes.size + 7) / 8));
  host::Core& core = machine_.running();
  core.sync();
  machine_.memory().settle(addr, bytes.size, core.now());
  std::memcpy(machine_.memory().pointer(addr), bytes.data, bytes.size);
  own_line(addr, static_cast<uint32_t>(bytes.size), true);
}

}  // namespace doorbell::hal
