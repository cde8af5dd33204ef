// Transmit half of one queue: fetches descriptors and payload into the queue's FIFO.
//
// Descriptors are linked, so fetches follow one another: the next is issued when the answer of the
// one before is here, as long as fewer than tx_prefetch are held; payload is read as soon as the
// FIFO has room for the whole frame. Both mostly fall into one event: with full rings one event a
// descriptor, whatever it carries. A fetch that finds no new owner counter makes the engine idle
// until TX enable is written again. Descriptor errors (assumption: what the hardware checks is not
// published): next not a multiple of 256, frame length 0 or larger than the FIFO, fragments that
// are not as long as the frame, inline data over 40 bytes. After a DMA or descriptor error the
// engine stops until TX reset; whole frames in the FIFO still go out.
// Source: Linux 6.12 tsnep_main.c (behaviour), commit dccce1d7c040 (64-byte fetch, inline data).
#pragma once

#include <array>

#include "models/tsnep/record_queue.h"
#include "models/tsnep/tsnep_core.h"

namespace doorbell::tsnep {

/// A frame in a queue's FIFO.
struct TxFrame {
  uint64_t block = 0;       // of its first fragment
  uint32_t properties = 0;  // of its first fragment
  uint32_t length = 0;      // without padding and FCS
  uint32_t here = 0;        // bytes of it that were read
  uint32_t place = 0;
  uint32_t room = 0;       // of the FIFO
  bool whole = false;      // all fragments were read
  bool startable = false;  // `ready` is known
  bool started = false;    // on the line
  bool sent = false;       // on the line as a whole
  bool broken = false;     // broken off; what is still fetched of it is thrown away
  bool gated = false;      // has waited for its gate
  base::Picos ready;       // when it may start as far as its data is concerned
  base::Picos fetched;     // its first descriptor was here
  base::Picos first_data;
  base::Picos last_data;
  base::Picos start;
  uint64_t id = 0;

  uint32_t line_bytes() const {
    return length < net::kMinFrameBytes ? net::kMinFrameBytes : length;
  }
};

class TxQueue {
 public:
  TxQueue(Core& core, unsigned index);

  void enable();
  void reset();
  void set_address(uint64_t address, bool reset_owner);
  /// CONTROL's transmit bits.
  uint32_t control() const;

  unsigned index() const { return index_; }
  RecordQueue<TxFrame>& frames() { return frames_; }
  const RecordQueue<TxFrame>& frames() const { return frames_; }
  uint8_t* data(const TxFrame& frame) { return store_.at(frame.place); }
  /// The front frame has left the line, or was thrown away.
  void pop_front();
  /// A write-back is visible at `at`.
  void acknowledged(base::Picos at) { visible_at_ = base::max(visible_at_, at); }
  /// Frames that were begun and are neither on the line nor gone.
  unsigned frames_waiting() const;
  uint32_t fifo_bytes() const { return used_; }
  base::Picos busy() const { return busy_; }
  /// Cut-through: bytes of the newest frame that are here by the time the line needs them when it
  /// starts at `start`.
  uint32_t bytes_in_time(const TxFrame& frame, base::Picos start) const;
  void fail(uint32_t error);

 private:
  struct Desc {
    uint64_t block = 0;
    TsnepTxDesc desc;
    base::Picos available;
    std::array<uint8_t, kInlineBytes> inlined;
  };
  struct Piece {
    uint32_t begin = 0;
    uint32_t end = 0;
    base::Picos here;
  };
  static constexpr uint32_t kPieceBytes = 256;  // cut-through reads this much at a time

  void on_step();
  void plan();
  void go_on();
  /// For one more descriptor. One whose payload read is on its way has left its place.
  bool has_place() const {
    const unsigned leaving = payload_due_ != base::kNever ? 1 : 0;
    return cache_.size() - leaving < core_.config.tx_prefetch;
  }
  void sample();
  bool begin_frame();
  bool ready_to_take();
  void take_fragment();
  bool check(const TsnepTxDesc& d, const TxFrame& frame) const;
  base::Picos read_payload(TxFrame& frame, const TsnepTxDesc& d, bool& ok);
  void data_here(TxFrame& frame, uint32_t bytes, base::Picos at);
  void drop_partial(probe::Counter& reason);

  Core& core_;
  unsigned index_;
  base::Event step_;
  RecordQueue<Desc> cache_;
  RecordQueue<TxFrame> frames_;
  RecordQueue<Piece> pieces_;  // of the newest frame, with cut-through
  FrameStore store_;
  uint32_t used_ = 0;
  bool running_ = false;
  bool idle_ = true;
  bool building_ = false;  // the newest frame is not whole
  base::Picos idle_from_;  // when the answer of the fetch that found nothing was here
  base::Picos known_at_;   // when the address of the next descriptor was here
  base::Picos fetch_due_ = base::kNever;
  base::Picos payload_due_ = base::kNever;
  base::Picos visible_at_;
  uint64_t next_ = 0;
  uint32_t epoch_ = 1;
  uint32_t errors_ = 0;
  uint64_t next_id_ = 0;
  base::Picos busy_;
  base::Picos busy_until_;
};

}  // namespace doorbell::tsnep
