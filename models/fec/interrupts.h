// EIR, EIMR, the four lines, and interrupt coalescing.
//
// Events of the future (a descriptor write-back that is still on its way to memory) are posted with
// their time and applied when that time has come or somebody looks; a calendar event is spent only
// on those that can move a line. So a driver that polls with EIMR = 0 costs no event here.
// Coalescing: per ring and direction a count and a timer, both started by the first frame after the
// last interrupt. By default EIR shows a frame at once and only the line waits (assumption; see
// FecConfig::event_before_coalescing). Clearing an EIR bit does not reset the count (assumption).
// Sources: i.MX 6ULL RM ch. 22 (coalescing), MCUXpresso PERI_ENET.h (bits).
#pragma once

#include <array>
#include <vector>

#include "models/fabric/irq.h"
#include "models/fec/fec_core.h"

namespace doorbell::fec {

class Interrupts {
 public:
  explicit Interrupts(Core& core);

  void connect(fabric::IrqSink* sink) { sink_ = sink; }
  /// Sets EIR bits now.
  void raise(uint32_t bits);
  /// Sets EIR bits at `at`, now or later; frame bits of a coalesced ring are counted.
  void post(uint32_t bits, base::Picos at);
  /// Applies everything due by now.
  void settle() { settle(core_.now()); }
  /// State of the 1588 channels' own request.
  void set_channel_request(bool on);

  // Register hooks. Each comes after the RegFile has stored the value.
  void eir_written(const reg::WriteEvent& event);
  void eimr_written(const reg::WriteEvent& event);
  void coalescing_written(const reg::WriteEvent& event);
  void reset();

 private:
  struct Post {
    base::Picos at;
    uint32_t bits;
  };
  struct Coalescer {
    uint32_t bit = 0;
    uint32_t frames = 0;  // 0: off
    base::Picos time;
    uint32_t count = 0;
    base::Picos deadline = base::kNever;
    bool deferred = false;  // EIR bit waits with the line
  };

  void settle(base::Picos until);
  void apply(uint32_t bits, base::Picos at);
  void count_frame(Coalescer& c, base::Picos at);
  void fire(Coalescer& c);
  void set_eir(uint32_t bits) { core_.regs.set_bits(reg::kEir, bits); }
  void run();
  void plan();
  void update_lines();
  base::Picos tick(uint32_t ic) const;

  Core& core_;
  fabric::IrqSink* sink_ = nullptr;
  base::Event event_;
  std::vector<Post> posts_;  // in order of time
  std::array<Coalescer, 2 * kRings> coalescers_;
  uint32_t coalesced_ = 0;  // bits whose coalescer is on
  uint32_t held_ = 0;       // bits in EIR that must not reach a line yet
  base::Picos next_deadline_ = base::kNever;
  bool channel_request_ = false;
  std::array<bool, 4> level_{};
};

}  // namespace doorbell::fec
