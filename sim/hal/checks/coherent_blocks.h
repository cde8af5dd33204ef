// Coherent blocks that are allocated, each with a copy of what CPU and device stored in it.
//
// The copy lets the ring checks look at a descriptor without an access of their own. A device's
// posted write is in the copy at once; who may see it when is the ring checks' business.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/bytes.h"
#include "models/base/units.h"
#include "sim/hal/checks/finding.h"
#include "sim/hal/hal.h"

namespace doorbell::hal::checks {

class CoherentBlocks {
 public:
  struct Block {
    DmaAddr addr = 0;
    uint32_t bytes = 0;
    base::Picos since;
    std::vector<uint8_t> copy;
  };

  explicit CoherentBlocks(FindingLog& log) : log_(log) {}

  void allocated(DmaAddr addr, uint32_t bytes, base::Picos at);
  void freed(DmaAddr addr, base::Picos at);
  /// The block that holds all of [addr, addr+bytes), or nullptr.
  Block* find(DmaAddr addr, uint32_t bytes);
  /// A CPU's access: reports one outside every block. Returns the block.
  Block* cpu_access(DmaAddr addr, uint32_t bytes, const char* what, base::Picos at);
  static void store(Block& block, DmaAddr addr, base::ByteView bytes);
  /// Little-endian word of 2, 4 or 8 bytes; 0 outside every block.
  uint64_t word(DmaAddr addr, uint32_t bytes);
  /// The copy's bytes there, or nullptr if they are not all in one block.
  const uint8_t* bytes(DmaAddr addr, uint32_t bytes);
  void report_leaks(base::Picos at);

 private:
  FindingLog& log_;
  std::vector<Block> blocks_;  // by address
};

}  // namespace doorbell::hal::checks
