// The interposer behind a PCI Express port: same times, same bytes, each access looked at.
#include <gtest/gtest.h>

#include "models/base/calendar.h"
#include "models/fabric/memory.h"
#include "models/fabric/pcie_port.h"
#include "sim/hal/checks/dma_interposer.h"

namespace doorbell::hal::checks {
namespace {

using base::Picos;
using namespace base::literals;

constexpr DmaAddr kDram = 0x40000000;

fabric::MemoryConfig memory_config() {
  fabric::MemoryConfig config;
  config.size = 1 << 20;
  config.latency = 80_ns;
  config.bank_busy = Picos(0);
  return config;
}

fabric::PcieConfig link_config(bool iommu) {
  fabric::PcieConfig config;
  config.iommu.enabled = iommu;
  return config;
}

// The same memory and link twice: once bare, once with the interposer in front of memory.
struct Bench {
  explicit Bench(bool iommu)
      : memory("memory", memory_config()),
        plain_memory("plain_memory", memory_config()),
        state({kDram, 1 << 20, true}),
        port("port", link_config(iommu), calendar),
        plain("plain", link_config(iommu), calendar),
        interposer("interposer", state) {
    port.socket.bind(interposer.from_device);
    interposer.to_link.bind(memory.socket);
    plain.socket.bind(plain_memory.socket);
    port.absolute_time();
    plain.absolute_time();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  base::Calendar calendar;
  fabric::Memory memory;
  fabric::Memory plain_memory;
  CheckState state;
  fabric::PciePort port;
  fabric::PciePort plain;
  DmaInterposer interposer;
};

void same_times_and_bytes(bool iommu) {
  Bench bench(iommu);
  bench.state.dma().map(kDram, 65536, DmaDir::kBidirectional, true, 0_ns);
  uint8_t out[700];
  for (size_t i = 0; i < sizeof(out); ++i) out[i] = static_cast<uint8_t>(i * 7);
  Picos last;
  for (int n = 0; n < 40; ++n) {
    const Picos at = 20_ns * n;
    const uint64_t addr = kDram + 4096u * static_cast<unsigned>(n % 9) + 48;
    const size_t bytes = n % 3 == 0 ? 16 : sizeof(out);
    const auto checked = bench.port.write(at, addr, {out, bytes});
    const auto plain = bench.plain.write(at, addr, {out, bytes});
    EXPECT_EQ(checked.time, plain.time) << n;
    EXPECT_EQ(checked.status, plain.status);
    EXPECT_EQ(bench.port.msix(at, 0xFEE00000, 1).time, bench.plain.msix(at, 0xFEE00000, 1).time);
    last = checked.time;
  }
  const auto ticket = bench.port.request_read(last, kDram + 48, sizeof(out));
  const auto plain_ticket = bench.plain.request_read(last, kDram + 48, sizeof(out));
  EXPECT_EQ(ticket.sample, plain_ticket.sample);
  uint8_t in[sizeof(out)] = {};
  uint8_t plain_in[sizeof(out)] = {};
  const auto checked = bench.port.complete_read(ticket, kDram + 48, {in, sizeof(in)});
  const auto plain = bench.plain.complete_read(plain_ticket, kDram + 48, {plain_in, sizeof(in)});
  EXPECT_EQ(checked.time, plain.time);
  EXPECT_EQ(std::memcmp(in, plain_in, sizeof(in)), 0);
  EXPECT_EQ(std::memcmp(in, out, 16), 0);
  EXPECT_EQ(bench.state.log().total(), 0u);
}

TEST(PcieInterposer, LeavesTimesAndBytesAlone) {
  same_times_and_bytes(false);
}

TEST(PcieInterposer, LeavesTimesAndBytesAloneBehindAnIommu) {
  same_times_and_bytes(true);
}

TEST(PcieInterposer, ReportsWhatIsNotMapped) {
  Bench bench(false);
  bench.state.dma().map(kDram, 4096, DmaDir::kToDevice, true, 0_ns);
  uint8_t data[64] = {};
  const Picos visible = bench.port.write(10_ns, kDram + 4096, {data, 64}).time;
  EXPECT_EQ(bench.state.log().count(Rule::kDeviceOutsideMapping), 1u);
  EXPECT_EQ(bench.state.log().of(Rule::kDeviceOutsideMapping).first, visible);
  bench.port.write(20_ns, kDram, {data, 64});
  EXPECT_EQ(bench.state.log().count(Rule::kDeviceWrongDirection), 1u);
  const auto ticket = bench.port.request_read(30_ns, kDram + 64, 64);
  bench.port.complete_read(ticket, kDram + 64, {data, 64});
  EXPECT_EQ(bench.state.log().total(), 2u);
}

// A posted write gives a descriptor back when it is in memory.
TEST(PcieInterposer, APostedWriteCountsFromItsArrival) {
  Bench bench(false);
  bench.state.blocks().allocated(kDram, 4096, 0_ns);
  bench.state.dma().map(kDram + 8192, 4096, DmaDir::kFromDevice, true, 0_ns);
  RingSpec spec;
  spec.name = "ring";
  spec.handing = Handing::kTail;
  spec.direction = DmaDir::kFromDevice;
  spec.stride = 32;
  spec.count = 8;
  spec.base = kDram;
  spec.address = {0, 8};
  spec.buffer_bytes = 128;
  spec.done = {8, 2};
  spec.done_mask = spec.done_value = 1;
  spec.doorbell_register = 0;
  spec.running = true;
  uint8_t address[8];
  base::store_le<uint64_t>(address, kDram + 8192);
  CoherentBlocks::store(*bench.state.blocks().find(kDram, 8), kDram, {address, 8});
  bench.state.rings().add_ring(0, spec, {1_ns, 0});
  bench.state.rings().register_write(0, 0, 1, {2_ns, 0});
  uint8_t desc[32] = {};
  desc[8] = 3;
  const Picos visible = bench.port.write(100_ns, kDram, {desc, 32}).time;
  ASSERT_GT(visible, 200_ns);
  bench.state.rings().store(kDram, 8, {visible - 1_ps, 0});
  EXPECT_EQ(bench.state.log().count(Rule::kDescriptorDeviceOwned), 1u);
  bench.state.rings().store(kDram, 8, {visible, 0});
  EXPECT_EQ(bench.state.log().total(), 1u);
}

}  // namespace
}  // namespace doorbell::hal::checks
