// Interrupt vectors: timers, rate limit, arming, software interrupts, message order.
#include <gtest/gtest.h>

#include "testbenches/models/ice/bench.h"

namespace doorbell::ice::test {
namespace {

/// A message leaves behind the writes before it, so two are apart by the timer to some 10 ns.
void expect_about(Picos got, Picos want) {
  EXPECT_NEAR(static_cast<double>(got.count()), static_cast<double>(want.count()), 50e3);
}

/// A queue with vector 1, timer 0 at `itr` units.
struct IrqBench : Bench {
  explicit IrqBench(unsigned itr, const IceConfig& config = {}) : Bench(config) {
    enable_msix(8);
    add_rx(0, 512, 1);
    wr(reg::qrx_itr(0), kQrxItrNoExpr);
    refill(0, 504);
    set_itr(1, kRxItr, itr);
    run(5_us);
  }
  void frame_at(Picos t) { in.push(t, frame(60)); }
  size_t messages() const { return msix.messages.size(); }
};

TEST(IceIrq, FiresAtOnceWhenTheTimerHasRunOut) {
  IrqBench b(25);
  b.arm(1);
  b.frame_at(b.now() + 1_us);
  const Picos t = b.now() + 1_us + line_time(60) + 200_ns;
  b.run(3_us);
  ASSERT_EQ(b.messages(), 1u);
  EXPECT_EQ(b.msix.messages[0].address, kMsixAddress);
  EXPECT_EQ(b.msix.messages[0].data, 1u);
  EXPECT_GT(b.msix.messages[0].at, t + 200_ns) << "one way through the link";
  EXPECT_LT(b.msix.messages[0].at, t + 300_ns);
}

TEST(IceIrq, TimerCountsFromTheLastInterrupt) {
  IrqBench b(25);
  b.arm(1);
  b.frame_at(b.now() + 1_us);
  b.run(5_us);
  ASSERT_EQ(b.messages(), 1u);
  const Picos first = b.msix.messages[0].at;
  b.arm(1);
  for (int i = 0; i < 10; ++i) b.frame_at(b.now() + 2_us * i);
  b.run(100_us);
  ASSERT_EQ(b.messages(), 2u) << "one for all: the vector disarms itself";
  expect_about(b.msix.messages[1].at - first, 50_us);
}

TEST(IceIrq, TimerFromTheEvent) {
  IceConfig config;
  config.itr_from_event = true;
  IrqBench b(10, config);
  b.arm(1);
  const Picos t = b.now() + 30_us;
  b.frame_at(t);
  b.run_to(t + 15_us);
  EXPECT_EQ(b.messages(), 0u);
  b.run_to(t + 25_us);
  ASSERT_EQ(b.messages(), 1u);
  EXPECT_GT(b.msix.messages[0].at, t + 20_us);
}

TEST(IceIrq, DisarmsItselfUnlessToldNotTo) {
  IrqBench b(0);
  b.arm(1);
  b.frame_at(b.now() + 1_us);
  b.run(5_us);
  EXPECT_FALSE(b.ice.vector_armed(1));
  EXPECT_EQ(b.rd(reg::glint_dyn_ctl(1)) & glint_dyn_ctl::kIntEna, 0u);
  b.frame_at(b.now() + 1_us);
  b.run(5_us);
  EXPECT_EQ(b.messages(), 1u);
  EXPECT_TRUE(b.ice.vector_pending(1));
  b.wr(reg::kGlintCtl, 0x22220000 | glint_ctl::kDisAutomask);
  b.arm(1);
  b.run(5_us);
  EXPECT_EQ(b.messages(), 2u) << "the event had waited";
  EXPECT_FALSE(b.ice.vector_pending(1));
  b.frame_at(b.now() + 1_us);
  b.frame_at(b.now() + 3_us);
  b.run(10_us);
  EXPECT_EQ(b.messages(), 4u);
  EXPECT_TRUE(b.ice.vector_armed(1));
}

TEST(IceIrq, EventsWhileDisarmedAreKept) {
  IrqBench b(0);
  b.frame_at(b.now() + 1_us);
  b.run(10_us);
  EXPECT_EQ(b.messages(), 0u);
  EXPECT_TRUE(b.ice.vector_pending(1));
  b.arm(1);
  b.run(1_us);
  EXPECT_EQ(b.messages(), 1u);
}

TEST(IceIrq, ClearpbaMayForgetThem) {
  IceConfig config;
  config.clearpba_forgets = true;
  IrqBench b(0, config);
  b.frame_at(b.now() + 1_us);
  b.run(10_us);
  b.arm(1);
  b.run(10_us);
  EXPECT_EQ(b.messages(), 0u) << "the lost wake-up of that assumption";
  EXPECT_FALSE(b.ice.vector_pending(1));
}

TEST(IceIrq, RateLimit) {
  IrqBench b(0);
  b.wr(reg::kGlintCtl, 0x22220000 | glint_ctl::kDisAutomask);
  b.wr(reg::glint_rate(1), glint_rate::kIntrlEna | 1);  // 4 us
  b.arm(1);
  for (int i = 0; i < 200; ++i) b.frame_at(b.now() + 500_ns * i);
  b.run(120_us);
  // 100 us of frames: one message every 4 us.
  EXPECT_GE(b.messages(), 25u);
  EXPECT_LE(b.messages(), 26u);
  for (size_t i = 1; i < b.messages(); ++i) {
    EXPECT_GE(b.msix.messages[i].at - b.msix.messages[i - 1].at, 3950_ns);
  }
}

TEST(IceIrq, RateLimitTopsOutAt250k) {
  IrqBench b(0);
  b.wr(reg::kGlintCtl, 0x22220000 | glint_ctl::kDisAutomask);
  b.wr(reg::glint_rate(1), glint_rate::kIntrlEna | 59);  // 236 us
  b.arm(1);
  for (int i = 0; i < 400; ++i) b.frame_at(b.now() + 5_us * i);
  b.run(2000_us);
  EXPECT_GE(b.messages(), 8u);
  EXPECT_LE(b.messages(), 9u);
}

TEST(IceIrq, ThreeTimersOfAVector) {
  Bench b;
  b.enable_msix(2);
  for (unsigned q = 0; q < 3; ++q) b.add_tx(q, 64, 1, q);
  for (unsigned i = 0; i < 3; ++i) b.set_itr(1, i, 5 * (i + 1));  // 10, 20, 30 us
  b.wr(reg::kGlintCtl, 0x22220000 | glint_ctl::kDisAutomask);
  b.arm(1);
  for (unsigned q = 0; q < 3; ++q) {
    b.put_frame(q, frame(60));
    b.ring_tx(q);
  }
  b.run(5_us);
  const size_t first = b.msix.messages.size();
  ASSERT_GE(first, 1u);
  b.msix.messages.clear();
  const Picos t = b.now();
  for (unsigned q = 0; q < 3; ++q) {
    b.put_frame(q, frame(60));
    b.ring_tx(q);
  }
  b.run_to(t + 60_us);
  ASSERT_EQ(b.msix.messages.size(), 3u) << "each timer on its own";
  EXPECT_NEAR(static_cast<double>((b.msix.messages[1].at - b.msix.messages[0].at).count()), 1e7,
              1e5);
  EXPECT_NEAR(static_cast<double>((b.msix.messages[2].at - b.msix.messages[1].at).count()), 1e7,
              1e5);
}

TEST(IceIrq, SoftwareInterrupt) {
  IrqBench b(25);
  b.wr(reg::glint_dyn_ctl(1), glint_dyn_ctl::kIntEna | glint_dyn_ctl::kSwIntTrig | 3u << 3);
  b.run(1_us);
  EXPECT_EQ(b.messages(), 1u) << "waits for no timer";
  EXPECT_EQ(b.rd(reg::glint_dyn_ctl(1)) & glint_dyn_ctl::kSwIntTrig, 0u);
}

TEST(IceIrq, SoftwareInterruptAtTwentyThousandASecond) {
  IrqBench b(0);
  const uint32_t leave = glint_dyn_ctl::kIntEna | glint_dyn_ctl::kClearPba | 2u << 3 | 25u << 5 |
                         glint_dyn_ctl::kSwIntTrig | glint_dyn_ctl::kSwItrIndxEna | 2u << 25;
  EXPECT_EQ(leave, 0x05000337u);
  b.msix.look = [&] { b.wr(reg::glint_dyn_ctl(1), leave); };
  b.wr(reg::glint_dyn_ctl(1), leave);
  b.run(1000_us);
  EXPECT_EQ(b.rd(reg::glint_itr(2, 1)), 25u);
  EXPECT_GE(b.messages(), 19u);
  EXPECT_LE(b.messages(), 21u);
}

TEST(IceIrq, DynCtlKeepsOrTakesIntena) {
  IrqBench b(0);
  b.arm(1);
  b.wr(reg::glint_dyn_ctl(1), glint_dyn_ctl::kIntEnaMsk | 3u << 3);
  EXPECT_TRUE(b.ice.vector_armed(1));
  EXPECT_NE(b.rd(reg::glint_dyn_ctl(1)) & glint_dyn_ctl::kIntEna, 0u);
  b.wr(reg::glint_dyn_ctl(1), 0);
  EXPECT_FALSE(b.ice.vector_armed(1));
  b.wr(reg::glint_dyn_ctl(1), glint_dyn_ctl::kIntEnaMsk | glint_dyn_ctl::kIntEna | 3u << 3);
  EXPECT_FALSE(b.ice.vector_armed(1));
  EXPECT_EQ(b.rd(reg::glint_dyn_ctl(1)) & glint_dyn_ctl::kIntEna, 0u);
}

TEST(IceIrq, GranularityOfTheTimers) {
  IrqBench b(0);
  b.wr(reg::kGlintCtl, 0x44440000);  // 4 us
  b.set_itr(1, kRxItr, 10);
  b.arm(1);
  b.frame_at(b.now() + 1_us);
  b.run(5_us);
  ASSERT_EQ(b.messages(), 1u);
  b.arm(1);
  b.frame_at(b.now() + 1_us);
  b.run(100_us);
  ASSERT_EQ(b.messages(), 2u);
  expect_about(b.msix.messages[1].at - b.msix.messages[0].at, 40_us);
}

TEST(IceIrq, MaskedVectorPends) {
  IrqBench b(0);
  b.wr(16 * 1 + 12, 1, true);  // mask bit of the table entry
  b.arm(1);
  b.frame_at(b.now() + 1_us);
  b.run(5_us);
  EXPECT_EQ(b.messages(), 0u);
  EXPECT_EQ(b.rd(kMsixPbaOffset, true), 2u);
  b.wr(16 * 1 + 12, 0, true);
  b.run(5_us);
  EXPECT_EQ(b.messages(), 1u);
  EXPECT_EQ(b.rd(kMsixPbaOffset, true), 0u);
}

TEST(IceIrq, VectorsAreIndependent) {
  Bench b;
  b.enable_msix(8);
  for (unsigned q = 0; q < 8; ++q) {
    b.add_tx(q, 64, q);
    b.set_itr(q, kTxItr, 10 * q);
    b.arm(q);
  }
  for (int round = 0; round < 3; ++round) {
    for (unsigned q = 0; q < 8; ++q) {
      b.put_frame(q, frame(60));
      b.ring_tx(q);
      b.arm(q);
    }
    b.run(10_us);
  }
  b.run(200_us);
  for (unsigned q = 0; q < 8; ++q) EXPECT_GE(b.ice.vector_messages(q), 2u) << q;
  EXPECT_EQ(b.msix.messages.size(), b.count("interrupts"));
}

}  // namespace
}  // namespace doorbell::ice::test
