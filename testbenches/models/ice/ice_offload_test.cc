// Checksums, tags, segmentation; RSS and the receive parser.
#include <gtest/gtest.h>

#include "models/ice/rss.h"
#include "testbenches/models/ice/bench.h"

namespace doorbell::ice::test {
namespace {

bool checksums_right(const Bytes& f) {
  const base::ByteView view{f.data(), f.size()};
  const net::Layers layers = net::parse_layers(view);
  if (layers.l4_offset == 0) return false;
  if (!layers.ipv6 && net::internet_checksum({f.data() + layers.l3_offset, 20}) != 0) return false;
  return net::l4_checksum(view, layers) == 0;
}

IceTxDesc offload_desc(const Bench& b, uint32_t size, uint32_t cmd) {
  IceTxDesc d;
  d.address = b.tx_buffer(0, 0);
  d.size = size;
  d.cmd = tx_cmd::kLast | cmd;
  d.maclen = 7;
  d.iplen = 5;
  d.l4len = (cmd & tx_cmd::kL4t) == tx_cmd::kL4tTcp ? 5 : 2;
  return d;
}

TEST(IceOffload, ChecksumsAreInserted) {
  Bench b;
  b.add_tx(0, 64);
  for (const bool tcp : {false, true}) {
    Bytes f = ip_frame(200, 3, tcp);
    const Bytes want = f;
    base::store_be16(f.data() + 14 + 10, 0xDEAD);
    base::store_be16(f.data() + 34 + (tcp ? 16 : 6), 0xBEEF);
    std::memcpy(b.at(b.tx_buffer(0, 0)), f.data(), f.size());
    const IceTxDesc d =
        offload_desc(b, 200, tx_cmd::kIiptV4Csum | (tcp ? tx_cmd::kL4tTcp : tx_cmd::kL4tUdp));
    b.put_tx(0, d.address, tx_qw1(d));
    b.ring_tx(0);
    b.run(10_us);
    ASSERT_FALSE(b.out.sent.empty());
    EXPECT_EQ(b.out.sent.back().bytes, want) << tcp;
    EXPECT_TRUE(checksums_right(b.out.sent.back().bytes));
  }
}

TEST(IceOffload, PaddedFrameCountsItsIpLength) {
  Bench b;
  b.add_tx(0, 64);
  Bytes f = ip_frame(46, 3);  // 4 bytes of payload, then padding
  f.resize(60, 0x55);
  Bytes want = f;
  base::store_be16(f.data() + 34 + 6, 0);
  std::memcpy(b.at(b.tx_buffer(0, 0)), f.data(), f.size());
  const IceTxDesc d = offload_desc(b, 60, tx_cmd::kIiptV4Csum | tx_cmd::kL4tUdp);
  b.put_tx(0, d.address, tx_qw1(d));
  b.ring_tx(0);
  b.run(10_us);
  EXPECT_EQ(b.out.sent.at(0).bytes, want);
}

TEST(IceOffload, TagsAreInserted) {
  Bench b;
  b.add_tx(0, 64);
  const Bytes f = ip_frame(100);
  std::memcpy(b.at(b.tx_buffer(0, 0)), f.data(), f.size());
  IceTxDesc d;
  d.address = b.tx_buffer(0, 0);
  d.size = 100;
  d.cmd = tx_cmd::kLast | tx_cmd::kIl2tag1;
  d.l2tag1 = 0x6123;
  b.put_tx(0, d.address, tx_qw1(d));
  IceTxContextDesc c;
  c.cmd = tx_ctx_cmd::kIl2tag2;
  c.l2tag2 = 0x0456;
  Bytes raw(16);
  encode(c, raw.data());
  b.put_tx(0, base::load_le<uint64_t>(raw.data()), base::load_le<uint64_t>(raw.data() + 8));
  b.put_tx(0, d.address, tx_qw1(d));
  b.ring_tx(0);
  b.run(10_us);
  ASSERT_EQ(b.out.sent.size(), 2u);
  Bytes one(f.begin(), f.begin() + 12);
  one.insert(one.end(), {0x81, 0x00, 0x61, 0x23});
  one.insert(one.end(), f.begin() + 12, f.end());
  EXPECT_EQ(b.out.sent[0].bytes, one);
  Bytes two(f.begin(), f.begin() + 12);
  two.insert(two.end(), {0x81, 0x00, 0x04, 0x56, 0x81, 0x00, 0x61, 0x23});
  two.insert(two.end(), f.begin() + 12, f.end());
  EXPECT_EQ(b.out.sent[1].bytes, two);
}

TEST(IceOffload, DummyAndIcrcBits) {
  Bench b;
  b.add_tx(0, 64);
  b.put_frame(0, frame(60, 1), tx_cmd::kLast | tx_cmd::kDummy);
  b.put_frame(0, frame(60, 2), tx_cmd::kLast | tx_cmd::kIcrc);
  b.ring_tx(0);
  b.run(10_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, frame(60, 2));
  EXPECT_EQ(b.count("tx_dummy"), 1u);
  EXPECT_EQ(b.rd(reg::qtx_comm_head(0)) & 0x1FFF, 2u);
}

struct Tso : Bench {
  Tso() { add_tx(0, 256); }
  /// One segmentation of `payload` bytes, cut into buffers of `piece`.
  Bytes send(uint32_t payload, uint32_t mss, uint32_t piece, bool tcp = true) {
    const uint32_t header = tcp ? 54 : 42;
    Bytes all = ip_frame(header + payload, 9, tcp);
    if (tcp) all[34 + 13] = 0x80 | 0x18 | 0x01;  // CWR PSH ACK FIN
    IceTxContextDesc c;
    c.cmd = tx_ctx_cmd::kTso;
    c.tso_len = payload;
    c.mss = mss;
    Bytes raw(16);
    encode(c, raw.data());
    put_tx(0, base::load_le<uint64_t>(raw.data()), base::load_le<uint64_t>(raw.data() + 8));
    const uint64_t at0 = kMemory + 0x1000000;
    std::memcpy(at(at0), all.data(), all.size());
    for (uint32_t done = 0; done < all.size();) {
      IceTxDesc d = offload_desc(*this, 0, 0);
      const auto n =
          std::min<uint32_t>(done == 0 ? header : piece, static_cast<uint32_t>(all.size()) - done);
      d.address = at0 + done;
      d.size = n;
      d.cmd = tx_cmd::kIiptV4Csum | (tcp ? tx_cmd::kL4tTcp : tx_cmd::kL4tUdp);
      d.l4len = tcp ? 5 : 2;
      done += n;
      if (done == all.size()) d.cmd |= tx_cmd::kLast;
      put_tx(0, d.address, tx_qw1(d));
    }
    ring_tx(0);
    return all;
  }
};

TEST(IceOffload, TsoMakesSegments) {
  Tso b;
  const Bytes all = b.send(5000, 1448, 4096);
  b.run(30_us);
  ASSERT_EQ(b.out.sent.size(), 4u);
  Bytes payload;
  for (unsigned i = 0; i < 4; ++i) {
    const Bytes& f = b.out.sent[i].bytes;
    const uint32_t chunk = i < 3 ? 1448 : 5000 - 3 * 1448;
    ASSERT_EQ(f.size(), 54 + chunk);
    EXPECT_TRUE(checksums_right(f)) << i;
    EXPECT_EQ(base::load_be16(f.data() + 16), 40 + chunk);
    EXPECT_EQ(base::load_be16(f.data() + 18), 1 + i) << "IP identification counts";
    EXPECT_EQ(base::load_be32(f.data() + 38) - base::load_be32(all.data() + 38), 1448 * i);
    EXPECT_EQ(f[47] & 0x80, i == 0 ? 0x80 : 0) << "CWR in the first";
    EXPECT_EQ(f[47] & 0x09, i == 3 ? 0x09 : 0) << "PSH and FIN in the last";
    payload.insert(payload.end(), f.begin() + 54, f.end());
  }
  EXPECT_EQ(payload, Bytes(all.begin() + 54, all.end()));
  EXPECT_EQ(b.count("tx_tso"), 1u);
  EXPECT_EQ(b.count("tx_reports"), 1u);
  EXPECT_TRUE(b.tx_done(0, 3));
}

TEST(IceOffload, TsoOf64KilobytesInManyBuffers) {
  Tso b;
  const Bytes all = b.send(65000, 1448, 1000);  // more descriptors than the cache
  b.run(60_us);
  ASSERT_EQ(b.out.sent.size(), 45u);
  Bytes payload;
  for (const auto& s : b.out.sent) {
    EXPECT_TRUE(checksums_right(s.bytes));
    payload.insert(payload.end(), s.bytes.begin() + 54, s.bytes.end());
  }
  EXPECT_EQ(payload, Bytes(all.begin() + 54, all.end()));
  EXPECT_EQ(b.count("mdd_events"), 0u);
  EXPECT_EQ(b.ice.tx_buffer_bytes(), 0u);
}

TEST(IceOffload, UdpSegmentation) {
  Tso b;
  const Bytes all = b.send(3000, 1000, 4096, false);
  b.run(20_us);
  ASSERT_EQ(b.out.sent.size(), 3u);
  for (const auto& s : b.out.sent) {
    EXPECT_EQ(s.bytes.size(), 1042u);
    EXPECT_EQ(base::load_be16(s.bytes.data() + 38), 1008);
    EXPECT_TRUE(checksums_right(s.bytes));
  }
}

TEST(IceOffload, TsoBetweenPlainFrames) {
  Tso b;
  b.add_tx(1, 64);
  for (int i = 0; i < 20; ++i) b.put_frame(1, frame(60, static_cast<uint8_t>(i)));
  b.ring_tx(1);
  b.send(20000, 1448, 4096);
  b.put_frame(0, frame(61));
  b.ring_tx(0);
  b.run(60_us);
  EXPECT_EQ(b.count("tx_frames"), 20u + 14u + 1u);
  EXPECT_EQ(b.tx_drops(), 0u);
  EXPECT_EQ(b.ice.frames_in_tx(), 0u);
}

// Microsoft's verification suite, by the admin queue's key and table.
TEST(IceRss, MicrosoftVectors) {
  Rss rss;
  uint8_t key[kRssKeyBytes] = {};
  std::copy(net::kMicrosoftRssKey.begin(), net::kMicrosoftRssKey.end(), key);
  rss.set_key(key);
  struct Vector {
    uint32_t source, destination;
    uint16_t sport, dport;
    uint32_t ip, tcp;
  };
  const Vector vectors[] = {
      {0x420995BB, 0xA18E6450, 2794, 1766, 0x323E8FC2, 0x51CCC178},
      {0xC75C6F02, 0x41458C53, 14230, 4739, 0xD718262A, 0xC626B0EA},
      {0x1813C65F, 0x0C16CFB8, 12898, 38024, 0xD2D0A5DE, 0x5C2B394A},
      {0x261BCD1E, 0xD18EA306, 48228, 2217, 0x82989176, 0xAFC7327F},
      {0x9927A3BF, 0xCABC7F02, 44251, 1303, 0x5D1809C5, 0x10E828A2},
  };
  for (const Vector& v : vectors) {
    Bytes f = ip_frame(60, 1, true);
    base::store_be32(f.data() + 26, v.source);
    base::store_be32(f.data() + 30, v.destination);
    base::store_be16(f.data() + 34, v.sport);
    base::store_be16(f.data() + 36, v.dport);
    net::Layers layers = net::parse_layers({f.data(), f.size()});
    EXPECT_EQ(rss.hash({f.data(), f.size()}, layers), v.tcp);
    layers.fragment = true;
    EXPECT_EQ(rss.hash({f.data(), f.size()}, layers), v.ip);
  }
}

TEST(IceRss, PacketTypes) {
  const auto type = [](Bytes f) { return packet_type(net::parse_layers({f.data(), f.size()})); };
  EXPECT_EQ(type(frame(60)), 1);
  EXPECT_EQ(type(ip_frame(60)), 24);
  EXPECT_EQ(type(ip_frame(60, 1, true)), 26);
  Bytes f = ip_frame(60);
  f[23] = 1;
  EXPECT_EQ(type(f), 28);
  f[23] = 132;
  EXPECT_EQ(type(f), 27);
  f[23] = 47;
  EXPECT_EQ(type(f), 23);
  f[20] = 0x20;  // more fragments
  EXPECT_EQ(type(f), 22);
  Bytes arp = frame(60);
  base::store_be16(arp.data() + 12, 0x0806);
  EXPECT_EQ(type(arp), 11);
  Bytes v6 = frame(80);
  base::store_be16(v6.data() + 12, 0x86DD);
  std::memset(v6.data() + 14, 0, 66);
  v6[14] = 0x60;
  base::store_be16(v6.data() + 18, 26);
  v6[20] = 17;
  EXPECT_EQ(type(v6), 90);
  v6[20] = 6;
  EXPECT_EQ(type(v6), 92);
  v6[20] = 58;
  EXPECT_EQ(type(v6), 94);
}

TEST(IceRss, FramesGoToTheirQueues) {
  Bench b;
  b.open_admin();
  Bytes key(kRssKeyBytes);
  std::copy(net::kMicrosoftRssKey.begin(), net::kMicrosoftRssKey.end(), key.begin());
  IceAqDesc d;
  d.opcode = aq_op::kSetRssKey;
  ASSERT_EQ(b.admin(d, key).retval, 0);
  Bytes lut(kRssLutGlobal);
  for (unsigned i = 0; i < lut.size(); ++i) lut[i] = static_cast<uint8_t>(i % 4);
  d = IceAqDesc();
  d.opcode = aq_op::kSetRssLut;
  ASSERT_EQ(b.admin(d, lut).retval, 0);
  for (unsigned q = 0; q < 4; ++q) {
    b.add_rx(q, 64);
    b.wr(reg::qrx_itr(q), kQrxItrNoExpr);
    b.refill(q, 56);
  }
  b.run(5_us);
  unsigned next[4] = {};
  for (uint8_t i = 0; i < 40; ++i) b.in.push(b.now() + 200_ns * i, ip_frame(60, i));
  b.run(20_us);
  const net::ToeplitzHash hash;
  for (uint8_t i = 0; i < 40; ++i) {
    const Bytes f = ip_frame(60, i);
    const uint32_t want = hash.hash_frame({f.data(), 60}, net::parse_layers({f.data(), 60}));
    const unsigned q = want % 512 % 4;
    const IceRxWriteback w = b.rx_at(q, next[q]);
    EXPECT_EQ(w.rss_hash, want);
    EXPECT_EQ(b.bytes_at(b.rx_buffer(q, next[q]), 60), f);
    ++next[q];
  }
  for (const unsigned n : next) EXPECT_GT(n, 0u);
}

TEST(IceRss, ChecksumErrorsAndCasts) {
  Bench b;
  b.add_rx(0, 64);
  b.wr(reg::qrx_itr(0), kQrxItrNoExpr);
  b.refill(0, 56);
  b.run(5_us);
  Bytes bad_ip = ip_frame(100);
  bad_ip[24] ^= 1;
  Bytes bad_l4 = ip_frame(100, 2, true);
  bad_l4[80] ^= 1;
  Bytes none = ip_frame(100);
  base::store_be16(none.data() + 40, 0);
  none[80] ^= 1;
  const Bytes all{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  const Bytes group{0x01, 0x00, 0x5E, 0x00, 0x00, 0x01};
  const Bytes frames[] = {bad_ip, bad_l4, none, frame(60, 1, all), frame(60, 1, group)};
  for (unsigned i = 0; i < 5; ++i) b.in.push(b.now() + 1_us + 200_ns * i, frames[i]);
  b.run(10_us);
  constexpr uint16_t kErrors = rx_status0::kXsumIpe | rx_status0::kXsumL4e;
  EXPECT_EQ(b.rx_at(0, 0).status0 & kErrors, rx_status0::kXsumIpe);
  EXPECT_EQ(b.rx_at(0, 1).status0 & kErrors, rx_status0::kXsumL4e);
  EXPECT_EQ(b.rx_at(0, 2).status0 & kErrors, 0) << "no UDP checksum is no error";
  EXPECT_EQ(b.rx_at(0, 3).cast, RxCast::kBroadcast);
  EXPECT_EQ(b.rx_at(0, 4).cast, RxCast::kMulticast);
  EXPECT_EQ(b.rx_at(0, 3).status0 & rx_status0::kRssValid, 0);
  EXPECT_EQ(b.count("rx_bad_checksum"), 2u);
  EXPECT_EQ(b.rd(reg::kGlprtUprcl), 3u);
  EXPECT_EQ(b.rd(reg::kGlprtMprcl), 1u);
  EXPECT_EQ(b.rd(reg::kGlprtBprcl), 1u);
  EXPECT_EQ(b.rd(reg::kGlprtGorcl), 3u * 104 + 2 * 64);
  EXPECT_EQ(b.rd(reg::kGlvGorcl), 3u * 104 + 2 * 64);
}

}  // namespace
}  // namespace doorbell::ice::test
