// taprio offload: a schedule of gates, and what its gate control list is made of.
//
// Pure arithmetic, no hardware. A list runs from a start time on and repeats. To go over to another
// list at a given moment, the running one is cut or its last operation made longer: the operation
// that ends then is replaced by an inserted one flagged CHANGE, and the operation before it is
// flagged INSERT, which is when the change must be known to the device. Units: nanoseconds of
// system time. Source: Linux 6.12 tsnep_tc.c (behaviour).
#pragma once

#include <cstdint>
#include <vector>

#include "models/tsnep/tsnep_regs.h"

namespace doorbell::drivers::tsnep {

namespace hw = doorbell::tsnep;

struct GateEntry {
  uint8_t gates = 0;      ///< bit n: transmit queue n may send
  uint32_t interval = 0;  ///< ns, at least 32
};

struct GateSchedule {
  uint64_t base_time = 0;
  uint64_t cycle_time = 0;       ///< the sum of the intervals
  uint64_t cycle_extension = 0;  ///< the last cycle may be longer by this; less than a cycle
  std::vector<GateEntry> entries;
};

/// 0, -EINVAL or -ERANGE (more entries than a list holds).
int check(const GateSchedule& schedule);

/// One operation to write.
struct GateOperation {
  unsigned index = 0;
  uint32_t properties = 0;
  uint32_t interval = 0;
};

/// How a running list ends at a given moment.
struct GateChange {
  GateOperation trigger;   ///< gets INSERT
  GateOperation inserted;  ///< operation 255, CHANGE
  uint64_t time = 0;       ///< GC_CHANGE: when the trigger begins
};

/// A list in the device.
class GateList {
 public:
  void set(const GateSchedule& schedule, uint64_t start);
  void clear() { entries_.clear(); }
  bool active() const { return !entries_.empty(); }
  uint64_t start() const { return start_; }

  std::vector<GateOperation> operations() const;
  /// Longest time before its end that a change must be known.
  uint64_t change_limit() const;
  /// `at` is at least two cycles behind start().
  GateChange change_at(uint64_t at) const;

 private:
  uint64_t begin_of(unsigned index) const;

  uint64_t start_ = 0;
  uint64_t cycle_ = 0;
  uint64_t extension_ = 0;
  std::vector<GateEntry> entries_;
};

/// The first multiple of the schedule's cycle from its base time on that is later than `after`.
uint64_t first_start(const GateSchedule& schedule, uint64_t after);

}  // namespace doorbell::drivers::tsnep
