#include "models/fec/interrupts.h"

#include <algorithm>

#include "models/fec/fec_limits.h"

namespace doorbell::fec {

using base::Picos;

namespace {
constexpr uint32_t kTimerBits = eir::kTsAvail | eir::kTsTimer;
constexpr uint32_t class_bits(unsigned ring) {
  return eir::txf(ring) | eir::txb(ring) | eir::rxf(ring) | eir::rxb(ring) | eir::rxflush(ring);
}
}  // namespace

Interrupts::Interrupts(Core& core) : core_(core) {
  event_.bind<&Interrupts::run>(*this);
  posts_.reserve(64);
  for (unsigned ring = 0; ring < kRings; ++ring) {
    coalescers_[ring].bit = eir::txf(ring);
    coalescers_[kRings + ring].bit = eir::rxf(ring);
  }
}

void Interrupts::reset() {
  for (Coalescer& c : coalescers_) {
    const uint32_t bit = c.bit;
    c = Coalescer();
    c.bit = bit;
  }
  posts_.clear();
  coalesced_ = 0;
  held_ = 0;
  next_deadline_ = base::kNever;
  channel_request_ = false;
  core_.calendar.cancel(event_);
  update_lines();
}

void Interrupts::raise(uint32_t bits) {
  settle();
  apply(bits, core_.now());
  update_lines();
  plan();
}

void Interrupts::post(uint32_t bits, Picos at) {
  if (at <= core_.now()) {
    raise(bits);
    return;
  }
  auto where = posts_.end();
  while (where != posts_.begin() && (where - 1)->at > at) --where;
  posts_.insert(where, Post{at, bits});
  if ((bits & core_.value(reg::kEimr)) != 0 && (!event_.pending() || at < event_.time())) {
    core_.calendar.schedule(event_, at);
  } else if (posts_.size() >= 32) {
    settle();
  }
}

void Interrupts::settle(Picos until) {
  size_t done = 0;
  for (;;) {
    const Picos post = done < posts_.size() ? posts_[done].at : base::kNever;
    if (next_deadline_ <= until && next_deadline_ <= post) {
      const Picos due = next_deadline_;
      next_deadline_ = base::kNever;
      for (Coalescer& c : coalescers_) {
        if (c.deadline <= due) fire(c);
        next_deadline_ = base::min(next_deadline_, c.deadline);
      }
    } else if (post <= until && done < posts_.size()) {
      apply(posts_[done].bits, post);
      ++done;
    } else {
      break;
    }
  }
  if (done > 0) posts_.erase(posts_.begin(), posts_.begin() + static_cast<ptrdiff_t>(done));
}

void Interrupts::apply(uint32_t bits, Picos at) {
  uint32_t counted = bits & coalesced_;
  set_eir(bits & ~counted);
  while (counted != 0) {
    const uint32_t bit = counted & (~counted + 1);
    counted &= ~bit;
    for (Coalescer& c : coalescers_) {
      if (c.bit == bit) count_frame(c, at);
    }
  }
}

void Interrupts::count_frame(Coalescer& c, Picos at) {
  if (!core_.config.event_before_coalescing) {
    c.deferred = true;
  } else if ((core_.value(reg::kEir) & c.bit) == 0) {
    set_eir(c.bit);
    held_ |= c.bit;
  }
  if (++c.count == 1) {
    c.deadline = at + c.time;
    next_deadline_ = base::min(next_deadline_, c.deadline);
  }
  if (c.count >= c.frames) fire(c);
}

void Interrupts::fire(Coalescer& c) {
  if (c.deferred) set_eir(c.bit);
  c.deferred = false;
  held_ &= ~c.bit;
  c.count = 0;
  c.deadline = base::kNever;
}

void Interrupts::run() {
  settle();
  update_lines();
  plan();
}

void Interrupts::plan() {
  const uint32_t mask = core_.value(reg::kEimr);
  Picos at = base::kNever;
  for (const Post& post : posts_) {
    if ((post.bits & mask) != 0) {
      at = post.at;
      break;
    }
  }
  if (next_deadline_ != base::kNever) {
    for (const Coalescer& c : coalescers_) {
      if ((c.bit & mask) != 0) at = base::min(at, c.deadline);
    }
  }
  if (at == base::kNever) {
    core_.calendar.cancel(event_);
  } else if (!event_.pending() || event_.time() != at) {
    core_.calendar.schedule(event_, at);
  }
}

void Interrupts::update_lines() {
  const uint32_t active = core_.value(reg::kEir) & core_.value(reg::kEimr) & ~held_;
  std::array<bool, 4> level{};
  if (core_.config.irq_per_class) {
    level[0] = (active & class_bits(1)) != 0;
    level[1] = (active & class_bits(2)) != 0;
  }
  level[2] = (active & ~kTimerBits) != 0;
  level[3] = (active & kTimerBits) != 0 || channel_request_;
  for (unsigned i = 0; i < level.size(); ++i) {
    if (level[i] == level_[i]) continue;
    level_[i] = level[i];
    if (level[i]) ++core_.count.interrupts;
    if (sink_ != nullptr) sink_->set_level(i, level[i], core_.now());
  }
}

void Interrupts::set_channel_request(bool on) {
  channel_request_ = on;
  update_lines();
}

void Interrupts::eir_written(const reg::WriteEvent& event) {
  held_ &= ~event.written;
  update_lines();
}

void Interrupts::eimr_written(const reg::WriteEvent&) {
  update_lines();
  plan();
}

Picos Interrupts::tick(uint32_t ic) const {
  if ((ic & ic::kIccs) != 0) return core_.config.clock.cycles(kIcClocksPerTick * (ic & ic::kIctt));
  // (G)MII transmit clock: an octet a clock at 1 Gb/s, a nibble below.
  const uint64_t link = core_.config.link.count();
  const base::Hertz clock(link >= 1'000'000'000 ? link / 8 : link / 4);
  return clock.cycles(kIcClocksPerTick * (ic & ic::kIctt));
}

void Interrupts::coalescing_written(const reg::WriteEvent& event) {
  const bool rx = event.offset >= reg::kRxic0;
  const unsigned ring = (event.offset - (rx ? reg::kRxic0 : reg::kTxic0)) / 4;
  Coalescer& c = coalescers_[(rx ? kRings : 0) + ring];
  const uint32_t frames = reg::get_field(ic::kIcft, event.after);
  const bool on = (event.after & ic::kIcEn) != 0 && frames > 0 && (event.after & ic::kIctt) != 0;
  c.frames = on ? frames : 0;
  c.time = on ? tick(event.after) : Picos();
  coalesced_ = on ? coalesced_ | c.bit : coalesced_ & ~c.bit;
  if (c.count > 0 && (!on || c.count >= c.frames)) fire(c);
  update_lines();
  plan();
}

}  // namespace doorbell::fec
