// Long runs through every path with failures mixed in: nothing may be lost or counted twice.
#include <gtest/gtest.h>

#include "models/base/random.h"
#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

// A verdict a packet, in turn.
class Rotating : public stack::XdpProgram {
 public:
  const char* name() const override { return "rotating"; }
  stack::Verdict run(stack::XdpBuff&, stack::XdpContext& context) override {
    const unsigned turn = turn_++ % 6;
    if (turn == 4) return stack::redirect_to(context, 1);
    if (turn == 5) return stack::Verdict::kTx;
    return static_cast<stack::Verdict>(turn);
  }

 private:
  unsigned turn_ = 0;
};

class Mixed : public ::testing::TestWithParam<int> {};

TEST_P(Mixed, EveryFrameEndsOnceAndNoPageIsLost) {
  const int variant = GetParam();
  Rotating program;
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  c.mode = (variant & 1) != 0 ? XdpMode::kSkb : XdpMode::kNative;
  c.doorbell = (variant & 2) != 0 ? DoorbellMode::kBatched : DoorbellMode::kPerFrame;
  c.xdp_frame_conversion = (variant & 4) == 0;
  c.dma_sync = (variant & 8) != 0 ? DmaSync::kFull : DmaSync::kUsed;
  c.tx_ring = 256;
  FecBench b(c);
  b.start();
  uint64_t sent = 0;
  for (int i = 0; i < 4000; ++i) {
    b.receive(static_cast<unsigned>(i % 3), udp_frame(60, static_cast<uint8_t>(i)));
    if (i % 7 == 0) b.poll(i % 5 == 0 ? 3 : 64);
    if (i % 50 == 0) b.driver->rx_pool(0)->fail_allocs(1, 2);
    if (i % 70 == 0) b.host.fail_maps(2, 1);
    if (i % 90 == 0) b.stack.skbs().fail_next(1);
    if (i % 900 == 899) b.driver->set_pause(i % 2 == 0);
    if (i % 300 > 200) sent += b.transmit(0).size();
  }
  b.host.fail_maps(0, 0);
  b.stack.skbs().fail_next(0);
  while (b.poll(64) > 0) {
  }
  sent += b.transmit(0).size();
  b.poll(64);
  EXPECT_EQ(b.driver->pending_tx(), 0u);
  EXPECT_EQ(b.driver->pending_rx(b.peek), 0u);
  const uint64_t ended = sent + b.stack.delivered_frames() + b.stack.drops().total();
  EXPECT_EQ(ended, b.frames_received);
  b.expect_no_leaks();
}

INSTANTIATE_TEST_SUITE_P(Variants, Mixed, ::testing::Range(0, 16));

}  // namespace
}  // namespace doorbell::drivers::fec
