#include "models/ice/pump.h"

#include "models/ice/reads.h"
#include "models/ice/rx_engine.h"
#include "models/ice/tx_engine.h"

namespace doorbell::ice {

using base::Picos;

Pump::Pump(Core& core) : core_(core) {
  event_.bind<&Pump::run>(*this);
}

void Pump::wake(Picos at) {
  if (running_ || at == base::kNever) return;
  const Picos when = base::max(at, last_run_ + core_.config.batch);
  if (!event_.pending() || when < event_.time()) core_.calendar.schedule(event_, when);
}

// Steps that only take in what has come.
Pump::Choice Pump::choose_free() const {
  Choice best;
  const auto offer = [&best](Source source, Picos at) {
    if (at < best.at) best = {source, at};
  };
  offer(Source::kRead, core_.reads->next());
  offer(Source::kDescriptors, core_.tx->next_descriptors());
  offer(Source::kDoorbell, doorbells_.next());
  return best;
}

// Steps that send something up. Round robin: a client asks again after its last grant, and of two
// that have asked at the same time the one that has waited longer wins.
Pump::Choice Pump::choose_uplink() {
  if (rx_stale_) rx_next_ = core_.rx->next_delivery();
  if (tx_stale_) tx_next_ = core_.tx->next_issue();
  rx_stale_ = tx_stale_ = false;
  Choice best;
  uint64_t number = 0;
  const auto offer = [&](Source source, Picos at, const Grant& grant) {
    if (core_.config.up_arbiter == UpArbiter::kRoundRobin) at = base::max(at, grant.at);
    if (core_.config.up_arbiter == UpArbiter::kRxFirst && source != Source::kRx) {
      at = base::max(at, floor_);
    }
    if (at > best.at || at == base::kNever) return;
    // Receive, which is asked first, wins a draw where it is first by rule.
    const bool later = core_.config.up_arbiter == UpArbiter::kRxFirst || grant.number > number;
    if (at == best.at && later) return;
    best = {source, at};
    number = grant.number;
  };
  offer(Source::kRx, rx_next_, rx_grant_);
  offer(Source::kReport, core_.tx->next_report(), report_grant_);
  offer(Source::kTx, tx_next_, tx_grant_);
  return best;
}

// Reads in a row: each may have given an engine something to do, but not before `until`.
void Pump::take_reads(Picos until) {
  do {
    ++steps_;
    if (core_.reads->complete_next() == ReadKind::kRxDescriptors) rx_stale_ = true;
  } while (core_.reads->next() <= until);
  tx_stale_ = true;  // a frame may have left the buffer
}

void Pump::take(const Choice& choice, Picos at) {
  ++steps_;
  switch (choice.source) {
    case Source::kDescriptors:
      core_.tx->take_descriptors();
      tx_stale_ = true;
      break;
    case Source::kDoorbell: {
      const uint16_t queue = doorbells_.front().queue;
      doorbells_.pop();
      core_.tx->doorbell_due(queue, at);
      tx_stale_ = true;
      break;
    }
    case Source::kReport:
      report_grant_ = {at, steps_};
      core_.tx->report(at);
      break;
    case Source::kRx:
      rx_grant_ = {at, steps_};
      core_.rx->deliver(at);
      rx_stale_ = true;
      break;
    case Source::kTx:
      tx_grant_ = {at, steps_};
      core_.tx->issue(at);
      tx_stale_ = true;
      break;
    case Source::kRead:
    case Source::kNone:
      break;
  }
}

void Pump::run() {
  if (running_) return;
  running_ = true;
  last_run_ = core_.now();
  rx_stale_ = tx_stale_ = true;  // anything may have happened since
  const Picos next = work(last_run_);
  running_ = false;
  wake(next);
}

Picos Pump::work(Picos now) {
  const Picos window = core_.config.up_window;
  for (;;) {
    const Choice free = choose_free();
    const Choice up = choose_uplink();
    if (base::min(free.at, up.at) > now) return base::min(free.at, up.at);
    if (free.at <= up.at) {
      if (free.source == Source::kRead) {
        take_reads(base::min(now, up.at));
      } else {
        take(free, free.at);
      }
      continue;
    }
    const Picos at = base::max(up.at, floor_);
    const Picos booked = core_.pcie.up_free();
    if (booked <= at + window) {
      take(up, at);
      continue;
    }
    floor_ = booked - window / 2;
    if (floor_ <= now) continue;
    // The link is booked: only steps without it can go on.
    if (free.at > now) return base::min(free.at, floor_);
    if (free.source == Source::kRead) {
      take_reads(free.at);
    } else {
      take(free, free.at);
    }
  }
}

}  // namespace doorbell::ice
