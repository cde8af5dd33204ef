// Receive rings: start, fresh buffers under free descriptors, the doorbell.
#include <algorithm>

#include "sim/drivers/tsnep/tsnep_driver.h"

namespace doorbell::drivers::tsnep {

namespace reg = hw::reg;
namespace props = hw::props;

// A live ring starts again, so owner counters of its last life must go from descriptors and
// write-backs alike: old ones would be taken for new (frames that never came, DMA to pages that are
// gone).
void TsnepDriver::start_rx_ring(RxRing& ring) {
  ring.read = ring.write = 0;
  ring.owner = desc::OwnerCounter(hw::kRingSize);
  ring.slots.fill(RxSlot{});
  for (uint32_t i = 0; i < hw::kRingSize; ++i) {
    hal_.coherent.write32(ring.blocks.properties(i), 0);
    hal_.coherent.write32(ring.blocks.writeback(i), 0);
  }
  // Orders: no counter before the reset of the engine's own.
  hal_.order.dma_wmb();
  const hal::DmaAddr first = ring.blocks.block(0);
  wr(reg::rx_desc_addr_low(ring.queue),
     static_cast<uint32_t>(first) | hw::desc_addr::kResetOwnerCounter);
  wr(reg::rx_desc_addr_high(ring.queue), static_cast<uint32_t>(first >> 32));
}

void TsnepDriver::activate_rx(RxRing& ring, uint32_t index, uint32_t bytes) {
  RxSlot& slot = ring.slots[index];
  slot.properties = props::with_owner((bytes & props::kBufferSize) | props::kInterrupt,
                                      ring.owner.activate(index));
  // Orders: the address before the owner counter, or the device writes to the page before.
  hal_.order.dma_wmb();
  hal_.coherent.write32(ring.blocks.properties(index), slot.properties);
}

void TsnepDriver::ring_rx_doorbell(RxRing& ring) {
  ++stats_.rx_doorbells;
  // Orders: owner counters before the doorbell.
  hal_.order.dma_wmb();
  wr(reg::control(ring.queue), hw::control::kRxEnable);
}

// A page for a slot, from those that were put aside first.
bool TsnepDriver::put_buffer(RxRing& ring, uint32_t index) {
  stack::Page* page = nullptr;
  if (!ring.spare.empty()) {
    page = ring.spare.back();
    ring.spare.pop_back();
  } else {
    page = ring.pages->alloc();
  }
  if (page == nullptr) return false;
  RxSlot& slot = ring.slots[index];
  slot.page = page;
  slot.dma = page->dma + hw::kRxHeadroom;
  hal_.coherent.write64(ring.blocks.buffer(index), slot.dma);
  return true;
}

// Up to `count` pages. With `reuse` and no memory at all the buffer at `read`, which has just been
// received into, goes into the ring again, so that it never runs empty.
uint32_t TsnepDriver::refill_pages(RxRing& ring, uint32_t count, bool reuse) {
  uint32_t filled = 0;
  bool failed = false;
  while (filled < count && !failed) {
    const uint32_t index = ring_next(ring.write, filled);
    if (!put_buffer(ring, index)) {
      ++stats_.rx_alloc_failed;
      failed = true;
      if (filled > 0 || !reuse) break;
      RxSlot& from = ring.slots[ring.read];
      ring.slots[index].page = from.page;
      ring.slots[index].dma = from.dma;
      from.page = nullptr;
      hal_.coherent.write64(ring.blocks.buffer(index), ring.slots[index].dma);
    }
    activate_rx(ring, index, hw::kRxBufferSize);
    ++filled;
  }
  ring.write = ring_next(ring.write, filled);
  return filled;
}

// The same with buffers of the pool, asked for all at once.
uint32_t TsnepDriver::refill_xsk(RxRing& ring, uint32_t count, bool reuse) {
  const uint32_t got = ring.pool->alloc_batch(ring.batch.data(), count);
  for (uint32_t i = 0; i < got; ++i) {
    const uint32_t index = ring_next(ring.write, i);
    RxSlot& slot = ring.slots[index];
    // L1: what a reuse put here without moving the index on is lost.
    if (slot.xsk != nullptr) ++stats_.xsk_leaked;
    slot.xsk = ring.batch[i];
    slot.dma = ring.pool->frame_dma(*slot.xsk);
    hal_.coherent.write64(ring.blocks.buffer(index), slot.dma);
    activate_rx(ring, index, hw::kXskRxBufferSize);
  }
  if (got == 0 && count > 0) {
    ++stats_.rx_alloc_failed;
    if (!reuse) return 0;
    RxSlot& to = ring.slots[ring.write];
    RxSlot& from = ring.slots[ring.read];
    if (to.xsk != nullptr) ++stats_.xsk_leaked;
    to.xsk = from.xsk;
    to.dma = from.dma;
    from.xsk = nullptr;
    hal_.coherent.write64(ring.blocks.buffer(ring.write), to.dma);
    activate_rx(ring, ring.write, hw::kXskRxBufferSize);
    // L1: without the index moved on, the next refill puts another buffer over this one.
    if (!config_.fix_hazards) return 0;
    ring.write = ring_next(ring.write);
    return 1;
  }
  ring.write = ring_next(ring.write, got);
  return got;
}

// Fills what is free and tells the device, if it has got anything.
void TsnepDriver::refill_now(RxRing& ring, bool may_reuse) {
  const uint32_t free = ring.available();
  const bool reuse = may_reuse && free >= config_.rx_reuse;
  const uint32_t filled =
      ring.pool != nullptr ? refill_xsk(ring, free, reuse) : refill_pages(ring, free, reuse);
  if (filled > 0) ring_rx_doorbell(ring);
}

}  // namespace doorbell::drivers::tsnep
