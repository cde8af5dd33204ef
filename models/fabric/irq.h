// Interrupt wires: what a device drives, and what an interrupt controller implements.
#pragma once

#include "models/base/units.h"

namespace doorbell::fabric {

/// Level-triggered lines of one device. `line` counts from 0 in the order of the device's data
/// sheet.
class IrqSink {
 public:
  virtual ~IrqSink() = default;
  /// The line takes `level` at time `at`, which is the time of the calendar event that calls.
  /// Called only on changes.
  virtual void set_level(unsigned line, bool level, base::Picos at) = 0;
};

}  // namespace doorbell::fabric
