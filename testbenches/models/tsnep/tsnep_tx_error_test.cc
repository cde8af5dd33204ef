// Transmit when something is wrong: bad descriptors, failed accesses, resets, no link, data too
// late.
#include "testbenches/models/tsnep/bench.h"

namespace doorbell::tsnep::test {
namespace {

struct Broken {
  const char* what;
  void (*breaks)(uint8_t* descriptor);
};

TEST(TsnepTx, DescriptorErrorsStopTheEngineUntilReset) {
  const Broken kBroken[] = {
      {"next is no block", [](uint8_t* d) { base::store_le<uint64_t>(d + 16, 0x40100110); }},
      {"no length", [](uint8_t* d) { d[0] = 0, d[1] = 0; }},
      {"fragment shorter than the frame", [](uint8_t* d) { base::store_le<uint32_t>(d + 4, 99); }},
      {"fragment longer than the frame", [](uint8_t* d) { base::store_le<uint32_t>(d + 4, 101); }},
      {"inline data too long", [](uint8_t* d) { d[2] |= 2; }},
  };
  Bench b;
  b.setup();
  uint64_t errors = 0;
  for (const Broken& broken : kBroken) {
    b.init_tx(0);
    const size_t sent = b.out.sent.size();
    b.put(0, frame(100));
    b.put(0, frame(100));
    broken.breaks(b.at(b.tx[0].block(0)) + 128);
    b.ring_tx();
    b.run(20_us);
    EXPECT_EQ(b.rd(0x108), 0x20u) << broken.what;
    EXPECT_EQ(b.count("desc_errors"), ++errors);
    b.ring_tx();
    b.run(20_us);
    EXPECT_EQ(b.out.sent.size(), sent) << broken.what;
    b.wr(0x108, 0x1);
    EXPECT_EQ(b.rd(0x108), 0u) << broken.what;
  }
  EXPECT_EQ(b.count("tx_desc_error"), 4u) << "a bad link is found before the frame is begun";
  b.init_tx(0);
  b.send(frame(100));
  b.run(20_us);
  EXPECT_EQ(b.out.sent.size(), 1u) << "it works again";
}

TEST(TsnepTx, AFrameLargerThanTheFifoIsADescriptorError) {
  TsnepConfig c = quick_link();
  c.tx_fifo_bytes = 2048;
  Bench b(c);
  b.setup();
  b.send(frame(2049));
  b.run(50_us);
  EXPECT_EQ(b.rd(0x108), 0x20u);
  EXPECT_EQ(b.count("tx_desc_error"), 1u);
}

TEST(TsnepTx, FailedReadsAreDmaErrors) {
  Bench b;
  b.setup();
  b.put(0, frame(100));
  b.put(0, frame(100));
  base::store_le<uint64_t>(b.at(b.tx[0].block(1)) + 128 + 24, 0x10);  // no memory there
  b.ring_tx();
  b.run(20_us);
  EXPECT_EQ(b.out.sent.size(), 1u) << "the frame before still goes out";
  EXPECT_TRUE(b.tx_done(0, 0));
  EXPECT_EQ(b.rd(0x108), 0x10u);
  EXPECT_EQ(b.count("tx_dma_error"), 1u);
  // The descriptor itself.
  b.wr(0x108, 0x1);
  b.wr(0x140, 0x1001);
  b.wr(0x144, 0x7);
  b.ring_tx();
  b.run(20_us);
  EXPECT_EQ(b.rd(0x108), 0x10u);
  EXPECT_EQ(b.count("dma_errors"), 2u);
  EXPECT_EQ(b.rd(0x144), 7u);
}

TEST(TsnepTx, ResetDropsWhatWaitsAndTheLineFinishes) {
  Bench b;
  b.setup();
  for (unsigned i = 0; i < 5; ++i) b.put(0, frame(1000));
  b.ring_tx();
  b.run(5_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  const unsigned waiting = b.nic.frames_in_tx_fifo();
  EXPECT_EQ(waiting, 4u);
  EXPECT_EQ(b.nic.frames_sent_not_closed(), 1u);
  b.wr(0x108, 0x1);
  EXPECT_EQ(b.count("tx_reset"), waiting);
  EXPECT_EQ(b.count("tx_unclosed"), 1u);
  EXPECT_EQ(b.rd(0x108), 0u);
  b.run(1_ms);
  EXPECT_EQ(b.out.sent.size(), 1u);
  EXPECT_FALSE(b.tx_done(0, 0));
  b.init_tx(0);
  b.send(frame(64));
  b.run(20_us);
  EXPECT_EQ(b.out.sent.size(), 2u);
  EXPECT_TRUE(b.tx_done(0, 0));
}

TEST(TsnepTx, WithoutALinkFramesAreAcknowledgedAndMarked) {
  Bench b;
  b.setup();
  b.wr(0x80, 0x01000000);
  b.send(frame(60));
  b.run(10_us);
  EXPECT_TRUE(b.out.sent.empty());
  EXPECT_TRUE(b.tx_done(0, 0));
  EXPECT_NE(base::load_le<uint32_t>(b.at(b.tx[0].block(0))) & 1u << 24, 0u);
  EXPECT_EQ(b.count("tx_no_link"), 1u);
  EXPECT_TRUE(b.irq.levels[0]) << "a driver wants to free it";
  b.wr(0x80, 0x02000000);  // a mode that does not fit
  b.send(frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("tx_no_link"), 2u);
}

TEST(TsnepTx, FramesThatWaitWhenTheLinkGoesAreAcknowledged) {
  Bench b;
  b.setup();
  for (unsigned i = 0; i < 5; ++i) b.put(0, frame(1000));
  b.ring_tx();
  b.run(5_us);
  b.nic.set_cable(false);
  b.run(100_us);
  EXPECT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.count("tx_no_link"), 4u);
  for (unsigned i = 0; i < 5; ++i) EXPECT_TRUE(b.tx_done(0, i));
}

// Cut-through.

TsnepConfig cut_through() {
  TsnepConfig c = quick_link();
  c.tx_cut_through = true;
  return c;
}

TEST(TsnepTx, CutThroughStartsEarlier) {
  Bench b(cut_through());
  b.setup();
  const Picos rung = b.now();
  const Bytes f = frame(1500);
  b.send(f);
  b.run(30_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, f);
  EXPECT_EQ(b.out.sent[0].flaws, 0);
  // Behind the first piece of 256 bytes instead of the whole 1500.
  const Picos first = rung + 32_ns + 152_ns + 16_ns + 40_ns + 60_ns + 32 * 4_ns + 20_ns;
  EXPECT_EQ(b.out.sent[0].start, first + 64_ns);
  EXPECT_TRUE(b.tx_done(0, 0));
}

TEST(TsnepTx, CutThroughBreaksOffAFrameWhoseDataIsLate) {
  fabric::AxiConfig slow = Bench::axi_config();
  slow.clock = base::Hertz(10'000'000);  // 80 MB/s: slower than the line
  Bench b(cut_through(), slow);
  b.setup();
  b.send(frame(1500));
  b.run(100_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].flaws, net::kTxError | net::kBadFcs);
  EXPECT_LT(b.out.sent[0].bytes.size(), 1500u);
  EXPECT_EQ(b.count("tx_underrun"), 1u);
  EXPECT_EQ(b.count("tx_frames"), 0u);
  EXPECT_TRUE(b.tx_done(0, 0));
  EXPECT_NE(base::load_le<uint32_t>(b.at(b.tx[0].block(0))) & 1u << 16, 0u) << "UNDERRUN_ERROR";
  b.tx[0].read = 1;
  b.send(frame(60));
  b.run(100_us);
  EXPECT_EQ(b.out.sent.size(), 2u);
  EXPECT_EQ(b.out.sent[1].flaws, 0);
}

TEST(TsnepTx, CutThroughWithoutTheRestOfAFrame) {
  Bench b(cut_through());
  b.setup();
  const Bytes f = frame(600);
  b.put_parts(
      0, {{Bytes(f.begin(), f.begin() + 300), false}, {Bytes(f.begin() + 300, f.end()), false}});
  uint8_t* second = b.at(b.tx[0].block(1)) + 128;
  const auto word = base::load_le<uint32_t>(second);
  base::store_le<uint32_t>(second, 0);
  b.ring_tx();
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes.size(), 300u);
  EXPECT_EQ(b.count("tx_underrun"), 1u);
  EXPECT_FALSE(b.tx_done(0, 0)) << "acknowledged when the rest was fetched";
  base::store_le<uint32_t>(b.at(b.tx[0].block(1)) + 128, word);
  b.ring_tx();
  b.run(20_us);
  EXPECT_TRUE(b.tx_done(0, 0));
  EXPECT_EQ(b.nic.frames_in_tx_fifo(), 0u);
}

}  // namespace
}  // namespace doorbell::tsnep::test
