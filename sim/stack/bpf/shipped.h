// The BPF programs that ship with Doorbell: sim/programs/*.c, compiled in the build.
//
// Their objects lie in $DOORBELL_PROGRAMS, else in the folder the build put them into. Without
// clang the build makes none, and shipped_program_path() of a name still answers where it would be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace doorbell::stack::bpf {

struct ShippedProgram {
  std::string_view name;
  std::string_view summary;
};

/// All of them, by name, whether or not their objects were built.
const std::vector<ShippedProgram>& shipped_programs();
bool is_shipped_program(std::string_view name);
/// Path of the object of a shipped program.
std::string shipped_program_path(std::string_view name);

}  // namespace doorbell::stack::bpf
