// Transmit half of the uDMA: fetches frames of three rings into the FIFO and closes descriptors.
//
// Steps: a doorbell or a dry cache starts a descriptor fetch; the arbiter picks a ring; the payload
// of each descriptor is read, one read request every `udma_cycles`, as far ahead as the FIFO has
// room (cut-through: piece by piece). Descriptors before the last are closed when their data is
// here, the last one when the frame has left the line, with status and time stamp; TXF and TXB
// follow when the write-back is visible. A fetch that finds R = 0 clears TDAR when its answer is
// back; if the frame before it has left the line by then, its write-back waits for that, so TDAR
// always clears first. TDAR written during such a fetch makes it look again, but for ERR006358.
// ERR007885: TDAR written within erratum_007885_cycles of its clearing hangs all transmission until
// ETHEREN rises again. Events per frame: one, one per fetch, and the MAC's.
// Sources: i.MX 6ULL RM ch. 22; Linux 6.12 fec_main.c and U-Boot fec_mxc.c (order, errata).
#pragma once

#include <array>

#include "models/fec/bd_cache.h"
#include "models/fec/fec_core.h"
#include "models/fec/tx_arbiter.h"
#include "models/fec/tx_fifo.h"

namespace doorbell::fec {

/// Trace tracks of the rings.
inline constexpr const char* kTxRingTracks[kRings] = {"fec tx ring 0", "fec tx ring 1",
                                                      "fec tx ring 2"};

class TxDma {
 public:
  TxDma(Core& core, TxFifo& fifo);

  void rang(unsigned ring);
  void start();  // ETHEREN 0 -> 1
  void stop();   // ETHEREN 1 -> 0, reset, bus error
  void reload();
  /// The FIFO's front frame has left the line (or was broken off, and is complete): closes its last
  /// descriptor and frees its space.
  void frame_sent(TxFrame& frame, uint32_t timestamp);
  /// Frames on the wire whose last descriptor is still open.
  unsigned sent_not_closed() const;
  bool hung() const { return hung_; }
  base::Picos busy() const { return busy_; }

 private:
  struct Close {
    base::Picos at;  // when it may be issued
    uint8_t ring = 0;
    bool last = false;  // the frame's last descriptor: with status, BDU and time stamp
    uint32_t address = 0;
    FecTxDesc desc;
    uint32_t events = 0;
    uint64_t id = 0;
  };
  struct Open {
    uint32_t address = 0;
    base::Picos visible = base::kNever;  // the write-back
  };
  struct Ring {
    BdCache<FecTxDesc> cache;
    base::Event fetch;
    bool answering = false;
    bool at_open = false;     // the next descriptor is the ring's own oldest open one
    bool clear_late = false;  // ERR006358: R = 0 was seen, TDAR clears with the frame under way
    unsigned open = 0;        // frames begun and not closed
    bool holding = false;     // `held` waits for the answer of a fetch
    Close held;
    RecordQueue<Open> taken{2048};  // in ring order; popped when their write-back is visible
    base::Picos rang_at{-1};
    base::Picos cleared_at{-1};
    TxDma* owner = nullptr;
    unsigned index = 0;
    void on_fetch() { owner->on_fetch(*this); }
  };

  void on_step();
  void on_fetch(Ring& ring);
  void read_descriptors(Ring& ring);
  void no_descriptor(Ring& ring);
  void start_fetch(Ring& ring, base::Picos delay);
  void clear_active(Ring& ring);
  uint32_t oldest_open(Ring& ring);
  void mark_closed(Ring& ring, uint32_t address, base::Picos visible);
  bool choose();
  void plan();
  bool begin_frame(Ring& ring);
  void fetch_piece();
  void take_descriptor(Ring& ring, TxFrame& frame, base::Picos here);
  void complete_frame(Ring& ring, TxFrame& frame, base::Picos here);
  void close_part(Ring& ring, const BdCache<FecTxDesc>::Entry& bd, base::Picos at);
  void close_later(const Close& close);
  void on_close();
  void write_back(const Close& close);
  void drop_partial();
  void hang();
  bool within_erratum(base::Picos a, base::Picos b) const;
  bool store_and_forward() const { return (core_.value(reg::kTfwr) & tfwr::kStrFwd) != 0; }

  Core& core_;
  TxFifo& fifo_;
  TxArbiter arbiter_;
  std::array<Ring, kRings> rings_;
  base::Event step_;
  // Write-backs that wait for a time: a write issued ahead of time would hold up the bus for all.
  base::Event close_;
  RecordQueue<Close> closes_{64};
  base::Picos next_issue_;               // the engine can issue its next read
  unsigned current_ = TxArbiter::kNone;  // ring of the frame being built
  uint32_t piece_ = 0;                   // octets of the current descriptor already read
  uint32_t arrived_ = 0;                 // cut-through: octets that the last read brings
  bool hung_ = false;
  bool stalled_ = false;
  uint64_t next_id_ = 0;
  unsigned never_closed_ = 0;  // sent after a hang
  base::Picos busy_;
  base::Picos busy_until_;
  std::array<uint8_t, kMaxPrefetch * kEnhancedStride> buffer_{};
};

}  // namespace doorbell::fec
