// A CPU core: local time that runs ahead of the kernel, and a book of where it went.
//
// Software on a core spends time by label and calls sync() before each act that hardware can see.
// sync() lets every hardware event up to the core's local time happen first, in this thread and
// without a kernel event, unless another core is behind: then this one waits so that cores act in
// order of time. Where nothing that a core does reaches another one in less than some time, as over
// PCI Express, cores may be that much out of order (CoreGroup::set_lookahead) and meet() only where
// they share data: fewer hand-overs. The kernel catches up once per `quantum` and whenever the core
// idles. Modelled: one thread of execution, time by cost table. Not modelled: instructions,
// pipelines, branch prediction; caches are cache_view.h.
#pragma once

#include <array>
#include <systemc>
#include <vector>

#include "models/base/calendar.h"
#include "models/base/units.h"
#include "models/fabric/calendar_driver.h"
#include "models/host/fiber.h"

namespace doorbell::host {

class Core;

/// The cores of one machine, and which of them must act next. All run in one SystemC thread, each
/// on a stack of its own.
class CoreGroup : public sc_core::sc_module {
 public:
  /// Cores run at most `quantum` ahead of the kernel.
  CoreGroup(sc_core::sc_module_name name, base::Calendar& calendar, fabric::CalendarDriver& driver,
            base::Picos quantum);
  base::Calendar& calendar() { return calendar_; }
  fabric::CalendarDriver& driver() { return driver_; }
  /// Cores may act up to `span` ahead of the one that is furthest behind, between meet()s. No act
  /// of a core may reach a device sooner than that.
  void set_lookahead(base::Picos span) {
    lookahead_ = span;
    refresh();
  }
  /// The run is over: software called from now on (destructors) acts without waiting for anybody.
  void halt() { halted_ = true; }
  /// The core whose software is being executed now; valid in software only.
  Core& running() { return *running_; }

 private:
  friend class Core;
  SC_HAS_PROCESS(CoreGroup);
  struct Turn {
    base::Picos at;
    unsigned id;
    Core* core;
  };
  // For a heap with the earliest turn first; cores of the same time act by number.
  static bool later(const Turn& a, const Turn& b) {
    return a.at > b.at || (a.at == b.at && a.id > b.id);
  }
  void thread();
  void run_ready();
  void await_kernel();
  void enqueue(Core& core, base::Picos at);
  void requeue(Core& core, base::Picos at);
  void refresh() {
    earliest_waiting_ = turns_.empty() ? base::kNever : turns_.front().at;
    bound_ = turns_.empty() ? base::kNever : earliest_waiting_ + lookahead_;
  }

  base::Calendar& calendar_;
  fabric::CalendarDriver& driver_;
  base::Picos quantum_;
  std::vector<Turn> turns_;  // a heap
  sc_core::sc_event wake_;
  Core* running_ = nullptr;
  bool in_thread_ = false;
  bool halted_ = false;
  base::Picos lookahead_;
  base::Picos earliest_waiting_ = base::kNever;
  base::Picos bound_ = base::kNever;  // how far a running core may go
  base::Picos horizon_;               // kernel time plus quantum
};

/// What a core executes: called once, in the core's thread; returns never or when done.
class Program {
 public:
  virtual ~Program() = default;
  virtual void run(Core& core) = 0;
};

class Core {
 public:
  static constexpr size_t kMaxLabels = 16;

  Core(unsigned id, CoreGroup& group);

  /// Set before simulation starts.
  void set_program(Program& program) { program_ = &program; }

  unsigned id() const { return id_; }
  /// Local time.
  base::Picos now() const { return local_; }
  /// Spends time; no other effect.
  void spend(base::Picos cost, unsigned label) {
    local_ += cost;
    busy_[label] += cost;
  }
  base::Picos busy(unsigned label) const {
    return busy_[label] + (label == spin_label_ ? spun() : base::Picos(0));
  }
  base::Picos busy_total() const;

  /// Everything hardware and other cores do up to now() has happened when this returns.
  void sync() {
    if (group_.bound_ >= local_ && local_ < group_.horizon_) {
      if (group_.calendar().run_until(local_)) {
        return;
      }
    }
    sync_slow();
  }
  /// The same, and no other core is behind: where cores share data, such as a lock.
  void meet();
  /// Gives the core up until wake(); local time continues at the wake-up's, the earliest of those
  /// that come before it. Returns at once if a wake-up is already due.
  void idle();
  /// The same for a core that looks for something again and again, `step` of work each time: passes
  /// whole steps, spent under `label`, until the first that ends at or after the wake-up. Returns
  /// how many. Nothing that it would see may change without a wake-up.
  uint64_t spin(base::Picos step, unsigned label);
  /// Ends idle() at `at`. Called from calendar events and from other cores.
  void wake(base::Picos at);
  bool is_idle() const { return state_ == State::kIdle; }

 private:
  friend class CoreGroup;
  // kWaiting: for other cores or the kernel, in sync(). kWoken: idle, and will resume.
  // An idle core that runs the calendar itself stays kRunning.
  enum class State : uint8_t { kRunning, kWaiting, kIdle, kWoken };

  static constexpr unsigned kNoLabel = kMaxLabels;

  void body();
  void sync_slow();
  void wait_until(base::Picos at);
  base::Picos spun() const;

  unsigned id_;
  CoreGroup& group_;
  Program* program_ = nullptr;
  State state_ = State::kWaiting;
  base::Picos local_;
  base::Picos wake_at_ = base::kNever;
  std::array<base::Picos, kMaxLabels> busy_{};
  unsigned spin_label_ = kNoLabel;  // while it spins
  Fiber fiber_;                     // last: unwound first
};

}  // namespace doorbell::host
