#include "models/tsnep/clock.h"

namespace doorbell::tsnep {

using base::Picos;

// In 2^-32 ns, at the latest clock at or before `t`; before the segment its start's value.
SystemClock::Wide SystemClock::value(const Segment& s, Picos t) {
  const Wide base = Wide{s.ns} << 32 | s.fraction;
  if (t <= s.start) return base;
  const auto ticks = static_cast<uint64_t>((t - s.start).count() / kTickPicos);
  return base + Wide{ticks} * s.step;
}

uint64_t SystemClock::time(Picos t) const {
  return static_cast<uint64_t>(value(t < now_.start ? before_ : now_, t) >> 32);
}

uint64_t SystemClock::fine_time(Picos t) const {
  const Wide base = Wide{now_.ns} << 32 | now_.fraction;
  if (t <= now_.start) return now_.ns;
  const auto span = static_cast<uint64_t>((t - now_.start).count());
  if (now_.step == kNominal) return static_cast<uint64_t>((base + (Wide{span} << 32) / 1000) >> 32);
  return static_cast<uint64_t>((base + Wide{span} * now_.step / kTickPicos) >> 32);
}

Picos SystemClock::when(uint64_t ns) const {
  if (ns <= now_.ns) return now_.start;
  if (now_.step == kNominal && now_.fraction == 0) {
    return now_.start + Picos(static_cast<int64_t>((ns - now_.ns) * 1000));
  }
  const Wide left = (Wide{ns - now_.ns} << 32) - now_.fraction;
  const Wide picos = (left * kTickPicos + now_.step - 1) / now_.step;
  return now_.start + Picos(static_cast<int64_t>(picos));
}

// Ends the segment at the clock at or before `now`.
void SystemClock::begin(Picos now) {
  const Wide at = value(now_, now);
  before_ = now_;
  now_.start = Picos(now.count() / kTickPicos * kTickPicos);
  now_.ns = static_cast<uint64_t>(at >> 32);
  now_.fraction = static_cast<uint32_t>(at);
}

void SystemClock::set_time(Picos now, uint64_t ns) {
  begin(now);
  now_.ns = ns;
  now_.fraction = 0;
}

void SystemClock::set_rate(Picos now, uint32_t v) {
  begin(now);
  const uint64_t magnitude = v & clock_rate::kMagnitude;
  now_.step = (v & clock_rate::kNegative) != 0 ? kNominal - magnitude : kNominal + magnitude;
}

void SystemClock::reset(Picos now) {
  begin(now);
  now_.ns = 0;
  now_.fraction = 0;
  now_.step = kNominal;
}

}  // namespace doorbell::tsnep
