#include "sim/stack/xsk/umem.h"

#include <cerrno>

#include "sim/stack/page_pool.h"
#include "sim/stack/xdp.h"

namespace doorbell::stack::xsk {

int check_umem(const UmemConfig& config) {
  if (config.chunk_bytes < kMinChunkBytes || config.chunk_bytes > kPageBytes) return -EINVAL;
  if ((config.flags & ~kUmemUnaligned) != 0) return -EINVAL;
  const bool unaligned = (config.flags & kUmemUnaligned) != 0;
  if (!unaligned && (config.chunk_bytes & (config.chunk_bytes - 1)) != 0) return -EINVAL;
  if (config.bytes < config.chunk_bytes) return -EINVAL;
  if (!unaligned && config.bytes % config.chunk_bytes != 0) return -EINVAL;
  if (config.headroom >= config.chunk_bytes - kXdpPacketHeadroom) return -EINVAL;
  return 0;
}

Umem::Umem(hal::SharedMemory& memory, const UmemConfig& config)
    : memory_(memory), config_(config), data_(memory.alloc_shared(config.bytes)) {}

Umem::~Umem() {
  if (data_ != nullptr) memory_.free_shared(data_, config_.bytes);
}

bool Umem::crosses_gap(uint64_t addr, uint64_t bytes) const {
  return !config_.contiguous && addr % kPageBytes + bytes > kPageBytes;
}

bool Umem::valid_desc(const Desc& desc) const {
  if (desc.len == 0 || desc.options != 0 || desc.len > config_.chunk_bytes) return false;
  if (unaligned()) {
    const uint64_t base = desc.addr & kAddressMask;
    const uint64_t addr = flat(desc.addr);
    return base < config_.bytes && addr < config_.bytes && addr + desc.len <= config_.bytes &&
           !crosses_gap(addr, desc.len);
  }
  const uint64_t offset = desc.addr & (config_.chunk_bytes - 1);
  return offset + desc.len <= config_.chunk_bytes && desc.addr < config_.bytes;
}

bool Umem::valid_fill(uint64_t& addr) const {
  if (unaligned()) {
    addr &= kAddressMask;
    return addr < config_.bytes && addr + config_.chunk_bytes <= config_.bytes &&
           !crosses_gap(addr, config_.chunk_bytes);
  }
  addr &= ~uint64_t{config_.chunk_bytes - 1};
  return addr < config_.bytes;
}

}  // namespace doorbell::stack::xsk
