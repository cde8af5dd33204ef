// MSI-X: table, masks, pending bits, and the order of messages and data.
#include "models/fabric/msix.h"

#include <gtest/gtest.h>

#include <vector>

#include "testbenches/models/fabric/pcie_bench.h"

namespace doorbell::fabric {
namespace {

using base::Picos;
using namespace base::literals;

struct Sink : MsixSink {
  struct Got {
    uint64_t address;
    uint32_t data;
    Picos at;
    uint8_t memory;
  };
  explicit Sink(PcieBench& b) : bench(b) {}
  void message(uint64_t address, uint32_t data, Picos at) override {
    EXPECT_EQ(at, bench.calendar.now());
    got.push_back({address, data, at, bench.byte_at(kBase, at)});
    if (again > 0) {
      --again;
      bench.port().msix(at, address, data + 1);
    }
  }
  PcieBench& bench;
  std::vector<Got> got;
  int again = 0;
};

struct MsixBench : PcieBench {
  MsixBench() : PcieBench(PcieConfig{}), sink(*this), table(port(), 70) {
    port().set_msix_sink(&sink);
    for (uint32_t v = 0; v < 70; ++v) {
      table.write_table(v * 16, 0xFEE00000 + v * 0x1000, 0_ns);
      table.write_table(v * 16 + 4, v, 0_ns);
      table.write_table(v * 16 + 8, 0x40 + v, 0_ns);
    }
  }
  void unmask(uint32_t vector, Picos at) { table.write_table(vector * 16 + 12, 0, at); }
  Sink sink;
  MsixTable table;
};

TEST(Msix, MessageArrivesAfterTheDataItAnnounces) {
  MsixBench bench;
  bench.table.set_control(true, false, 0_ns);
  bench.unmask(3, 0_ns);
  bench.buffer[0] = 0x99;
  const auto data = bench.write(1_us, kBase, 4096);
  Picos arrival;
  EXPECT_TRUE(bench.table.signal(3, 1_us, &arrival));
  EXPECT_GE(arrival, data.time);
  bench.calendar.run_until(arrival - 1_ps);
  EXPECT_TRUE(bench.sink.got.empty());
  bench.calendar.run_until(arrival);
  ASSERT_EQ(bench.sink.got.size(), 1u);
  EXPECT_EQ(bench.sink.got[0].address, 0x3FEE03000u);
  EXPECT_EQ(bench.sink.got[0].data, 0x43u);
  EXPECT_EQ(bench.sink.got[0].at, arrival);
  EXPECT_EQ(bench.sink.got[0].memory, 0x99);
  EXPECT_EQ(bench.port().stats().messages, 1u);
  EXPECT_EQ(bench.port().stats().up.bytes, 4096u + 16 * 24 + 28);
}

TEST(Msix, MaskedVectorStaysPendingUntilUnmasked) {
  MsixBench bench;
  bench.table.set_control(true, false, 0_ns);
  EXPECT_FALSE(bench.table.signal(40, 1_us));
  EXPECT_FALSE(bench.table.signal(40, 2_us));
  uint32_t word = 0;
  EXPECT_TRUE(bench.table.read_pending(4, word));
  EXPECT_EQ(word, 1u << 8);
  bench.unmask(40, 5_us);
  EXPECT_FALSE(bench.table.pending(40));
  bench.calendar.run_until(10_us);
  ASSERT_EQ(bench.sink.got.size(), 1u);  // pending is one bit
  EXPECT_GT(bench.sink.got[0].at, 5_us);
}

TEST(Msix, FunctionMaskAndEnableHoldAllVectors) {
  MsixBench bench;
  bench.unmask(1, 0_ns);
  bench.unmask(2, 0_ns);
  EXPECT_FALSE(bench.table.signal(1, 0_ns));  // disabled
  bench.table.set_control(true, true, 1_us);
  EXPECT_FALSE(bench.table.signal(2, 1_us));
  EXPECT_TRUE(bench.table.pending(1));
  bench.table.set_control(true, false, 2_us);
  bench.calendar.run_until(10_us);
  ASSERT_EQ(bench.sink.got.size(), 2u);
  EXPECT_EQ(bench.sink.got[0].data, 0x41u);
  EXPECT_EQ(bench.sink.got[1].data, 0x42u);
  EXPECT_EQ(bench.table.sent(), 2u);
}

TEST(Msix, TableReadsBackAndRefusesOddOffsets) {
  MsixBench bench;
  uint32_t value = 0;
  EXPECT_TRUE(bench.table.read_table(5 * 16, value));
  EXPECT_EQ(value, 0xFEE05000u);
  EXPECT_TRUE(bench.table.read_table(5 * 16 + 4, value));
  EXPECT_EQ(value, 5u);
  EXPECT_TRUE(bench.table.read_table(5 * 16 + 8, value));
  EXPECT_EQ(value, 0x45u);
  EXPECT_TRUE(bench.table.read_table(5 * 16 + 12, value));
  EXPECT_EQ(value, 1u);  // masked
  bench.table.write_table(5 * 16, 0xFEE05003, 0_ns);
  EXPECT_TRUE(bench.table.read_table(5 * 16, value));
  EXPECT_EQ(value, 0xFEE05000u);  // the two low address bits are zero
  EXPECT_FALSE(bench.table.read_table(2, value));
  EXPECT_FALSE(bench.table.write_table(70 * 16, 0, 0_ns));
  EXPECT_FALSE(bench.table.read_table(70 * 16, value));
  EXPECT_FALSE(bench.table.read_pending(1, value));
  EXPECT_TRUE(bench.table.read_pending(12, value));
  EXPECT_FALSE(bench.table.read_pending(16, value));
}

TEST(Msix, MessagesOfEarlierIssueComeFirstAndMayBeSentFromTheSink) {
  MsixBench bench;
  bench.port().msix(5_us, 0x10, 1);
  bench.port().msix(1_us, 0x10, 2);
  bench.sink.again = 1;
  bench.calendar.run_until(10_us);
  ASSERT_EQ(bench.sink.got.size(), 3u);
  EXPECT_EQ(bench.sink.got[0].data, 2u);
  EXPECT_EQ(bench.sink.got[1].data, 3u);
  EXPECT_EQ(bench.sink.got[2].data, 1u);
}

TEST(Msix, WithoutASinkOnlyTheTimeComesBack) {
  PcieBench bench(PcieConfig{});
  EXPECT_GT(bench.port().msix(1_us, 0x10, 1).time, 1_us);
  EXPECT_EQ(bench.calendar.next(), base::kNever);
}

}  // namespace
}  // namespace doorbell::fabric
