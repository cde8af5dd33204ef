// tsnep's rings: numbers typed from the fact sheet, and a lap and more of both directions.
#include "sim/hal/checks/tsnep_rings.h"

#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/fake_machine.h"

namespace doorbell::hal::checks {
namespace {

TEST(TsnepRings, NumbersAreThoseOfTheFactSheet) {
  const RingSpec tx = tsnep_ring("tsnep", 0, false);
  EXPECT_EQ(tx.name, "tsnep tx0");
  EXPECT_EQ(tx.handing, Handing::kCounter);
  EXPECT_EQ(tx.direction, DmaDir::kToDevice);
  EXPECT_EQ(tx.stride, 256u);
  EXPECT_EQ(tx.count, 256u);
  EXPECT_EQ(tx.base_register, 0x140u);
  EXPECT_EQ(tx.base_high_register, 0x144u);
  EXPECT_EQ(tx.reset_mask, 1u);
  EXPECT_EQ(tx.ownership.offset, 128u);
  EXPECT_EQ(tx.owner_mask, 0xC0000000u);
  EXPECT_EQ(tx.length.offset, 132u);
  EXPECT_EQ(tx.next.offset, 144u);
  EXPECT_EQ(tx.address.offset, 152u);
  EXPECT_EQ(tx.echo.offset, 0u);
  EXPECT_EQ(tx.echo_mask, 0xE0000000u);
  EXPECT_EQ(tx.first_mask, 0x3FFFu);
  EXPECT_EQ(tx.last_mask, 1u << 16);
  EXPECT_EQ(tx.no_buffer_owner, 1u << 17);
  EXPECT_EQ(tx.doorbell_register, 0x108u);
  EXPECT_EQ(tx.doorbell_mask, 0x2u);
  const RingSpec rx = tsnep_ring("tsnep", 2, true, false);
  EXPECT_EQ(rx.name, "tsnep rx2");
  EXPECT_EQ(rx.direction, DmaDir::kFromDevice);
  EXPECT_EQ(rx.base_register, 0x5180u);  // queue 2's block begins at 0x5000
  EXPECT_EQ(rx.base_high_register, 0x5184u);
  EXPECT_EQ(rx.length.offset, 128u);
  EXPECT_EQ(rx.length.mask, 0x3FFCu);
  EXPECT_EQ(rx.echo_mask, 0xC0000000u);
  EXPECT_EQ(rx.doorbell_register, 0x5108u);
  EXPECT_EQ(rx.doorbell_mask, 0x200u);
  EXPECT_EQ(rx.stop_register, 0x5108u);
  EXPECT_EQ(rx.stop_mask, 0x400u);
  EXPECT_FALSE(rx.load_barrier);
}

// One ring of 16 pages with 16 blocks each, the pages in falling order.
class TsnepDay : public ::testing::Test {
 protected:
  void make(bool receive) {
    c.checked.add_ring(tsnep_ring("tsnep", 0, receive));
    for (unsigned p = 0; p < 16; ++p) {
      pages[15 - p] = c.hal.dma.alloc_coherent(4096, 4096);
      c.hal.dma.alloc_coherent(64, 64);
    }
    for (uint32_t i = 0; i < 256; ++i) {
      c.hal.coherent.write64(at(i) + 144, at((i + 1) % 256));
    }
    const uint32_t reg = receive ? 0x180 : 0x140;
    c.hal.mmio.write32(reg, static_cast<uint32_t>(at(0)) | 1);
    c.hal.mmio.write32(reg + 4, static_cast<uint32_t>(at(0) >> 32));
    page = c.hal.dma.alloc_page();
  }
  DmaAddr at(uint32_t i) const { return pages[i / 16] + i % 16 * 256; }
  // The fact sheet's table: 1 up to activation 254, 2 up to 509, 3 up to 764, 1 up to 1019.
  static uint32_t counter(uint32_t k) { return k < 255 ? 1 : k < 510 ? 2 : k < 765 ? 3 : 1; }
  void acknowledge(uint32_t i, uint32_t properties) {
    uint8_t block[32] = {};
    base::store_le<uint32_t>(block, properties);
    c.device_write(at(i), {block, 32});
  }
  void expect_silence() {
    for (const Finding& f : c.state.log().broken()) {
      ADD_FAILURE() << info(f.rule).id << ": " << f.message;
    }
  }
  Checked c;
  std::array<DmaAddr, 16> pages{};
  uint8_t* page = nullptr;
};

TEST_F(TsnepDay, TransmitOverFourEpochsIsSilent) {
  make(false);
  const DmaAddr buffer = c.map(page, 2048, DmaDir::kToDevice);
  bool flags[256] = {};
  for (uint32_t k = 0; k < 1020; ++k) {
    const uint32_t i = k % 256;
    flags[i] = !flags[i];
    const uint32_t properties = counter(k) << 30 | (flags[i] ? 1u << 29 : 0) | 7u << 16 | 60;
    const bool in_line = k % 3 == 0;
    c.hal.coherent.write64(at(i) + 152, in_line ? 0x1122334455667788 : buffer);
    c.hal.coherent.write32(at(i) + 132, 60);
    c.hal.order.dma_wmb();
    c.hal.coherent.write32(at(i) + 128, in_line ? properties : properties & ~(1u << 17));
    c.hal.mmio.write32(0x108, 2);
    acknowledge(i, properties);
    c.step();
  }
  c.hal.dma.unmap(buffer, 2048, DmaDir::kToDevice);
  expect_silence();
}

TEST_F(TsnepDay, ACounterThatChangesAtTheRingsEndIsWrong) {
  make(false);
  const DmaAddr buffer = c.map(page, 2048, DmaDir::kToDevice);
  for (uint32_t k = 0; k < 256; ++k) {
    c.hal.coherent.write64(at(k) + 152, buffer);
    c.hal.coherent.write32(at(k) + 132, 60);
    c.hal.order.dma_wmb();
    c.hal.coherent.write32(at(k) + 128, 1u << 30 | 1u << 29 | 5u << 16 | 60);  // 255 needs a 2
    if (k < 255) acknowledge(k, 1u << 30 | 1u << 29);
    c.step();
  }
  EXPECT_EQ(c.count(Rule::kOwnerCounter), 1u);
  EXPECT_EQ(c.state.log().total(), 1u);
  EXPECT_EQ(c.message(Rule::kOwnerCounter),
            "tsnep tx0 descriptor 255: owner counter 1, where the device waits for 2");
}

TEST_F(TsnepDay, ReceiveRestartsWithCleanBlocks) {
  make(true);
  const DmaAddr buffer = c.map_no_sync(page, 4096, DmaDir::kFromDevice);
  const auto arm = [&](uint32_t i, uint32_t k) {
    c.hal.dma.sync_for_device(buffer + 256, 3520, DmaDir::kFromDevice);
    c.hal.coherent.write64(at(i) + 152, buffer + 256);
    c.hal.order.dma_wmb();
    c.hal.coherent.write32(at(i) + 128, counter(k) << 30 | 1u << 18 | 3520);
  };
  for (uint32_t k = 0; k < 300; ++k) {
    arm(k % 256, k);
    c.hal.mmio.write32(0x108, 0x200);
    c.device_fill(buffer + 256, 80);
    acknowledge(k % 256, counter(k) << 30 | 80);
    c.step();
    c.hal.coherent.read32(at(k % 256));
    c.hal.order.dma_rmb();
    c.hal.dma.sync_for_cpu(buffer + 256, 80, DmaDir::kFromDevice);
    c.hal.dma.touch(page + 256, 80, Touch::kRead);
  }
  arm(300 % 256, 300);
  c.hal.mmio.write32(0x108, 0x200);
  c.hal.mmio.write32(0x108, 0x400);
  for (uint32_t i = 0; i < 256; ++i) {
    c.hal.coherent.write32(at(i) + 128, 0);
    c.hal.coherent.write32(at(i), 0);
  }
  c.hal.mmio.write32(0x180, static_cast<uint32_t>(at(0)) | 1);
  c.hal.mmio.write32(0x184, static_cast<uint32_t>(at(0) >> 32));
  arm(0, 0);
  c.hal.mmio.write32(0x108, 0x200);
  expect_silence();
  c.hal.dma.touch(page + 256, 1, Touch::kRead);
  EXPECT_EQ(c.count(Rule::kTouchDeviceOwned), 1u);
}

}  // namespace
}  // namespace doorbell::hal::checks
