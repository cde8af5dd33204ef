// Rules on the device's accesses.
#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/fake_machine.h"

namespace doorbell::hal::checks {
namespace {

constexpr auto kTo = DmaDir::kToDevice;
constexpr auto kFrom = DmaDir::kFromDevice;
constexpr auto kBoth = DmaDir::kBidirectional;

class DeviceRules : public ::testing::Test {
 protected:
  DeviceRules() : page(c.hal.dma.alloc_page()), addr(c.machine.phys(page)) { c.step(); }
  void expect_only(Rule rule, uint64_t times = 1) {
    EXPECT_EQ(c.count(rule), times) << info(rule).id;
    EXPECT_EQ(c.state.log().total(), times);
  }
  Checked c;
  uint8_t* page;
  DmaAddr addr;
};

TEST_F(DeviceRules, AccessOutsideEveryMapping) {
  c.device_read(addr, 64);
  expect_only(Rule::kDeviceOutsideMapping, 1);
  c.device_fill(addr, 64);
  expect_only(Rule::kDeviceOutsideMapping, 2);
  c.device_read(0x10000000, 4);  // outside memory
  expect_only(Rule::kDeviceOutsideMapping, 3);
}

TEST_F(DeviceRules, AccessInsideAMappingOrCoherentBlockIsSilent) {
  const DmaAddr block = c.hal.dma.alloc_coherent(64, 8);
  c.map(page, 128, kBoth);
  c.device_read(addr + 1, 127);
  c.device_fill(addr, 128);
  c.device_read(block, 64);
  c.device_fill(block + 32, 32);
  EXPECT_EQ(c.state.log().total(), 0u);
}

TEST_F(DeviceRules, AccessOverTheEndOfAMapping) {
  c.map(page, 128, kFrom);
  c.device_fill(addr + 100, 29);
  expect_only(Rule::kDeviceOutsideMapping);
  EXPECT_NE(c.message(Rule::kDeviceOutsideMapping).find("ends after 28"), std::string::npos)
      << c.message(Rule::kDeviceOutsideMapping);
}

TEST_F(DeviceRules, AccessOverTheEndOfACoherentBlock) {
  const DmaAddr block = c.hal.dma.alloc_coherent(64, 8);
  c.device_read(block + 32, 64);
  expect_only(Rule::kDeviceOutsideMapping);
}

TEST_F(DeviceRules, AccessAfterUnmap) {
  c.map(page, 64, kTo);
  c.hal.dma.unmap(addr, 64, kTo);
  c.step();
  c.device_read(addr, 64);
  expect_only(Rule::kDeviceOutsideMapping);
  EXPECT_NE(c.message(Rule::kDeviceOutsideMapping).find("unmapped at 2000 ps"), std::string::npos);
}

// Software runs ahead of hardware: an access from before the unmap may be seen after it.
TEST_F(DeviceRules, AnAccessThatWasEarlierThanTheUnmapIsSilent) {
  c.map(page, 64, kTo);
  const base::Picos access = c.machine.time;
  c.step();
  c.hal.dma.unmap(addr, 64, kTo);
  c.state.device_read(addr, 64, access, nullptr);
  EXPECT_EQ(c.state.log().total(), 0u);
}

TEST_F(DeviceRules, AccessAgainstTheDirection) {
  c.map(page, 64, kTo);
  c.map(page + 64, 64, kFrom);
  c.device_fill(addr, 64);
  expect_only(Rule::kDeviceWrongDirection, 1);
  c.device_read(addr + 64, 64);
  expect_only(Rule::kDeviceWrongDirection, 2);
}

TEST_F(DeviceRules, ASecondMappingMayAllowTheOtherDirection) {
  c.map_no_sync(page, 4096, kFrom);
  c.map(page + 256, 64, kTo);
  c.device_read(addr + 256, 64);
  EXPECT_EQ(c.state.log().total(), 0u);
}

TEST_F(DeviceRules, ReadOfDirtyBytes) {
  c.map_no_sync(page, 4096, kBoth);
  c.hal.dma.sync_for_device(addr, 256, kBoth);
  c.hal.dma.touch(page + 20, 10, Touch::kWrite);
  c.device_read(addr, 20);       // other bytes of the line
  c.device_read(addr + 30, 34);  // and behind
  EXPECT_EQ(c.state.log().total(), 0u);
  c.device_read(addr, 64);
  expect_only(Rule::kDeviceReadDirty);
  c.hal.dma.sync_for_device(addr + 20, 10, kBoth);
  c.device_read(addr, 64);
  expect_only(Rule::kDeviceReadDirty);
}

TEST_F(DeviceRules, WriteToADirtyLine) {
  c.map_no_sync(page, 4096, kBoth);
  c.hal.dma.touch(page + 60, 2, Touch::kWrite);
  c.device_fill(addr + 64, 64);  // next line
  EXPECT_EQ(c.state.log().total(), 0u);
  c.device_fill(addr, 8);
  expect_only(Rule::kDeviceWriteDirty);
}

TEST_F(DeviceRules, DirtyLinesAreNoConcernOfACoherentMachine) {
  Checked coherent(true);
  uint8_t* p = coherent.hal.dma.alloc_page();
  coherent.map_no_sync(p, 4096, kBoth);
  coherent.hal.dma.touch(p, 64, Touch::kWrite);
  coherent.device_read(coherent.machine.phys(p), 64);
  coherent.device_fill(coherent.machine.phys(p), 64);
  EXPECT_EQ(coherent.state.log().total(), 0u);
}

TEST_F(DeviceRules, ARefusedWriteChangesNothing) {
  c.map(page, 64, kFrom);
  const uint8_t bytes[64] = {};
  c.state.device_write(addr, {bytes, 64}, c.machine.time, base::kNever, nullptr);
  c.step();
  c.hal.dma.touch(page, 64, Touch::kRead);
  EXPECT_EQ(c.state.log().total(), 0u);
}

}  // namespace
}  // namespace doorbell::hal::checks
