#include "models/host/core.h"

#include <algorithm>

namespace doorbell::host {

using base::Picos;

namespace {
constexpr size_t kStackBytes = 256 * 1024;
}

CoreGroup::CoreGroup(sc_core::sc_module_name name, base::Calendar& calendar,
                     fabric::CalendarDriver& driver, Picos quantum)
    : sc_module(name), calendar_(calendar), driver_(driver), quantum_(quantum), horizon_(quantum) {
  SC_THREAD(thread);
}

void CoreGroup::enqueue(Core& core, Picos at) {
  turns_.push_back({at, core.id_, &core});
  std::push_heap(turns_.begin(), turns_.end(), later);
  refresh();
}

// A wake-up came closer: rare, so the heap is simply built again.
void CoreGroup::requeue(Core& core, Picos at) {
  for (Turn& turn : turns_) {
    if (turn.core == &core) {
      turn.at = at;
    }
  }
  std::make_heap(turns_.begin(), turns_.end(), later);
  refresh();
}

void CoreGroup::thread() {
  for (;;) {
    in_thread_ = true;
    horizon_ = fabric::kernel_now() + quantum_;
    run_ready();
    in_thread_ = false;
    await_kernel();
  }
}

// Cores act in order of time; while none can, hardware goes on.
void CoreGroup::run_ready() {
  for (;;) {
    if (earliest_waiting_ < horizon_) {
      std::pop_heap(turns_.begin(), turns_.end(), later);
      Core& core = *turns_.back().core;
      turns_.pop_back();
      refresh();
      core.state_ = Core::State::kRunning;
      running_ = &core;
      core.fiber_.enter();
    } else if (calendar_.next() < horizon_) {
      calendar_.run_until(base::min(horizon_, bound_));
    } else {
      return;
    }
  }
}

void CoreGroup::await_kernel() {
  driver_.set_limit(earliest_waiting_);
  const Picos next = base::min(earliest_waiting_, calendar_.next());
  if (next == base::kNever) {
    wait(wake_);
  } else {
    wait(fabric::to_sc(base::max(next - fabric::kernel_now(), Picos(0))), wake_);
  }
}

Core::Core(unsigned id, CoreGroup& group)
    : id_(id), group_(group), fiber_(kStackBytes, [this] { body(); }) {
  group_.enqueue(*this, Picos(0));
}

Picos Core::busy_total() const {
  Picos sum;
  for (const Picos part : busy_) {
    sum += part;
  }
  return sum + spun();
}

// What a spinning core has spent up to now and will book when it stops.
Picos Core::spun() const {
  return spin_label_ == kNoLabel ? Picos(0) : base::max(group_.calendar().now() - local_, Picos(0));
}

void Core::body() {
  if (program_ != nullptr) {
    program_->run(*this);
  }
  state_ = State::kIdle;
}

void Core::sync_slow() {
  if (group_.halted_) {
    return;
  }
  for (;;) {
    if (group_.bound_ < local_ || local_ >= group_.horizon_) {
      wait_until(local_);
    }
    // A woken core stops the run at its own time; it must act before the calendar goes on.
    if (group_.bound_ >= local_ && group_.calendar().run_until(local_)) {
      return;
    }
  }
}

void Core::meet() {
  while (!group_.halted_ && group_.earliest_waiting_ < local_) {
    wait_until(local_);
  }
  sync();
}

void Core::wait_until(Picos at) {
  state_ = State::kWaiting;
  group_.enqueue(*this, at);
  fiber_.leave();
}

void Core::idle() {
  while (wake_at_ > local_) {
    // While nobody else acts, hardware goes on here, up to the wake-up: it may bring that forward.
    const Picos limit = base::min(base::min(group_.horizon_, group_.bound_), wake_at_);
    if (group_.calendar().next() <= limit) {
      group_.calendar().run_until(limit);
    } else if (wake_at_ <= limit) {
      break;
    } else if (wake_at_ == base::kNever) {
      state_ = State::kIdle;
      fiber_.leave();
    } else {
      state_ = State::kWoken;
      group_.enqueue(*this, base::max(wake_at_, local_));
      fiber_.leave();
    }
  }
  local_ = base::max(local_, wake_at_);
  wake_at_ = base::kNever;
}

uint64_t Core::spin(Picos step, unsigned label) {
  const Picos begin = local_;
  spin_label_ = label;
  idle();
  spin_label_ = kNoLabel;
  const int64_t steps = (local_ - begin + step - Picos(1)) / step;
  local_ = begin;
  spend(step * steps, label);
  return static_cast<uint64_t>(steps);
}

void Core::wake(Picos at) {
  wake_at_ = base::min(wake_at_, at);
  group_.calendar().stop();
  if (fiber_.done()) {
    return;
  }
  const Picos resume = base::max(wake_at_, local_);
  if (state_ == State::kIdle) {
    state_ = State::kWoken;
    group_.enqueue(*this, resume);
  } else if (state_ == State::kWoken) {
    group_.requeue(*this, resume);
  } else {
    return;  // running or about to: its next idle() returns at once
  }
  if (!group_.in_thread_) {
    group_.wake_.notify(sc_core::SC_ZERO_TIME);
  }
}

}  // namespace doorbell::host
