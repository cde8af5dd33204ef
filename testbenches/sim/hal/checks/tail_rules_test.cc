// Rings moved by a tail register, reports on request: who owns what from doorbell to report.
#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/tail_fixture.h"

namespace doorbell::hal::checks {
namespace {

TEST_F(TailRules, LapsWithAReportEachAreSilent) {
  add();
  for (uint32_t n = 0; n < 4 * kCount; ++n) {
    const uint32_t i = n % kCount;
    submit(i);
    c.device_read(base + i * kStride, kStride);
    c.device_read(buffer + i * 256u, 64);
    report(i);
    EXPECT_EQ(c.hal.coherent.read64(base + i * kStride + 8) & kDone, kDone);
  }
  expect_silence();
}

TEST_F(TailRules, TheDeviceHasWhatIsPostedAndNothingBefore) {
  add();
  fill(0);
  fill(0);  // changed its mind: not posted yet
  c.hal.dma.sync_for_cpu(buffer, 64, kTo);
  c.hal.dma.touch(page, 64, Touch::kWrite);
  c.hal.dma.sync_for_device(buffer, 64, kTo);
  expect_silence();
  ring(1);
  c.hal.dma.touch(page, 1, Touch::kRead);
  c.hal.dma.touch(page + 256, 1, Touch::kRead);
  expect_silence();
  c.hal.dma.touch(page + 10, 1, Touch::kWrite);
  EXPECT_EQ(c.count(Rule::kTouchDeviceOwned), 1u);
}

TEST_F(TailRules, AReportStandsForAllBeforeIt) {
  add();
  for (uint32_t i = 0; i < 4; ++i) submit(i, i == 3);
  c.hal.coherent.write64(base, 0);  // the first is not reported yet
  expect_only(Rule::kDescriptorDeviceOwned);
  EXPECT_EQ(c.message(Rule::kDescriptorDeviceOwned),
            "ring descriptor 0: the CPU stored to it; the device's since 2000 ps");
  report(3);
  for (uint32_t i = 0; i < 4; ++i) fill(i);
  expect_only(Rule::kDescriptorDeviceOwned);
}

TEST_F(TailRules, WhatHasNoReportStaysTheDevicesUntilALaterOne) {
  add();
  submit(0, true);
  submit(1, false);
  report(0);
  c.hal.dma.unmap(buffer, 4096, kTo);
  expect_only(Rule::kUnmapDeviceOwned);
  EXPECT_NE(c.message(Rule::kUnmapDeviceOwned).find("ring descriptor 1"), std::string::npos);
}

TEST_F(TailRules, APostedDescriptorIsReadModifiedAndWritten) {
  add();
  submit(0, false);
  const uint64_t word = c.hal.coherent.read64(base + 8);
  expect_silence();
  c.hal.coherent.write64(base + 8, word | kReport);
  expect_only(Rule::kDescriptorDeviceOwned);
  EXPECT_EQ(c.message(Rule::kDescriptorDeviceOwned),
            "ring descriptor 0: the CPU stored to it; the device's since 2000 ps (a report that "
            "comes meanwhile is lost)");
}

TEST_F(TailRules, StoreWhileTheReportIsOnItsWay) {
  add();
  submit(0);
  report(0, base::Picos(1500));  // moves time by 1000
  c.hal.coherent.write64(base + 8, 0);
  expect_only(Rule::kDescriptorDeviceOwned, 1);
  c.step();
  c.hal.coherent.write64(base + 8, 0);
  expect_only(Rule::kDescriptorDeviceOwned, 1);
}

TEST_F(TailRules, DoorbellPastTheRing) {
  add();
  for (uint32_t i = 0; i + 1 < kCount; ++i) fill(i);
  ring(kCount - 1);
  expect_silence();
  ring(kCount);
  expect_only(Rule::kDoorbellPastRing);
  EXPECT_EQ(c.message(Rule::kDoorbellPastRing),
            "doorbell of ring with index 8: the ring has 8 descriptors");
}

TEST_F(TailRules, DoorbellOfAnotherRegisterOrAnEqualTailIsNothing) {
  add();
  submit(0);
  c.hal.mmio.write32(kDoorbell + 4, 99);
  ring(1);
  expect_silence();
}

TEST_F(TailRules, DoorbellPassesTheHead) {
  add();
  for (uint32_t i = 0; i < 6; ++i) submit(i);
  report(0);
  report(1);
  fill(6);
  fill(7);
  fill(0);
  ring(1);  // seven are out: the most there is
  expect_silence();
  fill(1);
  ring(2);
  expect_only(Rule::kDoorbellPassesHead);
  EXPECT_EQ(c.message(Rule::kDoorbellPassesHead),
            "doorbell of ring from 1 to 2: that is the head, so a full ring looks empty");
}

TEST_F(TailRules, DoorbellGoesBackwards) {
  add();
  for (uint32_t i = 0; i < 4; ++i) submit(i);
  for (uint32_t i = 4; i < 8; ++i) fill(i);
  ring(2);  // as from 4 over 0 to 2
  EXPECT_EQ(c.count(Rule::kDoorbellPassesHead), 1u);
  EXPECT_EQ(c.message(Rule::kDoorbellPassesHead),
            "doorbell of ring from 4 to 2 passes descriptor 0, the device's since 2000 ps");
}

TEST_F(TailRules, PostedBeforeItsReportOfTheLapBeforeIsVisible) {
  add();
  for (uint32_t i = 0; i < 7; ++i) submit(i);
  for (uint32_t i = 0; i < 7; ++i) report(i, base::Picos(50000));
  submit(7);
  expect_silence();
  ring(1);
  EXPECT_EQ(c.count(Rule::kDoorbellPassesHead), 1u);
  EXPECT_EQ(c.message(Rule::kDoorbellPassesHead),
            "doorbell of ring from 0 to 1 passes descriptor 0, the device's since 2000 ps");
}

TEST_F(TailRules, PostedWithoutContent) {
  add();
  submit(0);
  report(0);
  for (uint32_t i = 1; i < kCount; ++i) {
    submit(i);
    report(i);
  }
  ring(1);  // nothing written since
  expect_only(Rule::kPostedWithoutContent);
  EXPECT_EQ(c.message(Rule::kPostedWithoutContent),
            "ring descriptor 0: posted, and its address was not written since the device had it");
}

TEST_F(TailRules, PostedWithHalfItsContent) {
  add();
  c.hal.coherent.write64(base, buffer);
  ring(1);
  expect_only(Rule::kPostedWithoutContent);
  EXPECT_EQ(c.message(Rule::kPostedWithoutContent),
            "ring descriptor 0: posted, and its command was not written since the device had it");
}

TEST_F(TailRules, PostedWithNoBytes) {
  add();
  fill(0, true, 0);
  ring(1);
  expect_only(Rule::kPostedWithoutContent);
  EXPECT_EQ(c.message(Rule::kPostedWithoutContent),
            "ring descriptor 0: posted with a buffer of no bytes");
}

TEST_F(TailRules, ADescriptorWithoutABufferNeedsNoMapping) {
  add();
  c.hal.coherent.write64(base, 0x12345);  // parameters, not an address
  c.hal.coherent.write64(base + 8, 0x1);
  fill(1);
  ring(2);
  report(1);
  expect_silence();
}

TEST_F(TailRules, PostedWithADoneMark) {
  add();
  c.hal.coherent.write64(base, buffer);
  c.hal.coherent.write64(base + 8, uint64_t{64} << 34 | kDone);
  ring(1);
  expect_only(Rule::kStaleDone);
  EXPECT_EQ(c.message(Rule::kStaleDone), "ring descriptor 0: posted with a done mark in it");
}

// The seed's pattern in a ring that was never used, believed by a user who looks too early.
TEST_F(TailRules, ADoneMarkThatTheDeviceDidNotWrite) {
  for (uint32_t i = 0; i < kCount; ++i) c.hal.coherent.write64(base + i * kStride + 8, kDone);
  add();
  submit(0);
  report(0);
  c.hal.coherent.read64(base + 8);
  expect_silence();
  c.hal.coherent.read64(base + kStride + 8);
  expect_only(Rule::kStaleDone);
  EXPECT_EQ(c.message(Rule::kStaleDone),
            "ring descriptor 1: the CPU read a done mark that is not of this lap");
}

TEST_F(TailRules, BuffersAreJudgedAtTheDoorbell) {
  add();
  fill(0);
  c.hal.dma.unmap(buffer, 4096, kTo);  // between fill and doorbell
  ring(1);
  expect_only(Rule::kHandoverNotMapped);
}

TEST_F(TailRules, BufferMappedTheWrongWay) {
  add();
  uint8_t* other = c.hal.dma.alloc_page();
  const DmaAddr addr = c.map(other, 64, kFrom);
  fill(0);
  c.hal.coherent.write64(base, addr);
  ring(1);
  expect_only(Rule::kHandoverWrongDirection);
}

TEST_F(TailRules, BufferDirtyAtTheDoorbell) {
  add();
  fill(0);
  c.hal.dma.sync_for_cpu(buffer, 64, kTo);
  c.hal.dma.touch(page, 4, Touch::kWrite);
  ring(1);
  expect_only(Rule::kHandoverNotSynced);
}

// What the device wrote into a page stays unsynced when the page is then transmitted.
TEST_F(TailRules, TransmittingAReceivedPageIsNoSync) {
  add();
  uint8_t* pool = c.hal.dma.alloc_page();
  const DmaAddr addr = c.map_no_sync(pool, 4096, DmaDir::kBidirectional);
  c.hal.dma.sync_for_device(addr, 4096, DmaDir::kBidirectional);
  c.device_fill(addr, 64);
  fill(0);
  c.hal.coherent.write64(base, addr);
  ring(1);
  report(0);
  expect_silence();
  c.hal.dma.touch(pool, 14, Touch::kRead);
  expect_only(Rule::kTouchNotSynced);
}

TEST_F(TailRules, FreedWhileTheDeviceHasIt) {
  add();
  submit(0);
  c.hal.dma.free_page(page);
  expect_only(Rule::kPageFreedMapped);
  c.hal.dma.unmap(buffer, 4096, kTo);
  EXPECT_EQ(c.count(Rule::kUnmapDeviceOwned), 1u);
}

TEST_F(TailRules, StoreAndLoadOutsideTheRing) {
  spec.count = 6;
  add();
  const uint64_t word = c.hal.coherent.read64(base + 7 * kStride + 8);
  expect_only(Rule::kOutsideRing, 1);
  EXPECT_EQ(c.message(Rule::kOutsideRing),
            "the CPU read 8 bytes at descriptor 7 of ring, which has 6");
  c.hal.coherent.write64(base + 7 * kStride + 8, word | kReport);
  expect_only(Rule::kOutsideRing, 2);
}

TEST_F(TailRules, OtherMemoryBehindARingThatSharesItsBlock) {
  spec.count = 6;
  spec.alone_in_block = false;
  add();
  c.hal.coherent.write64(base + 7 * kStride + 8, 1);
  c.hal.coherent.read64(base + 7 * kStride + 8);
  expect_silence();
}

// The seed's arithmetic with six descriptors and a threshold of four.
TEST_F(TailRules, TheSizeIsNoMultipleOfTheThresholdAndTheCheckSaysWhy) {
  spec.count = 6;
  spec.report_every = 4;
  add();
  for (uint32_t i = 0; i < 6; ++i) fill(i, false);
  expect_silence();
  c.hal.coherent.write64(base + 7 * kStride + 8, kReport);
  c.hal.coherent.write64(base + 7 * kStride + 8, kReport);
  EXPECT_EQ(c.count(Rule::kOutsideRing), 2u);
  EXPECT_EQ(c.count(Rule::kRingSize), 1u);  // said once
  EXPECT_EQ(c.message(Rule::kRingSize),
            "ring has 6 descriptors, no multiple of its report threshold 4: at the wrap RS is "
            "written to descriptor 7, outside the ring, and the last 2 of each lap have no report "
            "of their own, so cleaning falls 2 behind a lap until the ring stays full");
}

TEST_F(TailRules, TheDeviceWritesWhatIsTheCpus) {
  add();
  submit(0);
  report(0);
  fill(0);
  report(0);  // of the lap before, again, over what was filled since
  expect_only(Rule::kDeviceWroteUnowned);
  EXPECT_EQ(c.message(Rule::kDeviceWroteUnowned),
            "device wrote ring descriptor 0 at +0, which is the CPU's");
}

// A line written whole: harmless where nothing changes, unless the CPU stores before it is there.
TEST_F(TailRules, TheSameBytesAgainAreHarmlessOnceTheyAreThere) {
  add();
  submit(0);
  report(0);
  report(0, base::Picos(1500));
  expect_silence();
  fill(0);
  expect_only(Rule::kDescriptorDeviceOwned, 2);
  c.step();
  fill(0);
  expect_only(Rule::kDescriptorDeviceOwned, 2);
}

TEST_F(TailRules, AReportThatNobodyAskedFor) {
  add();
  submit(0, false);
  report(0);
  expect_only(Rule::kReportNotAsked);
  EXPECT_EQ(c.message(Rule::kReportNotAsked),
            "device reported ring descriptor 0, which asks for no report");
}

TEST_F(TailRules, StoppedTheBuffersAreTheDrivers) {
  add();
  for (uint32_t i = 0; i < 5; ++i) submit(i, false);
  c.checked.stop_ring("other", c.machine.time);
  c.hal.dma.touch(page, 1, Touch::kWrite);
  EXPECT_EQ(c.count(Rule::kTouchDeviceOwned), 1u);
  c.checked.stop_ring("ring", c.machine.time);
  c.hal.dma.unmap(buffer, 4096, kTo);
  c.hal.coherent.write64(base + 8, 0);
  c.hal.dma.free_coherent(block);
  expect_only(Rule::kTouchDeviceOwned);
}

TEST_F(TailRules, AddedAgainWithAnotherSizeAndPlace) {
  add();
  submit(0);
  c.checked.stop_rings(c.machine.time);
  const DmaAddr old = base;
  base = block = spec.base = c.hal.dma.alloc_coherent(4096, 4096);
  spec.count = 4;
  c.checked.add_ring(spec);
  submit(0);
  c.hal.coherent.write64(old, 1);  // memory like any other now
  report(0);
  expect_silence();
  ring(4);
  expect_only(Rule::kDoorbellPastRing);
  EXPECT_NE(c.message(Rule::kDoorbellPastRing).find("has 4"), std::string::npos);
}

// As an assembly does that asks a running driver for its rings.
TEST_F(TailRules, AddedLateWithWhatIsPostedAlready) {
  for (uint32_t i = 0; i < 5; ++i) fill(i);
  spec.head = 1;
  spec.tail = 4;
  add();
  c.hal.coherent.write64(base, 0);                                               // 0 is done with
  c.hal.coherent.write64(base + 4 * kStride + 8, uint64_t{64} << 34 | kReport);  // 4 not posted
  expect_silence();
  c.hal.coherent.write64(base + 3 * kStride, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
  report(3);
  ring(5);  // what was filled before counts
  expect_only(Rule::kDescriptorDeviceOwned);
}

}  // namespace
}  // namespace doorbell::hal::checks
