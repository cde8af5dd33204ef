// Transmit: from a doorbell to a frame on the wire and a report in the ring.
//
// Descriptors are fetched ahead into a queue's cache (IceConfig::tx_fetch_*), never across the end
// of the ring. Queues that hold a whole packet take turns (round robin, a quantum of bytes each);
// the queue's packet is checked, its payload read, and when all is there, in the order of turns,
// the frame goes to the line and, where a descriptor has RS, a report to the write-back policy. A
// packet that breaks a rule stops its queue (mdd.h). Store and forward: a frame occupies the
// transmit buffer from the issue of its reads to its last bit on the line. tx_fetch.cc: doorbells
// and descriptors; tx_issue.cc: turns and packets; tx_tso.cc: segmentation; tx_send.cc: payload and
// line; tx_report.cc: reports. Cost per packet does not depend on the number of queues.
// Sources: Linux 6.12 ice_txrx.c, ice_lan_tx_rx.h; internals are assumptions.
#pragma once

#include <array>
#include <vector>

#include "models/ice/fifo.h"
#include "models/ice/ice_context.h"
#include "models/ice/ice_core.h"
#include "models/ice/ice_desc.h"
#include "models/ice/reads.h"

namespace doorbell::ice {

/// A descriptor as it lies in memory.
struct RawTxDesc {
  uint64_t address;
  uint64_t qw1;
};
static_assert(sizeof(RawTxDesc) == kTxDescBytes);

/// What the data unit does to a frame before it leaves.
struct TxOffload {
  uint32_t cmd = 0;  // tx_cmd of the last data descriptor
  uint16_t mac_bytes = 0;
  uint16_t ip_bytes = 0;
  uint16_t l4_bytes = 0;
  uint16_t tag1 = 0;
  uint16_t tag2 = 0;
  bool insert_tag1 = false;
  bool insert_tag2 = false;
  bool any = false;
};

struct TxQueue {
  uint64_t ring = 0;
  std::vector<RawTxDesc> desc;  // as fetched, by index
  uint32_t size = 0;
  uint32_t head = 0;      // next descriptor to take a packet from
  uint32_t have = 0;      // end of the fetched ones
  uint32_t fetching = 0;  // end of the ones asked for
  uint32_t tail = 0;
  uint32_t done = 0;   // end of the ones that are finished
  int32_t credit = 0;  // bytes left of the queue's turn
  uint16_t generation = 0;
  uint16_t vector = 0;
  uint8_t itr = 0;
  uint8_t quanta = 0;
  bool enabled = false;
  bool frozen = false;
  bool listed = false;  // in the list of queues with work
  bool cause = false;   // QINT_TQCTL.CAUSE_ENA
  bool flush_listed = false;
  bool tso_ena = true;
  bool long_packet = false;  // the head's packet needs more than the cache
  uint16_t vsi = 0;
  base::Picos ready_at;      // when the queue last got work
  base::Picos last_fetched;  // descriptors arrive in order
  // Reports that wait for the rest of their line.
  uint32_t held_line = 0;
  uint8_t held_mask = 0;
  bool line_has_rs = false;  // the line being issued holds a descriptor with RS
  uint32_t teid = 0;
  IceTxContext context;
};

/// One frame (or TSO segment) whose payload is being read.
struct TxPacket {
  base::Picos ready;
  base::Picos issued;
  uint32_t place = 0;  // in the store
  uint32_t bytes = 0;
  uint32_t reads_left = 0;
  uint32_t first = 0;  // descriptors
  uint32_t count = 0;
  uint16_t queue = 0;
  uint16_t generation = 0;
  bool offloaded = false;
  bool segment = false;
  bool failed = false;
  bool empty = false;    // nothing to send, its descriptors only
  bool last = false;     // a frame for the line
  bool departs = false;  // it has its place on the line
  uint32_t extra = 0;    // index of its TxExtra, when offloaded or a segment
};

/// The rare part of a packet.
struct TxExtra {
  TxOffload offload;
  uint32_t header = 0;    // TSO: bytes of header in front of each segment
  uint32_t sequence = 0;  // TSO: payload in front of this segment
  uint16_t number = 0;    // TSO: of the segment
  bool first = false;
  bool last = false;
};

/// The segmentation under way; there is one at a time.
struct TxTso {
  bool active = false;
  uint16_t queue = 0;
  uint32_t header = 0;
  uint32_t left = 0;
  uint32_t sequence = 0;
  uint32_t mss = 0;
  uint16_t number = 0;
  uint32_t index = 0;   // descriptor being consumed
  uint32_t offset = 0;  // in it
  uint32_t first = 0;
  uint32_t count = 0;
  TxOffload offload;
};

class TxEngine {
 public:
  explicit TxEngine(Core& core);

  void connect(net::WireOut* wire) { wire_ = wire; }

  // Control.
  void enable(unsigned queue, const IceTxContext& context, uint32_t teid);
  void disable(unsigned queue);
  bool enabled(unsigned queue) const { return queues_[queue].enabled; }
  TxQueue& queue(unsigned q) { return queues_[q]; }
  const TxQueue& queue(unsigned q) const { return queues_[q]; }
  void route(unsigned queue, uint32_t qint);
  /// Write to QTX_COMM_DBELL.
  void doorbell(unsigned queue, uint32_t value);
  void reset();
  /// Takes over the registers that bound descriptors and frames.
  void reload();
  /// Writes the queue's held reports; false if there are none.
  bool flush(unsigned queue, base::Picos at);

  // Steps (Pump).
  base::Picos next_descriptors() const { return arrived_.next(); }
  void take_descriptors();
  void doorbell_due(uint16_t queue, base::Picos at);
  base::Picos next_issue();
  void issue(base::Picos at);
  base::Picos next_report() const;
  void report(base::Picos at);

  // Reads.
  uint8_t* descriptor_place(const Read& read);
  void descriptors_read(const Read& read, base::Picos done, bool ok);
  void payload_read(const Read& read, base::Picos done, bool ok);

  // State.
  /// Frames whose payload is not all here.
  unsigned frames_in_flight() const { return in_flight_; }
  uint32_t buffer_used(base::Picos t);
  base::Picos line_busy() const { return line_busy_; }
  base::Picos report_busy() const { return report_busy_; }

 private:
  struct Arrived {
    base::Picos at;
    uint16_t queue;
    uint16_t generation;
    uint32_t count;
  };
  struct Report {
    base::Picos at;
    uint16_t queue;
    uint16_t generation;
    uint16_t index;
    bool rs;  // else: the line's end has passed
  };
  struct Departure {
    base::Picos at;
    uint32_t bytes;
  };
  /// What the head of a queue holds.
  struct Head {
    uint32_t count = 0;  // descriptors of the packet; 0: not all here
    uint32_t data = 0;   // data descriptors of them, the last ones
    bool context = false;
    IceTxContextDesc ctx;
  };

  void fetch(TxQueue& q, uint16_t number, base::Picos at);
  void list(TxQueue& q, uint16_t number, base::Picos at);
  Head look(const TxQueue& q) const;
  void unlist(TxQueue& q);
  void begin_turn(TxQueue& q);
  void after_packet(TxQueue& q, uint16_t number, base::Picos at);
  void incomplete(TxQueue& q, uint16_t number, base::Picos at);
  uint32_t issue_packet(TxQueue& q, uint16_t number, const Head& head, base::Picos at);
  uint32_t issue_frame(TxQueue& q, uint16_t number, const Head& head, uint32_t bytes,
                       base::Picos at);
  static TxOffload offload_of(uint64_t qw1, const Head& head);
  void lose(const TxQueue& q);
  bool refuse(TxQueue& q, uint16_t number, TclanCause cause);
  bool check_format(TxQueue& q, uint16_t number, const Head& head);
  bool check_frame(TxQueue& q, uint16_t number, const Head& head, uint32_t bytes);
  void skip_frame(TxQueue& q, uint16_t number, const Head& head, base::Picos at);
  bool check_tso(TxQueue& q, uint16_t number, const Head& head, uint32_t bytes, uint32_t header);
  bool check_tso_numbers(TxQueue& q, uint16_t number, const Head& head, uint32_t header);
  bool refuse_pqm(TxQueue& q, uint16_t number, PqmCause cause);
  bool check_segments(TxQueue& q, uint16_t number, const Head& head, uint32_t header);
  void start_tso(TxQueue& q, uint16_t number, const Head& head, uint32_t bytes, base::Picos at);
  void issue_segment(base::Picos at);
  void read_stream(TxQueue& q, uint32_t bytes, uint32_t place, base::Picos at);
  void consume(TxQueue& q, uint16_t number, unsigned count, base::Picos at);
  void read_payload(uint64_t address, uint32_t bytes, uint32_t place, base::Picos at);
  TxPacket& new_packet(const TxQueue& q, uint16_t number, uint32_t bytes, base::Picos at);
  uint32_t next(const TxQueue& q, uint32_t i, uint32_t n = 1) const {
    return i + n < q.size ? i + n : i + n - q.size;
  }
  static uint32_t distance(const TxQueue& q, uint32_t from, uint32_t to) {
    return to >= from ? to - from : to + q.size - from;
  }
  void finish_ready();
  void finish(TxPacket& packet);
  void send(TxPacket& packet, TxQueue& q, base::Picos ready);
  bool prepare(const TxPacket& packet, const uint8_t*& data, uint32_t& bytes);
  bool own_destination(const uint8_t* data) const;
  void post_reports(TxQueue& q, const TxPacket& packet, base::Picos at);
  void write_reports(TxQueue& q, uint32_t index, uint32_t count, base::Picos at);
  void write_whole_line(TxQueue& q, base::Picos at);
  void write_line(TxQueue& q, base::Picos at);
  void reap(base::Picos t);

  Core& core_;
  net::WireOut* wire_ = nullptr;
  std::vector<TxQueue> queues_;
  std::vector<uint16_t> active_;  // enabled at some time since the last reset
  Fifo<uint16_t> work_;           // queues with a packet to look at, in order of turns
  Fifo<Arrived> arrived_;
  Fifo<TxPacket> packets_;  // issued, in order
  Fifo<TxExtra> extras_;
  Fifo<Report> reports_;
  Fifo<Departure> departures_;
  FrameStore store_;
  std::vector<uint8_t> header_;   // of the segmentation whose frames are being finished
  std::vector<uint8_t> scratch_;  // frames that grow by tags or headers
  std::vector<uint8_t> sink_;     // where reads of disabled queues go
  TxTso tso_;
  uint32_t extra_base_ = 0;  // number of extras_.front()
  uint32_t packet_base_ = 0;
  uint32_t in_flight_ = 0;
  uint32_t used_ = 0;  // bytes of the transmit buffer
  uint32_t cache_limit_;
  uint32_t fetch_threshold_;
  bool fetch_align_;
  // Of the turn: limits of the queue's profile.
  uint32_t max_cmd_ = UINT32_MAX;
  uint32_t max_desc_ = UINT32_MAX;
  uint32_t min_frame_ = kMinTxBytes;
  uint32_t max_frame_ = kMaxFrameBytes;
  base::Picos schedule_free_;
  base::Picos ordered_;  // the reorder point: no frame is ready before its predecessor
  base::Picos line_free_;
  base::Picos engine_free_;
  base::Picos line_busy_;
  base::Picos report_busy_;
};

}  // namespace doorbell::ice
