#include "sim/hal/checks/check_state.h"

namespace doorbell::hal::checks {

void CheckState::device_write(DmaAddr addr, base::ByteView data, base::Picos issued,
                              base::Picos visible, const host::CacheView* cache) {
  const auto bytes = static_cast<uint32_t>(data.size);
  dma_.device_write(addr, bytes, issued, visible, cache);
  if (visible == base::kNever) return;  // refused
  if (CoherentBlocks::Block* block = blocks_.find(addr, bytes)) {
    rings_.device_write({addr, data, issued, visible});
    CoherentBlocks::store(*block, addr, data);
  }
}

void CheckState::end(base::Picos at) {
  blocks_.report_leaks(at);
  dma_.report_leaks(at);
}

}  // namespace doorbell::hal::checks
