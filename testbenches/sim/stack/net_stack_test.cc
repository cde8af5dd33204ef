#include "sim/stack/net_stack.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sim/hal/scripted/scripted_hal.h"
#include "testbenches/sim/stack/fake_device.h"

namespace doorbell::stack {
namespace {

using hal::Op;

struct Bench {
  Bench() : stack(hal), device(hal), other(hal) {
    stack.register_device(device);
    stack.register_device(other);
    device.open();
    other.open();
    host.reset_counts();
  }
  SkBuff* skb() {
    SkBuff* s = stack.skbs().alloc(256);
    uint8_t* p = s->put(60);
    hal.dma.touch(p, 60, hal::Touch::kWrite);
    for (uint8_t i = 0; i < 60; ++i) p[i] = i;
    return s;
  }
  void receive(XdpProgram* program) {
    device.set_generic_program(program);
    SkBuff* s = skb();
    host.reset_counts();
    stack.napi_gro_receive(device, *s);
  }
  uint64_t drops(DropReason reason) { return stack.drops().value(reason); }
  hal::ScriptedHal host;
  hal::Hal hal = host.hal();
  NetStack stack;
  FakeDevice device;
  FakeDevice other;
};

class Sink : public ProtocolSink {
 public:
  void deliver(const SkBuff& skb) override { bytes += skb.length(); }
  uint64_t bytes = 0;
};

TEST(Receive, DeliversCountsAndFrees) {
  Bench b;
  Sink sink;
  b.stack.set_sink(&sink);
  b.receive(nullptr);
  EXPECT_EQ(b.stack.delivered_frames(), 1u);
  EXPECT_EQ(b.stack.delivered_bytes(), 60u);
  EXPECT_EQ(sink.bytes, 60u);
  EXPECT_EQ(b.stack.skbs().in_use(), 0u);
  EXPECT_EQ(b.host.count(Op::kSkbReceive), 1u);
  EXPECT_EQ(b.host.count(Op::kStackDeliver), 1u);
  EXPECT_EQ(b.host.count(Op::kGenericXdp), 0u);
}

TEST(GenericXdp, Verdicts) {
  Bench b;
  XdpPassProgram pass;
  b.receive(&pass);
  EXPECT_EQ(b.stack.delivered_frames(), 1u);
  EXPECT_EQ(b.host.count(Op::kGenericXdp), 1u);
  XdpDropProgram drop;
  b.receive(&drop);
  EXPECT_EQ(b.drops(DropReason::kXdpDrop), 1u);
  XdpFixedProgram aborted("a", Verdict::kAborted);
  b.receive(&aborted);
  EXPECT_EQ(b.drops(DropReason::kXdpAborted), 1u);
  XdpFixedProgram unknown("u", static_cast<Verdict>(99));
  b.receive(&unknown);
  EXPECT_EQ(b.drops(DropReason::kXdpUnknownVerdict), 1u);
  EXPECT_EQ(b.stack.skbs().in_use(), 0u);
  EXPECT_EQ(b.device.xdp_counts.pass, 1u);
  EXPECT_EQ(b.device.xdp_counts.unknown, 1u);
}

TEST(GenericXdp, TxGoesStraightToTheDriver) {
  Bench b;
  XdpTxProgram tx;
  b.receive(&tx);
  ASSERT_EQ(b.device.sent.size(), 1u);
  EXPECT_EQ(b.device.sent[0]->data[0], 6);
  EXPECT_EQ(b.host.count(Op::kStackTx), 1u);
  EXPECT_EQ(b.host.count(Op::kTxLock), 1u);
  EXPECT_EQ(b.host.count(Op::kXdpConvert), 0u);
}

TEST(GenericXdp, RedirectGoesToTheOtherDevice) {
  Bench b;
  XdpRedirectProgram redirect(2);
  b.receive(&redirect);
  EXPECT_EQ(b.other.sent.size(), 1u);
  EXPECT_EQ(b.host.count(Op::kXdpRedirect), 1u);
  XdpRedirectProgram nowhere(3);
  b.receive(&nowhere);
  EXPECT_EQ(b.drops(DropReason::kRedirectNoTarget), 1u);
  b.other.stop();
  b.receive(&redirect);
  EXPECT_EQ(b.drops(DropReason::kRedirectDeviceDown), 1u);
}

TEST(GenericXdp, StoppedOrBusyQueueDrops) {
  Bench b;
  XdpTxProgram tx;
  b.device.stop_queue(0);
  b.receive(&tx);
  EXPECT_EQ(b.drops(DropReason::kGenericTxQueueStopped), 1u);
  b.device.wake_queue(0);
  b.device.busy = true;
  b.receive(&tx);
  EXPECT_EQ(b.drops(DropReason::kGenericTxQueueStopped), 2u);
  EXPECT_EQ(b.stack.skbs().in_use(), 0u);
}

TEST(Transmit, SelectsTheQueueAndNotesTheTime) {
  Bench b;
  b.host.advance(base::Picos(77));
  SkBuff* s = b.skb();
  s->vlan_present = true;
  EXPECT_TRUE(b.stack.transmit(b.device, *s));
  EXPECT_EQ(b.device.sent_queue, 1);
  EXPECT_EQ(s->queue, 1);
  EXPECT_EQ(b.device.queue(1).trans_start, b.host.now());
}

TEST(Transmit, DropsWhatCannotGo) {
  Bench b;
  b.device.stop_queue(0);
  EXPECT_FALSE(b.stack.transmit(b.device, *b.skb()));
  b.device.wake_queue(0);
  b.device.busy = true;
  EXPECT_FALSE(b.stack.transmit(b.device, *b.skb()));
  b.device.busy = false;
  b.device.stop();
  EXPECT_FALSE(b.stack.transmit(b.device, *b.skb()));
  EXPECT_EQ(b.drops(DropReason::kSkbTxQueueStopped), 3u);
  EXPECT_EQ(b.stack.skbs().in_use(), 0u);
}

TEST(Drops, EveryReasonHasANameAndAHelpText) {
  std::set<std::string> names;
  size_t index = 0;
  for (const DropInfo& info : kDropInfos) {
    EXPECT_EQ(static_cast<size_t>(info.reason), index++);
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_GT(std::string(info.help).size(), 10u);
  }
  EXPECT_EQ(index, kDropReasonCount);
  Drops drops;
  drops.count(DropReason::kRxError, 3);
  drops.count(DropReason::kXdpDrop);
  EXPECT_EQ(drops.total(), 4u);
}

}  // namespace
}  // namespace doorbell::stack
