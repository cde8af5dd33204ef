// The driver's rings: where their descriptors are, what each slot holds, and index arithmetic.
//
// Descriptors live in coherent memory and are reached by 64-bit accesses only. As in Linux 6.12
// ice_txrx.h: `ntu` (next to use) is the slot to fill next, `ntc` (next to clean) the oldest one in
// use, one slot always stays empty; everything from ntc to ntu is the device's or not yet cleaned.
// XDP rings add next_rs and next_dd (kernel commit 9610bd988df9) or a report index per batch (Linux
// 6.12). Units: indices count descriptors.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/ice/ice_desc.h"
#include "models/ice/ice_limits.h"
#include "sim/hal/hal.h"
#include "sim/stack/page_pool.h"
#include "sim/stack/sk_buff.h"
#include "sim/stack/xdp.h"

namespace doorbell::drivers::ice {

namespace hw = doorbell::ice;

inline constexpr uint32_t kNoSlot = UINT32_MAX;

/// What a transmit slot's buffer is, and so what becomes of it.
enum class TxKind : uint8_t {
  kEmpty,
  kSkb,      ///< first slot of an sk_buff
  kFrag,     ///< a mapping of the sk_buff before it
  kXdpTx,    ///< own page
  kXdpXmit,  ///< frame of some receive ring, mapped here
};

struct TxBuf {
  TxKind kind = TxKind::kEmpty;
  uint16_t frames = 0;       // on the wire
  uint32_t bytes = 0;        // on the wire
  uint32_t watch = kNoSlot;  // slot whose report says that the packet is done
  uint32_t rs_idx = 0;       // first slot of a batch: slot with RS (Linux 6.12)
  hal::DmaAddr dma = 0;
  uint32_t len = 0;  // mapped bytes; 0: nothing mapped
  union {
    stack::SkBuff* skb = nullptr;
    stack::Page* page;
    stack::XdpFrame* frame;
  };

  /// Slot of the packet's last descriptor.
  uint32_t last(uint32_t self) const { return kind == TxKind::kSkb ? watch : self; }
};

struct TxRing {
  hal::DmaAddr base = 0;
  uint32_t count = 0;
  uint32_t ntu = 0;
  uint32_t ntc = 0;
  uint32_t tail = 0;   // last value written to the doorbell
  unsigned queue = 0;  // of the device
  unsigned index = 0;  // among sk_buff rings, or among XDP rings
  unsigned vector = 0;
  bool xdp = false;
  uint32_t teid = 0;
  std::vector<TxBuf> bufs;

  // XDP rings.
  uint32_t next_rs = 0;
  uint32_t next_dd = 0;
  uint32_t active = 0;            // frames not yet cleaned (Linux 6.12 xdp_tx_active)
  uint32_t open_first = kNoSlot;  // fix_hazards: first frame of the batch without a report
  bool locked = false;            // shared rings
  hal::DmaAddr lock_word = 0;

  uint64_t packets = 0;  // reclaimed
  uint64_t bytes = 0;
  uint64_t busy = 0;     // tx_busy: frames refused by a full ring
  int64_t watched = -1;  // packets at the service task's last look; -1: nothing was pending

  hal::DmaAddr address_at(uint32_t i) const { return base + uint64_t{i} * hw::kTxDescBytes; }
  hal::DmaAddr qw1_at(uint32_t i) const { return address_at(i) + hw::kTxOffQw1; }
  uint32_t next(uint32_t i) const { return i + 1 == count ? 0 : i + 1; }
  uint32_t prev(uint32_t i) const { return i == 0 ? count - 1 : i - 1; }
  uint32_t unused() const { return (ntc > ntu ? 0 : count) + ntc - ntu - 1; }
  uint32_t used() const { return count - 1 - unused(); }
};

/// One buffer of a received frame.
struct RxPart {
  stack::Page* page = nullptr;
  uint8_t* data = nullptr;
  uint32_t bytes = 0;
};

/// The first buffer and as many fragments as an sk_buff holds.
inline constexpr unsigned kMaxRxParts = 1 + stack::kMaxSkbFrags;

struct RxRing {
  hal::DmaAddr base = 0;
  uint32_t count = 0;
  uint32_t ntu = 0;
  uint32_t ntc = 0;
  unsigned queue = 0;  // of the device
  unsigned index = 0;
  std::vector<stack::Page*> pages;  // what each descriptor's buffer is
  std::unique_ptr<stack::PagePool> pool;
  stack::RxQueueInfo info;
  TxRing* xdp_ring = nullptr;

  // A frame whose end has not come yet.
  std::array<RxPart, kMaxRxParts> parts;
  unsigned part_count = 0;
  bool broken = false;  // ... and which is thrown away

  uint64_t packets = 0;
  uint64_t bytes = 0;

  hal::DmaAddr at(uint32_t i) const { return base + uint64_t{i} * hw::kRxDescBytes; }
  uint32_t next(uint32_t i) const { return i + 1 == count ? 0 : i + 1; }
  uint32_t after(uint32_t i, uint32_t steps) const {
    return i + steps < count ? i + steps : i + steps - count;
  }
  uint32_t unused() const { return (ntc > ntu ? 0 : count) + ntc - ntu - 1; }
};

}  // namespace doorbell::drivers::ice
