// Link changes, filters, MAC address, restart with work in flight, close and reopen.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

using stack::DropReason;

TEST(Link, SpeedAndDuplexReachTheRegisters) {
  const struct {
    unsigned mbps;
    bool full;
    uint32_t tcr, rcr, ecr;
  } cases[] = {{1000, true, 4, 0x47C00044, 0x132},
               {100, true, 4, 0x47C00044, 0x112},
               {100, false, 0, 0x47C00046, 0x112},
               {10, false, 0, 0x47C00046, 0x112}};
  for (const auto& c : cases) {
    FecDriverConfig config = FecBench::base_config();
    config.assume_link = false;
    FecBench b(config);
    b.start();
    EXPECT_FALSE(b.driver->carrier());
    b.driver->link_change(true, c.mbps, c.full);
    EXPECT_EQ(b.host.register_value(0x0C4), c.tcr);
    EXPECT_EQ(b.host.register_value(0x084), c.rcr);
    EXPECT_EQ(b.host.register_value(0x024), c.ecr);
    EXPECT_EQ(b.host.register_value(0x008), 0x0A0000AAu);
    EXPECT_TRUE(b.driver->carrier());
  }
}

TEST(Link, SameStateAgainDoesNothing) {
  FecBench b;
  b.start();
  b.driver->link_change(true, 1000, true);
  EXPECT_EQ(b.host.count(hal::Op::kMmioWrite), 0u);
}

TEST(Link, DownStopsTheDeviceAndUpRestartsIt) {
  FecBench b;
  b.start();
  b.driver->link_change(false, 0, false);
  EXPECT_EQ(b.host.register_value(0x0C4), 1u);
  EXPECT_EQ(b.host.register_value(0x024), 0x12u);
  EXPECT_TRUE(b.driver->queue(0).stopped);
  EXPECT_FALSE(b.driver->carrier());
  b.driver->link_change(true, 1000, true);
  EXPECT_FALSE(b.driver->queue(0).stopped);
  b.receive(0, udp_frame());
  b.service();
  EXPECT_EQ(b.stack.delivered_frames(), 1u);
  b.expect_no_leaks();
}

TEST(Stop, MissingGraIsCounted) {
  FecBench b;
  b.start();
  b.host.on_write(0x0C4, [](uint32_t) {});
  b.driver->stop();
  EXPECT_EQ(b.driver->statistics().graceful_stop_timeouts, 1u);
}

TEST(Filter, MulticastHashVectors) {
  FecBench b;
  b.start();
  const struct {
    const char* address;
    uint32_t gaur, galr;
  } cases[] = {{"01:00:5e:00:00:01", 1u << 22, 0}, {"33:33:00:00:00:01", 0, 1u << 23},
               {"01:80:c2:00:00:00", 1u << 26, 0}, {"01:00:5e:00:00:fb", 1u << 1, 0},
               {"01:1b:19:00:00:00", 1u << 15, 0}, {"01:00:5e:00:01:81", 0, 1u << 11}};
  for (const auto& c : cases) {
    b.driver->set_rx_mode(false, false, {*net::MacAddress::parse(c.address)});
    EXPECT_EQ(b.host.register_value(0x120), c.gaur) << c.address;
    EXPECT_EQ(b.host.register_value(0x124), c.galr) << c.address;
  }
}

TEST(Filter, PromiscuousAndAllMulticast) {
  FecBench b;
  b.start();
  b.driver->set_rx_mode(false, true, {});
  EXPECT_EQ(b.host.register_value(0x120), 0xFFFFFFFFu);
  EXPECT_EQ(b.host.register_value(0x124), 0xFFFFFFFFu);
  b.driver->set_rx_mode(true, false, {});
  EXPECT_EQ(b.host.register_value(0x084), 0x47C0004Cu);
  b.driver->set_rx_mode(false, false, {});
  EXPECT_EQ(b.host.register_value(0x084), 0x47C00044u);
  EXPECT_EQ(b.host.register_value(0x120), 0u);
}

TEST(Mac, IsWrittenWhileRunningOnly) {
  FecBench b;
  b.start();
  b.driver->set_mac(*net::MacAddress::parse("02:aa:bb:cc:dd:ee"));
  EXPECT_EQ(b.host.register_value(0x0E4), 0x02AABBCCu);
  EXPECT_EQ(b.host.register_value(0x0E8), 0xDDEE0000u);
  b.driver->stop();
  b.host.reset_counts();
  b.driver->set_mac(*net::MacAddress::parse("02:00:00:00:00:09"));
  EXPECT_EQ(b.host.count(hal::Op::kMmioWrite), 0u);
}

// One slot of each type pending, then the ring is torn down under it.
void fill_all_types(FecBench& b, stack::XdpProgram& redirect, stack::XdpProgram& tx) {
  b.driver->set_xdp_program(&redirect);
  b.receive(0, udp_frame());
  b.eir = 0;
  b.poll(64);
  stack::XdpFrame* pending = b.driver->tx_ring(0).slots[0].frame;
  ASSERT_NE(pending, nullptr);
  b.eir = 0;
  // Attaching restarts the ring, so the other types are added behind the same program.
  (void)tx;
  b.send(b.skb(udp_frame()));
  stack::SkBuff* sg = b.skb(udp_frame());
  b.add_frag(*sg, Bytes(100, 1));
  b.send(sg);
}

TEST(Restart, ReleasesRedirectedFramesAndSkBuffs) {
  stack::XdpRedirectProgram redirect(1);
  stack::XdpTxProgram tx;
  FecBench b;
  b.start();
  fill_all_types(b, redirect, tx);
  EXPECT_EQ(b.driver->pending_tx(), 3u);
  b.driver->set_pause(true);  // restarts
  EXPECT_EQ(b.driver->pending_tx(), 0u);
  EXPECT_EQ(b.drops(DropReason::kTxRingReset), 3u);
  EXPECT_EQ(b.driver->tx_ring(0).free_descriptors(), 1022u);
  for (uint32_t i = 0; i < 5; ++i) EXPECT_EQ(b.host.peek32(b.tx_bd(0, i) + 4), 0u);
  EXPECT_EQ(b.host.peek16(b.tx_bd(0, 1023) + 2), 0x2000);
  b.expect_no_leaks();
}

TEST(Restart, ReleasesXdpTxPages) {
  for (bool conversion : {true, false}) {
    stack::XdpTxProgram tx;
    FecDriverConfig c = FecBench::base_config();
    c.program = &tx;
    c.xdp_frame_conversion = conversion;
    FecBench b(c);
    b.start();
    for (int i = 0; i < 5; ++i) b.receive(0, udp_frame());
    b.eir = 0;
    b.poll(64);
    EXPECT_EQ(b.driver->rx_pool(0)->inflight(), 256u + 5u);
    b.driver->set_pause(true);
    EXPECT_EQ(b.driver->rx_pool(0)->inflight(), 256u);
    b.expect_no_leaks();
  }
}

TEST(Restart, FramesAlreadySentAreNotCountedAsLost) {
  FecBench b;
  b.start();
  for (int i = 0; i < 3; ++i) b.send(b.skb(udp_frame()));
  b.transmit(0, 2);
  EXPECT_EQ(b.driver->pending_tx(), 3u);
  EXPECT_EQ(b.driver->pending_tx_device(b.peek), 1u);
  b.driver->set_pause(true);
  EXPECT_EQ(b.drops(DropReason::kTxRingReset), 1u);
  b.expect_no_leaks();
}

TEST(Restart, ReceivedButNotProcessedIsNamed) {
  FecBench b;
  b.start();
  for (int i = 0; i < 4; ++i) b.receive(0, udp_frame());
  b.receive(2, udp_frame());
  EXPECT_EQ(b.driver->pending_rx(b.peek), 5u);
  b.driver->set_pause(true);
  EXPECT_EQ(b.drops(DropReason::kRxRingReset), 5u);
  EXPECT_EQ(b.driver->pending_rx(b.peek), 0u);
  EXPECT_EQ(b.host.peek16(b.rx_bd(0, 0) + 2), 0x8000);
  b.expect_no_leaks();
}

TEST(Close, WithEveryKindOfWorkInFlight) {
  stack::XdpRedirectProgram redirect(1);
  stack::XdpTxProgram tx;
  FecBench b;
  b.start();
  fill_all_types(b, redirect, tx);
  b.receive(1, udp_frame());
  b.expect_no_leaks();
  EXPECT_EQ(b.drops(DropReason::kTxRingReset), 3u);
  EXPECT_EQ(b.drops(DropReason::kRxRingReset), 1u);
  EXPECT_EQ(b.driver->pending_tx(), 0u);
}

TEST(Close, ReopenWorks) {
  FecBench b;
  b.start();
  for (int round = 0; round < 3; ++round) {
    b.receive(0, udp_frame());
    b.service();
    b.send(b.skb(udp_frame()));
    b.driver->stop();
    ASSERT_EQ(b.driver->open(), 0);
    b.eir = 0;
  }
  EXPECT_EQ(b.stack.delivered_frames(), 3u);
  b.expect_no_leaks();
}

TEST(Open, NoPagesFreesWhatItTook) {
  FecBench b;
  ASSERT_EQ(b.driver->probe(), 0);
  b.host.fail_pages(300, 100000);
  EXPECT_LT(b.driver->open(), 0);
  EXPECT_EQ(b.host.pages_out(), 0u);
  EXPECT_EQ(b.host.mappings(), 0u);
  EXPECT_FALSE(b.driver->running());
  b.host.fail_pages(0, 0);
  EXPECT_EQ(b.driver->open(), 0);
  b.expect_no_leaks();
}

TEST(Open, MapFailureFreesWhatItTook) {
  FecBench b;
  ASSERT_EQ(b.driver->probe(), 0);
  b.host.fail_maps(100, 100000);
  EXPECT_LT(b.driver->open(), 0);
  EXPECT_EQ(b.host.pages_out(), 0u);
  EXPECT_EQ(b.host.mappings(), 0u);
}

TEST(Mtu, Limits) {
  FecBench b;
  EXPECT_EQ(b.driver->set_mtu(1966), 0);
  EXPECT_EQ(b.driver->set_mtu(68), 0);
  EXPECT_LT(b.driver->set_mtu(1967), 0);
  EXPECT_LT(b.driver->set_mtu(67), 0);
}

}  // namespace
}  // namespace doorbell::drivers::fec
