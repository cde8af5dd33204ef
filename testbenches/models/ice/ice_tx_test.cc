// Transmit: doorbells, descriptor fetch, order, line rate, turns.
#include <gtest/gtest.h>

#include "testbenches/models/ice/bench.h"

namespace doorbell::ice::test {
namespace {

TEST(IceTx, OneFrame) {
  Bench b;
  b.add_tx(5, 256);
  const Bytes f = frame(60);
  b.put_frame(5, f);
  const Picos rung = b.now();
  b.ring_tx(5);
  b.run(5_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, f);
  // Doorbell, descriptor read, payload read, pipeline: about 1.3 us without the doorbell's own way.
  const Picos took = b.out.sent[0].start - rung;
  EXPECT_GT(took, 1200_ns);
  EXPECT_LT(took, 1600_ns);
  EXPECT_EQ(b.count("tx_frames"), 1u);
  EXPECT_EQ(b.count("tx_desc_fetches"), 1u);
}

TEST(IceTx, TimeIsTheSumOfItsParts) {
  IceConfig config;
  config.doorbell_time = 30_ns;
  config.tx_pipeline_time = 170_ns;
  Bench b(config);
  b.add_tx(0, 256);
  b.put_frame(0, frame(60));
  const Picos rung = b.now();
  b.ring_tx(0);
  b.run(5_us);
  // Two reads in a row, 16 and 60 bytes, as the port alone does them.
  Picos at = b.now();
  const auto read_time = [&](uint32_t bytes) {
    at += 1_us;
    return b.ice.pcie.request_read(at, kMemory, bytes).done - at;
  };
  EXPECT_EQ(b.out.sent[0].start, rung + 30_ns + read_time(16) + read_time(60) + 170_ns);
}

TEST(IceTx, DoorbellIsTheFirstThatIsNotValid) {
  Bench b;
  b.add_tx(0, 64);
  for (uint8_t i = 0; i < 3; ++i) b.put_frame(0, frame(60, i));
  b.wr(reg::qtx_comm_dbell(0), 2);
  b.run(5_us);
  ASSERT_EQ(b.out.sent.size(), 2u);
  EXPECT_EQ(b.out.sent[1].bytes, frame(60, 1));
  EXPECT_FALSE(b.tx_done(0, 2));
  b.wr(reg::qtx_comm_dbell(0), 2);  // the same tail again: nothing new
  b.run(5_us);
  EXPECT_EQ(b.out.sent.size(), 2u);
  b.wr(reg::qtx_comm_dbell(0), 3);
  b.run(5_us);
  EXPECT_EQ(b.out.sent.size(), 3u);
  EXPECT_EQ(b.rd(reg::qtx_comm_head(0)) & qtx_comm_head::kHead, 3u);
}

TEST(IceTx, DoorbellOfAQueueThatIsNotThere) {
  Bench b;
  b.add_tx(0, 64);
  b.wr(reg::qtx_comm_dbell(16383), 1);
  b.run(5_us);
  EXPECT_EQ(b.count("doorbells_ignored"), 1u);
  EXPECT_EQ(b.count("tx_doorbells"), 0u);
  EXPECT_EQ(b.count("mdd_events"), 0u);
}

class IceTxSizes : public testing::TestWithParam<uint32_t> {};
TEST_P(IceTxSizes, EveryFrameInOrder) {
  const uint32_t size = GetParam();
  Bench b;
  b.add_tx(1, size);
  uint32_t sent = 0;
  while (sent < 2 * size + 100) {
    const uint32_t burst = std::min(size - 1, 100u);
    for (uint32_t i = 0; i < burst; ++i) {
      Bytes f = frame(60);
      base::store_le(f.data() + 20, sent++);
      b.put_frame(1, f, i + 1 == burst ? tx_cmd::kLast : tx_cmd::kEop);
    }
    b.ring_tx(1);
    b.run(20_us);
  }
  ASSERT_EQ(b.out.sent.size(), sent);
  for (uint32_t i = 0; i < sent; ++i) {
    ASSERT_EQ(base::load_le<uint32_t>(b.out.sent[i].bytes.data() + 20), i);
  }
  EXPECT_EQ(b.count("mdd_events"), 0u);
}
INSTANTIATE_TEST_SUITE_P(Rings, IceTxSizes,
                         testing::Values(64, 96, 128, 160, 256, 512, 1024, 4096, 8160, 95, 100, 127,
                                         240, 250, 255));

TEST(IceTx, FetchesByLinesAndNotAcrossTheEnd) {
  IceConfig config;
  config.tx_cache = 64;
  Bench b(config);
  b.add_tx(0, 64);
  for (int i = 0; i < 50; ++i) b.put_frame(0, frame(60), tx_cmd::kEop);
  b.ring_tx(0);
  b.run(10_us);
  EXPECT_EQ(b.count("tx_desc_fetches"), 4u) << "16 + 16 + 16 + 2";
  EXPECT_EQ(b.count("tx_descs"), 50u);
  for (int i = 0; i < 30; ++i) b.put_frame(0, frame(60), tx_cmd::kEop);
  b.ring_tx(0);
  b.run(10_us);
  // 50..63 are two lines short of 16: 14; then 0..15.
  EXPECT_EQ(b.count("tx_desc_fetches"), 6u);
  EXPECT_EQ(b.count("tx_descs"), 80u);
}

TEST(IceTx, FetchEndsAtALineWhenMoreIsThere) {
  Bench b;
  b.add_tx(0, 256);
  b.put_frame(0, frame(60), tx_cmd::kEop);
  b.ring_tx(0);
  b.run(5_us);
  EXPECT_EQ(b.count("tx_descs"), 1u);
  for (int i = 0; i < 40; ++i) b.put_frame(0, frame(60), tx_cmd::kEop);
  b.ring_tx(0);
  b.run(10_us);
  // From 1: 15 to the line's end at 16, then 16, then the 9 that are left.
  EXPECT_EQ(b.count("tx_desc_fetches"), 1u + 3u);
  EXPECT_EQ(b.count("tx_descs"), 41u);
}

TEST(IceTx, ManyBuffersMakeOneFrame) {
  Bench b;
  b.add_tx(0, 64);
  const Bytes f = frame(900);
  const uint64_t at = b.tx_buffer(0, 0);
  std::memcpy(b.at(at), f.data(), f.size());
  const uint32_t sizes[] = {1, 99, 200, 100, 100, 150, 149, 101};
  uint32_t done = 0;
  for (unsigned i = 0; i < 8; ++i) {
    b.put_tx(0, at + done, tx_plain_qw1(i == 7 ? tx_cmd::kLast : 0, sizes[i]));
    done += sizes[i];
  }
  ASSERT_EQ(done, 900u);
  b.ring_tx(0);
  b.run(10_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, f);
  EXPECT_TRUE(b.tx_done(0, 7));
  EXPECT_FALSE(b.tx_done(0, 6));
}

TEST(IceTx, ShortFramesArePadded) {
  Bench b;
  b.add_tx(0, 64);
  b.put_frame(0, frame(17));
  b.ring_tx(0);
  b.run(5_us);
  Bytes want = frame(17);
  want.resize(60, 0);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, want);
}

TEST(IceTx, LineRate) {
  // Large frames from one queue: the line is the limit, to the picosecond.
  Bench b;
  b.add_tx(0, 512);
  for (int i = 0; i < 400; ++i) b.put_frame(0, frame(1514, static_cast<uint8_t>(i)), tx_cmd::kEop);
  b.ring_tx(0);
  b.run(100_us);
  ASSERT_EQ(b.out.sent.size(), 400u);
  EXPECT_EQ(slot_time(1514), 123'040_ps);
  for (size_t i = 100; i < 400; ++i) {
    ASSERT_EQ(b.out.sent[i].start - b.out.sent[i - 1].start, slot_time(1514)) << i;
  }
  EXPECT_EQ(b.ice.tx_line_busy(), slot_time(1514) * 400);
}

TEST(IceTx, LineRateOfSmallFrames) {
  // 148.8 M frames a second from eight queues on Gen4 x16.
  fabric::PcieConfig link = Bench::pcie_config();
  link.generation = 4;
  Bench b({}, link);
  for (unsigned q = 0; q < 8; ++q) {
    b.add_tx(q, 256);
    for (int i = 0; i < 250; ++i) b.put_frame(q, frame(60), tx_cmd::kEop);
  }
  for (unsigned q = 0; q < 8; ++q) b.ring_tx(q);
  b.run(40_us);
  ASSERT_EQ(b.out.sent.size(), 2000u);
  EXPECT_EQ(slot_time(60), 6720_ps);
  const Picos span = b.out.sent[1800].start - b.out.sent[300].start;
  EXPECT_EQ(span, slot_time(60) * 1500) << "no gap once it runs";
}

TEST(IceTx, OneQueueIsBoundByItsDescriptorCache) {
  // 64 descriptors a round trip of two reads: no line rate from one queue.
  fabric::PcieConfig link = Bench::pcie_config();
  link.generation = 4;
  Bench b({}, link);
  b.add_tx(0, 1024);
  for (int i = 0; i < 1000; ++i) b.put_frame(0, frame(60), tx_cmd::kEop);
  b.ring_tx(0);
  b.run(60_us);
  ASSERT_EQ(b.out.sent.size(), 1000u);
  const Picos span = b.out.sent[900].start - b.out.sent[300].start;
  EXPECT_GT(span, slot_time(60) * 600);
  EXPECT_LT(span, slot_time(60) * 600 * 3);
}

TEST(IceTx, StoreAndForward) {
  Bench b;
  b.add_tx(0, 64);
  b.put_frame(0, frame(9728));
  const Picos rung = b.now();
  b.ring_tx(0);
  b.run(10_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  // The whole payload must be here first: 9728 bytes at the link's rate are 0.68 us and more.
  EXPECT_GT(b.out.sent[0].start - rung, 1900_ns);
}

TEST(IceTx, QueuesTakeTurnsByQuantum) {
  IceConfig config;
  config.quantum = 256;  // four frames of 64
  config.tx_schedule_time = 20_ns;
  Bench b(config);
  for (unsigned q = 0; q < 4; ++q) b.add_tx(q * 10, 128);
  for (unsigned q = 0; q < 4; ++q) {
    for (int i = 0; i < 60; ++i) {
      Bytes f = frame(64);
      f[20] = static_cast<uint8_t>(q);
      b.put_frame(q * 10, f, tx_cmd::kEop);
    }
  }
  for (unsigned q = 0; q < 4; ++q) b.ring_tx(q * 10);
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 240u);
  // Once all have work, runs of four of each.
  unsigned longest = 0;
  unsigned run = 1;
  for (size_t i = 65; i < 170; ++i) {
    const bool same = b.out.sent[i].bytes[20] == b.out.sent[i - 1].bytes[20];
    run = same ? run + 1 : 1;
    longest = std::max(longest, run);
  }
  EXPECT_EQ(longest, 4u);
}

TEST(IceTx, ManyQueuesEachInOrder) {
  Bench b;
  constexpr unsigned kQueues = 30;
  for (unsigned q = 0; q < kQueues; ++q) b.add_tx(q, 64);
  std::vector<uint32_t> number(kQueues, 0);
  for (int round = 0; round < 6; ++round) {
    for (unsigned q = 0; q < kQueues; ++q) {
      for (int i = 0; i < 32; ++i) {
        Bytes f = frame(60);
        f[20] = static_cast<uint8_t>(q);
        base::store_le(f.data() + 24, number[q]++);
        b.put_frame(q, f, i == 31 ? tx_cmd::kLast : tx_cmd::kEop);
      }
      b.ring_tx(q);
    }
    b.run(30_us);
  }
  ASSERT_EQ(b.out.sent.size(), kQueues * 192u);
  std::vector<uint32_t> seen(kQueues, 0);
  for (const auto& s : b.out.sent) {
    const unsigned q = s.bytes[20];
    ASSERT_EQ(base::load_le<uint32_t>(s.bytes.data() + 24), seen[q]++);
  }
}

TEST(IceTx, DisableStopsAQueueAndFreesItsPlace) {
  Bench b;
  b.add_tx(3, 64);
  for (int i = 0; i < 20; ++i) b.put_frame(3, frame(60));
  b.ring_tx(3);
  b.run(1_us);  // descriptors are here, payload on its way
  IceAqDesc d;
  d.opcode = aq_op::kDisableTxQueues;
  d.param[0] = 1u << 8;
  Bytes buffer(8);
  encode_disable_tx_queue(buffer.data(), 0x20, 3);
  EXPECT_EQ(b.admin(d, buffer).retval, 0);
  b.run(20_us);
  const uint64_t sent = b.out.count;
  EXPECT_EQ(b.count("tx_frames") + b.count("tx_disabled"), 20u);
  b.wr(reg::qtx_comm_dbell(3), 30);
  b.run(5_us);
  EXPECT_EQ(b.out.count, sent);
  EXPECT_EQ(b.count("doorbells_ignored"), 1u);
  b.add_tx(3, 64);
  b.put_frame(3, frame(60, 9));
  b.ring_tx(3);
  b.run(5_us);
  EXPECT_EQ(b.out.count, sent + 1);
  EXPECT_EQ(b.out.sent.back().bytes, frame(60, 9));
}

TEST(IceTx, ResetStopsEverything) {
  Bench b;
  b.add_tx(0, 256);
  for (int i = 0; i < 200; ++i) b.put_frame(0, frame(1514), tx_cmd::kEop);
  b.ring_tx(0);
  b.run(800_ns);  // payload reads are on their way
  b.wr(reg::kPfgenCtrl, kPfgenCtrlPfswr);
  b.run(50_us);
  EXPECT_EQ(b.rd(reg::kPfgenCtrl), 0u);
  EXPECT_EQ(b.ice.frames_in_tx(), 0u);
  EXPECT_EQ(b.out.count, b.count("tx_frames"));
  EXPECT_GT(b.count("tx_reset"), 0u);
  EXPECT_EQ(b.ice.tx_buffer_bytes(), 0u);
  b.add_tx(0, 64);
  b.put_frame(0, frame(60, 3));
  b.ring_tx(0);
  b.run(5_us);
  EXPECT_EQ(b.out.sent.back().bytes, frame(60, 3));
}

TEST(IceTx, BufferBoundsWhatIsInFlight) {
  IceConfig config;
  config.tx_buffer = 16 << 10;
  Bench b(config);
  b.add_tx(0, 512);
  for (int i = 0; i < 300; ++i) b.put_frame(0, frame(1514, static_cast<uint8_t>(i)), tx_cmd::kEop);
  b.ring_tx(0);
  uint32_t most = 0;
  for (int i = 0; i < 400; ++i) {
    b.run(200_ns);
    most = std::max(most, b.ice.tx_buffer_bytes());
  }
  EXPECT_EQ(b.out.count, 300u);
  EXPECT_GT(most, 14000u);
  EXPECT_LT(most, (16u << 10) + 1514u);
}

}  // namespace
}  // namespace doorbell::ice::test

// SystemC's library wants it; tests run in gtest's main.
int sc_main(int, char**) {
  return 0;
}
