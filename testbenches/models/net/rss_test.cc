#include "models/net/rss.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <vector>

namespace doorbell::net {
namespace {

struct Vector {
  const char* destination;
  const char* source;
  uint16_t destination_port;
  uint16_t source_port;
  uint32_t addresses_only;
  uint32_t with_ports;
};

// Microsoft, "Verifying the RSS hash calculation".
const Vector kIpv4[] = {
    {"161.142.100.80", "66.9.149.187", 1766, 2794, 0x323e8fc2, 0x51ccc178},
    {"65.69.140.83", "199.92.111.2", 4739, 14230, 0xd718262a, 0xc626b0ea},
    {"12.22.207.184", "24.19.198.95", 38024, 12898, 0xd2d0a5de, 0x5c2b394a},
    {"209.142.163.6", "38.27.205.30", 2217, 48228, 0x82989176, 0xafc7327f},
    {"202.188.127.2", "153.39.163.191", 1303, 44251, 0x5d1809c5, 0x10e828a2},
};
const Vector kIpv6[] = {
    {"3ffe:2501:200:3::1", "3ffe:2501:200:1fff::7", 1766, 2794, 0x2cc18cd5, 0x40207d3d},
    {"ff02::1", "3ffe:501:8::260:97ff:fe40:efab", 4739, 14230, 0x0f0c461c, 0xdde51bbf},
    {"fe80::200:f8ff:fe21:67cf", "3ffe:1900:4545:3:200:f8ff:fe21:67cf", 38024, 44251, 0x4b61e985,
     0x02d1feef},
};

std::vector<uint8_t> frame(const Vector& v, bool ipv6, uint8_t protocol) {
  const size_t l3 = 14;
  const size_t l4 = l3 + (ipv6 ? 40 : 20);
  std::vector<uint8_t> f(l4 + 20);
  if (ipv6) {
    base::store_be16(&f[12], kEtherTypeIpv6);
    f[l3] = 0x60;
    f[l3 + 5] = 20;
    f[l3 + 6] = protocol;
    EXPECT_EQ(inet_pton(AF_INET6, v.source, &f[l3 + 8]), 1);
    EXPECT_EQ(inet_pton(AF_INET6, v.destination, &f[l3 + 24]), 1);
  } else {
    base::store_be16(&f[12], kEtherTypeIpv4);
    f[l3] = 0x45;
    f[l3 + 3] = 40;
    f[l3 + 9] = protocol;
    EXPECT_EQ(inet_pton(AF_INET, v.source, &f[l3 + 12]), 1);
    EXPECT_EQ(inet_pton(AF_INET, v.destination, &f[l3 + 16]), 1);
  }
  base::store_be16(&f[l4], v.source_port);
  base::store_be16(&f[l4 + 2], v.destination_port);
  return f;
}

uint32_t hash(const std::vector<uint8_t>& f) {
  static const ToeplitzHash toeplitz;
  const base::ByteView bytes{f.data(), f.size()};
  return toeplitz.hash_frame(bytes, parse_layers(bytes));
}

TEST(Toeplitz, MicrosoftVectorsIpv4) {
  for (const Vector& v : kIpv4) {
    EXPECT_EQ(hash(frame(v, false, kIpTcp)), v.with_ports) << v.source;
    EXPECT_EQ(hash(frame(v, false, 99)), v.addresses_only) << v.source;
    auto fragment = frame(v, false, kIpTcp);
    fragment[20] = 0x20;
    EXPECT_EQ(hash(fragment), v.addresses_only) << v.source;
  }
}

TEST(Toeplitz, MicrosoftVectorsIpv6) {
  for (const Vector& v : kIpv6) {
    EXPECT_EQ(hash(frame(v, true, kIpTcp)), v.with_ports) << v.source;
    EXPECT_EQ(hash(frame(v, true, 99)), v.addresses_only) << v.source;
  }
}

TEST(Toeplitz, NotIpIsZero) {
  std::vector<uint8_t> f(60);
  base::store_be16(&f[12], kEtherTypeArp);
  EXPECT_EQ(hash(f), 0u);
}

TEST(IndirectionTable, StartsRoundRobinAndCanBeSet) {
  IndirectionTable table(8, 3);
  const unsigned want[] = {0, 1, 2, 0, 1, 2, 0, 1};
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(table.queue(0xABCDEF00u + i), want[i]);
  table.set(7, 2);
  EXPECT_EQ(table.queue(0xF), 2u);
  EXPECT_EQ(table.size(), 8u);
}

}  // namespace
}  // namespace doorbell::net
