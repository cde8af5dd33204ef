// sk_buff transmit: descriptors bit by bit, space, stop and wake, batching, scattered packets, TSO.
#include <gtest/gtest.h>

#include <numeric>

#include "testbenches/sim/drivers/ice/ice_bench.h"

namespace doorbell::drivers::ice {
namespace {

using stack::DropReason;
using Kind = hal::ScriptedStep::Kind;

Bytes pattern(uint32_t bytes, uint8_t seed) {
  Bytes b(bytes);
  for (uint32_t i = 0; i < bytes; ++i) b[i] = static_cast<uint8_t>(i * 13 + seed);
  return b;
}

stack::SkBuff* scattered(IceBench& b, uint32_t head, const std::vector<uint32_t>& frags,
                         Bytes* whole = nullptr) {
  Bytes all = pattern(head, 1);
  stack::SkBuff* skb = b.skb(all);
  uint8_t seed = 2;
  for (const uint32_t size : frags) {
    const Bytes part = pattern(size, seed++);
    b.add_frag(*skb, part);
    all.insert(all.end(), part.begin(), part.end());
  }
  if (whole != nullptr) *whole = all;
  return skb;
}

// A TCP packet to be segmented: 54 bytes of headers in the head.
stack::SkBuff* tso(IceBench& b, uint32_t payload_in_head, const std::vector<uint32_t>& frags,
                   uint16_t mss) {
  stack::SkBuff* skb = scattered(b, 54 + payload_in_head, frags);
  b.main_hal.dma.touch(skb->data, 54, hal::Touch::kWrite);
  skb->data[46] = 0x50;  // data offset: five words
  base::store_be16(skb->data + 16, 0x1234);
  base::store_be16(skb->data + 24, 0x5678);
  skb->gso = stack::Gso::kTcpV4;
  skb->gso_size = mss;
  skb->ip_summed = stack::Checksum::kPartial;
  skb->ipv4 = true;
  skb->network_offset = 14;
  skb->transport_offset = 34;
  skb->csum_offset = 16;
  return skb;
}

TEST(Tx, LinearDescriptor) {
  IceBench b;
  b.start();
  const Bytes frame = udp_frame();
  EXPECT_TRUE(b.send(b.skb(frame)));
  const TxRing& ring = b.driver->tx_ring(0);
  EXPECT_EQ(b.qw1(ring, 0), 0x000000F000000030u) << "60 bytes, EOP and RS";
  EXPECT_EQ(b.host.register_value(reg::qtx_comm_dbell(0)), 1u);
  const auto sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].bytes, frame);
  EXPECT_EQ(b.driver->pending_tx(), 1u);
  b.report(0);
  b.poll();
  EXPECT_EQ(b.driver->pending_tx(), 0u);
  EXPECT_EQ(b.driver->statistics().tx_packets, 1u);
  EXPECT_EQ(b.driver->statistics().tx_bytes, 60u);
  b.expect_no_leaks();
}

TEST(Tx, DescriptorsBeforeWatchBeforeDoorbell) {
  IceBench b;
  b.start();
  b.host.record(true);
  b.send(b.skb(udp_frame()));
  size_t store = 0;
  size_t barrier = 0;
  size_t bell = 0;
  for (size_t i = 0; i < b.host.steps().size(); ++i) {
    const hal::ScriptedStep& s = b.host.steps()[i];
    if (s.kind == Kind::kStore) store = i;
    if (s.kind == Kind::kWmb) barrier = i;
    if (s.kind == Kind::kMmioWrite) bell = i;
  }
  EXPECT_LT(store, barrier);
  EXPECT_LT(barrier, bell);
}

TEST(Tx, TagAndChecksumOffload) {
  IceBench b;
  b.start();
  stack::SkBuff* skb = b.skb(udp_frame());
  skb->vlan_present = true;
  skb->vlan_tci = 0xA005;
  skb->ip_summed = stack::Checksum::kPartial;
  skb->ipv4 = true;
  skb->network_offset = 14;
  skb->transport_offset = 34;
  skb->csum_offset = 6;
  b.send(skb);
  // EOP RS IL2TAG1, IPv4 without checksum, UDP; MACLEN 7, IPLEN 5, L4LEN 2.
  const uint64_t cmd = 0x001 | 0x002 | 0x008 | 0x040 | 0x300;
  const uint64_t offset = 7 | 5 << 7 | 2 << 14;
  EXPECT_EQ(b.qw1(b.driver->tx_ring(0), 0),
            cmd << 4 | offset << 16 | uint64_t{60} << 34 | uint64_t{0xA005} << 48);
  skb = b.skb(udp_frame());
  skb->ip_summed = stack::Checksum::kPartial;
  skb->network_offset = 14;
  skb->transport_offset = 54;
  skb->csum_offset = 16;
  b.main_hal.dma.touch(skb->data, 120, hal::Touch::kWrite);
  skb->data[54 + 12] = 0x80;  // eight words of TCP header
  b.send(skb);
  EXPECT_EQ(b.qw1(b.driver->tx_ring(0), 1) & 0x3FFFFFFFFu,
            uint64_t{0x003 | 0x020 | 0x100} << 4 | uint64_t{7 | 10 << 7 | 8 << 14} << 16);
  skb = b.skb(udp_frame());
  skb->ip_summed = stack::Checksum::kPartial;
  skb->csum_offset = 99;
  EXPECT_TRUE(b.send(skb));
  EXPECT_EQ(b.drops(DropReason::kSkbTxUnsupported), 1u);
  b.expect_no_leaks();
}

TEST(Tx, ScatterGather) {
  IceBench b;
  b.start();
  Bytes whole;
  b.send(scattered(b, 100, {200, 4096, 7}, &whole));
  const auto sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].bytes, whole);
  EXPECT_EQ(sent[0].sizes, (std::vector<uint32_t>{100, 200, 4096, 7}));
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(sent[0].qw1[i] >> 4 & 0xFFF, i == 3 ? 3u : 0u) << "EOP and RS on the last only";
  }
  EXPECT_EQ(b.driver->tx_ring(0).bufs[0].watch, 3u);
  b.report(0);
  b.poll();
  EXPECT_EQ(b.driver->tx_ring(0).ntc, 4u);
  b.expect_no_leaks();
}

// A compound page's worth in one fragment: cut at 12 KiB and up to the next 4 KiB boundary.
TEST(Tx, LongBuffersAreCutAtReadRequests) {
  IceBench b;
  b.start();
  stack::SkBuff* skb = b.skb(pattern(64, 9));
  std::vector<uint8_t*> pages;
  for (int i = 0; i < 10; ++i) pages.push_back(b.main_hal.dma.alloc_page());
  for (size_t i = 1; i < pages.size(); ++i) ASSERT_EQ(pages[i], pages[i - 1] + 4096);
  stack::Page& first = b.stack.pages().adopt(pages[0]);
  constexpr uint32_t kBytes = 36000;
  const Bytes data = pattern(kBytes, 3);
  uint8_t* p = pages[0] + 100;
  b.main_hal.dma.touch(p, kBytes, hal::Touch::kWrite);
  std::copy(data.begin(), data.end(), p);
  skb->add_frag(first, p, kBytes);
  b.send(skb);
  const auto sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  // 12288 + (4096 - 100); then 12288; the rest fits one.
  EXPECT_EQ(sent[0].sizes, (std::vector<uint32_t>{64, 16284, 12288, 36000 - 16284 - 12288}));
  EXPECT_EQ(Bytes(sent[0].bytes.begin() + 64, sent[0].bytes.end()), data);
  EXPECT_EQ(b.driver->tx_ring(0).bufs[1].len, kBytes) << "one mapping";
  EXPECT_EQ(b.driver->tx_ring(0).bufs[2].len, 0u);
  b.report(0);
  b.poll();
  EXPECT_EQ(b.host.mappings(), 64u + 64u) << "the receive pool's pages only";
  for (size_t i = 1; i < pages.size(); ++i) b.main_hal.dma.free_page(pages[i]);
}

TEST(Tx, ShortFramesArePaddedTo17) {
  IceBench b;
  b.start();
  b.send(b.skb(Bytes(14, 0xAB)));
  const auto sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  Bytes want(14, 0xAB);
  want.resize(17, 0);
  EXPECT_EQ(sent[0].bytes, want);
}

// 46 free wakes, fewer than 23 stops.
TEST(Tx, StopsBelow23AndWakesAt46) {
  IceDriverConfig c = IceBench::base_config();
  c.tx_ring = 64;
  IceBench b(c);
  b.start();
  const TxRing& ring = b.driver->tx_ring(0);
  int sent = 0;
  while (!b.driver->queue(0).stopped) {
    ASSERT_TRUE(b.send(b.skb(udp_frame())));
    ++sent;
  }
  EXPECT_EQ(ring.unused(), 22u);
  EXPECT_EQ(sent, 41);
  EXPECT_FALSE(b.send(b.skb(udp_frame()))) << "the stack does not send to a stopped queue";
  EXPECT_EQ(b.drops(DropReason::kSkbTxQueueStopped), 1u);
  b.transmit(0, 23);
  b.report(0);
  b.poll();
  EXPECT_EQ(ring.unused(), 45u);
  EXPECT_TRUE(b.driver->queue(0).stopped);
  b.transmit(0, 1);
  b.report(0);
  b.poll();
  EXPECT_EQ(ring.unused(), 46u);
  EXPECT_FALSE(b.driver->queue(0).stopped);
  EXPECT_EQ(b.driver->statistics().tx_restart, 1u);
  b.expect_no_leaks();
}

// A packet needs its descriptors, a line of four and a context.
TEST(Tx, BusyWhenThePacketDoesNotFit) {
  IceDriverConfig c = IceBench::base_config();
  c.tx_ring = 64;
  IceBench b(c);
  b.start();
  for (int i = 0; i < 40; ++i) b.send(b.skb(udp_frame()));
  ASSERT_FALSE(b.driver->queue(0).stopped);
  ASSERT_EQ(b.driver->tx_ring(0).unused(), 23u);
  // 18 buffers of TSO payload + 4 + 1 = 23 just fit; 19 do not.
  std::vector<uint32_t> frags(17, 1500);
  stack::SkBuff* fits = tso(b, 0, frags, 1460);
  EXPECT_EQ(b.driver->xmit(*fits, 0), stack::TxStatus::kOk);
  b.expect_no_leaks();
}

TEST(Tx, BusyStopsTheQueueAndKeepsThePacketTheCallers) {
  IceDriverConfig c = IceBench::base_config();
  c.tx_ring = 64;
  IceBench b(c);
  b.start();
  while (b.driver->tx_ring(0).unused() > 5) {
    stack::SkBuff* skb = b.skb(udp_frame());
    ASSERT_EQ(b.driver->xmit(*skb, 0), stack::TxStatus::kOk);
  }
  stack::SkBuff* skb = b.skb(udp_frame());
  const uint32_t ntu = b.driver->tx_ring(0).ntu;
  EXPECT_EQ(b.driver->xmit(*skb, 0), stack::TxStatus::kBusy);
  EXPECT_EQ(b.driver->tx_ring(0).ntu, ntu);
  EXPECT_TRUE(b.driver->queue(0).stopped);
  EXPECT_EQ(b.driver->statistics().tx_busy, 1u);
  EXPECT_EQ(b.driver->tx_ring(0).busy, 1u);
  b.stack.skbs().free(*skb);
  b.expect_no_leaks();
}

TEST(Tx, DoorbellOncePerBatch) {
  IceBench b;
  b.start();
  for (int i = 0; i < 8; ++i) {
    stack::SkBuff* skb = b.skb(udp_frame());
    skb->xmit_more = i != 7;
    b.send(skb);
  }
  EXPECT_EQ(b.host.mmio_writes(reg::qtx_comm_dbell(0)), 1u);
  EXPECT_EQ(b.host.register_value(reg::qtx_comm_dbell(0)), 8u);
  EXPECT_EQ(b.driver->statistics().tx_doorbells_deferred, 7u);
  EXPECT_EQ(b.transmit(0).size(), 8u);
}

TEST(Tx, B30_AStoppedQueueRingsWhateverFollows) {
  IceDriverConfig c = IceBench::base_config();
  c.tx_ring = 64;
  IceBench b(c);
  b.start();
  while (!b.driver->queue(0).stopped) {
    stack::SkBuff* skb = b.skb(udp_frame());
    skb->xmit_more = true;
    b.send(skb);
  }
  EXPECT_EQ(b.driver->tx_ring(0).tail, b.driver->tx_ring(0).ntu);
  EXPECT_EQ(b.transmit(0).size(), 41u);
}

// H6: 18 buffers + 5 > 22, and the doorbell of what came before was left to this packet.
TEST(Tx, H6_BusyAfterADeferredDoorbell) {
  for (const bool fix : {false, true}) {
    IceDriverConfig c = IceBench::base_config();
    c.tx_ring = 64;
    c.fix_hazards = fix;
    IceBench b(c);
    b.start();
    for (int i = 0; i < 40; ++i) {
      stack::SkBuff* skb = b.skb(udp_frame());
      skb->xmit_more = true;
      b.send(skb);
    }
    ASSERT_FALSE(b.driver->queue(0).stopped) << "23 are free: enough for all but this one";
    // 17 pages of two descriptors each: more than one thought the worst case.
    stack::SkBuff* skb = b.skb(pattern(200, 1));
    stack::Page* page = b.stack.skbs().alloc_page();
    for (int i = 0; i < 12; ++i) skb->add_frag(*page, page->data, 13000);
    skb->gso = stack::Gso::kTcpV4;
    skb->gso_size = 9000;
    EXPECT_EQ(b.driver->xmit(*skb, 0), stack::TxStatus::kBusy);
    EXPECT_EQ(b.transmit(0).size(), fix ? 40u : 0u) << "as in Linux, the 40 wait for more";
    skb->frag_count = 0;
    b.stack.skbs().free_page(*page);
    b.stack.skbs().free(*skb);
  }
}

TEST(Tx, EightBuffersGoNineAreCopiedTogether) {
  IceBench b;
  b.start();
  Bytes whole;
  b.send(scattered(b, 60, std::vector<uint32_t>(7, 100), &whole));
  EXPECT_EQ(b.driver->statistics().tx_linearize, 0u);
  auto sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].sizes.size(), 8u);
  b.send(scattered(b, 60, std::vector<uint32_t>(8, 100), &whole));
  EXPECT_EQ(b.driver->statistics().tx_linearize, 1u);
  sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].sizes, (std::vector<uint32_t>{860}));
  EXPECT_EQ(sent[0].bytes, whole);
  // Too long for the head's page: as few pages as hold it.
  b.send(scattered(b, 60, std::vector<uint32_t>(9, 1000), &whole));
  sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].sizes, (std::vector<uint32_t>{60, 4096, 4096, 808}));
  EXPECT_EQ(sent[0].bytes, whole);
  b.report(0);
  b.poll();
  b.expect_no_leaks();
}

TEST(Tx, LinearizeFailureIsADrop) {
  IceBench b;
  b.start();
  stack::SkBuff* skb = scattered(b, 60, std::vector<uint32_t>(9, 1000));
  b.host.fail_pages(2, 5);
  EXPECT_TRUE(b.send(skb));
  EXPECT_EQ(b.drops(DropReason::kSkbTxLinearizeFailed), 1u);
  EXPECT_EQ(b.driver->tx_ring(0).ntu, 0u);
  b.expect_no_leaks();
}

TEST(Tx, EveryMapFailureLeavesNothing) {
  for (unsigned n = 1; n <= 4; ++n) {
    IceBench b;
    b.start();
    b.host.fail_maps(n, 1);
    EXPECT_TRUE(b.send(scattered(b, 100, {200, 300, 400})));
    EXPECT_EQ(b.drops(DropReason::kSkbTxMapFailed), 1u) << n;
    EXPECT_EQ(b.driver->tx_ring(0).ntu, 0u);
    EXPECT_EQ(b.host.mmio_writes(reg::qtx_comm_dbell(0)), 0u);
    b.send(b.skb(udp_frame()));
    EXPECT_EQ(b.transmit(0).size(), 1u) << "and the slots are good again";
    b.expect_no_leaks();
  }
  IceBench b;
  b.start();
  b.host.fail_maps(2, 1);
  b.send(tso(b, 100, {1000}, 500));
  EXPECT_EQ(b.driver->tx_ring(0).ntu, 0u) << "the context descriptor is taken back too";
  b.expect_no_leaks();
}

TEST(Tx, RingWraps) {
  IceDriverConfig c = IceBench::base_config();
  c.tx_ring = 64;
  IceBench b(c);
  b.start();
  for (int n = 0; n < 100; ++n) {
    Bytes whole;
    b.send(scattered(b, 80, {static_cast<uint32_t>(n + 1), 50}, &whole));
    const auto sent = b.transmit(0);
    ASSERT_EQ(sent.size(), 1u);
    ASSERT_EQ(sent[0].bytes, whole);
    b.report(0);
    b.poll();
  }
  EXPECT_EQ(b.driver->statistics().tx_packets, 100u);
  b.expect_no_leaks();
}

TEST(Tx, QueueByCore) {
  IceBench b(IceBench::base_config(), 4);
  b.start();
  for (unsigned cpu = 0; cpu < 6; ++cpu) {
    b.host.set_cpu(cpu);
    b.send(b.skb(udp_frame()));
  }
  EXPECT_EQ(b.transmit(0).size(), 2u);
  EXPECT_EQ(b.transmit(1).size(), 2u);
  EXPECT_EQ(b.transmit(2).size(), 1u);
  EXPECT_EQ(b.transmit(3).size(), 1u);
}

TEST(Tso, ContextAndData) {
  IceBench b;
  b.start();
  stack::SkBuff* skb = tso(b, 146, {1000, 2000}, 1000);
  b.send(skb);
  const auto sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_TRUE(sent[0].has_context);
  EXPECT_EQ(sent[0].context.cmd, 0x01u);
  EXPECT_EQ(sent[0].context.tso_len, 3146u);
  EXPECT_EQ(sent[0].context.mss, 1000u);
  EXPECT_EQ(sent[0].context.tunnel, 0u);
  EXPECT_EQ(sent[0].qw1[0], 0x1u | 0x01u << 4 | uint64_t{3146} << 30 | uint64_t{1000} << 50);
  EXPECT_EQ(sent[0].sizes, (std::vector<uint32_t>{200, 1000, 2000}));
  // IPv4 with checksum, TCP, five words.
  EXPECT_EQ(sent[0].qw1[1] & 0x3FFFFFFFFu,
            uint64_t{0x060 | 0x100} << 4 | uint64_t{7 | 5 << 7 | 5 << 14} << 16);
  EXPECT_EQ(base::load_be16(sent[0].bytes.data() + 16), 0) << "length is the device's";
  EXPECT_EQ(base::load_be16(sent[0].bytes.data() + 24), 0) << "so is the IP checksum";
  EXPECT_EQ(b.driver->statistics().tx_submitted, 4u) << "frames on the wire";
  EXPECT_EQ(b.driver->pending_tx(), 4u);
  b.report(0);
  b.poll();
  EXPECT_EQ(b.driver->statistics().tx_packets, 4u);
  EXPECT_EQ(b.driver->statistics().tx_bytes, 3200u + 3 * 54u);
  b.expect_no_leaks();
}

TEST(Tso, Limits) {
  const struct {
    uint32_t payload;
    uint16_t mss;
    bool taken;
  } rows[] = {{3000, 64, true}, {3000, 63, false}, {3000, 9728, true}, {3000, 9729, false}};
  for (const auto& row : rows) {
    IceBench b;
    b.start();
    b.send(tso(b, row.payload, {}, row.mss));
    EXPECT_EQ(b.transmit(0).size(), row.taken ? 1u : 0u) << row.mss;
    EXPECT_EQ(b.drops(DropReason::kSkbTxUnsupported), row.taken ? 0u : 1u);
    b.expect_no_leaks();
  }
  IceBench b;
  b.start();
  stack::SkBuff* skb = tso(b, 0, {}, 1000);
  b.send(skb);
  EXPECT_EQ(b.drops(DropReason::kSkbTxUnsupported), 1u) << "no payload";
  b.expect_no_leaks();
}

// A segment may lie in eight buffers: six whole ones inside it must hold all but a byte of it.
TEST(Tso, ManySmallFragmentsAreCopiedTogether) {
  const struct {
    uint32_t frag;
    uint16_t mss;
    bool copied;
  } rows[] = {{100, 600, false},
              {100, 601, false},
              {100, 602, true},
              {250, 1448, false},
              {200, 1448, true}};
  for (const auto& row : rows) {
    IceBench b;
    b.start();
    b.send(tso(b, 0, std::vector<uint32_t>(12, row.frag), row.mss));
    EXPECT_EQ(b.driver->statistics().tx_linearize, row.copied ? 1u : 0u)
        << row.frag << " mss " << row.mss;
    const auto sent = b.transmit(0);
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].bytes.size(), 54u + 12 * row.frag);
    b.expect_no_leaks();
  }
  // Any window counts, not only the first.
  IceBench b;
  b.start();
  std::vector<uint32_t> frags(11, 1000);
  std::fill(frags.begin() + 5, frags.end(), 10u);
  b.send(tso(b, 0, frags, 1448));
  EXPECT_EQ(b.driver->statistics().tx_linearize, 1u);
}

}  // namespace
}  // namespace doorbell::drivers::ice
