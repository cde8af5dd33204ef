// The decorators: one inner call each, values and time untouched.
#include "sim/hal/checks/checked_hal.h"

#include <gtest/gtest.h>

#include <functional>

#include "testbenches/sim/hal/checks/fake_machine.h"

namespace doorbell::hal::checks {
namespace {

TEST(CheckedHal, EachCallReachesTheInnerHalOnceAndTakesNoTime) {
  Checked c;
  bool ok = false;
  const DmaAddr block = c.hal.dma.alloc_coherent(64, 64);
  uint8_t* page = c.hal.dma.alloc_page();
  const DmaAddr addr = c.machine.phys(page);
  const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::function<void()> calls[] = {
      [&] { c.hal.mmio.read32(4); },
      [&] { c.hal.mmio.write32(4, 5); },
      [&] { c.hal.coherent.write16(block, 0x1234); },
      [&] { c.hal.coherent.write32(block + 4, 0x56789ABC); },
      [&] { c.hal.coherent.write64(block + 8, 0x1122334455667788u); },
      [&] { EXPECT_EQ(c.hal.coherent.read64(block + 8), 0x1122334455667788u); },
      [&] {
        c.hal.coherent.write_bytes(block + 8, {bytes, 8});
      },
      [&] { c.hal.coherent.read16(block); },
      [&] { c.hal.coherent.read32(block); },
      [&] { c.hal.dma.map(page, 100, DmaDir::kFromDevice, ok); },
      [&] { c.hal.dma.sync_for_cpu(addr, 100, DmaDir::kFromDevice); },
      [&] { c.hal.dma.touch(page, 100, Touch::kRead); },
      [&] { c.hal.dma.sync_for_device(addr, 100, DmaDir::kFromDevice); },
      [&] { c.hal.dma.unmap(addr, 100, DmaDir::kFromDevice); },
      [&] { c.hal.dma.map_no_sync(page, 4096, DmaDir::kBidirectional, ok); },
      [&] { c.hal.dma.unmap_no_sync(addr, 4096, DmaDir::kBidirectional); },
      [&] { c.hal.dma.free_page(page); },
      [&] { c.hal.dma.free_coherent(block); },
      [&] { c.hal.order.dma_rmb(); },
      [&] { c.hal.order.dma_wmb(); },
      [&] { c.hal.order.rmb(); },
      [&] { c.hal.order.wmb(); },
  };
  int i = 0;
  for (const auto& call : calls) {
    const uint64_t before = c.machine.calls;
    call();
    EXPECT_EQ(c.machine.calls, before + 1) << "call " << i;
    ++i;
  }
  EXPECT_EQ(c.machine.time, base::Picos(1000));
  c.state.end(c.machine.time);
  EXPECT_EQ(c.state.log().total(), 0u);
}

TEST(CheckedHal, ValuesPassThrough) {
  Checked c;
  EXPECT_EQ(c.hal.mmio.read32(0x30), 0x37u);
  c.hal.mmio.write32(0x44, 0x99);
  EXPECT_EQ(c.machine.last_offset, 0x44u);
  EXPECT_EQ(c.machine.last_value, 0x99u);
  const DmaAddr block = c.hal.dma.alloc_coherent(32, 32);
  EXPECT_EQ(block % 32, 0u);
  c.hal.coherent.write32(block, 0x11223344);
  c.hal.coherent.write16(block + 2, 0xAABB);
  EXPECT_EQ(c.hal.coherent.read32(block), 0xAABB3344u);
  EXPECT_EQ(c.hal.coherent.read16(block + 2), 0xAABBu);
  uint8_t* page = c.hal.dma.alloc_page();
  EXPECT_EQ(c.hal.dma.virt(c.hal.dma.phys(page) + 5), page + 5);
  EXPECT_EQ(&c.hal.cpu, static_cast<Cpu*>(&c.machine));
  EXPECT_EQ(&c.hal.napi, static_cast<Napi*>(&c.machine));
}

TEST(CheckedHal, AFailedMapIsNoMapping) {
  Checked c;
  uint8_t* page = c.hal.dma.alloc_page();
  c.machine.fail_map = true;
  bool ok = true;
  c.hal.dma.map(page, 64, DmaDir::kToDevice, ok);
  EXPECT_FALSE(ok);
  c.hal.dma.free_page(page);
  c.state.end(c.machine.time);
  EXPECT_EQ(c.state.log().total(), 0u);
}

// Assemblies add rings before there is a running core to ask for the time.
TEST(CheckedHal, AddingARingAsksNobodyForTheTime) {
  struct NoClock : FakeMachine {
    base::Picos now() const override {
      ADD_FAILURE() << "asked for the time";
      return base::Picos(0);
    }
  };
  NoClock machine;
  CheckState state({kBase, kSize, false});
  CheckedHal checked(machine.hal(), state);
  RingSpec spec;
  spec.name = "ring";
  spec.stride = 16;
  spec.count = 4;
  checked.add_ring(spec);
  spec.handing = Handing::kTail;
  checked.add_ring(spec);
  CheckedHal second(machine.hal(), checked);
  EXPECT_EQ(state.log().total(), 0u);
}

TEST(CheckedHal, TwoDevicesOfOneMachineShareTheirFindings) {
  Checked c;
  CheckedHal second(c.machine.hal(), c.state);
  Hal other = second.view();
  uint8_t* page = c.hal.dma.alloc_page();
  const DmaAddr addr = c.map(page, 64, DmaDir::kToDevice);
  other.dma.unmap(addr, 64, DmaDir::kToDevice);
  other.dma.unmap(addr, 64, DmaDir::kToDevice);
  EXPECT_EQ(c.count(Rule::kDoubleUnmap), 1u);
}

}  // namespace
}  // namespace doorbell::hal::checks
