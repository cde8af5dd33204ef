// Verdicts, XDP_TX, ndo_xdp_xmit, what a program sees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "testbenches/sim/drivers/tsnep/tsnep_bench.h"

namespace doorbell::drivers::tsnep {
namespace {

using stack::DropReason;
using stack::Verdict;
using ::testing::ElementsAre;

TEST(Xdp, PassDropAbortedUnknown) {
  Verdict verdict = Verdict::kPass;
  Custom program([&](stack::XdpBuff&, stack::XdpContext&) { return verdict; });
  TsnepBench b(TsnepBench::with(&program));
  b.start();
  for (const int v : {2, 1, 0, 9}) {
    verdict = static_cast<Verdict>(v);
    ASSERT_TRUE(b.receive(udp_frame()));
    b.poll();
  }
  EXPECT_EQ(b.sink.frames.size(), 1u);
  EXPECT_EQ(b.drops(DropReason::kXdpDrop), 1u);
  EXPECT_EQ(b.drops(DropReason::kXdpAborted), 1u);
  EXPECT_EQ(b.drops(DropReason::kXdpUnknownVerdict), 1u);
  EXPECT_EQ(b.driver->statistics().rx_xdp_drop, 3u);
  EXPECT_EQ(b.driver->statistics().rx_xdp_pass, 1u);
  b.expect_no_leaks();
}

TEST(Xdp, B6_ProgramSeesNeitherMetadataNorFcs) {
  uint32_t length = 0;
  ptrdiff_t headroom = 0;
  Custom program([&](stack::XdpBuff& buff, stack::XdpContext&) {
    length = buff.length();
    headroom = buff.data - buff.data_hard_start;
    return Verdict::kDrop;
  });
  TsnepBench b(TsnepBench::with(&program));
  b.start();
  ASSERT_TRUE(b.receive(udp_frame(100)));
  b.poll();
  EXPECT_EQ(length, 100u);
  EXPECT_EQ(headroom, 272) << "256 and the hidden metadata";
}

TEST(Xdp, TxSendsThePageBackWithOneDoorbellAPoll) {
  stack::XdpTxProgram program;
  TsnepBench b(TsnepBench::with(&program));
  b.start();
  for (uint8_t i = 0; i < 5; ++i) ASSERT_TRUE(b.receive(udp_frame(60, i)));
  b.poll();
  EXPECT_EQ(b.driver->statistics().tx_doorbells, 1u);
  EXPECT_EQ(b.driver->pair(0).tx.slots[0].type, 1u << 10);
  const auto frames = b.transmit();
  ASSERT_EQ(frames.size(), 5u);
  for (uint8_t i = 0; i < 5; ++i) {
    EXPECT_EQ(frames[i].bytes, swapped(udp_frame(60, i)));
    EXPECT_EQ(frames[i].properties[0] & 1u << 17, 0u) << "never inline";
    b.acknowledge(frames[i]);
  }
  EXPECT_EQ(b.driver->statistics().tx_mapped, 0u);
  b.poll();
  b.expect_no_leaks();
}

TEST(Xdp, TxRingFullBelow18Free) {
  stack::XdpTxProgram program;
  TsnepBench b(TsnepBench::with(&program));
  b.start();
  for (unsigned i = 0; i < 245; ++i) {
    ASSERT_TRUE(b.receive(udp_frame()));
    b.poll();
  }
  EXPECT_EQ(b.driver->statistics().tx_submitted, 238u) << "17 stay free";
  EXPECT_EQ(b.drops(DropReason::kXdpTxRingFull), 7u);
  EXPECT_EQ(b.driver->statistics().rx_xdp_tx_errors, 7u);
  b.expect_no_leaks();
}

TEST(Xdp, L3_PassAfterAdjustHeadAndTail) {
  Custom program([](stack::XdpBuff& buff, stack::XdpContext&) {
    buff.data += 4;
    buff.data_end -= 6;
    return Verdict::kPass;
  });
  for (const bool fixed : {true, false}) {
    TsnepDriverConfig config = TsnepBench::with(&program);
    config.fix_hazards = fixed;
    TsnepBench b(config);
    b.start();
    const Bytes frame = udp_frame(100);
    ASSERT_TRUE(b.receive(frame));
    b.poll();
    ASSERT_EQ(b.sink.frames.size(), 1u);
    EXPECT_EQ(b.sink.frames[0], fixed ? Bytes(frame.begin() + 4, frame.end() - 6) : frame);
    b.expect_no_leaks();
  }
}

// Out of the same port: by ndo_xdp_xmit, mapped, under the lock.
TEST(Xdp, RedirectGoesThroughXdpXmit) {
  stack::XdpRedirectProgram program(1);
  TsnepBench b(TsnepBench::with(&program));
  b.start();
  for (unsigned i = 0; i < 20; ++i) ASSERT_TRUE(b.receive(udp_frame()));
  b.poll();
  EXPECT_EQ(b.driver->statistics().tx_xdp_xmit, 20u);
  EXPECT_EQ(b.driver->pair(0).tx.slots[0].type, 1u << 11 | 1u);
  EXPECT_EQ(b.driver->statistics().tx_mapped, 20u);
  const uint32_t mapped = b.host.mappings();
  EXPECT_EQ(b.driver->statistics().tx_doorbells, 1u) << "the first 16 went without a flush";
  EXPECT_EQ(b.finish(), 20u);
  b.poll();
  EXPECT_EQ(b.host.mappings(), mapped - 20);
  b.expect_no_leaks();
}

TEST(Xdp, RedirectRefusals) {
  stack::XdpRedirectProgram program(1);
  TsnepBench b(TsnepBench::with(&program));
  b.start();
  ASSERT_TRUE(b.receive(udp_frame()));
  b.host.fail_maps(1, 1);
  b.poll();
  EXPECT_EQ(b.drops(DropReason::kRedirectMapFailed), 1u);
  while (!b.driver->queue(0).stopped) ASSERT_TRUE(b.send(b.skb(udp_frame())));
  ASSERT_TRUE(b.receive(udp_frame()));
  b.poll();
  EXPECT_EQ(b.drops(DropReason::kRedirectRingFull), 1u);
  EXPECT_EQ(b.driver->statistics().tx_xdp_xmit_errors, 2u);
  b.expect_no_leaks();
  stack::XdpFrame* none = nullptr;
  EXPECT_EQ(b.driver->xdp_xmit(&none, 0), -ENETDOWN);
}

TEST(Xdp, RedirectWithoutTargetOrHeadroom) {
  uint32_t target = 9;
  Custom program([&](stack::XdpBuff& buff, stack::XdpContext& context) {
    if (target == 1) buff.data = buff.data_hard_start + 39;
    return stack::redirect_to(context, target);
  });
  TsnepBench b(TsnepBench::with(&program));
  b.start();
  ASSERT_TRUE(b.receive(udp_frame()));
  b.poll();
  EXPECT_EQ(b.drops(DropReason::kRedirectNoTarget), 1u);
  target = 1;
  ASSERT_TRUE(b.receive(udp_frame()));
  b.poll();
  EXPECT_EQ(b.drops(DropReason::kXdpNoHeadroom), 1u);
  b.expect_no_leaks();
}

// cpu & 7, then minus the number of queues until in range.
TEST(Xdp, XmitQueueByCore) {
  stack::XdpRedirectProgram program(1);
  TsnepBench b(TsnepBench::with(&program), 3);
  b.start();
  const unsigned want[] = {0, 1, 2, 0, 1, 2, 0, 1, 0, 1};
  for (unsigned cpu = 0; cpu < 10; ++cpu) {
    b.host.set_cpu(cpu);
    ASSERT_TRUE(b.receive(udp_frame()));
    b.poll();
    EXPECT_EQ(b.finish(want[cpu]), 1u) << cpu;
    for (unsigned q = 0; q < 3; ++q) b.poll(q);
  }
}

TEST(Xdp, B15_AttachAndDetachStopNothing) {
  stack::XdpDropProgram drop;
  TsnepBench b;
  b.start();
  b.host.reset_counts();
  EXPECT_EQ(b.driver->set_xdp_program(&drop), 0);
  EXPECT_EQ(b.host.count(hal::Op::kMmioWrite), 0u);
  ASSERT_TRUE(b.receive(udp_frame()));
  b.poll();
  EXPECT_EQ(b.drops(DropReason::kXdpDrop), 1u);
  EXPECT_EQ(b.driver->set_xdp_program(nullptr), 0);
  ASSERT_TRUE(b.receive(udp_frame()));
  b.poll();
  EXPECT_EQ(b.sink.frames.size(), 1u);
}

// What the program wrote behind the old end must not be left dirty in the cache.
TEST(Xdp, DroppedPageIsCleanedAsFarAsTheLongerEnd) {
  Custom program([](stack::XdpBuff& buff, stack::XdpContext& context) {
    buff.data_end += 200;
    context.hal.dma.touch(buff.data, buff.length(), hal::Touch::kWrite);
    std::fill(buff.data, buff.data_end, uint8_t{0xDD});
    return Verdict::kDrop;
  });
  TsnepBench b(TsnepBench::with(&program));
  b.start();
  const hal::DmaAddr dma = b.driver->pair(0).rx.slots[0].dma;
  ASSERT_TRUE(b.receive(udp_frame(60)));
  b.poll();
  EXPECT_EQ(b.host.device_read(dma + 16, 260), Bytes(260, 0xDD));
}

}  // namespace
}  // namespace doorbell::drivers::tsnep
