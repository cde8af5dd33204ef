#include "models/net/rss.h"

#include <cassert>
#include <cstring>

namespace doorbell::net {

const RssKey kMicrosoftRssKey = {0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67,
                                 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
                                 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30,
                                 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa};

ToeplitzHash::ToeplitzHash(const RssKey& key) {
  for (size_t octet = 0; octet < kMaxInput; ++octet) {
    // The 40 key bits that the eight bits of this octet see through a 32-bit window.
    uint64_t window = 0;
    for (size_t i = 0; i < 5; ++i) window = window << 8 | key[octet + i];
    for (unsigned value = 0; value < 256; ++value) {
      uint32_t hash = 0;
      for (unsigned bit = 0; bit < 8; ++bit) {
        if ((value & (0x80u >> bit)) != 0) hash ^= static_cast<uint32_t>(window >> (8 - bit));
      }
      tables_[octet][value] = hash;
    }
  }
}

uint32_t ToeplitzHash::hash(base::ByteView input) const {
  assert(input.size <= kMaxInput);
  uint32_t out = 0;
  for (size_t i = 0; i < input.size; ++i) out ^= tables_[i][input.data[i]];
  return out;
}

uint32_t ToeplitzHash::hash_frame(base::ByteView frame, const Layers& layers) const {
  if (layers.l3_offset == 0) return 0;
  uint8_t input[kMaxInput];
  const size_t addresses = layers.ipv6 ? 32 : 8;
  const size_t offset = layers.l3_offset + (layers.ipv6 ? 8 : kIpv4SourceOffset);
  std::memcpy(input, frame.sub(offset, addresses).data, addresses);
  const bool ports = layers.l4_offset != 0 && !layers.fragment &&
                     (layers.protocol == kIpTcp || layers.protocol == kIpUdp);
  if (!ports) return hash({input, addresses});
  std::memcpy(input + addresses, frame.data + layers.l4_offset, 4);
  return hash({input, addresses + 4});
}

IndirectionTable::IndirectionTable(unsigned entries, unsigned queues)
    : entries_(entries), mask_(entries - 1) {
  assert(entries != 0 && (entries & mask_) == 0 && queues != 0);
  for (unsigned i = 0; i < entries; ++i) entries_[i] = i % queues;
}

}  // namespace doorbell::net
