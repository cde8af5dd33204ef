// Rings: layout of the ABI, indices, wrap, full and empty, and when each side looks at the other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

struct Host {
  hal::ScriptedHal host;
  hal::Hal hal = host.hal();
};

// Linux 6.12 on 64-byte lines: producer 0, consumer 128, flags 196, entries 320.
TEST(XskRing, LayoutOfTheAbi) {
  Host h;
  RingMemory tx(h.hal.dma, h.host.shared(), RingKind::kTx, 4);
  tx.set_producer(0x11111111);
  tx.set_consumer(0x22222222);
  tx.set_flags(1);
  tx.set_desc(1, {0x0102030405060708, 0x0A0B0C0D, 0x11121314});
  const auto word = [&](uint32_t at) { return base::load_le<uint32_t>(tx.base() + at); };
  EXPECT_EQ(word(0), 0x11111111u);
  EXPECT_EQ(word(128), 0x22222222u);
  EXPECT_EQ(word(196), 1u);
  EXPECT_EQ(word(320 + 16), 0x05060708u);
  EXPECT_EQ(word(320 + 20), 0x01020304u);
  EXPECT_EQ(word(320 + 24), 0x0A0B0C0Du);
  EXPECT_EQ(word(320 + 28), 0x11121314u);
  EXPECT_EQ(tx.bytes(), 320u + 4 * 16);
  RingMemory fill(h.hal.dma, h.host.shared(), RingKind::kFill, 8);
  fill.set_addr(9, 0x77);
  EXPECT_EQ(base::load_le<uint64_t>(fill.base() + 320 + 8), 0x77u) << "indices wrap";
  EXPECT_EQ(fill.bytes(), 320u + 8 * 8);
}

TEST(XskRing, MemoryGoesBack) {
  Host h;
  {
    RingMemory ring(h.hal.dma, h.host.shared(), RingKind::kRx, 2048);
    EXPECT_EQ(h.host.shared_bytes_out(), 36864u) << "320 + 2048 * 16, in pages";
  }
  EXPECT_EQ(h.host.shared_bytes_out(), 0u);
}

TEST(XskRing, NoMemory) {
  Host h;
  h.host.fail_shared(1, 1);
  RingMemory ring(h.hal.dma, h.host.shared(), RingKind::kRx, 8);
  EXPECT_FALSE(ring.valid());
}

TEST(XskRing, UserProducerKernelConsumer) {
  Host h;
  Queue kernel(h.hal.dma, h.host.shared(), RingKind::kFill, 4);
  UserProducer user(kernel.ring);
  uint32_t index = 99;
  EXPECT_EQ(kernel.available(1), 0u);
  ASSERT_TRUE(user.reserve(3, index));
  EXPECT_EQ(index, 0u);
  EXPECT_EQ(kernel.available(4), 0u) << "reserved is not submitted";
  user.submit(3);
  EXPECT_FALSE(user.reserve(2, index)) << "all or nothing";
  EXPECT_EQ(kernel.available(2), 2u);
  EXPECT_EQ(kernel.available(8), 3u);
  kernel.take(2);
  EXPECT_FALSE(user.reserve(2, index)) << "taken is not released";
  kernel.release();
  EXPECT_TRUE(user.reserve(3, index));
  EXPECT_EQ(index, 3u);
}

// The kernel gives back what it took when it looks for one more and finds none: an application that
// waits for room must not wait for ever.
TEST(XskRing, ALookForOneMoreReleases) {
  Host h;
  Queue kernel(h.hal.dma, h.host.shared(), RingKind::kFill, 4);
  UserProducer user(kernel.ring);
  uint32_t index = 0;
  ASSERT_TRUE(user.reserve(2, index));
  user.submit(2);
  EXPECT_EQ(kernel.available(1), 1u);
  kernel.take(1);
  EXPECT_EQ(kernel.available(1), 1u);
  kernel.take(1);
  EXPECT_EQ(kernel.ring.peek(kConsumerOffset), 0u);
  EXPECT_EQ(kernel.available(1), 0u);
  EXPECT_EQ(kernel.ring.peek(kConsumerOffset), 2u);
}

TEST(XskRing, KernelProducerUserConsumer) {
  Host h;
  Queue kernel(h.hal.dma, h.host.shared(), RingKind::kRx, 2);
  UserConsumer user(kernel.ring);
  uint32_t index = 0;
  EXPECT_TRUE(kernel.empty());
  EXPECT_TRUE(kernel.reserve_desc({64, 10, 0}));
  EXPECT_TRUE(kernel.reserve_desc({128, 20, 0}));
  EXPECT_FALSE(kernel.reserve_desc({192, 30, 0})) << "full";
  EXPECT_EQ(user.peek(8, index), 0u);
  kernel.submit();
  EXPECT_FALSE(kernel.empty());
  EXPECT_EQ(user.peek(1, index), 1u);
  EXPECT_EQ(user.desc(index).addr, 64u);
  EXPECT_EQ(user.peek(8, index), 1u);
  EXPECT_EQ(user.desc(index).len, 20u);
  EXPECT_FALSE(kernel.reserve_desc({192, 30, 0})) << "peeked is not released";
  user.release(2);
  EXPECT_TRUE(kernel.reserve_desc({192, 30, 0}));
}

TEST(XskRing, PartialSubmitAndUnreserve) {
  Host h;
  Queue kernel(h.hal.dma, h.host.shared(), RingKind::kCompletion, 4);
  UserConsumer user(kernel.ring);
  uint32_t index = 0;
  for (uint64_t addr : {1, 2, 3}) kernel.reserve_addr(addr);
  kernel.submit(2);
  kernel.unreserve(1);
  EXPECT_EQ(user.peek(4, index), 2u);
  EXPECT_EQ(user.addr(index + 1), 2u);
  kernel.reserve_addr(9);
  kernel.submit(1);
  user.release(2);
  EXPECT_EQ(user.peek(4, index), 1u);
  EXPECT_EQ(user.addr(index), 9u) << "the place of what was unreserved";
}

// Indices are 32 bits and run freely: across their own wrap nothing changes.
TEST(XskRing, IndicesWrapAt32Bits) {
  Host h;
  Queue kernel(h.hal.dma, h.host.shared(), RingKind::kCompletion, 4);
  kernel.ring.set_producer(0xFFFFFFFE);
  kernel.ring.set_consumer(0xFFFFFFFE);
  kernel.cached_producer = kernel.cached_consumer = 0xFFFFFFFE;
  for (uint64_t addr : {10, 11, 12, 13}) EXPECT_TRUE(kernel.reserve_addr(addr));
  EXPECT_FALSE(kernel.reserve_addr(14));
  kernel.submit();
  EXPECT_EQ(kernel.ring.peek(kProducerOffset), 2u);
  EXPECT_EQ(kernel.ring.addr(0), 12u);
  EXPECT_EQ(kernel.ring.addr(0xFFFFFFFF), 11u);
}

// libxdp: a consumer with entries in hand does not look at the producer's index.
TEST(XskRing, UserLooksOnlyWhenItHasNothing) {
  Host h;
  Queue kernel(h.hal.dma, h.host.shared(), RingKind::kCompletion, 8);
  UserConsumer user(kernel.ring);
  uint32_t index = 0;
  kernel.reserve_addr(1);
  kernel.reserve_addr(2);
  kernel.submit();
  EXPECT_EQ(user.peek(1, index), 1u);
  kernel.reserve_addr(3);
  kernel.submit();
  EXPECT_EQ(user.peek(8, index), 1u) << "only what it saw at its last look";
  EXPECT_EQ(user.peek(8, index), 1u);
  EXPECT_EQ(user.addr(index), 3u);
}

TEST(XskRing, CancelledEntriesComeAgain) {
  Host h;
  Queue kernel(h.hal.dma, h.host.shared(), RingKind::kCompletion, 8);
  UserConsumer user(kernel.ring);
  uint32_t index = 0;
  kernel.reserve_addr(1);
  kernel.reserve_addr(2);
  kernel.submit();
  EXPECT_EQ(user.peek(2, index), 2u);
  user.cancel(1);
  EXPECT_EQ(user.peek(2, index), 1u);
  EXPECT_EQ(user.addr(index), 2u);
}

}  // namespace
}  // namespace doorbell::stack::xsk
