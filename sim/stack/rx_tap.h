// Who watches every packet that software receives.
//
// A driver calls the tap once per received frame, after sync_for_cpu and before anything changes
// the bytes (XDP program, VLAN strip). It costs no simulated time. The view is the CPU's: on a
// platform without coherency, lines that the CPU has not touched yet may hold older bytes in it, so
// a watcher that reads all of a frame asks its HAL what the CPU would see.
#pragma once

#include <array>
#include <cstring>

#include "models/base/bytes.h"

namespace doorbell::stack {

class ReceiveTap {
 public:
  virtual ~ReceiveTap() = default;
  /// `frame`: destination MAC to end of payload, without FCS; valid during the call.
  virtual void received(base::ByteView frame) = 0;
  /// The same for a frame in several buffers, in order. Unless overridden, received() is called
  /// with a copy, which is not in simulated memory.
  virtual void received_parts(const base::ByteView* parts, unsigned count) {
    std::array<uint8_t, 16384> whole;
    size_t bytes = 0;
    for (unsigned i = 0; i < count; ++i) {
      const size_t room = whole.size() - bytes;
      const size_t part = parts[i].size < room ? parts[i].size : room;
      std::memcpy(whole.data() + bytes, parts[i].data, part);
      bytes += part;
    }
    received({whole.data(), bytes});
  }
};

}  // namespace doorbell::stack
