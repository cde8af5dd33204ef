#include "sim/hal/simulated/executive.h"

#include <algorithm>
#include <cassert>

namespace doorbell::hal {

using base::Picos;

namespace {
// Linux: net.core.netdev_budget, netdev_budget_usecs (two jiffies of HZ=250), MAX_SOFTIRQ_RESTART,
// MAX_SOFTIRQ_TIME.
constexpr int kNetdevBudget = 300;
constexpr Picos kNetdevTime{8000000000};
constexpr int kSoftirqRestarts = 10;
constexpr Picos kSoftirqTime{2000000000};
// napi_defer_hard_irqs as xdpsock's README sets it: empty polls before interrupts are enabled
// again.
constexpr int kDeferHardIrqs = 2;
// Linux kernel/irq/spurious.c gives up on a line that nobody claims this often in a row.
constexpr uint64_t kUnhandledLimit = 99900;
}  // namespace

Executive::Executive(Machine& machine, host::Core& core) : machine_(machine), core_(core) {
  napi_pending_.reserve(64);
  timers_.reserve(16);
  alarm_.core = &core;
  alarm_.event.bind<&Alarm::fire>(alarm_);
}

void Executive::run(host::Core&) {
  if (boot_) {
    boot_();
  }
  for (;;) {
    core_.sync();
    if (step()) {
      continue;
    }
    if (task_ != nullptr) {
      run_thread();
      continue;
    }
    rest();
  }
}

// One thing that comes before threads and idling. False: there was none.
bool Executive::step() {
  if (take_interrupt()) {
    softirq_waits_ = false;
    return true;
  }
  if (softirq_waits_ && core_.now() >= next_tick_) {
    tick();
    softirq_waits_ = false;
    return true;
  }
  if (!napi_pending_.empty() && !softirq_waits_) {
    do_softirq();
    run_due_work();
    return true;
  }
  return run_due_work();
}

void Executive::rest() {
  // An interrupt may be on its way; its wake-up is already booked with the core.
  const Picos next = machine_.interrupts().next_arrival(core_);
  if (next != base::kNever) {
    core_.wake(next);
  }
  core_.idle();
  machine_.charge(Op::kIdle);
}

void Executive::connect_irq(unsigned line, unsigned device_line, IrqHandler& handler,
                            host::InterruptController::Trigger trigger) {
  handlers_[line] = {device_line, &handler, 0};
  machine_.interrupts().route(line, core_, trigger);
  machine_.interrupts().enable(line);
}

void Executive::disconnect_irq(unsigned line) {
  machine_.interrupts().disable(line);
  handlers_[line] = {};
}

bool Executive::take_interrupt() {
  const int line = machine_.interrupts().pending(core_, core_.now());
  if (line < 0) {
    return false;
  }
  ++interrupts_;
  machine_.interrupts().acknowledge(static_cast<unsigned>(line));
  const Picos cost = machine_.cost(Op::kIrqEntry);
  const auto label = static_cast<unsigned>(Label::kInterrupt);
  machine_.count(Op::kIrqEntry);
  core_.spend(cost / 2, label);
  Handler& slot = handlers_[line];
  if (slot.handler->handle_irq(slot.device_line)) {
    slot.unhandled = 0;
  } else {
    ++spurious_;
    if (++slot.unhandled > kUnhandledLimit) {
      machine_.interrupts().disable(static_cast<unsigned>(line));
    }
  }
  core_.spend(cost - cost / 2, label);
  return true;
}

void Executive::do_softirq() {
  machine_.charge(Op::kSoftirqEntry);
  const Picos begin = core_.now();
  int restarts = kSoftirqRestarts;
  while (!napi_pending_.empty() && restarts-- > 0 && core_.now() - begin < kSoftirqTime) {
    net_rx_pass(kNetdevBudget);
  }
  const bool more = !napi_pending_.empty();
  if (more != in_ksoftirqd_) {
    machine_.charge(Op::kKsoftirqd);
    in_ksoftirqd_ = more;
  }
}

int Executive::net_rx_pass(int budget) {
  const Picos begin = core_.now();
  while (budget > 0 && !napi_pending_.empty() && core_.now() - begin < kNetdevTime) {
    SimNapi& napi = *napi_pending_.front();
    napi_pending_.erase(napi_pending_.begin());
    machine_.charge(Op::kNapiPoll);
    const int done = napi.poll_->poll(napi.weight_);
    assert(done <= napi.weight_);
    budget -= done;
    if (done >= napi.weight_ && napi.scheduled_) {
      napi_pending_.push_back(&napi);
    }
    core_.sync();
    while (take_interrupt()) {
      core_.sync();
    }
  }
  return budget;
}

void Executive::raise_napi(SimNapi& napi) {
  napi_pending_.push_back(&napi);
}

void Executive::drop_napi(SimNapi& napi) {
  const auto found = std::find(napi_pending_.begin(), napi_pending_.end(), &napi);
  if (found != napi_pending_.end()) {
    napi_pending_.erase(found);
  }
}

// On the core that calls, as in Linux: there it will be polled.
bool SimNapi::schedule() {
  if (!enabled_) {
    return false;
  }
  if (scheduled_) {
    missed_ = true;
    return false;
  }
  scheduled_ = true;
  missed_ = false;
  Machine& machine = executive_.machine();
  raised_on_ = &machine.executive(machine.running().id());
  raised_on_->raise_napi(*this);
  return true;
}

bool SimNapi::complete(int done) {
  if (busy_polling_) {
    return false;  // the poller keeps it
  }
  if (hold_ > Picos(0) && done > 0) {
    deferrals_ = kDeferHardIrqs;
  }
  if (missed_) {
    missed_ = false;
    raised_on_->raise_napi(*this);
    return false;
  }
  scheduled_ = false;
  if (deferrals_ == 0) {
    return true;
  }
  --deferrals_;
  hold();
  return false;
}

// Interrupts stay off; the timer starts the next poll.
void SimNapi::hold() {
  holding_ = true;
  executive_.schedule_work(timer_, executive_.machine().running().now() + hold_);
}

void SimNapi::end_hold() {
  if (holding_) {
    executive_.cancel_work(timer_);
    holding_ = false;
  }
}

int SimNapi::busy_poll(int budget, base::Picos hold_time) {
  if (!enabled_ || scheduled_) {
    return -1;
  }
  Machine& machine = executive_.machine();
  raised_on_ = &machine.executive(machine.running().id());
  scheduled_ = true;
  missed_ = false;
  hold_ = hold_time;
  end_hold();
  busy_polling_ = true;
  machine.charge(Op::kNapiPoll);
  int done = poll_->poll(budget);
  // The poller lets go: a last poll, whose complete() counts.
  busy_polling_ = false;
  if (hold_ > Picos(0)) {
    deferrals_ = kDeferHardIrqs;
  }
  machine.charge(Op::kNapiPoll);
  const int last = poll_->poll(budget);
  done += last;
  if (!scheduled_ || last < budget) {
    return done;
  }
  if (hold_ > Picos(0)) {
    scheduled_ = false;
    hold();
  } else {
    raised_on_->raise_napi(*this);
  }
  return done;
}

void SimNapi::disable() {
  enabled_ = false;
  scheduled_ = false;
  if (raised_on_ != nullptr) {
    raised_on_->drop_napi(*this);
  }
  end_hold();
}

void Executive::Timer::fire() {
  due = true;
  ++owner->timers_due_;
  owner->core_.wake(event.time());
}

void Executive::schedule_work(Work& work, Picos at) {
  Timer* slot = nullptr;
  for (const auto& timer : timers_) {
    if (timer->work == &work) {
      slot = timer.get();
      break;
    }
    if (timer->work == nullptr && slot == nullptr) {
      slot = timer.get();
    }
  }
  if (slot == nullptr) {
    timers_.push_back(std::make_unique<Timer>());
    slot = timers_.back().get();
    slot->owner = this;
    slot->event.bind<&Timer::fire>(*slot);
  }
  if (slot->due) {
    slot->due = false;
    --timers_due_;
  }
  slot->work = &work;
  machine_.calendar().schedule(slot->event, at);
}

void Executive::cancel_work(Work& work) {
  for (const auto& timer : timers_) {
    if (timer->work == &work) {
      machine_.calendar().cancel(timer->event);
      timers_due_ -= timer->due ? 1 : 0;
      timer->due = false;
      timer->work = nullptr;
    }
  }
}

bool Executive::run_due_work() {
  if (timers_due_ == 0) {
    return false;
  }
  for (size_t i = 0; i < timers_.size(); ++i) {
    Timer& timer = *timers_[i];
    if (timer.due) {
      Work* work = timer.work;
      timer.due = false;
      timer.work = nullptr;
      --timers_due_;
      work->run_work();
      return true;
    }
  }
  return false;
}

}  // namespace doorbell::hal
