// Receive: descriptors, order of accesses, refill and tail, frames of several buffers, errors.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/ice/ice_bench.h"

namespace doorbell::drivers::ice {
namespace {

using stack::DropReason;
using Kind = hal::ScriptedStep::Kind;
namespace st = hw::rx_status0;

// Keeps what a received sk_buff says.
struct Sink : stack::ProtocolSink {
  void deliver(const stack::SkBuff& skb) override {
    ++count;
    vlan = skb.vlan_present;
    tci = skb.vlan_tci;
    checksum = skb.ip_summed;
    frags = skb.frag_count;
    length = skb.length();
    queue = skb.queue;
  }
  unsigned count = 0;
  bool vlan = false;
  uint16_t tci = 0;
  stack::Checksum checksum = stack::Checksum::kNone;
  unsigned frags = 0;
  uint32_t length = 0;
  unsigned queue = 99;
};

TEST(Rx, FramesArriveWholeAndInOrder) {
  IceBench b;
  b.start();
  std::vector<Bytes> wanted;
  for (int n = 0; n < 20; ++n) {
    for (int i = 0; i < 50; ++i) {
      wanted.push_back(udp_frame(60 + static_cast<uint32_t>(i * 28), static_cast<uint8_t>(n + i)));
      ASSERT_TRUE(b.receive(0, wanted.back()));
    }
    EXPECT_EQ(b.poll(), 50);
  }
  EXPECT_EQ(b.tap.frames, wanted);
  EXPECT_EQ(b.stack.delivered_frames(), 1000u);
  EXPECT_EQ(b.driver->statistics().rx_packets, 1000u);
  b.expect_no_leaks();
}

TEST(Rx, DescriptorIsBufferAddressAndZeros) {
  IceBench b;
  b.start();
  const RxRing& ring = b.driver->rx_ring(0);
  for (uint32_t i = 0; i < 127; ++i) {
    EXPECT_EQ(b.host.peek64(ring.at(i)), ring.pages[i]->dma + 256) << i;
    for (unsigned q = 8; q < 32; q += 8) EXPECT_EQ(b.host.peek64(ring.at(i) + q), 0u);
  }
  EXPECT_EQ(ring.pages[127], nullptr) << "one slot stays empty";
}

// Orders: DD, barrier, the other words.
TEST(Rx, B27_BarrierBetweenDoneBitAndTheRest) {
  IceBench b;
  b.start();
  b.receive(0, udp_frame());
  b.host.record(true);
  b.poll();
  const hal::DmaAddr at = b.driver->rx_ring(0).at(0);
  std::vector<int> order;
  for (const hal::ScriptedStep& s : b.host.steps()) {
    if (s.kind == Kind::kLoad && s.address == at + 8) order.push_back(1);
    if (s.kind == Kind::kDmaRmb) order.push_back(2);
    if (s.kind == Kind::kLoad && s.address == at) order.push_back(3);
  }
  ASSERT_GE(order.size(), 3u);
  EXPECT_EQ(order[0], 1);
  EXPECT_EQ(order[1], 2);
  EXPECT_EQ(order[2], 3);
}

TEST(Rx, RefillIsVisibleBeforeTheTail) {
  IceBench b;
  b.start();
  for (int i = 0; i < 16; ++i) b.receive(0, udp_frame());
  b.host.record(true);
  b.poll();
  size_t last_store = 0;
  size_t barrier = 0;
  size_t tail = 0;
  for (size_t i = 0; i < b.host.steps().size(); ++i) {
    const hal::ScriptedStep& s = b.host.steps()[i];
    if (s.kind == Kind::kStore) last_store = i;
    if (s.kind == Kind::kWmb) barrier = i;
    if (s.kind == Kind::kMmioWrite && s.address == reg::qrx_tail(0)) tail = i;
  }
  EXPECT_LT(last_store, barrier);
  EXPECT_LT(barrier, tail);
}

// The device ignores the low three bits: a tail that moves by less is not worth a write.
TEST(Rx, B22_TailMovesInStepsOfEight) {
  IceBench b;
  b.start();
  ASSERT_EQ(b.host.register_value(reg::qrx_tail(0)), 120u);
  std::vector<uint32_t> tails;
  b.host.on_write(reg::qrx_tail(0), [&](uint32_t v) { tails.push_back(v); });
  for (int i = 0; i < 24; ++i) {
    b.receive(0, udp_frame());
    b.poll();
  }
  // ntu was 127; it becomes 0 after one, 8 after nine, 16 after seventeen.
  EXPECT_EQ(tails, (std::vector<uint32_t>{0, 8, 16}));
  EXPECT_EQ(b.driver->statistics().rx_tail_writes, 4u);
}

// Every status word up to the new ntu is cleared: the device sees a rounded tail, so slots beyond
// it hold their last lap's DD.
TEST(Rx, B6_B7_StaleDoneBitsAreClearedOneByOne) {
  IceBench b;
  b.start();
  for (int n = 0; n < 300; ++n) {
    b.receive(0, udp_frame(60, static_cast<uint8_t>(n)));
    ASSERT_LE(b.poll(), 1);
    const RxRing& ring = b.driver->rx_ring(0);
    for (uint32_t i = ring.ntc; i != ring.ntu; i = ring.next(i)) {
      ASSERT_EQ(b.peek16(ring.at(i) + 8) & 1, 0) << "slot " << i << " after " << n;
    }
    ASSERT_EQ(b.peek16(ring.at(ring.ntu) + 8) & 1, 0) << "the next one too";
  }
  EXPECT_EQ(b.driver->statistics().rx_packets, 300u);
}

// A refill touches slots from ntu to the new ntu and no other.
TEST(Rx, B8_RefillTouchesNoSlotOfTheDevice) {
  IceBench b;
  b.start();
  for (int i = 0; i < 10; ++i) b.receive(0, udp_frame());
  b.host.record(true);
  b.poll();
  const RxRing& ring = b.driver->rx_ring(0);
  for (const hal::ScriptedStep& s : b.host.steps()) {
    if (s.kind != Kind::kStore || s.address < ring.at(0) || s.address >= ring.at(128)) continue;
    const auto i = static_cast<uint32_t>((s.address - ring.at(0)) / 32);
    EXPECT_TRUE(i == 127 || i <= 9) << "slot " << i;
  }
}

TEST(Rx, B9_APollStopsAtItsOwnTail) {
  IceDriverConfig c = IceBench::base_config();
  c.rx_ring = 64;
  IceBench b(c);
  b.start();
  // The ring runs dry: no page comes back, nothing is refilled.
  b.driver->rx_pool(0)->fail_allocs(1, 1000);
  unsigned got = 0;
  while (b.receive(0, udp_frame())) ++got;
  EXPECT_EQ(got, 56u);
  EXPECT_EQ(b.poll(), 64) << "no memory: comes again at once";
  EXPECT_EQ(b.driver->statistics().rx_packets, got);
  EXPECT_EQ(b.poll(), 64);
  EXPECT_EQ(b.driver->statistics().rx_packets, got) << "stale descriptors are not taken again";
  EXPECT_GE(b.driver->statistics().rx_page_failed, 2u);
  b.driver->rx_pool(0)->fail_allocs(1, 0);
  b.poll();
  EXPECT_TRUE(b.receive(0, udp_frame()));
  EXPECT_EQ(b.poll(), 1);
  b.expect_no_leaks();
}

TEST(Rx, BudgetBoundsAPoll) {
  IceBench b;
  b.start();
  for (int i = 0; i < 100; ++i) b.receive(0, udp_frame());
  EXPECT_EQ(b.poll(), 64);
  EXPECT_TRUE(b.vector_host(0).napi_scheduled());
  EXPECT_EQ(b.poll(), 36);
  EXPECT_FALSE(b.vector_host(0).napi_scheduled());
}

TEST(Rx, ChecksumsAndTags) {
  const struct {
    uint16_t status;
    stack::Checksum want;
  } rows[] = {{0, stack::Checksum::kNone},
              {st::kL3l4p, stack::Checksum::kUnnecessary},
              {st::kL3l4p | st::kXsumIpe, stack::Checksum::kNone},
              {st::kL3l4p | st::kXsumL4e, stack::Checksum::kNone},
              {st::kL3l4p | st::kXsumEipe, stack::Checksum::kNone},
              {st::kL3l4p | st::kXsumEudpe, stack::Checksum::kNone}};
  for (const auto& row : rows) {
    IceBench b(IceBench::base_config(), 2);
    Sink sink;
    b.stack.set_sink(&sink);
    b.start();
    b.receive(1, udp_frame(), {static_cast<uint16_t>(row.status | st::kL2tag1p), 0xA123, 7});
    b.poll(1);
    EXPECT_EQ(sink.count, 1u);
    EXPECT_EQ(sink.checksum, row.want) << row.status;
    EXPECT_TRUE(sink.vlan);
    EXPECT_EQ(sink.tci, 0xA123);
    EXPECT_EQ(sink.queue, 1u);
  }
  IceDriverConfig c = IceBench::base_config();
  c.rx_csum = false;
  IceBench b(c);
  Sink sink;
  b.stack.set_sink(&sink);
  b.start();
  b.receive(0, udp_frame(), {st::kL3l4p, 0, 0});
  b.poll();
  EXPECT_EQ(sink.checksum, stack::Checksum::kNone);
  EXPECT_FALSE(sink.vlan);
}

TEST(Rx, FramesOfSeveralBuffers) {
  IceDriverConfig c = IceBench::base_config();
  c.mtu = 9000;
  IceBench b(c);
  Sink sink;
  b.stack.set_sink(&sink);
  b.start();
  for (const uint32_t bytes : {3072u, 3073u, 6144u, 9018u}) {
    const Bytes frame = udp_frame(bytes, static_cast<uint8_t>(bytes));
    ASSERT_TRUE(b.receive(0, frame));
    EXPECT_EQ(b.poll(), 1);
    EXPECT_EQ(b.tap.frames.back(), frame);
    EXPECT_EQ(sink.length, bytes);
    EXPECT_EQ(sink.frags, (bytes - 1) / 3072);
  }
  EXPECT_EQ(b.driver->statistics().rx_non_eop, 1u + 1u + 2u);
  b.expect_no_leaks();
}

// The end of a frame may come in a later poll.
TEST(Rx, AFrameMayEndInALaterPoll) {
  IceDriverConfig c = IceBench::base_config();
  c.mtu = 9000;
  IceBench b(c);
  b.start();
  const Bytes frame = udp_frame(5000, 3);
  b.receive_buffer(0, Bytes(frame.begin(), frame.begin() + 3072), 0);
  EXPECT_EQ(b.poll(), 0);
  EXPECT_TRUE(b.tap.frames.empty());
  b.receive_buffer(0, Bytes(frame.begin() + 3072, frame.end()), st::kEof);
  EXPECT_EQ(b.poll(), 1);
  EXPECT_EQ(b.tap.frames.back(), frame);
  b.receive_buffer(0, Bytes(3072), 0);
  b.poll();
  b.expect_no_leaks();
}

// Zero-length buffers do come; each must go home, whether or not it ends a frame.
TEST(Rx, B19_ZeroLengthBuffersAreReturned) {
  IceDriverConfig c = IceBench::base_config();
  c.mtu = 9000;
  IceBench b(c);
  b.start();
  const Bytes frame = udp_frame(3072, 1);
  for (int n = 0; n < 300; ++n) {
    ASSERT_TRUE(b.receive_buffer(0, frame, 0));
    ASSERT_TRUE(b.receive_buffer(0, {}, st::kEof));
    ASSERT_EQ(b.poll(), 1);
    ASSERT_EQ(b.tap.frames.back(), frame);
  }
  EXPECT_EQ(b.driver->statistics().rx_zero_bytes, 300u);
  EXPECT_EQ(b.driver->rx_pool(0)->inflight(), 127u);
  // Nothing at all: no frame.
  b.receive_buffer(0, {}, st::kEof);
  EXPECT_EQ(b.poll(), 1);
  EXPECT_EQ(b.drops(DropReason::kRxError), 1u);
  b.expect_no_leaks();
}

TEST(Rx, TooManyBuffersAreOneDrop) {
  IceDriverConfig c = IceBench::base_config();
  c.mtu = 9000;
  IceBench b(c);
  b.start();
  for (int i = 0; i < 25; ++i) ASSERT_TRUE(b.receive_buffer(0, Bytes(100), 0));
  ASSERT_TRUE(b.receive_buffer(0, Bytes(100), st::kEof));
  EXPECT_EQ(b.poll(), 1);
  EXPECT_EQ(b.drops(DropReason::kRxTooLong), 1u);
  EXPECT_EQ(b.driver->statistics().rx_packets, 0u);
  b.receive(0, udp_frame());
  EXPECT_EQ(b.poll(), 1);
  EXPECT_EQ(b.tap.frames.size(), 1u) << "the next one is whole again";
  b.expect_no_leaks();
}

// The largest an sk_buff holds: a head and 17 fragments.
TEST(Rx, EighteenBuffersAreTheMost) {
  IceDriverConfig c = IceBench::base_config();
  c.mtu = 9000;
  IceBench b(c);
  b.start();
  for (int i = 0; i < 17; ++i) b.receive_buffer(0, Bytes(100, 1), 0);
  b.receive_buffer(0, Bytes(100, 2), st::kEof);
  b.poll();
  EXPECT_EQ(b.tap.frames.at(0).size(), 1800u);
  b.expect_no_leaks();
}

TEST(Rx, ErrorStatusIsADrop) {
  IceDriverConfig c = IceBench::base_config();
  c.mtu = 9000;
  IceBench b(c);
  b.start();
  b.receive(0, udp_frame(), {st::kRxe, 0, 0});
  b.receive(0, udp_frame(5000), {st::kRxe, 0, 0});
  EXPECT_EQ(b.poll(), 2);
  EXPECT_TRUE(b.tap.frames.empty());
  EXPECT_EQ(b.drops(DropReason::kRxError) + b.drops(DropReason::kRxTooLong), 2u);
  EXPECT_EQ(b.driver->statistics().rx_errors, 2u);
  b.expect_no_leaks();
}

TEST(Rx, NoSkBuff) {
  IceDriverConfig c = IceBench::base_config();
  c.mtu = 9000;
  IceBench b(c);
  b.start();
  b.stack.skbs().fail_next(2);
  b.receive(0, udp_frame());
  b.receive(0, udp_frame(7000));
  EXPECT_EQ(b.poll(), 2);
  EXPECT_EQ(b.drops(DropReason::kRxSkbFailed), 2u);
  EXPECT_EQ(b.tap.frames.size(), 2u) << "software had seen them";
  EXPECT_EQ(b.driver->rx_pool(0)->inflight(), 127u);
  b.expect_no_leaks();
}

// A length beyond the buffer is not believed.
TEST(Rx, B25_LengthIsBoundedByTheBuffer) {
  IceBench b;
  b.start();
  b.receive_buffer(0, Bytes(60), st::kEof);
  const hal::DmaAddr at = b.driver->rx_ring(0).at(0);
  b.host.poke16(at + 4, 0x3FFF);
  EXPECT_EQ(b.poll(), 1);
  EXPECT_EQ(b.tap.frames.at(0).size(), 1536u);
}

TEST(Rx, PagesAreRecycledNotAllocated) {
  IceBench b;
  b.start();
  const uint32_t pages = b.host.pages_out();
  for (int n = 0; n < 100; ++n) {
    for (int i = 0; i < 30; ++i) b.receive(0, udp_frame());
    b.poll();
  }
  EXPECT_LE(b.host.pages_out(), pages + stack::PagePool::kRefillPages);
  EXPECT_EQ(b.driver->rx_pool(0)->inflight(), 127u);
}

}  // namespace
}  // namespace doorbell::drivers::ice
