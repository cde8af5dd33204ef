#include "sim/stack/xsk/ring.h"

namespace doorbell::stack::xsk {

RingMemory::RingMemory(hal::Dma& dma, hal::SharedMemory& memory, RingKind kind, uint32_t entries)
    : dma_(dma),
      memory_(memory),
      kind_(kind),
      entries_(entries),
      entry_bytes_(kind == RingKind::kRx || kind == RingKind::kTx ? kDescBytes : kAddrBytes),
      bytes_(kEntriesOffset + entries * entry_bytes_),
      base_(memory.alloc_shared(bytes_)) {
  assert(entries != 0 && (entries & (entries - 1)) == 0);
}

RingMemory::~RingMemory() {
  if (base_ != nullptr) memory_.free_shared(base_, bytes_);
}

uint32_t RingMemory::load(uint32_t offset) const {
  dma_.touch(base_ + offset, 4, hal::Touch::kRead);
  return base::load_le<uint32_t>(base_ + offset);
}

void RingMemory::store(uint32_t offset, uint32_t value) {
  dma_.touch(base_ + offset, 4, hal::Touch::kWrite);
  base::store_le(base_ + offset, value);
}

void RingMemory::touch(uint32_t index, uint32_t count, hal::Touch how) const {
  while (count > 0) {
    const uint32_t at = index & (entries_ - 1);
    const uint32_t run = count < entries_ - at ? count : entries_ - at;
    dma_.touch(entry(at), run * entry_bytes_, how);
    index += run;
    count -= run;
  }
}

Desc RingMemory::desc(uint32_t index) const {
  const uint8_t* p = entry(index);
  return {base::load_le<uint64_t>(p), base::load_le<uint32_t>(p + 8),
          base::load_le<uint32_t>(p + 12)};
}

void RingMemory::set_desc(uint32_t index, const Desc& desc) {
  uint8_t* p = entry(index);
  base::store_le(p, desc.addr);
  base::store_le(p + 8, desc.len);
  base::store_le(p + 12, desc.options);
}

uint32_t Queue::available(uint32_t max) {
  uint32_t entries = cached_producer - cached_consumer;
  if (entries >= max) return max;
  // A single look gives back what was taken so far, so that the application can go on.
  if (max == 1) release();
  cached_producer = ring.producer();
  entries = cached_producer - cached_consumer;
  return entries < max ? entries : max;
}

void Queue::release() {
  ring.set_consumer(cached_consumer);
}

uint32_t Queue::free_entries(uint32_t max) {
  uint32_t free = ring.entries() - (cached_producer - cached_consumer);
  if (free >= max) return max;
  cached_consumer = ring.consumer();
  free = ring.entries() - (cached_producer - cached_consumer);
  return free < max ? free : max;
}

bool Queue::reserve_addr(uint64_t addr) {
  if (free_entries(1) == 0) return false;
  ring.touch(cached_producer, 1, hal::Touch::kWrite);
  ring.set_addr(cached_producer++, addr);
  return true;
}

bool Queue::reserve_desc(const Desc& desc) {
  if (free_entries(1) == 0) return false;
  ring.touch(cached_producer, 1, hal::Touch::kWrite);
  ring.set_desc(cached_producer++, desc);
  return true;
}

uint32_t UserProducer::free_entries(uint32_t count) {
  const uint32_t free = free_from_ - reserved_;
  if (free >= count) return free;
  free_from_ = ring_.consumer() + ring_.entries();
  return free_from_ - reserved_;
}

bool UserProducer::reserve(uint32_t count, uint32_t& index) {
  if (free_entries(count) < count) return false;
  index = reserved_;
  reserved_ += count;
  ring_.touch(index, count, hal::Touch::kWrite);
  return true;
}

uint32_t UserConsumer::peek(uint32_t max, uint32_t& index) {
  uint32_t entries = produced_ - taken_;
  if (entries == 0) {
    produced_ = ring_.producer();
    entries = produced_ - taken_;
  }
  if (entries > max) entries = max;
  index = taken_;
  taken_ += entries;
  return entries;
}

}  // namespace doorbell::stack::xsk
