// The XDP transmit ring of kernel commit 9610bd988df9, step by step: which descriptors ask for a
// report, when the ring is cleaned, what it looks like in between. Numbers are typed from the
// commit's rules, not from our constants.
#include <gtest/gtest.h>

#include <algorithm>

#include "testbenches/sim/drivers/ice/ice_bench.h"

namespace doorbell::drivers::ice {
namespace {

using stack::DropReason;
using stack::Verdict;

constexpr unsigned kQueue = 1;  // of XDP ring 0 with one pair

// Feeds frames one a poll or many, and watches the ring.
struct Threshold {
  explicit Threshold(uint32_t ring, uint32_t threshold = 32)
      : program([](stack::XdpBuff&, stack::XdpContext&) { return Verdict::kTx; }),
        b(make(ring, threshold)) {
    b.start();
  }
  IceDriverConfig make(uint32_t ring, uint32_t threshold) {
    IceDriverConfig c = IceBench::with(&program);
    c.tx_ring = ring;
    c.rs_threshold = threshold;
    return c;
  }
  const TxRing& ring() const { return b.driver->xdp_ring(0); }
  bool rs(uint32_t i) const { return (b.qw1(ring(), i) & 0x20) != 0; }
  int send(int n) {
    for (int i = 0; i < n; ++i) EXPECT_TRUE(b.receive(0, udp_frame(60, static_cast<uint8_t>(i))));
    return b.poll();
  }
  Custom program;
  IceBench b;
};

TEST(XdpThreshold, InitialState) {
  Threshold t(256);
  EXPECT_EQ(t.ring().next_rs, 31u);
  EXPECT_EQ(t.ring().next_dd, 31u);
  for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(t.b.qw1(t.ring(), i), 0xFu) << i;
}

// Index produced -> RS put on, next_rs after.
TEST(XdpThreshold, WorkedTraceOf256) {
  Threshold t(256);
  for (uint32_t i = 0; i < 256; ++i) {
    // Nothing is ever reported here, so the ring would fill: report what was sent.
    EXPECT_EQ(t.send(1), 1);
    t.b.finish(kQueue);
    const uint32_t after = i + 1 == 256 ? 0 : i + 1;
    EXPECT_EQ(t.ring().ntu, after);
    const uint32_t next_rs = i + 1 == 256 ? 31 : i < 31 ? 31 : (i + 1) / 32 * 32 + 31;
    EXPECT_EQ(t.ring().next_rs, next_rs) << "after producing " << i;
  }
}

TEST(XdpThreshold, RsIsOnTheLastOfEachGroupAndThereBeforeTheDoorbell) {
  Threshold t(256);
  // Two groups and a bit, in one poll: RS of both is in memory when the tail is written.
  std::vector<uint32_t> with_rs;
  t.b.host.on_write(reg::qtx_comm_dbell(kQueue), [&](uint32_t v) {
    t.b.tx[kQueue].tail = v;
    for (uint32_t i = 0; i < v; ++i) {
      if (t.rs(i)) with_rs.push_back(i);
    }
  });
  EXPECT_EQ(t.send(64), 64);
  EXPECT_EQ(with_rs, (std::vector<uint32_t>{31, 63}));
  EXPECT_EQ(t.b.host.mmio_writes(reg::qtx_comm_dbell(kQueue)), 1u) << "one doorbell a poll";
  EXPECT_EQ(t.b.qw1(t.ring(), 0), 0x000000F000000010u) << "60 bytes, EOP";
  EXPECT_EQ(t.b.qw1(t.ring(), 31), 0x000000F000000030u) << "60 bytes, EOP and RS";
}

TEST(XdpThreshold, WrapClosesTheLastGroupByHand) {
  Threshold t(64);
  EXPECT_EQ(t.send(63), 63);
  EXPECT_EQ(t.ring().ntu, 63u);
  EXPECT_EQ(t.ring().next_rs, 63u);
  EXPECT_FALSE(t.rs(63));
  t.b.finish(kQueue);
  EXPECT_EQ(t.send(1), 1);  // unused 0: cleans the first group, then fills slot 63
  EXPECT_TRUE(t.rs(63));
  EXPECT_EQ(t.ring().ntu, 0u);
  EXPECT_EQ(t.ring().next_rs, 31u);
  EXPECT_EQ(t.ring().ntc, 32u);
  EXPECT_EQ(t.ring().next_dd, 63u);
}

TEST(XdpThreshold, CleansOnlyBelowTheThresholdAndExactly32) {
  Threshold t(256);
  // 224 in use leaves 31 free: the 225th frame is the first to look.
  for (int n = 0; n < 7; ++n) {
    EXPECT_EQ(t.send(32), 32);
    t.b.finish(kQueue);
  }
  EXPECT_EQ(t.ring().used(), 224u);
  EXPECT_EQ(t.b.driver->statistics().xdp_cleans, 0u);
  EXPECT_EQ(t.send(1), 1);
  EXPECT_EQ(t.b.driver->statistics().xdp_cleans, 1u);
  EXPECT_EQ(t.ring().ntc, 32u);
  EXPECT_EQ(t.ring().next_dd, 63u);
  EXPECT_EQ(t.ring().used(), 193u);
  EXPECT_EQ(t.b.qw1(t.ring(), 31), 0u) << "its done bit must not be seen again";
  EXPECT_EQ(t.b.qw1(t.ring(), 63), 0xFu) << "only one descriptor is cleared";
  EXPECT_EQ(t.b.driver->statistics().tx_packets, 32u);
  EXPECT_EQ(t.b.driver->statistics().tx_bytes, 32u * 60u);
}

TEST(XdpThreshold, ANotReportedGroupIsLeftAlone) {
  Threshold t(256);
  for (int n = 0; n < 7; ++n) t.send(32);  // nothing is ever sent
  EXPECT_EQ(t.send(31), 31);
  EXPECT_EQ(t.ring().unused(), 0u);
  EXPECT_EQ(t.b.driver->statistics().xdp_cleans_early, 31u);
  EXPECT_EQ(t.b.driver->statistics().tx_busy, 0u);
  EXPECT_EQ(t.send(5), 5);
  EXPECT_EQ(t.b.driver->statistics().tx_busy, 5u);
  EXPECT_EQ(t.ring().busy, 5u);
  EXPECT_EQ(t.b.drops(DropReason::kXdpTxRingFull), 5u);
  EXPECT_EQ(t.b.driver->statistics().rx_xdp_tx_errors, 5u);
  EXPECT_EQ(t.ring().used(), 255u) << "one slot stays empty";
  t.b.expect_no_leaks();
}

TEST(XdpThreshold, NapiLeavesTheRingAlone) {
  Threshold t(256);
  t.send(32);
  t.b.finish(kQueue);
  for (int i = 0; i < 5; ++i) t.b.poll();
  EXPECT_EQ(t.ring().used(), 32u);
  EXPECT_EQ(t.b.driver->statistics().tx_packets, 0u);
}

TEST(XdpThreshold, GroupTailStaysUntilMoreComesOrStop) {
  Threshold t(256);
  EXPECT_EQ(t.send(31), 31);
  EXPECT_EQ(t.b.transmit(kQueue).size(), 31u);
  EXPECT_TRUE(t.b.tx[kQueue].reports.empty()) << "no RS among them";
  EXPECT_EQ(t.b.driver->pending_tx(), 31u);
  EXPECT_EQ(t.b.driver->pending_tx_device(t.b), 0u) << "the device has sent them all";
  t.b.expect_no_leaks();
}

// Under any mixture of load and lateness, for every multiple of 32.
TEST(XdpThreshold, Invariants) {
  for (const uint32_t size : {64u, 96u, 128u, 160u, 256u, 512u, 8160u}) {
    Threshold t(size);
    uint64_t seed = size;
    uint32_t last_ntc = 0;
    const int polls = size == 8160 ? 400 : 300;
    for (int n = 0; n < polls; ++n) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      t.send(static_cast<int>(seed >> 33) % 64 + 1);
      const TxRing& r = t.ring();
      ASSERT_EQ(r.next_rs % 32, 31u) << size;
      ASSERT_LT(r.next_rs, size);
      ASSERT_EQ(r.ntc % 32, 0u) << size;
      ASSERT_EQ(r.next_dd, r.ntc + 31) << size;
      ASSERT_LE(r.used(), size - 1);
      const uint32_t moved = r.ntc >= last_ntc ? r.ntc - last_ntc : r.ntc + size - last_ntc;
      ASSERT_EQ(moved % 32, 0u);
      last_ntc = r.ntc;
      ASSERT_EQ(t.b.driver->statistics().tx_packets, 32 * t.b.driver->statistics().xdp_cleans);
      for (const Sent& s : t.b.transmit(kQueue, (seed >> 20) % 80)) {
        ASSERT_EQ((s.qw1[0] & 0x20) != 0, s.indices[0] % 32 == 31) << s.indices[0];
      }
      if ((seed >> 10) % 3 != 0) t.b.report(kQueue);
    }
    EXPECT_EQ(t.b.driver->statistics().xdp_rs_outside_ring, 0u);
    EXPECT_EQ(t.b.driver->statistics().xdp_dd_outside_ring, 0u);
    EXPECT_EQ(t.b.driver->statistics().xdp_empty_slots, 0u);
    if (size <= 256) {
      EXPECT_GT(t.b.driver->statistics().xdp_cleans, 50u) << "or nothing was tested";
    }
    t.b.expect_no_leaks();
  }
}

TEST(XdpThreshold, OtherThresholdsThatDivideTheRing) {
  for (const uint32_t threshold : {2u, 4u, 8u, 16u, 64u}) {
    Threshold t(128, threshold);
    for (int n = 0; n < 40; ++n) {
      t.send(24);
      t.b.finish(kQueue);
      ASSERT_EQ(t.ring().next_dd, t.ring().ntc + threshold - 1) << threshold;
      ASSERT_EQ(t.ring().next_rs % threshold, threshold - 1) << threshold;
    }
    EXPECT_EQ(t.b.driver->statistics().tx_busy, 0u) << threshold;
    t.b.expect_no_leaks();
  }
}

// The bound that next_dd is compared with is the ring's size: with a threshold of one it lands on
// it.
TEST(XdpThreshold, AThresholdOfOneLooksBehindTheRing) {
  Custom program([](stack::XdpBuff&, stack::XdpContext&) { return Verdict::kTx; });
  IceDriverConfig c = IceBench::with(&program);
  c.tx_ring = 64;
  c.rs_threshold = 1;
  EXPECT_TRUE(check(c).has_value());
  c.force_ring_size = true;
  IceBench b(c);
  b.start();
  for (int n = 0; n < 200; ++n) {
    b.receive(0, udp_frame());
    b.poll();
    b.finish(kQueue);
  }
  EXPECT_GT(b.driver->statistics().xdp_dd_outside_ring, 0u);
  EXPECT_GT(b.driver->statistics().tx_busy, 0u);
}

TEST(XdpThreshold, SlotsAreReusedInOrderAndFramesAreWhole) {
  Threshold t(96);
  uint8_t tag = 0;
  for (int n = 0; n < 40; ++n) {
    std::vector<Bytes> wanted;
    for (int i = 0; i < 20; ++i, ++tag) {
      wanted.push_back(udp_frame(60 + tag % 50, tag));
      ASSERT_TRUE(t.b.receive(0, wanted.back()));
    }
    t.b.poll();
    const auto sent = t.b.transmit(kQueue);
    ASSERT_EQ(sent.size(), 20u);
    for (size_t i = 0; i < 20; ++i) EXPECT_EQ(sent[i].bytes, wanted[i]);
    t.b.report(kQueue);
  }
  EXPECT_EQ(t.b.drops(DropReason::kXdpTxRingFull), 0u);
}

// --- Before: RS on each.

TEST(XdpEvery, EachDescriptorIsReportedAndThePollCleans) {
  stack::XdpTxProgram program;
  IceBench b(IceBench::with(&program, RsMode::kEvery));
  b.start();
  EXPECT_EQ(b.qw1(b.driver->xdp_ring(0), 5), 0u) << "descriptors start at zero";
  for (int i = 0; i < 40; ++i) b.receive(0, udp_frame());
  b.poll();
  const auto sent = b.transmit(kQueue);
  ASSERT_EQ(sent.size(), 40u);
  for (const Sent& s : sent) EXPECT_EQ(s.qw1[0], 0x000000F000000030u);
  EXPECT_EQ(b.tx[kQueue].reports.size(), 40u);
  b.report(kQueue);
  EXPECT_EQ(b.driver->xdp_ring(0).used(), 40u);
  b.poll();
  EXPECT_EQ(b.driver->xdp_ring(0).used(), 0u);
  EXPECT_EQ(b.driver->statistics().tx_packets, 40u);
  b.expect_no_leaks();
}

TEST(XdpEvery, CleanStopsAtTheFirstNotDone) {
  stack::XdpTxProgram program;
  IceBench b(IceBench::with(&program, RsMode::kEvery));
  b.start();
  for (int i = 0; i < 10; ++i) b.receive(0, udp_frame());
  b.poll();
  b.transmit(kQueue, 3);
  b.report(kQueue);
  b.poll();
  EXPECT_EQ(b.driver->xdp_ring(0).ntc, 3u);
  // A hole: 4 and later done, 3 not.
  b.transmit(kQueue);
  b.tx[kQueue].reports.erase(b.tx[kQueue].reports.begin());
  b.report(kQueue);
  b.poll();
  EXPECT_EQ(b.driver->xdp_ring(0).ntc, 3u);
}

TEST(XdpEvery, BudgetOf256APoll) {
  stack::XdpTxProgram program;
  IceDriverConfig c = IceBench::with(&program, RsMode::kEvery);
  c.tx_ring = 512;
  IceBench b(c);
  b.start();
  for (int n = 0; n < 5; ++n) {
    for (int i = 0; i < 64; ++i) ASSERT_TRUE(b.receive(0, udp_frame()));
    b.poll();
  }
  b.finish(kQueue);
  EXPECT_EQ(b.poll(), 64) << "out of budget: the poll goes on";
  EXPECT_EQ(b.driver->xdp_ring(0).used(), 64u);
  EXPECT_LT(b.poll(), 64);
  EXPECT_EQ(b.driver->xdp_ring(0).used(), 0u);
}

TEST(XdpEvery, FullRingDrops) {
  stack::XdpTxProgram program;
  IceDriverConfig c = IceBench::with(&program, RsMode::kEvery);
  c.tx_ring = 64;
  IceBench b(c);
  b.start();
  for (int i = 0; i < 64; ++i) b.receive(0, udp_frame());
  b.poll();
  EXPECT_EQ(b.driver->statistics().tx_busy, 1u);
  EXPECT_EQ(b.drops(DropReason::kXdpTxRingFull), 1u);
  EXPECT_EQ(b.transmit(kQueue).size(), 63u);
  b.expect_no_leaks();
}

// --- Linux 6.12: once a poll, quarter of the ring.

struct Quarter {
  explicit Quarter(uint32_t ring = 256, bool fix = false) {
    IceDriverConfig c = IceBench::with(&program, RsMode::kQuarter);
    c.tx_ring = ring;
    c.fix_hazards = fix;
    b = std::make_unique<IceBench>(c);
    b->start();
  }
  const TxRing& ring() const { return b->driver->xdp_ring(0); }
  int send(int n) {
    for (int i = 0; i < n; ++i) EXPECT_TRUE(b->receive(0, udp_frame()));
    return b->poll();
  }
  stack::XdpTxProgram program;
  std::unique_ptr<IceBench> b;
};

TEST(XdpQuarter, OneReportAPollOnTheLastFrame) {
  Quarter t;
  EXPECT_EQ(t.b->qw1(t.ring(), 9), 0u);
  t.send(10);
  const auto sent = t.b->transmit(kQueue);
  ASSERT_EQ(sent.size(), 10u);
  for (const Sent& s : sent) EXPECT_EQ((s.qw1[0] & 0x20) != 0, s.indices[0] == 9);
  EXPECT_EQ(t.ring().bufs[0].rs_idx, 9u);
  t.send(1);
  EXPECT_EQ(t.ring().bufs[10].rs_idx, 10u);
  EXPECT_EQ(t.ring().active, 11u);
}

TEST(XdpQuarter, CleansOneBatchWhenLessThanAQuarterIsFree) {
  Quarter t;
  for (int n = 0; n < 3; ++n) {
    t.send(64);
    t.b->finish(kQueue);
  }
  EXPECT_EQ(t.ring().used(), 192u);  // 63 free: below 64
  EXPECT_EQ(t.b->driver->statistics().xdp_cleans, 0u);
  t.send(1);
  EXPECT_EQ(t.b->driver->statistics().xdp_cleans, 1u);
  EXPECT_EQ(t.ring().ntc, 64u);
  EXPECT_EQ(t.b->qw1(t.ring(), 63), 0u);
  EXPECT_EQ(t.ring().active, 129u);
  EXPECT_EQ(t.b->driver->statistics().tx_packets, 64u);
}

TEST(XdpQuarter, BatchesWrap) {
  Quarter t(96);
  for (int n = 0; n < 200; ++n) {
    t.send(n % 20 + 1);
    t.b->finish(kQueue);
    ASSERT_EQ(t.ring().active, t.ring().used());
  }
  EXPECT_EQ(t.b->driver->statistics().tx_busy, 0u);
  EXPECT_EQ(t.b->driver->statistics().xdp_empty_slots, 0u);
  EXPECT_GT(t.b->driver->statistics().xdp_cleans, 100u);
  t.b->expect_no_leaks();
}

TEST(XdpQuarter, FullRingDrops) {
  Quarter t(64);
  t.send(64);
  EXPECT_EQ(t.b->driver->statistics().tx_busy, 1u);
  EXPECT_EQ(t.b->drops(DropReason::kXdpTxRingFull), 1u);
  t.b->expect_no_leaks();
}

}  // namespace
}  // namespace doorbell::drivers::ice
