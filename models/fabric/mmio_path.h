// The way of register accesses between a core and a device.
//
// SimMmio (sim/hal/simulated) asks a path when an access arrives, so that doorbells share the link
// with everything else. Calls reserve what they use; times may run ahead of the calendar by what
// cores run ahead. Contract: writes of one device arrive in order of call for equal or later `at`;
// an answer (back) comes behind every device write issued before it.
#pragma once

#include "models/base/units.h"

namespace doorbell::fabric {

class MmioPath {
 public:
  virtual ~MmioPath() = default;
  /// Posted write of `bytes` that leaves the core at `at`: its arrival at the device.
  virtual base::Picos forward(base::Picos at, unsigned bytes) = 0;
  /// Read request that leaves the core at `at`: its arrival at the device, behind earlier writes.
  virtual base::Picos request(base::Picos at) = 0;
  /// The device has `bytes` of answer at `at`: when the core has them.
  virtual base::Picos back(base::Picos at, unsigned bytes) = 0;
};

/// Constant latencies and no contention: a peripheral on the SoC's own bus.
class ConstantMmioPath : public MmioPath {
 public:
  ConstantMmioPath(base::Picos forward_latency, base::Picos back_latency)
      : forward_(forward_latency), back_(back_latency) {}
  base::Picos forward(base::Picos at, unsigned) override { return at + forward_; }
  base::Picos request(base::Picos at) override { return at + forward_; }
  base::Picos back(base::Picos at, unsigned) override { return at + back_; }

 private:
  base::Picos forward_;
  base::Picos back_;
};

}  // namespace doorbell::fabric
