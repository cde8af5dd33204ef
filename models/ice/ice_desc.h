// Descriptors and queue contexts of the E810, bit-exact, little-endian.
//
// Contract header: plain host-order structs; bytes exist only inside encode and decode. A transmit
// descriptor's second quadword goes out last, as its own store: encode_tx_address() then
// encode_tx_qw1(). Encoders of fields start from zero and assert their ranges; contexts answer
// false when a value does not fit. Not modelled: 16-byte receive descriptors, legacy RXDIDs,
// flow-director and IPsec descriptors. Sources: Linux 6.12 ice_lan_tx_rx.h, ice_base.c; DPDK
// ice_lan_tx_rx.h. What a write-back leaves in the other 124 bits of a transmit descriptor is not
// known: here QW0 stays and QW1 becomes 0xF (assumption; drivers look at the DTYPE nibble only).
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>

#include "models/base/bytes.h"
#include "models/desc/codec.h"
#include "models/desc/ownership.h"
#include "models/ice/ice_limits.h"

namespace doorbell::ice {

inline constexpr uint32_t kTxOffAddress = 0;
inline constexpr uint32_t kTxOffQw1 = 8;

/// DTYPE, bits 3:0 of QW1.
enum class TxDtype : uint8_t {
  kData = 0x0,
  kContext = 0x1,
  kIpsec = 0x3,
  kFlowDirector = 0x8,
  kHlp = 0x9,
  kDone = 0xF,
};

/// Commands of a data descriptor, before the shift by kTxCmdShift.
namespace tx_cmd {
inline constexpr uint32_t kEop = 0x001;
inline constexpr uint32_t kRs = 0x002;
inline constexpr uint32_t kIcrc = 0x004;  ///< DPDK sets it, Linux does not; no effect
inline constexpr uint32_t kIl2tag1 = 0x008;
inline constexpr uint32_t kDummy = 0x010;
inline constexpr uint32_t kIipt = 0x060;  ///< field
inline constexpr uint32_t kIiptV6 = 0x020;
inline constexpr uint32_t kIiptV4 = 0x040;
inline constexpr uint32_t kIiptV4Csum = 0x060;
inline constexpr uint32_t kL4t = 0x300;  ///< field
inline constexpr uint32_t kL4tTcp = 0x100;
inline constexpr uint32_t kL4tSctp = 0x200;
inline constexpr uint32_t kL4tUdp = 0x300;
inline constexpr uint32_t kRe = 0x400;
inline constexpr uint32_t kLast = kEop | kRs;
}  // namespace tx_cmd

inline constexpr unsigned kTxCmdShift = 4;
inline constexpr unsigned kTxOffsetShift = 16;
inline constexpr unsigned kTxSizeShift = 34;
inline constexpr unsigned kTxTagShift = 48;
inline constexpr uint64_t kTxDtypeMask = 0xF;
inline constexpr uint64_t kTxRsBit = uint64_t{tx_cmd::kRs} << kTxCmdShift;
inline constexpr uint64_t kTxEopBit = uint64_t{tx_cmd::kEop} << kTxCmdShift;
/// QW1 of a descriptor that the device has reported done.
inline constexpr uint64_t kTxDoneQw1 = 0xF;

/// One transmit data descriptor.
struct IceTxDesc {
  uint64_t address = 0;
  uint32_t cmd = 0;     ///< tx_cmd, 12 bits
  uint32_t maclen = 0;  ///< OFFSET.MACLEN, units of 2 B
  uint32_t iplen = 0;   ///< OFFSET.IPLEN, units of 4 B
  uint32_t l4len = 0;   ///< OFFSET.L4LEN, units of 4 B
  uint32_t size = 0;    ///< bytes
  uint16_t l2tag1 = 0;
};

constexpr uint64_t tx_qw1(const IceTxDesc& d) {
  assert(d.cmd <= 0xFFF && d.size <= kMaxTxBufferBytes);
  assert(d.maclen <= 0x7F && d.iplen <= 0x7F && d.l4len <= 0xF);
  const uint64_t offset = d.maclen | d.iplen << 7 | d.l4len << 14;
  return static_cast<uint64_t>(d.cmd) << kTxCmdShift | offset << kTxOffsetShift |
         static_cast<uint64_t>(d.size) << kTxSizeShift |
         static_cast<uint64_t>(d.l2tag1) << kTxTagShift;
}
/// QW1 of a plain buffer: command, size, nothing else.
constexpr uint64_t tx_plain_qw1(uint32_t cmd, uint32_t size) {
  return static_cast<uint64_t>(cmd) << kTxCmdShift | static_cast<uint64_t>(size) << kTxSizeShift;
}
constexpr TxDtype tx_dtype(uint64_t qw1) {
  return static_cast<TxDtype>(qw1 & kTxDtypeMask);
}
constexpr uint32_t tx_cmd_of(uint64_t qw1) {
  return static_cast<uint32_t>(qw1 >> kTxCmdShift) & 0xFFF;
}
constexpr uint32_t tx_size_of(uint64_t qw1) {
  return static_cast<uint32_t>(qw1 >> kTxSizeShift) & 0x3FFF;
}
/// What every driver tests: any DTYPE but data reads as done, a context descriptor's too.
constexpr bool tx_reads_done(uint64_t qw1) {
  return (qw1 & kTxDtypeMask) != 0;
}

inline void encode_tx_address(uint8_t* bytes, uint64_t address) {
  base::store_le(bytes + kTxOffAddress, address);
}
/// The word that hands over: after this store and a doorbell the device may act.
inline void encode_tx_qw1(uint8_t* bytes, uint64_t qw1) {
  base::store_le(bytes + kTxOffQw1, qw1);
}
inline uint64_t decode_tx_qw1(const uint8_t* bytes) {
  return base::load_le<uint64_t>(bytes + kTxOffQw1);
}
inline void encode(const IceTxDesc& d, uint8_t* bytes) {
  encode_tx_address(bytes, d.address);
  encode_tx_qw1(bytes, tx_qw1(d));
}
constexpr IceTxDesc tx_desc(uint64_t address, uint64_t qw1) {
  IceTxDesc d;
  d.address = address;
  d.cmd = tx_cmd_of(qw1);
  d.maclen = static_cast<uint32_t>(qw1 >> 16) & 0x7F;
  d.iplen = static_cast<uint32_t>(qw1 >> 23) & 0x7F;
  d.l4len = static_cast<uint32_t>(qw1 >> 30) & 0xF;
  d.size = tx_size_of(qw1);
  d.l2tag1 = static_cast<uint16_t>(qw1 >> kTxTagShift);
  return d;
}
inline IceTxDesc decode_tx(const uint8_t* bytes) {
  return tx_desc(base::load_le<uint64_t>(bytes), decode_tx_qw1(bytes));
}

/// Commands of a context descriptor, bits 10:4 of QW1.
namespace tx_ctx_cmd {
inline constexpr uint32_t kTso = 0x01;
inline constexpr uint32_t kTsyn = 0x02;
inline constexpr uint32_t kIl2tag2 = 0x04;
inline constexpr uint32_t kIl2tag2Il2h = 0x08;
inline constexpr uint32_t kSwitch = 0x30;  ///< field
inline constexpr uint32_t kSwitchUplink = 0x10;
inline constexpr uint32_t kSwitchLocal = 0x20;
inline constexpr uint32_t kSwitchVsi = 0x30;
}  // namespace tx_ctx_cmd

/// Tunnel parameters, DW0 of a context descriptor.
namespace tx_tunnel {
inline constexpr uint32_t kEipt = 0x3;           ///< 0 none, 1 IPv6, 2 IPv4, 3 IPv4 with checksum
inline constexpr uint32_t kEipLen = 0x7Fu << 2;  ///< units of 4 B
inline constexpr uint32_t kL4Tunt = 0x3u << 9;   ///< 1 UDP, 2 GRE
inline constexpr uint32_t kEipNoInc = 1u << 11;
inline constexpr uint32_t kNatLen = 0x7Fu << 12;  ///< units of 2 B
inline constexpr uint32_t kDecTtl = 0xFu << 19;
inline constexpr uint32_t kL4TCs = 1u << 23;
}  // namespace tx_tunnel

/// One transmit context descriptor.
struct IceTxContextDesc {
  uint32_t tunnel = 0;  ///< tx_tunnel
  uint16_t l2tag2 = 0;
  uint32_t cmd = 0;      ///< tx_ctx_cmd
  uint32_t tso_len = 0;  ///< payload of all segments, bytes; or the time stamp's index
  uint32_t mss = 0;      ///< or the target VSI
};
inline void encode(const IceTxContextDesc& d, uint8_t* bytes) {
  assert(d.tunnel < (1u << 24) && d.cmd <= 0x7F && d.tso_len <= kMaxTsoBytes && d.mss <= 0x3FFF);
  base::store_le<uint32_t>(bytes, d.tunnel);
  base::store_le<uint16_t>(bytes + 4, d.l2tag2);
  base::store_le<uint16_t>(bytes + 6, 0);
  base::store_le<uint64_t>(
      bytes + 8, static_cast<uint64_t>(TxDtype::kContext) | static_cast<uint64_t>(d.cmd) << 4 |
                     static_cast<uint64_t>(d.tso_len) << 30 | static_cast<uint64_t>(d.mss) << 50);
}
constexpr IceTxContextDesc tx_context_desc(uint64_t qw0, uint64_t qw1) {
  IceTxContextDesc d;
  d.tunnel = static_cast<uint32_t>(qw0) & 0xFFFFFF;
  d.l2tag2 = static_cast<uint16_t>(qw0 >> 32);
  d.cmd = static_cast<uint32_t>(qw1 >> 4) & 0x7F;
  d.tso_len = static_cast<uint32_t>(qw1 >> 30) & kMaxTsoBytes;
  d.mss = static_cast<uint32_t>(qw1 >> 50) & 0x3FFF;
  return d;
}
inline IceTxContextDesc decode_tx_context(const uint8_t* bytes) {
  return tx_context_desc(base::load_le<uint64_t>(bytes), decode_tx_qw1(bytes));
}

inline constexpr uint32_t kRxOffPacket = 0;
inline constexpr uint32_t kRxOffHeader = 8;
inline constexpr uint32_t kRxOffLength = 4;
inline constexpr uint32_t kRxOffStatus0 = 8;

/// Receive descriptor as software gives it: buffer address, header buffer 0, rest 0.
inline void encode_rx_read(uint8_t* bytes, uint64_t packet, uint64_t header = 0) {
  base::store_le<uint64_t>(bytes + kRxOffPacket, packet);
  base::store_le<uint64_t>(bytes + kRxOffHeader, header);
  base::store_le<uint64_t>(bytes + 16, 0);
  base::store_le<uint64_t>(bytes + 24, 0);
}

namespace rx_status0 {
inline constexpr uint16_t kDd = 1u << 0;
inline constexpr uint16_t kEof = 1u << 1;
inline constexpr uint16_t kHbo = 1u << 2;
inline constexpr uint16_t kL3l4p = 1u << 3;  ///< checksums were checked
inline constexpr uint16_t kXsumIpe = 1u << 4;
inline constexpr uint16_t kXsumL4e = 1u << 5;
inline constexpr uint16_t kXsumEipe = 1u << 6;
inline constexpr uint16_t kXsumEudpe = 1u << 7;
inline constexpr uint16_t kLpbk = 1u << 8;
inline constexpr uint16_t kIpv6ExAdd = 1u << 9;
inline constexpr uint16_t kRxe = 1u << 10;
inline constexpr uint16_t kCrcp = 1u << 11;
inline constexpr uint16_t kRssValid = 1u << 12;
inline constexpr uint16_t kL2tag1p = 1u << 13;
inline constexpr uint16_t kXtrmd0Valid = 1u << 14;
inline constexpr uint16_t kXtrmd1Valid = 1u << 15;
}  // namespace rx_status0
namespace rx_status1 {
inline constexpr uint16_t kCpm = 0xF;
inline constexpr uint16_t kNat = 1u << 4;
inline constexpr uint16_t kCrypto = 1u << 5;
inline constexpr uint16_t kL2tag2p = 1u << 11;
inline constexpr uint16_t kXtrmd2Valid = 1u << 12;
}  // namespace rx_status1

/// Umb-cast of a received frame, bits 7:6 of byte 1.
enum class RxCast : uint8_t { kUnicast = 0, kMulticast = 1, kBroadcast = 2, kMirrored = 3 };

/// PTYPE numbers that the model writes (a subset of Linux 6.12 ice_lan_tx_rx.h ice_ptype_lkup).
namespace rx_ptype {
inline constexpr uint16_t kL2 = 1;
inline constexpr uint16_t kL2Arp = 11;
inline constexpr uint16_t kIpv4Frag = 22;
inline constexpr uint16_t kIpv4 = 23;
inline constexpr uint16_t kIpv4Udp = 24;
inline constexpr uint16_t kIpv4Tcp = 26;
inline constexpr uint16_t kIpv4Sctp = 27;
inline constexpr uint16_t kIpv4Icmp = 28;
inline constexpr uint16_t kIpv6Frag = 88;
inline constexpr uint16_t kIpv6 = 89;
inline constexpr uint16_t kIpv6Udp = 90;
inline constexpr uint16_t kIpv6Tcp = 92;
inline constexpr uint16_t kIpv6Sctp = 93;
inline constexpr uint16_t kIpv6Icmp = 94;
}  // namespace rx_ptype

/// Receive write-back, RXDID 2 ("NIC").
struct IceRxWriteback {
  uint8_t rxdid = kRxdidNic;
  uint8_t mirror_id = 0;
  RxCast cast = RxCast::kUnicast;
  uint16_t ptype = 0;
  uint8_t flags0 = 0;   ///< 6 bits
  uint16_t length = 0;  ///< bytes in this buffer, 14 bits
  uint16_t header_length = 0;
  bool sph = false;
  uint8_t flags1 = 0;    ///< 4 bits
  uint16_t status0 = 0;  ///< rx_status0
  uint16_t l2tag1 = 0;
  uint32_t rss_hash = 0;
  uint16_t status1 = 0;  ///< rx_status1
  uint8_t flags2 = 0;
  uint8_t ts_low = 0;
  uint16_t l2tag2_first = 0;
  uint16_t l2tag2_second = 0;
  uint32_t flow_id = 0;
  uint32_t ts_high = 0;  ///< or VLAN id and IPv6 flow id
};
inline void encode(const IceRxWriteback& w, uint8_t* b) {
  assert(w.ptype < 1024 && w.length < 16384 && w.header_length < 2048 && w.mirror_id < 64);
  assert(w.flags0 < 64 && w.flags1 < 16);
  b[0] = w.rxdid;
  b[1] = static_cast<uint8_t>(w.mirror_id | static_cast<unsigned>(w.cast) << 6);
  base::store_le(b + 2, static_cast<uint16_t>(w.ptype | w.flags0 << 10));
  base::store_le(b + kRxOffLength, w.length);
  base::store_le(b + 6,
                 static_cast<uint16_t>(w.header_length | (w.sph ? 1 : 0) << 11 | w.flags1 << 12));
  base::store_le(b + kRxOffStatus0, w.status0);
  base::store_le(b + 10, w.l2tag1);
  base::store_le(b + 12, w.rss_hash);
  base::store_le(b + 16, w.status1);
  b[18] = w.flags2;
  b[19] = w.ts_low;
  base::store_le(b + 20, w.l2tag2_first);
  base::store_le(b + 22, w.l2tag2_second);
  base::store_le(b + 24, w.flow_id);
  base::store_le(b + 28, w.ts_high);
}
inline IceRxWriteback decode_rx(const uint8_t* b) {
  IceRxWriteback w;
  const auto word = [b](unsigned at) { return base::load_le<uint16_t>(b + at); };
  w.rxdid = b[0];
  w.mirror_id = b[1] & 0x3F;
  w.cast = static_cast<RxCast>(b[1] >> 6);
  w.ptype = word(2) & 0x3FF;
  w.flags0 = static_cast<uint8_t>(word(2) >> 10);
  w.length = word(kRxOffLength) & 0x3FFF;
  w.header_length = word(6) & 0x7FF;
  w.sph = (word(6) & 0x800) != 0;
  w.flags1 = static_cast<uint8_t>(word(6) >> 12);
  w.status0 = word(kRxOffStatus0);
  w.l2tag1 = word(10);
  w.rss_hash = base::load_le<uint32_t>(b + 12);
  w.status1 = word(16);
  w.flags2 = b[18];
  w.ts_low = b[19];
  w.l2tag2_first = word(20);
  w.l2tag2_second = word(22);
  w.flow_id = base::load_le<uint32_t>(b + 24);
  w.ts_high = base::load_le<uint32_t>(b + 28);
  return w;
}
inline uint16_t decode_rx_status0(const uint8_t* bytes) {
  return base::load_le<uint16_t>(bytes + kRxOffStatus0);
}
/// Who owns a receive descriptor once it is below the tail: done when DD is set.
using RxOwnership = desc::DoneBit<uint16_t, rx_status0::kDd>;

}  // namespace doorbell::ice
