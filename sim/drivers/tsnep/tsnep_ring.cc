#include "sim/drivers/tsnep/tsnep_ring.h"

namespace doorbell::drivers::tsnep {

// Each page is an allocation of its own, so blocks are found by their links only.
bool RingBlocks::alloc(hal::Hal& hal) {
  for (hal::DmaAddr& page : pages_) {
    page = hal.dma.alloc_coherent(hw::kPageBytes, hw::kPageBytes);
    if (page == 0) {
      free(hal);
      return false;
    }
  }
  for (uint32_t i = 0; i < hw::kRingSize; ++i) {
    hal.coherent.write64(block(i) + hw::kOffDesc + hw::kOffNext, block(ring_next(i)));
  }
  return true;
}

void RingBlocks::free(hal::Hal& hal) {
  for (hal::DmaAddr& page : pages_) {
    if (page != 0) hal.dma.free_coherent(page);
    page = 0;
  }
}

}  // namespace doorbell::drivers::tsnep
