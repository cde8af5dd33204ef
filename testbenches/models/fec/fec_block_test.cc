// Registers, MDIO and PHY, the 1588 timer, pause frames, loopback, reset, statistics.
#include "testbenches/models/fec/bench.h"

namespace doorbell::fec::test {
namespace {

TEST(FecRegisters, OddAndUnmappedAccessesFailAndCount) {
  Bench b;
  uint32_t value = 0xAAAAAAAA;
  EXPECT_EQ(b.access(false, 0x000, &value, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.access(true, 0x7FC, &value, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.access(false, 0xFFFC, &value, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.access(false, 0x10004, &value, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.access(false, reg::kEir, &value, 2), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.access(true, reg::kEir + 2, &value, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.access(false, reg::kEir + 1, &value, 1), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.count("register_errors"), 7u);
}

// Every register of the window survives every bit pattern in any state.
TEST(FecRegisters, AnyWriteIsSurvived) {
  Bench b;
  b.make_rx_ring(0, 4);
  uint32_t state = 12345;
  for (int round = 0; round < 3000; ++round) {
    state = state * 1664525 + 1013904223;
    const uint32_t offset = (state >> 8) % 0x640 & ~3u;
    state = state * 1664525 + 1013904223;
    uint32_t value = state ^ (state >> 13);
    if (round % 7 == 0) value = ~0u;
    if (round % 50 == 0) b.setup();
    if (round % 5 == 0) b.in.push(b.now() + 100_ns, frame(60));
    (void)b.access(true, offset, &value, 4);
    (void)b.access(false, offset, &value, 4);
    b.run(500_ns);
  }
  SUCCEED();
}

TEST(FecRegisters, ThirdPartyInitiatorAheadOfTheCalendar) {
  Bench b;
  b.make_rx_ring(0, 4);
  b.setup();
  b.wr(reg::kRdar0, 0);
  b.in.push(10_us, frame(60));
  tlm::tlm_generic_payload payload;
  uint32_t value = 0;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(reg::kEir);
  payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  sc_core::sc_time delay = fabric::to_sc(20_us);
  b.bus->b_transport(payload, delay);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(value, eir::kRxf0);
  EXPECT_EQ(b.now(), 20_us);
}

TEST(FecRegisters, SoftwareReset) {
  Bench b;
  b.make_rx_ring(0, 4);
  b.setup();
  b.wr(reg::kEimr, eir::kFrames);
  b.wr(reg::kRdar0, 0);
  b.in.push(10_us, frame(60));
  b.run_to(20_us);
  EXPECT_TRUE(b.irq.levels[kLineMac]);
  b.wr(reg::kEcr, ecr::kReset);
  EXPECT_EQ(b.rd(reg::kEcr), 0x70000000u);
  EXPECT_EQ(b.rd(reg::kEir), 0u);
  EXPECT_EQ(b.rd(reg::kEimr), 0u);
  EXPECT_EQ(b.rd(reg::kRdar0), 0u);
  EXPECT_EQ(b.rd(reg::kMrbr0), 0u);
  EXPECT_EQ(b.rd(reg::kRcr), 0x05EE0001u) << "GRS included";
  EXPECT_FALSE(b.irq.levels[kLineMac]);
  b.make_rx_ring(0, 4);
  b.setup();
  b.wr(reg::kRdar0, 0);
  b.in.push(30_us, frame(60));
  b.run_to(40_us);
  EXPECT_EQ(b.rx(0, 0).status, rx_sc::kLast);
}

TEST(FecRegisters, GrsTellsThatARunningReceiverWasStopped) {
  Bench b;
  EXPECT_EQ(b.rd(reg::kRcr) & rcr::kGrs, 0u) << "it never ran";
  b.make_rx_ring(0, 4);
  b.setup();
  EXPECT_EQ(b.rd(reg::kRcr) & rcr::kGrs, 0u);
  const uint32_t ecr_value = b.rd(reg::kEcr);
  b.wr(reg::kEcr, ecr_value & ~ecr::kEtherEn);
  EXPECT_EQ(b.rd(reg::kRcr) & rcr::kGrs, rcr::kGrs);
  b.wr(reg::kEcr, ecr_value);
  EXPECT_EQ(b.rd(reg::kRcr) & rcr::kGrs, 0u);
}

uint32_t mdio22(unsigned op, unsigned phy, unsigned ra, uint16_t data = 0) {
  return 1u << 30 | op << 28 | phy << 23 | ra << 18 | 2u << 16 | data;
}
uint32_t mdio45(unsigned op, unsigned phy, unsigned device, uint16_t data = 0) {
  return op << 28 | phy << 23 | device << 18 | 2u << 16 | data;
}
struct Mii : Bench {
  Mii() {
    wr(reg::kMmfr, 0);
    wr(reg::kMscr, 0x26A);
  }
  uint16_t transfer(uint32_t mmfr) {
    wr(reg::kEir, eir::kMii);
    wr(reg::kMmfr, mmfr);
    run(26_us);
    EXPECT_EQ(rd(reg::kEir) & eir::kMii, eir::kMii);
    return static_cast<uint16_t>(rd(reg::kMmfr));
  }
};

TEST(FecMdio, FrameTakes25Point9Microseconds) {
  Mii b;
  const Picos span = cycles(64 * 54 * 2);
  EXPECT_NEAR(span.seconds(), 25.9e-6, 0.05e-6);
  b.wr(reg::kMmfr, mdio22(2, 1, 2));
  b.run(span - 1_ps);
  EXPECT_EQ(b.rd(reg::kEir), 0u);
  b.run(1_ps);
  EXPECT_EQ(b.rd(reg::kEir), eir::kMii);
  EXPECT_EQ(b.rd(reg::kMmfr) & 0xFFFF, FecConfig().phy_id >> 16);
}

TEST(FecMdio, EventRule) {
  Bench b;
  b.wr(reg::kMmfr, mdio22(2, 1, 2));
  b.run(1_ms);
  EXPECT_EQ(b.rd(reg::kEir), 0u);  // MSCR is 0: nothing starts
  b.wr(reg::kMscr, 0x26A);
  b.run(26_us);
  EXPECT_EQ(b.rd(reg::kEir), eir::kMii);  // MMFR was not 0 when MSCR left 0
  b.wr(reg::kEir, eir::kMii);
  b.wr(reg::kMscr, 0);
  b.wr(reg::kMmfr, 0);
  b.wr(reg::kMscr, 0x26A);
  b.run(1_ms);
  EXPECT_EQ(b.rd(reg::kEir), 0u);
}

TEST(FecMdio, PhyAndAutonegotiation) {
  Mii b;
  EXPECT_EQ(b.transfer(mdio22(2, 1, 1)) & 0x0024, 0);  // no link yet
  EXPECT_EQ(b.transfer(mdio22(2, 3, 1)), 0xFFFF);      // nobody there
  b.run_to(1500_ms);
  EXPECT_EQ(b.transfer(mdio22(2, 1, 1)) & 0x0024, 0x0024);
  EXPECT_EQ(b.transfer(mdio22(2, 1, 10)) & 0x0800, 0x0800);  // partner: 1000 full
  EXPECT_EQ(b.transfer(mdio22(2, 1, 5)) & 0x0400, 0x0400);   // and pause
  b.transfer(mdio22(1, 1, 4, 0x0DE1));
  EXPECT_EQ(b.transfer(mdio22(2, 1, 4)), 0x0DE1);
  b.transfer(mdio22(1, 1, 0, 0x1340));  // restart
  EXPECT_EQ(b.transfer(mdio22(2, 1, 1)) & 0x0024, 0);
  b.run(1500_ms);
  EXPECT_EQ(b.transfer(mdio22(2, 1, 1)) & 0x0024, 0x0024);
}

TEST(FecMdio, Clause45) {
  Mii b;
  b.transfer(mdio45(0, 1, 7, 60));
  EXPECT_EQ(b.transfer(mdio45(3, 1, 7)), 0);
  b.transfer(mdio45(1, 1, 7, 0x1234));
  EXPECT_EQ(b.transfer(mdio45(3, 1, 7)), 0x1234);
  EXPECT_EQ(b.transfer(mdio45(2, 1, 7)), 0x1234);  // and increment
  EXPECT_EQ(b.transfer(mdio45(3, 1, 7)), 0);
}

struct Ptp : Bench {
  Ptp() {
    setup();
    wr(reg::kAtinc, 10);
    wr(reg::kAtper, 0x80000000);
    run_to(1_us);
    wr(reg::kAtcr, atcr::kEn | atcr::kPerEn);
  }
  uint32_t time() {
    wr(reg::kAtcr, rd(reg::kAtcr) | atcr::kCapture);
    run(1_us);
    return rd(reg::kAtvr);
  }
};

TEST(FecPtp, RunsAndCaptures) {
  Ptp b;
  EXPECT_EQ(b.time(), 0u);
  EXPECT_EQ(b.time(), 1000u);
  b.run_to(11_us);
  b.wr(reg::kAtcr, b.rd(reg::kAtcr) | atcr::kCapture);
  b.run(59_ns);
  EXPECT_EQ(b.rd(reg::kAtvr), 1000u);  // not there yet: 6 clocks of 100 MHz
  EXPECT_EQ(b.rd(reg::kAtcr) & atcr::kCapture, atcr::kCapture);
  b.run(1_ns);
  EXPECT_EQ(b.rd(reg::kAtvr), 10000u);
  EXPECT_EQ(b.rd(reg::kAtcr) & atcr::kCapture, 0u);
  b.wr(reg::kAtvr, 5'000'000);
  b.run(100_ns);
  EXPECT_EQ(b.time(), 5'000'100u);
  b.wr(reg::kAtcr, atcr::kEn | atcr::kRestart);
  EXPECT_EQ(b.time(), 0u);
}

TEST(FecPtp, Correction) {
  Ptp b;
  b.wr(reg::kAtinc, 10 | 11u << 8);
  b.wr(reg::kAtcor, 100);  // one ns more every 100 clocks
  const uint32_t before = b.time();
  b.run(99_us);
  EXPECT_EQ(b.time() - before, 100'000u + 100u);
}

TEST(FecPtp, WrapRaisesTsTimerOnItsOwnLine) {
  Ptp b;
  b.wr(reg::kEimr, eir::kTsTimer);
  b.wr(reg::kAtper, 100'000);
  b.run_to(101_us - 1_ps);
  EXPECT_FALSE(b.irq.levels[kLine1588]);
  b.run_to(101_us);
  EXPECT_TRUE(b.irq.levels[kLine1588]);
  EXPECT_FALSE(b.irq.levels[kLineMac]);
  EXPECT_EQ(b.rd(reg::kEir), eir::kTsTimer);
  EXPECT_EQ(b.time(), 0u);
}

TEST(FecPtp, CompareChannel) {
  Ptp b;
  b.wr(reg::tccr(0), 50'000);
  b.wr(reg::tcsr(0), 0xFu << 2 | tcsr::kTie);
  b.run_to(51_us - 1_ps);
  EXPECT_EQ(b.rd(reg::tcsr(0)) & tcsr::kTf, 0u);
  b.run_to(51_us);
  EXPECT_EQ(b.rd(reg::tcsr(0)) & tcsr::kTf, tcsr::kTf);
  EXPECT_EQ(b.rd(reg::kTgsr), 1u);
  EXPECT_TRUE(b.irq.levels[kLine1588]);
  b.wr(reg::tccr(0), 90'000);
  b.wr(reg::tcsr(0), 0xFu << 2 | tcsr::kTie | tcsr::kTf);
  EXPECT_FALSE(b.irq.levels[kLine1588]);
  EXPECT_EQ(b.rd(reg::kTgsr), 0u);
  b.run_to(91_us);
  EXPECT_TRUE(b.irq.levels[kLine1588]);
}

TEST(FecPtp, FramesAreStampedAtTheSfd) {
  Ptp b;
  b.make_rx_ring(0, 4);
  b.wr(reg::kRdar0, 0);
  b.in.push(11_us, frame(60));
  b.run_to(20_us);
  EXPECT_EQ(b.rx(0, 0).timestamp, 10'000u + 60u);  // 64 ns of preamble, clocks of 10 ns
  b.send(0, 0, frame(60), false, tx_esc::kInt | tx_esc::kTs);
  b.wr(reg::kTdar0, 0);
  b.run_to(40_us);
  const auto sfd = static_cast<uint32_t>((b.out.sent[0].start + kOctet * 8 - 1_us).count() / 10000);
  EXPECT_EQ(b.tx(0, 0).timestamp, sfd * 10);
  EXPECT_EQ(b.rd(reg::kAtstmp), sfd * 10);
  EXPECT_EQ(b.rd(reg::kEir) & eir::kTsAvail, eir::kTsAvail);
}

Bytes pause_frame(uint16_t quanta) {
  Bytes f(60);
  net::make_pause_frame(net::MacAddress::from(kOther.data()), quanta, f.data());
  return f;
}

TEST(FecPause, ReceivedPauseIsObeyedWithFce) {
  Bench b;
  b.rcr |= rcr::kFce;
  b.setup();
  const Bytes pause = pause_frame(100);  // 51.2 us
  b.in.push(10_us, pause);
  b.run_to(10_us + line_time(pause));
  EXPECT_EQ(b.rd(reg::kTcr) & tcr::kRfcPause, tcr::kRfcPause);
  b.send(0, 0, frame(60));
  b.wr(reg::kTdar0, 0);
  const Picos until = 10_us + line_time(pause) + 51200_ns;
  b.run_to(until - 1_ps);
  EXPECT_TRUE(b.out.sent.empty());
  b.run_to(100_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].start, until);
  EXPECT_EQ(b.rd(reg::kTcr) & tcr::kRfcPause, 0u);
  EXPECT_EQ(b.count("rx_pause_eaten"), 1u);
  EXPECT_EQ(b.rd(mib::kIeeeRFdxFc), 1u);
}

TEST(FecPause, IgnoredWithoutFceAndForwardedWithPaufwd) {
  Bench b;
  b.rcr |= rcr::kPauFwd | rcr::kProm;
  b.make_rx_ring(0, 4);
  b.setup();
  b.wr(reg::kRdar0, 0);
  b.in.push(10_us, pause_frame(0xFFFF));
  b.run_to(20_us);
  EXPECT_EQ(b.rx(0, 0).length, 64);
  b.send(0, 0, frame(60));
  b.wr(reg::kTdar0, 0);
  b.run_to(30_us);
  EXPECT_EQ(b.out.sent.size(), 1u);
}

TEST(FecPause, OtherControlFramesAreEatenWithCfen) {
  Bench b;
  b.rcr |= rcr::kCfEn | rcr::kProm;
  b.setup();
  Bytes other = pause_frame(1);
  other[15] = 9;
  b.in.push(10_us, other);
  b.run_to(20_us);
  EXPECT_EQ(b.count("rx_control_eaten"), 1u);
}

TEST(FecPause, SentOnRequest) {
  Bench b;
  b.setup();
  b.wr(reg::kOpd, 0x1234);
  b.run_to(10_us);
  b.wr(reg::kTcr, tcr::kFdEn | tcr::kTfcPause);
  b.run(2_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(net::pause_quanta({b.out.sent[0].bytes.data(), 60}), 0x1234);
  EXPECT_EQ(Bytes(b.out.sent[0].bytes.begin() + 6, b.out.sent[0].bytes.begin() + 12), kOwn);
  EXPECT_EQ(b.rd(reg::kTcr) & tcr::kTfcPause, 0u);
  EXPECT_EQ(b.rd(mib::kIeeeTFdxFc), 1u);
}

// The FIFO passes RSEM: XOFF; it falls below: XON.
TEST(FecPause, XoffAndXonByFifoLevel) {
  Bench b;
  b.setup();
  b.wr(reg::kRsem, kRxXoffLevelPause);
  b.wr(reg::kOpd, kPauseQuantaDefault);
  for (int i = 0; i < 20; ++i) b.in.push(10_us + 672_ns * i, frame(60));
  b.run_to(40_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  // 132 words: 16 frames of 8 words and 4 words of the 17th.
  EXPECT_EQ(b.out.sent[0].start, 10_us + 672_ns * 16 + kOctet * (8 + 32));
  EXPECT_EQ(net::pause_quanta({b.out.sent[0].bytes.data(), 60}), kPauseQuantaDefault);
  b.make_rx_ring(0, 64);
  b.wr(reg::kRdar0, 0);
  b.run_to(80_us);
  ASSERT_EQ(b.out.sent.size(), 2u);
  EXPECT_EQ(net::pause_quanta({b.out.sent[1].bytes.data(), 60}), 0);
  EXPECT_EQ(b.count("rx_frames"), 20u);
}

TEST(FecLoop, FramesComeBack) {
  Bench b;
  b.rcr |= rcr::kLoop;
  b.make_rx_ring(0, 8);
  b.setup();
  b.wr(reg::kRdar0, 0);
  for (unsigned i = 0; i < 3; ++i) b.send(0, i, frame(60, kOwn, static_cast<uint8_t>(i)));
  b.wr(reg::kTdar0, 0);
  b.run(20_us);
  EXPECT_TRUE(b.out.sent.empty());
  EXPECT_EQ(b.count("rx_frames"), 3u);
  EXPECT_EQ(b.bytes_at(b.rx_buffer(0, 2), 64), with_fcs(frame(60, kOwn, 2)));
}

TEST(FecMib, BinsFreezeAndClear) {
  Bench b;
  b.make_rx_ring(0, 32);
  b.setup();
  b.wr(reg::kRdar0, 0);
  const size_t sizes[] = {64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024, 1518};
  Picos at = 10_us;
  for (const size_t n : sizes) {
    b.in.push(at, frame(n - 4));
    at += 20_us;
  }
  b.in.push(at, frame(60, kBroadcast));
  b.run_to(at + 20_us);
  const uint32_t want[] = {2, 2, 2, 2, 2, 2};
  for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(b.rd(mib::kRmonRP64 + 4 * i), want[i]) << i;
  EXPECT_EQ(b.rd(mib::kRmonRPackets), 12u);
  EXPECT_EQ(b.rd(mib::kRmonRBcPkt), 1u);
  b.wr(reg::kMibc, mibc::kDis);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(20_us);
  EXPECT_EQ(b.rd(mib::kRmonRPackets), 12u);
  b.wr(reg::kMibc, mibc::kDis | mibc::kClear);
  EXPECT_EQ(b.rd(mib::kRmonRPackets), 0u);
}

TEST(FecMib, DocumentedWidthWraps) {
  Bench b;
  b.setup();  // no descriptors: all but the first few frames are lost, and counted
  for (int i = 0; i < 65536 + 300; ++i) b.in.push(10_us + 672_ns * i, frame(60));
  b.run_to(50_ms);
  EXPECT_EQ(b.rd(mib::kRmonRPackets), 300u);
  EXPECT_EQ(b.rd(mib::kRmonROctets), 64u * (65536 + 300));
}

TEST(FecConfigTest, FromParameters) {
  base::ParamSet set((base::ParamTable(kFecNicParams)));
  const FecConfig defaults = fec_config(set);
  EXPECT_EQ(defaults.rx_fifo_bytes, 8192u);
  EXPECT_EQ(defaults.bd_prefetch, 2u);
  EXPECT_FALSE(defaults.erratum_007885);
  EXPECT_TRUE(defaults.mib_16_bits);
  ASSERT_FALSE(set.set("partial_frame_policy", base::RawValue::of_text("drop")));
  ASSERT_FALSE(set.set("erratum_007885", base::RawValue::of_boolean(true)));
  EXPECT_EQ(fec_config(set).partial_frame, PartialFramePolicy::kDrop);
  EXPECT_TRUE(fec_config(set).erratum_007885);
}

// The names in fec.h are counters that exist.
TEST(FecConfigTest, DropReasonsExist) {
  Bench b;
  for (const char* name : kRxDropReasons) EXPECT_NE(b.fec.counters().find(name), nullptr) << name;
  for (const char* name : kTxDropReasons) EXPECT_NE(b.fec.counters().find(name), nullptr) << name;
}

}  // namespace
}  // namespace doorbell::fec::test
