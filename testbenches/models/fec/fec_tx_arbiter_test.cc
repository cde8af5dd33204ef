// Transmit queue arbitration: shapers, round robin, class priority.
#include "testbenches/models/fec/bench.h"

namespace doorbell::fec::test {
namespace {

TEST(FecTx, LegacyDescriptorsAndRoundRobin) {
  Bench b;
  b.enhanced = false;
  b.setup();
  for (unsigned ring = 0; ring < kRings; ++ring) {
    for (unsigned i = 0; i < 4; ++i) b.send(ring, i, frame(60, kOther, static_cast<uint8_t>(ring)));
  }
  b.wr(reg::kTdar0, 0);
  b.wr(reg::kTdar1, 0);
  b.wr(reg::kTdar2, 0);
  b.run(30_us);
  ASSERT_EQ(b.out.sent.size(), 12u);
  for (unsigned i = 0; i < 12; ++i) {
    EXPECT_EQ(b.out.sent[i].bytes, frame(60, kOther, static_cast<uint8_t>(i % 3))) << i;
  }
  EXPECT_EQ(b.rd(reg::kEir), eir::kTxfAll | eir::kTxb0 | eir::kTxb1 | eir::kTxb2);
}

// A class alone gets its fraction of the line, whatever the frame's size.
void shaper_rate(uint32_t slope, size_t bytes, double fraction) {
  Bench b;
  b.setup();
  b.wr(reg::kDma1Cfg, dma_cfg::kClassEn | slope);
  for (unsigned i = 0; i < 400; ++i) b.send(1, i, frame(bytes, kOther));
  b.wr(reg::kTdar1, 0);
  b.run(30_ms);
  ASSERT_EQ(b.out.sent.size(), 400u);
  const double span = (b.out.sent[399].start - b.out.sent[0].start).seconds();
  const double slot = (kOctet * static_cast<int64_t>(bytes + 24)).seconds();
  EXPECT_NEAR(399 * slot / span, fraction, fraction * 0.01);
}

TEST(FecTx, ShaperHalfWith64) {
  shaper_rate(0x200, 60, 0.5);
}
TEST(FecTx, ShaperHalfWith1518) {
  shaper_rate(0x200, 1514, 0.5);
}
TEST(FecTx, ShaperFifth) {
  shaper_rate(128, 1514, 0.2);
}

TEST(FecTx, ShapedClassesAndBestEffortShareTheLine) {
  Bench b;
  b.setup();
  b.wr(reg::kDma1Cfg, dma_cfg::kClassEn | 128);  // 0.2
  b.wr(reg::kDma2Cfg, dma_cfg::kClassEn | 256);  // 1/3
  for (unsigned ring = 0; ring < kRings; ++ring) {
    for (unsigned i = 0; i < 900; ++i) {
      b.send(ring, i, frame(1000, kOther, static_cast<uint8_t>(ring)));
    }
  }
  for (unsigned ring = 0; ring < kRings; ++ring) b.wr(reg::tdar(ring), 0);
  b.run(8_ms);
  ASSERT_GT(b.out.sent.size(), 900u);
  double share[kRings] = {};
  for (size_t i = 100; i < 900; ++i) {
    for (unsigned ring = 0; ring < kRings; ++ring) {
      if (b.out.sent[i].bytes[20] == frame(1000, kOther, static_cast<uint8_t>(ring))[20]) {
        share[ring] += 1.0 / 800;
      }
    }
  }
  EXPECT_NEAR(share[1], 0.2, 0.004);
  EXPECT_NEAR(share[2], 1.0 / 3, 0.005);
  EXPECT_NEAR(share[0], 1 - 0.2 - 1.0 / 3, 0.008);
}

TEST(FecTx, ClassPriorityIsAParameter) {
  FecConfig config;
  config.class_1_first = true;
  Bench b(config);
  b.setup();
  b.wr(reg::kDma1Cfg, 0);  // not shaped
  b.wr(reg::kDma2Cfg, 0);
  for (unsigned i = 0; i < 20; ++i) {
    b.send(2, i, frame(1514, kOther, 2));
    b.send(1, i, frame(1514, kOther, 1));
  }
  b.wr(reg::kTdar2, 0);
  b.wr(reg::kTdar1, 0);
  b.run(1_ms);
  ASSERT_EQ(b.out.sent.size(), 40u);
  // Until the FIFO is full both go as their descriptors come; then class 1 has the right of way.
  unsigned last_of_1 = 0;
  for (unsigned i = 0; i < 40; ++i) {
    if (b.out.sent[i].bytes == frame(1514, kOther, 1)) last_of_1 = i;
  }
  EXPECT_LT(last_of_1, 20u + 5u);
}

TEST(FecTx, FtypeMismatchIsCounted) {
  Bench b;
  b.setup();
  b.send(1, 0, frame(60), false, tx_esc::kInt);
  FecTxDesc d = b.tx(1, 0);
  d.control &= ~tx_esc::kFtype;
  encode(d, b.at(b.tx_bd(1, 0)), b.format());
  b.wr(reg::kTdar1, 0);
  b.run(10_us);
  EXPECT_EQ(b.count("tx_ftype_mismatch"), 1u);
  EXPECT_EQ(b.out.sent.size(), 1u);
}

}  // namespace
}  // namespace doorbell::fec::test
