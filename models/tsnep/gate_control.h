// Gate control: two lists of operations that open and close the transmit queues in system time.
//
// A list runs from its start time on, operation after operation, LAST to 0, until it is changed or
// disabled. A change is ordered by enabling the other list while one runs: from the first operation
// on that starts at or after GC_CHANGE, INSERT makes operation 255 come next and CHANGE ends the
// list, behind the operation that carries it; operation 0 of the other list follows. Enables are
// refused, and signalled, when the window of ENABLE_TIMEOUT is over; any enable then clears the
// signal and does nothing else. An interval below 32 ns, or running into operation 255, is a list
// error: the list stops and the gates fall back to OPEN (assumption). 32-bit times mean the next
// moment with these low bits. Without a running list the gates are OPEN. Costs no event: states are
// worked out when somebody asks, whole cycles skipped at once.
// Source: Linux 6.12 tsnep_tc.c, tsnep_selftests.c (behaviour); refusals are as those rely on.
#pragma once

#include <array>

#include "models/tsnep/tsnep_core.h"

namespace doorbell::tsnep {

class GateControl {
 public:
  explicit GateControl(Core& core) : core_(core) {}

  /// First moment at or after `earliest` at which queue `queue` may send for `duration`; kNever if
  /// its gate does not open long enough in two cycles. Valid until the next write to gate control
  /// or clock.
  base::Picos next_start(unsigned queue, base::Picos earliest, base::Picos duration);
  /// Gates open now.
  uint8_t open();

  void command(uint8_t value);
  void word_written(const reg::WriteEvent& event);
  void list_written(const reg::WriteEvent& event);
  uint32_t read(uint32_t offset, uint32_t stored);
  /// Everything up to now has happened. Before lists, times or the clock change.
  void catch_up() {
    if (cursor_.list != kNone) advance(core_.clock.fine_time(core_.now()));
  }
  /// The system time jumped or changed its rate.
  void time_changed();
  void reset();

 private:
  static constexpr unsigned kNone = 2;
  static constexpr uint64_t kUnknown = UINT64_MAX;
  struct Operation {
    uint32_t properties;
    uint64_t interval;
  };
  /// Where a list is: the operation under way, and when it began in system time.
  struct Cursor {
    unsigned list = kNone;
    unsigned index = 0;
    uint64_t start = 0;
    bool started = false;  // false: `start` is when operation 0 will begin
    bool changing = false;
    uint64_t change_at = 0;
    bool error = false;
  };

  Operation operation(unsigned list, unsigned index) const;
  uint8_t gates(const Cursor& c) const;
  uint64_t end_of(const Cursor& c) const;
  void step(Cursor& c) const;
  void skip_cycles(Cursor& c, uint64_t now);
  void advance(uint64_t now);
  uint64_t cycle(unsigned list);
  base::Picos two_cycles(unsigned list);
  void enable(unsigned list);
  bool window_runs() const { return core_.now() < window_end_; }
  uint64_t resolve(uint32_t low) const;
  void replan();

  Core& core_;
  Cursor cursor_;
  uint8_t open_ = 0;
  bool window_used_ = false;  // ENABLE_TIMEOUT was written and no enable came since
  base::Picos window_end_;
  bool signal_ = false;
  bool error_ = false;
  std::array<uint64_t, 2> cycle_{kUnknown, kUnknown};  // a cycle's length; 0: none
};

}  // namespace doorbell::tsnep
