// The engines of one device and the register hooks that join them.
//
// Private to models/tsnep. RESET (assumption): COMMON resets the ECM block with interrupts, delays,
// clock rate, system time, link mode and MDIO; CHANNEL the MAC block with filter, steering and gate
// control; TXRX the queue blocks, as TX and RX reset of each and clearing the ring addresses. All
// are over at once.
#pragma once

#include "models/tsnep/gate_control.h"
#include "models/tsnep/interrupts.h"
#include "models/tsnep/link.h"
#include "models/tsnep/rx_engine.h"
#include "models/tsnep/statistics.h"
#include "models/tsnep/tsnep_core.h"
#include "models/tsnep/tx_mac.h"

namespace doorbell::tsnep {

class Device {
 public:
  Device(base::Calendar& calendar, fabric::DmaPort& dma, const TsnepConfig& config);

  void settle() { rx.catch_up(core.now()); }
  /// Software's accesses, everything up to now being worked out. The status says what was wrong.
  reg::Status read(uint32_t offset, uint32_t size, uint32_t& value);
  reg::Status write(uint32_t offset, uint32_t size, uint32_t value);
  void reset(uint32_t which);

  Core core;
  Interrupts irq;
  Statistics statistics;
  GateControl gates;
  TxMac tx;
  RxEngine rx;
  Link link;

 private:
  void hook_common();
  void hook_mac();
  void hook_queue(unsigned queue);
  void initialise();
  void restore(uint32_t begin, uint32_t end);
  bool there(uint32_t offset) const { return offset < window_bytes(core.config.queues); }
  static unsigned queue_of(uint32_t offset) {
    return offset < kFirstBlockBytes ? 0 : (offset - kFirstBlockBytes) / kQueueBlockBytes + 1;
  }

  void time_written(const reg::WriteEvent& event);
  void rate_written(const reg::WriteEvent& event);
  uint32_t read_time(uint32_t offset, uint32_t stored);
  uint32_t read_counter(uint32_t offset, uint32_t stored);
  void reset_written(const reg::WriteEvent& event) { reset(event.written); }
  void filter_written(const reg::WriteEvent&) { rx.reload(); }
  void control_written(const reg::WriteEvent& event);
  uint32_t read_control(uint32_t offset, uint32_t stored);
  void tx_address_written(const reg::WriteEvent& event);
  void rx_address_written(const reg::WriteEvent& event);
};

}  // namespace doorbell::tsnep
