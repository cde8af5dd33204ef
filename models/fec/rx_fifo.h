// The receive FIFO: frames in order, and how full it is in 64-bit words.
//
// Space is taken when a frame has arrived and given back at a time that the DMA announces ahead
// (release_at); whoever reads the level first calls release(). One release can be outstanding,
// since the DMA moves one frame at a time. No timing of its own.
#pragma once

#include "models/base/units.h"
#include "models/fec/byte_ring.h"
#include "models/fec/fec_limits.h"

namespace doorbell::fec {

struct RxFrame {
  base::Picos visible;   // when the uDMA may start on it
  base::Picos first;     // when its first octet was in, for cut-through
  base::Picos complete;  // when all of it is in
  uint32_t offset = 0;   // in the byte ring
  uint32_t bytes = 0;    // with FCS and shift octets as stored
  uint32_t words = 0;
  uint32_t control = 0;   // rx_esc
  uint32_t protocol = 0;  // rx_prot
  uint32_t timestamp = 0;
  uint16_t status = 0;  // rx_sc
  uint8_t ring = 0;
  bool bad = false;
  uint64_t id = 0;
};

class RxFifo {
 public:
  explicit RxFifo(uint32_t bytes)
      : capacity_(bytes / kFifoWordBytes), data_(bytes + 8), frames_(capacity_ + 2) {}

  uint32_t capacity() const { return capacity_; }
  uint32_t used() const { return used_; }
  RecordQueue<RxFrame>& frames() { return frames_; }
  ByteRing& data() { return data_; }

  void take(uint32_t words) { used_ += words; }
  /// Gives back `words` at `at`.
  void release_at(base::Picos at, uint32_t words) {
    release(at);
    release_time_ = at;
    release_words_ = words;
  }
  base::Picos release_time() const { return release_time_; }
  uint32_t release_words() const { return release_words_; }
  void release(base::Picos now) {
    if (release_time_ > now) return;
    used_ -= release_words_;
    release_words_ = 0;
    release_time_ = base::kNever;
  }
  void clear() {
    frames_.clear();
    used_ = release_words_ = 0;
    release_time_ = base::kNever;
  }

 private:
  uint32_t capacity_;
  uint32_t used_ = 0;
  uint32_t release_words_ = 0;
  base::Picos release_time_ = base::kNever;
  ByteRing data_;
  RecordQueue<RxFrame> frames_;
};

}  // namespace doorbell::fec
