#include "sim/stack/net_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/hal/scripted/scripted_hal.h"
#include "testbenches/sim/stack/fake_device.h"

namespace doorbell::stack {
namespace {

using ::testing::ElementsAre;

constexpr base::Picos kSecond(1000000000000);

TEST(NetDevice, QueueStopAndWakeCountOnce) {
  hal::ScriptedHal host;
  hal::Hal hal = host.hal();
  FakeDevice d(hal);
  d.stop_queue(0);
  d.stop_queue(0);
  EXPECT_TRUE(d.queue(0).stopped);
  EXPECT_EQ(d.queue(0).stops, 1u);
  d.wake_queue(0);
  d.wake_queue(0);
  EXPECT_EQ(d.queue(0).wakes, 1u);
  d.stop_all_queues();
  EXPECT_TRUE(d.queue(1).stopped);
  d.wake_all_queues();
  EXPECT_FALSE(d.queue(1).stopped);
}

TEST(Watchdog, FiresForAStoppedQueueWithoutProgress) {
  hal::ScriptedHal host;
  hal::Hal hal = host.hal();
  FakeDevice d(hal);
  d.open();
  host.advance(5 * kSecond);
  EXPECT_TRUE(d.timeouts.empty());  // running queues have nothing to wait for
  d.note_transmit(1);
  d.stop_queue(1);
  host.advance(2 * kSecond - base::Picos(1));
  EXPECT_TRUE(d.timeouts.empty());
  host.advance(2 * kSecond);
  EXPECT_THAT(d.timeouts, ElementsAre(1));
  EXPECT_EQ(d.queue(1).timeouts, 1u);
}

TEST(Watchdog, ProgressPostponesIt) {
  hal::ScriptedHal host;
  hal::Hal hal = host.hal();
  FakeDevice d(hal);
  d.open();
  d.stop_queue(0);
  for (int i = 0; i < 20; ++i) {
    host.advance(base::Picos(500000000000));
    d.note_transmit(0);
  }
  EXPECT_TRUE(d.timeouts.empty());
}

TEST(Watchdog, SleepsWithoutCarrierOrWhenDown) {
  hal::ScriptedHal host;
  hal::Hal hal = host.hal();
  FakeDevice d(hal);
  EXPECT_EQ(host.timers_pending(), 0u);
  d.open();
  EXPECT_EQ(host.timers_pending(), 1u);
  d.stop_queue(0);
  d.stop();
  EXPECT_EQ(host.timers_pending(), 0u);
  host.advance(10 * kSecond);
  EXPECT_TRUE(d.timeouts.empty());
}

TEST(XdpCounts, EachVerdictHasItsCounter) {
  XdpCounts c;
  for (int v = 0; v < 6; ++v) c.count(static_cast<Verdict>(v));
  EXPECT_EQ(c.aborted, 1u);
  EXPECT_EQ(c.drop, 1u);
  EXPECT_EQ(c.pass, 1u);
  EXPECT_EQ(c.tx, 1u);
  EXPECT_EQ(c.redirect, 1u);
  EXPECT_EQ(c.unknown, 1u);
}

}  // namespace
}  // namespace doorbell::stack
