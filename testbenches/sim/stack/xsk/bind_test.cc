// Set-up: order of calls, modes and fall-back, shared UMEMs.
#include <gtest/gtest.h>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

TEST(XskBind, RingsMustBePowersOfTwo) {
  Bench b;
  Socket socket(b.sockets);
  EXPECT_EQ(socket.set_ring(RingKind::kRx, 0), -EINVAL);
  EXPECT_EQ(socket.set_ring(RingKind::kRx, 12), -EINVAL);
  EXPECT_EQ(socket.set_ring(RingKind::kRx, 16), 0);
  EXPECT_EQ(socket.set_ring(RingKind::kRx, 16), -EINVAL) << "only once";
}

TEST(XskBind, UmemOnlyOnce) {
  Bench b;
  auto socket = b.make();
  UmemConfig umem;
  umem.bytes = 4096;
  EXPECT_EQ(socket->register_umem(umem), -EBUSY);
}

TEST(XskBind, MemoryExhausted) {
  Bench b;
  Socket socket(b.sockets);
  b.host.fail_shared(1, 2);
  UmemConfig umem;
  umem.bytes = 4096;
  EXPECT_EQ(socket.register_umem(umem), -ENOMEM);
  EXPECT_EQ(socket.set_ring(RingKind::kTx, 8), -ENOMEM);
}

TEST(XskBind, NeedsUmemAndRings) {
  Bench b;
  Socket socket(b.sockets);
  EXPECT_EQ(socket.bind(b.device, 0, 0), -EINVAL) << "neither Rx nor Tx";
  EXPECT_EQ(socket.set_ring(RingKind::kRx, 8), 0);
  EXPECT_EQ(socket.bind(b.device, 0, 0), -EINVAL) << "no UMEM";
  UmemConfig umem;
  umem.bytes = 4096;
  EXPECT_EQ(socket.register_umem(umem), 0);
  EXPECT_EQ(socket.set_ring(RingKind::kFill, 8), 0);
  EXPECT_EQ(socket.bind(b.device, 0, 0), -EINVAL) << "no completion ring";
  EXPECT_EQ(socket.set_ring(RingKind::kCompletion, 8), 0);
  EXPECT_EQ(socket.bind(b.device, 0, 0x100), -EINVAL) << "unknown flag";
  EXPECT_EQ(socket.bind(b.device, 2, 0), -EINVAL) << "no such queue";
  EXPECT_EQ(socket.bind(b.device, 0, kBindCopy | kBindZeroCopy), -EINVAL);
  EXPECT_EQ(socket.bind(b.device, 1, 0), 0) << "what failed before left everything usable";
  EXPECT_EQ(socket.bind(b.device, 1, 0), -EBUSY);
  EXPECT_EQ(b.sockets.pool(b.device, 1), socket.pool());
  EXPECT_EQ(b.sockets.pool(b.device, 0), nullptr);
}

TEST(XskBind, OneUmemAQueue) {
  Bench b;
  auto first = b.bound(kBindCopy);
  auto second = b.make();
  EXPECT_EQ(second->bind(b.device, 0, kBindCopy), -EBUSY);
  EXPECT_EQ(second->bind(b.device, 1, kBindCopy), 0);
}

TEST(XskBind, FallsBackToCopy) {
  Bench b;
  auto socket = b.bound(0);
  EXPECT_EQ(b.device.setups, 1) << "asked";
  EXPECT_FALSE(socket->zero_copy());
  auto forced = b.make();
  EXPECT_EQ(forced->bind(b.device, 1, kBindZeroCopy), -EOPNOTSUPP);
  EXPECT_FALSE(forced->bound());
}

TEST(XskBind, CopyDoesNotAskTheDriver) {
  Bench b;
  b.device.zero_copy = true;
  auto socket = b.bound(kBindCopy);
  EXPECT_EQ(b.device.setups, 0);
  EXPECT_FALSE(socket->zero_copy());
}

TEST(XskBind, ZeroCopy) {
  Bench b;
  auto socket = b.zero_copy();
  EXPECT_TRUE(socket->zero_copy());
  EXPECT_EQ(b.device.pool, socket->pool());
  EXPECT_EQ(b.host.mappings(), 8u) << "16 chunks of 2 KiB are 8 pages, mapped once";
  EXPECT_TRUE(socket->pool()->uses_need_wakeup());
  EXPECT_EQ(socket->pool()->rx_frame_bytes(), 2048u - 256);
  EXPECT_EQ(socket->pool()->queue(), 0u);
}

TEST(XskBind, ADriverThatDoesNotMapIsRefused) {
  Bench b;
  b.device.zero_copy = true;
  b.device.maps = false;
  auto socket = b.make();
  EXPECT_EQ(socket->bind(b.device, 0, kBindZeroCopy), -EINVAL);
  EXPECT_EQ(b.device.pool, nullptr) << "it was taken off the queue again";
}

TEST(XskBind, MappingFails) {
  Bench b;
  b.device.zero_copy = true;
  b.host.fail_maps(4, 1);
  auto socket = b.make();
  EXPECT_EQ(socket->bind(b.device, 0, kBindZeroCopy), -ENOMEM);
  EXPECT_EQ(b.host.mappings(), 0u);
}

TEST(XskBind, TxRingAsksForAWakeupFromTheStart) {
  Bench b;
  auto socket = b.make();
  EXPECT_EQ(socket->ring(RingKind::kTx)->peek(kFlagsOffset), kRingNeedWakeup);
  EXPECT_EQ(socket->ring(RingKind::kFill)->peek(kFlagsOffset), 0u);
}

struct Shared : Bench {
  std::unique_ptr<Socket> partner(bool rings, RingKind extra = RingKind::kTx) {
    auto socket = std::make_unique<Socket>(sockets);
    EXPECT_EQ(socket->set_ring(RingKind::kRx, 8), 0);
    EXPECT_EQ(socket->set_ring(extra, 8), 0);
    if (rings) {
      EXPECT_EQ(socket->set_ring(RingKind::kFill, 8), 0);
      EXPECT_EQ(socket->set_ring(RingKind::kCompletion, 8), 0);
    }
    return socket;
  }
};

TEST(XskBind, SharedOnTheSameQueueUsesThePartnersRings) {
  Shared b;
  auto first = b.bound(kBindCopy);
  auto second = b.partner(false);
  EXPECT_EQ(second->bind(b.device, 0, kBindSharedUmem, first.get()), 0);
  EXPECT_EQ(second->pool(), first->pool());
  EXPECT_EQ(second->ring(RingKind::kFill), first->ring(RingKind::kFill));
  EXPECT_EQ(first->pool()->sockets().size(), 2u);
  auto third = b.partner(true);
  EXPECT_EQ(third->bind(b.device, 0, kBindSharedUmem, first.get()), -EINVAL)
      << "own fill and completion rings are for another queue";
}

TEST(XskBind, SharedOnAnotherQueueHasItsOwnPool) {
  Shared b;
  b.device.zero_copy = true;
  auto first = b.bound(kBindZeroCopy);
  auto second = b.partner(false);
  EXPECT_EQ(second->bind(b.device, 1, kBindSharedUmem, first.get()), -EINVAL) << "no rings";
  auto third = b.partner(true);
  EXPECT_EQ(third->bind(b.device, 1, kBindSharedUmem, first.get()), 0);
  EXPECT_NE(third->pool(), first->pool());
  EXPECT_EQ(third->umem(), first->umem());
  EXPECT_TRUE(third->zero_copy());
}

TEST(XskBind, SharedRules) {
  Shared b;
  auto first = b.make();
  auto second = b.partner(false);
  EXPECT_EQ(second->bind(b.device, 0, kBindSharedUmem, nullptr), -EINVAL);
  EXPECT_EQ(second->bind(b.device, 0, kBindSharedUmem, first.get()), -EBADF) << "not bound yet";
  EXPECT_EQ(first->bind(b.device, 0, kBindCopy), 0);
  EXPECT_EQ(second->bind(b.device, 0, kBindSharedUmem | kBindCopy, first.get()), -EINVAL)
      << "the mode is the partner's";
  auto own = b.make();
  EXPECT_EQ(own->bind(b.device, 0, kBindSharedUmem, first.get()), -EINVAL) << "has its own UMEM";
}

}  // namespace
}  // namespace doorbell::stack::xsk
