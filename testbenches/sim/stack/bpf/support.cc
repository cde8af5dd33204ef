#include "support.h"

namespace doorbell::stack::bpf {

uint16_t sum16(const uint8_t* p, size_t bytes, uint32_t start) {
  uint32_t sum = start;
  for (size_t i = 0; i + 1 < bytes; i += 2) sum += base::load_be16(p + i);
  if (bytes % 2 != 0) sum += static_cast<uint32_t>(p[bytes - 1]) << 8;
  while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

std::vector<uint8_t> make_frame(const FrameSpec& spec) {
  std::vector<uint8_t> f = {0x02, 0, 0, 0, 0, 0xB1, 0x02, 0, 0, 0, 0, 0xA1};
  const auto put16 = [&f](uint16_t v) {
    f.push_back(static_cast<uint8_t>(v >> 8));
    f.push_back(static_cast<uint8_t>(v));
  };
  const auto put32 = [&](uint32_t v) {
    put16(static_cast<uint16_t>(v >> 16));
    put16(static_cast<uint16_t>(v));
  };
  for (uint16_t i = 0; i < spec.vlans; ++i) {
    put16(0x8100);
    put16(static_cast<uint16_t>(100 + i));
  }
  put16(spec.ipv6 ? 0x86DD : 0x0800);
  const size_t l3 = f.size();
  const size_t l4_bytes = spec.bytes - l3 - (spec.ipv6 ? 40 : 20);
  if (spec.ipv6) {
    put32(0x60000000);
    put16(static_cast<uint16_t>(l4_bytes));
    f.push_back(spec.protocol);
    f.push_back(spec.ttl);
    for (uint8_t i = 0; i < 32; ++i) f.push_back(i);
  } else {
    put16(0x4500);
    put16(static_cast<uint16_t>(20 + l4_bytes));
    put32(0x00014000);
    f.push_back(spec.ttl);
    f.push_back(spec.protocol);
    put16(0);
    put32(spec.source);
    put32(spec.destination);
    base::store_be16(f.data() + l3 + 10, static_cast<uint16_t>(~sum16(f.data() + l3, 20)));
  }
  const size_t l4 = f.size();
  put16(spec.source_port);
  put16(spec.destination_port);
  f.resize(spec.bytes);
  for (size_t i = l4 + 20; i < f.size(); ++i) f[i] = static_cast<uint8_t>(i);
  size_t check = 0;
  if (spec.protocol == 17) {
    base::store_be16(f.data() + l4 + 4, static_cast<uint16_t>(l4_bytes));
    check = l4 + 6;
  } else if (spec.protocol == 6) {
    f[l4 + 12] = 0x50;
    check = l4 + 16;
  }
  if (check != 0 && !spec.ipv6) {
    const uint32_t pseudo =
        sum16(f.data() + l3 + 12, 8, spec.protocol + static_cast<uint32_t>(l4_bytes));
    base::store_be16(f.data() + check,
                     static_cast<uint16_t>(~sum16(f.data() + l4, l4_bytes, pseudo)));
  }
  return f;
}

}  // namespace doorbell::stack::bpf
