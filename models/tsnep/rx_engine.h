// Receive: frames from the wire through filter and FIFO into the buffers of the rings.
//
// Lazy: catch_up(t) works through every arrival up to `t`. Register accesses and settle() call it
// first, so a frame that is dropped costs no event; a delivered one costs one: payload and
// write-back go out, and the descriptor that takes the used one's place is sampled (its fetch was
// issued while the frame arrived: assumption). Order for a frame, at its end: link, length, FCS,
// address, steering, queue, FIFO room; then, in order of arrival, descriptor and buffer size. A
// frame that finds no descriptor is dropped at once; the engine looks again at the next RX enable
// (or frame: TsnepConfig::rx_looks_with_frames). Bad frames are dropped in both forwarding modes:
// with cut-through the descriptor is used again (assumption). The address filter comes after the
// FCS (assumption). Steering: first active rule whose EtherType stands behind the addresses.
// Source: Linux 6.12 tsnep_main.c, tsnep_rxnfc.c (behaviour).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/tsnep/record_queue.h"
#include "models/tsnep/tsnep_core.h"

namespace doorbell::tsnep {

class RxEngine final : public net::ArrivalListener {
 public:
  explicit RxEngine(Core& core);

  void connect(net::WireIn* wire);
  void arrivals_changed() override;

  /// Everything on the wire up to `t` has happened when this returns.
  void catch_up(base::Picos t) {
    if (t >= next_look_) work(t);
  }
  /// Filter, address or steering registers have changed.
  void reload();

  void enable(unsigned queue);
  void disable(unsigned queue);
  void reset(unsigned queue);
  void set_address(unsigned queue, uint64_t address, bool reset_owner);
  /// CONTROL's receive bits.
  uint32_t control(unsigned queue) const;

  /// Schedules the next step, if there is one.
  void plan();
  unsigned frames_in_fifo() const { return frames_.size(); }
  uint32_t fifo_bytes(base::Picos now);
  base::Picos busy() const { return busy_; }

 private:
  struct Desc {
    uint64_t block = 0;
    uint64_t buffer = 0;
    uint32_t properties = 0;
    uint32_t epoch_before = 0;
    base::Picos available;
    uint32_t size() const { return properties & props::kBufferSize; }
  };
  struct Frame {
    base::Picos start;
    base::Picos visible;  // when the DMA may begin
    uint32_t place = 0;
    uint32_t bytes = 0;  // metadata and FCS included
    uint8_t queue = 0;
    bool looked = false;     // a fetch was started for it
    bool forgotten = false;  // its queue was reset
    uint64_t id = 0;
  };
  struct Queue {
    explicit Queue(unsigned prefetch) : cache(prefetch) {}
    RxEngine* owner = nullptr;
    unsigned index = 0;
    bool running = false;
    bool idle = true;        // the latest fetch found nothing new
    base::Picos idle_from;   // when its answer was here
    base::Picos known_at;    // when the address of the next descriptor was here
    base::Picos visible_at;  // the latest write-back
    uint64_t next = 0;       // next block to fetch
    uint32_t epoch = 1;      // of the latest valid descriptor
    uint32_t errors = 0;     // control bits
    base::Event fetch;
    RecordQueue<Desc> cache;
    void on_fetch() { owner->on_fetch(*this); }
  };
  struct Release {
    base::Picos at;
    uint32_t bytes = 0;
  };

  base::Picos end_of(const net::Arrival& a) const {
    return a.start + core_.line.time(net::wire_octets(a.bytes.size));
  }
  void work(base::Picos t);
  void take(const net::Arrival& a);
  bool well_formed(const net::Arrival& a, unsigned queue);
  bool address_matches(const uint8_t* destination) const;
  unsigned steer(base::ByteView bytes) const;
  void store(const net::Arrival& a, unsigned queue);
  base::Picos head_drop_time() const;
  void drop_head();
  void forget_head(base::Picos at);
  base::Picos step_time() const;

  void on_step();
  void deliver(Queue& q);
  base::Picos write_payload(Queue& q, const Frame& frame, const Desc& d, bool& ok);
  void write_back(Queue& q, const Frame& frame, const Desc& d, base::Picos issue);
  void refill(Queue& q);
  void start_fetch(Queue& q, base::Picos at);
  void on_fetch(Queue& q);
  void sample(Queue& q);
  void fail(Queue& q, uint32_t error);
  void rewind(Queue& q);
  void add_queues();
  void look_again() {
    next_look_ = base::Picos(0);
    plan();
  }
  unsigned live_queues() const;
  void release(base::Picos now);

  Core& core_;
  net::WireIn* wire_ = nullptr;
  std::vector<std::unique_ptr<Queue>> queues_;
  base::Event step_;
  RecordQueue<Frame> frames_;
  RecordQueue<Release> releases_;
  FrameStore store_;
  uint32_t used_ = 0;
  base::Picos next_look_;
  base::Picos free_at_;  // the engine can take the next step
  base::Picos busy_;

  // Decoded registers.
  uint64_t own_ = 0;
  bool all_multicast_ = false;
  bool all_unicast_ = false;
  struct Rule {
    bool active = false;
    uint16_t type = 0;
    uint8_t queue = 0;
  };
  std::array<Rule, kRxAssignRules> rules_;
};

}  // namespace doorbell::tsnep
