// Steering: by queue, over several sockets of a queue, and what happens without one.
#include <gtest/gtest.h>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

TEST(XskMap, Entries) {
  Bench b;
  Socket socket(b.sockets);
  XskMap map(2);
  EXPECT_TRUE(map.set(1, &socket));
  EXPECT_FALSE(map.set(2, &socket));
  EXPECT_EQ(map.at(0), nullptr);
  EXPECT_EQ(map.at(1), &socket);
  EXPECT_EQ(map.at(7), nullptr);
  EXPECT_EQ(map.size(), 2u);
}

TEST(XskMap, ProgramSteersByQueue) {
  Bench b;
  Socket socket(b.sockets);
  XskMap map;
  map.set(1, &socket);
  XskProgram program(map);
  XdpBuff buff;
  for (uint32_t queue = 0; queue < 2; ++queue) {
    buff.rxq = &b.device.info(queue);
    XdpContext context{b.hal};
    EXPECT_EQ(program.run(buff, context), queue == 1 ? Verdict::kRedirect : Verdict::kPass);
    EXPECT_EQ(context.redirect_socket, queue == 1 ? &socket : nullptr);
  }
  EXPECT_EQ(b.host.count(hal::Op::kXdpProgram), 2u);
}

TEST(XskMap, SocketsOfOneQueueTakeTurns) {
  Bench b;
  Socket first(b.sockets);
  Socket second(b.sockets);
  XskMap map;
  map.set(2, &first);
  map.set(3, &second);
  XskProgram program(map, Verdict::kDrop, 2);
  XdpBuff buff;
  buff.rxq = &b.device.info(1);
  const XskTarget* seen[4];
  for (auto& target : seen) {
    XdpContext context{b.hal};
    EXPECT_EQ(program.run(buff, context), Verdict::kRedirect);
    target = context.redirect_socket;
  }
  EXPECT_EQ(seen[0], &first);
  EXPECT_EQ(seen[1], &second);
  EXPECT_EQ(seen[2], &first);
  EXPECT_EQ(seen[3], &second);
  buff.rxq = &b.device.info(0);
  XdpContext context{b.hal};
  EXPECT_EQ(program.run(buff, context), Verdict::kDrop);
}

}  // namespace
}  // namespace doorbell::stack::xsk
