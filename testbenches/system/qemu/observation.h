// What a script saw on one target, and how two such lists are compared.
//
// An observation is a label and a value, both text; a script makes the same labels in the same
// order on every target. compare() explains each pair that differs by the table of expected
// differences (expected_differences.h) and reports what it cannot explain, and what the table
// promises but did not happen.
#pragma once

#include <string>
#include <vector>

#include "testbenches/system/qemu/expected_differences.h"

namespace doorbell::qemu {

struct Observation {
  std::string label;
  std::string value;
  std::string detail;  // not compared: printed when the values differ
};
using Log = std::vector<Observation>;

/// '*' stands for any text, also none; everything else for itself.
bool matches(const std::string& pattern, const std::string& text);

struct Comparison {
  std::vector<std::string> unexplained;  // one message each; empty is a pass
  std::vector<std::string> stale;        // rows for this script that met no difference
  size_t equal = 0;
  size_t explained = 0;
};
Comparison compare(const std::string& script, const Log& qemu, const Log& model,
                   const std::vector<ExpectedDifference>& table);

}  // namespace doorbell::qemu
