// Who watches every packet that software receives.
//
// A driver calls the tap once per received frame, after sync_for_cpu and before anything changes
// the bytes (XDP program, VLAN strip). It costs no simulated time. The view is the CPU's: on a
// platform without coherency, lines that the CPU has not touched yet may hold older bytes in it, so
// a watcher that reads all of a frame asks its HAL what the CPU would see.
#pragma once

#include "models/base/bytes.h"

namespace doorbell::stack {

class ReceiveTap {
 public:
  virtual ~ReceiveTap() = default;
  /// `frame`: destination MAC to end of payload, without FCS; valid during the call.
  virtual void received(base::ByteView frame) = 0;
};

}  // namespace doorbell::stack
