#include "sim/hal/checks/coherent_blocks.h"

#include <algorithm>
#include <cinttypes>

namespace doorbell::hal::checks {

using base::Picos;

namespace {
bool before(DmaAddr addr, const CoherentBlocks::Block& block) {
  return addr < block.addr;
}
}  // namespace

void CoherentBlocks::allocated(DmaAddr addr, uint32_t bytes, Picos at) {
  Block block{addr, bytes, at, std::vector<uint8_t>(bytes, 0)};
  blocks_.insert(std::upper_bound(blocks_.begin(), blocks_.end(), addr, before), std::move(block));
}

void CoherentBlocks::freed(DmaAddr addr, Picos at) {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), addr, before);
  if (after == blocks_.begin() || (after - 1)->addr != addr) {
    log_.report(Rule::kCoherentOutsideBlock, at, [&] {
      return text("free of 0x%" PRIx64 ", where no allocated coherent block starts", addr);
    });
    return;
  }
  blocks_.erase(after - 1);
}

CoherentBlocks::Block* CoherentBlocks::find(DmaAddr addr, uint32_t bytes) {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), addr, before);
  if (after == blocks_.begin()) return nullptr;
  Block& block = *(after - 1);
  return addr - block.addr + bytes <= block.bytes ? &block : nullptr;
}

CoherentBlocks::Block* CoherentBlocks::cpu_access(DmaAddr addr, uint32_t bytes, const char* what,
                                                  Picos at) {
  Block* block = find(addr, bytes);
  if (block == nullptr) {
    log_.report(Rule::kCoherentOutsideBlock, at, [&] {
      return text("CPU %s %u bytes at 0x%" PRIx64 ", outside every coherent block", what, bytes,
                  addr);
    });
  }
  return block;
}

void CoherentBlocks::store(Block& block, DmaAddr addr, base::ByteView bytes) {
  std::copy(bytes.begin(), bytes.end(),
            block.copy.begin() + static_cast<ptrdiff_t>(addr - block.addr));
}

const uint8_t* CoherentBlocks::bytes(DmaAddr addr, uint32_t bytes) {
  const Block* block = find(addr, bytes);
  return block == nullptr ? nullptr : block->copy.data() + (addr - block->addr);
}

uint64_t CoherentBlocks::word(DmaAddr addr, uint32_t bytes) {
  const uint8_t* p = this->bytes(addr, bytes);
  if (p == nullptr || bytes == 0) return 0;
  return bytes == 2   ? base::load_le<uint16_t>(p)
         : bytes == 4 ? base::load_le<uint32_t>(p)
                      : base::load_le<uint64_t>(p);
}

void CoherentBlocks::report_leaks(Picos at) {
  for (const Block& block : blocks_) {
    log_.report(Rule::kLeakCoherent, at, [&] {
      return text("coherent block 0x%" PRIx64 " of %u bytes, allocated at %" PRId64
                  " ps, was not freed",
                  block.addr, block.bytes, block.since.count());
    });
  }
}

}  // namespace doorbell::hal::checks
