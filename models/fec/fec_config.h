// Configuration of one FEC: the values a model is built with.
//
// fec_config() reads the scenario's [nic] keys (fec_params.h); clocks and the link rate come from
// the platform and the scenario's `link` and are filled in by whoever assembles the machine. Cycles
// are cycles of `clock` unless they say otherwise. Defaults marked "assumption" in fec_params.h are
// not published for the i.MX8MP.
#pragma once

#include <cstdint>

#include "models/base/params.h"
#include "models/base/units.h"

namespace doorbell::fec {

/// What the transmit engine does when it meets R = 0 before it has seen L.
enum class PartialFramePolicy : uint8_t {
  kWait,  // keeps the partial frame in the FIFO and stalls until the ring's TDAR is written
  kDrop,  // closes the consumed descriptors and forgets their data (what QEMU does)
};

struct FecConfig {
  base::Hertz clock{266666666};          // "enet_axi": uDMA, registers and coalescing
  base::Hertz ptp_clock{100000000};      // "enet_timer"
  base::BitsPerSecond link{1000000000};  // what the PHY negotiated

  uint32_t rx_fifo_bytes = 8192;
  uint32_t tx_fifo_bytes = 8192;
  unsigned bd_prefetch = 2;
  unsigned rx_mac_cycles = 8;    // last octet on the line to frame visible to the uDMA
  unsigned tx_mac_cycles = 8;    // frame in the FIFO to first preamble octet on an idle line
  unsigned doorbell_cycles = 4;  // RDAR or TDAR write to the descriptor fetch
  unsigned udma_cycles = 4;      // between two steps of the uDMA: decision, address, write-back
  unsigned rx_start_words = 8;   // free words above RAFL that a frame needs to begin

  bool erratum_007885 = false;
  unsigned erratum_007885_cycles = 4;
  bool erratum_006358 = false;
  PartialFramePolicy partial_frame = PartialFramePolicy::kWait;
  bool event_before_coalescing = true;
  bool irq_per_class = false;
  bool class_1_first = false;
  bool shaper_counts_preamble = true;
  bool ftrl_counts_shift = false;  // SHIFT16's two octets count against FTRL
  bool mib_16_bits = true;

  unsigned phy_address = 1;
  uint32_t phy_id = 0x001CC915;  // OUI and model a driver reads in registers 2 and 3
  base::Picos autoneg_time = base::Picos(1'500'000'000'000);
  bool partner_pause = true;  // the link partner advertises symmetric pause
};

/// Values of the [nic] keys. `nic` was made from kFecNicParams.
FecConfig fec_config(const base::ParamSet& nic);

}  // namespace doorbell::fec
