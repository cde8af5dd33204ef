// Rules on descriptors: who owns them, what must be there before they are handed over.
#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/fake_machine.h"

namespace doorbell::hal::checks {
namespace {

constexpr auto kTo = DmaDir::kToDevice;
constexpr auto kFrom = DmaDir::kFromDevice;

constexpr uint32_t kOwner = 1u << 31;
constexpr uint32_t kWrap = 1u << 30;
constexpr uint32_t kDoorbell = 0x10;
constexpr uint32_t kStatus = 0;
constexpr uint32_t kAddress = 4;
constexpr uint32_t kLength = 8;
constexpr uint32_t kStride = 16;
constexpr uint32_t kCount = 4;

// A ring of four descriptors, 16 bytes each: status, address, length.
class RingRules : public ::testing::Test {
 protected:
  explicit RingRules(DmaDir dir = kTo)
      : page(c.hal.dma.alloc_page()), buffer(c.machine.phys(page)) {
    spec.name = "ring";
    spec.direction = dir;
    spec.stride = kStride;
    spec.count = kCount;
    spec.base = base = c.hal.dma.alloc_coherent(kCount * kStride, 16);
    spec.ownership = {kStatus, 4};
    spec.owner_mask = spec.device_value = kOwner;
    spec.wrap_mask = kWrap;
    spec.address = {kAddress, 4};
    spec.length = {kLength, 4};
    spec.doorbell_register = kDoorbell;
    bool ok = false;
    c.hal.dma.map(page, 4096, dir, ok);
    c.step();
  }
  void add() { c.checked.add_ring(spec); }
  void fill(uint32_t i, uint32_t bytes = 64) {
    c.hal.coherent.write32(base + i * kStride + kAddress, static_cast<uint32_t>(buffer + i * 256u));
    c.hal.coherent.write32(base + i * kStride + kLength, bytes);
  }
  void hand_over(uint32_t i) {
    c.hal.coherent.write32(base + i * kStride + kStatus, kOwner | (i + 1 == kCount ? kWrap : 0));
  }
  void submit(uint32_t i) {
    fill(i);
    c.hal.order.dma_wmb();
    hand_over(i);
    c.step();
  }
  /// The device gives a descriptor back; visible `later`.
  void complete(uint32_t i, base::Picos later = base::Picos(0)) {
    uint8_t word[4];
    base::store_le<uint32_t>(word, i + 1 == kCount ? kWrap : 0);
    c.device_write(base + i * kStride + kStatus, {word, 4}, later);
    c.step();
  }
  void expect_only(Rule rule, uint64_t times = 1) {
    EXPECT_EQ(c.count(rule), times) << info(rule).id;
    EXPECT_EQ(c.state.log().total(), times);
    for (const Finding& f : c.state.log().broken()) {
      if (f.rule != rule) ADD_FAILURE() << info(f.rule).id << ": " << f.message;
    }
  }
  void expect_silence() {
    for (const Finding& f : c.state.log().broken()) {
      ADD_FAILURE() << info(f.rule).id << ": " << f.message;
    }
  }
  Checked c;
  RingSpec spec;
  uint8_t* page;
  DmaAddr buffer;
  DmaAddr base = 0;
};

class ReceiveRingRules : public RingRules {
 protected:
  ReceiveRingRules() : RingRules(kFrom) {
    spec.length = {};
    spec.buffer_bytes = 128;
  }
};

TEST_F(RingRules, LapsInOrderAreSilent) {
  add();
  for (uint32_t n = 0; n < 10; ++n) {
    submit(n % kCount);
    c.hal.mmio.write32(kDoorbell, 0);
    c.device_read(base + n % kCount * kStride, kStride);
    c.device_read(buffer + n % kCount * 256, 64);
    complete(n % kCount);
    c.hal.coherent.write32(base + n % kCount * kStride + kAddress, 0);
  }
  for (uint32_t i = 0; i < kCount; ++i) submit((i + 10) % kCount);  // full
  for (uint32_t i = 0; i < kCount; ++i) complete((i + 10) % kCount);
  submit(2);
  expect_silence();
}

TEST_F(RingRules, NoBarrierBetweenFieldsAndOwnership) {
  add();
  fill(0);
  hand_over(0);
  expect_only(Rule::kOwnershipBeforeFields);
  EXPECT_EQ(c.message(Rule::kOwnershipBeforeFields),
            "ring descriptor 0: no dma_wmb between its words and the store that hands it over");
}

TEST_F(RingRules, EveryStoreBarrierAndARegisterWriteOrder) {
  add();
  fill(0);
  c.hal.order.wmb();
  hand_over(0);
  fill(1);
  c.hal.mmio.write32(0x50, 1);
  hand_over(1);
  expect_silence();
  fill(2);
  c.hal.order.dma_rmb();  // orders loads only
  c.hal.order.rmb();
  hand_over(2);
  expect_only(Rule::kOwnershipBeforeFields);
}

TEST_F(RingRules, ABarrierBeforeTheFieldsDoesNotHelp) {
  add();
  c.hal.order.wmb();
  fill(0);
  hand_over(0);
  expect_only(Rule::kOwnershipBeforeFields);
}

TEST_F(RingRules, ABarrierOfAnotherCoreDoesNotHelp) {
  add();
  fill(0);
  c.machine.core = 1;
  c.hal.order.wmb();
  c.machine.core = 0;
  hand_over(0);
  expect_only(Rule::kOwnershipBeforeFields);
}

TEST_F(RingRules, FieldStoredBehindTheOwnershipWord) {
  add();
  submit(0);
  c.hal.coherent.write32(base + kLength, 60);
  expect_only(Rule::kOwnershipBeforeFields);
  EXPECT_EQ(c.message(Rule::kOwnershipBeforeFields),
            "ring descriptor 0: a field was stored after the ownership word");
}

TEST_F(RingRules, StoreToADescriptorTheDeviceOwns) {
  add();
  submit(0);
  c.hal.mmio.write32(kDoorbell, 0);
  c.hal.coherent.write32(base + kLength, 60);
  expect_only(Rule::kDescriptorDeviceOwned, 1);
  c.hal.coherent.write32(base + kStatus, 0);  // not even to take it back
  expect_only(Rule::kDescriptorDeviceOwned, 2);
  EXPECT_EQ(c.message(Rule::kDescriptorDeviceOwned),
            "ring descriptor 0: the CPU stored to it; the device's since 2000 ps");
}

TEST_F(RingRules, StoreBeforeTheWriteBackIsVisible) {
  add();
  submit(0);
  c.hal.mmio.write32(kDoorbell, 0);
  complete(0, base::Picos(1500));  // moves time by 1000
  c.hal.coherent.write32(base + kAddress, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
  c.step();
  c.hal.coherent.write32(base + kAddress, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
}

// Fragments get their bits in any order, the first descriptor's comes last.
TEST_F(RingRules, FirstDescriptorLastIsSilentAndCanBeTakenBack) {
  add();
  fill(0);
  submit(1);
  submit(2);
  c.hal.coherent.write32(base + 2 * kStride + kStatus, 0);  // mapping failed: taken back
  c.hal.coherent.write32(base + 1 * kStride + kStatus, 0);
  submit(1);
  c.hal.order.wmb();
  hand_over(0);
  expect_silence();
  c.hal.order.wmb();
  c.hal.coherent.write32(base + 1 * kStride + kLength, 1);  // now it is the device's
  expect_only(Rule::kDescriptorDeviceOwned);
}

TEST_F(RingRules, FragmentNotOrderedBeforeItsFirstDescriptor) {
  add();
  fill(0);
  submit(1);
  hand_over(0);  // nothing orders the fragment's bit before it
  EXPECT_EQ(c.count(Rule::kOwnershipBeforeFields), 1u);
  EXPECT_NE(c.message(Rule::kOwnershipBeforeFields).find("descriptor 1"), std::string::npos)
      << c.message(Rule::kOwnershipBeforeFields);
}

TEST_F(RingRules, OneStoreOfAllFieldsNeedsNoBarrier) {
  spec.wrap_mask = 0;
  add();
  uint8_t desc[kStride] = {};
  base::store_le<uint32_t>(desc + kStatus, kOwner);
  base::store_le<uint32_t>(desc + kAddress, static_cast<uint32_t>(buffer));
  base::store_le<uint32_t>(desc + kLength, 64);
  c.hal.coherent.write_bytes(base, {desc, kStride});
  expect_silence();
  c.hal.order.wmb();
  c.hal.coherent.write32(base + kLength, 1);
  expect_only(Rule::kDescriptorDeviceOwned);
}

TEST_F(RingRules, HeaderInCoherentMemoryNotOrdered) {
  add();
  const DmaAddr headers = c.hal.dma.alloc_coherent(256, 64);
  const uint8_t header[54] = {};
  c.hal.coherent.write32(base + kAddress, static_cast<uint32_t>(headers));
  c.hal.coherent.write32(base + kLength, 54);
  c.hal.order.dma_wmb();
  c.hal.coherent.write_bytes(headers, {header, 54});
  hand_over(0);
  expect_only(Rule::kOwnershipBeforeFields);
}

TEST_F(RingRules, HeaderInCoherentMemoryOverwrittenWhileOwned) {
  add();
  const DmaAddr headers = c.hal.dma.alloc_coherent(256, 64);
  const uint8_t header[54] = {};
  c.hal.coherent.write_bytes(headers, {header, 54});
  c.hal.coherent.write32(base + kAddress, static_cast<uint32_t>(headers));
  c.hal.coherent.write32(base + kLength, 54);
  c.hal.order.dma_wmb();
  hand_over(0);
  c.hal.coherent.write_bytes(headers + 64, {header, 54});  // the next one
  expect_silence();
  c.hal.coherent.write_bytes(headers, {header, 54});
  expect_only(Rule::kTouchDeviceOwned);
}

TEST_F(RingRules, HandoverOfABufferThatIsNotMapped) {
  add();
  fill(0);
  c.hal.coherent.write32(base + kAddress, static_cast<uint32_t>(buffer + 8192));
  c.hal.order.wmb();
  hand_over(0);
  expect_only(Rule::kHandoverNotMapped);
}

TEST_F(RingRules, HandoverOfABufferMappedTooShort) {
  add();
  fill(3, 4096 - 3 * 256 + 1);
  c.hal.order.wmb();
  hand_over(3);
  expect_only(Rule::kHandoverNotMapped);
}

TEST_F(RingRules, HandoverOfABufferMappedForTheOtherDirection) {
  add();
  uint8_t* other = c.hal.dma.alloc_page();
  const DmaAddr addr = c.map(other, 64, kFrom);
  fill(0);
  c.hal.coherent.write32(base + kAddress, static_cast<uint32_t>(addr));
  c.hal.order.wmb();
  hand_over(0);
  expect_only(Rule::kHandoverWrongDirection);
}

TEST_F(RingRules, HandoverOfABufferThatIsDirty) {
  add();
  c.hal.dma.sync_for_cpu(buffer, 4096, kTo);
  c.hal.dma.touch(page + 10, 20, Touch::kWrite);
  fill(0);
  c.hal.order.wmb();
  hand_over(0);
  expect_only(Rule::kHandoverNotSynced);
}

TEST_F(RingRules, HandoverOfABufferThatWasSyncedIsSilent) {
  add();
  c.hal.dma.sync_for_cpu(buffer, 4096, kTo);
  c.hal.dma.touch(page + 10, 20, Touch::kWrite);
  c.hal.dma.touch(page + 1024, 20, Touch::kWrite);  // not in the buffer
  c.hal.dma.sync_for_device(buffer, 64, kTo);
  submit(0);
  expect_silence();
}

TEST_F(RingRules, HandoverOfAPoolPageThatWasNeverSynced) {
  add();
  uint8_t* pool = c.hal.dma.alloc_page();
  const DmaAddr addr = c.map_no_sync(pool, 4096, DmaDir::kBidirectional);
  fill(0);
  c.hal.coherent.write32(base + kAddress, static_cast<uint32_t>(addr));
  c.hal.order.wmb();
  hand_over(0);
  expect_only(Rule::kHandoverNotSynced);
}

TEST_F(RingRules, CpuWriteToABufferTheDeviceOwns) {
  add();
  submit(0);
  c.hal.dma.touch(page, 64, Touch::kRead);  // it may look
  expect_silence();
  c.hal.dma.touch(page + 63, 8, Touch::kWrite);
  expect_only(Rule::kTouchDeviceOwned);
}

TEST_F(RingRules, CpuWriteAfterCompletionIsNotTheRingsBusiness) {
  add();
  submit(0);
  complete(0);
  c.hal.dma.sync_for_cpu(buffer, 4096, kTo);
  c.hal.dma.touch(page, 64, Touch::kWrite);
  expect_silence();
}

TEST_F(RingRules, UnmapWhileTheDeviceOwnsTheBuffer) {
  add();
  submit(0);
  c.hal.dma.unmap(buffer, 4096, kTo);
  expect_only(Rule::kUnmapDeviceOwned);
}

TEST_F(RingRules, UnmapAfterCompletionIsSilent) {
  add();
  submit(0);
  complete(0);
  c.hal.dma.unmap(buffer, 4096, kTo);
  expect_silence();
}

TEST_F(RingRules, WrapBitMissingOrEarly) {
  add();
  fill(0);
  c.hal.order.wmb();
  c.hal.coherent.write32(base + kStatus, kOwner | kWrap);
  expect_only(Rule::kRingWrap, 1);
  EXPECT_EQ(c.message(Rule::kRingWrap), "ring descriptor 0 of 4: wrap bit set");
  fill(3);
  c.hal.order.wmb();
  c.hal.coherent.write32(base + 3 * kStride + kStatus, kOwner);
  expect_only(Rule::kRingWrap, 2);
}

TEST_F(RingRules, DoorbellPastTheRing) {
  spec.doorbell_is_index = true;
  add();
  submit(0);
  c.hal.mmio.write32(kDoorbell, kCount - 1);
  expect_silence();
  c.hal.mmio.write32(kDoorbell, kCount);
  expect_only(Rule::kDoorbellPastRing);
  EXPECT_EQ(c.message(Rule::kDoorbellPastRing),
            "doorbell of ring with index 4: the ring has 4 descriptors");
}

TEST_F(RingRules, DoorbellWithoutWorkOnlyWhereItMatters) {
  add();
  c.hal.mmio.write32(kDoorbell, 0);
  expect_silence();
  spec.doorbell_needs_work = true;
  spec.doorbell_register = 0x20;
  spec.base = c.hal.dma.alloc_coherent(kCount * kStride, 16);
  add();
  base = spec.base;
  submit(0);
  c.hal.mmio.write32(0x20, 0);
  expect_silence();
  c.hal.mmio.write32(0x20, 0);
  expect_only(Rule::kDoorbellNoWork);
}

TEST_F(RingRules, ADoorbellOfAnotherDeviceIsNotThisRings) {
  spec.doorbell_is_index = true;
  add();
  CheckedHal second(c.machine.hal(), c.state);
  second.view().mmio.write32(kDoorbell, 99);
  expect_silence();
}

TEST_F(RingRules, NoLoadBarrierBehindTheOwnershipWord) {
  spec.load_barrier = true;
  add();
  submit(0);
  submit(1);
  submit(2);
  complete(0);
  complete(1);
  complete(2);
  c.hal.coherent.read32(base + kStatus);
  c.hal.order.dma_rmb();
  c.hal.coherent.read32(base + kLength);
  c.hal.coherent.read32(base + kAddress);
  c.hal.coherent.read32(base + kStride + kStatus);
  c.hal.mmio.read32(0);  // readl orders, too
  c.hal.coherent.read32(base + kStride + kLength);
  expect_silence();
  c.hal.coherent.read32(base + 2 * kStride + kStatus);
  c.hal.order.wmb();  // orders stores only
  c.hal.coherent.read32(base + 2 * kStride + kLength);
  expect_only(Rule::kNoLoadBarrier);
}

TEST_F(RingRules, LoadBarriersAreNotAskedForByDefault) {
  add();
  submit(0);
  complete(0);
  c.hal.coherent.read32(base + kStatus);
  c.hal.coherent.read32(base + kLength);
  expect_silence();
}

TEST_F(RingRules, DeviceWritesADescriptorItDoesNotOwn) {
  add();
  complete(0);
  expect_only(Rule::kDeviceWroteUnowned, 1);
  submit(0);
  complete(0);
  expect_only(Rule::kDeviceWroteUnowned, 1);
  c.device_fill(base + kLength, 4);  // a field behind the word that gave it back
  expect_only(Rule::kDeviceWroteUnowned, 2);
}

TEST_F(RingRules, AFreedRingIsForgotten) {
  add();
  submit(0);
  c.hal.dma.free_coherent(base);
  c.hal.dma.touch(page, 64, Touch::kRead);
  c.hal.dma.unmap(buffer, 4096, kTo);
  expect_silence();
}

TEST_F(ReceiveRingRules, CpuReadOfABufferTheDeviceOwns) {
  add();
  submit(0);
  c.hal.dma.touch(page + 128, 64, Touch::kRead);  // behind the buffer
  expect_silence();
  c.hal.dma.touch(page + 127, 1, Touch::kRead);
  expect_only(Rule::kTouchDeviceOwned);
  EXPECT_EQ(c.message(Rule::kTouchDeviceOwned),
            text("CPU read 0x%llx, 1 bytes: in the buffer of ring descriptor 0, the device's since "
                 "2000 ps",
                 static_cast<unsigned long long>(buffer + 127)));
}

TEST_F(ReceiveRingRules, ReadAfterCompletionAndSyncIsSilent) {
  add();
  submit(0);
  c.device_fill(buffer, 100);
  complete(0);
  c.hal.dma.sync_for_cpu(buffer, 100, kFrom);
  c.hal.dma.touch(page, 100, Touch::kRead);
  expect_silence();
}

TEST_F(ReceiveRingRules, ReadBeforeTheWriteBackIsVisible) {
  add();
  submit(0);
  complete(0, base::Picos(1500));
  c.hal.dma.sync_for_cpu(buffer, 100, kFrom);
  c.hal.dma.touch(page, 100, Touch::kRead);
  expect_only(Rule::kTouchDeviceOwned);
}

// A long frame that was dropped leaves its tail in the buffer; the next use is a new one.
TEST_F(ReceiveRingRules, ReArmingForgetsWhatTheDeviceWroteBefore) {
  add();
  c.hal.dma.sync_for_cpu(buffer, 128, kFrom);
  c.hal.dma.touch(page, 128, Touch::kRead);
  c.hal.dma.sync_for_device(buffer, 128, kFrom);
  submit(0);
  c.device_fill(buffer, 128);
  complete(0);
  for (uint32_t i = 1; i <= kCount; ++i) {  // re-armed as it is, and used again a lap later
    submit(i % kCount);
    if (i < kCount) complete(i);
  }
  c.device_fill(buffer, 64);
  complete(0);
  c.hal.dma.sync_for_cpu(buffer, 64, kFrom);
  c.hal.dma.touch(page, 128, Touch::kRead);
  expect_silence();
}

}  // namespace
}  // namespace doorbell::hal::checks
