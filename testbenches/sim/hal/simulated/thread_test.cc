// A core's thread against the rest of the operating system: who runs when, and at whose cost.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "testbenches/sim/hal/simulated/bench.h"

namespace doorbell::hal::test {
namespace {

struct Thread : Task {
  explicit Thread(std::function<void(Process&)> f) : body(std::move(f)) {}
  void run_task(Process& process) override { body(process); }
  std::function<void(Process&)> body;
};

// Polls until its backlog is gone, 100 ns a packet.
struct Poller : NapiPoll, IrqHandler {
  Poller(Bench& bench, Hal view) : b(bench), hal(view) {
    hal.napi.add(*this, 64);
    hal.napi.enable();
  }
  int poll(int budget) override {
    polled_on = hal.cpu.id();
    polled_at.push_back(hal.cpu.now());
    const int done = std::min(budget, backlog);
    backlog -= done;
    hal.cpu.delay(100_ns * done);
    if (done < budget) completed.push_back(hal.napi.complete(done));
    return done;
  }
  bool handle_irq(unsigned line) override {
    irq_at.push_back(hal.cpu.now());
    backlog += irq_backlog;
    b.machine.interrupts().set_level(32 + line, false, hal.cpu.now());
    hal.napi.schedule();
    return true;
  }
  Bench& b;
  Hal hal;
  int backlog = 0;
  int irq_backlog = 0;  // comes with each interrupt
  unsigned polled_on = 99;
  std::vector<Picos> polled_at;
  std::vector<Picos> irq_at;
  std::vector<bool> completed;
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

// Spins in steps of 1 us until `end`.
void spin_until(Bench& b, Process& process, Picos end) {
  while (b.hal.cpu.now() < end) {
    b.hal.cpu.delay(1_us);
    process.preempt();
  }
}

TEST(Thread, RunsOnItsCoreAndEnds) {
  Bench b(machine_config(2));
  unsigned core = 99;
  bool done = false;
  Thread thread([&](Process& process) {
    core = b.hal.cpu.id();
    EXPECT_EQ(process.cpu(), 1u);
    done = true;
  });
  b.run([&] { b.machine.process(1).start(thread); });
  EXPECT_TRUE(done);
  EXPECT_EQ(core, 1u);
  EXPECT_TRUE(b.machine.executive(1).quiescent());
}

TEST(Thread, AnInterruptComesInAtAPreemptAndItsSoftirqRunsThere) {
  Bench b;
  Poller poller(b, b.hal);
  poller.backlog = 10;
  Raise raise(b, 0, 10_us);
  Picos end;
  Thread thread([&](Process& process) {
    b.hal.cpu.delay(50_us);
    EXPECT_TRUE(poller.irq_at.empty());
    process.preempt();
    end = b.hal.cpu.now();
  });
  b.run([&] {
    b.hal.irq.request(0, poller);
    b.machine.process(0).start(thread);
  });
  ASSERT_EQ(poller.irq_at.size(), 1u);
  EXPECT_GE(poller.irq_at[0], 50_us);
  ASSERT_EQ(poller.polled_at.size(), 1u);
  EXPECT_EQ(poller.backlog, 0);
  EXPECT_GE(end, 51_us) << "the thread pays with its time";
}

// napi_schedule() in a system call raises the softirq and does not run it: that is for the end of
// the next interrupt.
TEST(Thread, ASoftirqOfProcessContextWaitsForTheTick) {
  Bench b;
  Poller poller(b, b.hal);
  Thread thread([&](Process& process) {
    b.hal.cpu.delay(100_us);
    b.hal.napi.schedule();
    spin_until(b, process, 9_ms);
  });
  b.run([&] { b.machine.process(0).start(thread); }, 10_ms);
  ASSERT_EQ(poller.polled_at.size(), 1u);
  EXPECT_GE(poller.polled_at[0], 4_ms);
  EXPECT_LT(poller.polled_at[0], 4_ms + 2_us);
  EXPECT_EQ(b.machine.executive(0).ticks(), 2u) << "at 4 and 8 ms";
}

TEST(Thread, OrForAnInterrupt) {
  Bench b;
  Poller poller(b, b.hal);
  Raise raise(b, 3, 700_us);
  Thread thread([&](Process& process) {
    b.hal.napi.schedule();
    spin_until(b, process, 1_ms);
  });
  b.run([&] {
    b.hal.irq.request(3, poller);
    b.machine.process(0).start(thread);
  });
  ASSERT_FALSE(poller.polled_at.empty());
  EXPECT_GE(poller.polled_at[0], 700_us);
  EXPECT_LT(poller.polled_at[0], 703_us);
}

TEST(Thread, OrForBhEnable) {
  Bench b;
  Poller poller(b, b.hal);
  Thread thread([&](Process& process) {
    b.hal.cpu.delay(100_us);
    b.hal.napi.schedule();
    process.preempt();
    EXPECT_TRUE(poller.polled_at.empty());
    process.bh_enable();
    EXPECT_EQ(poller.polled_at.size(), 1u);
  });
  b.run([&] { b.machine.process(0).start(thread); });
  EXPECT_LT(poller.polled_at.at(0), 101_us);
}

TEST(Thread, OrForTheDriversOwnBhEnable) {
  Bench b(machine_config(2));
  Poller poller(b, b.hal);
  Thread thread([&](Process&) {
    b.hal.napi.schedule();
    b.hal.napi.bh_enable();
    EXPECT_EQ(poller.polled_at.size(), 1u);
  });
  b.run([&] { b.machine.process(1).start(thread); });
  EXPECT_EQ(poller.polled_on, 1u);
}

TEST(Thread, SleepsAndKeepsNoTick) {
  Bench b;
  Picos slept;
  Thread thread([&](Process& process) {
    EXPECT_FALSE(process.sleep(20_ms));
    slept = b.hal.cpu.now();
  });
  b.run([&] { b.machine.process(0).start(thread); }, 30_ms);
  EXPECT_GE(slept, 20_ms);
  EXPECT_LT(slept, 20_ms + 1_us);
  EXPECT_EQ(b.machine.executive(0).ticks(), 0u);
}

TEST(Thread, ASleepersSoftirqWaitsForATickAllTheSame) {
  Bench b;
  Poller poller(b, b.hal);
  Thread thread([&](Process& process) {
    b.hal.cpu.delay(100_us);
    b.hal.napi.schedule();
    EXPECT_FALSE(process.sleep(6_ms));
  });
  b.run([&] { b.machine.process(0).start(thread); }, 10_ms);
  ASSERT_EQ(poller.polled_at.size(), 1u);
  EXPECT_GE(poller.polled_at[0], 4_ms);
  EXPECT_LT(poller.polled_at[0], 4_ms + 1_us);
}

TEST(Thread, AnInterruptIsServedWhileItSleeps) {
  Bench b;
  Poller poller(b, b.hal);
  Raise raise(b, 0, 300_us);
  Thread thread([&](Process& process) { process.sleep(1_ms); });
  b.run([&] {
    b.hal.irq.request(0, poller);
    b.machine.process(0).start(thread);
  });
  ASSERT_EQ(poller.polled_at.size(), 1u);
  EXPECT_LT(poller.polled_at[0], 301_us);
}

TEST(Thread, IsWokenFromAnotherCore) {
  Bench b(machine_config(2));
  Picos woken;
  Thread sleeper([&](Process& process) {
    EXPECT_TRUE(process.sleep(base::kNever));
    woken = b.hal.cpu.now();
  });
  Thread waker([&](Process&) {
    b.hal.cpu.delay(100_us);
    b.hal.cpu.meet();
    b.machine.process(1).wake();
  });
  b.run([&] {
    b.machine.process(1).start(sleeper);
    b.machine.process(0).start(waker);
  });
  EXPECT_GE(woken, 100_us + 150_ns) << "and the interrupt's way to the core";
  EXPECT_LT(woken, 101_us);
}

TEST(Thread, AWakeUpBeforeTheSleepIsNotLost) {
  Bench b;
  bool woken = false;
  Thread thread([&](Process& process) {
    process.wake();
    woken = process.sleep(base::kNever);
    EXPECT_FALSE(process.sleep(10_us)) << "but counts once";
  });
  b.run([&] { b.machine.process(0).start(thread); });
  EXPECT_TRUE(woken);
}

TEST(Thread, WorkRunsWhileItSpinsAndWhileItSleeps) {
  struct Note : Work {
    explicit Note(Bench& bench) : b(bench) {}
    void run_work() override { at.push_back(b.hal.cpu.now()); }
    Bench& b;
    std::vector<Picos> at;
  };
  Bench b;
  Note note(b);
  Thread thread([&](Process& process) {
    b.hal.timers.schedule(note, 100_us);
    spin_until(b, process, 200_us);
    b.hal.timers.schedule(note, 100_us);
    process.sleep(500_us);
  });
  b.run([&] { b.machine.process(0).start(thread); });
  ASSERT_EQ(note.at.size(), 2u);
  EXPECT_LT(note.at[0], 102_us);
  EXPECT_LT(note.at[1], 302_us);
}

// 200000 packets of 100 ns are 20 ms: far more than softirq may take at once (10 rounds of 300).
// What is left is ksoftirqd's, which shares the core with the thread tick by tick.
TEST(Thread, KsoftirqdAndTheThreadTakeTurns) {
  Bench b;
  Poller poller(b, b.hal);
  poller.backlog = 200000;
  Raise raise(b, 0, 10_us);
  Picos own;
  Thread thread([&](Process& process) {
    while (b.hal.cpu.now() < 36_ms) {
      b.hal.cpu.delay(1_us);
      own += 1_us;
      process.preempt();
    }
  });
  b.run(
      [&] {
        b.hal.irq.request(0, poller);
        b.machine.process(0).start(thread);
      },
      40_ms);
  EXPECT_EQ(poller.backlog, 0) << "20 ms of packets in 36 ms";
  EXPECT_GT(own, 16_ms);
  EXPECT_LT(own, 20_ms);
}

TEST(Thread, ANapiIsPolledOnTheCoreThatSchedulesIt) {
  Bench b(machine_config(2));
  Poller poller(b, b.hal);
  Thread thread([&](Process& process) {
    b.hal.napi.schedule();
    process.bh_enable();
  });
  b.run([&] { b.machine.process(1).start(thread); });
  EXPECT_EQ(poller.polled_on, 1u) << "whatever core its interrupt goes to";
}

TEST(Thread, BusyPollKeepsInterruptsOffOnlyWhileItPolls) {
  Bench b(machine_config(2));
  Poller poller(b, b.hal);
  poller.backlog = 5;
  int done = -1;
  Thread thread([&](Process&) {
    done = b.hal.napi.busy_poll(16, Picos(0));
    EXPECT_TRUE(b.hal.napi.schedule()) << "nobody has it";
    EXPECT_EQ(b.hal.napi.busy_poll(16, Picos(0)), -1) << "softirq has it";
  });
  b.run([&] { b.machine.process(1).start(thread); });
  EXPECT_EQ(done, 5);
  ASSERT_GE(poller.completed.size(), 2u);
  EXPECT_FALSE(poller.completed[0]) << "the poller keeps it";
  EXPECT_TRUE(poller.completed[1]) << "and lets go with a last poll";
}

TEST(Thread, BusyPollWithFullBudgetGoesOnInSoftirq) {
  Bench b;
  Poller poller(b, b.hal);
  poller.backlog = 100;
  Thread thread([&](Process& process) {
    EXPECT_EQ(b.hal.napi.busy_poll(16, Picos(0)), 32);
    process.bh_enable();
  });
  b.run([&] { b.machine.process(0).start(thread); });
  EXPECT_EQ(poller.backlog, 0);
}

TEST(Thread, HeldBusyPollKeepsInterruptsOffUntilPollsStayEmpty) {
  Bench b;
  Poller poller(b, b.hal);
  Thread thread([&](Process& process) {
    b.hal.napi.busy_poll(16, 200_us);
    EXPECT_EQ(poller.completed, (std::vector<bool>{false, false}));
    spin_until(b, process, 100_us);
    b.hal.napi.busy_poll(16, 200_us);
    EXPECT_EQ(poller.completed.size(), 4u);
    spin_until(b, process, 290_us);
    EXPECT_EQ(poller.completed.size(), 4u) << "the second round moved the timer";
    spin_until(b, process, 9_ms);
  });
  b.run([&] { b.machine.process(0).start(thread); }, 10_ms);
  // Timers at 300 us and later raise a softirq in process context, which waits for the ticks.
  ASSERT_EQ(poller.completed.size(), 6u);
  EXPECT_FALSE(poller.completed[4]) << "the second of two deferrals";
  EXPECT_TRUE(poller.completed[5]);
}

TEST(Thread, SoftirqPollsWithPacketsDeferInterruptsToo) {
  Bench b(machine_config(2));
  Poller poller(b, b.hal);
  poller.irq_backlog = 3;
  Raise raise(b, 0, 1_ms);
  Thread thread([&](Process&) { b.hal.napi.busy_poll(16, 100_us); });
  b.run(
      [&] {
        b.hal.irq.request(0, poller);
        b.machine.process(1).start(thread);
      },
      5_ms);
  // The round and its two deferrals, then the interrupt's poll and its two.
  EXPECT_EQ(poller.completed, (std::vector<bool>{false, false, false, true, false, false, true}));
}

TEST(Thread, DisableEndsAHeldBusyPoll) {
  Bench b;
  Poller poller(b, b.hal);
  Thread thread([&](Process& process) {
    b.hal.napi.busy_poll(16, 200_us);
    b.hal.napi.disable();
    EXPECT_EQ(b.hal.napi.busy_poll(16, 200_us), -1);
    spin_until(b, process, 500_us);
  });
  b.run([&] { b.machine.process(0).start(thread); });
  EXPECT_EQ(poller.completed.size(), 2u);
}

}  // namespace
}  // namespace doorbell::hal::test
