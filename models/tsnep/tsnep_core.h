// What the engines of one tsnep share: registers, calendar, DMA port, counters, clock, each other.
//
// Private to models/tsnep.
#pragma once

#include "models/base/calendar.h"
#include "models/fabric/dma_port.h"
#include "models/net/frame.h"
#include "models/net/wire.h"
#include "models/probe/digest.h"
#include "models/probe/trace.h"
#include "models/reg/reg_file.h"
#include "models/tsnep/clock.h"
#include "models/tsnep/tsnep_config.h"
#include "models/tsnep/tsnep_counters.h"
#include "models/tsnep/tsnep_desc.h"
#include "models/tsnep/tsnep_reg_table.h"
#include "models/tsnep/tsnep_regs.h"

namespace doorbell::tsnep {

class GateControl;
class Interrupts;
class Link;
class RxEngine;
class Statistics;
class TxMac;

/// Trace tracks.
inline constexpr const char* kRxTracks[kMaxQueues] = {"tsnep rx 0", "tsnep rx 1", "tsnep rx 2",
                                                      "tsnep rx 3", "tsnep rx 4", "tsnep rx 5",
                                                      "tsnep rx 6", "tsnep rx 7"};
inline constexpr const char* kTxTracks[kMaxQueues] = {"tsnep tx 0", "tsnep tx 1", "tsnep tx 2",
                                                      "tsnep tx 3", "tsnep tx 4", "tsnep tx 5",
                                                      "tsnep tx 6", "tsnep tx 7"};

struct Core {
  Core(base::Calendar& calendar_in, fabric::DmaPort& dma_in, const TsnepConfig& config_in)
      : calendar(calendar_in), dma(dma_in), config(config_in), line(config_in.link) {}

  base::Picos now() const { return calendar.now(); }
  uint32_t value(uint32_t offset) const { return regs.peek(offset); }
  /// Issue at the device, sampled at memory.
  base::Picos request_time() const { return config.step_time + dma.forward_latency(); }

  base::Calendar& calendar;
  fabric::DmaPort& dma;
  const TsnepConfig& config;
  reg::RegFile regs{reg::RegTable(kTsnepRegs)};
  probe::CounterSet counters{"tsnep"};
  Counters count{counters};
  net::OctetClock line;
  SystemClock clock;
  probe::TraceSink* trace = nullptr;
  probe::Digest* digest = nullptr;

  Interrupts* irq = nullptr;
  Link* link = nullptr;
  GateControl* gates = nullptr;
  Statistics* statistics = nullptr;
  RxEngine* rx = nullptr;
  TxMac* tx_mac = nullptr;
};

}  // namespace doorbell::tsnep
