// Interrupts: enable in set and clear style, acknowledge, one line a queue, a delay for each pair.
//
// An event (write-back visible) starts the queue's delay, unless it runs; when it ends, the bits of
// all events up to then become active if they are enabled, and are forgotten or kept if not
// (TsnepConfig::keep_disabled_interrupts). Disabling a bit also takes back what it had made active:
// handlers of txrx lines never acknowledge (assumption). Line q is high while an enabled bit of
// queue q is active; line 0 has LINK too. Cost: one calendar event a delay, at delay 0 one a
// write-back. A delay that is changed takes effect with the next one that starts.
// Source: Linux 6.12 tsnep_main.c; what starts the delay is an assumption.
#pragma once

#include <array>

#include "models/fabric/irq.h"
#include "models/tsnep/tsnep_core.h"

namespace doorbell::tsnep {

class Interrupts {
 public:
  explicit Interrupts(Core& core);

  void connect(fabric::IrqSink* sink) { sink_ = sink; }
  /// An event of queue `queue` at `at`, now or later; events of one kind come in order.
  void post_tx(unsigned queue, base::Picos at) { post(queues_[queue], 0, at); }
  void post_rx(unsigned queue, base::Picos at) { post(queues_[queue], 1, at); }
  void link_changed();

  void enable_written(const reg::WriteEvent& event);
  void active_written(const reg::WriteEvent& event);
  uint32_t read_enable(uint32_t, uint32_t) { return enabled_; }
  uint32_t read_active(uint32_t, uint32_t) { return active_; }
  void reset();

 private:
  struct Queue {
    Interrupts* owner = nullptr;
    unsigned index = 0;
    base::Event due;
    base::Picos started;  // the event that started the delay
    base::Picos delay;
    // First event of each kind in the running delay, and behind its end.
    std::array<base::Picos, 2> first{base::kNever, base::kNever};
    std::array<base::Picos, 2> next{base::kNever, base::kNever};
    void on_due() { owner->on_due(*this); }
  };

  void post(Queue& queue, unsigned kind, base::Picos at);
  void start(Queue& queue, unsigned kind, base::Picos at);
  base::Picos delay_of(unsigned queue) const;
  void on_due(Queue& queue);
  void raise(uint32_t bits);
  void update_lines();

  Core& core_;
  fabric::IrqSink* sink_ = nullptr;
  std::array<Queue, kMaxQueues> queues_;
  uint32_t enabled_ = 0;
  uint32_t active_ = 0;
  uint32_t kept_ = 0;
  uint32_t levels_ = 0;
};

}  // namespace doorbell::tsnep
