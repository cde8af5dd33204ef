#include <unistd.h>

#include <iostream>

#include "sim/app/app.h"

namespace doorbell::app {
namespace {

// SystemC's reports go to standard output, which belongs to the JSON document: while this lives
// they go to standard error instead.
class QuietStdout {
 public:
  explicit QuietStdout(bool on) {
    if (on) {
      std::cout.flush();
      saved_ = ::dup(STDOUT_FILENO);
      if (saved_ >= 0) {
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
      }
    }
  }
  ~QuietStdout() {
    if (saved_ >= 0) {
      std::cout.flush();
      ::dup2(saved_, STDOUT_FILENO);
      ::close(saved_);
    }
  }
  QuietStdout(const QuietStdout&) = delete;
  QuietStdout& operator=(const QuietStdout&) = delete;

 private:
  int saved_ = -1;
};

base::Result<run::Scenario> load(const RunArguments& arguments) {
  std::vector<run::Override> overrides;
  for (const auto& text : arguments.sets) {
    auto change = run::parse_override(text);
    if (!change) {
      return base::Error{change.error()};
    }
    overrides.push_back(change.take());
  }
  auto scenario = run::load_scenario(arguments.scenario, overrides);
  if (!scenario || arguments.engine.empty()) {
    return scenario;
  }
  // --engine is the engine of every nic, checked like any other override.
  for (const auto& nic : scenario.value().nics) {
    const bool only = scenario.value().nics.size() == 1;
    overrides.push_back({only ? "nic.engine" : "nic." + nic.name + ".engine", arguments.engine});
  }
  return run::load_scenario(arguments.scenario, overrides);
}

}  // namespace

int run_verb(const RunArguments& arguments, const Services& services) {
  const auto scenario = load(arguments);
  if (!scenario) {
    return bad_input(services, scenario.error());
  }
  const auto platform = run::platform_of(scenario.value());
  if (!platform) {
    return bad_input(services, platform.error());
  }
  if (arguments.out_dir.empty() && (arguments.pcap || arguments.trace)) {
    return bad_input(services, std::string(arguments.pcap ? "--pcap" : "--trace") +
                                   " needs a folder to write to; allowed: --out DIR");
  }
  if (!arguments.out_dir.empty()) {
    if (const auto ready = report::prepare_out_dir(arguments.out_dir); !ready) {
      return bad_input(services, ready.error());
    }
  }
  const run::RunOptions options{arguments.out_dir, arguments.check, arguments.engine,
                                arguments.pcap, arguments.trace};
  auto result = [&] {
    const QuietStdout quiet(arguments.json);
    return services.simulate(scenario.value(), platform.value(), options);
  }();
  if (!result) {
    return bad_input(services, result.error());
  }
  report::apply_expectations(result.value(), scenario.value().expect);
  for (const auto& outcome : result.value().expect) {
    if (outcome.got.is_null()) {
      return bad_input(services, scenario.value().path + ": key 'expect.\"" + outcome.key +
                                     "\"': names nothing in the result; allowed: a path in "
                                     "result.json, see --json");
    }
  }
  if (!arguments.out_dir.empty()) {
    if (const auto path = report::write_result(result.value(), arguments.out_dir); !path) {
      return bad_input(services, path.error());
    }
  }
  services.out << (arguments.json ? report::to_json(result.value()).dump(2) + "\n"
                                  : report::to_table(result.value()));
  return result.value().passed() ? kDone : kFailed;
}

}  // namespace doorbell::app
