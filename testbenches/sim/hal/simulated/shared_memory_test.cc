// Memory that an application and the kernel share: lines move between cores, and pay for it.
#include <gtest/gtest.h>

#include <functional>

#include "testbenches/sim/hal/simulated/bench.h"

namespace doorbell::hal::test {
namespace {

struct Body : Task {
  explicit Body(std::function<void()> f) : body(std::move(f)) {}
  void run_task(Process&) override { body(); }
  std::function<void()> body;
};

uint64_t count(const Bench& b, Op op) {
  return b.machine.op_counts()[static_cast<size_t>(op)];
}

// Runs steps alternately: even ones on core 0, odd ones on core 1.
void alternate(Bench& b, const std::vector<std::function<void()>>& steps) {
  std::vector<std::unique_ptr<Body>> bodies;
  for (unsigned core = 0; core < 2; ++core) {
    bodies.push_back(std::make_unique<Body>([&b, &steps, core] {
      for (size_t i = core; i < steps.size(); i += 2) {
        const Picos at = 10_us * static_cast<int64_t>(i + 1);
        b.hal.cpu.delay(at - b.hal.cpu.now());
        b.hal.cpu.meet();
        steps[i]();
      }
    }));
  }
  b.run([&] {
    for (unsigned core = 0; core < 2; ++core) b.machine.process(core).start(*bodies[core]);
  });
}

TEST(SharedMemory, ZeroedContiguousAndGivenBack) {
  Bench b;
  b.run([&] {
    SimMemory& memory = b.machine.sim_memory();
    const uint32_t before = memory.pages_in_use();
    uint8_t* p = memory.alloc_shared(3 * 4096 + 1);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(memory.pages_in_use(), before + 4);
    EXPECT_EQ(memory.phys(p) % 4096, 0u);
    for (uint32_t i = 0; i < 4 * 4096; ++i) ASSERT_EQ(p[i], 0);
    b.hal.dma.touch(p, 4096, Touch::kWrite);
    p[5] = 1;
    memory.free_shared(p, 3 * 4096 + 1);
    EXPECT_EQ(memory.pages_in_use(), before);
    uint8_t* again = memory.alloc_shared(4 * 4096);
    ASSERT_EQ(again, p);
    EXPECT_EQ(again[5], 0);
    EXPECT_EQ(memory.alloc_shared(1u << 30), nullptr);
    EXPECT_EQ(memory.alloc_shared(0), nullptr);
  });
}

TEST(SharedMemory, OneCoreAloneTransfersNothing) {
  Bench b;
  b.run([&] {
    uint8_t* p = b.machine.sim_memory().alloc_shared(4096);
    b.hal.dma.touch(p, 64, Touch::kWrite);
    b.hal.dma.touch(p, 64, Touch::kRead);
    b.hal.dma.touch(p, 64, Touch::kWrite);
  });
  EXPECT_EQ(count(b, Op::kCacheMiss), 1u);
  EXPECT_EQ(count(b, Op::kLineTransfer), 0u);
}

TEST(SharedMemory, AWrittenLineMovesOnceToEachReader) {
  Bench b(machine_config(2));
  uint8_t* p = nullptr;
  const auto touch = [&](Touch how) { return [&, how] { b.hal.dma.touch(p, 4, how); }; };
  std::vector<uint64_t> moved;
  const auto note = [&] { moved.push_back(count(b, Op::kLineTransfer)); };
  alternate(b, {[&] {
                  p = b.machine.sim_memory().alloc_shared(4096);
                  touch(Touch::kWrite)();
                },
                [&] {
                  touch(Touch::kRead)();
                  note();
                  touch(Touch::kRead)();
                  note();
                },
                [&] {
                  touch(Touch::kRead)();
                  note();
                  touch(Touch::kWrite)();
                  note();
                },
                [&] {
                  touch(Touch::kWrite)();
                  note();
                }});
  EXPECT_EQ(moved, (std::vector<uint64_t>{1, 1, 1, 2, 3}))
      << "read by the other, again for nothing, own copy still good, taken away, fetched back";
}

TEST(SharedMemory, LinesAreCountedOneByOne) {
  Bench b(machine_config(2));
  uint8_t* p = nullptr;
  alternate(b, {[&] {
                  p = b.machine.sim_memory().alloc_shared(8192);
                  b.hal.dma.touch(p, 8192, Touch::kWrite);
                },
                [&] { b.hal.dma.touch(p + 4090, 70, Touch::kRead); }});
  EXPECT_EQ(count(b, Op::kLineTransfer), 2u) << "the last line of a page and the first of the next";
  EXPECT_EQ(count(b, Op::kCacheMiss), 128u);
}

TEST(SharedMemory, WhatADeviceWroteMissesAndIsNobodys) {
  MachineConfig config = machine_config(2);
  config.coherent = true;
  Bench b(config);
  uint8_t* p = nullptr;
  alternate(b, {[&] {
                  p = b.machine.sim_memory().alloc_shared(4096);
                  b.hal.dma.touch(p, 4, Touch::kWrite);
                },
                [&] {
                  b.machine.cache().written(b.hal.dma.phys(p), 64);
                  b.hal.dma.touch(p, 4, Touch::kRead);
                }});
  EXPECT_EQ(count(b, Op::kLineTransfer), 0u);
  EXPECT_EQ(count(b, Op::kCacheMiss), 2u);
}

TEST(SharedMemory, OrdinaryPagesHaveNoDirectory) {
  Bench b(machine_config(2));
  uint8_t* p = nullptr;
  alternate(b, {[&] {
                  p = b.hal.dma.alloc_page();
                  b.hal.dma.touch(p, 64, Touch::kWrite);
                },
                [&] { b.hal.dma.touch(p, 64, Touch::kWrite); }});
  EXPECT_EQ(count(b, Op::kLineTransfer), 0u);
}

TEST(SharedMemory, PokeIsSeenByBothAndCostsNothing) {
  Bench b;
  b.run([&] {
    SimMemory& memory = b.machine.sim_memory();
    uint8_t* p = memory.alloc_shared(4096);
    b.hal.dma.touch(p, 64, Touch::kRead);
    const Picos before = b.hal.cpu.now();
    const uint8_t bytes[] = {1, 2, 3};
    memory.poke(p + 10, {bytes, 3});
    EXPECT_EQ(b.hal.cpu.now(), before);
    EXPECT_EQ(p[11], 2);
    EXPECT_EQ(*b.machine.memory().pointer(b.hal.dma.phys(p) + 12), 3);
    EXPECT_FALSE(b.machine.cache().dirty(b.hal.dma.phys(p), 64));
  });
}

}  // namespace
}  // namespace doorbell::hal::test
