// How often this executable has called operator new: for tests that a hot path allocates nothing.
#pragma once

#include <cstdint>

namespace doorbell::fabric::test {

uint64_t allocations();

}  // namespace doorbell::fabric::test
