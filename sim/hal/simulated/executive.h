// What a core does next: interrupts, softirqs, timers, idle. The operating system's share of a run.
//
// One Executive a core. Order: a pending interrupt, then softirq (NAPI polls), then due work, then
// idle. Softirq rules as in Linux net/core/dev.c and kernel/softirq.c: a pass polls until 300
// packets are done, passes repeat up to ten times or 2 ms, then ksoftirqd goes on, letting work in
// between. Interrupts are taken between polls and between work items, not inside them (assumption:
// a poll is at most 64 packets, and with NAPI the device's own line is masked meanwhile). Not
// modelled: a scheduler with more than one runnable task, priorities, preemption.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/hal/simulated/machine.h"

namespace doorbell::hal {

class SimNapi;

class Executive : public host::Program {
 public:
  Executive(Machine& machine, host::Core& core);

  /// Runs once when the core starts, in process context (probe and open go here).
  void set_boot(std::function<void()> boot) { boot_ = std::move(boot); }

  void run(host::Core& core) override;

  void connect_irq(unsigned line, unsigned device_line, IrqHandler& handler,
                   host::InterruptController::Trigger trigger);
  void disconnect_irq(unsigned line);
  void raise_napi(SimNapi& napi);
  void drop_napi(SimNapi& napi);
  void schedule_work(Work& work, base::Picos at);
  void cancel_work(Work& work);

  host::Core& core() { return core_; }
  /// No interrupt, softirq or due work is waiting and the core idles.
  bool quiescent() const { return core_.is_idle() && napi_pending_.empty(); }
  uint64_t interrupts() const { return interrupts_; }
  uint64_t spurious() const { return spurious_; }

 private:
  struct Handler {
    unsigned device_line = 0;
    IrqHandler* handler = nullptr;
    uint64_t unhandled = 0;
  };
  struct Timer {
    Executive* owner = nullptr;
    Work* work = nullptr;
    base::Event event;
    bool due = false;
    void fire();
  };

  bool take_interrupt();
  void do_softirq();
  int net_rx_pass(int budget);
  bool run_due_work();

  Machine& machine_;
  host::Core& core_;
  std::function<void()> boot_;
  Handler handlers_[host::InterruptController::kMaxLines];
  std::vector<SimNapi*> napi_pending_;
  std::vector<std::unique_ptr<Timer>> timers_;
  unsigned timers_due_ = 0;
  bool in_ksoftirqd_ = false;
  uint64_t interrupts_ = 0;
  uint64_t spurious_ = 0;
};

class SimNapi : public Napi {
 public:
  explicit SimNapi(Executive& executive) : executive_(executive) {}
  void add(NapiPoll& poll, int weight) override {
    poll_ = &poll;
    weight_ = weight;
  }
  bool schedule() override;
  bool complete(int done) override;
  void enable() override { enabled_ = true; }
  void disable() override;

 private:
  friend class Executive;
  Executive& executive_;
  NapiPoll* poll_ = nullptr;
  int weight_ = 64;
  bool enabled_ = false;
  bool scheduled_ = false;
  bool missed_ = false;
};

}  // namespace doorbell::hal
