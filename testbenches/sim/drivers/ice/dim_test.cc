// Adaptive moderation: the hill climb by itself, and the registers it ends in.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/ice/ice_bench.h"

namespace doorbell::drivers::ice {
namespace {

using base::Picos;

constexpr int64_t kMs = 1000000000;

// Feeds measurements of one millisecond each.
struct Climb {
  // True: the profile changed.
  bool measure(uint64_t packets, uint64_t bytes, uint64_t events = 64) {
    now.at += Picos(kMs);
    now.packets += packets;
    now.bytes += bytes;
    now.events += events;
    const bool changed = dim.sample(now);
    if (changed) {
      dim.applied();
      dim.sample(now);  // begins the next measurement
    }
    return changed;
  }
  Climb() { dim.sample(now); }
  Dim dim;
  DimSample now;
};

TEST(Dim, StartsAtProfileOne) {
  Dim dim;
  EXPECT_EQ(dim.profile(), 1u);
}

TEST(Dim, WaitsFor64Events) {
  Climb c;
  EXPECT_FALSE(c.measure(1000, 60000, 63));
  EXPECT_EQ(c.dim.profile(), 1u);
  EXPECT_TRUE(c.measure(1000, 60000, 1));
}

TEST(Dim, FirstLoadLeavesTheParkingPlaceToTheLeft) {
  Climb c;
  EXPECT_TRUE(c.measure(1000, 60000));
  EXPECT_EQ(c.dim.profile(), 0u);
}

TEST(Dim, GoesOnWhileItGetsBetterAndParksOnTheEdge) {
  Climb c;
  c.measure(1000, 60000);
  ASSERT_EQ(c.dim.profile(), 0u);
  // Worse: turns, and climbs to the other end as long as every step is better.
  uint64_t packets = 900;
  unsigned profile = 0;
  for (unsigned want = 1; want < Dim::kProfiles; ++want) {
    EXPECT_TRUE(c.measure(packets, packets * 60)) << want;
    profile = c.dim.profile();
    EXPECT_EQ(profile, want);
    packets = want == 1 ? 1200 : packets * 12 / 10;
  }
  EXPECT_FALSE(c.measure(packets, packets * 60)) << "on the edge";
  EXPECT_EQ(c.dim.profile(), 4u);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(c.measure(packets, packets * 60)) << "parked";
}

TEST(Dim, TenPerCentIsNoChange) {
  Climb c;
  c.measure(1000, 60000);
  c.measure(900, 50000);  // worse
  const unsigned profile = c.dim.profile();
  // Same bytes, same packets, same events: not better, so it turns at once.
  EXPECT_TRUE(c.measure(900, 54000));
  EXPECT_NE(c.dim.profile(), profile);
}

TEST(Dim, FewerEventsAreBetterWhenTheLoadIsTheSame) {
  Climb c;
  c.measure(1000, 60000, 64);
  ASSERT_EQ(c.dim.profile(), 0u);
  // 64 events in one millisecond, then in four: the rates are the same, events per ms fewer.
  EXPECT_TRUE(c.measure(900, 54000, 64));
  ASSERT_EQ(c.dim.profile(), 1u) << "not better: turned right";
  c.now.at += Picos(3 * kMs);
  EXPECT_TRUE(c.measure(3600, 216000, 64));
  EXPECT_EQ(c.dim.profile(), 2u) << "fewer events: goes on";
}

// The rate is best at profile 2: it is found, kept, and left when the load changes.
TEST(Dim, FindsTheTopParksThereAndLeavesWhenTheLoadChanges) {
  Climb c;
  const uint64_t rate[Dim::kProfiles] = {1000, 1500, 2250, 1500, 1000};
  std::vector<unsigned> path;
  for (int i = 0; i < 6; ++i) {
    const uint64_t packets = rate[c.dim.profile()];
    c.measure(packets, packets * 60);
    path.push_back(c.dim.profile());
  }
  EXPECT_EQ(path, (std::vector<unsigned>{0, 1, 2, 3, 2, 2}));
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(c.measure(2250, 2250 * 60));
  EXPECT_TRUE(c.measure(500, 500 * 60));
  EXPECT_EQ(c.dim.profile(), 1u);
}

TEST(Dim, NothingHappensWhileAProfileIsBeingApplied) {
  Dim dim;
  DimSample now;
  dim.sample(now);
  now = {Picos(kMs), 1000, 60000, 64};
  EXPECT_TRUE(dim.sample(now));
  now = {Picos(2 * kMs), 5000, 600000, 256};
  EXPECT_FALSE(dim.sample(now));
  EXPECT_EQ(dim.profile(), 0u);
  dim.applied();
  EXPECT_FALSE(dim.sample(now)) << "this one only begins a measurement";
}

TEST(Dim, AnOldMeasurementIsThrownAway) {
  Climb c;
  c.dim.restart();
  EXPECT_FALSE(c.measure(1000, 60000)) << "began again";
  EXPECT_TRUE(c.measure(1000, 60000));
}

// --- In the driver.

IceDriverConfig adaptive() {
  IceDriverConfig c = IceBench::base_config();
  c.rx_itr = {true, 50};
  c.tx_itr = {true, 50};
  return c;
}

TEST(Moderation, AdaptiveStartsAtEightMicrosecondsAndFourOfRateLimit) {
  IceBench b(adaptive());
  b.start();
  EXPECT_EQ(b.host.register_value(reg::glint_itr(0, 1)), 4u);
  EXPECT_EQ(b.host.register_value(reg::glint_itr(1, 1)), 4u);
  EXPECT_EQ(b.host.register_value(reg::glint_rate(1)), 0x41u);
}

TEST(Moderation, StaticIsWhatTheConfigurationSays) {
  IceDriverConfig c = IceBench::base_config();
  c.rx_itr = {false, 30};
  c.tx_itr = {false, 100};
  c.intrl_micros = 20;
  IceBench b(c);
  b.start();
  EXPECT_EQ(b.host.register_value(reg::glint_itr(0, 1)), 15u);
  EXPECT_EQ(b.host.register_value(reg::glint_itr(1, 1)), 50u);
  EXPECT_EQ(b.host.register_value(reg::glint_rate(1)), 0x45u);
}

// One interrupt, one poll, one packet at a time.
TEST(Moderation, B24_ProfilesOfTheTablesReachTheTimer) {
  IceBench b(adaptive());
  b.start();
  std::vector<uint32_t> written;
  b.host.on_write(reg::glint_itr(0, 1), [&](uint32_t v) { written.push_back(v * 2); });
  for (int n = 0; n < 3000; ++n) {
    b.host.advance(Picos(1000000 * (1 + n / 300)));
    ASSERT_TRUE(b.receive(0, udp_frame()));
    b.service();
    b.vector_host(0).advance(Picos(0));
  }
  ASSERT_FALSE(written.empty());
  for (const uint32_t micros : written) {
    EXPECT_TRUE(micros == 2 || micros == 8 || micros == 16 || micros == 62 || micros == 126)
        << micros;
  }
  EXPECT_EQ(written.size() + 4, b.driver->statistics().itr_writes)
      << "2 static, 2 initial; transmit stood still";
  EXPECT_EQ(b.driver->statistics().dim_decisions, written.size());
}

TEST(Moderation, AMeasurementOfASecondAgoIsForgotten) {
  IceBench b(adaptive());
  b.start();
  for (int n = 0; n < 60; ++n) {
    b.receive(0, udp_frame());
    b.service();
  }
  b.host.advance(Picos(1100 * kMs));
  for (int n = 0; n < 10; ++n) {
    b.receive(0, udp_frame());
    b.service();
  }
  EXPECT_EQ(b.driver->statistics().dim_decisions, 0u) << "or it would have decided at 64";
}

TEST(Moderation, WorkIsCancelledByStop) {
  IceBench b(adaptive());
  b.start();
  for (int n = 0; n < 70; ++n) {
    b.host.advance(Picos(10000000));
    b.receive(0, udp_frame());
    b.service();
  }
  EXPECT_GE(b.vector_host(0).timers_pending(), 1u);
  b.driver->stop();
  EXPECT_EQ(b.vector_host(0).timers_pending(), 0u);
}

}  // namespace
}  // namespace doorbell::drivers::ice
