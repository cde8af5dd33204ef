// Every named counter of the tsnep model, declared once.
//
// The names are part of the model's interface: results, ledgers and tests use them. tsnep.h groups
// the ones that say where a frame went. They do not wrap, unlike the device's own 8-bit fields.
#pragma once

#include "models/probe/counter.h"

namespace doorbell::tsnep {

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
  probe::Counter& rx_frames = frames("rx_frames", "written to a ring");
  probe::Counter& rx_bytes =
      set_.add("rx_bytes", "bytes", "written to buffers, metadata and FCS included");
  probe::Counter& rx_no_link = frames("rx_no_link", "lost: no link, or its mode is not set");
  probe::Counter& rx_bad_fcs = frames("rx_bad_fcs", "wrong FCS or an error of the PHY");
  probe::Counter& rx_too_short = frames("rx_too_short", "shorter than 64 octets with FCS");
  probe::Counter& rx_too_long = frames("rx_too_long", "longer than a length field can say");
  probe::Counter& rx_filtered = frames("rx_filtered", "refused by the address filter");
  probe::Counter& rx_no_queue = frames("rx_no_queue", "steered to a queue that is not there");
  probe::Counter& rx_disabled = frames("rx_disabled", "lost: the queue's receive half was off");
  probe::Counter& rx_fifo_overflow = frames("rx_fifo_overflow", "lost: no room in the FIFO");
  probe::Counter& rx_no_descriptor = frames("rx_no_descriptor", "lost: the queue had none");
  probe::Counter& rx_buffer_too_small =
      frames("rx_buffer_too_small", "lost: longer than the buffer of the next descriptor");
  probe::Counter& rx_dma_error = frames("rx_dma_error", "lost to a failed DMA access");
  probe::Counter& rx_reset = frames("rx_reset", "in the FIFO when receive was reset");

  probe::Counter& tx_frames = frames("tx_frames", "put on the wire");
  probe::Counter& tx_bytes = set_.add("tx_bytes", "bytes", "put on the wire, FCS included");
  probe::Counter& tx_no_link = frames("tx_no_link", "discarded and acknowledged: no link");
  probe::Counter& tx_underrun = frames("tx_underrun", "broken off: data came too late");
  probe::Counter& tx_desc_error = frames("tx_desc_error", "dropped: bad descriptor");
  probe::Counter& tx_dma_error = frames("tx_dma_error", "dropped: a DMA access failed");
  probe::Counter& tx_reset = frames("tx_reset", "in the FIFO when transmit was reset");
  probe::Counter& tx_unclosed =
      frames("tx_unclosed", "on the line when transmit was reset: sent, never written back");
  probe::Counter& tx_inline = events("tx_inline", "fragments that came inside a descriptor");
  probe::Counter& tx_gated = frames("tx_gated", "had to wait for their gate");

  probe::Counter& rx_doorbells = events("rx_doorbells", "writes of RX enable");
  probe::Counter& tx_doorbells = events("tx_doorbells", "writes of TX enable");
  probe::Counter& rx_fetches = events("rx_fetches", "reads of receive descriptors");
  probe::Counter& tx_fetches = events("tx_fetches", "reads of transmit descriptors");
  probe::Counter& rx_starved = events("rx_starved", "receive fetches that found nothing new");
  probe::Counter& tx_drained = events("tx_drained", "transmit fetches that found nothing new");
  probe::Counter& interrupts = events("interrupts", "times a line was raised");
  probe::Counter& interrupts_lost =
      events("interrupts_lost", "interrupt events whose bit was disabled");
  probe::Counter& dma_errors = events("dma_errors", "DMA accesses that failed");
  probe::Counter& desc_errors = events("desc_errors", "descriptors that stopped an engine");
  probe::Counter& register_errors =
      events("register_errors", "register accesses refused: hole, size or alignment");
  probe::Counter& mdio_frames = events("mdio_frames", "management frames");
  probe::Counter& mdio_overlaps =
      events("mdio_overlaps", "MD_CONTROL written while a management frame was under way");
  probe::Counter& link_changes = events("link_changes", "times the PHY's link went up or down");
  probe::Counter& gc_enables = events("gc_enables", "lists enabled");
  probe::Counter& gc_late = events("gc_late", "enables refused because they came too late");
  probe::Counter& gc_list_errors = events("gc_list_errors", "bad operations met in a list");
};

}  // namespace doorbell::tsnep
