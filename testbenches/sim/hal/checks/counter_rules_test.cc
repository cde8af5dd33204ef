// Linked descriptors with an owner counter: epochs, acknowledgements, links.
#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/fake_machine.h"

namespace doorbell::hal::checks {
namespace {

constexpr auto kTo = DmaDir::kToDevice;
constexpr uint32_t kCount = 4;
constexpr uint32_t kStride = 64;
constexpr uint32_t kBaseRegister = 0x10;
constexpr uint32_t kControl = 0x20;
constexpr uint32_t kKick = 2;
constexpr uint32_t kStop = 4;
// In a block: acknowledgement, properties, length, link, address.
constexpr uint32_t kEcho = 0;
constexpr uint32_t kProps = 32;
constexpr uint32_t kLength = 36;
constexpr uint32_t kNext = 40;
constexpr uint32_t kAddress = 48;
constexpr uint32_t kLast = 1u << 16;
constexpr uint32_t kInline = 1u << 17;
constexpr uint32_t kFlag = 1u << 29;

class CounterRules : public ::testing::Test {
 protected:
  CounterRules() {
    spec.name = "ring";
    spec.handing = Handing::kCounter;
    spec.direction = kTo;
    spec.stride = kStride;
    spec.count = kCount;
    spec.base_register = kBaseRegister;
    spec.base_mask = 0xFFFFFFC0;
    spec.reset_mask = 1;
    spec.next = {kNext, 8};
    spec.ownership = {kProps, 4};
    spec.owner_mask = 3u << 30;
    spec.address = {kAddress, 8};
    spec.length = {kLength, 4};
    spec.echo = {kEcho, 4};
    spec.echo_mask = 3u << 30 | kFlag;
    spec.first_mask = 0xFFFF;
    spec.last_mask = kLast;
    spec.no_buffer_owner = kInline;
    spec.doorbell_register = kControl;
    spec.doorbell_mask = kKick;
    spec.stop_register = kControl;
    spec.stop_mask = kStop;
    spec.needs_doorbell = true;
    spec.load_barrier = true;
    // Two pages apart, as a driver with a page for each of its parts has them.
    const DmaAddr high = c.hal.dma.alloc_coherent(2 * kStride, 64);
    c.hal.dma.alloc_coherent(256, 64);
    const DmaAddr low = c.hal.dma.alloc_coherent(2 * kStride, 64);
    at = {low, low + kStride, high, high + kStride};
    for (uint32_t i = 0; i < kCount; ++i) {
      c.hal.coherent.write64(at[i] + kNext, at[(i + 1) % kCount]);
    }
    page = c.hal.dma.alloc_page();
    buffer = c.map(page, 4096, kTo);
  }
  void add() {
    c.checked.add_ring(spec);
    reset();
  }
  void reset() {
    c.hal.mmio.write32(kBaseRegister, static_cast<uint32_t>(at[0]) | 1);
    c.step();
  }
  // One frame in one descriptor, with the given counter.
  void hand_over(uint32_t i, uint32_t counter, uint32_t flags = kLast, uint32_t length = 60) {
    c.hal.coherent.write64(at[i] + kAddress, buffer + i * 256u);
    c.hal.coherent.write32(at[i] + kLength, 60);
    c.hal.order.dma_wmb();
    c.hal.coherent.write32(at[i] + kProps, counter << 30 | flags | length);
    c.step();
  }
  void kick() { c.hal.mmio.write32(kControl, kKick); }
  void acknowledge(uint32_t i, uint32_t counter, uint32_t flags = 0,
                   base::Picos later = base::Picos(0)) {
    uint8_t word[4];
    base::store_le<uint32_t>(word, counter << 30 | flags);
    c.device_write(at[i] + kEcho, {word, 4}, later);
    c.step();
  }
  void expect_only(Rule rule, uint64_t times = 1) {
    EXPECT_EQ(c.count(rule), times) << info(rule).id;
    for (const Finding& f : c.state.log().broken()) {
      if (f.rule != rule) ADD_FAILURE() << info(f.rule).id << ": " << f.message;
    }
  }
  void expect_silence() {
    for (const Finding& f : c.state.log().broken()) {
      ADD_FAILURE() << info(f.rule).id << ": " << f.message;
    }
  }
  // Counters of a ring of four, typed: they change every three activations.
  static constexpr uint32_t kSequence[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 1, 1, 1, 2};

  Checked c;
  RingSpec spec;
  std::vector<DmaAddr> at;
  uint8_t* page = nullptr;
  DmaAddr buffer = 0;
};

TEST_F(CounterRules, LapsAreSilent) {
  add();
  for (uint32_t k = 0; k < 13; ++k) {
    const uint32_t flag = k / kCount % 2 == 0 ? kFlag : 0;  // toggles for each use of a slot
    hand_over(k % kCount, kSequence[k], kLast | flag);
    kick();
    c.device_read(buffer + k % kCount * 256, 60);
    acknowledge(k % kCount, kSequence[k], flag);
    c.hal.coherent.read32(at[k % kCount] + kEcho);
    c.hal.order.dma_rmb();
    c.hal.coherent.read32(at[k % kCount] + kEcho + 8);
  }
  expect_silence();
}

TEST_F(CounterRules, ACounterThatTheDeviceDoesNotWaitFor) {
  add();
  for (uint32_t k = 0; k < 3; ++k) {
    hand_over(k, 1, kLast | kFlag);
    acknowledge(k, 1, kFlag);
  }
  expect_silence();
  hand_over(3, 1, kLast | kFlag);  // every lap, where it is every lap but one
  expect_only(Rule::kOwnerCounter);
  EXPECT_EQ(c.message(Rule::kOwnerCounter),
            "ring descriptor 3: owner counter 1, where the device waits for 2");
  hand_over(3, 2, kLast | kFlag);
  kick();
  acknowledge(3, 2, kFlag);
  expect_only(Rule::kOwnerCounter);
}

TEST_F(CounterRules, AFrameIsAcknowledgedOnItsFirstFragment) {
  add();
  hand_over(0, 1, kFlag, 180);
  hand_over(1, 1, 0, 0);
  hand_over(2, 1, kLast, 0);
  kick();
  c.hal.dma.touch(page + 512, 4, Touch::kWrite);
  EXPECT_EQ(c.count(Rule::kTouchDeviceOwned), 1u);
  acknowledge(0, 1, kFlag);
  c.hal.dma.unmap(buffer, 4096, kTo);
  c.hal.coherent.write32(at[2] + kLength, 0);
  expect_only(Rule::kTouchDeviceOwned);
}

TEST_F(CounterRules, AnotherCounterIsNoAcknowledgement) {
  add();
  hand_over(0, 1, kLast | kFlag);
  kick();
  acknowledge(0, 1);  // without the user flag
  c.hal.coherent.write32(at[0] + kLength, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
}

TEST_F(CounterRules, TheUserFlagWasNotToggled) {
  spec.echo_mask = 3u << 30 | kFlag;
  add();
  uint8_t word[4];
  hand_over(0, 1, kLast | kFlag);
  acknowledge(0, 1, kFlag);
  // A lap in which the slot was no first fragment leaves its acknowledgement behind.
  for (uint32_t k = 1; k < 9; ++k) {
    const uint32_t i = k % kCount;
    const bool first = i != 0;
    hand_over(i, kSequence[k], kLast | (k / kCount % 2 == 0 ? kFlag : 0), first ? 60 : 0);
    if (first) {
      acknowledge(i, kSequence[k], k / kCount % 2 == 0 ? kFlag : 0);
    } else {
      base::store_le<uint32_t>(word, kSequence[k] << 30 | (k / kCount % 2 == 0 ? kFlag : 0));
      c.device_write(at[i] + kEcho, {word, 4});
    }
  }
  expect_silence();
  hand_over(1, 1, kLast | kFlag);  // k = 9: counter 1 again, the echo of k = 5 was 2
  expect_silence();
  acknowledge(1, 1, kFlag);
  hand_over(2, 1, kLast | kFlag);
  acknowledge(2, 1, kFlag);
  c.hal.coherent.write32(at[3] + kEcho, 1u << 30 | kFlag);  // left behind
  hand_over(3, 1, kLast | kFlag);
  expect_only(Rule::kStaleDone);
  EXPECT_EQ(c.message(Rule::kStaleDone),
            "ring descriptor 3: handed over with an old acknowledgement that fits");
}

TEST_F(CounterRules, NoBarrierBeforeTheProperties) {
  add();
  c.hal.coherent.write64(at[0] + kAddress, buffer);
  c.hal.coherent.write32(at[0] + kLength, 60);
  c.hal.coherent.write32(at[0] + kProps, 1u << 30 | kLast | 60);
  expect_only(Rule::kOwnershipBeforeFields);
}

TEST_F(CounterRules, StoreToADescriptorOfTheDevice) {
  add();
  hand_over(0, 1);
  hand_over(0, 1);  // the same slot again: the position was not moved on
  EXPECT_GE(c.count(Rule::kDescriptorDeviceOwned), 1u);
  EXPECT_EQ(c.count(Rule::kOwnerCounter), 0u);
}

TEST_F(CounterRules, InlineDataNeedsNoMapping) {
  add();
  c.hal.dma.unmap(buffer, 4096, kTo);
  hand_over(0, 1, kLast | kInline);
  expect_silence();
  hand_over(1, 1, kLast);
  expect_only(Rule::kHandoverNotMapped);
}

TEST_F(CounterRules, HandedOverAndNeverKicked) {
  add();
  hand_over(0, 1);
  c.hal.mmio.write32(kControl, 0x100);  // another bit of the register
  hand_over(1, 1);
  c.hal.mmio.write32(kControl, kStop);
  expect_only(Rule::kHandoverNoDoorbell);
  EXPECT_EQ(c.message(Rule::kHandoverNoDoorbell),
            "ring: 2 descriptors were handed over and no doorbell followed");
}

TEST_F(CounterRules, KickedBeforeTheStopIsSilent) {
  add();
  hand_over(0, 1);
  kick();
  c.hal.mmio.write32(kControl, kStop);
  c.hal.dma.unmap(buffer, 4096, kTo);
  expect_silence();
}

TEST_F(CounterRules, FreedWithoutAKick) {
  add();
  hand_over(0, 1);
  c.hal.dma.free_coherent(at[0]);
  expect_only(Rule::kHandoverNoDoorbell);
}

TEST_F(CounterRules, ResetOverOldCounters) {
  add();
  hand_over(0, 1);
  kick();
  acknowledge(0, 1);
  c.hal.mmio.write32(kControl, kStop);
  c.hal.coherent.write32(at[0] + kProps, 0);  // the write-back was forgotten
  reset();
  expect_only(Rule::kOwnerCounter, 1);
  EXPECT_EQ(c.message(Rule::kOwnerCounter),
            "ring descriptor 0: the owner counter was reset with an old one in its write-back");
  c.hal.coherent.write32(at[0] + kEcho, 0);
  reset();
  expect_only(Rule::kOwnerCounter, 1);
  c.hal.mmio.write32(kControl, kStop);
  c.hal.coherent.write32(at[1] + kProps, 1u << 30 | 60);
  reset();
  expect_only(Rule::kOwnerCounter, 2);
  c.hal.mmio.write32(kControl, kStop);
  c.hal.coherent.write32(at[1] + kProps, 0);
  reset();
  expect_only(Rule::kOwnerCounter, 2);
  hand_over(0, 1);
  kick();
  c.hal.coherent.write32(at[0] + kEcho, 0);
  EXPECT_EQ(c.count(Rule::kDescriptorDeviceOwned), 1u);
}

TEST_F(CounterRules, ANewAddressWithoutReset) {
  add();
  hand_over(0, 1);
  kick();
  acknowledge(0, 1);
  c.hal.mmio.write32(kControl, kStop);
  for (uint32_t i = 0; i < kCount; ++i) {
    c.hal.coherent.write32(at[i] + kProps, 0);
    c.hal.coherent.write32(at[i] + kEcho, 0);
  }
  c.hal.mmio.write32(kBaseRegister, static_cast<uint32_t>(at[0]));
  expect_only(Rule::kOwnerCounter);
}

TEST_F(CounterRules, TheLinksMakeNoRing) {
  c.hal.coherent.write64(at[2] + kNext, at[1]);
  add();
  expect_only(Rule::kRingLink, 1);
  c.hal.coherent.write64(at[2] + kNext, 0);
  reset();
  expect_only(Rule::kRingLink, 2);
  hand_over(0, 3);  // not a ring, not watched
  expect_only(Rule::kRingLink, 2);
}

TEST_F(CounterRules, TheBrokenLinkIsNamed) {
  c.hal.coherent.write64(at[2] + kNext, 0);
  add();
  EXPECT_EQ(c.message(Rule::kRingLink), "ring: the link of descriptor 2 of 4 leads to 0x0");
}

TEST_F(CounterRules, AnAddressThatIsNoCoherentMemory) {
  at[0] = c.hal.dma.phys(page);
  add();
  EXPECT_EQ(c.message(Rule::kRingLink), text("ring: its address, 0x%llx, is not in coherent memory",
                                             static_cast<unsigned long long>(at[0])));
}

TEST_F(CounterRules, TheDeviceAcknowledgesWhatItDoesNotHave) {
  add();
  acknowledge(1, 1);
  expect_only(Rule::kDeviceWroteUnowned);
}

TEST_F(CounterRules, NoBarrierBehindTheAcknowledgement) {
  add();
  hand_over(0, 1);
  kick();
  acknowledge(0, 1);
  c.hal.coherent.read32(at[0] + kEcho);
  c.hal.coherent.read32(at[0] + kEcho + 8);
  expect_only(Rule::kNoLoadBarrier);
  EXPECT_EQ(c.message(Rule::kNoLoadBarrier),
            "ring descriptor 0: no dma_rmb between the acknowledgement and the load at +8");
}

}  // namespace
}  // namespace doorbell::hal::checks
