// Replays on hardware that has finished everything posted by the next poll: how many frames a ring
// of each size drops, how full it gets, and how soon a size that ethtool refuses stands still. The
// tables are those of an independent script of the same rules.
#include <gtest/gtest.h>

#include <algorithm>

#include "testbenches/sim/drivers/ice/ice_bench.h"

namespace doorbell::drivers::ice {
namespace {

using stack::Verdict;

constexpr unsigned kQueue = 1;

struct Replay {
  Replay(RsMode rs, uint32_t size, bool force)
      : program([this](stack::XdpBuff&, stack::XdpContext&) {
          peak = std::max(peak, b->driver->xdp_ring(0).used());
          return Verdict::kTx;
        }) {
    IceDriverConfig c = IceBench::with(&program, rs);
    c.tx_ring = size;
    c.force_ring_size = force;
    b = std::make_unique<IceBench>(c);
    b->start();
  }
  // Frames dropped by one poll of `frames`.
  uint64_t poll(int frames) {
    b->finish(kQueue);
    const uint64_t before = b->driver->statistics().tx_busy;
    for (int i = 0; i < frames; ++i) EXPECT_TRUE(b->receive(0, udp_frame()));
    b->poll();
    peak = std::max(peak, b->driver->xdp_ring(0).used());
    return b->driver->statistics().tx_busy - before;
  }
  uint32_t peak = 0;
  Custom program;
  std::unique_ptr<IceBench> b;
};

TEST(Replay, SeedDropsAndPeakBySize) {
  const struct {
    uint32_t size;
    uint64_t first;
    uint64_t later;
    uint32_t peak;
  } rows[] = {{64, 1, 32, 63},  {96, 0, 0, 64},   {128, 0, 0, 96},
              {160, 0, 0, 128}, {256, 0, 0, 224}, {512, 0, 0, 480}};
  for (const auto& row : rows) {
    Replay r(RsMode::kThreshold, row.size, false);
    EXPECT_EQ(r.poll(64), row.first) << row.size;
    for (int n = 0; n < 100; ++n) ASSERT_EQ(r.poll(64), row.later) << row.size << " poll " << n;
    EXPECT_EQ(r.peak, row.peak) << row.size;
  }
}

TEST(Replay, QuarterRuleDropsBySize) {
  for (const uint32_t size : {64u, 96u, 128u, 160u, 256u, 512u}) {
    Replay r(RsMode::kQuarter, size, false);
    for (int n = 0; n < 100; ++n) ASSERT_EQ(r.poll(64), size == 64 ? 1u : 0u) << size;
  }
}

TEST(Replay, ReportOnEachDropsOnlyWhenAPollFillsTheRing) {
  for (const uint32_t size : {64u, 96u, 256u}) {
    Replay r(RsMode::kEvery, size, false);
    for (int n = 0; n < 50; ++n) ASSERT_EQ(r.poll(64), size == 64 ? 1u : 0u) << size;
  }
}

TEST(Replay, SizesThatAreNoMultipleOf32StandStill) {
  const struct {
    uint32_t size;
    uint64_t sent;
    bool rs_outside;
    bool dd_outside;
  } rows[] = {{95, 158, true, true},    {100, 1731, true, false}, {127, 222, true, true},
              {240, 3151, true, false}, {250, 2265, true, false}, {255, 478, true, true}};
  for (const auto& row : rows) {
    Replay r(RsMode::kThreshold, row.size, true);
    for (int n = 0; n < 1000; ++n) r.poll(16);
    const IceStatistics& s = r.b->driver->statistics();
    EXPECT_EQ(s.tx_submitted, row.sent) << row.size;
    EXPECT_EQ(s.xdp_rs_outside_ring != 0, row.rs_outside) << row.size;
    EXPECT_EQ(s.xdp_dd_outside_ring != 0, row.dd_outside) << row.size;
    const uint64_t stuck = s.tx_submitted;
    for (int n = 0; n < 100; ++n) EXPECT_EQ(r.poll(16), 16u) << row.size;
    EXPECT_EQ(s.tx_submitted, stuck);
    r.b->expect_no_leaks();
  }
}

TEST(Replay, MultiplesOf32NeverStandStill) {
  for (const uint32_t size : {64u, 96u, 128u, 256u, 8160u}) {
    Replay r(RsMode::kThreshold, size, false);
    const int polls = size == 8160 ? 1200 : 600;
    for (int n = 0; n < polls; ++n) ASSERT_EQ(r.poll(16), 0u) << size;
    EXPECT_EQ(r.b->driver->statistics().xdp_rs_outside_ring, 0u);
  }
}

TEST(Replay, TheLaterRuleTakesAnySize) {
  for (const uint32_t size : {95u, 100u, 127u, 240u, 250u, 255u}) {
    Replay r(RsMode::kQuarter, size, true);
    for (int n = 0; n < 500; ++n) ASSERT_EQ(r.poll(16), 0u) << size;
  }
}

}  // namespace
}  // namespace doorbell::drivers::ice
