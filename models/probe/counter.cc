#include "models/probe/counter.h"

#include <cassert>

namespace doorbell::probe {

Counter& CounterSet::add(std::string name, std::string unit, std::string help) {
  assert(find(name) == nullptr && "a counter of this name exists");
  counters_.push_back({std::move(name), std::move(unit), std::move(help), 0});
  return counters_.back();
}

const Counter* CounterSet::find(std::string_view name) const {
  for (const Counter& counter : counters_) {
    if (counter.name == name) return &counter;
  }
  return nullptr;
}

void CounterSet::reset() {
  for (Counter& counter : counters_) counter.value = 0;
}

}  // namespace doorbell::probe
