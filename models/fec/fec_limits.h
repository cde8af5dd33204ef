// Sizes and limits of the FEC that its model, its driver and the scenarios share.
//
// Contract header. Units are in the names or comments. "Driver" numbers are what a Linux 6.12
// driver uses (fec_main.c); "hardware" numbers are what the block allows (MCUXpresso PERI_ENET.h,
// i.MX 6ULL RM ch. 22). Clocks, memory latencies and FIFO depths are platform parameters, not here.
#pragma once

#include <cstdint>

#include "models/fec/fec_regs.h"

namespace doorbell::fec {

// Rings, driver.
inline constexpr unsigned kDefaultTxRingSize = 1024;  ///< descriptors; 512 before Linux 6.5
inline constexpr unsigned kDefaultRxRingSize = 256;
/// One descriptor always stays empty, so a ring needs at least two.
inline constexpr unsigned kMinRingSize = 2;
/// Upper bound accepted for a scenario's ring size. Assumption: the hardware has no limit of its
/// own, a ring ends at its wrap bit.
inline constexpr unsigned kMaxRingSize = 16384;

// Alignment, hardware, in bytes.
inline constexpr uint32_t kRingBaseAlign = 8;
inline constexpr uint32_t kRingBaseAlignBest = 64;
inline constexpr uint32_t kRxBufferAlign = 64;
inline constexpr uint32_t kTxBufferAlign = 1;
inline constexpr uint32_t kRxBufferSizeStep = 16;
inline constexpr uint32_t kMrbrMax = fifo::kMrbr;  ///< 2032 B on i.MX8MP, MM and MN
/// DMA addresses are 32 bits wide.
inline constexpr unsigned kDmaAddressBits = 32;

// Frame lengths, driver, in bytes.
inline constexpr uint32_t kMaxFrame = 1984;        ///< RCR.MAX_FL: with header and FCS
inline constexpr uint32_t kRxBufferSize = 1984;    ///< MRBR
inline constexpr uint32_t kTruncateLength = 1984;  ///< FTRL
inline constexpr uint32_t kFcsBytes = 4;
inline constexpr uint32_t kShift16Bytes = 2;    ///< in front of a received frame while RACC.SHIFT16
inline constexpr uint32_t kMinFrameNoFcs = 60;  ///< the MAC pads shorter frames with zeros
inline constexpr uint32_t kMaxMtu = kMaxFrame - 14 - kFcsBytes;  ///< 1966

// Receive buffer layout, driver: one page, in bytes.
inline constexpr uint32_t kPageBytes = 4096;
inline constexpr uint32_t kRxHeadroom = 256;  ///< the device writes at page + headroom
inline constexpr uint32_t kRxTailroom = 320;  ///< skb_shared_info at the end of the page
inline constexpr uint32_t kRxUsable = kPageBytes - kRxHeadroom - kRxTailroom;  ///< 3520

// Transmit ring thresholds, driver, in descriptors.
inline constexpr unsigned kMaxSkbFrags = 17;
inline constexpr unsigned kTxNeeded = kMaxSkbFrags + 1;  ///< xmit refuses with fewer free
inline constexpr unsigned kMaxTsoSegments = 100;
inline constexpr unsigned kTxStop = 2 * kMaxTsoSegments + kMaxSkbFrags;  ///< 217: stop the queue
inline constexpr unsigned kTxWake = kTxStop + 2 * kMaxSkbFrags;          ///< 251: wake it again
inline constexpr uint32_t kTsoHeaderBytes = 256;

// Interrupt coalescing.
inline constexpr uint32_t kIcClocksPerTick = 64;
inline constexpr uint32_t kIcMaxFrames = 255;
inline constexpr uint32_t kIcMaxTicks = 0xFFFF;
inline constexpr uint32_t kIcDefaultFrames = 200;
inline constexpr uint32_t kIcDefaultMicros = 1000;
/// Ticks for a time, rounded down the way a driver does it: clock in kHz units of 64 first.
constexpr uint64_t ic_ticks(uint64_t micros, uint64_t clock_hz) {
  return micros * (clock_hz / 64000) / 1000;
}
/// TXIC or RXIC for a frame count and a tick count on the ENET system clock; 0 (off) where the
/// driver turns coalescing off. Both counts must be within the limits.
constexpr uint32_t ic_value(uint32_t frames, uint32_t ticks) {
  return frames <= 1 || ticks == 0
             ? 0u
             : ic::kIcEn | ic::kIccs | doorbell::reg::put_field(ic::kIcft, frames) |
                   doorbell::reg::put_field(ic::kIctt, ticks);
}

// Values a driver writes at 1 Gb/s full duplex.
inline constexpr uint32_t kRxFifoThresholdPause = 16;    ///< RSFL words, with pause only
inline constexpr uint32_t kRxXoffLevelPause = 0x84;      ///< RSEM words
inline constexpr uint32_t kRxAlmostEmptyPause = 8;       ///< RAEM words
inline constexpr uint32_t kRxAlmostFullPause = 8;        ///< RAFL words
inline constexpr uint32_t kPauseQuantaDefault = 0xFFF0;  ///< OPD
inline constexpr uint32_t kFifoWordBytes = 8;
inline constexpr uint32_t kIdleSlopeDefault = 0x200;   ///< half of the line for each class
inline constexpr uint32_t kRcmr1Default = 0x00013210;  ///< priorities 0..3 to ring 1
inline constexpr uint32_t kRcmr2Default = 0x00017654;  ///< priorities 4..7 to ring 2

}  // namespace doorbell::fec
