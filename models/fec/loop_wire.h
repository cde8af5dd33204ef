// The inside path of RCR.LOOP: what the MAC sends it receives, at the same time.
//
// A wire of zero length with room for a few frames, allocated when it is first used. Frames that
// find it full are lost: the receive side has fallen behind, as on a real loop.
#pragma once

#include <cstring>
#include <vector>

#include "models/fec/byte_ring.h"
#include "models/net/wire.h"

namespace doorbell::fec {

class LoopWire final : public net::WireIn, public net::WireOut {
 public:
  const net::Arrival* peek() override { return queue_.empty() ? nullptr : &queue_.front(); }
  void pop() override { queue_.pop(); }
  void set_listener(net::ArrivalListener* listener) override { listener_ = listener; }
  void transmit(base::Picos start, base::ByteView bytes, uint8_t flaws) override {
    const uint64_t id = sent_++;
    if (queue_.full() || bytes.size > kLongestFrame) return;
    if (data_.empty()) data_.resize(size_t{kFrames} * kLongestFrame);
    uint8_t* copy = data_.data() + id % kFrames * kLongestFrame;
    std::memcpy(copy, bytes.data, bytes.size);
    queue_.push() = {start, {copy, bytes.size}, id, flaws};
    if (queue_.size() == 1 && listener_ != nullptr) listener_->arrivals_changed();
  }

 private:
  static constexpr uint32_t kFrames = 16;
  net::ArrivalListener* listener_ = nullptr;
  RecordQueue<net::Arrival> queue_{kFrames};
  std::vector<uint8_t> data_;
  uint64_t sent_ = 0;
};

}  // namespace doorbell::fec
