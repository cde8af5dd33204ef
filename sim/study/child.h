// Runs a program and collects what it prints: bench needs a process per run, since SystemC
// elaborates once per process.
#pragma once

#include <string>
#include <vector>

#include "models/base/result.h"

namespace doorbell::study {

struct ChildOutput {
  int status = 0;    // exit status; 128 + signal when it was killed
  std::string text;  // standard output
};

/// Runs `path` with `args` (without the program's name) and waits. Standard error is the caller's.
base::Result<ChildOutput> run_child(const std::string& path, const std::vector<std::string>& args);

/// Path of the running program.
std::string own_path();

/// Keeps this process and its children on one core, the last it may use. Returns the core, -1 when
/// the system refuses: then nothing changes.
int pin_to_one_core();

}  // namespace doorbell::study
