// AF_XDP zero copy with real sockets: pools on and off, both directions, wake-ups.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "testbenches/sim/drivers/tsnep/tsnep_bench.h"

namespace doorbell::drivers::tsnep {
namespace {

namespace xsk = stack::xsk;
using stack::DropReason;
using stack::Verdict;
using ::testing::ElementsAre;

constexpr uint32_t kChunk = 2048;

struct XskBench : TsnepBench {
  explicit XskBench(const TsnepDriverConfig& config = {})
      : TsnepBench(config), sockets(stack, host.shared()) {}
  ~XskBench() override { socket.reset(); }

  int bind(uint32_t chunks = 512, uint32_t flags = xsk::kBindZeroCopy | xsk::kBindNeedWakeup,
           uint32_t fill = 0) {
    socket = std::make_unique<xsk::Socket>(sockets);
    xsk::UmemConfig umem;
    umem.bytes = chunks * kChunk;
    umem.chunk_bytes = kChunk;
    EXPECT_EQ(socket->register_umem(umem), 0);
    for (const xsk::RingKind kind : {xsk::RingKind::kFill, xsk::RingKind::kCompletion,
                                     xsk::RingKind::kRx, xsk::RingKind::kTx}) {
      EXPECT_EQ(socket->set_ring(kind, 512), 0);
    }
    fill_ring = std::make_unique<xsk::UserProducer>(*socket->ring(xsk::RingKind::kFill));
    tx_ring = std::make_unique<xsk::UserProducer>(*socket->ring(xsk::RingKind::kTx));
    done_ring = std::make_unique<xsk::UserConsumer>(*socket->ring(xsk::RingKind::kCompletion));
    give(0, fill);
    return socket->bind(*driver, 0, flags);
  }
  void give(uint32_t first, uint32_t count) {
    xsk::UserProducer& producer = *fill_ring;
    uint32_t index = 0;
    ASSERT_TRUE(producer.reserve(count, index));
    for (uint32_t i = 0; i < count; ++i) {
      producer.set_addr(index + i, uint64_t{first + i} * kChunk);
    }
    producer.submit(count);
  }
  void queue_tx(uint32_t first, uint32_t count, uint32_t bytes = 60) {
    xsk::UserProducer& producer = *tx_ring;
    uint32_t index = 0;
    ASSERT_TRUE(producer.reserve(count, index));
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t addr = uint64_t{first + i} * kChunk;
      uint8_t* p = socket->umem()->at(addr);
      const Bytes frame = udp_frame(bytes, static_cast<uint8_t>(first + i));
      main_hal.dma.touch(p, bytes, hal::Touch::kWrite);
      std::copy(frame.begin(), frame.end(), p);
      producer.set_desc(index + i, {addr, bytes, 0});
    }
    producer.submit(count);
  }
  uint32_t completed() {
    xsk::UserConsumer& consumer = *done_ring;
    uint32_t index = 0;
    const uint32_t count = consumer.peek(512, index);
    if (count > 0) consumer.release(count);
    return count;
  }
  uint32_t rx_flag() { return socket->pool()->need_wakeup() & xsk::kWakeupRx; }
  void close() {
    socket->close();
    const xsk::Account* account = socket->final_account();
    ASSERT_NE(account, nullptr);
  }

  xsk::Sockets sockets;
  std::unique_ptr<xsk::Socket> socket;
  std::unique_ptr<xsk::UserProducer> fill_ring;
  std::unique_ptr<xsk::UserProducer> tx_ring;
  std::unique_ptr<xsk::UserConsumer> done_ring;
};

TEST(Xsk, EnableStartsReceiveAgainAndLeavesTransmitAlone) {
  XskBench b;
  b.start();
  ASSERT_TRUE(b.send(b.skb(udp_frame(100))));
  ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy | xsk::kBindNeedWakeup, 300), 0);
  const TsnepQueue& q = b.driver->pair(0);
  EXPECT_EQ(q.tx.read, q.tx.write) << "drained";
  EXPECT_EQ(q.tx.write, 1u) << "and not started again";
  EXPECT_EQ(q.rx.used(), 255u);
  EXPECT_EQ(q.rx.spare.size(), 255u);
  EXPECT_EQ(b.host.peek32(q.rx.blocks.properties(0)), 1544u | 1u << 18 | 1u << 30);
  EXPECT_EQ(b.host.peek32(q.rx.blocks.properties(255)), 0u);
  EXPECT_THAT(b.enables, ElementsAre(0x80000300u, 0x300u));
  EXPECT_FALSE(b.driver->queue(0).stopped);
  EXPECT_EQ(b.rx_flag(), 0u);
  b.close();
  EXPECT_EQ(q.rx.used(), 255u);
  EXPECT_TRUE(q.rx.spare.empty());
  ASSERT_TRUE(b.receive(udp_frame(80)));
  b.poll();
  EXPECT_THAT(b.sink.frames, ElementsAre(udp_frame(80)));
  b.expect_no_leaks();
}

// Barrier 9: acknowledgements of the first life would look like frames of the second.
TEST(Xsk, NoFrameThatNeverCameAfterTheSwitch) {
  XskBench b;
  b.start();
  for (unsigned i = 0; i < 40; ++i) ASSERT_TRUE(b.receive(udp_frame()));
  b.poll();
  ASSERT_EQ(b.driver->statistics().rx_packets, 40u);
  ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy | xsk::kBindNeedWakeup, 300), 0);
  EXPECT_EQ(b.driver->pending_rx(b), 0u);
  EXPECT_EQ(b.poll(), 0);
  b.close();
  EXPECT_EQ(b.poll(), 0);
  EXPECT_EQ(b.driver->statistics().rx_packets, 40u);
  EXPECT_EQ(b.drops(DropReason::kRxRingReset), 0u);
  b.expect_no_leaks();
}

// The way back allocates nothing.
TEST(Xsk, DisableCannotFailForWantOfMemory) {
  XskBench b;
  b.start();
  ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy, 300), 0);
  b.driver->rx_pool(0)->fail_allocs(1, 1u << 30);
  b.host.fail_pages(1, 1u << 30);
  b.close();
  EXPECT_EQ(b.driver->pair(0).rx.used(), 255u);
  b.host.fail_pages(0, 0);
  b.expect_no_leaks();
}

TEST(Xsk, SmallChunksAreRefused) {
  XskBench b;
  b.start();
  b.socket = std::make_unique<xsk::Socket>(b.sockets);
  xsk::UmemConfig umem;
  umem.bytes = 512 * 2048;
  umem.chunk_bytes = 2048;
  umem.headroom = 256;  // leaves 1536
  ASSERT_EQ(b.socket->register_umem(umem), 0);
  for (const xsk::RingKind kind :
       {xsk::RingKind::kFill, xsk::RingKind::kCompletion, xsk::RingKind::kRx}) {
    ASSERT_EQ(b.socket->set_ring(kind, 64), 0);
  }
  EXPECT_EQ(b.socket->bind(*b.driver, 0, xsk::kBindZeroCopy), -EOPNOTSUPP);
  EXPECT_EQ(b.driver->pair(0).rx.pool, nullptr);
}

TEST(Xsk, B7_NeedWakeupIsSetAtOnceWhenTheFillRingIsShort) {
  XskBench b;
  b.start();
  ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy | xsk::kBindNeedWakeup, 10), 0);
  EXPECT_EQ(b.driver->pair(0).rx.used(), 10u);
  EXPECT_NE(b.rx_flag(), 0u);
  b.give(10, 300);
  EXPECT_EQ(b.driver->xsk_wakeup(0, xsk::kWakeupRx), 0);
  EXPECT_TRUE(b.queue_host(0).napi_scheduled()) << "only that";
  b.poll();
  EXPECT_EQ(b.driver->pair(0).rx.used(), 255u);
  EXPECT_EQ(b.rx_flag(), 0u);
  b.close();
}

TEST(Xsk, WithoutNeedWakeupPollsUntilTheRingIsFull) {
  XskBench b;
  b.start();
  ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy, 10), 0);
  EXPECT_EQ(b.poll(), 64);
  EXPECT_TRUE(b.queue_host(0).napi_scheduled());
  b.give(10, 300);
  EXPECT_EQ(b.poll(), 0);
  EXPECT_FALSE(b.queue_host(0).napi_scheduled());
  b.close();
}

TEST(Xsk, ReceiveIntoTheSocketWithoutACopy) {
  XskBench* self = nullptr;
  Custom program([&](stack::XdpBuff& buff, stack::XdpContext& context) {
    EXPECT_EQ(buff.length(), 90u) << "B6";
    return stack::redirect_to(context, *self->socket);
  });
  XskBench b(TsnepBench::with(&program));
  self = &b;
  b.start();
  ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy | xsk::kBindNeedWakeup, 300), 0);
  for (uint8_t i = 0; i < 3; ++i) ASSERT_TRUE(b.receive(udp_frame(90, i)));
  EXPECT_EQ(b.poll(), 3);
  EXPECT_EQ(b.host.count(hal::Op::kCopyOctets), 0u);
  xsk::UserConsumer rx(*b.socket->ring(xsk::RingKind::kRx));
  uint32_t index = 0;
  ASSERT_EQ(rx.peek(64, index), 3u);
  for (uint8_t i = 0; i < 3; ++i) {
    const xsk::Desc desc = rx.desc(index + i);
    EXPECT_EQ(desc.len, 90u);
    EXPECT_EQ(desc.addr % kChunk, 256u + 16);
    EXPECT_EQ(b.host.cpu_would_read(b.socket->umem()->at(desc.addr), 90), udp_frame(90, i));
  }
  rx.release(3);
  EXPECT_EQ(b.driver->pair(0).rx.used(), 255u);
  b.close();
  b.expect_no_leaks();
}

TEST(Xsk, L2_FrameWithoutAProgramIsCopiedFromItsBeginning) {
  for (const bool fixed : {true, false}) {
    TsnepDriverConfig config;
    config.fix_hazards = fixed;
    XskBench b(config);
    b.start();
    ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy | xsk::kBindNeedWakeup, 300), 0);
    const Bytes frame = udp_frame(100);
    ASSERT_TRUE(b.receive(frame));
    b.poll();
    ASSERT_EQ(b.sink.frames.size(), 1u);
    ASSERT_EQ(b.sink.frames[0].size(), 100u);
    if (fixed) {
      EXPECT_EQ(b.sink.frames[0], frame);
    } else {
      EXPECT_EQ(Bytes(b.sink.frames[0].begin() + 16, b.sink.frames[0].end()),
                Bytes(frame.begin(), frame.end() - 16));
    }
    b.close();
    b.expect_no_leaks();
  }
}

TEST(Xsk, PassCopiesAndWithoutAPageDrops) {
  stack::XdpPassProgram pass;
  XskBench b(TsnepBench::with(&pass));
  b.start();
  ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy | xsk::kBindNeedWakeup, 300), 0);
  const uint32_t out = b.socket->pool()->buffers_out();
  ASSERT_TRUE(b.receive(udp_frame(100)));
  b.poll();
  EXPECT_THAT(b.sink.frames, ElementsAre(udp_frame(100)));
  b.driver->rx_pool(0)->fail_allocs(1, 1);
  ASSERT_TRUE(b.receive(udp_frame(100)));
  b.poll();
  EXPECT_EQ(b.drops(DropReason::kRxSkbFailed), 1u);
  EXPECT_EQ(b.socket->pool()->buffers_out(), out);
  b.close();
  b.expect_no_leaks();
}

// The converted frame is a plain page: mapped, of type XDP_NDO.
TEST(Xsk, B8_XdpTxIsACopyThatIsMapped) {
  stack::XdpTxProgram program;
  XskBench b(TsnepBench::with(&program));
  b.start();
  ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy | xsk::kBindNeedWakeup, 300), 0);
  const uint32_t maps = b.host.mappings();
  ASSERT_TRUE(b.receive(udp_frame(100)));
  b.poll();
  EXPECT_EQ(b.driver->pair(0).tx.slots[0].type, 1u << 11 | 1u);
  EXPECT_EQ(b.host.mappings(), maps + 1);
  const auto frames = b.transmit();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].bytes, swapped(udp_frame(100)));
  b.acknowledge(frames[0]);
  b.poll();
  EXPECT_EQ(b.host.mappings(), maps);
  b.close();
  b.expect_no_leaks();
}

TEST(Xsk, XdpTxMapFailure) {
  stack::XdpTxProgram program;
  XskBench b(TsnepBench::with(&program));
  b.start();
  ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy | xsk::kBindNeedWakeup, 300), 0);
  const uint32_t pages = b.host.pages_out();
  ASSERT_TRUE(b.receive(udp_frame(100)));
  b.host.fail_maps(1, 1);
  b.poll();
  EXPECT_EQ(b.drops(DropReason::kXdpTxMapFailed), 1u);
  EXPECT_EQ(b.driver->pair(0).tx.used(), 0u);
  EXPECT_EQ(b.host.pages_out(), pages);
  b.close();
  b.expect_no_leaks();
}

TEST(Xsk, L4_XdpTxWithAFullRingReturnsThePage) {
  stack::XdpTxProgram program;
  for (const bool fixed : {true, false}) {
    TsnepDriverConfig config = TsnepBench::with(&program);
    config.fix_hazards = fixed;
    XskBench b(config);
    b.start();
    ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy | xsk::kBindNeedWakeup, 300), 0);
    while (!b.driver->queue(0).stopped) ASSERT_TRUE(b.send(b.skb(udp_frame())));
    const uint32_t pages = b.host.pages_out();
    ASSERT_TRUE(b.receive(udp_frame(100)));
    b.poll();
    EXPECT_EQ(b.drops(DropReason::kXdpTxRingFull), 1u);
    EXPECT_EQ(b.host.pages_out(), pages + (fixed ? 0 : 1));
    EXPECT_EQ(b.driver->statistics().xsk_leaked, fixed ? 0u : 1u);
    b.close();
  }
}

TEST(Xsk, TransmitBatchLeaves18AndRingsOnce) {
  XskBench b;
  b.start();
  ASSERT_EQ(b.bind(), 0);
  b.queue_tx(0, 300);
  EXPECT_EQ(b.driver->xsk_wakeup(0, xsk::kWakeupTx), 0);
  b.host.reset_counts();
  const uint64_t bells = b.driver->statistics().tx_doorbells;
  b.poll();
  EXPECT_EQ(b.driver->statistics().xsk_tx, 237u);
  EXPECT_EQ(b.driver->pair(0).tx.available(), 18u);
  EXPECT_EQ(b.driver->statistics().tx_doorbells, bells + 1);
  EXPECT_EQ(b.driver->pair(0).tx.slots[0].type, 1u << 12);
  EXPECT_FALSE(b.queue_host(0).napi_scheduled()) << "what is left waits for a completion";
  const auto frames = b.transmit();
  ASSERT_EQ(frames.size(), 237u);
  for (unsigned i = 0; i < 237; ++i) {
    EXPECT_EQ(frames[i].bytes, udp_frame(60, static_cast<uint8_t>(i)));
    EXPECT_EQ(frames[i].properties[0] & 0x3FFFF, 60u | 1u << 16);
    b.acknowledge(frames[i]);
  }
  EXPECT_EQ(b.completed(), 0u);
  b.poll();
  EXPECT_EQ(b.completed(), 128u) << "the transmit budget";
  EXPECT_EQ(b.finish(), 63u) << "the rest, from the same poll";
  b.poll();
  b.poll();
  EXPECT_EQ(b.completed(), 300u - 128);
  EXPECT_NE(b.socket->pool()->need_wakeup() & xsk::kWakeupTx, 0u) << "never cleared";
  b.close();
  b.expect_no_leaks();
}

TEST(Xsk, SkBuffsAndChunksShareTheRing) {
  XskBench b;
  b.start();
  ASSERT_EQ(b.bind(), 0);
  ASSERT_TRUE(b.send(b.skb(udp_frame(200, 9))));
  b.queue_tx(0, 2);
  b.poll();
  ASSERT_TRUE(b.send(b.skb(udp_frame(200, 10))));
  EXPECT_EQ(b.finish(), 4u);
  b.poll();
  EXPECT_EQ(b.completed(), 2u);
  EXPECT_EQ(b.driver->statistics().tx_packets, 4u);
  b.close();
  b.expect_no_leaks();
}

// Reuse in zero-copy mode: with L1 the slot is used up without being counted.
TEST(Xsk, L1_ReuseGoesBackIntoTheRing) {
  stack::XdpDropProgram drop;
  for (const bool fixed : {true, false}) {
    TsnepDriverConfig config = TsnepBench::with(&drop);
    config.fix_hazards = fixed;
    XskBench b(config);
    b.start();
    ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy | xsk::kBindNeedWakeup, 20), 0);
    // Less than 64 of 255: the 192 that reuse asks for are free. The pool has nothing to give.
    ASSERT_TRUE(b.receive(udp_frame()));
    const uint64_t bells = b.driver->statistics().rx_doorbells;
    b.poll();
    EXPECT_EQ(b.driver->statistics().rx_reused, 1u);
    EXPECT_EQ(b.drops(DropReason::kRxAllocFailed), 1u);
    EXPECT_EQ(b.driver->pair(0).rx.used(), fixed ? 20u : 19u);
    EXPECT_EQ(b.driver->statistics().rx_doorbells, bells + (fixed ? 1 : 0));
    if (fixed) {
      EXPECT_EQ(b.driver->statistics().xsk_leaked, 0u);
    } else {
      b.give(20, 1);
      b.poll();
      EXPECT_EQ(b.driver->statistics().xsk_leaked, 1u);
    }
    b.close();
  }
}

TEST(Xsk, WakeupErrors) {
  XskBench b;
  b.start();
  EXPECT_EQ(b.driver->xsk_wakeup(1, xsk::kWakeupTx), -EINVAL);
  b.driver->stop();
  EXPECT_EQ(b.driver->xsk_wakeup(0, xsk::kWakeupTx), -ENETDOWN);
}

// L6: nothing more is taken from the socket while the ring drains.
TEST(Xsk, L6_DrainTakesNothingNew) {
  XskBench b;
  b.start();
  ASSERT_EQ(b.bind(), 0);
  b.queue_tx(0, 300);
  b.poll();
  b.driver->stop();
  EXPECT_EQ(b.driver->statistics().xsk_tx, 237u);
  EXPECT_EQ(b.completed(), 237u);
  EXPECT_EQ(b.driver->open(), 0);
  b.close();
}

TEST(Xsk, PoolStaysAcrossStopAndOpen) {
  XskBench b;
  b.start();
  ASSERT_EQ(b.bind(512, xsk::kBindZeroCopy | xsk::kBindNeedWakeup, 300), 0);
  b.driver->stop();
  EXPECT_EQ(b.socket->pool()->buffers_out(), 0u);
  ASSERT_EQ(b.driver->open(), 0);
  EXPECT_EQ(b.driver->pair(0).rx.used(), 255u);
  EXPECT_EQ(b.socket->pool()->buffers_out(), 255u);
  b.close();
  b.expect_no_leaks();
}

}  // namespace
}  // namespace doorbell::drivers::tsnep
