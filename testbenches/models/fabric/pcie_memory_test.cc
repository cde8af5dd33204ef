// PCIe and what lies behind the root port: visibility, LLC, IOMMU, error statuses.
#include <gtest/gtest.h>

#include "testbenches/models/fabric/pcie_bench.h"

namespace doorbell::fabric {
namespace {

using base::Picos;
using namespace base::literals;

TEST(PcieMemory, WriteIsInvisibleBeforeItsTime) {
  PcieBench bench(PcieConfig{});
  bench.buffer[0] = 0xAB;
  const auto done = bench.write(1_us, kBase, 64);
  EXPECT_EQ(bench.byte_at(kBase, done.time - 1_ps), 0);
  EXPECT_EQ(bench.byte_at(kBase, done.time), 0xAB);
}

TEST(PcieMemory, LongWriteArrivesWhole) {
  PcieBench bench(PcieConfig{});
  for (unsigned i = 0; i < 9000; ++i) {
    bench.buffer[i] = static_cast<uint8_t>(i * 7 + 1);
  }
  const auto done = bench.write(1_us, kBase + 100, 9000);
  EXPECT_EQ(bench.byte_at(kBase + 100, done.time - 1_ps), 0);
  bench.memory.settle(done.time);
  EXPECT_EQ(std::memcmp(bench.memory.pointer(kBase + 100), bench.buffer, 9000), 0);
}

TEST(PcieMemory, ReadSamplesAtItsSampleTime) {
  PcieBench bench(steady());
  bench.buffer[0] = 1;
  const auto ticket = bench.port().request_read(1_us, kBase, 64);
  // A write of another master that lands just before, and one just after the sample.
  bench.memory.settle(ticket.sample - 1_ps);
  *bench.memory.pointer(kBase) = 7;
  uint8_t got[64];
  const auto done = bench.port().complete_read(ticket, kBase, {got, 64});
  *bench.memory.pointer(kBase) = 9;
  EXPECT_EQ(got[0], 7);
  EXPECT_EQ(done.time, ticket.done);
}

TEST(PcieMemory, ReadDoesNotSeeWritesThatLandLater) {
  PcieBench bench(steady());
  const auto ticket = bench.port().request_read(1_us, kBase, 64);
  bench.buffer[0] = 5;
  bench.write(1_us + 1_ns, kBase, 64);
  uint8_t got[64];
  bench.port().complete_read(ticket, kBase, {got, 64});
  EXPECT_EQ(got[0], 0);
}

TEST(PcieMemory, BatchOfReadsNeedsOneEvent) {
  PcieBench bench(steady());
  PciePort::ReadOp ops[8];
  for (unsigned i = 0; i < 8; ++i) {
    ops[i] = {1_us, kBase + i * 256, 200, {}};
    *bench.memory.pointer(kBase + i * 256) = static_cast<uint8_t>(i + 1);
  }
  const Picos event = bench.port().request_reads(ops, 8);
  for (unsigned i = 0; i < 8; ++i) {
    uint8_t got[200];
    EXPECT_LE(ops[i].ticket.sample, event);
    const auto done = bench.port().complete_read(ops[i].ticket, ops[i].addr, {got, 200});
    EXPECT_GT(done.time, event);
    EXPECT_EQ(got[0], i + 1);
  }
}

TEST(PcieMemory, AbsoluteTimeGivesTheSameTimes) {
  PcieBench bench({steady(), steady()});
  bench.port(1).absolute_time();
  for (int i = 0; i < 100; ++i) {
    Picos times[2][2];
    for (size_t p = 0; p < 2; ++p) {
      uint8_t got[300];
      const auto ticket = bench.port(p).request_read(i * 100_ns, kBase, 300);
      times[p][0] = bench.port(p).complete_read(ticket, kBase, {got, 300}).time;
      times[p][1] = bench.port(p).write(i * 100_ns, kBase, {got, 100}).time;
    }
    EXPECT_EQ(times[0][0], times[1][0]);
    EXPECT_EQ(times[0][1], times[1][1]);
  }
}

// Time a 64-byte read takes beyond what it takes when it always hits.
Picos extra(PcieBench& bench, Picos at, uint64_t addr, uint32_t bytes = 64) {
  return bench.port(0).request_read(at, addr, bytes).done -
         bench.port(1).request_read(at, addr, bytes).done;
}

TEST(PcieMemory, LlcMissCostsItsLatency) {
  PcieConfig miss = steady();
  miss.llc_reads = LlcReads::kMiss;
  PcieBench bench({miss, steady()});
  EXPECT_EQ(extra(bench, 0_ns, kBase), 60_ns);
}

TEST(PcieMemory, DdioWritesAreReadFromTheCache) {
  PcieConfig tracked = steady();
  tracked.llc_reads = LlcReads::kTracked;
  PcieBench bench({tracked, steady()});
  EXPECT_EQ(extra(bench, 0_us, kBase), 60_ns);  // cold; a device read does not allocate
  EXPECT_EQ(extra(bench, 5_us, kBase), 60_ns);
  bench.port(0).write(10_us, kBase, {bench.buffer, 64});
  EXPECT_EQ(extra(bench, 20_us, kBase), 0_ns);
  EXPECT_EQ(extra(bench, 30_us, kBase, 65), 60_ns);  // the second line is cold
  bench.port(0).llc_touch(kBase + 64, 1);
  EXPECT_EQ(extra(bench, 40_us, kBase, 65), 0_ns);
  EXPECT_EQ(bench.port(0).stats().llc_misses, 3u);
}

TEST(PcieMemory, WithoutDdioWritesAreSlowerAndLeaveTheCache) {
  PcieConfig off = steady();
  off.llc_reads = LlcReads::kTracked;
  off.ddio = false;
  PcieBench bench({off, steady()});
  bench.port(0).llc_touch(kBase, 64);
  EXPECT_EQ(extra(bench, 0_us, kBase), 0_ns);
  const Picos slow = bench.port(0).write(10_us, kBase, {bench.buffer, 64}).time;
  const Picos fast = bench.port(1).write(10_us, kBase, {bench.buffer, 64}).time;
  EXPECT_EQ(slow - fast, 60_ns);
  EXPECT_EQ(extra(bench, 20_us, kBase), 60_ns);
}

TEST(PcieMemory, DdioWritesOverflowTheirWays) {
  // 64 KiB, 16 ways, two for DMA: 8 KiB of it, 128 lines.
  PcieLlc llc(65536, 16, 2);
  const auto run = [&llc](unsigned lines) {
    const uint64_t before = llc.misses();
    llc.write(0, lines * 64, true);
    llc.read(0, lines * 64);
    return llc.misses() - before;
  };
  EXPECT_EQ(run(128), 0u);
  EXPECT_EQ(run(256), 128u);
  // What the CPU holds in other ways is updated in place and stays.
  llc.touch(1 << 20, 512 * 64);
  const uint64_t before = llc.misses();
  llc.write(1 << 20, 512 * 64, true);
  llc.read(1 << 20, 512 * 64);
  EXPECT_EQ(llc.misses(), before);
}

TEST(PcieMemory, PartialLinesAreMerged) {
  PcieBench bench(steady());
  const auto cost = [&bench](Picos at, uint64_t addr, uint32_t bytes) {
    const uint64_t lines = bench.port().stats().partial_writes;
    bench.write(at, addr, bytes);
    return bench.port().stats().partial_writes - lines;
  };
  EXPECT_EQ(cost(0_us, kBase, 64), 0u);
  EXPECT_EQ(cost(1_us, kBase, 16), 1u);
  EXPECT_EQ(cost(2_us, kBase + 16, 16), 1u);
  EXPECT_EQ(cost(3_us, kBase + 48, 16), 1u);
  EXPECT_EQ(cost(4_us, kBase + 48, 32), 2u);
  EXPECT_EQ(cost(5_us, kBase, 96), 1u);
  EXPECT_EQ(cost(6_us, kBase + 32, 192), 2u);
  const Picos whole = bench.write(10_us, kBase, 64).time - 10_us;
  const Picos part = bench.write(20_us, kBase, 60).time - 20_us;
  EXPECT_GT(part, whole + 9_ns);
  EXPECT_LT(part, whole + 10_ns);
}

TEST(PcieMemory, MergesBoundTheRateOfPartialWrites) {
  PcieConfig config = steady();
  config.partial_write_busy = 24_ns;
  config.root_posted = {64, 0};
  PcieBench bench(config);
  Picos last;
  for (int i = 0; i < 4000; ++i) {
    last = bench.write(0_ns, kBase, 16).time;
  }
  EXPECT_NEAR(last.nanoseconds() / 4000, 24, 0.2);
  const PcieStats stats = bench.port().stats();
  EXPECT_STREQ(pcie_bottleneck(PcieStats{}, stats, last).resource, "write pipe");
  const Picos before = last;
  for (int i = 0; i < 4000; ++i) {
    last = bench.write(before, kBase, 64).time;
  }
  EXPECT_LT((last - before).nanoseconds() / 4000, 13);
}

PcieConfig translated() {
  PcieConfig config = steady();
  config.iommu.enabled = true;
  config.iommu.entries = 16;
  config.iommu.ways = 4;
  config.iommu.walk_latency = 330_ns;
  return config;
}

TEST(PcieMemory, IotlbMissDelaysReadsAndWrites) {
  PcieBench bench(translated());
  const Picos cold = bench.port().request_read(0_us, kBase, 64).done;
  const Picos warm = bench.port().request_read(10_us, kBase, 64).done - 10_us;
  EXPECT_EQ(cold - warm, 330_ns);
  const Picos cold_write = bench.write(20_us, kBase + 4096, 64).time;
  const Picos warm_write = bench.write(30_us, kBase + 4096, 64).time;
  EXPECT_EQ(cold_write - 20_us - (warm_write - 30_us), 330_ns);
  const PcieStats stats = bench.port().stats();
  EXPECT_EQ(stats.iotlb_misses, 2u);
  EXPECT_EQ(stats.iotlb_hits, 2u);
}

TEST(PcieMemory, InterruptMessagesAreNotTranslated) {
  PcieBench bench(translated());
  bench.port().msix(0_ns, 0xFEE00000, 1);
  EXPECT_EQ(bench.port().stats().iotlb_misses, 0u);
}

TEST(PcieMemory, PageWalkersBoundTheRateBeyondTheIotlb) {
  PcieBench bench(translated());
  Picos last;
  for (int i = 0; i < 4000; ++i) {
    last = bench.read(0_ns, kBase + static_cast<uint64_t>(i % 1000) * 4096, 64).time;
  }
  // Four walkers, 330 ns each.
  EXPECT_NEAR(last.nanoseconds() / 4000, 330.0 / 4, 1);
  EXPECT_STREQ(pcie_bottleneck(PcieStats{}, bench.port().stats(), last).resource, "iommu walkers");
}

TEST(PcieMemory, UnknownAddressIsAnUnsupportedRequest) {
  PcieBench bench(PcieConfig{});
  bench.buffer[0] = 0x77;
  EXPECT_EQ(bench.read(0_ns, 0x1000, 64).status, PcieStatus::kUnsupported);
  EXPECT_EQ(bench.buffer[0], 0x77);
  EXPECT_EQ(bench.write(0_ns, 0x1000, 64).status, PcieStatus::kUnsupported);
  EXPECT_EQ(bench.write(0_ns, kBase + (16 << 20) - 4, 8).status, PcieStatus::kUnsupported);
  EXPECT_EQ(bench.port().stats().errors, 3u);
  EXPECT_TRUE(bench.read(1_us, kBase, 64).ok());
}

TEST(PcieMemory, InjectedErrorsReachTheDevice) {
  PcieBench bench(PcieConfig{});
  *bench.memory.pointer(kBase) = 0x11;
  bench.port().inject(PcieStatus::kAborted, 1, 2);
  EXPECT_TRUE(bench.read(0_us, kBase, 64).ok());
  bench.buffer[0] = 0x77;
  EXPECT_EQ(bench.read(1_us, kBase, 64).status, PcieStatus::kAborted);
  EXPECT_EQ(bench.buffer[0], 0x77);
  EXPECT_EQ(bench.read(2_us, kBase, 64).status, PcieStatus::kAborted);
  EXPECT_TRUE(bench.read(3_us, kBase, 64).ok());
  bench.port().inject(PcieStatus::kPoisoned, 0, 1);
  bench.buffer[0] = 0x77;
  EXPECT_EQ(bench.read(4_us, kBase, 64).status, PcieStatus::kPoisoned);
  EXPECT_EQ(bench.buffer[0], 0x11);
  bench.port().inject(PcieStatus::kUnsupported, 0, 1);
  EXPECT_EQ(bench.read(5_us, kBase, 64).status, PcieStatus::kUnsupported);
  EXPECT_EQ(bench.port().stats().errors, 4u);
}

TEST(PcieMemory, LostCompletionTimesOutAndKeepsItsTag) {
  PcieConfig config = steady();
  config.tags = 1;
  config.completion_timeout = 50_us;
  PcieBench bench(config);
  bench.port().inject(PcieStatus::kTimeout, 0, 1);
  const auto lost = bench.read(0_ns, kBase, 64);
  EXPECT_EQ(lost.status, PcieStatus::kTimeout);
  EXPECT_GE(lost.time, 50_us);
  EXPECT_LT(lost.time, 51_us);
  const auto next = bench.read(1_us, kBase, 64);
  EXPECT_TRUE(next.ok());
  EXPECT_GT(next.time, lost.time);
  EXPECT_EQ(bench.port().stats().down.payload, 64u);
}

TEST(PcieMemory, SlowHostTimesOut) {
  PcieConfig config = translated();
  config.iommu.walk_latency = 60_us;
  config.completion_timeout = 50_us;
  PcieBench bench(config);
  EXPECT_EQ(bench.read(0_ns, kBase, 64).status, PcieStatus::kTimeout);
  EXPECT_TRUE(bench.read(100_us, kBase, 64).ok());
}

TEST(PcieMemory, StatusNames) {
  EXPECT_STREQ(status_name(PcieStatus::kOk), "ok");
  EXPECT_STREQ(status_name(PcieStatus::kUnsupported), "unsupported request");
  EXPECT_STREQ(status_name(PcieStatus::kAborted), "completer abort");
  EXPECT_STREQ(status_name(PcieStatus::kTimeout), "completion timeout");
  EXPECT_STREQ(status_name(PcieStatus::kPoisoned), "poisoned");
}

}  // namespace
}  // namespace doorbell::fabric
