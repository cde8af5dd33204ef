// Barriers: what stands between which accesses, on every path.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

using Kind = hal::ScriptedStep::Kind;
using Steps = std::vector<hal::ScriptedStep>;

size_t find(const Steps& steps, Kind kind, uint64_t address, size_t from = 0) {
  for (size_t i = from; i < steps.size(); ++i) {
    if (steps[i].kind == kind && steps[i].address == address) return i;
  }
  ADD_FAILURE() << "no step " << static_cast<int>(kind) << " at " << address;
  return 0;
}

bool barrier_between(const Steps& steps, Kind kind, size_t a, size_t b) {
  for (size_t i = a + 1; i < b; ++i) {
    if (steps[i].kind == kind) return true;
  }
  return false;
}

FecDriverConfig with(stack::XdpProgram* program) {
  FecDriverConfig c = FecBench::base_config();
  c.program = program;
  return c;
}

TEST(Barrier, B2_XdpTxFieldsBeforeReadyBeforeDoorbell) {
  stack::XdpTxProgram program;
  FecBench b(with(&program));
  b.start();
  b.receive(0, udp_frame());
  b.host.record(true);
  b.poll(64);
  const Steps& s = b.host.steps();
  const hal::DmaAddr bd = b.tx_bd(0, 0);
  const size_t ready = find(s, Kind::kStore, bd + 2);
  for (uint32_t field : {0u, 4u, 8u, 16u}) {
    const size_t store = find(s, Kind::kStore, bd + field);
    EXPECT_LT(store, ready);
    EXPECT_TRUE(barrier_between(s, Kind::kDmaWmb, store, ready)) << field;
  }
  const size_t doorbell = find(s, Kind::kMmioWrite, 0x014);
  EXPECT_TRUE(barrier_between(s, Kind::kDmaWmb, ready, doorbell));
  const size_t clean = find(s, Kind::kSyncForDevice, b.host.peek32(bd + 4));
  EXPECT_LT(clean, ready);
}

TEST(Barrier, SkbFieldsBeforeReady) {
  FecBench b;
  b.start();
  stack::SkBuff* skb = b.skb(udp_frame());
  b.add_frag(*skb, Bytes(64, 1));
  b.host.record(true);
  b.send(skb);
  const Steps& s = b.host.steps();
  for (uint32_t index : {0u, 1u}) {
    const hal::DmaAddr bd = b.tx_bd(0, index);
    EXPECT_TRUE(barrier_between(s, Kind::kWmb, find(s, Kind::kStore, bd + 4),
                                find(s, Kind::kStore, bd + 2)));
  }
  EXPECT_TRUE(barrier_between(s, Kind::kWmb, find(s, Kind::kStore, b.tx_bd(0, 1) + 2),
                              find(s, Kind::kStore, b.tx_bd(0, 0) + 2)));
  EXPECT_TRUE(barrier_between(s, Kind::kWmb, find(s, Kind::kStore, b.tx_bd(0, 0) + 2),
                              find(s, Kind::kMmioWrite, 0x014)));
}

TEST(Barrier, RxAddressBeforeEmptyBeforeRdar) {
  FecBench b;
  b.start();
  b.receive(0, udp_frame());
  b.host.record(true);
  b.poll(64);
  const Steps& s = b.host.steps();
  const hal::DmaAddr bd = b.rx_bd(0, 0);
  const size_t empty = find(s, Kind::kStore, bd + 2);
  for (uint32_t field : {4u, 8u, 12u, 16u}) {
    EXPECT_TRUE(barrier_between(s, Kind::kWmb, find(s, Kind::kStore, bd + field), empty));
  }
  EXPECT_LT(empty, find(s, Kind::kMmioWrite, 0x010));
}

TEST(Barrier, D2_RxStatusBeforeLengthByParameter) {
  for (bool on : {true, false}) {
    FecDriverConfig c = FecBench::base_config();
    c.rx_dma_rmb = on;
    FecBench b(c);
    b.start();
    b.receive(0, udp_frame());
    b.host.record(true);
    b.poll(64);
    const Steps& s = b.host.steps();
    const hal::DmaAddr bd = b.rx_bd(0, 0);
    EXPECT_EQ(
        barrier_between(s, Kind::kDmaRmb, find(s, Kind::kLoad, bd + 2), find(s, Kind::kLoad, bd)),
        on);
  }
}

TEST(Barrier, CleanReadsStatusAfterCurAndPublishesDirtyLast) {
  FecBench b;
  b.start();
  b.send(b.skb(udp_frame()));
  b.transmit(0);
  b.host.record(true);
  b.poll(64);
  const Steps& s = b.host.steps();
  const hal::DmaAddr bd = b.tx_bd(0, 0);
  const size_t status = find(s, Kind::kLoad, bd + 2);
  EXPECT_EQ(s[status - 1].kind, Kind::kRmb);
  const size_t cleared = find(s, Kind::kStore, bd + 4);
  bool after = false;
  for (size_t i = cleared + 1; i < s.size(); ++i) after |= s[i].kind == Kind::kWmb;
  EXPECT_TRUE(after);
}

}  // namespace
}  // namespace doorbell::drivers::fec
