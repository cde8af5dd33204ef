// Configuration of one tsnep: the values a model is built with.
//
// tsnep_config() reads the scenario's [nic] keys (tsnep_params.h); the link rate comes from the
// scenario's `link` and is filled in by whoever assembles the machine. AXI width, bursts and
// outstanding transactions belong to the link (fabric::AxiConfig). All defaults are assumptions.
#pragma once

#include <cstdint>

#include "models/base/params.h"
#include "models/base/units.h"

namespace doorbell::tsnep {

enum class TxPriority : uint8_t { kHighestFirst, kLowestFirst, kRoundRobin };
enum class StatisticsMode : uint8_t { kWrap, kSaturate, kClearOnRead };

struct TsnepConfig {
  base::BitsPerSecond link{1'000'000'000};  // 100 Mb/s or 1 Gb/s
  unsigned queues = 2;                      // 1..8
  bool gate_control = true;

  uint32_t tx_fifo_bytes = 8192;  // each queue
  uint32_t rx_fifo_bytes = 8192;
  unsigned tx_prefetch = 2;
  unsigned rx_prefetch = 2;
  bool tx_cut_through = false;
  uint32_t tx_start_bytes = 64;
  bool rx_cut_through = false;
  uint32_t writeback_bytes = 32;  // 4 or 32
  bool writeback_at_start = false;
  TxPriority tx_priority = TxPriority::kHighestFirst;
  bool gate_guards_frame = true;
  bool rx_looks_with_frames = false;
  bool keep_disabled_interrupts = false;
  StatisticsMode statistics = StatisticsMode::kWrap;

  base::Picos tx_mac_time{64'000};
  base::Picos rx_mac_time{64'000};
  base::Picos doorbell_time{32'000};
  base::Picos step_time{16'000};

  base::Hertz mdc{2'500'000};
  unsigned phy_address = 1;
  uint32_t phy_id = 0x001CC915;  // OUI and model a driver reads in registers 2 and 3
  base::Picos autoneg_time{1'500'000'000'000};
};

/// Values of the [nic] keys. `nic` was made from kTsnepNicParams.
TsnepConfig tsnep_config(const base::ParamSet& nic);

}  // namespace doorbell::tsnep
