// UMEM: the application's packet memory, cut into chunks.
//
// Aligned mode: chunks are powers of two and addresses below one belong to it. Unaligned mode: a
// packet starts anywhere and bits 63:48 of an address are an offset that moves with it; where
// memory is not contiguous, a packet must not cross a page. Addresses are offsets from the UMEM's
// start. Source: Linux 6.12 net/xdp/xdp_umem.c, xsk_buff_pool.c, xsk_queue.h (behaviour).
#pragma once

#include <cstdint>

#include "sim/hal/process.h"
#include "sim/stack/xsk/abi.h"

namespace doorbell::stack::xsk {

struct UmemConfig {
  uint32_t bytes = 0;
  uint32_t chunk_bytes = 4096;
  uint32_t headroom = 0;   ///< bytes that the application keeps for itself before each packet
  uint32_t flags = 0;      ///< kUmemUnaligned
  bool contiguous = true;  ///< false: as if on 4 KiB pages that are nowhere neighbours
};

/// 0, or -EINVAL as setsockopt(XDP_UMEM_REG) answers.
int check_umem(const UmemConfig& config);

class Umem {
 public:
  /// `config` has passed check_umem(). valid() is false when memory is exhausted.
  Umem(hal::SharedMemory& memory, const UmemConfig& config);
  ~Umem();
  Umem(const Umem&) = delete;
  Umem& operator=(const Umem&) = delete;

  bool valid() const { return data_ != nullptr; }
  const UmemConfig& config() const { return config_; }
  bool unaligned() const { return (config_.flags & kUmemUnaligned) != 0; }
  uint32_t chunks() const { return config_.bytes / config_.chunk_bytes; }
  uint8_t* data() const { return data_; }
  /// The byte that a descriptor's address means: base plus offset in unaligned mode.
  uint8_t* at(uint64_t addr) const { return data_ + flat(addr); }
  uint64_t flat(uint64_t addr) const {
    return unaligned() ? (addr & kAddressMask) + (addr >> kOffsetShift) : addr;
  }
  /// Number of the chunk that an address belongs to.
  uint32_t chunk_of(uint64_t addr) const {
    const uint64_t base = unaligned() ? addr & kAddressMask : addr;
    return static_cast<uint32_t>(base / config_.chunk_bytes);
  }

  /// A Tx descriptor that the kernel takes.
  bool valid_desc(const Desc& desc) const;
  /// An address of the fill ring that the kernel takes; makes it the chunk's (aligned mode) or the
  /// base (unaligned mode).
  bool valid_fill(uint64_t& addr) const;

  bool zero_copy = false;  ///< bound that way; sockets that share it follow

 private:
  bool crosses_gap(uint64_t addr, uint64_t bytes) const;

  hal::SharedMemory& memory_;
  UmemConfig config_;
  uint8_t* data_;
};

}  // namespace doorbell::stack::xsk
