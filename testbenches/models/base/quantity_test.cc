// Quantities with units: accepted spellings, rounding, and refusals that say what is allowed.
#include "models/base/quantity.h"

#include <gtest/gtest.h>

namespace doorbell::base {
namespace {

TEST(Quantity, Times) {
  EXPECT_EQ(parse_time("100 ms").value(), Picos(100000000000));
  EXPECT_EQ(parse_time("1.5 us").value(), Picos(1500000));
  EXPECT_EQ(parse_time("12ns").value(), Picos(12000));
  EXPECT_EQ(parse_time("0 s").value(), Picos(0));
  EXPECT_EQ(parse_time("0.4 ps").value(), Picos(0));  // rounds to the step
  EXPECT_EQ(parse_time("0.5 ps").value(), Picos(1));
}

TEST(Quantity, SizesAreWholeBytes) {
  EXPECT_EQ(parse_bytes("64 B").value(), 64u);
  EXPECT_EQ(parse_bytes("2 KiB").value(), 2048u);
  EXPECT_EQ(parse_bytes("0.5 KiB").value(), 512u);
  EXPECT_EQ(parse_bytes("4 kB").value(), 4000u);
  EXPECT_EQ(parse_bytes("1.5 B").error(), "'1.5 B' is not a whole number of bytes");
}

TEST(Quantity, Rates) {
  EXPECT_EQ(parse_bit_rate("1 Gb/s").value().count(), 1000000000u);
  EXPECT_EQ(parse_bit_rate("9600 b/s").value().count(), 9600u);
  EXPECT_EQ(parse_frequency("266.666666 MHz").value().count(), 266666666u);
  EXPECT_EQ(parse_packet_rate("353.6 kpps").value(), 353600u);
  EXPECT_EQ(parse_packet_rate("1.488 Mpps").value(), 1488000u);
  EXPECT_DOUBLE_EQ(parse_percent("5 %").value(), 0.05);
}

TEST(Quantity, RefusalsNameTheReason) {
  const char* units = " (a number and one of: ps, ns, us, ms, s)";
  const auto reason = [&](const char* why) { return std::string(why) + units; };
  EXPECT_EQ(parse_time("10").error(), reason("'10' is not a time: the unit is missing"));
  EXPECT_EQ(parse_time("10 B").error(), reason("'10 B' is not a time: the unit is wrong"));
  EXPECT_EQ(parse_time("10 Ms").error(), reason("'10 Ms' is not a time: the unit is wrong"));
  EXPECT_EQ(parse_time("-1 s").error(), reason("'-1 s' is not a time: it is negative"));
  EXPECT_EQ(parse_time("1e9 s").error(), reason("'1e9 s' is not a time: it is too large"));
  EXPECT_EQ(parse_time("ten s").error(),
            reason("'ten s' is not a time: it does not start with a number"));
  EXPECT_EQ(parse_time("").error(), reason("'' is not a time: it does not start with a number"));
  EXPECT_EQ(parse_time("inf s").error(),
            reason("'inf s' is not a time: it does not start with a number"));
  EXPECT_EQ(parse_time("nan s").error(),
            reason("'nan s' is not a time: it does not start with a number"));
  EXPECT_FALSE(parse_time("10 s ").ok());
}

TEST(Quantity, FormatsRoundTrip) {
  EXPECT_EQ(format_time(Picos(999840000)), "999.84 us");
  EXPECT_EQ(format_time(Picos(0)), "0 ps");
  EXPECT_EQ(format_time(Picos(2000000000000)), "2 s");
  EXPECT_EQ(format_bit_rate(BitsPerSecond(1000000000)), "1 Gb/s");
  for (const int64_t ps : {1LL, 999LL, 12345678LL, 672000LL, 100000000000LL}) {
    EXPECT_EQ(parse_time(format_time(Picos(ps))).value(), Picos(ps));
  }
}

}  // namespace
}  // namespace doorbell::base
