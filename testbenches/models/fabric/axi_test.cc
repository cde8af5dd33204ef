// AXI link: closed-form times of single and pipelined transfers.
#include "models/fabric/axi.h"

#include <gtest/gtest.h>

#include "models/fabric/dma_port.h"
#include "models/fabric/memory.h"

namespace doorbell::fabric {
namespace {

using base::Picos;
using namespace base::literals;

MemoryConfig fast_memory() {
  MemoryConfig config;
  config.size = 1 << 20;
  config.latency = 80_ns;
  config.bank_busy = 0_ns;
  return config;
}

AxiConfig link(unsigned outstanding) {
  AxiConfig config;
  config.clock = base::Hertz(250000000);  // 4 ns a beat
  config.width_bits = 64;
  config.burst_beats = 16;
  config.outstanding = outstanding;
  config.forward_latency = 60_ns;
  config.return_latency = 40_ns;
  return config;
}

// A port must live in a module.
struct Initiator : sc_core::sc_module {
  Initiator(sc_core::sc_module_name name, Picos forward) : sc_module(name), port("port", forward) {}
  DmaPort port;
};

struct Bench {
  explicit Bench(const AxiConfig& config)
      : memory("memory", fast_memory()),
        axi("axi", config),
        initiator("initiator", config.forward_latency),
        port(initiator.port) {
    port.socket.bind(axi.from_device);
    axi.to_memory.bind(memory.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: sockets work from here on
  }
  Memory memory;
  AxiLink axi;
  Initiator initiator;
  DmaPort& port;
};

TEST(AxiLink, ReadTakesLatencyBeatsAndReturn) {
  Bench bench(link(4));
  uint8_t data[128];
  EXPECT_EQ(bench.port.read(0_ns, 0x40000000, {data, 64}).time, 80_ns + 8 * 4_ns + 40_ns);
  EXPECT_EQ(bench.port.read(1000_ns, 0x40000000, {data, 128}).time,
            1000_ns + 80_ns + 16 * 4_ns + 40_ns);
  EXPECT_EQ(bench.axi.read_busy(), 24 * 4_ns);
}

TEST(AxiLink, UnalignedReadMovesTheExtraBeat) {
  Bench bench(link(4));
  uint8_t data[64];
  EXPECT_EQ(bench.port.read(0_ns, 0x40000004, {data, 64}).time, 80_ns + 9 * 4_ns + 40_ns);
}

TEST(AxiLink, LongReadPipelinesBurstsOverTheSlots) {
  // Two slots and 128-byte bursts: a slot is busy for 80 + 64 + 40 ns, the channel for 64 ns a
  // burst.
  Bench bench(link(2));
  uint8_t data[512];
  const Picos first = 80_ns + 64_ns + 40_ns;
  const Picos second = first + 64_ns;
  const Picos fourth = second + 80_ns + 64_ns + 40_ns;  // waits for the second slot
  EXPECT_EQ(bench.port.read(0_ns, 0x40000000, {data, 512}).time, fourth);
}

TEST(AxiLink, EnoughSlotsStreamAtChannelRate) {
  Bench bench(link(16));
  uint8_t data[2048];
  EXPECT_EQ(bench.port.read(0_ns, 0x40000000, {data, 2048}).time, 80_ns + 256 * 4_ns + 40_ns);
}

TEST(AxiLink, WriteIsVisibleAfterBeatsAndForwardLatency) {
  Bench bench(link(4));
  uint8_t data[64] = {0xAB};
  const auto done = bench.port.write(10_ns, 0x40000000, {data, 64});
  EXPECT_EQ(done.time, 10_ns + 8 * 4_ns + 60_ns);
  bench.memory.settle(done.time - Picos(1));
  EXPECT_EQ(*bench.memory.pointer(0x40000000), 0);
  bench.memory.settle(done.time);
  EXPECT_EQ(*bench.memory.pointer(0x40000000), 0xAB);
}

TEST(AxiLink, WritesKeepTheirOrder) {
  Bench bench(link(4));
  uint8_t data[1500] = {};
  const auto payload = bench.port.write(0_ns, 0x40000000, {data, 1500});
  const auto status = bench.port.write(0_ns, 0x40010000, {data, 8});
  EXPECT_GT(status.time, payload.time);
}

TEST(AxiLink, ErrorPassesThrough) {
  Bench bench(link(4));
  uint8_t data[8];
  EXPECT_FALSE(bench.port.read(0_ns, 0x10, {data, 8}).ok);
}

}  // namespace
}  // namespace doorbell::fabric
