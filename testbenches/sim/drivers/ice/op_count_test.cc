// Accesses and software steps per frame: the numbers that decide the packet rate.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/ice/ice_bench.h"

namespace doorbell::drivers::ice {
namespace {

constexpr RsMode kModes[] = {RsMode::kEvery, RsMode::kThreshold, RsMode::kQuarter};

TEST(OpCount, XdpTxPerFrame) {
  const auto count = [](RsMode mode, int frames) {
    stack::XdpTxProgram program;
    IceBench b(IceBench::with(&program, mode));
    b.start();
    for (int i = 0; i < frames; ++i) b.receive(0, udp_frame());
    b.host.reset_counts();
    b.poll();
    std::array<uint64_t, hal::kOpCount> n{};
    for (size_t i = 0; i < hal::kOpCount; ++i) n[i] = b.host.count(static_cast<hal::Op>(i));
    return n;
  };
  for (const RsMode mode : kModes) {
    // Both below the budget, so that both look once at an empty descriptor.
    const auto few = count(mode, 16);
    const auto more = count(mode, 48);
    const auto per32 = [&](hal::Op op) {
      return more[static_cast<size_t>(op)] - few[static_cast<size_t>(op)];
    };
    // Two loads a descriptor; refill address and status, transmit address and command.
    const uint64_t rs = mode == RsMode::kThreshold ? 1 : 0;
    EXPECT_EQ(per32(hal::Op::kUncachedLoad), 64u + rs);
    EXPECT_EQ(per32(hal::Op::kUncachedStore), 128u + rs);
    EXPECT_EQ(per32(hal::Op::kDriverRx), 32u);
    EXPECT_EQ(per32(hal::Op::kDriverTx), 32u);
    EXPECT_EQ(per32(hal::Op::kMapSetup), 32u);
    EXPECT_EQ(per32(hal::Op::kXdpProgram), 32u);
    EXPECT_EQ(per32(hal::Op::kPagePoolAlloc), 32u);
    EXPECT_EQ(per32(hal::Op::kMmioWrite), 0u) << "doorbells are per poll";
    EXPECT_EQ(per32(hal::Op::kTxLock), 0u);
    EXPECT_EQ(per32(hal::Op::kDmb), mode == RsMode::kEvery ? 64u : 32u);
  }
}

TEST(OpCount, CleaningLoadsOnceAGroup) {
  for (const RsMode mode : kModes) {
    stack::XdpTxProgram program;
    IceDriverConfig c = IceBench::with(&program, mode);
    c.tx_ring = 64;
    IceBench b(c);
    b.start();
    for (int i = 0; i < 32; ++i) b.receive(0, udp_frame());
    b.poll();
    b.finish(1);
    for (int i = 0; i < 32; ++i) b.receive(0, udp_frame());
    b.host.reset_counts();
    b.poll();
    EXPECT_EQ(b.host.count(hal::Op::kDriverClean), 32u);
    const uint64_t loads = b.host.count(hal::Op::kUncachedLoad);
    // 65: receive descriptors and the empty one. The rest is clean-up and RS.
    EXPECT_EQ(loads - 65, mode == RsMode::kEvery ? 32u : mode == RsMode::kThreshold ? 2u : 2u);
  }
}

}  // namespace
}  // namespace doorbell::drivers::ice
