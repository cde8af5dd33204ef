// Expectations: what a scenario says its result must be, and whether it is.
//
// A key is a dotted path into result.json ("tx.pps", "drops.rx_fifo_overflow",
// "cpu.0.busy_percent"). A number is compared exactly or within a relative tolerance, or against
// min and max; booleans and strings are compared exactly. A key the result lacks counts as 0 for
// drops.*, counters.* and statistics.* (a drop that never happened is not listed) and otherwise
// fails with the reason.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

namespace doorbell::report {

using Json = nlohmann::ordered_json;

struct Expectation {
  std::string key;
  /// What is wanted exactly; for numbers widened by `tolerance`. Unset when min or max is given.
  std::variant<std::monostate, bool, int64_t, double, std::string> value;
  double tolerance = 0;  // fraction of the wanted number
  std::optional<double> min;
  std::optional<double> max;
  int line = 0;  // of the scenario file
};

/// Outcome of one expectation, as result.json lists it.
struct ExpectResult {
  std::string key;
  std::string want;  // "353600 within 5 %", "at least 1", "true"
  Json got;          // null when the result has no such key
  bool pass = false;
};

std::string describe_want(const Expectation& expectation);
std::vector<ExpectResult> evaluate(const std::vector<Expectation>& expectations,
                                   const Json& result);

}  // namespace doorbell::report
