#include "models/tsnep/gate_control.h"

#include "models/tsnep/tx_mac.h"

namespace doorbell::tsnep {

using base::Picos;

namespace {
constexpr Picos kWindow{int64_t{gc::kTimeoutNs} * 1000};
}  // namespace

GateControl::Operation GateControl::operation(unsigned list, unsigned index) const {
  const uint32_t at = reg::gcl_operation(list, index);
  return {core_.value(at), core_.value(at + 4)};
}

uint8_t GateControl::gates(const Cursor& c) const {
  if (c.list == kNone || !c.started) return open_;
  return static_cast<uint8_t>(operation(c.list, c.index).properties & gcl::kMask);
}

// End of the operation under way, or of the wait for the first one.
uint64_t GateControl::end_of(const Cursor& c) const {
  return c.started ? c.start + operation(c.list, c.index).interval : c.start;
}

void GateControl::step(Cursor& c) const {
  if (!c.started) {
    c.started = true;
  } else {
    const Operation now = operation(c.list, c.index);
    const bool in_change = c.changing && c.start >= c.change_at;
    c.start += now.interval;
    if (in_change && (now.properties & gcl::kChange) != 0) {
      c.list = 1 - c.list;
      c.index = 0;
      c.changing = false;
    } else if (in_change && (now.properties & gcl::kInsert) != 0 && c.index != gcl::kInserted) {
      c.index = gcl::kInserted;
    } else if ((now.properties & gcl::kLast) != 0) {
      c.index = 0;
    } else if (c.index + 1 < gcl::kInserted) {
      ++c.index;
    } else {
      c.error = true;
    }
  }
  if (!c.error && operation(c.list, c.index).interval < gcl::kMinIntervalNs) c.error = true;
  if (c.error) {
    c.list = kNone;
    c.started = c.changing = false;
  }
}

uint64_t GateControl::cycle(unsigned list) {
  if (cycle_[list] != kUnknown) return cycle_[list];
  uint64_t sum = 0;
  bool whole = false;
  for (unsigned i = 0; i < gcl::kUsable && !whole; ++i) {
    const Operation o = operation(list, i);
    if (o.interval < gcl::kMinIntervalNs) break;
    sum += o.interval;
    whole = (o.properties & gcl::kLast) != 0;
  }
  cycle_[list] = whole ? sum : 0;
  return cycle_[list];
}

// At the begin of a cycle: leaves out the ones that are over before `now` and before a change.
void GateControl::skip_cycles(Cursor& c, uint64_t now) {
  if (!c.started || c.index != 0) return;
  const uint64_t length = cycle(c.list);
  uint64_t until = now;
  if (c.changing && c.change_at < until) until = c.change_at;
  if (length != 0 && until > c.start + length) c.start += (until - c.start) / length * length;
}

void GateControl::advance(uint64_t now) {
  while (cursor_.list != kNone && end_of(cursor_) <= now) {
    skip_cycles(cursor_, now);
    if (end_of(cursor_) > now) break;
    step(cursor_);
    if (cursor_.error) {
      cursor_.error = false;
      error_ = true;
      ++core_.count.gc_list_errors;
    }
  }
}

uint8_t GateControl::open() {
  if (!core_.config.gate_control) return 0xFF;
  catch_up();
  return gates(cursor_);
}

// Walks over the operations to come and looks for a run with the gate open that is long enough.
Picos GateControl::next_start(unsigned queue, Picos earliest, Picos duration) {
  if (!core_.config.gate_control) return earliest;
  const auto bit = static_cast<uint8_t>(1u << queue);
  catch_up();
  Cursor c = cursor_;
  if (!core_.config.gate_guards_frame) duration = Picos(1);
  Picos run = base::kNever;  // begin of the open run under way
  Picos begin = core_.now();
  Picos give_up = base::kNever;
  while (c.list != kNone) {
    if (begin < earliest) {
      skip_cycles(c, core_.clock.fine_time(earliest));
      if (c.started) begin = base::max(begin, core_.clock.when(c.start));
    }
    const Picos end = core_.clock.when(end_of(c));
    if (end > earliest && end > begin) {
      if ((gates(c) & bit) == 0) {
        run = base::kNever;
      } else if (run == base::kNever) {
        run = base::max(begin, earliest);
      }
      if (run != base::kNever && end - run >= duration) return run;
    }
    begin = end;
    // A list without an end comes to its error soon enough.
    if (give_up == base::kNever && c.started && cycle(c.list) != 0) {
      give_up = base::max(begin, earliest) + two_cycles(c.list) + duration;
    } else if (begin > give_up) {
      if (!c.changing) return base::kNever;
      if (c.index == 0 && c.start < c.change_at) {
        skip_cycles(c, c.change_at);
        begin = core_.clock.when(end_of(c));
        give_up = base::kNever;
        run = base::kNever;
      }
    }
    const unsigned list = c.list;
    step(c);
    if (c.list != list) give_up = base::kNever;
  }
  // No list, or it will stop with an error: the gates are what they are without a list.
  if ((open_ & bit) == 0) return base::kNever;
  return run != base::kNever ? run : base::max(begin, earliest);
}

// In calendar time, whatever the clock's rate.
Picos GateControl::two_cycles(unsigned list) {
  const auto picos = static_cast<int64_t>(2 * cycle(list) * 1000);
  return Picos(picos + picos / 8);
}

uint64_t GateControl::resolve(uint32_t low) const {
  const uint64_t now = core_.clock.fine_time(core_.now());
  const uint64_t at = (now & ~uint64_t{0xFFFFFFFF}) | low;
  return at > now ? at : at + (uint64_t{1} << 32);
}

void GateControl::enable(unsigned list) {
  if (signal_) {
    signal_ = false;
    return;
  }
  if (window_used_ && !window_runs()) {
    signal_ = true;
    window_used_ = false;
    ++core_.count.gc_late;
    return;
  }
  window_used_ = false;
  window_end_ = Picos(0);
  error_ = false;
  if (cursor_.list == kNone) {
    cursor_ = Cursor{};
    cursor_.list = list;
    cursor_.start = resolve(core_.value(reg::kGcTime));
    ++core_.count.gc_enables;
  } else if (cursor_.list != list && !cursor_.changing) {
    cursor_.changing = true;
    cursor_.change_at = resolve(core_.value(reg::kGcChange));
    ++core_.count.gc_enables;
  }
}

void GateControl::command(uint8_t value) {
  if (!core_.config.gate_control) return;
  catch_up();
  if ((value & gc::kDisable) != 0) {
    cursor_ = Cursor{};
    error_ = false;
  }
  if ((value & gc::kEnableTimeout) != 0) {
    window_used_ = true;
    window_end_ = core_.now() + kWindow;
  }
  if ((value & gc::kEnableA) != 0) enable(0);
  if ((value & gc::kEnableB) != 0) enable(1);
  replan();
}

void GateControl::word_written(const reg::WriteEvent& event) {
  if (!core_.config.gate_control) return;
  catch_up();
  open_ = static_cast<uint8_t>(reg::get_field(gc::kOpen, event.written));
  command(static_cast<uint8_t>(event.written));
}

void GateControl::list_written(const reg::WriteEvent& event) {
  cycle_[event.offset >= reg::kGclB ? 1 : 0] = kUnknown;
  if (cursor_.list != kNone) replan();
}

uint32_t GateControl::read(uint32_t, uint32_t) {
  if (!core_.config.gate_control) return 0;
  catch_up();
  uint32_t value = 0;
  uint8_t next = open_;
  if (cursor_.list != kNone) {
    value |= cursor_.list == 0 ? gc::kActiveA : gc::kActiveB;
    if (cursor_.changing) value |= gc::kChangePending;
    Cursor c = cursor_;
    step(c);
    next = gates(c);
  }
  if (window_used_ && window_runs()) value |= gc::kTimeoutActive;
  if (signal_) value |= gc::kTimeoutSignal;
  if (error_) value |= gc::kListError;
  return value | uint32_t{gates(cursor_)} << 16 | uint32_t{next} << 24;
}

// The operation under way goes on; what a forward jump has passed over is over.
void GateControl::time_changed() {
  const uint64_t now = core_.clock.fine_time(core_.now());
  if (cursor_.started && cursor_.list != kNone) {
    const uint64_t length = cycle(cursor_.list);
    const uint64_t end = end_of(cursor_);
    if (length != 0 && !cursor_.changing && now > end + length) {
      cursor_.start += (now - end) / length * length;
    }
  }
  advance(now);
  replan();
}

void GateControl::replan() {
  core_.tx_mac->plan();
}

void GateControl::reset() {
  cursor_ = Cursor{};
  open_ = 0;
  window_used_ = signal_ = error_ = false;
  window_end_ = Picos(0);
  cycle_ = {kUnknown, kUnknown};
  replan();
}

}  // namespace doorbell::tsnep
