// The event calendar: what happens next in simulated hardware, and when.
//
// Engines schedule their next step here instead of on the SystemC kernel, because an own heap costs
// a few nanoseconds an event where a kernel event costs 25 to 700 (docs/decisions/0001). A calendar
// has no time of its own to spend: somebody runs it up to a time. That is the CPU core whose local
// time is ahead (models/host), or, while every core idles, the SystemC method of
// fabric::CalendarDriver.
//
// Contract: events run in order of time; events of the same time run in the order they were
// scheduled. An event has at most one pending time; scheduling it again moves it. Callbacks may
// schedule and cancel any event, at or after now(). Nothing allocates once `kReserved` events are
// pending at most.
// Structure: one sorted array, soonest last. Most new events are among the next few to run, so an
// insertion moves a handful of entries; tens are pending in a device, hundreds in a large one.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/units.h"

namespace doorbell::base {

class Calendar;

/// One repeating or one-shot step of an engine. Owned by the engine; must not outlive the calendar.
class Event {
 public:
  using Callback = void (*)(void* context);

  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /// Connects the event. `Method` is a member function `void T::f()` of `object`.
  template <auto Method, typename T>
  void bind(T& object) {
    context_ = &object;
    callback_ = [](void* context) { (static_cast<T*>(context)->*Method)(); };
  }

  bool pending() const { return pending_; }
  /// When it will run; meaningful while pending().
  Picos time() const { return time_; }

 private:
  friend class Calendar;
  Picos time_;
  uint64_t order_ = 0;
  bool pending_ = false;
  Callback callback_ = nullptr;
  void* context_ = nullptr;
};

class Calendar {
 public:
  static constexpr size_t kReserved = 4096;

  Calendar() { entries_.reserve(kReserved); }
  Calendar(const Calendar&) = delete;
  Calendar& operator=(const Calendar&) = delete;

  /// Time of the event being run, or the time the calendar was last run to.
  Picos now() const { return now_; }
  /// Time of the earliest pending event; kNever when there is none.
  Picos next() const { return entries_.empty() ? kNever : entries_.back().time; }
  /// Events run so far: the denominator of events per packet.
  uint64_t events_run() const { return events_run_; }

  /// (Re)schedules `event` at `at`; a time before now() counts as now().
  void schedule(Event& event, Picos at);
  void cancel(Event& event);

  /// Runs every event with time <= `until`, then advances now() to `until`. An event may call
  /// stop(); the run then ends after it, with now() at that event's time. Returns false if stopped.
  bool run_until(Picos until);
  void stop() { stopped_ = true; }

 private:
  struct Entry {
    Picos time;
    uint64_t order;
    Event* event;
  };
  static bool before(const Entry& a, const Entry& b) {
    return a.time < b.time || (a.time == b.time && a.order < b.order);
  }
  void insert(const Entry& entry);
  void remove(const Event& event);

  std::vector<Entry> entries_;  // latest first
  Picos now_;
  uint64_t order_ = 0;
  uint64_t events_run_ = 0;
  bool stopped_ = false;
};

}  // namespace doorbell::base
