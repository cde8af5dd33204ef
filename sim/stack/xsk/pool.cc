// The buffer pool's receive half, set-up and wake-up flags; pool_tx.cc has the transmit half.
#include "sim/stack/xsk/pool.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

#include "sim/stack/xsk/socket.h"

namespace doorbell::stack::xsk {

Pool::Pool(NetStack& stack, std::shared_ptr<Umem> umem, std::unique_ptr<Queue> fill,
           std::unique_ptr<Queue> completion, const PoolConfig& config)
    : stack_(stack),
      hal_(stack.hal()),
      umem_(std::move(umem)),
      fill_(std::move(fill)),
      completion_(std::move(completion)),
      config_(config),
      buffers_(umem_->chunks()) {
  for (Buffer& buffer : buffers_) {
    buffer.xsk = this;
    buffer.frame_size = chunk_bytes();
  }
  free_.reserve(buffers_.size());
  if (umem_->unaligned()) {
    heads_.reserve(buffers_.size());
    for (auto it = buffers_.rbegin(); it != buffers_.rend(); ++it) heads_.push_back(&*it);
  }
}

Pool::~Pool() {
  if (mapped()) unmap();
}

int Pool::map(hal::Hal& hal) {
  assert(!mapped());
  page_dma_.reserve((umem_->config().bytes + kPageBytes - 1) / kPageBytes);
  for (uint32_t at = 0; at < umem_->config().bytes; at += kPageBytes) {
    bool ok = false;
    page_dma_.push_back(
        hal.dma.map_no_sync(umem_->data() + at, kPageBytes, hal::DmaDir::kBidirectional, ok));
    if (!ok) {
      page_dma_.pop_back();
      dma_hal_ = &hal;
      unmap();
      return -ENOMEM;
    }
  }
  dma_hal_ = &hal;
  return 0;
}

void Pool::unmap() {
  assert(mapped());
  for (const hal::DmaAddr page : page_dma_) {
    dma_hal_->dma.unmap_no_sync(page, kPageBytes, hal::DmaDir::kBidirectional);
  }
  page_dma_.clear();
  dma_hal_ = nullptr;
}

uint32_t Pool::rx_frame_bytes() const {
  return chunk_bytes() - umem_->config().headroom - kXdpPacketHeadroom;
}

void Pool::set_rxq_info(const RxQueueInfo* rxq) {
  for (Buffer& buffer : buffers_) buffer.rxq = rxq;
}

hal::DmaAddr Pool::raw_dma(uint64_t addr) const {
  const uint64_t flat = umem_->flat(addr);
  return page_dma_[flat / kPageBytes] + flat % kPageBytes;
}

Buffer& Pool::bind_buffer(uint64_t addr) {
  Buffer* buffer = nullptr;
  if (umem_->unaligned()) {
    buffer = heads_.back();
    heads_.pop_back();
  } else {
    buffer = &buffers_[static_cast<size_t>(addr / chunk_bytes())];
  }
  const uint32_t headroom = umem_->config().headroom;
  buffer->orig_addr = addr;
  buffer->data_hard_start = umem_->data() + addr + headroom;
  buffer->dma = mapped() ? raw_dma(addr) + headroom + kXdpPacketHeadroom : 0;
  return *buffer;
}

Buffer* Pool::next_from_fill() {
  if (umem_->unaligned() && heads_.empty()) return nullptr;
  for (;;) {
    if (fill_->available(1) == 0) {
      ++fill_->empty_descs;
      return nullptr;
    }
    const uint32_t index = fill_->next();
    fill_->ring.touch(index, 1, hal::Touch::kRead);
    uint64_t addr = fill_->ring.addr(index);
    fill_->take(1);
    // A chunk that the pool or a driver has already is the application's mistake: not a second
    // time.
    const bool ok =
        umem_->valid_fill(addr) &&
        (umem_->unaligned() ||
         buffers_[static_cast<size_t>(addr / chunk_bytes())].state == Buffer::State::kIdle);
    if (ok) return &bind_buffer(addr);
    ++fill_->invalid_descs;
  }
}

XdpBuff* Pool::take(bool sync) {
  hal_.cpu.charge(hal::Op::kXskAlloc);
  Buffer* buffer = nullptr;
  if (!free_.empty()) {
    buffer = free_.back();
    free_.pop_back();
  } else {
    buffer = next_from_fill();
    if (buffer == nullptr) return nullptr;
  }
  buffer->state = Buffer::State::kOut;
  ++out_;
  set_size(*buffer, 0);
  if (sync && mapped()) {
    // Lines that the application has dirtied must not fall on what the device writes.
    dma_hal_->dma.sync_for_device(buffer->dma, rx_frame_bytes(), hal::DmaDir::kBidirectional);
  }
  return buffer;
}

XdpBuff* Pool::alloc() {
  return take(true);
}

uint32_t Pool::alloc_batch(XdpBuff** out, uint32_t max) {
  uint32_t count = 0;
  while (count < max) {
    out[count] = take(true);
    if (out[count] == nullptr) break;
    ++count;
  }
  return count;
}

bool Pool::can_alloc(uint32_t count) {
  const auto ready = static_cast<uint32_t>(free_.size());
  if (ready >= count) return true;
  const uint32_t wanted = count - ready;
  if (umem_->unaligned() && heads_.size() < wanted) return false;
  const uint32_t entries = fill_->cached_producer - fill_->cached_consumer;
  if (entries >= wanted) return true;
  fill_->cached_producer = fill_->ring.producer();
  return fill_->cached_producer - fill_->cached_consumer >= wanted;
}

void Pool::free(XdpBuff& buff) {
  auto& buffer = static_cast<Buffer&>(buff);
  assert(buffer.xsk == this && buffer.state == Buffer::State::kOut);
  hal_.cpu.charge(hal::Op::kXskFree);
  buffer.state = Buffer::State::kFree;
  --out_;
  free_.push_back(&buffer);
}

// xp_release: the chunk is the application's.
void Pool::hand_over(Buffer& buffer) {
  assert(buffer.state == Buffer::State::kOut);
  buffer.state = Buffer::State::kIdle;
  --out_;
  if (umem_->unaligned()) heads_.push_back(&buffer);
}

uint64_t Pool::handle_of(const Buffer& buffer) const {
  const auto offset =
      static_cast<uint64_t>(buffer.data - buffer.data_hard_start) + umem_->config().headroom;
  return umem_->unaligned() ? buffer.orig_addr | offset << kOffsetShift : buffer.orig_addr + offset;
}

hal::DmaAddr Pool::frame_dma(const XdpBuff& buff) const {
  return static_cast<const Buffer&>(buff).dma;
}

hal::DmaAddr Pool::dma(const XdpBuff& buff) const {
  const auto& buffer = static_cast<const Buffer&>(buff);
  return buffer.dma + static_cast<uint64_t>(buff.data - buff.data_hard_start) - kXdpPacketHeadroom;
}

void Pool::set_size(XdpBuff& buff, uint32_t bytes) const {
  buff.data = buff.data_hard_start + kXdpPacketHeadroom;
  buff.data_meta = buff.data;
  buff.data_end = buff.data + bytes;
}

void Pool::sync_for_cpu(const XdpBuff& buff) {
  dma_hal_->dma.sync_for_cpu(frame_dma(buff), rx_frame_bytes(), hal::DmaDir::kBidirectional);
}

XdpFrame* Pool::to_frame(XdpBuff& buff) {
  const uint32_t bytes = buff.length();
  if (bytes + kXdpFrameBytes > kPageBytes) return nullptr;
  uint8_t* data = hal_.dma.alloc_page();
  if (data == nullptr) return nullptr;
  hal_.cpu.charge(hal::Op::kPageAlloc);
  Page& page = stack_.pages().adopt(data);
  page.pool = nullptr;
  XdpFrame& frame = page.frame;
  hal_.dma.touch(buff.data, bytes, hal::Touch::kRead);
  hal_.dma.touch(data, kXdpFrameBytes + bytes, hal::Touch::kWrite);
  hal_.cpu.charge(hal::Op::kCopyOctets, (bytes + 7) / 8);
  std::memcpy(data + kXdpFrameBytes, buff.data, bytes);
  frame.data = data + kXdpFrameBytes;
  frame.len = bytes;
  frame.headroom = 0;
  frame.page = &page;
  frame.rx_device = buff.rxq != nullptr ? buff.rxq->device : nullptr;
  free(buff);
  return &frame;
}

void Pool::set_rx_need_wakeup() {
  if ((cached_need_wakeup_ & kWakeupRx) != 0) return;
  fill_->ring.set_flags(fill_->ring.peek(kFlagsOffset) | kRingNeedWakeup);
  cached_need_wakeup_ |= kWakeupRx;
}

void Pool::clear_rx_need_wakeup() {
  if ((cached_need_wakeup_ & kWakeupRx) == 0) return;
  fill_->ring.set_flags(fill_->ring.peek(kFlagsOffset) & ~kRingNeedWakeup);
  cached_need_wakeup_ &= ~kWakeupRx;
}

void Pool::set_tx_need_wakeup() {
  if ((cached_need_wakeup_ & kWakeupTx) != 0) return;
  for (Socket* socket : tx_sockets_) {
    RingMemory& ring = socket->tx_->ring;
    ring.set_flags(ring.peek(kFlagsOffset) | kRingNeedWakeup);
  }
  cached_need_wakeup_ |= kWakeupTx;
}

void Pool::clear_tx_need_wakeup() {
  if ((cached_need_wakeup_ & kWakeupTx) == 0) return;
  for (Socket* socket : tx_sockets_) {
    RingMemory& ring = socket->tx_->ring;
    ring.set_flags(ring.peek(kFlagsOffset) & ~kRingNeedWakeup);
  }
  cached_need_wakeup_ &= ~kWakeupTx;
}

}  // namespace doorbell::stack::xsk
