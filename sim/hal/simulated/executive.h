// What a core does next: interrupts, softirqs, timers, idle. The operating system's share of a run.
//
// One Executive a core. Order: a pending interrupt, then softirq (NAPI polls), then due work, then
// idle. Softirq rules as in Linux net/core/dev.c and kernel/softirq.c: a pass polls until 300
// packets are done, passes repeat up to ten times or 2 ms, then ksoftirqd goes on, letting work in
// between. Interrupts are taken between polls and between work items, not inside them (assumption:
// a poll is at most 64 packets, and with NAPI the device's own line is masked meanwhile). A core
// may have one thread (process.h); it gives way at its preempt() calls. While it runs the core has
// a tick, at multiples of the tick's period as on every core; a softirq raised in process context
// waits for it or for an interrupt. When ksoftirqd has work too, the two take turns, a tick each
// (assumption: equal weights, and a scheduler that looks at ticks). Not modelled: more threads,
// priorities.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/hal/simulated/machine.h"

namespace doorbell::hal {

class SimNapi;

class Executive : public host::Program, public Process {
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
  uint64_t ticks() const { return ticks_; }
  Machine& machine() { return machine_; }

  // Process: this core's thread.
  unsigned cpu() const override { return core_.id(); }
  void start(Task& task) override;
  void preempt() override;
  void bh_enable() override;
  bool sleep(base::Picos timeout) override;
  void wake() override;
  void watch(const uint8_t* word) override;
  void clear_watch() override { watched_.clear(); }
  uint64_t spin() override;
  /// Another core writes to a line of shared memory.
  void note_write(uint64_t line, base::Picos at);
  bool watches() const { return !watched_.empty(); }

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

  // Ends sleep() at a time, the way hardware would.
  struct Alarm {
    host::Core* core = nullptr;
    base::Event event;
    void fire() { core->wake(event.time()); }
  };

  bool step();
  void rest();
  void run_thread();
  void yield_core();
  void tick();
  void set_next_tick();
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
  bool ksoftirqd_turn_ = false;  // of the core, against the thread
  bool softirq_waits_ = false;   // raised by a thread that sleeps now
  Task* task_ = nullptr;
  bool woken_ = false;
  base::Picos next_tick_ = base::kNever;
  Alarm alarm_;
  std::vector<uint64_t> watched_;  // lines of shared memory
  bool noticed_ = false;           // one was written since the last spin()
  bool spinning_ = false;
  uint64_t ticks_ = 0;
  uint64_t interrupts_ = 0;
  uint64_t spurious_ = 0;
};

class SimNapi : public Napi {
 public:
  /// `executive`: of the core that its interrupt goes to.
  explicit SimNapi(Executive& executive) : executive_(executive), timer_(*this) {}
  void add(NapiPoll& poll, int weight) override {
    poll_ = &poll;
    weight_ = weight;
  }
  bool schedule() override;
  bool complete(int done) override;
  void enable() override { enabled_ = true; }
  void disable() override;
  int busy_poll(int budget, base::Picos hold) override;
  void bh_enable() override;

 private:
  friend class Executive;
  // gro_flush_timeout: polling goes on in softirq.
  class HoldTimer : public Work {
   public:
    explicit HoldTimer(SimNapi& napi) : napi_(napi) {}
    void run_work() override {
      napi_.holding_ = false;
      napi_.schedule();
    }

   private:
    SimNapi& napi_;
  };
  void hold();
  void end_hold();

  Executive& executive_;
  NapiPoll* poll_ = nullptr;
  int weight_ = 64;
  bool enabled_ = false;
  bool scheduled_ = false;
  bool missed_ = false;
  Executive* raised_on_ = nullptr;  // core that polls it
  bool busy_polling_ = false;
  base::Picos hold_;      // gro_flush_timeout; 0: off
  int deferrals_ = 0;     // completions that leave interrupts off
  bool holding_ = false;  // the timer runs
  HoldTimer timer_;
};

}  // namespace doorbell::hal
