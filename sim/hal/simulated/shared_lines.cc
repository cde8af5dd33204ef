#include "sim/hal/simulated/shared_lines.h"

namespace doorbell::hal {

bool SharedLines::touch(uint32_t page, uint32_t line, unsigned core, bool write, bool missed) {
  uint64_t& holders = (*pages_[page])[line];
  const uint64_t me = uint64_t{1} << (core % kMaxCores);
  if (missed || holders == 0) {
    holders = me;
    return false;
  }
  if (write) {
    const bool others = (holders & ~me) != 0;
    holders = me;
    return others;
  }
  const bool mine = (holders & me) != 0;
  holders |= me;
  return !mine;
}

}  // namespace doorbell::hal
