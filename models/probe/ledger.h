// The packet ledger: where every frame of one direction went.
//
// injected = delivered + named drops + in flight must hold at the end of a run; a run whose ledger
// does not balance has failed. Drop reasons are registered at elaboration; booking a frame on the
// hot path is one addition. Owners of queues report what they still hold with add_in_flight() at
// the end. The ledger counts frames, not bytes, and does not know which frame is which: that is the
// job of FrameOrigin::verify().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/probe/counter.h"

namespace doorbell::probe {

class Ledger {
 public:
  /// `direction` names the ledger in messages: "rx", "tx".
  explicit Ledger(std::string direction) : direction_(direction), drops_(std::move(direction)) {}

  /// Registers a reason and returns where to book it: `++reason`. The same name asks for the same
  /// reason, so that two blocks can share one.
  Counter& add_reason(std::string_view name, std::string_view help);

  void inject(uint64_t n = 1) { injected_ += n; }
  void deliver(uint64_t n = 1) { delivered_ += n; }
  /// End of run: `n` more frames are held by the caller, neither delivered nor dropped.
  void add_in_flight(uint64_t n) { in_flight_ += n; }

  const std::string& direction() const { return direction_; }
  uint64_t injected() const { return injected_; }
  uint64_t delivered() const { return delivered_; }
  uint64_t in_flight() const { return in_flight_; }
  uint64_t dropped() const;
  /// The reasons, each a counter in "frames", in order of registration.
  const CounterSet& drops() const { return drops_; }

  bool balanced() const { return injected_ == delivered_ + dropped() + in_flight_; }
  /// One line with both sides of the equation; ends in "balanced" or in how many frames are missing
  /// or too many.
  std::string text() const;

 private:
  std::string direction_;
  CounterSet drops_;
  uint64_t injected_ = 0;
  uint64_t delivered_ = 0;
  uint64_t in_flight_ = 0;
};

}  // namespace doorbell::probe
