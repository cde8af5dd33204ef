// The driver's rings: 256 linked blocks in 16 coherent pages, what each slot holds, arithmetic.
//
// As in Linux 6.12 tsnep_main.c (behaviour): `write` is the slot to fill next, `read` the oldest in
// use, one slot stays free; a slot becomes the device's with its properties word, which carries the
// owner counter and goes out last. `properties` of a slot is the shadow that the write-back must
// echo. Transmit slots also toggle a user flag each time they begin a frame: only first fragments
// are acknowledged, and an old acknowledgement must not count for a new frame. Units: indices count
// slots.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/desc/ownership.h"
#include "models/tsnep/tsnep_desc.h"
#include "models/tsnep/tsnep_limits.h"
#include "sim/hal/hal.h"
#include "sim/stack/page_pool.h"
#include "sim/stack/sk_buff.h"
#include "sim/stack/xdp.h"
#include "sim/stack/xsk/pool.h"

namespace doorbell::drivers::tsnep {

namespace hw = doorbell::tsnep;

/// What a transmit slot holds, as bits: how to unmap, and whose the buffer is.
namespace tx_type {
inline constexpr uint32_t kMap = 1u << 0;
inline constexpr uint32_t kMapPage = 1u << 1;
inline constexpr uint32_t kInline = 1u << 2;
inline constexpr uint32_t kSkb = 1u << 8;  ///< first fragment
inline constexpr uint32_t kSkbFrag = 1u << 9;
inline constexpr uint32_t kXdpTx = 1u << 10;   ///< own page sent back
inline constexpr uint32_t kXdpNdo = 1u << 11;  ///< frame of somebody else, mapped here
inline constexpr uint32_t kXsk = 1u << 12;     ///< UMEM chunk
inline constexpr uint32_t kTstamp = 1u << 13;  ///< wants the device's time stamp
}  // namespace tx_type

/// The blocks of a ring.
class RingBlocks {
 public:
  /// False: no memory, and nothing is held.
  bool alloc(hal::Hal& hal);
  void free(hal::Hal& hal);
  bool allocated() const { return pages_[0] != 0; }

  hal::DmaAddr block(uint32_t i) const {
    return pages_[i / hw::kBlocksPerPage] + i % hw::kBlocksPerPage * hw::kBlockBytes;
  }
  hal::DmaAddr writeback(uint32_t i) const { return block(i) + hw::kOffWbProperties; }
  hal::DmaAddr properties(uint32_t i) const { return block(i) + hw::kOffDesc + hw::kOffProperties; }
  hal::DmaAddr more_properties(uint32_t i) const {
    return block(i) + hw::kOffDesc + hw::kOffMoreProperties;
  }
  hal::DmaAddr buffer(uint32_t i) const { return block(i) + hw::kOffDesc + hw::kOffBuffer; }

 private:
  std::array<hal::DmaAddr, hw::kRingPages> pages_{};
};

constexpr uint32_t ring_next(uint32_t i, uint32_t steps = 1) {
  return (i + steps) & hw::kRingMask;
}
constexpr uint32_t ring_used(uint32_t read, uint32_t write) {
  return (write - read) & hw::kRingMask;
}

struct TxSlot {
  uint32_t properties = 0;
  uint32_t type = 0;
  bool user_flag = false;
  uint8_t fragments = 0;  ///< of the frame that begins here; 0: none does
  uint32_t length = 0;    ///< of this fragment
  uint32_t frame_length = 0;
  hal::DmaAddr dma = 0;
  union {
    stack::SkBuff* skb = nullptr;
    stack::XdpFrame* frame;
  };
};

struct TxRing {
  RingBlocks blocks;
  unsigned queue = 0;
  uint32_t write = 0;
  uint32_t read = 0;
  desc::OwnerCounter owner{hw::kRingSize};
  std::array<TxSlot, hw::kRingSize> slots;
  stack::xsk::Pool* pool = nullptr;
  bool draining = false;  ///< nothing new may be queued
  bool locked = false;
  hal::DmaAddr lock_word = 0;

  uint64_t packets = 0;
  uint64_t bytes = 0;

  uint32_t used() const { return ring_used(read, write); }
  uint32_t available() const { return hw::kMaxOutstanding - used(); }
};

struct RxSlot {
  uint32_t properties = 0;
  hal::DmaAddr dma = 0;  ///< where the device writes
  stack::Page* page = nullptr;
  stack::XdpBuff* xsk = nullptr;
};

struct RxRing {
  RingBlocks blocks;
  unsigned queue = 0;
  uint32_t write = 0;
  uint32_t read = 0;
  desc::OwnerCounter owner{hw::kRingSize};
  std::array<RxSlot, hw::kRingSize> slots;
  std::unique_ptr<stack::PagePool> pages;
  stack::xsk::Pool* pool = nullptr;
  std::vector<stack::Page*> spare;  ///< pages kept while the ring has zero-copy buffers
  std::array<stack::XdpBuff*, hw::kRingSize> batch{};
  stack::RxQueueInfo info;

  uint64_t packets = 0;
  uint64_t bytes = 0;

  uint32_t used() const { return ring_used(read, write); }
  uint32_t available() const { return hw::kMaxOutstanding - used(); }
};

}  // namespace doorbell::drivers::tsnep
