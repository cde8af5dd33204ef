// Interrupt lines and coalescing, to the picosecond.
#include "testbenches/models/fec/bench.h"

namespace doorbell::fec::test {
namespace {

constexpr uint32_t kIc200x1000us = 0xCC801046;

/// Time from the start of a 60-octet frame to RXF on an otherwise idle device.
Picos rx_latency() {
  return line_time(frame(60)) + cycles(8) + 8 * cycles(1) + kForward + cycles(4) + 3 * cycles(1) +
         kForward;
}

struct Rx : Bench {
  explicit Rx(const FecConfig& config = {}) : Bench(config) {
    make_rx_ring(0, 512);
    make_rx_ring(1, 64);
    setup();
    wr(reg::kRdar0, 0);
    wr(reg::kRdar1, 0);
    run_to(5_us);
  }
};

TEST(FecIrq, CoalescingByCount) {
  Rx b;
  b.wr(reg::kEimr, eir::kRxf0);
  b.wr(reg::kRxic0, ic::kIcEn | ic::kIccs | 5u << 20 | 0x1046);
  for (int i = 0; i < 12; ++i) b.in.push(10_us + 2_us * i, frame(60));
  b.run_to(40_us);
  ASSERT_EQ(b.irq.edges.size(), 1u);  // level: still high, the second five change nothing
  EXPECT_EQ(b.irq.edges[0].at, 10_us + 2_us * 4 + rx_latency());
  b.wr(reg::kEir, eir::kRxf0);
  EXPECT_FALSE(b.irq.levels[kLineMac]);
  // Two of the next five are counted already (frames 11 and 12).
  for (int i = 0; i < 3; ++i) b.in.push(50_us + 2_us * i, frame(60));
  b.run_to(60_us);
  ASSERT_EQ(b.irq.edges.size(), 3u);
  EXPECT_EQ(b.irq.edges[2].at, 50_us + 2_us * 2 + rx_latency());
}

TEST(FecIrq, CoalescingByTime) {
  Rx b;
  b.wr(reg::kEimr, eir::kRxf0);
  b.wr(reg::kRxic0, kIc200x1000us);
  b.in.push(10_us, frame(60));
  b.in.push(20_us, frame(60));
  const Picos due = 10_us + rx_latency() + cycles(64 * 0x1046);
  b.run_to(due - 1_ps);
  EXPECT_TRUE(b.irq.edges.empty());
  EXPECT_EQ(b.rd(reg::kEir), eir::kRxf0);  // only the line waits
  b.run_to(due);
  ASSERT_EQ(b.irq.edges.size(), 1u);
  EXPECT_EQ(b.irq.edges[0].at, due);
  EXPECT_NEAR((due - 10_us - rx_latency()).seconds(), 999.84e-6, 1e-8);
}

TEST(FecIrq, EirMayWaitToo) {
  FecConfig config;
  config.event_before_coalescing = false;
  Rx b(config);
  b.wr(reg::kEimr, eir::kRxf0);
  b.wr(reg::kRxic0, ic::kIcEn | ic::kIccs | 2u << 20 | 0x1046);
  b.in.push(10_us, frame(60));
  b.run_to(20_us);
  EXPECT_EQ(b.rd(reg::kEir), 0u);
  b.in.push(30_us, frame(60));
  b.run_to(40_us);
  EXPECT_EQ(b.rd(reg::kEir), eir::kRxf0);
  EXPECT_TRUE(b.irq.levels[kLineMac]);
}

TEST(FecIrq, SwitchingCoalescingOffFiresAtOnce) {
  Rx b;
  b.wr(reg::kEimr, eir::kRxf0);
  b.wr(reg::kRxic0, kIc200x1000us);
  b.in.push(10_us, frame(60));
  b.run_to(20_us);
  EXPECT_FALSE(b.irq.levels[kLineMac]);
  b.wr(reg::kRxic0, kIc200x1000us & ~ic::kIcEn);
  EXPECT_TRUE(b.irq.levels[kLineMac]);
}

TEST(FecIrq, BothCountAndTimeMustBeSet) {
  Rx b;
  b.wr(reg::kEimr, eir::kRxf0);
  b.wr(reg::kRxic0, ic::kIcEn | ic::kIccs | 5u << 20);
  b.in.push(10_us, frame(60));
  b.run_to(20_us);
  EXPECT_TRUE(b.irq.levels[kLineMac]);  // not coalesced
}

TEST(FecIrq, TransmitClockSource) {
  Rx b;
  b.wr(reg::kEimr, eir::kTxf0);
  b.wr(reg::kTxic0, ic::kIcEn | 200u << 20 | 100);  // 6400 clocks of 125 MHz
  b.send(0, 0, frame(60));
  b.wr(reg::kTdar0, 0);
  b.run_to(100_us);
  ASSERT_EQ(b.irq.edges.size(), 1u);
  const Picos closed =
      b.out.sent[0].start + line_time(frame(60)) + cycles(4) + 3 * cycles(1) + kForward;
  EXPECT_EQ(b.irq.edges[0].at, closed + 8_ns * 6400);
}

TEST(FecIrq, RingsCountApart) {
  Rx b;
  b.wr(reg::kEimr, eir::kRxf0 | eir::kRxf1);
  b.wr(reg::kRxic0, ic::kIcEn | ic::kIccs | 3u << 20 | 0x1046);
  b.wr(reg::kRxic1, ic::kIcEn | ic::kIccs | 2u << 20 | 0x1046);
  b.in.push(10_us, frame(60));
  b.in.push(12_us, tagged(60, 1));
  b.in.push(14_us, frame(60));
  b.run_to(20_us);
  EXPECT_FALSE(b.irq.levels[kLineMac]);
  b.in.push(22_us, tagged(60, 1));
  b.run_to(30_us);
  EXPECT_TRUE(b.irq.levels[kLineMac]);
}

TEST(FecIrq, MaskedEventsShowAndUnmaskRaises) {
  Rx b;
  b.in.push(10_us, frame(60));
  b.run_to(20_us);
  EXPECT_EQ(b.rd(reg::kEir), eir::kRxf0);
  EXPECT_FALSE(b.irq.levels[kLineMac]);
  b.wr(reg::kEimr, eir::kRxf0);
  EXPECT_TRUE(b.irq.levels[kLineMac]);
  b.wr(reg::kEimr, 0);
  EXPECT_FALSE(b.irq.levels[kLineMac]);
  b.wr(reg::kEir, eir::kRxf0);
  b.wr(reg::kEimr, eir::kRxf0);
  EXPECT_FALSE(b.irq.levels[kLineMac]);
}

TEST(FecIrq, LinesPerClass) {
  FecConfig config;
  config.irq_per_class = true;
  Rx b(config);
  b.wr(reg::kEimr, eir::kFrames);
  b.in.push(10_us, tagged(60, 1));
  b.run_to(20_us);
  EXPECT_TRUE(b.irq.levels[kLineClass1]);
  EXPECT_TRUE(b.irq.levels[kLineMac]);
  EXPECT_FALSE(b.irq.levels[kLineClass2]);
  EXPECT_FALSE(b.irq.levels[kLine1588]);
}

// While software polls, frames cost no interrupt events: one step a frame and half a fetch.
TEST(FecIrq, PollingCostsNoInterruptEvents) {
  Rx b;
  for (int i = 0; i < 400; ++i) b.in.push(10_us + 672_ns * i, frame(60));
  const uint64_t before = b.calendar.events_run();
  b.run_to(10_us + 672_ns * 402);
  EXPECT_EQ(b.count("rx_frames"), 400u);
  EXPECT_LE(b.calendar.events_run() - before, 400u + 200u + 10u);
}

}  // namespace
}  // namespace doorbell::fec::test
