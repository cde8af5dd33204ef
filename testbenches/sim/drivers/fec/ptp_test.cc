// 1588 timer: capture, extension to 64 bits, restart, stamps.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

class StampSink : public stack::ProtocolSink {
 public:
  void deliver(const stack::SkBuff& skb) override { last = skb.timestamp_ns; }
  uint64_t last = 0;
};

TEST(Ptp, H4_CaptureWaitsAMicrosecond) {
  FecBench b;
  b.start();
  const base::Picos before = b.host.now();
  b.host.set_register(0x400, 0x31);
  b.driver->ptp_time();
  EXPECT_EQ(b.host.register_value(0x400), 0x831u);
  EXPECT_EQ((b.host.now() - before).count(), 1000000);
}

TEST(Ptp, ExtendsOverTheWrap) {
  FecBench b;
  b.start();
  const uint64_t start = b.driver->ptp_time();
  uint32_t counter = static_cast<uint32_t>(start);
  for (int i = 1; i <= 5; ++i) {
    counter = (counter + 1000000000) & 0x7FFFFFFF;
    b.host.set_register(0x404, counter);
    EXPECT_EQ(b.driver->ptp_time(), start + 1000000000ull * static_cast<uint64_t>(i));
  }
}

TEST(Ptp, KeepaliveReadsTheTimerEachSecond) {
  FecBench b;
  b.start();
  b.host.advance(base::Picos(3100000000000));
  EXPECT_EQ(b.host.mmio_reads(0x404), 3u);
}

TEST(Ptp, B14_RestartKeepsTheTime) {
  FecBench b;
  b.start();
  b.host.set_register(0x404, 123456789);
  b.host.set_register(0x410, 77);
  b.host.set_register(0x414, 0x0B0A);
  b.driver->set_pause(true);
  EXPECT_EQ(b.host.register_value(0x404), 123456789u);
  EXPECT_EQ(b.host.register_value(0x410), 77u);
  EXPECT_EQ(b.host.register_value(0x414), 0x0B0Au);
}

TEST(Ptp, ReceiveStampsAreExtended) {
  FecDriverConfig c = FecBench::base_config();
  c.hw_timestamps = true;
  FecBench b(c);
  b.start();
  StampSink sink;
  b.stack.set_sink(&sink);
  b.host.set_register(0x404, 1000);
  const uint64_t now = b.driver->ptp_time();
  RxClose close;
  close.timestamp = 900;  // a little before the last look
  b.receive(0, udp_frame(), close);
  b.poll(64);
  EXPECT_EQ(sink.last, now - 100);
  close.timestamp = 1500;
  b.receive(0, udp_frame(), close);
  b.poll(64);
  EXPECT_EQ(sink.last, now + 500);
}

TEST(Ptp, TransmitStampOnRequest) {
  FecDriverConfig c = FecBench::base_config();
  c.hw_timestamps = true;
  FecBench b(c);
  b.start();
  b.host.set_register(0x404, 5000);
  const uint64_t now = b.driver->ptp_time();
  stack::SkBuff* skb = b.skb(udp_frame());
  skb->want_tx_timestamp = true;
  b.send(skb);
  EXPECT_EQ(b.host.peek32(b.tx_bd(0, 0) + 8), 0x60000000u);
  b.transmit(0);
  b.host.poke32(b.tx_bd(0, 0) + 0x14, 5250);
  b.service();
  EXPECT_EQ(b.driver->last_tx_timestamp_ns(), now + 250);
  EXPECT_EQ(b.driver->statistics().tx_timestamps, 1u);
}

}  // namespace
}  // namespace doorbell::drivers::fec
