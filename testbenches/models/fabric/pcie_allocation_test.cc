// The port allocates nothing in steady state, and its cost per transaction.
#include <gtest/gtest.h>

#include <cstdio>
#include <ctime>
#include <new>

#include "testbenches/models/fabric/allocation_count.h"
#include "testbenches/models/fabric/pcie_bench.h"

namespace doorbell::fabric {
namespace {

using base::Picos;
using test::allocations;
using namespace base::literals;

// What an E810 does at 80 M packets a second over 30 queues: per packet a data write, half a
// descriptor line, a payload read, a quarter of a descriptor read, doorbells and interrupts now and
// then; out of order by up to 300 ns.
uint64_t packets(PcieBench& bench, int count, Picos& now) {
  PciePort& port = bench.port();
  uint64_t transactions = 0;
  uint8_t line[64] = {};
  for (int i = 0; i < count; ++i) {
    now += Picos(12500);
    const uint64_t queue = static_cast<uint64_t>(i) % 30;
    const uint64_t page = kBase + queue * 0x40000 + static_cast<uint64_t>(i / 30 % 32) * 2048;
    const Picos ahead = now + 10_ns * (i % 30);
    port.write(ahead, page, {line, 60});
    if (i % 2 == 0) {
      port.write(ahead, kBase + 0x800000 + queue * 4096, {line, 64});
      ++transactions;
    }
    const auto ticket = port.request_read(now, page, 60);
    port.complete_read(ticket, page, {line, 60});
    transactions += 2;
    if (i % 4 == 0) {
      const auto ring = port.request_read(now, kBase + 0x900000 + queue * 4096, 64);
      port.complete_read(ring, kBase + 0x900000 + queue * 4096, {line, 64});
      ++transactions;
    }
    if (i % 64 == 0) {
      port.forward(now, 4);
      port.msix(ahead, 0xFEE00000, static_cast<uint32_t>(queue));
      transactions += 2;
      bench.calendar.run_until(now);
      bench.memory.settle(kBase + 0x900000, 64, now);  // software looks at a ring
    }
  }
  return transactions;
}

TEST(PcieAllocation, CounterWorks) {
  const uint64_t before = allocations();
  ::operator delete(::operator new(4));
  EXPECT_EQ(allocations(), before + 1);
}

TEST(PcieAllocation, SteadyStateAllocatesNothing) {
  struct Nobody : MsixSink {
    void message(uint64_t, uint32_t, Picos) override {}
  } sink;
  PcieConfig config;
  config.lanes = 16;
  config.llc_reads = LlcReads::kTracked;
  config.iommu.enabled = true;
  config.iommu.entries = 2048;  // beyond the pages in use: a backlog would grow for ever
  config.device_completion = {64, 1024};
  PcieBench bench(config);
  bench.port().set_msix_sink(&sink);
  Picos now;
  packets(bench, 20000, now);
  const uint64_t before = allocations();
  packets(bench, 100000, now);
  EXPECT_EQ(allocations(), before);
}

TEST(PcieSpeed, CostPerTransaction) {
  PcieConfig config;
  config.lanes = 16;
  PcieBench bench(config);
  bench.port().absolute_time();
  Picos now;
  packets(bench, 20000, now);
  const auto in_order = [&bench, &now](const char* what, bool read, bool write) {
    constexpr int kCount = 1000000;
    const std::clock_t start = std::clock();
    for (int i = 0; i < kCount; ++i) {
      now += Picos(12500);
      const uint64_t addr = kBase + static_cast<uint64_t>(i % 256) * 2048;
      if (read) {
        const auto ticket = bench.port().request_read(now, addr, 64);
        bench.port().complete_read(ticket, addr, {bench.buffer, 64});
      }
      if (write) {
        bench.port().write(now, addr, {bench.buffer, 64});
      }
      if (i % 64 == 0) {
        bench.memory.settle(now);
      }
    }
    std::printf("%s: %.1f ns\n", what,
                static_cast<double>(std::clock() - start) * 1e9 / CLOCKS_PER_SEC / kCount);
  };
  in_order("read, both steps", true, false);
  in_order("write", false, true);
  const std::clock_t begin = std::clock();
  const uint64_t transactions = packets(bench, 1000000, now);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const double each = seconds * 1e9 / static_cast<double>(transactions);
  std::printf("%.1f M transactions a second of processor time, %.1f ns each\n", 1e3 / each, each);
  // A guard against an accident of complexity, not a benchmark: generous for debug builds.
  EXPECT_LT(each, 2000);
}

}  // namespace
}  // namespace doorbell::fabric
