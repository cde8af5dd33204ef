// System calls of a socket, and copy-mode transmit, which runs in them.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "sim/stack/xsk/socket.h"

namespace doorbell::stack::xsk {

namespace {

// sk_buff and skb_shared_info, and the allocator's size classes, as sock_alloc_send_skb charges.
constexpr uint32_t kSkbBytes = 256;
constexpr uint32_t kSkbHeadroom = 64;
constexpr uint32_t kSmallestClass = 64;

uint32_t true_size(uint32_t packet) {
  const uint32_t head = kSkbHeadroom + packet + kSharedInfoBytes;
  uint32_t size = kSmallestClass;
  while (size < head) size *= 2;
  return size + kSkbBytes;
}

}  // namespace

int Socket::sendto(hal::Process& process) {
  hal_.cpu.charge(hal::Op::kSyscall);
  hal_.cpu.charge(hal::Op::kXskSendmsg);
  process.preempt();
  if (!bound_) return -ENXIO;
  if (!device_->running()) return -ENETDOWN;
  if (tx_ == nullptr) return -ENOBUFS;
  if (busy_loop(process) && zero_copy_) return 0;
  if (!bound_) return -ENXIO;
  if ((pool_->need_wakeup() & kWakeupTx) == 0) return 0;
  return zero_copy_ ? wake_driver(kWakeupTx) : generic_xmit(process);
}

int Socket::recvfrom(hal::Process& process) {
  hal_.cpu.charge(hal::Op::kSyscall);
  hal_.cpu.charge(hal::Op::kXskSendmsg);
  process.preempt();
  if (!bound_) return -ENXIO;
  if (!device_->running()) return -ENETDOWN;
  if (rx_ == nullptr) return -ENOBUFS;
  if (busy_loop(process) && zero_copy_) return 0;
  if (!bound_) return -ENXIO;
  if ((pool_->need_wakeup() & kWakeupRx) == 0 || !zero_copy_) return 0;
  return wake_driver(kWakeupRx);
}

uint32_t Socket::poll(hal::Process& process, uint32_t events, base::Picos timeout) {
  hal_.cpu.charge(hal::Op::kSyscall);
  const bool for_ever = timeout == base::kNever;
  const base::Picos deadline = for_ever ? base::kNever : hal_.cpu.now() + timeout;
  for (;;) {
    hal_.cpu.charge(hal::Op::kXskPoll);
    process.preempt();
    if (!bound_) return 0;
    // From here on a packet that arrives wakes us: none falls between the look and the sleep.
    waiter_ = &process;
    busy_loop(process);
    if (bound_ && pool_->need_wakeup() != 0) {
      if (zero_copy_) {
        wake_driver(pool_->need_wakeup());
      } else if (tx_ != nullptr) {
        generic_xmit(process);
      }
    }
    const uint32_t ready = ready_events() & events;
    const base::Picos now = hal_.cpu.now();
    if (!bound_ || ready != 0 || (!for_ever && now >= deadline)) {
      waiter_ = nullptr;
      return ready;
    }
    const bool woken = process.sleep(for_ever ? base::kNever : deadline - now);
    // Woken, but not by this socket: a signal.
    const bool interrupted = woken && waiter_ != nullptr;
    waiter_ = nullptr;
    if (interrupted) return 0;
  }
}

uint32_t Socket::ready_events() {
  uint32_t ready = 0;
  if (rx_ != nullptr && !rx_->empty()) ready |= kPollIn;
  // Writable while at most half of the Tx ring waits.
  if (tx_ != nullptr && tx_->waiting() <= tx_->ring.entries() / 2) ready |= kPollOut;
  return ready;
}

int Socket::wake_driver(uint32_t flags) {
  hal_.cpu.charge(hal::Op::kXskWakeup);
  ++wakeups;
  return device_->xsk_wakeup(queue_, flags);
}

// sk_busy_loop, one round. False: not set, or nobody to poll.
bool Socket::busy_loop(hal::Process& process) {
  if (busy_poll_budget_ == 0) return false;
  hal::Napi* napi = device_->queue_napi(queue_);
  if (napi == nullptr) return false;
  hal_.cpu.charge(hal::Op::kBusyPoll);
  napi->busy_poll(busy_poll_budget_, busy_poll_hold_);
  process.bh_enable();
  return true;
}

int Socket::generic_xmit(hal::Process& process) {
  uint32_t left = sockets_.config().tx_batch;
  int result = 0;
  Desc desc;
  while (result == 0 && pool_->next_valid(*tx_, desc)) {
    if (left-- == 0) {
      result = -EAGAIN;
      break;
    }
    hal_.cpu.charge(hal::Op::kXskTxCopy);
    switch (send_one(desc)) {
      case Sent::kSent:
        break;
      case Sent::kStop:
        tx_->release();
        return 0;
      case Sent::kBusy:
        result = -EAGAIN;
        break;
      case Sent::kDropped:
        result = -EBUSY;
        break;
    }
    process.bh_enable();
    if (!bound_) return -ENXIO;
  }
  tx_->release();
  return result;
}

// The completion is reserved first: what could not be reported is not sent.
Socket::Sent Socket::send_one(const Desc& desc) {
  if (!pool_->completion_->reserve_addr(desc.addr)) return Sent::kStop;
  bool too_long = false;
  SkBuff* skb = build_skb(desc, too_long);
  if (skb == nullptr && !too_long) {
    pool_->completion_->unreserve(1);
    return Sent::kBusy;
  }
  tx_->take(1);
  if (skb == nullptr) {
    stack_.drops().count(DropReason::kXskTxDropped);
    ++tx_dropped;
    pool_->tx_completed(1);
    return Sent::kDropped;
  }
  switch (stack_.direct_xmit(*device_, *skb, static_cast<uint16_t>(queue_))) {
    case NetStack::Direct::kSent:
      ++tx_queued;
      return Sent::kSent;
    case NetStack::Direct::kDropped:
      ++tx_dropped;
      return Sent::kDropped;
    case NetStack::Direct::kBusy:
      break;
  }
  // The packet stays in the Tx ring: the sk_buff goes without a completion.
  ++tx_busy;
  tx_->untake(1);
  skb->destructor = nullptr;
  book_->memory -= skb->truesize;
  --book_->skbs;
  pool_->completion_->unreserve(1);
  stack_.skbs().free(*skb);
  return Sent::kBusy;
}

SkBuff* Socket::build_skb(const Desc& desc, bool& too_long) {
  // An sk_buff here has one page; longer packets would take page fragments.
  too_long = desc.len > kPageBytes - kSkbHeadroom - kSharedInfoBytes;
  if (too_long || book_->memory >= sockets_.config().send_buffer) return nullptr;
  SkBuff* skb = stack_.skbs().alloc(kSkbHeadroom);
  if (skb == nullptr) return nullptr;
  const uint8_t* from = umem_->at(desc.addr);
  uint8_t* to = skb->put(desc.len);
  hal_.dma.touch(from, desc.len, hal::Touch::kRead);
  hal_.dma.touch(to, desc.len, hal::Touch::kWrite);
  hal_.cpu.charge(hal::Op::kCopyOctets, (desc.len + 7) / 8);
  std::memcpy(to, from, desc.len);
  skb->device = device_;
  skb->truesize = true_size(desc.len);
  skb->destructor = book_.get();
  skb->destructor_arg = desc.addr;
  book_->memory += skb->truesize;
  ++book_->skbs;
  return skb;
}

}  // namespace doorbell::stack::xsk
