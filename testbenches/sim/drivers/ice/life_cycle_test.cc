// Open, stop, contexts, resets, ethtool.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "testbenches/sim/drivers/ice/ice_bench.h"

namespace doorbell::drivers::ice {
namespace {

using ::testing::ElementsAre;
using Kind = hal::ScriptedStep::Kind;

constexpr base::Picos kSecond{1000000000000};

TEST(Open, TransmitContext) {
  IceBench b(IceBench::base_config(), 2);
  b.start();
  for (unsigned q = 0; q < 2; ++q) {
    const hw::IceTxContext& c = b.tx[q].context;
    EXPECT_TRUE(b.tx[q].enabled);
    EXPECT_EQ(c.base, b.driver->tx_ring(q).base >> 7);
    EXPECT_EQ(c.qlen, 256u);
    EXPECT_EQ(c.legacy_int, 1u);
    EXPECT_EQ(c.vmvf_type, 2u);
    EXPECT_EQ(c.src_vsi, 5u);
    EXPECT_EQ(c.tsyn_ena, 1u);
    EXPECT_EQ(c.tso_ena, 1u);
    EXPECT_EQ(c.tso_qnum, q);
    EXPECT_EQ(c.port_num, 0u);
    EXPECT_EQ(c.cgd_num, 0u);
    EXPECT_EQ(c.wb_mode, 0u);
    EXPECT_EQ(b.driver->tx_ring(q).teid, 0x10000 + q);
  }
}

TEST(Open, ReceiveContextWordsAndRegisters) {
  IceBench b;
  ASSERT_EQ(b.driver->probe(), 0);
  b.host.record(true);
  ASSERT_EQ(b.driver->open(), 0);
  const uint64_t base = b.driver->rx_ring(0).base >> 7;
  // 1536-byte buffers: 12 units; 128 descriptors; 32 bytes; strip CRC; tag select; rxmax 1536.
  EXPECT_EQ(b.host.register_value(0x280000), 0u);
  EXPECT_EQ(b.host.register_value(0x282000), static_cast<uint32_t>(base));
  EXPECT_EQ(b.host.register_value(0x284000), static_cast<uint32_t>(base >> 32))
      << "the low seven bits of 128 are zero";
  EXPECT_EQ(b.host.register_value(0x286000), 1u | 12u << 6 | 1u << 20 | 1u << 21 | 1u << 23);
  EXPECT_EQ(b.host.register_value(0x288000), 0u);
  EXPECT_EQ(b.host.register_value(0x28A000), (1536u & 0x3FFFF) << 14);
  EXPECT_EQ(b.host.register_value(0x28C000), 1u << 6 | 1u << 9) << "threshold 64, prefetch";
  EXPECT_EQ(b.host.register_value(0x28E000), 0u);
  EXPECT_EQ(b.host.register_value(0x480000), 2u | 3u << 8 | 1u << 11);
  EXPECT_EQ(b.host.register_value(0x290000), 120u) << "127 filled, the device sees 120";
  EXPECT_EQ(b.driver->rx_ring(0).ntu, 127u);
}

// Everything between the first context and the arming of the vector.
TEST(Open, RegisterOrderOfOnePair) {
  stack::XdpTxProgram program;
  IceBench b(IceBench::with(&program));
  ASSERT_EQ(b.driver->probe(), 0);
  b.host.record(true);
  ASSERT_EQ(b.driver->open(), 0);
  std::vector<uint32_t> order;
  for (const hal::ScriptedStep& s : b.host.steps()) {
    if (s.kind == Kind::kMmioWrite) order.push_back(static_cast<uint32_t>(s.address));
  }
  EXPECT_THAT(order, ElementsAre(0x80400, 0x80400,  // transmit queues 0 and 1 (XDP)
                                 0x480000, 0x280000, 0x282000, 0x284000, 0x286000, 0x288000,
                                 0x28A000, 0x28C000, 0x28E000, 0x290000,  // receive context, tail 0
                                 0x154004, 0x156004, 0x15A004,  // timers and rate of vector 1
                                 0x140000, 0x140004, 0x150000,  // causes
                                 0x120000,                      // receive queue on
                                 0x290000,                      // buffers
                                 0x160004));                    // armed
  EXPECT_EQ(b.host.register_value(0x140000), 0x40000801u) << "vector 1, timer 1, enabled";
  EXPECT_EQ(b.host.register_value(0x140004), 0x40000801u);
  EXPECT_EQ(b.host.register_value(0x150000), 0x40000001u) << "vector 1, timer 0";
  EXPECT_EQ(b.host.register_value(0x160004), 0x1Bu);
}

TEST(Open, JumboBuffers) {
  IceDriverConfig c = IceBench::base_config();
  c.mtu = 9000;
  IceBench b(c);
  b.start();
  EXPECT_EQ(b.driver->rx_buffer_bytes(), 3072u);
  EXPECT_EQ(b.host.register_value(0x286000) >> 6 & 0x7F, 24u);
  EXPECT_EQ(b.host.register_value(0x28A000) >> 14 & 0x3FFF, 9728u);
}

TEST(Open, WithAProgramAFrameHasOneBuffer) {
  stack::XdpPassProgram program;
  IceDriverConfig c = IceBench::with(&program);
  c.mtu = 3046;
  IceBench b(c);
  b.start();
  EXPECT_EQ(b.host.register_value(0x28A000) >> 14 & 0x3FFF, 3072u);
}

TEST(Open, XdpRingsFollowTheOthersAndShareTheirVector) {
  stack::XdpTxProgram program;
  IceBench b(IceBench::with(&program), 4);
  b.start();
  ASSERT_EQ(b.driver->xdp_rings(), 4u);
  EXPECT_FALSE(b.driver->xdp_rings_shared());
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(b.driver->xdp_ring(i).queue, 4 + i);
    EXPECT_TRUE(b.tx[4 + i].enabled);
    EXPECT_EQ(b.driver->rx_ring(i).xdp_ring, &b.driver->xdp_ring(i));
    // H5: the XDP queue's own number, on its own vector.
    EXPECT_EQ(b.host.register_value(reg::qint_tqctl(4 + i)), 0x40000800u | (i + 1));
  }
}

TEST(Open, NoProgramNoXdpRings) {
  IceBench b;
  b.start();
  EXPECT_EQ(b.driver->xdp_rings(), 0u);
  EXPECT_FALSE(b.driver->accepts_xdp_frames());
  EXPECT_EQ(b.driver->xdp_xmit(nullptr, 0), -ENXIO);
}

// Rings as far as the device has queues; half the cores is the least.
TEST(Open, FewerXdpRingsThanCoresAreSharedAndLessThanHalfIsRefused) {
  stack::XdpTxProgram program;
  {
    IceDriverConfig c = IceBench::with(&program);
    c.xdp_rings = 2;
    IceBench b(c, 4);
    b.start();
    EXPECT_EQ(b.driver->xdp_rings(), 2u);
    EXPECT_TRUE(b.driver->xdp_rings_shared());
    EXPECT_EQ(b.driver->rx_ring(2).xdp_ring, &b.driver->xdp_ring(0));
    EXPECT_EQ(b.driver->rx_ring(3).xdp_ring, &b.driver->xdp_ring(1));
    EXPECT_EQ(b.driver->vector(2).xdp.size(), 0u);
    b.expect_no_leaks();
  }
  {
    IceDriverConfig c = IceBench::with(&program);
    c.xdp_rings = 1;
    IceBench b(c, 4);
    ASSERT_EQ(b.driver->probe(), 0);
    EXPECT_EQ(b.driver->open(), -ENOMEM);
    EXPECT_FALSE(b.driver->running());
    EXPECT_EQ(b.host.coherent_blocks(), 4u);
  }
  {
    IceBench b(IceBench::with(&program), 4);
    b.tx_queues = 6;  // four pairs leave two
    b.start();
    EXPECT_EQ(b.driver->xdp_rings(), 2u);
    EXPECT_TRUE(b.driver->xdp_rings_shared());
  }
}

TEST(Open, MoreCoresThanVectors) {
  stack::XdpTxProgram program;
  IceBench b(IceBench::with(&program), 2, 5);
  b.start();
  ASSERT_EQ(b.driver->xdp_rings(), 5u);
  EXPECT_EQ(b.driver->vector(0).xdp.size(), 3u);
  EXPECT_EQ(b.driver->vector(1).xdp.size(), 2u);
  EXPECT_EQ(b.driver->rx_ring(1).xdp_ring, &b.driver->xdp_ring(3));
  b.expect_no_leaks();
}

TEST(Open, EveryFailureIsUndone) {
  stack::XdpTxProgram program;
  for (unsigned n = 1; n <= 3; ++n) {
    IceBench b(IceBench::with(&program));
    ASSERT_EQ(b.driver->probe(), 0);
    b.host.fail_coherent(n, 1);
    EXPECT_EQ(b.driver->open(), -ENOMEM) << n;
    EXPECT_EQ(b.host.coherent_blocks(), 4u) << n;
    EXPECT_EQ(b.host.pages_out(), 0u);
    EXPECT_EQ(b.driver->open(), 0) << "and works the next time";
  }
  {
    IceBench b(IceBench::with(&program));
    ASSERT_EQ(b.driver->probe(), 0);
    b.refuse[0x0C30] = hw::AqError::kEnospc;
    EXPECT_EQ(b.driver->open(), -EIO);
    EXPECT_EQ(b.host.coherent_blocks(), 4u);
    EXPECT_EQ(b.host.pages_out(), 0u);
  }
  {
    IceBench b(IceBench::with(&program));
    ASSERT_EQ(b.driver->probe(), 0);
    b.rx_never_enables = true;
    EXPECT_EQ(b.driver->open(), -ETIMEDOUT);
    EXPECT_EQ(b.host.coherent_blocks(), 4u);
    EXPECT_EQ(b.host.pages_out(), 0u);
    EXPECT_FALSE(b.tx[0].enabled) << "queues already added are taken away";
    EXPECT_FALSE(b.tx[1].enabled);
  }
  {
    IceBench b(IceBench::with(&program));
    ASSERT_EQ(b.driver->probe(), 0);
    b.host.fail_pages(100, 1000);
    EXPECT_EQ(b.driver->open(), -ENOMEM);
    EXPECT_EQ(b.host.mappings(), 0u);
    EXPECT_EQ(b.host.pages_out(), 0u);
  }
}

TEST(Stop, OrderForOneQueue) {
  IceBench b;
  b.start();
  b.host.record(true);
  b.driver->stop();
  std::vector<std::string> list;
  for (const hal::ScriptedStep& s : b.host.steps()) {
    if (s.kind != Kind::kMmioWrite) continue;
    char text[40];
    std::snprintf(text, sizeof text, "%06x %x", static_cast<unsigned>(s.address),
                  static_cast<unsigned>(s.value));
    list.push_back(text);
  }
  EXPECT_THAT(list, ElementsAre("140000 0", "150000 0", "160004 0",   // causes, vector
                                "140000 0", "160004 1d", "080400 e",  // transmit queue
                                "120000 4"));                         // receive queue off
  EXPECT_EQ(b.opcodes.back(), 0x0C31);
  EXPECT_EQ(b.commands.back().param[0], 0x14000100u);
  EXPECT_FALSE(b.tx[0].enabled);
  EXPECT_FALSE(b.vector_host(0).napi_enabled());
}

TEST(Stop, NamesWhatIsLost) {
  stack::XdpTxProgram program;
  IceBench b(IceBench::with(&program));
  b.start();
  for (int i = 0; i < 10; ++i) b.receive(0, udp_frame());
  b.poll();
  b.transmit(1, 4);
  for (int i = 0; i < 7; ++i) b.receive(0, udp_frame());
  b.receive_buffer(0, Bytes(100), 0);  // a frame whose end never comes is none
  EXPECT_EQ(b.driver->pending_rx(b), 7u);
  EXPECT_EQ(b.driver->pending_tx(), 10u);
  EXPECT_EQ(b.driver->pending_tx_device(b), 6u);
  b.expect_no_leaks();
  EXPECT_EQ(b.drops(stack::DropReason::kRxRingReset), 7u);
  EXPECT_EQ(b.drops(stack::DropReason::kTxRingReset), 6u);
  EXPECT_EQ(b.driver->pending_tx(), 0u);
}

TEST(Stop, OpenAgainWorks) {
  stack::XdpTxProgram program;
  IceBench b(IceBench::with(&program));
  b.start();
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(b.receive(0, udp_frame()));
    b.poll();
    EXPECT_EQ(b.transmit(1).size(), 50u);
    b.driver->stop();
    EXPECT_EQ(b.host.mappings(), 0u);
    ASSERT_EQ(b.driver->open(), 0);
    EXPECT_EQ(b.driver->xdp_ring(0).next_rs, 31u);
    EXPECT_EQ(b.driver->xdp_ring(0).next_dd, 31u);
  }
}

TEST(Watchdog, ResetsHarderEachTime) {
  IceBench b;
  b.start();
  stack::SkBuff* skb = b.skb(udp_frame());
  b.send(skb);
  b.driver->tx_timeout(0);
  b.host.advance(base::Picos(0));
  EXPECT_EQ(b.driver->statistics().resets, 1u);
  EXPECT_EQ(b.host.mmio_writes(reg::kGlgenRtrig), 0u);
  EXPECT_TRUE(b.driver->running());
  EXPECT_EQ(b.stack.skbs().in_use(), 0u) << "what was queued is gone";
  b.driver->tx_timeout(0);
  b.host.advance(base::Picos(0));
  EXPECT_EQ(b.host.register_value(reg::kGlgenRtrig), 1u) << "core";
  b.driver->tx_timeout(0);
  b.host.advance(base::Picos(0));
  EXPECT_EQ(b.host.register_value(reg::kGlgenRtrig), 2u) << "global";
  b.driver->tx_timeout(0);
  b.host.advance(base::Picos(0));
  EXPECT_EQ(b.driver->statistics().resets, 3u) << "then it gives up";
  b.host.advance(kSecond * 25);
  b.driver->tx_timeout(0);
  b.host.advance(base::Picos(0));
  EXPECT_EQ(b.driver->statistics().resets, 4u) << "long ago is forgotten";
  EXPECT_TRUE(b.driver->running());
  EXPECT_EQ(b.driver->statistics().tx_timeouts, 5u);
}

TEST(Watchdog, FiresForAStoppedQueue) {
  IceDriverConfig c = IceBench::base_config();
  c.tx_ring = 64;
  IceBench b(c);
  b.start();
  while (!b.driver->queue(0).stopped) b.send(b.skb(udp_frame()));
  b.host.advance(kSecond * 6);
  EXPECT_EQ(b.driver->statistics().tx_timeouts, 1u);
  EXPECT_EQ(b.driver->statistics().resets, 1u);
  EXPECT_FALSE(b.driver->queue(0).stopped);
  EXPECT_TRUE(b.driver->running());
}

TEST(Service, AStandingRingGetsASoftwareInterrupt) {
  IceBench b;
  b.start();
  b.send(b.skb(udp_frame()));
  b.host.advance(kSecond);
  EXPECT_EQ(b.driver->statistics().tx_hang_kicks, 0u) << "first look";
  b.host.advance(kSecond);
  EXPECT_EQ(b.driver->statistics().tx_hang_kicks, 1u);
  EXPECT_EQ(b.dyn_ctl(0), 0x1Du) << "trigger, enable, no timer";
  b.finish(0);
  b.poll();
  b.host.advance(kSecond);
  b.host.advance(kSecond);
  EXPECT_EQ(b.driver->statistics().tx_hang_kicks, 1u) << "nothing pending";
}

TEST(Service, MaliciousEventsAreClearedAndCounted) {
  IceBench b;
  b.start();
  b.host.set_register(reg::kGlMdetTxTclan, 0x80000000);
  b.host.set_register(reg::kPfMdetTxTclan, 1);
  b.host.set_register(reg::kPfintOicr, 1u << 19);
  b.host.raise(0);
  b.host.advance(base::Picos(0));
  EXPECT_EQ(b.driver->statistics().mdd_events, 1u);
  EXPECT_EQ(b.host.register_value(reg::kGlMdetTxTclan), 0xFFFFFFFFu);
  EXPECT_EQ(b.host.register_value(reg::kPfMdetTxTclan), 0xFFFFFFFFu);
  EXPECT_EQ(b.host.mmio_writes(reg::kGlMdetTxPqm), 0u) << "that one was quiet";
}

TEST(Ethtool, RingSizes) {
  IceBench b;
  b.start();
  EXPECT_EQ(b.driver->set_ring_sizes(128, 100), -EINVAL);
  EXPECT_EQ(b.driver->set_ring_sizes(8192, 256), -EINVAL);
  EXPECT_EQ(b.driver->tx_ring(0).count, 256u) << "nothing changed";
  EXPECT_EQ(b.driver->set_ring_sizes(64, 96), 0);
  EXPECT_EQ(b.driver->tx_ring(0).count, 96u);
  EXPECT_EQ(b.driver->rx_ring(0).count, 64u);
  EXPECT_TRUE(b.driver->running());
  EXPECT_EQ(b.tx[0].context.qlen, 96u);
}

TEST(Ethtool, Coalesce) {
  IceBench b;
  b.start();
  EXPECT_EQ(b.driver->set_coalesce({false, 8162}, {false, 2}, 0), -EINVAL);
  EXPECT_EQ(b.driver->set_coalesce({false, 2}, {false, 2}, 240), -EINVAL);
  EXPECT_EQ(b.driver->set_coalesce({false, 2}, {false, 2}, 6), -EINVAL);
  EXPECT_EQ(b.driver->set_coalesce({false, 8160}, {false, 11}, 236), 0);
  EXPECT_EQ(b.host.register_value(reg::glint_itr(0, 1)), 4080u);
  EXPECT_EQ(b.host.register_value(reg::glint_itr(1, 1)), 5u);
  EXPECT_EQ(b.host.register_value(reg::glint_rate(1)), 0x7Bu);
  EXPECT_EQ(b.driver->set_coalesce({true, 50}, {false, 50}, 0), 0);
  EXPECT_EQ(b.host.register_value(reg::glint_itr(0, 1)), 4u);
  EXPECT_EQ(b.host.register_value(reg::glint_rate(1)), 0x41u);
}

TEST(Ethtool, Rss) {
  IceBench b(IceBench::base_config(), 2);
  b.start();
  EXPECT_EQ(b.driver->set_rss(std::vector<uint8_t>(100, 0), default_rss_key()), -EINVAL);
  EXPECT_EQ(b.driver->set_rss(std::vector<uint8_t>(64, 2), default_rss_key()), -EINVAL);
  RssKey key{};
  key[3] = 9;
  EXPECT_EQ(b.driver->set_rss(std::vector<uint8_t>(512, 1), key), 0);
  EXPECT_EQ(b.commands.back().param[0], 0x28005u) << "global table";
  EXPECT_EQ(b.buffers.back(), Bytes(512, 1));
  EXPECT_EQ(b.buffers[b.buffers.size() - 2][3], 9);
}

TEST(Ethtool, Mtu) {
  stack::XdpPassProgram program;
  IceBench b;
  b.start();
  EXPECT_EQ(b.driver->set_mtu(67), -EINVAL);
  EXPECT_EQ(b.driver->set_mtu(9703), -EINVAL);
  EXPECT_EQ(b.driver->set_mtu(9702), 0);
  EXPECT_EQ(b.driver->rx_buffer_bytes(), 3072u);
  EXPECT_EQ(b.driver->set_xdp_program(&program), -EOPNOTSUPP);
  EXPECT_EQ(b.driver->set_mtu(3046), 0);
  EXPECT_EQ(b.driver->set_xdp_program(&program), 0);
  EXPECT_EQ(b.driver->set_mtu(3047), -EOPNOTSUPP);
  EXPECT_EQ(b.driver->set_mtu(1500), 0);
  EXPECT_EQ(b.driver->rx_buffer_bytes(), 1536u);
}

TEST(Ethtool, StatisticsHaveNamesAndHelp) {
  IceBench b;
  b.start();
  b.receive(0, udp_frame());
  b.service();
  uint64_t interrupts = 0;
  for (const StatisticRow& row : b.driver->statistic_rows()) {
    EXPECT_FALSE(row.name.empty());
    EXPECT_FALSE(row.help.empty());
    if (row.name == "interrupts") interrupts = row.value;
    if (row.name == "rx_packets") {
      EXPECT_EQ(row.value, 1u);
    }
  }
  EXPECT_EQ(interrupts, 1u);
}

}  // namespace
}  // namespace doorbell::drivers::ice
