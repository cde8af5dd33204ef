// PCIe flow control: tags, the credit pools of each class, and how requests are cut into TLPs.
#include <gtest/gtest.h>

#include "testbenches/models/fabric/pcie_bench.h"

namespace doorbell::fabric {
namespace {

using base::Picos;
using namespace base::literals;

// TLP bytes on a Gen3 x8 link with MPS 256, from the published usable rate of 57.88 Gb/s.
Picos wire(double bytes) {
  return Picos(static_cast<int64_t>(bytes * 8 / 57.8847e9 * 1e12 + 0.5));
}
void expect_close(Picos got, Picos want, Picos tolerance = 100_ps) {
  EXPECT_NEAR(static_cast<double>(got.count()), static_cast<double>(want.count()),
              static_cast<double>(tolerance.count()));
}

// Everything of a 64-byte read but the link's serialisation; defaults of PcieConfig.
constexpr Picos kReadFixed = 30_ns + 75_ns + 140_ns + 170_ns + 75_ns + 30_ns;
constexpr Picos kDevicePath = 8960_ps;  // 64 bytes at 0.14 ns

TEST(PcieFlow, OneReadIsTheSumOfItsParts) {
  PcieBench bench(steady());
  const auto ticket = bench.port().request_read(5_us, kBase, 64);
  expect_close(ticket.sample, 5_us + 30_ns + wire(24) + 75_ns + 140_ns);
  expect_close(ticket.done, 5_us + kReadFixed + wire(24) + wire(84) + kDevicePath);
}

TEST(PcieFlow, OneWriteIsTheSumOfItsParts) {
  PcieBench bench(steady());
  const auto done = bench.write(5_us, kBase, 64);
  expect_close(done.time, 5_us + 30_ns + wire(88) + 75_ns + 140_ns);
}

TEST(PcieFlow, HeaderBytesFollowAddressWidthAndEcrc) {
  PcieConfig narrow = steady();
  narrow.address_64 = false;
  PcieConfig checked = steady();
  checked.ecrc = true;
  PcieBench bench({narrow, checked});
  for (size_t i = 0; i < 2; ++i) {
    PciePort& port = bench.port(i);
    port.write(0_ns, kBase, {bench.buffer, 64});
    const uint64_t write_bytes = port.stats().up.bytes;
    EXPECT_EQ(write_bytes, i == 0 ? 84u : 92u);
    port.request_read(0_ns, kBase, 64);
    EXPECT_EQ(port.stats().up.bytes - write_bytes, i == 0 ? 20u : 28u);
    EXPECT_EQ(port.stats().down.bytes, i == 0 ? 84u : 88u);
  }
}

struct Cut {
  uint64_t offset;
  uint32_t bytes;
  uint64_t requests;     // of a read
  uint64_t completions;  // of a read
  uint64_t writes;       // TLPs of a write
};

TEST(PcieFlow, SplitsAtPagesRequestsBoundariesAndPayloads) {
  // MPS 256, MRRS 512, RCB 64. Counted by hand.
  constexpr Cut kCuts[] = {
      {0, 1, 1, 1, 1},          {0, 64, 1, 1, 1},  {0, 256, 1, 1, 1},
      {0, 257, 1, 2, 2},        {0, 512, 1, 2, 2}, {0, 513, 2, 3, 3},
      {0, 4096, 8, 16, 16},     {4, 64, 1, 2, 1},  // 60 to the boundary, then 4
      {60, 4, 1, 1, 1},                            // ends on the boundary
      {60, 256, 1, 2, 1},                          // 4, 252
      {60, 261, 1, 3, 2},                          // 4, 256, 1
      {4080, 32, 2, 2, 2},                         // over a page: 16 + 16
      {4032, 128, 2, 2, 2},                        // over a page: 64 + 64
      {4090, 4102, 10, 18, 18},                    // 6 | 8 x 512 | 0: 6, 4096
  };
  PcieBench bench(steady());
  Picos at = 1_us;
  for (const Cut& cut : kCuts) {
    const PcieStats before = bench.port().stats();
    bench.read(at, kBase + cut.offset, cut.bytes);
    const PcieStats middle = bench.port().stats();
    EXPECT_EQ(middle.read_requests - before.read_requests, cut.offset == 4090 ? 9u : cut.requests)
        << cut.offset << "+" << cut.bytes;
    EXPECT_EQ(middle.down.tlps - before.down.tlps, cut.offset == 4090 ? 17u : cut.completions)
        << cut.offset << "+" << cut.bytes;
    bench.write(at + 5_us, kBase + cut.offset, cut.bytes);
    const PcieStats after = bench.port().stats();
    EXPECT_EQ(after.up.tlps - middle.up.tlps, cut.offset == 4090 ? 17u : cut.writes)
        << cut.offset << "+" << cut.bytes;
    EXPECT_EQ(after.up.payload - middle.up.payload, cut.bytes);
    EXPECT_EQ(after.up.bytes - middle.up.bytes, cut.bytes + 24u * (after.up.tlps - middle.up.tlps));
    at += 20_us;
  }
}

TEST(PcieFlow, MisalignedReadsCostMoreOfTheDownDirection) {
  PcieBench bench(steady());
  bench.read(0_ns, kBase, 64);
  EXPECT_EQ(bench.port().stats().down.bytes, 84u);
  bench.read(0_ns, kBase + 2, 64);
  EXPECT_EQ(bench.port().stats().down.bytes, 84u + 104u);
}

TEST(PcieFlow, TagsBoundTheReadRate) {
  PcieConfig config = steady();
  config.tags = 4;
  PcieBench bench(config);
  Picos last;
  for (int i = 0; i < 4000; ++i) {
    last = bench.read(0_ns, kBase, 64).time;
  }
  // Little: 4 reads per time that a tag is out (request to completion at the link layer).
  const Picos held = kReadFixed - 30_ns + wire(24) + wire(84);
  expect_close(last, held * 1000, held);
  const PcieStats stats = bench.port().stats();
  EXPECT_GT(stats.tags.stall, 0_ns);
  EXPECT_NEAR(static_cast<double>(stats.tags.held.count()) / 4 / last.count(), 1, 0.02);
  const PcieBottleneck worst = pcie_bottleneck(PcieStats{}, stats, last);
  EXPECT_STREQ(worst.resource, "tags");
}

TEST(PcieFlow, TagFreeTellsWhenTheNextRequestCanGo) {
  PcieConfig config = steady();
  config.tags = 1;
  PcieBench bench(config);
  EXPECT_EQ(bench.port().tag_free(7_ns), 7_ns);
  const auto ticket = bench.port().request_read(0_ns, kBase, 64);
  EXPECT_EQ(bench.port().tag_free(7_ns), ticket.done - kDevicePath);
}

TEST(PcieFlow, PostedHeaderCreditsBoundABurst) {
  PcieConfig config = steady();
  config.root_posted = {4, 0};
  PcieBench bench(config);
  Picos visible[9];
  for (auto& v : visible) {
    v = bench.write(0_ns, kBase, 64).time;
  }
  // The first four stream; the fifth waits for the first one's credit: link, then the return.
  expect_close(visible[3] - visible[0], 3 * wire(88));
  expect_close(visible[4] - visible[0], 75_ns + 100_ns + wire(88));
  expect_close(visible[8] - visible[4], 75_ns + 100_ns + wire(88));
  const PcieStats stats = bench.port().stats();
  EXPECT_GT(stats.posted_headers.stall, 100_ns);
  EXPECT_EQ(stats.posted_data.stall, 0_ns);
}

TEST(PcieFlow, PostedDataCreditsBoundABurst) {
  PcieConfig config = steady();
  config.root_posted = {0, 32};  // 512 bytes
  PcieBench bench(config);
  const Picos first = bench.write(0_ns, kBase, 256).time;
  const Picos second = bench.write(0_ns, kBase, 256).time;
  const Picos third = bench.write(0_ns, kBase, 64).time;    // needs 4 of the first one's 16
  const Picos fourth = bench.write(0_ns, kBase, 192).time;  // the other 12
  const Picos fifth = bench.write(0_ns, kBase, 16).time;    // the second one's
  expect_close(second - first, wire(280));
  expect_close(third - first, 75_ns + 100_ns + wire(88));
  expect_close(fourth - third, wire(216));
  expect_close(fifth, base::max(fourth + wire(40), second + 175_ns + wire(40)) + 10_ns);
  EXPECT_GT(bench.port().stats().posted_data.stall, 100_ns);
  EXPECT_EQ(bench.port().stats().posted_headers.stall, 0_ns);
}

TEST(PcieFlow, LastDataCreditIsUsedAndNotOneMore) {
  PcieConfig config = steady();
  config.root_posted = {0, 17};
  PcieBench bench(config);
  const Picos first = bench.write(0_ns, kBase, 256).time;
  const Picos second = bench.write(0_ns, kBase + 256, 16).time;
  const Picos third = bench.write(0_ns, kBase + 272, 16).time;
  EXPECT_LT(second - first, 20_ns);
  EXPECT_GT(third - first, 175_ns);
}

TEST(PcieFlow, LostCompletionCostsOneTagOnly) {
  PcieConfig config = steady();
  config.tags = 4;
  config.completion_timeout = 10_ms;
  PcieBench bench(config);
  bench.port().inject(PcieStatus::kTimeout, 0, 1);
  EXPECT_EQ(bench.read(0_ns, kBase, 64).status, PcieStatus::kTimeout);
  Picos last;
  for (int i = 0; i < 300; ++i) {
    last = base::max(last, bench.read(0_ns, kBase, 64).time);
  }
  // Three tags, about half a microsecond each.
  EXPECT_GT(last, 45_us);
  EXPECT_LT(last, 56_us);
}

TEST(PcieFlow, PostedCreditsThatStarveAreNamed) {
  PcieConfig config = steady();
  config.root_posted = {4, 0};
  PcieBench bench(config);
  Picos last;
  for (int i = 0; i < 2000; ++i) {
    last = bench.write(0_ns, kBase, 64).time;
  }
  const PcieBottleneck worst = pcie_bottleneck(PcieStats{}, bench.port().stats(), last);
  EXPECT_STREQ(worst.resource, "posted headers");
  expect_close(last / 500, wire(88) + 175_ns, 1_ns);
}

TEST(PcieFlow, NonPostedCreditsBoundRequests) {
  PcieConfig config = steady();
  config.root_non_posted = {2, 0};
  PcieBench bench(config);
  Picos sample[5];
  for (auto& s : sample) {
    s = bench.port().request_read(0_ns, kBase, 64).sample;
  }
  expect_close(sample[1] - sample[0], wire(24));
  expect_close(sample[2] - sample[0], 175_ns + wire(24));
  expect_close(sample[4] - sample[2], 175_ns + wire(24));
  EXPECT_GT(bench.port().stats().non_posted.stall, 100_ns);
}

TEST(PcieFlow, CompletionHeaderCreditsBoundCompletions) {
  PcieConfig config = steady();
  config.device_completion = {1, 0};
  PcieBench bench(config);
  const Picos one = bench.read(0_ns, kBase, 256).time;
  const Picos two = bench.read(10_us, kBase, 512).time - 10_us;
  // The second completion waits for the first one's credit: link, device, return.
  expect_close(two - one, 75_ns + 30_ns + 100_ns + wire(276) + Picos(256 * 140));
  EXPECT_GT(bench.port().stats().completion_headers.stall, 100_ns);
}

TEST(PcieFlow, CompletionDataCreditsBoundCompletions) {
  PcieConfig config = steady();
  config.device_completion = {0, 16};
  PcieBench bench(config);
  const Picos one = bench.read(0_ns, kBase, 256).time;
  const Picos two = bench.read(10_us, kBase, 512).time - 10_us;
  expect_close(two - one, 75_ns + 30_ns + 100_ns + wire(276) + Picos(256 * 140));
  EXPECT_GT(bench.port().stats().completion_data.stall, 100_ns);
  EXPECT_EQ(bench.port().stats().completion_headers.stall, 0_ns);
}

TEST(PcieFlow, SpreadIsTheSameForTheSameSeed) {
  PcieConfig one;
  one.seed = 42;
  PcieConfig other = one;
  other.seed = 43;
  PcieBench bench({one, one, other});
  int differ = 0;
  Picos sum;
  Picos largest;
  const Picos base = bench.port(0).config().root_read;
  for (int i = 0; i < 4000; ++i) {
    const Picos at = i * 10_us;
    const auto a = bench.port(0).request_read(at, kBase, 64);
    const auto b = bench.port(1).request_read(at, kBase, 64);
    const auto c = bench.port(2).request_read(at, kBase, 64);
    ASSERT_EQ(a.done, b.done);
    differ += a.done != c.done ? 1 : 0;
    const Picos extra = a.done - at - (kReadFixed + wire(24) + wire(84) + kDevicePath);
    sum += extra;
    largest = base::max(largest, extra);
  }
  EXPECT_GT(differ, 3900);
  EXPECT_NEAR(static_cast<double>(sum.count()) / 4000, 8000, 400);
  // 99.9th percentile of pcie-bench: 20 to 115 ns above the median.
  EXPECT_GT(largest, 40_ns);
  EXPECT_LT(largest, 115_ns);
  EXPECT_GT(base, 0_ns);
}

TEST(PcieFlow, EightyMillionReadsAndWritesFitTheDefaultPools) {
  // What a loaded E810 asks of Gen3 x16: 64-byte reads and writes at 80 M/s each.
  PcieConfig config;
  config.lanes = 16;
  PcieBench bench(config);
  Picos worst;
  for (int i = 0; i < 40000; ++i) {
    const Picos at = Picos(int64_t{12500} * i);
    worst = base::max(worst, bench.read(at, kBase, 64).time - at);
    worst = base::max(worst, bench.write(at, kBase, 64).time - at);
    if (i % 64 == 0) {
      bench.memory.settle(at);  // as software that looks: what nobody looks at piles up
    }
  }
  EXPECT_LT(worst, 750_ns);
  const PcieStats stats = bench.port().stats();
  EXPECT_EQ(stats.tags.stall, 0_ns);
  EXPECT_EQ(stats.posted_headers.stall + stats.posted_data.stall + stats.non_posted.stall, 0_ns);
  // Little's law: 80 M/s x 0.5 us is about 40 in flight of 256.
  EXPECT_NEAR(static_cast<double>(stats.tags.held.count()) / (12500.0 * 40000), 41, 4);
}

}  // namespace
}  // namespace doorbell::fabric
