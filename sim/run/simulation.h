// Assembles a scenario's devices, drivers, cores and wire on a platform, and runs it.
//
// One elaboration per process: SystemC allows no second one. Blocks until the run ends.
// Errors: whatever of the input only shows when the parts are put together (an engine a device
// lacks, a capture that cannot be read).
#pragma once

#include <string>

#include "models/base/result.h"
#include "sim/report/result.h"
#include "sim/run/platform.h"
#include "sim/run/scenario.h"

namespace doorbell::run {

struct RunOptions {
  std::string out_dir;  // where packets.pcap, trace.json go; empty: no files
  bool check = false;   // DMA sanitizer and ring checks
  std::string engine;   // overrides every nic's engine; empty: as the scenario says
  bool pcap = false;
  bool trace = false;
};

base::Result<report::RunResult> simulate(const Scenario& scenario, const Platform& platform,
                                         const RunOptions& options);

}  // namespace doorbell::run
