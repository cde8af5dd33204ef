#include "testbenches/system/qemu/test_plan.h"

#include "testbenches/system/qemu/expected_differences.h"
#include "testbenches/system/qemu/scripts.h"

namespace doorbell::qemu {

namespace {

constexpr const char* kMarker = "<!-- Made by test_system_qemu from its tables: do not edit. -->\n";

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kQemuLeavesOut:
      return "QEMU leaves it out";
    case Verdict::kQemuSimplifies:
      return "QEMU does otherwise";
    case Verdict::kOtherPart:
      return "another part";
    case Verdict::kOpen:
      return "open";
    case Verdict::kHarness:
      return "point of view";
  }
  return "";
}

/// In a code span, so that '*' and '_' stay what they are.
std::string code(const std::string& text) {
  return "`" + text + "`";
}

std::string script_table() {
  std::string text = "## Scripts\n\n| script | what it does |\n|---|---|\n";
  for (const Script& script : scripts()) {
    text += "| " + code(script.name) + " | " + script.what + " |\n";
  }
  return text;
}

std::string difference_table() {
  std::string text =
      "\n## Expected differences\n\n"
      "| difference | why | what each does | the model rests on |\n|---|---|---|---|\n";
  for (const ExpectedDifference& entry : expected_differences()) {
    text += "| " + code(entry.id) + " | " + name(entry.verdict) + " | " + entry.what + " | " +
            entry.source + " |\n";
  }
  text +=
      "\n## Where each shows\n\n"
      "| difference | scripts | observation | QEMU | model |\n|---|---|---|---|---|\n";
  for (const ExpectedDifference& entry : expected_differences()) {
    for (const DifferenceRow& row : entry.rows) {
      text += "| " + code(entry.id) + " | " + code(row.scripts) + " | " + code(row.label) + " | " +
              code(row.qemu) + " | " + code(row.model) + " |\n";
    }
  }
  return text;
}

}  // namespace

std::string with_generated_part(const std::string& document) {
  const size_t at = document.find(kMarker);
  if (at == std::string::npos) return "";
  return document.substr(0, at) + kMarker + "\n" + script_table() + difference_table();
}

}  // namespace doorbell::qemu
