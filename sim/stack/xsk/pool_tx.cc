// The buffer pool's transmit half: descriptors out of the sockets' Tx rings, completions back.
#include <algorithm>
#include <cassert>

#include "sim/stack/xsk/pool.h"
#include "sim/stack/xsk/socket.h"

namespace doorbell::stack::xsk {

namespace {
// A socket of several on a queue may send this many before it is another one's turn.
constexpr uint32_t kPerSocketBudget = 32;
}  // namespace

void Pool::add_socket(Socket& socket) {
  sockets_.push_back(&socket);
  if (socket.tx_ == nullptr) return;
  tx_sockets_.push_back(&socket);
  if (tx_descs_.size() < socket.tx_->ring.entries()) tx_descs_.resize(socket.tx_->ring.entries());
}

void Pool::remove_socket(Socket& socket) {
  sockets_.erase(std::remove(sockets_.begin(), sockets_.end(), &socket), sockets_.end());
  tx_sockets_.erase(std::remove(tx_sockets_.begin(), tx_sockets_.end(), &socket),
                    tx_sockets_.end());
}

// The address of an invalid descriptor takes its place among the completions. False: no room.
bool Pool::reclaim(uint64_t addr) {
  if (!config_.reclaim_invalid) return true;
  const uint32_t index = completion_->cached_producer;
  if (!completion_->reserve_addr(addr)) return false;
  if (completion_->ring.peek(kProducerOffset) == index) {
    completion_->submit(1);
  } else {
    reclaimed_.push_back(index);
  }
  return true;
}

// Skips invalid descriptors. The valid one is not taken yet.
bool Pool::next_valid(Queue& tx, Desc& desc) {
  while (tx.available(1) != 0) {
    tx.ring.touch(tx.next(), 1, hal::Touch::kRead);
    desc = tx.ring.desc(tx.next());
    if (umem_->valid_desc(desc)) return true;
    if (!reclaim(desc.addr)) return false;
    ++tx.invalid_descs;
    tx.take(1);
  }
  return false;
}

bool Pool::peek_socket(Socket& socket, Desc& desc) {
  Queue& tx = *socket.tx_;
  hal_.cpu.charge(hal::Op::kXskPeek);
  if (!next_valid(tx, desc)) return false;
  // Back pressure: what the completion ring has no room for is not sent.
  if (!completion_->reserve_addr(desc.addr)) return false;
  tx.take(1);
  return true;
}

bool Pool::tx_peek(Desc& desc) {
  for (unsigned round = 0; round < 2; ++round) {
    bool spent = false;
    for (Socket* socket : tx_sockets_) {
      if (socket->peek_budget_spent_ >= kPerSocketBudget) {
        spent = true;
        continue;
      }
      if (peek_socket(*socket, desc)) {
        ++socket->peek_budget_spent_;
        return true;
      }
    }
    if (!spent) return false;
    for (Socket* socket : tx_sockets_) socket->peek_budget_spent_ = 0;
  }
  return false;
}

void Pool::tx_release() {
  for (Socket* socket : tx_sockets_) {
    socket->tx_->release();
    socket->wake_waiter();
  }
}

uint32_t Pool::peek_in_turn(uint32_t max) {
  uint32_t count = 0;
  while (count < max && tx_peek(tx_descs_[count])) ++count;
  tx_release();
  return count;
}

// `count` entries are there, and as many places for completions.
uint32_t Pool::read_batch(Queue& tx, uint32_t count) {
  tx.ring.touch(tx.next(), count, hal::Touch::kRead);
  completion_->ring.touch(completion_->cached_producer, count, hal::Touch::kWrite);
  hal_.cpu.charge(hal::Op::kXskPeek, count);
  uint32_t valid = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Desc desc = tx.ring.desc(tx.next());
    tx.take(1);
    if (!umem_->valid_desc(desc)) {
      ++tx.invalid_descs;
      reclaim(desc.addr);
      continue;
    }
    completion_->ring.set_addr(completion_->cached_producer++, desc.addr);
    tx_descs_[valid++] = desc;
  }
  return valid;
}

uint32_t Pool::tx_peek_batch(uint32_t max) {
  hal_.cpu.charge(hal::Op::kXskPeekBatch);
  max = std::min(max, static_cast<uint32_t>(tx_descs_.size()));
  if (max == 0) return 0;
  if (tx_sockets_.size() != 1) return tx_sockets_.empty() ? 0 : peek_in_turn(max);
  Socket& socket = *tx_sockets_.front();
  Queue& tx = *socket.tx_;
  uint32_t count = tx.available(max);
  if (count == 0) {
    ++tx.empty_descs;
    return 0;
  }
  count = completion_->free_entries(count);
  if (count == 0) return 0;
  const uint32_t valid = read_batch(tx, count);
  tx.release();
  socket.wake_waiter();
  return valid;
}

void Pool::raw_sync_for_device(hal::DmaAddr dma, uint32_t bytes) {
  dma_hal_->dma.sync_for_device(dma, bytes, hal::DmaDir::kBidirectional);
}

// Completions are positional: invalid descriptors between those that were sent are done when the
// ones before them are.
void Pool::tx_completed(uint32_t count) {
  hal_.cpu.charge(hal::Op::kXskComplete);
  uint32_t producer = completion_->ring.producer();
  for (;;) {
    if (!reclaimed_.empty() && reclaimed_.front() == producer) {
      reclaimed_.pop_front();
    } else if (count > 0) {
      --count;
    } else {
      break;
    }
    ++producer;
    assert(static_cast<int32_t>(completion_->cached_producer - producer) >= 0);
  }
  completion_->ring.set_producer(producer);
}

}  // namespace doorbell::stack::xsk
