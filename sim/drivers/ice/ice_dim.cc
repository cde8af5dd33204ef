#include "sim/drivers/ice/ice_dim.h"

namespace doorbell::drivers::ice {

namespace {
constexpr uint64_t kSignificantPercent = 10;
constexpr unsigned kTiredAfter = 2 * Dim::kProfiles;

// Per millisecond, rounded up.
uint64_t rate(uint64_t count, uint64_t micros) {
  return (count * 1000 + micros - 1) / micros;
}
// A change of more than ten per cent of `before`.
bool differs(uint64_t now, uint64_t before) {
  const uint64_t gap = now > before ? now - before : before - now;
  return 100 * gap / before > kSignificantPercent;
}
}  // namespace

Dim::Verdict Dim::compare(const Rates& now, const Rates& before) {
  if (before.bytes == 0) return now.bytes != 0 ? Verdict::kBetter : Verdict::kSame;
  if (differs(now.bytes, before.bytes)) {
    return now.bytes > before.bytes ? Verdict::kBetter : Verdict::kWorse;
  }
  if (before.packets == 0) return now.packets != 0 ? Verdict::kBetter : Verdict::kSame;
  if (differs(now.packets, before.packets)) {
    return now.packets > before.packets ? Verdict::kBetter : Verdict::kWorse;
  }
  if (before.events == 0 || !differs(now.events, before.events)) return Verdict::kSame;
  return now.events < before.events ? Verdict::kBetter : Verdict::kWorse;
}

Dim::Step Dim::step() {
  if (tired_ == kTiredAfter) return Step::kTooTired;
  if (tune_ == Tune::kRight) {
    if (profile_ + 1 == kProfiles) return Step::kOnEdge;
    ++profile_;
    ++steps_right_;
  } else {
    if (profile_ == 0) return Step::kOnEdge;
    --profile_;
    ++steps_left_;
  }
  ++tired_;
  return Step::kStepped;
}

void Dim::turn() {
  if (tune_ == Tune::kRight) {
    tune_ = Tune::kLeft;
    steps_left_ = 0;
  } else {
    tune_ = Tune::kRight;
    steps_right_ = 0;
  }
}

// One step back after several forward: the top lies behind.
bool Dim::on_top() const {
  return tune_ == Tune::kRight ? steps_left_ > 1 && steps_right_ == 1
                               : steps_right_ > 1 && steps_left_ == 1;
}

void Dim::park(Tune how) {
  steps_right_ = steps_left_ = 0;
  if (how == Tune::kParked) tired_ = 0;
  tune_ = how;
}

void Dim::leave_parking() {
  tune_ = profile_ != 0 ? Tune::kLeft : Tune::kRight;
  step();
}

void Dim::walk() {
  if (on_top()) {
    park(Tune::kParked);
    return;
  }
  switch (step()) {
    case Step::kStepped:
      return;
    case Step::kOnEdge:
      park(Tune::kParked);
      return;
    case Step::kTooTired:
      park(Tune::kTired);
      return;
  }
}

bool Dim::decide(const Rates& now) {
  const unsigned old_profile = profile_;
  const Tune old_tune = tune_;
  switch (tune_) {
    case Tune::kParked:
      if (compare(now, before_) != Verdict::kSame) leave_parking();
      break;
    case Tune::kTired:
      if (--tired_ == 0) leave_parking();
      break;
    case Tune::kRight:
    case Tune::kLeft:
      if (compare(now, before_) != Verdict::kBetter) turn();
      walk();
      break;
  }
  if (old_tune != Tune::kParked || tune_ != Tune::kParked) before_ = now;
  return profile_ != old_profile;
}

bool Dim::sample(const DimSample& now) {
  if (state_ == State::kApplying) return false;
  if (state_ == State::kMeasuring) {
    if (now.events - start_.events < kEvents) return false;
    const auto micros = static_cast<uint64_t>((now.at - start_.at).count() / 1000000);
    if (micros != 0) {
      Rates rates;
      rates.packets = rate(now.packets - start_.packets, micros);
      rates.bytes = rate(now.bytes - start_.bytes, micros);
      rates.events = rate(kEvents, micros);
      if (decide(rates)) {
        state_ = State::kApplying;
        return true;
      }
    }
  }
  start_ = now;
  state_ = State::kMeasuring;
  return false;
}

}  // namespace doorbell::drivers::ice
