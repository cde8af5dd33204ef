// Sections [cpu] and [interrupt] of a platform file.
#pragma once

#include "models/base/params.h"

namespace doorbell::host {

inline constexpr base::ParamSpec kCpuParams[] = {
    {"cores", base::ParamKind::kInteger, base::kRequired, "1..64", "cores", "cores of the machine",
     "platform file"},
    {"frequency",
     base::ParamKind::kFrequency,
     base::kRequired,
     {},
     {},
     "core clock; constants given in cycles use it",
     "platform file"},
    {"coherent_dma",
     base::ParamKind::kBoolean,
     base::kRequired,
     {},
     {},
     "true: devices snoop the caches; false: software cleans and invalidates lines",
     "platform file"},
    {"tick",
     base::ParamKind::kTime,
     "4 ms",
     "100 us..100 ms",
     {},
     "scheduler's tick on a core that runs an application; what it raised waits for it",
     "Linux arm64 defconfig: CONFIG_HZ=250"},
};

inline constexpr base::ParamSpec kInterruptParams[] = {
    {"latency",
     base::ParamKind::kTime,
     base::kRequired,
     {},
     {},
     "line raised by the device to exception at the core",
     "platform file"},
};

}  // namespace doorbell::host
