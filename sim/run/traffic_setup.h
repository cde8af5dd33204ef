// From a scenario's [traffic] to the source at the other end of the cable.
#pragma once

#include <memory>

#include "models/base/result.h"
#include "models/net/source.h"
#include "models/net/station.h"
#include "sim/run/platform.h"
#include "sim/run/scenario.h"

namespace doorbell::run {

/// Frames start at `start` and none starts at or after `end`. Null for kind "none".
/// Errors: what only the source can see, such as a capture that cannot be read.
base::Result<std::unique_ptr<net::Source>> make_source(const Scenario& scenario, base::Picos start,
                                                       base::Picos end);
/// The link partner's other properties.
net::StationSpec station_spec(const Scenario& scenario, const Platform& platform, base::Picos start,
                              base::Picos end);

}  // namespace doorbell::run
