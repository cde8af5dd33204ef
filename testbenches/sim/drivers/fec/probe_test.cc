// Register order of probe, open, restart and stop: numbers typed from the register map and the
// driver's published behaviour, not taken from the contract headers.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

// The receive ring 0 of the first coherent block of the scripted machine.
constexpr uint32_t kBlock = 0x40000040;
constexpr uint32_t kRxBytes = 256 * 32;
constexpr uint32_t kTxBytes = 1024 * 32;

class ScriptBench {
 public:
  explicit ScriptBench(const FecDriverConfig& config)
      : stack(host.hal()), driver(host.hal(), stack, config) {}
  ~ScriptBench() {
    EXPECT_TRUE(host.finish_script());
    for (const std::string& failure : host.failures()) ADD_FAILURE() << failure;
    host.store_mode();
  }
  void ptp_start() {
    host.expect_write(0x414, 10).expect_write(0x40C, 0x80000000).expect_write(0x400, 0x31);
  }
  void ptp_save(uint32_t ns) {
    host.expect_read(0x400, 0x31).expect_write(0x400, 0x831).expect_read(0x404, ns);
    host.expect_read(0x410, 0).expect_read(0x414, 10);
  }
  void ptp_restore(uint32_t ns) {
    ptp_start();
    host.expect_write(0x410, 0).expect_write(0x414, 10).expect_write(0x404, ns);
  }
  void mib() {
    for (uint32_t offset = 0x200; offset <= 0x274; offset += 4) host.expect_read(offset, 0);
    for (uint32_t offset = 0x284; offset <= 0x2A0; offset += 4) host.expect_read(offset, 0);
    for (uint32_t offset = 0x2A8; offset <= 0x2E0; offset += 4) host.expect_read(offset, 0);
  }
  void rings() {
    const uint32_t rx = kBlock;
    const uint32_t tx = kBlock + 3 * kRxBytes;
    host.expect_write(0x180, rx).expect_write(0x188, 1984);
    host.expect_write(0x160, rx + kRxBytes).expect_write(0x168, 1984);
    host.expect_write(0x1C8, 0x00013210);
    host.expect_write(0x16C, rx + 2 * kRxBytes).expect_write(0x174, 1984);
    host.expect_write(0x1CC, 0x00017654);
    host.expect_write(0x184, tx);
    host.expect_write(0x164, tx + kTxBytes).expect_write(0x1D8, 0x00010200);
    host.expect_write(0x170, tx + 2 * kTxBytes).expect_write(0x1DC, 0x00010200);
  }
  struct Restart {
    uint32_t ns = 0;
    uint32_t tcr = 4;
    uint32_t rcr = 0x47C00044;
    uint32_t ecr = 0x132;
    uint32_t eimr = 0x0A0000AA;
    bool pause = false;
  };
  void restart(const Restart& r) {
    ptp_save(r.ns);
    host.expect_write(0x024, 0);
    host.expect_write(0x0E4, 0x02000000).expect_write(0x0E8, 0x00010000);
    host.expect_write(0x004, 0xFF7FFFFF);
    rings();
    host.expect_write(0x0C4, r.tcr).expect_write(0x044, 0x26A);
    host.expect_read(0x1C4, 0).expect_write(0x1C4, 0x86).expect_write(0x1B0, 1984);
    if (r.pause) {
      host.expect_write(0x194, 0x84).expect_write(0x190, 16).expect_write(0x198, 8);
      host.expect_write(0x19C, 8).expect_write(0x0EC, 0xFFF0);
    }
    host.expect_write(0x084, r.rcr);
    host.expect_read(0x084, r.rcr).expect_write(0x084, r.rcr);
    host.expect_write(0x120, 0).expect_write(0x124, 0);
    host.expect_write(0x118, 0).expect_write(0x11C, 0);
    host.expect_write(0x144, 0x100).expect_write(0x064, 0);
    host.expect_write(0x024, r.ecr);
    host.expect_write(0x010, 0).expect_write(0x1E0, 0).expect_write(0x1E8, 0);
    ptp_restore(r.ns);
    host.expect_write(0x008, r.eimr);
    const uint32_t coalesce = 0xCC801046;
    host.expect_write(0x0F0, coalesce).expect_write(0x100, coalesce);
    host.expect_write(0x0F4, coalesce).expect_write(0x104, coalesce);
    host.expect_write(0x0F8, coalesce).expect_write(0x108, coalesce);
  }
  // Before any link the driver takes the link for half duplex of no known speed.
  static Restart no_link(uint32_t ns = 0) { return {ns, 0, 0x47C00046, 0x112, 0, false}; }
  void probe() {
    ptp_start();
    host.expect_write(0x008, 0x08000088);
    restart(no_link(1000));
    mib();
    host.expect_write(0x040, 0).expect_write(0x044, 0x26A).expect_write(0x004, 0x00800000);
  }

  hal::ScriptedHal host;
  stack::NetStack stack;
  FecDriver driver;
};

FecDriverConfig config() {
  return FecBench::base_config();
}

TEST(Probe, RegisterOrder) {
  ScriptBench b(config());
  b.probe();
  EXPECT_EQ(b.driver.probe(), 0);
  EXPECT_TRUE(b.host.has_irq(0));
  EXPECT_TRUE(b.host.has_irq(1));
  EXPECT_TRUE(b.host.has_irq(2));
  EXPECT_FALSE(b.host.has_irq(3));
  EXPECT_EQ(b.host.napi_weight(), 64);
  EXPECT_EQ(b.driver.ifindex(), 1u);
}

TEST(Probe, DescriptorBlockIsOneAndInOrder) {
  ScriptBench b(config());
  b.probe();
  ASSERT_EQ(b.driver.probe(), 0);
  EXPECT_EQ(b.driver.rx_ring(0).bd.base, kBlock);
  EXPECT_EQ(b.driver.tx_ring(0).bd.base, kBlock + 3 * kRxBytes);
  EXPECT_EQ(b.driver.tx_ring(2).bd.at(1023) + 32 - kBlock, 122880u);
}

TEST(Open, RegisterOrderWithAssumedLink) {
  ScriptBench b(config());
  b.probe();
  ASSERT_EQ(b.driver.probe(), 0);
  b.restart(ScriptBench::no_link(2000));
  ScriptBench::Restart up;
  up.ns = 3000;
  b.restart(up);
  EXPECT_EQ(b.driver.open(), 0);
  EXPECT_TRUE(b.host.napi_enabled());
  EXPECT_TRUE(b.driver.carrier());
}

TEST(Restart, PauseWritesThresholdsAndFce) {
  FecDriverConfig c = config();
  c.pause = true;
  ScriptBench b(c);
  b.host.store_mode();
  ASSERT_EQ(b.driver.probe(), 0);
  ScriptBench::Restart first = ScriptBench::no_link();
  first.rcr = 0x47C00066;
  first.pause = true;
  b.restart(first);
  ScriptBench::Restart up;
  up.rcr = 0x47C00064;
  up.pause = true;
  b.restart(up);
  EXPECT_EQ(b.driver.open(), 0);
}

// Thresholds survive ECR = 0, and turning pause off writes none of them.
TEST(Restart, D3_PauseOffLeavesThresholds) {
  FecDriverConfig c = config();
  c.pause = true;
  FecBench b(c);
  b.start();
  b.driver->set_pause(false);
  EXPECT_EQ(b.host.mmio_writes(0x190), 0u);
  EXPECT_EQ(b.host.mmio_writes(0x194), 0u);
  EXPECT_EQ(b.host.register_value(0x194), 0x84u);
  EXPECT_EQ(b.host.register_value(0x190), 16u);
  EXPECT_EQ(b.host.register_value(0x084), 0x47C00044u);
}

TEST(Stop, RegisterOrder) {
  ScriptBench b(config());
  b.host.store_mode();
  ASSERT_EQ(b.driver.probe(), 0);
  ASSERT_EQ(b.driver.open(), 0);
  b.host.expect_read(0x084, 0x47C00044).expect_write(0x0C4, 1).expect_read(0x004, 0x10000000);
  b.ptp_save(5000);
  b.host.expect_write(0x024, 0).expect_write(0x044, 0x26A).expect_write(0x008, 0x0A0000AA);
  b.host.expect_write(0x024, 2).expect_write(0x084, 0);
  b.host.expect_read(0x024, 2).expect_write(0x024, 0x12);
  b.ptp_restore(5000);
  b.mib();
  const base::Picos before = b.host.now();
  b.driver.stop();
  EXPECT_GE((b.host.now() - before).count(), 11000000);  // 10 us for GRA, 1 us of capture
  EXPECT_EQ(b.driver.statistics().graceful_stop_timeouts, 0u);
}

TEST(Probe, LegacyDescriptorsUseNoTimer) {
  FecDriverConfig c = config();
  c.enhanced_descriptors = false;
  FecBench b(c);
  b.start();
  EXPECT_EQ(b.host.register_value(0x024), 0x122u);
  EXPECT_EQ(b.host.register_value(0x400), 0u);
  EXPECT_EQ(b.driver->rx_ring(0).bd.stride, 8u);
}

TEST(Probe, MacFromRegistersWhenNoneIsGiven) {
  FecDriverConfig c = config();
  c.mac = {};
  FecBench b(c);
  b.host.set_register(0x0E4, 0x021122AA);
  b.host.set_register(0x0E8, 0xBBCC8808);
  b.start();
  EXPECT_EQ(b.driver->config().mac.text(), "02:11:22:aa:bb:cc");
}

TEST(Probe, NoMemoryForRings) {
  FecBench b;
  b.host.fail_coherent(1, 1);
  EXPECT_LT(b.driver->probe(), 0);
  EXPECT_EQ(b.host.coherent_blocks(), 0u);
}

TEST(Probe, NoMemoryForTsoHeadersFreesTheRest) {
  FecBench b;
  b.host.fail_coherent(3, 1);
  EXPECT_LT(b.driver->probe(), 0);
  EXPECT_EQ(b.host.coherent_blocks(), 0u);
}

TEST(Probe, RaccWithoutChecksums) {
  FecDriverConfig c = config();
  c.rx_csum = false;
  FecBench b(c);
  b.start();
  EXPECT_EQ(b.host.register_value(0x1C4), 0x80u);
}

}  // namespace
}  // namespace doorbell::drivers::fec
