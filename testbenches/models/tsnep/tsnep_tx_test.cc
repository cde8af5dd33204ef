// Transmit: fetches, inline data, several fragments, owner counters, write-backs, errors, the line.
#include "testbenches/models/tsnep/bench.h"

namespace doorbell::tsnep::test {
namespace {

TEST(TsnepTx, OneFrameGoesOutAndIsWrittenBack) {
  Bench b;
  b.setup();
  const Bytes f = frame(100);
  const Picos rung = b.now();
  b.send(f);
  b.run(10_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, f);
  EXPECT_EQ(b.out.sent[0].flaws, 0);
  // Doorbell 32, to memory 40, 60 there, 8 beats of 4 ns, 20 back; step 16, 40, 60, 13 beats, 20
  // back; MAC 64.
  const Picos descriptor = rung + 32_ns + 40_ns + 60_ns + 8 * 4_ns + 20_ns;
  const Picos payload = descriptor + 16_ns + 40_ns + 60_ns + 13 * 4_ns + 20_ns;
  EXPECT_EQ(b.out.sent[0].start, payload + 64_ns);
  EXPECT_TRUE(b.tx_done(0, 0));
  EXPECT_EQ(b.count("tx_frames"), 1u);
  EXPECT_EQ(b.count("tx_bytes"), 104u);
}

TEST(TsnepTx, WriteBackComesBehindTheLastBitAndEchoesTheOwnerBits) {
  Bench b;
  b.setup();
  b.send(frame(200));
  b.run_to(b.now() + 1_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  const Picos end = b.out.sent[0].start + line_time(frame(200));
  b.run_to(end + 40_ns + 4 * 4_ns - 1_ps);
  EXPECT_FALSE(b.tx_done(0, 0));
  b.run_to(end + 40_ns + 4 * 4_ns);
  EXPECT_TRUE(b.tx_done(0, 0));
  const Bytes wb = b.bytes_at(b.tx[0].block(0), 32);
  EXPECT_EQ(base::load_le<uint32_t>(wb.data()), 0x60000000u) << "counter 1, user flag set";
  EXPECT_EQ(base::load_le<uint64_t>(wb.data() + 16), 0u) << "no time stamp without bit 19";
}

TEST(TsnepTx, ExtendedWriteBackHasCounterTimeAndDelays) {
  Bench b;
  b.setup();
  b.wr(0x0C, 0x12);
  b.wr(0x08, 0x1000);  // system time runs apart from the counter
  const Picos set = b.now();
  b.send(frame(100), 0, 1u << 18 | 1u << 19);
  b.run(10_us);
  const Picos sfd = b.out.sent.at(0).start + 64_ns;
  const Bytes wb = b.bytes_at(b.tx[0].block(0), 32);
  EXPECT_EQ(base::load_le<uint32_t>(wb.data()), 0x60000000u | 1u << 19);
  const auto counter = base::load_le<uint64_t>(wb.data() + 8);
  EXPECT_EQ(counter, static_cast<uint64_t>(sfd.count()) / 8000 * 8);
  const auto stamp = base::load_le<uint64_t>(wb.data() + 16);
  const uint64_t passed = counter - static_cast<uint64_t>(set.count()) / 8000 * 8;
  EXPECT_EQ(stamp, 0x1200001000u + passed);
  // The payload was here 188 ns behind the descriptor: 2 units of 64 ns, in bits 15:2 and 31:18.
  EXPECT_EQ(base::load_le<uint32_t>(wb.data() + 24), 2u << 2 | 2u << 18);
}

TEST(TsnepTx, PlainWriteBackOfFourBytesLeavesTheRestAlone) {
  TsnepConfig c = quick_link();
  c.writeback_bytes = 4;
  Bench b(c);
  b.setup();
  std::memset(b.at(b.tx[0].block(0)), 0xEE, 32);
  b.send(frame(60));
  b.run(10_us);
  EXPECT_TRUE(b.tx_done(0, 0));
  EXPECT_EQ(b.bytes_at(b.tx[0].block(0) + 4, 28), Bytes(28, 0xEE));
  b.send(frame(60), 0, 1u << 19);
  b.run(10_us);
  EXPECT_NE(b.bytes_at(b.tx[0].block(1) + 8, 8), Bytes(8, 0)) << "an extended one is whole";
}

TEST(TsnepTx, WriteBackAtTheStartOfTheFrame) {
  TsnepConfig c = quick_link();
  c.writeback_at_start = true;
  Bench b(c);
  b.setup();
  b.send(frame(1500));
  b.run(3_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  ASSERT_LT(b.now(), b.out.sent[0].start + line_time(frame(1500)));
  EXPECT_TRUE(b.tx_done(0, 0));
  EXPECT_EQ(b.nic.frames_sent_not_closed(), 0u);
  EXPECT_EQ(b.rd(0x108) & 2, 2u) << "the frame is still on the line";
}

TEST(TsnepTx, InlineDataNeedsNoPayloadRead) {
  Bench b;
  b.setup();
  const Bytes f = frame(40);
  b.put_parts(0, {{f, true}});
  const Picos rung = b.now();
  b.ring_tx();
  b.run(10_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  Bytes padded = f;
  padded.resize(60);
  EXPECT_EQ(b.out.sent[0].bytes, padded) << "the MAC pads";
  EXPECT_EQ(b.out.sent[0].start, rung + 32_ns + 40_ns + 60_ns + 32_ns + 20_ns + 16_ns + 64_ns);
  EXPECT_EQ(b.link.read_busy(), 2 * 8 * 4_ns) << "the descriptor, and the next one";
  EXPECT_EQ(b.count("tx_inline"), 1u);
}

TEST(TsnepTx, FragmentsOfEveryKindMakeOneFrameAndTheFirstIsWrittenBack) {
  Bench b;
  b.setup();
  const Bytes f = frame(500);
  const auto cut = [&f](size_t from, size_t to) { return Bytes(f.begin() + from, f.begin() + to); };
  b.put_parts(
      0,
      {{cut(0, 40), true}, {cut(40, 300), false}, {cut(300, 301), true}, {cut(301, 500), false}});
  for (unsigned i = 1; i < 4; ++i) std::memset(b.at(b.tx[0].block(i)), 0x55, 32);
  b.ring_tx();
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, f);
  EXPECT_TRUE(b.tx_done(0, 0));
  for (unsigned i = 1; i < 4; ++i) {
    EXPECT_EQ(b.bytes_at(b.tx[0].block(i), 32), Bytes(32, 0x55)) << i;
  }
}

// An engine that holds one descriptor only: inline fragments leave room for the next fetch.
TEST(TsnepTx, OneDescriptorAtATimeIsEnough) {
  TsnepConfig c = quick_link();
  c.tx_prefetch = 1;
  Bench b(c);
  b.setup();
  const Bytes f = frame(100);
  std::vector<Part> parts;
  for (size_t i = 0; i < 100; i += 20) {
    parts.push_back(
        {Bytes(f.begin() + static_cast<long>(i), f.begin() + static_cast<long>(i) + 20), i != 60});
  }
  b.put_parts(0, parts);
  b.put(0, frame(60));
  b.ring_tx();
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 2u);
  EXPECT_EQ(b.out.sent[0].bytes, f);
}

// The sheet's vectors: activations 0..254 carry 1, 255..509 carry 2, 510..764 carry 3, then 1.
TEST(TsnepTx, OwnerCounterVectorsAndManyLaps) {
  SoftRing r;
  std::vector<unsigned> seen;
  for (unsigned k = 0; k < 1020; ++k) seen.push_back(r.activate(k % 256));
  for (unsigned k = 0; k < 1020; ++k) EXPECT_EQ(seen[k], 1 + k / 255 % 3) << k;
  EXPECT_EQ(seen[254], 1u);
  EXPECT_EQ(seen[510], 3u);
  EXPECT_EQ(seen[766], 1u);
  EXPECT_EQ(seen[255], 2u);
  EXPECT_EQ(seen[511], 3u);

  Bench b;
  b.setup();
  unsigned slot = 0;
  for (unsigned k = 0; k < 1100; ++k) {
    const Bytes f = frame(60, kOwn, static_cast<uint8_t>(k));
    b.send(f);
    b.run(2_us);
    ASSERT_EQ(b.out.sent.size(), k + 1) << "activation " << k;
    ASSERT_EQ(b.out.sent[k].bytes, f);
    ASSERT_TRUE(b.tx_done(0, slot)) << k;
    slot = (slot + 1) % 256;
    b.tx[0].read = slot;
  }
}

TEST(TsnepTx, AFullRingOf255GoesOutInOneGoAndLapsDoNotRunOn) {
  Bench b;
  b.setup();
  for (unsigned lap = 0; lap < 7; ++lap) {
    for (unsigned i = 0; i < 255; ++i) b.put(0, frame(60, kOwn, static_cast<uint8_t>(i)));
    EXPECT_EQ(b.tx[0].used(), 255u);
    b.ring_tx();
    b.run(200_us);
    ASSERT_EQ(b.out.sent.size(), 255u * (lap + 1)) << "stale descriptors are not sent again";
    b.tx[0].read = b.tx[0].write;
    EXPECT_EQ(b.rd(0x108) & 2, 0u);
  }
  EXPECT_EQ(b.count("tx_doorbells"), 7u);
  EXPECT_EQ(b.count("tx_drained"), 7u);
}

TEST(TsnepTx, BackToBackFramesAreOneSlotApartAndCostTwoEvents) {
  Bench b;
  b.setup();
  for (unsigned i = 0; i < 200; ++i) b.put(0, frame(60));
  const uint64_t before = b.calendar.events_run();
  b.ring_tx();
  b.run(200_us);
  ASSERT_EQ(b.out.sent.size(), 200u);
  for (size_t i = 1; i < 200; ++i) {
    ASSERT_EQ(b.out.sent[i].start - b.out.sent[i - 1].start, 672_ns) << i;
  }
  // One a descriptor, one a frame, and one an interrupt (no delay set here).
  EXPECT_LE(b.calendar.events_run() - before, 200u * 3 + 10);
  b.wr(0x30, 0x40, 1);
  b.tx[0].read = b.tx[0].write;
  for (unsigned i = 0; i < 200; ++i) b.put(0, frame(60));
  const uint64_t delayed = b.calendar.events_run();
  b.ring_tx();
  b.run(200_us);
  EXPECT_EQ(b.out.sent.size(), 400u);
  EXPECT_LE(b.calendar.events_run() - delayed, 200u * 2 + 20);
}

TEST(TsnepTx, EnableReadsOneUntilTheLastWriteBackIsVisible) {
  Bench b;
  b.setup();
  EXPECT_EQ(b.rd(0x108), 0u);
  b.put(0, frame(60));
  b.put(0, frame(60));
  b.ring_tx();
  EXPECT_EQ(b.rd(0x108), 2u);
  bool running = true;
  while (running) {
    const bool done = b.tx_done(0, 1);
    running = (b.rd(0x108) & 2) != 0;
    ASSERT_NE(running, done);
    b.run(4_ns);
    ASSERT_LT(b.now(), 20_us);
  }
}

// A doorbell while the engine reads the descriptor that is not there yet must not be forgotten.
TEST(TsnepTx, DoorbellAtAnyTimeFindsTheFrame) {
  Bench b;
  b.setup();
  size_t sent = 0;
  for (int64_t late = 0; late < 400; late += 3) {
    b.ring_tx();
    b.run(Picos(late * 1000));
    b.send(frame(60));
    b.run(10_us);
    ASSERT_EQ(b.out.sent.size(), ++sent) << late;
    b.tx[0].read = b.tx[0].write;
  }
}

// "Nothing new" is known when the answer is back: 32 + 40 + 60 + 32 + 20 ns behind the doorbell.
TEST(TsnepTx, EnableReadsOneWhileTheEngineLooks) {
  Bench b;
  b.setup();
  b.ring_tx();
  b.run(184_ns - 1_ps);
  EXPECT_EQ(b.rd(0x108), 2u);
  b.run(1_ps);
  EXPECT_EQ(b.rd(0x108), 0u);
  // A doorbell while the answer is on its way waits for it: one fetch at a time.
  b.ring_tx();
  b.run(80_ns);  // sampled at 72
  b.put_parts(0, {{frame(40), true}});
  const Picos rung = b.now();
  b.ring_tx();
  b.run(10_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].start, rung + 104_ns + 40_ns + 112_ns + 16_ns + 64_ns);
}

TEST(TsnepTx, PaddingIsZeroWhateverWasThereBefore) {
  Bench b;
  b.setup();
  for (unsigned i = 0; i < 80; ++i) {
    b.put(0, Bytes(1500, 0xFF));
    b.ring_tx();
    b.run(20_us);
    b.tx[0].read = b.tx[0].write;
  }
  Bytes padded(60);
  std::fill_n(padded.begin(), 20, uint8_t{0xEE});
  for (unsigned i = 0; i < 200; ++i) b.put_parts(0, {{Bytes(20, 0xEE), true}});
  b.ring_tx();
  b.run(200_us);
  ASSERT_EQ(b.out.sent.size(), 280u);
  for (size_t i = 80; i < 280; ++i) ASSERT_EQ(b.out.sent[i].bytes, padded) << i;
}

TEST(TsnepTx, NoDoorbellNoFrame) {
  Bench b;
  b.setup();
  b.put(0, frame(60));
  b.run(1_ms);
  EXPECT_TRUE(b.out.sent.empty());
  b.ring_tx();
  b.run(10_us);
  EXPECT_EQ(b.out.sent.size(), 1u);
}

TEST(TsnepTx, AFrameWhoseRestIsNotThereWaitsForIt) {
  Bench b;
  b.setup();
  const Bytes f = frame(300);
  b.put_parts(
      0, {{Bytes(f.begin(), f.begin() + 100), false}, {Bytes(f.begin() + 100, f.end()), false}});
  uint8_t* second = b.at(b.tx[0].block(1)) + 128;
  const auto word = base::load_le<uint32_t>(second);
  base::store_le<uint32_t>(second, 0);
  b.ring_tx();
  b.run(20_us);
  EXPECT_TRUE(b.out.sent.empty());
  EXPECT_EQ(b.nic.frames_in_tx_fifo(), 1u);
  base::store_le<uint32_t>(b.at(b.tx[0].block(1)) + 128, word);
  b.ring_tx();
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, f);
}

TEST(TsnepTx, HighestFirst) {
  TsnepConfig c = quick_link();
  c.queues = 4;
  Bench b(c);
  b.setup();
  for (unsigned q = 0; q < 4; ++q) {
    for (int i = 0; i < 3; ++i) b.put(q, frame(1000, kOwn, static_cast<uint8_t>(q)));
  }
  for (unsigned q = 0; q < 4; ++q) b.ring_tx(q);
  b.run(1_ms);
  ASSERT_EQ(b.out.sent.size(), 12u);
  // Queue 0's data came first; from then on the highest has its way.
  const uint8_t order[] = {0, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0};
  for (size_t i = 0; i < 12; ++i) EXPECT_EQ(b.out.sent[i].bytes, frame(1000, kOwn, order[i])) << i;
}

TEST(TsnepTx, QueuesInTurn) {
  TsnepConfig c = quick_link();
  c.queues = 3;
  c.tx_priority = TxPriority::kRoundRobin;
  Bench b(c);
  b.setup();
  for (unsigned q = 0; q < 3; ++q) {
    for (int i = 0; i < 3; ++i) b.put(q, frame(1000, kOwn, static_cast<uint8_t>(q)));
  }
  for (unsigned q = 0; q < 3; ++q) b.ring_tx(q);
  b.run(1_ms);
  ASSERT_EQ(b.out.sent.size(), 9u);
  for (size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(b.out.sent[i].bytes, frame(1000, kOwn, static_cast<uint8_t>(i % 3))) << i;
  }
}

TEST(TsnepTx, LowestFirst) {
  TsnepConfig c = quick_link();
  c.queues = 2;
  c.tx_priority = TxPriority::kLowestFirst;
  Bench b(c);
  b.setup();
  for (unsigned q = 0; q < 2; ++q) {
    for (int i = 0; i < 2; ++i) b.put(q, frame(1000, kOwn, static_cast<uint8_t>(q)));
  }
  b.ring_tx(1);
  b.ring_tx(0);
  b.run(1_ms);
  ASSERT_EQ(b.out.sent.size(), 4u);
  const uint8_t order[] = {1, 0, 0, 1};
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(b.out.sent[i].bytes, frame(1000, kOwn, order[i])) << i;
}

TEST(TsnepTx, AFullFifoHoldsFetchesBackAndNothingIsLost) {
  TsnepConfig c = quick_link();
  c.tx_fifo_bytes = 4096;
  Bench b(c);
  b.setup();
  for (unsigned i = 0; i < 40; ++i) b.put(0, frame(1500, kOwn, static_cast<uint8_t>(i)));
  b.ring_tx();
  for (int i = 0; i < 200; ++i) {
    b.run(3_us);
    ASSERT_LE(b.nic.tx_fifo_bytes(0), 4096u);
  }
  ASSERT_EQ(b.out.sent.size(), 40u);
  for (unsigned i = 0; i < 40; ++i) {
    EXPECT_EQ(b.out.sent[i].bytes, frame(1500, kOwn, static_cast<uint8_t>(i)));
  }
}

}  // namespace
}  // namespace doorbell::tsnep::test

extern "C" int sc_main(int, char**) {
  return 0;
}
