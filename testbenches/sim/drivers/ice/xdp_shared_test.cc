// XDP rings that several cores use, and the hazards of Linux 6.12 that were found by reading.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/ice/ice_bench.h"

namespace doorbell::drivers::ice {
namespace {

using stack::DropReason;
using stack::Verdict;
using Kind = hal::ScriptedStep::Kind;

// --- Rings shared by several cores.

struct Shared {
  explicit Shared(RsMode mode, bool fix = false, unsigned rings = 2, unsigned vectors = 4) {
    IceDriverConfig c = IceBench::with(&program, mode);
    c.xdp_rings = rings;
    c.fix_hazards = fix;
    c.rx_ring = 64;
    b = std::make_unique<IceBench>(c, vectors);
    b->start();
  }
  const TxRing& ring(unsigned i = 0) const { return b->driver->xdp_ring(i); }
  Custom::Body body = [](stack::XdpBuff&, stack::XdpContext&) { return Verdict::kTx; };
  Custom program{[this](stack::XdpBuff& buff, stack::XdpContext& c) { return body(buff, c); }};
  std::unique_ptr<IceBench> b;
};

TEST(XdpShared, EachFrameAndTheDoorbellTakeTheLock) {
  Shared t(RsMode::kThreshold);
  for (int i = 0; i < 5; ++i) t.b->receive(3, udp_frame());
  t.b->host.reset_counts();
  t.b->poll(3);
  EXPECT_EQ(t.b->host.count(hal::Op::kTxLock), 6u);
  EXPECT_EQ(t.b->transmit(4 + 1).size(), 5u) << "ring 3 modulo 2";
  EXPECT_FALSE(t.ring(1).locked);
  t.b->expect_no_leaks();
}

TEST(XdpShared, RedirectByCoreModuloRings) {
  Shared t(RsMode::kThreshold);
  t.body = [](stack::XdpBuff&, stack::XdpContext& c) { return stack::redirect_to(c, 1); };
  for (unsigned cpu = 0; cpu < 4; ++cpu) {
    t.b->host.set_cpu(cpu);
    t.b->receive(cpu, udp_frame());
    t.b->poll(cpu);
  }
  EXPECT_EQ(t.b->transmit(4).size(), 2u);
  EXPECT_EQ(t.b->transmit(5).size(), 2u);
  t.b->expect_no_leaks();
}

TEST(XdpShared, OneRingACoreTakesNoLock) {
  stack::XdpTxProgram program;
  IceBench b(IceBench::with(&program), 4);
  b.start();
  for (int i = 0; i < 5; ++i) b.receive(3, udp_frame());
  b.poll(3);
  EXPECT_EQ(b.host.count(hal::Op::kTxLock), 0u);
  EXPECT_EQ(b.transmit(4 + 3).size(), 5u);
}

TEST(Xdp, RedirectFromACoreWithoutARing) {
  stack::XdpRedirectProgram program(1);
  IceBench b(IceBench::with(&program), 2);
  b.start();
  b.host.set_cpu(7);
  b.receive(0, udp_frame());
  b.poll();
  EXPECT_EQ(b.stack.drops().total(), 1u) << "refused, and the frame went back";
  b.expect_no_leaks();
}

// --- Hazards of Linux 6.12 that were found by reading.

// H1: an XDP ring fills to one free slot, without the gap of a line that the other path keeps.
TEST(Hazard, H1_XdpFillsWithinTheLineOfTheHead) {
  stack::XdpTxProgram program;
  IceDriverConfig c = IceBench::with(&program);
  c.tx_ring = 64;
  IceBench b(c);
  b.start();
  for (int i = 0; i < 63; ++i) b.receive(0, udp_frame());
  b.poll();
  EXPECT_EQ(b.driver->xdp_ring(0).unused(), 0u);
  EXPECT_EQ(b.driver->xdp_ring(0).ntu / 4, 15u) << "a report for slot 60 shares its line";
}

// H2: XDP_TX takes the ring of the receive queue, redirect that of the core: with a poll on another
// core both fill one ring, and nothing holds them apart. The second frame of a core that was
// interrupted in mid-fill would land in the same slot.
TEST(Hazard, H2_PollOnAnotherCoreSharesARingWithoutLock) {
  int n = 0;
  Custom program([&n](stack::XdpBuff&, stack::XdpContext& context) {
    return ++n % 2 == 0 ? stack::redirect_to(context, 1) : Verdict::kTx;
  });
  IceBench b(IceBench::with(&program), 2);
  b.start();
  b.host.set_cpu(1);  // vector 0 is polled by core 1
  for (int i = 0; i < 4; ++i) b.receive(0, udp_frame());
  b.poll(0);
  EXPECT_EQ(b.transmit(2).size(), 2u) << "XDP_TX: ring of queue 0";
  EXPECT_EQ(b.transmit(3).size(), 2u) << "redirect: ring of core 1, which core 1's poll fills too";
  EXPECT_EQ(b.host.count(hal::Op::kTxLock), 0u);
}

// H3: a poll notes the ring's index without the lock. If the ring moves on before it ends, the note
// lands in a slot that is free again; the oldest slot keeps a stale one.
TEST(Hazard, H3_BatchNoteInAFreedSlot) {
  for (const bool fix : {false, true}) {
    Shared t(RsMode::kQuarter, fix);
    // While vector 0's program runs on its first frame, vector 2 (same ring) sends 20 and closes.
    bool nested = false;
    t.body = [&](stack::XdpBuff&, stack::XdpContext&) {
      if (!nested) {
        nested = true;
        for (int i = 0; i < 20; ++i) t.b->receive(2, udp_frame());
        t.b->poll(2);
      }
      return Verdict::kTx;
    };
    t.b->receive(0, udp_frame());
    t.b->poll(0);
    EXPECT_EQ(t.ring().ntu, 21u);
    EXPECT_EQ(t.ring().bufs[0].rs_idx, fix ? 19u : 20u);
    EXPECT_EQ(t.ring().bufs[20].rs_idx, fix ? 20u : 0u)
        << "without the fix frame 20's slot has no note of its own";
    t.b->expect_no_leaks();
  }
}

// H4: ndo_xdp_xmit on a full ring asks for a report all the same. The descriptor is the device's;
// its done bit, arriving between load and store, is overwritten and never seen.
TEST(Hazard, H4_ReportLostByAReadModifyWrite) {
  for (const bool fix : {false, true}) {
    stack::XdpRedirectProgram program(1);
    IceDriverConfig c = IceBench::with(&program, RsMode::kQuarter);
    c.tx_ring = 64;
    c.fix_hazards = fix;
    IceBench b(c);
    b.start();
    for (int i = 0; i < 63; ++i) b.receive(0, udp_frame());
    b.poll();
    ASSERT_EQ(b.driver->xdp_ring(0).unused(), 0u);
    const uint64_t before = b.qw1(b.driver->xdp_ring(0), 62);
    b.host.record(true);
    b.receive(0, udp_frame());
    b.poll();
    const hal::DmaAddr at = b.driver->xdp_ring(0).qw1_at(62);
    bool stored = false;
    for (const hal::ScriptedStep& s : b.host.steps()) {
      stored = stored || (s.kind == Kind::kStore && s.address == at);
    }
    EXPECT_EQ(stored, !fix);
    EXPECT_EQ(b.qw1(b.driver->xdp_ring(0), 62), before);
    EXPECT_EQ(b.drops(DropReason::kRedirectRingFull), 1u);
  }
}

// With the mended rule a shared ring keeps going whatever the interleaving.
TEST(Hazard, FixedSharedRingNeverSticks) {
  Shared t(RsMode::kQuarter, true);
  uint64_t seed = 7;
  int depth = 0;
  t.body = [&](stack::XdpBuff&, stack::XdpContext& c) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    if (depth == 0 && (seed >> 40) % 5 == 0) {
      ++depth;
      for (int i = 0; i < 7; ++i) t.b->receive(2, udp_frame());
      t.b->host.set_cpu(2);
      t.b->poll(2);
      t.b->host.set_cpu(0);
      --depth;
    }
    return (seed >> 33) % 4 == 0 ? stack::redirect_to(c, 1) : Verdict::kTx;
  };
  for (int n = 0; n < 600; ++n) {
    for (int i = 0; i < 9; ++i) ASSERT_TRUE(t.b->receive(0, udp_frame()));
    t.b->poll(0);
    t.b->finish(4);
  }
  EXPECT_EQ(t.b->driver->statistics().tx_busy, 0u);
  EXPECT_EQ(t.b->driver->statistics().xdp_empty_slots, 0u);
  t.b->expect_no_leaks();
}

}  // namespace
}  // namespace doorbell::drivers::ice
