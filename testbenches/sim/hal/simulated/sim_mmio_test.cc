// Register access: posted writes, stalling reads, order, bus errors.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbenches/sim/hal/simulated/bench.h"

namespace doorbell::hal::test {
namespace {

TEST(SimMmio, WriteIsPostedAndArrivesLater) {
  Bench b;
  Picos after;
  b.run([&] {
    b.hal.mmio.write32(0x10, 7);
    after = b.hal.cpu.now();
    EXPECT_TRUE(b.target.log.empty()) << "the core is past the store, the device has not seen it";
    b.hal.cpu.delay(1_us);
    b.machine.running().sync();
  });
  EXPECT_EQ(after, 30_ns);
  ASSERT_EQ(b.target.log.size(), 1u);
  EXPECT_EQ(b.target.log[0], (RegisterTarget::Access{true, 0x10, 7, 130_ns}));
}

TEST(SimMmio, ReadStallsForTheRoundTripAndTheDevice) {
  Bench b;
  Picos after;
  uint32_t value = 0;
  b.run([&] {
    value = b.hal.mmio.read32(0x20);
    after = b.hal.cpu.now();
  });
  EXPECT_EQ(value, 0x21u);
  EXPECT_EQ(after, 250_ns + 5_ns);
  ASSERT_EQ(b.target.log.size(), 1u);
  EXPECT_EQ(b.target.log[0].at, 100_ns);
}

TEST(SimMmio, ReadPushesEarlierWrites) {
  Bench b;
  b.run([&] {
    b.hal.mmio.write32(0x10, 1);
    b.hal.mmio.write32(0x14, 2);
    b.hal.mmio.read32(0x18);
  });
  ASSERT_EQ(b.target.log.size(), 3u);
  EXPECT_EQ(b.target.log[0].offset, 0x10u);
  EXPECT_EQ(b.target.log[1].offset, 0x14u);
  EXPECT_EQ(b.target.log[2].offset, 0x18u);
  EXPECT_GE(b.target.log[2].at, b.target.log[1].at);
}

TEST(SimMmio, ManyWritesKeepOrderAndNoneIsLost) {
  Bench b;
  b.run([&] {
    for (uint32_t i = 0; i < 1000; ++i) {
      b.hal.mmio.write32(0x10, i);
    }
  });
  ASSERT_EQ(b.target.log.size(), 1000u);
  for (uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(b.target.log[i].value, i);
  }
}

// More cores than the way to the device holds writes, all at the same moment: those that find it
// full wait, and the place that comes free is one core's only.
TEST(SimMmio, NoneIsLostWhenManyCoresFillTheWay) {
  constexpr unsigned kCores = 300;
  constexpr uint32_t kEach = 5;
  MachineConfig config = machine_config(kCores);
  config.mmio_forward = 10_us;
  Bench b(config);
  for (unsigned core = 0; core < kCores; ++core) {
    b.machine.executive(core).set_boot([&b, core] {
      for (uint32_t i = 0; i < kEach; ++i) {
        b.hal.mmio.write32(0x10, core * kEach + i);
      }
    });
  }
  sc_core::sc_start(fabric::to_sc(1_ms));
  std::vector<unsigned> seen(kCores * kEach);
  for (const auto& access : b.target.log) {
    ++seen[access.value];
  }
  EXPECT_EQ(b.target.log.size(), kCores * kEach);
  EXPECT_EQ(seen, std::vector<unsigned>(kCores * kEach, 1));
}

// Cores that are out of order post out of order; the device sees order of arrival.
TEST(SimMmio, PostsOfCoresThatAreOutOfOrderArriveInOrder) {
  Bench b(machine_config(2));
  b.machine.set_lookahead(100_ns);
  std::vector<unsigned> order;
  b.machine.executive(0).set_boot([&] {
    b.hal.cpu.delay(50_ns);
    b.hal.mmio.write32(0x10, 1);  // at 80 ns
    order.push_back(0);
    b.hal.mmio.write32(0x10, 2);  // at 110 ns: further ahead than the lookahead
  });
  b.machine.executive(1).set_boot([&] {
    b.hal.mmio.write32(0x14, 3);  // at 30 ns
    order.push_back(1);
    b.hal.cpu.delay(20_ns);
    b.hal.mmio.write32(0x14, 4);  // at 80 ns, like the other core's first, but called later
  });
  sc_core::sc_start(fabric::to_sc(1_ms));
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1})) << "the one that is ahead called first";
  using Access = RegisterTarget::Access;
  EXPECT_EQ(b.target.log, (std::vector<Access>{{true, 0x14, 3, 130_ns},
                                               {true, 0x10, 1, 180_ns},
                                               {true, 0x14, 4, 180_ns},
                                               {true, 0x10, 2, 210_ns}}));
}

TEST(SimMmio, WhateverTheCoresDoTheDeviceSeesOrderOfArrival) {
  constexpr unsigned kCores = 6;
  constexpr uint32_t kEach = 400;
  Bench b(machine_config(kCores));
  b.machine.set_lookahead(100_ns);
  unsigned calls_out_of_order = 0;
  Picos latest;
  for (unsigned core = 0; core < kCores; ++core) {
    b.machine.executive(core).set_boot([&, core] {
      uint32_t random = core + 1;
      for (uint32_t i = 0; i < kEach; ++i) {
        random = random * 1664525 + 1013904223;
        b.hal.cpu.delay(Picos(1000) * ((random >> 16) % 150));
        b.hal.mmio.write32(4 * core, i);
        calls_out_of_order += b.hal.cpu.now() < latest ? 1 : 0;
        latest = base::max(latest, b.hal.cpu.now());
      }
    });
  }
  sc_core::sc_start(fabric::to_sc(1_ms));
  EXPECT_GT(calls_out_of_order, 100u);
  ASSERT_EQ(b.target.log.size(), kCores * kEach);
  std::vector<uint32_t> next(kCores);
  Picos before;
  for (const auto& access : b.target.log) {
    EXPECT_GE(access.at, before);
    before = access.at;
    EXPECT_EQ(access.value, next[access.offset / 4]++) << "a core's own writes keep their order";
  }
}

// Where cores share data: what the others did up to now has been done.
TEST(SimCpu, MeetWaitsForTheOtherCores) {
  Bench b(machine_config(2));
  b.machine.set_lookahead(1_us);
  std::vector<std::string> log;
  b.machine.executive(0).set_boot([&] {
    b.hal.cpu.delay(500_ns);
    b.hal.coherent.write32(b.machine.config().memory.base, 1);
    log.push_back("ahead");
    b.hal.cpu.meet();
    log.push_back("met at " + std::to_string(b.hal.cpu.now().count() / 1000));
  });
  b.machine.executive(1).set_boot([&] {
    for (int i = 0; i < 4; ++i) {
      b.hal.cpu.delay(200_ns);
      b.hal.cpu.meet();
      log.push_back("other " + std::to_string(b.hal.cpu.now().count() / 1000));
    }
  });
  sc_core::sc_start(fabric::to_sc(1_ms));
  EXPECT_EQ(log, (std::vector<std::string>{"ahead", "other 200", "other 400", "met at 510",
                                           "other 600", "other 800"}));
}

TEST(SimMmio, NarrowAccessesHaveTheirOwnWidth) {
  Bench b;
  uint8_t value = 0;
  Picos after;
  b.run([&] {
    b.hal.mmio.write8(0x13, 0xA5);
    b.hal.mmio.write16(0x16, 0xBEEF);
    value = b.hal.mmio.read8(0x21);
    after = b.hal.cpu.now();
  });
  EXPECT_EQ(value, 0x22u);
  ASSERT_EQ(b.target.log.size(), 3u);
  EXPECT_EQ(b.target.log[0], (RegisterTarget::Access{true, 0x13, 0xA5, 130_ns}));
  EXPECT_EQ(b.target.log[1], (RegisterTarget::Access{true, 0x16, 0xBEEF, 160_ns}));
  EXPECT_EQ(b.target.bytes, (std::vector<unsigned>{1, 2, 1}));
  EXPECT_EQ(after, 60_ns + 250_ns + 5_ns);
}

// A back end that has 32-bit accesses only.
TEST(Mmio, NarrowAccessesByDefaultGoThroughTheWord) {
  struct Words final : Mmio {
    uint32_t read32(uint32_t offset) override { return words[offset / 4]; }
    void write32(uint32_t offset, uint32_t value) override { words[offset / 4] = value; }
    uint32_t words[2] = {0x44332211, 0x88776655};
  } words;
  EXPECT_EQ(words.read8(2), 0x33);
  words.write8(3, 0xAB);
  EXPECT_EQ(words.words[0], 0xAB332211u);
  words.write16(6, 0xCDEF);
  EXPECT_EQ(words.words[1], 0xCDEF6655u);
}

TEST(SimMmio, RefusedAccessReadsAsOnesAndIsCounted) {
  Bench b;
  uint32_t value = 0;
  b.run([&] { value = b.hal.mmio.read32(0x2000); });
  EXPECT_EQ(value, 0xFFFFFFFFu);
  EXPECT_EQ(b.parts.mmio->bus_errors(), 1u);
}

}  // namespace
}  // namespace doorbell::hal::test

int sc_main(int, char**) {
  return 0;
}
