// Register accesses of cores over the same link, and the constant path.
#include <gtest/gtest.h>

#include "testbenches/models/fabric/pcie_bench.h"

namespace doorbell::fabric {
namespace {

using base::Picos;
using namespace base::literals;

TEST(PcieMmio, DoorbellTakesAboutAQuarterMicrosecond) {
  PcieBench bench(PcieConfig{});
  const Picos arrival = bench.port().forward(0_ns, 4);
  // 100 + 75 + 30 ns and 28 bytes.
  EXPECT_GE(arrival, 205_ns);
  EXPECT_LE(arrival, 215_ns);
  EXPECT_EQ(bench.port().stats().down.bytes, 28u);
}

TEST(PcieMmio, ReadIsARoundTrip) {
  PcieBench bench(PcieConfig{});
  const Picos there = bench.port().request(0_ns);
  const Picos back = bench.port().back(there + 100_ns, 4);
  EXPECT_GT(back, 500_ns);
  EXPECT_LT(back, 530_ns);
  const PcieStats stats = bench.port().stats();
  EXPECT_EQ(stats.mmio_reads, 1u);
  EXPECT_EQ(stats.down.bytes, 24u);
  EXPECT_EQ(stats.up.bytes, 24u);
}

TEST(PcieMmio, DoorbellsDoNotWaitForCompletionsThatAreStillToCome) {
  PcieBench bench(steady());
  for (int i = 0; i < 20; ++i) {
    bench.read(0_ns, kBase, 512);  // completions from about 420 ns on
  }
  EXPECT_LT(bench.port().forward(0_ns, 4), 225_ns);
}

TEST(PcieMmio, DoorbellsWaitBehindCompletionsOfASaturatedLink) {
  PcieConfig config = steady();
  config.tags = 65536;
  PcieBench bench(config);
  for (int i = 0; i < 100; ++i) {
    bench.read(0_ns, kBase, 512);  // 100 x 552 bytes: 7.6 us of the down direction
  }
  EXPECT_GT(bench.port().forward(2_us, 4), 7500_ns);
}

TEST(PcieMmio, DoorbellsTakeTheirShareOfTheLink) {
  PcieBench bench(steady());
  Picos last;
  for (int i = 0; i < 10000; ++i) {
    last = bench.port().forward(0_ns, 4);
  }
  // The device's 64 header credits come back after link, device and return: 205 ns.
  EXPECT_NEAR(last.nanoseconds() / 10000, 28 * 8 / 57.88, 0.3);
}

TEST(PcieMmio, WriteCombinedBurstIsOneTlp) {
  PcieBench bench(steady());
  bench.port().forward(0_ns, 64);
  EXPECT_EQ(bench.port().stats().down.bytes, 88u);
  EXPECT_EQ(bench.port().stats().down.payload, 64u);
}

// Cores may be out of order: an access does not wait for one that leaves later.
TEST(ConstantMmioPath, IsAConstantWhateverTheOrderOfCalls) {
  ConstantMmioPath path(100_ns, 150_ns);
  MmioPath& interface = path;
  EXPECT_EQ(interface.forward(0_ns, 4), 100_ns);
  EXPECT_EQ(interface.forward(50_ns, 64), 150_ns);
  EXPECT_EQ(interface.request(50_ns), 150_ns) << "behind the write";
  EXPECT_EQ(interface.forward(30_ns, 4), 130_ns);
  EXPECT_EQ(interface.request(20_ns), 120_ns);
  EXPECT_EQ(interface.request(60_ns), 160_ns);
  EXPECT_EQ(interface.back(200_ns, 4), 350_ns);
}

}  // namespace
}  // namespace doorbell::fabric
