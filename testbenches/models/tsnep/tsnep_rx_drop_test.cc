// Receive when something is wrong: every drop reason, errors, resets.
#include "testbenches/models/tsnep/bench.h"

namespace doorbell::tsnep::test {
namespace {

TEST(TsnepRx, BadFramesAreCountedAndNotDelivered) {
  Bench b;
  b.open();
  b.in.push(b.now() + 1_us, frame(60), net::kBadFcs);
  b.in.push(b.now() + 3_us, frame(60), net::kBadFcs | net::kTxError);
  b.in.push(b.now() + 5_us, frame(59));
  b.in.push(b.now() + 7_us, frame(5));
  b.in.push(b.now() + 9_us, frame(16383 - 20 + 1));
  b.in.push(b.now() + 200_us, frame(60));
  b.run(300_us);
  EXPECT_EQ(b.count("rx_bad_fcs"), 2u);
  EXPECT_EQ(b.count("rx_too_short"), 2u);
  EXPECT_EQ(b.count("rx_too_long"), 1u);
  EXPECT_EQ(b.count("rx_frames"), 1u);
  EXPECT_EQ(b.rd(0xB0), 1u | 5u << 8) << "PHY errors; invalid frames";
  EXPECT_EQ(b.rd(0x193, 1), 5u);
  EXPECT_EQ(b.rd(0x190), 5u << 24);
}

TEST(TsnepRx, NoDescriptorThenTheDoorbellBringsOne) {
  Bench b;
  b.setup();
  b.refill(0, 2);
  b.ring_rx();
  b.run(2_us);
  for (int i = 0; i < 4; ++i) b.in.push(b.now() + Picos(1'000'000 * (i + 1)), frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), 2u);
  EXPECT_EQ(b.count("rx_no_descriptor"), 2u);
  EXPECT_EQ(b.rd(0x190), 2u);
  EXPECT_EQ(b.rd(0x108), 0x200u) << "starved is still running";
  // New descriptors without a doorbell are not seen.
  b.refill(0, 2);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_no_descriptor"), 3u);
  b.ring_rx();
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), 3u);
}

// A frame is not lost before the engine knows that there is nothing for it, and a doorbell until
// then saves it.
TEST(TsnepRx, DoorbellWhileTheAnswerIsOnItsWaySavesTheFrame) {
  Bench b;
  b.setup();
  const Bytes f = frame(60);
  const Picos rung = b.now() + 2_us;
  b.in.push(rung + 36_ns - line_time(f), f);  // the DMA may begin 100 ns behind the doorbell
  b.run_to(rung);
  b.ring_rx();  // sampled 72 ns later, answered after 168
  b.run(120_ns);
  b.refill(0, 1);
  b.ring_rx();
  b.run(10_us);
  EXPECT_EQ(b.count("rx_no_descriptor"), 0u);
  EXPECT_EQ(b.count("rx_frames"), 1u);
}

TEST(TsnepRx, AnEngineThatLooksWithEveryFrame) {
  TsnepConfig c = quick_link();
  c.rx_looks_with_frames = true;
  Bench b(c);
  b.setup();
  b.ring_rx();
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_no_descriptor"), 1u);
  b.refill(0, 2);
  b.in.push(b.now() + 1_us, frame(60));
  b.in.push(b.now() + 2_us, frame(60));
  b.in.push(b.now() + 3_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), 2u);
  EXPECT_EQ(b.count("rx_no_descriptor"), 2u);
}

TEST(TsnepRx, ABufferThatIsTooSmallStaysForTheNextFrame) {
  Bench b;
  b.setup();
  b.refill(0, 1, 120);  // 16 + 100 + 4
  b.refill(0, 1, 2048);
  b.ring_rx();
  b.run(2_us);
  b.in.push(b.now() + 1_us, frame(101));
  b.in.push(b.now() + 4_us, frame(100));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_buffer_too_small"), 1u);
  EXPECT_EQ(b.rd(0x190), 1u << 8);
  EXPECT_EQ(b.rd(0x191, 1), 1u);
  EXPECT_EQ(b.receive().size(), 120u);
}

TEST(TsnepRx, FifoOverflowBehindASlowBus) {
  fabric::AxiConfig slow = Bench::axi_config();
  slow.clock = base::Hertz(8'000'000);  // 64 MB/s: half of the line
  TsnepConfig c = quick_link();
  c.rx_fifo_bytes = 4096;
  Bench b(c, slow);
  b.open();
  b.run(50_us);
  Picos at = b.now() + 1_us;
  for (unsigned i = 0; i < 50; ++i, at += line_time(frame(1000)) + 96_ns) {
    b.in.push(at, frame(1000, kOwn, static_cast<uint8_t>(i)));
  }
  while (b.now() < at + 100_us) {
    b.run(1_us);
    ASSERT_LE(b.nic.rx_fifo_bytes(), 4096u);
  }
  const uint64_t lost = b.count("rx_fifo_overflow");
  EXPECT_GT(lost, 15u);
  EXPECT_LT(lost, 35u);
  EXPECT_EQ(b.count("rx_frames") + lost, 50u);
  EXPECT_EQ(b.rd(0x190), uint32_t(lost) << 16);
  EXPECT_EQ(b.rd(0x192, 1), lost);
}

TEST(TsnepRx, NoLinkNoFrames) {
  Bench b;
  b.setup();
  b.refill(0, 10);
  b.ring_rx();
  b.run(2_us);
  b.wr(0x80, 0x01000000);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(5_us);
  b.wr(0x80, 0x04000000);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(5_us);
  b.nic.set_cable(false);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(5_us);
  EXPECT_EQ(b.count("rx_no_link"), 2u);
  EXPECT_EQ(b.count("rx_frames"), 1u);
}

TEST(TsnepRx, DescriptorErrorStopsUntilReset) {
  Bench b;
  b.setup();
  b.refill(0, 3);
  base::store_le<uint64_t>(b.at(b.rx[0].block(1)) + 128 + 16, b.rx[0].block(2) + 4);
  b.ring_rx();
  b.in.push(b.now() + 3_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.rd(0x108), 0x2000u);
  EXPECT_EQ(b.count("desc_errors"), 1u);
  EXPECT_EQ(b.count("rx_disabled"), 1u);
  b.ring_rx();
  EXPECT_EQ(b.rd(0x108), 0x2000u);
  b.wr(0x108, 0x100);
  EXPECT_EQ(b.rd(0x108), 0u);
  b.init_rx(0);
  b.refill(0, 3);
  b.ring_rx();
  b.in.push(b.now() + 3_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), 1u);
}

TEST(TsnepRx, FailedDmaStopsUntilReset) {
  Bench b;
  b.setup();
  b.refill(0, 3);
  base::store_le<uint64_t>(b.at(b.rx[0].block(0)) + 128 + 24, 0x1000);  // no memory there
  b.ring_rx();
  b.in.push(b.now() + 3_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.rd(0x108), 0x1000u);
  EXPECT_EQ(b.count("rx_dma_error"), 1u);
  EXPECT_EQ(b.count("dma_errors"), 1u);
  b.wr(0x108, 0x100);
  b.wr(0x180, 0x2001);
  b.ring_rx();  // the descriptor itself is out of memory
  b.run(10_us);
  EXPECT_EQ(b.rd(0x108), 0x1000u);
  EXPECT_EQ(b.count("dma_errors"), 2u);
}

TEST(TsnepRx, ResetLosesWhatIsInTheFifo) {
  fabric::AxiConfig slow = Bench::axi_config();
  slow.clock = base::Hertz(8'000'000);
  Bench b(quick_link(), slow);
  b.open();
  b.run(50_us);
  Picos at = b.now() + 1_us;
  for (unsigned i = 0; i < 6; ++i, at += line_time(frame(1000)) + 96_ns) b.in.push(at, frame(1000));
  b.run_to(at);
  b.nic.settle();
  const unsigned held = b.nic.frames_in_rx_fifo();
  ASSERT_GT(held, 1u);
  const uint64_t delivered = b.count("rx_frames");
  b.wr(0x108, 0x100);
  b.run(1_ms);
  EXPECT_EQ(b.count("rx_reset"), held);
  EXPECT_EQ(b.count("rx_frames"), delivered);
  EXPECT_EQ(b.nic.frames_in_rx_fifo(), 0u);
}

}  // namespace
}  // namespace doorbell::tsnep::test
