#include "models/net/checksum.h"

#include <libdeflate.h>

#include <cassert>

namespace doorbell::net {

namespace {

uint16_t fold(uint64_t sum) {
  while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

}  // namespace

uint64_t sum_words(base::ByteView bytes, uint64_t sum) {
  // The one's complement sum does not care about byte order but for a final swap (RFC 1071, 2 (B)),
  // so whole little-endian words are added, in halves that leave room for carries.
  uint64_t host_order = 0;
  const uint8_t* p = bytes.data;
  size_t left = bytes.size;
  for (; left >= 8; left -= 8, p += 8) {
    const auto v = base::load_le<uint64_t>(p);
    host_order += (v & 0xFFFFFFFF) + (v >> 32);
  }
  if (left >= 4) {
    host_order += base::load_le<uint32_t>(p);
    p += 4;
    left -= 4;
  }
  if (left >= 2) {
    host_order += base::load_le<uint16_t>(p);
    p += 2;
    left -= 2;
  }
  if (left != 0) host_order += *p;
  return sum + __builtin_bswap16(fold(host_order));
}

uint16_t finish_sum(uint64_t sum) {
  return static_cast<uint16_t>(~fold(sum));
}

uint16_t internet_checksum(base::ByteView bytes) {
  return finish_sum(sum_words(bytes));
}

uint16_t update_checksum(uint16_t old_field, uint16_t old_word, uint16_t new_word) {
  const uint64_t sum = uint64_t{static_cast<uint16_t>(~old_field)} +
                       static_cast<uint16_t>(~old_word) + uint64_t{new_word};
  return finish_sum(sum);
}

uint64_t pseudo_header_sum_v4(const uint8_t* header, uint8_t protocol, uint32_t l4_bytes) {
  const uint64_t rest = uint64_t{protocol} + (l4_bytes >> 16) + (l4_bytes & 0xFFFF);
  return sum_words({header + kIpv4SourceOffset, 8}, rest);
}

uint64_t pseudo_header_sum_v6(const uint8_t* header, uint8_t protocol, uint32_t l4_bytes) {
  const uint64_t rest = uint64_t{protocol} + (l4_bytes >> 16) + (l4_bytes & 0xFFFF);
  return sum_words({header + 8, 32}, rest);
}

uint16_t l4_checksum(base::ByteView frame, const Layers& layers) {
  assert(layers.l4_offset != 0);
  const uint8_t* ip = frame.data + layers.l3_offset;
  const auto l4_bytes = static_cast<uint32_t>(layers.l4_bytes);
  uint64_t sum = 0;
  if (layers.ipv6) {
    sum = pseudo_header_sum_v6(ip, layers.protocol, l4_bytes);
  } else if (layers.protocol != kIpIcmp) {
    sum = pseudo_header_sum_v4(ip, layers.protocol, l4_bytes);
  }
  return finish_sum(sum_words(frame.sub(layers.l4_offset, layers.l4_bytes), sum));
}

uint32_t fcs(base::ByteView frame) {
  return libdeflate_crc32(0, frame.data, frame.size);
}

void store_fcs(uint8_t* p, uint32_t fcs_value) {
  base::store_le(p, fcs_value);
}

bool fcs_good(base::ByteView frame_with_fcs) {
  if (frame_with_fcs.size < kFcsBytes) return false;
  const size_t bytes = frame_with_fcs.size - kFcsBytes;
  return fcs(frame_with_fcs.sub(0, bytes)) == base::load_le<uint32_t>(frame_with_fcs.data + bytes);
}

unsigned enet_hash_index(const MacAddress& address) {
  // The hardware takes the six top bits of the shift register, that is, before the final inversion.
  return ~fcs({address.octets.data(), kMacBytes}) >> 26;
}

}  // namespace doorbell::net
