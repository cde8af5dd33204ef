// Expectations: paths into a result, comparison rules, and what a failure says.
#include "sim/report/expect.h"

#include <gtest/gtest.h>

namespace doorbell::report {
namespace {

Json sample() {
  return Json::parse(R"({
    "tx": {"pps": 353000.5, "packets": 35300},
    "drops": {"rx ring empty": 12},
    "counters": {"fec.rx.packets": 7, "fec": {"rx": 1}},
    "ledger": {"balanced": true},
    "cpu": [{"busy_percent": 99.9}],
    "bottleneck": {"resource": "cpu0"}
  })");
}

ExpectResult check(Expectation e) {
  return evaluate({std::move(e)}, sample()).at(0);
}

Expectation number(std::string key, double value, double tolerance = 0) {
  Expectation e;
  e.key = std::move(key);
  e.value = value;
  e.tolerance = tolerance;
  return e;
}

TEST(Expect, NumberWithinTolerance) {
  const auto pass = check(number("tx.pps", 353600, 0.05));
  EXPECT_TRUE(pass.pass);
  EXPECT_EQ(pass.want, "353600 within 5 %");
  EXPECT_EQ(pass.got, 353000.5);
  EXPECT_FALSE(check(number("tx.pps", 353600, 0.001)).pass);
  EXPECT_FALSE(check(number("tx.pps", 353600)).pass);
}

TEST(Expect, ToleranceIncludesItsEnds) {
  EXPECT_TRUE(check(number("tx.packets", 40000, 0.1175)).pass);
  EXPECT_FALSE(check(number("tx.packets", 40000, 0.1174)).pass);
}

TEST(Expect, ExactInteger) {
  Expectation e;
  e.key = "tx.packets";
  e.value = int64_t{35300};
  EXPECT_TRUE(check(e).pass);
  e.value = int64_t{35301};
  EXPECT_FALSE(check(e).pass);
}

TEST(Expect, MinAndMax) {
  Expectation e;
  e.key = "tx.packets";
  e.min = 35300;
  EXPECT_TRUE(check(e).pass);
  EXPECT_EQ(check(e).want, "at least 35300");
  e.max = 35300;
  EXPECT_TRUE(check(e).pass);
  EXPECT_EQ(check(e).want, "at least 35300 and at most 35300");
  e.min.reset();
  e.max = 35299;
  EXPECT_FALSE(check(e).pass);
  EXPECT_EQ(check(e).want, "at most 35299");
}

TEST(Expect, BooleansAndText) {
  Expectation e;
  e.key = "ledger.balanced";
  e.value = true;
  EXPECT_TRUE(check(e).pass);
  e.value = false;
  EXPECT_FALSE(check(e).pass);
  e.key = "bottleneck.resource";
  e.value = std::string("cpu0");
  EXPECT_TRUE(check(e).pass);
  e.value = std::string("wire");
  EXPECT_FALSE(check(e).pass);
  EXPECT_EQ(check(e).want, "\"wire\"");
}

TEST(Expect, ListsAndNamesWithDots) {
  EXPECT_TRUE(check(number("cpu.0.busy_percent", 99.9)).pass);
  EXPECT_TRUE(check(number("cpu.1.busy_percent", 99.9)).got.is_null());
  EXPECT_EQ(check(number("counters.fec.rx.packets", 7)).got, 7);
  EXPECT_EQ(check(number("counters.fec.rx", 1)).got, 1);
  EXPECT_TRUE(check(number("drops.rx ring empty", 12)).pass);
}

TEST(Expect, WhatTheResultDoesNotHaveFails) {
  for (const char* key : {"drops.fifo overflow", "counters.fec.rx_pakets", "tx.bits"}) {
    const auto unknown = check(number(key, 0));
    EXPECT_FALSE(unknown.pass) << key;
    EXPECT_TRUE(unknown.got.is_null()) << key;
  }
}

TEST(Expect, WrongTypeFails) {
  Expectation e;
  e.key = "tx.pps";
  e.value = std::string("fast");
  EXPECT_FALSE(check(e).pass);
  EXPECT_FALSE(check(number("ledger", 1)).pass);
  EXPECT_FALSE(check(number("", 1)).pass);
}

}  // namespace
}  // namespace doorbell::report
