#include "models/host/core.h"

namespace doorbell::host {

using base::Picos;

void CoreGroup::refresh() {
  earliest_waiting_ = base::kNever;
  for (const Core* core : cores_) {
    if (core->state_ == Core::State::kWaiting || core->state_ == Core::State::kWoken) {
      earliest_waiting_ = base::min(earliest_waiting_, core->resume_at_);
    }
  }
  driver_.set_limit(earliest_waiting_);
}

Core::Core(sc_core::sc_module_name name, unsigned id, CoreGroup& group, Picos quantum)
    : sc_module(name), id_(id), group_(group), quantum_(quantum), horizon_(quantum) {
  group_.cores_.push_back(this);
  group_.refresh();
  SC_THREAD(thread);
  set_stack_size(256 * 1024);
}

Picos Core::busy_total() const {
  Picos sum;
  for (const Picos part : busy_) {
    sum += part;
  }
  return sum;
}

void Core::thread() {
  resumed();
  if (program_ != nullptr) {
    program_->run(*this);
  }
  state_ = State::kIdle;
  group_.refresh();
  group_.driver().arm();
}

void Core::sync_slow() {
  if (group_.halted_) {
    return;
  }
  for (;;) {
    if (group_.earliest_waiting_ < local_ || local_ >= horizon_) {
      wait_until(local_);
    }
    // A woken core stops the run at its own time; it must act before the calendar goes on.
    if (group_.earliest_waiting_ >= local_ && group_.calendar().run_until(local_)) {
      return;
    }
  }
}

void Core::wait_until(Picos at) {
  resume_at_ = at;
  state_ = State::kWaiting;
  group_.refresh();
  group_.driver().arm();
  const Picos kernel = fabric::kernel_now();
  resume_.notify(fabric::to_sc(at > kernel ? at - kernel : Picos(0)));
  wait(resume_);
  resumed();
}

void Core::resumed() {
  state_ = State::kRunning;
  group_.running_ = this;
  horizon_ = fabric::kernel_now() + quantum_;
  group_.refresh();
}

void Core::idle() {
  while (wake_at_ == base::kNever) {
    // While nobody else acts, hardware goes on in this thread: no switch until something wakes us.
    const Picos limit = base::min(horizon_, group_.earliest_waiting_);
    if (group_.calendar().next() <= limit) {
      group_.calendar().run_until(limit);
      continue;
    }
    state_ = State::kIdle;
    group_.refresh();
    group_.driver().arm();
    wait(resume_);
    resumed();
  }
  local_ = base::max(local_, wake_at_);
  wake_at_ = base::kNever;
}

void Core::wake(Picos at) {
  wake_at_ = base::min(wake_at_, at);
  group_.calendar().stop();
  if (state_ != State::kIdle && state_ != State::kWoken) {
    return;  // running or about to: its next idle() returns at once
  }
  state_ = State::kWoken;
  resume_at_ = base::max(wake_at_, local_);
  group_.refresh();
  const Picos kernel = fabric::kernel_now();
  resume_.notify(fabric::to_sc(resume_at_ > kernel ? resume_at_ - kernel : Picos(0)));
}

}  // namespace doorbell::host
