// A core's thread: how it starts, gives the core away, sleeps and is woken.
#include <algorithm>
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

void SimNapi::bh_enable() {
  Machine& machine = executive_.machine();
  machine.executive(machine.running().id()).bh_enable();
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

// The calendar's time is the caller's if that is a core which has just met the others. An event's
// and the kernel's own time count too: somebody outside may end a run.
void Executive::wake() {
  woken_ = true;
  const bool own = machine_.running().id() == core_.id();
  const Picos way = own ? Picos(0) : machine_.config().interrupt_latency;
  core_.wake(base::max(machine_.calendar().now(), fabric::kernel_now()) + way);
}

void Executive::watch(const uint8_t* word) {
  const uint64_t line = machine_.cache().phys(word) / host::kLineBytes;
  if (std::find(watched_.begin(), watched_.end(), line) == watched_.end()) {
    watched_.push_back(line);
  }
}

void Executive::note_write(uint64_t line, Picos at) {
  if (std::find(watched_.begin(), watched_.end(), line) == watched_.end()) {
    return;
  }
  noticed_ = true;
  if (spinning_) {
    core_.wake(at);
  }
}

uint64_t Executive::spin() {
  // What others did up to now may have been written after the loop had looked.
  core_.meet();
  const bool quiet = !noticed_ && !watched_.empty() && timers_due_ == 0 && task_ != nullptr &&
                     core_.now() < next_tick_;
  noticed_ = false;
  if (!quiet) {
    return 0;
  }
  machine_.calendar().schedule(alarm_.event, next_tick_);
  const Picos next = machine_.interrupts().next_arrival(core_);
  if (next != base::kNever) {
    core_.wake(next);
  }
  spinning_ = true;
  const uint64_t rounds =
      core_.spin(machine_.cost(Op::kAppLoop), static_cast<unsigned>(Label::kApp));
  spinning_ = false;
  noticed_ = false;
  machine_.calendar().cancel(alarm_.event);
  machine_.count(Op::kAppLoop, rounds);
  return rounds;
}

}  // namespace doorbell::hal
