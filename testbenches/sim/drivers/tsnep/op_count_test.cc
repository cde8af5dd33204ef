// Accesses per packet, as the fact sheet counts them for each path.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/tsnep/tsnep_bench.h"

namespace doorbell::drivers::tsnep {
namespace {

using hal::Op;

// 16 octets of stores (address, length, properties) and one register write a frame.
TEST(OpCount, TransmitOfAMappedFrame) {
  TsnepBench b;
  b.start();
  stack::SkBuff* skb = b.skb(udp_frame(200));
  b.host.reset_counts();
  ASSERT_TRUE(b.send(skb));
  EXPECT_EQ(b.host.count(Op::kUncachedStore), 3u);
  EXPECT_EQ(b.host.count(Op::kUncachedLoad), 0u);
  EXPECT_EQ(b.host.count(Op::kMmioWrite), 1u);
  EXPECT_EQ(b.host.count(Op::kMmioRead), 0u);
  EXPECT_EQ(b.host.count(Op::kMapSetup), 1u);
  EXPECT_EQ(b.host.count(Op::kDriverTx), 1u);
  EXPECT_EQ(b.host.count(Op::kTxLock), 1u);
}

// Up to 40 octets of data and 8 of descriptor, nothing mapped.
TEST(OpCount, TransmitOfAnInlineFrame) {
  TsnepBench b;
  b.start();
  stack::SkBuff* skb = b.skb(udp_frame(40));
  b.host.reset_counts();
  ASSERT_TRUE(b.send(skb));
  EXPECT_EQ(b.host.count(Op::kUncachedStore), 5u + 2);
  EXPECT_EQ(b.host.count(Op::kMapSetup), 0u);
  EXPECT_EQ(b.host.count(Op::kMmioWrite), 1u);
}

// A poll of one: two acknowledgement loads for the frame and the end, one for transmit's; 12 octets
// of stores for the refill, its doorbell, and the interrupt on again.
TEST(OpCount, ReceiveAndDropByAProgram) {
  stack::XdpDropProgram drop;
  TsnepBench b(TsnepBench::with(&drop));
  b.start();
  for (unsigned i = 0; i < 4; ++i) ASSERT_TRUE(b.receive(udp_frame()));
  b.host.set_register(0x1C, 0x200);
  b.queue_host(0).raise(0);
  b.host.reset_counts();
  EXPECT_EQ(b.queue_host(0).run_napi(), 4);
  EXPECT_EQ(b.host.count(Op::kUncachedLoad), 4u + 1 + 1) << "frames, the end, the second look";
  EXPECT_EQ(b.host.count(Op::kUncachedStore), 4u * 2);
  EXPECT_EQ(b.host.count(Op::kMmioWrite), 1u + 1);
  EXPECT_EQ(b.host.count(Op::kMmioRead), 0u);
  EXPECT_EQ(b.host.count(Op::kDriverRx), 4u);
  EXPECT_EQ(b.host.count(Op::kXdpProgram), 4u);
}

}  // namespace
}  // namespace doorbell::drivers::tsnep
