// Frames that a test recognises: a number in each.
#pragma once

#include <cstring>
#include <vector>

#include "models/base/bytes.h"
#include "sim/apps/xdpsock.h"
#include "sim/hal/process.h"

namespace doorbell::apps {

/// 60 bytes: a counter a socket, and the socket's number.
class CountingFiller : public FrameFiller {
 public:
  explicit CountingFiller(hal::SharedMemory& memory) : memory_(memory), next_(16, 0) {}
  uint32_t fill(uint8_t* to, uint32_t room, unsigned socket) override {
    uint8_t frame[60] = {};
    if (room < sizeof frame) return 0;
    base::store_le<uint64_t>(frame + 16, next_[socket]++);
    frame[24] = static_cast<uint8_t>(socket);
    memory_.poke(to, {frame, sizeof frame});
    return sizeof frame;
  }
  uint64_t made(unsigned socket) const { return next_[socket]; }
  static uint64_t number_of(const uint8_t* frame) { return base::load_le<uint64_t>(frame + 16); }

 private:
  hal::SharedMemory& memory_;
  std::vector<uint64_t> next_;
};

}  // namespace doorbell::apps
