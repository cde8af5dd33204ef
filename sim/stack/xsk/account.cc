#include "sim/stack/xsk/account.h"

#include <algorithm>

#include "sim/stack/xsk/pool.h"
#include "sim/stack/xsk/socket.h"

namespace doorbell::stack::xsk {

const char* place_name(Place place) {
  static constexpr const char* kNames[kPlaceCount] = {
      "application", "fill ring", "pool", "driver", "rx ring", "tx ring", "sending", "completion"};
  return kNames[static_cast<size_t>(place)];
}

Account::Account(const Pool& pool) : holders_(pool.umem_->chunks()) {
  add(pool);
}

void Account::found(const Pool& pool, uint64_t addr, Place place) {
  const uint32_t chunk = pool.umem_->chunk_of(addr);
  if (chunk >= holders_.size()) {
    ++strays_;
    return;
  }
  holders_[chunk].push_back(place);
}

void Account::add(const Pool& pool) {
  const Queue& fill = *pool.fill_;
  for (uint32_t i = fill.cached_consumer; i != fill.ring.peek(kProducerOffset); ++i) {
    found(pool, fill.ring.addr(i), Place::kFillRing);
  }
  for (const Buffer& buffer : pool.buffers_) {
    if (buffer.state == Buffer::State::kFree) found(pool, buffer.orig_addr, Place::kPool);
    if (buffer.state == Buffer::State::kOut) found(pool, buffer.orig_addr, Place::kDriver);
  }
  const Queue& done = *pool.completion_;
  const uint32_t published = done.ring.peek(kProducerOffset);
  for (uint32_t i = done.ring.peek(kConsumerOffset); i != published; ++i) {
    found(pool, done.ring.addr(i), Place::kCompletion);
  }
  for (uint32_t i = published; i != done.cached_producer; ++i) {
    found(pool, done.ring.addr(i), Place::kSending);
  }
  for (const Socket* socket : pool.sockets_) scan_socket(pool, *socket);
}

void Account::scan_socket(const Pool& pool, const Socket& socket) {
  if (socket.rx_ != nullptr) {
    const Queue& rx = *socket.rx_;
    for (uint32_t i = rx.ring.peek(kConsumerOffset); i != rx.cached_producer; ++i) {
      found(pool, rx.ring.desc(i).addr, Place::kRxRing);
    }
  }
  if (socket.tx_ != nullptr) {
    const Queue& tx = *socket.tx_;
    for (uint32_t i = tx.cached_consumer; i != tx.ring.peek(kProducerOffset); ++i) {
      found(pool, tx.ring.desc(i).addr, Place::kTxRing);
    }
  }
}

uint64_t Account::at(Place place) const {
  uint64_t sum = 0;
  for (const auto& places : holders_) {
    if (place == Place::kApplication) {
      sum += places.empty() ? 1 : 0;
    } else {
      sum += static_cast<uint64_t>(std::count(places.begin(), places.end(), place));
    }
  }
  return sum;
}

uint32_t Account::doubled() const {
  return static_cast<uint32_t>(std::count_if(holders_.begin(), holders_.end(),
                                             [](const auto& places) { return places.size() > 1; }));
}

std::vector<Place> Account::places_of(uint32_t chunk) const {
  return holders_[chunk];
}

std::string Account::summary() const {
  std::string text;
  for (size_t i = 0; i < kPlaceCount; ++i) {
    const auto place = static_cast<Place>(i);
    if (at(place) == 0) continue;
    if (!text.empty()) text += ", ";
    text += std::string(place_name(place)) + " " + std::to_string(at(place));
  }
  return text;
}

}  // namespace doorbell::stack::xsk
