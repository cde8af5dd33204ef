// Device model of the NXP ENET/FEC with AVB, as on the i.MX8MP.
//
// Modelled: register file, uDMA with three receive and three transmit rings (legacy and enhanced
// descriptors), FIFOs, MAC rules, classification, arbitration and shapers, coalescing, MIB, MDIO
// and PHY, pause, 1588 timer, stop, reset and bus errors. Not modelled: collisions, launch times,
// EEE on the line; docs/devices/fec.md has the whole list and every assumption.
// Timing: all steps are events on the shared calendar, none polls. Arrivals are evaluated lazily:
// a frame that is dropped costs no event, and whoever looks (register access, settle()) first has
// everything up to that moment worked out, so laziness is never visible to software.
// Registers: aligned 32-bit accesses; anything else answers a TLM error and counts. A register
// access at an annotated time ahead of the calendar runs the calendar first; it must not come from
// inside a calendar event with a time ahead of that event. Units: picoseconds, octets.
// Sources: i.MX 6ULL RM (rev 1) ch. 22, MCUXpresso PERI_ENET.h, Linux 6.12 fec_main.c, fec_ptp.c.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <systemc>

#include "models/base/calendar.h"
#include "models/fabric/calendar_driver.h"
#include "models/fabric/dma_port.h"
#include "models/fabric/irq.h"
#include "models/fec/fec_config.h"
#include "models/net/wire.h"
#include "models/probe/counter.h"
#include "models/probe/digest.h"
#include "models/probe/trace.h"

namespace doorbell::fec {

/// Interrupt lines of the block, in the order of the device tree.
inline constexpr unsigned kLineClass1 = 0;
inline constexpr unsigned kLineClass2 = 1;
inline constexpr unsigned kLineMac = 2;
inline constexpr unsigned kLine1588 = 3;
inline constexpr unsigned kLines = 4;

class Fec : public sc_core::sc_module {
 public:
  /// `dma_forward_latency`: from the port to where memory is sampled (AxiConfig.forward_latency).
  Fec(sc_core::sc_module_name name, base::Calendar& calendar, const FecConfig& config,
      base::Picos dma_forward_latency);
  ~Fec() override;

  tlm_utils::simple_target_socket<Fec> regs;  // 0x10000 octets
  fabric::DmaPort dma;

  /// Connects wire and interrupts. Each may be null: then nothing arrives, sent frames go nowhere,
  /// interrupts are not told. Before the simulation starts; the pointees must outlive the device.
  void connect(net::WireIn* in, net::WireOut* out, fabric::IrqSink* irq);
  /// Must be called when something else than a Doorbell core accesses the registers: the device
  /// then arms the kernel for the events that an access has scheduled.
  void set_driver(fabric::CalendarDriver* driver) { driver_ = driver; }
  /// Null switches off. Neither changes simulated time.
  void set_trace(probe::TraceSink* trace);
  /// Every closed descriptor and every frame sent goes into `digest`.
  void set_digest(probe::Digest* digest);

  /// Works out everything that has happened on the wire up to the calendar's now(). Call before
  /// reading counters or the levels below from outside, for example at the end of a run.
  void settle();

  /// Names and meaning of every drop and event: docs/devices/fec.md. A frame taken from the wire is
  /// in exactly one of: rx_frames (closed in a ring, good), rx_error_frames (closed in a ring with
  /// an error bit), a counter whose name is in kRxDropReasons, or frames_in_rx_fifo().
  /// A frame taken from a ring is in exactly one of tx_frames (on the wire), a counter whose name
  /// is in kTxDropReasons, or frames_in_tx_fifo().
  const probe::CounterSet& counters() const;

  /// Frames in the receive FIFO, with the one being moved.
  unsigned frames_in_rx_fifo() const;
  /// Frames begun to be fetched and not yet sent; one on the line counts as sent.
  unsigned frames_in_tx_fifo() const;
  /// Frames that were on the wire and whose last descriptor is not written back yet; after an
  /// ERR007885 hang it never is.
  unsigned frames_sent_not_closed() const;
  unsigned rx_fifo_words() const;
  unsigned tx_fifo_words() const;

  /// Time the receive and the transmit half of the uDMA were at work.
  base::Picos rx_dma_busy() const;
  base::Picos tx_dma_busy() const;
  /// Time the transmit line carried something, gaps included.
  base::Picos tx_line_busy() const;

  /// Name of the counter that the latest frame lost to a full FIFO went to; "" before the first.
  const char* last_overflow() const;
  /// True while ERR007885 has the transmitter hung.
  bool tx_hung() const;

  const FecConfig& config() const { return config_; }

 private:
  struct Parts;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned int transport_dbg(tlm::tlm_generic_payload& payload);

  base::Calendar& calendar_;
  FecConfig config_;
  fabric::CalendarDriver* driver_ = nullptr;
  std::unique_ptr<Parts> parts_;
};

/// Counters that name why a received frame never reached a ring.
inline constexpr const char* kRxDropReasons[] = {"rx_ring_full",
                                                 "rx_fifo_overflow",
                                                 "rx_disabled",
                                                 "rx_filtered",
                                                 "rx_runt",
                                                 "rx_pause_eaten",
                                                 "rx_control_eaten",
                                                 "rx_bad_ip_checksum",
                                                 "rx_bad_protocol_checksum",
                                                 "rx_bad_line",
                                                 "rx_flushed",
                                                 "rx_speed_mismatch",
                                                 "rx_asleep",
                                                 "rx_reset"};
/// Counters that name why a frame taken from a ring never reached the wire as a good frame.
inline constexpr const char* kTxDropReasons[] = {"tx_underrun",        "tx_fifo_overflow",
                                                 "tx_partial_dropped", "tx_speed_mismatch",
                                                 "tx_reset",           "tx_bus_error"};

}  // namespace doorbell::fec
