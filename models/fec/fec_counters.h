// Every named counter of the FEC model, declared once.
//
// The names are part of the model's interface: results, ledgers and tests use them. fec.h groups
// the ones that say where a frame went.
#pragma once

#include "models/probe/counter.h"

namespace doorbell::fec {

struct Counters {
  explicit Counters(probe::CounterSet& set) : set_(set) {}

  probe::Counter& frames(const char* name, const char* help) {
    return set_.add(name, "frames", help);
  }
  probe::Counter& events(const char* name, const char* help) {
    return set_.add(name, "events", help);
  }

 private:
  probe::CounterSet& set_;

 public:
  probe::Counter& rx_frames = frames("rx_frames", "closed in a ring without an error bit");
  probe::Counter& rx_error_frames = frames("rx_error_frames", "closed in a ring with an error bit");
  probe::Counter& rx_bytes = set_.add("rx_bytes", "bytes", "written to buffers");
  probe::Counter& rx_ring_full =
      frames("rx_ring_full", "lost: FIFO full because its head waits for an empty descriptor");
  probe::Counter& rx_fifo_overflow =
      frames("rx_fifo_overflow", "lost: FIFO full because the DMA is too slow");
  probe::Counter& rx_disabled = frames("rx_disabled", "lost: arrived while ETHEREN was 0");
  probe::Counter& rx_filtered = frames("rx_filtered", "refused by the address filter");
  probe::Counter& rx_runt = frames("rx_runt", "shorter than 64 octets with FCS");
  probe::Counter& rx_pause_eaten = frames("rx_pause_eaten", "pause frames not forwarded");
  probe::Counter& rx_control_eaten =
      frames("rx_control_eaten", "other MAC control frames discarded by RCR.CFEN");
  probe::Counter& rx_bad_ip_checksum = frames("rx_bad_ip_checksum", "discarded by RACC.IPDIS");
  probe::Counter& rx_bad_protocol_checksum =
      frames("rx_bad_protocol_checksum", "discarded by RACC.PRODIS");
  probe::Counter& rx_bad_line = frames("rx_bad_line", "MAC errors discarded by RACC.LINEDIS");
  probe::Counter& rx_flushed = frames("rx_flushed", "flushed by QOS.RX_FLUSHn");
  probe::Counter& rx_speed_mismatch =
      frames("rx_speed_mismatch", "lost: the MAC is set to another speed than the link");
  probe::Counter& rx_asleep = frames("rx_asleep", "ignored in sleep mode");
  probe::Counter& rx_reset = frames("rx_reset", "in the FIFO or arriving when ETHEREN went to 0");
  probe::Counter& rx_truncated = frames("rx_truncated", "cut by FIFO overrun; delivered with OV");
  probe::Counter& rx_crc_errors = frames("rx_crc_errors", "arrived with a wrong FCS");
  probe::Counter& rx_too_long = frames("rx_too_long", "longer than MAX_FL");
  probe::Counter& rx_pause = frames("rx_pause", "pause frames received");
  probe::Counter& rx_starved = events("rx_starved", "the FIFO's head found no empty descriptor");

  probe::Counter& tx_frames = frames("tx_frames", "put on the wire");
  probe::Counter& tx_bytes = set_.add("tx_bytes", "bytes", "put on the wire, FCS included");
  probe::Counter& tx_underrun = frames("tx_underrun", "broken off: FIFO ran empty");
  probe::Counter& tx_fifo_overflow =
      frames("tx_fifo_overflow", "dropped: larger than the transmit FIFO");
  probe::Counter& tx_partial_dropped =
      frames("tx_partial_dropped", "dropped: a descriptor was not ready in mid-frame");
  probe::Counter& tx_speed_mismatch =
      frames("tx_speed_mismatch", "lost: the MAC is set to another speed than the link");
  probe::Counter& tx_reset = frames("tx_reset", "in the FIFO when ETHEREN went to 0");
  probe::Counter& tx_unclosed =
      frames("tx_unclosed", "sent, descriptor not written back when ETHEREN went to 0");
  probe::Counter& tx_bus_error = frames("tx_bus_error", "lost to a bus error while fetched");
  probe::Counter& tx_stalled = events("tx_stalled", "descriptor not ready in mid-frame, waiting");
  probe::Counter& tx_bad_fcs = frames("tx_bad_fcs", "sent with a wrong FCS from software (TC = 0)");
  probe::Counter& tx_ftype_mismatch =
      frames("tx_ftype_mismatch", "FTYPE of the descriptor is not its ring");
  probe::Counter& tx_pause = frames("tx_pause", "pause frames sent");

  probe::Counter& rx_doorbells = events("rx_doorbells", "writes to RDAR");
  probe::Counter& tx_doorbells = events("tx_doorbells", "writes to TDAR");
  probe::Counter& rx_bd_fetches = events("rx_bd_fetches", "reads of receive descriptors");
  probe::Counter& tx_bd_fetches = events("tx_bd_fetches", "reads of transmit descriptors");
  probe::Counter& interrupts = events("interrupts", "times a line was raised");
  probe::Counter& bus_errors = events("bus_errors", "DMA accesses that failed");
  probe::Counter& register_errors =
      events("register_errors", "register accesses refused: hole, size or alignment");
  probe::Counter& erratum_007885_hangs =
      events("erratum_007885_hangs", "times a TDAR write hung the transmitter");
  probe::Counter& mdio_frames = events("mdio_frames", "management frames");
  probe::Counter& mdio_overlaps =
      events("mdio_overlaps", "MMFR written while a management frame was under way");
};

}  // namespace doorbell::fec
