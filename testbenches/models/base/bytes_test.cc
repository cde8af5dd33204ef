// Byte views and named byte orders, at every alignment.
#include "models/base/bytes.h"

#include <gtest/gtest.h>

#include <array>

#include "models/base/units.h"

namespace doorbell::base {
namespace {

TEST(Bytes, OrdersAreWhatTheySay) {
  const std::array<uint8_t, 8> raw{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08};
  EXPECT_EQ(load_le<uint16_t>(raw.data()), 0x0201u);
  EXPECT_EQ(load_le<uint32_t>(raw.data()), 0x04030201u);
  EXPECT_EQ(load_le<uint64_t>(raw.data()), 0x0807060504030201u);
  EXPECT_EQ(load_be16(raw.data()), 0x0102u);
  EXPECT_EQ(load_be32(raw.data()), 0x01020304u);
  EXPECT_EQ(load_be64(raw.data()), 0x0102030405060708u);
}

TEST(Bytes, StoresRoundTripAtEveryAlignment) {
  for (size_t offset = 0; offset < 8; ++offset) {
    std::array<uint8_t, 24> raw{};
    store_be32(raw.data() + offset, 0xA1B2C3D4u);
    EXPECT_EQ(raw[offset], 0xA1);
    EXPECT_EQ(raw[offset + 3], 0xD4);
    EXPECT_EQ(load_be32(raw.data() + offset), 0xA1B2C3D4u);
    store_le<uint64_t>(raw.data() + offset, 0x1122334455667788u);
    EXPECT_EQ(raw[offset], 0x88);
    EXPECT_EQ(load_be64(raw.data() + offset), 0x8877665544332211u);
    store_be16(raw.data() + offset, 0x8808);
    EXPECT_EQ(raw[offset], 0x88);
    EXPECT_EQ(raw[offset + 1], 0x08);
    store_be64(raw.data() + offset, 5);
    EXPECT_EQ(raw[offset + 7], 5);
  }
}

TEST(Bytes, ViewsShareTheirBytes) {
  std::array<uint8_t, 4> raw{1, 2, 3, 4};
  MutByteView all{raw.data(), raw.size()};
  MutByteView tail = all.sub(2, 2);
  tail[0] = 9;
  const ByteView view = all;
  EXPECT_EQ(view[2], 9);
  EXPECT_EQ(view.sub(4, 0).size, 0u);
  int sum = 0;
  for (const uint8_t b : view) {
    sum += b;
  }
  EXPECT_EQ(sum, 1 + 2 + 9 + 4);
}

TEST(Bytes, BitFields) {
  EXPECT_EQ(bits(0xDEADBEEFu, 31, 0), 0xDEADBEEFu);
  EXPECT_EQ(bits(0xDEADBEEFu, 31, 28), 0xDu);
  EXPECT_EQ(bits(0xDEADBEEFu, 7, 4), 0xEu);
  EXPECT_EQ(bit(31), 0x80000000u);
}

TEST(Units, RatesRoundToTheNearestPicosecond) {
  EXPECT_EQ(BitsPerSecond(1000000000).time_for_bytes(84), Picos(672000));
  EXPECT_EQ(Hertz(266666666).cycles(1), Picos(3750));
  EXPECT_EQ(Hertz(266666666).cycles(266666666), Picos(1000000000000));
  EXPECT_EQ(Hertz(3).cycles(1), Picos(333333333333));
  EXPECT_EQ(Hertz(3).cycles(2), Picos(666666666667));
}

}  // namespace
}  // namespace doorbell::base
