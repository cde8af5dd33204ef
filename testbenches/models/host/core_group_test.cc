// Many cores: at most a lookahead out of order between meetings, one thread for all, wake-ups that
// come closer or from outside, and the end of a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbenches/models/host/core_bench.h"

namespace doorbell::host::test {
namespace {

TEST(Core, WithLookaheadACoreActsUpToThatFarAhead) {
  Bench b;
  b.group.set_lookahead(60_ns);
  Core first(0, b.group);
  Core second(1, b.group);
  const auto body = [&](Picos step) {
    return [&b, step](Core& c) {
      for (int i = 0; i < 3; ++i) {
        c.spend(step, 0);
        c.sync();
        b.log.push_back(stamp(c));
      }
    };
  };
  Script a(body(30_ns));
  Script z(body(20_ns));
  first.set_program(a);
  second.set_program(z);
  sc_core::sc_start(fabric::to_sc(1_us));
  // The other one waits at 0: 30 and 60 are not more than 60 ahead of it, 90 is.
  EXPECT_EQ(b.log, (std::vector<std::string>{"0@30", "0@60", "1@20", "1@40", "1@60", "0@90"}));
}

// Whatever they do, nobody acts more than the lookahead ahead of the one that is furthest behind.
TEST(Core, NobodyIsFurtherAheadThanTheLookahead) {
  constexpr unsigned kCores = 5;
  Bench b;
  b.group.set_lookahead(200_ns);
  std::vector<std::unique_ptr<Core>> cores;
  std::vector<std::unique_ptr<Script>> scripts;
  Picos furthest;
  unsigned acts = 0;
  unsigned out_of_order = 0;
  Picos latest;
  for (unsigned i = 0; i < kCores; ++i) {
    cores.push_back(std::make_unique<Core>(i, b.group));
  }
  for (unsigned i = 0; i < kCores; ++i) {
    scripts.push_back(std::make_unique<Script>([&, i](Core& c) {
      uint32_t random = 17 + i;
      for (int n = 0; n < 400; ++n) {
        random = random * 1664525 + 1013904223;
        c.spend(Picos(1000) * (1 + (random >> 16) % 90), 0);
        c.sync();
        for (const auto& other : cores) {
          if (!other->is_idle()) {
            furthest = base::max(furthest, c.now() - other->now());
          }
        }
        out_of_order += c.now() < latest ? 1 : 0;
        latest = base::max(latest, c.now());
        ++acts;
      }
    }));
    cores[i]->set_program(*scripts[i]);
  }
  sc_core::sc_start(fabric::to_sc(1_ms));
  EXPECT_EQ(acts, 400 * kCores);
  EXPECT_LE(furthest, 200_ns);
  EXPECT_GT(furthest, 100_ns) << "the lookahead is made use of";
  EXPECT_GT(out_of_order, 0u);
}

TEST(Core, MeetWaitsForWhoeverIsBehind) {
  Bench b;
  b.group.set_lookahead(1_us);
  Core first(0, b.group);
  Core second(1, b.group);
  Script a([&](Core& c) {
    for (int i = 0; i < 2; ++i) {
      c.spend(30_ns, 0);
      c.sync();
      b.log.push_back(stamp(c));
    }
    c.spend(30_ns, 0);
    c.meet();
    b.log.push_back("meets " + stamp(c));
  });
  Script z([&](Core& c) {
    for (int i = 0; i < 6; ++i) {
      c.spend(20_ns, 0);
      c.sync();
      b.log.push_back(stamp(c));
    }
  });
  first.set_program(a);
  second.set_program(z);
  sc_core::sc_start(fabric::to_sc(1_us));
  // The second runs ahead of the meeting in its turn: it meets nobody.
  EXPECT_EQ(b.log, (std::vector<std::string>{"0@30", "0@60", "1@20", "1@40", "1@60", "1@80",
                                             "1@100", "1@120", "meets 0@90"}));
}

// A lock that all take with meet() is taken in order of time however far cores run ahead.
TEST(Core, MeetingsAreInOrderOfTime) {
  constexpr unsigned kCores = 4;
  Bench b;
  b.group.set_lookahead(10_us);
  std::vector<std::unique_ptr<Core>> cores;
  std::vector<std::unique_ptr<Script>> scripts;
  std::vector<Picos> meetings;
  for (unsigned i = 0; i < kCores; ++i) {
    cores.push_back(std::make_unique<Core>(i, b.group));
    scripts.push_back(std::make_unique<Script>([&, i](Core& c) {
      for (int n = 0; n < 50; ++n) {
        for (unsigned k = 0; k <= i; ++k) {
          c.spend(7_ns + 1_ns * i, 0);
          c.sync();
        }
        c.meet();
        meetings.push_back(c.now());
      }
    }));
    cores[i]->set_program(*scripts[i]);
  }
  sc_core::sc_start(fabric::to_sc(1_ms));
  ASSERT_EQ(meetings.size(), 50 * kCores);
  EXPECT_TRUE(std::is_sorted(meetings.begin(), meetings.end()));
}

TEST(Core, MeetLetsHardwareHappenFirst) {
  Bench b;
  b.group.set_lookahead(1_us);
  Core core(0, b.group);
  OneShot early(b.calendar, 10_ns, [&] { b.log.push_back("hardware 10"); });
  OneShot same(b.calendar, 20_ns, [&] { b.log.push_back("hardware 20"); });
  OneShot late(b.calendar, 21_ns, [&] { b.log.push_back("hardware 21"); });
  Script script([&](Core& c) {
    c.spend(20_ns, 0);
    c.meet();
    b.log.push_back("met");
  });
  core.set_program(script);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(b.log, (std::vector<std::string>{"hardware 10", "hardware 20", "met", "hardware 21"}));
}

TEST(Core, WithLookaheadAWakeUpDoesNotStopTheRunningCore) {
  Bench b;
  b.group.set_lookahead(100_ns);
  Core worker(0, b.group);
  Core sleeper(1, b.group);
  OneShot irq(b.calendar, 50_ns, [&] { sleeper.wake(50_ns); });
  OneShot later(b.calendar, 70_ns, [&] { b.log.push_back("hardware 70"); });
  Script work([&](Core& c) {
    c.spend(100_ns, 0);
    c.sync();
    b.log.push_back("worker 100");
    c.spend(51_ns, 0);
    c.sync();  // 151 is more than 100 ahead of the sleeper's 50
    b.log.push_back("worker 151");
  });
  Script sleep([&](Core& c) {
    c.idle();
    b.log.push_back("sleeper " + std::to_string(c.now().count() / 1000));
  });
  worker.set_program(work);
  sleeper.set_program(sleep);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(b.log,
            (std::vector<std::string>{"hardware 70", "worker 100", "sleeper 50", "worker 151"}));
}

TEST(Core, AllRunInOneThreadOfTheKernel) {
  Bench b;
  std::vector<std::unique_ptr<Core>> cores;
  std::vector<std::string> threads;
  Script script([&](Core& c) {
    for (int i = 0; i < 2; ++i) {
      c.spend(10_ns, 0);
      c.sync();
      threads.emplace_back(sc_core::sc_get_current_process_handle().name());
      EXPECT_EQ(&b.group.running(), &c);
    }
  });
  for (unsigned i = 0; i < 3; ++i) {
    cores.push_back(std::make_unique<Core>(i, b.group));
    cores.back()->set_program(script);
  }
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(threads, std::vector<std::string>(6, "cores.thread"));
}

TEST(Core, WakeUpFromOutsideTheThread) {
  Bench b;
  Core core(0, b.group);
  std::vector<Picos> woke;
  Script script([&](Core& c) {
    for (;;) {
      c.idle();
      woke.push_back(c.now());
    }
  });
  core.set_program(script);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_TRUE(woke.empty());
  EXPECT_TRUE(core.is_idle());
  core.wake(3_us);  // nothing else would ever wake the thread: no event is pending
  EXPECT_FALSE(core.is_idle());
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(woke, (std::vector<Picos>{3_us})) << "within the quantum, software runs ahead";
  core.wake(2_us);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(woke, (std::vector<Picos>{3_us, 3_us})) << "local time never goes back";
  core.wake(5_ms);
  sc_core::sc_start(fabric::to_sc(1_ms));
  EXPECT_EQ(woke.size(), 2u) << "further ahead than the quantum";
  sc_core::sc_start(fabric::to_sc(5_ms));
  EXPECT_EQ(woke, (std::vector<Picos>{3_us, 3_us, 5_ms}));
}

// A core that is woken twice while it waits, among another one's acts at 100, 200, ... 600 ns.
// `begin`: when the first of the two wake-ups comes; the second comes 10 ns later.
std::vector<std::string> wake_twice(Picos begin, Picos first, Picos second) {
  Bench b;
  Core worker(0, b.group);
  Core sleeper(1, b.group);
  OneShot one(b.calendar, begin, [&] { sleeper.wake(first); });
  OneShot two(b.calendar, begin + 10_ns, [&] { sleeper.wake(second); });
  Script work([&](Core& c) {
    for (int i = 0; i < 6; ++i) {
      c.spend(100_ns, 0);
      c.sync();
      b.log.push_back(stamp(c));
    }
  });
  Script sleep([&](Core& c) {
    c.idle();
    c.sync();
    b.log.push_back(stamp(c));
  });
  worker.set_program(work);
  sleeper.set_program(sleep);
  sc_core::sc_start(fabric::to_sc(1_us));
  return b.log;
}

const std::vector<std::string> kBy350 = {"0@100", "0@200", "0@300", "1@350",
                                         "0@400", "0@500", "0@600"};

// Before the first act the sleeper runs the hardware itself; behind it the other core does.
TEST(Core, AnEarlierWakeUpBringsTheCoreForward) {
  EXPECT_EQ(wake_twice(10_ns, 550_ns, 350_ns), kBy350);
}

TEST(Core, AnEarlierWakeUpBringsACoreForwardThatHasATurn) {
  EXPECT_EQ(wake_twice(110_ns, 550_ns, 350_ns), kBy350);
}

TEST(Core, ALaterWakeUpDoesNotPutAnEarlierOneOff) {
  EXPECT_EQ(wake_twice(10_ns, 350_ns, 550_ns), kBy350);
}

TEST(Core, ALaterWakeUpDoesNotPutAnEarlierTurnOff) {
  EXPECT_EQ(wake_twice(110_ns, 350_ns, 550_ns), kBy350);
}

// The same for a core that runs the hardware itself while it idles.
TEST(Core, AnEarlierWakeUpBringsACoreForwardThatIsAlone) {
  Bench b;
  Core core(0, b.group);
  OneShot one(b.calendar, 10_ns, [&] { core.wake(550_ns); });
  OneShot two(b.calendar, 20_ns, [&] { core.wake(350_ns); });
  OneShot three(b.calendar, 400_ns, [&] { core.wake(420_ns); });
  std::vector<Picos> woke;
  Script script([&](Core& c) {
    for (;;) {
      c.idle();
      woke.push_back(c.now());
    }
  });
  core.set_program(script);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(woke, (std::vector<Picos>{350_ns, 420_ns}));
}

// A wake-up that software books before it idles, as for an interrupt that is on its way.
TEST(Core, HardwareMayWakeEarlierThanABookedWakeUp) {
  Bench b;
  Core core(0, b.group);
  OneShot timer(b.calendar, 60_ns, [&] { core.wake(60_ns); });
  std::vector<Picos> woke;
  Script script([&](Core& c) {
    c.wake(200_ns);
    c.idle();
    woke.push_back(c.now());
  });
  core.set_program(script);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(woke, (std::vector<Picos>{60_ns}));
}

TEST(Core, WokenWhileItRunsItsNextIdleReturnsAtOnce) {
  Bench b;
  Core core(0, b.group);
  OneShot irq(b.calendar, 30_ns, [&] { core.wake(35_ns); });
  std::vector<Picos> woke;
  Script script([&](Core& c) {
    c.spend(100_ns, 0);
    c.sync();
    c.idle();
    woke.push_back(c.now());
    c.idle();
    woke.push_back(c.now());
  });
  core.set_program(script);
  sc_core::sc_start(fabric::to_sc(1_us));
  EXPECT_EQ(woke, (std::vector<Picos>{100_ns})) << "one wake-up ends one idle()";
}

TEST(Core, AfterHaltSoftwareWaitsForNobody) {
  Bench b(100_ns);
  b.group.set_lookahead(10_ns);
  Core other(1, b.group);
  {
    Core core(0, b.group);
    struct Guard {
      Bench& bench;
      Core& core;
      ~Guard() {
        core.spend(1_ms, 0);  // beyond the quantum, and far ahead of the other core
        core.sync();
        core.meet();
        bench.log.push_back("given back");
      }
    };
    Script script([&](Core& c) {
      const Guard guard{b, c};
      c.idle();
      b.log.push_back("not reached");
    });
    Script busy([](Core& c) {
      for (;;) {
        c.spend(10_ns, 0);
        c.sync();
      }
    });
    core.set_program(script);
    other.set_program(busy);
    sc_core::sc_start(fabric::to_sc(1_us));
    EXPECT_TRUE(core.is_idle());
    b.group.halt();
  }
  EXPECT_EQ(b.log, (std::vector<std::string>{"given back"}));
}

TEST(Core, ExceptionOfSoftwareComesOutOfTheSimulation) {
  Bench b;
  Core core(0, b.group);
  Script script([](Core& c) {
    c.spend(10_ns, 0);
    c.sync();
    throw std::runtime_error("software gave up");
  });
  core.set_program(script);
  std::string what;
  try {
    sc_core::sc_start(fabric::to_sc(1_us));
  } catch (const std::exception& error) {
    what = error.what();
  }
  EXPECT_NE(what.find("software gave up"), std::string::npos) << what;
}

}  // namespace
}  // namespace doorbell::host::test
