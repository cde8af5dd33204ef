// Receive half of the uDMA: moves frames from the FIFO's head into the rings' buffers.
//
// One frame at a time, in FIFO order: a ring without descriptors blocks the others behind it unless
// QOS.RX_FLUSHn. Steps: payload to the buffer; the descriptor's write-back is issued `udma_cycles`
// after the payload is visible in memory; EIR bits when the write-back is visible. The next frame
// starts `udma_cycles` after the write-back was issued. Descriptors are fetched when the cache runs
// dry, while the payload moves. A fetch that finds E = 0 clears RDAR when its answer is back,
// unless RDAR was written meanwhile: then it looks again (assumption). Events per frame: one, and
// one per fetch. Sources: i.MX 6ULL RM ch. 22; FEC manuals.
#pragma once

#include <array>

#include "models/fec/bd_cache.h"
#include "models/fec/fec_core.h"
#include "models/fec/rx_mac.h"

namespace doorbell::fec {

class RxDma {
 public:
  RxDma(Core& core, RxFifo& fifo, RxMac& mac);

  void rang(unsigned ring);
  void start();  // ETHEREN 0 -> 1
  void stop();   // ETHEREN 1 -> 0, reset, bus error
  /// Looks again at what to do next; call when arrivals or registers have changed.
  void plan();
  /// Whether a full FIFO is the ring's fault: its head waits for a descriptor, or did so within the
  /// last FIFO-full of frames.
  bool starved() const { return blocked_ || moved_since_starved_ <= fifo_.frames().size(); }
  unsigned frames_under_way() const { return moving_ ? 1 : 0; }
  base::Picos busy() const { return busy_; }

 private:
  struct Ring {
    BdCache<FecRxDesc> cache;
    base::Event fetch;
    bool answering = false;  // the fetch's answer is on its way back
    RxDma* owner = nullptr;
    unsigned index = 0;
    void on_fetch() { owner->on_fetch(*this); }
  };

  void on_step();
  void on_effect();
  void on_fetch(Ring& ring);
  void start_fetch(Ring& ring, base::Picos delay);
  void block(Ring& ring);
  void flush();
  bool move(Ring& ring, RxFrame& frame);
  void close(Ring& ring, RxFrame& frame, bool last, base::Picos payload_done);
  void finish_frame(Ring& ring, const RxFrame& frame);
  base::Picos head_time(Ring& ring, const RxFrame& frame);
  uint32_t arrived(const RxFrame& frame) const;
  void plan_effect();

  Core& core_;
  RxFifo& fifo_;
  RxMac& mac_;
  std::array<Ring, kRings> rings_;
  base::Event step_;
  base::Event effect_;
  bool moving_ = false;   // the head's first octets have left
  bool blocked_ = false;  // the head waits for RDAR
  bool was_blocked_ = false;
  uint32_t position_ = 0;   // octets of the head already moved
  uint32_t in_buffer_ = 0;  // of them in the current buffer
  base::Picos free_at_;     // the engine can take the next step
  base::Picos open_until_;  // the latest write-back is visible
  uint32_t open_address_ = 0;
  uint64_t moved_since_starved_ = UINT64_MAX;
  base::Picos busy_;
  std::array<uint8_t, kMaxPrefetch * kEnhancedStride> buffer_{};
};

}  // namespace doorbell::fec
