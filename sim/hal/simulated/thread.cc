// A core's thread: how it starts, gives the core away, sleeps and is woken.
#include <cassert>

#include "sim/hal/simulated/executive.h"

namespace doorbell::hal {

using base::Picos;

void Executive::start(Task& task) {
  assert(task_ == nullptr);
  task_ = &task;
  woken_ = false;
  core_.wake(machine_.running().now());
}

void Executive::run_thread() {
  machine_.charge(Op::kTaskSwitch);
  set_next_tick();
  task_->run_task(*this);
  task_ = nullptr;
  next_tick_ = base::kNever;
  ksoftirqd_turn_ = false;
}

// Ticks of all cores come at the same times.
void Executive::set_next_tick() {
  const Picos period = machine_.config().tick;
  next_tick_ = (core_.now() / period + 1) * period;
}

void Executive::tick() {
  machine_.charge(Op::kIrqEntry);
  machine_.charge(Op::kTick);
  ++ticks_;
  set_next_tick();
  ksoftirqd_turn_ = in_ksoftirqd_ && !ksoftirqd_turn_;
}

// Interrupts, what they raise, and whoever else wants the core.
void Executive::yield_core() {
  bool interrupted = false;
  while (take_interrupt()) {
    interrupted = true;
    core_.sync();
  }
  if (core_.now() >= next_tick_) {
    tick();
    interrupted = true;
  }
  // irq_exit runs what is pending, whoever raised it.
  if (interrupted && !napi_pending_.empty()) {
    do_softirq();
    core_.sync();
  }
  while (in_ksoftirqd_ && ksoftirqd_turn_) {
    do_softirq();
    core_.sync();
    while (take_interrupt()) {
      core_.sync();
    }
    if (core_.now() >= next_tick_) {
      tick();
    }
  }
  while (run_due_work()) {
    core_.sync();
  }
}

void Executive::preempt() {
  core_.sync();
  yield_core();
}

void Executive::bh_enable() {
  core_.sync();
  if (!napi_pending_.empty()) {
    do_softirq();
    core_.sync();
  }
  yield_core();
}

bool Executive::sleep(Picos timeout) {
  machine_.charge(Op::kTaskSwitch);
  const Picos deadline = timeout == base::kNever ? base::kNever : core_.now() + timeout;
  // Nobody runs what this thread has raised until the tick or an interrupt; ksoftirqd does its own.
  softirq_waits_ = !napi_pending_.empty() && !in_ksoftirqd_;
  for (;;) {
    core_.sync();
    if (woken_ || core_.now() >= deadline) {
      break;
    }
    if (step()) {
      continue;
    }
    const Picos alarm = softirq_waits_ ? base::min(deadline, next_tick_) : deadline;
    if (alarm != base::kNever) {
      machine_.calendar().schedule(alarm_.event, alarm);
    }
    rest();
  }
  machine_.calendar().cancel(alarm_.event);
  const bool woken = woken_;
  woken_ = false;
  softirq_waits_ = false;
  machine_.charge(Op::kTaskSwitch);
  set_next_tick();
  return woken;
}

void Executive::wake() {
  woken_ = true;
  // Also called by who is no core: then the calendar's time counts.
  const host::Core& caller = machine_.running();
  const Picos now = base::max(caller.now(), machine_.calendar().now());
  const Picos way = caller.id() == core_.id() ? Picos(0) : machine_.config().interrupt_latency;
  core_.wake(now + way);
}

}  // namespace doorbell::hal
