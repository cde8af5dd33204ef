// Which ring the transmit DMA serves next: credit-based shapers or round robin.
//
// Credit based (QOS.TX_SCHEME = 0, enhanced descriptors): an enabled class n may use the fraction
// 1 / (1 + 512 / IDLE_SLOPE) of the line. A shaper is kept as the time at which its class has
// credit again: a frame that occupies the line for L pushes it on by L / fraction. Credit piles up
// only while the class waits with frames, and at most one longest frame of it (assumption). Counted
// per frame: frame with FCS, preamble (FecConfig::shaper_counts_preamble, assumption) and 12 octets
// of gap unless CALC_NOIPG. Classes come before ring 0. A class without DMA_CLASS_EN is served, but
// not shaped (assumption). Legacy descriptors: round robin (MCUXpresso fsl_enet).
#pragma once

#include <array>

#include "models/fec/fec_core.h"

namespace doorbell::fec {

class TxArbiter {
 public:
  static constexpr unsigned kNone = UINT32_MAX;

  explicit TxArbiter(const Core& core) : core_(core) {}

  void load();
  void restart();
  /// Ring to serve now among those in `ready` (a bit each); kNone if all must wait for credit.
  unsigned pick(uint32_t ready, base::Picos now);
  /// When a ring in `ready` that pick() refused has credit; kNever if none has ever.
  base::Picos next_credit(uint32_t ready) const;
  /// A frame of `bytes` (without FCS) was begun by `ring` at `begun`.
  void charge(unsigned ring, uint32_t bytes, base::Picos begun);
  /// The ring has run dry: credit above zero is lost.
  void drained(unsigned ring) { drained_[ring] = true; }

 private:
  struct Shaper {
    bool on = false;
    bool gap = true;
    uint32_t slope = 0;
    base::Picos credit_at;
  };
  const Core& core_;
  std::array<Shaper, kRings> shapers_{};
  std::array<bool, kRings> drained_{};
  bool round_robin_ = false;
  unsigned last_ = kRings - 1;
};

}  // namespace doorbell::fec
