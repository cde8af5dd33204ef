// The FEC's rings: numbers typed from the register map, and the life of the rings by ECR and RDAR.
#include "sim/hal/checks/fec_rings.h"

#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/fake_machine.h"

namespace doorbell::hal::checks {
namespace {

using doorbell::fec::DescFormat;

TEST(FecRings, RegistersAndFieldsAreThoseOfTheManual) {
  const auto rings = fec_rings("fec", DescFormat::kEnhanced, {256, 1024});
  const char* names[] = {"fec rx0", "fec rx1", "fec rx2", "fec tx0", "fec tx1", "fec tx2"};
  const uint32_t bases[] = {0x180, 0x160, 0x16C, 0x184, 0x164, 0x170};
  const uint32_t doorbells[] = {0x010, 0x1E0, 0x1E8, 0x014, 0x1E4, 0x1EC};
  const uint32_t buffers[] = {0x188, 0x168, 0x174};
  ASSERT_EQ(rings.size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(rings[i].name, names[i]);
    EXPECT_EQ(rings[i].base_register, bases[i]);
    EXPECT_EQ(rings[i].doorbell_register, doorbells[i]);
    EXPECT_EQ(rings[i].enable_register, 0x024u);
    EXPECT_EQ(rings[i].enable_mask, 0x2u);
    EXPECT_EQ(rings[i].stride, 32u);
    EXPECT_EQ(rings[i].count, i < 3 ? 256u : 1024u);
    EXPECT_EQ(rings[i].ownership.offset, 2u);
    EXPECT_EQ(rings[i].owner_mask, 0x8000u);
    EXPECT_EQ(rings[i].device_value, 0x8000u);
    EXPECT_EQ(rings[i].wrap_mask, 0x2000u);
    EXPECT_EQ(rings[i].address.offset, 4u);
    EXPECT_EQ(rings[i].buffer_register, i < 3 ? buffers[i] : kNoRegister);
    EXPECT_EQ(rings[i].length.bytes, i < 3 ? 0u : 2u);
    EXPECT_FALSE(rings[i].load_barrier);
    EXPECT_FALSE(rings[i].doorbell_needs_work);
  }
  EXPECT_EQ(fec_rings("x", DescFormat::kLegacy, {16, 16})[0].stride, 8u);
  EXPECT_TRUE(fec_rings("x", DescFormat::kLegacy, {16, 16}, true)[0].load_barrier);
}

// A driver's day with receive ring 0 of four descriptors.
class FecReceive : public ::testing::Test {
 protected:
  static constexpr uint32_t kRing = 4;
  FecReceive() {
    for (const RingSpec& spec : fec_rings("fec", DescFormat::kEnhanced, {kRing, kRing}, true)) {
      c.checked.add_ring(spec);
    }
    base = c.hal.dma.alloc_coherent(kRing * 32, 64);
    for (uint32_t i = 0; i < kRing; ++i) {
      pages[i] = c.hal.dma.alloc_page();
      addrs[i] = c.map_no_sync(pages[i], 4096, DmaDir::kFromDevice);
      c.hal.dma.sync_for_device(addrs[i] + 256, 3520, DmaDir::kFromDevice);
    }
  }
  // In the order of a restart: descriptors without barriers, registers, enable, doorbell.
  void restart() {
    c.hal.mmio.write32(0x024, 0);
    for (uint32_t i = 0; i < kRing; ++i) {
      c.hal.coherent.write32(base + i * 32 + 4, static_cast<uint32_t>(addrs[i] + 256));
      c.hal.coherent.write16(base + i * 32 + 2, i + 1 == kRing ? 0xA000 : 0x8000);
    }
    c.hal.mmio.write32(0x180, static_cast<uint32_t>(base));
    c.hal.mmio.write32(0x188, 1984);
    c.hal.mmio.write32(0x024, 0x132);
    c.hal.mmio.write32(0x010, 0);
    c.step();
  }
  void receive(uint32_t i) {
    c.device_fill(addrs[i] + 256, 66);
    uint8_t desc[24] = {66, 0};
    base::store_le<uint16_t>(desc + 2, i + 1 == kRing ? 0x2800 : 0x0800);
    base::store_le<uint32_t>(desc + 4, static_cast<uint32_t>(addrs[i] + 256));
    c.device_write(base + i * 32, {desc, sizeof(desc)});
    c.step();
  }
  void expect_silence() {
    for (const Finding& f : c.state.log().broken()) {
      ADD_FAILURE() << info(f.rule).id << ": " << f.message;
    }
  }
  Checked c;
  DmaAddr base = 0;
  uint8_t* pages[kRing] = {};
  DmaAddr addrs[kRing] = {};
};

TEST_F(FecReceive, RestartReceiveRearmStopIsSilent) {
  restart();
  restart();  // over rings that the device owned: it was disabled first
  for (uint32_t n = 0; n < 3 * kRing; ++n) {
    const uint32_t i = n % kRing;
    receive(i);
    EXPECT_EQ(c.hal.coherent.read16(base + i * 32 + 2) & 0x8000, 0);
    c.hal.order.dma_rmb();
    EXPECT_EQ(c.hal.coherent.read16(base + i * 32), 66);
    c.hal.dma.sync_for_cpu(addrs[i] + 256, 66, DmaDir::kFromDevice);
    c.hal.dma.touch(pages[i] + 258, 60, Touch::kRead);
    c.hal.dma.sync_for_device(addrs[i] + 256, 66, DmaDir::kFromDevice);
    c.hal.coherent.write32(base + i * 32 + 8, 0x00800000);
    c.hal.order.wmb();
    c.hal.coherent.write16(base + i * 32 + 2, i + 1 == kRing ? 0xA000 : 0x8000);
    c.hal.mmio.write32(0x010, 0);
  }
  // Stop: ETHEREN goes off, and on again for MDIO; buffers go, descriptors keep their bits.
  c.hal.mmio.write32(0x024, 0);
  c.hal.mmio.write32(0x024, 0x2);
  for (uint32_t i = 0; i < kRing; ++i) {
    c.hal.dma.unmap_no_sync(addrs[i], 4096, DmaDir::kFromDevice);
    c.hal.dma.free_page(pages[i]);
  }
  c.hal.dma.free_coherent(base);
  c.state.end(c.machine.time);
  expect_silence();
}

// As between probe and open: the engine was woken on an empty ring and went idle.
TEST_F(FecReceive, FillingARingThatWasEmptyAtItsDoorbellNeedsNoBarrier) {
  c.hal.mmio.write32(0x180, static_cast<uint32_t>(base));
  c.hal.mmio.write32(0x024, 0x132);
  c.hal.mmio.write32(0x010, 0);
  for (uint32_t i = 0; i < kRing; ++i) {
    c.hal.coherent.write32(base + i * 32 + 4, static_cast<uint32_t>(addrs[i] + 256));
    c.hal.coherent.write16(base + i * 32 + 2, i + 1 == kRing ? 0xA000 : 0x8000);
  }
  expect_silence();
  restart();
  receive(0);
  expect_silence();
}

TEST_F(FecReceive, TheStartFindsABufferThatIsNotMapped) {
  c.hal.dma.unmap_no_sync(addrs[2], 4096, DmaDir::kFromDevice);
  restart();
  EXPECT_EQ(c.state.log().total(), 1u);
  EXPECT_EQ(c.count(Rule::kHandoverNotMapped), 1u);
  EXPECT_NE(c.message(Rule::kHandoverNotMapped).find("fec rx0 descriptor 2"), std::string::npos);
}

TEST_F(FecReceive, BuffersFreedWithTheDeviceRunning) {
  restart();
  c.hal.dma.unmap_no_sync(addrs[0], 4096, DmaDir::kFromDevice);
  EXPECT_EQ(c.count(Rule::kUnmapDeviceOwned), 1u);
  receive(0);
  EXPECT_EQ(c.count(Rule::kDeviceOutsideMapping), 1u);
}

TEST_F(FecReceive, TheBufferIsAsLongAsMrbrSays) {
  restart();
  c.hal.dma.touch(pages[0] + 256 + 1984, 8, Touch::kRead);
  c.hal.dma.touch(pages[0], 256, Touch::kWrite);
  expect_silence();
  c.hal.dma.touch(pages[0] + 256 + 1983, 1, Touch::kRead);
  EXPECT_EQ(c.count(Rule::kTouchDeviceOwned), 1u);
}

TEST_F(FecReceive, NoBarrierBeforeReArming) {
  restart();
  receive(0);
  c.hal.coherent.write32(base + 8, 0x00800000);
  c.hal.coherent.write16(base + 2, 0x8000);
  EXPECT_EQ(c.count(Rule::kOwnershipBeforeFields), 1u);
  EXPECT_EQ(c.state.log().total(), 1u);
}

TEST_F(FecReceive, LoadBarrierIsCheckedOnRequest) {
  restart();
  receive(0);
  c.hal.coherent.read16(base + 2);
  c.hal.coherent.read16(base);
  EXPECT_EQ(c.count(Rule::kNoLoadBarrier), 1u);
}

}  // namespace
}  // namespace doorbell::hal::checks
