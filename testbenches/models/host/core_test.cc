// Cores: hardware events happen in order of local time, cores act in order of time, idle and wake.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/host/interrupts.h"
#include "testbenches/models/host/core_bench.h"

namespace doorbell::host::test {
namespace {

TEST(Core, SyncRunsHardwareUpToLocalTimeAndNoFurther) {
  Bench b;
  Core core(0, b.group);
  OneShot early(b.calendar, 10_ns, [&] { b.log.push_back("early"); });
  OneShot late(b.calendar, 30_ns, [&] { b.log.push_back("late"); });
  Script script([&](Core& c) {
    c.spend(20_ns, 0);
    b.log.push_back("before");
    c.sync();
    b.log.push_back("after");
  });
  core.set_program(script);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(b.log, (std::vector<std::string>{"before", "early", "after", "late"}));
  EXPECT_EQ(core.busy(0), 20_ns);
}

TEST(Core, CoresActInOrderOfTime) {
  Bench b;
  Core first(0, b.group);
  Core second(1, b.group);
  const auto body = [&](Picos step) {
    return [&b, step](Core& c) {
      for (int i = 0; i < 3; ++i) {
        c.spend(step, 0);
        c.sync();
        b.log.push_back(std::to_string(c.id()) + "@" + std::to_string(c.now().count() / 1000));
      }
    };
  };
  Script a(body(30_ns));
  Script z(body(20_ns));
  first.set_program(a);
  second.set_program(z);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(b.log, (std::vector<std::string>{"1@20", "0@30", "1@40", "1@60", "0@60", "0@90"}));
}

TEST(Core, IdleEndsAtTheWakeUp) {
  Bench b;
  Core core(0, b.group);
  OneShot irq(b.calendar, 500_ns, [&] { core.wake(520_ns); });
  Picos woke;
  Script script([&](Core& c) {
    c.idle();
    woke = c.now();
  });
  core.set_program(script);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(woke, 520_ns);
  EXPECT_EQ(core.busy_total(), 0_ns);
}

TEST(Core, AWakeUpStopsARunningCoreAtItsTime) {
  Bench b;
  Core worker(0, b.group);
  Core sleeper(1, b.group);
  OneShot irq(b.calendar, 50_ns, [&] { sleeper.wake(50_ns); });
  OneShot later(b.calendar, 70_ns, [&] { b.log.push_back("hardware 70"); });
  Script work([&](Core& c) {
    c.spend(100_ns, 0);
    c.sync();
    b.log.push_back("worker 100");
  });
  Script sleep([&](Core& c) {
    c.idle();
    b.log.push_back("sleeper " + std::to_string(c.now().count() / 1000));
    c.spend(10_ns, 0);
    c.sync();
    b.log.push_back("sleeper acts");
  });
  worker.set_program(work);
  sleeper.set_program(sleep);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(b.log,
            (std::vector<std::string>{"sleeper 50", "sleeper acts", "hardware 70", "worker 100"}));
}

TEST(Core, AWakeUpBeforeIdleIsNotLost) {
  Bench b;
  Core core(0, b.group);
  Picos woke;
  Script script([&](Core& c) {
    c.wake(40_ns);
    c.spend(10_ns, 0);
    c.idle();
    woke = c.now();
  });
  core.set_program(script);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(woke, 40_ns);
}

TEST(Core, TheKernelCatchesUpEveryQuantum) {
  Bench b(100_ns);
  Core core(0, b.group);
  Picos behind;
  Script script([&](Core& c) {
    for (int i = 0; i < 100; ++i) {
      c.spend(10_ns, 0);
      c.sync();
      behind = base::max(behind, c.now() - fabric::kernel_now());
    }
  });
  core.set_program(script);
  sc_core::sc_start(fabric::to_sc(2_us));
  EXPECT_LE(behind, 100_ns);
  EXPECT_EQ(core.now(), 1_us);
}

TEST(InterruptController, LevelLineIsPendingAfterLatencyUntilLowered) {
  Bench b;
  Core core(0, b.group);
  InterruptController controller(150_ns);
  controller.route(3, core);
  controller.set_level(3, true, 1_us);
  EXPECT_EQ(controller.pending(core, 10_us), -1) << "not enabled";
  controller.enable(3);
  EXPECT_EQ(controller.pending(core, 1_us), -1) << "still on its way";
  EXPECT_EQ(controller.next_arrival(core), 1_us + 150_ns);
  EXPECT_EQ(controller.pending(core, 1_us + 150_ns), 3);
  controller.set_level(3, false, 2_us);
  EXPECT_EQ(controller.pending(core, 10_us), -1);
  EXPECT_EQ(controller.next_arrival(core), base::kNever);
}

}  // namespace
}  // namespace doorbell::host::test

int sc_main(int, char**) {
  return 0;
}
