// What QEMU is known to answer, so that an equal log cannot be two equal nothings.
//
// Each anchor is an observation of a script on QEMU with the value that was measured by hand over
// qtest on QEMU 7.2.22, independently of this test.
#pragma once

#include <string>
#include <vector>

#include "testbenches/system/qemu/observation.h"

namespace doorbell::qemu {

struct Anchor {
  const char* script;
  const char* label;
  const char* value;  // pattern
};
const std::vector<Anchor>& anchors();

/// One message for each anchor of `script` that `qemu` does not hold.
std::vector<std::string> missed_anchors(const std::string& script, const Log& qemu);

}  // namespace doorbell::qemu
