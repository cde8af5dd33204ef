// Sizes and limits of tsnep that its model, its driver and the scenarios share.
//
// Contract header. Units are in the names or comments. "Driver" numbers are what a Linux 6.12
// driver uses (drivers/net/ethernet/engleder/tsnep_main.c); "hardware" numbers are what that driver
// relies on. Latencies, FIFO depths and bus widths are parameters (tsnep_params.h), not here.
#pragma once

#include <cstdint>

#include "models/tsnep/tsnep_regs.h"

namespace doorbell::tsnep {

// Rings.
inline constexpr unsigned kRingSize =
    256;  ///< driver; the hardware has no limit: blocks are linked
inline constexpr unsigned kRingMask = kRingSize - 1;
inline constexpr uint32_t kBlockBytes = 256;  ///< one descriptor block, also its alignment
inline constexpr uint32_t kPageBytes = 4096;
inline constexpr unsigned kBlocksPerPage = kPageBytes / kBlockBytes;
inline constexpr unsigned kRingPages = kRingSize / kBlocksPerPage;
/// One slot stays free.
inline constexpr unsigned kMaxOutstanding = kRingSize - 1;

// Hardware, bytes.
inline constexpr uint32_t kDescFetchBytes = 64;  ///< Linux commit dccce1d7c040
inline constexpr uint32_t kInlineBytes = 40;     ///< longest fragment inside a descriptor
inline constexpr uint32_t kRxMetadataBytes = 16;
inline constexpr uint32_t kFcsBytes = 4;
inline constexpr uint32_t kLengthMax = 0x3FFF;  ///< 14-bit length fields
inline constexpr uint32_t kMinFrameNoFcs = 60;  ///< the MAC pads shorter frames (assumption)
inline constexpr unsigned kDmaAddressBits = 64;
inline constexpr uint32_t kClockNs = 8;  ///< clock of the time base

// Frames, driver, bytes.
inline constexpr uint32_t kMinMtu = 68;
inline constexpr uint32_t kMaxMtu = 2048;

// Receive buffers, driver, bytes.
inline constexpr uint32_t kRxHeadroom = 256;  ///< the device writes at page + headroom
inline constexpr uint32_t kRxTailroom = 320;  ///< skb_shared_info at the end of the page
inline constexpr uint32_t kRxBufferSize = kPageBytes - kRxHeadroom - kRxTailroom;  ///< 3520
/// align4(metadata 16 + frame 1514 + FCS 4 + tags 8): the pool's frames must have this much.
inline constexpr uint32_t kXskRxBufferSize = 1544;
inline constexpr unsigned kPagePoolSize = 256;

// Thresholds, driver, descriptors.
inline constexpr unsigned kMaxSkbFrags = 17;
inline constexpr unsigned kTxNeeded = kMaxSkbFrags + 1;      ///< 18: below, the queue stops
inline constexpr unsigned kTxWake = 2 * (kMaxSkbFrags + 1);  ///< 36: from here it wakes
inline constexpr unsigned kRxRefill = 16;                    ///< free slots that start a refill
inline constexpr unsigned kRxReuse = kRingSize * 3 / 4;      ///< 192: buffers may be reused
inline constexpr unsigned kTxPollBudget = 128;               ///< frames

// Interrupts, MDIO, queue stop: driver.
inline constexpr unsigned kDefaultDelayMicros = 64;
inline constexpr unsigned kMaxDelayMicros = 255;
inline constexpr unsigned kMdioPollMicros = 16;
inline constexpr unsigned kMdioTimeoutMicros = 1000;
inline constexpr unsigned kQueueStopPollMillis = 10;
inline constexpr unsigned kQueueStopTimeoutMillis = 1000;

// Time: driver.
inline constexpr int64_t kMaxAdjustPpb = 62499999;

}  // namespace doorbell::tsnep
