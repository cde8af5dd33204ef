// What a core does next: interrupts, NAPI rules, softirq budget, timers, idle.
#include <gtest/gtest.h>

#include <string>

#include "testbenches/sim/hal/simulated/bench.h"

namespace doorbell::hal::test {
namespace {

struct Device : IrqHandler, NapiPoll, Work {
  explicit Device(Bench& bench) : b(bench) {}
  bool handle_irq(unsigned line) override {
    ++irqs;
    irq_line = line;
    irq_at = b.hal.cpu.now();
    if (claim) {
      b.machine.interrupts().set_level(32 + line, false, b.hal.cpu.now());
    }
    return claim && b.hal.napi.schedule();
  }
  int poll(int budget) override {
    ++polls;
    const int done = std::min(budget, backlog);
    backlog -= done;
    b.hal.cpu.delay(100_ns * done);
    if (done < budget) {
      b.hal.napi.complete(done);
    }
    return done;
  }
  void run_work() override { worked_at.push_back(b.hal.cpu.now()); }

  Bench& b;
  int irqs = 0;
  unsigned irq_line = 99;
  Picos irq_at;
  bool claim = true;
  int polls = 0;
  int backlog = 0;
  std::vector<Picos> worked_at;
};

struct Raise {
  base::Event event;
  Bench& b;
  unsigned line;
  Raise(Bench& bench, unsigned l, Picos at) : b(bench), line(l) {
    event.bind<&Raise::fire>(*this);
    b.machine.calendar().schedule(event, at);
  }
  void fire() { b.machine.interrupts().set_level(32 + line, true, b.machine.calendar().now()); }
};

TEST(Executive, InterruptReachesItsHandlerAfterTheLatency) {
  Bench b;
  Device device(b);
  Raise raise(b, 2, 10_us);
  b.run([&] {
    b.hal.napi.add(device, 64);
    b.hal.napi.enable();
    b.hal.irq.request(2, device);
  });
  EXPECT_EQ(device.irqs, 1);
  EXPECT_EQ(device.irq_line, 2u);
  EXPECT_EQ(device.irq_at, 10_us + 150_ns + 1_ns + 500_ps) << "latency, idle exit, half the entry";
  EXPECT_EQ(device.polls, 1);
}

TEST(Executive, FullBudgetKeepsPollingAndAnEmptyRingEndsIt) {
  Bench b;
  Device device(b);
  device.backlog = 64 * 3 + 5;
  Raise raise(b, 0, 1_us);
  b.run([&] {
    b.hal.napi.add(device, 64);
    b.hal.napi.enable();
    b.hal.irq.request(0, device);
  });
  EXPECT_EQ(device.polls, 4);
  EXPECT_EQ(device.backlog, 0);
  EXPECT_TRUE(b.machine.executive(0).quiescent());
}

TEST(Executive, LongBacklogMovesToKsoftirqd) {
  Bench b;
  Device device(b);
  device.backlog = 30000;
  Raise raise(b, 0, 1_us);
  b.run(
      [&] {
        b.hal.napi.add(device, 64);
        b.hal.napi.enable();
        b.hal.irq.request(0, device);
      },
      10_ms);
  EXPECT_EQ(device.backlog, 0);
  EXPECT_EQ(b.machine.op_counts()[static_cast<size_t>(Op::kKsoftirqd)], 2u) << "there and back";
}

TEST(Executive, ScheduleTwiceRunsOnceAndMissedIsNotLost) {
  Bench b;
  Device device(b);
  bool first = false;
  bool second = true;
  bool completed = true;
  b.run([&] {
    b.hal.napi.add(device, 64);
    EXPECT_FALSE(b.hal.napi.schedule()) << "disabled";
    b.hal.napi.enable();
    first = b.hal.napi.schedule();
    second = b.hal.napi.schedule();
    completed = b.hal.napi.complete(0);
  });
  EXPECT_TRUE(first);
  EXPECT_FALSE(second);
  EXPECT_FALSE(completed) << "a schedule during polling asks for another round";
  EXPECT_GE(device.polls, 1);
}

TEST(Executive, DisabledNapiIsNotPolled) {
  Bench b;
  Device device(b);
  b.run([&] {
    b.hal.napi.add(device, 64);
    b.hal.napi.enable();
    b.hal.napi.schedule();
    b.hal.napi.disable();
  });
  EXPECT_EQ(device.polls, 0);
}

TEST(Executive, WorkRunsAtItsTimeMovesAndCancels) {
  Bench b;
  Device moved(b);
  Device cancelled(b);
  b.run([&] {
    b.hal.timers.schedule(moved, 10_us);
    b.hal.timers.schedule(moved, 50_us);
    b.hal.timers.schedule(cancelled, 20_us);
    b.hal.timers.cancel(cancelled);
  });
  ASSERT_EQ(moved.worked_at.size(), 1u);
  EXPECT_EQ(moved.worked_at[0], 50_us + 1_ns) << "after leaving idle";
  EXPECT_TRUE(cancelled.worked_at.empty());
}

TEST(Executive, AnInterruptNobodyClaimsIsShutOff) {
  Bench b;
  Device device(b);
  device.claim = false;
  Raise raise(b, 0, 1_us);
  b.run([&] { b.hal.irq.request(0, device); }, 10_ms);
  EXPECT_EQ(device.irqs, 99901);
  EXPECT_EQ(b.machine.executive(0).spurious(), 99901u);
}

TEST(Executive, TwoCoresShareHardwareTimeInOrder) {
  Bench b(machine_config(2));
  std::vector<std::string> log;
  const auto body = [&](Picos step, const char* name) {
    return [&, step, name] {
      for (int i = 0; i < 3; ++i) {
        b.machine.running().spend(step, 0);
        b.hal.mmio.write32(0x10, static_cast<uint32_t>(i));
        log.push_back(name);
      }
    };
  };
  b.machine.executive(1).set_boot(body(300_ns, "slow"));
  b.run(body(100_ns, "fast"));
  EXPECT_EQ(log, (std::vector<std::string>{"fast", "fast", "slow", "fast", "slow", "slow"}));
}

}  // namespace
}  // namespace doorbell::hal::test
