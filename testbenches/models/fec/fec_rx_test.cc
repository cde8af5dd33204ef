// The receive path against a bus initiator: times of an idle wire, rings, splitting, truncation,
// overrun, filtering, classification.
#include "testbenches/models/fec/bench.h"

namespace doorbell::fec::test {
namespace {

// Payload of 64 octets in 8 beats, then the descriptor of 24 octets in 3; both posted.
TEST(FecRx, SingleFrameOnAnIdleWireToTheCycle) {
  Bench b;
  b.make_rx_ring(0, 4);
  b.setup();
  b.wr(reg::kEimr, eir::kRxf0);
  b.wr(reg::kRdar0, 0);
  EXPECT_EQ(b.rd(reg::kRdar0), kActive);
  b.run(5_us);
  const Bytes f = frame(60);
  const Picos start = b.now() + 1_us;
  b.in.push(start, f);
  const Picos end = start + line_time(f);
  const Picos moved = end + cycles(8);
  const Picos visible = moved + 8 * cycles(1) + kForward;
  const Picos issue = visible + cycles(4);
  const Picos closed = issue + 3 * cycles(1) + kForward;
  b.run_to(closed - 1_ps);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kEmpty);
  EXPECT_EQ(b.rd(reg::kEir), 0u);
  EXPECT_EQ(b.bytes_at(b.rx_buffer(0, 0), 64), with_fcs(f));
  b.run_to(closed);
  const FecRxDesc d = b.rx(0, 0);
  EXPECT_EQ(d.status, rx_sc::kLast);
  EXPECT_EQ(d.length, 64);
  EXPECT_EQ(d.bdu, kBduDone);
  EXPECT_EQ(d.control, rx_esc::kInt | rx_esc::kUnicast | rx_esc::kIce | rx_esc::kPcr);
  EXPECT_EQ(b.rd(reg::kEir), eir::kRxf0);
  ASSERT_EQ(b.irq.edges.size(), 1u);
  EXPECT_EQ(b.irq.edges[0].line, kLineMac);
  EXPECT_EQ(b.irq.edges[0].at, closed);
  EXPECT_EQ(b.count("rx_frames"), 1u);
}

TEST(FecRx, PayloadIsNotVisibleEarly) {
  Bench b;
  b.make_rx_ring(0, 4);
  b.setup();
  b.wr(reg::kRdar0, 0);
  const Bytes f = frame(60);
  b.in.push(10_us, f);
  b.run_to(10_us + line_time(f) + cycles(16) + kForward - 1_ps);
  EXPECT_EQ(b.bytes_at(b.rx_buffer(0, 0), 4), Bytes(4, 0));
  b.run(1_ps);
  EXPECT_EQ(b.bytes_at(b.rx_buffer(0, 0), 64), with_fcs(f));
}

TEST(FecRx, LineRateOfMinimumFramesLosesNone) {
  Bench b;
  b.make_rx_ring(0, 512);
  b.setup();
  b.wr(reg::kRdar0, 0);
  b.run(5_us);
  for (int i = 0; i < 500; ++i)
    b.in.push(10_us + 672_ns * i, frame(60, kOwn, static_cast<uint8_t>(i)));
  b.run_to(10_us + 672_ns * 501 + 2_us);
  EXPECT_EQ(b.count("rx_frames"), 500u);
  EXPECT_EQ(b.rd(mib::kRmonRP64), 500u);
  EXPECT_EQ(b.rd(mib::kIeeeRFrameOk), 500u);
  EXPECT_EQ(b.rd(mib::kRmonROctets), 500u * 64);
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(b.bytes_at(b.rx_buffer(0, static_cast<unsigned>(i)), 64),
              with_fcs(frame(60, kOwn, static_cast<uint8_t>(i))));
  }
}

TEST(FecRx, RingWrapsAndStopsAtAFullDescriptor) {
  Bench b;
  b.make_rx_ring(0, 3);
  b.setup();
  b.wr(reg::kRdar0, 0);
  for (int i = 0; i < 5; ++i) b.in.push(10_us + 2_us * i, frame(60, kOwn, static_cast<uint8_t>(i)));
  b.run_to(30_us);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(b.rx(0, i).status & rx_sc::kEmpty, 0) << i;
  EXPECT_EQ(b.rx(0, 2).status, rx_sc::kLast | rx_sc::kWrap);
  EXPECT_EQ(b.rd(reg::kRdar0), 0u);
  EXPECT_EQ(b.count("rx_frames"), 3u);
  EXPECT_EQ(b.fec.frames_in_rx_fifo(), 2u);
  b.arm_rx(0, 0);
  b.arm_rx(0, 1);
  b.run(1_us);
  EXPECT_EQ(b.count("rx_frames"), 3u);  // a descriptor alone does not restart a stopped ring
  b.wr(reg::kRdar0, 0);
  b.run(3_us);
  EXPECT_EQ(b.count("rx_frames"), 5u);
  EXPECT_EQ(b.bytes_at(b.rx_buffer(0, 1), 64), with_fcs(frame(60, kOwn, 4)));
  EXPECT_EQ(b.rd(reg::kRdar0), 0u);
}

TEST(FecRx, LongFrameIsSplitAtMrbr) {
  Bench b;
  b.make_rx_ring(0, 8);
  b.setup();
  b.wr(reg::kMrbr0, 128);
  b.wr(reg::kRdar0, 0);
  const Bytes f = frame(300);
  b.in.push(10_us, f);
  b.run_to(20_us);
  EXPECT_EQ(b.rx(0, 0).status, 0);
  EXPECT_EQ(b.rx(0, 0).length, 128);
  EXPECT_EQ(b.rx(0, 1).status, 0);
  EXPECT_EQ(b.rx(0, 1).length, 128);
  EXPECT_EQ(b.rx(0, 2).status, rx_sc::kLast);
  EXPECT_EQ(b.rx(0, 2).length, 304);
  EXPECT_EQ(b.rx(0, 3).status, rx_sc::kEmpty);
  EXPECT_EQ(b.rd(reg::kEir), eir::kRxf0 | eir::kRxb0);
  Bytes got = b.bytes_at(b.rx_buffer(0, 0), 128);
  for (unsigned i = 1; i < 3; ++i) {
    const Bytes part = b.bytes_at(b.rx_buffer(0, i), i == 1 ? 128 : 48);
    got.insert(got.end(), part.begin(), part.end());
  }
  EXPECT_EQ(got, with_fcs(f));
}

TEST(FecRx, LegacyDescriptors) {
  Bench b;
  b.enhanced = false;
  b.make_rx_ring(0, 4);
  b.setup();
  b.wr(reg::kRdar0, 0);
  b.in.push(10_us, frame(60, kBroadcast));
  b.run_to(20_us);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kLast | rx_sc::kBroadcast);
  EXPECT_EQ(b.rx(0, 0).length, 64);
  EXPECT_EQ(b.rx(0, 1).status, rx_sc::kEmpty);
  EXPECT_EQ(b.rd(reg::kEir), eir::kRxf0);  // no INT bit needed
}

TEST(FecRx, NoEventWithoutIntInEnhancedMode) {
  Bench b;
  b.arm_rx(0, 0, false, false);
  b.arm_rx(0, 1, true, true);
  b.setup();
  b.wr(reg::kRdar0, 0);
  b.in.push(10_us, frame(60));
  b.run_to(20_us);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kLast);
  EXPECT_EQ(b.rd(reg::kEir), 0u);
}

TEST(FecRx, AddressFilter) {
  Bench b;
  b.make_rx_ring(0, 32);
  b.setup();
  b.wr(reg::kRdar0, 0);
  const Bytes group{0x01, 0x00, 0x5E, 0x00, 0x00, 0x01};  // hash 54: GAUR bit 22
  b.in.push(10_us, frame(60, kOther));
  b.in.push(12_us, frame(60, group));
  b.run_to(20_us);
  EXPECT_EQ(b.count("rx_filtered"), 2u);
  b.wr(reg::kGaur, 1u << 22);
  b.in.push(22_us, frame(60, group));
  b.run_to(30_us);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kLast | rx_sc::kMulticast);
  const unsigned index = net::enet_hash_index(net::MacAddress::from(kOther.data()));
  b.wr(index > 31 ? reg::kIaur : reg::kIalr, 1u << (index & 31));
  b.in.push(32_us, frame(60, kOther));
  b.run_to(40_us);
  EXPECT_EQ(b.rx(0, 1).status, rx_sc::kLast);
  b.wr(reg::kIaur, 0);
  b.wr(reg::kIalr, 0);
  b.wr(reg::kRcr, b.rcr | rcr::kBcRej);
  b.in.push(42_us, frame(60, kBroadcast));
  b.run_to(50_us);
  EXPECT_EQ(b.count("rx_filtered"), 3u);
  b.wr(reg::kRcr, b.rcr | rcr::kProm);
  b.in.push(52_us, frame(60, kOther));
  b.in.push(54_us, frame(60, kBroadcast));
  b.run_to(60_us);
  EXPECT_EQ(b.rx(0, 2).status, rx_sc::kLast | rx_sc::kMiss);
  EXPECT_EQ(b.rx(0, 3).status, rx_sc::kLast | rx_sc::kBroadcast);
}

TEST(FecRx, ClassificationByPriority) {
  Bench b;
  for (unsigned ring = 0; ring < kRings; ++ring) b.make_rx_ring(ring, 16);
  b.setup();
  b.wr(reg::kRdar0, 0);
  b.wr(reg::kRdar1, 0);
  b.wr(reg::kRdar2, 0);
  b.in.push(10_us, frame(64));
  for (unsigned p = 0; p < 8; ++p) b.in.push(12_us + 2_us * p, tagged(64, p));
  b.run_to(40_us);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kLast);
  EXPECT_EQ(b.rx(0, 1).status, rx_sc::kEmpty);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(b.rx(1, i).status, rx_sc::kLast);
    EXPECT_EQ(doorbell::reg::get_field(rx_esc::kVpcp, b.rx(1, i).control), i);
    EXPECT_EQ(doorbell::reg::get_field(rx_esc::kVpcp, b.rx(2, i).control), i + 4);
    EXPECT_NE(b.rx(1, i).control & rx_esc::kVlan, 0u);
  }
  EXPECT_EQ(b.rd(reg::kEir), eir::kRxf0 | eir::kRxf1 | eir::kRxf2);
  // A class that is not enabled goes to ring 0.
  b.wr(reg::kDma1Cfg, 0);
  b.in.push(50_us, tagged(64, 1));
  b.run_to(60_us);
  EXPECT_EQ(b.rx(0, 1).status, rx_sc::kLast);
}

TEST(FecRx, HeadOfLineBlockingAndFlush) {
  Bench b;
  b.make_rx_ring(0, 8);
  b.setup();
  b.wr(reg::kRdar0, 0);  // ring 1 stays without descriptors
  b.in.push(10_us, tagged(64, 1));
  b.in.push(12_us, frame(64));
  b.run_to(30_us);
  EXPECT_EQ(b.count("rx_frames"), 0u);
  EXPECT_EQ(b.fec.frames_in_rx_fifo(), 2u);
  b.wr(reg::kQos, qos::kRxFlush1);
  b.run(1_us);
  EXPECT_EQ(b.count("rx_flushed"), 1u);
  EXPECT_EQ(b.count("rx_frames"), 1u);
  EXPECT_EQ(b.rd(reg::kEir), eir::kRxflush1 | eir::kRxf0);
}

TEST(FecRx, LengthRules) {
  Bench b;
  b.make_rx_ring(0, 16);
  b.setup();
  b.wr(reg::kRcr, (b.rcr & ~rcr::kMaxFl) | 1518u << 16);
  b.wr(reg::kRdar0, 0);
  b.in.push(10_us, frame(1518));  // 1522 with FCS
  b.in.push(30_us, frame(30));    // a runt
  b.run_to(40_us);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kLast | rx_sc::kLong);
  EXPECT_EQ(b.rx(0, 0).length, 1522);
  EXPECT_EQ(b.rd(reg::kEir), eir::kRxf0 | eir::kBabr);
  EXPECT_EQ(b.count("rx_runt"), 1u);
  EXPECT_EQ(b.rd(mib::kRmonRUndersize), 1u);
  EXPECT_EQ(b.rd(mib::kRmonROversize), 1u);
  b.wr(reg::kEir, ~0u);
  b.wr(reg::kFtrl, 512);
  b.in.push(50_us, frame(1000));
  b.run_to(70_us);
  EXPECT_EQ(b.rx(0, 1).status, rx_sc::kLast | rx_sc::kTruncated | rx_sc::kCrc);
  EXPECT_EQ(b.rx(0, 1).length, 512);
  b.wr(reg::kEir, ~0u);
  Bytes wrong = frame(100);
  base::store_be16(wrong.data() + 12, 50);  // 86 are there
  b.in.push(80_us, wrong);
  b.run_to(90_us);
  EXPECT_EQ(b.rd(reg::kEir) & eir::kPlr, eir::kPlr);
  EXPECT_NE(b.rx(0, 2).control & rx_esc::kMacError, 0u);
}

TEST(FecRx, LineErrors) {
  Bench b;
  b.make_rx_ring(0, 16);
  b.setup();
  b.wr(reg::kRdar0, 0);
  b.in.push(10_us, frame(60), net::kBadFcs);
  b.in.push(12_us, frame(60), net::kBadFcs | net::kAlignment);
  b.run_to(20_us);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kLast | rx_sc::kCrc);
  EXPECT_EQ(b.rx(0, 1).status, rx_sc::kLast | rx_sc::kCrc | rx_sc::kNonOctet);
  EXPECT_NE(b.bytes_at(b.rx_buffer(0, 0), 64), with_fcs(frame(60)));
  EXPECT_EQ(b.count("rx_error_frames"), 2u);
  EXPECT_EQ(b.rd(mib::kIeeeRCrc), 1u);
  EXPECT_EQ(b.rd(mib::kIeeeRAlign), 1u);
  b.wr(reg::kRacc, racc::kLineDis);
  b.in.push(30_us, frame(60), net::kBadFcs);
  b.run_to(40_us);
  EXPECT_EQ(b.count("rx_bad_line"), 1u);
  EXPECT_EQ(b.rx(0, 2).status, rx_sc::kEmpty);
}

TEST(FecRx, CrcForwardPaddingAndShift) {
  Bench b;
  b.racc = racc::kShift16;
  b.rcr |= rcr::kCrcFwd;
  b.make_rx_ring(0, 16);
  b.setup();
  b.wr(reg::kRdar0, 0);
  b.in.push(10_us, frame(60));
  b.run_to(20_us);
  EXPECT_EQ(b.rx(0, 0).length, 62);
  EXPECT_EQ(b.bytes_at(b.rx_buffer(0, 0) + 2, 60), frame(60));
  Bytes padded = frame(60);
  base::store_be16(padded.data() + 12, 20);
  b.wr(reg::kRcr, (b.rcr & ~rcr::kCrcFwd) | rcr::kPadEn);
  b.in.push(30_us, padded);
  b.run_to(40_us);
  EXPECT_EQ(b.rx(0, 1).length, 2 + 14 + 20);
}

TEST(FecRx, ChecksumStatusAndDiscard) {
  Bench b;
  b.make_rx_ring(0, 16);
  b.setup();
  b.wr(reg::kRdar0, 0);
  const Bytes good = udp_frame(100);
  Bytes bad_ip = good;
  bad_ip[24] ^= 1;
  Bytes bad_udp = good;
  bad_udp[60] ^= 1;
  b.in.push(10_us, good);
  b.in.push(12_us, bad_ip);
  b.in.push(14_us, bad_udp);
  b.run_to(20_us);
  const uint32_t both = rx_esc::kIce | rx_esc::kPcr;
  EXPECT_EQ(b.rx(0, 0).control & both, 0u);
  EXPECT_EQ(b.rx(0, 1).control & both, rx_esc::kIce);
  EXPECT_EQ(b.rx(0, 2).control & both, rx_esc::kPcr);
  EXPECT_EQ(doorbell::reg::get_field(rx_prot::kHeaderWords, b.rx(0, 0).protocol), 5u);
  EXPECT_EQ(doorbell::reg::get_field(rx_prot::kProtocol, b.rx(0, 0).protocol), 17u);
  EXPECT_EQ(b.rx(0, 0).protocol & rx_prot::kChecksum,
            net::internet_checksum({good.data() + 34, 66}));
  b.wr(reg::kRacc, racc::kIpDis | racc::kProDis);
  b.in.push(30_us, bad_ip);
  b.in.push(32_us, bad_udp);
  b.in.push(34_us, good);
  b.run_to(40_us);
  EXPECT_EQ(b.count("rx_bad_ip_checksum"), 1u);
  EXPECT_EQ(b.count("rx_bad_protocol_checksum"), 1u);
  EXPECT_EQ(b.rx(0, 3).status, rx_sc::kLast);
  EXPECT_EQ(b.rx(0, 4).status, rx_sc::kEmpty);
}

TEST(FecRx, CutThroughStartsBeforeTheEnd) {
  Bench b;
  b.make_rx_ring(0, 4);
  b.setup();
  b.wr(reg::kRsfl, 16);
  b.wr(reg::kRdar0, 0);
  b.run_to(5_us);
  const Bytes f = frame(1514);
  b.in.push(10_us, f);
  // 128 octets are in after 8 + 128 octet times.
  const Picos first = 10_us + kOctet * 136 + cycles(8);
  b.run_to(first + 16 * cycles(1) + kForward);
  EXPECT_EQ(b.bytes_at(b.rx_buffer(0, 0), 128), Bytes(f.begin(), f.begin() + 128));
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kEmpty);
  const Picos end = 10_us + line_time(f);
  b.run_to(end);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kEmpty);
  b.run_to(end + 500_ns);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kLast);
  EXPECT_EQ(b.bytes_at(b.rx_buffer(0, 0), 1518), with_fcs(f));
}

TEST(FecRx, DisabledAndRestart) {
  Bench b;
  b.make_rx_ring(0, 4);
  b.in.push(1_us, frame(60));
  b.run_to(5_us);
  b.setup();
  EXPECT_EQ(b.count("rx_disabled"), 1u);
  b.wr(reg::kRdar0, 0);
  b.in.push(10_us, frame(60));
  b.run_to(20_us);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kLast);
  b.wr(reg::kEcr, 0);
  EXPECT_EQ(b.rd(reg::kRdar0), 0u);
  b.make_rx_ring(0, 4);
  b.enable();
  b.wr(reg::kRdar0, 0);
  b.in.push(30_us, frame(60));
  b.run_to(40_us);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kLast);  // the ring started over
}

TEST(FecRx, SpeedMismatchLosesFrames) {
  Bench b;
  b.make_rx_ring(0, 4);
  b.setup();
  b.wr(reg::kEcr, ecr::kEtherEn | ecr::kEn1588 | ecr::kDbSwp);
  b.wr(reg::kRdar0, 0);
  b.in.push(10_us, frame(60));
  b.run_to(20_us);
  EXPECT_EQ(b.count("rx_speed_mismatch"), 1u);
}

TEST(FecRx, MagicPacketWakes) {
  Bench b;
  b.setup();
  b.wr(reg::kEimr, eir::kWakeup);
  b.wr(reg::kEcr, b.rd(reg::kEcr) | ecr::kMagicEn | ecr::kSleep);
  b.in.push(10_us, frame(200, kBroadcast));
  Bytes magic = frame(200, kBroadcast);
  std::fill(magic.begin() + 40, magic.begin() + 46, 0xFF);
  for (int i = 0; i < 16; ++i) std::copy(kOwn.begin(), kOwn.end(), magic.begin() + 46 + 6 * i);
  b.in.push(20_us, magic);
  b.run_to(15_us);
  EXPECT_FALSE(b.irq.levels[kLineMac]);
  b.run_to(20_us + line_time(magic));
  EXPECT_TRUE(b.irq.levels[kLineMac]);
  EXPECT_EQ(b.count("rx_asleep"), 2u);
}

TEST(FecRx, BusErrorStopsTheDevice) {
  Bench b;
  b.arm_rx(0, 0);
  FecRxDesc d;
  d.status = rx_sc::kEmpty;
  d.address = 0x1000;  // no memory there
  encode(d, b.at(b.rx_bd(0, 0)), b.format());
  b.setup();
  b.wr(reg::kEimr, eir::kEberr);
  b.wr(reg::kRdar0, 0);
  b.in.push(10_us, frame(60));
  b.in.push(12_us, frame(60));
  b.run_to(20_us);
  EXPECT_EQ(b.rd(reg::kEir), eir::kEberr);
  EXPECT_EQ(b.rd(reg::kEcr) & ecr::kEtherEn, 0u);
  EXPECT_TRUE(b.irq.levels[kLineMac]);
  EXPECT_EQ(b.count("bus_errors"), 1u);
  EXPECT_EQ(b.count("rx_reset"), 1u);
  EXPECT_EQ(b.count("rx_disabled"), 1u);
}

}  // namespace
}  // namespace doorbell::fec::test

// SystemC's library wants one; GoogleTest's main runs the tests.
int sc_main(int, char**) {
  return 0;
}
