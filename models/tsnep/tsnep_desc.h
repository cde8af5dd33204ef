// tsnep descriptor blocks: 256 bytes each, linked by address; descriptor, inline data, write-back.
//
// Contract header: plain host-order structs; bytes exist only inside encode and decode. The device
// writes the first 32 bytes of a block (write-back) and reads 64 bytes from 128 on (descriptor and
// up to 40 bytes of inline data from 152 on). `next` and the address registers carry the address of
// byte 0. The properties word owns the descriptor and goes out last: encode_body() writes
// everything else, encode_properties() only it. Ownership: desc::OwnerCounter in bits 31:30; a
// transmit write-back must echo bits 31:29, a receive write-back bits 31:30.
// Source: Linux 6.12 drivers/net/ethernet/engleder/tsnep_hw.h (layout), tsnep_main.c (behaviour).
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>

#include "models/base/bytes.h"
#include "models/desc/ownership.h"
#include "models/tsnep/tsnep_limits.h"

namespace doorbell::tsnep {

// Offsets in a block.
inline constexpr uint32_t kOffWriteback = 0;
inline constexpr uint32_t kWritebackBytes = 32;
inline constexpr uint32_t kOffDesc = 128;
inline constexpr uint32_t kDescBytes = 32;
// Offsets in a descriptor, from kOffDesc.
inline constexpr uint32_t kOffProperties = 0;
inline constexpr uint32_t kOffMoreProperties = 4;  ///< transmit; reserved in a receive descriptor
inline constexpr uint32_t kOffNext = 16;
inline constexpr uint32_t kOffBuffer = 24;  ///< tx or rx: address, or the start of inline data
inline constexpr uint32_t kOffInline = kOffBuffer;
static_assert(kOffInline + kInlineBytes == kDescFetchBytes);
// Offsets in a write-back, from kOffWriteback.
inline constexpr uint32_t kOffWbProperties = 0;
inline constexpr uint32_t kOffWbCounter = 8;
inline constexpr uint32_t kOffWbTimestamp = 16;
inline constexpr uint32_t kOffWbDmaDelay = 24;

/// Properties of descriptors and write-backs.
namespace props {
inline constexpr uint32_t kLength = 0x3FFF;  ///< transmit: whole frame, first fragment only
inline constexpr uint32_t kBufferSize = 0x3FFC;
inline constexpr uint32_t kLastFragment = 1u << 16;
inline constexpr uint32_t kDataAfterDesc = 1u << 17;  ///< inline data in place of the address
inline constexpr uint32_t kInterrupt = 1u << 18;
inline constexpr uint32_t kExtendedWriteback = 1u << 19;
inline constexpr uint32_t kOwnerUserFlag = 1u << 29;  ///< transmit only
inline constexpr uint32_t kOwnerCounter = 0x3u << 30;
inline constexpr unsigned kOwnerShift = 30;
/// What software compares in a write-back.
inline constexpr uint32_t kTxOwnerMask = kOwnerCounter | kOwnerUserFlag;
inline constexpr uint32_t kRxOwnerMask = kOwnerCounter;
// Write-back only.
inline constexpr uint32_t kUnderrunError = 1u << 16;
/// The frame was discarded: no link. Place and meaning are assumptions.
inline constexpr uint32_t kNoLink = 1u << 24;

constexpr uint32_t owner(uint32_t properties) {
  return properties >> kOwnerShift;
}
constexpr uint32_t with_owner(uint32_t properties, uint32_t epoch) {
  assert(epoch <= 3);
  return (properties & ~kOwnerCounter) | epoch << kOwnerShift;
}
}  // namespace props

/// DMA delays in an extended write-back. The unit is an assumption: 64 ns.
namespace dma_delay {
inline constexpr uint32_t kFirstData = 0xFFFC;
inline constexpr uint32_t kLastData = 0xFFFCu << 16;
inline constexpr uint32_t kUnitNs = 64;
}  // namespace dma_delay

using TsnepOwnership = desc::OwnerCounter;

struct TsnepTxDesc {
  uint32_t properties = 0;
  uint32_t more_properties = 0;  ///< length of this fragment
  uint64_t next = 0;
  uint64_t tx = 0;  ///< address; not used with kDataAfterDesc
};

struct TsnepRxDesc {
  uint32_t properties = 0;
  uint64_t next = 0;
  uint64_t rx = 0;
};

struct TsnepTxWriteback {
  uint32_t properties = 0;
  uint64_t counter = 0;
  uint64_t timestamp = 0;
  uint32_t dma_delay = 0;
};

struct TsnepRxWriteback {
  uint32_t properties = 0;  ///< 13:0: 16 metadata + frame + 4 FCS
};

/// What stands before every received frame.
struct TsnepRxMetadata {
  uint64_t counter = 0;
  uint64_t timestamp = 0;  ///< system time
};

// `desc` is the address of the descriptor (byte 128 of its block), `block` that of byte 0.

inline TsnepTxDesc decode_tx(const uint8_t* desc) {
  return {base::load_le<uint32_t>(desc + kOffProperties),
          base::load_le<uint32_t>(desc + kOffMoreProperties),
          base::load_le<uint64_t>(desc + kOffNext), base::load_le<uint64_t>(desc + kOffBuffer)};
}
inline TsnepRxDesc decode_rx(const uint8_t* desc) {
  return {base::load_le<uint32_t>(desc + kOffProperties), base::load_le<uint64_t>(desc + kOffNext),
          base::load_le<uint64_t>(desc + kOffBuffer)};
}
/// Writes everything but the properties, which keep what they held. With kDataAfterDesc in
/// d.properties the inline data stays too.
inline void encode_body(const TsnepTxDesc& d, uint8_t* desc) {
  assert(d.more_properties <= kLengthMax);
  base::store_le<uint32_t>(desc + kOffMoreProperties, d.more_properties);
  std::memset(desc + kOffMoreProperties + 4, 0, kOffNext - kOffMoreProperties - 4);
  base::store_le<uint64_t>(desc + kOffNext, d.next);
  if ((d.properties & props::kDataAfterDesc) == 0) {
    base::store_le<uint64_t>(desc + kOffBuffer, d.tx);
  }
}
inline void encode_body(const TsnepRxDesc& d, uint8_t* desc) {
  std::memset(desc + kOffMoreProperties, 0, kOffNext - kOffMoreProperties);
  base::store_le<uint64_t>(desc + kOffNext, d.next);
  base::store_le<uint64_t>(desc + kOffBuffer, d.rx);
}
/// After this store the device may act.
inline void encode_properties(uint32_t properties, uint8_t* desc) {
  base::store_le<uint32_t>(desc + kOffProperties, properties);
}
inline void encode(const TsnepTxDesc& d, uint8_t* desc) {
  encode_body(d, desc);
  encode_properties(d.properties, desc);
}
inline void encode(const TsnepRxDesc& d, uint8_t* desc) {
  encode_body(d, desc);
  encode_properties(d.properties, desc);
}

inline TsnepTxWriteback decode_tx_writeback(const uint8_t* block) {
  return {base::load_le<uint32_t>(block + kOffWbProperties),
          base::load_le<uint64_t>(block + kOffWbCounter),
          base::load_le<uint64_t>(block + kOffWbTimestamp),
          base::load_le<uint32_t>(block + kOffWbDmaDelay)};
}
inline void encode(const TsnepTxWriteback& w, uint8_t* block) {
  std::memset(block, 0, kWritebackBytes);
  base::store_le<uint32_t>(block + kOffWbProperties, w.properties);
  base::store_le<uint64_t>(block + kOffWbCounter, w.counter);
  base::store_le<uint64_t>(block + kOffWbTimestamp, w.timestamp);
  base::store_le<uint32_t>(block + kOffWbDmaDelay, w.dma_delay);
}
inline TsnepRxWriteback decode_rx_writeback(const uint8_t* block) {
  return {base::load_le<uint32_t>(block + kOffWbProperties)};
}
inline void encode(const TsnepRxWriteback& w, uint8_t* block) {
  std::memset(block, 0, kWritebackBytes);
  base::store_le<uint32_t>(block + kOffWbProperties, w.properties);
}
inline TsnepRxMetadata decode_rx_metadata(const uint8_t* buffer) {
  return {base::load_le<uint64_t>(buffer), base::load_le<uint64_t>(buffer + 8)};
}
inline void encode(const TsnepRxMetadata& m, uint8_t* buffer) {
  base::store_le<uint64_t>(buffer, m.counter);
  base::store_le<uint64_t>(buffer + 8, m.timestamp);
}

}  // namespace doorbell::tsnep
