// Rings moved by a tail register, a mark on each descriptor: refill, tail, mark, buffers.
#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/tail_fixture.h"

namespace doorbell::hal::checks {
namespace {

TEST_F(TailRulesEach, LapsAreSilent) {
  add();
  for (uint32_t i = 0; i < 7; ++i) refill(i);
  ring(7);
  for (uint32_t n = 0; n < 3 * kCount; ++n) {
    const uint32_t i = n % kCount;
    c.device_fill(buffer + i * 256u, 60);
    done(i);
    EXPECT_EQ(c.hal.coherent.read16(base + i * kStride + 8) & 1, 1);
    c.hal.order.dma_rmb();
    c.hal.coherent.read64(base + i * kStride);
    c.hal.dma.sync_for_cpu(buffer + i * 256u, 60, kFrom);
    c.hal.dma.touch(page + i * 256u, 60, Touch::kRead);
    c.hal.dma.sync_for_device(buffer + i * 256u, 60, kFrom);
    const uint32_t next = (i + 7) % kCount;
    refill(next);
    ring((next + 1) % kCount);
  }
  expect_silence();
}

TEST_F(TailRulesEach, AMarkStandsForItsDescriptorAlone) {
  add();
  refill(0);
  refill(1);
  ring(2);
  done(1);
  refill(1);
  expect_silence();
  c.hal.coherent.write16(base + 8, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
}

TEST_F(TailRulesEach, TheDeviceTakesStepsOnly) {
  spec.doorbell_step = 4;
  add();
  for (uint32_t i = 0; i < 7; ++i) refill(i);
  ring(7);
  c.hal.coherent.write16(base + 4 * kStride + 8, 0);  // 4 to 6 are not seen yet
  expect_silence();
  c.hal.coherent.write16(base + 3 * kStride + 8, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
}

TEST_F(TailRulesEach, OtherWordsBeforeTheDoneMark) {
  add();
  refill(0);
  refill(1);
  refill(2);
  ring(3);
  done(0);
  done(1);
  done(2);
  c.hal.coherent.read64(base);  // no look at the mark at all
  expect_only(Rule::kNoLoadBarrier, 1);
  EXPECT_EQ(c.message(Rule::kNoLoadBarrier),
            "ring descriptor 0: the load at +0 came before any look at the done mark");
  c.hal.coherent.read16(base + kStride + 8);
  c.hal.coherent.read64(base + kStride);  // no barrier between
  expect_only(Rule::kNoLoadBarrier, 2);
  c.hal.coherent.read64(base + 2 * kStride + 8);
  c.hal.order.rmb();
  c.hal.coherent.read64(base + 2 * kStride);
  expect_only(Rule::kNoLoadBarrier, 2);
}

TEST_F(TailRulesEach, AStaleMarkLeftByTheRefill) {
  add();
  for (uint32_t i = 0; i < 7; ++i) refill(i);
  ring(7);
  done(0);
  c.hal.coherent.read16(base + 8);
  c.hal.order.dma_rmb();
  c.hal.coherent.read64(base);
  refill(7);
  c.hal.coherent.write64(base, buffer);  // and the mark stays
  c.hal.coherent.read16(base + 8);
  expect_only(Rule::kStaleDone, 1);
  EXPECT_EQ(c.message(Rule::kStaleDone),
            "ring descriptor 0: the CPU read a done mark that is not of this lap");
  done(1);
  ring(1);
  expect_only(Rule::kStaleDone, 2);
}

TEST_F(TailRulesEach, AnAddressOfTheLapBefore) {
  add();
  for (uint32_t i = 0; i < 7; ++i) refill(i);
  ring(7);
  done(0);
  done(1);
  c.hal.coherent.write16(base + 8, 0);  // cleared, but no new buffer
  refill(7);
  ring(1);
  EXPECT_EQ(c.count(Rule::kPostedWithoutContent), 1u);
  EXPECT_EQ(c.message(Rule::kPostedWithoutContent),
            "ring descriptor 0: posted, and its address was not written since the device had it");
  EXPECT_EQ(c.count(Rule::kHandoverNotMapped), 1u);  // the write-back stands where it was
  EXPECT_EQ(c.state.log().total(), 2u);
}

TEST_F(TailRulesEach, OneBufferInTwoDescriptors) {
  add();
  refill(0);
  refill(1);
  c.hal.coherent.write64(base + kStride, buffer + 64);
  ring(2);
  expect_only(Rule::kHandoverTwice);
  EXPECT_EQ(c.message(Rule::kHandoverTwice),
            text("ring descriptor 1: buffer 0x%llx, 128 bytes, is also that of ring descriptor 0, "
                 "the device's since 2000 ps",
                 static_cast<unsigned long long>(buffer + 64)));
}

// XDP_TX's mistake: the page goes back to the receive ring before its transmission is reported.
TEST_F(TailRulesEach, ABufferUsedAgainWhileATransmitRingHasIt) {
  add();
  RingSpec tx = spec;
  tx.name = "tx";
  tx.direction = kTo;
  tx.base = c.hal.dma.alloc_coherent(4096, 4096);
  tx.doorbell_register = 0x80;
  c.checked.add_ring(tx);
  uint8_t* second = c.hal.dma.alloc_page();
  const DmaAddr addr = c.map_no_sync(second, 4096, DmaDir::kBidirectional);
  c.hal.dma.sync_for_device(addr, 4096, DmaDir::kBidirectional);
  c.hal.coherent.write64(tx.base, addr);
  c.hal.mmio.write32(0x80, 1);
  c.hal.coherent.write64(base, addr + 64);
  ring(1);
  expect_only(Rule::kHandoverTwice);
}

TEST_F(TailRulesEach, TwoReadersOfOneBufferAreFine) {
  spec.direction = kTo;
  spec.load_barrier = false;
  c.hal.dma.unmap(buffer, 4096, kFrom);
  buffer = c.map(page, 4096, kTo);
  add();
  refill(0);
  c.hal.coherent.write64(base + kStride, buffer);
  c.hal.coherent.write16(base + kStride + 8, 0);
  ring(2);
  expect_silence();
}

TEST_F(TailRulesEach, BufferTouchedBeforeTheMarkIsVisible) {
  add();
  refill(0);
  ring(1);
  done(0, base::Picos(1500));
  c.hal.dma.sync_for_cpu(buffer, 128, kFrom);
  c.hal.dma.touch(page, 60, Touch::kRead);
  expect_only(Rule::kTouchDeviceOwned);
}

}  // namespace
}  // namespace doorbell::hal::checks
