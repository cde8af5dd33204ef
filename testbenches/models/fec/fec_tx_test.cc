// The transmit path against a bus initiator: times, line rate, scatter-gather, write-back order,
// errata, shapers, checksum insertion, underrun.
#include "testbenches/models/fec/bench.h"

namespace doorbell::fec::test {
namespace {

TEST(FecTx, SingleFrameToTheCycle) {
  Bench b;
  b.setup();
  b.wr(reg::kEimr, eir::kTxf0);
  const Bytes f = frame(60);
  b.send(0, 0, f);
  b.run_to(10_us);
  b.wr(reg::kTdar0, 0);
  EXPECT_EQ(b.rd(reg::kTdar0), kActive);
  // Two descriptors of 32 octets in 8 beats, then 60 octets in 8 beats.
  const Picos fetched = 10_us + cycles(4) + kForward + kLatency + 8 * cycles(1) + kReturn;
  const Picos read = fetched + cycles(4) + kForward + kLatency + 8 * cycles(1) + kReturn;
  const Picos start = read + cycles(8);
  const Picos end = start + line_time(f);
  const Picos closed = end + cycles(4) + 3 * cycles(1) + kForward;
  b.run_to(end + 1_ps);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].start, start);
  EXPECT_EQ(b.out.sent[0].bytes, f);
  EXPECT_EQ(b.out.sent[0].flaws, 0);
  EXPECT_EQ(b.rd(reg::kTdar0), 0u);
  EXPECT_NE(b.tx(0, 0).status & tx_sc::kReady, 0);
  EXPECT_EQ(b.rd(reg::kEir), 0u);
  b.run_to(closed - 1_ps);
  EXPECT_NE(b.tx(0, 0).status & tx_sc::kReady, 0);
  b.run_to(closed);
  EXPECT_EQ(b.tx(0, 0).status, tx_sc::kLast | tx_sc::kTc);
  EXPECT_EQ(b.tx(0, 0).bdu, kBduDone);
  EXPECT_EQ(b.tx(0, 0).length, 60);
  EXPECT_EQ(b.tx(0, 0).address, b.tx_buffer(0, 0));
  EXPECT_EQ(b.rd(reg::kEir), eir::kTxf0 | eir::kTxb0);
  ASSERT_EQ(b.irq.edges.size(), 1u);
  EXPECT_EQ(b.irq.edges[0].at, closed);
}

void line_rate(size_t bytes, unsigned frames) {
  Bench b;
  b.setup();
  for (unsigned i = 0; i < frames; ++i) b.send(0, i, frame(bytes, kOther, static_cast<uint8_t>(i)));
  b.wr(reg::kTdar0, 0);
  const Picos slot = kOctet * static_cast<int64_t>(bytes + 4 + 8 + 12);
  b.run(10_us + slot * frames);
  ASSERT_EQ(b.out.sent.size(), frames);
  for (unsigned i = 1; i < frames; ++i) {
    ASSERT_EQ(b.out.sent[i].start - b.out.sent[i - 1].start, slot) << i;
    ASSERT_EQ(b.out.sent[i].bytes, frame(bytes, kOther, static_cast<uint8_t>(i)));
  }
  EXPECT_EQ(b.count("tx_frames"), frames);
  EXPECT_EQ(b.rd(mib::kIeeeTFrameOk), frames);
  EXPECT_EQ(b.rd(mib::kRmonTOctets), frames * static_cast<uint32_t>(bytes + 4));
  EXPECT_EQ(b.fec.frames_in_tx_fifo(), 0u);
  EXPECT_EQ(b.fec.tx_fifo_words(), 0u);
  for (unsigned i = 0; i < frames; ++i) {
    ASSERT_EQ(b.tx(0, i).status, tx_sc::kLast | tx_sc::kTc) << i;
  }
}
TEST(FecTx, LineRateOf64) {
  line_rate(60, 500);
}
TEST(FecTx, LineRateOf594) {
  line_rate(590, 200);
}
TEST(FecTx, LineRateOf1518) {
  line_rate(1514, 100);
}

TEST(FecTx, RingWrapsAndShortRingIsNotReadTwice) {
  Bench b;
  b.setup();
  b.send(0, 0, frame(60, kOther, 1));
  b.send(0, 1, frame(60, kOther, 2));
  b.send(0, 2, frame(60, kOther, 3), true);
  b.wr(reg::kTdar0, 0);
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 3u);  // all descriptors were R, none is sent again
  EXPECT_EQ(b.rd(reg::kTdar0), 0u);
  b.send(0, 0, frame(70, kOther, 4));
  b.wr(reg::kTdar0, 0);
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 4u);
  EXPECT_EQ(b.out.sent[3].bytes, frame(70, kOther, 4));
}

TEST(FecTx, OneDescriptorRing) {
  Bench b;
  b.setup();
  for (int i = 0; i < 3; ++i) {
    b.send(0, 0, frame(60, kOther, static_cast<uint8_t>(i)), true);
    b.wr(reg::kTdar0, 0);
    b.run(5_us);
    EXPECT_EQ(b.tx(0, 0).status & tx_sc::kReady, 0);
    EXPECT_EQ(b.rd(reg::kTdar0), 0u);
  }
  EXPECT_EQ(b.out.sent.size(), 3u);
}

TEST(FecTx, ScatterGather) {
  Bench b;
  b.setup();
  const Bytes f = frame(200);
  b.put_tx(0, 0, Bytes(f.begin(), f.begin() + 14), 0);
  b.put_tx(0, 1, Bytes(f.begin() + 14, f.begin() + 15), 0);
  b.put_tx(0, 2, Bytes(f.begin() + 15, f.end()), tx_sc::kLast | tx_sc::kTc, tx_esc::kInt);
  b.wr(reg::kTdar0, 0);
  b.run(10_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, f);
  EXPECT_EQ(b.tx(0, 0).status, 0);
  EXPECT_EQ(b.tx(0, 1).status, 0);
  EXPECT_EQ(b.tx(0, 2).status, tx_sc::kLast | tx_sc::kTc);
  EXPECT_EQ(b.tx(0, 0).bdu, 0u);
  EXPECT_EQ(b.tx(0, 2).bdu, kBduDone);
  EXPECT_EQ(b.rd(reg::kEir), eir::kTxf0 | eir::kTxb0);
}

TEST(FecTx, ShortFramesArePaddedWithZeros) {
  Bench b;
  b.setup();
  b.send(0, 0, frame(20));
  b.wr(reg::kTdar0, 0);
  b.run(10_us);
  Bytes want = frame(20);
  want.resize(60, 0);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, want);
}

TEST(FecTx, SoftwareFcs) {
  Bench b;
  b.setup();
  b.put_tx(0, 0, with_fcs(frame(60)), tx_sc::kLast);
  Bytes wrong = with_fcs(frame(60));
  wrong.back() ^= 1;
  b.put_tx(0, 1, wrong, tx_sc::kLast);
  b.wr(reg::kTdar0, 0);
  b.run(10_us);
  ASSERT_EQ(b.out.sent.size(), 2u);
  EXPECT_EQ(b.out.sent[0].bytes, frame(60));
  EXPECT_EQ(b.out.sent[0].flaws, 0);
  EXPECT_EQ(b.out.sent[1].flaws, net::kBadFcs);
}

TEST(FecTx, ChecksumInsertion) {
  Bench b;
  b.setup();
  const Bytes want = udp_frame(100);
  Bytes blank = want;
  base::store_be16(blank.data() + 24, 0);
  base::store_be16(blank.data() + 40, 0);
  b.send(0, 0, blank, false, tx_esc::kInt | tx_esc::kIins | tx_esc::kPins);
  b.send(0, 1, blank, false, tx_esc::kIins);
  b.send(0, 2, blank);
  // A field that is not cleared goes into the sum.
  Bytes dirty = blank;
  base::store_be16(dirty.data() + 24, 0x1234);
  b.send(0, 3, dirty, false, tx_esc::kIins);
  b.wr(reg::kTdar0, 0);
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 4u);
  EXPECT_EQ(b.out.sent[0].bytes, want);
  EXPECT_EQ(base::load_be16(b.out.sent[1].bytes.data() + 24), base::load_be16(want.data() + 24));
  EXPECT_EQ(base::load_be16(b.out.sent[1].bytes.data() + 40), 0);
  EXPECT_EQ(b.out.sent[2].bytes, blank);
  EXPECT_NE(base::load_be16(b.out.sent[3].bytes.data() + 24), base::load_be16(want.data() + 24));
}

TEST(FecTx, ErratumHangsOnADoorbellAtTheClearing) {
  FecConfig config;
  config.erratum_007885 = true;
  Bench b(config);
  b.setup();
  b.send(0, 0, frame(60));
  b.wr(reg::kTdar0, 0);
  while (b.rd(reg::kTdar0) != 0) b.run(1_ns);
  b.send(0, 1, frame(60));
  b.wr(reg::kTdar0, 0);  // within a nanosecond of the clearing
  b.run(100_us);
  EXPECT_TRUE(b.fec.tx_hung());
  EXPECT_EQ(b.count("erratum_007885_hangs"), 1u);
  b.send(1, 0, frame(60));
  b.wr(reg::kTdar1, 0);
  b.run(100_us);
  EXPECT_LE(b.out.sent.size(), 1u);
  const bool closed = (b.tx(0, 0).status & tx_sc::kReady) == 0;
  EXPECT_EQ(b.fec.frames_sent_not_closed(), b.out.sent.size() - (closed ? 1 : 0));
  // Only ETHEREN 0 -> 1 helps.
  b.wr(reg::kEcr, 0);
  b.enable();
  EXPECT_FALSE(b.fec.tx_hung());
  const size_t before = b.out.sent.size();
  b.send(0, 0, frame(60));
  b.wr(reg::kTdar0, 0);
  b.run(20_us);
  EXPECT_GT(b.out.sent.size(), before);
}

// The work-around: read TDAR, write only when it has read 0. A register round trip separates both.
TEST(FecTx, ErratumIsAvoidedByReadingFirst) {
  FecConfig config;
  config.erratum_007885 = true;
  Bench b(config);
  b.setup();
  unsigned sent = 0;
  for (unsigned i = 0; i < 200; ++i) {
    b.send(0, i, frame(60), i == 199);
    for (unsigned n = 0; n < 1000; ++n) {
      const bool idle = b.rd(reg::kTdar0) == 0;
      b.run(120_ns);
      if (!idle) continue;
      b.wr(reg::kTdar0, 0);
      ++sent;
      break;
    }
    b.run(Picos(1'000 * ((i * 37) % 400)));
  }
  b.run(1_ms);
  EXPECT_FALSE(b.fec.tx_hung());
  EXPECT_EQ(sent, 200u);
  EXPECT_EQ(b.out.sent.size(), 200u);
}

// Without errata a doorbell is never lost, whenever it comes.
TEST(FecTx, DoorbellsAreNotLost) {
  Bench b;
  b.setup();
  for (unsigned i = 0; i < 500; ++i) {
    b.send(0, i, frame(60), i == 499);
    b.wr(reg::kTdar0, 0);
    b.run(Picos(1'000 * ((i * 13) % 900)));
  }
  b.run(1_ms);
  EXPECT_EQ(b.out.sent.size(), 500u);
}

TEST(FecTx, Erratum006358ForgetsALateDoorbell) {
  FecConfig config;
  config.erratum_006358 = true;
  Bench b(config);
  b.setup();
  b.send(0, 0, frame(1514));
  b.wr(reg::kTdar0, 0);
  b.run(3_us);  // on the line; R = 0 of the next descriptor has been seen
  EXPECT_EQ(b.rd(reg::kTdar0), kActive);
  b.send(0, 1, frame(60));
  b.wr(reg::kTdar0, 0);
  b.run(50_us);
  EXPECT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.rd(reg::kTdar0), 0u);
  b.wr(reg::kTdar0, 0);  // the work-around: kick again when TDAR reads 0
  b.run(10_us);
  EXPECT_EQ(b.out.sent.size(), 2u);
}

TEST(FecTx, TdarClearsBeforeReady) {
  fabric::AxiConfig axi = Bench::axi_config();
  axi.return_latency = 2_us;
  axi.outstanding = 1;  // the answer "no descriptor" comes after the frame has left
  Bench b(FecConfig{}, axi);
  b.setup();
  b.send(0, 0, frame(60));
  b.wr(reg::kTdar0, 0);
  Picos tdar = base::kNever, ready = base::kNever;
  for (int i = 0; i < 20000; ++i) {
    b.run(1_ns);
    if (tdar == base::kNever && b.rd(reg::kTdar0) == 0) tdar = b.now();
    if (ready == base::kNever && (b.tx(0, 0).status & tx_sc::kReady) == 0) ready = b.now();
  }
  ASSERT_NE(tdar, base::kNever);
  ASSERT_NE(ready, base::kNever);
  EXPECT_LT(tdar, ready);
  EXPECT_GT(tdar, b.out.sent[0].start + line_time(frame(60)));
}

TEST(FecTx, NotReadyInMidFrameWaits) {
  Bench b;
  b.setup();
  const Bytes f = frame(200);
  b.put_tx(0, 0, Bytes(f.begin(), f.begin() + 100), 0);
  b.send(1, 0, frame(60));
  b.wr(reg::kTdar0, 0);
  b.run(5_us);
  b.wr(reg::kTdar1, 0);
  b.run(20_us);
  EXPECT_TRUE(b.out.sent.empty());  // the partial frame blocks the other rings
  EXPECT_EQ(b.count("tx_stalled"), 1u);
  EXPECT_EQ(b.fec.frames_in_tx_fifo(), 1u);
  b.put_tx(0, 1, Bytes(f.begin() + 100, f.end()), tx_sc::kLast | tx_sc::kTc);
  b.wr(reg::kTdar0, 0);
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 2u);
  EXPECT_EQ(b.out.sent[0].bytes, f);
}

TEST(FecTx, NotReadyInMidFrameDrops) {
  FecConfig config;
  config.partial_frame = PartialFramePolicy::kDrop;
  Bench b(config);
  b.setup();
  const Bytes f = frame(200);
  b.put_tx(0, 0, Bytes(f.begin(), f.begin() + 100), 0, tx_esc::kInt);
  b.wr(reg::kTdar0, 0);
  b.run(20_us);
  EXPECT_EQ(b.tx(0, 0).status, 0);
  EXPECT_EQ(b.rd(reg::kEir), eir::kTxb0);
  EXPECT_EQ(b.count("tx_partial_dropped"), 1u);
  EXPECT_EQ(b.fec.tx_fifo_words(), 0u);
  b.put_tx(0, 1, Bytes(f.begin() + 100, f.end()), tx_sc::kLast | tx_sc::kTc);
  b.wr(reg::kTdar0, 0);
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, Bytes(f.begin() + 100, f.end()));
}

TEST(FecTx, CutThroughUnderrun) {
  fabric::AxiConfig axi = Bench::axi_config();
  axi.return_latency = 5_us;  // the rest cannot be there in time
  Bench b(FecConfig{}, axi);
  b.setup();
  b.wr(reg::kTfwr, 4);  // 256 octets
  b.send(0, 0, frame(1514));
  b.send(0, 1, frame(60));
  b.wr(reg::kTdar0, 0);
  b.run(100_us);
  ASSERT_EQ(b.out.sent.size(), 2u);
  EXPECT_EQ(b.out.sent[0].flaws, net::kBadFcs | net::kTxError);
  EXPECT_LT(b.out.sent[0].bytes.size(), 1514u);
  EXPECT_EQ(b.out.sent[1].bytes, frame(60));
  EXPECT_EQ(b.count("tx_underrun"), 1u);
  EXPECT_EQ(b.rd(reg::kEir) & eir::kUn, eir::kUn);
  EXPECT_EQ(b.tx(0, 0).status & tx_sc::kReady, 0);
  EXPECT_EQ(b.tx(0, 0).control & tx_esc::kErrors, tx_esc::kTxError | tx_esc::kUnderflow);
  EXPECT_EQ(b.rd(mib::kIeeeTMacErr), 1u);
  EXPECT_EQ(b.fec.tx_fifo_words(), 0u);
}

TEST(FecTx, CutThroughStartsEarly) {
  Bench b;
  b.setup();
  b.wr(reg::kTfwr, 4);
  b.run_to(10_us);
  b.send(0, 0, frame(1514));
  b.wr(reg::kTdar0, 0);
  b.run(50_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, frame(1514));
  EXPECT_EQ(b.out.sent[0].flaws, 0);
  // Store and forward would need the whole read first: 190 beats, 712 ns.
  EXPECT_LT(b.out.sent[0].start, 10_us + 700_ns);
  EXPECT_EQ(b.tx(0, 0).status, tx_sc::kLast | tx_sc::kTc);
}

TEST(FecTx, FrameLargerThanTheFifoIsDropped) {
  FecConfig config;
  config.tx_fifo_bytes = 2048;
  Bench b(config);
  b.setup();
  for (unsigned i = 0; i < 3; ++i) {
    b.put_tx(0, i, Bytes(1000, 7), i == 2 ? tx_sc::kLast | tx_sc::kTc : 0);
  }
  b.send(0, 3, frame(60));
  b.wr(reg::kTdar0, 0);
  b.run(50_us);
  EXPECT_EQ(b.count("tx_fifo_overflow"), 1u);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, frame(60));
  EXPECT_EQ(b.tx(0, 2).control & tx_esc::kErrors, tx_esc::kTxError | tx_esc::kOverflow);
  EXPECT_EQ(b.fec.tx_fifo_words(), 0u);
}

TEST(FecTx, GracefulStop) {
  Bench b;
  b.setup();
  for (unsigned i = 0; i < 3; ++i) b.send(0, i, frame(1514));
  b.wr(reg::kTdar0, 0);
  b.run(5_us);
  b.wr(reg::kTcr, tcr::kFdEn | tcr::kGts);
  EXPECT_EQ(b.rd(reg::kEir) & eir::kGra, 0u);
  b.run(30_us);
  EXPECT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.rd(reg::kEir) & eir::kGra, eir::kGra);
  EXPECT_EQ(b.fec.frames_in_tx_fifo(), 2u);
  b.wr(reg::kEir, eir::kGra);
  b.wr(reg::kTcr, tcr::kFdEn);
  b.run(50_us);
  EXPECT_EQ(b.out.sent.size(), 3u);
  EXPECT_EQ(b.rd(reg::kEir) & eir::kGra, 0u);
  b.wr(reg::kTcr, tcr::kFdEn | tcr::kGts);  // idle: at once
  EXPECT_EQ(b.rd(reg::kEir) & eir::kGra, eir::kGra);
}

TEST(FecTx, BabblingAddressInsertionAndGap) {
  Bench b;
  b.setup();
  b.wr(reg::kRcr, (b.rcr & ~rcr::kMaxFl) | 1518u << 16);
  b.wr(reg::kTcr, tcr::kFdEn | tcr::kAddIns);
  b.wr(reg::kTipg, 20);
  b.send(0, 0, frame(1600));
  b.send(0, 1, frame(60));
  b.wr(reg::kTdar0, 0);
  b.run(50_us);
  ASSERT_EQ(b.out.sent.size(), 2u);
  EXPECT_EQ(b.out.sent[0].bytes.size(), 1600u);  // not cut
  EXPECT_EQ(b.rd(reg::kEir) & eir::kBabt, eir::kBabt);
  EXPECT_EQ(Bytes(b.out.sent[1].bytes.begin() + 6, b.out.sent[1].bytes.begin() + 12), kOwn);
  EXPECT_EQ(b.out.sent[1].start - b.out.sent[0].start, kOctet * (8 + 1604 + 20));
}

TEST(FecTx, BusErrorAndAbort) {
  Bench b;
  b.setup();
  FecTxDesc d;
  d.length = 60;
  d.status = tx_sc::kReady | tx_sc::kLast | tx_sc::kTc;
  d.address = 0x100;
  encode(d, b.at(b.tx_bd(0, 0)), b.format());
  b.wr(reg::kTdar0, 0);
  b.run(10_us);
  EXPECT_EQ(b.rd(reg::kEir), eir::kEberr);
  EXPECT_EQ(b.rd(reg::kEcr) & ecr::kEtherEn, 0u);
  EXPECT_EQ(b.count("tx_bus_error"), 1u);
  EXPECT_EQ(b.count("tx_reset"), 0u);
  // ETHEREN = 0 with frames waiting: they are gone, their descriptors untouched.
  b.enable();
  for (unsigned i = 0; i < 5; ++i) b.send(0, i, frame(1514));
  b.wr(reg::kTdar0, 0);
  b.run(8_us);
  b.wr(reg::kEcr, 0);
  b.run(50_us);
  EXPECT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.rd(reg::kTdar0), 0u);
  EXPECT_NE(b.tx(0, 0).status & tx_sc::kReady, 0);
  EXPECT_GE(b.count("tx_reset"), 3u);
  EXPECT_EQ(b.fec.frames_in_tx_fifo(), 0u);
}

TEST(FecTx, DoorbellWhileDisabledIsIgnored) {
  Bench b;
  b.setup();
  b.wr(reg::kEcr, 0);
  b.send(0, 0, frame(60));
  b.wr(reg::kTdar0, 0);
  EXPECT_EQ(b.rd(reg::kTdar0), 0u);
  b.enable();
  b.run(10_us);
  EXPECT_TRUE(b.out.sent.empty());
}

}  // namespace
}  // namespace doorbell::fec::test
