// A full receive FIFO: who is to blame, what is cut, what is lost.
#include "testbenches/models/fec/bench.h"

namespace doorbell::fec::test {
namespace {

constexpr int kFlood = 300;
void flood(Bench& b) {
  b.make_rx_ring(0, 2);
  b.setup();
  b.wr(reg::kRdar0, 0);
  for (int i = 0; i < kFlood; ++i) b.in.push(10_us + 672_ns * i, frame(60));
  b.run_to(10_us + 672_ns * (kFlood + 2));
  b.fec.settle();
}

TEST(FecRx, RingFullIsNamedAndTheLedgerBalances) {
  Bench b;
  flood(b);
  // 1024 words less RAFL 4: 127 frames of 8 words.
  EXPECT_EQ(b.fec.frames_in_rx_fifo(), 127u);
  EXPECT_EQ(b.count("rx_truncated"), 0u);
  EXPECT_EQ(b.count("rx_frames"), 2u);
  EXPECT_EQ(b.count("rx_ring_full"), static_cast<uint64_t>(kFlood - 2 - 127));
  EXPECT_EQ(b.count("rx_fifo_overflow"), 0u);
  EXPECT_STREQ(b.fec.last_overflow(), "rx_ring_full");
  EXPECT_EQ(b.rd(mib::kIeeeRMacErr), static_cast<uint32_t>(kFlood - 2 - 127));
  EXPECT_EQ(b.in.left(), 0u);
  b.make_rx_ring(0, 200);
  b.wr(reg::kRdar0, 0);
  b.run(100_us);
  EXPECT_EQ(b.fec.frames_in_rx_fifo(), 0u);
  EXPECT_EQ(b.count("rx_frames"), 2u + 127u);
  EXPECT_EQ(b.count("rx_error_frames"), 0u);
}

TEST(FecRx, OverrunCutsTheFrameThatFillsTheFifo) {
  FecConfig config;
  config.rx_start_words = 1;
  Bench b(config);
  flood(b);
  EXPECT_EQ(b.fec.frames_in_rx_fifo(), 128u);  // and four words of one more
  EXPECT_EQ(b.count("rx_truncated"), 1u);
  b.make_rx_ring(0, 200);
  b.wr(reg::kRdar0, 0);
  b.run(100_us);
  EXPECT_EQ(b.count("rx_frames"), 2u + 127u);
  EXPECT_EQ(b.count("rx_error_frames"), 1u);
  EXPECT_EQ(b.rx(0, 127).status & rx_sc::kDeviceStatus, rx_sc::kLast | rx_sc::kOverrun);
  EXPECT_EQ(b.rx(0, 127).length, 32);
  EXPECT_NE(b.rx(0, 127).control & rx_esc::kMacError, 0u);
}

// The DMA frees room while the frame arrives: it is whole after all.
TEST(FecRx, RoomFreedInTimeSavesTheFrame) {
  Bench b;
  b.arm_rx(0, 0, true);
  b.setup();
  b.in.push(10_us, frame(1514));  // 190 words each: five fit into 1020, the sixth would be cut
  for (int i = 1; i < 6; ++i) b.in.push(10_us + 20_us * i, frame(1514));
  b.run_to(10_us + 100_us + 2_us);
  b.wr(reg::kRdar0, 0);
  b.run_to(200_us);
  EXPECT_EQ(b.count("rx_truncated"), 0u);
  EXPECT_EQ(b.fec.frames_in_rx_fifo(), 5u);
}

TEST(FecRx, RoomFreedTooLateDoesNot) {
  Bench b;
  b.arm_rx(0, 0, true);
  b.setup();
  for (int i = 0; i < 6; ++i) b.in.push(10_us + 20_us * i, frame(1514));
  b.run_to(10_us + 100_us + 11_us);
  b.wr(reg::kRdar0, 0);
  b.run_to(200_us);
  EXPECT_EQ(b.count("rx_truncated"), 1u);
  EXPECT_EQ(b.fec.frames_in_rx_fifo(), 5u);
}

TEST(FecRx, SlowDmaOverflowIsNamedDifferently) {
  fabric::AxiConfig axi = Bench::axi_config();
  axi.forward_latency = 1500_ns;
  Bench b(FecConfig{}, axi);
  b.make_rx_ring(0, 512);
  b.setup();
  b.wr(reg::kRdar0, 0);
  for (int i = 0; i < 400; ++i) b.in.push(10_us + 672_ns * i, frame(60));
  b.run_to(10_us + 672_ns * 401);
  EXPECT_GT(b.count("rx_fifo_overflow"), 50u);
  EXPECT_EQ(b.count("rx_ring_full"), 0u);
  EXPECT_STREQ(b.fec.last_overflow(), "rx_fifo_overflow");
}

// Frames that are lost cost no event: the calendar hardly moves while 10000 are dropped.
TEST(FecRx, DroppedFramesCostNoEvents) {
  Bench b;
  b.make_rx_ring(0, 2);
  b.setup();
  b.wr(reg::kRdar0, 0);
  for (int i = 0; i < 10000; ++i) b.in.push(10_us + 672_ns * i, frame(60));
  b.run_to(200_us);
  const uint64_t before = b.calendar.events_run();
  b.run_to(10_us + 672_ns * 10001);
  EXPECT_GT(b.count("rx_ring_full"), 9000u);
  EXPECT_LT(b.calendar.events_run() - before, 20u);
}

}  // namespace
}  // namespace doorbell::fec::test
