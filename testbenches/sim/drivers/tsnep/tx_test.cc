// Transmit of sk_buffs, clean-up, space, barriers, errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "testbenches/sim/drivers/tsnep/tsnep_bench.h"

namespace doorbell::drivers::tsnep {
namespace {

using ::testing::ElementsAre;
using Kind = hal::ScriptedStep::Kind;
using stack::DropReason;

constexpr uint32_t kLast = 1u << 16;
constexpr uint32_t kInline = 1u << 17;
constexpr uint32_t kInterrupt = 1u << 18;
constexpr uint32_t kExtended = 1u << 19;
constexpr uint32_t kFlags = kLast | kInline | kInterrupt | kExtended | 0x3FFF;

TEST(Tx, MappedHead) {
  TsnepBench b;
  b.start();
  const Bytes frame = udp_frame(300);
  ASSERT_TRUE(b.send(b.skb(frame)));
  const auto sent = b.transmit();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].bytes, frame);
  EXPECT_THAT(sent[0].lengths, ElementsAre(300u));
  EXPECT_EQ(sent[0].properties[0] & kFlags, 300u | kLast | kInterrupt);
  EXPECT_EQ(b.host.mmio_writes(0x108), 1u);
  b.acknowledge(sent[0]);
  b.poll();
  EXPECT_EQ(b.driver->statistics().tx_bytes, 304u) << "FCS counts";
  EXPECT_EQ(b.stack.skbs().in_use(), 0u);
  b.expect_no_leaks();
}

TEST(Tx, InlineUpTo40AndPagedFragments) {
  TsnepBench b;
  b.start();
  Bytes frame = udp_frame(40);
  stack::SkBuff* skb = b.skb(frame);
  const Bytes longer(41, 0x11);
  const Bytes page(1000, 0x22);
  const Bytes tail(1, 0x33);
  for (const Bytes& part : {longer, page, tail}) {
    b.add_frag(*skb, part);
    frame.insert(frame.end(), part.begin(), part.end());
  }
  const uint32_t before = b.host.mappings();
  ASSERT_TRUE(b.send(skb));
  EXPECT_EQ(b.host.mappings() - before, 2u);
  const auto sent = b.transmit();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].bytes, frame);
  EXPECT_THAT(sent[0].lengths, ElementsAre(40u, 41u, 1000u, 1u));
  EXPECT_EQ(sent[0].properties[0] & kFlags, 1082u | kInline | kInterrupt);
  EXPECT_EQ(sent[0].properties[1] & kFlags, 0u);
  EXPECT_EQ(sent[0].properties[2] & kFlags, 0u);
  EXPECT_EQ(sent[0].properties[3] & kFlags, kInline | kLast);
  const auto& slots = b.driver->pair(0).tx.slots;
  EXPECT_EQ(slots[0].type, 0x104u);
  EXPECT_EQ(slots[1].type, 0x202u);
  EXPECT_EQ(slots[3].type, 0x204u);
  b.acknowledge(sent[0]);
  b.poll();
  EXPECT_EQ(b.host.mappings(), before);
  b.expect_no_leaks();
}

// Barriers 1 and 3: body, barrier, properties; then barrier, doorbell.
TEST(Tx, OrderOfStoresBarriersAndDoorbell) {
  TsnepBench b;
  b.start();
  stack::SkBuff* skb = b.skb(udp_frame(100));
  b.host.record(true);
  ASSERT_TRUE(b.send(skb));
  const RingBlocks& blocks = b.driver->pair(0).tx.blocks;
  std::vector<std::pair<Kind, uint64_t>> steps;
  for (const auto& s : b.host.steps()) {
    if (s.kind == Kind::kStore || s.kind == Kind::kDmaWmb || s.kind == Kind::kMmioWrite) {
      steps.emplace_back(s.kind, s.address);
    }
  }
  const uint64_t block = blocks.block(0);
  EXPECT_THAT(steps, ElementsAre(std::make_pair(Kind::kStore, block + 152),
                                 std::make_pair(Kind::kStore, block + 132),
                                 std::make_pair(Kind::kDmaWmb, uint64_t{0}),
                                 std::make_pair(Kind::kStore, block + 128),
                                 std::make_pair(Kind::kDmaWmb, uint64_t{0}),
                                 std::make_pair(Kind::kMmioWrite, uint64_t{0x108})));
}

// Stop below 18 free, wake from 36, on the queue's own state (bug B3).
TEST(Tx, B3_StopsBelow18AndWakesAt36OnItsOwnQueue) {
  TsnepBench b(TsnepDriverConfig{}, 2);
  b.start();
  b.host.set_cpu(1);
  unsigned sent = 0;
  while (!b.driver->queue(1).stopped) {
    ASSERT_TRUE(b.send(b.skb(udp_frame())));
    ++sent;
  }
  EXPECT_EQ(255 - sent, 17u);
  EXPECT_FALSE(b.driver->queue(0).stopped);
  EXPECT_FALSE(b.send(b.skb(udp_frame())));
  EXPECT_EQ(b.drops(DropReason::kSkbTxQueueStopped), 1u);
  for (unsigned free = 17; free < 36; ++free) {
    EXPECT_TRUE(b.driver->queue(1).stopped) << free;
    const auto frames = b.transmit(1, 1);
    ASSERT_EQ(frames.size(), 1u);
    b.acknowledge(frames[0]);
    b.poll(1);
  }
  EXPECT_FALSE(b.driver->queue(1).stopped);
  b.expect_no_leaks();
}

TEST(Tx, BusyWhenTheFrameDoesNotFit) {
  TsnepBench b;
  b.start();
  while (!b.driver->queue(0).stopped) ASSERT_TRUE(b.send(b.skb(udp_frame())));
  stack::SkBuff* skb = b.skb(udp_frame());
  for (unsigned i = 0; i < 17; ++i) b.add_frag(*skb, Bytes(50, 1));
  EXPECT_EQ(b.driver->xmit(*skb, 0), stack::TxStatus::kBusy);
  EXPECT_EQ(b.driver->statistics().tx_busy, 1u);
  b.stack.skbs().free(*skb);
  b.expect_no_leaks();
}

// Each mapping of a frame of four fails in turn while another frame is in flight.
TEST(Tx, B1_MapFailureUnmapsFromWriteNotFromRead) {
  for (unsigned failing = 1; failing <= 4; ++failing) {
    TsnepBench b;
    b.start();
    ASSERT_TRUE(b.send(b.skb(udp_frame(200, 1))));
    const uint32_t before = b.host.mappings();
    stack::SkBuff* skb = b.skb(udp_frame(200, 2));
    for (unsigned i = 0; i < 3; ++i) b.add_frag(*skb, Bytes(500, 3));
    b.host.fail_maps(failing, 1);
    EXPECT_EQ(b.driver->xmit(*skb, 0), stack::TxStatus::kOk);
    EXPECT_EQ(b.drops(DropReason::kSkbTxMapFailed), 1u);
    EXPECT_EQ(b.driver->statistics().tx_dropped, 1u);
    EXPECT_EQ(b.host.mappings(), before) << "the frame in flight keeps its own";
    ASSERT_TRUE(b.send(b.skb(udp_frame(300, 4))));
    const auto frames = b.transmit();
    ASSERT_EQ(frames.size(), 2u);
    EXPECT_EQ(frames[1].bytes, udp_frame(300, 4));
    for (const Sent& f : frames) b.acknowledge(f);
    b.poll();
    b.expect_no_leaks();
  }
}

TEST(Tx, OffloadsAreRefused) {
  TsnepBench b;
  b.start();
  stack::SkBuff* skb = b.skb(udp_frame());
  skb->ip_summed = stack::Checksum::kPartial;
  EXPECT_TRUE(b.send(skb));
  EXPECT_EQ(b.drops(DropReason::kSkbTxUnsupported), 1u);
  EXPECT_EQ(b.stack.skbs().in_use(), 0u);
}

// Decided once at transmit, by the configuration too.
TEST(Tx, B9_StampsOnlyWhereConfigured) {
  for (const bool on : {false, true}) {
    TsnepDriverConfig config;
    config.hw_timestamps = on;
    TsnepBench b(config);
    b.start();
    stack::SkBuff* skb = b.skb(udp_frame());
    skb->want_tx_timestamp = true;
    ASSERT_TRUE(b.send(skb));
    ASSERT_TRUE(b.send(b.skb(udp_frame())));
    const auto frames = b.transmit();
    EXPECT_EQ((frames[0].properties[0] & kExtended) != 0, on);
    EXPECT_EQ(frames[1].properties[0] & kExtended, 0u);
    b.acknowledge(frames[0], on ? kExtended : 0, 123456789012345);
    b.acknowledge(frames[1]);
    b.poll();
    EXPECT_EQ(b.driver->last_tx_timestamp_ns(), on ? 123456789012345u : 0u);
    EXPECT_EQ(b.driver->statistics().tx_timestamps, on ? 1u : 0u);
    b.expect_no_leaks();
  }
}

TEST(Tx, NoStampWithoutTheDevicesBit) {
  TsnepDriverConfig config;
  config.hw_timestamps = true;
  TsnepBench b(config);
  b.start();
  stack::SkBuff* skb = b.skb(udp_frame());
  skb->want_tx_timestamp = true;
  ASSERT_TRUE(b.send(skb));
  b.acknowledge(b.transmit()[0], 0, 99);
  b.poll();
  EXPECT_EQ(b.driver->statistics().tx_timestamps, 0u);
}

TEST(Clean, BudgetOf128KeepsPolling) {
  TsnepBench b;
  b.start();
  for (unsigned i = 0; i < 130; ++i) ASSERT_TRUE(b.send(b.skb(udp_frame())));
  ASSERT_EQ(b.finish(), 130u);
  EXPECT_EQ(b.poll(), 64) << "not complete: the whole budget";
  EXPECT_EQ(b.driver->statistics().tx_packets, 128u);
  EXPECT_TRUE(b.queue_host(0).napi_scheduled());
  EXPECT_EQ(b.poll(), 0);
  EXPECT_EQ(b.driver->statistics().tx_packets, 130u);
  EXPECT_FALSE(b.queue_host(0).napi_scheduled());
}

TEST(Clean, AcknowledgementInTheMiddleWaitsForTheFirst) {
  TsnepBench b;
  b.start();
  for (unsigned i = 0; i < 3; ++i) ASSERT_TRUE(b.send(b.skb(udp_frame())));
  const auto frames = b.transmit();
  b.acknowledge(frames[1]);
  b.poll();
  EXPECT_EQ(b.driver->statistics().tx_packets, 0u);
  b.acknowledge(frames[0]);
  b.poll();
  EXPECT_EQ(b.driver->statistics().tx_packets, 2u);
  EXPECT_EQ(b.driver->pending_tx(), 1u);
  EXPECT_EQ(b.driver->pending_tx_device(b), 1u);
}

// Barrier 4.
TEST(Clean, ReadBarrierBehindTheAcknowledgement) {
  TsnepBench b;
  b.start();
  ASSERT_TRUE(b.send(b.skb(udp_frame(100))));
  ASSERT_EQ(b.finish(), 1u);
  b.host.record(true);
  b.poll();
  const auto& steps = b.host.steps();
  const uint64_t writeback = b.driver->pair(0).tx.blocks.block(0);
  const auto load = std::find_if(steps.begin(), steps.end(), [&](const auto& s) {
    return s.kind == Kind::kLoad && s.address == writeback;
  });
  ASSERT_NE(load, steps.end());
  const auto next = std::next(load);
  ASSERT_NE(next, steps.end());
  EXPECT_EQ(next->kind, Kind::kDmaRmb);
  const auto unmap =
      std::find_if(next, steps.end(), [](const auto& s) { return s.kind == Kind::kUnmap; });
  EXPECT_NE(unmap, steps.end());
}

}  // namespace
}  // namespace doorbell::drivers::tsnep
