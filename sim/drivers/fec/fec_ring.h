// The driver's rings: where their descriptors are, what each slot holds, and index arithmetic.
//
// Descriptors live in coherent memory and are reached only through BdRing, one uncached access a
// call. Transmit indices as in Linux 6.12 fec_main.c: `cur` is the next descriptor to fill, `dirty`
// the last one reclaimed, so free = dirty - cur - 1 modulo the size, size - 2 at the start.
// Units: indices count descriptors.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/fec/fec_desc.h"
#include "models/fec/fec_limits.h"
#include "sim/hal/hal.h"
#include "sim/stack/page_pool.h"
#include "sim/stack/sk_buff.h"
#include "sim/stack/xdp.h"

namespace doorbell::drivers::fec {

namespace hw = doorbell::fec;

/// A ring of descriptors in coherent memory.
struct BdRing {
  hal::DmaAddr base = 0;
  uint32_t size = 0;
  uint32_t stride = hw::kEnhancedStride;
  uint32_t cur = 0;

  hal::DmaAddr at(uint32_t index) const { return base + uint64_t{index} * stride; }
  uint32_t next(uint32_t index) const { return index + 1 == size ? 0 : index + 1; }
  bool is_last(uint32_t index) const { return index + 1 == size; }
};

struct RxRing {
  BdRing bd;
  std::vector<stack::Page*> pages;  // what each descriptor's buffer is
  std::unique_ptr<stack::PagePool> pool;
  stack::RxQueueInfo xdp_rxq;
};

/// What a transmit descriptor's buffer is, and so what becomes of it.
enum class TxBuffer : uint8_t {
  kSkb,     ///< sk_buff; the slot of a packet's last descriptor holds it, the others nothing
  kXdpNdo,  ///< frame of another device's receive ring, mapped here
  kXdpTx,   ///< own page, mapped by its pool
};

struct TxSlot {
  TxBuffer type = TxBuffer::kSkb;
  bool ends_frame = false;           // L is set: one frame on the wire
  stack::SkBuff* skb = nullptr;      // kSkb
  stack::XdpFrame* frame = nullptr;  // kXdpNdo; kXdpTx with xdp_frame conversion
  stack::Page* page = nullptr;       // kXdpTx

  bool holds_anything() const { return skb != nullptr || page != nullptr || frame != nullptr; }
};

struct TxRing {
  BdRing bd;
  uint32_t dirty = 0;
  std::vector<TxSlot> slots;
  hal::DmaAddr tso_headers = 0;  // kTsoHeaderBytes per descriptor
  bool doorbell_due = false;     // batched mode: filled, TDAR not written yet

  uint32_t free_descriptors() const {
    const uint32_t gap = dirty >= bd.cur ? dirty - bd.cur : dirty + bd.size - bd.cur;
    return gap == 0 ? bd.size - 1 : gap - 1;
  }
  bool is_tso_header(uint32_t addr) const {
    return addr >= tso_headers && addr < tso_headers + uint64_t{bd.size} * hw::kTsoHeaderBytes;
  }
};

}  // namespace doorbell::drivers::fec
