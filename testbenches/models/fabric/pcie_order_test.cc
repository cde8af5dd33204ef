// PCIe ordering: what may pass what, one test a row of the rules.
#include <gtest/gtest.h>

#include <vector>

#include "testbenches/models/fabric/pcie_bench.h"

namespace doorbell::fabric {
namespace {

using base::Picos;
using namespace base::literals;

// A device write to a cold page waits for a page walk in the root complex; to a warm one it does
// not. So the second of two writes could pass the first if nothing held it back.
PcieConfig with_slow_walks() {
  PcieConfig config = steady();
  config.relaxed_ordering = true;
  config.iommu.enabled = true;
  config.iommu.walk_latency = 5_us;
  return config;
}
constexpr uint64_t kWarm = kBase;
constexpr uint64_t kCold = kBase + 0x10000;

TEST(PcieOrder, PostedDoesNotPassPosted) {
  PcieBench bench(with_slow_walks());
  bench.write(0_ns, kWarm, 64);
  const auto first = bench.write(20_us, kCold, 64);
  const auto second = bench.write(20_us, kWarm, 64);
  EXPECT_GT(first.time, 25_us);
  EXPECT_GE(second.time, first.time);
}

TEST(PcieOrder, RelaxedPostedPassesPosted) {
  PcieBench bench(with_slow_walks());
  bench.write(0_ns, kWarm, 64);
  const auto first = bench.write(20_us, kCold, 64);
  const auto second =
      bench.port().write(20_us, kWarm, {bench.buffer, 64}, PciePort::Order::kRelaxed);
  EXPECT_LT(second.time, first.time - 4_us);
  // A strict write after both is behind both.
  EXPECT_GE(bench.write(20_us, kWarm, 64).time, first.time);
}

TEST(PcieOrder, PostedDoesNotPassRelaxedPosted) {
  PcieBench bench(with_slow_walks());
  bench.write(0_ns, kWarm, 64);
  const auto first =
      bench.port().write(20_us, kCold, {bench.buffer, 64}, PciePort::Order::kRelaxed);
  EXPECT_GT(first.time, 25_us);
  EXPECT_GE(bench.write(20_us, kWarm, 64).time, first.time);
}

TEST(PcieOrder, RelaxedIsStrictWhenThePlatformForbidsIt) {
  PcieConfig config = with_slow_walks();
  config.relaxed_ordering = false;
  PcieBench bench(config);
  bench.write(0_ns, kWarm, 64);
  const auto first = bench.write(20_us, kCold, 64);
  EXPECT_GE(bench.port().write(20_us, kWarm, {bench.buffer, 64}, PciePort::Order::kRelaxed).time,
            first.time);
}

TEST(PcieOrder, InterruptMessageDoesNotPassPosted) {
  PcieBench bench(with_slow_walks());
  const auto data = bench.write(20_us, kCold, 64);
  EXPECT_GE(bench.port().msix(20_us, 0xFEE00000, 1).time, data.time);
}

TEST(PcieOrder, ReadRequestDoesNotPassPosted) {
  PcieBench bench(with_slow_walks());
  bench.write(0_ns, kWarm, 64);
  bench.buffer[0] = 0x5A;
  const auto data = bench.write(20_us, kCold, 64);
  // Also a read of another page, whose translation does not wait for that walk.
  EXPECT_GE(bench.port().request_read(20_us, kWarm, 64).sample, data.time);
  const auto ticket = bench.port().request_read(20_us, kCold, 64);
  EXPECT_GE(ticket.sample, data.time);
  uint8_t got[64];
  bench.port().complete_read(ticket, kCold, {got, 64});
  EXPECT_EQ(got[0], 0x5A);
  // A read issued before the write is not held back.
  EXPECT_LT(bench.port().request_read(19_us, kWarm, 64).sample, 20_us);
}

TEST(PcieOrder, PostedPassesBlockedRead) {
  PcieConfig config = steady();
  config.tags = 1;
  PcieBench bench(config);
  bench.port().request_read(0_ns, kBase, 64);
  const auto blocked = bench.port().request_read(0_ns, kBase, 64);
  EXPECT_LT(bench.write(0_ns, kBase, 64).time, blocked.sample);
}

TEST(PcieOrder, PostedPassesReadBlockedByCredits) {
  PcieConfig config = steady();
  config.root_non_posted = {1, 0};
  PcieBench bench(config);
  bench.port().request_read(0_ns, kBase, 64);
  const auto blocked = bench.port().request_read(0_ns, kBase, 64);
  EXPECT_LT(bench.write(0_ns, kBase, 64).time, blocked.sample);
}

TEST(PcieOrder, CompletionsOfDifferentReadsMayPass) {
  PcieConfig config;
  config.root_spread = 50_ns;
  PcieBench bench(config);
  int out_of_order = 0;
  Picos before;
  for (int i = 0; i < 1000; ++i) {
    const Picos done = bench.port().request_read(i * 20_ns, kBase, 64).done;
    out_of_order += done < before ? 1 : 0;
    before = done;
  }
  EXPECT_GT(out_of_order, 100);
}

TEST(PcieOrder, RegisterWritesArriveInOrderWithoutCredits) {
  PcieConfig config = steady();
  config.device_posted = {1, 0};
  PcieBench bench(config);
  const Picos first = bench.port().forward(0_ns, 4);
  const Picos second = bench.port().forward(0_ns, 4);
  EXPECT_GE(second - first, config.credit_return);
}

TEST(PcieOrder, ReadCompletionDoesNotPassRegisterWrite) {
  // Register writes wait for the device's only credit; a completion behind them waits too.
  PcieConfig config = steady();
  config.device_posted = {1, 0};
  PcieBench bench(config);
  const Picos alone = bench.port().request_read(0_ns, kBase, 64).done;
  Picos last;
  for (int i = 0; i < 20; ++i) {
    last = bench.port().forward(9900_ns, 4);
  }
  const Picos behind = bench.port().request_read(10_us, kBase, 64).done - 10_us;
  EXPECT_GT(10_us + behind, last);
  EXPECT_GT(behind, alone + 1_us);
}

TEST(PcieOrder, RegisterWritePassesBlockedRegisterRead) {
  PcieConfig config = steady();
  config.device_non_posted = {1, 0};
  PcieBench bench(config);
  bench.port().request(0_ns);
  const Picos blocked = bench.port().request(0_ns);
  EXPECT_LT(bench.port().forward(0_ns, 4), blocked);
}

TEST(PcieOrder, RegisterReadDoesNotPassRegisterWrite) {
  PcieConfig config = steady();
  config.device_posted = {1, 0};
  PcieBench bench(config);
  bench.port().forward(0_ns, 4);
  const Picos write = bench.port().forward(0_ns, 4);
  EXPECT_GE(bench.port().request(0_ns), write);
}

TEST(PcieOrder, RegisterReadFlushesDeviceWrites) {
  PcieBench bench(with_slow_walks());
  bench.write(0_ns, kWarm, 64);
  const auto data = bench.write(20_us, kCold, 64);
  EXPECT_GE(bench.port().back(20_us, 4), data.time);
  // A write that the device issues after its answer is not waited for.
  const auto later = bench.write(40_us, kCold + 0x1000, 64);
  EXPECT_LT(bench.port().back(39_us, 4), later.time - 4_us);
}

TEST(PcieOrder, WritesOfAnEngineThatRanAheadDoNotHoldBackSoonerOnes) {
  PcieBench bench(steady());
  const auto ahead = bench.write(3_us, kBase, 64);
  const auto now = bench.write(0_ns, kBase + 64, 64);
  EXPECT_LT(now.time, 1_us);
  // But nothing that was called before with an earlier issue is passed.
  EXPECT_GE(bench.write(3_us, kBase + 128, 64).time, ahead.time);
}

TEST(PcieOrder, LateCallOfASoonerWriteStillBindsWhatFollows) {
  PcieBench bench(with_slow_walks());
  bench.write(0_ns, kWarm, 64);
  bench.write(30_us, kWarm, 64);
  const auto stalled = bench.write(29_us, kCold, 64);  // its walk ends after 34 us
  EXPECT_GT(stalled.time, 34_us);
  EXPECT_GE(bench.write(30_us, kWarm, 64).time, stalled.time);
  EXPECT_GE(bench.write(29500_ns, kWarm, 64).time, stalled.time);
  EXPECT_LT(bench.write(28_us, kWarm, 64).time, stalled.time);
}

TEST(PcieOrder, RandomWritesNeverPassOneWithAnEarlierIssue) {
  PcieConfig config = with_slow_walks();
  config.iommu.walk_latency = 400_ns;
  PcieBench bench(config);
  base::Stream random(7, "order");
  struct Seen {
    Picos issue;
    Picos visible;
  };
  std::vector<Seen> seen;
  Picos now;
  int earlier_issues = 0;
  for (int i = 0; i < 3000; ++i) {
    now += Picos(static_cast<int64_t>(random.below(40000)));
    const Picos issue = now + Picos(static_cast<int64_t>(random.below(1000000)));
    const uint64_t addr = kBase + random.below(256) * 4096 + random.below(60) * 64;
    const auto bytes = static_cast<uint32_t>(16 + random.below(500));
    const Picos visible = bench.write(issue, addr, bytes).time;
    const size_t from = seen.size() > 400 ? seen.size() - 400 : 0;
    for (size_t k = from; k < seen.size(); ++k) {
      if (seen[k].issue <= issue) {
        ASSERT_GE(visible, seen[k].visible) << "write " << i << " passed write " << k;
      } else {
        ++earlier_issues;
      }
    }
    seen.push_back({issue, visible});
  }
  EXPECT_GT(earlier_issues, 1000);
}

}  // namespace
}  // namespace doorbell::fabric
