// What the engines of one FEC share: registers, calendar, DMA port, counters, each other.
//
// Private to models/fec. An engine that sees a DMA access fail calls bus_error() and returns at
// once: the call has reset every engine, the caller too.
#pragma once

#include "models/base/calendar.h"
#include "models/fabric/dma_port.h"
#include "models/fec/fec_config.h"
#include "models/fec/fec_counters.h"
#include "models/fec/fec_desc.h"
#include "models/fec/fec_reg_table.h"
#include "models/fec/fec_regs.h"
#include "models/fec/mib.h"
#include "models/net/frame.h"
#include "models/net/wire.h"
#include "models/probe/digest.h"
#include "models/probe/trace.h"
#include "models/reg/reg_file.h"

namespace doorbell::fec {

class Interrupts;
class PtpTimer;
class RxMac;
class RxDma;
class TxMac;
class TxDma;

struct Core {
  Core(base::Calendar& calendar_in, fabric::DmaPort& dma_in, const FecConfig& config_in)
      : calendar(calendar_in),
        dma(dma_in),
        config(config_in),
        line(config_in.link),
        mib(config_in.mib_16_bits),
        doorbell_time(config_in.clock.cycles(config_in.doorbell_cycles)),
        udma_time(config_in.clock.cycles(config_in.udma_cycles)),
        rx_mac_time(config_in.clock.cycles(config_in.rx_mac_cycles)),
        tx_mac_time(config_in.clock.cycles(config_in.tx_mac_cycles)) {}

  base::Picos now() const { return calendar.now(); }
  uint32_t value(uint32_t offset) const { return regs.peek(offset); }
  bool enabled() const { return running; }
  bool enhanced() const { return (value(reg::kEcr) & ecr::kEn1588) != 0; }
  DescFormat format() const { return enhanced() ? DescFormat::kEnhanced : DescFormat::kLegacy; }
  /// Speed the MAC is set to; frames pass only if the link has the same.
  bool speed_matches() const {
    const uint64_t mac = (value(reg::kEcr) & ecr::kSpeed) != 0     ? 1'000'000'000
                         : (value(reg::kRcr) & rcr::kRmii10T) != 0 ? 10'000'000
                                                                   : 100'000'000;
    return mac == config.link.count();
  }
  net::MacAddress own_address() const {
    net::MacAddress mac;
    base::store_be32(mac.octets.data(), value(reg::kPalr));
    base::store_be16(mac.octets.data() + 4, static_cast<uint16_t>(value(reg::kPaur) >> 16));
    return mac;
  }
  /// A DMA access failed: EIR.EBERR, ETHEREN to 0, all engines reset.
  void bus_error();
  /// ETHEREN went from 1 to 0.
  void stop_engines();

  base::Calendar& calendar;
  fabric::DmaPort& dma;
  const FecConfig& config;
  reg::RegFile regs{reg::RegTable(kFecRegs)};
  probe::CounterSet counters{"fec"};
  Counters count{counters};
  net::OctetClock line;
  Mib mib;
  bool running = false;  // ECR.ETHEREN
  probe::TraceSink* trace = nullptr;
  probe::Digest* digest = nullptr;

  const base::Picos doorbell_time;
  const base::Picos udma_time;
  const base::Picos rx_mac_time;
  const base::Picos tx_mac_time;

  Interrupts* irq = nullptr;
  PtpTimer* ptp = nullptr;
  RxMac* rx_mac = nullptr;
  RxDma* rx_dma = nullptr;
  TxMac* tx_mac = nullptr;
  TxDma* tx_dma = nullptr;
};

}  // namespace doorbell::fec
