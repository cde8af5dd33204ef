// Receive: descriptor values, error classes, offloads, allocation failures.
#include <gtest/gtest.h>

#include <cstring>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

using stack::DropReason;

// Keeps what the top of the stack got.
class Sink : public stack::ProtocolSink {
 public:
  explicit Sink(hal::ScriptedHal& host) : host_(host) {}
  void deliver(const stack::SkBuff& skb) override {
    frames.push_back(host_.cpu_would_read(skb.data, skb.length()));
    last = skb;
  }
  std::vector<Bytes> frames;
  stack::SkBuff last;

 private:
  hal::ScriptedHal& host_;
};

TEST(Rx, ArmedDescriptorValues) {
  FecBench b;
  b.start();
  const hal::DmaAddr first = b.rx_bd(1, 0);
  const hal::DmaAddr last = b.rx_bd(1, 255);
  EXPECT_EQ(b.host.peek16(first + 2), 0x8000);
  EXPECT_EQ(b.host.peek16(last + 2), 0xA000);
  EXPECT_EQ(b.host.peek32(first + 8), 0x00800000u);
  EXPECT_EQ(b.host.peek32(first + 12), 0u);
  EXPECT_EQ(b.host.peek32(first + 16), 0u);
  EXPECT_EQ(b.host.peek32(first + 4) % 4096, 256u);
  EXPECT_EQ(b.host.peek32(first + 4) % 64, 0u);
}

TEST(Rx, DeliversTheFrameWithoutPaddingAndFcs) {
  FecBench b;
  b.start();
  Sink sink(b.host);
  b.stack.set_sink(&sink);
  const Bytes frame = udp_frame(200, 3);
  b.receive(0, frame);
  b.service();
  ASSERT_EQ(sink.frames.size(), 1u);
  EXPECT_EQ(sink.frames[0], frame);
  ASSERT_EQ(b.tap.frames.size(), 1u);
  EXPECT_EQ(b.tap.frames[0], frame);
  EXPECT_EQ(sink.last.ip_summed, stack::Checksum::kUnnecessary);
  EXPECT_EQ(b.stack.delivered_frames(), 1u);
  b.expect_no_leaks();
}

TEST(Rx, RearmedDescriptorValues) {
  FecBench b;
  b.start();
  const uint32_t old_address = b.host.peek32(b.rx_bd(0, 0) + 4);
  RxClose multicast;
  multicast.status = 0x0840;
  b.receive(0, udp_frame(), multicast);
  b.poll(64);
  const hal::DmaAddr bd = b.rx_bd(0, 0);
  EXPECT_EQ(b.host.peek16(bd + 2), 0x8040);  // MC survives, L does not
  EXPECT_EQ(b.host.peek32(bd + 8), 0x00800000u);
  EXPECT_EQ(b.host.peek32(bd + 12), 0u);
  EXPECT_EQ(b.host.peek32(bd + 16), 0u);
  EXPECT_NE(b.host.peek32(bd + 4), old_address);
  EXPECT_EQ(b.host.mmio_writes(0x010), 1u);
}

TEST(Rx, NotLastLeavesLastSetInTheArmedDescriptor) {
  FecBench b;
  b.start();
  RxClose open;
  open.status = 0;  // L = 0
  b.receive(0, udp_frame(), open);
  b.poll(64);
  EXPECT_EQ(b.host.peek16(b.rx_bd(0, 0) + 2), 0x8800);
  EXPECT_EQ(b.driver->statistics().rx_length_errors, 1u);
  // Its end is the frame's drop, so it is none itself.
  EXPECT_EQ(b.drops(DropReason::kRxError), 0u);
}

struct ErrorCase {
  uint16_t bit;
  uint64_t FecStatistics::*counter;
  DropReason reason;
};

TEST(Rx, ErrorClassesReuseTheBuffer) {
  const ErrorCase cases[] = {{0x0020, &FecStatistics::rx_length_errors, DropReason::kRxTooLong},
                             {0x0010, &FecStatistics::rx_frame_errors, DropReason::kRxError},
                             {0x0004, &FecStatistics::rx_crc_errors, DropReason::kRxCrcError},
                             {0x0002, &FecStatistics::rx_fifo_errors, DropReason::kRxOverrun},
                             {0x0001, &FecStatistics::rx_frame_errors, DropReason::kRxTooLong}};
  for (const ErrorCase& c : cases) {
    FecBench b;
    b.start();
    const uint32_t address = b.host.peek32(b.rx_bd(0, 0) + 4);
    RxClose bad;
    bad.status = static_cast<uint16_t>(0x0800 | c.bit);
    b.receive(0, udp_frame(), bad);
    b.poll(64);
    EXPECT_EQ(b.driver->statistics().*c.counter, 1u) << c.bit;
    EXPECT_EQ(b.driver->statistics().rx_errors, 1u);
    EXPECT_EQ(b.driver->statistics().rx_packets, 0u);
    EXPECT_EQ(b.drops(c.reason), 1u);
    EXPECT_EQ(b.host.peek32(b.rx_bd(0, 0) + 4), address);
    EXPECT_EQ(b.host.peek16(b.rx_bd(0, 0) + 2), 0x8000) << c.bit;
    b.expect_no_leaks();
  }
}

TEST(Rx, NonsenseLengthIsAnError) {
  FecBench b;
  b.start();
  for (int length : {0, 19, 3521, 65535}) {
    RxClose close;
    close.length = length;
    b.receive(0, udp_frame(), close);
  }
  b.poll(64);
  EXPECT_EQ(b.drops(DropReason::kRxError), 4u);
  EXPECT_EQ(b.stack.delivered_frames(), 0u);
  b.expect_no_leaks();
}

TEST(Rx, B9_PageAllocFailureDropsAndRearms) {
  FecBench b;
  b.start();
  const uint32_t address = b.host.peek32(b.rx_bd(0, 0) + 4);
  b.driver->rx_pool(0)->fail_allocs(1, 1);
  b.receive(0, udp_frame());
  b.receive(0, udp_frame());
  b.poll(64);
  EXPECT_EQ(b.drops(DropReason::kRxAllocFailed), 1u);
  EXPECT_EQ(b.driver->statistics().rx_dropped, 1u);
  EXPECT_EQ(b.stack.delivered_frames(), 1u);
  EXPECT_EQ(b.host.peek32(b.rx_bd(0, 0) + 4), address);
  EXPECT_EQ(b.host.peek16(b.rx_bd(0, 0) + 2), 0x8000);
  b.expect_no_leaks();
}

TEST(Rx, B10_SkbAllocFailureRecyclesThePage) {
  FecBench b;
  b.start();
  b.stack.skbs().fail_next(1);
  b.receive(0, udp_frame());
  b.poll(64);
  EXPECT_EQ(b.drops(DropReason::kRxSkbFailed), 1u);
  EXPECT_EQ(b.driver->rx_pool(0)->inflight(), 256u);
  b.expect_no_leaks();
}

TEST(Rx, B15_SyncsTheOldBufferNotTheNew) {
  FecBench b;
  b.start();
  const uint32_t old_address = b.host.peek32(b.rx_bd(0, 0) + 4);
  b.receive(0, udp_frame());
  b.host.record(true);
  b.poll(64);
  bool seen = false;
  for (const hal::ScriptedStep& step : b.host.steps()) {
    if (step.kind != hal::ScriptedStep::Kind::kSyncForCpu) continue;
    EXPECT_EQ(step.address, old_address);
    EXPECT_EQ(step.value, 66u);
    seen = true;
  }
  EXPECT_TRUE(seen);
}

TEST(Rx, VlanTagIsStripped) {
  FecBench b;
  b.start();
  Sink sink(b.host);
  b.stack.set_sink(&sink);
  Bytes tagged = udp_frame(64);
  const uint8_t tag[] = {0x81, 0x00, 0x60, 0x05};
  tagged.insert(tagged.begin() + 12, std::begin(tag), std::end(tag));
  RxClose close;
  close.control = 0x01800004;
  b.receive(1, tagged, close);
  b.poll(64);
  ASSERT_EQ(sink.frames.size(), 1u);
  EXPECT_EQ(sink.frames[0], udp_frame(64));
  EXPECT_TRUE(sink.last.vlan_present);
  EXPECT_EQ(sink.last.vlan_tci, 0x6005);
  EXPECT_EQ(b.tap.frames.at(0), tagged);
}

TEST(Rx, VlanTagStaysWhenStrippingIsOff) {
  FecDriverConfig c = FecBench::base_config();
  c.vlan_strip = false;
  FecBench b(c);
  b.start();
  Sink sink(b.host);
  b.stack.set_sink(&sink);
  RxClose close;
  close.control = 0x01800004;
  b.receive(1, udp_frame(64), close);
  b.poll(64);
  ASSERT_EQ(sink.frames.size(), 1u);
  EXPECT_EQ(sink.frames[0].size(), 64u);
}

TEST(Rx, ChecksumErrorBitsLeaveThePacketUnverified) {
  for (uint32_t bit : {0x20u, 0x10u}) {
    FecBench b;
    b.start();
    Sink sink(b.host);
    b.stack.set_sink(&sink);
    RxClose close;
    close.control = 0x01800000 | bit;
    b.receive(0, udp_frame(), close);
    b.poll(64);
    EXPECT_EQ(sink.last.ip_summed, stack::Checksum::kNone);
  }
}

TEST(Rx, RingsAreServedFromTheHighestDown) {
  FecBench b;
  b.start();
  b.receive(0, udp_frame(60, 0));
  b.receive(1, udp_frame(60, 1));
  b.receive(2, udp_frame(60, 2));
  b.poll(64);
  ASSERT_EQ(b.tap.frames.size(), 3u);
  EXPECT_EQ(b.tap.frames[0], udp_frame(60, 2));
  EXPECT_EQ(b.tap.frames[2], udp_frame(60, 0));
}

TEST(Rx, BudgetIsSharedByTheRings) {
  FecBench b;
  b.start();
  for (int i = 0; i < 5; ++i) {
    b.receive(2, udp_frame());
    b.receive(0, udp_frame());
  }
  EXPECT_EQ(b.poll(7), 7);
  EXPECT_EQ(b.host.mmio_writes(0x1E8), 5u);
  EXPECT_EQ(b.host.mmio_writes(0x010), 2u);
  EXPECT_EQ(b.host.mmio_writes(0x008), 0u);  // not complete
  EXPECT_EQ(b.driver->pending_rx(b.peek), 3u);
}

TEST(Rx, RingWraps) {
  FecBench b;
  b.start();
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE(b.receive(0, udp_frame(60, static_cast<uint8_t>(i))));
    b.service();
  }
  EXPECT_EQ(b.stack.delivered_frames(), 600u);
  EXPECT_EQ(b.host.peek16(b.rx_bd(0, 255) + 2), 0xA000);
  b.expect_no_leaks();
}

TEST(Rx, SteadyStateTakesNoPagesFromTheAllocator) {
  FecBench b;
  b.start();
  for (int i = 0; i < 300; ++i) {
    b.receive(0, udp_frame());
    b.service();
  }
  const uint32_t pages = b.host.pages_out();
  b.host.reset_counts();
  for (int i = 0; i < 1000; ++i) {
    b.receive(0, udp_frame());
    b.service();
  }
  EXPECT_EQ(b.host.pages_out(), pages);
  EXPECT_EQ(b.host.count(hal::Op::kPageAlloc), 0u);
}

TEST(Rx, LegacyDescriptors) {
  FecDriverConfig c = FecBench::base_config();
  c.enhanced_descriptors = false;
  FecBench b(c);
  b.start();
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(b.receive(0, udp_frame(60, static_cast<uint8_t>(i))));
    b.service();
  }
  EXPECT_EQ(b.tap.frames.at(299), udp_frame(60, static_cast<uint8_t>(299)));
  b.expect_no_leaks();
}

// The ring hands the last descriptor's total length with the second buffer's bytes: what the driver
// makes of a frame over two descriptors is one error and one wrong packet.
TEST(Rx, D7_FrameOverTwoDescriptors) {
  FecBench b;
  b.start();
  RxClose open;
  open.status = 0;
  open.length = 1984;
  RxClose end;
  end.length = 1986;
  b.receive(0, udp_frame(1978), open);
  b.receive(0, udp_frame(60), end);
  b.poll(64);
  EXPECT_EQ(b.driver->statistics().rx_errors, 1u);
  EXPECT_EQ(b.stack.delivered_frames(), 1u);
  EXPECT_EQ(b.tap.frames.at(0).size(), 1980u);
  EXPECT_EQ(b.drops(DropReason::kRxError), 0u);
}

}  // namespace
}  // namespace doorbell::drivers::fec
