// Receive: buffers, write-backs, filter, steering, enable and disable.
#include "testbenches/models/tsnep/bench.h"

namespace doorbell::tsnep::test {
namespace {

TEST(TsnepRx, FrameComesWithMetadataAndFcs) {
  Bench b;
  b.open();
  const Bytes f = frame(100);
  const Picos start = b.now() + 1_us;
  b.in.push(start, f);
  b.run(10_us);
  ASSERT_TRUE(b.rx_done(0));
  const auto word = base::load_le<uint32_t>(b.at(b.rx[0].block(0)));
  EXPECT_EQ(word, 1u << 30 | (16 + 100 + 4)) << "counter 1; metadata, frame and FCS";
  const Bytes got = b.receive();
  EXPECT_EQ(Bytes(got.begin() + 16, got.end()), with_fcs(f));
  const auto sfd = static_cast<uint64_t>((start + 64_ns).count()) / 8000 * 8;
  EXPECT_EQ(base::load_le<uint64_t>(got.data()), sfd);
  EXPECT_EQ(base::load_le<uint64_t>(got.data() + 8), sfd) << "system time started with it";
  EXPECT_EQ(b.count("rx_frames"), 1u);
  EXPECT_EQ(b.count("rx_bytes"), 120u);
}

TEST(TsnepRx, TimesOfOneFrame) {
  Bench b;
  b.open();
  const Bytes f = frame(60);
  const Picos start = b.now() + 1_us;
  b.in.push(start, f);
  // End on the line, MAC 64; 80 bytes are 10 beats of 4 ns; step 16; 4 beats; 40 to memory.
  const Picos done = start + line_time(f) + 64_ns + 40_ns + 16_ns + 16_ns + 40_ns;
  b.run_to(done - 1_ps);
  EXPECT_FALSE(b.rx_done(0));
  b.run_to(done);
  EXPECT_TRUE(b.rx_done(0));
}

TEST(TsnepRx, FourByteWriteBack) {
  TsnepConfig c = quick_link();
  c.writeback_bytes = 4;
  Bench b(c);
  b.open();
  std::memset(b.at(b.rx[0].block(0)), 0xEE, 32);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  EXPECT_TRUE(b.rx_done(0));
  EXPECT_EQ(b.bytes_at(b.rx[0].block(0) + 4, 28), Bytes(28, 0xEE));
}

TEST(TsnepRx, ManyLapsInOrder) {
  Bench b;
  b.open();
  for (unsigned k = 0; k < 1500; ++k) {
    const Bytes f = frame(60 + k % 90, kOwn, static_cast<uint8_t>(k));
    b.in.push(b.now() + 100_ns, f);
    b.run(3_us);
    ASSERT_TRUE(b.rx_done(0)) << k;
    const Bytes got = b.receive();
    ASSERT_EQ(Bytes(got.begin() + 16, got.end()), with_fcs(f)) << k;
    b.refill(0, 1);
    b.ring_rx();
  }
  EXPECT_EQ(b.rx_dropped(), 0u);
}

TEST(TsnepRx, OneEventAFrameAtLineRate) {
  Bench b;
  b.open();
  b.wr(0x30, 0x40, 1);
  Picos at = b.now() + 1_us;
  for (unsigned i = 0; i < 200; ++i, at += 672_ns) b.in.push(at, frame(60));
  const uint64_t before = b.calendar.events_run();
  b.run_to(at + 10_us);
  EXPECT_EQ(b.count("rx_frames"), 200u);
  EXPECT_LE(b.calendar.events_run() - before, 200u + 15);
}

TEST(TsnepRx, DroppedFramesCostNoEvents) {
  Bench b;
  b.setup();
  b.refill(0, 5);
  b.ring_rx();
  b.run(2_us);
  Picos at = b.now() + 1_us;
  for (unsigned i = 0; i < 1000; ++i, at += 672_ns) b.in.push(at, frame(60));
  b.run(20_us);
  EXPECT_EQ(b.count("rx_frames"), 5u);
  const uint64_t before = b.calendar.events_run();
  b.run_to(at + 10_us);
  EXPECT_LE(b.calendar.events_run() - before, 3u);
  EXPECT_EQ(b.count("rx_no_descriptor"), 995u);
  EXPECT_EQ(b.rd(0x190) & 0xFF, 995u % 256);
}

// Filter and steering.

TEST(TsnepRx, AddressFilter) {
  Bench b;
  b.open();
  struct Case {
    uint16_t filter;
    const Bytes& to;
    bool passes;
  };
  const Case cases[] = {
      {0, kOwn, true},       {0, kBroadcast, true}, {0, kMulticast, false}, {0, kOther, false},
      {1, kMulticast, true}, {1, kOther, false},    {2, kOther, true},      {2, kMulticast, false},
      {3, kOther, true},     {3, kMulticast, true}, {2, kBroadcast, true},
  };
  uint64_t passed = 0;
  uint64_t refused = 0;
  for (const Case& c : cases) {
    b.wr(0x806, c.filter, 2);
    b.in.push(b.now() + 1_us, frame(60, c.to));
    b.run(5_us);
    ++(c.passes ? passed : refused);
    EXPECT_EQ(b.count("rx_frames"), passed) << c.filter << " " << unsigned{c.to[0]};
    EXPECT_EQ(b.count("rx_filtered"), refused);
  }
  b.wr(0x800, 0x105E0002);
  b.wr(0x804, 0x7700, 2);
  b.wr(0x806, 0, 2);
  b.in.push(b.now() + 1_us, frame(60, kOther));
  b.in.push(b.now() + 3_us, frame(60, kOwn));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), passed + 1);
}

TEST(TsnepRx, EtherTypeSteering) {
  TsnepConfig c = quick_link();
  c.queues = 3;
  Bench b(c);
  b.open();
  b.wr(0x880, 0x88F7, 2);
  b.wr(0x882, 0x8100, 2);
  b.wr(0x840, 1 | 2 << 1, 1);
  b.wr(0x841, 1 | 1 << 1, 1);
  b.in.push(b.now() + 1_us, frame(60, kOwn, 1, 0x88F7));
  b.in.push(b.now() + 3_us, frame(60, kOwn, 2, 0x8100));
  b.in.push(b.now() + 5_us, frame(60, kOwn, 3, 0x0800));
  b.run(10_us);
  EXPECT_EQ(b.receive(2)[30], frame(60, kOwn, 1)[14]);
  EXPECT_EQ(b.receive(1)[30], frame(60, kOwn, 2)[14]);
  EXPECT_EQ(b.receive(0)[30], frame(60, kOwn, 3)[14]);
  b.wr(0x840, 2 << 1, 1);  // not active
  b.in.push(b.now() + 1_us, frame(60, kOwn, 4, 0x88F7));
  b.run(10_us);
  EXPECT_TRUE(b.rx_done(0));
  EXPECT_FALSE(b.rx_done(2));
}

// A rule may point at a queue that the device does not have (fact sheet, L7).
TEST(TsnepRx, RuleForAnAbsentQueueLosesFrames) {
  Bench b;  // two queues
  b.open();
  b.wr(0x880, 0x88F7, 2);
  b.wr(0x840, 1 | 3 << 1, 1);
  b.in.push(b.now() + 1_us, frame(60, kOwn, 1, 0x88F7));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_no_queue"), 1u);
}

TEST(TsnepRx, DisableStopsAndEnableGoesOnWithTheSameDescriptor) {
  Bench b;
  b.open();
  b.in.push(b.now() + 1_us, frame(60, kOwn, 1));
  b.run(5_us);
  EXPECT_EQ(b.rd(0x108), 0x200u);
  b.wr(0x108, 0x400);
  EXPECT_EQ(b.rd(0x108), 0u);
  b.in.push(b.now() + 1_us, frame(60, kOwn, 2));
  b.run(5_us);
  EXPECT_EQ(b.count("rx_disabled"), 1u);
  b.ring_rx();
  b.in.push(b.now() + 1_us, frame(60, kOwn, 3));
  b.run(5_us);
  EXPECT_EQ(b.receive()[30], frame(60, kOwn, 1)[14]);
  EXPECT_EQ(b.receive()[30], frame(60, kOwn, 3)[14]) << "slot 1, nothing was skipped";
}

// The descriptors held when receive is disabled are of two epochs: 254 carries 1, 255 carries 2.
TEST(TsnepRx, DisableAcrossAnEpoch) {
  Bench b;
  b.open();
  for (unsigned k = 0; k < 254; ++k) {
    b.in.push(b.now() + 100_ns, frame(60));
    b.run(2_us);
    b.receive();
    b.refill(0, 1);
    b.ring_rx();
  }
  b.run(2_us);
  b.wr(0x108, 0x400);
  b.ring_rx();
  for (uint8_t i = 0; i < 3; ++i) {
    b.in.push(b.now() + 2_us, frame(60, kOwn, i));
    b.run(5_us);
    ASSERT_TRUE(b.rx_done(0)) << unsigned{i};
    EXPECT_EQ(b.receive()[30], frame(60, kOwn, i)[14]);
  }
  EXPECT_EQ(b.rx_dropped(), 0u);
}

TEST(TsnepRx, EnableReadsOneUntilTheFrameUnderWayIsWrittenBack) {
  Bench b;
  b.open();
  const Bytes f = frame(60);
  const Picos start = b.now() + 1_us;
  b.in.push(start, f);
  b.run_to(start + line_time(f) + 64_ns);  // the write has been issued
  b.wr(0x108, 0x400);
  EXPECT_EQ(b.rd(0x108), 0x200u);
  EXPECT_FALSE(b.rx_done(0));
  b.run(112_ns);
  EXPECT_EQ(b.rd(0x108), 0u);
  EXPECT_TRUE(b.rx_done(0));
}

TEST(TsnepRx, ReinitialisedRingStartsAfreshOnlyIfItWasZeroed) {
  Bench b;
  b.open();
  for (int i = 0; i < 3; ++i) b.in.push(b.now() + Picos(1'000'000 * (i + 1)), frame(60));
  b.run(10_us);
  b.wr(0x108, 0x400);
  // As the sheet warns: without zeroing, the engine runs on the stale descriptors.
  b.wr(0x180, b.rx[0].base | 1);
  b.wr(0x184, 0);
  b.ring_rx();
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), 4u);
  b.wr(0x108, 0x400);
  b.init_rx(0);
  b.ring_rx();
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_no_descriptor"), 1u);
  b.refill(0, 4);
  b.ring_rx();
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_frames"), 5u);
  EXPECT_TRUE(b.rx_done(0));
}

// Without bit 0 the owner counter goes on: descriptors of the first epoch are stale in the third.
TEST(TsnepRx, AddressWithoutResetKeepsTheOwnerCounter) {
  Bench b;
  b.open();
  for (unsigned k = 0; k < 600; ++k) {
    b.in.push(b.now() + 100_ns, frame(60));
    b.run(2_us);
    b.receive();
    b.refill(0, 1);
    b.ring_rx();
  }
  b.wr(0x108, 0x400);
  SoftRing fresh;
  fresh.base = b.rx[0].base;
  std::memset(b.at(fresh.base), 0, 0x10000);
  for (unsigned i = 0; i < 256; ++i) {
    base::store_le<uint64_t>(b.at(fresh.block(i)) + 144, fresh.block(i + 1));
  }
  b.rx[0] = fresh;
  b.refill(0, 4);  // counter 1, the engine is at 3 or 1 comes next
  b.rx[0] = fresh;
  for (unsigned i = 0; i < 4; ++i) {
    uint8_t* d = b.at(fresh.block(i)) + 128;
    base::store_le<uint32_t>(d, (base::load_le<uint32_t>(d) & 0x3FFFFFFF) | 2u << 30);
  }
  b.wr(0x180, fresh.base);
  b.wr(0x184, 0);
  b.ring_rx();
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.count("rx_no_descriptor"), 1u) << "2 is neither the current nor the next";
}

TEST(TsnepRx, CutThroughIsDoneSooner) {
  TsnepConfig c = quick_link();
  c.rx_cut_through = true;
  Bench b(c);
  b.open();
  const Bytes f = frame(1500);
  const Picos start = b.now() + 1_us;
  b.in.push(start, f);
  // Only the last 64 bytes are left to move when the frame is over.
  const Picos done = start + line_time(f) + 64_ns + 8 * 4_ns + 4_ns + 16_ns + 16_ns + 40_ns;
  b.run_to(start + line_time(f) + 64_ns);
  EXPECT_FALSE(b.rx_done(0));
  b.run_to(done);
  EXPECT_TRUE(b.rx_done(0));
  const Bytes got = b.receive();
  EXPECT_EQ(Bytes(got.begin() + 16, got.end()), with_fcs(f));
  b.in.push(b.now() + 1_us, f, net::kBadFcs);
  b.in.push(b.now() + 20_us, frame(60));
  b.run(40_us);
  EXPECT_EQ(b.rd(0xB0), 1u << 8 | 1u << 16) << "invalid, and forwarded with an error";
  EXPECT_EQ(b.count("rx_frames"), 2u) << "the descriptor was used again";
  EXPECT_TRUE(b.rx_done(0));
}

}  // namespace
}  // namespace doorbell::tsnep::test
