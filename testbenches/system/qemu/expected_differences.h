// The written list of points on which QEMU's FEC and the model are expected to differ.
//
// It is data: expected_differences.cc holds it, the test consults it, and the tables in
// docs/testplans/qemu-fec.md are printed from it. A row covers observations of the scripts it
// names; values are patterns in which '*' stands for any text. A difference must match exactly one
// row, and every row must meet a difference in each script it names.
#pragma once

#include <vector>

namespace doorbell::qemu {

/// Why the two differ.
enum class Verdict {
  kQemuLeavesOut,   // QEMU does not model it; the model follows the documents
  kQemuSimplifies,  // QEMU does it another way than the documents say
  kOtherPart,       // QEMU's board has another version of the block, or another PHY
  kOpen,            // no document decides; the model's choice is an assumption
  kHarness,         // the two observe the same thing at different points
};
/// Observations of one kind that differ.
struct DifferenceRow {
  const char* scripts;  // names, separated by a space
  const char* label;    // pattern
  const char* qemu;     // pattern of QEMU's value
  const char* model;    // pattern of the model's value
};

/// One point on which the two differ, and everything in which it shows.
struct ExpectedDifference {
  const char* id;
  Verdict verdict;
  const char* what;    // what each of them does, in one sentence
  const char* source;  // what the model's behaviour rests on
  std::vector<DifferenceRow> rows;
};

const std::vector<ExpectedDifference>& expected_differences();

}  // namespace doorbell::qemu
