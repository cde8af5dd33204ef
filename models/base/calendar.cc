#include "models/base/calendar.h"

namespace doorbell::base {

void Calendar::sift_up(uint32_t slot, Entry entry) {
  while (slot > 0) {
    const uint32_t parent = (slot - 1) / 2;
    if (!before(entry, heap_[parent])) {
      break;
    }
    place(slot, heap_[parent]);
    slot = parent;
  }
  place(slot, entry);
}

void Calendar::sift_down(uint32_t slot, Entry entry) {
  const auto size = static_cast<uint32_t>(heap_.size());
  for (;;) {
    uint32_t child = 2 * slot + 1;
    if (child >= size) {
      break;
    }
    if (child + 1 < size && before(heap_[child + 1], heap_[child])) {
      ++child;
    }
    if (!before(heap_[child], entry)) {
      break;
    }
    place(slot, heap_[child]);
    slot = child;
  }
  place(slot, entry);
}

void Calendar::remove_slot(uint32_t slot) {
  const Entry last = heap_.back();
  heap_.pop_back();
  if (slot == heap_.size()) {
    return;
  }
  if (slot > 0 && before(last, heap_[(slot - 1) / 2])) {
    sift_up(slot, last);
  } else {
    sift_down(slot, last);
  }
}

void Calendar::schedule(Event& event, Picos at) {
  assert(event.callback_ != nullptr);
  event.time_ = max(at, now_);
  event.order_ = order_++;
  const Entry entry{event.time_, event.order_, &event};
  if (event.slot_ == Event::kIdle) {
    heap_.push_back(entry);
    sift_up(static_cast<uint32_t>(heap_.size() - 1), entry);
    return;
  }
  const uint32_t slot = event.slot_;
  if (slot > 0 && before(entry, heap_[(slot - 1) / 2])) {
    sift_up(slot, entry);
  } else {
    sift_down(slot, entry);
  }
}

void Calendar::cancel(Event& event) {
  if (event.slot_ == Event::kIdle) {
    return;
  }
  const uint32_t slot = event.slot_;
  event.slot_ = Event::kIdle;
  remove_slot(slot);
}

bool Calendar::run_until(Picos until) {
  stopped_ = false;
  while (!heap_.empty() && heap_[0].time <= until) {
    Event& event = *heap_[0].event;
    now_ = event.time_;
    event.slot_ = Event::kIdle;
    remove_slot(0);
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
