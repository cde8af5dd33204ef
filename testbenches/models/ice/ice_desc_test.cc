// Descriptor and context codecs against golden bytes typed from the documents.
#include "models/ice/ice_desc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/ice/ice_context.h"

namespace doorbell::ice {
namespace {

using Bytes = std::vector<uint8_t>;
template <typename T>
Bytes bytes_of(const T& d, size_t n) {
  Bytes b(n, 0xEE);
  encode(d, b.data());
  return b;
}

TEST(IceTxDesc, TypicalXdpFrame) {
  IceTxDesc d;
  d.address = 0x123456789ABCDEF0;
  d.cmd = tx_cmd::kEop;
  d.size = 60;
  EXPECT_EQ(tx_qw1(d), 0x000000F000000010u);
  EXPECT_EQ(bytes_of(d, 16),
            (Bytes{0xF0, 0xDE, 0xBC, 0x9A, 0x78, 0x56, 0x34, 0x12, 0x10, 0, 0, 0, 0xF0, 0, 0, 0}));
  d.cmd = tx_cmd::kLast;
  EXPECT_EQ(tx_qw1(d), 0x000000F000000030u);
  EXPECT_EQ(tx_plain_qw1(tx_cmd::kLast, 60), 0x000000F000000030u);
  EXPECT_EQ(tx_qw1(d) & kTxRsBit, kTxRsBit);
}

TEST(IceTxDesc, EveryFieldInItsPlace) {
  IceTxDesc d;
  d.cmd = 0xFFF;
  EXPECT_EQ(tx_qw1(d), 0x000000000000FFF0u);
  d = {};
  d.maclen = 0x7F;
  EXPECT_EQ(tx_qw1(d), 0x00000000007F0000u);
  d = {};
  d.iplen = 0x7F;
  EXPECT_EQ(tx_qw1(d), 0x000000003F800000u);
  d = {};
  d.l4len = 0xF;
  EXPECT_EQ(tx_qw1(d), 0x00000003C0000000u);
  d = {};
  d.size = 16383;
  EXPECT_EQ(tx_qw1(d), 0x0000FFFC00000000u);
  d = {};
  d.l2tag1 = 0xFFFF;
  EXPECT_EQ(tx_qw1(d), 0xFFFF000000000000u);
}

TEST(IceTxDesc, RoundTrip) {
  IceTxDesc d{0xFEDCBA9876543210, 0x773, 7, 5, 8, 9000, 0x1234};
  const IceTxDesc back = decode_tx(bytes_of(d, 16).data());
  EXPECT_EQ(back.address, d.address);
  EXPECT_EQ(back.cmd, d.cmd);
  EXPECT_EQ(back.maclen, d.maclen);
  EXPECT_EQ(back.iplen, d.iplen);
  EXPECT_EQ(back.l4len, d.l4len);
  EXPECT_EQ(back.size, d.size);
  EXPECT_EQ(back.l2tag1, d.l2tag1);
}

TEST(IceTxDesc, CommandBits) {
  EXPECT_EQ(tx_cmd::kEop, 1u);
  EXPECT_EQ(tx_cmd::kRs, 2u);
  EXPECT_EQ(tx_cmd::kIcrc, 4u);
  EXPECT_EQ(tx_cmd::kIl2tag1, 8u);
  EXPECT_EQ(tx_cmd::kDummy, 0x10u);
  EXPECT_EQ(tx_cmd::kIiptV6, 0x20u);
  EXPECT_EQ(tx_cmd::kIiptV4, 0x40u);
  EXPECT_EQ(tx_cmd::kIiptV4Csum, 0x60u);
  EXPECT_EQ(tx_cmd::kL4tTcp, 0x100u);
  EXPECT_EQ(tx_cmd::kL4tSctp, 0x200u);
  EXPECT_EQ(tx_cmd::kL4tUdp, 0x300u);
  EXPECT_EQ(tx_cmd::kRe, 0x400u);
}

TEST(IceTxDesc, DoneIsTheDtypeNibble) {
  EXPECT_FALSE(tx_reads_done(0x000000F000000030u));
  EXPECT_TRUE(tx_reads_done(kTxDoneQw1));
  EXPECT_EQ(tx_dtype(kTxDoneQw1), TxDtype::kDone);
  EXPECT_TRUE(tx_reads_done(0x1)) << "a context descriptor tested by mistake looks done";
}

TEST(IceTxContextDesc, GoldenTso) {
  IceTxContextDesc d;
  d.cmd = tx_ctx_cmd::kTso;
  d.tso_len = 0x12345;
  d.mss = 1448;
  // QW1 = 1448 << 50 | 0x12345 << 30 | 0x01 << 4 | 1.
  EXPECT_EQ(bytes_of(d, 16),
            (Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0, 0, 0x40, 0xD1, 0x48, 0xA0, 0x16}));
  const IceTxContextDesc back = decode_tx_context(bytes_of(d, 16).data());
  EXPECT_EQ(back.tso_len, 0x12345u);
  EXPECT_EQ(back.mss, 1448u);
  EXPECT_EQ(back.cmd, 1u);
}

TEST(IceTxContextDesc, TunnelAndTag) {
  IceTxContextDesc d;
  d.tunnel = tx_tunnel::kL4TCs | (2u << 19) | (5u << 12) | tx_tunnel::kEipNoInc | (1u << 9) |
             (5u << 2) | 3u;
  d.l2tag2 = 0xABCD;
  d.cmd = tx_ctx_cmd::kIl2tag2 | tx_ctx_cmd::kSwitchVsi;
  EXPECT_EQ(bytes_of(d, 16),
            (Bytes{0x17, 0x5A, 0x90, 0x00, 0xCD, 0xAB, 0, 0, 0x41, 0x03, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(decode_tx_context(bytes_of(d, 16).data()).l2tag2, 0xABCD);
}

TEST(IceRxDesc, ReadFormat) {
  Bytes b(32, 0xEE);
  encode_rx_read(b.data(), 0x00000001A0002000, 0);
  Bytes want(32, 0);
  want[1] = 0x20;
  want[3] = 0xA0;
  want[4] = 0x01;
  EXPECT_EQ(b, want);
  EXPECT_EQ(decode_rx_status0(b.data()), 0) << "DD lands in the header address";
}

TEST(IceRxDesc, WritebackGolden) {
  IceRxWriteback w;
  w.mirror_id = 0x15;
  w.cast = RxCast::kBroadcast;
  w.ptype = 0x2A5;
  w.flags0 = 0x21;
  w.length = 0x1FFF;
  w.header_length = 0x7AB;
  w.sph = true;
  w.flags1 = 0x9;
  w.status0 = rx_status0::kDd | rx_status0::kEof | rx_status0::kL3l4p | rx_status0::kRssValid;
  w.l2tag1 = 0x1234;
  w.rss_hash = 0x51CCC178;
  w.status1 = rx_status1::kL2tag2p;
  w.flags2 = 0x77;
  w.ts_low = 0x81;
  w.l2tag2_first = 0x1111;
  w.l2tag2_second = 0x2222;
  w.flow_id = 0xCAFEF00D;
  w.ts_high = 0xDEADBEEF;
  EXPECT_EQ(bytes_of(w, 32),
            (Bytes{0x02, 0x95, 0xA5, 0x86, 0xFF, 0x1F, 0xAB, 0x9F, 0x0B, 0x10, 0x34,
                   0x12, 0x78, 0xC1, 0xCC, 0x51, 0x00, 0x08, 0x77, 0x81, 0x11, 0x11,
                   0x22, 0x22, 0x0D, 0xF0, 0xFE, 0xCA, 0xEF, 0xBE, 0xAD, 0xDE}));
  const IceRxWriteback back = decode_rx(bytes_of(w, 32).data());
  EXPECT_EQ(bytes_of(back, 32), bytes_of(w, 32));
}

TEST(IceRxDesc, StatusBits) {
  using namespace rx_status0;
  const uint16_t bits[] = {kDd,       kEof,       kHbo,         kL3l4p,      kXsumIpe, kXsumL4e,
                           kXsumEipe, kXsumEudpe, kLpbk,        kIpv6ExAdd,  kRxe,     kCrcp,
                           kRssValid, kL2tag1p,   kXtrmd0Valid, kXtrmd1Valid};
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(bits[i], 1u << i);
  EXPECT_EQ(rx_status1::kL2tag2p, 1u << 11);
}

/// A bit string as the document numbers it, built independently of the codec.
struct BitString {
  explicit BitString(size_t n) : bytes(n, 0) {}
  void set(unsigned width, unsigned lsb, uint64_t value) {
    for (unsigned i = 0; i < width; ++i) {
      if ((value >> i & 1) != 0) {
        bytes[(lsb + i) / 8] = static_cast<uint8_t>(bytes[(lsb + i) / 8] | 1u << ((lsb + i) % 8));
      }
    }
  }
  Bytes bytes;
};

TEST(IceTxContext, EveryField) {
  struct Field {
    unsigned width, lsb;
    void (*put)(IceTxContext&, uint64_t);
  };
#define FIELD(width, lsb, member)                                                                  \
  {                                                                                                \
    width, lsb, [](IceTxContext& c, uint64_t v) { c.member = static_cast<decltype(c.member)>(v); } \
  }
  const Field fields[] = {FIELD(57, 0, base),
                          FIELD(3, 57, port_num),
                          FIELD(5, 60, cgd_num),
                          FIELD(3, 65, pf_num),
                          FIELD(10, 68, vmvf_num),
                          FIELD(2, 78, vmvf_type),
                          FIELD(10, 80, src_vsi),
                          FIELD(1, 90, tsyn_ena),
                          FIELD(1, 91, internal_usage_flag),
                          FIELD(1, 92, alt_vlan),
                          FIELD(8, 93, cpuid),
                          FIELD(1, 101, wb_mode),
                          FIELD(1, 102, tphrd_desc),
                          FIELD(1, 103, tphrd),
                          FIELD(1, 104, tphwr_desc),
                          FIELD(9, 105, cmpq_id),
                          FIELD(14, 114, qnum_in_func),
                          FIELD(1, 128, itr_notification_mode),
                          FIELD(6, 129, adjust_prof_id),
                          FIELD(13, 135, qlen),
                          FIELD(4, 148, quanta_prof_idx),
                          FIELD(1, 152, tso_ena),
                          FIELD(11, 153, tso_qnum),
                          FIELD(1, 164, legacy_int),
                          FIELD(1, 165, drop_ena),
                          FIELD(2, 166, cache_prof_idx),
                          FIELD(3, 168, pkt_shaper_prof_idx)};
#undef FIELD
  for (const Field& f : fields) {
    IceTxContext c;
    c.vmvf_type = 0;
    const uint64_t all = f.width == 64 ? ~uint64_t{0} : (uint64_t{1} << f.width) - 1;
    f.put(c, all);
    BitString want(22);
    want.set(f.width, f.lsb, all);
    Bytes got(22, 0xEE);
    ASSERT_TRUE(encode(c, got.data()));
    EXPECT_EQ(got, want.bytes) << f.lsb;
    f.put(c, all + 1);
    EXPECT_FALSE(encode(c, got.data())) << f.lsb << " must refuse one bit more";
    EXPECT_EQ(got, want.bytes) << "and leave the bytes alone";
  }
}

TEST(IceTxContext, RoundTripOfDriverValues) {
  IceTxContext c;
  c.base = 0x100000000u >> 7;
  c.src_vsi = 9;
  c.qlen = 256;
  c.tso_ena = 1;
  c.tso_qnum = 77;
  c.legacy_int = 1;
  c.tsyn_ena = 1;
  Bytes b(22);
  ASSERT_TRUE(encode(c, b.data()));
  const IceTxContext back = decode_tx_context_bytes(b.data());
  EXPECT_EQ(back.base, c.base);
  EXPECT_EQ(back.qlen, 256u);
  EXPECT_EQ(back.tso_qnum, 77u);
  EXPECT_EQ(back.src_vsi, 9u);
  EXPECT_EQ(back.vmvf_type, 2u);
  EXPECT_EQ(back.legacy_int, 1u);
}

TEST(IceRxContext, EveryField) {
  struct Field {
    unsigned width, lsb;
    void (*put)(IceRxContext&, uint64_t);
  };
#define FIELD(width, lsb, member)                                                                  \
  {                                                                                                \
    width, lsb, [](IceRxContext& c, uint64_t v) { c.member = static_cast<decltype(c.member)>(v); } \
  }
  const Field fields[] = {
      FIELD(13, 0, head),        FIELD(8, 13, cpuid),     FIELD(57, 32, base),
      FIELD(13, 89, qlen),       FIELD(7, 102, dbuf),     FIELD(5, 109, hbuf),
      FIELD(2, 114, dtype),      FIELD(1, 116, dsize),    FIELD(1, 117, crcstrip),
      FIELD(1, 119, l2tsel),     FIELD(4, 120, hsplit_0), FIELD(2, 124, hsplit_1),
      FIELD(1, 127, showiv),     FIELD(14, 174, rxmax),   FIELD(1, 193, tphrdesc),
      FIELD(1, 194, tphwdesc),   FIELD(1, 195, tphdata),  FIELD(1, 196, tphhead),
      FIELD(3, 198, lrxqthresh), FIELD(1, 201, prefena)};
#undef FIELD
  for (const Field& f : fields) {
    IceRxContext c;
    c.dsize = c.crcstrip = c.l2tsel = c.prefena = 0;
    const uint64_t all = (uint64_t{1} << f.width) - 1;
    f.put(c, all);
    BitString want(32);
    want.set(f.width, f.lsb, all);
    Bytes got(32, 0xEE);
    ASSERT_TRUE(encode(c, got.data()));
    EXPECT_EQ(got, want.bytes) << f.lsb;
    f.put(c, all + 1);
    EXPECT_FALSE(encode(c, got.data())) << f.lsb;
  }
}

TEST(IceRxContext, WordsForTheRegisters) {
  IceRxContext c;
  c.base = 0x12345678;
  c.qlen = 2048;
  c.dbuf = 12;
  c.rxmax = 1536;
  c.lrxqthresh = 1;
  std::array<uint32_t, 8> words{};
  ASSERT_TRUE(encode(c, words));
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(words[1], 0x12345678u);
  EXPECT_EQ(words[2], 0u);
  // qlen at bit 89: its bit 11 is bit 4 of word 3; then dbuf, dsize, crcstrip, l2tsel.
  EXPECT_EQ(words[3], 1u << 4 | 12u << 6 | 1u << 20 | 1u << 21 | 1u << 23);
  EXPECT_EQ(words[5], 1536u << 14);
  EXPECT_EQ(words[6], 1u << 6 | 1u << 9);
  const IceRxContext back = decode_rx_context_bytes(reinterpret_cast<const uint8_t*>(words.data()));
  EXPECT_EQ(back.qlen, 2048u);
  EXPECT_EQ(back.base, 0x12345678u);
  EXPECT_EQ(back.rxmax, 1536u);
  EXPECT_EQ(back.prefena, 1u);
}

}  // namespace
}  // namespace doorbell::ice
