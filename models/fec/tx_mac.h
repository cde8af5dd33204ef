// Transmit side of the MAC: takes frames from the FIFO and puts them on the line.
//
// A frame is handed to the wire when it is committed: at its start on an idle line, at the end of
// the frame before it in a burst (so a pause that comes during the gap lets one more frame go). The
// next frame starts TIPG octet times after the last FCS octet. Store and forward starts a frame
// `tx_mac_cycles` after it is complete in the FIFO; cut-through at TFWR octets, and is handed over
// when complete, with its start in the past. Underrun: fewer than TAEM words left before the frame
// is complete; the line shows the part with an error, the rest is thrown away.
// Short frames are padded to 60 octets, always. Pause frames go before data, even while paused.
// A frame on the line when ETHEREN falls is finished on the wire (the hardware ends it with a bad
// CRC; the wire has no way to take a frame back). Collisions are not modelled.
// Sources: i.MX 6ULL RM ch. 22; IEEE 802.3 annex 31B.
#pragma once

#include <array>

#include "models/fec/fec_core.h"
#include "models/fec/tx_fifo.h"

namespace doorbell::fec {

class TxMac {
 public:
  TxMac(Core& core, TxFifo& fifo);

  void connect(net::WireOut* wire) { wire_ = wire; }
  void connect_loop(net::WireOut* loop) { loop_ = loop; }

  /// The FIFO's front has grown or is complete.
  void progress();
  void stop();
  void reload();
  void control_written(const reg::WriteEvent& event);  // TCR
  uint32_t read_control(uint32_t offset, uint32_t stored);
  /// Sends a pause frame as soon as the line is free; the latest request wins.
  void request_pause(uint16_t quanta);
  /// A pause frame has been received, now.
  void obey_pause(uint16_t quanta);
  bool sending() const { return state_ != State::kIdle; }
  base::Picos line_busy() const { return line_busy_; }

 private:
  enum class State : uint8_t { kIdle, kSending, kSendingPart, kSendingPause };

  void on_step();
  void try_start();
  bool may_start(TxFrame& frame, base::Picos& at) const;
  void send_pause(base::Picos start);
  void send_frame(base::Picos start);
  void begin_part(base::Picos start);
  void continue_part();
  void underrun();
  void finish_frame();
  uint32_t prepare(TxFrame& frame, uint8_t& flaws);
  void hand_over(base::Picos start, base::ByteView bytes, uint8_t flaws);
  void count_frame(uint32_t bytes, const uint8_t* data, uint8_t flaws);
  base::Picos octets(uint64_t n) const { return core_.line.time(n); }

  Core& core_;
  TxFifo& fifo_;
  net::WireOut* wire_ = nullptr;
  net::WireOut* loop_ = nullptr;
  base::Event step_;
  State state_ = State::kIdle;
  base::Picos start_;      // preamble of the frame on the line
  base::Picos line_free_;  // earliest start of the next frame
  base::Picos paused_until_;
  base::Picos gap_;
  uint32_t threshold_ = 0;     // octets in the FIFO that start a frame, 0: all
  uint32_t almost_empty_ = 0;  // octets
  bool stopped_ = false;       // GTS
  bool gra_due_ = false;       // GTS came while a frame was on the line
  bool pause_wanted_ = false;
  uint16_t pause_quanta_ = 0;
  base::Picos line_busy_;
  std::array<uint8_t, kLongestFrame> scratch_{};
};

}  // namespace doorbell::fec
