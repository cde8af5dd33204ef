#include "testbenches/system/qemu/expected_differences.h"

namespace doorbell::qemu {

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kQemuLeavesOut:
      return "QEMU leaves it out";
    case Verdict::kQemuSimplifies:
      return "QEMU simplifies";
    case Verdict::kOtherPart:
      return "another part";
    case Verdict::kOpen:
      return "open";
    case Verdict::kHarness:
      return "point of view";
  }
  return "";
}

bool concerns(const ExpectedDifference& entry, const std::string& script) {
  return (" " + std::string(entry.scripts) + " ").find(" " + script + " ") != std::string::npos;
}

const std::vector<ExpectedDifference>& expected_differences() {
  static const std::vector<ExpectedDifference> kTable = {};
  return kTable;
}

}  // namespace doorbell::qemu
