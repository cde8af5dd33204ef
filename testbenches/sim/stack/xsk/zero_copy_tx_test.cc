// Zero-copy transmit: peek one by one and in batches, back pressure, completions, wake-ups.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct ZeroCopyTx : Bench {
  explicit ZeroCopyTx(uint32_t entries = 8)
      : socket(zero_copy(16, entries)), user(*socket), pool(*socket->pool()) {}
  void queue(int count, uint32_t len = 60) {
    for (int i = 0; i < count; ++i) user.send({static_cast<uint64_t>(i) * kChunk, len, 0});
  }
  uint32_t consumer() const { return socket->ring(RingKind::kTx)->peek(kConsumerOffset); }
  std::unique_ptr<Socket> socket;
  User user;
  Pool& pool;
};

TEST(XskZeroCopyTx, BatchTakesWhatTheBudgetAllows) {
  ZeroCopyTx b;
  b.queue(5);
  EXPECT_EQ(b.pool.tx_peek_batch(3), 3u);
  EXPECT_EQ(b.pool.tx_descs()[2].addr, 2u * 2048);
  EXPECT_EQ(b.consumer(), 3u) << "released at once";
  EXPECT_EQ(b.pool.tx_outstanding(), 3u);
  EXPECT_EQ(b.pool.tx_peek_batch(100), 2u) << "never more than there are";
  EXPECT_EQ(b.pool.tx_descs()[0].addr, 3u * 2048);
  EXPECT_EQ(b.pool.tx_peek_batch(3), 0u);
  EXPECT_EQ(b.socket->statistics().tx_ring_empty_descs, 1u);
  EXPECT_EQ(b.pool.tx_peek_batch(0), 0u);
  EXPECT_EQ(b.host.count(hal::Op::kXskPeek), 5u);
  EXPECT_EQ(b.host.count(hal::Op::kXskPeekBatch), 4u);
  b.pool.tx_completed(5);
}

TEST(XskZeroCopyTx, CompletionsAppearWhenTheDriverSaysSo) {
  ZeroCopyTx b;
  b.queue(3);
  b.pool.tx_peek_batch(3);
  EXPECT_THAT(b.user.completed(), IsEmpty());
  b.pool.tx_completed(2);
  EXPECT_THAT(b.user.completed(), ElementsAre(0, 2048));
  b.pool.tx_completed(1);
  EXPECT_THAT(b.user.completed(), ElementsAre(4096));
}

TEST(XskZeroCopyTx, BackPressureOfTheCompletionRing) {
  ZeroCopyTx b(4);
  b.queue(4);
  EXPECT_EQ(b.pool.tx_peek_batch(8), 4u);
  b.pool.tx_completed(4);
  b.queue(4);
  EXPECT_EQ(b.pool.tx_peek_batch(8), 0u) << "four completions nobody has taken";
  EXPECT_EQ(b.consumer(), 4u);
  uint32_t index = 0;
  EXPECT_EQ(b.user.completion.peek(3, index), 3u);
  b.user.completion.release(3);
  EXPECT_EQ(b.pool.tx_peek_batch(8), 3u) << "as many as there is room to report";
  b.pool.tx_completed(3);
}

TEST(XskZeroCopyTx, OneByOne) {
  ZeroCopyTx b;
  b.queue(2);
  Desc desc;
  EXPECT_TRUE(b.pool.tx_peek(desc));
  EXPECT_EQ(desc.addr, 0u);
  EXPECT_EQ(desc.len, 60u);
  EXPECT_EQ(b.consumer(), 0u) << "shown by tx_release()";
  EXPECT_TRUE(b.pool.tx_peek(desc));
  EXPECT_FALSE(b.pool.tx_peek(desc));
  b.pool.tx_release();
  EXPECT_EQ(b.consumer(), 2u);
  EXPECT_EQ(b.pool.tx_outstanding(), 2u);
  b.pool.tx_completed(2);
}

TEST(XskZeroCopyTx, AddressesForTheDevice) {
  ZeroCopyTx b;
  const hal::DmaAddr base = b.hal.dma.phys(b.socket->umem()->data());
  EXPECT_EQ(b.pool.raw_dma(3 * 2048 + 5), base + 3 * 2048 + 5);
  uint8_t* data = b.socket->umem()->at(2048);
  b.hal.dma.touch(data, 4, hal::Touch::kWrite);
  data[0] = 0x5A;
  EXPECT_NE(b.host.device_read(b.pool.raw_dma(2048), 1)[0], 0x5A) << "still in the cache";
  b.pool.raw_sync_for_device(b.pool.raw_dma(2048), 60);
  EXPECT_EQ(b.host.device_read(b.pool.raw_dma(2048), 1)[0], 0x5A);
}

TEST(XskZeroCopyTx, UnalignedAddressesForTheDevice) {
  Bench b;
  b.device.zero_copy = true;
  auto socket = b.make(16, 8, kUmemUnaligned);
  ASSERT_EQ(socket->bind(b.device, 0, kBindZeroCopy), 0);
  User user(*socket);
  user.send({uint64_t{256} << 48 | 4000, 60, 0});
  EXPECT_EQ(socket->pool()->tx_peek_batch(8), 1u);
  EXPECT_EQ(socket->pool()->raw_dma(socket->pool()->tx_descs()[0].addr),
            b.hal.dma.phys(socket->umem()->data()) + 4256);
  socket->pool()->tx_completed(1);
}

TEST(XskZeroCopyTx, InvalidDescriptorsInABatch) {
  ZeroCopyTx b;
  b.user.send({0, 60, 0});
  b.user.send({0, 4000, 0});
  b.user.send({2048, 60, 0});
  EXPECT_EQ(b.pool.tx_peek_batch(8), 2u);
  EXPECT_EQ(b.pool.tx_descs()[1].addr, 2048u);
  EXPECT_EQ(b.socket->statistics().tx_invalid_descs, 1u);
  EXPECT_EQ(b.consumer(), 3u);
  b.pool.tx_completed(2);
  EXPECT_THAT(b.user.completed(), ElementsAre(0, 0, 2048)) << "its address comes back too";
}

TEST(XskZeroCopyTx, NothingButInvalidDescriptors) {
  ZeroCopyTx b;
  b.user.send({0, 0, 0});
  b.user.send({1u << 20, 60, 0});
  EXPECT_EQ(b.pool.tx_peek_batch(8), 0u);
  EXPECT_THAT(b.user.completed(), ElementsAre(0, 1u << 20));
  EXPECT_EQ(b.pool.tx_outstanding(), 0u);
}

TEST(XskZeroCopyTx, SendtoWakesTheDriverWhileTheFlagIsUp) {
  ZeroCopyTx b;
  EXPECT_EQ(b.socket->sendto(b.host.process()), 0);
  ASSERT_EQ(b.device.woken.size(), 1u);
  EXPECT_EQ(b.device.woken[0].flags, kWakeupTx);
  EXPECT_EQ(b.host.count(hal::Op::kXskWakeup), 1u);
  b.pool.clear_tx_need_wakeup();
  EXPECT_FALSE(b.user.tx.needs_wakeup());
  EXPECT_EQ(b.socket->sendto(b.host.process()), 0);
  EXPECT_EQ(b.device.woken.size(), 1u) << "the driver goes on by itself";
  b.pool.set_tx_need_wakeup();
  EXPECT_TRUE(b.user.tx.needs_wakeup());
  b.device.wakeup_error = -ENETDOWN;
  EXPECT_EQ(b.socket->sendto(b.host.process()), -ENETDOWN);
  EXPECT_EQ(b.device.skbs.size(), 0u);
}

TEST(XskZeroCopyTx, PollWakesForEverythingThatWaits) {
  ZeroCopyTx b;
  b.pool.set_rx_need_wakeup();
  EXPECT_EQ(b.socket->poll(b.host.process(), kPollIn | kPollOut, base::Picos(0)), kPollOut);
  ASSERT_EQ(b.device.woken.size(), 1u);
  EXPECT_EQ(b.device.woken[0].flags, kWakeupRx | kWakeupTx);
}

// Writable: at most half of the ring waits.
TEST(XskZeroCopyTx, Writable) {
  ZeroCopyTx b;
  b.queue(4);
  EXPECT_EQ(b.socket->poll(b.host.process(), kPollOut, base::Picos(0)), kPollOut);
  b.user.send({0, 60, 0});
  EXPECT_EQ(b.socket->poll(b.host.process(), kPollOut, base::Picos(0)), 0u);
}

TEST(XskZeroCopyTx, AThreadInPollIsWokenWhenTheDriverTakesDescriptors) {
  ZeroCopyTx b;
  b.queue(8);
  b.host.on_sleep([&](base::Picos) {
    EXPECT_EQ(b.pool.tx_peek_batch(8), 8u);
    EXPECT_EQ(b.host.wakes(), 1u);
    return true;
  });
  EXPECT_EQ(b.socket->poll(b.host.process(), kPollOut, base::kNever), kPollOut);
  b.pool.tx_completed(8);
}

struct TwoSenders : Bench {
  TwoSenders() {
    device.zero_copy = true;
    first = bound(kBindZeroCopy | kBindNeedWakeup, 256, 64);
    second = std::make_unique<Socket>(sockets);
    second->set_ring(RingKind::kTx, 64);
    EXPECT_EQ(second->bind(device, 0, kBindSharedUmem, first.get()), 0);
    a = std::make_unique<UserProducer>(*first->ring(RingKind::kTx));
    c = std::make_unique<UserProducer>(*second->ring(RingKind::kTx));
  }
  void fill(UserProducer& tx, uint64_t first_chunk, uint32_t count) {
    uint32_t index = 0;
    ASSERT_TRUE(tx.reserve(count, index));
    for (uint32_t i = 0; i < count; ++i)
      tx.set_desc(index + i, {(first_chunk + i) * kChunk, 60, 0});
    tx.submit(count);
  }
  std::unique_ptr<Socket> first;
  std::unique_ptr<Socket> second;
  std::unique_ptr<UserProducer> a;
  std::unique_ptr<UserProducer> c;
};

TEST(XskZeroCopyTx, SocketsOfAQueueTakeTurns32AtATime) {
  TwoSenders b;
  b.fill(*b.a, 0, 60);
  b.fill(*b.c, 100, 60);
  Pool& pool = *b.first->pool();
  EXPECT_EQ(pool.tx_peek_batch(64), 64u);
  int of_first = 0;
  for (int i = 0; i < 64; ++i) of_first += pool.tx_descs()[i].addr < 100 * 2048 ? 1 : 0;
  EXPECT_EQ(of_first, 32);
  pool.tx_completed(64);
}

TEST(XskZeroCopyTx, ASilentSocketDoesNotHoldTheOtherUp) {
  TwoSenders b;
  b.fill(*b.c, 100, 50);
  Pool& pool = *b.first->pool();
  EXPECT_EQ(pool.tx_peek_batch(64), 50u);
  pool.tx_completed(50);
}

TEST(XskZeroCopyTx, FlagsOfAllSocketsOfTheQueue) {
  TwoSenders b;
  Pool& pool = *b.first->pool();
  pool.clear_tx_need_wakeup();
  EXPECT_EQ(b.first->ring(RingKind::kTx)->peek(kFlagsOffset), 0u);
  EXPECT_EQ(b.second->ring(RingKind::kTx)->peek(kFlagsOffset), 0u);
  pool.set_tx_need_wakeup();
  EXPECT_EQ(b.first->ring(RingKind::kTx)->peek(kFlagsOffset), kRingNeedWakeup);
  EXPECT_EQ(b.second->ring(RingKind::kTx)->peek(kFlagsOffset), kRingNeedWakeup);
}

}  // namespace
}  // namespace doorbell::stack::xsk
