// The line: picks the next frame of all queues, sends it, writes its descriptor back.
//
// A frame may start when its data allows, the line is free and its gate is open long enough
// (GateControl). The earliest goes first, at the same time by priority. The choice is made when the
// last frame has left, one gap ahead, or else at the start (assumption). Write-back: at the frame's
// end (or start), of its first descriptor only; INTERRUPT in that one raises the interrupt when it
// is visible. Stamps are of the first octet behind the SFD. Without a link whole frames are thrown
// away and acknowledged with NO_LINK (assumption). Cut-through: a frame whose data comes too late
// is broken off where it runs out, flagged and acknowledged with UNDERRUN. Short frames are padded
// to 60 octets (assumption). Events: one a frame while the line is busy, two when it was idle.
// Source: Linux 6.12 tsnep_main.c (behaviour).
#pragma once

#include <memory>
#include <vector>

#include "models/tsnep/tx_queue.h"

namespace doorbell::tsnep {

class TxMac {
 public:
  explicit TxMac(Core& core);

  void connect(net::WireOut* wire) { wire_ = wire; }
  TxQueue& queue(unsigned index) { return *queues_[index]; }
  const TxQueue& queue(unsigned index) const { return *queues_[index]; }

  /// Something has changed that the next start depends on.
  void plan();
  /// The newest frame of `queue` is whole, or has more data (cut-through).
  void frame_whole(TxQueue& queue);
  void data_here(TxQueue& queue);
  /// `queue` is being reset: what it has on the line is not its own any more.
  void forget(TxQueue& queue);

  unsigned frames_waiting() const;
  unsigned frames_sent_not_closed();
  base::Picos line_busy() const { return line_busy_; }
  base::Picos dma_busy() const;

 private:
  struct Choice {
    TxQueue* queue = nullptr;
    base::Picos at = base::kNever;
  };

  base::Picos duration(const TxFrame& frame) const {
    return core_.line.time(net::wire_octets(frame.line_bytes()));
  }
  Choice choose();
  base::Picos earliest(TxQueue& queue);
  void on_line();
  void start(TxQueue& queue, base::Picos at);
  void extend();
  void transmit(TxFrame& frame, uint32_t bytes, uint8_t flaws);
  void finish();
  void underrun();
  void discard(TxQueue& queue);
  void write_back(TxQueue& queue, const TxFrame& frame, base::Picos issue, uint32_t flags);

  Core& core_;
  net::WireOut* wire_ = nullptr;
  std::vector<std::unique_ptr<TxQueue>> queues_;
  base::Event line_;
  bool busy_ = false;           // the line; line_ is the end of what is on it
  TxQueue* current_ = nullptr;  // whose frame that is; null: of a queue that was reset
  base::Picos line_free_;       // the next frame may start
  unsigned last_ = 0;           // queue of the latest frame
  base::Picos line_busy_;
  RecordQueue<base::Picos> closing_{256};  // write-backs on their way
};

}  // namespace doorbell::tsnep
