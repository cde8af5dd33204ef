// Receive: from the wire through the packet buffer to a ring.
//
// Frames are taken from the wire when somebody looks (the pump, a register access, settle()),
// judged and parsed, and put into the packet buffer, which all queues share and leave in order: a
// frame whose queue has no descriptor holds up all behind it, or is dropped (IceConfig::rx_drop,
// QRX_CTRL.CDE). Descriptors are fetched rx_fetch at a time, ahead of frames when PREFENA is set.
// Payload is written first, then the descriptor: two of a 64-byte line in one write; half a line
// waits for its other half, the vector's timer, or nothing (QRX_ITR.NO_EXPR). Buffer space is free
// when the payload's write has been accepted by the link. rx_buffer.cc: wire and packet buffer;
// rx_deliver.cc: descriptors, payload, write-back. Not modelled: header split, filters (every frame
// is for the PF's VSI: promiscuous), flow director, time stamps. Sources: Linux 6.12 ice_txrx.c,
// ice_base.c, commit 2ab28bb04c95; internals are assumptions.
#pragma once

#include <array>
#include <vector>

#include "models/ice/fifo.h"
#include "models/ice/ice_context.h"
#include "models/ice/ice_core.h"
#include "models/ice/ice_desc.h"
#include "models/ice/reads.h"
#include "models/ice/rss.h"

namespace doorbell::ice {

struct RxQueue {
  struct Slot {
    uint64_t address;
    base::Picos at;  // when the descriptor is in the device
  };
  uint64_t ring = 0;
  std::vector<Slot> cache;  // by running number
  uint32_t cache_mask = 0;
  uint32_t size = 0;
  uint32_t head = 0;      // next descriptor to use
  uint32_t fetching = 0;  // end of the ones asked for
  uint32_t tail = 0;      // rounded down
  uint32_t used = 0;      // running number of head
  uint32_t arrived = 0;   // running number of the end of the fetched ones
  uint32_t asked = 0;     // running number of fetching
  uint32_t buffer = 0;    // bytes of a buffer
  uint32_t max_frame = 0;
  uint32_t threshold = 0;  // lrxqthresh, descriptors
  uint16_t generation = 0;
  uint16_t vector = 0;
  uint8_t itr = 0;
  uint8_t rxdid = kRxdidNic;
  bool enabled = false;
  bool frozen = false;
  bool cause = false;
  bool drop = false;
  bool prefetch = true;
  bool keep_crc = false;
  bool merge = true;
  bool flush_listed = false;
  bool low = false;   // below the threshold already
  bool held = false;  // half a line waits
  bool held_eof = false;
  uint32_t held_index = 0;
  base::Picos last_fetched;
  std::array<uint8_t, kRxDescBytes> held_bytes{};
};

class RxEngine final : public net::ArrivalListener {
 public:
  explicit RxEngine(Core& core);

  void connect(net::WireIn* wire) { wire_ = wire; }
  void arrivals_changed() override;

  // Control.
  void enable(unsigned queue, const IceRxContext& context);
  void disable(unsigned queue);
  RxQueue& queue(unsigned q) { return queues_[q]; }
  void route(unsigned queue, uint32_t qint);
  void set_no_merge(unsigned queue, bool on);
  /// Write to QRX_TAIL.
  void doorbell(unsigned queue, uint32_t value);
  void reset();
  bool flush(unsigned queue, base::Picos at);
  Rss& rss() { return rss_; }

  // Steps (Pump).
  base::Picos next_delivery();
  void deliver(base::Picos at);

  // Reads.
  uint8_t* descriptor_place(const Read& read);
  void descriptors_read(const Read& read, base::Picos done, bool ok);

  /// Takes what has arrived by `t`.
  void absorb(base::Picos t) {
    if (next_end_ <= t) take_arrivals(t);
  }

  // State.
  unsigned frames_in_buffer() const { return frames_.size(); }
  uint32_t buffer_used(base::Picos t);
  /// Frames in rings whose write-back is held back.
  unsigned frames_held() const { return held_frames_; }

 private:
  struct Frame {
    base::Picos at;  // may be delivered from
    uint32_t place = 0;
    uint16_t bytes = 0;
    uint16_t queue = 0;
    uint16_t ptype = 0;
    uint16_t status = 0;
    uint16_t tag = 0;
    RxCast cast = RxCast::kUnicast;
    uint32_t hash = 0;
  };
  struct Leaving {
    base::Picos at;
    uint32_t bytes;
  };

  base::Picos end_of(const net::Arrival& a) const {
    return a.start + core_.line.time(net::wire_octets(a.bytes.size));
  }
  void look();
  void take_arrivals(base::Picos t);
  void take(const net::Arrival& a, base::Picos end);
  void classify(const net::Arrival& a, Frame& frame);
  void reap(base::Picos t);
  void drop_front(probe::Counter& reason);
  bool drop_unwanted(base::Picos at);
  uint32_t buffers_for(const RxQueue& q, uint32_t bytes) const {
    return bytes <= q.buffer ? 1 : (bytes + q.buffer - 1) / q.buffer;
  }
  void fetch(RxQueue& q, uint16_t number, base::Picos at, bool demand);
  void write_frame(RxQueue& q, uint16_t number, const Frame& frame, base::Picos at);
  void write_back(RxQueue& q, uint16_t number, const IceRxWriteback& w, base::Picos at);
  void write_one(RxQueue& q, uint32_t index, const uint8_t* bytes, base::Picos at);
  void check_threshold(RxQueue& q, base::Picos at);
  uint32_t free_descriptors(const RxQueue& q) const {
    return q.tail >= q.head ? q.tail - q.head : q.tail + q.size - q.head;
  }

  Core& core_;
  net::WireIn* wire_ = nullptr;
  Rss rss_;
  std::vector<RxQueue> queues_;
  std::vector<uint16_t> active_;
  Fifo<Frame> frames_;
  Fifo<Leaving> leaving_;  // space that is free later
  FrameStore store_;
  std::vector<uint8_t> fetched_;  // descriptors of the read being completed
  uint32_t used_ = 0;
  base::Picos next_end_ = base::kNever;  // end of the frame that the wire shows
  base::Picos engine_free_;
  unsigned held_frames_ = 0;
  bool starving_ = false;
};

}  // namespace doorbell::ice
