// The account: a chunk seen in every place it can be, and chunks that are doubled.
#include <gtest/gtest.h>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

TEST(XskAccount, EveryPlace) {
  Bench b;
  auto socket = b.zero_copy(16, 8);
  User user(*socket);
  Pool& pool = *socket->pool();
  EXPECT_EQ(b.sockets.account(pool).at(Place::kApplication), 16u);
  // Chunks 0..5 in the fill ring; four are taken: one freed, one received and shown, one received
  // and not shown, one with the driver.
  for (uint64_t i = 0; i < 6; ++i) user.give(i * 2048);
  XdpBuff* buffs[4];
  ASSERT_EQ(pool.alloc_batch(buffs, 4), 4u);
  pool.free(*buffs[0]);
  pool.set_size(*buffs[1], 60);
  socket->receive(*buffs[1]);
  socket->flush();
  pool.set_size(*buffs[2], 60);
  socket->receive(*buffs[2]);
  // Chunks 8..11 to be sent: two taken, one of them done.
  for (uint64_t i = 8; i < 12; ++i) user.send({i * 2048, 60, 0});
  ASSERT_EQ(pool.tx_peek_batch(2), 2u);
  pool.tx_completed(1);

  const Account account = b.sockets.account(pool);
  EXPECT_EQ(account.chunks(), 16u);
  EXPECT_EQ(account.at(Place::kFillRing), 2u);
  EXPECT_EQ(account.at(Place::kPool), 1u);
  EXPECT_EQ(account.at(Place::kDriver), 1u);
  EXPECT_EQ(account.at(Place::kRxRing), 2u);
  EXPECT_EQ(account.at(Place::kTxRing), 2u);
  EXPECT_EQ(account.at(Place::kSending), 1u);
  EXPECT_EQ(account.at(Place::kCompletion), 1u);
  EXPECT_EQ(account.at(Place::kApplication), 6u);
  EXPECT_EQ(account.doubled(), 0u);
  EXPECT_EQ(account.strays(), 0u);
  EXPECT_EQ(account.places_of(0), std::vector<Place>{Place::kPool});
  EXPECT_EQ(account.places_of(8), std::vector<Place>{Place::kCompletion});
  EXPECT_EQ(account.summary(),
            "application 6, fill ring 2, pool 1, driver 1, rx ring 2, tx ring 2, sending 1, "
            "completion 1");
  pool.free(*buffs[3]);
  pool.tx_completed(1);
}

TEST(XskAccount, DoubledAndStray) {
  Bench b;
  auto socket = b.bound(kBindCopy);
  User user(*socket);
  user.give(0);
  user.send({0, 60, 0});
  user.send({1u << 24, 60, 0});
  const Account account = b.sockets.account(*socket->pool());
  EXPECT_EQ(account.doubled(), 1u);
  EXPECT_EQ(account.strays(), 1u);
  EXPECT_EQ(account.places_of(0).size(), 2u);
}

TEST(XskAccount, TakenBackBecomesTheApplications) {
  Bench b;
  auto socket = b.bound(kBindCopy);
  User user(*socket);
  user.send({0, 60, 0});
  socket->sendto(b.host.process());
  EXPECT_EQ(b.sockets.account(*socket->pool()).at(Place::kSending), 1u);
  b.stack.skbs().free(*b.device.skbs.front());
  EXPECT_EQ(b.sockets.account(*socket->pool()).at(Place::kCompletion), 1u);
  user.completed();
  EXPECT_EQ(b.sockets.account(*socket->pool()).at(Place::kApplication), 16u);
}

TEST(XskAccount, PoolsThatShareAnUmem) {
  Bench b;
  auto first = b.bound(kBindCopy);
  Socket second(b.sockets);
  for (const RingKind kind :
       {RingKind::kFill, RingKind::kCompletion, RingKind::kRx, RingKind::kTx}) {
    second.set_ring(kind, 8);
  }
  ASSERT_EQ(second.bind(b.device, 1, kBindSharedUmem, first.get()), 0);
  User user(*first);
  User other(second);
  user.give(0);
  other.give(2048);
  Account account = b.sockets.account(*first->pool());
  EXPECT_EQ(account.at(Place::kFillRing), 1u);
  account.add(*second.pool());
  EXPECT_EQ(account.at(Place::kFillRing), 2u);
  EXPECT_EQ(account.at(Place::kApplication), 14u);
}

}  // namespace
}  // namespace doorbell::stack::xsk
