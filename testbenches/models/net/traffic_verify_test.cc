// A generator recognises its own frames, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "models/net/traffic.h"

namespace doorbell::net {
namespace {

using base::Picos;
using namespace base::literals;
using Frame = std::vector<uint8_t>;

std::unique_ptr<TrafficSource> make(const TrafficSpec& spec) {
  auto result = TrafficSource::create(spec);
  EXPECT_TRUE(result.ok()) << result.error();
  return result.take();
}

std::vector<Frame> take(TrafficSource& source, size_t n) {
  std::vector<Frame> out;
  for (size_t i = 0; i < n; ++i) {
    const base::ByteView b = source.peek()->bytes;
    out.emplace_back(b.begin(), b.end());
    source.pop();
  }
  return out;
}

Provenance verify(FrameOrigin& origin, const Frame& f) {
  return origin.verify({f.data(), f.size()});
}

TEST(TrafficVerify, KnowsEveryFrameOfEveryKind) {
  for (const TrafficKind kind :
       {TrafficKind::kFixed, TrafficKind::kImix, TrafficKind::kPoisson, TrafficKind::kBurst}) {
    TrafficSpec spec;
    spec.kind = kind;
    spec.rate_pps = 100'000;
    spec.flows = 50;
    spec.flow_order = FlowOrder::kRandom;
    spec.udp_checksum = kind == TrafficKind::kImix;
    if (kind == TrafficKind::kBurst) spec.vlan_pcp = 3;
    auto source = make(spec);
    for (uint64_t i = 0; i < 2000; ++i) {
      const Arrival a = *source->peek();
      const Frame f(a.bytes.begin(), a.bytes.end());
      source->pop();
      const Provenance p = verify(*source, f);
      ASSERT_TRUE(p.intact);
      ASSERT_TRUE(p.in_order);
      ASSERT_EQ(p.id, i);
      ASSERT_EQ(p.start, a.start);
    }
    EXPECT_EQ(source->verify_stats().intact, 2000u);
    EXPECT_EQ(source->verify_stats().corrupt, 0u);
  }
}

TEST(TrafficVerify, AllSizesHaveAllOctetsChecked) {
  for (uint32_t bytes = 64; bytes <= 90; ++bytes) {
    TrafficSpec spec;
    spec.frame_bytes = bytes;
    auto source = make(spec);
    auto frames = take(*source, 20);
    Frame& f = frames[13];
    for (size_t bit = 0; bit < f.size() * 8; ++bit) {
      f[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      ASSERT_FALSE(verify(*source, f).intact) << bytes << " B, bit " << bit;
      f[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    }
    EXPECT_TRUE(verify(*source, f).intact);
  }
}

TEST(TrafficVerify, EveryBitOfABigTaggedFrameWithChecksumAndFlows) {
  TrafficSpec spec;
  spec.frame_bytes = 1522;
  spec.vlan_pcp = 1;
  spec.flows = 7;
  spec.udp_checksum = true;
  auto source = make(spec);
  auto frames = take(*source, 20);
  Frame& f = frames[9];
  for (size_t bit = 0; bit < f.size() * 8; ++bit) {
    f[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    ASSERT_FALSE(verify(*source, f).intact) << "bit " << bit;
    f[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
  EXPECT_TRUE(verify(*source, f).intact);
  EXPECT_EQ(source->verify_stats().first_fault,
            "frame of 1518 B: its bytes are not those that were sent");
}

TEST(TrafficVerify, TailOfAnOlderFrameIsFound) {
  // What a lost DMA write or a stale cache line gives: head of one frame, tail of another.
  TrafficSpec spec;
  spec.frame_bytes = 1518;
  auto source = make(spec);
  auto frames = take(*source, 2);
  std::memcpy(&frames[1][1024], &frames[0][1024], 64);
  EXPECT_FALSE(verify(*source, frames[1]).intact);
}

TEST(TrafficVerify, AcceptsExchangedMacAddressesOnly) {
  auto source = make(TrafficSpec{});
  auto frames = take(*source, 3);
  std::swap_ranges(frames[0].begin(), frames[0].begin() + 6, frames[0].begin() + 6);
  EXPECT_TRUE(verify(*source, frames[0]).intact);
  std::copy_n(frames[1].begin(), 6, frames[1].begin() + 6);  // both the destination's
  EXPECT_FALSE(verify(*source, frames[1]).intact);
}

TEST(TrafficVerify, DuplicatesAreNotInOrder) {
  auto source = make(TrafficSpec{});
  auto frames = take(*source, 3);
  EXPECT_TRUE(verify(*source, frames[1]).in_order);
  const Provenance again = verify(*source, frames[1]);
  EXPECT_TRUE(again.intact);
  EXPECT_FALSE(again.in_order);
  EXPECT_EQ(source->verify_stats().duplicate, 1u);
  EXPECT_EQ(source->verify_stats().reordered, 0u);
}

TEST(TrafficVerify, LateFramesAreReorderedNotDuplicates) {
  auto source = make(TrafficSpec{});
  auto frames = take(*source, 4);
  for (const size_t i : {0u, 2u, 1u, 3u}) verify(*source, frames[i]);
  EXPECT_EQ(source->verify_stats().reordered, 1u);
  EXPECT_EQ(source->verify_stats().duplicate, 0u);
  EXPECT_EQ(source->verify_stats().intact, 4u);
}

TEST(TrafficVerify, FlowsMayOvertakeEachOther) {
  TrafficSpec spec;
  spec.flows = 2;
  auto source = make(spec);
  auto frames = take(*source, 6);
  for (const size_t i : {1u, 3u, 5u, 0u, 2u, 4u}) EXPECT_TRUE(verify(*source, frames[i]).in_order);
  EXPECT_EQ(source->verify_stats().reordered, 0u);
}

TEST(TrafficVerify, DropsDoNotDisturb) {
  auto source = make(TrafficSpec{});
  uint64_t delivered = 0;
  for (int i = 0; i < 300'000; ++i) {
    const base::ByteView b = source->peek()->bytes;
    const Frame f(b.begin(), b.end());
    source->pop();
    // Every fourth frame comes, but for a hole longer than the memory of recent frames.
    if (i % 4 != 0 || (i > 50'000 && i < 200'000)) continue;
    ++delivered;
    ASSERT_TRUE(verify(*source, f).in_order) << i;
  }
  EXPECT_EQ(source->verify_stats().intact, delivered);
}

TEST(TrafficVerify, ForeignAndFutureFramesAreCorrupt) {
  auto source = make(TrafficSpec{});
  TrafficSpec other_spec;
  other_spec.seed = 2;
  auto other = make(other_spec);
  take(*source, 2);
  const auto foreign = take(*other, 1);
  EXPECT_FALSE(verify(*source, foreign[0]).intact);  // other seed, other pattern
  auto twin = make(TrafficSpec{});
  const auto future = take(*twin, 6);
  EXPECT_TRUE(verify(*source, future[1]).intact);
  EXPECT_FALSE(verify(*source, future[5]).intact);
  EXPECT_FALSE(verify(*source, Frame(61)).intact);
  EXPECT_FALSE(verify(*source, Frame()).intact);
  EXPECT_EQ(source->verify_stats().corrupt, 4u);
}

TEST(TrafficVerify, StartOfOldFramesIsUnknown) {
  auto source = make(TrafficSpec{});
  auto frames = take(*source, 1);
  for (int i = 1; i < 65536; ++i) {
    source->peek();
    source->pop();
  }
  EXPECT_EQ(source->start_of(0), 0_ns);
  source->peek();
  EXPECT_EQ(source->start_of(0), base::kNever);
  EXPECT_EQ(source->start_of(65536), 672_ns * 65536);
  EXPECT_EQ(source->start_of(65537), base::kNever);
  const Provenance p = verify(*source, frames[0]);
  EXPECT_TRUE(p.intact);
  EXPECT_EQ(p.start, base::kNever);
}

TEST(TrafficVerify, CountsFramesThatShouldHaveBeenDropped) {
  TrafficSpec spec;
  spec.bad_fcs_every = 2;
  auto source = make(spec);
  for (const Frame& f : take(*source, 4)) verify(*source, f);
  EXPECT_EQ(source->verify_stats().flawed, 2u);
}

}  // namespace
}  // namespace doorbell::net
