// The interposer: transactions and their times unchanged, each one looked at.
#include <gtest/gtest.h>

#include "models/fabric/axi.h"
#include "models/fabric/dma_port.h"
#include "models/fabric/memory.h"
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
  config.bank_busy = 5_ns;
  return config;
}

fabric::AxiConfig axi_config() {
  fabric::AxiConfig config;
  config.forward_latency = 60_ns;
  config.return_latency = 40_ns;
  return config;
}

struct Initiator : sc_core::sc_module {
  // NOLINTNEXTLINE: SystemC passes module names by value
  explicit Initiator(sc_core::sc_module_name name) : sc_module(name), port("port", 60_ns) {}
  fabric::DmaPort port;
};

// The same memory and link twice: once bare, once with the interposer in front.
struct Bench {
  Bench()
      : memory("memory", memory_config()),
        plain_memory("plain_memory", memory_config()),
        cache(memory, false),
        state({kDram, 1 << 20, false}),
        axi("axi", axi_config()),
        plain_axi("plain_axi", axi_config()),
        interposer("interposer", state, &cache),
        device("device"),
        plain_device("plain_device") {
    device.port.socket.bind(interposer.from_device);
    interposer.to_link.bind(axi.from_device);
    axi.to_memory.bind(memory.socket);
    plain_device.port.socket.bind(plain_axi.from_device);
    plain_axi.to_memory.bind(plain_memory.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  fabric::Memory memory;
  fabric::Memory plain_memory;
  host::CacheView cache;
  CheckState state;
  fabric::AxiLink axi;
  fabric::AxiLink plain_axi;
  DmaInterposer interposer;
  Initiator device;
  Initiator plain_device;
};

TEST(DmaInterposer, LeavesDataAndTimesAlone) {
  Bench bench;
  bench.state.dma().map(kDram, 4096, DmaDir::kBidirectional, true, 0_ns);
  uint8_t out[300];
  for (size_t i = 0; i < sizeof(out); ++i) out[i] = static_cast<uint8_t>(i * 7);
  for (int n = 0; n < 5; ++n) {
    const Picos at = 100_ns * n;
    const auto checked = bench.device.port.write(at, kDram + 32, {out, sizeof(out)});
    const auto plain = bench.plain_device.port.write(at, kDram + 32, {out, sizeof(out)});
    EXPECT_EQ(checked.time, plain.time);
    EXPECT_TRUE(checked.ok);
  }
  uint8_t in[300] = {};
  uint8_t plain_in[300] = {};
  const auto checked = bench.device.port.read(20_us, kDram + 32, {in, sizeof(in)});
  const auto plain = bench.plain_device.port.read(20_us, kDram + 32, {plain_in, sizeof(in)});
  EXPECT_EQ(checked.time, plain.time);
  EXPECT_EQ(std::memcmp(in, out, sizeof(in)), 0);
  EXPECT_EQ(bench.state.log().total(), 0u);
}

TEST(DmaInterposer, ReportsAtTheTimeOfTheAccess) {
  Bench bench;
  uint8_t data[64] = {};
  bench.device.port.read(123_ns, kDram + 4096, {data, 64});
  EXPECT_EQ(bench.state.log().count(Rule::kDeviceOutsideMapping), 1u);
  EXPECT_EQ(bench.state.log().of(Rule::kDeviceOutsideMapping).first, 123_ns);
  EXPECT_EQ(bench.state.log().of(Rule::kDeviceOutsideMapping).message,
            "device read 0x40001000, 64 bytes: not mapped");
}

TEST(DmaInterposer, ARefusedAccessStaysRefusedAndIsReported) {
  Bench bench;
  uint8_t data[64] = {};
  EXPECT_FALSE(bench.device.port.write(10_ns, 0x1000, {data, 64}).ok);
  EXPECT_FALSE(bench.device.port.read(10_ns, 0x1000, {data, 64}).ok);
  EXPECT_EQ(bench.state.log().count(Rule::kDeviceOutsideMapping), 2u);
}

TEST(DmaInterposer, DirtyLinesAreThoseOfTheCache) {
  Bench bench;
  bench.state.dma().map(kDram, 4096, DmaDir::kBidirectional, false, 0_ns);
  uint8_t data[64] = {};
  bench.cache.touch(kDram, 64, true);
  bench.state.dma().touch(kDram, 64, Touch::kWrite, 1_ns, false);
  bench.device.port.read(10_ns, kDram, {data, 64});
  EXPECT_EQ(bench.state.log().count(Rule::kDeviceReadDirty), 1u);
  bench.device.port.write(20_ns, kDram + 60, {data, 2});
  EXPECT_EQ(bench.state.log().count(Rule::kDeviceWriteDirty), 1u);
  bench.cache.clean(kDram, 64);
  bench.state.dma().sync_for_device(kDram, 64, DmaDir::kBidirectional, 30_ns);
  bench.device.port.read(40_ns, kDram, {data, 64});
  bench.device.port.write(50_ns, kDram, {data, 64});
  EXPECT_EQ(bench.state.log().total(), 2u);
}

// A write counts from when it is in memory, not from when it was issued.
TEST(DmaInterposer, AWriteIsThereWhenTheLinkSaysSo) {
  Bench bench;
  bench.state.dma().map(kDram, 4096, DmaDir::kFromDevice, false, 0_ns);
  bench.state.dma().touch(kDram, 64, Touch::kRead, 1_ns, false);
  uint8_t data[64] = {};
  const Picos visible = bench.device.port.write(10_ns, kDram, {data, 64}).time;
  ASSERT_GT(visible, 60_ns);
  bench.state.dma().touch(kDram, 64, Touch::kRead, visible - 1_ps, false);
  EXPECT_EQ(bench.state.log().count(Rule::kTouchStale), 0u);
  bench.state.dma().touch(kDram, 64, Touch::kRead, visible, false);
  EXPECT_EQ(bench.state.log().count(Rule::kTouchStale), 1u);
}

TEST(DmaInterposer, DebugTransportGoesThroughAndIsNotJudged) {
  Bench bench;
  uint8_t data[4] = {1, 2, 3, 4};
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(kDram + 100);
  payload.set_data_ptr(data);
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  // The link itself has no debug path: the answer is the link's.
  EXPECT_EQ(bench.device.port.socket->transport_dbg(payload),
            bench.plain_device.port.socket->transport_dbg(payload));
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(bench.device.port.socket->get_direct_mem_ptr(payload, dmi));
  EXPECT_EQ(bench.state.log().total(), 0u);
}

}  // namespace
}  // namespace doorbell::hal::checks

// The SystemC library refers to it; GoogleTest's main never calls it.
int sc_main(int, char**) {
  return 0;
}
