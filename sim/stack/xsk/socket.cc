// Life of a socket: UMEM, rings, bind, close; and the receive side. socket_calls.cc has the system
// calls and copy-mode transmit.
#include "sim/stack/xsk/socket.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

namespace doorbell::stack::xsk {

Sockets::Sockets(NetStack& stack, hal::SharedMemory& memory, const SocketsConfig& config)
    : stack_(stack), memory_(memory), config_(config) {}

Sockets::~Sockets() {
  assert(pools_.empty() && "close the sockets first");
  assert(books_.empty() && "free the sk_buffs first");
}

Pool* Sockets::pool(const NetDevice& device, uint32_t queue) const {
  for (Pool* pool : pools_) {
    if (pool->device() == &device && pool->queue() == queue) return pool;
  }
  return nullptr;
}

uint32_t Sockets::skbs_of_closed() const {
  uint32_t sum = 0;
  for (const auto& book : books_) sum += book->skbs;
  return sum;
}

// xp_assign_dev.
int Sockets::assign(Pool& pool, NetDevice& device, uint32_t queue, uint32_t flags) {
  const bool force_zero_copy = (flags & kBindZeroCopy) != 0;
  const bool force_copy = (flags & kBindCopy) != 0;
  if (force_zero_copy && force_copy) return -EINVAL;
  if (queue >= device.queue_count()) return -EINVAL;
  if (this->pool(device, queue) != nullptr) return -EBUSY;
  pool.device_ = &device;
  pool.queue_ = queue;
  pool.uses_need_wakeup_ = (flags & kBindNeedWakeup) != 0;
  // The first packet needs a wake-up, and so does every one of a driver that knows no flag.
  pool.cached_need_wakeup_ = kWakeupTx;
  pools_.push_back(&pool);
  if (force_copy) return 0;
  int error = device.setup_xsk_pool(&pool, queue);
  if (error == 0 && !pool.mapped()) {
    device.setup_xsk_pool(nullptr, queue);
    error = -EINVAL;
  }
  if (error == 0) {
    pool.umem_->zero_copy = true;
    return 0;
  }
  if (!force_zero_copy) return 0;
  pools_.pop_back();
  pool.device_ = nullptr;
  return error;
}

void Sockets::clear(Pool& pool) {
  if (pool.umem_->zero_copy) pool.device_->setup_xsk_pool(nullptr, pool.queue_);
  if (pool.mapped()) pool.unmap();
  pools_.erase(std::remove(pools_.begin(), pools_.end(), &pool), pools_.end());
}

void Sockets::forget(const SendBook& book) {
  books_.erase(std::remove_if(books_.begin(), books_.end(),
                              [&book](const auto& held) { return held.get() == &book; }),
               books_.end());
}

void SendBook::skb_freed(SkBuff& skb) {
  pool_->tx_completed(1);
  memory -= skb.truesize;
  --skbs;
  if (socket != nullptr) {
    socket->wake_waiter();
  } else if (skbs == 0) {
    sockets_.forget(*this);  // and with it this object
  }
}

Socket::Socket(Sockets& sockets) : sockets_(sockets), stack_(sockets.stack()), hal_(stack_.hal()) {}

Socket::~Socket() {
  close();
}

int Socket::register_umem(const UmemConfig& config) {
  if (umem_ != nullptr || bound_) return -EBUSY;
  if (const int error = check_umem(config)) return error;
  auto umem = std::make_shared<Umem>(sockets_.memory(), config);
  if (!umem->valid()) return -ENOMEM;
  umem_ = std::move(umem);
  return 0;
}

int Socket::set_ring(RingKind kind, uint32_t entries) {
  if (bound_) return -EBUSY;
  if (entries == 0 || (entries & (entries - 1)) != 0) return -EINVAL;
  std::unique_ptr<Queue>& slot = kind == RingKind::kRx     ? rx_
                                 : kind == RingKind::kTx   ? tx_
                                 : kind == RingKind::kFill ? fill_
                                                           : completion_;
  if (slot != nullptr) return -EINVAL;
  auto queue = std::make_unique<Queue>(hal_.dma, sockets_.memory(), kind, entries);
  if (!queue->ring.valid()) return -ENOMEM;
  // Transmit has to be woken the first time.
  if (kind == RingKind::kTx) queue->ring.set_flags(kRingNeedWakeup);
  slot = std::move(queue);
  return 0;
}

int Socket::bind(NetDevice& device, uint32_t queue, uint32_t flags, Socket* shared) {
  constexpr uint32_t kModes = kBindCopy | kBindZeroCopy | kBindNeedWakeup;
  if (bound_) return -EBUSY;
  if ((flags & ~(kModes | kBindSharedUmem)) != 0) return -EINVAL;
  if (rx_ == nullptr && tx_ == nullptr) return -EINVAL;
  if ((flags & kBindSharedUmem) != 0) {
    // Mode and flags are the partner's, and so is the UMEM.
    if ((flags & kModes) != 0 || umem_ != nullptr || shared == nullptr) return -EINVAL;
    if (!shared->bound_) return -EBADF;
    return bind_shared(device, queue, *shared);
  }
  if (umem_ == nullptr || fill_ == nullptr || completion_ == nullptr) return -EINVAL;
  return bind_own(device, queue, flags);
}

std::shared_ptr<Pool> Socket::make_pool() {
  return std::make_shared<Pool>(stack_, umem_, std::move(fill_), std::move(completion_),
                                sockets_.config().pool);
}

// A failed bind gives the rings back to the socket.
int Socket::bind_own(NetDevice& device, uint32_t queue, uint32_t flags) {
  std::shared_ptr<Pool> pool = make_pool();
  if (const int error = sockets_.assign(*pool, device, queue, flags)) {
    fill_ = std::move(pool->fill_);
    completion_ = std::move(pool->completion_);
    return error;
  }
  join(std::move(pool), device, queue);
  return 0;
}

int Socket::bind_shared(NetDevice& device, uint32_t queue, Socket& shared) {
  if (shared.device_ == &device && shared.queue_ == queue) {
    if (fill_ != nullptr || completion_ != nullptr) return -EINVAL;
    umem_ = shared.umem_;
    join(shared.pool_, device, queue);
    return 0;
  }
  if (fill_ == nullptr || completion_ == nullptr) return -EINVAL;
  const uint32_t wakeup = shared.pool_->uses_need_wakeup() ? kBindNeedWakeup : 0;
  umem_ = shared.umem_;
  const int error =
      bind_own(device, queue, wakeup | (shared.zero_copy_ ? kBindZeroCopy : kBindCopy));
  if (error != 0) umem_ = nullptr;
  return error;
}

void Socket::join(std::shared_ptr<Pool> pool, NetDevice& device, uint32_t queue) {
  pool_ = std::move(pool);
  device_ = &device;
  queue_ = queue;
  zero_copy_ = umem_->zero_copy;
  book_ = std::make_shared<SendBook>(sockets_, pool_);
  book_->socket = this;
  pool_->add_socket(*this);
  bound_ = true;
}

void Socket::close() {
  stack_.redirector().forget(*this);
  wake_waiter();
  if (!bound_) return;
  bound_ = false;
  // The account needs this socket's rings, and the driver must be done first.
  if (pool_->sockets_.size() == 1) {
    pool_->tx_sockets_.clear();
    sockets_.clear(*pool_);
    final_account_.emplace(*pool_);
  }
  pool_->remove_socket(*this);
  book_->socket = nullptr;
  if (book_->skbs != 0) sockets_.books_.push_back(book_);
  book_.reset();
  pool_.reset();
}

RingMemory* Socket::ring(RingKind kind) {
  switch (kind) {
    case RingKind::kRx:
      return rx_ != nullptr ? &rx_->ring : nullptr;
    case RingKind::kTx:
      return tx_ != nullptr ? &tx_->ring : nullptr;
    case RingKind::kFill:
      if (pool_ != nullptr) return &pool_->fill_->ring;
      return fill_ != nullptr ? &fill_->ring : nullptr;
    case RingKind::kCompletion:
      if (pool_ != nullptr) return &pool_->completion_->ring;
      return completion_ != nullptr ? &completion_->ring : nullptr;
  }
  return nullptr;
}

Statistics Socket::statistics() const {
  Statistics s;
  s.rx_dropped = rx_dropped_;
  s.rx_ring_full = rx_queue_full_;
  if (pool_ != nullptr) {
    s.rx_invalid_descs = pool_->fill_->invalid_descs;
    s.rx_fill_ring_empty_descs = pool_->fill_->empty_descs;
  }
  if (tx_ != nullptr) {
    s.tx_invalid_descs = tx_->invalid_descs;
    s.tx_ring_empty_descs = tx_->empty_descs;
  }
  return s;
}

// xsk_rcv_check.
int Socket::check_receive(const XdpBuff& buff) {
  if (!bound_ || rx_ == nullptr || buff.rxq == nullptr) return -ENXIO;
  if (buff.rxq->device != device_ || buff.rxq->index != queue_) return -ENXIO;
  if (buff.length() > pool_->rx_frame_bytes()) {
    ++rx_dropped_;
    return -ENOSPC;
  }
  return 0;
}

int Socket::receive(XdpBuff& buff) {
  if (const int error = check_receive(buff)) return error;
  if (buff.xsk == pool_.get()) {
    hal_.cpu.charge(hal::Op::kXskRxZc);
    return hand_over(static_cast<Buffer&>(buff));
  }
  const int error = copy_in(buff);
  if (error == 0) return_buff(hal_, buff);
  return error;
}

int Socket::receive_generic(const XdpBuff& buff) {
  if (const int error = check_receive(buff)) return error;
  const int error = copy_in(buff);
  flush();
  return error;
}

int Socket::copy_in(const XdpBuff& buff) {
  hal_.cpu.charge(hal::Op::kXskRxCopy);
  XdpBuff* to = pool_->take(true);
  if (to == nullptr) {
    ++rx_dropped_;
    return -ENOMEM;
  }
  const uint32_t bytes = buff.length();
  hal_.dma.touch(buff.data, bytes, hal::Touch::kRead);
  hal_.dma.touch(to->data, bytes, hal::Touch::kWrite);
  hal_.cpu.charge(hal::Op::kCopyOctets, (bytes + 7) / 8);
  std::memcpy(to->data, buff.data, bytes);
  to->data_end = to->data + bytes;
  const int error = hand_over(static_cast<Buffer&>(*to));
  if (error != 0) pool_->free(*to);
  return error;
}

// Into the Rx ring; the application sees it after flush().
int Socket::hand_over(Buffer& buffer) {
  if (!rx_->reserve_desc({pool_->handle_of(buffer), buffer.length(), 0})) {
    ++rx_queue_full_;
    return -ENOBUFS;
  }
  pool_->hand_over(buffer);
  ++rx_packets;
  return 0;
}

void Socket::flush() {
  if (!bound_ || rx_ == nullptr) return;
  hal_.cpu.charge(hal::Op::kXskFlush);
  rx_->submit();
  pool_->fill_->release();
  wake_waiter();
}

void Socket::wake_waiter() {
  if (waiter_ == nullptr) return;
  hal_.cpu.charge(hal::Op::kTaskWake);
  hal_.cpu.meet();
  waiter_->wake();
  waiter_ = nullptr;
}

}  // namespace doorbell::stack::xsk
