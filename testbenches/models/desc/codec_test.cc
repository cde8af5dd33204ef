// Little-endian bit fields: golden bytes, neighbours untouched, range refused.
#include "models/desc/codec.h"

#include <gtest/gtest.h>

#include <array>

namespace doorbell::desc {
namespace {

using Bytes = std::array<uint8_t, 12>;

TEST(LeField, WordIsTheSmallestThatHolds) {
  EXPECT_EQ((LeField<0, 0, 8>::kEnd), 1u);
  EXPECT_EQ((LeField<0, 1, 8>::kEnd), 2u);
  EXPECT_EQ((LeField<2, 14, 3>::kEnd), 6u);
  EXPECT_EQ((LeField<4, 30, 3>::kEnd), 12u);
}

TEST(LeField, PutsAtTheNamedBitsOnly) {
  Bytes bytes;
  bytes.fill(0xFF);
  ASSERT_TRUE((LeField<1, 4, 8>::put(bytes.data(), 0x5A)));  // 11:4 of the word at byte 1
  EXPECT_EQ(bytes, (Bytes{0xFF, 0xAF, 0xF5, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}));
  EXPECT_EQ((LeField<1, 4, 8>::get(bytes.data())), 0x5Au);
  bytes.fill(0);
  ASSERT_TRUE((LeField<4, 34, 14>::put(bytes.data(), 0x2BCD)));
  EXPECT_EQ(bytes, (Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0x34, 0xAF, 0, 0}));
  EXPECT_EQ((LeField<4, 34, 14>::get(bytes.data())), 0x2BCDu);
}

TEST(LeField, WholeWords) {
  Bytes bytes{};
  ASSERT_TRUE((LeField<2, 0, 64>::put(bytes.data(), 0x0123456789ABCDEFu)));
  EXPECT_EQ(bytes, (Bytes{0, 0, 0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01, 0, 0}));
  EXPECT_EQ((LeField<2, 0, 64>::get(bytes.data())), 0x0123456789ABCDEFu);
}

TEST(LeField, RefusesWhatDoesNotFitAndStoresNothing) {
  Bytes bytes{};
  EXPECT_TRUE((LeField<0, 0, 14>::put(bytes.data(), 0x3FFF)));
  EXPECT_FALSE((LeField<0, 0, 14>::put(bytes.data(), 0x4000)));
  EXPECT_EQ((LeField<0, 0, 14>::get(bytes.data())), 0x3FFFu);
  EXPECT_FALSE((LeField<0, 0, 1>::fits(2)));
  EXPECT_TRUE((LeField<0, 0, 64>::fits(~uint64_t{0})));
}

}  // namespace
}  // namespace doorbell::desc
