// Cable: joins two NICs, full duplex. What one end transmits arrives at the other end one
// propagation delay later.
//
// Frames are copied into a pool of fixed size per direction, filled at construction: transmit()
// allocates nothing. A frame that finds the pool full (the receiving MAC does not pull) or that is
// longer than the pool's frames is lost and counted. The rate of the link is the business of the
// MACs; a sender that starts too early is not corrected. PAUSE frames pass like any other: the MACs
// obey them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/units.h"
#include "models/net/frame.h"
#include "models/net/wire.h"

namespace doorbell::net {

class Cable {
 public:
  class End final : public WireIn, public WireOut {
   public:
    const Arrival* peek() override;
    void pop() override;
    void set_listener(ArrivalListener* listener) override { listener_ = listener; }
    void transmit(base::Picos start, base::ByteView bytes, uint8_t flaws) override;

    uint64_t sent() const { return sent_; }
    /// Frames that this end sent and that did not fit into the pool.
    uint64_t lost() const { return lost_; }
    /// Frames on their way to this end.
    size_t in_flight() const { return used_; }

   private:
    friend class Cable;
    void init(End* other, base::Picos propagation, uint32_t frames, uint32_t frame_bytes);
    void take(base::Picos arrival, base::ByteView bytes, uint8_t flaws, uint64_t id);

    End* other_ = nullptr;
    base::Picos propagation_;
    ArrivalListener* listener_ = nullptr;
    std::vector<uint8_t> pool_;
    std::vector<Arrival> arrivals_;
    uint32_t frame_bytes_ = 0;
    uint32_t head_ = 0;
    uint32_t used_ = 0;
    uint64_t sent_ = 0;
    uint64_t lost_ = 0;
  };

  /// `frames` of at most `frame_bytes` (without FCS) may be under way in each direction.
  explicit Cable(base::Picos propagation, uint32_t frames = 1024, uint32_t frame_bytes = 2048);
  Cable(const Cable&) = delete;
  Cable& operator=(const Cable&) = delete;

  End& a() { return a_; }
  End& b() { return b_; }

 private:
  End a_;
  End b_;
};

}  // namespace doorbell::net
