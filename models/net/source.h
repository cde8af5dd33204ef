// Source: where frames on a wire come from, able to recognise each of them when it comes out again.
//
// Common base of the generators (traffic.h) and the pcap replay (pcap_source.h). A source is a
// WireIn, whose future is known (it never calls its listener), and the FrameOrigin of its own
// frames. Start times of the last 65536 frames can be asked for; of older ones nobody should still
// hold any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/units.h"
#include "models/net/wire.h"

namespace doorbell::net {

/// What verify() found so far.
struct VerifyStats {
  uint64_t verified = 0;    // calls of verify()
  uint64_t intact = 0;      // bytes right; the sum of the next three and of those in order
  uint64_t duplicate = 0;   // intact, but delivered before
  uint64_t reordered = 0;   // intact and new, but a later frame of its flow came before it
  uint64_t flawed = 0;      // intact, but went in with a bad FCS: a MAC should have dropped it
  uint64_t corrupt = 0;     // bytes differ, or no frame of this source
  std::string first_fault;  // of a corrupt frame; empty if there was none
};

class Source : public WireIn, public FrameOrigin {
 public:
  void set_listener(ArrivalListener*) override {}

  /// Frames popped so far.
  uint64_t emitted() const { return emitted_; }
  const VerifyStats& verify_stats() const { return stats_; }
  /// Start of frame `id`, or kNever if it is not among the last 65536 shown by peek().
  base::Picos start_of(uint64_t id) const {
    return id < shown_ && shown_ - id <= kRecent ? recent_[id & (kRecent - 1)] : base::kNever;
  }

  /// Whoever puts the frame that peek() shows on the wire later or elsewhere than planned notes the
  /// true start here: it is what verify() and start_of() tell from then on.
  void restamp(uint64_t id, base::Picos start) { recent_[id & (kRecent - 1)] = start; }

 protected:
  static constexpr uint64_t kRecent = 1 << 16;

  void note_start(uint64_t id, base::Picos start) {
    recent_[id & (kRecent - 1)] = start;
    shown_ = id + 1;
  }

  uint64_t emitted_ = 0;
  uint64_t shown_ = 0;  // frames that peek() has shown
  VerifyStats stats_;

 private:
  std::vector<base::Picos> recent_ = std::vector<base::Picos>(kRecent);
};

}  // namespace doorbell::net
