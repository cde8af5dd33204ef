// Device model of tsnep, the Engleder TSN endpoint Ethernet MAC (an FPGA IP core).
//
// Modelled: register blocks of 1 to 8 queue pairs, rings of linked 256-byte blocks with owner
// counters, inline data, write-backs and stamps, interrupts with delay, link, MDIO and PHY, system
// time, address filter and EtherType steering, gate control lists, errors, statistics, resets. Not
// modelled: time-based transmission (INFO reads 0), EtherCAT; docs/devices/tsnep.md has the whole
// list and every assumption: no data sheet is public. Timing: all steps are events on the shared
// calendar, none polls; arrivals are evaluated lazily, which is never visible: whoever looks
// (register access, settle()) first has everything up to that moment worked out. Registers: 32-bit
// accesses, narrower ones where reg::narrow_access() says; else a TLM error and a counter. An
// access at an annotated time ahead of the calendar runs the calendar first; it must not come from
// inside a calendar event. Units: picoseconds, octets.
// Source: Linux 6.12 drivers/net/ethernet/engleder (behaviour).
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <systemc>

#include "models/base/calendar.h"
#include "models/fabric/calendar_driver.h"
#include "models/fabric/dma_port.h"
#include "models/fabric/irq.h"
#include "models/net/wire.h"
#include "models/probe/counter.h"
#include "models/probe/digest.h"
#include "models/probe/trace.h"
#include "models/tsnep/tsnep_config.h"

namespace doorbell::tsnep {

/// Interrupt lines: line 0 is "mac" (link and queue 0), line n is "txrx-n" (queue n).
inline constexpr unsigned kMacLine = 0;

class Tsnep : public sc_core::sc_module {
 public:
  /// `dma_forward_latency`: from the port to where memory is sampled (AxiConfig.forward_latency).
  Tsnep(sc_core::sc_module_name name, base::Calendar& calendar, const TsnepConfig& config,
        base::Picos dma_forward_latency);
  ~Tsnep() override;

  tlm_utils::simple_target_socket<Tsnep> regs;  // window_bytes(queues) octets
  fabric::DmaPort dma;

  /// Connects wire and interrupts. Each may be null: then nothing arrives, sent frames go nowhere,
  /// interrupts are not told. Before the simulation starts; the pointees must outlive the device.
  void connect(net::WireIn* in, net::WireOut* out, fabric::IrqSink* irq);
  /// Must be called when something else than a Doorbell core accesses the registers: the device
  /// then arms the kernel for the events that an access has scheduled.
  void set_driver(fabric::CalendarDriver* driver) { driver_ = driver; }
  /// Null switches off. Neither changes simulated time.
  void set_trace(probe::TraceSink* trace);
  /// Every write-back goes into `digest`.
  void set_digest(probe::Digest* digest);

  /// Pulls the cable out of the PHY, or plugs it in, now.
  void set_cable(bool plugged);

  /// Works out everything that has happened on the wire up to the calendar's now(). Call before
  /// reading counters or the levels below from outside, for example at the end of a run.
  void settle();

  /// Names and meaning: tsnep_counters.h. A frame taken from the wire is in exactly one of:
  /// rx_frames (written to a ring), a counter whose name is in kRxDropReasons, or
  /// frames_in_rx_fifo(). A frame taken from a ring is in exactly one of tx_frames (on the wire), a
  /// counter whose name is in kTxDropReasons, or frames_in_tx_fifo().
  const probe::CounterSet& counters() const;
  unsigned frames_in_rx_fifo() const;
  /// Frames begun to be fetched and not yet sent; one on the line counts as sent.
  unsigned frames_in_tx_fifo() const;
  /// Frames that were on the wire, or thrown away for want of a link, and whose write-back is not
  /// visible yet.
  unsigned frames_sent_not_closed() const;
  uint32_t rx_fifo_bytes() const;
  uint32_t tx_fifo_bytes(unsigned queue) const;

  /// Time the receive and the transmit half of the DMA were at work; transmit: sum over the queues.
  base::Picos rx_dma_busy() const;
  base::Picos tx_dma_busy() const;
  /// Time the transmit line carried something, gaps included.
  base::Picos tx_line_busy() const;
  /// Gates that are open now, one bit a queue.
  uint8_t open_gates() const;

  const TsnepConfig& config() const { return config_; }

 private:
  struct Parts;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned int transport_dbg(tlm::tlm_generic_payload& payload);

  base::Calendar& calendar_;
  TsnepConfig config_;
  fabric::CalendarDriver* driver_ = nullptr;
  std::unique_ptr<Parts> parts_;
};

/// Counters that name why a received frame never reached a ring.
inline constexpr const char* kRxDropReasons[] = {
    "rx_no_link",       "rx_bad_fcs",          "rx_too_short", "rx_too_long",
    "rx_filtered",      "rx_no_queue",         "rx_disabled",  "rx_fifo_overflow",
    "rx_no_descriptor", "rx_buffer_too_small", "rx_dma_error", "rx_reset"};
/// Counters that name why a frame taken from a ring never reached the wire as a good frame.
inline constexpr const char* kTxDropReasons[] = {"tx_no_link", "tx_underrun", "tx_desc_error",
                                                 "tx_dma_error", "tx_reset"};

}  // namespace doorbell::tsnep
