// Owner counters and user flags on both sides.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/tsnep/tsnep_bench.h"

namespace doorbell::drivers::tsnep {
namespace {

// Activation k carries 1 + floor(k / 255) mod 3, in slot k mod 256.
uint32_t counter_of(uint64_t k) {
  return static_cast<uint32_t>(1 + k / 255 % 3);
}

TEST(Owner, TransmitCounterOfTwoThousandActivations) {
  TsnepBench b;
  b.start();
  for (uint64_t k = 0; k < 2000; ++k) {
    ASSERT_TRUE(b.send(b.skb(udp_frame(60, static_cast<uint8_t>(k)))));
    const auto frames = b.transmit();
    ASSERT_EQ(frames.size(), 1u) << k;
    EXPECT_EQ(frames[0].properties[0] >> 30, counter_of(k)) << k;
    EXPECT_EQ(frames[0].block, b.driver->pair(0).tx.blocks.block(k % 256));
    EXPECT_EQ(frames[0].bytes, udp_frame(60, static_cast<uint8_t>(k)));
    b.acknowledge(frames[0]);
    b.poll();
  }
  EXPECT_EQ(b.driver->statistics().tx_packets, 2000u);
  b.expect_no_leaks();
}

// The vectors of the fact sheet.
TEST(Owner, SlotVectors) {
  desc::OwnerCounter owner(256);
  std::vector<uint32_t> carried;
  for (uint32_t k = 0; k < 1020; ++k) carried.push_back(owner.activate(k % 256));
  EXPECT_EQ(carried[254], 1u);
  EXPECT_EQ(carried[255], 2u);
  EXPECT_EQ(carried[510], 3u);
  EXPECT_EQ(carried[511], 3u);
  EXPECT_EQ(carried[765], 1u);
  EXPECT_EQ(carried[766], 1u);
}

TEST(Owner, ReceiveCounterGoesOnAcrossRefills) {
  TsnepBench b;
  b.start();
  for (unsigned k = 0; k < 255; ++k) {
    ASSERT_EQ(b.host.peek32(b.driver->pair(0).rx.blocks.properties(k)) >> 30, 1u) << k;
  }
  EXPECT_EQ(b.host.peek32(b.driver->pair(0).rx.blocks.properties(255)), 0u) << "one stays free";
  for (uint64_t k = 0; k < 2000; ++k) {
    ASSERT_TRUE(b.receive(udp_frame(60, static_cast<uint8_t>(k)))) << k;
    b.poll();
    // Each poll puts one buffer back: activation 255 + k.
    EXPECT_EQ(b.host.peek32(b.driver->pair(0).rx.blocks.properties((255 + k) % 256)) >> 30,
              counter_of(255 + k));
  }
  EXPECT_EQ(b.tap.frames.size(), 2000u);
  b.expect_no_leaks();
}

TEST(Owner, NothingIsTakenFromAFullRingTwice) {
  TsnepBench b;
  b.start();
  for (unsigned k = 0; k < 255; ++k) ASSERT_TRUE(b.receive(udp_frame())) << k;
  EXPECT_FALSE(b.receive(udp_frame())) << "the 256th block holds an old counter";
}

// A slot that is a first fragment, then a second one, then a first again while its write-back still
// says what it said the first time: without the flag it would look sent.
TEST(Owner, UserFlagKeepsAnOldAcknowledgementFromCounting) {
  TsnepBench b;
  b.start();
  const auto frag_pair = [&b] {
    stack::SkBuff* skb = b.skb(udp_frame(60));
    b.add_frag(*skb, Bytes(100, 7));
    return skb;
  };
  uint64_t activations = 0;
  const auto single = [&] {
    ASSERT_TRUE(b.send(b.skb(udp_frame())));
    ++activations;
    ASSERT_EQ(b.finish(), 1u);
    b.poll();
  };
  single();  // slot 0, counter 1
  const uint32_t old = b.host.peek32(b.driver->pair(0).tx.blocks.writeback(0));
  while (activations % 256 != 255) single();
  ASSERT_TRUE(b.send(frag_pair()));  // slots 255 and 0: no write-back for slot 0
  activations += 2;
  ASSERT_EQ(b.finish(), 1u);
  b.poll();
  EXPECT_EQ(b.host.peek32(b.driver->pair(0).tx.blocks.writeback(0)), old);
  while (activations % 256 != 255) single();
  ASSERT_TRUE(b.send(frag_pair()));
  activations += 2;
  ASSERT_EQ(b.finish(), 1u);
  b.poll();
  while (activations % 256 != 0) single();
  EXPECT_EQ(b.host.peek32(b.driver->pair(0).tx.blocks.writeback(0)), old);
  ASSERT_TRUE(b.send(b.skb(udp_frame())));  // slot 0 again, counter 1 + 768 / 255 mod 3
  const auto frames = b.transmit();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].properties[0] >> 30, counter_of(768));
  EXPECT_EQ(counter_of(768), old >> 30) << "the counter alone could not tell";
  const uint64_t before = b.driver->statistics().tx_packets;
  b.poll();
  EXPECT_EQ(b.driver->statistics().tx_packets, before);
  b.acknowledge(frames[0]);
  b.poll();
  EXPECT_EQ(b.driver->statistics().tx_packets, before + 1);
}

TEST(Ring, BlocksAreLinkedIn16PagesOf16) {
  TsnepBench b;
  b.start();
  EXPECT_EQ(b.host.coherent_blocks(), 1u + 16 + 16);
  const RingBlocks& blocks = b.driver->pair(0).tx.blocks;
  for (unsigned i = 0; i < 256; ++i) {
    EXPECT_EQ(blocks.block(i) % 256, 0u);
    EXPECT_EQ(b.host.peek64(blocks.block(i) + 128 + 16), blocks.block((i + 1) % 256)) << i;
  }
}

}  // namespace
}  // namespace doorbell::drivers::tsnep
