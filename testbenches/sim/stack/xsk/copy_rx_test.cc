// Copy-mode receive: native redirect and generic XDP, what is copied where, and every refusal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

struct CopyRx : Bench {
  CopyRx() : pages(hal, stack.pages(), pool_params()), socket(bound(kBindCopy)), user(*socket) {}
  int redirect(uint32_t bytes, uint8_t first = 0x40, uint32_t queue = 0) {
    XdpBuff buff = page_buff(pages, bytes, first, queue);
    XdpContext context{hal};
    redirect_to(context, *socket);
    const int error = stack.redirector().redirect(buff, context);
    if (error != 0) pages.put_full(*buff.page);
    return error;
  }
  PagePool pages;
  std::unique_ptr<Socket> socket;
  User user;
};

TEST(XskCopyRx, PacketArrivesInAChunkOfTheFillRing) {
  CopyRx b;
  b.user.give(4 * 2048);
  EXPECT_EQ(b.redirect(60), 0);
  EXPECT_EQ(b.pages.inflight(), 0u) << "the page went home";
  EXPECT_TRUE(b.user.received().empty()) << "not before the flush";
  b.stack.redirector().flush();
  const auto got = b.user.received();
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].addr, 4u * 2048 + 256) << "behind XDP's headroom";
  EXPECT_EQ(got[0].len, 60u);
  EXPECT_EQ(got[0].options, 0u);
  const uint8_t* data = b.socket->umem()->at(got[0].addr);
  for (uint32_t i = 0; i < 60; ++i) ASSERT_EQ(data[i], 0x40 + i);
  EXPECT_EQ(b.stack.redirector().frames_to_sockets(), 1u);
  EXPECT_EQ(b.host.count(hal::Op::kXskRxCopy), 1u);
  EXPECT_EQ(b.host.count(hal::Op::kCopyOctets), 8u) << "60 bytes are 8 times 8";
  EXPECT_EQ(b.host.count(hal::Op::kXskFlush), 1u);
}

TEST(XskCopyRx, HeadroomOfTheApplication) {
  CopyRx b;
  b.socket.reset();
  auto socket = b.make(16, 8, 0, 100);
  ASSERT_EQ(socket->bind(b.device, 0, kBindCopy), 0);
  User user(*socket);
  user.give(0);
  XdpBuff buff = b.page_buff(b.pages, 60);
  EXPECT_EQ(socket->receive(buff), 0);
  socket->flush();
  EXPECT_EQ(user.received().at(0).addr, 356u);
  EXPECT_EQ(socket->pool()->rx_frame_bytes(), 2048u - 100 - 256);
}

TEST(XskCopyRx, UnalignedAddressesCarryTheOffsetOnTop) {
  CopyRx b;
  b.socket.reset();
  auto socket = b.make(16, 8, kUmemUnaligned);
  ASSERT_EQ(socket->bind(b.device, 0, kBindCopy), 0);
  User user(*socket);
  user.give(777);
  XdpBuff buff = b.page_buff(b.pages, 60);
  EXPECT_EQ(socket->receive(buff), 0);
  socket->flush();
  const Desc got = user.received().at(0);
  EXPECT_EQ(got.addr, uint64_t{256} << 48 | 777);
  EXPECT_EQ(*socket->umem()->at(got.addr), 0x40);
}

TEST(XskCopyRx, FillRingEmpty) {
  CopyRx b;
  EXPECT_EQ(b.redirect(60), -ENOMEM);
  EXPECT_EQ(b.socket->statistics().rx_dropped, 1u);
  EXPECT_EQ(b.socket->statistics().rx_fill_ring_empty_descs, 1u);
  EXPECT_EQ(redirect_drop_reason(-ENOMEM), DropReason::kXskFillRingEmpty);
}

TEST(XskCopyRx, RxRingFull) {
  CopyRx b;
  for (int i = 0; i < 8; ++i) b.user.give(static_cast<uint64_t>(i) * 2048);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(b.redirect(60), 0);
  b.stack.redirector().flush();
  b.user.give(8 * 2048);
  EXPECT_EQ(b.redirect(60), -ENOBUFS);
  EXPECT_EQ(b.socket->statistics().rx_ring_full, 1u);
  EXPECT_EQ(b.socket->pool()->buffers_free(), 1u) << "the chunk waits in the pool";
  EXPECT_EQ(redirect_drop_reason(-ENOBUFS), DropReason::kXskRxRingFull);
  EXPECT_EQ(b.user.received().size(), 8u);
  EXPECT_EQ(b.redirect(60), 0) << "with the chunk that waited";
}

TEST(XskCopyRx, TooLongForAChunk) {
  CopyRx b;
  b.user.give(0);
  EXPECT_EQ(b.redirect(1792), 0);
  EXPECT_EQ(b.redirect(1793), -ENOSPC);
  EXPECT_EQ(b.socket->statistics().rx_dropped, 1u);
  EXPECT_EQ(redirect_drop_reason(-ENOSPC), DropReason::kXskTooLong);
}

TEST(XskCopyRx, AnotherQueueOrAClosedSocket) {
  CopyRx b;
  b.user.give(0);
  EXPECT_EQ(b.redirect(60, 0, 1), -ENXIO);
  b.socket->close();
  EXPECT_EQ(b.redirect(60), -ENXIO);
  EXPECT_EQ(redirect_drop_reason(-ENXIO), DropReason::kXskNotBound);
  EXPECT_EQ(b.socket->statistics().rx_dropped, 0u);
}

TEST(XskCopyRx, InvalidFillAddressesAreSkippedAndCounted) {
  CopyRx b;
  b.user.give(16 * 2048);
  b.user.give(1u << 30);
  b.user.give(2048);
  EXPECT_EQ(b.redirect(60), 0);
  b.stack.redirector().flush();
  EXPECT_EQ(b.user.received().at(0).addr, 2048u + 256);
  EXPECT_EQ(b.socket->statistics().rx_invalid_descs, 2u);
}

// Linux would use the buffer twice; here the second one is refused, so that nothing is doubled.
TEST(XskCopyRx, AChunkThatThePoolHasIsNotTakenTwice) {
  CopyRx b;
  b.user.give(0);
  XdpBuff* held = b.socket->pool()->alloc();
  ASSERT_NE(held, nullptr);
  b.user.give(5);
  EXPECT_EQ(b.socket->pool()->alloc(), nullptr);
  EXPECT_EQ(b.socket->statistics().rx_invalid_descs, 1u);
  b.socket->pool()->free(*held);
}

TEST(XskCopyRx, FromGenericXdp) {
  CopyRx b;
  XskMap map;
  map.set(0, b.socket.get());
  XskProgram program(map, Verdict::kDrop);
  b.device.set_generic_program(&program);
  b.user.give(0);
  for (int i = 0; i < 2; ++i) {
    XdpBuff buff = b.page_buff(b.pages, 60, static_cast<uint8_t>(0x10 * (i + 1)));
    SkBuff* skb = b.stack.skbs().build(*buff.page);
    ASSERT_NE(skb, nullptr);
    skb->reserve(256);
    skb->put(60);
    skb->pp_recycle = true;
    b.stack.napi_gro_receive(b.device, *skb);
  }
  const auto got = b.user.received();
  ASSERT_EQ(got.size(), 1u) << "shown at once, without a flush";
  EXPECT_EQ(*b.socket->umem()->at(got[0].addr), 0x10);
  EXPECT_EQ(b.stack.drops().value(DropReason::kXskFillRingEmpty), 1u);
  EXPECT_EQ(b.pages.inflight(), 0u);
  EXPECT_EQ(b.stack.skbs().in_use(), 0u);
}

TEST(XskCopyRx, ACpuMapIsRefused) {
  CopyRx b;
  XdpBuff buff = b.page_buff(b.pages, 60);
  XdpContext context{b.hal};
  context.redirect_cpu = 1;
  EXPECT_EQ(b.stack.redirector().redirect(buff, context), -ENOSYS);
  EXPECT_EQ(redirect_drop_reason(-ENOSYS), DropReason::kRedirectCpuMap);
  b.pages.put_full(*buff.page);
}

TEST(XskCopyRx, ASocketIsFlushedOnceHoweverManyCameIn) {
  CopyRx b;
  for (int i = 0; i < 4; ++i) b.user.give(static_cast<uint64_t>(i) * 2048);
  for (int i = 0; i < 4; ++i) b.redirect(60);
  b.stack.redirector().flush();
  b.stack.redirector().flush();
  EXPECT_EQ(b.host.count(hal::Op::kXskFlush), 1u);
}

TEST(XskCopyRx, ClosedBetweenReceiveAndFlush) {
  CopyRx b;
  b.user.give(0);
  b.redirect(60);
  b.socket->close();
  b.stack.redirector().flush();
  EXPECT_EQ(b.host.count(hal::Op::kXskFlush), 0u);
  EXPECT_EQ(b.socket->final_account()->at(Place::kRxRing), 1u) << "received, never shown";
}

}  // namespace
}  // namespace doorbell::stack::xsk
