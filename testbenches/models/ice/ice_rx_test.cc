// Receive: descriptors, payload and write-back in order, merging, chains, tail steps, loss by name.
#include <gtest/gtest.h>

#include "testbenches/models/ice/bench.h"

namespace doorbell::ice::test {
namespace {

TEST(IceRx, OneFrame) {
  Bench b;
  b.add_rx(0, 64);
  b.refill(0, 64 - 8);
  b.run(5_us);
  const Bytes f = ip_frame(60);
  const Picos start = b.now() + 1_us;
  b.in.push(start, f);
  b.arm(0);  // timer 0: the half line goes out at once
  const Picos end = start + line_time(60);
  while (!b.rx_done(0, 0)) b.run(1_ns);
  // Pipeline, then a posted write: 0.25 to 0.3 us and more behind the last bit.
  EXPECT_GT(b.now() - end, 400_ns);
  EXPECT_LT(b.now() - end, 520_ns);
  const IceRxWriteback w = b.rx_at(0, 0);
  EXPECT_EQ(w.rxdid, 2);
  EXPECT_EQ(w.length, 60);
  EXPECT_EQ(w.status0,
            rx_status0::kDd | rx_status0::kEof | rx_status0::kRssValid | rx_status0::kL3l4p);
  EXPECT_EQ(w.ptype, rx_ptype::kIpv4Udp);
  EXPECT_EQ(w.cast, RxCast::kUnicast);
  EXPECT_EQ(b.bytes_at(b.rx_buffer(0, 0), 60), f);
  EXPECT_EQ(b.count("rx_frames"), 1u);
}

TEST(IceRx, TwoWritebacksInOneWrite) {
  Bench b;
  b.add_rx(0, 64);
  b.refill(0, 56);
  b.run(5_us);
  const uint64_t writes = b.ice.pcie.stats().writes;
  for (int i = 0; i < 4; ++i) b.in.push(b.now() + 1_us + slot_time(60) * i, frame(60));
  b.run(10_us);
  for (unsigned i = 0; i < 4; ++i) EXPECT_TRUE(b.rx_done(0, i)) << i;
  EXPECT_EQ(b.count("rx_writebacks"), 4u);
  EXPECT_EQ(b.count("rx_writeback_writes"), 2u);
  EXPECT_EQ(b.ice.pcie.stats().writes - writes, 4u + 2u);
}

TEST(IceRx, HalfALineWaits) {
  Bench b;
  b.enable_msix(1);
  b.add_rx(0, 64);
  b.refill(0, 56);
  b.run(5_us);
  for (int i = 0; i < 3; ++i) b.in.push(b.now() + 1_us + slot_time(60) * i, frame(60));
  b.run(500_us);  // not armed
  EXPECT_TRUE(b.rx_done(0, 1));
  EXPECT_FALSE(b.rx_done(0, 2));
  EXPECT_EQ(b.ice.frames_held_back(), 1u);
  EXPECT_EQ(b.count("rx_frames"), 3u);
  b.arm(0);  // the waiting event fires, the line goes first
  b.run(5_us);
  EXPECT_TRUE(b.rx_done(0, 2));
  EXPECT_EQ(b.ice.frames_held_back(), 0u);
  EXPECT_EQ(b.msix.messages.size(), 1u);
  // The second half of a flushed line goes alone.
  b.in.push(b.now() + 1_us, frame(60));
  b.run(5_us);
  EXPECT_TRUE(b.rx_done(0, 3));
  EXPECT_EQ(b.ice.frames_held_back(), 0u);
}

TEST(IceRx, NoExprWritesEachAtOnce) {
  Bench b;
  b.add_rx(0, 64);
  b.wr(reg::qrx_itr(0), kQrxItrNoExpr);
  b.refill(0, 56);
  b.run(5_us);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(3_us);
  EXPECT_TRUE(b.rx_done(0, 0));
  EXPECT_EQ(b.count("rx_writeback_writes"), 1u);
}

TEST(IceRx, WritebackOnItr) {
  Bench b;
  b.enable_msix(1);
  b.add_rx(0, 64);
  b.refill(0, 56);
  b.set_itr(0, kRxItr, 5);  // 10 us
  b.wr(reg::glint_dyn_ctl(0), glint_dyn_ctl::kIntEnaMsk | glint_dyn_ctl::kWbOnItr | 3u << 3);
  b.run(5_us);
  b.in.push(b.now(), frame(60));
  b.run(3_us);
  EXPECT_TRUE(b.rx_done(0, 0)) << "the timer had never run";
  b.in.push(b.now(), frame(60));
  b.in.push(b.now() + 1_us, frame(60));
  b.run(5_us);
  EXPECT_TRUE(b.rx_done(0, 1)) << "second half of its line";
  EXPECT_FALSE(b.rx_done(0, 2));
  b.run(6_us);
  EXPECT_TRUE(b.rx_done(0, 2));
  EXPECT_TRUE(b.msix.messages.empty());
}

TEST(IceRx, DataBeforeDescriptorBeforeMessage) {
  Bench b;
  b.enable_msix(1);
  b.add_rx(0, 128);
  b.refill(0, 120);
  b.run(5_us);
  b.arm(0);
  unsigned looked = 0;
  b.msix.look = [&] {
    // What caused the message is in memory, payload and all, when it arrives.
    EXPECT_TRUE(b.rx_done(0, looked));
    b.arm(0);
    ++looked;
  };
  const Bytes f = frame(1514, 3);
  for (int i = 0; i < 20; ++i) b.in.push(b.now() + 1_us + 5_us * i, f);
  unsigned next = 0;
  while (next < 20) {
    b.run(500_ps);
    while (next < 20 && b.rx_done(0, next)) {
      ASSERT_EQ(b.bytes_at(b.rx_buffer(0, next), 1514), f) << "payload must not trail its DD";
      ++next;
    }
    ASSERT_LT(b.now(), 1_ms);
  }
  b.run(5_us);
  EXPECT_EQ(looked, 20u);
}

TEST(IceRx, TailMovesInStepsOfEight) {
  Bench b;
  b.add_rx(0, 64);
  b.refill(0, 7);
  b.run(5_us);
  EXPECT_EQ(b.count("rx_desc_fetches"), 0u) << "seven are not seen";
  EXPECT_EQ(b.rd(reg::qrx_tail(0)), 7u);
  b.refill(0, 1);
  b.run(5_us);
  EXPECT_EQ(b.count("rx_desc_fetches"), 1u);
  b.refill(0, 9);  // 17: one more is not seen
  b.run(5_us);
  EXPECT_EQ(b.count("rx_desc_fetches"), 2u);
  for (int i = 0; i < 20; ++i) b.in.push(b.now() + 1_us + slot_time(60) * i, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), 16u);
  EXPECT_EQ(b.ice.frames_in_rx_buffer(), 4u);
  EXPECT_EQ(b.count("rx_starved"), 1u);
  b.refill(0, 7);
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), 20u);
}

TEST(IceRx, PrefetchesAhead) {
  Bench b;
  b.add_rx(0, 512);
  b.refill(0, 504);
  b.run(5_us);
  EXPECT_EQ(b.count("rx_desc_fetches"), 4u) << "a cache of 32, eight at a time";
  for (int i = 0; i < 100; ++i) b.in.push(b.now() + 1_us + 20_ns * i, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), 100u);
  EXPECT_EQ(b.count("rx_desc_fetches"), 4u + 12u);
}

TEST(IceRx, OnDemandFetchesWhenAFrameWaits) {
  Bench b;
  IceRxContext c = b.rx_context(0, 512);
  c.prefena = 0;
  b.add_rx(0, c);
  b.refill(0, 504);
  b.run(5_us);
  EXPECT_EQ(b.count("rx_desc_fetches"), 0u);
  b.in.push(b.now() + 1_us, frame(60));
  b.in.push(b.now() + 2_us, frame(60));
  b.run(5_us);
  EXPECT_EQ(b.count("rx_frames"), 2u);
  EXPECT_EQ(b.count("rx_desc_fetches"), 1u);
}

TEST(IceRx, ChainsLongFrames) {
  Bench b;
  IceRxContext c = b.rx_context(0, 64);
  c.dbuf = 8;  // 1 KiB
  b.add_rx(0, c);
  b.wr(reg::qrx_itr(0), kQrxItrNoExpr);
  b.refill(0, 56);
  b.run(5_us);
  const Bytes f = ip_frame(4500);
  b.in.push(b.now() + 1_us, f);
  b.in.push(b.now() + 3_us, frame(60));
  b.run(10_us);
  const uint16_t lengths[] = {1024, 1024, 1024, 1024, 404, 60};
  Bytes got;
  for (unsigned i = 0; i < 6; ++i) {
    const IceRxWriteback w = b.rx_at(0, i);
    EXPECT_EQ(w.length, lengths[i]) << i;
    EXPECT_EQ((w.status0 & rx_status0::kEof) != 0, i >= 4) << i;
    EXPECT_NE(w.status0 & rx_status0::kDd, 0) << i;
    if (i < 5) {
      const Bytes piece = b.bytes_at(b.rx_buffer(0, i), w.length);
      got.insert(got.end(), piece.begin(), piece.end());
    }
  }
  EXPECT_EQ(got, f);
  EXPECT_EQ(b.count("rx_frames"), 2u);
}

TEST(IceRx, AChainLongerThanWhatTheCacheHolds) {
  IceConfig config;
  config.rx_cache = 8;
  Bench b(config);
  IceRxContext c = b.rx_context(0, 64);
  c.dbuf = 8;
  b.add_rx(0, c);
  b.refill(0, 56);
  b.run(5_us);
  for (int i = 0; i < 4; ++i) b.in.push(b.now() + slot_time(60) * i, frame(60));
  b.in.push(b.now() + 2_us, frame(5000));  // five buffers; four are cached, eight do not fit
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), 5u);
}

TEST(IceRx, ChainsHaveFiveBuffersAtMost) {
  Bench b;
  IceRxContext c = b.rx_context(0, 64);
  c.dbuf = 8;
  b.add_rx(0, c);
  b.refill(0, 56);
  b.run(5_us);
  b.in.push(b.now() + 1_us, frame(5121));
  b.in.push(b.now() + 5_us, frame(5120));
  b.run(20_us);
  EXPECT_EQ(b.count("rx_too_long"), 1u);
  EXPECT_EQ(b.count("rx_frames"), 1u);
}

TEST(IceRx, RxmaxBoundsAFrame) {
  Bench b;
  IceRxContext c = b.rx_context(0, 64);
  c.rxmax = 1514;
  b.add_rx(0, c);
  b.refill(0, 56);
  b.run(5_us);
  b.in.push(b.now() + 1_us, frame(1515));
  b.in.push(b.now() + 3_us, frame(1514));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_too_long"), 1u);
  EXPECT_EQ(b.rd(reg::kGlprtRoc), 1u);
  EXPECT_EQ(b.count("rx_frames"), 1u);
}

TEST(IceRx, CrcKept) {
  Bench b;
  IceRxContext c = b.rx_context(0, 64);
  c.crcstrip = 0;
  b.add_rx(0, c);
  b.wr(reg::qrx_itr(0), kQrxItrNoExpr);
  b.refill(0, 56);
  b.run(5_us);
  const Bytes f = frame(60);
  b.in.push(b.now() + 1_us, f);
  b.run(5_us);
  EXPECT_EQ(b.rx_at(0, 0).length, 64);
  const Bytes got = b.bytes_at(b.rx_buffer(0, 0), 64);
  EXPECT_TRUE(net::fcs_good({got.data(), got.size()}));
}

TEST(IceRx, WrapsAndKeepsOrder) {
  Bench b;
  b.add_rx(0, 96);
  b.refill(0, 88);
  b.run(5_us);
  uint32_t sent = 0;
  uint32_t seen = 0;
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 40; ++i) {
      Bytes f = frame(60);
      base::store_le(f.data() + 20, sent++);
      b.in.push(b.now() + slot_time(60) * i, f);
    }
    b.run(5_us);
    Ring& r = b.rx[0];
    uint32_t taken = 0;
    while (b.rx_done(0, r.look)) {
      const uint8_t* p = b.at(b.rx_buffer(0, r.look));
      ASSERT_EQ(base::load_le<uint32_t>(p + 20), seen++);
      encode_rx_read(b.at(r.base + r.look * kRxDescBytes), 0);
      r.look = r.look + 1 == r.size ? 0 : r.look + 1;
      ++taken;
    }
    b.refill(0, taken);
  }
  EXPECT_EQ(seen, sent);
  EXPECT_EQ(b.rx_drops(), 0u);
}

TEST(IceRx, LowRingRaisesAnImmediateInterrupt) {
  Bench b;
  b.enable_msix(1);
  IceRxContext c = b.rx_context(0, 256);
  c.lrxqthresh = 1;  // below 64
  b.add_rx(0, c);
  b.set_itr(0, kRxItr, 4000);  // 8 ms
  b.refill(0, 96);
  b.run(5_us);
  b.arm(0);
  b.in.push(b.now(), frame(60));  // starts the timer
  b.run(5_us);
  ASSERT_EQ(b.msix.messages.size(), 1u);
  b.arm(0);
  for (int i = 0; i < 31; ++i) b.in.push(b.now() + slot_time(60) * i, frame(60));
  b.run(20_us);
  EXPECT_EQ(b.msix.messages.size(), 1u) << "64 are left: not below";
  b.in.push(b.now(), frame(60));
  b.run(5_us);
  EXPECT_EQ(b.msix.messages.size(), 2u);
  b.arm(0);
  b.in.push(b.now(), frame(60));
  b.run(5_us);
  EXPECT_EQ(b.msix.messages.size(), 2u) << "once";
}

TEST(IceRx, FullBufferDropsByName) {
  IceConfig config;
  config.rx_buffer = 16 << 10;
  Bench b(config);
  b.add_rx(0, 64);  // no descriptor at all
  const Picos t = b.now();
  for (int i = 0; i < 300; ++i) b.in.push(t + slot_time(60) * i, frame(60));
  b.run(50_us);
  b.ice.settle();
  EXPECT_EQ(b.ice.frames_in_rx_buffer(), (16u << 10) / 60);
  EXPECT_EQ(b.count("rx_buffer_full"), 300 - (16u << 10) / 60);
  EXPECT_EQ(b.rd(reg::kPrtrpbRdpc), 300 - (16u << 10) / 60);
  EXPECT_EQ(b.count("rx_frames"), 0u);
  b.refill(0, 56);
  b.run(20_us);
  EXPECT_EQ(b.count("rx_frames"), 56u);
  EXPECT_EQ(b.count("rx_frames") + b.rx_drops() + b.ice.frames_in_rx_buffer(), 300u);
}

TEST(IceRx, NoDescriptorDropsByName) {
  IceConfig config;
  config.rx_drop = true;
  Bench b(config);
  b.add_rx(0, 64);
  b.refill(0, 8);
  b.run(5_us);
  for (int i = 0; i < 20; ++i) b.in.push(b.now() + slot_time(60) * i, frame(60));
  b.run(20_us);
  EXPECT_EQ(b.count("rx_frames"), 8u);
  EXPECT_EQ(b.count("rx_no_descriptor"), 12u);
  EXPECT_EQ(b.rd(reg::glv_rdpc(0)), 12u);
  EXPECT_EQ(b.ice.frames_in_rx_buffer(), 0u);
}

TEST(IceRx, NoDescriptorDropByQueue) {
  Bench b;
  b.wr(reg::qrx_ctrl(0), qrx_ctrl::kCde);
  b.add_rx(0, 64);
  EXPECT_NE(b.rd(reg::qrx_ctrl(0)) & qrx_ctrl::kCds, 0u);
  for (int i = 0; i < 5; ++i) b.in.push(b.now() + slot_time(60) * i, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_no_descriptor"), 5u);
}

TEST(IceRx, BadFramesByName) {
  Bench b;
  b.add_rx(0, 64);
  b.refill(0, 56);
  b.run(5_us);
  const Picos t = b.now();
  b.in.push(t + 1_us, frame(60), net::kBadFcs);
  b.in.push(t + 2_us, frame(59));
  b.in.push(t + 3_us, frame(9729));
  b.in.push(t + 6_us, frame(9728));
  b.run(20_us);
  EXPECT_EQ(b.count("rx_bad_fcs"), 1u);
  EXPECT_EQ(b.count("rx_too_short"), 1u);
  EXPECT_EQ(b.count("rx_too_long"), 1u);
  EXPECT_EQ(b.count("rx_frames"), 1u);
  EXPECT_EQ(b.rd(reg::kGlprtCrcerrs), 1u);
  EXPECT_EQ(b.rd(reg::kGlprtRuc), 1u);
}

TEST(IceRx, QueueThatIsNotEnabled) {
  Bench b;
  b.in.push(b.now() + 1_us, frame(60));
  b.run(5_us);
  EXPECT_EQ(b.count("rx_disabled"), 1u);
  b.add_rx(0, 64);
  b.refill(0, 56);
  b.wr(reg::qrx_ctrl(0), 0);
  b.run(10_us);
  EXPECT_EQ(b.rd(reg::qrx_ctrl(0)), 0u);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(5_us);
  EXPECT_EQ(b.count("rx_disabled"), 2u);
}

TEST(IceRx, AStarvingQueueThatIsDisabledLetsTheOthersPass) {
  Bench b;
  b.open_admin();
  Bytes lut(kRssLutVsi, 1);
  IceAqDesc d;
  d.opcode = aq_op::kSetRssLut;
  b.admin(d, lut);
  b.add_rx(0, 64);  // what is not IP comes here; no descriptors
  IceRxContext c = b.rx_context(1, 64);
  c.prefena = 0;
  b.add_rx(1, c);
  b.refill(1, 56);
  b.in.push(b.now() + 1_us, frame(60));
  b.in.push(b.now() + 2_us, ip_frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), 0u) << "the first holds up the second";
  b.wr(reg::qrx_ctrl(0), 0);
  b.run(20_us);
  EXPECT_EQ(b.count("rx_disabled"), 1u);
  EXPECT_EQ(b.count("rx_frames"), 1u);
}

TEST(IceRx, BeforeLinkUp) {
  IceConfig config;
  config.link_up_time = 100_us;
  Bench b(config);
  b.add_rx(0, 64);
  b.refill(0, 56);
  b.in.push(b.now() + 1_us, frame(60));
  b.in.push(120_us, frame(60));
  b.run(150_us);
  EXPECT_EQ(b.count("rx_link_down"), 1u);
  EXPECT_EQ(b.count("rx_frames"), 1u);
}

TEST(IceRx, ResetDropsWhatIsInTheBuffer) {
  Bench b;
  b.add_rx(0, 64);
  for (int i = 0; i < 5; ++i) b.in.push(b.now() + slot_time(60) * i, frame(60));
  b.run(5_us);
  EXPECT_EQ(b.ice.frames_in_rx_buffer(), 5u);
  b.wr(reg::kGlgenRtrig, glgen_rtrig::kCorer);
  EXPECT_EQ(b.count("rx_reset"), 5u);
  EXPECT_EQ(b.ice.frames_in_rx_buffer(), 0u);
  EXPECT_EQ(b.ice.rx_buffer_bytes(), 0u);
  EXPECT_EQ(b.rd(reg::qrx_ctrl(0)), 0u);
  EXPECT_EQ(reg::get_field(glgen_rstat::kResetType, b.rd(reg::kGlgenRstat)), 1u);
}

TEST(IceRx, LineRateOfSmallFramesIsDelivered) {
  // 148.8 M frames a second on Gen4 x16: one queue's descriptors cannot keep up, eight can.
  fabric::PcieConfig link = Bench::pcie_config();
  link.generation = 4;
  Bench b({}, link);
  Bytes lut(kRssLutPf);
  for (unsigned i = 0; i < kRssLutPf; ++i) lut[i] = static_cast<uint8_t>(i % 8);
  b.open_admin();
  IceAqDesc d;
  d.opcode = aq_op::kSetRssLut;
  EXPECT_EQ(b.admin(d, lut).retval, 0);
  Bytes key(kRssKeyBytes);
  for (unsigned i = 0; i < key.size(); ++i) key[i] = static_cast<uint8_t>(i * 37 + 11);
  d.opcode = aq_op::kSetRssKey;
  EXPECT_EQ(b.admin(d, key).retval, 0);
  for (unsigned q = 0; q < 8; ++q) {
    b.add_rx(q, 4096, q);
    b.refill(q, 4088);
  }
  b.run(10_us);
  const Picos t = b.now();
  for (int i = 0; i < 10000; ++i) {
    b.in.push(t + slot_time(60) * i, ip_frame(60, static_cast<uint8_t>(i)));
  }
  b.run_to(t + slot_time(60) * 10000 + 2_us);
  EXPECT_EQ(b.count("rx_frames"), 10000u);
  EXPECT_EQ(b.rx_drops(), 0u);
}

}  // namespace
}  // namespace doorbell::ice::test
