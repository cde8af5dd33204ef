// Interrupt controller: level-triggered device lines delivered to cores.
//
// A rising line reaches its core after `latency`, if the core has not masked it; a line still high
// when its handler returns is taken again. Not modelled: priorities, edge interrupts, distributor
// registers.
#pragma once

#include <cstdint>

#include "models/fabric/irq.h"
#include "models/host/core.h"

namespace doorbell::host {

class InterruptController : public fabric::IrqSink {
 public:
  static constexpr unsigned kMaxLines = 64;

  InterruptController(base::Picos latency) : latency_(latency) {}

  /// Sends `line` to `core`.
  void route(unsigned line, Core& core) {
    target_[line] = &core;
    used_ |= uint64_t{1} << line;
  }
  void enable(unsigned line) { enabled_ |= uint64_t{1} << line; }
  void disable(unsigned line) { enabled_ &= ~(uint64_t{1} << line); }

  void set_level(unsigned line, bool level, base::Picos at) override {
    const uint64_t bit = uint64_t{1} << line;
    if (!level) {
      level_ &= ~bit;
      return;
    }
    level_ |= bit;
    arrived_[line] = at + latency_;
    if ((enabled_ & bit) != 0 && target_[line] != nullptr) {
      target_[line]->wake(at + latency_);
    }
  }

  /// First line that `core` should take at `now`; -1 when none.
  int pending(const Core& core, base::Picos now) const {
    uint64_t candidates = level_ & enabled_ & used_;
    while (candidates != 0) {
      const int line = __builtin_ctzll(candidates);
      candidates &= candidates - 1;
      if (target_[line] == &core && arrived_[line] <= now) {
        return line;
      }
    }
    return -1;
  }
  /// Arrival time of the earliest line on its way to `core`; kNever when none.
  base::Picos next_arrival(const Core& core) const {
    base::Picos earliest = base::kNever;
    uint64_t candidates = level_ & enabled_ & used_;
    while (candidates != 0) {
      const int line = __builtin_ctzll(candidates);
      candidates &= candidates - 1;
      if (target_[line] == &core) {
        earliest = base::min(earliest, arrived_[line]);
      }
    }
    return earliest;
  }

 private:
  base::Picos latency_;
  uint64_t level_ = 0;
  uint64_t enabled_ = 0;
  uint64_t used_ = 0;
  base::Picos arrived_[kMaxLines];
  Core* target_[kMaxLines] = {};
};

}  // namespace doorbell::host
