// Malicious driver detection: every modelled cause is reached, stops its queue, and can be switched
// off.
#include <gtest/gtest.h>

#include "testbenches/models/ice/bench.h"

namespace doorbell::ice::test {
namespace {

struct MddBench : Bench {
  explicit MddBench(const IceConfig& config = {}) : Bench(config) {
    enable_msix(4);
    wr(reg::kPfintOicrEna, pfint_oicr::kMalDetect);
    wr(reg::kPfintOicrCtl, cause(3, 3));
    add_tx(7, 64, 0);
    add_tx(8, 64, 1);
    arm(3);
  }
  /// Event of `unit` with `type` for queue 7; the neighbour goes on.
  void expect_event(uint32_t global, uint32_t pf, unsigned type, bool pqm = false) {
    run(10_us);
    const uint32_t value = rd(global);
    EXPECT_NE(value & mdet_tclan::kValid, 0u);
    EXPECT_EQ(reg::get_field(mdet_tclan::kMalType, value), type);
    EXPECT_EQ(reg::get_field(pqm ? mdet_pqm::kQnum : mdet_tclan::kQnum, value), 7u);
    EXPECT_EQ(rd(pf), 1u);
    EXPECT_NE(rd(reg::kPfintOicr) & pfint_oicr::kMalDetect, 0u);
    EXPECT_EQ(rd(reg::kPfintOicr), 0u) << "a read clears";
    EXPECT_EQ(count("mdd_events"), 1u);
    EXPECT_TRUE(ice.tx_queue_frozen(7));
    ASSERT_GE(msix.messages.size(), 1u);
    EXPECT_EQ(msix.messages.back().data, 3u);
    wr(global, 0xFFFFFFFF);
    wr(pf, 0xFFFF);
    EXPECT_EQ(rd(global), 0u);
    EXPECT_EQ(rd(pf), 0u);
    // The queue is stopped, its neighbour is not.
    const uint64_t sent = out.count;
    wr(reg::qtx_comm_dbell(7), 40);
    put_frame(8, frame(60));
    ring_tx(8);
    run(10_us);
    EXPECT_EQ(out.count, sent + 1);
  }
  void expect_tclan(TclanCause cause) {
    expect_event(reg::kGlMdetTxTclan, reg::kPfMdetTxTclan, static_cast<unsigned>(cause));
  }
  void expect_pqm(PqmCause cause) {
    expect_event(reg::kGlMdetTxPqm, reg::kPfMdetTxPqm, static_cast<unsigned>(cause), true);
  }
  void expect_tdpu(TdpuCause cause) {
    expect_event(reg::kGlMdetTxTdpu, reg::kPfMdetTxTdpu, static_cast<unsigned>(cause));
  }
  void context(const IceTxContextDesc& d) {
    Bytes raw(16);
    encode(d, raw.data());
    put_tx(7, base::load_le<uint64_t>(raw.data()), base::load_le<uint64_t>(raw.data() + 8));
  }
  /// A segmentation in one buffer of `bytes` with 54 bytes of headers.
  void tso(uint32_t len, uint32_t mss, uint32_t bytes, uint32_t l4 = 5) {
    IceTxContextDesc c;
    c.cmd = tx_ctx_cmd::kTso;
    c.tso_len = len;
    c.mss = mss;
    context(c);
    IceTxDesc d;
    d.address = tx_buffer(7, 0);
    d.cmd = tx_cmd::kLast | tx_cmd::kIiptV4Csum | tx_cmd::kL4tTcp;
    d.maclen = l4 == 0 ? 0 : 7;
    d.iplen = l4 == 0 ? 0 : 5;
    d.l4len = l4;
    d.size = bytes;
    put_tx(7, d.address, tx_qw1(d));
  }
};

TEST(IceMdd, DescriptorFormat) {
  MddBench b;
  b.put_tx(7, b.tx_buffer(7, 0), 0x5);
  b.put_frame(7, frame(60));
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kDescriptorFormat);
}
TEST(IceMdd, ContextBehindData) {
  MddBench b;
  b.put_tx(7, b.tx_buffer(7, 0), tx_plain_qw1(0, 60));
  b.context({});
  b.put_tx(7, b.tx_buffer(7, 1), tx_plain_qw1(tx_cmd::kLast, 60));
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kDescriptorFormat);
}
TEST(IceMdd, DescriptorFetchFails) {
  MddBench b;
  b.ice.pcie.inject(fabric::PcieStatus::kUnsupported, 0, 1);
  b.put_frame(7, frame(60));
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kDescriptorFetchUr);
  EXPECT_EQ(b.count("bus_errors"), 1u);
}
TEST(IceMdd, TailWithoutEop) {
  MddBench b;
  b.put_frame(7, frame(60), 0);
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kTailNoEop);
  EXPECT_EQ(b.count("tx_malicious"), 1u);
}
TEST(IceMdd, TailBeyondRing) {
  MddBench b;
  b.wr(reg::qtx_comm_dbell(7), 64);
  b.expect_pqm(PqmCause::kTailBeyondRing);
}
TEST(IceMdd, TailBeyondRingSeenByTheDescriptorEngine) {
  MddBench b;
  b.wr(reg::kGlMdckEnTxPqm, ~(1u << 20));
  b.wr(reg::qtx_comm_dbell(7), 64);
  b.expect_tclan(TclanCause::kTailBeyondRing);
}
TEST(IceMdd, ReservedDoorbell) {
  MddBench b;
  b.wr(reg::qtx_comm_dbell(7), 1u << 16 | 4);
  b.expect_pqm(PqmCause::kReservedDoorbell);
}
TEST(IceMdd, NineBuffers) {
  MddBench b;
  for (int i = 0; i < 9; ++i) b.put_frame(7, frame(100), i == 8 ? tx_cmd::kLast : 0);
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kTooManyDataDescriptors);
}
TEST(IceMdd, TooShort) {
  MddBench b;
  b.put_frame(7, frame(16));
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kPacketLength);
}
TEST(IceMdd, TooLong) {
  MddBench b;
  b.put_frame(7, frame(9729));
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kPacketLength);
}
TEST(IceMdd, TooLongSeenByTheDataUnit) {
  MddBench b;
  b.wr(reg::kGlMdckTdatTclan, ~(1u << 7));
  b.put_frame(7, frame(9729));
  b.ring_tx(7);
  b.expect_tdpu(TdpuCause::kPacketTooBig);
}
TEST(IceMdd, TsoLengthMismatch) {
  MddBench b;
  b.tso(1000, 500, 54 + 999);
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kTsoLengthMismatch);
}
TEST(IceMdd, TsoHitsTail) {
  MddBench b;
  IceTxContextDesc c;
  c.cmd = tx_ctx_cmd::kTso;
  c.tso_len = 1000;
  c.mss = 500;
  b.context(c);
  b.put_frame(7, frame(600), 0);
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kTsoHitsTail);
}
TEST(IceMdd, TsoHeadersInFourBuffers) {
  MddBench b;
  IceTxContextDesc c;
  c.cmd = tx_ctx_cmd::kTso;
  c.tso_len = 1000;
  c.mss = 500;
  b.context(c);
  IceTxDesc d;
  d.maclen = 7;
  d.iplen = 5;
  d.l4len = 5;
  for (const uint32_t size : {14u, 20u, 10u, 1010u}) {
    d.address = b.tx_buffer(7, 0);
    d.size = size;
    d.cmd = size == 1010 ? tx_cmd::kLast : 0;
    b.put_tx(7, d.address, tx_qw1(d));
  }
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kTsoHeaderDescriptors);
}
TEST(IceMdd, TsoShorterThanItsHeaders) {
  MddBench b;
  b.tso(1000, 500, 40);
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kTsoHeaderShort);
}
TEST(IceMdd, TsoZeroMss) {
  MddBench b;
  b.tso(1000, 0, 1054);
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kTsoZero);
}
TEST(IceMdd, TsoZeroHeader) {
  MddBench b;
  b.tso(1000, 500, 1000, 0);
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kTsoZero);
}
TEST(IceMdd, TsoZeroLengthSeenByTheDoorbellLogic) {
  MddBench b;
  b.wr(reg::kGlMdckTdatTclan, ~(1u << 12));
  b.tso(0, 500, 54);
  b.ring_tx(7);
  b.expect_pqm(PqmCause::kLsoLengthZero);
}
TEST(IceMdd, TsoZeroHeaderSeenByTheDoorbellLogic) {
  MddBench b;
  b.wr(reg::kGlMdckTdatTclan, ~(1u << 12));
  b.tso(1000, 500, 1000, 0);
  b.ring_tx(7);
  b.expect_pqm(PqmCause::kHeaderSizeZero);
}
TEST(IceMdd, MssBelow) {
  MddBench b;
  b.tso(1000, 63, 1054);
  b.ring_tx(7);
  b.expect_pqm(PqmCause::kMssBelow);
}
TEST(IceMdd, MssAbove) {
  MddBench b;
  b.tso(10000, 9729, 10054);
  b.ring_tx(7);
  b.expect_pqm(PqmCause::kMssAbove);
}
TEST(IceMdd, SegmentTooLong) {
  MddBench b;
  b.tso(10000, 9700, 10054);  // 54 + 9700 > 9728
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kPacketLength);
}
TEST(IceMdd, SegmentOfNineBuffers) {
  MddBench b;
  IceTxContextDesc c;
  c.cmd = tx_ctx_cmd::kTso;
  c.tso_len = 900;
  c.mss = 900;
  b.context(c);
  IceTxDesc d;
  d.maclen = 7;
  d.iplen = 5;
  d.l4len = 5;
  d.cmd = tx_cmd::kIiptV4 | tx_cmd::kL4tTcp;
  for (int i = 0; i < 10; ++i) {
    d.address = b.tx_buffer(7, 0);
    d.size = i == 0 ? 54 : 100;
    if (i == 9) d.cmd |= tx_cmd::kLast;
    b.put_tx(7, d.address, tx_qw1(d));
  }
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kTooManyDataDescriptors);
}
TEST(IceMdd, SecondContext) {
  MddBench b;
  b.context({});
  b.context({});
  b.put_frame(7, frame(60));
  b.ring_tx(7);
  b.expect_pqm(PqmCause::kSecondHeader);
}
TEST(IceMdd, TsoAndIpsec) {
  MddBench b;
  IceTxContextDesc c;
  c.cmd = tx_ctx_cmd::kTso;
  c.tso_len = 946;
  c.mss = 500;
  b.context(c);
  b.put_tx(7, 0, static_cast<uint64_t>(TxDtype::kIpsec));
  b.put_frame(7, frame(1000));
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kTsoVersusIpsec);
}
TEST(IceMdd, TsoOnAQueueWithout) {
  MddBench b;
  IceAqDesc d;
  d.opcode = aq_op::kDisableTxQueues;
  d.param[0] = 1u << 8;
  Bytes buffer(8);
  encode_disable_tx_queue(buffer.data(), 0x20, 7);
  b.admin(d, buffer);
  IceTxContext c = b.tx_context(7, 64);
  c.tso_ena = 0;
  b.add_tx(7, c);
  b.tso(1000, 500, 1054);
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kLsoIncoherent);
}
TEST(IceMdd, CommandsOfAQuantum) {
  MddBench b;
  b.wr(reg::glcomm_quanta_prof(0), 2048 | 2u << 16);
  for (int i = 0; i < 3; ++i) b.put_frame(7, frame(100), i == 2 ? tx_cmd::kLast : 0);
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kQuantumCommands);
}
TEST(IceMdd, DescriptorsOfAQuantum) {
  MddBench b;
  b.wr(reg::glcomm_quanta_prof(0), 2048 | 2u << 24);
  b.context({});
  for (int i = 0; i < 2; ++i) b.put_frame(7, frame(100), i == 1 ? tx_cmd::kLast : 0);
  b.ring_tx(7);
  b.expect_tclan(TclanCause::kQuantumDescriptors);
}
TEST(IceMdd, PayloadReadFails) {
  MddBench b;
  b.ice.pcie.inject(fabric::PcieStatus::kUnsupported, 1, 1);  // after the descriptor
  b.put_frame(7, frame(60));
  b.ring_tx(7);
  b.expect_tdpu(TdpuCause::kDataUr);
  EXPECT_EQ(b.count("tx_malicious"), 1u);
}
TEST(IceMdd, PayloadAddressOutsideMemory) {
  MddBench b;
  b.put_tx(7, 0x1000, tx_plain_qw1(tx_cmd::kLast, 60));
  b.ring_tx(7);
  b.expect_tdpu(TdpuCause::kDataUr);
}
TEST(IceMdd, BadOffset) {
  MddBench b;
  IceTxDesc d;
  d.address = b.tx_buffer(7, 0);
  d.cmd = tx_cmd::kLast | tx_cmd::kIiptV4Csum;
  d.maclen = 7;
  d.iplen = 40;
  d.size = 60;
  b.put_tx(7, d.address, tx_qw1(d));
  b.ring_tx(7);
  b.expect_tdpu(TdpuCause::kBadOffset);
}
TEST(IceMdd, BadCommand) {
  MddBench b;
  IceTxDesc d;
  d.address = b.tx_buffer(7, 0);
  d.cmd = tx_cmd::kLast | tx_cmd::kL4tTcp;  // L4 without L3
  d.size = 60;
  b.put_tx(7, d.address, tx_qw1(d));
  b.ring_tx(7);
  b.expect_tdpu(TdpuCause::kBadCommand);
}
TEST(IceMdd, OwnDestination) {
  MddBench b;
  b.put_frame(7, frame(60, 1, kOwn));
  b.ring_tx(7);
  b.expect_tdpu(TdpuCause::kL2Accept);
}
TEST(IceMdd, OwnDestinationAllowed) {
  IceConfig config;
  config.mdd_own_mac = false;
  MddBench b(config);
  b.put_frame(7, frame(60, 1, kOwn));
  b.ring_tx(7);
  b.run(10_us);
  EXPECT_EQ(b.out.count, 1u);
}
TEST(IceMdd, ChecksAreSwitchable) {
  MddBench b;
  b.wr(reg::kGlMdckTdatTclan, 0);
  b.wr(reg::kGlMdckEnTxPqm, 0);
  b.wr(reg::kGlMdckTxTdpu, 0);
  b.put_frame(7, frame(16));
  b.put_frame(7, frame(60, 1, kOwn));
  for (int i = 0; i < 9; ++i) b.put_frame(7, frame(100), i == 8 ? tx_cmd::kLast : 0);
  b.put_frame(7, frame(9729));
  b.put_frame(7, frame(60, 5));
  b.wr(reg::qtx_comm_dbell(7), 5000);  // ignored
  b.ring_tx(7);
  b.run(20_us);
  EXPECT_EQ(b.count("mdd_events"), 0u);
  EXPECT_FALSE(b.ice.tx_queue_frozen(7));
  EXPECT_EQ(b.count("tx_frames"), 4u);
  EXPECT_EQ(b.count("tx_malicious"), 1u) << "what cannot be sent at all";
  EXPECT_EQ(b.out.sent.back().bytes, frame(60, 5));
}
TEST(IceMdd, FirstEventIsKept) {
  MddBench b;
  b.put_frame(7, frame(16));
  b.ring_tx(7);
  b.run(10_us);
  b.put_frame(8, frame(9729));
  b.ring_tx(8);
  b.run(10_us);
  EXPECT_EQ(b.count("mdd_events"), 2u);
  EXPECT_EQ(reg::get_field(mdet_tclan::kQnum, b.rd(reg::kGlMdetTxTclan)), 7u);
}
TEST(IceMdd, RxDescriptorFetchFails) {
  MddBench b;
  b.add_rx(0, 64);
  b.ice.pcie.inject(fabric::PcieStatus::kUnsupported, 0, 1);
  b.refill(0, 56);
  b.run(5_us);
  EXPECT_EQ(reg::get_field(mdet_tclan::kMalType, b.rd(reg::kGlMdetRx)), 1u);
  EXPECT_EQ(b.rd(reg::kPfMdetRx), 1u);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(5_us);
  EXPECT_EQ(b.count("rx_malicious"), 1u);
}
TEST(IceMdd, RxRingWithoutAddress) {
  MddBench b;
  IceRxContext c = b.rx_context(0, 64);
  c.base = 0;
  b.add_rx(0, c);
  EXPECT_EQ(reg::get_field(mdet_tclan::kMalType, b.rd(reg::kGlMdetRx)), 0u);
  EXPECT_NE(b.rd(reg::kGlMdetRx) & mdet_tclan::kValid, 0u);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(5_us);
  EXPECT_EQ(b.count("rx_malicious"), 1u);
}

}  // namespace
}  // namespace doorbell::ice::test
