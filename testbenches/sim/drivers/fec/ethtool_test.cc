// Coalescing conversion, statistics, scenario keys.
#include <gtest/gtest.h>

#include "sim/drivers/fec/fec_params.h"
#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

TEST(Coalesce, TicksTable) {
  const struct {
    uint32_t micros, ticks;
  } cases[] = {{10, 41}, {50, 208}, {100, 416}, {500, 2083}, {1000, 4166}, {15730, 65531}};
  FecBench b;
  b.start();
  for (const auto& c : cases) {
    ASSERT_EQ(b.driver->set_coalesce({200, c.micros}, {100, c.micros}), 0);
    EXPECT_EQ(b.host.register_value(0x100), 0xCC800000u | c.ticks) << c.micros;
    EXPECT_EQ(b.host.register_value(0x0F8), 0xC6400000u | c.ticks) << c.micros;
  }
}

TEST(Coalesce, OffWithOneFrameOrNoTicks) {
  FecBench b;
  b.start();
  ASSERT_EQ(b.driver->set_coalesce({1, 1000}, {200, 0}), 0);
  EXPECT_EQ(b.host.register_value(0x100), 0u);
  EXPECT_EQ(b.host.register_value(0x0F0), 0u);
  ASSERT_EQ(b.driver->set_coalesce({0, 1000}, {2, 1}), 0);
  EXPECT_EQ(b.host.register_value(0x104), 0u);
  EXPECT_EQ(b.host.register_value(0x0F4), 0xC0200004u);
}

TEST(Coalesce, RefusesWhatTheDeviceCannotCount) {
  FecBench b;
  b.start();
  EXPECT_LT(b.driver->set_coalesce({256, 1000}, {200, 1000}), 0);
  EXPECT_LT(b.driver->set_coalesce({200, 1000}, {200, 15732}), 0);
  EXPECT_EQ(b.driver->rx_coalesce().frames, 200u);
  EXPECT_EQ(b.host.count(hal::Op::kMmioWrite), 0u);
}

TEST(Statistics, MibRowsAreReadFromTheDevice) {
  FecBench b;
  b.start();
  b.host.set_register(0x2CC, 42);
  bool found = false;
  for (const StatisticRow& row : b.driver->read_mib()) {
    if (row.name != "IEEE_rx_frame_ok") continue;
    EXPECT_EQ(row.value, 42u);
    found = true;
  }
  EXPECT_TRUE(found);
}

TEST(Statistics, RowsCostNothing) {
  stack::XdpDropProgram program;
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  FecBench b(c);
  b.start();
  b.receive(0, udp_frame());
  b.service();
  b.host.reset_counts();
  uint64_t drops = 0;
  for (const StatisticRow& row : b.driver->statistic_rows()) {
    EXPECT_FALSE(row.help.empty());
    if (row.name == "rx_xdp_drop") drops = row.value;
  }
  EXPECT_EQ(drops, 1u);
  EXPECT_EQ(b.host.count(hal::Op::kMmioRead), 0u);
}

TEST(Params, DefaultsAreTheConfigsDefaults) {
  const base::ParamSet params{base::ParamTable(hw::kFecDriverParams)};
  const FecDriverConfig from = config_from(params);
  const FecDriverConfig plain;
  EXPECT_EQ(from.mode, plain.mode);
  EXPECT_EQ(from.xdp_frame_conversion, plain.xdp_frame_conversion);
  EXPECT_EQ(from.doorbell, plain.doorbell);
  EXPECT_EQ(from.dma_sync, plain.dma_sync);
  EXPECT_EQ(from.rx_ring, plain.rx_ring);
  EXPECT_EQ(from.tx_ring, plain.tx_ring);
  EXPECT_EQ(from.rx_coalesce.micros, plain.rx_coalesce.micros);
  EXPECT_EQ(from.tx_coalesce.frames, plain.tx_coalesce.frames);
  EXPECT_EQ(from.pause, plain.pause);
  EXPECT_EQ(from.napi_weight, plain.napi_weight);
  EXPECT_EQ(from.erratum_007885_workaround, plain.erratum_007885_workaround);
  EXPECT_EQ(from.rx_dma_rmb, plain.rx_dma_rmb);
  EXPECT_EQ(from.tx_timeout, plain.tx_timeout);
  EXPECT_EQ(from.enhanced_descriptors, plain.enhanced_descriptors);
  EXPECT_EQ(from.vlan_strip, plain.vlan_strip);
  EXPECT_EQ(from.rx_csum, plain.rx_csum);
  EXPECT_EQ(from.promiscuous, plain.promiscuous);
  EXPECT_TRUE(from.assume_link) << "scenarios skip autonegotiation unless they ask for it";
}

TEST(Params, ChoicesArrive) {
  base::ParamSet params{base::ParamTable(hw::kFecDriverParams)};
  ASSERT_FALSE(params.set("mode", base::RawValue::of_text("skb")));
  ASSERT_FALSE(params.set("doorbell", base::RawValue::of_text("batched")));
  ASSERT_FALSE(params.set("dma_sync", base::RawValue::of_text("full")));
  ASSERT_FALSE(params.set("rx_coalesce_time", base::RawValue::of_text("50 us")));
  const FecDriverConfig c = config_from(params);
  EXPECT_EQ(c.mode, XdpMode::kSkb);
  EXPECT_EQ(c.doorbell, DoorbellMode::kBatched);
  EXPECT_EQ(c.dma_sync, DmaSync::kFull);
  EXPECT_EQ(c.rx_coalesce.micros, 50u);
}

}  // namespace
}  // namespace doorbell::drivers::fec
