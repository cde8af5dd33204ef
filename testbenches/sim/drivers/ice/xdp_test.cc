// Native and generic XDP: verdicts, transmit, redirect, attaching.
#include <gtest/gtest.h>

#include <cerrno>

#include "testbenches/sim/drivers/ice/ice_bench.h"

namespace doorbell::drivers::ice {
namespace {

using stack::DropReason;
using stack::Verdict;
using Kind = hal::ScriptedStep::Kind;

constexpr RsMode kModes[] = {RsMode::kEvery, RsMode::kThreshold, RsMode::kQuarter};

TEST(Xdp, PassDropAbortedUnknown) {
  const struct {
    Verdict verdict;
    DropReason reason;
  } rows[] = {{Verdict::kDrop, DropReason::kXdpDrop},
              {Verdict::kAborted, DropReason::kXdpAborted},
              {static_cast<Verdict>(99), DropReason::kXdpUnknownVerdict}};
  for (const auto& row : rows) {
    stack::XdpFixedProgram program("fixed", row.verdict);
    IceBench b(IceBench::with(&program));
    b.start();
    for (int i = 0; i < 40; ++i) b.receive(0, udp_frame());
    EXPECT_EQ(b.poll(), 40);
    EXPECT_EQ(b.drops(row.reason), 40u);
    EXPECT_EQ(b.driver->statistics().rx_xdp_drop, 40u);
    EXPECT_EQ(b.driver->rx_pool(0)->inflight(), 127u) << "pages went home";
    EXPECT_EQ(b.tap.frames.size(), 40u);
    b.expect_no_leaks();
  }
  stack::XdpPassProgram pass;
  IceBench b(IceBench::with(&pass));
  b.start();
  b.receive(0, udp_frame());
  b.poll();
  EXPECT_EQ(b.stack.delivered_frames(), 1u);
  EXPECT_EQ(b.driver->statistics().rx_xdp_pass, 1u);
  b.expect_no_leaks();
}

TEST(Xdp, PassKeepsWhatTheProgramMoved) {
  Custom program([](stack::XdpBuff& buff, stack::XdpContext&) {
    buff.data += 4;
    buff.data_end -= 6;
    return Verdict::kPass;
  });
  IceBench b(IceBench::with(&program));
  b.start();
  b.receive(0, udp_frame(100));
  b.poll();
  EXPECT_EQ(b.stack.delivered_bytes(), 90u);
}

TEST(Xdp, TxSendsTheSwappedFrame) {
  for (const RsMode mode : kModes) {
    stack::XdpTxProgram program;
    IceBench b(IceBench::with(&program, mode));
    b.start();
    for (uint8_t i = 0; i < 33; ++i) b.receive(0, udp_frame(60 + i, i));
    EXPECT_EQ(b.poll(), 33);
    const auto sent = b.transmit(1);
    ASSERT_EQ(sent.size(), 33u);
    for (uint8_t i = 0; i < 33; ++i) EXPECT_EQ(sent[i].bytes, swapped(udp_frame(60 + i, i)));
    EXPECT_EQ(b.driver->statistics().rx_xdp_tx, 33u);
    EXPECT_EQ(b.driver->statistics().tx_submitted, 33u);
    EXPECT_EQ(b.host.mmio_writes(reg::qtx_comm_dbell(1)), 1u);
    b.expect_no_leaks();
  }
}

// wmb, then the relaxed store: everything in the descriptors is there when the device looks.
TEST(Xdp, OneBarrierAndOneDoorbellAtTheEndOfThePoll) {
  for (const RsMode mode : kModes) {
    stack::XdpTxProgram program;
    IceBench b(IceBench::with(&program, mode));
    b.start();
    for (int i = 0; i < 20; ++i) b.receive(0, udp_frame());
    b.host.record(true);
    b.poll();
    const hal::DmaAddr ring = b.driver->xdp_ring(0).base;
    size_t last_store = 0;
    size_t bell = 0;
    for (size_t i = 0; i < b.host.steps().size(); ++i) {
      const hal::ScriptedStep& s = b.host.steps()[i];
      if (s.kind == Kind::kStore && s.address >= ring && s.address < ring + 4096) last_store = i;
      if (s.kind == Kind::kMmioWrite && s.address == reg::qtx_comm_dbell(1)) bell = i;
    }
    ASSERT_GT(bell, last_store);
    EXPECT_EQ(b.host.steps()[bell - 1].kind, Kind::kWmb);
  }
}

TEST(Xdp, NoDoorbellWithoutAFrame) {
  stack::XdpDropProgram program;
  IceBench b(IceBench::with(&program));
  b.start();
  b.receive(0, udp_frame());
  b.poll();
  EXPECT_EQ(b.host.mmio_writes(reg::qtx_comm_dbell(1)), 0u);
}

TEST(Xdp, TxMapFailure) {
  for (const RsMode mode : kModes) {
    stack::XdpTxProgram program;
    IceBench b(IceBench::with(&program, mode));
    b.start();
    b.host.fail_maps(1, 3);
    for (int i = 0; i < 5; ++i) b.receive(0, udp_frame());
    b.poll();
    EXPECT_EQ(b.drops(DropReason::kXdpTxMapFailed), 3u);
    EXPECT_EQ(b.driver->statistics().tx_busy, 0u);
    EXPECT_EQ(b.transmit(1).size(), 2u);
    b.expect_no_leaks();
  }
}

TEST(Xdp, RedirectToTheOwnPort) {
  for (const RsMode mode : kModes) {
    stack::XdpRedirectProgram program(1);
    IceBench b(IceBench::with(&program, mode));
    b.start();
    for (uint8_t i = 0; i < 40; ++i) b.receive(0, udp_frame(60, i));
    b.poll();
    const auto sent = b.transmit(1);
    ASSERT_EQ(sent.size(), 40u);
    for (uint8_t i = 0; i < 40; ++i) EXPECT_EQ(sent[i].bytes, swapped(udp_frame(60, i)));
    EXPECT_EQ(b.driver->statistics().tx_xdp_xmit, 40u);
    EXPECT_EQ(b.host.mmio_writes(reg::qtx_comm_dbell(1)), 1u) << "the flush only";
    if (mode == RsMode::kQuarter) {
      EXPECT_EQ(b.tx[1].reports, (std::vector<uint32_t>{15, 31, 39})) << "one a batch";
    }
    b.expect_no_leaks();
  }
}

TEST(Xdp, RedirectCountsWhatTheRingRefuses) {
  stack::XdpRedirectProgram program(1);
  IceDriverConfig c = IceBench::with(&program);
  c.tx_ring = 64;
  IceBench b(c);
  b.start();
  for (int n = 0; n < 2; ++n) {
    for (int i = 0; i < 40; ++i) b.receive(0, udp_frame());
    b.poll();
  }
  EXPECT_EQ(b.driver->statistics().tx_xdp_xmit, 63u);
  EXPECT_EQ(b.driver->statistics().tx_xdp_xmit_errors, 17u);
  EXPECT_EQ(b.drops(DropReason::kRedirectRingFull), 17u);
  EXPECT_EQ(b.driver->statistics().tx_busy, 2u) << "once a batch";
  b.expect_no_leaks();
}

TEST(Xdp, RedirectMapFailure) {
  stack::XdpRedirectProgram program(1);
  IceBench b(IceBench::with(&program));
  b.start();
  // The refill comes first and maps a batch of pages.
  b.host.fail_maps(stack::PagePool::kRefillPages + 3, 1);
  for (int i = 0; i < 5; ++i) b.receive(0, udp_frame());
  b.poll();
  EXPECT_EQ(b.transmit(1).size(), 2u);
  EXPECT_EQ(b.drops(DropReason::kRedirectMapFailed), 3u);
  b.expect_no_leaks();
}

TEST(Xdp, RedirectErrors) {
  stack::XdpRedirectProgram nowhere(9);
  IceBench b(IceBench::with(&nowhere));
  b.start();
  b.receive(0, udp_frame());
  b.poll();
  EXPECT_EQ(b.drops(DropReason::kRedirectNoTarget), 1u);
  Custom no_room([](stack::XdpBuff& buff, stack::XdpContext& context) {
    buff.data = buff.data_hard_start + 8;
    return stack::redirect_to(context, 1);
  });
  b.driver->set_xdp_program(&no_room);
  b.receive(0, udp_frame());
  b.poll();
  EXPECT_EQ(b.drops(DropReason::kXdpNoHeadroom), 1u);
  b.driver->stop();
  EXPECT_EQ(b.driver->xdp_xmit(nullptr, 0), -ENETDOWN);
  b.expect_no_leaks();
}

// Frames of another port's ring and own ones mix; each is freed by its type.
TEST(Xdp, B18_MixedTransmitAndRedirectAreFreedByType) {
  for (const RsMode mode : kModes) {
    int n = 0;
    Custom program([&n](stack::XdpBuff&, stack::XdpContext& context) {
      return ++n % 3 == 0 ? stack::redirect_to(context, 1) : Verdict::kTx;
    });
    IceDriverConfig c = IceBench::with(&program, mode);
    c.tx_ring = 96;
    IceBench b(c);
    b.start();
    for (int round = 0; round < 60; ++round) {
      for (int i = 0; i < 30; ++i) ASSERT_TRUE(b.receive(0, udp_frame()));
      b.poll();
      b.finish(1);
    }
    b.poll();
    const IceStatistics& s = b.driver->statistics();
    EXPECT_EQ(s.rx_packets, s.tx_submitted + b.stack.drops().total());
    EXPECT_EQ(b.driver->pending_tx(), s.tx_submitted - s.tx_packets);
    EXPECT_EQ(b.driver->pending_tx_device(b), 0u);
    b.expect_no_leaks();
  }
}

TEST(Xdp, AttachWhileRunningMakesRingsAndDetachTakesThem) {
  stack::XdpTxProgram program;
  IceBench b;
  b.start();
  EXPECT_EQ(b.driver->set_xdp_program(&program), 0);
  EXPECT_EQ(b.driver->xdp_rings(), 1u);
  EXPECT_TRUE(b.driver->accepts_xdp_frames());
  b.receive(0, udp_frame());
  b.poll();
  EXPECT_EQ(b.transmit(1).size(), 1u);
  // One program for another: the rings stay.
  stack::XdpDropProgram drop;
  const uint64_t commands = b.driver->admin().sent();
  EXPECT_EQ(b.driver->set_xdp_program(&drop), 0);
  EXPECT_EQ(b.driver->admin().sent(), commands);
  EXPECT_EQ(b.driver->set_xdp_program(nullptr), 0);
  EXPECT_EQ(b.driver->xdp_rings(), 0u);
  b.receive(0, udp_frame());
  b.poll();
  EXPECT_EQ(b.stack.delivered_frames(), 1u);
  b.expect_no_leaks();
}

TEST(Xdp, B20_DownAndUpFreesXdpBuffers) {
  stack::XdpTxProgram program;
  IceBench b(IceBench::with(&program));
  b.start();
  for (int i = 0; i < 50; ++i) b.receive(0, udp_frame());
  b.poll();
  b.driver->stop();
  EXPECT_EQ(b.stack.leaked_pages, 0u);
  EXPECT_EQ(b.host.mappings(), 0u);
  ASSERT_EQ(b.driver->open(), 0);
  b.expect_no_leaks();
}

TEST(XdpSkb, GenericTransmitUsesTheOrdinaryRing) {
  stack::XdpTxProgram program;
  IceDriverConfig c = IceBench::with(&program);
  c.mode = XdpMode::kSkb;
  IceBench b(c);
  b.start();
  EXPECT_EQ(b.driver->xdp_rings(), 0u);
  b.receive(0, udp_frame());
  b.poll();
  const auto sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].bytes, swapped(udp_frame()));
  b.report(0);
  b.poll();
  b.expect_no_leaks();
}

}  // namespace
}  // namespace doorbell::drivers::ice
