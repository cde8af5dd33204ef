// Descriptor codec: golden bytes, and the owner counter against the sheet's closed form.
#include "models/tsnep/tsnep_desc.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace doorbell::tsnep {
namespace {

using Block = std::array<uint8_t, 256>;

Block filled() {
  Block b;
  b.fill(0xCC);
  return b;
}

TEST(TsnepDesc, TransmitGoldenBytes) {
  Block b = filled();
  TsnepTxDesc d;
  d.properties = 0x5EA | props::kLastFragment | props::kInterrupt | props::kExtendedWriteback |
                 props::kOwnerUserFlag;
  d.properties = props::with_owner(d.properties, 2);
  d.more_properties = 0x5EA;
  d.next = 0x1122334455667700;
  d.tx = 0x8899AABBCCDDEEFF;
  encode(d, b.data() + kOffDesc);
  const std::vector<uint8_t> want = {0xEA, 0x05, 0x0D, 0xA0, 0xEA, 0x05, 0,    0,
                                     0,    0,    0,    0,    0,    0,    0,    0,
                                     0x00, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
                                     0xFF, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA, 0x99, 0x88};
  EXPECT_EQ(std::vector<uint8_t>(b.begin() + 128, b.begin() + 160), want);
  for (size_t i = 0; i < 256; ++i) {
    if (i < 128 || i >= 160) {
      EXPECT_EQ(b[i], 0xCC) << i;
    }
  }
  const TsnepTxDesc back = decode_tx(b.data() + 128);
  EXPECT_EQ(back.properties, d.properties);
  EXPECT_EQ(back.more_properties, d.more_properties);
  EXPECT_EQ(back.next, d.next);
  EXPECT_EQ(back.tx, d.tx);
}

TEST(TsnepDesc, InlineDataIsLeftAloneAndEndsAt192) {
  Block b = filled();
  for (size_t i = 152; i < 192; ++i) b[i] = static_cast<uint8_t>(i);
  TsnepTxDesc d;
  d.properties = 40 | props::kLastFragment | props::kDataAfterDesc;
  d.more_properties = 40;
  d.next = 0x100;
  encode(d, b.data() + 128);
  for (size_t i = 152; i < 192; ++i) EXPECT_EQ(b[i], static_cast<uint8_t>(i));
  EXPECT_EQ(kOffDesc + kOffInline, 152u);
  EXPECT_EQ(kOffDesc + kOffInline + kInlineBytes, 192u);
  EXPECT_EQ(b[130], 0x03);
}

TEST(TsnepDesc, PropertiesGoLast) {
  Block b = filled();
  TsnepTxDesc d;
  d.properties = props::with_owner(100, 1);
  encode_body(d, b.data() + 128);
  EXPECT_EQ(base::load_le<uint32_t>(b.data() + 128), 0xCCCCCCCCu);
  encode_properties(d.properties, b.data() + 128);
  EXPECT_EQ(base::load_le<uint32_t>(b.data() + 128), 0x40000064u);
  Block r = filled();
  TsnepRxDesc rx;
  encode_body(rx, r.data() + 128);
  EXPECT_EQ(base::load_le<uint32_t>(r.data() + 128), 0xCCCCCCCCu);
}

TEST(TsnepDesc, ReceiveGoldenBytes) {
  Block b = filled();
  TsnepRxDesc d;
  d.properties = props::with_owner(1544 | props::kInterrupt, 3);
  d.next = 0x40200100;
  d.rx = 0x40800100;
  encode(d, b.data() + 128);
  const std::vector<uint8_t> want = {0x08, 0x06, 0x04, 0xC0, 0,    0,    0,    0,    0,    0, 0,
                                     0,    0,    0,    0,    0,    0x00, 0x01, 0x20, 0x40, 0, 0,
                                     0,    0,    0x00, 0x01, 0x80, 0x40, 0,    0,    0,    0};
  EXPECT_EQ(std::vector<uint8_t>(b.begin() + 128, b.begin() + 160), want);
  EXPECT_EQ(decode_rx(b.data() + 128).rx, d.rx);
  EXPECT_EQ(decode_rx(b.data() + 128).next, d.next);
  EXPECT_EQ(decode_rx(b.data() + 128).properties & props::kBufferSize, 1544u);
}

TEST(TsnepDesc, WriteBacksAndMetadata) {
  Block b = filled();
  TsnepTxWriteback w;
  w.properties = props::with_owner(props::kOwnerUserFlag | props::kExtendedWriteback, 1);
  w.counter = 0x0102030405060708;
  w.timestamp = 0x1112131415161718;
  w.dma_delay = reg::put_field(dma_delay::kFirstData, 3) | reg::put_field(dma_delay::kLastData, 5);
  encode(w, b.data());
  const std::vector<uint8_t> want = {0x00, 0x00, 0x08, 0x60, 0,    0,    0,    0,
                                     0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01,
                                     0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11,
                                     0x0C, 0x00, 0x14, 0x00, 0,    0,    0,    0};
  EXPECT_EQ(std::vector<uint8_t>(b.begin(), b.begin() + 32), want);
  EXPECT_EQ(b[32], 0xCC);
  EXPECT_EQ(decode_tx_writeback(b.data()).timestamp, w.timestamp);
  EXPECT_EQ(decode_tx_writeback(b.data()).counter, w.counter);
  encode(TsnepRxWriteback{props::with_owner(84, 2)}, b.data());
  EXPECT_EQ(decode_rx_writeback(b.data()).properties, 0x80000054u);
  encode(TsnepRxMetadata{7, 9}, b.data());
  EXPECT_EQ(decode_rx_metadata(b.data()).counter, 7u);
  EXPECT_EQ(base::load_le<uint64_t>(b.data() + 8), 9u);
}

TEST(TsnepDesc, BitsByNumber) {
  EXPECT_EQ(props::kLength, 0x3FFFu);
  EXPECT_EQ(props::kBufferSize, 0x3FFCu);
  EXPECT_EQ(props::kLastFragment, 1u << 16);
  EXPECT_EQ(props::kDataAfterDesc, 1u << 17);
  EXPECT_EQ(props::kInterrupt, 1u << 18);
  EXPECT_EQ(props::kExtendedWriteback, 1u << 19);
  EXPECT_EQ(props::kNoLink, 1u << 24);
  EXPECT_EQ(props::kOwnerUserFlag, 1u << 29);
  EXPECT_EQ(props::kOwnerCounter, 3u << 30);
  EXPECT_EQ(props::kTxOwnerMask, 7u << 29);
  EXPECT_EQ(props::kUnderrunError, 1u << 16);
}

// Activation k carries 1 + floor(k / 255) mod 3, and the slot the engine reaches next always holds
// the epoch before.
TEST(TsnepDesc, OwnerCounterClosedForm) {
  TsnepOwnership owner(kRingSize);
  std::array<uint32_t, 256> slots{};
  for (uint32_t k = 0; k < 200'000; ++k) {
    const uint32_t stale = slots[k % 256];
    slots[k % 256] = owner.activate(k % 256);
    const uint32_t now = slots[k % 256];
    ASSERT_EQ(now, 1 + k / 255 % 3) << k;
    const uint32_t next_stale = slots[(k + 1) % 256];
    ASSERT_FALSE(TsnepOwnership::is_new(next_stale, now)) << k;
    if (k >= 256) {
      ASSERT_FALSE(TsnepOwnership::completed(stale, now)) << k;
    }
  }
}

}  // namespace
}  // namespace doorbell::tsnep
