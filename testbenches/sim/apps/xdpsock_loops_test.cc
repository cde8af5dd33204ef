// The three loops, call by call, against a device that does nothing by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbenches/sim/apps/fillers.h"
#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::apps {
namespace {

using stack::xsk::Desc;
using stack::xsk::Place;
using stack::xsk::RingKind;

struct AppBench : stack::xsk::Bench {
  AppBench() : filler(host.shared()) {
    config.chunks = 64;
    config.chunk_bytes = 2048;
    config.batch = 4;
    config.rx_ring = 8;
    config.tx_ring = 8;
    config.fill_ring = 64;
    config.completion_ring = 8;
    device.zero_copy = true;
  }
  int open() {
    app = std::make_unique<Xdpsock>(sockets, config);
    app->set_filler(&filler);
    return app->open(device);
  }
  /// Runs the loop; `act` is called at each point where the core may be taken away, with its
  /// number.
  void run(std::function<void(uint64_t)> act) {
    uint64_t turn = 0;
    host.on_preempt([this, act, turn]() mutable {
      if (++turn > 10000) app->stop();
      act(turn);
    });
    app->run_task(host.process());
    host.on_preempt(nullptr);
  }
  // The device's side of zero copy.
  void transmit() {
    stack::xsk::Pool& pool = *device.pool;
    const uint32_t count = pool.tx_peek_batch(64);
    for (uint32_t i = 0; i < count; ++i) {
      sent.push_back(CountingFiller::number_of(
          host.device_read(pool.raw_dma(pool.tx_descs()[i].addr), 60).data()));
      lengths.push_back(pool.tx_descs()[i].len);
    }
    pool.tx_completed(count);
  }
  bool receive(uint8_t first) {
    if (device.refill(1) == 0) return false;
    std::vector<uint8_t> packet(60, first);
    packet[0] = 0xDD;
    packet[6] = 0x55;
    auto& buff = device.receive({packet.data(), packet.size()}, host);
    stack::XdpContext context{hal};
    EXPECT_EQ(app->program().run(buff, context), stack::Verdict::kRedirect);
    const int error = stack.redirector().redirect(buff, context);
    if (error != 0) device.pool->free(buff);
    stack.redirector().flush();
    return error == 0;
  }
  XdpsockConfig config;
  CountingFiller filler;
  std::unique_ptr<Xdpsock> app;
  std::vector<uint64_t> sent;
  std::vector<uint32_t> lengths;
};

TEST(XdpsockLoops, TxOnlySendsInOrderAndReusesChunks) {
  AppBench b;
  b.config.mode = AppMode::kTxOnly;
  b.config.chunks = 16;
  ASSERT_EQ(b.open(), 0);
  b.run([&](uint64_t turn) {
    b.transmit();
    if (turn == 100) b.app->stop();
  });
  const XdpsockCounters& c = b.app->counters();
  EXPECT_GT(c.tx_submitted, 100u);
  EXPECT_EQ(c.tx_completed, c.tx_submitted) << "the end of the loop waits for what is out";
  ASSERT_EQ(b.sent.size(), c.tx_submitted);
  for (size_t i = 0; i < b.sent.size(); ++i) ASSERT_EQ(b.sent[i], i);
  EXPECT_EQ(b.lengths[0], 60u);
  EXPECT_EQ(c.errors, 0u);
  EXPECT_EQ(b.app->accounts().at(0).at(Place::kApplication), 16u);
}

TEST(XdpsockLoops, TxOnlyCallsSendtoEachRoundWhileTheRingAsks) {
  AppBench b;
  b.config.mode = AppMode::kTxOnly;
  ASSERT_EQ(b.open(), 0);
  b.run([&](uint64_t turn) {
    if (turn == 50) b.app->stop();
    if (turn > 50) b.transmit();
  });
  EXPECT_GE(b.app->counters().sendtos, 20u) << "full ring, and still the flag is up";
  EXPECT_EQ(b.host.count(hal::Op::kSyscall), b.app->counters().sendtos);
}

TEST(XdpsockLoops, TxOnlyIsSilentWhenTheDriverGoesOnByItself) {
  AppBench b;
  b.config.mode = AppMode::kTxOnly;
  ASSERT_EQ(b.open(), 0);
  b.device.pool->clear_tx_need_wakeup();
  b.run([&](uint64_t turn) {
    b.transmit();
    if (turn == 50) b.app->stop();
  });
  EXPECT_EQ(b.app->counters().sendtos, 0u);
  EXPECT_GT(b.app->counters().tx_completed, 50u);
}

TEST(XdpsockLoops, WithoutNeedWakeupEveryRoundIsASystemCall) {
  AppBench b;
  b.config.mode = AppMode::kTxOnly;
  b.config.need_wakeup = false;
  ASSERT_EQ(b.open(), 0);
  EXPECT_FALSE(b.device.pool->uses_need_wakeup());
  b.device.pool->clear_tx_need_wakeup();
  b.run([&](uint64_t turn) {
    b.transmit();
    if (turn == 50) b.app->stop();
  });
  EXPECT_GT(b.app->counters().sendtos, 10u);
}

TEST(XdpsockLoops, TxOnlyCopyMode) {
  AppBench b;
  b.config.mode = AppMode::kTxOnly;
  b.config.zero_copy = false;
  ASSERT_EQ(b.open(), 0);
  b.run([&](uint64_t turn) {
    while (!b.device.skbs.empty()) {
      b.sent.push_back(CountingFiller::number_of(b.device.skbs.front()->data));
      b.stack.skbs().free(*b.device.skbs.front());
      b.device.skbs.pop_front();
    }
    if (turn == 100) b.app->stop();
  });
  EXPECT_EQ(b.sent.size(), b.app->counters().tx_submitted);
  for (size_t i = 0; i < b.sent.size(); ++i) ASSERT_EQ(b.sent[i], i);
  EXPECT_EQ(b.app->socket(0).tx_queued, b.sent.size());
}

TEST(XdpsockLoops, RxDropGivesChunksBack) {
  AppBench b;
  ASSERT_EQ(b.open(), 0);
  EXPECT_EQ(b.app->accounts().at(0).at(Place::kFillRing), 64u) << "all of them, at the start";
  uint64_t got = 0;
  b.run([&](uint64_t turn) {
    for (int i = 0; i < 3; ++i) got += b.receive(1) ? 1 : 0;
    if (turn == 200) b.app->stop();
  });
  const XdpsockCounters& c = b.app->counters();
  EXPECT_GE(got, 600u - 8) << "many times as many as there are chunks";
  EXPECT_EQ(c.rx_packets + b.app->accounts()[0].at(Place::kRxRing), got);
  EXPECT_EQ(c.rx_bytes, c.rx_packets * 64);
  EXPECT_EQ(c.recvfroms, 0u) << "nobody asked";
  EXPECT_EQ(b.app->accounts()[0].doubled(), 0u);
}

TEST(XdpsockLoops, RxDropCallsRecvfromWhenTheFillRingAsksAndThereIsNothing) {
  AppBench b;
  ASSERT_EQ(b.open(), 0);
  b.device.pool->set_rx_need_wakeup();
  b.run([&](uint64_t turn) {
    if (turn == 20) b.app->stop();
  });
  EXPECT_GT(b.app->counters().recvfroms, 5u);
  EXPECT_EQ(b.device.woken.size(), b.app->counters().recvfroms);
  EXPECT_EQ(b.device.woken[0].flags, stack::xsk::kWakeupRx);
}

TEST(XdpsockLoops, ReceivedPacketsAreShownAsTheApplicationSeesThem) {
  struct Tap : stack::ReceiveTap {
    explicit Tap(hal::ScriptedHal& h) : host(h) {}
    void received(base::ByteView frame) override {
      sizes.push_back(frame.size);
      first.push_back(host.cpu_would_read(frame.data + 20, 1)[0]);
    }
    hal::ScriptedHal& host;
    std::vector<size_t> sizes;
    std::vector<uint8_t> first;
  };
  AppBench b;
  ASSERT_EQ(b.open(), 0);
  Tap tap(b.host);
  b.app->set_tap(&tap);
  b.run([&](uint64_t turn) {
    if (turn <= 3) b.receive(static_cast<uint8_t>(turn));
    if (turn == 20) b.app->stop();
  });
  EXPECT_EQ(tap.first, (std::vector<uint8_t>{1, 2, 3}));
  EXPECT_EQ(tap.sizes, (std::vector<size_t>{60, 60, 60}));
}

TEST(XdpsockLoops, L2FwdSwapsAndSendsBack) {
  AppBench b;
  b.config.mode = AppMode::kL2Fwd;
  ASSERT_EQ(b.open(), 0);
  uint64_t got = 0;
  std::vector<uint8_t> back;
  b.run([&](uint64_t turn) {
    if (turn < 300) got += b.receive(7) ? 1 : 0;
    stack::xsk::Pool& pool = *b.device.pool;
    const uint32_t count = pool.tx_peek_batch(64);
    for (uint32_t i = 0; i < count; ++i) {
      pool.raw_sync_for_device(pool.raw_dma(pool.tx_descs()[i].addr), 60);
      const auto bytes = b.host.device_read(pool.raw_dma(pool.tx_descs()[i].addr), 60);
      back.push_back(bytes[0]);
      EXPECT_EQ(bytes[6], 0xDD);
      EXPECT_EQ(bytes[20], 7);
    }
    pool.tx_completed(count);
    if (turn == 320) b.app->stop();
  });
  EXPECT_GT(got, 250u);
  EXPECT_EQ(back.size(), got);
  for (const uint8_t first : back) ASSERT_EQ(first, 0x55);
  EXPECT_EQ(b.app->counters().tx_completed, got);
  EXPECT_EQ(b.app->counters().sendtos, 0u) << "zero copy: the driver sends by itself";
}

TEST(XdpsockLoops, L2FwdInCopyModeSendsBySystemCall) {
  AppBench b;
  b.config.mode = AppMode::kL2Fwd;
  b.config.zero_copy = false;
  ASSERT_EQ(b.open(), 0);
  stack::PagePool pages(b.hal, b.stack.pages(), b.pool_params());
  b.run([&](uint64_t turn) {
    if (turn < 100) {
      stack::XdpBuff buff = b.page_buff(pages, 60);
      stack::XdpContext context{b.hal};
      b.app->program().run(buff, context);
      if (b.stack.redirector().redirect(buff, context) != 0) pages.put_full(*buff.page);
      b.stack.redirector().flush();
    }
    while (!b.device.skbs.empty()) {
      b.stack.skbs().free(*b.device.skbs.front());
      b.device.skbs.pop_front();
    }
    if (turn == 200) b.app->stop();
  });
  EXPECT_GT(b.app->counters().tx_submitted, 20u);
  EXPECT_EQ(b.app->counters().tx_completed, b.app->counters().tx_submitted);
  EXPECT_GT(b.app->counters().sendtos, 0u);
  b.app->close();
}

TEST(XdpsockLoops, PollBlocksInsteadOfSpinning) {
  AppBench b;
  b.config.poll = true;
  ASSERT_EQ(b.open(), 0);
  b.device.pool->clear_tx_need_wakeup();
  int slept = 0;
  b.host.on_sleep([&](base::Picos) {
    if (++slept == 5) b.app->stop();
    return slept == 5 || b.receive(1);
  });
  b.run([](uint64_t) {});
  EXPECT_EQ(b.app->counters().rx_packets, 4u);
  EXPECT_EQ(b.app->counters().polls, 5u);
  EXPECT_EQ(b.app->counters().recvfroms, 0u);
}

TEST(XdpsockLoops, SeveralSocketsOnSeveralQueues) {
  AppBench b;
  b.config.mode = AppMode::kTxOnly;
  b.config.zero_copy = false;
  b.config.sockets = 2;
  ASSERT_EQ(b.open(), 0);
  EXPECT_EQ(b.app->socket(0).queue(), 0u);
  EXPECT_EQ(b.app->socket(1).queue(), 1u);
  EXPECT_NE(b.app->socket(0).umem(), b.app->socket(1).umem());
  b.run([&](uint64_t turn) {
    while (!b.device.skbs.empty()) {
      b.stack.skbs().free(*b.device.skbs.front());
      b.device.skbs.pop_front();
    }
    if (turn == 100) b.app->stop();
  });
  EXPECT_EQ(b.filler.made(0), b.app->socket(0).tx_queued);
  EXPECT_EQ(b.filler.made(1), b.app->socket(1).tx_queued);
  EXPECT_EQ(b.app->accounts().size(), 2u);
}

TEST(XdpsockLoops, SharedUmemOnOneQueue) {
  AppBench b;
  b.config.mode = AppMode::kTxOnly;
  b.config.sockets = 2;
  b.config.shared_umem = true;
  b.config.same_queue = true;
  ASSERT_EQ(b.open(), 0);
  EXPECT_EQ(b.app->socket(0).pool(), b.app->socket(1).pool());
  b.run([&](uint64_t turn) {
    b.transmit();
    if (turn == 200) b.app->stop();
  });
  EXPECT_GT(b.filler.made(0), 20u);
  EXPECT_GT(b.filler.made(1), 20u);
  EXPECT_EQ(b.app->counters().tx_completed, b.app->counters().tx_submitted);
  ASSERT_EQ(b.app->accounts().size(), 1u);
  EXPECT_EQ(b.app->accounts()[0].at(Place::kApplication), 64u);
}

TEST(XdpsockLoops, OpenFailsAsTheKernelDoes) {
  AppBench b;
  b.device.zero_copy = false;
  EXPECT_EQ(b.open(), -EOPNOTSUPP);
  EXPECT_EQ(b.sockets.pool(b.device, 0), nullptr);
  b.config.queue = 7;
  EXPECT_EQ(b.open(), -EINVAL);
  b.config.queue = 0;
  b.config.zero_copy = false;
  EXPECT_EQ(b.open(), 0);
}

TEST(XdpsockLoops, CloseForgetsTheMap) {
  AppBench b;
  ASSERT_EQ(b.open(), 0);
  EXPECT_NE(b.app->map().at(0), nullptr);
  b.app->close();
  EXPECT_EQ(b.app->map().at(0), nullptr);
  ASSERT_EQ(b.app->accounts().size(), 1u);
  EXPECT_EQ(b.app->accounts()[0].at(Place::kFillRing), 64u);
}

}  // namespace
}  // namespace doorbell::apps
