// How many timed events the bare SystemC kernel handles in a second of wall time on this machine.
//
// One SC_METHOD that re-arms itself with next_trigger, one event pending: the kernel's best case,
// and the yardstick that `doorbell bench` prints beside its own speed. Elaborates, so once per
// process.
#pragma once

#include <cstdint>

namespace doorbell::study {

/// Runs `events` timed events and returns events per wall second.
double kernel_events_per_second(uint64_t events);

}  // namespace doorbell::study
