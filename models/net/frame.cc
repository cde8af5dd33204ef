#include "models/net/frame.h"

#include <algorithm>
#include <cstring>

namespace doorbell::net {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Least octets of an L4 header; less than that and there is nothing to look at.
size_t l4_header_bytes(uint8_t protocol) {
  switch (protocol) {
    case kIpTcp:
      return kTcpHeaderBytes;
    case kIpUdp:
      return kUdpHeaderBytes;
    default:
      return 4;
  }
}

void parse_ipv4(base::ByteView bytes, size_t offset, Layers& out) {
  if (offset + kIpv4HeaderBytes > bytes.size) return;
  const uint8_t* ip = bytes.data + offset;
  const size_t header = size_t{ip[0] & 0xFu} * 4;
  const size_t length = base::load_be16(ip + kIpv4LengthOffset);
  if (ip[0] >> 4 != 4 || header < kIpv4HeaderBytes || length < header ||
      offset + header > bytes.size) {
    return;
  }
  out.l3_offset = offset;
  out.protocol = ip[kIpv4ProtocolOffset];
  const uint16_t fragment = base::load_be16(ip + 6);
  out.fragment = (fragment & 0x3FFF) != 0;  // more fragments, or an offset
  if ((fragment & 0x1FFF) != 0) return;
  const size_t l4_bytes = std::min(length, bytes.size - offset) - header;
  if (l4_bytes < l4_header_bytes(out.protocol)) return;
  out.l4_offset = offset + header;
  out.l4_bytes = l4_bytes;
}

void parse_ipv6(base::ByteView bytes, size_t offset, Layers& out) {
  if (offset + kIpv6HeaderBytes > bytes.size) return;
  const uint8_t* ip = bytes.data + offset;
  if (ip[0] >> 4 != 6) return;
  out.l3_offset = offset;
  out.ipv6 = true;
  out.protocol = ip[6];
  const size_t l4_bytes =
      std::min(size_t{base::load_be16(ip + 4)}, bytes.size - offset - kIpv6HeaderBytes);
  if (l4_bytes < l4_header_bytes(out.protocol)) return;
  out.l4_offset = offset + kIpv6HeaderBytes;
  out.l4_bytes = l4_bytes;
}

}  // namespace

std::optional<MacAddress> MacAddress::parse(std::string_view text) {
  if (text.size() != 17) return std::nullopt;
  MacAddress out;
  for (size_t i = 0; i < kMacBytes; ++i) {
    const int high = hex_digit(text[3 * i]);
    const int low = hex_digit(text[3 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    if (i > 0 && text[3 * i - 1] != ':' && text[3 * i - 1] != '-') return std::nullopt;
    out.octets[i] = static_cast<uint8_t>(high * 16 + low);
  }
  return out;
}

MacAddress MacAddress::from(const uint8_t* p) {
  MacAddress out;
  std::memcpy(out.octets.data(), p, kMacBytes);
  return out;
}

std::string MacAddress::text() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (size_t i = 0; i < kMacBytes; ++i) {
    if (i > 0) out.push_back(':');
    out.push_back(kDigits[octets[i] >> 4]);
    out.push_back(kDigits[octets[i] & 0xF]);
  }
  return out;
}

uint64_t MacAddress::as_u48() const {
  uint64_t out = 0;
  std::memcpy(&out, octets.data(), kMacBytes);
  return out;
}

Layers parse_layers(base::ByteView bytes) {
  Layers out;
  if (bytes.size < kEtherHeaderBytes) return out;
  size_t offset = kEtherHeaderBytes;
  uint16_t type = base::load_be16(bytes.data + kEtherTypeOffset);
  // An outer and an inner tag at most, as hardware parsers look for.
  for (int tags = 0; tags < 2 && (type == kEtherTypeVlan || type == kEtherTypeQinQ); ++tags) {
    if (offset + kVlanTagBytes > bytes.size) return out;
    if (!out.tagged) out.vlan_tci = base::load_be16(bytes.data + offset);
    out.tagged = true;
    type = base::load_be16(bytes.data + offset + 2);
    offset += kVlanTagBytes;
  }
  out.ether_type = type;
  if (type == kEtherTypeIpv4) parse_ipv4(bytes, offset, out);
  if (type == kEtherTypeIpv6) parse_ipv6(bytes, offset, out);
  return out;
}

std::optional<uint16_t> pause_quanta(base::ByteView bytes) {
  if (bytes.size < kEtherHeaderBytes + 4) return std::nullopt;
  if (base::load_be16(bytes.data + kEtherTypeOffset) != kEtherTypeMacControl) return std::nullopt;
  if (base::load_be16(bytes.data + kEtherHeaderBytes) != kPauseOpcode) return std::nullopt;
  return base::load_be16(bytes.data + kEtherHeaderBytes + 2);
}

void make_pause_frame(const MacAddress& source, uint16_t quanta, uint8_t* out) {
  std::memset(out, 0, kMinFrameBytes);
  std::memcpy(out, kPauseDestination.octets.data(), kMacBytes);
  std::memcpy(out + kMacBytes, source.octets.data(), kMacBytes);
  base::store_be16(out + kEtherTypeOffset, kEtherTypeMacControl);
  base::store_be16(out + kEtherHeaderBytes, kPauseOpcode);
  base::store_be16(out + kEtherHeaderBytes + 2, quanta);
}

}  // namespace doorbell::net
