// Interrupt vectors: throttle timers, rate limit, write-back on timer expiry, messages.
//
// A cause names a vector and one of its three timers. Its event waits until the timer has run out
// (IceConfig::itr_from_event: counted from the event, else from the timer's last expiry that did
// something), and, if the vector is armed, until the rate limit allows. Then the vector's held
// write-backs go out, then the MSI-X message, in the order of the port; the vector disarms itself
// unless GLINT_CTL.DIS_AUTOMASK. Not armed: with WB_ON_ITR the expiry writes back and uses the
// event up; without, events wait and lines stay as they are. CLEARPBA clears the pending bit; what
// else it forgets is IceConfig::clearpba_forgets. An event without a timer (index 3) waits for
// none. Times are exact whatever the pump's batch. Sources: Linux 6.12 ice_txrx.c, ice_lib.c;
// commits 2ab28bb04c95, 23be7075b318; the start rule of the timers is an assumption.
#pragma once

#include <array>
#include <vector>

#include "models/ice/fifo.h"
#include "models/ice/ice_core.h"

namespace doorbell::ice {

class Interrupts {
 public:
  explicit Interrupts(Core& core);

  /// Something happened at `at` for timer `itr` (kItrNoUpdate: none) of `vector`.
  void event(unsigned vector, unsigned itr, base::Picos at) {
    Vector& v = vectors_[vector];
    if ((v.pending >> itr & 1) != 0) return;
    note(vector, itr, at);
  }
  /// Interrupts without waiting for a timer.
  void immediate(unsigned vector, base::Picos at) { event(vector, kItrNoUpdate, at); }
  /// A queue holds back part of a line until the vector's timer expires.
  void hold_tx(unsigned vector, uint16_t queue);
  void hold_rx(unsigned vector, uint16_t queue);
  /// PFINT_OICR bits.
  void other(uint32_t bits);
  /// The firmware's cause.
  void firmware();

  // Register hooks.
  void dyn_ctl_written(const reg::WriteEvent& event);
  void itr_written(const reg::WriteEvent& event);
  void rate_written(const reg::WriteEvent& event);
  void glint_ctl_written(const reg::WriteEvent& event);
  void oicr_ena_written(const reg::WriteEvent& event);
  void reset();

  bool armed(unsigned vector) const { return vectors_[vector].armed; }
  /// The pending bit: a message was due while the vector was not armed.
  bool pba(unsigned vector) const { return vectors_[vector].pba; }
  uint64_t messages(unsigned vector) const { return vectors_[vector].messages; }

 private:
  struct Vector {
    uint8_t pending = 0;  // events by timer; bit 3: none
    bool armed = false;
    bool wb_on_itr = false;
    bool pba = false;
    std::array<base::Picos, kItrs> interval{};
    std::array<base::Picos, kItrs> start{};      // when the timer last began
    std::array<base::Picos, kItrs + 1> since{};  // events' times
    base::Picos rate;
    base::Picos last;          // message
    uint32_t flush = kNoList;  // queues that hold something
    uint64_t messages = 0;
    base::Event event;
    Interrupts* owner = nullptr;
    uint32_t number = 0;
    void run() { owner->fire(*this); }
  };
  struct Held {
    uint32_t next;
    uint16_t queue;
    bool rx;
  };
  static constexpr uint32_t kNoList = UINT32_MAX;
  static constexpr base::Picos kLongAgo{INT64_MIN / 2};

  void note(unsigned vector, unsigned itr, base::Picos at);
  base::Picos due(const Vector& v, unsigned itr) const;
  base::Picos due(const Vector& v) const;
  void plan(Vector& v);
  void fire(Vector& v);
  bool flush(Vector& v, base::Picos at);
  void hold(Vector& v, uint16_t queue, bool rx);
  base::Picos itr_unit() const;

  Core& core_;
  std::vector<Vector> vectors_;
  std::vector<Held> held_;  // nodes of the lists
  uint32_t free_ = kNoList;
  bool automask_ = true;
};

}  // namespace doorbell::ice
