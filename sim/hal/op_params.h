// Section [cost] of a platform file: one constant per operation of sim/hal/op.h.
#pragma once

#include "models/base/params.h"
#include "sim/hal/op.h"

namespace doorbell::hal {

inline constexpr base::ParamSpec kCostParams[] = {
#define DOORBELL_COST_ROW(id, name, label, help) \
  {name, base::ParamKind::kCycles, base::kRequired, {}, {}, help, "platform file"},
    DOORBELL_OPS(DOORBELL_COST_ROW)
#undef DOORBELL_COST_ROW
};

}  // namespace doorbell::hal
