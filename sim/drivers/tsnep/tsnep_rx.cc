// Receive: write-backs to XDP, sk_buffs or AF_XDP. Refill comes before a frame is looked at.
#include <algorithm>
#include <cstring>

#include "models/net/frame.h"
#include "sim/drivers/tsnep/tsnep_driver.h"

namespace doorbell::drivers::tsnep {

namespace props = hw::props;

namespace {
// Descriptor length: metadata, frame, FCS.
constexpr uint32_t kOverhead = hw::kRxMetadataBytes + hw::kFcsBytes;
}  // namespace

bool TsnepDriver::rx_done(const RxRing& ring, uint32_t& writeback) {
  if (ring.read == ring.write) return false;
  writeback = hal_.coherent.read32(ring.blocks.writeback(ring.read));
  return ((writeback ^ ring.slots[ring.read].properties) & props::kRxOwnerMask) == 0;
}

// Of the frame itself. FCS goes for every consumer (bug B6). False: impossible.
bool TsnepDriver::frame_length(uint32_t writeback, uint32_t& length) {
  const uint32_t all = writeback & props::kLength;
  if (all < kOverhead + net::kEtherHeaderBytes || all > hw::kRxBufferSize) return false;
  length = all - kOverhead;
  return true;
}

void TsnepDriver::drop_rx(stack::DropReason reason) {
  ++stats_.rx_dropped;
  stack_.drops().count(reason);
}

void TsnepDriver::count_rx(RxRing& ring, const uint8_t* data, uint32_t length) {
  ++ring.packets;
  ring.bytes += length;
  ++stats_.rx_packets;
  stats_.rx_bytes += length;
  stack_.tap({data, length});
}

int TsnepDriver::receive_pages(TsnepQueue& q, int budget) {
  RxRing& ring = q.rx;
  stack::XdpProgram* const program = program_;  // once a poll: it may be exchanged meanwhile
  PollTodo todo;
  int done = 0;
  uint32_t writeback = 0;
  while (done < budget && rx_done(ring, writeback)) {
    ++done;
    hal_.cpu.charge(hal::Op::kDriverRx);
    if (ring.available() >= config_.rx_refill) refill_now(ring, true);
    RxSlot& slot = ring.slots[ring.read];
    stack::Page* page = slot.page;
    slot.page = nullptr;
    ring.read = ring_next(ring.read);
    if (page == nullptr) {
      // Its buffer is in the ring again.
      ++stats_.rx_reused;
      drop_rx(stack::DropReason::kRxAllocFailed);
      continue;
    }
    // Orders: the acknowledgement before metadata and payload.
    hal_.order.dma_rmb();
    uint32_t length = 0;
    if (!frame_length(writeback, length)) {
      ++stats_.rx_errors;
      drop_rx(stack::DropReason::kRxError);
      ring.pages->put(*page, 0);
      continue;
    }
    hal_.dma.sync_for_cpu(page->dma + hw::kRxHeadroom, writeback & props::kLength,
                          ring.pages->direction());
    take_page(q, *page, length, program, todo);
  }
  finalize_xdp(q, todo);
  if (ring.available() > 0) refill_now(ring, false);
  return done;
}

void TsnepDriver::take_page(TsnepQueue& q, stack::Page& page, uint32_t length,
                            stack::XdpProgram* program, PollTodo& todo) {
  RxRing& ring = q.rx;
  uint8_t* const metadata = page.data + hw::kRxHeadroom;
  uint8_t* const data = metadata + hw::kRxMetadataBytes;
  count_rx(ring, data, length);
  if (program == nullptr) {
    pass_page(ring, page, data, length, metadata);
    return;
  }
  stack::XdpBuff buff;
  buff.data_hard_start = page.data;
  buff.data = buff.data_meta = data;
  buff.data_end = data + length;
  buff.rxq = &ring.info;
  buff.page = &page;
  XdpResult result = XdpResult::kPass;
  run_xdp(q, buff, *program, result);
  todo.sent = todo.sent || result == XdpResult::kTx;
  todo.redirected = todo.redirected || result == XdpResult::kRedirected;
  if (result != XdpResult::kPass) return;
  // L3: Linux 6.12 passes the frame with the place and length it was received with.
  if (config_.fix_hazards) {
    pass_page(ring, page, buff.data, buff.length(), metadata);
  } else {
    pass_page(ring, page, data, length, metadata);
  }
}

void TsnepDriver::pass_page(RxRing& ring, stack::Page& page, uint8_t* data, uint32_t length,
                            const uint8_t* metadata) {
  // Before the program's headroom, or the stack's, is used for something else.
  uint64_t stamp = 0;
  if (config_.hw_timestamps) {
    hal_.dma.touch(metadata, hw::kRxMetadataBytes, hal::Touch::kRead);
    stamp = hw::decode_rx_metadata(metadata).timestamp;
  }
  stack::SkBuff* skb = stack_.skbs().build(page);
  if (skb == nullptr) {
    ++stats_.rx_skb_failed;
    drop_rx(stack::DropReason::kRxSkbFailed);
    ring.pages->put_full(page);
    return;
  }
  skb->reserve(static_cast<uint32_t>(data - skb->head));
  skb->put(length);
  skb->pp_recycle = true;
  skb->queue = static_cast<uint16_t>(ring.queue);
  if (config_.hw_timestamps) {
    skb->has_timestamp = true;
    skb->timestamp_ns = stamp;
    ++stats_.rx_timestamps;
  }
  hal_.dma.touch(data, 1, hal::Touch::kRead);
  if ((data[0] & 1) != 0) ++stats_.rx_multicast;
  stack_.napi_gro_receive(*this, *skb);
}

int TsnepDriver::receive_xsk(TsnepQueue& q, int budget) {
  RxRing& ring = q.rx;
  stack::XdpProgram* const program = program_;
  PollTodo todo;
  int done = 0;
  uint32_t writeback = 0;
  while (done < budget && rx_done(ring, writeback)) {
    ++done;
    hal_.cpu.charge(hal::Op::kDriverRx);
    if (ring.available() >= config_.rx_refill) refill_now(ring, true);
    RxSlot& slot = ring.slots[ring.read];
    stack::XdpBuff* buff = slot.xsk;
    slot.xsk = nullptr;
    ring.read = ring_next(ring.read);
    if (buff == nullptr) {
      ++stats_.rx_reused;
      drop_rx(stack::DropReason::kRxAllocFailed);
      continue;
    }
    // Orders: the acknowledgement before metadata and payload.
    hal_.order.dma_rmb();
    uint32_t length = 0;
    if (!frame_length(writeback, length)) {
      ++stats_.rx_errors;
      drop_rx(stack::DropReason::kRxError);
      ring.pool->free(*buff);
      continue;
    }
    ring.pool->set_size(*buff, writeback & props::kLength);
    ring.pool->sync_for_cpu(*buff);
    take_xsk(q, *buff, length, program, todo);
  }
  finalize_xdp(q, todo);
  if (ring.available() > 0) refill_now(ring, false);
  const bool full = ring.available() == 0;
  if (ring.pool->uses_need_wakeup()) {
    rx_need_wakeup(ring);
    return done;
  }
  // Nobody will wake us: poll on until the application has filled its ring.
  return full ? done : budget;
}

void TsnepDriver::take_xsk(TsnepQueue& q, stack::XdpBuff& buff, uint32_t length,
                           stack::XdpProgram* program, PollTodo& todo) {
  RxRing& ring = q.rx;
  uint8_t* const start = buff.data;
  uint8_t* const data = start + hw::kRxMetadataBytes;
  count_rx(ring, data, length);
  if (program == nullptr) {
    // L2: Linux 6.12 has not moved the pointer on here, and the metadata comes out as payload.
    pass_xsk(ring, buff, config_.fix_hazards ? data : start, length);
    return;
  }
  buff.data = buff.data_meta = data;
  buff.data_end = data + length;
  XdpResult result = XdpResult::kPass;
  run_xdp(q, buff, *program, result);
  todo.sent = todo.sent || result == XdpResult::kTx;
  todo.redirected = todo.redirected || result == XdpResult::kRedirected;
  if (result == XdpResult::kPass) pass_xsk(ring, buff, buff.data, buff.length());
}

// To the stack in a page of the pool, metadata and all; the buffer goes home.
void TsnepDriver::pass_xsk(RxRing& ring, stack::XdpBuff& buff, const uint8_t* from,
                           uint32_t length) {
  stack::Page* page = ring.pages->alloc();
  if (page == nullptr) {
    ++stats_.rx_alloc_failed;
    drop_rx(stack::DropReason::kRxSkbFailed);
    ring.pool->free(buff);
    return;
  }
  uint8_t* const metadata = page->data + hw::kRxHeadroom;
  uint8_t* const to = metadata + hw::kRxMetadataBytes;
  const uint8_t* const stamp = buff.data_hard_start + ring.pool->rx_headroom();
  hal_.dma.touch(stamp, hw::kRxMetadataBytes, hal::Touch::kRead);
  hal_.dma.touch(from, length, hal::Touch::kRead);
  hal_.dma.touch(metadata, hw::kRxMetadataBytes + length, hal::Touch::kWrite);
  hal_.cpu.charge(hal::Op::kCopyOctets, (hw::kRxMetadataBytes + length + 7) / 8);
  std::memcpy(metadata, stamp, hw::kRxMetadataBytes);
  std::memcpy(to, from, length);
  ++stats_.rx_copied;
  ring.pool->free(buff);
  pass_page(ring, *page, to, length, metadata);
}

}  // namespace doorbell::drivers::tsnep
