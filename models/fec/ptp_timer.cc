#include "models/fec/ptp_timer.h"

#include <algorithm>

#include "models/fec/interrupts.h"

namespace doorbell::fec {

using base::Picos;

PtpTimer::PtpTimer(Core& core) : core_(core) {
  event_.bind<&PtpTimer::run>(*this);
  reset();
}

void PtpTimer::reset() {
  running_ = false;
  value_ = 0;
  tick_ = 0;
  cor_phase_ = 0;
  left_.fill(kIdle);
  captured_at_ = base::kNever;
  shown_ = 0;
  load();
  core_.calendar.cancel(event_);
}

uint64_t PtpTimer::ticks_until(Picos t) const {
  if (t <= origin_) return 0;
  const auto span = static_cast<uint64_t>((t - origin_).count());
  const uint64_t hertz = core_.config.ptp_clock.count();
  if (1'000'000'000'000 % hertz == 0) return span / (1'000'000'000'000 / hertz);
  return static_cast<uint64_t>(static_cast<unsigned __int128>(span) * hertz / 1'000'000'000'000u);
}

uint64_t PtpTimer::advance_for(uint64_t ticks) const {
  const uint64_t plain = ticks * inc_;
  if (cor_ == 0) return plain;
  const uint64_t corrections = (cor_phase_ + ticks) / cor_;
  return plain - corrections * inc_ + corrections * inc_corr_;
}

uint32_t PtpTimer::value_at(Picos t) const {
  if (!running_) return value_;
  const uint64_t ticks = ticks_until(t);
  if (ticks <= tick_) return value_;
  return static_cast<uint32_t>((value_ + advance_for(ticks - tick_)) % period());
}

// Moves the base to now. Sources whose distance is used up fire.
void PtpTimer::advance() {
  if (!running_) return;
  const uint64_t ticks = ticks_until(core_.now());
  if (ticks <= tick_) return;
  const uint64_t step = ticks - tick_;
  const uint64_t moved = advance_for(step);
  value_ = static_cast<uint32_t>((value_ + moved) % period());
  if (cor_ != 0) cor_phase_ = (cor_phase_ + step) % cor_;
  tick_ = ticks;
  for (unsigned source = 0; source < left_.size(); ++source) {
    if (left_[source] == kIdle) continue;
    if (left_[source] > moved) {
      left_[source] -= moved;
    } else {
      const uint64_t late = moved - left_[source];
      left_[source] = period() - late % period();
      fire(source);
    }
  }
}

void PtpTimer::fire(unsigned source) {
  if (source == kWrap) {
    core_.irq->raise(eir::kTsTimer);
  } else if (source == kOffset) {
    left_[kOffset] = kIdle;
    core_.regs.clear_bits(reg::kAtcr, atcr::kOffEn);
    if ((core_.value(reg::kAtcr) & atcr::kOffRst) != 0) set_value(0);
  } else {
    core_.regs.set_bits(reg::tcsr(source), tcsr::kTf);
    core_.regs.set_bits(reg::kTgsr, tgsr_tf(source));
    update_request();
  }
}

void PtpTimer::update_request() {
  bool on = false;
  for (unsigned c = 0; c < kChannels; ++c) {
    const uint32_t both = tcsr::kTf | tcsr::kTie;
    on = on || (core_.value(reg::tcsr(c)) & both) == both;
  }
  core_.irq->set_channel_request(on);
}

void PtpTimer::arm(unsigned source, uint32_t target) {
  const uint64_t distance = (target % period() + period() - value_) % period();
  left_[source] = distance == 0 ? period() : distance;
}

void PtpTimer::arm_channels() {
  const uint32_t atcr = core_.value(reg::kAtcr);
  left_[kWrap] = kIdle;
  left_[kOffset] = kIdle;
  if ((atcr & atcr::kPerEn) != 0) arm(kWrap, 0);
  if ((atcr & atcr::kOffEn) != 0) arm(kOffset, core_.value(reg::kAtoff));
  for (unsigned c = 0; c < kChannels; ++c) {
    left_[c] = kIdle;
    if (reg::get_field(tcsr::kTmode, core_.value(reg::tcsr(c))) >= 4) {
      arm(c, core_.value(reg::tccr(c)));
    }
  }
}

void PtpTimer::load() {
  period_ = core_.value(reg::kAtper);
  inc_ = reg::get_field(atinc::kInc, core_.value(reg::kAtinc));
  inc_corr_ = reg::get_field(atinc::kIncCorr, core_.value(reg::kAtinc));
  cor_ = core_.value(reg::kAtcor) & kAtcorPeriod;
}

void PtpTimer::set_value(uint32_t value) {
  value_ = static_cast<uint32_t>(value % period());
  arm_channels();
}

void PtpTimer::run() {
  advance();
  plan();
}

// Schedules the first tick at which the nearest source can fire. A correction in between may make
// that a tick early or late by a few; run() then plans again, and never fires early.
void PtpTimer::plan() {
  uint64_t nearest = kIdle;
  for (const uint64_t left : left_) nearest = std::min(nearest, left);
  const uint64_t fastest = cor_ != 0 ? std::max(inc_, inc_corr_) : inc_;
  if (!running_ || nearest == kIdle || fastest == 0) {
    core_.calendar.cancel(event_);
    return;
  }
  const uint64_t ticks = tick_ + (nearest + fastest - 1) / fastest;
  Picos at = origin_ + core_.config.ptp_clock.cycles(ticks);
  while (ticks_until(at) < ticks) at += Picos(1);  // a clock that does not divide 1 THz rounds
  core_.calendar.schedule(event_, at);
}

void PtpTimer::control_written(const reg::WriteEvent& event) {
  advance();
  read_value(0, 0);  // an earlier capture that is done stays what ATVR reads
  const bool runs = (event.after & atcr::kEn) != 0;
  if (runs && !running_) {
    origin_ = core_.now();
    tick_ = 0;
  }
  running_ = runs;
  if ((event.written & atcr::kRestart) != 0) set_value(0);
  if ((event.written & atcr::kCapture) != 0) {
    captured_ = value_;
    const base::Hertz slower(std::min(core_.config.ptp_clock.count(), core_.config.clock.count()));
    captured_at_ = core_.now() + slower.cycles(kCaptureClocks);
  }
  if (event.changed(atcr::kEn | atcr::kPerEn | atcr::kOffEn) != 0) arm_channels();
  plan();
}

void PtpTimer::value_written(const reg::WriteEvent& event) {
  advance();
  shown_ = event.after;
  captured_at_ = base::kNever;
  set_value(event.after);
  plan();
}

void PtpTimer::rate_written(const reg::WriteEvent&) {
  advance();
  load();
  value_ = static_cast<uint32_t>(value_ % period());
  cor_phase_ = 0;
  arm_channels();
  plan();
}

void PtpTimer::channel_written(const reg::WriteEvent& event) {
  advance();
  for (unsigned c = 0; c < kChannels; ++c) {
    if (event.offset == reg::tcsr(c) && (event.after & tcsr::kTf) == 0) {
      core_.regs.clear_bits(reg::kTgsr, tgsr_tf(c));
    }
  }
  arm_channels();
  update_request();
  plan();
}

void PtpTimer::flags_written(const reg::WriteEvent& event) {
  for (unsigned c = 0; c < kChannels; ++c) {
    if ((event.written & tgsr_tf(c)) != 0) core_.regs.clear_bits(reg::tcsr(c), tcsr::kTf);
  }
  update_request();
}

uint32_t PtpTimer::read_value(uint32_t, uint32_t) {
  if (core_.now() >= captured_at_) {
    shown_ = captured_;
    captured_at_ = base::kNever;
  }
  return shown_;
}

uint32_t PtpTimer::read_control(uint32_t, uint32_t stored) {
  read_value(0, 0);
  if (captured_at_ == base::kNever) {
    core_.regs.clear_bits(reg::kAtcr, atcr::kCapture);
    stored &= ~atcr::kCapture;
  }
  return stored;
}

}  // namespace doorbell::fec
