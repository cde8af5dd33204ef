// Configuration of one E810: the values a model is built with.
//
// ice_config() reads the scenario's [nic] keys (ice_params.h); the link rate comes from the
// scenario and is filled in by whoever assembles the machine. Defaults marked "assumption" in
// ice_params.h are not published by Intel.
#pragma once

#include <cstdint>

#include "models/base/params.h"
#include "models/base/units.h"
#include "models/net/frame.h"

namespace doorbell::ice {

/// How a transmit descriptor with RS is reported (ice_params.h, tx_writeback).
enum class TxWriteback : uint8_t { kImmediate, kLineMerge, kLineFull, kEngine };
/// Who gets the upward link when several ask.
enum class UpArbiter : uint8_t { kRoundRobin, kRxFirst, kAge };

struct IceConfig {
  base::BitsPerSecond link{100'000'000'000};
  net::MacAddress mac{{0x02, 0x00, 0x5E, 0x10, 0x00, 0x01}};

  TxWriteback tx_writeback = TxWriteback::kLineMerge;
  base::Picos tx_writeback_service{24'000};  // kEngine
  bool tx_report_sent = false;  // report when the frame has left, not when it has been fetched
  unsigned tx_fetch_threshold = 4;
  unsigned tx_fetch_max = 16;
  bool tx_fetch_align = true;
  unsigned tx_cache = 64;
  uint32_t quantum = 2048;
  unsigned tx_reads = 256;
  uint32_t tx_buffer = 128 << 10;
  bool mdd_own_mac = true;

  unsigned rx_fetch = 8;
  unsigned rx_cache = 32;
  uint32_t rx_buffer = 144 << 10;
  bool rx_drop = false;  // without a descriptor
  bool rx_merge = true;

  bool itr_from_event = false;
  bool clearpba_forgets = false;
  UpArbiter up_arbiter = UpArbiter::kRoundRobin;

  base::Picos doorbell_time{20'000};
  base::Picos tx_schedule_time;
  base::Picos tx_pipeline_time{200'000};
  base::Picos rx_pipeline_time{200'000};
  base::Picos rx_packet_time;
  base::Picos firmware_time{10'000'000};
  base::Picos queue_enable_time{5'000'000};
  base::Picos link_up_time;

  /// Simulation only: how late the model may work through what is due, while it is busy. Issue
  /// times stay exact; must be less than the time a write needs to reach memory.
  base::Picos batch{32'000};
  /// How far ahead of its own time the device fills the upward link.
  base::Picos up_window{64'000};
};

/// Values of the [nic] keys. `nic` was made from kIceNicParams.
IceConfig ice_config(const base::ParamSet& nic);

}  // namespace doorbell::ice
