// The E810's rings: their numbers, and the life of transmit rings by admin commands and doorbells.
#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/ice_fixture.h"

namespace doorbell::hal::checks {
namespace {

TEST(IceRingSpecs, TransmitNumbersAreThoseOfTheFactSheet) {
  const RingSpec spec = ice_tx_ring("ice tx3", 3, 0x40001000, 256, 32);
  EXPECT_EQ(spec.name, "ice tx3");
  EXPECT_EQ(spec.handing, Handing::kTail);
  EXPECT_EQ(spec.direction, DmaDir::kToDevice);
  EXPECT_EQ(spec.stride, 16u);
  EXPECT_EQ(spec.count, 256u);
  EXPECT_EQ(spec.base, 0x40001000u);
  EXPECT_EQ(spec.doorbell_register, 0x002C000Cu);
  EXPECT_TRUE(spec.doorbell_is_index);
  EXPECT_EQ(spec.doorbell_step, 1u);
  EXPECT_EQ(spec.address.offset, 0u);
  EXPECT_EQ(spec.address.bytes, 8u);
  EXPECT_EQ(spec.control.offset, 8u);
  EXPECT_EQ(spec.length.shift, 34u);  // BUF_SZ is 47:34
  EXPECT_EQ(spec.length.mask, 0x3FFFu);
  EXPECT_EQ(spec.report_mask, 0x20u);  // RS is 0x002 << 4
  EXPECT_EQ(spec.done.offset, 8u);
  EXPECT_EQ(spec.done_mask, 0xFu);  // DTYPE
  EXPECT_EQ(spec.done_value, 0xFu);
  EXPECT_EQ(spec.report_every, 32u);
}

TEST(IceRingSpecs, ReceiveNumbersAreThoseOfTheFactSheet) {
  const RingSpec spec = ice_rx_ring("ice rx2", 2, 0x40001000, 2048, 1536);
  EXPECT_EQ(spec.direction, DmaDir::kFromDevice);
  EXPECT_EQ(spec.stride, 32u);
  EXPECT_EQ(spec.count, 2048u);
  EXPECT_EQ(spec.buffer_bytes, 1536u);
  EXPECT_EQ(spec.doorbell_register, 0x00290008u);
  EXPECT_EQ(spec.doorbell_step, 8u);
  EXPECT_EQ(spec.control.bytes, 0u);
  EXPECT_EQ(spec.report_mask, 0u);
  EXPECT_EQ(spec.done.offset, 8u);
  EXPECT_EQ(spec.done_mask, 1u);
  EXPECT_EQ(spec.done_value, 1u);
  EXPECT_TRUE(spec.load_barrier);
  EXPECT_FALSE(ice_rx_ring("x", 0, 0x1000, 64, 128, false).load_barrier);
}

TEST_F(IceDriverDay, ReportsOnEachAreSilent) {
  add_tx(0, 64);
  for (uint32_t n = 0; n < 200; ++n) {
    fill(n % 64, kEop | kRs);
    doorbell((n + 1) % 64);
    report(n % 64);
    release(n % 64);
  }
  expect_silence();
}

// The seed's scheme: report and clean every 32nd, doorbell at the end of a poll.
struct Threshold {
  uint32_t count;
  uint32_t ntu = 0;
  uint32_t next_rs = 31;
};

TEST_F(IceDriverDay, ReportsOnEvery32ndAreSilent) {
  constexpr uint32_t kRing = 96;
  add_tx(0, kRing);
  Threshold t{kRing};
  for (uint32_t n = 0; n < 5 * kRing; ++n) {
    fill(t.ntu, kEop);
    ++t.ntu;
    if (t.ntu == kRing) t.ntu = 0;
    if (n % 32 == 31) {
      const DmaAddr last = tx + (n % kRing) * 16 + 8;
      c.hal.coherent.write64(last, c.hal.coherent.read64(last) | kRs);
      doorbell(t.ntu);
      report(n % kRing);
      for (uint32_t i = 0; i < 32; ++i) release(n % kRing - 31 + i);
      c.hal.coherent.write64(last, 0);
    }
  }
  expect_silence();
  for (uint32_t i = 0; i < 31; ++i) fill(i, kEop);  // a group's tail: no report, the device's
  doorbell(31);
  release(30);
  expect_only(Rule::kUnmapDeviceOwned);
}

// What the seed does with a ring of 100, up to the first wrap.
TEST_F(IceDriverDay, ARingOf100NamesWhyItWillStall) {
  constexpr uint32_t kRing = 100;
  add_tx(0, kRing);
  Threshold t{kRing};
  const auto ask = [&](uint32_t index) {
    const DmaAddr at = tx + index * 16 + 8;
    c.hal.coherent.write64(at, c.hal.coherent.read64(at) | kRs);
  };
  for (uint32_t n = 0; n < kRing; ++n) {
    fill(t.ntu, kEop);
    uint32_t i = t.ntu + 1;
    if (i == kRing) {
      expect_silence();
      i = 0;
      ask(t.next_rs);
      t.next_rs = 31;
    }
    t.ntu = i;
    if (i > t.next_rs) {
      ask(t.next_rs);
      t.next_rs += 32;
    }
    if (n % 32 == 31) {
      doorbell(t.ntu);
      report(n);
      for (uint32_t k = 0; k < 32; ++k) release(n - k);
    }
  }
  EXPECT_EQ(c.count(Rule::kOutsideRing), 2u);
  EXPECT_EQ(c.count(Rule::kRingSize), 1u);
  EXPECT_EQ(c.state.log().total(), 3u);
  EXPECT_EQ(c.message(Rule::kRingSize),
            "ice tx0 has 100 descriptors, no multiple of its report threshold 32: at the wrap RS "
            "is written to descriptor 127, outside the ring, and the last 4 of each lap have no "
            "report of their own, so cleaning falls 4 behind a lap until the ring stays full");
}

// H4 of the fact sheet: a report asked for after the doorbell.
TEST_F(IceDriverDay, ReportAskedForInAPostedDescriptor) {
  add_tx(0, 64);
  fill(0, kEop);
  doorbell(1);
  const uint64_t word = c.hal.coherent.read64(tx + 8);
  report(0);  // comes between load and store; nobody asked for it, as far as the ring knows
  EXPECT_EQ(c.count(Rule::kReportNotAsked), 1u);
  fill(1, kEop);
  doorbell(2);
  c.hal.coherent.write64(tx + 16 + 8, word | kRs);
  EXPECT_EQ(c.count(Rule::kDescriptorDeviceOwned), 1u);
  EXPECT_NE(c.message(Rule::kDescriptorDeviceOwned).find("a report that comes meanwhile is lost"),
            std::string::npos);
}

TEST_F(IceDriverDay, ContextDescriptorsHaveNoBuffer) {
  add_tx(0, 64);
  c.hal.coherent.write64(tx, 0x0000001200000000);
  c.hal.coherent.write64(tx + 8, uint64_t{1000} << 50 | uint64_t{3000} << 30 | 0x11);
  fill(1, kEop | kRs);
  doorbell(2);
  report(1);
  release(1);
  c.hal.coherent.write64(tx, 0);  // given back with the report behind it
  expect_silence();
}

// Bit 5 of a context descriptor asks for a time stamp, not for a report.
TEST_F(IceDriverDay, AContextDescriptorIsNeverReported) {
  add_tx(0, 64);
  c.hal.coherent.write64(tx, 0x0000001200000000);
  c.hal.coherent.write64(tx + 8, 0x21);
  fill(1, kEop | kRs);
  doorbell(2);
  report(0);
  expect_only(Rule::kReportNotAsked);
}

TEST_F(IceDriverDay, DoorbellIndexOutsideTheRing) {
  add_tx(5, 64);
  doorbell(64, 5);
  expect_only(Rule::kDoorbellPastRing);
  EXPECT_EQ(c.message(Rule::kDoorbellPastRing),
            "doorbell of ice tx5 with index 64: the ring has 64 descriptors");
}

TEST_F(IceDriverDay, DisabledTheBuffersAreTheDrivers) {
  add_tx(0, 64);
  fill(0, kEop);
  doorbell(1);
  disable_tx(0);
  release(0);
  c.hal.dma.free_coherent(tx);
  expect_silence();
}

TEST_F(IceDriverDay, BuffersGoWithTheQueueRunning) {
  add_tx(0, 64);
  fill(0, kEop);
  doorbell(1);
  disable_tx(1);  // another
  release(0);
  expect_only(Rule::kUnmapDeviceOwned);
}

TEST_F(IceDriverDay, SeveralGroupsInOneCommand) {
  const DmaAddr first = c.hal.dma.alloc_coherent(4096, 4096);
  const DmaAddr second = c.hal.dma.alloc_coherent(4096, 4096);
  std::vector<uint8_t> both = add_queue_buffer(0, first, 64);
  const std::vector<uint8_t> more = add_queue_buffer(7, second, 96);
  both.insert(both.end(), more.begin(), more.end());
  command(0x0C30, 2, both);
  tx = second;
  fill(0, kEop);
  doorbell(1, 7);
  tx = first;
  fill(1, kEop);
  c.hal.coherent.write64(tx, addrs[1] + 256);
  fill(0, kEop);
  doorbell(2, 0);
  expect_silence();
  std::vector<uint8_t> off = disable_buffer({1, 2});  // two are followed by padding
  const std::vector<uint8_t> seven = disable_buffer({7});
  off.insert(off.end(), seven.begin(), seven.end());
  command(0x0C31, 2u << 8, off);
  c.hal.coherent.write64(second + 8, 0);
  expect_silence();
  c.hal.coherent.write64(first + 8, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
}

TEST_F(IceDriverDay, NonsenseInTheAdminQueueAddsNothing) {
  command(0x0C30, 1, add_queue_buffer(0, 0x40001000, 0));
  command(0x0C30, 9, add_queue_buffer(20000, 0x40001000, 64));
  command(0x0C30, 1, {0, 0, 0, 0, 255, 0});
  command(0x0C31, 9u << 8, {0, 0, 0, 0, 255, 0, 1, 0});
  command(0x0001, 1, add_queue_buffer(1, 0x40001000, 64));
  c.hal.mmio.write32(0x00080400, 999);
  c.hal.mmio.write32(0x00080200, 0);
  c.hal.mmio.write32(0x00080400, 3);
  doorbell(500, 0);
  doorbell(500, 1);
  expect_silence();
}

// As with one view per interrupt vector: registers of one device, cores of their own.
TEST_F(IceDriverDay, AllViewsOfTheDeviceMoveItsRings) {
  add_tx(0, 64);
  CheckedHal second(c.machine.hal(), c.checked);
  Hal other = second.view();
  c.machine.core = 1;
  fill(0, kEop);
  other.mmio.write32(kTxDoorbell, 1);
  other.coherent.write64(tx + 8, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
  CheckedHal stranger(c.machine.hal(), c.state);  // another device
  stranger.view().mmio.write32(kTxDoorbell, 99);
  expect_only(Rule::kDescriptorDeviceOwned);
}

}  // namespace
}  // namespace doorbell::hal::checks
