// From a platform file to the configuration of the simulated machine and its buses.
#pragma once

#include "models/fabric/axi.h"
#include "sim/hal/simulated/machine.h"
#include "sim/run/platform.h"

namespace doorbell::run {

/// `cores`: how many of the platform's cores the run uses.
hal::MachineConfig machine_config(const Platform& platform, unsigned cores);
/// Clock and latencies of a device's link to memory; width, burst and outstanding are the device's.
fabric::AxiConfig axi_config(const Platform& platform);

}  // namespace doorbell::run
