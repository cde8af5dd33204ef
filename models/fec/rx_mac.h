// Receive side of the MAC: takes frames from the wire, judges them, and puts them into the FIFO.
//
// Lazy: catch_up(t) works through every arrival up to `t`. The DMA, register accesses and settle()
// call it before they look, so a frame that is dropped costs no event. Where an arrival has an
// effect of its own (pause, enabled error events, magic packets, XOFF, cut-through), next_effect()
// says when, and RxDma spends an event on it.
// Order for a frame: speed, ETHEREN, sleep, runt, MAC control, address, FIFO room, FCS and length.
// Counted in RMON: everything that arrives while enabled, filtered frames too (assumption).
// Overrun: writing stops when fewer than RAFL words are free; the cut frame is delivered with OV. A
// frame is begun only if FecConfig::rx_start_words more than RAFL are free (assumption: a minimum
// frame), so frames of 64 octets are lost whole.
// Sources: i.MX 6ULL RM ch. 22.
#pragma once

#include "models/fec/fec_core.h"
#include "models/fec/rx_fifo.h"
#include "models/fec/rx_offload.h"
#include "models/fec/rx_rules.h"

namespace doorbell::fec {

class RxMac {
 public:
  RxMac(Core& core, RxFifo& fifo) : core_(core), fifo_(fifo) {}

  void connect(net::WireIn* wire) { wire_ = wire; }
  void connect_loop(net::WireIn* loop) { loop_ = loop; }

  /// Everything on the wire up to `t` has happened when this returns.
  void catch_up(base::Picos t) {
    if (t >= next_look_) work(t);
  }
  /// Decodes the receive registers again. Call catch_up() before the register changes.
  void reload();
  /// peek() of the wire may have changed.
  void look_again() { next_look_ = base::Picos(0); }
  /// ETHEREN went to 0: what is arriving is lost.
  void stop();

  /// When the next frame that is not yet in the FIFO would be visible to the uDMA; kNever if none
  /// is known.
  base::Picos next_visible();
  /// When the next arrival can have an effect outside the FIFO; kNever if it cannot, or none.
  base::Picos next_effect();
  /// Words in the FIFO now, those of a frame still arriving included. After catch_up().
  uint32_t level(base::Picos now);
  bool receiving() const { return receiving_; }

  const RxRules& rules() const { return rules_; }
  const char* last_overflow() const { return last_overflow_; }
  /// RSEM: whether XOFF was the latest pause frame asked for.
  void check_pause(base::Picos now);
  /// EIMR asks for events that arrivals cause.
  void set_mask(uint32_t eimr);

 private:
  net::WireIn* source() const { return rules_.loop ? loop_ : wire_; }
  base::Picos octets(uint64_t n) const { return core_.line.time(n); }
  base::Picos first_octet(const net::Arrival& a) const {
    return a.start + octets(net::kPreambleBytes);
  }
  base::Picos judged(const net::Arrival& a) const;
  void work(base::Picos t);
  void begin(const net::Arrival& a);
  void finish(const net::Arrival& a);
  bool control_frame(const net::Arrival& a);
  void overflow(const net::Arrival& a);
  bool has_room(uint32_t words, const net::Arrival& a);
  void store(const net::Arrival& a, const Address& address);
  void judge(const net::Arrival& a, const Address& address, RxFrame& frame);
  bool offload(const net::Arrival& a, RxFrame& frame, uint32_t& bytes);
  void count_rmon(const net::Arrival& a);
  bool magic_packet(base::ByteView bytes) const;

  Core& core_;
  RxFifo& fifo_;
  net::WireIn* wire_ = nullptr;
  net::WireIn* loop_ = nullptr;
  RxRules rules_;
  base::Picos next_look_;
  bool receiving_ = false;
  bool lost_ = false;       // the arriving frame does not go into the FIFO: no room at its start
  bool abandoned_ = false;  // ETHEREN went to 0 while it arrived
  bool eager_ = false;
  bool xoff_ = false;
  bool eimr_wants_ = false;
  uint32_t room_ = 0;  // words the arriving frame may take
  const char* last_overflow_ = "";
};

}  // namespace doorbell::fec
