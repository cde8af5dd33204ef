// Sizes, offsets and constants of Ethernet frames and what they carry; MAC addresses.
//
// A frame in memory is destination MAC to end of payload, without FCS. Lengths that people write
// ("64 B") include the FCS; functions say which they mean. Wire time counts preamble and SFD, the
// frame padded to 60 octets, FCS and the 12-octet gap: 84 octets, 672 ns at 1 Gb/s, for the
// smallest. Sources: IEEE 802.3-2018 clauses 3 and 4, 802.1Q, RFC 791, 8200, 768, 9293.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/base/bytes.h"
#include "models/base/units.h"
#include "models/net/wire.h"

namespace doorbell::net {

inline constexpr uint32_t kMinFrameWithFcs = kMinFrameBytes + kFcsBytes;  // 64
inline constexpr uint32_t kMaxFrameBytes = 1514;                          // without FCS and tags
inline constexpr uint32_t kMaxJumboBytes = 9728;  // largest without FCS that Doorbell carries

inline constexpr size_t kMacBytes = 6;
inline constexpr size_t kEtherTypeOffset = 12;
inline constexpr size_t kEtherHeaderBytes = 14;
inline constexpr size_t kVlanTagBytes = 4;
inline constexpr size_t kIpv4HeaderBytes = 20;  // without options
inline constexpr size_t kIpv6HeaderBytes = 40;
inline constexpr size_t kUdpHeaderBytes = 8;
inline constexpr size_t kTcpHeaderBytes = 20;  // without options

enum EtherType : uint16_t {
  kEtherTypeIpv4 = 0x0800,
  kEtherTypeArp = 0x0806,
  kEtherTypeVlan = 0x8100,
  kEtherTypeIpv6 = 0x86DD,
  kEtherTypeMacControl = 0x8808,
  kEtherTypeQinQ = 0x88A8,
  kEtherTypePtp = 0x88F7,
};
enum IpProtocol : uint8_t {
  kIpIcmp = 1,
  kIpTcp = 6,
  kIpUdp = 17,
  kIpIcmpv6 = 58,
};

/// MAC control, IEEE 802.3 annex 31B.
inline constexpr uint16_t kPauseOpcode = 1;
inline constexpr uint32_t kPauseQuantumBits = 512;

// Offsets inside an IPv4 header.
inline constexpr size_t kIpv4LengthOffset = 2;
inline constexpr size_t kIpv4ProtocolOffset = 9;
inline constexpr size_t kIpv4ChecksumOffset = 10;
inline constexpr size_t kIpv4SourceOffset = 12;
inline constexpr size_t kIpv4DestinationOffset = 16;
// Offsets inside a UDP header.
inline constexpr size_t kUdpLengthOffset = 4;
inline constexpr size_t kUdpChecksumOffset = 6;
inline constexpr size_t kTcpChecksumOffset = 16;

/// Octets from first preamble octet to last FCS octet of a frame of `bytes` without FCS. Short
/// frames are counted as they are: a MAC pads before it sends.
constexpr uint64_t wire_octets(uint64_t bytes) {
  return kPreambleBytes + bytes + kFcsBytes;
}
/// The same and the minimum gap: how far apart two starts must be.
constexpr uint64_t slot_octets(uint64_t bytes) {
  return wire_octets(bytes) + kGapBytes;
}
/// Time from first preamble bit to end of FCS.
constexpr base::Picos wire_time(base::BitsPerSecond link, uint64_t bytes) {
  return link.time_for_bytes(wire_octets(bytes));
}

/// Time of octets on a link, rounded down, without a division for the rates that Ethernet has.
/// `link` must not be zero; up to 2 million octets.
class OctetClock {
 public:
  explicit constexpr OctetClock(base::BitsPerSecond link)
      : rate_(link.count()), per_octet_(kPicoBits % rate_ == 0 ? kPicoBits / rate_ : 0) {}
  constexpr base::Picos time(uint64_t octets) const {
    return base::Picos(
        static_cast<int64_t>(per_octet_ != 0 ? octets * per_octet_ : octets * kPicoBits / rate_));
  }
  /// Least time between the starts of a frame of `bytes` without FCS and the next one.
  constexpr base::Picos slot(uint64_t bytes) const { return time(slot_octets(bytes)); }

 private:
  static constexpr uint64_t kPicoBits = 8'000'000'000'000;
  uint64_t rate_;
  uint64_t per_octet_;
};

struct MacAddress {
  std::array<uint8_t, kMacBytes> octets{};

  /// "02:00:5e:10:00:01", upper or lower case, or with '-'. nullopt if it is not that.
  static std::optional<MacAddress> parse(std::string_view text);
  static MacAddress from(const uint8_t* p);
  static constexpr MacAddress broadcast() { return {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}}; }
  /// Lower case with colons.
  std::string text() const;

  bool is_multicast() const { return (octets[0] & 1) != 0; }
  bool is_broadcast() const { return *this == broadcast(); }
  bool is_zero() const { return *this == MacAddress{}; }
  /// The six octets in the low 48 bits, first octet lowest: how a little-endian load sees them.
  uint64_t as_u48() const;

  friend bool operator==(const MacAddress& a, const MacAddress& b) { return a.octets == b.octets; }
  friend bool operator!=(const MacAddress& a, const MacAddress& b) { return a.octets != b.octets; }
};

/// Destination of MAC control frames, 01:80:c2:00:00:01.
inline constexpr MacAddress kPauseDestination{{0x01, 0x80, 0xC2, 0x00, 0x00, 0x01}};

/// Where the layers of a frame begin; what a NIC's parser would find. Zero offset: layer is absent
/// or cut off. IPv6 extension headers are not walked.
struct Layers {
  uint16_t ether_type = 0;  // after tags
  bool tagged = false;
  uint16_t vlan_tci = 0;  // outermost tag: PCP 15..13, DEI 12, VID 11..0
  size_t l3_offset = 0;   // IPv4 or IPv6 header
  bool ipv6 = false;
  uint8_t protocol = 0;   // IP protocol or next header
  bool fragment = false;  // IPv4 fragment: no L4 header to look at, except in the first one
  size_t l4_offset = 0;   // TCP, UDP or ICMP header
  size_t l4_bytes = 0;    // L4 header and payload by the IP length, clipped to the frame

  unsigned priority() const { return tagged ? vlan_tci >> 13 : 0; }
};
/// Never reads outside `bytes`; any input is allowed.
Layers parse_layers(base::ByteView bytes);

/// Quanta of a PAUSE frame, or nullopt if `bytes` is none.
std::optional<uint16_t> pause_quanta(base::ByteView bytes);
/// Writes a 60-octet PAUSE frame to `out`, which must have room for it.
void make_pause_frame(const MacAddress& source, uint16_t quanta, uint8_t* out);
/// Time that `quanta` stand for on a link.
constexpr base::Picos pause_time(base::BitsPerSecond link, uint16_t quanta) {
  return link.time_for_bytes(uint64_t{quanta} * (kPauseQuantumBits / 8));
}

}  // namespace doorbell::net
