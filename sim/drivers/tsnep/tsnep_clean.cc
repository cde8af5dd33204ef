// Transmit half of the poll: reclaims what the device has acknowledged, then sends for AF_XDP.
#include "sim/drivers/tsnep/tsnep_driver.h"

namespace doorbell::drivers::tsnep {

namespace props = hw::props;

bool TsnepDriver::tx_done(const TxRing& ring, uint32_t& writeback) {
  if (ring.read == ring.write) return false;
  writeback = hal_.coherent.read32(ring.blocks.writeback(ring.read));
  return ((writeback ^ ring.slots[ring.read].properties) & props::kTxOwnerMask) == 0;
}

// True if there was budget left. `may_submit`: AF_XDP's descriptors may go into the ring.
bool TsnepDriver::clean_tx(TsnepQueue& q, bool may_submit) {
  TxRing& ring = q.tx;
  uint32_t budget = config_.tx_poll_budget;
  uint32_t xsk_frames = 0;
  lock(ring);
  uint32_t writeback = 0;
  while (budget > 0 && tx_done(ring, writeback)) {
    // Orders: the acknowledgement before the rest of the write-back.
    hal_.order.dma_rmb();
    reclaim(ring, writeback, xsk_frames);
    --budget;
  }
  if (ring.pool != nullptr) {
    if (xsk_frames != 0) ring.pool->tx_completed(xsk_frames);
    stats_.xsk_completed += xsk_frames;
    // Never cleared: the application wakes the driver for every batch.
    if (ring.pool->uses_need_wakeup()) ring.pool->set_tx_need_wakeup();
    if (may_submit && (!ring.draining || !config_.fix_hazards)) xsk_transmit(ring);
  }
  if (!ring.draining && queue(q.index).stopped && carrier() && ring.available() >= hw::kTxWake) {
    wake_queue(q.index);
  }
  unlock(ring);
  return budget != 0;
}

// The frame at `read`: unmaps, takes its time stamp, gives back what it was made of.
void TsnepDriver::reclaim(TxRing& ring, uint32_t writeback, uint32_t& xsk_frames) {
  TxSlot& slot = ring.slots[ring.read];
  const uint32_t type = slot.type;
  const unsigned count = slot.fragments;
  const uint32_t length = slot.frame_length;
  for (unsigned i = 0; i < count; ++i) {
    hal_.cpu.charge(hal::Op::kDriverClean);
    unmap(ring.slots[ring_next(ring.read, i)]);
  }
  if ((type & tx_type::kTstamp) != 0 && (writeback & props::kExtendedWriteback) != 0) {
    read_timestamp(ring, writeback);
  }
  stack::SkBuff* skb = (type & tx_type::kSkb) != 0 ? slot.skb : nullptr;
  stack::XdpFrame* frame =
      (type & (tx_type::kXdpTx | tx_type::kXdpNdo)) != 0 ? slot.frame : nullptr;
  for (unsigned i = 0; i < count; ++i) {
    TxSlot& part = ring.slots[ring_next(ring.read, i)];
    part.type = 0;
    part.fragments = 0;
    part.skb = nullptr;
  }
  if (skb != nullptr) stack_.skbs().free(*skb);
  if (frame != nullptr) stack::return_frame(hal_, *frame);
  if ((type & tx_type::kXsk) != 0) ++xsk_frames;
  ring.read = ring_next(ring.read, count);
  ++ring.packets;
  ring.bytes += length + hw::kFcsBytes;
  ++stats_.tx_packets;
  stats_.tx_bytes += length + hw::kFcsBytes;
}

void TsnepDriver::read_timestamp(const TxRing& ring, uint32_t) {
  last_tx_timestamp_ns_ = hal_.coherent.read64(ring.blocks.block(ring.read) + hw::kOffWbTimestamp);
  ++stats_.tx_timestamps;
}

}  // namespace doorbell::drivers::tsnep
