// AF_XDP: numbers of the interface between applications and the kernel.
//
// Offsets are those that getsockopt(XDP_MMAP_OFFSETS) answers on machines with 64-byte lines: each
// index on a line of its own with an empty one between, so that a prefetch of the neighbour does
// not pull it. Source: Linux 6.12 include/uapi/linux/if_xdp.h, net/xdp/xsk_queue.h (facts).
#pragma once

#include <cstdint>

namespace doorbell::stack::xsk {

/// Entry of an Rx or Tx ring. Fill and completion rings hold 64-bit addresses.
struct Desc {
  uint64_t addr = 0;  ///< offset in the UMEM; unaligned mode: bits 63:48 are an offset to add
  uint32_t len = 0;
  uint32_t options = 0;  ///< no option is supported: anything but 0 makes it invalid
};
inline constexpr uint32_t kDescBytes = 16;
inline constexpr uint32_t kAddrBytes = 8;

// Within a mapped ring.
inline constexpr uint32_t kProducerOffset = 0;
inline constexpr uint32_t kConsumerOffset = 128;
inline constexpr uint32_t kFlagsOffset = 196;
inline constexpr uint32_t kEntriesOffset = 320;

/// Flag of fill and Tx rings: the kernel wants a system call to go on.
inline constexpr uint32_t kRingNeedWakeup = 1u << 0;

// sxdp_flags of bind().
inline constexpr uint32_t kBindSharedUmem = 1u << 0;
inline constexpr uint32_t kBindCopy = 1u << 1;
inline constexpr uint32_t kBindZeroCopy = 1u << 2;
inline constexpr uint32_t kBindNeedWakeup = 1u << 3;

/// flags of an UMEM.
inline constexpr uint32_t kUmemUnaligned = 1u << 0;

// What ndo_xsk_wakeup is asked to wake.
inline constexpr uint32_t kWakeupRx = 1u << 0;
inline constexpr uint32_t kWakeupTx = 1u << 1;

// poll() events.
inline constexpr uint32_t kPollIn = 0x1;
inline constexpr uint32_t kPollOut = 0x4;

inline constexpr uint32_t kMinChunkBytes = 2048;
inline constexpr unsigned kOffsetShift = 48;
inline constexpr uint64_t kAddressMask = (uint64_t{1} << kOffsetShift) - 1;

/// struct xdp_statistics, as getsockopt(XDP_STATISTICS) answers.
struct Statistics {
  uint64_t rx_dropped = 0;        ///< no buffer for a copy, or longer than a buffer
  uint64_t rx_invalid_descs = 0;  ///< of the fill ring
  uint64_t tx_invalid_descs = 0;
  uint64_t rx_ring_full = 0;
  uint64_t rx_fill_ring_empty_descs = 0;
  uint64_t tx_ring_empty_descs = 0;
};

}  // namespace doorbell::stack::xsk
