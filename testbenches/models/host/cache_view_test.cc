// The non-coherent view: what a missing or a right sync does to the bytes each side sees.
#include "models/host/cache_view.h"

#include <gtest/gtest.h>

#include <cstring>

namespace doorbell::host {
namespace {

constexpr uint64_t kBase = 0x40000000;

struct Bench {
  explicit Bench(bool coherent) : memory("memory", config()), cache(memory, coherent) {}
  static fabric::MemoryConfig config() {
    fabric::MemoryConfig c;
    c.size = 1 << 20;
    return c;
  }
  void device_writes(uint64_t addr, uint8_t value) { *memory.pointer(addr) = value; }
  uint8_t device_reads(uint64_t addr) { return *memory.pointer(addr); }
  fabric::Memory memory;
  CacheView cache;
};

TEST(CacheView, DirtyBytesReachTheDeviceOnlyAfterAClean) {
  Bench b(false);
  EXPECT_EQ(b.cache.touch(kBase, 1, true), 1u);
  *b.cache.virt(kBase) = 0x55;
  EXPECT_EQ(b.device_reads(kBase), 0);
  EXPECT_TRUE(b.cache.dirty(kBase, 64));
  b.cache.clean(kBase, 1);
  EXPECT_EQ(b.device_reads(kBase), 0x55);
  EXPECT_FALSE(b.cache.dirty(kBase, 64));
}

TEST(CacheView, DeviceBytesReachTheCpuOnlyAfterAnInvalidate) {
  Bench b(false);
  b.cache.touch(kBase, 64, false);
  b.device_writes(kBase, 0x66);
  EXPECT_EQ(b.cache.touch(kBase, 64, false), 0u) << "the line is still cached";
  EXPECT_EQ(*b.cache.virt(kBase), 0);
  b.cache.invalidate(kBase, 64);
  EXPECT_EQ(b.cache.touch(kBase, 64, false), 1u);
  EXPECT_EQ(*b.cache.virt(kBase), 0x66);
}

TEST(CacheView, CleanWritesOnlyDirtyLines) {
  Bench b(false);
  b.cache.touch(kBase, 128, false);
  b.device_writes(kBase, 0x11);
  b.cache.touch(kBase + 64, 1, true);
  *b.cache.virt(kBase + 64) = 0x22;
  b.cache.clean(kBase, 128);
  EXPECT_EQ(b.device_reads(kBase), 0x11) << "a clean line must not overwrite memory";
  EXPECT_EQ(b.device_reads(kBase + 64), 0x22);
}

TEST(CacheView, InvalidateLosesWholeDirtyLinesAndKeepsEdges) {
  Bench b(false);
  b.cache.touch(kBase, 192, true);
  *b.cache.virt(kBase + 8) = 1;
  *b.cache.virt(kBase + 64) = 2;
  *b.cache.virt(kBase + 130) = 3;
  b.cache.invalidate(kBase + 32, 100);  // both ends inside a line
  EXPECT_EQ(b.device_reads(kBase + 8), 1) << "edge line cleaned first";
  EXPECT_EQ(b.device_reads(kBase + 64), 0) << "inner line lost";
  EXPECT_EQ(b.device_reads(kBase + 130), 3);
}

TEST(CacheView, MissesAreCountedAcrossPages) {
  Bench b(false);
  EXPECT_EQ(b.cache.touch(kBase + 4096 - 64, 128, false), 2u);
  EXPECT_EQ(b.cache.touch(kBase + 4096 - 64, 128, false), 0u);
  EXPECT_EQ(b.cache.touch(kBase + 8192, 4096, false), 64u);
  EXPECT_EQ(b.cache.touch(kBase + 8192, 0, false), 0u);
}

TEST(CacheView, LinesCountsPartialOnes) {
  EXPECT_EQ(CacheView::lines(kBase + 256, 66), 2u);
  EXPECT_EQ(CacheView::lines(kBase + 63, 2), 2u);
  EXPECT_EQ(CacheView::lines(kBase, 3520), 55u);
  EXPECT_EQ(CacheView::lines(kBase, 0), 0u);
}

TEST(CacheView, SnoopSeesWhatTheCpuWouldRead) {
  Bench b(false);
  uint8_t scratch[128];
  b.device_writes(kBase, 1);
  EXPECT_EQ(b.cache.snoop(kBase, 64, scratch)[0], 1) << "uncached: memory";
  b.cache.touch(kBase, 1, true);
  *b.cache.virt(kBase) = 2;
  EXPECT_EQ(b.cache.snoop(kBase, 64, scratch)[0], 2) << "cached: the view";
  b.device_writes(kBase + 64, 3);
  const uint8_t* mixed = b.cache.snoop(kBase, 128, scratch);
  EXPECT_EQ(mixed[0], 2);
  EXPECT_EQ(mixed[64], 3);
  EXPECT_EQ(b.cache.touch(kBase + 64, 1, false), 1u) << "looking caches nothing";
}

TEST(CacheView, CoherentMachineHasOneView) {
  Bench b(true);
  EXPECT_EQ(b.cache.touch(kBase, 1, true), 1u);
  *b.cache.virt(kBase) = 9;
  EXPECT_EQ(b.device_reads(kBase), 9);
  b.cache.invalidate(kBase, 64);
  EXPECT_EQ(*b.cache.virt(kBase), 9);
  EXPECT_EQ(b.cache.touch(kBase, 1, false), 0u) << "still cached: invalidate is for others";
}

TEST(CacheView, ADeviceWriteTakesTheLineFromACoherentCore) {
  Bench b(true);
  EXPECT_EQ(b.cache.touch(kBase, 128, false), 2u);
  b.cache.written(kBase + 64, 8);
  EXPECT_EQ(b.cache.touch(kBase, 128, false), 1u);
}

}  // namespace
}  // namespace doorbell::host
