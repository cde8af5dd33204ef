// Conversions between the project's picoseconds and SystemC time.
//
// The kernel's resolution stays at its default of 1 ps, so both are the same integer.
#pragma once

#include <systemc>

#include "models/base/units.h"

namespace doorbell::fabric {

inline sc_core::sc_time to_sc(base::Picos t) {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(t.count()));
}
inline base::Picos from_sc(const sc_core::sc_time& t) {
  return base::Picos(static_cast<int64_t>(t.value()));
}
/// Simulated kernel time.
inline base::Picos kernel_now() {
  return from_sc(sc_core::sc_time_stamp());
}

}  // namespace doorbell::fabric
