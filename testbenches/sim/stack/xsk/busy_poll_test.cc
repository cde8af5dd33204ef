// Busy polling: the queue's poll runs in the system call, on the caller's core.
#include <gtest/gtest.h>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

struct Poller : hal::NapiPoll {
  int poll(int budget) override {
    ++polls;
    last_budget = budget;
    return 0;
  }
  int polls = 0;
  int last_budget = 0;
};

struct BusyPoll : Bench {
  BusyPoll() {
    device.napi = &hal.napi;
    hal.napi.add(poller, 64);
    hal.napi.enable();
  }
  Poller poller;
};

TEST(XskBusyPoll, ZeroCopyPollsInsteadOfWaking) {
  BusyPoll b;
  auto socket = b.zero_copy();
  socket->set_busy_poll(16);
  EXPECT_EQ(socket->sendto(b.host.process()), 0);
  EXPECT_EQ(b.poller.polls, 1);
  EXPECT_EQ(b.poller.last_budget, 16);
  EXPECT_TRUE(b.device.woken.empty());
  socket->pool()->set_rx_need_wakeup();
  EXPECT_EQ(socket->recvfrom(b.host.process()), 0);
  EXPECT_EQ(b.poller.polls, 2);
  EXPECT_TRUE(b.device.woken.empty());
  EXPECT_EQ(b.host.count(hal::Op::kBusyPoll), 2u);
}

TEST(XskBusyPoll, CopyModePollsAndSends) {
  BusyPoll b;
  auto socket = b.bound(kBindCopy);
  socket->set_busy_poll(16);
  User user(*socket);
  user.send({0, 60, 0});
  EXPECT_EQ(socket->sendto(b.host.process()), 0);
  EXPECT_EQ(b.poller.polls, 1);
  ASSERT_EQ(b.device.skbs.size(), 1u);
  b.stack.skbs().free(*b.device.skbs.front());
}

TEST(XskBusyPoll, WithoutANapiItIsAnOrdinaryCall) {
  BusyPoll b;
  b.device.napi = nullptr;
  auto socket = b.zero_copy();
  socket->set_busy_poll(16);
  socket->sendto(b.host.process());
  EXPECT_EQ(b.poller.polls, 0);
  EXPECT_EQ(b.device.woken.size(), 1u);
}

TEST(XskBusyPoll, Off) {
  BusyPoll b;
  auto socket = b.zero_copy();
  socket->sendto(b.host.process());
  EXPECT_EQ(b.poller.polls, 0);
}

}  // namespace
}  // namespace doorbell::stack::xsk
