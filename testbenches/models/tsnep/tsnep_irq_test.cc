// Interrupts: enable by set and clear, acknowledge, lines, delay.
#include "models/tsnep/interrupts.h"
#include "testbenches/models/tsnep/bench.h"

namespace doorbell::tsnep::test {
namespace {

constexpr uint32_t kTx0 = 1u << 8;
constexpr uint32_t kRx0 = 1u << 9;
constexpr uint32_t kTx1 = 1u << 10;
constexpr uint32_t kRx1 = 1u << 11;
constexpr uint32_t kOff = 1u << 31;

TEST(TsnepIrq, EnableSetsAndClearsBits) {
  Bench b;
  b.run_to(10_us);
  EXPECT_EQ(b.rd(0x18), 0u);
  b.wr(0x18, kTx0 | kRx1);
  b.wr(0x18, kRx0);
  EXPECT_EQ(b.rd(0x18), kTx0 | kRx0 | kRx1) << "0 bits change nothing";
  b.wr(0x18, kOff | kTx0 | kRx0);
  EXPECT_EQ(b.rd(0x18), kRx1);
  b.wr(0x18, 0x7FFFFFFF);
  EXPECT_EQ(b.rd(0x18), 0x7FFFFFFFu);
  b.wr(0x18, 0xFFFFFFFF);
  EXPECT_EQ(b.rd(0x18), 0u);
}

TEST(TsnepIrq, TransmitRaisesWhenTheWriteBackIsVisibleAndAcknowledgeClears) {
  Bench b;
  b.setup();
  b.wr(0x1C, 0x7FFFFFFF);
  b.irq.edges.clear();
  b.send(frame(60));
  b.run(10_us);
  ASSERT_EQ(b.irq.edges.size(), 1u);
  EXPECT_EQ(b.irq.edges[0].line, 0u);
  const Picos end = b.out.sent[0].start + line_time(frame(60));
  EXPECT_EQ(b.irq.edges[0].at, end + 16_ns + 40_ns);
  EXPECT_EQ(b.rd(0x1C), kTx0);
  b.wr(0x1C, kRx0);
  EXPECT_EQ(b.rd(0x1C), kTx0);
  EXPECT_TRUE(b.irq.levels[0]);
  b.wr(0x1C, kTx0);
  EXPECT_EQ(b.rd(0x1C), 0u);
  EXPECT_FALSE(b.irq.levels[0]);
}

TEST(TsnepIrq, OnlyDescriptorsThatAskRaise) {
  Bench b;
  b.setup();
  b.wr(0x1C, 0x7FFFFFFF);
  b.send(frame(60), 0, 0);
  b.refill(0, 1, 2048, false);
  b.refill(0, 1, 2048, true);
  b.ring_rx();
  b.in.push(b.now() + 2_us, frame(60));
  b.run(10_us);
  EXPECT_TRUE(b.tx_done(0, 0));
  EXPECT_TRUE(b.rx_done(0));
  EXPECT_EQ(b.rd(0x1C), 0u);
  b.in.push(b.now() + 2_us, frame(60));
  b.run(10_us);
  EXPECT_EQ(b.rd(0x1C), kRx0);
}

TEST(TsnepIrq, EveryQueueHasItsBitsAndItsLine) {
  TsnepConfig c = quick_link();
  c.queues = 8;
  Bench b(c);
  b.open();
  b.wr(0x1C, 0x7FFFFFFF);
  for (unsigned q = 0; q < 8; ++q) {
    b.send(frame(60), q);
    b.run(10_us);
    EXPECT_EQ(b.rd(0x1C), 1u << (8 + 2 * q));
    for (unsigned line = 0; line < 8; ++line) EXPECT_EQ(b.irq.levels[line], line == q) << q;
    b.wr(0x1C, 0x7FFFFFFF);
    EXPECT_FALSE(b.irq.levels[q]);
  }
  for (unsigned q = 0; q < 4; ++q) {
    b.wr(0x880, 0x88F7, 2);
    b.wr(0x840, 1 | q << 1, 1);
    b.in.push(b.now() + 1_us, frame(60, kOwn, 1, 0x88F7));
    b.run(10_us);
    EXPECT_EQ(b.rd(0x1C), 1u << (9 + 2 * q));
    EXPECT_TRUE(b.irq.levels[q]);
    b.wr(0x1C, 0x7FFFFFFF);
  }
}

// Handlers of txrx lines only disable; the line must not come back when they enable again.
TEST(TsnepIrq, DisableTakesBackWhatWasActive) {
  Bench b;
  b.open();
  b.wr(0x1C, 0x7FFFFFFF);
  b.send(frame(60), 1);
  b.run(10_us);
  EXPECT_TRUE(b.irq.levels[1]);
  b.wr(0x18, kOff | kTx1 | kRx1);
  EXPECT_FALSE(b.irq.levels[1]);
  EXPECT_EQ(b.rd(0x1C), 0u);
  b.wr(0x18, kTx1 | kRx1);
  b.run(10_us);
  EXPECT_FALSE(b.irq.levels[1]);
}

// The "rotten packet" of the sheet's B2: an event while the bit is disabled raises nothing later.
TEST(TsnepIrq, EventsWhileDisabledAreLost) {
  Bench b;
  b.open();
  b.wr(0x1C, 0x7FFFFFFF);
  b.wr(0x18, kOff | kTx0 | kRx0);
  const uint64_t before = b.count("interrupts_lost");
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  ASSERT_TRUE(b.rx_done(0));
  EXPECT_EQ(b.count("interrupts_lost"), before + 1);
  b.wr(0x18, kTx0 | kRx0);
  b.run(100_us);
  EXPECT_FALSE(b.irq.levels[0]);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  EXPECT_TRUE(b.irq.levels[0]);
}

TEST(TsnepIrq, OrAreKeptIfTheParameterSaysSo) {
  TsnepConfig c = quick_link();
  c.keep_disabled_interrupts = true;
  Bench b(c);
  b.open();
  b.wr(0x1C, 0x7FFFFFFF);
  b.wr(0x18, kOff | kTx0 | kRx0);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  EXPECT_FALSE(b.irq.levels[0]);
  b.wr(0x18, kTx0 | kRx0);
  EXPECT_TRUE(b.irq.levels[0]);
  EXPECT_EQ(b.rd(0x1C), kRx0);
  EXPECT_EQ(b.count("interrupts_lost"), 0u);
}

TEST(TsnepIrq, DelayRegisterIsOneByteAQueueInUnitsOf16Us) {
  TsnepConfig c = quick_link();
  c.queues = 8;
  Bench b(c);
  b.run_to(10_us);
  for (unsigned q = 0; q < 8; ++q) b.wr(0x30 + q, 0xF0 - 16 * q, 1);
  for (unsigned q = 0; q < 8; ++q) EXPECT_EQ(b.rd(0x30 + q, 1), 0xF0 - 16 * q);
  EXPECT_EQ(b.rd(0x30), 0xC0D0E0F0u);
  b.wr(0x31, 0x0F, 1);
  EXPECT_EQ(b.rd(0x31, 1), 0u) << "bits 3:0 do not exist";
  EXPECT_EQ(int_delay::value(64), 0x40);
  EXPECT_EQ(int_delay::value(255), 0xF0);
  EXPECT_EQ(int_delay::value(15), 0);
}

TEST(TsnepIrq, DelayStartsWithTheFirstEventAndGathers) {
  Bench b;
  b.open();
  b.wr(0x1C, 0x7FFFFFFF);
  b.wr(0x30, 0x40, 1);
  b.irq.edges.clear();
  const Picos first = b.now() + 1_us;
  b.in.push(first, frame(60));
  for (int i = 1; i < 40; ++i) b.in.push(first + Picos(1'500'000 * i), frame(60));
  b.run_to(first + 30_us);
  b.send(frame(60));
  const Picos visible = first + line_time(frame(60)) + 64_ns + 112_ns;
  b.run_to(visible + 64_us - 1_ps);
  EXPECT_TRUE(b.irq.edges.empty());
  b.run_to(visible + 64_us);
  ASSERT_EQ(b.irq.edges.size(), 1u);
  EXPECT_EQ(b.irq.edges[0].at, visible + 64_us);
  EXPECT_EQ(b.rd(0x1C), kRx0 | kTx0) << "one delay serves both";
  b.wr(0x1C, kRx0 | kTx0);
  b.run(1_ms);
  EXPECT_EQ(b.irq.rises(0), 1u) << "no event, no interrupt";
  b.in.push(b.now() + 1_us, frame(60));
  b.run(64_us);
  EXPECT_EQ(b.irq.rises(0), 1u);
  b.run(3_us);
  EXPECT_EQ(b.irq.rises(0), 2u);
}

// A write-back issued before the delay ends, and visible behind its end, starts the next one.
TEST(TsnepIrq, AnEventBehindTheEndOfADelayIsNotGathered) {
  Bench b;
  b.open();
  b.wr(0x1C, 0x7FFFFFFF);
  b.wr(0x30, 0x10, 1);
  const Picos first = b.now() + 1_us;
  b.in.push(first, frame(60));
  b.in.push(first + 16_us + 60_ns, frame(60));
  const Picos visible = first + line_time(frame(60)) + 64_ns + 112_ns;
  b.run_to(visible + 16_us);
  EXPECT_TRUE(b.irq.levels[0]);
  b.wr(0x1C, kRx0);
  const Picos second = visible + 16_us + 60_ns + 16_us;
  b.run_to(second - 1_ps);
  EXPECT_FALSE(b.irq.levels[0]);
  b.run_to(second);
  EXPECT_TRUE(b.irq.levels[0]);
}

// Banks of memory may make a write visible before one that was issued earlier.
TEST(TsnepIrq, TheEarlierEventStartsTheDelayInWhateverOrderTheyArePosted) {
  struct Holder : sc_core::sc_module {
    explicit Holder(const sc_core::sc_module_name& name) : sc_module(name), dma("dma", Picos(0)) {}
    fabric::DmaPort dma;
  } holder("holder");
  base::Calendar calendar;
  const TsnepConfig config;
  Core core(calendar, holder.dma, config);
  Interrupts irq(core);
  RecordingIrq lines;
  irq.connect(&lines);
  core.regs.on_write<&Interrupts::enable_written>(reg::kIntEnable, irq);
  core.regs.write(reg::kIntEnable, 4, 0x7FFFFFFF);
  irq.post_tx(0, 1_us);
  irq.post_rx(0, 500_ns);
  calendar.run_until(499_ns);
  EXPECT_EQ(irq.read_active(0, 0), 0u);
  calendar.run_until(500_ns);
  EXPECT_EQ(irq.read_active(0, 0), kRx0) << "no delay: the other event is of its own";
  calendar.run_until(1_us);
  EXPECT_EQ(irq.read_active(0, 0), kRx0 | kTx0);
  core.regs.poke(reg::kIntDelay, 0x10);
  irq.post_tx(0, 3_us);
  irq.post_rx(0, 2_us);
  irq.enable_written({reg::kIntEnable, 0, 0, kOff | kRx0 | kTx0, 0});
  irq.enable_written({reg::kIntEnable, 0, 0, kRx0 | kTx0, 0});
  calendar.run_until(18_us - 1_ps);
  EXPECT_EQ(irq.read_active(0, 0), 0u);
  calendar.run_until(18_us);
  EXPECT_EQ(irq.read_active(0, 0), kRx0 | kTx0);
  EXPECT_EQ(lines.rises(0), 2u);
}

TEST(TsnepIrq, QueuesHaveDelaysOfTheirOwn) {
  Bench b;
  b.open();
  b.wr(0x1C, 0x7FFFFFFF);
  b.wr(0x31, 0x10, 1);
  b.send(frame(60), 1);
  b.send(frame(60), 0);
  b.run(5_us);
  EXPECT_TRUE(b.irq.levels[0]);
  EXPECT_FALSE(b.irq.levels[1]);
  b.run(16_us);
  EXPECT_TRUE(b.irq.levels[1]);
}

// The bit is judged when the delay ends, not when the event comes.
TEST(TsnepIrq, ABitEnabledDuringTheDelayIsRaised) {
  Bench b;
  b.open();
  b.wr(0x1C, 0x7FFFFFFF);
  b.wr(0x30, 0x10, 1);
  b.wr(0x18, kOff | kTx0 | kRx0);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(10_us);
  b.wr(0x18, kTx0 | kRx0);
  b.run(10_us);
  EXPECT_TRUE(b.irq.levels[0]);
}

TEST(TsnepIrq, LinkBitIsOnTheMacLine) {
  Bench b;
  b.setup();
  b.wr(0x1C, 0x7FFFFFFF);
  b.nic.set_cable(false);
  EXPECT_EQ(b.rd(0x1C), 1u << 5);
  EXPECT_TRUE(b.irq.levels[0]);
  EXPECT_FALSE(b.irq.levels[1]);
  b.wr(0x1C, 1u << 5);
  b.nic.set_cable(true);
  EXPECT_EQ(b.rd(0x1C), 0u) << "auto-negotiation takes its time";
  b.run(1_us);
  EXPECT_EQ(b.rd(0x1C), 1u << 5);
  EXPECT_EQ(b.count("link_changes"), 3u);
}

}  // namespace
}  // namespace doorbell::tsnep::test
