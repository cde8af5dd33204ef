// Transmit of sk_buffs: descriptor values and order, ring stop and wake, doorbells and errata.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

using stack::DropReason;
using Kind = hal::ScriptedStep::Kind;

TEST(Tx, LinearDescriptorValues) {
  FecBench b;
  b.start();
  const Bytes frame = udp_frame(100, 1);
  ASSERT_TRUE(b.send(b.skb(frame)));
  EXPECT_TRUE(b.tdar[0]);
  const hal::DmaAddr bd = b.tx_bd(0, 0);
  EXPECT_EQ(b.host.peek16(bd), 100);
  EXPECT_EQ(b.host.peek16(bd + 2), 0x9C00);
  EXPECT_EQ(b.host.peek32(bd + 8), 0x40000000u);
  EXPECT_EQ(b.host.peek32(bd + 16), 0u);
  const std::vector<Sent> sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].bytes, frame);
  b.service();
  EXPECT_EQ(b.host.peek32(bd + 4), 0u);
  EXPECT_EQ(b.host.peek32(bd + 16), 0x80000000u);
  EXPECT_EQ(b.driver->statistics().tx_packets, 1u);
  EXPECT_EQ(b.driver->statistics().tx_bytes, 100u);
  b.expect_no_leaks();
}

TEST(Tx, ChecksumOffloadZeroesTheFields) {
  FecBench b;
  b.start();
  Bytes frame = udp_frame(100);
  base::store_be16(frame.data() + 24, 0x1234);
  base::store_be16(frame.data() + 40, 0x5678);
  stack::SkBuff* skb = b.skb(frame);
  skb->ip_summed = stack::Checksum::kPartial;
  skb->ipv4 = true;
  skb->network_offset = 14;
  skb->transport_offset = 34;
  skb->csum_offset = 6;
  ASSERT_TRUE(b.send(skb));
  const std::vector<Sent> sent = b.transmit(0);
  EXPECT_EQ(sent.at(0).control[0], 0x58000000u);
  EXPECT_EQ(base::load_be16(sent[0].bytes.data() + 24), 0);
  EXPECT_EQ(base::load_be16(sent[0].bytes.data() + 40), 0);
}

TEST(Tx, Ipv6ChecksumLeavesTheIpHeaderAlone) {
  FecBench b;
  b.start();
  const Bytes frame = udp_frame(100, 3);
  stack::SkBuff* skb = b.skb(frame);
  skb->ip_summed = stack::Checksum::kPartial;
  skb->network_offset = 14;
  skb->transport_offset = 54;
  skb->csum_offset = 6;
  ASSERT_TRUE(b.send(skb));
  Bytes want = frame;
  want[60] = want[61] = 0;
  EXPECT_EQ(b.transmit(0).at(0).bytes, want);
}

TEST(Tx, ScatterGatherDescriptorValues) {
  FecBench b;
  b.start();
  const Bytes frame = udp_frame(60, 1);
  stack::SkBuff* skb = b.skb(frame);
  b.add_frag(*skb, Bytes(300, 0x11));
  b.add_frag(*skb, Bytes(200, 0x22));
  ASSERT_TRUE(b.send(skb));
  EXPECT_EQ(b.driver->pending_tx(), 1u);
  const std::vector<Sent> sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].status, (std::vector<uint16_t>{0x8400, 0x8400, 0x9C00}));
  EXPECT_EQ(sent[0].control, (std::vector<uint32_t>{0, 0, 0x40000000}));
  EXPECT_EQ(sent[0].lengths, (std::vector<uint32_t>{60, 300, 200}));
  EXPECT_EQ(sent[0].bytes.size(), 560u);
  EXPECT_EQ(sent[0].bytes[60], 0x11);
  EXPECT_EQ(sent[0].bytes[559], 0x22);
  b.service();
  EXPECT_EQ(b.driver->statistics().tx_packets, 1u);
  EXPECT_EQ(b.driver->statistics().tx_bytes, 560u);
  b.expect_no_leaks();
}

TEST(Tx, ScatterGatherSetsTheFirstReadyLast) {
  FecBench b;
  b.start();
  stack::SkBuff* skb = b.skb(udp_frame());
  b.add_frag(*skb, Bytes(100, 1));
  b.add_frag(*skb, Bytes(100, 2));
  b.host.record(true);
  ASSERT_TRUE(b.send(skb));
  std::vector<uint64_t> ready;
  for (const hal::ScriptedStep& s : b.host.steps()) {
    if (s.kind == Kind::kStore && s.address % 32 == (b.tx_bd(0, 0) + 2) % 32 &&
        (s.value & 0x8000) != 0 && s.value < 0x10000) {
      ready.push_back(s.address);
    }
  }
  EXPECT_EQ(ready,
            (std::vector<uint64_t>{b.tx_bd(0, 1) + 2, b.tx_bd(0, 2) + 2, b.tx_bd(0, 0) + 2}));
}

TEST(Tx, SoftwareBitsOfTheOldStatusSurvive) {
  FecBench b;
  b.start();
  for (int i = 0; i < 1024; ++i) {
    b.send(b.skb(udp_frame()));
    b.transmit(0);
    b.service();
  }
  stack::SkBuff* skb = b.skb(udp_frame());
  b.add_frag(*skb, Bytes(64, 1));
  b.send(skb);
  const std::vector<Sent> sent = b.transmit(0);
  EXPECT_EQ(sent.at(0).status, (std::vector<uint16_t>{0x9400, 0x9C00}));
}

TEST(Tx, StopAt217WakeAt251) {
  FecBench b;
  b.start();
  // 1022 free at first; the queue stops when 217 are left.
  for (int i = 0; i < 1022 - 217 - 1; ++i) ASSERT_TRUE(b.send(b.skb(udp_frame())));
  EXPECT_FALSE(b.driver->queue(0).stopped);
  ASSERT_TRUE(b.send(b.skb(udp_frame())));
  EXPECT_EQ(b.driver->tx_ring(0).free_descriptors(), 217u);
  EXPECT_TRUE(b.driver->queue(0).stopped);
  EXPECT_FALSE(b.send(b.skb(udp_frame())));
  EXPECT_EQ(b.drops(DropReason::kSkbTxQueueStopped), 1u);
  b.transmit(0, 33);
  b.service();
  EXPECT_EQ(b.driver->tx_ring(0).free_descriptors(), 250u);
  EXPECT_TRUE(b.driver->queue(0).stopped);
  b.transmit(0, 1);
  b.service();
  EXPECT_FALSE(b.driver->queue(0).stopped);
  b.transmit(0);
  b.service();
  b.expect_no_leaks();
}

TEST(Tx, B5_NearlyFullRingDropsAndCounts) {
  FecBench b;
  b.start();
  for (int i = 0; i < 1022 - 17; ++i) {
    b.driver->wake_queue(0);
    ASSERT_TRUE(b.send(b.skb(udp_frame())));
  }
  EXPECT_EQ(b.driver->tx_ring(0).free_descriptors(), 17u);
  b.driver->wake_queue(0);
  EXPECT_TRUE(b.send(b.skb(udp_frame())));  // taken, and dropped
  EXPECT_EQ(b.drops(DropReason::kSkbTxRingFull), 1u);
  EXPECT_EQ(b.driver->statistics().tx_dropped, 1u);
  b.transmit(0);
  b.service();
  b.expect_no_leaks();
}

TEST(Tx, HeadMapFailure) {
  FecBench b;
  b.start();
  b.host.fail_maps(1, 1);
  b.send(b.skb(udp_frame()));
  EXPECT_EQ(b.drops(DropReason::kSkbTxMapFailed), 1u);
  EXPECT_EQ(b.driver->tx_ring(0).bd.cur, 0u);
  EXPECT_FALSE(b.tdar[0]);
  b.expect_no_leaks();
}

TEST(Tx, D6_FragmentMapFailureLeavesNothingReady) {
  FecBench b;
  b.start();
  stack::SkBuff* skb = b.skb(udp_frame());
  for (uint8_t i = 0; i < 4; ++i) b.add_frag(*skb, Bytes(64, i));
  b.host.fail_maps(4, 1);
  b.send(skb);
  EXPECT_EQ(b.drops(DropReason::kSkbTxMapFailed), 1u);
  for (uint32_t i = 0; i < 5; ++i) EXPECT_EQ(b.host.peek16(b.tx_bd(0, i) + 2) & 0x8000, 0) << i;
  b.send(b.skb(udp_frame(60, 9)));
  const std::vector<Sent> sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].bytes, udp_frame(60, 9));
  b.service();
  b.expect_no_leaks();
}

TEST(Tx, B11_QueueByVlanPriority) {
  FecBench b;
  b.start();
  const uint16_t want[8] = {0, 0, 1, 1, 1, 2, 2, 2};
  stack::SkBuff skb;
  EXPECT_EQ(b.driver->select_queue(skb), 0);
  for (unsigned p = 0; p < 8; ++p) {
    skb.vlan_present = true;
    skb.vlan_tci = static_cast<uint16_t>(p << 13 | 5);
    EXPECT_EQ(b.driver->select_queue(skb), want[p]);
  }
  Bytes tagged = udp_frame(64);
  const uint8_t tag[] = {0x81, 0x00, 0xA0, 0x05};
  tagged.insert(tagged.begin() + 12, std::begin(tag), std::end(tag));
  stack::SkBuff* inband = b.skb(tagged);
  inband->protocol = 0x8100;
  EXPECT_EQ(b.driver->select_queue(*inband), 2);
  b.send(inband);
  EXPECT_EQ(b.transmit(2).at(0).control[0], 0x40200000u);
  b.service();
}

TEST(Tx, Erratum007885_ReadsUntilZeroThenWrites) {
  FecDriverConfig c = FecBench::base_config();
  c.erratum_007885_workaround = true;
  FecBench b(c);
  b.start();
  b.send(b.skb(udp_frame()));
  EXPECT_EQ(b.host.mmio_reads(0x014), 1u);
  EXPECT_EQ(b.host.mmio_writes(0x014), 1u);
}

TEST(Tx, D8_Erratum007885_SkipsTheDoorbellAfterFourReads) {
  FecDriverConfig c = FecBench::base_config();
  c.erratum_007885_workaround = true;
  FecBench b(c);
  b.start();
  b.tdar_sticky = true;
  b.send(b.skb(udp_frame()));
  EXPECT_EQ(b.host.mmio_reads(0x014), 4u);
  EXPECT_EQ(b.host.mmio_writes(0x014), 0u);
  EXPECT_EQ(b.driver->statistics().tx_doorbells_skipped, 1u);
  EXPECT_EQ(b.driver->pending_tx(), 1u);
}

TEST(Tx, B12_B13_Erratum007885_OnEveryPath) {
  stack::XdpTxProgram tx;
  stack::XdpRedirectProgram redirect(1);
  for (stack::XdpProgram* program :
       {static_cast<stack::XdpProgram*>(&tx), static_cast<stack::XdpProgram*>(&redirect)}) {
    FecDriverConfig c = FecBench::base_config();
    c.erratum_007885_workaround = true;
    c.program = program;
    FecBench b(c);
    b.start();
    b.receive(0, udp_frame());
    b.eir = 0;
    b.poll(64);
    EXPECT_GE(b.host.mmio_reads(0x014), 1u);
    EXPECT_EQ(b.driver->statistics().tx_doorbells, 1u);
  }
}

TEST(Tx, WithoutWorkaroundNoReads) {
  FecBench b;
  b.start();
  b.send(b.skb(udp_frame()));
  EXPECT_EQ(b.host.mmio_reads(0x014), 0u);
}

TEST(Tx, WatchdogRestartsAStoppedQueue) {
  FecBench b;
  b.start();
  while (!b.driver->queue(0).stopped) b.send(b.skb(udp_frame()));
  const uint64_t stuck = b.driver->pending_tx();
  b.host.advance(base::Picos(1999000000000));
  EXPECT_EQ(b.driver->statistics().tx_timeouts, 0u);
  b.host.advance(base::Picos(2002000000000));
  EXPECT_EQ(b.driver->statistics().tx_timeouts, 1u);
  EXPECT_EQ(b.driver->pending_tx(), 0u);
  EXPECT_FALSE(b.driver->queue(0).stopped);
  EXPECT_EQ(b.drops(DropReason::kTxRingReset), stuck);
  EXPECT_TRUE(b.host.napi_enabled());
  b.send(b.skb(udp_frame()));
  EXPECT_EQ(b.transmit(0).size(), 1u);
  b.service();
  b.expect_no_leaks();
}

TEST(Tx, SendOnAClosedDeviceIsDropped) {
  FecBench b;
  b.start();
  b.driver->stop();
  EXPECT_FALSE(b.send(b.skb(udp_frame())));
  EXPECT_EQ(b.drops(DropReason::kSkbTxQueueStopped), 1u);
  EXPECT_EQ(b.stack.skbs().in_use(), 0u);
}

TEST(Tx, LegacyDescriptors) {
  FecDriverConfig c = FecBench::base_config();
  c.enhanced_descriptors = false;
  FecBench b(c);
  b.start();
  stack::SkBuff* skb = b.skb(udp_frame(80, 2));
  b.add_frag(*skb, Bytes(50, 7));
  b.send(skb);
  const std::vector<Sent> sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].bytes.size(), 130u);
  b.service();
  b.expect_no_leaks();
}

}  // namespace
}  // namespace doorbell::drivers::fec
