// When generated frames come and what they are.
#include "models/net/traffic.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "models/net/checksum.h"
#include "models/probe/digest.h"

namespace doorbell::net {
namespace {

using base::BitsPerSecond;
using base::Picos;
using namespace base::literals;

std::unique_ptr<TrafficSource> make(const TrafficSpec& spec) {
  auto result = TrafficSource::create(spec);
  EXPECT_TRUE(result.ok()) << result.error();
  return result.take();
}

std::vector<Picos> starts(TrafficSource& source, size_t n) {
  std::vector<Picos> out;
  for (size_t i = 0; i < n; ++i) {
    const Arrival* a = source.peek();
    if (a == nullptr) break;
    out.push_back(a->start);
    source.pop();
  }
  return out;
}

TEST(TrafficTime, LineRateOfTheThreeClassicSizes) {
  const std::pair<uint32_t, Picos> cases[] = {{64, 672_ns}, {594, 4912_ns}, {1518, 12304_ns}};
  for (const auto& [bytes, slot] : cases) {
    TrafficSpec spec;
    spec.frame_bytes = bytes;
    spec.start = 5_us;
    auto source = make(spec);
    const auto times = starts(*source, 1000);
    for (size_t i = 0; i < times.size(); ++i) {
      ASSERT_EQ(times[i], 5_us + slot * static_cast<int64_t>(i)) << bytes;
    }
  }
}

TEST(TrafficTime, FractionsOfAPicosecondDoNotDrift) {
  TrafficSpec spec;
  spec.link = BitsPerSecond(3'000'000'000);
  spec.frame_bytes = 65;  // 85 octets: 226666 2/3 ps
  auto source = make(spec);
  const auto times = starts(*source, 300001);
  EXPECT_EQ(times[1], 226666_ps);
  EXPECT_EQ(times[2], 453333_ps);
  EXPECT_EQ(times[3], 680_ns);
  EXPECT_EQ(times[300000], 680_ns * 100000);
}

TEST(TrafficTime, GivenRateIsMetExactlyOverSeconds) {
  TrafficSpec spec;
  spec.rate_pps = 353'607;
  auto source = make(spec);
  const auto times = starts(*source, 2 * 353'607 + 1);
  EXPECT_EQ(times[353'607], 1_s);
  EXPECT_EQ(times[2 * 353'607], 2_s);
  for (size_t i = 1; i < times.size(); ++i) {
    const int64_t gap = (times[i] - times[i - 1]).count();
    ASSERT_TRUE(gap == 2'827'998 || gap == 2'827'999) << gap;
  }
}

TEST(TrafficTime, CountAndEndStopTheSource) {
  TrafficSpec spec;
  spec.count = 3;
  auto source = make(spec);
  EXPECT_EQ(starts(*source, 10).size(), 3u);
  EXPECT_EQ(source->peek(), nullptr);
  EXPECT_EQ(source->emitted(), 3u);
  spec.count = UINT64_MAX;
  spec.end = 6720_ns;  // a frame at this very time is out
  source = make(spec);
  EXPECT_EQ(starts(*source, 100).size(), 10u);
}

TEST(TrafficTime, BurstsAtLineRateThenIdle) {
  TrafficSpec spec;
  spec.kind = TrafficKind::kBurst;
  spec.burst_frames = 3;
  spec.burst_gap = 10_us;
  auto source = make(spec);
  const auto times = starts(*source, 7);
  const Picos period = 672_ns * 3 + 10_us;
  EXPECT_EQ(times[2], 1344_ns);
  EXPECT_EQ(times[3], period);
  EXPECT_EQ(times[5], period + 1344_ns);
  EXPECT_EQ(times[6], period * 2);
}

TEST(TrafficTime, BurstsCanKeepAMeanRate) {
  TrafficSpec spec;
  spec.kind = TrafficKind::kBurst;
  spec.burst_frames = 7;
  spec.rate_pps = 300'000;
  auto source = make(spec);
  const auto times = starts(*source, 300'001 * 7);
  EXPECT_EQ(times[6], 672_ns * 6);
  EXPECT_EQ(times[7], 23'333'333_ps);
  EXPECT_EQ(times[7 * 300'000], 7_s);
}

TEST(TrafficTime, PoissonHasItsMeanAndNeverOverlaps) {
  TrafficSpec spec;
  spec.kind = TrafficKind::kPoisson;
  spec.rate_pps = 1'000'000;  // 67 % of what the wire carries
  auto source = make(spec);
  const auto times = starts(*source, 200'000);
  size_t touching = 0;
  for (size_t i = 1; i < times.size(); ++i) {
    ASSERT_GE(times[i] - times[i - 1], 672_ns);
    touching += times[i] - times[i - 1] == 672_ns ? 1 : 0;
  }
  EXPECT_NEAR(times.back().seconds(), 0.2, 0.002);
  // In a queue with Poisson arrivals the server is busy, and the next frame waits, with probability
  // equal to the load, 0.672.
  EXPECT_NEAR(static_cast<double>(touching) / 200'000, 0.672, 0.01);
}

TEST(TrafficTime, PoissonWithoutCrowdingIsExponential) {
  TrafficSpec spec;
  spec.kind = TrafficKind::kPoisson;
  spec.rate_pps = 1000;
  auto source = make(spec);
  const auto times = starts(*source, 50'000);
  double square = 0;
  for (size_t i = 1; i < times.size(); ++i) {
    const double gap = (times[i] - times[i - 1]).seconds() * 1000;
    square += gap * gap;
  }
  EXPECT_NEAR(square / 50'000, 2.0, 0.08);  // second moment of the exponential distribution
}

TEST(TrafficImix, SevenFourOneInEveryTwelve) {
  TrafficSpec spec;
  spec.kind = TrafficKind::kImix;
  auto source = make(spec);
  std::set<std::string> orders;
  Picos expected_start;
  for (int deck = 0; deck < 100; ++deck) {
    std::map<size_t, int> sizes;
    std::string order;
    for (int i = 0; i < 12; ++i) {
      const Arrival* a = source->peek();
      EXPECT_EQ(a->start, expected_start);
      expected_start += OctetClock(spec.link).slot(a->bytes.size);
      ++sizes[a->bytes.size + kFcsBytes];
      order += static_cast<char>('a' + a->bytes.size % 23);
      source->pop();
    }
    EXPECT_EQ(sizes, (std::map<size_t, int>{{64, 7}, {594, 4}, {1518, 1}}));
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 90u);  // shuffled anew each time
}

TEST(TrafficImix, KeepsAMeanRateAndTheWire) {
  TrafficSpec spec;
  spec.kind = TrafficKind::kImix;
  spec.rate_pps = 300'000;  // line rate is about 331 k
  auto source = make(spec);
  Picos free;
  for (int i = 0; i < 300'000; ++i) {
    const Arrival* a = source->peek();
    ASSERT_GE(a->start, free);
    free = a->start + OctetClock(spec.link).slot(a->bytes.size);
    source->pop();
  }
  EXPECT_NEAR(source->peek()->start.seconds(), 1.0, 1e-4);
}

TEST(TrafficFrame, HeadersAreRight) {
  TrafficSpec spec;
  spec.frame_bytes = 128;
  spec.udp_checksum = true;
  spec.flows = 3;
  for (const bool tagged : {false, true}) {
    if (tagged) spec.vlan_pcp = 6;
    spec.vlan_id = 0x123;
    auto source = make(spec);
    for (uint32_t i = 0; i < 9; ++i) {
      const base::ByteView f = source->peek()->bytes;
      ASSERT_EQ(f.size, 124u);
      const Layers l = parse_layers(f);
      EXPECT_EQ(l.tagged, tagged);
      EXPECT_EQ(l.vlan_tci, tagged ? 0xC123 : 0);
      EXPECT_EQ(l.protocol, kIpUdp);
      EXPECT_EQ(l.l4_bytes, f.size - l.l4_offset);
      EXPECT_EQ(internet_checksum(f.sub(l.l3_offset, kIpv4HeaderBytes)), 0);
      EXPECT_EQ(l4_checksum(f, l), 0);
      EXPECT_NE(base::load_be16(f.data + l.l4_offset + kUdpChecksumOffset), 0);
      EXPECT_EQ(base::load_be16(f.data + l.l4_offset), 1024 + i % 3);
      EXPECT_EQ(MacAddress::from(f.data), spec.destination);
      EXPECT_EQ(MacAddress::from(f.data + 6), spec.source);
      source->pop();
    }
  }
}

TEST(TrafficFrame, GoldenFirstFrame) {
  auto source = make(TrafficSpec{});
  const base::ByteView f = source->peek()->bytes;
  const uint8_t head[] = {0x02, 0x00, 0x5e, 0x10, 0x00, 0x01, 0x02, 0x00,
                          0x5e, 0x10, 0x00, 0x02, 0x08, 0x00,  // MACs
                          0x45, 0x00, 0x00, 0x2e, 0x00, 0x00, 0x40, 0x00,
                          0x40, 0x11, 0xae, 0x97,                          // IPv4
                          0xc6, 0x12, 0x00, 0x01, 0xc6, 0x13, 0x00, 0x01,  // addresses
                          0x04, 0x00, 0x12, 0xb7, 0x00, 0x1a, 0x00, 0x00,  // UDP
                          0,    0,    0,    0,    0,    0,    0,    0,
                          0,    0,    0,    0};  // sequence number and flow
  ASSERT_EQ(f.size, 60u);
  for (size_t i = 0; i < sizeof(head); ++i) EXPECT_EQ(f[i], head[i]) << "octet " << i;
  EXPECT_EQ(internet_checksum(f.sub(14, 20)), 0);
}

TEST(TrafficFlows, ManyFlowsDifferInPortThenAddress) {
  TrafficSpec spec;
  spec.flows = 40'000;
  auto source = make(spec);
  std::set<uint64_t> seen;
  for (uint32_t i = 0; i < spec.flows; ++i) {
    const base::ByteView f = source->peek()->bytes;
    EXPECT_EQ(internet_checksum(f.sub(14, 20)), 0);
    seen.insert(uint64_t{base::load_be32(f.data + 26)} << 16 | base::load_be16(f.data + 34));
    source->pop();
  }
  EXPECT_EQ(seen.size(), spec.flows);
}

TEST(TrafficFlows, RandomOrderFollowsTheSeed) {
  TrafficSpec spec;
  spec.flows = 64;
  spec.flow_order = FlowOrder::kRandom;
  std::vector<uint16_t> ports[3];
  for (int run = 0; run < 3; ++run) {
    spec.seed = run == 2 ? 99 : 5;
    auto source = make(spec);
    for (int i = 0; i < 200; ++i) {
      ports[run].push_back(base::load_be16(source->peek()->bytes.data + 34));
      source->pop();
    }
  }
  EXPECT_EQ(ports[0], ports[1]);
  EXPECT_NE(ports[0], ports[2]);
  EXPECT_GT(std::set<uint16_t>(ports[0].begin(), ports[0].end()).size(), 50u);
}

TEST(TrafficFrame, SameSpecSameFramesInEveryBuild) {
  TrafficSpec spec;
  spec.kind = TrafficKind::kImix;
  spec.rate_pps = 123'457;
  spec.flows = 1000;
  spec.flow_order = FlowOrder::kRandom;
  spec.udp_checksum = true;
  spec.seed = 42;
  auto source = make(spec);
  probe::Digest digest;
  for (int i = 0; i < 10'000; ++i) {
    const Arrival* a = source->peek();
    digest.add_frame(a->start, a->bytes);
    source->pop();
  }
  EXPECT_EQ(digest.hex(),
            "8c98f01b51f5ba24");  // pinned: a change here changes the digests of all runs
}

TEST(TrafficFlaws, EveryNthFrameHasABadFcs) {
  TrafficSpec spec;
  spec.bad_fcs_every = 3;
  auto source = make(spec);
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(source->peek()->flaws, i % 3 == 2 ? kBadFcs : 0) << i;
    source->pop();
  }
}

TEST(TrafficSpec, RefusesWhatCannotBeSent) {
  const auto message = [](auto change) {
    TrafficSpec spec;
    change(spec);
    const auto result = TrafficSource::create(spec);
    return result.ok() ? std::string("accepted") : result.error();
  };
  EXPECT_EQ(
      message([](TrafficSpec& s) { s.rate_pps = 1'488'096; }),
      "traffic.rate = 1488096 pps: a link of 1000000000 b/s carries at most 1488095 pps of these "
      "frames");
  EXPECT_EQ(message([](TrafficSpec& s) { s.rate_pps = 1'488'095; }), "accepted");
  EXPECT_EQ(message([](TrafficSpec& s) { s.frame_bytes = 63; }),
            "traffic.frame = 63 B: 64 B to 9732 B, FCS included");
  EXPECT_EQ(message([](TrafficSpec& s) { s.frame_bytes = 9733; }),
            "traffic.frame = 9733 B: 64 B to 9732 B, FCS included");
  EXPECT_EQ(message([](TrafficSpec& s) { s.flows = 0; }), "traffic.flows = 0: 1 to 1048576");
  EXPECT_EQ(message([](TrafficSpec& s) {
              s.flows = 100;
              s.source_port = 65500;
            }),
            "traffic.source_port = 65500: 100 flows need it to be at most 65436");
  EXPECT_EQ(message([](TrafficSpec& s) { s.vlan_pcp = 8; }), "traffic.vlan_pcp = 8: 0 to 7");
  EXPECT_EQ(message([](TrafficSpec& s) { s.kind = TrafficKind::kPoisson; }),
            "traffic.rate = line: kind \"poisson\" needs a mean rate in pps");
  EXPECT_EQ(message([](TrafficSpec& s) { s.kind = TrafficKind::kBurst; }),
            "traffic.gap = 0: kind \"burst\" needs a gap or a rate");
  EXPECT_EQ(message([](TrafficSpec& s) {
              s.kind = TrafficKind::kBurst;
              s.burst_gap = 1_us;
              s.rate_pps = 5;
            }),
            "traffic.gap = 1000000 ps: give a gap or a rate, not both");
  EXPECT_EQ(message([](TrafficSpec& s) { s.start = Picos(-5); }),
            "traffic.start = -5 ps: 0 s to 2592000 s");
  EXPECT_EQ(message([](TrafficSpec& s) { s.start = base::kNever; }),
            "traffic.start = 9223372036854775807 ps: 0 s to 2592000 s");
  EXPECT_EQ(message([](TrafficSpec& s) { s.vlan_id = 4095; }), "traffic.vlan_id = 4095: 0 to 4094");
  EXPECT_EQ(message([](TrafficSpec& s) {
              s.kind = TrafficKind::kBurst;
              s.burst_frames = 0;
            }),
            "traffic.burst = 0: 1 to 1048576 frames");
  EXPECT_EQ(message([](TrafficSpec& s) { s.link = BitsPerSecond(0); }),
            "traffic.link = 0 b/s: more than zero");
}

}  // namespace
}  // namespace doorbell::net
