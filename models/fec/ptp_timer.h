// The IEEE 1588 timer: adds INC nanoseconds a clock, INC_CORR at every COR-th clock, wraps at
// ATPER.
//
// Time is computed from the calendar when somebody asks; an event is spent only on wraps with
// PEREN, the offset event and enabled compare channels. CAPTURE copies the time of the request to
// ATVR after kCaptureClocks of the slower clock, and CAPTURE then reads 0 (assumption; some parts
// never clear it). Channels: TMODE 4..15 compare, exact to one timer clock; input capture (1..3)
// is not modelled, there is no pin. TCCR written takes effect at once, no second buffer.
// Sources: Linux 6.12 fec_ptp.c, i.MX 6ULL RM ch. 22.
#pragma once

#include <array>

#include "models/fec/fec_core.h"

namespace doorbell::fec {

class PtpTimer {
 public:
  static constexpr unsigned kChannels = 4;
  static constexpr unsigned kCaptureClocks = 6;

  explicit PtpTimer(Core& core);

  /// Timer value at `t`, which must not be before the last register write to the timer.
  uint32_t value_at(base::Picos t) const;
  bool running() const { return running_; }

  // Register hooks.
  void control_written(const reg::WriteEvent& event);
  void value_written(const reg::WriteEvent& event);
  void rate_written(const reg::WriteEvent& event);  // ATPER, ATCOR, ATINC, ATOFF
  void channel_written(const reg::WriteEvent& event);
  void flags_written(const reg::WriteEvent& event);  // TGSR
  uint32_t read_value(uint32_t offset, uint32_t stored);
  uint32_t read_control(uint32_t offset, uint32_t stored);
  void reset();

 private:
  static constexpr unsigned kWrap = kChannels;
  static constexpr unsigned kOffset = kChannels + 1;
  static constexpr uint64_t kIdle = UINT64_MAX;

  uint64_t period() const { return period_ == 0 ? uint64_t{1} << 32 : period_; }
  uint64_t ticks_until(base::Picos t) const;
  uint64_t advance_for(uint64_t ticks) const;
  void advance();
  void load();
  void set_value(uint32_t value);
  void arm(unsigned source, uint32_t target);
  void arm_channels();
  void fire(unsigned source);
  void run();
  void plan();
  void update_request();

  Core& core_;
  base::Event event_;
  bool running_ = false;
  uint32_t period_ = 0;
  uint32_t inc_ = 0;
  uint32_t inc_corr_ = 0;
  uint32_t cor_ = 0;
  uint32_t value_ = 0;                          // at base_
  base::Picos origin_;                          // time of tick 0
  uint64_t tick_ = 0;                           // ticks from origin_ to base_
  uint64_t cor_phase_ = 0;                      // ticks since the last correction
  std::array<uint64_t, kChannels + 2> left_{};  // ns until each source's event, kIdle when none
  base::Picos captured_at_ = base::kNever;
  uint32_t captured_ = 0;
  uint32_t shown_ = 0;  // what ATVR reads
};

}  // namespace doorbell::fec
