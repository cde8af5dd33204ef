// Random streams: the same numbers for ever, independent names, and the shape of the distributions.
#include "models/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace doorbell::base {
namespace {

// An independent statement of xoshiro256** from its description, to check the stream's numbers.
struct Reference {
  std::array<uint64_t, 4> s{};
  static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  uint64_t next() {
    const uint64_t out = rotate(s[1] * 5, 7) * 9;
    const uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return out;
  }
};

TEST(Random, KnownNumbers) {
  // splitmix64 from state 0 begins with these published values; they seed the stream (0, "").
  Reference reference{
      {0xE220A8397B1DCDAFu, 0x6E789E6AA1B965F4u, 0x06C45D188009454Fu, 0xF88BB8A8724C81ECu}};
  Stream stream(0, "");
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(stream.next(), reference.next()) << "number " << i;
  }
}

TEST(Random, NamesAndSeedsAreIndependent) {
  Stream a(1, "traffic");
  Stream b(1, "traffic");
  Stream c(1, "pcie");
  Stream d(2, "traffic");
  int same_c = 0;
  int same_d = 0;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t value = a.next();
    ASSERT_EQ(value, b.next());
    same_c += value == c.next() ? 1 : 0;
    same_d += value == d.next() ? 1 : 0;
  }
  EXPECT_EQ(same_c, 0);
  EXPECT_EQ(same_d, 0);
}

TEST(Random, BelowIsUniformAndInRange) {
  Stream stream(3, "below");
  std::array<int, 10> bins{};
  for (int i = 0; i < 100000; ++i) {
    const uint64_t v = stream.below(10);
    ASSERT_LT(v, 10u);
    ++bins[v];
  }
  for (const int count : bins) {
    EXPECT_NEAR(count, 10000, 500);  // 5 sigma is 474
  }
  EXPECT_EQ(stream.below(1), 0u);
}

TEST(Random, BetweenIncludesBothEnds) {
  Stream stream(4, "between");
  bool low = false;
  bool high = false;
  for (int i = 0; i < 200; ++i) {
    const uint64_t v = stream.between(7, 9);
    ASSERT_GE(v, 7u);
    ASSERT_LE(v, 9u);
    low |= v == 7;
    high |= v == 9;
  }
  EXPECT_TRUE(low);
  EXPECT_TRUE(high);
}

TEST(Random, ExponentialHasItsMeanAndTail) {
  Stream stream(5, "exponential");
  constexpr int kSamples = 200000;
  const Picos mean(672000);
  double sum = 0;
  int beyond = 0;  // longer than twice the mean: e^-2 of them
  for (int i = 0; i < kSamples; ++i) {
    const Picos v = stream.exponential(mean);
    ASSERT_GE(v.count(), 0);
    sum += static_cast<double>(v.count());
    beyond += v > 2 * mean ? 1 : 0;
  }
  EXPECT_NEAR(sum / kSamples, 672000, 672000 * 0.012);  // 5 sigma
  EXPECT_NEAR(static_cast<double>(beyond) / kSamples, std::exp(-2.0), 0.004);
}

}  // namespace
}  // namespace doorbell::base
