// Filling and cleaning an XDP transmit ring, three ways.
#include <algorithm>

#include "sim/drivers/ice/ice_driver.h"

namespace doorbell::drivers::ice {

namespace reg = hw::reg;

namespace {
constexpr uint32_t kPrefetchAhead = 4;    // page records, for the host's caches
constexpr base::Picos kSpinPause{20000};  // 20 ns between looks at a lock
}  // namespace

IceDriver::XdpSent IceDriver::xdp_send(TxRing& ring, const XdpSend& send) {
  XdpSent sent = XdpSent::kFull;
  switch (config_.rs) {
    case RsMode::kEvery:
      sent = send_every(ring, send);
      break;
    case RsMode::kThreshold:
      sent = send_threshold(ring, send);
      break;
    case RsMode::kQuarter:
      sent = send_quarter(ring, send);
      break;
  }
  if (sent == XdpSent::kTaken) {
    ++stats_.tx_submitted;
    ++ring.active;
  } else if (sent == XdpSent::kFull) {
    ++ring.busy;
    ++stats_.tx_busy;
  }
  return sent;
}

// Maps the frame and writes slot ntu. False: the mapping failed.
bool IceDriver::fill_slot(TxRing& ring, const XdpSend& send, uint32_t cmd) {
  bool ok = false;
  const hal::DmaAddr address = map(send.data, send.length, ok);
  if (!ok) return false;
  TxBuf& buf = ring.bufs[ring.ntu];
  buf.kind = send.kind;
  if (send.kind == TxKind::kXdpTx) {
    buf.page = send.page;
  } else {
    buf.frame = send.frame;
  }
  buf.dma = address;
  buf.len = send.length;
  buf.bytes = send.length;
  buf.frames = 1;
  write_data(ring, ring.ntu, address, hw::tx_plain_qw1(cmd, send.length));
  return true;
}

// Before: a report for each, found by the poll's clean-up.
IceDriver::XdpSent IceDriver::send_every(TxRing& ring, const XdpSend& send) {
  if (ring.unused() == 0) return XdpSent::kFull;
  if (!fill_slot(ring, send, hw::tx_cmd::kLast)) return XdpSent::kMapFailed;
  // Orders: the descriptor before the watch, or clean-up sees the done bit of the lap before.
  hal_.order.dma_wmb();
  ring.bufs[ring.ntu].watch = ring.ntu;
  ring.ntu = ring.next(ring.ntu);
  return XdpSent::kTaken;
}

// After: RS goes to the last descriptor of each full group, once it has been written and before the
// doorbell. The wrap closes the last group by hand, which is right only if the ring's size is a
// multiple of the threshold.
IceDriver::XdpSent IceDriver::send_threshold(TxRing& ring, const XdpSend& send) {
  const uint32_t threshold = config_.rs_threshold;
  if (ring.unused() < threshold) clean_threshold(ring);
  if (ring.unused() == 0) return XdpSent::kFull;
  if (!fill_slot(ring, send, hw::tx_cmd::kEop)) return XdpSent::kMapFailed;
  uint32_t i = ring.ntu + 1;
  if (i == ring.count) {
    i = 0;
    request_report(ring, ring.next_rs);
    ring.next_rs = threshold - 1;
  }
  ring.ntu = i;
  if (i > ring.next_rs) {
    request_report(ring, ring.next_rs);
    ring.next_rs += threshold;
  }
  return XdpSent::kTaken;
}

void IceDriver::request_report(TxRing& ring, uint32_t index) {
  if (index >= ring.count) ++stats_.xdp_rs_outside_ring;
  const hal::DmaAddr at = ring.qw1_at(index);
  hal_.coherent.write64(at, hal_.coherent.read64(at) | hw::kTxRsBit);
}

// Frees one group if its last descriptor is reported, else nothing.
void IceDriver::clean_threshold(TxRing& ring) {
  const uint32_t threshold = config_.rs_threshold;
  const uint32_t dd = ring.next_dd;
  if (dd >= ring.count) ++stats_.xdp_dd_outside_ring;
  if (!hw::tx_reads_done(hal_.coherent.read64(ring.qw1_at(dd)))) {
    ++stats_.xdp_cleans_early;
    return;
  }
  ++stats_.xdp_cleans;
  uint32_t frames = 0;
  uint64_t bytes = 0;
  hal_.cpu.charge(hal::Op::kDriverClean, threshold);
  for (uint32_t n = 0; n < threshold; ++n) {
    TxBuf& buf = ring.bufs[ring.ntc];
    __builtin_prefetch(ring.bufs[std::min(ring.ntc + kPrefetchAhead, ring.count - 1)].page, 1);
    if (buf.kind == TxKind::kEmpty) ++stats_.xdp_empty_slots;
    frames += buf.frames;
    bytes += buf.bytes;
    release(buf);
    ring.ntc = ring.next(ring.ntc);
  }
  hal_.coherent.write64(ring.qw1_at(dd), 0);
  // The bound is the ring's size itself, as in Linux: the same for multiples of the threshold.
  ring.next_dd = dd + threshold > ring.count ? threshold - 1 : dd + threshold;
  ring.active -= std::min(frames, ring.active);
  ring.packets += frames;
  ring.bytes += bytes;
  stats_.tx_packets += frames;
  stats_.tx_bytes += bytes;
}

// Linux 6.12: no report here; the poll asks for one on its last frame.
IceDriver::XdpSent IceDriver::send_quarter(TxRing& ring, const XdpSend& send) {
  uint32_t free_slots = ring.unused();
  if (free_slots < ring.count / 4) free_slots += clean_quarter(ring);
  if (free_slots == 0) return XdpSent::kFull;
  if (!fill_slot(ring, send, hw::tx_cmd::kEop)) return XdpSent::kMapFailed;
  if (ring.open_first == kNoSlot) ring.open_first = ring.ntu;
  ring.ntu = ring.next(ring.ntu);
  return XdpSent::kTaken;
}

// Ends a batch that began at `first`: a report for the newest frame, and a note in the batch's
// first slot of where it will appear. With fix_hazards the ring itself knows where the batch
// without a report begins, whoever filled it, and an empty batch asks for nothing.
void IceDriver::close_batch(TxRing& ring, uint32_t first) {
  if (config_.fix_hazards) {
    if (ring.open_first == kNoSlot) return;
    first = ring.open_first;
  }
  ring.open_first = kNoSlot;
  const uint32_t last = ring.prev(ring.ntu);
  request_report(ring, last);
  ring.bufs[first].rs_idx = last;
}

// Frees the oldest batch if it is reported. How many slots that are.
uint32_t IceDriver::clean_quarter(TxRing& ring) {
  // With fix_hazards: the oldest frame's batch is still open.
  if (config_.fix_hazards && ring.open_first == ring.ntc) return 0;
  const uint32_t index = ring.bufs[ring.ntc].rs_idx;
  const hal::DmaAddr at = ring.qw1_at(index);
  if (!hw::tx_reads_done(hal_.coherent.read64(at))) {
    ++stats_.xdp_cleans_early;
    return 0;
  }
  ++stats_.xdp_cleans;
  const uint32_t ready =
      index >= ring.ntc ? index - ring.ntc + 1 : index + ring.count - ring.ntc + 1;
  uint32_t frames = 0;
  uint64_t bytes = 0;
  hal_.cpu.charge(hal::Op::kDriverClean, ready);
  for (uint32_t n = 0; n < ready; ++n) {
    TxBuf& buf = ring.bufs[ring.ntc];
    if (buf.kind == TxKind::kEmpty) ++stats_.xdp_empty_slots;
    frames += buf.frames;
    bytes += buf.bytes;
    release(buf);
    ring.ntc = ring.next(ring.ntc);
  }
  hal_.coherent.write64(at, 0);
  // Frames, not buffers: a count per buffer once made it run below zero.
  ring.active -= std::min(frames, ring.active);
  ring.packets += frames;
  ring.bytes += bytes;
  stats_.tx_packets += frames;
  stats_.tx_bytes += bytes;
  return ready;
}

void IceDriver::xdp_doorbell(TxRing& ring) {
  // Orders: descriptors and the RS bits put into them before the tail; the store itself is relaxed
  // in Linux.
  hal_.order.wmb();
  ring_doorbell(ring);
}

// Spins while another core holds the ring. The lock's line moves between the cores' caches.
void IceDriver::lock(TxRing& ring) {
  stack::charge_tx_lock(hal_);
  hal_.coherent.read32(ring.lock_word);
  hal_.cpu.meet();
  while (ring.locked) {
    ++stats_.xdp_lock_waits;
    hal_.cpu.delay(kSpinPause);
    hal_.coherent.read32(ring.lock_word);
    hal_.cpu.meet();
  }
  ring.locked = true;
}

void IceDriver::unlock(TxRing& ring) {
  hal_.cpu.meet();
  ring.locked = false;
}

}  // namespace doorbell::drivers::ice
