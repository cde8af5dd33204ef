// Copy-mode transmit: sendto and poll, batches, completion by the destructor, back pressure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct CopyTx : Bench {
  explicit CopyTx(uint32_t entries = 64)
      : socket(bound(kBindCopy, 128, entries)), user(*socket), process(host.process()) {}
  void queue(int count) {
    for (int i = 0; i < count; ++i) user.send({static_cast<uint64_t>(i) * kChunk, 60, 0});
  }
  int sendto() { return socket->sendto(process); }
  void free_skb() {
    stack.skbs().free(*device.skbs.front());
    device.skbs.pop_front();
  }
  std::unique_ptr<Socket> socket;
  User user;
  hal::Process& process;
};

TEST(XskCopyTx, APacketIsCopiedAndCompletedWhenFreed) {
  CopyTx b;
  uint8_t* data = b.socket->umem()->at(2048 + 10);
  b.hal.dma.touch(data, 60, hal::Touch::kWrite);
  for (uint8_t i = 0; i < 60; ++i) data[i] = i;
  b.user.send({2048 + 10, 60, 0});
  EXPECT_EQ(b.sendto(), 0);
  ASSERT_EQ(b.device.skbs.size(), 1u);
  const SkBuff& skb = *b.device.skbs.front();
  EXPECT_EQ(b.device.sent_queue, 0u);
  EXPECT_EQ(skb.length(), 60u);
  EXPECT_EQ(std::memcmp(skb.data, data, 60), 0);
  EXPECT_THAT(b.user.completed(), IsEmpty());
  b.free_skb();
  EXPECT_THAT(b.user.completed(), ElementsAre(2048 + 10));
  EXPECT_EQ(b.host.count(hal::Op::kSyscall), 1u);
  EXPECT_EQ(b.host.count(hal::Op::kXskTxCopy), 1u);
  EXPECT_EQ(b.host.count(hal::Op::kCopyOctets), 8u);
  EXPECT_EQ(b.host.count(hal::Op::kXskComplete), 1u);
}

TEST(XskCopyTx, AtMost32PacketsACall) {
  CopyTx b;
  b.queue(40);
  EXPECT_EQ(b.sendto(), -EAGAIN);
  EXPECT_EQ(b.device.skbs.size(), 32u);
  EXPECT_EQ(b.socket->ring(RingKind::kTx)->peek(kConsumerOffset), 32u);
  EXPECT_EQ(b.sendto(), 0);
  EXPECT_EQ(b.device.skbs.size(), 40u);
  while (!b.device.skbs.empty()) b.free_skb();
}

// The kernel's softirqs are enabled after each packet: what is pending runs there.
TEST(XskCopyTx, SoftirqsRunBetweenPackets) {
  CopyTx b;
  b.queue(5);
  const uint64_t before = b.host.preempts();
  b.sendto();
  EXPECT_GE(b.host.preempts() - before, 5u);
  while (!b.device.skbs.empty()) b.free_skb();
}

TEST(XskCopyTx, TheWakeupFlagStaysUp) {
  CopyTx b;
  b.queue(1);
  b.sendto();
  EXPECT_EQ(b.socket->ring(RingKind::kTx)->peek(kFlagsOffset), kRingNeedWakeup);
  EXPECT_TRUE(b.user.tx.needs_wakeup());
  b.free_skb();
}

TEST(XskCopyTx, CompletionsAreInOrderOfTheRingWhateverIsFreedFirst) {
  CopyTx b;
  b.queue(3);
  b.sendto();
  std::swap(b.device.skbs[0], b.device.skbs[2]);
  b.free_skb();
  EXPECT_THAT(b.user.completed(), ElementsAre(0)) << "positional: the oldest address";
  b.free_skb();
  b.free_skb();
  EXPECT_THAT(b.user.completed(), ElementsAre(2048, 4096));
}

TEST(XskCopyTx, ABusyDriverLeavesThePacketInTheRing) {
  CopyTx b;
  b.queue(2);
  b.device.busy = true;
  EXPECT_EQ(b.sendto(), -EAGAIN);
  EXPECT_EQ(b.socket->tx_busy, 1u);
  EXPECT_EQ(b.stack.skbs().in_use(), 0u);
  EXPECT_EQ(b.socket->pool()->tx_outstanding(), 0u);
  EXPECT_THAT(b.user.completed(), IsEmpty());
  b.device.busy = false;
  EXPECT_EQ(b.sendto(), 0);
  EXPECT_EQ(b.device.skbs.size(), 2u);
  b.device.queue(0).stopped = true;
  b.queue(1);
  EXPECT_EQ(b.sendto(), -EAGAIN) << "a stopped queue is busy too";
  while (!b.device.skbs.empty()) b.free_skb();
}

TEST(XskCopyTx, WithoutCarrierPacketsAreDroppedAndCompleted) {
  CopyTx b;
  b.device.carrier(false);
  b.queue(2);
  EXPECT_EQ(b.sendto(), -EBUSY);
  EXPECT_EQ(b.socket->tx_dropped, 1u);
  EXPECT_EQ(b.stack.drops().value(DropReason::kXskTxDropped), 1u);
  EXPECT_THAT(b.user.completed(), ElementsAre(0));
}

TEST(XskCopyTx, DeviceDownOrUnbound) {
  CopyTx b;
  b.device.stop();
  EXPECT_EQ(b.sendto(), -ENETDOWN);
  EXPECT_EQ(b.socket->recvfrom(b.process), -ENETDOWN);
  b.socket->close();
  EXPECT_EQ(b.sendto(), -ENXIO);
  EXPECT_EQ(b.socket->recvfrom(b.process), -ENXIO);
  EXPECT_EQ(b.socket->poll(b.process, kPollIn, base::kNever), 0u) << "does not block";
}

TEST(XskCopyTx, ASocketWithoutTheRing) {
  Bench b;
  Socket rx_only(b.sockets);
  UmemConfig umem;
  umem.bytes = 8192;
  rx_only.register_umem(umem);
  for (const RingKind kind : {RingKind::kFill, RingKind::kCompletion, RingKind::kRx}) {
    rx_only.set_ring(kind, 8);
  }
  ASSERT_EQ(rx_only.bind(b.device, 0, kBindCopy), 0);
  EXPECT_EQ(rx_only.sendto(b.host.process()), -ENOBUFS);
  EXPECT_EQ(rx_only.recvfrom(b.host.process()), 0);
}

TEST(XskCopyTx, NothingIsSentThatCouldNotBeReported) {
  CopyTx b(4);
  b.queue(4);
  EXPECT_EQ(b.sendto(), 0);
  while (!b.device.skbs.empty()) b.free_skb();
  b.queue(2);
  EXPECT_EQ(b.sendto(), 0);
  EXPECT_THAT(b.device.skbs, IsEmpty()) << "the completion ring is full";
  EXPECT_EQ(b.user.completed().size(), 4u);
  EXPECT_EQ(b.sendto(), 0);
  EXPECT_EQ(b.device.skbs.size(), 2u);
  while (!b.device.skbs.empty()) b.free_skb();
}

// 212992 bytes of send buffer, 768 a packet of 60 bytes: 256 for the sk_buff, 512 for head room,
// packet and shared info. The 278th packet does not fit any more.
TEST(XskCopyTx, TheSendBufferBoundsWhatIsInFlight) {
  CopyTx b(512);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 128; ++i) b.user.send({static_cast<uint64_t>(i) * 2048, 60, 0});
  }
  for (int i = 0; i < 64; ++i) b.user.send({static_cast<uint64_t>(i) * 2048, 60, 0});
  for (int i = 0; i < 12; ++i) EXPECT_EQ(b.sendto(), -EAGAIN);
  EXPECT_EQ(b.device.skbs.size(), 278u);
  b.free_skb();
  EXPECT_EQ(b.sendto(), -EAGAIN);
  EXPECT_EQ(b.device.skbs.size(), 278u);
  while (!b.device.skbs.empty()) b.free_skb();
}

TEST(XskCopyTx, WithoutSkbsItStopsAndLosesNothing) {
  CopyTx b;
  b.queue(1);
  b.stack.skbs().fail_next(1);
  EXPECT_EQ(b.sendto(), -EAGAIN);
  EXPECT_EQ(b.socket->pool()->tx_outstanding(), 0u);
  EXPECT_EQ(b.sendto(), 0);
  b.free_skb();
  EXPECT_EQ(b.user.completed().size(), 1u);
}

TEST(XskCopyTx, InvalidDescriptorsComeBackInOrder) {
  CopyTx b;
  b.user.send({0, 60, 0});
  b.user.send({4096 + 2000, 60, 0});
  b.user.send({2048, 60, 0});
  b.user.send({6144, 60, 4});
  EXPECT_EQ(b.sendto(), 0);
  EXPECT_EQ(b.socket->statistics().tx_invalid_descs, 2u);
  EXPECT_EQ(b.device.skbs.size(), 2u);
  EXPECT_THAT(b.user.completed(), IsEmpty());
  b.free_skb();
  EXPECT_THAT(b.user.completed(), ElementsAre(0, 6096)) << "the invalid one behind the first";
  b.free_skb();
  EXPECT_THAT(b.user.completed(), ElementsAre(2048, 6144));
  b.user.send({1u << 30, 60, 0});
  b.sendto();
  EXPECT_THAT(b.user.completed(), ElementsAre(1u << 30)) << "nothing before it: at once";
}

TEST(XskCopyTx, OlderKernelsForgetInvalidDescriptors) {
  Bench b;
  SocketsConfig config;
  config.pool.reclaim_invalid = false;
  Sockets old(b.stack, b.host.shared(), config);
  Socket socket(old);
  UmemConfig umem;
  umem.bytes = 8192;
  umem.chunk_bytes = 2048;
  socket.register_umem(umem);
  for (const RingKind kind :
       {RingKind::kFill, RingKind::kCompletion, RingKind::kRx, RingKind::kTx}) {
    socket.set_ring(kind, 8);
  }
  ASSERT_EQ(socket.bind(b.device, 0, kBindCopy), 0);
  User user(socket);
  user.send({0, 0, 0});
  EXPECT_EQ(socket.sendto(b.host.process()), 0);
  EXPECT_THAT(user.completed(), IsEmpty());
  EXPECT_EQ(socket.statistics().tx_invalid_descs, 1u);
}

TEST(XskCopyTx, AnOrphanedSkbCompletesOnce) {
  CopyTx b;
  b.queue(1);
  b.sendto();
  b.device.skbs.front()->orphan();
  EXPECT_EQ(b.user.completed().size(), 1u);
  b.free_skb();
  EXPECT_EQ(b.user.completed().size(), 0u);
}

TEST(XskCopyTx, PollSendsAndReportsWhatIsReady) {
  CopyTx b;
  b.queue(3);
  EXPECT_EQ(b.socket->poll(b.process, kPollOut, base::Picos(0)), kPollOut);
  EXPECT_EQ(b.device.skbs.size(), 3u) << "poll drives transmit in copy mode";
  EXPECT_EQ(b.host.count(hal::Op::kXskPoll), 1u);
  while (!b.device.skbs.empty()) b.free_skb();
}

TEST(XskCopyTx, PollBlocksUntilACompletionMakesRoom) {
  CopyTx b(4);
  b.queue(3);
  b.device.busy = true;
  int slept = 0;
  b.host.on_sleep([&](base::Picos) {
    ++slept;
    b.device.busy = false;
    return false;
  });
  EXPECT_EQ(b.socket->poll(b.process, kPollOut, base::kNever), kPollOut);
  EXPECT_EQ(slept, 1);
  EXPECT_EQ(b.device.skbs.size(), 3u);
  while (!b.device.skbs.empty()) b.free_skb();
}

TEST(XskCopyTx, ASignalEndsPoll) {
  CopyTx b;
  b.host.on_sleep([](base::Picos) { return true; });
  EXPECT_EQ(b.socket->poll(b.process, kPollIn, base::kNever), 0u);
  EXPECT_EQ(b.host.sleeps(), 1u);
}

TEST(XskCopyTx, PollTimesOut) {
  CopyTx b;
  const base::Picos before = b.host.now();
  EXPECT_EQ(b.socket->poll(b.process, kPollIn, base::Picos(5000000)), 0u);
  EXPECT_EQ(b.host.now() - before, base::Picos(5000000));
}

}  // namespace
}  // namespace doorbell::stack::xsk
