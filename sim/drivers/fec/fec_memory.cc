// Memory of the FEC driver: descriptor block, receive pages, and what restart and close release.
#include <cerrno>

#include "sim/drivers/fec/fec_driver.h"

namespace doorbell::drivers::fec {

// One coherent block holds all rings, receive first: RX0 RX1 RX2 TX0 TX1 TX2.
int FecDriver::alloc_rings() {
  const uint32_t stride = enhanced() ? hw::kEnhancedStride : hw::kLegacyStride;
  const uint32_t per_queue = config_.rx_ring + config_.tx_ring;
  // Whole pages, as dma_alloc_coherent gives: the engine may prefetch past the last descriptor.
  const uint32_t bytes = (hw::kRings * per_queue * stride + stack::kPageBytes - 1) /
                         stack::kPageBytes * stack::kPageBytes;
  bd_block_ = hal_.dma.alloc_coherent(bytes, hw::kRingBaseAlignBest);
  if (bd_block_ == 0) return -ENOMEM;
  hal::DmaAddr next = bd_block_;
  const auto slice = [&](BdRing& bd, uint32_t size) {
    bd.base = next;
    bd.size = size;
    bd.stride = stride;
    next += uint64_t{size} * stride;
  };
  for (unsigned q = 0; q < hw::kRings; ++q) {
    slice(rx_[q].bd, config_.rx_ring);
    rx_[q].pages.assign(config_.rx_ring, nullptr);
    rx_[q].xdp_rxq.device = this;
    rx_[q].xdp_rxq.index = q;
  }
  for (TxRing& ring : tx_) {
    slice(ring.bd, config_.tx_ring);
    ring.slots.assign(config_.tx_ring, TxSlot{});
    ring.dirty = config_.tx_ring - 1;
    ring.tso_headers = hal_.dma.alloc_coherent(config_.tx_ring * hw::kTsoHeaderBytes, 64);
    if (ring.tso_headers == 0) {
      free_rings();
      return -ENOMEM;
    }
  }
  return 0;
}

void FecDriver::free_rings() {
  for (TxRing& ring : tx_) {
    if (ring.tso_headers != 0) hal_.dma.free_coherent(ring.tso_headers);
    ring.tso_headers = 0;
  }
  if (bd_block_ != 0) hal_.dma.free_coherent(bd_block_);
  bd_block_ = 0;
}

// The pool's direction is fixed here: a program attached later does not change it.
int FecDriver::fill_rx_rings() {
  for (RxRing& ring : rx_) {
    stack::PagePoolParams params;
    params.size = ring.bd.size;
    params.direction = program_ != nullptr ? hal::DmaDir::kBidirectional : hal::DmaDir::kFromDevice;
    params.offset = hw::kRxHeadroom;
    params.max_len = hw::kRxUsable;
    ring.pool = std::make_unique<stack::PagePool>(hal_, stack_.pages(), params);
    ring.xdp_rxq.pool = ring.pool.get();
    for (uint32_t i = 0; i < ring.bd.size; ++i) {
      stack::Page* page = ring.pool->alloc();
      if (page == nullptr) return -ENOMEM;
      ring.pages[i] = page;
      const hal::DmaAddr bd = ring.bd.at(i);
      hal_.coherent.write32(bd + hw::kOffAddress,
                            static_cast<uint32_t>(page->dma + hw::kRxHeadroom));
      if (enhanced()) hal_.coherent.write32(bd + hw::kOffControl, hw::rx_esc::kInt);
      const uint16_t wrap = ring.bd.is_last(i) ? hw::rx_sc::kWrap : 0;
      // Orders: address and control before E: probe has left the engine enabled.
      hal_.order.dma_wmb();
      hal_.coherent.write16(bd + hw::kOffStatus, hw::rx_sc::kEmpty | wrap);
    }
  }
  return 0;
}

void FecDriver::free_rx_buffers() {
  for (RxRing& ring : rx_) {
    if (ring.pool == nullptr) continue;
    for (uint32_t i = 0; i < ring.bd.size; ++i) {
      if (ring.pages[i] == nullptr) continue;
      // No address in a descriptor: a restart while closed must not hand freed pages out.
      hal_.coherent.write32(ring.bd.at(i) + hw::kOffAddress, 0);
      hal_.coherent.write16(ring.bd.at(i) + hw::kOffStatus, 0);
      ring.pool->put_full(*ring.pages[i]);
      ring.pages[i] = nullptr;
    }
    const uint32_t missing = ring.pool->destroy();
    stack_.leaked_pages += missing;
    // Pages still out come back to their pool, so it must live on.
    if (missing > 0) retired_pools_.push_back(std::move(ring.pool));
    ring.pool.reset();
    ring.xdp_rxq.pool = nullptr;
  }
}

void FecDriver::free_tx_buffers() {
  for (TxRing& ring : tx_) {
    for (uint32_t i = 0; i < ring.bd.size; ++i) purge_slot(ring, i);
    ring.doorbell_due = false;
  }
}

void FecDriver::init_descriptors() {
  for (RxRing& ring : rx_) init_rx_descriptors(ring);
  for (unsigned q = 0; q < hw::kRings; ++q) init_tx_descriptors(q);
}

void FecDriver::init_rx_descriptors(RxRing& ring) {
  for (uint32_t i = 0; i < ring.bd.size; ++i) {
    const hal::DmaAddr bd = ring.bd.at(i);
    uint16_t status = 0;
    if (hal_.coherent.read32(bd + hw::kOffAddress) != 0) status = hw::rx_sc::kEmpty;
    if (ring.bd.is_last(i)) status |= hw::rx_sc::kWrap;
    hal_.coherent.write16(bd + hw::kOffStatus, status);
  }
  ring.bd.cur = 0;
}

void FecDriver::init_tx_descriptors(unsigned queue) {
  TxRing& ring = tx_[queue];
  for (uint32_t i = 0; i < ring.bd.size; ++i) {
    purge_slot(ring, i);
    hal_.coherent.write16(ring.bd.at(i) + hw::kOffStatus,
                          ring.bd.is_last(i) ? hw::tx_sc::kWrap : 0);
  }
  ring.bd.cur = 0;
  ring.dirty = ring.bd.size - 1;
  ring.doorbell_due = false;
}

// Releases whatever a slot holds, by its type, and forgets the descriptor's buffer.
void FecDriver::purge_slot(TxRing& ring, uint32_t index) {
  TxSlot& slot = ring.slots[index];
  const hal::DmaAddr bd = ring.bd.at(index);
  const uint32_t addr = hal_.coherent.read32(bd + hw::kOffAddress);
  if (addr != 0 && slot.type != TxBuffer::kXdpTx && !ring.is_tso_header(addr)) {
    hal_.dma.unmap(addr, hal_.coherent.read16(bd + hw::kOffLength), hal::DmaDir::kToDevice);
  }
  give_back(slot);
  slot = TxSlot{};
  hal_.coherent.write32(bd + hw::kOffAddress, 0);
}

void FecDriver::give_back(TxSlot& slot) {
  switch (slot.type) {
    case TxBuffer::kSkb:
      if (slot.skb != nullptr) stack_.skbs().free(*slot.skb);
      break;
    case TxBuffer::kXdpNdo:
      stack::return_frame(hal_, *slot.frame);
      break;
    case TxBuffer::kXdpTx:
      if (slot.frame != nullptr) stack::touch_frame(hal_.dma, *slot.page, hal::Touch::kRead);
      // The lines are clean: XDP_TX cleaned what it sent, and nobody has written since.
      slot.page->pool->put(*slot.page, config_.dma_sync == DmaSync::kFull ? hw::kRxUsable : 0);
      break;
  }
}

uint64_t FecDriver::pending_rx(const CoherentPeek& peek) const {
  uint64_t frames = 0;
  for (const RxRing& ring : rx_) {
    if (ring.pool == nullptr) continue;
    uint32_t index = ring.bd.cur;
    for (uint32_t n = 0; n < ring.bd.size; ++n, index = ring.bd.next(index)) {
      const uint16_t status = peek.peek16(ring.bd.at(index) + hw::kOffStatus);
      if ((status & hw::rx_sc::kEmpty) != 0) break;
      if ((status & hw::rx_sc::kLast) != 0) ++frames;
    }
  }
  return frames;
}

uint64_t FecDriver::pending_tx() const {
  uint64_t frames = 0;
  for (const TxRing& ring : tx_) {
    for (uint32_t i = ring.bd.next(ring.dirty); i != ring.bd.cur; i = ring.bd.next(i)) {
      if (ring.slots[i].ends_frame) ++frames;
    }
  }
  return frames;
}

uint64_t FecDriver::pending_tx_device(const CoherentPeek& peek) const {
  uint64_t frames = 0;
  for (const TxRing& ring : tx_) {
    for (uint32_t i = ring.bd.next(ring.dirty); i != ring.bd.cur; i = ring.bd.next(i)) {
      const uint16_t status = peek.peek16(ring.bd.at(i) + hw::kOffStatus);
      if (ring.slots[i].ends_frame && (status & hw::tx_sc::kReady) != 0) ++frames;
    }
  }
  return frames;
}

void FecDriver::count_reset_losses() {
  if (peek_ == nullptr) return;
  stack_.drops().count(stack::DropReason::kRxRingReset, pending_rx(*peek_));
  stack_.drops().count(stack::DropReason::kTxRingReset, pending_tx_device(*peek_));
}

}  // namespace doorbell::drivers::fec
