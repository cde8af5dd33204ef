// The one event that drives an E810's data path.
//
// Each source of work says when its next step is due; the pump takes steps in order of these times.
// Steps that use the link to the host wait while the link is booked further ahead than
// IceConfig::up_window, and compete for it by IceConfig::up_arbiter. While busy, the pump runs no
// more often than every IceConfig::batch and then works through what has come due, each step with
// its own exact time: a few steps an event instead of an event a step. Whoever looks at the device
// first calls run_to(now). Source of the arbitration: assumption.
#pragma once

#include "models/ice/fifo.h"
#include "models/ice/ice_core.h"

namespace doorbell::ice {

class Pump {
 public:
  explicit Pump(Core& core);

  /// Takes every step due by now.
  void settle() { run(); }
  /// A step may be due at `at`, earlier than the pump knows.
  void wake(base::Picos at);
  /// A queue's tail has moved: its descriptors may be fetched from `at` on.
  void ring(base::Picos at, uint16_t queue) { doorbells_.insert({at, queue}); }
  /// Steps taken so far.
  uint64_t steps() const { return steps_; }

 private:
  enum class Source : uint8_t { kNone, kRead, kDoorbell, kDescriptors, kReport, kRx, kTx };
  struct Doorbell {
    base::Picos at;
    uint16_t queue;
  };
  struct Choice {
    Source source = Source::kNone;
    base::Picos at = base::kNever;
  };

  /// When a client of the link had it last; the number breaks ties.
  struct Grant {
    base::Picos at{INT64_MIN / 2};
    uint64_t number = 0;
  };

  void run();
  /// Works through due steps until the next one is later than now; returns when it is due.
  base::Picos work(base::Picos now);
  Choice choose_free() const;
  Choice choose_uplink();
  void take(const Choice& choice, base::Picos at);
  void take_reads(base::Picos until);

  Core& core_;
  base::Event event_;
  Fifo<Doorbell> doorbells_;
  base::Picos last_run_{INT64_MIN / 2};
  base::Picos floor_;  // no step that uses the link is issued before
  Grant rx_grant_;
  Grant tx_grant_;
  Grant report_grant_;
  // What the engines said last; asked again when a step may have changed it.
  base::Picos rx_next_;
  base::Picos tx_next_;
  bool rx_stale_ = true;
  bool tx_stale_ = true;
  uint64_t steps_ = 0;
  bool running_ = false;
};

}  // namespace doorbell::ice
