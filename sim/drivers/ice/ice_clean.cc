// Transmit clean-up from NAPI: sk_buff rings, and XDP rings with a report on each descriptor.
#include "sim/drivers/ice/ice_driver.h"

namespace doorbell::drivers::ice {

// True if there was budget left.
bool IceDriver::clean_tx(TxRing& ring) {
  uint32_t budget = config_.tx_clean_budget;
  uint64_t frames = 0;
  uint64_t bytes = 0;
  uint32_t i = ring.ntc;
  for (; budget > 0; --budget) {
    const uint32_t watch = ring.bufs[i].watch;
    if (watch == kNoSlot) break;
    // Orders: the watch before the descriptor it names.
    hal_.order.dma_rmb();
    if (!hw::tx_reads_done(hal_.coherent.read64(ring.qw1_at(watch)))) break;
    frames += ring.bufs[i].frames;
    bytes += ring.bufs[i].bytes;
    for (;;) {
      hal_.cpu.charge(hal::Op::kDriverClean);
      release(ring.bufs[i]);
      const bool last = i == watch;
      i = ring.next(i);
      if (last) break;
    }
  }
  ring.ntc = i;
  ring.packets += frames;
  ring.bytes += bytes;
  stats_.tx_packets += frames;
  stats_.tx_bytes += bytes;
  if (ring.xdp) return budget != 0;
  if (frames != 0 && carrier() && ring.unused() >= hw::kTxWakeThreshold) {
    if (queue(ring.index).stopped) {
      // Orders: the freed slots before the look at the queue's state.
      hal_.order.wmb();
      ++stats_.tx_restart;
      wake_queue(ring.index);
    }
  }
  return budget != 0;
}

// Gives back whatever a slot holds, by its type. The batch's report index stays, as in Linux.
void IceDriver::release(TxBuf& buf) {
  if (buf.len != 0) hal_.dma.unmap(buf.dma, buf.len, hal::DmaDir::kToDevice);
  const TxBuf old = buf;
  buf = TxBuf{};
  buf.rs_idx = old.rs_idx;
  switch (old.kind) {
    case TxKind::kSkb:
      stack_.skbs().free(*old.skb);
      break;
    case TxKind::kXdpTx:
      old.page->pool->put_full(*old.page);
      break;
    case TxKind::kXdpXmit:
      stack::return_frame(hal_, *old.frame);
      break;
    case TxKind::kEmpty:
    case TxKind::kFrag:
      break;
  }
}

// All slots, whatever the indices say: a ring of a wrong size may have lost count. The indices
// start again, or a reopened ring would look for reports where none will come.
void IceDriver::purge(TxRing& ring) {
  for (TxBuf& buf : ring.bufs) release(buf);
  ring.ntu = ring.ntc = ring.tail = 0;
  ring.next_rs = ring.next_dd = config_.rs_threshold - 1;
  ring.active = 0;
}

}  // namespace doorbell::drivers::ice
