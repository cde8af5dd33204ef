// The part of docs/testplans/qemu-fec.md that is made from the scripts and the expected
// differences.
#pragma once

#include <string>

namespace doorbell::qemu {

/// `document` with everything behind its marker line made anew; empty if it has no marker.
std::string with_generated_part(const std::string& document);

}  // namespace doorbell::qemu
