// Zero-copy receive: the pool as a driver sees it, and redirects of its buffers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

struct ZeroCopyRx : Bench {
  ZeroCopyRx() : socket(zero_copy()), user(*socket), pool(*socket->pool()) {}
  std::unique_ptr<Socket> socket;
  User user;
  Pool& pool;
};

const std::vector<uint8_t>& packet() {
  static const std::vector<uint8_t> bytes(64, 0xA5);
  return bytes;
}

TEST(XskZeroCopyRx, BufferOfTheFillRing) {
  ZeroCopyRx b;
  b.user.give(3 * 2048 + 9);
  XdpBuff* buff = b.pool.alloc();
  ASSERT_NE(buff, nullptr);
  EXPECT_EQ(buff->data_hard_start, b.socket->umem()->data() + 3 * 2048);
  EXPECT_EQ(buff->data, buff->data_hard_start + 256);
  EXPECT_EQ(buff->data_meta, buff->data);
  EXPECT_EQ(buff->length(), 0u);
  EXPECT_EQ(buff->xsk, &b.pool);
  EXPECT_EQ(buff->page, nullptr);
  EXPECT_EQ(buff->rxq, &b.device.info(0));
  EXPECT_EQ(buff->frame_size, 2048u);
  EXPECT_EQ(b.pool.frame_dma(*buff), b.hal.dma.phys(buff->data));
  buff->data += 14;
  EXPECT_EQ(b.pool.dma(*buff), b.pool.frame_dma(*buff) + 14);
  EXPECT_EQ(b.pool.alloc(), nullptr) << "one address, one buffer";
  EXPECT_EQ(b.socket->statistics().rx_fill_ring_empty_descs, 1u);
  EXPECT_EQ(b.pool.buffers_out(), 1u);
  b.pool.free(*buff);
}

TEST(XskZeroCopyRx, AllOfTheBufferIsSyncedForTheDevice) {
  ZeroCopyRx b;
  b.user.give(0);
  b.host.record(true);
  XdpBuff* buff = b.pool.alloc();
  bool synced = false;
  for (const auto& step : b.host.steps()) {
    if (step.kind != hal::ScriptedStep::Kind::kSyncForDevice) continue;
    synced = true;
    EXPECT_EQ(step.address, b.pool.frame_dma(*buff));
    EXPECT_EQ(step.value, 1792u);
  }
  EXPECT_TRUE(synced);
  b.pool.free(*buff);
}

TEST(XskZeroCopyRx, FreedBuffersComeFirstAndStayOutOfTheRing) {
  ZeroCopyRx b;
  b.user.give(0);
  b.user.give(2048);
  XdpBuff* buff = b.pool.alloc();
  b.pool.free(*buff);
  EXPECT_EQ(b.pool.buffers_free(), 1u);
  EXPECT_EQ(b.pool.alloc(), buff);
  EXPECT_EQ(b.pool.buffers_free(), 0u);
  b.pool.free(*buff);
}

TEST(XskZeroCopyRx, Batch) {
  ZeroCopyRx b;
  for (uint64_t i = 0; i < 5; ++i) b.user.give(i * 2048);
  EXPECT_TRUE(b.pool.can_alloc(5));
  EXPECT_FALSE(b.pool.can_alloc(6));
  XdpBuff* buffs[8];
  EXPECT_EQ(b.pool.alloc_batch(buffs, 3), 3u);
  b.pool.free(*buffs[2]);
  EXPECT_TRUE(b.pool.can_alloc(3)) << "one free and two in the ring";
  EXPECT_EQ(b.pool.alloc_batch(buffs + 2, 6), 3u);
  for (int i = 0; i < 5; ++i) b.pool.free(*buffs[i]);
}

TEST(XskZeroCopyRx, RedirectHandsTheChunkOver) {
  ZeroCopyRx b;
  b.user.give(2 * 2048);
  b.device.refill(1);
  XdpBuff& buff = b.device.receive({packet().data(), packet().size()}, b.host);
  XdpContext context{b.hal};
  redirect_to(context, *b.socket);
  EXPECT_EQ(b.stack.redirector().redirect(buff, context), 0);
  b.stack.redirector().flush();
  const auto got = b.user.received();
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].addr, 2u * 2048 + 256);
  EXPECT_EQ(got[0].len, 64u);
  b.hal.dma.touch(b.socket->umem()->at(got[0].addr), 64, hal::Touch::kRead);
  EXPECT_EQ(std::memcmp(b.socket->umem()->at(got[0].addr), packet().data(), 64), 0);
  EXPECT_EQ(b.pool.buffers_out(), 0u);
  EXPECT_EQ(b.host.count(hal::Op::kCopyOctets), 0u) << "nothing was copied";
  EXPECT_EQ(b.host.count(hal::Op::kXskRxZc), 1u);
}

TEST(XskZeroCopyRx, AProgramThatMovedTheStart) {
  ZeroCopyRx b;
  b.user.give(0);
  XdpBuff* buff = b.pool.alloc();
  b.pool.set_size(*buff, 64);
  buff->data += 4;
  EXPECT_EQ(b.socket->receive(*buff), 0);
  b.socket->flush();
  const Desc got = b.user.received().at(0);
  EXPECT_EQ(got.addr, 260u);
  EXPECT_EQ(got.len, 60u);
}

TEST(XskZeroCopyRx, RxRingFullKeepsTheBufferWithTheDriver) {
  ZeroCopyRx b;
  for (uint64_t i = 0; i < 8; ++i) b.user.give(i * 2048);
  for (int i = 0; i < 8; ++i) {
    XdpBuff* buff = b.pool.alloc();
    b.pool.set_size(*buff, 60);
    EXPECT_EQ(b.socket->receive(*buff), 0);
  }
  b.socket->flush();
  b.user.give(8 * 2048);
  XdpBuff* buff = b.pool.alloc();
  b.pool.set_size(*buff, 60);
  EXPECT_EQ(b.socket->receive(*buff), -ENOBUFS);
  EXPECT_EQ(b.socket->statistics().rx_ring_full, 1u);
  b.pool.free(*buff);
}

TEST(XskZeroCopyRx, UnalignedHasAsManyBuffersAsChunks) {
  Bench b;
  b.device.zero_copy = true;
  auto socket = b.make(4, 8, kUmemUnaligned);
  ASSERT_EQ(socket->bind(b.device, 0, kBindZeroCopy), 0);
  User user(*socket);
  for (const uint64_t addr : {100, 200, 300, 400, 500}) user.give(addr);
  Pool& pool = *socket->pool();
  XdpBuff* buffs[5];
  EXPECT_EQ(pool.alloc_batch(buffs, 5), 4u);
  EXPECT_FALSE(pool.can_alloc(1));
  pool.set_size(*buffs[0], 60);
  EXPECT_EQ(socket->receive(*buffs[0]), 0);
  socket->flush();
  EXPECT_EQ(user.received().at(0).addr, uint64_t{256} << 48 | 100);
  EXPECT_NE(pool.alloc(), nullptr) << "its buffer serves the next address";
}

TEST(XskZeroCopyRx, RedirectToAPortCopiesToAPage) {
  ZeroCopyRx b;
  FakeXskDevice other(b.hal);
  b.stack.register_device(other);
  other.open();
  b.user.give(0);
  b.device.refill(1);
  XdpBuff& buff = b.device.receive({packet().data(), packet().size()}, b.host);
  XdpContext context{b.hal};
  redirect_to(context, other.ifindex());
  const uint32_t pages = b.host.pages_out();
  EXPECT_EQ(b.stack.redirector().redirect(buff, context), 0);
  EXPECT_EQ(b.pool.buffers_free(), 1u) << "the chunk is free at once";
  b.stack.redirector().flush();
  ASSERT_EQ(other.xdp_frames.size(), 1u);
  XdpFrame& frame = *other.xdp_frames[0];
  EXPECT_EQ(frame.len, 64u);
  EXPECT_EQ(std::memcmp(frame.data, packet().data(), 64), 0);
  EXPECT_EQ(frame.page->pool, nullptr) << "a page of its own, to be mapped";
  EXPECT_EQ(b.host.pages_out(), pages + 1);
  return_frame(b.hal, frame);
  EXPECT_EQ(b.host.pages_out(), pages);
}

TEST(XskZeroCopyRx, WithoutAPageTheBufferStays) {
  ZeroCopyRx b;
  b.user.give(0);
  XdpBuff* buff = b.pool.alloc();
  b.pool.set_size(*buff, 60);
  b.host.fail_pages(1, 1);
  EXPECT_EQ(convert_to_frame(b.hal, *buff), nullptr);
  EXPECT_EQ(b.pool.buffers_out(), 1u);
  return_buff(b.hal, *buff);
  EXPECT_EQ(b.pool.buffers_out(), 0u);
}

TEST(XskZeroCopyRx, WakeupFlagOfTheFillRing) {
  ZeroCopyRx b;
  EXPECT_FALSE(b.user.fill.needs_wakeup());
  EXPECT_EQ(b.socket->recvfrom(b.host.process()), 0);
  EXPECT_TRUE(b.device.woken.empty());
  b.pool.set_rx_need_wakeup();
  EXPECT_TRUE(b.user.fill.needs_wakeup());
  EXPECT_EQ(b.pool.need_wakeup(), kWakeupRx | kWakeupTx);
  EXPECT_EQ(b.socket->recvfrom(b.host.process()), 0);
  ASSERT_EQ(b.device.woken.size(), 1u);
  EXPECT_EQ(b.device.woken[0].flags, kWakeupRx);
  EXPECT_EQ(b.device.woken[0].queue, 0u);
  b.pool.clear_rx_need_wakeup();
  EXPECT_FALSE(b.user.fill.needs_wakeup());
  EXPECT_EQ(b.pool.need_wakeup(), kWakeupTx);
}

TEST(XskZeroCopyRx, AThreadInPollIsWokenByTheFlush) {
  ZeroCopyRx b;
  b.pool.clear_tx_need_wakeup();
  b.user.give(0);
  b.device.refill(1);
  b.host.on_sleep([&](base::Picos timeout) {
    EXPECT_EQ(timeout, base::kNever);
    XdpBuff& buff = b.device.receive({packet().data(), packet().size()}, b.host);
    EXPECT_EQ(b.socket->receive(buff), 0);
    EXPECT_EQ(b.host.wakes(), 0u);
    b.socket->flush();
    EXPECT_EQ(b.host.wakes(), 1u);
    return true;
  });
  EXPECT_EQ(b.socket->poll(b.host.process(), kPollIn, base::kNever), kPollIn);
  EXPECT_EQ(b.host.count(hal::Op::kTaskWake), 1u);
  EXPECT_EQ(b.user.received().size(), 1u);
  b.socket->flush();
  EXPECT_EQ(b.host.wakes(), 1u) << "nobody waits any more";
}

}  // namespace
}  // namespace doorbell::stack::xsk
