#include "models/net/frame.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace doorbell::net {
namespace {

using base::BitsPerSecond;
using base::Picos;
using namespace base::literals;

constexpr BitsPerSecond kGigabit{1'000'000'000};

TEST(WireTime, SlotsAtLineRateAreThoseOfTheStandard) {
  const OctetClock gigabit(kGigabit);
  EXPECT_EQ(gigabit.slot(60), 672_ns);
  EXPECT_EQ(gigabit.slot(590), 4912_ns);
  EXPECT_EQ(gigabit.slot(1514), 12304_ns);
  EXPECT_EQ(OctetClock(BitsPerSecond(100'000'000)).slot(60), 6720_ns);
  EXPECT_EQ(OctetClock(BitsPerSecond(100'000'000'000)).slot(60), 6720_ps);
  EXPECT_EQ(wire_time(kGigabit, 60), 576_ns);  // preamble to FCS
}

TEST(WireTime, OddRatesRoundDown) {
  // 84 octets at 3 Gb/s take 224 ns exactly; 85 take 226666.6 ps.
  const OctetClock clock(BitsPerSecond(3'000'000'000));
  EXPECT_EQ(clock.time(84), 224_ns);
  EXPECT_EQ(clock.time(85), 226666_ps);
}

TEST(MacAddress, ParsesAndFormats) {
  const auto mac = MacAddress::parse("02:00:5E:10:0a:ff");
  ASSERT_TRUE(mac.has_value());
  EXPECT_EQ(mac->text(), "02:00:5e:10:0a:ff");
  EXPECT_EQ(MacAddress::parse("02-00-5e-10-0a-ff"), mac);
  EXPECT_EQ(mac->as_u48(), 0xFF0A105E0002u);
  EXPECT_FALSE(mac->is_multicast());
  EXPECT_TRUE(MacAddress::broadcast().is_broadcast());
  EXPECT_TRUE(kPauseDestination.is_multicast());
  for (const char* bad : {"", "02:00:5e:10:0a", "02:00:5e:10:0a:f", "02:00:5e:10:0a:fg",
                          "02:00:5e:10:0a:ff:", "0200:5e:10:0a:ff0", "02 00 5e 10 0a ff"}) {
    EXPECT_FALSE(MacAddress::parse(bad).has_value()) << bad;
  }
}

std::vector<uint8_t> ipv4_frame(uint8_t protocol, size_t l4_bytes, bool tagged) {
  std::vector<uint8_t> f(12);
  if (tagged) f.insert(f.end(), {0x81, 0x00, 0xA0, 0x05});
  f.insert(f.end(), {0x08, 0x00, 0x45, 0});
  const size_t length = 20 + l4_bytes;
  f.insert(f.end(), {static_cast<uint8_t>(length >> 8), static_cast<uint8_t>(length), 0, 0, 0x40, 0,
                     64, protocol, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2});
  f.resize(f.size() + l4_bytes);
  if (f.size() < kMinFrameBytes) f.resize(kMinFrameBytes);
  return f;
}

TEST(ParseLayers, FindsIpv4UdpBehindATagAndIgnoresPadding) {
  const auto f = ipv4_frame(kIpUdp, 10, true);
  const Layers l = parse_layers({f.data(), f.size()});
  EXPECT_EQ(l.ether_type, kEtherTypeIpv4);
  EXPECT_TRUE(l.tagged);
  EXPECT_EQ(l.priority(), 5u);
  EXPECT_EQ(l.vlan_tci & 0xFFF, 5);
  EXPECT_EQ(l.l3_offset, 18u);
  EXPECT_EQ(l.l4_offset, 38u);
  EXPECT_EQ(l.l4_bytes, 10u);
  EXPECT_EQ(l.protocol, kIpUdp);
  EXPECT_FALSE(l.fragment);
}

TEST(ParseLayers, FragmentsShowPortsInTheFirstOnly) {
  auto f = ipv4_frame(kIpUdp, 30, false);
  f[20] = 0x20;  // more fragments, offset 0
  EXPECT_TRUE(parse_layers({f.data(), f.size()}).fragment);
  EXPECT_EQ(parse_layers({f.data(), f.size()}).l4_offset, 34u);
  f[21] = 1;
  EXPECT_TRUE(parse_layers({f.data(), f.size()}).fragment);
  EXPECT_EQ(parse_layers({f.data(), f.size()}).l4_offset, 0u);
}

TEST(ParseLayers, Ipv6) {
  std::vector<uint8_t> f(14 + 40 + 20);
  base::store_be16(&f[12], kEtherTypeIpv6);
  f[14] = 0x60;
  f[19] = 20;
  f[20] = kIpTcp;
  const Layers l = parse_layers({f.data(), f.size()});
  EXPECT_TRUE(l.ipv6);
  EXPECT_EQ(l.l3_offset, 14u);
  EXPECT_EQ(l.l4_offset, 54u);
  EXPECT_EQ(l.l4_bytes, 20u);
}

TEST(ParseLayers, CutOffOrWrongHeadersHaveNoLayer) {
  auto f = ipv4_frame(kIpTcp, 30, false);
  for (size_t n = 0; n <= f.size(); ++n) {
    std::vector<uint8_t> cut(f.begin(), f.begin() + static_cast<long>(n));  // exact, for ASan
    const Layers l = parse_layers({cut.data(), cut.size()});
    EXPECT_EQ(l.l3_offset, n >= 34 ? 14u : 0u) << n;
    EXPECT_EQ(l.l4_offset, n >= 54 ? 34u : 0u) << n;
  }
  f[14] = 0x44;  // header of 16 octets
  EXPECT_EQ(parse_layers({f.data(), f.size()}).l3_offset, 0u);
  f[14] = 0x65;  // version 6 under the type of version 4
  EXPECT_EQ(parse_layers({f.data(), f.size()}).l3_offset, 0u);
}

TEST(PauseFrame, GoldenBytes) {
  uint8_t f[kMinFrameBytes];
  make_pause_frame(*MacAddress::parse("02:00:5e:10:00:02"), 0x1234, f);
  const uint8_t head[] = {0x01, 0x80, 0xC2, 0x00, 0x00, 0x01, 0x02, 0x00, 0x5E, 0x10,
                          0x00, 0x02, 0x88, 0x08, 0x00, 0x01, 0x12, 0x34, 0x00};
  EXPECT_EQ(std::memcmp(f, head, sizeof(head)), 0);
  EXPECT_EQ(pause_quanta({f, sizeof(f)}), 0x1234);
  EXPECT_EQ(pause_time(kGigabit, 0xFFF0), 33546240_ns);
  f[15] = 2;  // another opcode
  EXPECT_FALSE(pause_quanta({f, sizeof(f)}).has_value());
  EXPECT_FALSE(pause_quanta({f, 17}).has_value());
}

}  // namespace
}  // namespace doorbell::net
