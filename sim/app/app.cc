#include "sim/app/app.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>

#include "models/base/params.h"
#include "models/base/quantity.h"
#include "sim/study/bench.h"
#include "sim/study/child.h"
#include "sim/study/kernel_rate.h"

namespace doorbell::app {
namespace {

constexpr const char* kVersion = "doorbell 0.1.0";
constexpr const char* kKernelRate = "kernel-rate";
constexpr std::string_view kVerbs[] = {"run", "list", "describe", "bench"};

struct BenchArguments {
  std::vector<std::string> scenarios;
  unsigned repeat = 5;
  std::string duration;
  bool json = false;
};

// The cases to measure, or the refusal of a name or a duration: before minutes of work.
base::Result<std::vector<study::BenchCase>> bench_cases(const BenchArguments& arguments) {
  std::vector<study::BenchCase> cases;
  for (const auto& known : study::default_cases()) {
    const auto& names = arguments.scenarios;
    const bool asked =
        names.empty() || (known.variant.empty() &&
                          std::find(names.begin(), names.end(), known.scenario) != names.end());
    if (asked) {
      cases.push_back(known);
    }
  }
  for (const auto& name : arguments.scenarios) {
    const bool known = std::any_of(cases.begin(), cases.end(),
                                   [&](const auto& one) { return one.scenario == name; });
    if (!known) {
      const auto scenario = run::load_scenario(name);
      if (!scenario) {
        return base::Error{scenario.error()};
      }
      cases.push_back({name, "", base::format_time(scenario.value().duration), {}});
    }
  }
  for (auto& one : cases) {
    if (!arguments.duration.empty()) {
      one.duration = arguments.duration;
    }
    const auto scenario =
        run::load_scenario(one.scenario, {{"duration", one.duration}, {"measure", "rest"}});
    if (!scenario) {
      return base::Error{scenario.error()};
    }
  }
  return cases;
}

int bench_verb(const BenchArguments& arguments, const Services& services) {
  study::BenchOptions options;
  options.program = study::own_path();
  auto cases = bench_cases(arguments);
  if (!cases) {
    return bad_input(services, cases.error());
  }
  options.cases = cases.take();
  options.repeat = arguments.repeat;
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  if (terminal) {
    options.progress = [&](unsigned done, unsigned total, const std::string& scenario) {
      services.err << "\r\033[K" << done << "/" << total << "  " << scenario << std::flush;
    };
  }
  const auto result = study::run_bench(options);
  if (terminal) {
    services.err << "\r\033[K" << std::flush;
  }
  if (!result) {
    services.err << "doorbell: " << result.error() << "\n";
    return kFailed;
  }
  services.out << (arguments.json ? study::bench_json(result.value()).dump(2) + "\n"
                                  : study::bench_table(result.value()));
  return kDone;
}

int kernel_rate_verb(const Services& services) {
  constexpr uint64_t kEvents = 5'000'000;
  services.out
      << report::Json{{"kernel_events_per_s", study::kernel_events_per_second(kEvents)}}.dump()
      << "\n";
  return kDone;
}

// The command line as CLI11 sees it, and what was chosen.
struct Parser {
  CLI::App app{"Doorbell: a cycle-approximate NIC simulator", "doorbell"};
  RunArguments run;
  BenchArguments bench;
  std::string subject;
  std::string section;
  bool json = false;
  CLI::App* run_app = nullptr;
  CLI::App* list_app = nullptr;
  CLI::App* describe_app = nullptr;
  CLI::App* bench_app = nullptr;
  CLI::App* kernel_app = nullptr;

  Parser() {
    app.set_version_flag("--version", kVersion);
    app.require_subcommand(1);
    add_run();
    list_app = app.add_subcommand("list", "scenarios, devices and platforms");
    list_app->add_flag("--json", json, "one JSON document");
    describe_app = app.add_subcommand("describe", "a device, a platform, or the keys of [traffic]");
    describe_app->add_option("subject", subject, "a device, a platform, or traffic")->required();
    describe_app->add_option("section", section, "registers, descriptors or parameters");
    describe_app->add_flag("--json", json, "one JSON document");
    bench_app = app.add_subcommand("bench", "simulation speed");
    bench_app->add_option("scenario", bench.scenarios, "scenarios (default: a small set)");
    bench_app->add_option("--repeat", bench.repeat, "runs of each, the median counts")
        ->check(CLI::Range(1, 99));
    bench_app->add_option("--duration", bench.duration, "simulated time of each run");
    bench_app->add_flag("--json", bench.json, "one JSON document");
    // Only bench calls it: the kernel can elaborate once a process.
    kernel_app = app.add_subcommand(kKernelRate)->group("");
  }

  void add_run() {
    run_app = app.add_subcommand("run", "one scenario");
    run_app->add_option("scenario", run.scenario, "name of a shipped scenario, or a file")
        ->required();
    run_app->add_option("--set", run.sets, "KEY=VALUE, overrides a key of the scenario")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    run_app->add_option("--out", run.out_dir, "folder for result.json and other files");
    run_app->add_option("--engine", run.engine, "tlm; rtl and lockstep where a device has them");
    run_app->add_flag("--check", run.check, "DMA sanitizer and ring checks");
    run_app->add_flag("--pcap", run.pcap, "write packets.pcap");
    run_app->add_flag("--trace", run.trace, "write trace.json");
    run_app->add_flag("--json", run.json, "one JSON document");
  }
};

int dispatch(Parser& parser, const Services& services) {
  if (parser.run_app->parsed()) {
    return run_verb(parser.run, services);
  }
  if (parser.list_app->parsed()) {
    return list_verb(parser.json, services);
  }
  if (parser.describe_app->parsed()) {
    return describe_verb(parser.subject, parser.section, parser.json, services);
  }
  if (parser.bench_app->parsed()) {
    return bench_verb(parser.bench, services);
  }
  return kernel_rate_verb(services);
}

int parse_and_run(const std::vector<std::string>& args, const Services& services) {
  Parser parser;
  if (args.empty()) {
    services.err << parser.app.help();
    return kBadInput;
  }
  const std::string& verb = args.front();
  const bool is_option = verb.substr(0, 1) == "-";
  const auto* known = std::find(std::begin(kVerbs), std::end(kVerbs), verb);
  if (!is_option && known == std::end(kVerbs) && verb != kKernelRate) {
    return bad_input(
        services, "verb '" + verb + "': " +
                      base::unknown_name(verb, {std::begin(kVerbs), std::end(kVerbs)}).message());
  }
  try {
    parser.app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::CallForVersion&) {
    services.out << kVersion << "\n";
    return kDone;
  } catch (const CLI::CallForHelp&) {
    const auto chosen = parser.app.get_subcommands();
    services.out << (chosen.empty() ? parser.app.help() : chosen.front()->help());
    return kDone;
  } catch (const CLI::ParseError& error) {
    return bad_input(services, std::string(error.what()) + "; see doorbell " +
                                   (is_option ? "--help" : verb + " --help"));
  }
  return dispatch(parser, services);
}

}  // namespace

int bad_input(const Services& services, const std::string& message) {
  services.err << "doorbell: " << message << "\n";
  return kBadInput;
}

int main_with(const std::vector<std::string>& args, const Services& services) {
  try {
    const int status = parse_and_run(args, services);
    services.out.flush();
    if (!services.out) {
      services.err << "doorbell: cannot write to standard output\n";
      return kBadInput;
    }
    return status;
  } catch (const std::exception& error) {
    services.err << "doorbell: defect: " << error.what() << "\n";
  } catch (...) {
    services.err << "doorbell: defect: unknown exception\n";
  }
  return kDefect;
}

}  // namespace doorbell::app
