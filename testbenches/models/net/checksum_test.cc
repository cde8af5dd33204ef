#include "models/net/checksum.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/base/random.h"

namespace doorbell::net {
namespace {

base::ByteView view(const std::vector<uint8_t>& v) {
  return {v.data(), v.size()};
}

// The definition, octet by octet.
uint16_t slow_checksum(const std::vector<uint8_t>& v) {
  uint32_t sum = 0;
  for (size_t i = 0; i < v.size(); i += 2) {
    sum += uint32_t{v[i]} << 8 | (i + 1 < v.size() ? v[i + 1] : 0u);
    sum = (sum & 0xFFFF) + (sum >> 16);
  }
  return static_cast<uint16_t>(~sum);
}

TEST(InternetChecksum, ExampleOfRfc1071) {
  const std::vector<uint8_t> v{0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
  EXPECT_EQ(internet_checksum(view(v)), 0xFFFF - 0xddf2);
}

TEST(InternetChecksum, AgreesWithItsDefinitionForAllLengths) {
  base::Stream stream(1, "checksum");
  for (size_t n = 0; n < 200; ++n) {
    std::vector<uint8_t> v(n);
    for (uint8_t& b : v) b = static_cast<uint8_t>(n % 3 == 0 ? 0xFF : stream.next());
    EXPECT_EQ(internet_checksum(view(v)), slow_checksum(v)) << n;
  }
}

TEST(InternetChecksum, PartsAddUp) {
  std::vector<uint8_t> v(101);
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<uint8_t>(37 * i);
  for (size_t cut = 0; cut < v.size(); cut += 2) {
    const uint64_t head = sum_words(view(v).sub(0, cut));
    EXPECT_EQ(finish_sum(sum_words(view(v).sub(cut, v.size() - cut), head)), slow_checksum(v));
  }
}

TEST(InternetChecksum, IncrementalUpdate) {
  // RFC 1624 section 4: field 0xDD2F, word 0x5555 -> 0x3285 gives 0x0000, not 0xFFFF.
  EXPECT_EQ(update_checksum(0xDD2F, 0x5555, 0x3285), 0x0000);
  std::vector<uint8_t> v(20);
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<uint8_t>(91 * i + 5);
  const uint16_t before = internet_checksum(view(v));
  const uint16_t old_word = base::load_be16(&v[8]);
  base::store_be16(&v[8], 0x3F11);
  EXPECT_EQ(update_checksum(before, old_word, 0x3F11), internet_checksum(view(v)));
}

TEST(L4Checksum, KnownIpv4Header) {
  // The header that RFC 791 tutorials use: 45 00 00 73 .. c0a80001 c0a800c7 has checksum b861.
  const std::vector<uint8_t> v{0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
                               0x00, 0x00, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};
  EXPECT_EQ(internet_checksum(view(v)), 0xb861);
}

// A frame with the pseudo-header sum done by hand: addresses 1.2.3.4 and 5.6.7.8, UDP 10 octets.
TEST(L4Checksum, UdpOverIpv4AgreesWithHandMadePseudoHeader) {
  std::vector<uint8_t> f(14 + 20 + 10);
  base::store_be16(&f[12], kEtherTypeIpv4);
  f[14] = 0x45;
  f[17] = 30;
  f[23] = kIpUdp;
  base::store_be32(&f[26], 0x01020304);
  base::store_be32(&f[30], 0x05060708);
  base::store_be16(&f[34], 1000);
  base::store_be16(&f[36], 2000);
  base::store_be16(&f[38], 10);
  f[42] = 0xAB;
  f[43] = 0xCD;
  const std::vector<uint8_t> pseudo{1,  2, 3,   4, 5,   6, 7,  8,    0,    17,   0,
                                    10, 3, 232, 7, 208, 0, 10, 0x00, 0x00, 0xAB, 0xCD};
  const Layers layers = parse_layers(view(f));
  const uint16_t field = l4_checksum(view(f), layers);
  EXPECT_EQ(field, slow_checksum(pseudo));
  base::store_be16(&f[40], field);
  EXPECT_EQ(l4_checksum(view(f), layers), 0);
  EXPECT_EQ(udp_checksum_field(0), 0xFFFF);
  EXPECT_EQ(udp_checksum_field(field), field);
}

TEST(L4Checksum, Icmpv6OverIpv6AgreesWithHandMadePseudoHeader) {
  std::vector<uint8_t> f(14 + 40 + 8);
  base::store_be16(&f[12], kEtherTypeIpv6);
  f[14] = 0x60;
  f[19] = 8;
  f[20] = kIpIcmpv6;
  for (size_t i = 0; i < 32; ++i) f[22 + i] = static_cast<uint8_t>(i * 11);
  f[54] = 128;
  f[61] = 9;
  std::vector<uint8_t> pseudo(f.begin() + 22, f.begin() + 54);
  pseudo.insert(pseudo.end(), {0, 0, 0, 8, 0, 0, 0, 58, 128, 0, 0, 0, 0, 0, 0, 9});
  EXPECT_EQ(l4_checksum(view(f), parse_layers(view(f))), slow_checksum(pseudo));
}

TEST(Fcs, CheckValueOfCrc32AndOrderOnTheWire) {
  const std::string digits = "123456789";
  const base::ByteView bytes{reinterpret_cast<const uint8_t*>(digits.data()), digits.size()};
  EXPECT_EQ(fcs(bytes), 0xCBF43926u);
  std::vector<uint8_t> with(digits.begin(), digits.end());
  with.resize(13);
  store_fcs(&with[9], fcs(bytes));
  EXPECT_EQ(with[9], 0x26);
  EXPECT_EQ(with[12], 0xCB);
  EXPECT_TRUE(fcs_good(view(with)));
  // The residue that receivers look for, IEEE 802.3: same for every good frame.
  EXPECT_EQ(fcs(view(with)), 0x2144DF1Cu);
  with[3] ^= 0x10;
  EXPECT_FALSE(fcs_good(view(with)));
  EXPECT_FALSE(fcs_good({with.data(), 3}));
}

TEST(EnetHash, VectorsOfTheFactSheet) {
  const std::pair<const char*, unsigned> vectors[] = {
      {"01:00:5e:00:00:01", 54}, {"33:33:00:00:00:01", 23}, {"01:80:c2:00:00:00", 58},
      {"01:00:5e:00:00:fb", 33}, {"01:1b:19:00:00:00", 47}, {"01:00:5e:00:01:81", 11}};
  for (const auto& [text, index] : vectors) {
    EXPECT_EQ(enet_hash_index(*MacAddress::parse(text)), index) << text;
  }
}

}  // namespace
}  // namespace doorbell::net
