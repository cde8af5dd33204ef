// The `doorbell` command: verbs, options, exit statuses. Argument parsing only; the work is
// elsewhere.
//
// Exit status: 0 done and all expectations hold; 1 an expectation, check or ledger failed; 2 bad
// input, with one message on standard error; 3 a defect of doorbell. With --json, standard output
// holds one JSON document and nothing else.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "models/base/result.h"
#include "sim/report/result.h"
#include "sim/run/platform.h"
#include "sim/run/scenario.h"
#include "sim/run/simulation.h"

namespace doorbell::app {

enum ExitStatus : int { kDone = 0, kFailed = 1, kBadInput = 2, kDefect = 3 };

/// What the command calls and where it prints; main() fills in the real ones.
struct Services {
  std::function<base::Result<report::RunResult>(const run::Scenario&, const run::Platform&,
                                                const run::RunOptions&)>
      simulate;
  std::ostream& out;
  std::ostream& err;
};

/// Runs the command line `args`, without the program's name. Throws nothing.
int main_with(const std::vector<std::string>& args, const Services& services);

struct RunArguments {
  std::string scenario;
  std::vector<std::string> sets;
  std::string out_dir;
  std::string engine;
  bool check = false;
  bool pcap = false;
  bool trace = false;
  bool json = false;
};
int run_verb(const RunArguments& arguments, const Services& services);

int list_verb(bool json, const Services& services);

/// `subject` is a device, a platform or "traffic"; `section` narrows a device's description.
int describe_verb(const std::string& subject, const std::string& section, bool json,
                  const Services& services);

/// Prints the one message of bad input.
int bad_input(const Services& services, const std::string& message);

}  // namespace doorbell::app
