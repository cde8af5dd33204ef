// IOTLB: hits, misses, capacity, replacement, walkers.
#include "models/fabric/iommu.h"

#include <gtest/gtest.h>

namespace doorbell::fabric {
namespace {

using base::Picos;
using namespace base::literals;

IommuConfig small() {
  IommuConfig config;
  config.enabled = true;
  config.entries = 8;
  config.ways = 2;
  config.walkers = 2;
  config.hit_latency = 5_ns;
  config.walk_latency = 200_ns;
  return config;
}

TEST(Iommu, MissWalksAndHitDoesNot) {
  Iommu iommu(small());
  EXPECT_EQ(iommu.translate(0_ns, 0x1000), 205_ns);
  EXPECT_EQ(iommu.translate(1_us, 0x1FFF), 1_us + 5_ns);
  EXPECT_EQ(iommu.translate(1_us, 0x2000), 1_us + 205_ns);
  EXPECT_EQ(iommu.hits(), 1u);
  EXPECT_EQ(iommu.misses(), 2u);
  EXPECT_EQ(iommu.walk_busy(), 400_ns);
}

TEST(Iommu, SamePageWaitsForTheWalkThatIsOn) {
  Iommu iommu(small());
  EXPECT_EQ(iommu.translate(0_ns, 0x1000), 205_ns);
  EXPECT_EQ(iommu.translate(10_ns, 0x1040), 205_ns);
  iommu.translate(20_ns, 0x2000);
  EXPECT_EQ(iommu.translate(30_ns, 0x1080), 205_ns);
  EXPECT_EQ(iommu.misses(), 2u);
}

TEST(Iommu, PageSizeIsTheReach) {
  IommuConfig config = small();
  config.page_bytes = 2 << 20;
  Iommu iommu(config);
  iommu.translate(0_ns, 0);
  iommu.translate(1_us, (2 << 20) - 1);
  EXPECT_EQ(iommu.misses(), 1u);
  iommu.translate(1_us, 2 << 20);
  EXPECT_EQ(iommu.misses(), 2u);
}

TEST(Iommu, WorkingSetWithinCapacityOnlyMissesOnce) {
  Iommu iommu(small());
  for (int round = 0; round < 10; ++round) {
    for (uint64_t page = 0; page < 8; ++page) {
      iommu.translate(round * 1_us, page * 4096);
    }
  }
  EXPECT_EQ(iommu.misses(), 8u);
  EXPECT_EQ(iommu.hits(), 72u);
}

TEST(Iommu, WorkingSetBeyondCapacityMissesEachTime) {
  // Least recently used and a cyclic walk over 12 pages: each set of two sees three.
  Iommu iommu(small());
  for (int round = 0; round < 10; ++round) {
    for (uint64_t page = 0; page < 12; ++page) {
      iommu.translate(round * 1_us, page * 4096);
    }
  }
  EXPECT_EQ(iommu.hits(), 0u);
}

TEST(Iommu, ReplacesTheLeastRecentlyUsedOfASet) {
  Iommu iommu(small());
  const auto page = [](uint64_t n) { return n * 4 * 4096; };  // all in one set
  iommu.translate(0_ns, page(1));
  iommu.translate(1_us, page(2));
  iommu.translate(2_us, page(1));
  iommu.translate(3_us, page(3));  // replaces 2
  EXPECT_EQ(iommu.misses(), 3u);
  iommu.translate(4_us, page(1));
  EXPECT_EQ(iommu.misses(), 3u);
  iommu.translate(5_us, page(2));
  EXPECT_EQ(iommu.misses(), 4u);
}

TEST(Iommu, WalkersQueue) {
  Iommu iommu(small());
  EXPECT_EQ(iommu.translate(0_ns, 0x1000), 205_ns);
  EXPECT_EQ(iommu.translate(0_ns, 0x2000), 205_ns);
  EXPECT_EQ(iommu.translate(0_ns, 0x3000), 405_ns);
  EXPECT_EQ(iommu.walk_stall(), 200_ns);
}

TEST(Iommu, InvalidationMakesTheNextAccessWalk) {
  Iommu iommu(small());
  iommu.translate(0_ns, 0x1000);
  iommu.translate(0_ns, 0x2000);
  iommu.invalidate(0x2004);
  EXPECT_EQ(iommu.translate(1_us, 0x1000), 1_us + 5_ns);
  EXPECT_EQ(iommu.translate(1_us, 0x2000), 1_us + 205_ns);
  iommu.invalidate_all();
  EXPECT_EQ(iommu.translate(2_us, 0x1000), 2_us + 205_ns);
}

}  // namespace
}  // namespace doorbell::fabric
