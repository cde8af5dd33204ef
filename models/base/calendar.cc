#include "models/base/calendar.h"

#include <algorithm>

namespace doorbell::base {

void Calendar::insert(const Entry& entry) {
  entries_.push_back(entry);
  Entry* at = &entries_.back();
  Entry* const first = entries_.data();
  while (at != first && before(at[-1], entry)) {
    *at = at[-1];
    --at;
  }
  *at = entry;
}

void Calendar::remove(const Event& event) {
  const Entry key{event.time_, event.order_, nullptr};
  // The array is descending: the first entry not later than the event's is the event's own.
  const auto found = std::partition_point(entries_.begin(), entries_.end(),
                                          [&key](const Entry& e) { return before(key, e); });
  assert(found != entries_.end() && found->event == &event);
  entries_.erase(found);
}

void Calendar::schedule(Event& event, Picos at) {
  assert(event.callback_ != nullptr);
  if (event.pending_) {
    remove(event);
  }
  event.time_ = max(at, now_);
  event.order_ = order_++;
  event.pending_ = true;
  insert({event.time_, event.order_, &event});
}

void Calendar::cancel(Event& event) {
  if (event.pending_) {
    remove(event);
    event.pending_ = false;
  }
}

bool Calendar::run_until(Picos until) {
  stopped_ = false;
  while (!entries_.empty() && entries_.back().time <= until) {
    Event& event = *entries_.back().event;
    entries_.pop_back();
    now_ = event.time_;
    event.pending_ = false;
    ++events_run_;
    event.callback_(event.context_);
    if (stopped_) {
      return false;
    }
  }
  now_ = max(now_, until);
  return true;
}

}  // namespace doorbell::base
