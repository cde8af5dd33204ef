#include "models/probe/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "models/base/random.h"

namespace doorbell::probe {
namespace {

using base::Picos;
using namespace base::literals;

TEST(Histogram, EmptyIsAllZero) {
  Histogram h;
  EXPECT_EQ(h.count(), 0u);
  EXPECT_EQ(h.max(), 0_ps);
  EXPECT_EQ(h.min(), 0_ps);
  EXPECT_EQ(h.mean(), 0_ps);
  EXPECT_EQ(h.percentile(99), 0_ps);
}

TEST(Histogram, OneValueIsEveryPercentile) {
  Histogram h;
  h.record(672_ns);
  for (const double p : {0.0, 50.0, 99.9, 100.0}) EXPECT_EQ(h.percentile(p), 672_ns);
  EXPECT_EQ(h.mean(), 672_ns);
}

TEST(Histogram, BucketsTileTheRangeWithoutGapOrOverlap) {
  using histogram_detail::index_of;
  using histogram_detail::upper_bound_of;
  uint64_t low = 0;
  for (size_t i = 0; i + 1 < histogram_detail::kBuckets; ++i) {
    const uint64_t high = upper_bound_of(i);
    ASSERT_EQ(index_of(low), i);
    ASSERT_EQ(index_of(high), i);
    ASSERT_EQ(index_of(high + 1), i + 1);
    ASSERT_LE(high - low, low / 128) << "relative width";
    low = high + 1;
  }
}

TEST(Histogram, PercentilesAreWithinOnePercentOfSortedValues) {
  auto h = std::make_unique<Histogram>();
  base::Stream stream(7, "histogram");
  std::vector<int64_t> values;
  for (int i = 0; i < 20000; ++i) {
    const Picos v = stream.exponential(50_us) + 1_ns;
    values.push_back(v.count());
    h->record(v);
  }
  std::sort(values.begin(), values.end());
  for (const double p : {1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    const auto rank = static_cast<size_t>(std::ceil(p / 100 * 20000));
    const auto exact = static_cast<double>(values[rank - 1]);
    const auto got = static_cast<double>(h->percentile(p).count());
    EXPECT_GE(got, exact) << p;
    EXPECT_LE(got, exact * 1.008) << p;
  }
  EXPECT_EQ(h->max().count(), values.back());
  EXPECT_EQ(h->min().count(), values.front());
}

TEST(Histogram, OverHundredSecondsStillHasItsExactMaximum) {
  Histogram h;
  h.record(1_ns);
  h.record(250_s);
  EXPECT_EQ(h.max(), 250_s);
  EXPECT_EQ(h.percentile(100), 250_s);
  EXPECT_EQ(h.percentile(50).count(), 1003);  // bucket of 1000..1003 ps
}

TEST(Histogram, MeanDoesNotOverflow) {
  Histogram h;
  for (int i = 0; i < 1000; ++i) h.record(Picos(INT64_MAX / 2));
  EXPECT_EQ(h.mean().count(), INT64_MAX / 2);
  h.reset();
  EXPECT_EQ(h.count(), 0u);
}

}  // namespace
}  // namespace doorbell::probe
