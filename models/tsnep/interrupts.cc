#include "models/tsnep/interrupts.h"

namespace doorbell::tsnep {

using base::Picos;

Interrupts::Interrupts(Core& core) : core_(core) {
  for (unsigned q = 0; q < kMaxQueues; ++q) {
    queues_[q].owner = this;
    queues_[q].index = q;
    queues_[q].due.bind<&Queue::on_due>(queues_[q]);
  }
}

Picos Interrupts::delay_of(unsigned queue) const {
  const uint32_t word = core_.value(reg::kIntDelay + (queue & ~3u));
  const uint32_t octet = word >> (8 * (queue & 3)) & int_delay::kDelay;
  const int64_t micros = (octet >> int_delay::kShift) * int_delay::kUnitMicros;
  return Picos(micros * 1'000'000);
}

void Interrupts::start(Queue& queue, unsigned kind, Picos at) {
  queue.started = at;
  queue.first[kind] = at;
  core_.calendar.schedule(queue.due, at + queue.delay);
}

void Interrupts::post(Queue& queue, unsigned kind, Picos at) {
  const unsigned other = 1 - kind;
  if (!queue.due.pending()) {
    queue.delay = delay_of(queue.index);
    start(queue, kind, at);
  } else if (at < queue.started) {
    // Posted ahead of time, the other kind came first; but this event is earlier.
    start(queue, kind, at);
    if (queue.first[other] > queue.due.time()) {
      queue.next[other] = queue.first[other];
      queue.first[other] = base::kNever;
    }
  } else if (at <= queue.due.time()) {
    queue.first[kind] = base::min(queue.first[kind], at);
  } else {
    queue.next[kind] = base::min(queue.next[kind], at);
  }
}

void Interrupts::on_due(Queue& queue) {
  uint32_t bits = 0;
  if (queue.first[0] != base::kNever) bits |= interrupt::tx(queue.index);
  if (queue.first[1] != base::kNever) bits |= interrupt::rx(queue.index);
  const std::array<Picos, 2> next = queue.next;
  queue.first = queue.next = {base::kNever, base::kNever};
  for (const unsigned kind : {0u, 1u}) {
    if (next[kind] != base::kNever) post(queue, kind, next[kind]);
  }
  raise(bits);
}

void Interrupts::link_changed() {
  raise(interrupt::kLink);
}

void Interrupts::raise(uint32_t bits) {
  const uint32_t disabled = bits & ~enabled_;
  if (disabled != 0) {
    if (core_.config.keep_disabled_interrupts) {
      kept_ |= disabled;
    } else {
      core_.count.interrupts_lost.add(static_cast<uint64_t>(__builtin_popcount(disabled)));
    }
  }
  active_ |= bits & enabled_;
  update_lines();
}

void Interrupts::enable_written(const reg::WriteEvent& event) {
  const uint32_t bits = event.written & interrupt::kAll;
  if ((event.written & interrupt::kDisable) != 0) {
    enabled_ &= ~bits;
    active_ &= ~bits;
  } else {
    enabled_ |= bits;
    active_ |= kept_ & bits;
    kept_ &= ~bits;
  }
  update_lines();
}

void Interrupts::active_written(const reg::WriteEvent& event) {
  active_ &= ~event.written;
  update_lines();
}

void Interrupts::update_lines() {
  uint32_t levels = 0;
  for (unsigned q = 0; q < core_.config.queues; ++q) {
    const uint32_t bits = interrupt::queue(q) | (q == 0 ? interrupt::kLink : 0);
    if ((active_ & bits) != 0) levels |= 1u << q;
  }
  const uint32_t changed = levels ^ levels_;
  levels_ = levels;
  if (changed == 0) return;
  for (unsigned q = 0; q < core_.config.queues; ++q) {
    if ((changed >> q & 1) == 0) continue;
    const bool level = (levels >> q & 1) != 0;
    if (level) ++core_.count.interrupts;
    if (sink_ != nullptr) sink_->set_level(q, level, core_.now());
  }
}

void Interrupts::reset() {
  for (Queue& queue : queues_) {
    core_.calendar.cancel(queue.due);
    queue.first = queue.next = {base::kNever, base::kNever};
  }
  enabled_ = active_ = kept_ = 0;
  update_lines();
}

}  // namespace doorbell::tsnep
