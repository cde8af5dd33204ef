// Every named counter of the E810 model, declared once.
//
// The names are part of the model's interface: results, ledgers and tests use them. ice.h groups
// the ones that say where a frame went.
#pragma once

#include "models/probe/counter.h"

namespace doorbell::ice {

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
  probe::Counter& rx_bytes = set_.add("rx_bytes", "bytes", "written to buffers");
  probe::Counter& rx_bad_fcs = frames("rx_bad_fcs", "lost: wrong FCS (GLPRT_CRCERRS)");
  probe::Counter& rx_too_short = frames("rx_too_short", "lost: below 60 octets (GLPRT_RUC)");
  probe::Counter& rx_too_long =
      frames("rx_too_long", "lost: above the port's or the queue's maximum (GLPRT_ROC)");
  probe::Counter& rx_buffer_full =
      frames("rx_buffer_full", "lost: packet buffer full (PRTRPB_RDPC)");
  probe::Counter& rx_no_descriptor =
      frames("rx_no_descriptor", "lost: no descriptor, queue set to drop (GLV_RDPC)");
  probe::Counter& rx_disabled = frames("rx_disabled", "lost: queue not enabled");
  probe::Counter& rx_link_down = frames("rx_link_down", "lost: before link up");
  probe::Counter& rx_malicious = frames("rx_malicious", "lost: queue stopped by detection");
  probe::Counter& rx_reset = frames("rx_reset", "lost: in the packet buffer at a reset");
  probe::Counter& rx_bad_checksum = frames("rx_bad_checksum", "written with a checksum error bit");
  probe::Counter& rx_starved = events("rx_starved", "a frame found its queue without descriptor");

  probe::Counter& tx_frames = frames("tx_frames", "put on the wire");
  probe::Counter& tx_bytes = set_.add("tx_bytes", "bytes", "put on the wire, without FCS");
  probe::Counter& tx_malicious = frames("tx_malicious", "lost: malicious driver detection");
  probe::Counter& tx_disabled = frames("tx_disabled", "lost: queue disabled while being fetched");
  probe::Counter& tx_dummy = frames("tx_dummy", "descriptors marked DUMMY: nothing to send");
  probe::Counter& tx_link_down = frames("tx_link_down", "lost: before link up");
  probe::Counter& tx_reset = frames("tx_reset", "lost: in the device at a reset");
  probe::Counter& tx_tso = frames("tx_tso", "segmentation requests");

  probe::Counter& tx_doorbells = events("tx_doorbells", "doorbells of enabled transmit queues");
  probe::Counter& rx_doorbells = events("rx_doorbells", "doorbells that moved a receive tail");
  probe::Counter& doorbells_ignored =
      events("doorbells_ignored", "doorbells of queues that are not enabled");
  probe::Counter& tx_desc_fetches = events("tx_desc_fetches", "reads of transmit descriptors");
  probe::Counter& tx_descs = events("tx_descs", "transmit descriptors fetched");
  probe::Counter& rx_desc_fetches = events("rx_desc_fetches", "reads of receive descriptors");
  probe::Counter& tx_reports = events("tx_reports", "descriptors reported done");
  probe::Counter& tx_report_writes = events("tx_report_writes", "writes that reported them");
  probe::Counter& rx_writebacks = events("rx_writebacks", "receive descriptors written back");
  probe::Counter& rx_writeback_writes = events("rx_writeback_writes", "writes that carried them");
  probe::Counter& interrupts = events("interrupts", "MSI-X messages");
  probe::Counter& itr_flushes =
      events("itr_flushes", "timers that wrote back partial lines without a message");
  probe::Counter& mdd_events = events("mdd_events", "malicious driver detections");
  probe::Counter& admin_commands = events("admin_commands", "admin commands completed");
  probe::Counter& admin_events = events("admin_events", "admin events posted");
  probe::Counter& register_errors =
      events("register_errors", "register accesses refused: hole, size or alignment");
  probe::Counter& bus_errors = events("bus_errors", "reads that failed");
};

}  // namespace doorbell::ice
