#include "models/net/cable.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace doorbell::net {

Cable::Cable(base::Picos propagation, uint32_t frames, uint32_t frame_bytes) {
  assert(frames > 0);
  a_.init(&b_, propagation, frames, frame_bytes);
  b_.init(&a_, propagation, frames, frame_bytes);
}

void Cable::End::init(End* other, base::Picos propagation, uint32_t frames, uint32_t frame_bytes) {
  other_ = other;
  propagation_ = propagation;
  frame_bytes_ = frame_bytes;
  pool_.resize(size_t{frames} * frame_bytes);
  arrivals_.resize(frames);
}

const Arrival* Cable::End::peek() {
  return used_ == 0 ? nullptr : &arrivals_[head_];
}

void Cable::End::pop() {
  assert(used_ > 0);
  head_ = head_ + 1 == arrivals_.size() ? 0 : head_ + 1;
  --used_;
}

void Cable::End::transmit(base::Picos start, base::ByteView bytes, uint8_t flaws) {
  const uint64_t id = sent_++;
  if (other_->used_ == other_->arrivals_.size() || bytes.size > other_->frame_bytes_) {
    ++lost_;
    return;
  }
  other_->take(start + propagation_, bytes, flaws, id);
}

void Cable::End::take(base::Picos arrival, base::ByteView bytes, uint8_t flaws, uint64_t id) {
  const size_t slot = (size_t{head_} + used_) % arrivals_.size();
  uint8_t* copy = pool_.data() + slot * frame_bytes_;
  std::memcpy(copy, bytes.data, bytes.size);
  arrivals_[slot] = {arrival, {copy, bytes.size}, id, flaws};
  ++used_;
  // Frames keep their order on a cable: only the first one can change what peek() says.
  if (used_ == 1 && listener_ != nullptr) listener_->arrivals_changed();
}

}  // namespace doorbell::net
