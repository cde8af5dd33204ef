// A core that spins: whole steps up to a wake-up, and an account that does not wait for it.
#include <gtest/gtest.h>

#include "testbenches/models/host/core_bench.h"

namespace doorbell::host::test {
namespace {

TEST(CoreSpin, PassesWholeStepsUntilTheWakeUp) {
  Bench b;
  Core core(0, b.group);
  uint64_t steps = 0;
  Picos after;
  Script script([&](Core& c) {
    c.spend(15_ns, 0);
    steps = c.spin(10_ns, 3);
    after = c.now();
  });
  core.set_program(script);
  OneShot wake(b.calendar, 101_ns, [&] { core.wake(101_ns); });
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(steps, 9u) << "the ninth step ends at 105 ns";
  EXPECT_EQ(after, 105_ns);
  EXPECT_EQ(core.busy(3), 90_ns);
  EXPECT_EQ(core.busy(0), 15_ns);
  EXPECT_EQ(core.busy_total(), 105_ns);
}

TEST(CoreSpin, EndsExactlyAtAStepsEnd) {
  Bench b;
  Core core(0, b.group);
  Picos after;
  Script script([&](Core& c) {
    EXPECT_EQ(c.spin(10_ns, 3), 10u);
    after = c.now();
  });
  core.set_program(script);
  OneShot wake(b.calendar, 100_ns, [&] { core.wake(100_ns); });
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(after, 100_ns);
}

TEST(CoreSpin, AWakeUpThatIsDueIsNoStep) {
  Bench b;
  Core core(0, b.group);
  Script script([&](Core& c) {
    c.spend(50_ns, 0);
    c.wake(20_ns);
    EXPECT_EQ(c.spin(10_ns, 3), 0u);
    EXPECT_EQ(c.now(), 50_ns);
  });
  core.set_program(script);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(core.busy(3), 0_ns);
}

TEST(CoreSpin, IsBusyBeforeItIsWoken) {
  Bench b;
  Core core(0, b.group);
  std::vector<Picos> seen;
  Script script([&](Core& c) { c.spin(10_ns, 3); });
  core.set_program(script);
  OneShot look(b.calendar, 400_ns, [&] { seen = {core.busy(3), core.busy(2), core.busy_total()}; });
  OneShot wake(b.calendar, 1_us, [&] { core.wake(1_us); });
  sc_core::sc_start(fabric::to_sc(2_us));
  EXPECT_EQ(seen, (std::vector<Picos>{400_ns, 0_ns, 400_ns}));
  EXPECT_EQ(core.busy(3), 1_us);
}

TEST(CoreSpin, AnotherCoreWakesItInOrderOfTime) {
  Bench b;
  Core spinner(0, b.group);
  Core writer(1, b.group);
  Picos after;
  Script spin([&](Core& c) {
    c.spin(7_ns, 3);
    after = c.now();
    c.sync();
    b.log.push_back(stamp(c));
  });
  Script write([&](Core& c) {
    c.spend(300_ns, 0);
    c.meet();
    spinner.wake(c.now());
    c.spend(100_ns, 0);
    c.sync();
    b.log.push_back(stamp(c));
  });
  spinner.set_program(spin);
  writer.set_program(write);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(after, 301_ns);
  EXPECT_EQ(b.log, (std::vector<std::string>{"0@301", "1@400"}));
}

}  // namespace
}  // namespace doorbell::host::test
