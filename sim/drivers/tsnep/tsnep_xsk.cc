// AF_XDP zero copy: pools on and off, transmit in the poll, wake-ups.
#include <algorithm>
#include <cerrno>

#include "sim/drivers/tsnep/tsnep_driver.h"

namespace doorbell::drivers::tsnep {

// One batch, as many as leave room for an sk_buff: one barrier, one doorbell. Under the lock.
void TsnepDriver::xsk_transmit(TxRing& ring) {
  if (ring.available() <= hw::kTxNeeded) return;
  stack::xsk::Pool& pool = *ring.pool;
  const uint32_t count = pool.tx_peek_batch(ring.available() - hw::kTxNeeded);
  if (count == 0) return;
  const stack::xsk::Desc* descs = pool.tx_descs();
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t index = ring_next(ring.write, i);
    TxSlot& slot = ring.slots[index];
    slot.type = tx_type::kXsk;
    slot.fragments = 1;
    slot.length = slot.frame_length = descs[i].len;
    slot.dma = pool.raw_dma(descs[i].addr);
    slot.skb = nullptr;
    pool.raw_sync_for_device(slot.dma, slot.length);
    hal_.coherent.write64(ring.blocks.buffer(index), slot.dma);
    activate(ring, index, true, true);
  }
  ring.write = ring_next(ring.write, count);
  stats_.tx_submitted += count;
  stats_.xsk_tx += count;
  ++stats_.xsk_tx_batches;
  ring_tx_doorbell(ring);
}

// Only starts the poll, or makes the one that runs come again.
int TsnepDriver::xsk_wakeup(uint32_t queue, uint32_t) {
  if (queue >= queues()) return -EINVAL;
  if (!running()) return -ENETDOWN;
  ++stats_.xsk_wakeups;
  pairs_[queue]->hal.napi.schedule();
  return 0;
}

hal::Napi* TsnepDriver::queue_napi(uint32_t queue) {
  return queue < queues() ? &pairs_[queue]->hal.napi : nullptr;
}

// Set while the ring is not full: the application must call when it has filled its own.
void TsnepDriver::rx_need_wakeup(RxRing& ring) {
  if (ring.available() != 0) {
    ring.pool->set_rx_need_wakeup();
  } else {
    ring.pool->clear_rx_need_wakeup();
  }
}

int TsnepDriver::setup_xsk_pool(stack::xsk::Pool* pool, uint32_t queue) {
  if (queue >= queues()) return -EINVAL;
  TsnepQueue& q = *pairs_[queue];
  stack::xsk::Pool* const old = q.rx.pool;
  if (pool != nullptr) {
    if (old != nullptr) return -EBUSY;
    if (pool->rx_frame_bytes() < hw::kXskRxBufferSize) return -EOPNOTSUPP;
    if (const int error = pool->map(hal_)) return error;
    pool->set_rxq_info(&q.rx.info);
  } else if (old == nullptr) {
    return 0;
  }
  if (running()) {
    disable_queue(q);
    switch_pool(q, pool);
    enable_queue(q);
  } else {
    q.rx.pool = q.tx.pool = pool;
  }
  if (old != nullptr && old->mapped()) old->unmap();
  return 0;
}

// The queue is off. The receive ring starts again with the other kind of buffers; the transmit ring
// and its owner counter go on. Pages wait for the way back, which so cannot fail.
void TsnepDriver::switch_pool(TsnepQueue& q, stack::xsk::Pool* pool) {
  RxRing& ring = q.rx;
  if (peek_ != nullptr) {
    stack_.drops().count(stack::DropReason::kRxRingReset, pending_rx(ring, *peek_));
  }
  for (RxSlot& slot : ring.slots) {
    if (slot.page != nullptr) ring.spare.push_back(slot.page);
    if (slot.xsk != nullptr) ring.pool->free(*slot.xsk);
    slot = RxSlot{};
  }
  ring.pool = q.tx.pool = pool;
  start_rx_ring(ring);
  if (pool == nullptr) {
    refill_pages(ring, ring.available(), false);
    return;
  }
  refill_xsk(ring, ring.available(), false);
  // At once: with a short fill ring no poll would ever say so (bug B7).
  if (pool->uses_need_wakeup()) rx_need_wakeup(ring);
}

}  // namespace doorbell::drivers::tsnep
