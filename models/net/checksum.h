// Checksums of the wire: Ethernet FCS, the Internet checksum, the ENET's address hash.
//
// Pure functions. `ByteView`s may have any length and alignment. Internet checksums are returned as
// the 16-bit number that goes into the header with store_be16. Sources: IEEE 802.3 clause 3.2.9
// (FCS); RFC 1071, 1624 (Internet checksum); RFC 768, 8200 section 8.1 (pseudo-headers); i.MX 6ULL
// RM ch. 22, "Hash algorithm", and Linux 6.12 fec_main.c (address hash).
#pragma once

#include <cstdint>

#include "models/base/bytes.h"
#include "models/net/frame.h"

namespace doorbell::net {

/// One's complement sum of 16-bit big-endian words on top of `sum`; an odd last octet is padded
/// with zero. Not folded or inverted: sums of parts add up if each part but the last is even.
uint64_t sum_words(base::ByteView bytes, uint64_t sum = 0);
/// Folds to 16 bits and inverts: the value of the checksum field.
uint16_t finish_sum(uint64_t sum);
/// finish_sum(sum_words(bytes)): the field for a header whose checksum field is zero; 0 if the
/// header includes a right checksum.
uint16_t internet_checksum(base::ByteView bytes);
/// The new field after one 16-bit word of what it covers changed (RFC 1624, equation 3).
uint16_t update_checksum(uint16_t old_field, uint16_t old_word, uint16_t new_word);

/// Sum of a TCP, UDP or ICMPv6 pseudo-header, to be used as start of sum_words() over the L4 bytes.
/// `header` points at the IPv4 or IPv6 header, whole.
uint64_t pseudo_header_sum_v4(const uint8_t* header, uint8_t protocol, uint32_t l4_bytes);
uint64_t pseudo_header_sum_v6(const uint8_t* header, uint8_t protocol, uint32_t l4_bytes);
/// The L4 checksum field that a parsed TCP, UDP, ICMP or ICMPv6 frame needs if its field is zero,
/// or 0 if its field is filled and right. `layers.l4_offset` must not be zero.
uint16_t l4_checksum(base::ByteView frame, const Layers& layers);
/// A computed UDP checksum as it is sent: 0 means "none" there, so 0xFFFF stands for it (RFC 768).
constexpr uint16_t udp_checksum_field(uint16_t computed) {
  return computed == 0 ? 0xFFFF : computed;
}

/// Ethernet CRC-32 of a frame without FCS, as a number (reflected, inverted at the end).
uint32_t fcs(base::ByteView frame);
/// Appends the FCS in the order it has on the wire: least significant octet first.
void store_fcs(uint8_t* p, uint32_t fcs_value);
/// True if the last four octets are the FCS of what is before them.
bool fcs_good(base::ByteView frame_with_fcs);

/// Index 0..63 into the ENET's 64-bit hash tables (IAUR:IALR unicast, GAUR:GALR multicast): above
/// 31 selects the upper register, bit index - 32.
unsigned enet_hash_index(const MacAddress& address);

}  // namespace doorbell::net
