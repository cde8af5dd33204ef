// TSO: headers, descriptor layout, limits, failure.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

using stack::DropReason;

constexpr uint32_t kHeader = 54;

// Ethernet, IPv4, TCP without options; FIN and PSH set.
Bytes tcp_headers() {
  Bytes h(kHeader, 0);
  h[12] = 0x08;
  h[14] = 0x45;
  base::store_be16(h.data() + 18, 0x00FE);  // id
  h[23] = 6;
  base::store_be16(h.data() + 24, 0xBEEF);
  base::store_be32(h.data() + 38, 0xFFFFFF00);  // sequence
  h[46] = 0x50;
  h[47] = 0x19;
  base::store_be16(h.data() + 50, 0xCAFE);
  return h;
}

stack::SkBuff* tso_skb(FecBench& b, uint32_t in_head, const std::vector<uint32_t>& frags,
                       uint16_t mss) {
  Bytes head = tcp_headers();
  uint8_t byte = 0;
  uint32_t payload = in_head;
  for (uint32_t i = 0; i < in_head; ++i) head.push_back(byte++);
  stack::SkBuff* skb = b.skb(head);
  for (uint32_t size : frags) {
    Bytes frag;
    for (uint32_t i = 0; i < size; ++i) frag.push_back(byte++);
    b.add_frag(*skb, frag);
    payload += size;
  }
  skb->gso = stack::Gso::kTcpV4;
  skb->gso_size = mss;
  skb->gso_segs = static_cast<uint16_t>((payload + mss - 1) / mss);
  skb->ip_summed = stack::Checksum::kPartial;
  skb->ipv4 = true;
  skb->network_offset = 14;
  skb->transport_offset = 34;
  skb->csum_offset = 16;
  return skb;
}

TEST(Tso, LayoutAndHeaders) {
  FecBench b;
  b.start();
  ASSERT_TRUE(b.send(tso_skb(b, 0, {150, 150}, 100)));
  EXPECT_EQ(b.driver->pending_tx(), 3u);
  const std::vector<Sent> sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 3u);
  EXPECT_EQ(sent[0].lengths, (std::vector<uint32_t>{kHeader, 100}));
  EXPECT_EQ(sent[1].lengths, (std::vector<uint32_t>{kHeader, 50, 50}));
  EXPECT_EQ(sent[2].lengths, (std::vector<uint32_t>{kHeader, 100}));
  EXPECT_EQ(sent[0].status, (std::vector<uint16_t>{0x8400, 0x8C00}));
  EXPECT_EQ(sent[1].status, (std::vector<uint16_t>{0x8400, 0x8400, 0x8C00}));
  EXPECT_EQ(sent[2].status, (std::vector<uint16_t>{0x8400, 0x9C00}));
  EXPECT_EQ(sent[0].control, (std::vector<uint32_t>{0x18000000, 0x18000000}));
  EXPECT_EQ(sent[2].control, (std::vector<uint32_t>{0x18000000, 0x58000000}));
  for (size_t i = 0; i < 3; ++i) {
    const uint8_t* p = sent[i].bytes.data();
    EXPECT_EQ(base::load_be16(p + 16), 140);  // IP total length
    EXPECT_EQ(base::load_be16(p + 18), 0x00FE + i);
    EXPECT_EQ(base::load_be32(p + 38), 0xFFFFFF00u + 100u * static_cast<uint32_t>(i));
    EXPECT_EQ(base::load_be16(p + 24), 0);
    EXPECT_EQ(base::load_be16(p + 50), 0);
    EXPECT_EQ(p[47], i == 2 ? 0x19 : 0x10);
    for (uint32_t n = 0; n < 100; ++n) {
      EXPECT_EQ(p[kHeader + n], static_cast<uint8_t>(100 * i + n));
    }
  }
  b.service();
  EXPECT_EQ(b.driver->statistics().tx_packets, 1u);
  EXPECT_EQ(b.driver->tx_ring(0).free_descriptors(), 1022u);
  b.expect_no_leaks();
}

TEST(Tso, PayloadInTheHeadAndAShortTail) {
  FecBench b;
  b.start();
  ASSERT_TRUE(b.send(tso_skb(b, 30, {80}, 50)));
  const std::vector<Sent> sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 3u);
  EXPECT_EQ(sent[0].lengths, (std::vector<uint32_t>{kHeader, 30, 20}));
  EXPECT_EQ(sent[2].lengths, (std::vector<uint32_t>{kHeader, 10}));
  EXPECT_EQ(base::load_be16(sent[2].bytes.data() + 16), 50);
  b.service();
  b.expect_no_leaks();
}

TEST(Tso, HeadersLieInUncachedMemoryPerDescriptor) {
  FecBench b;
  b.start();
  b.send(tso_skb(b, 0, {200}, 100));
  EXPECT_EQ(b.host.peek32(b.tx_bd(0, 2) + 4), b.driver->tx_ring(0).tso_headers + 2 * 256);
}

TEST(Tso, NeedsMoreFreeThanTwiceTheSegmentsAndFragments) {
  FecBench b;
  b.start();
  // Leave exactly 2 * 10 + 1 = 21 free: one too few.
  while (b.driver->tx_ring(0).free_descriptors() > 21) {
    b.driver->wake_queue(0);
    b.send(b.skb(udp_frame()));
  }
  b.driver->wake_queue(0);
  b.send(tso_skb(b, 0, {1000}, 100));
  EXPECT_EQ(b.drops(DropReason::kSkbTxRingFull), 1u);
  b.transmit(0, 1);
  b.service();
  b.driver->wake_queue(0);
  b.send(tso_skb(b, 0, {1000}, 100));
  EXPECT_EQ(b.drops(DropReason::kSkbTxRingFull), 1u);
  b.transmit(0);
  b.service();
  b.expect_no_leaks();
}

TEST(Tso, D5_MapFailureTakesBackWhatWasFilled) {
  FecBench b;
  b.start();
  b.host.fail_maps(3, 1);
  b.send(tso_skb(b, 0, {300}, 100));
  EXPECT_EQ(b.drops(DropReason::kSkbTxMapFailed), 1u);
  EXPECT_EQ(b.driver->tx_ring(0).bd.cur, 0u);
  for (uint32_t i = 0; i < 6; ++i) EXPECT_EQ(b.host.peek16(b.tx_bd(0, i) + 2) & 0x8000, 0) << i;
  EXPECT_EQ(b.driver->pending_tx(), 0u);
  b.send(b.skb(udp_frame(60, 5)));
  EXPECT_EQ(b.transmit(0).at(0).bytes, udp_frame(60, 5));
  b.service();
  b.expect_no_leaks();
}

// R is set descriptor by descriptor in ring order, without a barrier in between.
TEST(Tso, D1_ReadyIsSetInRingOrderWithoutBarriers) {
  FecBench b;
  b.start();
  stack::SkBuff* skb = tso_skb(b, 0, {200}, 100);
  b.host.record(true);
  b.send(skb);
  std::vector<uint64_t> ready;
  for (const hal::ScriptedStep& s : b.host.steps()) {
    EXPECT_NE(s.kind, hal::ScriptedStep::Kind::kWmb);
    EXPECT_NE(s.kind, hal::ScriptedStep::Kind::kDmaWmb);
    for (uint32_t i = 0; i < 4; ++i) {
      if (s.kind == hal::ScriptedStep::Kind::kStore && s.address == b.tx_bd(0, i) + 2) {
        ready.push_back(i);
      }
    }
  }
  EXPECT_EQ(ready, (std::vector<uint64_t>{0, 1, 2, 3}));
}

TEST(Tso, Ipv6PayloadLength) {
  FecBench b;
  b.start();
  Bytes head(74, 0);
  base::store_be16(head.data() + 12, 0x86DD);
  head[54 + 12] = 0x50;
  stack::SkBuff* skb = b.skb(head);
  b.add_frag(*skb, Bytes(150, 1));
  skb->gso = stack::Gso::kTcpV6;
  skb->gso_size = 100;
  skb->gso_segs = 2;
  skb->ip_summed = stack::Checksum::kPartial;
  skb->network_offset = 14;
  skb->transport_offset = 54;
  skb->csum_offset = 16;
  b.send(skb);
  const std::vector<Sent> sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(base::load_be16(sent[0].bytes.data() + 18), 120);
  EXPECT_EQ(base::load_be16(sent[1].bytes.data() + 18), 70);
  b.service();
  b.expect_no_leaks();
}

}  // namespace
}  // namespace doorbell::drivers::fec
