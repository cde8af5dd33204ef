// Rules on the driver's use of mappings, pages and coherent blocks.
#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/fake_machine.h"

namespace doorbell::hal::checks {
namespace {

constexpr auto kTo = DmaDir::kToDevice;
constexpr auto kFrom = DmaDir::kFromDevice;
constexpr auto kBoth = DmaDir::kBidirectional;

class DmaRules : public ::testing::Test {
 protected:
  DmaRules() : page(c.hal.dma.alloc_page()), addr(c.machine.phys(page)) { c.step(); }
  void expect_only(Rule rule, uint64_t times = 1) {
    EXPECT_EQ(c.count(rule), times) << info(rule).id;
    EXPECT_EQ(c.state.log().total(), times);
  }
  void expect_silence() {
    EXPECT_EQ(c.state.log().total(), 0u);
    for (const Finding& f : c.state.log().broken()) ADD_FAILURE() << f.message;
  }
  Checked c;
  uint8_t* page;
  DmaAddr addr;
};

TEST_F(DmaRules, MapUseUnmapIsSilent) {
  c.hal.dma.touch(page, 200, Touch::kWrite);
  c.map(page, 200, kTo);
  c.device_read(addr, 200);
  c.hal.dma.touch(page, 200, Touch::kRead);  // the device only reads it
  c.hal.dma.unmap(addr, 200, kTo);
  c.hal.dma.touch(page, 200, Touch::kWrite);
  c.hal.dma.free_page(page);
  c.state.end(c.machine.time);
  expect_silence();
}

TEST_F(DmaRules, ReceiveWithSyncIsSilent) {
  c.map(page, 2048, kFrom);
  c.step();
  c.device_fill(addr, 100);
  c.step();
  c.hal.dma.sync_for_cpu(addr, 100, kFrom);
  c.hal.dma.touch(page, 100, Touch::kRead);
  c.hal.dma.sync_for_device(addr, 100, kFrom);
  c.step();
  c.device_fill(addr, 100);
  c.step();
  c.hal.dma.unmap(addr, 2048, kFrom);
  c.hal.dma.touch(page, 100, Touch::kRead);
  expect_silence();
}

// A page pool: mapped once for its life, synced per use, the headroom never.
TEST_F(DmaRules, PoolPageSyncedPerUseIsSilent) {
  c.map_no_sync(page, 4096, kBoth);
  c.hal.dma.sync_for_device(addr + 256, 3520, kBoth);
  for (int use = 0; use < 3; ++use) {
    c.step();
    c.device_fill(addr + 256, 68);
    c.step();
    c.hal.dma.sync_for_cpu(addr + 256, 68, kFrom);
    c.hal.dma.touch(page + 258, 60, Touch::kWrite);
    c.hal.dma.touch(page, 40, Touch::kWrite);  // the frame's record in the headroom
    c.hal.dma.sync_for_device(addr + 258, 60, kBoth);
    c.device_read(addr + 258, 60);
    c.step();
  }
  // Redirected to another device: a second mapping over the first.
  c.map(page + 258, 60, kTo);
  c.device_read(addr + 258, 60);
  c.hal.dma.unmap(addr + 258, 60, kTo);
  c.hal.dma.unmap_no_sync(addr, 4096, kBoth);
  c.hal.dma.free_page(page);
  c.state.end(c.machine.time);
  expect_silence();
}

TEST_F(DmaRules, DoubleUnmap) {
  c.map(page, 64, kTo);
  c.hal.dma.unmap(addr, 64, kTo);
  c.step();
  c.hal.dma.unmap(addr, 64, kTo);
  expect_only(Rule::kDoubleUnmap);
  EXPECT_EQ(c.message(Rule::kDoubleUnmap),
            text("unmap of 0x%llx, 64 bytes: unmapped already at 2000 ps",
                 static_cast<unsigned long long>(addr)));
  EXPECT_EQ(c.state.log().of(Rule::kDoubleUnmap).first.count(), 3000);
}

TEST_F(DmaRules, TheSameRangeMappedTwiceIsUnmappedTwice) {
  c.map(page, 64, kTo);
  c.map(page, 64, kTo);
  c.hal.dma.unmap(addr, 64, kTo);
  c.hal.dma.unmap(addr, 64, kTo);
  expect_silence();
}

TEST_F(DmaRules, UnmapOfWhatWasNeverMapped) {
  c.hal.dma.unmap(addr, 64, kTo);
  expect_only(Rule::kUnmapNotMapped);
}

TEST_F(DmaRules, UnmapInTheMiddleOfAMapping) {
  c.map(page, 256, kTo);
  c.hal.dma.unmap(addr + 64, 64, kTo);
  expect_only(Rule::kUnmapNotMapped);
}

TEST_F(DmaRules, UnmapWithWrongLength) {
  c.map(page, 64, kTo);
  c.hal.dma.unmap(addr, 60, kTo);
  expect_only(Rule::kUnmapWrongLength);
  c.state.end(c.machine.time);
  EXPECT_EQ(c.count(Rule::kLeakMapping), 0u);  // it was meant, and is gone
}

TEST_F(DmaRules, UnmapWithWrongDirection) {
  c.map(page, 64, kBoth);
  c.hal.dma.unmap(addr, 64, kFrom);
  expect_only(Rule::kUnmapWrongDirection);
}

TEST_F(DmaRules, SyncOutsideEveryMapping) {
  c.hal.dma.sync_for_device(addr, 64, kTo);
  expect_only(Rule::kSyncNotMapped);
}

TEST_F(DmaRules, SyncAfterUnmap) {
  c.map(page, 64, kFrom);
  c.hal.dma.unmap(addr, 64, kFrom);
  c.hal.dma.sync_for_cpu(addr, 64, kFrom);
  expect_only(Rule::kSyncAfterUnmap);
}

TEST_F(DmaRules, SyncWithWrongDirection) {
  c.map(page, 64, kFrom);
  c.hal.dma.sync_for_device(addr, 64, kTo);
  expect_only(Rule::kSyncWrongDirection);
}

TEST_F(DmaRules, ABidirectionalMappingMaySyncEitherWay) {
  c.map(page, 64, kBoth);
  c.hal.dma.sync_for_cpu(addr, 64, kFrom);
  c.hal.dma.sync_for_device(addr, 64, kTo);
  c.hal.dma.sync_for_device(addr, 64, kBoth);
  expect_silence();
}

TEST_F(DmaRules, SyncBeyondTheMapping) {
  c.map(page, 100, kFrom);
  c.hal.dma.sync_for_cpu(addr + 64, 40, kFrom);
  expect_only(Rule::kSyncTooLong);
  c.hal.dma.sync_for_cpu(addr + 64, 36, kFrom);
  expect_only(Rule::kSyncTooLong);
}

TEST_F(DmaRules, PageFreedWhileMapped) {
  c.map(page + 100, 64, kTo);
  c.hal.dma.free_page(page);
  expect_only(Rule::kPageFreedMapped);
}

TEST_F(DmaRules, UseOfAFreedPage) {
  c.hal.dma.free_page(page);
  c.hal.dma.touch(page + 10, 1, Touch::kRead);
  expect_only(Rule::kPageUseAfterFree, 1);
  c.map(page, 64, kTo);
  expect_only(Rule::kPageUseAfterFree, 2);
}

TEST_F(DmaRules, AReallocatedPageIsNoFreedPage) {
  c.hal.dma.free_page(page);
  ASSERT_EQ(c.hal.dma.alloc_page(), page);
  c.hal.dma.touch(page, 64, Touch::kRead);
  expect_silence();
}

TEST_F(DmaRules, WriteToAMappedBufferBeforeItsUnmap) {
  c.map(page, 64, kTo);
  c.hal.dma.touch(page + 63, 1, Touch::kWrite);
  expect_only(Rule::kTouchNotSynced);
}

TEST_F(DmaRules, WriteNextToAMappedBufferIsSilent) {
  c.map(page, 32, kTo);
  c.hal.dma.touch(page + 32, 16, Touch::kWrite);  // same line, other bytes
  c.device_read(addr, 32);
  expect_silence();
}

TEST_F(DmaRules, WriteAfterSyncForCpuIsSilent) {
  c.map(page, 64, kTo);
  c.hal.dma.sync_for_cpu(addr, 64, kTo);
  c.hal.dma.touch(page, 64, Touch::kWrite);
  c.hal.dma.sync_for_device(addr, 64, kTo);
  expect_silence();
  c.hal.dma.touch(page, 64, Touch::kWrite);
  expect_only(Rule::kTouchNotSynced);
}

TEST_F(DmaRules, ReadOfWhatTheDeviceWroteWithoutSync) {
  c.map(page, 256, kFrom);
  c.device_fill(addr, 64);
  c.step();
  c.hal.dma.touch(page + 64, 64, Touch::kRead);  // the device wrote elsewhere
  expect_silence();
  c.hal.dma.touch(page, 64, Touch::kRead);
  expect_only(Rule::kTouchNotSynced);
}

TEST_F(DmaRules, MissingSyncIsFoundOnACoherentMachineToo) {
  Checked coherent(true);
  uint8_t* p = coherent.hal.dma.alloc_page();
  coherent.hal.dma.touch(p, 64, Touch::kRead);
  coherent.map(p, 64, kFrom);
  coherent.step();
  coherent.device_fill(coherent.machine.phys(p), 64);
  coherent.step();
  coherent.hal.dma.touch(p, 64, Touch::kRead);
  EXPECT_EQ(coherent.count(Rule::kTouchNotSynced), 1u);
  EXPECT_EQ(coherent.count(Rule::kTouchStale), 0u);  // nothing is stale there
}

TEST_F(DmaRules, StaleRead) {
  c.hal.dma.touch(page, 64, Touch::kRead);  // line comes into the cache
  c.map_no_sync(page, 4096, kFrom);
  c.step();
  c.device_fill(addr, 64);
  c.step();
  c.hal.dma.touch(page, 64, Touch::kRead);
  EXPECT_EQ(c.count(Rule::kTouchStale), 1u);
  EXPECT_EQ(c.message(Rule::kTouchStale),
            text("CPU read 0x%llx, 64 bytes: line in the cache since 2000 ps, written by the "
                 "device at 3000 ps",
                 static_cast<unsigned long long>(addr)));
}

TEST_F(DmaRules, APartialSyncLeavesTheRestStale) {
  c.hal.dma.touch(page, 128, Touch::kRead);
  c.map_no_sync(page, 4096, kFrom);
  c.step();
  c.device_fill(addr, 128);
  c.step();
  c.hal.dma.sync_for_cpu(addr, 64, kFrom);
  c.hal.dma.touch(page, 64, Touch::kRead);
  expect_silence();
  c.hal.dma.touch(page + 64, 64, Touch::kRead);
  EXPECT_EQ(c.count(Rule::kTouchStale), 1u);
}

// A posted write that is not visible yet makes nothing stale, and once it is, it does.
TEST_F(DmaRules, StalenessBeginsWhenThePostedWriteIsVisible) {
  c.hal.dma.touch(page, 64, Touch::kRead);
  c.map_no_sync(page, 4096, kFrom);
  c.step();
  c.device_fill(addr, 64, base::Picos(1500));
  c.step();
  c.hal.dma.touch(page, 64, Touch::kRead);
  expect_silence();
  c.step();
  c.hal.dma.touch(page, 64, Touch::kRead);
  EXPECT_EQ(c.count(Rule::kTouchStale), 1u);
}

TEST_F(DmaRules, AReallocatedPageIsNotStale) {
  c.hal.dma.touch(page, 64, Touch::kRead);
  c.map_no_sync(page, 4096, kFrom);
  c.step();
  c.device_fill(addr, 64);
  c.hal.dma.unmap_no_sync(addr, 4096, kFrom);
  c.hal.dma.free_page(page);
  c.step();
  ASSERT_EQ(c.hal.dma.alloc_page(), page);
  c.hal.dma.touch(page, 64, Touch::kWrite);
  expect_silence();
}

TEST_F(DmaRules, CoherentAccessOutsideEveryBlock) {
  const DmaAddr block = c.hal.dma.alloc_coherent(32, 8);
  c.hal.coherent.write32(block + 28, 1);
  c.hal.coherent.read16(block);
  expect_silence();
  c.hal.coherent.write32(block + 30, 1);
  expect_only(Rule::kCoherentOutsideBlock, 1);
  c.hal.dma.free_coherent(block);
  c.hal.coherent.read32(block);
  expect_only(Rule::kCoherentOutsideBlock, 2);
  c.hal.dma.free_coherent(block);
  expect_only(Rule::kCoherentOutsideBlock, 3);
}

TEST_F(DmaRules, LeaksAtTheEnd) {
  const DmaAddr block = c.hal.dma.alloc_coherent(4096, 8);
  const DmaAddr freed = c.hal.dma.alloc_coherent(64, 8);
  c.hal.dma.free_coherent(freed);
  c.map(page + 8, 64, kTo);
  c.map_no_sync(c.hal.dma.alloc_page(), 4096, kFrom);
  c.state.end(base::Picos(9000));
  EXPECT_EQ(c.count(Rule::kLeakCoherent), 1u);
  EXPECT_EQ(c.count(Rule::kLeakPage), 2u);
  EXPECT_EQ(c.count(Rule::kLeakMapping), 2u);
  EXPECT_EQ(c.state.log().total(), 5u);
  EXPECT_EQ(c.message(Rule::kLeakCoherent),
            text("coherent block 0x%llx of 4096 bytes, allocated at 2000 ps, was not freed",
                 static_cast<unsigned long long>(block)));
  EXPECT_EQ(c.message(Rule::kLeakMapping),
            text("mapping 0x%llx of 64 bytes, to device, made at 2000 ps, was not unmapped",
                 static_cast<unsigned long long>(addr + 8)));
}

TEST_F(DmaRules, AMappingOverTwoPagesIsOneMapping) {
  uint8_t* second = c.hal.dma.alloc_page();
  ASSERT_EQ(second, page + 4096);
  c.map(page + 4000, 200, kTo);
  c.device_read(addr + 4000, 200);
  c.device_read(addr + 4100, 50);
  expect_silence();
  c.state.end(c.machine.time);
  EXPECT_EQ(c.count(Rule::kLeakMapping), 1u);
  c.hal.dma.unmap(addr + 4000, 200, kTo);
  c.device_read(addr + 4100, 50);
  EXPECT_EQ(c.count(Rule::kDeviceOutsideMapping), 1u);
}

}  // namespace
}  // namespace doorbell::hal::checks
