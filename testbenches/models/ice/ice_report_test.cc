// Reports: RS to DTYPE 0xF under each write-back policy, partial lines, timers, line damage.
#include <gtest/gtest.h>

#include "testbenches/models/ice/bench.h"

namespace doorbell::ice::test {
namespace {

IceConfig policy(TxWriteback w) {
  IceConfig c;
  c.tx_writeback = w;
  return c;
}
/// `pattern`: one frame per character, 'r' with RS.
void send(Bench& b, unsigned queue, const std::string& pattern) {
  for (const char c : pattern)
    b.put_frame(queue, frame(60), c == 'r' ? tx_cmd::kLast : tx_cmd::kEop);
  b.ring_tx(queue);
}

TEST(IceReport, ImmediateReportsOnlyWhatAsks) {
  Bench b(policy(TxWriteback::kImmediate));
  b.add_tx(0, 64);
  send(b, 0, "--r--rr---");
  b.run(10_us);
  EXPECT_EQ(b.tx_done_map(0, 10), "0010011000");
  EXPECT_EQ(b.count("tx_reports"), 3u);
  EXPECT_EQ(b.count("tx_report_writes"), 3u);
  EXPECT_EQ(b.tx_qw1_at(0, 1), tx_plain_qw1(tx_cmd::kEop, 60)) << "no RS: untouched";
  EXPECT_EQ(b.tx_qw1_at(0, 2), 0xFu);
  EXPECT_EQ(base::load_le<uint64_t>(b.at(b.tx[0].base + 2 * 16)), b.tx_buffer(0, 2))
      << "the address stays";
}

TEST(IceReport, FullLinesGoOutWithoutAnyTimer) {
  Bench b(policy(TxWriteback::kLineMerge));
  b.add_tx(0, 64);
  send(b, 0, "rrrrrrrrrr");  // two lines and a half
  b.run(50_us);
  EXPECT_EQ(b.tx_done_map(0, 12), "111111110000") << "not armed: half a line waits";
  EXPECT_EQ(b.count("tx_report_writes"), 2u);
  EXPECT_EQ(b.count("tx_reports"), 10u);
  EXPECT_NE(b.rd(reg::qtx_comm_head(0)) & qtx_comm_head::kRsPending, 0u);
  b.run(1_ms);
  EXPECT_EQ(b.tx_done_map(0, 12), "111111110000") << "for ever";
  send(b, 0, "rr");  // completes the line
  b.run(10_us);
  EXPECT_EQ(b.tx_done_map(0, 12), "111111111111");
  EXPECT_EQ(b.rd(reg::qtx_comm_head(0)) & qtx_comm_head::kRsPending, 0u);
}

TEST(IceReport, ALineIsAlsoFullWhenItsEndPassesWithoutRs) {
  Bench b(policy(TxWriteback::kLineMerge));
  b.add_tx(0, 64);
  send(b, 0, "-r");
  b.run(20_us);
  EXPECT_EQ(b.tx_done_map(0, 4), "0000");
  send(b, 0, "--");
  b.run(20_us);
  EXPECT_EQ(b.tx_done_map(0, 4), "0100");
}

TEST(IceReport, SeedPatternNeedsNoTimer) {
  // RS on 31, 63, ...: always last of their line.
  Bench b(policy(TxWriteback::kLineMerge));
  b.add_tx(0, 256);
  for (int i = 0; i < 224; ++i) {
    b.put_frame(0, frame(60), i % 32 == 31 ? tx_cmd::kLast : tx_cmd::kEop);
  }
  b.ring_tx(0);
  b.run(30_us);
  for (unsigned i = 0; i < 224; ++i) ASSERT_EQ(b.tx_done(0, i), i % 32 == 31) << i;
  EXPECT_EQ(b.count("tx_report_writes"), 7u);
}

TEST(IceReport, MergedWritesAreOneWriteALine) {
  Bench b(policy(TxWriteback::kLineMerge));
  b.add_tx(0, 256);
  send(b, 0, std::string(200, 'r'));
  const uint64_t before = b.ice.pcie.stats().write_bytes;
  b.run(50_us);
  EXPECT_EQ(b.count("tx_report_writes"), 50u);
  EXPECT_EQ(b.ice.pcie.stats().write_bytes - before, 50u * 64);
  EXPECT_EQ(b.tx_done_map(0, 200), std::string(200, '1'));
}

/// Bytes on the link to the host that reports of one packet take, for 128 packets.
double report_bytes(TxWriteback w, unsigned every) {
  Bench b(policy(w));
  b.add_tx(0, 256);
  for (unsigned i = 0; i < 128; ++i) {
    b.put_frame(0, frame(60), i % every == every - 1 ? tx_cmd::kLast : tx_cmd::kEop);
  }
  const fabric::PcieStats before = b.ice.pcie.stats();
  b.ring_tx(0);
  b.run(50_us);
  const fabric::PcieStats after = b.ice.pcie.stats();
  // Reads are 24 bytes each on the way up; the rest is writes.
  const uint64_t reads = (after.read_requests - before.read_requests) * 24;
  return static_cast<double>(after.up.bytes - before.up.bytes - reads) / 128;
}
// What each policy costs by arithmetic: 24 bytes a write and its payload.
TEST(IceReport, BytesImmediateOnAll) {
  EXPECT_DOUBLE_EQ(report_bytes(TxWriteback::kImmediate, 1), 40);
}
TEST(IceReport, BytesImmediateEvery32) {
  EXPECT_DOUBLE_EQ(report_bytes(TxWriteback::kImmediate, 32), 1.25);
}
TEST(IceReport, BytesMergedOnAll) {
  EXPECT_DOUBLE_EQ(report_bytes(TxWriteback::kLineMerge, 1), 22);
}
TEST(IceReport, BytesMergedEvery32) {
  EXPECT_DOUBLE_EQ(report_bytes(TxWriteback::kLineMerge, 32), 1.25);
}
TEST(IceReport, BytesWholeLineOnAll) {
  EXPECT_DOUBLE_EQ(report_bytes(TxWriteback::kLineFull, 1), 22);
}
TEST(IceReport, BytesWholeLineEvery32) {
  EXPECT_DOUBLE_EQ(report_bytes(TxWriteback::kLineFull, 32), 2.75);
}

TEST(IceReport, GapsInALineAreLeftAlone) {
  Bench b(policy(TxWriteback::kLineMerge));
  b.add_tx(0, 64);
  send(b, 0, "r-rr");
  b.run(20_us);
  EXPECT_EQ(b.tx_done_map(0, 4), "1011");
  EXPECT_EQ(b.count("tx_report_writes"), 2u) << "one write a run";
  EXPECT_EQ(b.tx_qw1_at(0, 1), tx_plain_qw1(tx_cmd::kEop, 60));
}

TEST(IceReport, WholeLineWritesDamageFreshDescriptors) {
  // Hazard H1: what software has put into the reported line since it was fetched is lost.
  Bench b(policy(TxWriteback::kLineFull));
  b.add_tx(0, 64);
  send(b, 0, "rr");
  b.run(20_us);
  b.arm(0);
  // Two more descriptors in the same line, not yet announced.
  const uint64_t fresh = tx_plain_qw1(tx_cmd::kLast, 99);
  b.put_tx(0, b.tx_buffer(0, 2), fresh);
  b.run(20_us);  // the timer is 0: the line goes out as it was fetched
  EXPECT_EQ(b.tx_done_map(0, 2), "11");
  EXPECT_NE(b.tx_qw1_at(0, 2), fresh);
  EXPECT_EQ(b.count("tx_report_writes"), 1u);
}

TEST(IceReport, MergedWritesDoNotDamageThem) {
  Bench b(policy(TxWriteback::kLineMerge));
  b.add_tx(0, 64);
  send(b, 0, "rr");
  b.run(20_us);
  const uint64_t fresh = tx_plain_qw1(tx_cmd::kLast, 99);
  b.put_tx(0, b.tx_buffer(0, 2), fresh);
  b.arm(0);
  b.run(20_us);
  EXPECT_EQ(b.tx_done_map(0, 2), "11");
  EXPECT_EQ(b.tx_qw1_at(0, 2), fresh);
}

TEST(IceReport, EngineBoundsTheRateOfAllQueues) {
  IceConfig config = policy(TxWriteback::kEngine);
  config.tx_writeback_service = 100_ns;
  Bench b(config);
  for (unsigned q = 0; q < 4; ++q) b.add_tx(q, 128);
  for (unsigned q = 0; q < 4; ++q) send(b, q, std::string(100, 'r'));
  b.run(10_us);
  const uint64_t first = b.count("tx_reports");
  b.run(10_us);
  EXPECT_EQ(b.count("tx_reports") - first, 100u) << "one every 100 ns";
  b.run(40_us);
  EXPECT_EQ(b.count("tx_reports"), 400u);
  EXPECT_EQ(b.ice.report_engine_busy(), 40_us);
}

/// Doorbell to report of one frame of 9000 bytes.
Picos report_time(bool when_sent) {
  IceConfig config = policy(TxWriteback::kImmediate);
  config.tx_report_sent = when_sent;
  Bench b(config);
  b.add_tx(0, 64);
  b.put_frame(0, frame(9000));
  const Picos rung = b.now();
  b.ring_tx(0);
  while (!b.tx_done(0, 0)) b.run(1_ns);
  const Picos end = b.out.sent[0].start + line_time(9000);
  return when_sent ? b.now() - end : b.now() - rung;
}
TEST(IceReport, DoneWhenFetched) {
  // Doorbell, two reads and a write: the line does not matter.
  const Picos took = report_time(false);
  EXPECT_LT(took, 3400_ns);
  EXPECT_GT(took, 3000_ns);
}
TEST(IceReport, DoneWhenSent) {
  // One posted write behind the last bit.
  const Picos after = report_time(true);
  EXPECT_GT(after, 200_ns);
  EXPECT_LT(after, 300_ns);
}

TEST(IceReport, ArmedVectorFlushesAtItsTimer) {
  Bench b(policy(TxWriteback::kLineMerge));
  b.enable_msix(4);
  b.add_tx(0, 64, 2, kTxItr);
  b.set_itr(2, kTxItr, 25);  // 50 us
  b.arm(2);
  const Picos armed = b.now();
  send(b, 0, "r");
  b.run_to(armed + 5_us);
  EXPECT_TRUE(b.tx_done(0, 0)) << "the timer has never run: at once";
  ASSERT_EQ(b.msix.messages.size(), 1u);
  EXPECT_EQ(b.msix.messages[0].data, 2u);
  const Picos first = b.msix.messages[0].at;
  b.arm(2);
  send(b, 0, "r");
  b.run_to(first + 49_us);
  EXPECT_FALSE(b.tx_done(0, 1)) << "held until 50 us after the last message";
  b.run_to(first + 51_us);
  EXPECT_TRUE(b.tx_done(0, 1));
  ASSERT_EQ(b.msix.messages.size(), 2u);
  EXPECT_EQ(b.msix.messages[1].at - first, 50_us);
}

TEST(IceReport, WritebackOnItrFlushesWithoutMessage) {
  Bench b(policy(TxWriteback::kLineMerge));
  b.enable_msix(1);
  b.add_tx(0, 64, 0, kTxItr);
  b.set_itr(0, kTxItr, 1);  // 2 us
  b.wr(reg::glint_dyn_ctl(0), glint_dyn_ctl::kIntEnaMsk | glint_dyn_ctl::kWbOnItr | 3u << 3);
  send(b, 0, "r");
  b.run(5_us);
  EXPECT_TRUE(b.tx_done(0, 0));
  const Picos now = b.now();
  send(b, 0, "r");
  b.run(8_us);
  EXPECT_TRUE(b.tx_done(0, 1));
  EXPECT_TRUE(b.msix.messages.empty());
  EXPECT_EQ(b.count("itr_flushes"), 2u);
  EXPECT_EQ(b.count("interrupts"), 0u);
  EXPECT_GT(b.now(), now);
  // Leaving the mode: an arming write clears it; the events were used up.
  b.arm(0);
  b.run(100_us);
  EXPECT_TRUE(b.msix.messages.empty());
}

TEST(IceReport, WritebackOnItrWithoutTimerFlushesEachAlone) {
  Bench b(policy(TxWriteback::kLineMerge));
  b.add_tx(0, 64, 0, kTxItr);
  b.wr(reg::glint_dyn_ctl(0), glint_dyn_ctl::kIntEnaMsk | glint_dyn_ctl::kWbOnItr | 3u << 3);
  for (int i = 0; i < 8; ++i) {
    send(b, 0, "r");
    b.run(3_us);
  }
  EXPECT_EQ(b.tx_done_map(0, 8), "11111111");
  EXPECT_EQ(b.count("tx_report_writes"), 8u);
  // With 2 us they merge.
  b.set_itr(0, kTxItr, 1);
  send(b, 0, std::string(8, 'r'));
  b.run(10_us);
  EXPECT_EQ(b.tx_done_map(0, 16), std::string(16, '1'));
  EXPECT_LE(b.count("tx_report_writes"), 8u + 3u);
}

TEST(IceReport, AShortFrameDoesNotOvertakeALongOne) {
  // The short one's payload is in the device a microsecond earlier.
  Bench b(policy(TxWriteback::kImmediate));
  b.add_tx(0, 64);
  b.put_frame(0, frame(9000));
  b.put_frame(0, frame(60));
  b.ring_tx(0);
  while (!b.tx_done(0, 1)) {
    b.run(1_ns);
    ASSERT_LT(b.now(), 1_ms);
    if (b.tx_done(0, 1)) {
      EXPECT_TRUE(b.tx_done(0, 0));
    }
  }
  ASSERT_EQ(b.out.sent.size(), 2u);
  EXPECT_EQ(b.out.sent[0].bytes.size(), 9000u);
}

TEST(IceReport, NoCauseNoFlush) {
  Bench b(policy(TxWriteback::kLineMerge));
  b.enable_msix(1);
  b.add_tx(0, 64, 0, kTxItr);
  b.wr(reg::qint_tqctl(0), 0);
  b.arm(0);
  send(b, 0, "r");
  b.run(100_us);
  EXPECT_FALSE(b.tx_done(0, 0));
  EXPECT_TRUE(b.msix.messages.empty());
  b.wr(reg::qint_tqctl(0), Bench::cause(0, kTxItr));
  send(b, 0, "r");
  b.run(10_us);
  EXPECT_EQ(b.tx_done_map(0, 2), "11");
}

TEST(IceReport, DataOfTheFrameHasLeftMemoryBeforeTheReport) {
  // Software may reuse a buffer when it sees the report: what is sent is what was there before.
  Bench b(policy(TxWriteback::kImmediate));
  b.add_tx(0, 64);
  const Bytes f = frame(1514, 7);
  b.put_frame(0, f);
  b.ring_tx(0);
  while (!b.tx_done(0, 0)) b.run(500_ps);
  std::memset(b.at(b.tx_buffer(0, 0)), 0, 1514);
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, f);
}

}  // namespace
}  // namespace doorbell::ice::test
