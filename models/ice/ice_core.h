// What the engines of one E810 share: registers, calendar, port to the host, counters, each other.
//
// Private to models/ice. One event, owned by Pump, drives receive, transmit and all reads; each
// interrupt vector in use has one of its own.
#pragma once

#include "models/base/calendar.h"
#include "models/fabric/msix.h"
#include "models/fabric/pcie_port.h"
#include "models/ice/ice_config.h"
#include "models/ice/ice_counters.h"
#include "models/ice/ice_limits.h"
#include "models/ice/ice_reg_table.h"
#include "models/net/frame.h"
#include "models/net/wire.h"
#include "models/probe/digest.h"
#include "models/probe/trace.h"
#include "models/reg/reg_file.h"

namespace doorbell::ice {

class Admin;
class Interrupts;
class Mdd;
class Pump;
class Reads;
class RxEngine;
class Stats;
class TxEngine;

/// The VSI that the model's PF has.
inline constexpr unsigned kPfVsi = 0;

struct Core {
  Core(base::Calendar& calendar_in, fabric::PciePort& pcie_in, const IceConfig& config_in)
      : calendar(calendar_in),
        pcie(pcie_in),
        config(config_in),
        msix(pcie_in, kMsixVectors),
        line(config_in.link) {}

  base::Picos now() const { return calendar.now(); }
  bool link_up(base::Picos at) const { return at >= link_up_at; }

  base::Calendar& calendar;
  fabric::PciePort& pcie;
  const IceConfig& config;
  fabric::MsixTable msix;
  reg::RegFile regs{reg::RegTable(kIceRegs)};
  probe::CounterSet counters{"ice"};
  Counters count{counters};
  net::OctetClock line;
  net::MacAddress mac;
  uint64_t mac_u48 = 0;
  base::Picos link_up_at;
  bool vlan_strip = false;
  probe::TraceSink* trace = nullptr;
  probe::Digest* digest = nullptr;

  Pump* pump = nullptr;
  Reads* reads = nullptr;
  Interrupts* irq = nullptr;
  Mdd* mdd = nullptr;
  Stats* stats = nullptr;
  TxEngine* tx = nullptr;
  RxEngine* rx = nullptr;
  Admin* admin = nullptr;
};

}  // namespace doorbell::ice
