// Cores whose software is a lambda, and hardware that is one event each.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/host/core.h"

namespace doorbell::host::test {

using base::Picos;
using namespace base::literals;

struct Script : Program {
  std::function<void(Core&)> body;
  explicit Script(std::function<void(Core&)> b) : body(std::move(b)) {}
  void run(Core& core) override { body(core); }
};

struct Bench {
  explicit Bench(Picos ahead = 1_ms) : quantum(ahead) {}
  Picos quantum;
  base::Calendar calendar;
  fabric::CalendarDriver driver{"driver", calendar};
  CoreGroup group{"cores", calendar, driver, quantum};
  std::vector<std::string> log;
};

struct OneShot {
  base::Event event;
  std::function<void()> f;
  OneShot(base::Calendar& calendar, Picos at, std::function<void()> fn) : f(std::move(fn)) {
    event.bind<&OneShot::fire>(*this);
    calendar.schedule(event, at);
  }
  void fire() { f(); }
};

/// Which core, and when in nanoseconds: "1@350".
inline std::string stamp(const Core& core) {
  return std::to_string(core.id()) + "@" + std::to_string(core.now().count() / 1000);
}

}  // namespace doorbell::host::test
