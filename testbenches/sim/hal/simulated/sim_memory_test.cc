// Memory as drivers see it: costs, cache maintenance with real effect, allocation.
#include <gtest/gtest.h>

#include "testbenches/sim/hal/simulated/bench.h"

namespace doorbell::hal::test {
namespace {

TEST(SimMemory, CoherentAccessIsChargedAndSeenByTheDeviceAtOnce) {
  Bench b;
  b.run([&] {
    const DmaAddr block = b.hal.dma.alloc_coherent(4096, 64);
    ASSERT_NE(block, 0u);
    b.hal.coherent.write32(block + 4, 0x12345678);
    EXPECT_EQ(b.hal.cpu.now(), 10_ns);
    EXPECT_EQ(base::load_le<uint32_t>(b.machine.memory().pointer(block + 4)), 0x12345678u);
    EXPECT_EQ(b.hal.coherent.read16(block + 4), 0x5678);
    EXPECT_EQ(b.hal.cpu.now(), 210_ns);
  });
  EXPECT_EQ(b.machine.core(0).busy(static_cast<unsigned>(Label::kDescriptor)), 210_ns);
  EXPECT_EQ(b.machine.op_counts()[static_cast<size_t>(Op::kUncachedLoad)], 1u);
}

TEST(SimMemory, SixtyFourBitsAreOneAccess) {
  Bench b;
  b.run([&] {
    const DmaAddr block = b.hal.dma.alloc_coherent(4096, 64);
    b.hal.coherent.write64(block + 8, 0x1122334455667788u);
    EXPECT_EQ(b.hal.cpu.now(), 10_ns);
    EXPECT_EQ(base::load_le<uint64_t>(b.machine.memory().pointer(block + 8)), 0x1122334455667788u);
    EXPECT_EQ(b.hal.coherent.read64(block + 8), 0x1122334455667788u);
    EXPECT_EQ(b.hal.cpu.now(), 210_ns);
  });
}

TEST(SimMemory, CoherentBlocksAreZeroedReusedAndBounded) {
  Bench b;
  b.run([&] {
    const DmaAddr first = b.hal.dma.alloc_coherent(1000, 64);
    b.hal.coherent.write32(first, 5);
    b.hal.dma.free_coherent(first);
    const DmaAddr second = b.hal.dma.alloc_coherent(900, 64);
    EXPECT_EQ(second, first);
    EXPECT_EQ(b.hal.coherent.read32(second), 0u);
    EXPECT_EQ(b.hal.dma.alloc_coherent(64u << 20, 64), 0u);
  });
}

// As Linux gives them: no two blocks share a page, so that a ring never shares one with a lock word
// or another ring, whatever was asked for.
TEST(SimMemory, CoherentBlocksAreWholePages) {
  Bench b;
  b.run([&] {
    const DmaAddr one = b.hal.dma.alloc_coherent(1, 1);
    const DmaAddr small = b.hal.dma.alloc_coherent(100, 64);
    const DmaAddr full = b.hal.dma.alloc_coherent(4096, 64);
    const DmaAddr more = b.hal.dma.alloc_coherent(4097, 64);
    const DmaAddr last = b.hal.dma.alloc_coherent(16, 16);
    for (const DmaAddr addr : {one, small, full, more, last}) {
      EXPECT_NE(addr, 0u);
      EXPECT_EQ(addr % 4096, 0u);
    }
    EXPECT_EQ(small - one, 4096u);
    EXPECT_EQ(full - small, 4096u);
    EXPECT_EQ(more - full, 4096u);
    EXPECT_EQ(last - more, 8192u);
    EXPECT_EQ(b.hal.dma.alloc_coherent(100, 1u << 16) % (1u << 16), 0u);
  });
}

TEST(SimMemory, AFreedBlockIsZeroedToItsLastByteAndNeverStretched) {
  Bench b;
  b.run([&] {
    const DmaAddr page = b.hal.dma.alloc_coherent(64, 64);
    b.hal.coherent.write32(page + 4092, 0xFFFFFFFF);
    b.hal.dma.free_coherent(page);
    EXPECT_NE(b.hal.dma.alloc_coherent(4097, 64), page) << "two pages do not fit where one was";
    EXPECT_EQ(b.hal.dma.alloc_coherent(4096, 64), page);
    EXPECT_EQ(b.hal.coherent.read32(page + 4092), 0u);
  });
}

TEST(SimMemory, CoherentShareEndsWithItsLastPage) {
  MachineConfig config = machine_config();
  config.coherent_bytes = 16 * 4096;
  Bench b(config);
  b.run([&] {
    for (int i = 0; i < 16; ++i) {
      EXPECT_NE(b.hal.dma.alloc_coherent(1, 1), 0u) << i;
    }
    EXPECT_EQ(b.hal.dma.alloc_coherent(1, 1), 0u);
  });
}

TEST(SimMemory, SyncForDeviceCleansAndChargesPerLine) {
  Bench b;
  b.run([&] {
    uint8_t* page = b.hal.dma.alloc_page();
    b.hal.dma.touch(page, 130, Touch::kWrite);
    EXPECT_EQ(b.hal.cpu.now(), 450_ns) << "three lines missed";
    page[0] = 0x42;
    const DmaAddr addr = b.hal.dma.phys(page);
    EXPECT_EQ(*b.machine.memory().pointer(addr), 0);
    b.hal.dma.sync_for_device(addr, 130, DmaDir::kBidirectional);
    EXPECT_EQ(*b.machine.memory().pointer(addr), 0x42);
    EXPECT_EQ(b.hal.cpu.now(), 450_ns + 3 * 20_ns + 3 * 7_ns + 60_ns) << "all three were dirty";
    b.hal.dma.sync_for_device(addr, 130, DmaDir::kBidirectional);
    EXPECT_EQ(b.hal.cpu.now(), 450_ns + 6 * 20_ns + 3 * 7_ns + 120_ns) << "now none is";
  });
}

TEST(SimMemory, SyncForCpuInvalidatesUnlessTheDeviceOnlyRead) {
  Bench b;
  b.run([&] {
    uint8_t* page = b.hal.dma.alloc_page();
    const DmaAddr addr = b.hal.dma.phys(page);
    b.hal.dma.touch(page, 64, Touch::kRead);
    *b.machine.memory().pointer(addr) = 0x77;
    b.hal.dma.sync_for_cpu(addr, 64, DmaDir::kToDevice);
    b.hal.dma.touch(page, 64, Touch::kRead);
    EXPECT_EQ(page[0], 0) << "stale, as on the board";
    b.hal.dma.sync_for_cpu(addr, 64, DmaDir::kFromDevice);
    b.hal.dma.touch(page, 64, Touch::kRead);
    EXPECT_EQ(page[0], 0x77);
  });
}

TEST(SimMemory, PagesAreDistinctAndComeBack) {
  Bench b;
  b.run([&] {
    uint8_t* first = b.hal.dma.alloc_page();
    uint8_t* second = b.hal.dma.alloc_page();
    EXPECT_NE(first, second);
    EXPECT_EQ(b.hal.dma.phys(first) % 4096, 0u);
    EXPECT_EQ(b.hal.dma.virt(b.hal.dma.phys(second)), second);
    EXPECT_EQ(b.machine.sim_memory().pages_in_use(), 2u);
    b.hal.dma.free_page(first);
    EXPECT_EQ(b.machine.sim_memory().pages_in_use(), 1u);
    EXPECT_EQ(b.hal.dma.alloc_page(), first);
    while (b.hal.dma.alloc_page() != nullptr) {
    }
    EXPECT_EQ(b.machine.sim_memory().pages_in_use(), (24u << 20) / 4096);
  });
}

TEST(SimMemory, CoherentMachineSkipsMaintenance) {
  MachineConfig config = machine_config();
  config.coherent = true;
  Bench b(config);
  b.run([&] {
    uint8_t* page = b.hal.dma.alloc_page();
    b.hal.dma.sync_for_device(b.hal.dma.phys(page), 4096, DmaDir::kToDevice);
    b.hal.dma.sync_for_cpu(b.hal.dma.phys(page), 4096, DmaDir::kFromDevice);
    EXPECT_EQ(b.hal.cpu.now(), 0_ns);
  });
}

}  // namespace
}  // namespace doorbell::hal::test
