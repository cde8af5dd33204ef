#include "models/ice/interrupts.h"

#include "models/ice/pump.h"
#include "models/ice/rx_engine.h"
#include "models/ice/tx_engine.h"

namespace doorbell::ice {

using base::Picos;

Interrupts::Interrupts(Core& core) : core_(core), vectors_(kVectors) {
  for (unsigned i = 0; i < kVectors; ++i) {
    vectors_[i].owner = this;
    vectors_[i].number = i;
    vectors_[i].event.bind<&Vector::run>(vectors_[i]);
    vectors_[i].start.fill(kLongAgo);
    vectors_[i].last = kLongAgo;
  }
  held_.reserve(1024);
}

// When the event on timer `itr` may act.
Picos Interrupts::due(const Vector& v, unsigned itr) const {
  if (itr == kItrNoUpdate) return v.since[itr];
  if (core_.config.itr_from_event) return v.since[itr] + v.interval[itr];
  return base::max(v.since[itr], v.start[itr] + v.interval[itr]);
}

Picos Interrupts::due(const Vector& v) const {
  Picos first = base::kNever;
  for (unsigned itr = 0; itr <= kItrs; ++itr) {
    if ((v.pending >> itr & 1) != 0) first = base::min(first, due(v, itr));
  }
  return first;
}

// The vector's event at the earliest time at which something can be done.
void Interrupts::plan(Vector& v) {
  if (v.pending == 0 || !(v.armed || v.wb_on_itr)) {
    if (v.event.pending()) core_.calendar.cancel(v.event);
    return;
  }
  Picos at = due(v);
  if (v.armed) at = base::max(at, v.last + v.rate);
  if (!v.event.pending() || v.event.time() != at) core_.calendar.schedule(v.event, at);
}

void Interrupts::note(unsigned vector, unsigned itr, Picos at) {
  Vector& v = vectors_[vector];
  v.pending = static_cast<uint8_t>(v.pending | 1u << itr);
  v.since[itr] = at;
  if (!v.armed && !v.wb_on_itr) {
    v.pba = true;
    return;
  }
  plan(v);
}

void Interrupts::fire(Vector& v) {
  const Picos now = core_.now();
  core_.pump->settle();  // what happened before the message goes out before it
  if (v.event.pending()) core_.calendar.cancel(v.event);
  bool acted = false;
  for (unsigned itr = 0; itr <= kItrs; ++itr) {
    if ((v.pending >> itr & 1) == 0 || due(v, itr) > now) continue;
    acted = true;
    v.pending = static_cast<uint8_t>(v.pending & ~(1u << itr));
    if (itr != kItrNoUpdate) v.start[itr] = now;
  }
  if (!acted) {
    plan(v);
    return;
  }
  const bool wrote = flush(v, now);
  if (v.armed) {
    v.last = now;
    v.pba = false;
    if (automask_) {
      v.armed = false;
      core_.regs.clear_bits(reg::glint_dyn_ctl(v.number), glint_dyn_ctl::kIntEna);
    }
    ++core_.count.interrupts;
    ++v.messages;
    if (v.number < core_.msix.vectors()) core_.msix.signal(v.number, now);
    if (core_.digest != nullptr) {
      core_.digest->add_time(now);
      core_.digest->add_u64(v.number);
    }
    if (core_.trace != nullptr) core_.trace->instant("ice msix", "message", now, v.number);
  } else if (wrote) {
    ++core_.count.itr_flushes;
  }
  plan(v);
}

bool Interrupts::flush(Vector& v, Picos at) {
  bool wrote = false;
  uint32_t i = v.flush;
  v.flush = kNoList;
  while (i != kNoList) {
    const Held node = held_[i];
    held_[i].next = free_;
    free_ = i;
    if (node.rx) {
      core_.rx->queue(node.queue).flush_listed = false;
      wrote = core_.rx->flush(node.queue, at) || wrote;
    } else {
      core_.tx->queue(node.queue).flush_listed = false;
      wrote = core_.tx->flush(node.queue, at) || wrote;
    }
    i = node.next;
  }
  return wrote;
}

void Interrupts::hold(Vector& v, uint16_t queue, bool rx) {
  uint32_t i = free_;
  if (i == kNoList) {
    i = static_cast<uint32_t>(held_.size());
    held_.push_back({});
  } else {
    free_ = held_[i].next;
  }
  held_[i] = {v.flush, queue, rx};
  v.flush = i;
}

void Interrupts::hold_tx(unsigned vector, uint16_t queue) {
  TxQueue& q = core_.tx->queue(queue);
  if (q.flush_listed) return;
  q.flush_listed = true;
  hold(vectors_[vector], queue, false);
}

void Interrupts::hold_rx(unsigned vector, uint16_t queue) {
  RxQueue& q = core_.rx->queue(queue);
  if (q.flush_listed) return;
  q.flush_listed = true;
  hold(vectors_[vector], queue, true);
}

void Interrupts::other(uint32_t bits) {
  core_.regs.set_bits(reg::kPfintOicr, bits);
  const uint32_t control = core_.regs.peek(reg::kPfintOicrCtl);
  if ((bits & core_.regs.peek(reg::kPfintOicrEna)) == 0 || (control & qint_ctl::kCauseEna) == 0) {
    return;
  }
  event(reg::get_field(qint_ctl::kMsixIndx, control), reg::get_field(qint_ctl::kItrIndx, control),
        core_.now());
}

void Interrupts::firmware() {
  const uint32_t control = core_.regs.peek(reg::kPfintFwCtl);
  if ((control & qint_ctl::kCauseEna) == 0) return;
  event(reg::get_field(qint_ctl::kMsixIndx, control), reg::get_field(qint_ctl::kItrIndx, control),
        core_.now());
}

// GLINT_CTL's granularity for the link's speed, in microseconds.
Picos Interrupts::itr_unit() const {
  const uint32_t control = core_.regs.peek(reg::kGlintCtl);
  const uint64_t gbit = core_.config.link.count() / 1'000'000'000;
  const uint32_t mask = gbit > 100  ? glint_ctl::kItrGran200
                        : gbit > 50 ? glint_ctl::kItrGran100
                        : gbit > 25 ? glint_ctl::kItrGran50
                                    : glint_ctl::kItrGran25;
  return Picos(1'000'000) * reg::get_field(mask, control);
}

void Interrupts::itr_written(const reg::WriteEvent& event) {
  const unsigned itr = event.index / kVectors;
  Vector& v = vectors_[event.index % kVectors];
  v.interval[itr] = itr_unit() * reg::get_field(kGlintItrInterval, event.after);
  plan(v);
}

void Interrupts::rate_written(const reg::WriteEvent& event) {
  Vector& v = vectors_[event.index];
  const bool on = (event.after & glint_rate::kIntrlEna) != 0;
  const uint32_t units = on ? reg::get_field(glint_rate::kInterval, event.after) : 0;
  const unsigned unit = core_.config.link.count() > 25'000'000'000 ? 4 : 8;
  v.rate = Picos(1'000'000) * (static_cast<int64_t>(units) * unit);
  plan(v);
}

void Interrupts::glint_ctl_written(const reg::WriteEvent& event) {
  automask_ = (event.after & glint_ctl::kDisAutomask) == 0;
}

void Interrupts::dyn_ctl_written(const reg::WriteEvent& written) {
  Vector& v = vectors_[written.index];
  const uint32_t value = written.written;
  if ((value & glint_dyn_ctl::kIntEnaMsk) == 0) {
    v.armed = (value & glint_dyn_ctl::kIntEna) != 0;
  } else {
    // INTENA of this write does not count: the register goes back to what the vector is.
    const uint32_t offset = reg::glint_dyn_ctl(written.index);
    core_.regs.clear_bits(offset, glint_dyn_ctl::kIntEna);
    if (v.armed) core_.regs.set_bits(offset, glint_dyn_ctl::kIntEna);
  }
  v.wb_on_itr = (value & glint_dyn_ctl::kWbOnItr) != 0;
  const uint32_t itr = reg::get_field(glint_dyn_ctl::kItrIndx, value);
  if (itr != kItrNoUpdate) {
    const uint32_t offset = reg::glint_itr(itr, written.index);
    core_.regs.write(offset, 4, reg::get_field(glint_dyn_ctl::kInterval, value));
  }
  if ((value & glint_dyn_ctl::kClearPba) != 0) {
    v.pba = false;
    if (core_.config.clearpba_forgets) v.pending = 0;
  }
  plan(v);
  if ((value & glint_dyn_ctl::kSwIntTrig) != 0) {
    const bool timed = (value & glint_dyn_ctl::kSwItrIndxEna) != 0;
    event(written.index, timed ? reg::get_field(glint_dyn_ctl::kSwItrIndx, value) : kItrNoUpdate,
          core_.now());
  }
}

void Interrupts::oicr_ena_written(const reg::WriteEvent& event) {
  if ((core_.regs.peek(reg::kPfintOicr) & event.rising(~0u)) != 0) other(0);
}

void Interrupts::reset() {
  for (Vector& v : vectors_) {
    if (v.event.pending()) core_.calendar.cancel(v.event);
    v.pending = 0;
    v.armed = v.wb_on_itr = v.pba = false;
    v.interval = {};
    v.start.fill(kLongAgo);
    v.rate = Picos(0);
    v.last = kLongAgo;
    flush(v, core_.now());
  }
  automask_ = true;
}

}  // namespace doorbell::ice
