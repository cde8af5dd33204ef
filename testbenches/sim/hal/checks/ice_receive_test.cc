// The E810's receive rings: contexts, QRX_CTRL, the tail in steps of eight, DD, resets.
#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/ice_fixture.h"

namespace doorbell::hal::checks {
namespace {

TEST_F(IceDriverDay, ReceiveIsSilent) {
  map_for_receive();
  add_rx(3, 64, 1536);
  const uint32_t tail = kRxTail + 4 * 3;
  for (uint32_t i = 0; i < 63; ++i) refill(i);
  c.hal.order.wmb();
  c.hal.mmio.write32(tail, 56);  // 63 in steps of eight
  uint32_t ntu = 63;
  for (uint32_t n = 0; n < 200; ++n) {
    const uint32_t i = n % 64;
    receive(i);
    EXPECT_EQ(c.hal.coherent.read64(rx + i * 32 + 8) & 1, 1u);
    c.hal.order.dma_rmb();
    c.hal.coherent.read64(rx + i * 32);
    const DmaAddr buffer = addrs[i % kPages] + 256;
    c.hal.dma.sync_for_cpu(buffer, 60, DmaDir::kFromDevice);
    c.hal.dma.touch(pages[i % kPages] + 256, 60, Touch::kRead);
    c.hal.dma.sync_for_device(buffer, 1536, DmaDir::kFromDevice);
    refill(ntu);
    ntu = (ntu + 1) % 64;
    if (ntu % 8 == 0) c.hal.mmio.write32(tail, ntu);
  }
  c.hal.mmio.write32(kRxControl + 4 * 3, 0);
  for (unsigned i = 0; i < kPages; ++i) {
    c.hal.dma.unmap_no_sync(addrs[i], 4096, DmaDir::kFromDevice);
  }
  expect_silence();
}

TEST_F(IceDriverDay, TheLowBitsOfTheReceiveTailDoNotCount) {
  map_for_receive();
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 15; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 15);
  c.hal.coherent.write64(rx + 8 * 32, addrs[8] + 256);  // still the driver's
  expect_silence();
  c.hal.coherent.write64(rx + 7 * 32, addrs[7] + 256);
  expect_only(Rule::kDescriptorDeviceOwned);
  EXPECT_NE(c.message(Rule::kDescriptorDeviceOwned).find("ice rx0 descriptor 7"),
            std::string::npos);
}

TEST_F(IceDriverDay, ReceiveTailPassesTheHead) {
  map_for_receive();
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 64; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 56);
  expect_silence();
  c.hal.mmio.write32(kRxTail, 0);
  expect_only(Rule::kDoorbellPassesHead);
}

TEST_F(IceDriverDay, ReceiveBuffersNotMappedOrNotSynced) {
  map_for_receive();
  c.hal.dma.unmap_no_sync(addrs[3], 4096, DmaDir::kFromDevice);
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 8; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 8);
  expect_only(Rule::kHandoverNotMapped);
  EXPECT_NE(c.message(Rule::kHandoverNotMapped).find("ice rx0 descriptor 3"), std::string::npos);
  uint8_t* fresh = c.hal.dma.alloc_page();
  const DmaAddr addr = c.map_no_sync(fresh, 4096, DmaDir::kFromDevice);
  for (uint32_t i = 8; i < 16; ++i) refill(i);
  c.hal.coherent.write64(rx + 9 * 32, addr + 256);
  c.hal.mmio.write32(kRxTail, 16);
  EXPECT_EQ(c.count(Rule::kHandoverNotSynced), 1u);
  EXPECT_EQ(c.state.log().total(), 2u);
}

TEST_F(IceDriverDay, TheBufferIsAsLongAsTheContextSays) {
  map_for_receive();
  add_rx(0, 64, 3072);
  for (uint32_t i = 0; i < 8; ++i) {
    c.hal.dma.sync_for_device(addrs[i] + 256, 3072, DmaDir::kFromDevice);
    refill(i);
  }
  c.hal.mmio.write32(kRxTail, 8);
  c.hal.dma.touch(pages[0] + 256 + 3072, 8, Touch::kRead);
  expect_silence();
  c.hal.dma.touch(pages[0] + 256 + 3071, 1, Touch::kRead);
  expect_only(Rule::kTouchDeviceOwned);
}

TEST_F(IceDriverDay, NoBarrierBehindDd) {
  map_for_receive();
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 8; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 8);
  receive(0);
  c.hal.coherent.read64(rx + 8);
  c.hal.coherent.read64(rx);
  expect_only(Rule::kNoLoadBarrier);
}

TEST_F(IceDriverDay, AFunctionResetStopsEverything) {
  add_tx(0, 64);
  map_for_receive();
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 16; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 16);
  c.hal.mmio.write32(0x00091000, 1);  // PFGEN_CTRL.PFSWR
  c.hal.coherent.write64(rx, 0);
  c.hal.dma.unmap_no_sync(addrs[1], 4096, DmaDir::kFromDevice);
  expect_silence();
  c.map_no_sync(pages[1], 4096, DmaDir::kFromDevice);
  c.hal.dma.sync_for_device(addrs[1] + 256, 1536, DmaDir::kFromDevice);
  for (uint32_t i = 0; i < 8; ++i) refill(i);
  c.hal.mmio.write32(kRxControl, 1);  // enabled again: from the start
  for (uint32_t i = 0; i < 8; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 8);
  receive(0);
  expect_silence();
  c.hal.coherent.write64(rx + 7 * 32, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
}

TEST_F(IceDriverDay, EnablingAnEnabledReceiveQueueChangesNothing) {
  map_for_receive();
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 8; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 8);
  c.hal.mmio.write32(kRxControl, 5);
  c.hal.coherent.write64(rx + 7 * 32, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
}

}  // namespace
}  // namespace doorbell::hal::checks
