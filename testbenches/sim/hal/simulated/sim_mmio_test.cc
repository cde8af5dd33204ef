// Register access: posted writes, stalling reads, order, bus errors.
#include <gtest/gtest.h>

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
