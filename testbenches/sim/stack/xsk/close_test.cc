// Close with chunks in every place: the driver gives its own back, sk_buffs outlive the socket.
#include <gtest/gtest.h>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

TEST(XskClose, TheDriverGivesItsBuffersBack) {
  Bench b;
  auto socket = b.zero_copy();
  User user(*socket);
  for (uint64_t i = 0; i < 5; ++i) user.give(i * 2048);
  EXPECT_EQ(b.device.refill(3), 3u);
  for (uint64_t i = 8; i < 11; ++i) user.send({i * 2048, 60, 0});
  const uint32_t sent = socket->pool()->tx_peek_batch(2);
  for (uint32_t i = 0; i < sent; ++i) b.device.tx_ring.push_back(socket->pool()->tx_descs()[i]);
  EXPECT_EQ(socket->final_account(), nullptr);
  socket->close();
  EXPECT_EQ(b.device.pool, nullptr);
  EXPECT_EQ(b.host.mappings(), 0u);
  EXPECT_EQ(b.sockets.pool(b.device, 0), nullptr);
  const Account* account = socket->final_account();
  ASSERT_NE(account, nullptr);
  EXPECT_EQ(account->at(Place::kDriver), 0u);
  EXPECT_EQ(account->at(Place::kSending), 0u);
  EXPECT_EQ(account->at(Place::kPool), 3u);
  EXPECT_EQ(account->at(Place::kFillRing), 2u);
  EXPECT_EQ(account->at(Place::kCompletion), 2u);
  EXPECT_EQ(account->at(Place::kTxRing), 1u);
  EXPECT_EQ(account->doubled(), 0u);
  EXPECT_EQ(account->at(Place::kApplication), 8u);
}

TEST(XskClose, SkbsOutliveTheSocket) {
  Bench b;
  auto socket = b.bound(kBindCopy);
  {
    User user(*socket);
    user.send({0, 60, 0});
    user.send({2048, 60, 0});
    socket->sendto(b.host.process());
  }
  const uint32_t shared = b.host.shared_bytes_out();
  socket.reset();
  EXPECT_EQ(b.sockets.skbs_of_closed(), 2u);
  EXPECT_GT(b.host.shared_bytes_out(), 0u) << "the completion ring is still written";
  EXPECT_LT(b.host.shared_bytes_out(), shared);
  b.stack.skbs().free(*b.device.skbs[0]);
  EXPECT_EQ(b.sockets.skbs_of_closed(), 1u);
  b.stack.skbs().free(*b.device.skbs[1]);
  EXPECT_EQ(b.sockets.skbs_of_closed(), 0u);
  EXPECT_EQ(b.host.shared_bytes_out(), 0u);
}

TEST(XskClose, TheQueueIsFreeForTheNextOne) {
  Bench b;
  auto first = b.zero_copy();
  auto second = b.make();
  EXPECT_EQ(second->bind(b.device, 0, kBindZeroCopy), -EBUSY);
  first->close();
  first->close();
  EXPECT_EQ(second->bind(b.device, 0, kBindZeroCopy), 0);
  EXPECT_EQ(b.device.pool, second->pool());
}

TEST(XskClose, SharedSocketsKeepThePoolUntilTheLast) {
  Bench b;
  auto first = b.zero_copy();
  auto second = std::make_unique<Socket>(b.sockets);
  second->set_ring(RingKind::kTx, 8);
  ASSERT_EQ(second->bind(b.device, 0, kBindSharedUmem, first.get()), 0);
  first->close();
  EXPECT_NE(b.device.pool, nullptr);
  EXPECT_EQ(first->final_account(), nullptr);
  UserProducer tx(*second->ring(RingKind::kTx));
  uint32_t index = 0;
  tx.reserve(1, index);
  tx.set_desc(index, {0, 60, 0});
  tx.submit(1);
  EXPECT_EQ(b.device.pool->tx_peek_batch(4), 1u);
  b.device.pool->tx_completed(1);
  second->close();
  EXPECT_EQ(b.device.pool, nullptr);
  EXPECT_NE(second->final_account(), nullptr);
}

TEST(XskClose, WhileAThreadWaits) {
  Bench b;
  auto socket = b.bound(kBindCopy);
  b.host.on_sleep([&](base::Picos) {
    socket->close();
    EXPECT_EQ(b.host.wakes(), 1u);
    return true;
  });
  EXPECT_EQ(socket->poll(b.host.process(), kPollIn, base::kNever), 0u);
}

TEST(XskClose, InTheMiddleOfATransmit) {
  Bench b;
  auto socket = b.bound(kBindCopy);
  User user(*socket);
  for (uint64_t i = 0; i < 4; ++i) user.send({i * 2048, 60, 0});
  b.host.on_preempt([&] {
    if (b.device.skbs.size() == 2) socket->close();
  });
  EXPECT_EQ(socket->sendto(b.host.process()), -ENXIO);
  EXPECT_EQ(b.device.skbs.size(), 2u);
  const Account* account = socket->final_account();
  EXPECT_EQ(account->at(Place::kSending), 2u);
  EXPECT_EQ(account->at(Place::kTxRing), 2u);
  for (SkBuff* skb : b.device.skbs) b.stack.skbs().free(*skb);
}

TEST(XskClose, NothingLeaks) {
  Bench b;
  for (int i = 0; i < 3; ++i) {
    auto socket = b.zero_copy();
    socket.reset();
    EXPECT_EQ(b.host.shared_bytes_out(), 0u);
    EXPECT_EQ(b.host.mappings(), 0u);
  }
  EXPECT_TRUE(b.host.failures().empty());
}

}  // namespace
}  // namespace doorbell::stack::xsk
