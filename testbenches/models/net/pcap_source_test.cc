#include "models/net/pcap_source.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/net/checksum.h"
#include "models/net/pcap_writer.h"

namespace doorbell::net {
namespace {

using base::Picos;
using namespace base::literals;
using Frame = std::vector<uint8_t>;

// A pcap file made octet by octet, so that it may be wrong in any way.
class FileMaker {
 public:
  explicit FileMaker(uint32_t magic = 0xA1B23C4D, uint32_t link = 1) {
    put32(magic);
    put32(0x00040002);
    put32(0);
    put32(0);
    put32(262144);
    put32(link);
  }
  FileMaker& packet(uint32_t seconds, uint32_t fraction, const Frame& data, uint32_t length = 0) {
    put32(seconds);
    put32(fraction);
    put32(static_cast<uint32_t>(data.size()));
    put32(length == 0 ? static_cast<uint32_t>(data.size()) : length);
    bytes_.insert(bytes_.end(), data.begin(), data.end());
    return *this;
  }
  base::ByteView view() const { return {bytes_.data(), bytes_.size()}; }
  Frame& bytes() { return bytes_; }

 private:
  void put32(uint32_t v) {
    for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<uint8_t>(v >> (8 * i)));
  }
  Frame bytes_;
};

Frame frame(uint8_t tag, size_t size = 60) {
  Frame f(size, tag);
  base::store_be16(&f[12], 0x88B5);  // local experiments
  return f;
}

// UDP over IPv4 between fixed addresses; `port` makes the flow.
Frame udp_frame(uint16_t port, uint8_t tag) {
  Frame f(60, 0);
  base::store_be16(&f[12], kEtherTypeIpv4);
  f[14] = 0x45;
  f[17] = 46;
  f[23] = kIpUdp;
  base::store_be16(&f[34], port);
  f[50] = tag;
  return f;
}

std::unique_ptr<PcapSource> open(const FileMaker& file, const PcapSpec& spec = {}) {
  auto result = PcapSource::open_memory(file.view(), "t.pcap", spec);
  EXPECT_TRUE(result.ok()) << result.error();
  return result.take();
}

std::string refusal(const FileMaker& file, const PcapSpec& spec = {}) {
  const auto result = PcapSource::open_memory(file.view(), "t.pcap", spec);
  return result.ok() ? "accepted" : result.error();
}

std::vector<Picos> starts(PcapSource& source) {
  std::vector<Picos> out;
  while (const Arrival* a = source.peek()) {
    out.push_back(a->start);
    source.pop();
  }
  return out;
}

Provenance verify(FrameOrigin& origin, const Frame& f) {
  return origin.verify({f.data(), f.size()});
}

FileMaker three() {
  FileMaker file;
  return file.packet(100, 500, frame(1))
      .packet(100, 10'500, frame(2))
      .packet(101, 500, frame(3, 1514));
}

TEST(PcapTime, OriginalGapsFromTheFirstFrameOn) {
  PcapSpec spec;
  spec.start = 3_us;
  EXPECT_EQ(starts(*open(three(), spec)), (std::vector<Picos>{3_us, 13_us, 1_s + 3_us}));
}

TEST(PcapTime, MicrosecondFiles) {
  FileMaker file(0xA1B2C3D4);
  file.packet(1, 999'999, frame(1)).packet(2, 1, frame(2));
  EXPECT_EQ(starts(*open(file)), (std::vector<Picos>{0_us, 2_us}));
}

TEST(PcapTime, Scaled) {
  PcapSpec spec;
  spec.speed = 4;
  EXPECT_EQ(starts(*open(three(), spec)), (std::vector<Picos>{0_us, 2500_ns, 250_ms}));
  spec.speed = 0.5;
  EXPECT_EQ(starts(*open(three(), spec)), (std::vector<Picos>{0_us, 20_us, 2_s}));
}

TEST(PcapTime, TooFastForTheLinkIsMovedLater) {
  FileMaker file;
  file.packet(1, 0, frame(1, 1514)).packet(1, 100, frame(2)).packet(1, 100'000, frame(3));
  EXPECT_EQ(starts(*open(file)), (std::vector<Picos>{0_us, 12304_ns, 100_us}));
}

TEST(PcapTime, StampsThatGoBackwardsComeAtOnce) {
  FileMaker file;
  file.packet(9, 0, frame(1)).packet(1, 0, frame(2)).packet(9, 5000, frame(3));
  EXPECT_EQ(starts(*open(file)), (std::vector<Picos>{0_us, 672_ns, 5_us}));
}

TEST(PcapTime, LineRateAndFixedRate) {
  PcapSpec spec;
  spec.timing = PcapTiming::kLineRate;
  spec.loops = 2;
  const Picos round = 672_ns * 2 + 12304_ns;
  EXPECT_EQ(starts(*open(three(), spec)),
            (std::vector<Picos>{0_ns, 672_ns, 1344_ns, round, round + 672_ns, round + 1344_ns}));
  spec.timing = PcapTiming::kRate;
  spec.rate_pps = 30'000;
  const auto times = starts(*open(three(), spec));
  EXPECT_EQ(times[1], 33'333'333_ps);
  EXPECT_EQ(times[2], 66'666'666_ps);
  EXPECT_EQ(times[3], 100_us);
}

TEST(PcapTime, LoopsCountAndEnd) {
  PcapSpec spec;
  spec.loops = 2;
  spec.loop_gap = 5_us;
  const auto times = starts(*open(three(), spec));
  ASSERT_EQ(times.size(), 6u);
  EXPECT_EQ(times[3], 1_s + 12304_ns + 5_us);
  EXPECT_EQ(times[4], times[3] + 10_us);
  spec.loops = 0;
  spec.count = 100;
  EXPECT_EQ(starts(*open(three(), spec)).size(), 100u);
  spec.end = 10_us;  // a frame at this very time is out
  EXPECT_EQ(starts(*open(three(), spec)).size(), 1u);
}

TEST(PcapFrames, ShortFramesArePaddedWithZeros) {
  FileMaker file;
  file.packet(1, 0, frame(0xEE, 42));
  auto source = open(file);
  const base::ByteView b = source->peek()->bytes;
  ASSERT_EQ(b.size, 60u);
  EXPECT_EQ(b[41], 0xEE);
  for (size_t i = 42; i < 60; ++i) EXPECT_EQ(b[i], 0);
  EXPECT_EQ(source->bytes_in_file(), 60u);
}

TEST(PcapRefusal, Messages) {
  EXPECT_EQ(refusal(FileMaker(0xA1B23C4D, 105).packet(1, 0, frame(1))),
            "t.pcap: link type IEEE802_11 (105); only Ethernet (1) can be sent");
  EXPECT_EQ(
      refusal(three().packet(102, 0, frame(4, 96), 1514)),
      "t.pcap: packet 4 is cut off: 96 of 1514 bytes captured; take the capture with full length "
      "(tcpdump -s 0)");
  EXPECT_EQ(refusal(three().packet(102, 0, frame(4, 96), 60)),
            "t.pcap: packet 4 is damaged: 96 bytes captured of a packet of 60");
  EXPECT_EQ(refusal(FileMaker()), "t.pcap: no packets in the capture");
  EXPECT_EQ(refusal(three().packet(102, 0, Frame(13))),
            "t.pcap: packet 4 has 13 bytes; an Ethernet header has 14");
  EXPECT_EQ(
      refusal(three().packet(102, 0, frame(1, 9729))),
      "t.pcap: packet 4 has 9729 bytes; at most 9728 can be sent (switch segmentation offload off "
      "when capturing)");
  PcapSpec small;
  small.max_frame_bytes = 1500;
  EXPECT_EQ(
      refusal(three(), small),
      "t.pcap: packet 3 has 1514 bytes; at most 1500 can be sent (switch segmentation offload off "
      "when capturing)");
  EXPECT_EQ(refusal(three().packet(100 + 31 * 86400, 0, frame(4))),
            "t.pcap: packet 4 comes more than 2592000 s after the first one");
}

TEST(PcapRefusal, DamagedFiles) {
  auto cut = three();
  cut.bytes().resize(cut.bytes().size() - 7);
  EXPECT_EQ(refusal(cut),
            "t.pcap: packet 3: truncated dump file; tried to read 1514 captured bytes, "
            "only got 1507");
  FileMaker garbage(0x12345678);
  EXPECT_EQ(refusal(garbage), "t.pcap: no pcap or pcapng file: unknown file format");
  const auto empty = PcapSource::open_memory({}, "t.pcap", {});
  ASSERT_FALSE(empty.ok());
  EXPECT_EQ(empty.error(), "t.pcap: no capture file: it is empty");
  const auto missing = PcapSource::open("/no/such.pcap", {});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error(), "/no/such.pcap: cannot open capture: No such file or directory");
  const auto folder = PcapSource::open("/tmp", {});
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error(),
            "/tmp: no pcap or pcapng file: error reading dump file: Is a directory");
}

TEST(PcapRefusal, BadSpec) {
  PcapSpec spec;
  spec.speed = 0;
  EXPECT_EQ(refusal(three(), spec), "traffic.speed = 0.000000: 0.000001 to 1e9");
  spec = {};
  spec.timing = PcapTiming::kRate;
  EXPECT_EQ(refusal(three(), spec), "traffic.rate = 0 pps: a fixed rate must be at least 1 pps");
}

TEST(PcapVerify, KnowsItsFramesAcrossDropsAndLoops) {
  PcapSpec spec;
  spec.loops = 0;
  spec.timing = PcapTiming::kLineRate;
  auto source = open(three(), spec);
  for (uint64_t i = 0; i < 3000; ++i) {
    const Arrival a = *source->peek();
    const Frame f(a.bytes.begin(), a.bytes.end());
    source->pop();
    if (i % 5 < 2) continue;
    const Provenance p = verify(*source, f);
    ASSERT_TRUE(p.intact && p.in_order) << i;
    ASSERT_EQ(p.id, i);
    ASSERT_EQ(p.start, a.start);
  }
}

TEST(PcapVerify, EverySingleBitCounts) {
  auto source = open(three());
  starts(*source);
  Frame f = frame(2);
  for (size_t bit = 0; bit < f.size() * 8; ++bit) {
    f[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    ASSERT_FALSE(verify(*source, f).intact) << bit;
    f[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
  EXPECT_TRUE(verify(*source, f).intact);
  f.push_back(0);
  EXPECT_FALSE(verify(*source, f).intact);
  EXPECT_FALSE(verify(*source, Frame(20)).intact);
  EXPECT_EQ(source->verify_stats().first_fault, "frame of 60 B: no such frame in the capture");
}

TEST(PcapVerify, ExchangedMacAddresses) {
  FileMaker file;
  Frame f = frame(7);
  std::fill_n(f.begin(), 6, uint8_t{2});
  file.packet(1, 0, f);
  auto source = open(file);
  starts(*source);
  std::swap_ranges(f.begin(), f.begin() + 6, f.begin() + 6);
  EXPECT_TRUE(verify(*source, f).intact);
  std::fill_n(f.begin(), 6, uint8_t{2});  // both the destination's
  EXPECT_FALSE(verify(*source, f).intact);
}

TEST(PcapVerify, DuplicatesAndEarlyFrames) {
  auto source = open(three());
  EXPECT_FALSE(verify(*source, frame(1)).intact);  // not sent yet
  starts(*source);
  EXPECT_TRUE(verify(*source, frame(1)).in_order);
  const Provenance again = verify(*source, frame(1));
  EXPECT_TRUE(again.intact);
  EXPECT_FALSE(again.in_order);
  EXPECT_EQ(again.id, 0u);
  EXPECT_EQ(source->verify_stats().duplicate, 1u);
  EXPECT_EQ(source->verify_stats().reordered, 0u);
}

TEST(PcapVerify, EqualFramesAreDeliveredAsOftenAsTheyWereSent) {
  FileMaker file;
  for (uint32_t i = 0; i < 10'000; ++i) file.packet(1, i * 1000, frame(9));
  auto source = open(file);
  starts(*source);
  for (uint64_t i = 0; i < 10'000; ++i) {
    const Provenance p = verify(*source, frame(9));
    ASSERT_TRUE(p.in_order);
    ASSERT_EQ(p.id, i);
  }
  EXPECT_FALSE(verify(*source, frame(9)).in_order);
  EXPECT_EQ(source->verify_stats().duplicate, 1u);
}

TEST(PcapVerify, DeepReorderingBetweenFlowsOfAShortLoopIsNoDuplicate) {
  PcapSpec spec;
  spec.loops = 50;
  spec.timing = PcapTiming::kLineRate;
  auto source = open(three(), spec);
  starts(*source);
  for (uint8_t tag = 1; tag <= 2; ++tag) {
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(verify(*source, frame(tag)).in_order) << i;
  }
  EXPECT_EQ(source->verify_stats().duplicate, 0u);
  EXPECT_FALSE(verify(*source, frame(1)).in_order);
  EXPECT_FALSE(verify(*source, frame(2)).in_order);
  EXPECT_EQ(source->verify_stats().duplicate, 2u);
}

TEST(PcapVerify, OrderHoldsWithinAFlowNotBetweenFlows) {
  FileMaker file;
  file.packet(1, 0, udp_frame(10, 1)).packet(1, 1, udp_frame(20, 2));
  file.packet(1, 2, udp_frame(10, 3)).packet(1, 3, udp_frame(20, 4));
  auto source = open(file);
  starts(*source);
  EXPECT_TRUE(verify(*source, udp_frame(20, 2)).in_order);
  EXPECT_TRUE(verify(*source, udp_frame(20, 4)).in_order);
  EXPECT_TRUE(verify(*source, udp_frame(10, 3)).in_order);
  const Provenance late = verify(*source, udp_frame(10, 1));
  EXPECT_TRUE(late.intact);
  EXPECT_FALSE(late.in_order);
  EXPECT_EQ(late.id, 0u);
  EXPECT_EQ(source->verify_stats().reordered, 1u);
  EXPECT_EQ(source->verify_stats().duplicate, 0u);
}

TEST(PcapShippedCapture, BothFormatsHoldTheSameGoodFrames) {
  auto pcap = PcapSource::open(DOORBELL_CAPTURES "/mixed.pcap", {});
  auto pcapng = PcapSource::open(DOORBELL_CAPTURES "/mixed.pcapng", {});
  ASSERT_TRUE(pcap.ok()) << pcap.error();
  ASSERT_TRUE(pcapng.ok()) << pcapng.error();
  size_t udp = 0;
  size_t tcp = 0;
  size_t ipv6 = 0;
  size_t tagged = 0;
  while (const Arrival* a = pcap.value()->peek()) {
    const Arrival* b = pcapng.value()->peek();
    ASSERT_NE(b, nullptr);
    ASSERT_EQ(a->start, b->start);
    ASSERT_TRUE(std::equal(a->bytes.begin(), a->bytes.end(), b->bytes.begin(), b->bytes.end()));
    ASSERT_LE(a->bytes.size, 1518u);
    const Layers l = parse_layers(a->bytes);
    if (l.l3_offset != 0 && !l.ipv6) {
      EXPECT_EQ(internet_checksum(a->bytes.sub(l.l3_offset, kIpv4HeaderBytes)), 0) << a->id;
    }
    if (l.l4_offset != 0 && !l.fragment && l.protocol != 0) {
      EXPECT_EQ(l4_checksum(a->bytes, l), 0) << a->id;
    }
    udp += l.protocol == kIpUdp ? 1 : 0;
    tcp += l.protocol == kIpTcp ? 1 : 0;
    ipv6 += l.ipv6 ? 1 : 0;
    tagged += l.tagged ? 1 : 0;
    pcap.value()->pop();
    pcapng.value()->pop();
  }
  EXPECT_EQ(pcapng.value()->peek(), nullptr);
  EXPECT_GT(udp, 50u);
  EXPECT_GT(tcp, 50u);
  EXPECT_GT(ipv6, 10u);
  EXPECT_GT(tagged, 10u);
}

TEST(PcapShippedCapture, EveryFrameVerifiesOverSeveralLoops) {
  PcapSpec spec;
  spec.loops = 3;
  spec.timing = PcapTiming::kLineRate;
  auto source = PcapSource::open(DOORBELL_CAPTURES "/mixed.pcap", spec).take();
  while (const Arrival* a = source->peek()) {
    const Frame f(a->bytes.begin(), a->bytes.end());
    source->pop();
    ASSERT_TRUE(verify(*source, f).in_order);
  }
  EXPECT_EQ(source->emitted(), 3 * source->frames_in_file());
}

TEST(PcapRoundTrip, WhatTheWriterWritesTheSourceReads) {
  const std::string path = testing::TempDir() + "doorbell_round.pcap";
  auto writer = PcapWriter::create(path).take();
  const Frame a = frame(1);
  const Frame b = frame(2, 1514);
  writer->write(7_us, {a.data(), a.size()});
  writer->write(9_us, {b.data(), b.size()});
  ASSERT_FALSE(writer->close().has_value());
  auto result = PcapSource::open(path, {});
  ASSERT_TRUE(result.ok()) << result.error();
  EXPECT_EQ(result.value()->frames_in_file(), 2u);
  EXPECT_EQ(starts(*result.value()), (std::vector<Picos>{0_us, 2_us}));
  EXPECT_TRUE(verify(*result.value(), b).intact);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace doorbell::net
