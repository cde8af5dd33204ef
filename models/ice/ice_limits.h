// Sizes and limits of the E810 that its model, its driver and the scenarios share.
//
// Contract header. Units are in the names or comments. "Hardware" numbers come from register and
// context widths; "driver" numbers are what Linux 6.12 uses (ice.h, ice_txrx.h, ice_base.c).
// Timing constants and everything that a study may turn are in ice_params.h.
#pragma once

#include <cstdint>

#include "models/ice/ice_regs.h"

namespace doorbell::ice {

// Rings.
inline constexpr unsigned kMinRing = 64;  ///< descriptors
inline constexpr unsigned kMaxRing = 8160;
inline constexpr unsigned kRingStep = 32;         ///< a ring's size is a multiple of it
inline constexpr unsigned kDefaultTxRing = 256;   ///< driver
inline constexpr unsigned kDefaultRxRing = 2048;  ///< driver
inline constexpr uint32_t kRingBaseAlign = 128;   ///< contexts hold the address >> 7
inline constexpr unsigned kRingBaseShift = 7;
inline constexpr uint32_t kTxDescBytes = 16;
inline constexpr uint32_t kRxDescBytes = 32;
inline constexpr uint32_t kLineBytes = 64;
inline constexpr unsigned kTxDescPerLine = kLineBytes / kTxDescBytes;
inline constexpr unsigned kRxDescPerLine = kLineBytes / kRxDescBytes;
/// Hardware ignores the low bits of QRX_TAIL.
inline constexpr unsigned kRxTailStep = 8;

// Transmit, hardware.
inline constexpr uint32_t kMinTxBytes = 17;
inline constexpr uint32_t kMaxFrameBytes = 9728;  ///< without FCS
inline constexpr uint32_t kMaxTxBufferBytes = 16383;
inline constexpr unsigned kMaxTxBuffers = 8;  ///< data descriptors of a packet, or of a TSO segment
inline constexpr unsigned kMaxTsoHeaderDescs = 3;
inline constexpr uint32_t kMinMss = 64;
inline constexpr uint32_t kMaxMss = 9728;
inline constexpr uint32_t kMaxTsoBytes = (1u << 18) - 1;

// Receive, hardware.
inline constexpr unsigned kMaxRxBuffers = 5;  ///< chained for one frame
inline constexpr uint32_t kRxBufferUnit = 128;
inline constexpr uint32_t kMaxRxBufferBytes = 16384 - 128;
inline constexpr unsigned kLrxqThreshUnit = 64;  ///< descriptors
inline constexpr unsigned kRxdidNic = 2;

// RSS.
inline constexpr unsigned kRssKeyBytes = 52;  ///< 40 of the standard key, 12 of the extended one
inline constexpr unsigned kRssStandardKeyBytes = 40;
inline constexpr unsigned kRssLutVsi = 64;
inline constexpr unsigned kRssLutGlobal = 512;
inline constexpr unsigned kRssLutPf = 2048;

// Interrupts.
inline constexpr unsigned kMsixVectors = 1024;  ///< table in BAR3
inline constexpr uint32_t kMsixTableOffset = 0x0000;
inline constexpr uint32_t kMsixPbaOffset = 0x8000;
inline constexpr uint32_t kMsixBarBytes = 0x10000;
inline constexpr unsigned kItrNoUpdate = 3;  ///< ITR_INDX that changes no timer
inline constexpr unsigned kRxItr = 0;        ///< driver
inline constexpr unsigned kTxItr = 1;
inline constexpr unsigned kSwItr = 2;
inline constexpr uint32_t kItrUnitMicros = 2;
inline constexpr uint32_t kMaxItrMicros = 8160;
inline constexpr uint32_t kIntrlUnitMicros = 4;  ///< parts above 25 Gb/s
inline constexpr uint32_t kMaxIntrlMicros = 236;
inline constexpr uint32_t kItrDefaultMicros = 50;  ///< driver, static; 20 k interrupts a second

// Driver.
inline constexpr unsigned kTxDescGap = kTxDescPerLine;  ///< kept free in front of the head's line
inline constexpr unsigned kTxThreshold = 32;            ///< seed: descriptors per RS and per clean
inline constexpr unsigned kNapiBudget = 64;
inline constexpr unsigned kTxCleanBudget = 256;
inline constexpr unsigned kTxWakeThreshold = 46;
inline constexpr unsigned kTxStopThreshold = 23;

/// Whether a ring size is what the driver's ethtool rule takes.
constexpr bool valid_ring_size(unsigned n) {
  return n >= kMinRing && n <= kMaxRing && n % kRingStep == 0;
}
/// ITR register value of a time, rounded down.
constexpr uint32_t itr_value(uint32_t micros) {
  return micros / kItrUnitMicros;
}

}  // namespace doorbell::ice
