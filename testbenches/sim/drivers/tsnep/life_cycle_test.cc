// Probe, open, stop, link, ethtool; failures on the way leave nothing behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "testbenches/sim/drivers/tsnep/tsnep_bench.h"

namespace doorbell::drivers::tsnep {
namespace {

using stack::DropReason;
using ::testing::ElementsAre;

constexpr base::Picos kSecond{1000000000000};

TEST(Probe, Registers) {
  TsnepBench b(TsnepDriverConfig{}, 2);
  ASSERT_EQ(b.driver->probe(), 0);
  EXPECT_THAT(b.enables, ElementsAre(0xFFFFFFFFu));
  EXPECT_EQ(b.host.register_value(0x30), 0x40u) << "64 us";
  EXPECT_EQ(b.host.register_value(0x31), 0x40u);
  EXPECT_EQ(b.host.register_value(0x800), 0x00000002u);
  EXPECT_EQ(b.host.register_value(0x804), 0x0100u);
  EXPECT_EQ(b.host.register_value(0x806), 0u);
}

TEST(Probe, FewerQueuesThanAskedFor) {
  TsnepBench b(TsnepDriverConfig{}, 3);
  b.host.set_register(0, 2u << 16);
  EXPECT_EQ(b.driver->probe(), -ENODEV);
}

TEST(Open, EveryFailureIsUndone) {
  for (unsigned failing = 1; failing <= 64; ++failing) {
    TsnepBench b(TsnepDriverConfig{}, 2);
    ASSERT_EQ(b.driver->probe(), 0);
    b.host.fail_coherent(failing, 1);
    EXPECT_EQ(b.driver->open(), -ENOMEM) << failing;
    EXPECT_EQ(b.host.coherent_blocks(), 1u) << failing;
    EXPECT_EQ(b.host.mappings(), 0u);
    EXPECT_FALSE(b.driver->running());
    EXPECT_FALSE(b.queue_host(0).has_irq(0));
    ASSERT_EQ(b.driver->open(), 0);
    b.expect_no_leaks();
  }
  TsnepBench b;
  ASSERT_EQ(b.driver->probe(), 0);
  b.host.fail_pages(100, 1u << 20);
  EXPECT_EQ(b.driver->open(), -ENOMEM);
  b.host.fail_pages(0, 0);
  ASSERT_EQ(b.driver->open(), 0);
  b.expect_no_leaks();
}

TEST(Stop, NamesWhatIsLost) {
  TsnepBench b;
  b.start();
  ASSERT_TRUE(b.receive(udp_frame()));
  b.sends_alone = false;
  b.tx_stuck = true;
  ASSERT_TRUE(b.send(b.skb(udp_frame(300))));
  ASSERT_TRUE(b.send(b.skb(udp_frame(300))));
  b.expect_no_leaks();
  EXPECT_EQ(b.drops(DropReason::kRxRingReset), 1u);
  EXPECT_EQ(b.drops(DropReason::kTxRingReset), 2u);
  EXPECT_EQ(b.driver->statistics().tx_drain_timeouts, 1u);
  EXPECT_GE(b.host.now(), kSecond) << "as long as Linux waits";
  EXPECT_LT(b.host.now(), kSecond * 2);
  EXPECT_EQ(b.driver->statistics().tx_packets, 0u);
}

TEST(Stop, DrainsWhatTheDeviceStillSends) {
  TsnepBench b;
  b.start();
  for (unsigned i = 0; i < 10; ++i) ASSERT_TRUE(b.send(b.skb(udp_frame(300))));
  b.expect_no_leaks();
  EXPECT_EQ(b.driver->statistics().tx_packets, 10u);
  EXPECT_EQ(b.drops(DropReason::kTxRingReset), 0u);
}

TEST(Stop, ReceiveThatNeverStopsIsNoticed) {
  TsnepBench b;
  b.start();
  b.rx_stuck = true;
  b.driver->stop();
  EXPECT_EQ(b.driver->statistics().rx_stop_timeouts, 1u);
}

// Counters of the first life are gone from descriptors and write-backs (barrier 9).
TEST(Stop, OpenAgainWorks) {
  TsnepBench b;
  b.start();
  for (unsigned life = 0; life < 3; ++life) {
    for (unsigned i = 0; i < 300; ++i) {
      ASSERT_TRUE(b.receive(udp_frame(60, static_cast<uint8_t>(i))));
      ASSERT_TRUE(b.send(b.skb(udp_frame())));
      b.finish();
      b.poll();
    }
    b.expect_no_leaks();
    ASSERT_EQ(b.driver->open(), 0);
    b.host.advance(base::Picos(1000000));
    ASSERT_TRUE(b.driver->carrier());
  }
  EXPECT_EQ(b.tap.frames.size(), 900u);
}

TEST(Link, InterruptBringsTheLinkDownAndUp) {
  TsnepBench b;
  b.start();
  EXPECT_EQ(b.host.register_value(0x80), 0x04000000u);
  b.phy[1] = 0;
  b.host.set_register(0x1C, 0x20);
  EXPECT_TRUE(b.queue_host(0).raise(0));
  EXPECT_FALSE(b.queue_host(0).napi_scheduled()) << "nothing for the queue";
  b.phy[1] = 0x20;
  b.host.advance(base::Picos(1));
  EXPECT_FALSE(b.driver->carrier());
  EXPECT_TRUE(b.driver->queue(0).stopped);
  EXPECT_EQ(b.host.register_value(0x80), 0x01000000u);
  b.phy[1] = 0x24;
  b.phy[10] = 0;
  EXPECT_TRUE(b.queue_host(0).raise(0));
  b.host.advance(base::Picos(1000000));
  EXPECT_TRUE(b.driver->carrier());
  EXPECT_EQ(b.driver->link_mbps(), 100u);
  EXPECT_EQ(b.host.register_value(0x80), 0x02000000u);
  EXPECT_FALSE(b.driver->queue(0).stopped);
}

TEST(Link, AutonegotiationStartsAgainOnlyForAnotherOffer) {
  TsnepBench same;
  same.start();
  EXPECT_EQ(same.phy.count(0), 0u);
  TsnepBench other;
  other.phy[4] = 0x01E1;  // 10 Mb/s and half duplex too
  other.start();
  EXPECT_EQ(other.phy[4], 0x0101);
  EXPECT_EQ(other.phy[0], 0x1200);
}

TEST(Link, MdioThatNeverEnds) {
  TsnepBench b;
  ASSERT_EQ(b.driver->probe(), 0);
  b.host.on_read(0x84, [] { return 1u; });
  ASSERT_EQ(b.driver->open(), 0);
  b.host.advance(base::Picos(1000000));
  EXPECT_FALSE(b.driver->carrier());
  EXPECT_GE(b.driver->statistics().mdio_timeouts, 1u);
}

// B10.
TEST(Ethtool, B10_InterruptDelay) {
  TsnepBench b;
  b.start();
  EXPECT_EQ(b.driver->set_interrupt_delay(0, 255), 0);
  EXPECT_EQ(b.host.register_value(0x30), 0xF0u);
  EXPECT_EQ(b.driver->set_interrupt_delay(0, 31), 0);
  EXPECT_EQ(b.host.register_value(0x30), 0x10u);
  EXPECT_EQ(b.driver->set_interrupt_delay(0, 256), -ERANGE);
}

TEST(Ethtool, FlowRules) {
  TsnepBench b(TsnepDriverConfig{}, 2);
  b.start();
  EXPECT_EQ(b.driver->add_flow_rule(0x88F7, 1), 0);
  EXPECT_EQ(b.host.register_value(0x880), 0x88F7u);
  EXPECT_EQ(b.host.register_value(0x840), 0x3u);
  EXPECT_EQ(b.driver->add_flow_rule(0x88F7, 1), -EEXIST);
  EXPECT_EQ(b.driver->add_flow_rule(0x0800, 0, 2), -EINVAL);
  EXPECT_EQ(b.driver->add_flow_rule(0x0800, 0, 1), 1);
  EXPECT_EQ(b.driver->add_flow_rule(0x86DD, 0), -ENOSPC);
  EXPECT_EQ(b.driver->remove_flow_rule(0), 0);
  EXPECT_EQ(b.host.register_value(0x840), 0u);
  EXPECT_EQ(b.driver->remove_flow_rule(0), -ENOENT);
}

TEST(Ethtool, L7_RuleToAQueueThatIsNotThere) {
  for (const bool fixed : {true, false}) {
    TsnepDriverConfig config;
    config.fix_hazards = fixed;
    TsnepBench b(config, 2);
    b.start();
    EXPECT_EQ(b.driver->add_flow_rule(0x88F7, 3), fixed ? -EINVAL : 0);
    EXPECT_EQ(b.driver->add_flow_rule(0x88F7, 4), -EINVAL);
  }
}

TEST(Ethtool, DeviceCountersOfEightBitsWrap) {
  TsnepBench b;
  b.start();
  b.host.set_register(0x190, 0x040302FA);
  b.host.set_register(0xB0, 0x00030201);
  b.driver->read_device_statistics();
  b.host.set_register(0x190, 0x04030205);
  b.driver->read_device_statistics();
  const TsnepStatistics& s = b.driver->statistics();
  EXPECT_EQ(s.rx_no_descriptor_errors, 0xFAu + 11);
  EXPECT_EQ(s.rx_buffer_too_small_errors, 2u);
  EXPECT_EQ(s.rx_fifo_overflow_errors, 3u);
  EXPECT_EQ(s.rx_invalid_frame_errors, 4u);
  EXPECT_EQ(s.rx_phy_errors, 1u);
  EXPECT_EQ(s.rx_crc_errors, 2u);
  EXPECT_EQ(s.rx_forwarded_phy_errors, 3u);
}

TEST(Ethtool, FilterAndMtu) {
  TsnepBench b;
  b.start();
  b.driver->set_rx_mode(false, true);
  EXPECT_EQ(b.host.register_value(0x806), 1u);
  b.driver->set_rx_mode(true, false);
  EXPECT_EQ(b.host.register_value(0x806), 3u);
  EXPECT_EQ(b.driver->set_mtu(67), -EINVAL);
  EXPECT_EQ(b.driver->set_mtu(2049), -EINVAL);
  EXPECT_EQ(b.driver->set_mtu(2048), 0);
}

}  // namespace
}  // namespace doorbell::drivers::tsnep
