// Device model of the Intel E810 ("ice"): one PF, one port, its LAN queues.
//
// Modelled: BAR0 registers, admin queue, 16384 transmit and 2048 receive queues with contexts and
// descriptors bit-exact, descriptor caches, payload pipeline, turns of the transmit queues,
// offloads and segmentation, write-back policies, packet buffer, RSS, interrupt throttling and
// MSI-X, malicious driver detection, statistics. Not modelled: VFs, filters, flow director,
// tunnels, time stamps, DCB, RDMA, completion and doorbell queues. docs/devices/ice.md has the
// whole list and every assumption: Intel publishes none of the engine's inside. Timing: steps have
// exact picosecond times; one calendar event works through those of about IceConfig::batch while
// the device is busy. Laziness is never visible: whoever looks (register access, settle()) first
// has everything up to that moment worked out. Registers: aligned 32-bit accesses, else a TLM
// error. An access at an annotated time ahead of the calendar runs the calendar first; it must not
// come from inside a calendar event. Units: picoseconds, bytes without FCS. Sources: Linux 6.12
// drivers/net/ethernet/intel/ice, DPDK drivers/net/ice.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <systemc>

#include "models/base/calendar.h"
#include "models/fabric/calendar_driver.h"
#include "models/fabric/pcie_port.h"
#include "models/ice/ice_config.h"
#include "models/net/wire.h"
#include "models/probe/counter.h"
#include "models/probe/digest.h"
#include "models/probe/trace.h"

namespace doorbell::ice {

class Ice : public sc_core::sc_module {
 public:
  Ice(sc_core::sc_module_name name, base::Calendar& calendar, const IceConfig& config,
      const fabric::PcieConfig& link);
  ~Ice() override;

  tlm_utils::simple_target_socket<Ice> regs;  // BAR0, 32 MB
  tlm_utils::simple_target_socket<Ice> msix;  // BAR3: table at 0x0000, pending bits at 0x8000
  fabric::PciePort pcie;                      // bind pcie.socket to memory

  /// Connects the wire. Each may be null: then nothing arrives, or sent frames go nowhere. Before
  /// the simulation starts; the pointees must outlive the device.
  void connect(net::WireIn* in, net::WireOut* out);
  /// Message control of the MSI-X capability (configuration space is not modelled).
  void set_msix_control(bool enable, bool function_mask);
  /// Must be called when something else than a Doorbell core accesses the registers.
  void set_driver(fabric::CalendarDriver* driver) { driver_ = driver; }
  /// Null switches off. Neither changes simulated time.
  void set_trace(probe::TraceSink* trace);
  /// Every frame delivered or sent, every report and every message goes into `digest`.
  void set_digest(probe::Digest* digest);

  /// Works out everything up to the calendar's now(). Call before reading counters or the levels
  /// below from outside, for example at the end of a run.
  void settle();

  /// Names and meaning: ice_counters.h. A frame taken from the wire is in exactly one of: rx_frames
  /// (written to a ring), a counter whose name is in kRxDropReasons, or frames_in_rx_buffer(). A
  /// frame taken from a ring is in exactly one of tx_frames (on the wire), a counter whose name is
  /// in kTxDropReasons, or frames_in_tx().
  const probe::CounterSet& counters() const;
  unsigned frames_in_rx_buffer() const;
  /// Frames in a ring whose descriptor the device holds back (half a line).
  unsigned frames_held_back() const;
  /// Frames whose payload is being read; one on the line counts as sent.
  unsigned frames_in_tx() const;
  uint32_t rx_buffer_bytes() const;
  uint32_t tx_buffer_bytes() const;

  /// Time the transmit line carried something, gaps included.
  base::Picos tx_line_busy() const;
  /// Time the report engine was at work (tx_writeback = engine).
  base::Picos report_engine_busy() const;
  /// Steps taken, for the ratio of steps to events.
  uint64_t steps() const;

  /// State of a vector, for tests and reports.
  bool vector_armed(unsigned vector) const;
  bool vector_pending(unsigned vector) const;
  uint64_t vector_messages(unsigned vector) const;
  bool tx_queue_frozen(unsigned queue) const;
  /// Index of the first descriptor of a transmit queue that is not sent: QTX_COMM_HEAD, now.
  unsigned tx_head(unsigned queue);

  const IceConfig& config() const { return config_; }

 private:
  struct Parts;
  bool access(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay, uint32_t window);
  void bar0(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void bar3(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned int bar0_debug(tlm::tlm_generic_payload& payload);

  base::Calendar& calendar_;
  IceConfig config_;
  fabric::CalendarDriver* driver_ = nullptr;
  std::unique_ptr<Parts> parts_;
};

/// Counters that name why a received frame never reached a ring.
inline constexpr const char* kRxDropReasons[] = {
    "rx_bad_fcs",  "rx_too_short", "rx_too_long",  "rx_buffer_full", "rx_no_descriptor",
    "rx_disabled", "rx_link_down", "rx_malicious", "rx_reset"};
/// Counters that name why a frame taken from a ring never reached the wire.
inline constexpr const char* kTxDropReasons[] = {"tx_malicious", "tx_disabled", "tx_link_down",
                                                 "tx_reset"};

}  // namespace doorbell::ice
