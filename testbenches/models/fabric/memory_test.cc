// Memory: posted writes become visible at their arrival and not before; banks and errors.
#include "models/fabric/memory.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <utility>
#include <vector>

#include "models/fabric/dma_port.h"

namespace doorbell::fabric {
namespace {

using base::Picos;
using namespace base::literals;

// A port must live in a module.
struct Initiator : sc_core::sc_module {
  Initiator(sc_core::sc_module_name name, Picos forward) : sc_module(name), port("port", forward) {}
  DmaPort port;
};

struct Bench {
  explicit Bench(const MemoryConfig& config)
      : memory("memory", config), initiator("initiator", 0_ns), port(initiator.port) {
    port.socket.bind(memory.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: sockets work from here on
  }
  Memory memory;
  Initiator initiator;
  DmaPort& port;
};

MemoryConfig small() {
  MemoryConfig config;
  config.size = 1 << 20;
  config.latency = 80_ns;
  config.bank_busy = 40_ns;
  config.banks = 4;
  config.interleave = 256;
  return config;
}

TEST(Memory, PostedWriteIsInvisibleBeforeItsArrival) {
  Bench bench(small());
  const uint8_t data[4] = {1, 2, 3, 4};
  const auto done = bench.port.write(100_ns, 0x40000000, {data, 4});
  EXPECT_EQ(done.time, 100_ns);
  EXPECT_TRUE(done.ok);
  bench.memory.settle(99_ns);
  EXPECT_EQ(bench.memory.pointer(0x40000000)[0], 0);
  bench.memory.settle(100_ns);
  EXPECT_EQ(bench.memory.pointer(0x40000000)[3], 4);
}

TEST(Memory, PostedWritesApplyInOrderOfArrivalNotOfCall) {
  Bench bench(small());
  const uint8_t late[1] = {9};
  const uint8_t early[1] = {5};
  bench.port.write(300_ns, 0x40000000, {late, 1});
  bench.port.write(100_ns, 0x40000100, {early, 1});  // another bank
  bench.memory.settle(200_ns);
  EXPECT_EQ(*bench.memory.pointer(0x40000000), 0);
  EXPECT_EQ(*bench.memory.pointer(0x40000100), 5);
  bench.memory.settle(400_ns);
  EXPECT_EQ(*bench.memory.pointer(0x40000000), 9);
}

TEST(Memory, ReadSamplesAtItsTime) {
  Bench bench(small());
  const uint8_t data[1] = {7};
  bench.port.write(100_ns, 0x40001000, {data, 1});
  uint8_t got = 0xFF;
  auto done = bench.port.read(50_ns, 0x40001000, {&got, 1});
  EXPECT_EQ(got, 0);
  EXPECT_EQ(done.time, 140_ns + 80_ns) << "the posted write has reserved the bank from 100 ns on";
  done = bench.port.read(1000_ns, 0x40001000, {&got, 1});
  EXPECT_EQ(got, 7);
  EXPECT_EQ(done.time, 1080_ns);
}

// A device that is ahead of the cores sees what has arrived for it. That does not make it arrive
// sooner for a core that lags, not even on the same page.
TEST(Memory, ADeviceReadMakesNothingVisibleToACoreThatLags) {
  MemoryConfig config = small();
  config.bank_busy = 0_ns;
  Bench bench(config);
  constexpr uint64_t kAddr = 0x40003000;
  const uint8_t early[2] = {1, 1};
  const uint8_t late[1] = {2};
  bench.port.write(100_ns, kAddr, {early, 2});
  bench.port.write(900_ns, kAddr + 1, {late, 1});
  uint8_t seen[2] = {};
  bench.port.read(1_us, kAddr, {seen, 2});
  EXPECT_EQ(seen[0], 1);
  EXPECT_EQ(seen[1], 2);
  EXPECT_EQ(*bench.memory.pointer(kAddr), 0) << "nothing is applied";
  bench.memory.settle(kAddr, 2, 500_ns);
  EXPECT_EQ(bench.memory.pointer(kAddr)[0], 1);
  EXPECT_EQ(bench.memory.pointer(kAddr)[1], 1) << "for this core it is 500 ns";
  bench.port.read(600_ns, kAddr, {seen, 2});
  EXPECT_EQ(seen[1], 1) << "and for a device that reads at 600 ns";
  bench.memory.settle(kAddr, 2, 900_ns);
  EXPECT_EQ(bench.memory.pointer(kAddr)[1], 2);
}

TEST(Memory, LooksAtOnePageLeaveTheOthers) {
  MemoryConfig config = small();
  config.bank_busy = 0_ns;
  Bench bench(config);
  const uint8_t data[1] = {5};
  bench.port.write(100_ns, 0x40001000, {data, 1});
  bench.port.write(100_ns, 0x40002000, {data, 1});
  bench.memory.settle(0x40001800, 64, 1_us);
  EXPECT_EQ(*bench.memory.pointer(0x40001000), 5);
  EXPECT_EQ(*bench.memory.pointer(0x40002000), 0);
}

// What nobody looks at is applied when nobody can look at an earlier time any more, and not sooner.
TEST(Memory, WritesThatNobodyLooksAtWaitForTheLookback) {
  MemoryConfig config = small();
  config.bank_busy = 0_ns;
  Bench bench(config);
  bench.memory.set_lookback(10_us);
  constexpr uint64_t kQuiet = 0x40000000;
  const uint8_t data[1] = {5};
  bench.port.write(1_us, kQuiet, {data, 1});
  const auto traffic = [&](Picos from, Picos to) {
    for (Picos at = from; at < to; at += 1_ns) {
      bench.port.write(at, 0x40010000 + static_cast<uint64_t>(at.count() / 1000 % 200) * 0x1000,
                       {data, 1});
      bench.memory.settle(0x400F0000, 1, at);
    }
  };
  traffic(2_us, 10_us);
  EXPECT_EQ(*bench.memory.pointer(kQuiet), 0) << "a core may still look at a time before 1 us";
  traffic(10_us, 30_us);
  EXPECT_EQ(*bench.memory.pointer(kQuiet), 5) << "20 us of traffic do not wait for ever";
}

TEST(Memory, ObserverHearsOfAWriteWhenItIsApplied) {
  struct Observer : WriteObserver {
    std::vector<std::pair<uint64_t, uint32_t>> seen;
    void written(uint64_t addr, uint32_t bytes) override { seen.emplace_back(addr, bytes); }
  } observer;
  Bench bench(small());
  bench.memory.set_observer(&observer);
  const uint8_t data[8] = {};
  uint8_t got[8];
  bench.port.write(100_ns, 0x40000FFC, {data, 8});  // across two pages
  bench.port.read(1_us, 0x40000FFC, {got, 8});
  EXPECT_TRUE(observer.seen.empty()) << "a device's look is none of the cores'";
  bench.memory.settle(0x40001000, 4, 1_us);
  bench.memory.settle(0x40000000, 4, 1_us);
  EXPECT_EQ(observer.seen,
            (std::vector<std::pair<uint64_t, uint32_t>>{{0x40001000, 4}, {0x40000FFC, 4}}));
}

TEST(Memory, OneBankIsTakenInTurnsAndTwoBanksAreNot) {
  Bench bench(small());
  uint8_t got[8];
  EXPECT_EQ(bench.port.read(0_ns, 0x40000000, {got, 8}).time, 80_ns);
  EXPECT_EQ(bench.port.read(0_ns, 0x40000008, {got, 8}).time, 120_ns);
  EXPECT_EQ(bench.port.read(0_ns, 0x40000100, {got, 8}).time, 80_ns);
}

TEST(Memory, AccessOutsideTheRangeIsAnErrorAndChangesNothing) {
  Bench bench(small());
  uint8_t data[8] = {1};
  EXPECT_FALSE(bench.port.write(0_ns, 0x3FFFFFFF, {data, 2}).ok);
  EXPECT_FALSE(bench.port.write(0_ns, 0x40000000 + (1 << 20) - 4, {data, 8}).ok);
  EXPECT_FALSE(bench.port.read(0_ns, 0x50000000, {data, 8}).ok);
  EXPECT_EQ(data[0], 1);
}

TEST(Memory, ManyPostedWritesKeepTheirBytes) {
  Bench bench(small());
  for (uint32_t i = 0; i < 3000; ++i) {
    uint8_t data[64];
    for (auto& b : data) {
      b = static_cast<uint8_t>(i);
    }
    bench.port.write(50_ns * i, 0x40000000 + (i % 256) * 64u, {data, 64});
    if (i % 100 == 99) {
      bench.memory.settle(50_ns * i);
      EXPECT_EQ(*bench.memory.pointer(0x40000000 + (i % 256) * 64u + 63), static_cast<uint8_t>(i));
    }
  }
}

TEST(Memory, QueueThatIsNeverEmptyKeepsBytesAndOrder) {
  MemoryConfig config = small();
  config.bank_busy = 0_ns;
  Bench bench(config);
  // Always about a hundred writes on their way; each is checked when it is due.
  constexpr int kAhead = 100;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t addr = 0x40000000 + static_cast<uint64_t>(i % 512) * 64;
    const uint8_t data[3] = {static_cast<uint8_t>(i), static_cast<uint8_t>(i >> 8), 0x5A};
    // Calls come out of order by up to 3 ns.
    bench.port.write(i * 1_ns + (i % 3) * 1_ns + kAhead * 1_ns, addr, {data, 3});
    const int due = i - 3;
    if (due >= 0) {
      bench.memory.settle(due * 1_ns + kAhead * 1_ns + 2_ns);
      const uint8_t* got = bench.memory.pointer(0x40000000 + static_cast<uint64_t>(due % 512) * 64);
      ASSERT_EQ(got[0], static_cast<uint8_t>(due));
      ASSERT_EQ(got[1], static_cast<uint8_t>(due >> 8));
      ASSERT_EQ(got[2], 0x5A);
    }
  }
}

TEST(Memory, BanksThatAreNeverBusyDoNotOrderCalls) {
  MemoryConfig config = small();
  config.bank_busy = 0_ns;
  Bench bench(config);
  const uint8_t data[1] = {1};
  EXPECT_EQ(bench.port.write(500_ns, 0x40000000, {data, 1}).time, 500_ns);
  EXPECT_EQ(bench.port.write(100_ns, 0x40000000, {data, 1}).time, 100_ns);
}

}  // namespace
}  // namespace doorbell::fabric

int sc_main(int, char**) {
  return 0;
}
