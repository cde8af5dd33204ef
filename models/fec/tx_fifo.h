// The transmit FIFO: frames in order, from the first octet fetched to the last one sent.
//
// The DMA builds the frame at the back, the MAC sends the one at the front. Space in 64-bit words
// is taken piece by piece and given back when the frame has left. No timing of its own.
#pragma once

#include "models/base/units.h"
#include "models/fec/byte_ring.h"
#include "models/fec/fec_desc.h"
#include "models/fec/fec_limits.h"
#include "models/net/frame.h"

namespace doorbell::fec {

struct TxFrame {
  base::Picos ready;                      // all of it is in the FIFO
  base::Picos begun;                      // the DMA took its first descriptor
  base::Picos part_ready = base::kNever;  // cut-through: the start threshold was reached
  uint32_t offset = 0;                    // in the byte ring
  uint32_t bytes = 0;                     // fetched so far
  uint32_t here = 0;                      // of them in the FIFO; all when complete
  uint32_t words = 0;
  uint32_t control = 0;       // OR of the descriptors' tx_esc
  uint32_t errors = 0;        // tx_esc error bits to write back
  uint32_t last_address = 0;  // descriptor with L
  FecTxDesc last;
  uint8_t ring = 0;
  bool complete = false;
  bool discard = false;  // rest of it goes nowhere: overflow or underrun
  bool sent = false;     // gone from the line before it was complete (underrun)
  uint64_t id = 0;
};

class TxFifo {
 public:
  explicit TxFifo(uint32_t bytes)
      : capacity_(bytes / kFifoWordBytes),
        data_(capacity_ * net::kMinFrameWithFcs),
        frames_(capacity_ + 2) {}

  uint32_t capacity() const { return capacity_; }
  uint32_t used() const { return used_; }
  bool fits(uint32_t words) const { return used_ + words <= capacity_ && !frames_.full(); }
  void take(uint32_t words) { used_ += words; }
  void give_back(uint32_t words) { used_ -= words; }
  RecordQueue<TxFrame>& frames() { return frames_; }
  ByteRing& data() { return data_; }
  void clear() {
    frames_.clear();
    used_ = 0;
  }

 private:
  uint32_t capacity_;
  uint32_t used_ = 0;
  ByteRing data_;
  RecordQueue<TxFrame> frames_;
};

}  // namespace doorbell::fec
