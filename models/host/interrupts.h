// Interrupt controller: device lines and messages delivered to cores.
//
// A level line reaches its core `latency` after it rises, if it is not masked; one still high when
// its handler returns is taken again. An edge line (a message-signalled vector) is one interrupt
// each time it is raised; raised again before it is taken, it is still one. Not modelled:
// priorities, distributor registers. Allocates only in route().
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/irq.h"
#include "models/host/core.h"

namespace doorbell::host {

class InterruptController : public fabric::IrqSink {
 public:
  static constexpr unsigned kMaxLines = 256;

  explicit InterruptController(base::Picos latency) : latency_(latency), lines_(kMaxLines) {}

  enum class Trigger : uint8_t { kLevel, kEdge };

  /// Sends `line` to `core`.
  void route(unsigned line, Core& core, Trigger trigger = Trigger::kLevel) {
    Line& l = lines_[line];
    if (l.target == nullptr) {
      if (by_core_.size() <= core.id()) {
        by_core_.resize(core.id() + 1);
      }
      by_core_[core.id()].push_back(line);
    }
    l.target = &core;
    l.trigger = trigger;
  }
  void enable(unsigned line) { lines_[line].enabled = true; }
  void disable(unsigned line) { lines_[line].enabled = false; }

  void set_level(unsigned line, bool level, base::Picos at) override {
    Line& l = lines_[line];
    if (level && !l.raised) {
      l.arrived = at + latency_;
    }
    l.raised = level;
    if (level && l.enabled && l.target != nullptr) {
      l.target->wake(l.arrived);
    }
  }

  /// First line that `core` should take at `now`; -1 when none.
  int pending(const Core& core, base::Picos now) const {
    for (const unsigned line : lines_of(core)) {
      const Line& l = lines_[line];
      if (l.raised && l.enabled && l.arrived <= now) {
        return static_cast<int>(line);
      }
    }
    return -1;
  }
  /// The core has taken it: an edge line is used up.
  void acknowledge(unsigned line) {
    Line& l = lines_[line];
    l.raised = l.raised && l.trigger == Trigger::kLevel;
  }
  /// Arrival time of the earliest line on its way to `core`; kNever when none.
  base::Picos next_arrival(const Core& core) const {
    base::Picos earliest = base::kNever;
    for (const unsigned line : lines_of(core)) {
      const Line& l = lines_[line];
      if (l.raised && l.enabled) {
        earliest = base::min(earliest, l.arrived);
      }
    }
    return earliest;
  }

 private:
  struct Line {
    Core* target = nullptr;
    Trigger trigger = Trigger::kLevel;
    bool enabled = false;
    bool raised = false;
    base::Picos arrived;
  };
  const std::vector<unsigned>& lines_of(const Core& core) const {
    static const std::vector<unsigned> kNone;
    return core.id() < by_core_.size() ? by_core_[core.id()] : kNone;
  }

  base::Picos latency_;
  std::vector<Line> lines_;
  std::vector<std::vector<unsigned>> by_core_;
};

}  // namespace doorbell::host
