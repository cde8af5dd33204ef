#include "sim/hal/checks/finding.h"

#include <cstdarg>
#include <cstdio>

namespace doorbell::hal::checks {

std::string text(const char* format, ...) {
  char buffer[512];
  va_list args;
  va_start(args, format);
  std::vsnprintf(buffer, sizeof(buffer), format, args);  // NOLINT: va_start is one line up
  va_end(args);
  return buffer;
}

std::vector<Finding> FindingLog::broken() const {
  std::vector<Finding> result;
  for (const Finding& finding : findings_) {
    if (finding.count != 0) result.push_back(finding);
  }
  return result;
}

}  // namespace doorbell::hal::checks
