// Buffer descriptors of the FEC: legacy (8 bytes) and enhanced (32 bytes, ECR.EN1588 = 1).
//
// Contract header: plain host-order structs; bytes exist only inside encode and decode. Always
// little-endian (ECR.DBSWP = 1); the big-endian layout is not modelled.
// The status halfword owns the descriptor (bit 15: E of a receive, R of a transmit descriptor), so
// it can be stored by itself: encode_body() writes everything else, encode_status() only the
// status. Sources: i.MX 6ULL RM (rev 1) ch. 22, MCUXpresso PERI_ENET.h, Linux 6.12 fec.h. Ring
// bases need 8-byte alignment, receive buffers 64-byte alignment (fec_limits.h).
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>

#include "models/base/bytes.h"
#include "models/desc/ownership.h"

namespace doorbell::fec {

inline constexpr uint32_t kOffLength = 0x0;   ///< 16 bits
inline constexpr uint32_t kOffStatus = 0x2;   ///< 16 bits, "sc"
inline constexpr uint32_t kOffAddress = 0x4;  ///< 32 bits
inline constexpr uint32_t kOffControl = 0x8;  ///< 32 bits, "esc", enhanced only from here
inline constexpr uint32_t kOffProtocol =
    0xC;                                   ///< 32 bits; transmit: low half of an AVB launch time
inline constexpr uint32_t kOffBdu = 0x10;  ///< 32 bits
inline constexpr uint32_t kOffTimestamp = 0x14;
inline constexpr uint32_t kOffReserved = 0x18;  ///< two words, encoded as 0
inline constexpr uint32_t kLegacyStride = 8;
inline constexpr uint32_t kEnhancedStride = 32;

enum class DescFormat : uint8_t { kLegacy, kEnhanced };
constexpr uint32_t stride(DescFormat format) {
  return format == DescFormat::kLegacy ? kLegacyStride : kEnhancedStride;
}

/// Status of a receive descriptor. All but E, W and the software bits is valid with L only.
namespace rx_sc {
inline constexpr uint16_t kEmpty = 1u << 15;  ///< the device owns it
inline constexpr uint16_t kSoftware1 = 1u << 14;
inline constexpr uint16_t kWrap = 1u << 13;
inline constexpr uint16_t kSoftware2 = 1u << 12;
inline constexpr uint16_t kLast = 1u << 11;
inline constexpr uint16_t kMiss = 1u << 8;  ///< accepted only because of promiscuous mode
inline constexpr uint16_t kBroadcast = 1u << 7;
inline constexpr uint16_t kMulticast = 1u << 6;
inline constexpr uint16_t kLong = 1u << 5;
inline constexpr uint16_t kNonOctet = 1u << 4;
inline constexpr uint16_t kCrc = 1u << 2;
inline constexpr uint16_t kOverrun = 1u << 1;
inline constexpr uint16_t kTruncated = 1u << 0;
/// What the device writes when it closes a descriptor; the other bits it keeps.
inline constexpr uint16_t kDeviceStatus =
    kLast | kMiss | kBroadcast | kMulticast | kLong | kNonOctet | kCrc | kOverrun | kTruncated;
inline constexpr uint16_t kErrors = kLong | kNonOctet | kCrc | kOverrun | kTruncated;
}  // namespace rx_sc

/// Status of a transmit descriptor.
namespace tx_sc {
inline constexpr uint16_t kReady = 1u << 15;  ///< the device owns it
inline constexpr uint16_t kSoftware1 = 1u << 14;
inline constexpr uint16_t kWrap = 1u << 13;
inline constexpr uint16_t kIntr = 1u << 12;  ///< a software bit; the device ignores it
inline constexpr uint16_t kLast = 1u << 11;
inline constexpr uint16_t kTc = 1u << 10;  ///< append the CRC; valid with L
}  // namespace tx_sc

/// Control word of an enhanced receive descriptor. All but INT is written by the device.
namespace rx_esc {
inline constexpr uint32_t kMacError = 1u << 31;
inline constexpr uint32_t kPhyError = 1u << 26;
inline constexpr uint32_t kCollision = 1u << 25;
inline constexpr uint32_t kUnicast = 1u << 24;
inline constexpr uint32_t kInt = 1u << 23;
inline constexpr uint32_t kVpcp = 0x7u << 13;
inline constexpr uint32_t kIce = 1u << 5;  ///< IP header checksum error, or no IP frame
inline constexpr uint32_t kPcr = 1u << 4;  ///< protocol checksum error, or unknown protocol
inline constexpr uint32_t kVlan = 1u << 2;
inline constexpr uint32_t kIpv6 = 1u << 1;
inline constexpr uint32_t kFrag = 1u << 0;
}  // namespace rx_esc

/// Protocol word of an enhanced receive descriptor.
namespace rx_prot {
inline constexpr uint32_t kHeaderWords = 0x1Fu << 27;  ///< header length in 32-bit words
inline constexpr uint32_t kProtocol = 0xFFu << 16;
inline constexpr uint32_t kChecksum = 0xFFFFu;
}  // namespace rx_prot

/// Control word of an enhanced transmit descriptor: 30:20 from software, 15:8 from the device.
namespace tx_esc {
inline constexpr uint32_t kInt = 1u << 30;
inline constexpr uint32_t kTs = 1u << 29;
inline constexpr uint32_t kPins = 1u << 28;  ///< insert the protocol checksum
inline constexpr uint32_t kIins = 1u << 27;  ///< insert the IPv4 header checksum
inline constexpr uint32_t kUseLaunchTime = 1u << 24;
inline constexpr uint32_t kFtype = 0xFu << 20;
inline constexpr uint32_t kTxError = 1u << 15;  ///< OR of the ones below
inline constexpr uint32_t kUnderflow = 1u << 13;
inline constexpr uint32_t kExcessCollision = 1u << 12;
inline constexpr uint32_t kFrameError = 1u << 11;
inline constexpr uint32_t kLateCollision = 1u << 10;
inline constexpr uint32_t kOverflow = 1u << 9;
inline constexpr uint32_t kTimestampError = 1u << 8;
inline constexpr uint32_t kErrors = kTxError | kUnderflow | kExcessCollision | kFrameError |
                                    kLateCollision | kOverflow | kTimestampError;
/// Frame type of a ring: must be the number of the ring the descriptor is in.
constexpr uint32_t ftype(unsigned ring) {
  assert(ring < 3);
  return ring << 20;
}
}  // namespace tx_esc

/// BDU: set by the device with a frame's last update, cleared by software.
inline constexpr uint32_t kBduDone = 1u << 31;

/// One receive descriptor. Legacy descriptors have length, status and address only.
struct FecRxDesc {
  uint16_t length = 0;  ///< bytes; on L the whole frame with FCS, before it MRBR
  uint16_t status = 0;  ///< rx_sc
  uint32_t address = 0;
  uint32_t control = 0;    ///< rx_esc
  uint32_t protocol = 0;   ///< rx_prot
  uint32_t bdu = 0;        ///< kBduDone
  uint32_t timestamp = 0;  ///< 1588 time in ns, valid with L
};

/// One transmit descriptor. Legacy descriptors have length, status and address only.
struct FecTxDesc {
  uint16_t length = 0;  ///< bytes in this buffer
  uint16_t status = 0;  ///< tx_sc
  uint32_t address = 0;
  uint32_t control = 0;    ///< tx_esc
  uint32_t protocol = 0;   ///< low half of an AVB launch time, else 0
  uint32_t bdu = 0;        ///< kBduDone
  uint32_t timestamp = 0;  ///< 1588 time in ns, valid with L and TS
};

/// Who owns a descriptor, and where its ring ends. E and R, and both W bits, are in the same place.
using FecOwnership = desc::OwnBit<uint16_t, rx_sc::kEmpty, rx_sc::kWrap>;
static_assert(rx_sc::kEmpty == tx_sc::kReady && rx_sc::kWrap == tx_sc::kWrap);

inline uint16_t decode_status(const uint8_t* bytes) {
  return base::load_le<uint16_t>(bytes + kOffStatus);
}

/// Reads the whole descriptor at `bytes`, stride(format) bytes long. `Desc` is one of the two
/// structs.
template <typename Desc>
inline Desc decode(const uint8_t* bytes, DescFormat format) {
  Desc d;
  d.length = base::load_le<uint16_t>(bytes + kOffLength);
  d.status = base::load_le<uint16_t>(bytes + kOffStatus);
  d.address = base::load_le<uint32_t>(bytes + kOffAddress);
  if (format == DescFormat::kEnhanced) {
    d.control = base::load_le<uint32_t>(bytes + kOffControl);
    d.protocol = base::load_le<uint32_t>(bytes + kOffProtocol);
    d.bdu = base::load_le<uint32_t>(bytes + kOffBdu);
    d.timestamp = base::load_le<uint32_t>(bytes + kOffTimestamp);
  }
  return d;
}

/// Writes everything but the status halfword, which keeps what it held.
template <typename Desc>
inline void encode_body(const Desc& d, uint8_t* bytes, DescFormat format) {
  base::store_le<uint16_t>(bytes + kOffLength, d.length);
  base::store_le<uint32_t>(bytes + kOffAddress, d.address);
  if (format == DescFormat::kEnhanced) {
    base::store_le<uint32_t>(bytes + kOffControl, d.control);
    base::store_le<uint32_t>(bytes + kOffProtocol, d.protocol);
    base::store_le<uint32_t>(bytes + kOffBdu, d.bdu);
    base::store_le<uint32_t>(bytes + kOffTimestamp, d.timestamp);
    std::memset(bytes + kOffReserved, 0, kEnhancedStride - kOffReserved);
  }
}
/// Writes the status halfword: after this store the new owner may act.
inline void encode_status(uint16_t status, uint8_t* bytes) {
  base::store_le<uint16_t>(bytes + kOffStatus, status);
}
/// Body, then status.
template <typename Desc>
inline void encode(const Desc& d, uint8_t* bytes, DescFormat format) {
  encode_body(d, bytes, format);
  encode_status(d.status, bytes);
}

}  // namespace doorbell::fec
