// taprio: what is refused, starts, changes, the enable window; and the PTP clock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "testbenches/sim/drivers/tsnep/tsnep_bench.h"

namespace doorbell::drivers::tsnep {
namespace {

using ::testing::ElementsAre;

GateSchedule schedule(std::vector<GateEntry> entries, uint64_t extension = 0, uint64_t base = 0) {
  GateSchedule s;
  s.entries = std::move(entries);
  for (const GateEntry& e : s.entries) s.cycle_time += e.interval;
  s.cycle_extension = extension;
  s.base_time = base;
  return s;
}

const std::vector<GateEntry> kThree = {{1, 100000}, {2, 300000}, {0xFF, 600000}};

TEST(Gate, SchedulesThatAreRefused) {
  EXPECT_EQ(check(schedule({{1, 32}})), 0);
  EXPECT_EQ(check(schedule({{1, 31}})), -EINVAL);
  EXPECT_EQ(check(schedule({})), -EINVAL);
  EXPECT_EQ(check(schedule(std::vector<GateEntry>(255, {1, 32}))), 0);
  EXPECT_EQ(check(schedule(std::vector<GateEntry>(256, {1, 32}))), -ERANGE);
  EXPECT_EQ(check(schedule({{1, 100}}, 100)), -EINVAL);
  EXPECT_EQ(check(schedule({{1, 100}}, 99)), 0);
  GateSchedule s = schedule({{1, 100}, {2, 50}});
  s.cycle_time = 151;
  EXPECT_EQ(check(s), -EINVAL);
}

TEST(Gate, FirstStart) {
  EXPECT_EQ(first_start(schedule({{1, 1000}}, 0, 5000), 4999), 5000u);
  EXPECT_EQ(first_start(schedule({{1, 1000}}, 0, 5000), 5000), 6000u);
  EXPECT_EQ(first_start(schedule({{1, 1000}}, 0, 5), 10000), 10005u);
}

TEST(Gate, FirstListIsAWithStartBehindTheWindow) {
  TsnepBench b;
  b.start();
  EXPECT_EQ(b.host.register_value(0x0808), 0xFFFF0000u) << "all open at probe";
  b.gc_commands.clear();
  const uint64_t now = b.driver->ptp_time();
  ASSERT_EQ(b.driver->set_gate_schedule(schedule(kThree)), 0);
  EXPECT_EQ(b.host.register_value(0x2000), 1u);
  EXPECT_EQ(b.host.register_value(0x2004), 100000u);
  EXPECT_EQ(b.host.register_value(0x2008), 2u);
  EXPECT_EQ(b.host.register_value(0x2010), 0x800000FFu);
  EXPECT_EQ(b.host.register_value(0x2014), 600000u);
  EXPECT_THAT(b.gc_commands, ElementsAre(0x10, 0x02));
  const uint32_t start = b.host.register_value(0x080C);
  EXPECT_EQ(start % 1000000, 0u);
  EXPECT_GT(start, now + 131072);
  EXPECT_LE(start, now + 131072 + 1000000);
}

// Ends in the middle of operation 1, 200 us into it: that one is cut, 0 is the trigger.
TEST(Gate, ChangeCutsAnOperation) {
  GateList list;
  list.set(schedule(kThree), 1000000);
  const GateChange c = list.change_at(1000000 + 5 * 1000000 + 300000);
  EXPECT_EQ(c.trigger.index, 0u);
  EXPECT_EQ(c.trigger.properties, 1u | 1u << 29);
  EXPECT_EQ(c.inserted.index, 255u);
  EXPECT_EQ(c.inserted.properties, 2u | 1u << 30);
  EXPECT_EQ(c.inserted.interval, 200000u);
  EXPECT_EQ(c.time, 6000000u);
}

TEST(Gate, ChangeAtTheCyclesEndAndInsideTheExtension) {
  GateList list;
  list.set(schedule(kThree, 5000), 0);
  for (const uint32_t later : {0u, 4999u, 5000u}) {
    const GateChange c = list.change_at(4000000 + later);
    EXPECT_EQ(c.trigger.index, 1u);
    EXPECT_EQ(c.inserted.properties, 0xFFu | 1u << 30);
    EXPECT_EQ(c.inserted.interval, 600000u + later);
    EXPECT_EQ(c.time, 3100000u);
  }
  const GateChange cut = list.change_at(4005001);
  EXPECT_EQ(cut.trigger.index, 2u) << "of the cycle before, the list's last";
  EXPECT_EQ(cut.trigger.properties, 0xFFu | 1u << 31 | 1u << 29);
  EXPECT_EQ(cut.inserted.interval, 5001u);
  EXPECT_EQ(cut.time, 3400000u);
}

TEST(Gate, APieceBelow32NsGoesToTheOperationBefore) {
  GateList list;
  list.set(schedule(kThree), 0);
  const GateChange c = list.change_at(2000000 + 100000 + 31);
  EXPECT_EQ(c.inserted.properties, 1u | 1u << 30);
  EXPECT_EQ(c.inserted.interval, 100031u);
  EXPECT_EQ(c.trigger.index, 2u);
  EXPECT_EQ(list.change_at(2000000 + 100000 + 32).inserted.interval, 32u);
}

// Whatever the moment: trigger and inserted operation end there, and the trigger is known in time.
TEST(Gate, EveryChangeEndsWhereItShould) {
  for (const auto& entries :
       {kThree, std::vector<GateEntry>{{1, 1000}}, std::vector<GateEntry>{{1, 40}, {2, 33}}}) {
    GateList list;
    list.set(schedule(entries, 7), 500);
    const uint64_t cycle = schedule(entries).cycle_time;
    const uint64_t step = cycle / 97 + 1;
    for (uint64_t at = 500 + 3 * cycle; at < 500 + 4 * cycle; at += step) {
      const GateChange c = list.change_at(at);
      EXPECT_EQ(c.time + c.trigger.interval + c.inserted.interval, at);
      EXPECT_GE(c.inserted.interval, 32u);
      EXPECT_LE(at - c.time, list.change_limit() + 31);
      uint64_t begin = 0;
      for (unsigned i = 0; i < c.trigger.index; ++i) begin += entries[i].interval;
      EXPECT_EQ((c.time - 500) % cycle, begin) << at;
    }
  }
}

TEST(Gate, SecondScheduleGoesToTheOtherList) {
  TsnepBench b;
  b.start();
  ASSERT_EQ(b.driver->set_gate_schedule(schedule(kThree)), 0);
  b.host.advance(base::Picos(10000000000));
  b.gc_commands.clear();
  const uint64_t now = b.driver->ptp_time();
  ASSERT_EQ(b.driver->set_gate_schedule(schedule({{3, 400000}})), 0);
  EXPECT_EQ(b.host.register_value(0x2800), 0x80000003u);
  EXPECT_THAT(b.gc_commands, ElementsAre(0x10, 0x04));
  EXPECT_NE(b.host.register_value(0x2000 + 8 * 255) & 1u << 30, 0u);
  const uint32_t start = b.host.register_value(0x080C);
  EXPECT_GT(start, now + 131072 + 1000000) << "and the running list's three operations";
  EXPECT_LT(b.host.register_value(0x0810), start);
  EXPECT_GT(b.host.register_value(0x0810), now + 131072);
  b.gc_status = 0x08;
  EXPECT_EQ(b.driver->set_gate_schedule(schedule(kThree)), -EBUSY);
  b.gc_status = 0;
  b.gc_commands.clear();
  b.driver->clear_gate_schedule();
  EXPECT_THAT(b.gc_commands, ElementsAre(0x08));
}

TEST(Gate, LateEnableIsAcknowledgedAndTriedAgain) {
  TsnepBench b;
  b.start();
  b.gc_commands.clear();
  b.gc_refusals = 2;
  ASSERT_EQ(b.driver->set_gate_schedule(schedule(kThree)), 0);
  EXPECT_THAT(b.gc_commands, ElementsAre(0x10, 0x02, 0x02, 0x10, 0x02, 0x02, 0x10, 0x02));
  EXPECT_EQ(b.driver->statistics().gate_retries, 2u);
  b.driver->clear_gate_schedule();
  b.gc_refusals = 1000;
  EXPECT_EQ(b.driver->set_gate_schedule(schedule(kThree)), -EAGAIN);
}

TEST(Gate, StartTooFarAwayAndNoGateControl) {
  TsnepBench b;
  b.start();
  EXPECT_EQ(b.driver->set_gate_schedule(schedule(kThree, 0, uint64_t{1} << 33)), -EAGAIN);
  TsnepBench without;
  without.host.set_register(0, 1u << 16);
  without.start();
  EXPECT_EQ(without.driver->set_gate_schedule(schedule(kThree)), -EOPNOTSUPP);
}

TEST(Ptp, ReadsHighLowHighUntilStable) {
  TsnepBench b;
  b.start();
  unsigned reads = 0;
  b.host.on_read(0xC, [&] { return ++reads == 1 ? 4u : 5u; });
  b.host.on_read(0x8, [&] { return reads == 1 ? 0xFFFFFFFFu : 2u; });
  EXPECT_EQ(b.driver->ptp_time(), uint64_t{5} << 32 | 2);
}

TEST(Ptp, SetHighBeforeLow) {
  TsnepBench b;
  b.start();
  b.host.record(true);
  b.driver->set_ptp_time(0x1122334455667788);
  ASSERT_EQ(b.host.steps().size(), 2u);
  EXPECT_EQ(b.host.steps()[0].address, 0xCu);
  EXPECT_EQ(b.host.steps()[0].value, 0x11223344u);
  EXPECT_EQ(b.host.steps()[1].value, 0x55667788u);
}

// 1 ppm is 2^35 / 10^6 = 34359.7 units.
TEST(Ptp, Rate) {
  TsnepBench b;
  b.start();
  EXPECT_EQ(b.driver->adjust_ptp_rate(65536), 0);
  EXPECT_EQ(b.host.register_value(0x10), 34359u);
  EXPECT_EQ(b.driver->adjust_ptp_rate(-65536), 0);
  EXPECT_EQ(b.host.register_value(0x10), 34359u | 1u << 31);
  EXPECT_EQ(b.driver->adjust_ptp_rate(int64_t{62500} << 16), -ERANGE);
}

}  // namespace
}  // namespace doorbell::drivers::tsnep
