// Named event counters: what a device, a driver or a station counted during a run.
//
// A CounterSet is filled at elaboration and never shrinks, so the reference that add() returns
// stays good for the life of the set and counting on the hot path is one addition to it. Counters
// are plain 64-bit numbers without a clock; hardware counters that saturate, wrap or clear on read
// are registers of the device's model, not these. Order of iteration is order of declaration. Not
// thread-safe: one simulation, one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace doorbell::probe {

struct Counter {
  std::string name;  // snake_case, unique in its set: "rx_ring_full"
  std::string unit;  // "frames", "bytes", "events"
  std::string help;  // one sentence
  uint64_t value = 0;

  void add(uint64_t n) { value += n; }
  Counter& operator++() {
    ++value;
    return *this;
  }
};

class CounterSet {
 public:
  explicit CounterSet(std::string name) : name_(std::move(name)) {}
  CounterSet(const CounterSet&) = delete;
  CounterSet& operator=(const CounterSet&) = delete;

  /// Declares a counter. Elaboration only; a name that the set already has is a programmer error.
  Counter& add(std::string name, std::string unit, std::string help);
  /// The counter of that name, or nullptr.
  const Counter* find(std::string_view name) const;
  /// Sets all values to zero, for example at the end of a warm-up.
  void reset();

  const std::string& name() const { return name_; }
  size_t size() const { return counters_.size(); }
  std::deque<Counter>::const_iterator begin() const { return counters_.begin(); }
  std::deque<Counter>::const_iterator end() const { return counters_.end(); }

 private:
  std::string name_;
  std::deque<Counter> counters_;  // a deque never moves its elements when it grows
};

}  // namespace doorbell::probe
