// Receive: lengths, refill thresholds, reuse, budgets, interrupt masks, errors, stamps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/tsnep/tsnep_bench.h"

namespace doorbell::drivers::tsnep {
namespace {

using ::testing::ElementsAre;
using Kind = hal::ScriptedStep::Kind;
using stack::DropReason;

TEST(Rx, FrameWithoutMetadataAndFcsReachesTheStack) {
  TsnepBench b;
  b.start();
  for (const uint32_t bytes : {60u, 61u, 1514u}) ASSERT_TRUE(b.receive(udp_frame(bytes)));
  EXPECT_EQ(b.driver->pending_rx(b), 3u);
  EXPECT_EQ(b.poll(), 3);
  EXPECT_THAT(b.sink.frames, ElementsAre(udp_frame(60), udp_frame(61), udp_frame(1514)));
  EXPECT_EQ(b.tap.frames, b.sink.frames);
  EXPECT_EQ(b.driver->statistics().rx_bytes, 60u + 61 + 1514);
  b.expect_no_leaks();
}

TEST(Rx, DescriptorIsBufferSizeInterruptCounterAndAddress) {
  TsnepBench b;
  b.start();
  const RxRing& ring = b.driver->pair(0).rx;
  EXPECT_EQ(b.host.peek32(ring.blocks.block(0) + 128), 3520u | 1u << 18 | 1u << 30);
  EXPECT_EQ(b.host.peek64(ring.blocks.block(0) + 152), ring.slots[0].page->dma + 256);
}

// Barrier 2 and the doorbell of a refill.
TEST(Rx, OrderOfARefill) {
  TsnepBench b;
  b.start();
  ASSERT_TRUE(b.receive(udp_frame()));
  b.host.record(true);
  b.poll();
  const uint64_t block = b.driver->pair(0).rx.blocks.block(255);
  std::vector<std::pair<Kind, uint64_t>> steps;
  bool within = false;
  for (const auto& s : b.host.steps()) {
    within = within || s.address == block + 152;
    const bool kept =
        s.kind == Kind::kStore || s.kind == Kind::kDmaWmb || s.kind == Kind::kMmioWrite;
    if (within && kept && steps.size() < 5) steps.emplace_back(s.kind, s.address);
  }
  EXPECT_THAT(steps, ElementsAre(std::make_pair(Kind::kStore, block + 152),
                                 std::make_pair(Kind::kDmaWmb, uint64_t{0}),
                                 std::make_pair(Kind::kStore, block + 128),
                                 std::make_pair(Kind::kDmaWmb, uint64_t{0}),
                                 std::make_pair(Kind::kMmioWrite, uint64_t{0x108})));
}

// Barrier 5: nothing of the buffer is looked at before.
TEST(Rx, ReadBarrierBehindTheAcknowledgement) {
  TsnepBench b;
  b.start();
  ASSERT_TRUE(b.receive(udp_frame()));
  b.host.record(true);
  b.poll();
  const uint64_t writeback = b.driver->pair(0).rx.blocks.block(0);
  bool seen = false;
  bool ordered = false;
  for (const auto& s : b.host.steps()) {
    if (s.kind == Kind::kLoad && s.address == writeback) seen = true;
    if (s.kind == Kind::kDmaRmb && seen) ordered = true;
    if (s.kind == Kind::kSyncForCpu) {
      EXPECT_TRUE(ordered);
      return;
    }
  }
  FAIL() << "no sync";
}

// In the loop only from 16 free slots on, at its end whatever is free.
TEST(Rx, B11_RefillsFrom16InTheLoopAndAllAtItsEnd) {
  TsnepBench b;
  b.start();
  for (unsigned i = 0; i < 17; ++i) ASSERT_TRUE(b.receive(udp_frame()));
  b.host.reset_counts();
  EXPECT_EQ(b.poll(), 17);
  EXPECT_EQ(b.driver->statistics().rx_doorbells, 1u + 2) << "open; 16 in the loop; 1 at the end";
  EXPECT_EQ(b.driver->pair(0).rx.available(), 0u);
}

// No memory at all: nothing is reused until 192 slots are free, and then the ring never empties.
TEST(Rx, B11_ReusesFrom192WhenThereIsNoMemory) {
  TsnepBench b;
  b.start();
  b.driver->rx_pool(0)->fail_allocs(1, 1u << 30);
  unsigned delivered = 0;
  for (unsigned i = 0; i < 300; ++i) {
    ASSERT_TRUE(b.receive(udp_frame(60, static_cast<uint8_t>(i)))) << i;
    b.poll();
    if (b.sink.frames.size() == i + 1) delivered = i + 1;
  }
  EXPECT_EQ(delivered, 192u);
  EXPECT_EQ(b.driver->statistics().rx_reused, 300u - 192);
  EXPECT_EQ(b.drops(DropReason::kRxAllocFailed), 300u - 192);
  EXPECT_EQ(b.driver->pair(0).rx.used(), 63u);
  b.driver->rx_pool(0)->fail_allocs(0, 0);
  ASSERT_TRUE(b.receive(udp_frame(60, 77)));
  b.poll();
  EXPECT_EQ(b.sink.frames.back(), udp_frame(60, 77));
  EXPECT_EQ(b.driver->pair(0).rx.available(), 0u);
  b.expect_no_leaks();
}

TEST(Rx, NoSkBuff) {
  TsnepBench b;
  b.start();
  ASSERT_TRUE(b.receive(udp_frame()));
  b.stack.skbs().fail_next(1);
  b.poll();
  EXPECT_EQ(b.drops(DropReason::kRxSkbFailed), 1u);
  b.expect_no_leaks();
}

TEST(Rx, ImpossibleLengthIsADrop) {
  TsnepBench b;
  b.start();
  ASSERT_TRUE(b.receive(udp_frame()));
  const hal::DmaAddr writeback = b.driver->pair(0).rx.blocks.block(0);
  b.host.poke32(writeback, 1u << 30 | (16 + 13 + 4));
  b.poll();
  EXPECT_EQ(b.drops(DropReason::kRxError), 1u);
  b.expect_no_leaks();
}

TEST(Rx, StampsComeFromTheMetadata) {
  TsnepDriverConfig config;
  config.hw_timestamps = true;
  TsnepBench b(config);
  b.start();
  ASSERT_TRUE(b.receive(udp_frame(), 0, 5000000007));
  b.poll();
  EXPECT_THAT(b.sink.stamps, ElementsAre(5000000007u));
}

TEST(Poll, B5_BudgetZeroCleansTransmitAndTouchesNoPagePool) {
  TsnepBench b;
  b.start();
  // A slot is free, so that a refill would ask for a page.
  b.driver->rx_pool(0)->fail_allocs(1, 1);
  ASSERT_TRUE(b.receive(udp_frame()));
  b.poll();
  ASSERT_EQ(b.driver->pair(0).rx.available(), 1u);
  ASSERT_TRUE(b.send(b.skb(udp_frame())));
  ASSERT_EQ(b.finish(), 1u);
  ASSERT_TRUE(b.receive(udp_frame()));
  b.host.reset_counts();
  EXPECT_EQ(const_cast<TsnepQueue&>(b.driver->pair(0)).poll(0), 0);
  EXPECT_EQ(b.driver->statistics().tx_packets, 1u);
  EXPECT_EQ(b.driver->statistics().rx_packets, 1u) << "the one before";
  EXPECT_EQ(b.host.count(hal::Op::kPagePoolAlloc), 0u);
  EXPECT_EQ(b.host.count(hal::Op::kPagePoolPut), 0u);
}

TEST(Poll, WholeBudgetStaysScheduledWithInterruptsOff) {
  TsnepBench b;
  b.start();
  for (unsigned i = 0; i < 64; ++i) ASSERT_TRUE(b.receive(udp_frame()));
  EXPECT_EQ(b.poll(), 64);
  EXPECT_TRUE(b.queue_host(0).napi_scheduled());
  EXPECT_THAT(b.enables, ElementsAre(0x80000300u));
  EXPECT_EQ(b.poll(), 0);
  EXPECT_THAT(b.enables, ElementsAre(0x80000300u, 0x300u));
}

// Masks of queue 2: bits 12 and 13; nothing is read or acknowledged.
TEST(Interrupt, OtherLinesOnlyMask) {
  TsnepBench b(TsnepDriverConfig{}, 3);
  b.start();
  EXPECT_TRUE(b.queue_host(2).raise(0));
  EXPECT_EQ(b.host.mmio_reads(0x1C), 0u);
  EXPECT_THAT(b.enables, ElementsAre(0x80003000u));
  EXPECT_TRUE(b.queue_host(2).napi_scheduled());
  EXPECT_FALSE(b.queue_host(0).napi_scheduled());
}

TEST(Interrupt, MacLineAcknowledgesWhatItRead) {
  TsnepBench b;
  b.start();
  b.host.set_register(0x1C, 0x100);
  EXPECT_TRUE(b.queue_host(0).raise(0));
  EXPECT_EQ(b.host.register_value(0x1C), 0x100u);
  EXPECT_EQ(b.host.mmio_writes(0x1C), 1u);
  EXPECT_TRUE(b.queue_host(0).napi_scheduled());
  b.host.set_register(0x1C, 0);
  EXPECT_FALSE(b.queue_host(0).raise(0)) << "not ours";
}

// Claim before mask: a poll that runs already keeps its own mask.
TEST(Interrupt, B4_NoMaskWithoutTheClaim) {
  TsnepBench b(TsnepDriverConfig{}, 2);
  b.start();
  b.queue_host(1).raise(0);
  b.enables.clear();
  b.host.reset_counts();
  b.queue_host(1).raise(0);
  EXPECT_TRUE(b.enables.empty());
  EXPECT_EQ(b.host.register_value(0x1C), 0xC00u) << "acknowledged, so that the line can rise again";
}

// A frame that arrives when interrupts are enabled, behind the poll's last look.
TEST(Interrupt, B2_LooksAgainAfterTheEnable) {
  for (const bool recheck : {true, false}) {
    TsnepDriverConfig config;
    config.recheck = recheck;
    TsnepBench b(config);
    b.start();
    bool late = true;
    b.host.on_write(0x18, [&](uint32_t v) {
      b.enables.push_back(v);
      if (v == 0x300 && late) {
        late = false;
        ASSERT_TRUE(b.receive(udp_frame()));
      }
    });
    b.poll();
    EXPECT_EQ(b.queue_host(0).napi_scheduled(), recheck);
    EXPECT_EQ(b.driver->statistics().rechecks, recheck ? 1u : 0u);
    if (!recheck) continue;
    EXPECT_THAT(b.enables, ElementsAre(0x80000300u, 0x300u, 0x80000300u));
    EXPECT_EQ(b.poll(), 1);
    EXPECT_THAT(b.sink.frames, ElementsAre(udp_frame()));
  }
}

}  // namespace
}  // namespace doorbell::drivers::tsnep
