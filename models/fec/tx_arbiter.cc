#include "models/fec/tx_arbiter.h"

#include <algorithm>

#include "models/fec/fec_limits.h"

namespace doorbell::fec {

using base::Picos;

void TxArbiter::load() {
  const uint32_t scheme = core_.value(reg::kQos) & qos::kTxScheme;
  round_robin_ = scheme == qos::kSchemeRoundRobin || !core_.enhanced();
  for (unsigned ring = 1; ring < kRings; ++ring) {
    const uint32_t config = core_.value(reg::dma_cfg(ring));
    shapers_[ring].on = !round_robin_ && (config & dma_cfg::kClassEn) != 0;
    shapers_[ring].gap = (config & dma_cfg::kCalcNoIpg) == 0;
    shapers_[ring].slope = reg::get_field(dma_cfg::kIdleSlope, config);
  }
}

void TxArbiter::restart() {
  for (Shaper& s : shapers_) s.credit_at = Picos(0);
  drained_.fill(true);
  last_ = kRings - 1;
  load();
}

unsigned TxArbiter::pick(uint32_t ready, Picos now) {
  if (round_robin_) {
    for (unsigned n = 1; n <= kRings; ++n) {
      const unsigned ring = (last_ + n) % kRings;
      if ((ready >> ring & 1) != 0) {
        last_ = ring;
        return ring;
      }
    }
    return kNone;
  }
  const unsigned first = core_.config.class_1_first ? 1 : 2;
  for (const unsigned ring : {first, 3 - first}) {
    if ((ready >> ring & 1) == 0) continue;
    const Shaper& s = shapers_[ring];
    if (!s.on || (s.slope != 0 && s.credit_at <= now)) return ring;
  }
  return (ready & 1) != 0 ? 0 : kNone;
}

Picos TxArbiter::next_credit(uint32_t ready) const {
  Picos at = base::kNever;
  for (unsigned ring = 1; ring < kRings; ++ring) {
    if ((ready >> ring & 1) != 0 && shapers_[ring].slope != 0) {
      at = base::min(at, shapers_[ring].credit_at);
    }
  }
  return at;
}

void TxArbiter::charge(unsigned ring, uint32_t bytes, Picos begun) {
  Shaper& s = shapers_[ring];
  if (!s.on || s.slope == 0) return;
  uint32_t octets = std::max(bytes, net::kMinFrameBytes) + net::kFcsBytes;
  if (core_.config.shaper_counts_preamble) octets += net::kPreambleBytes;
  if (s.gap) octets += net::kGapBytes;
  const Picos line = core_.line.time(octets);
  const Picos most = core_.line.time(kMaxFrame);
  s.credit_at = base::max(s.credit_at, drained_[ring] ? begun : begun - most);
  s.credit_at += line * (s.slope + 512) / s.slope;
  drained_[ring] = false;
}

}  // namespace doorbell::fec
