#include "sim/study/bench.h"

#include <algorithm>
#include <cstdio>

#include "sim/study/child.h"

namespace doorbell::study {
namespace {

using report::Json;

// Runs the command and parses its one JSON document. Status 1 (an expectation failed) is a result
// too.
base::Result<ChildOutput> run_command(const BenchOptions& options,
                                      const std::vector<std::string>& args) {
  auto output = run_child(options.program, args);
  if (output && output.value().status > 1) {
    return base::Error{"doorbell " + args.front() + " ended with status " +
                       std::to_string(output.value().status)};
  }
  return output;
}

base::Result<double> kernel_rate(const BenchOptions& options) {
  const auto output = run_command(options, {"kernel-rate"});
  if (!output) {
    return base::Error{output.error()};
  }
  const Json json = Json::parse(output.value().text, nullptr, false);
  if (!json.is_object() || !json.contains("kernel_events_per_s")) {
    return base::Error{"doorbell kernel-rate printed no rate"};
  }
  return json["kernel_events_per_s"].get<double>();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

const std::vector<std::string>& default_scenarios() {
  static const std::vector<std::string> kScenarios = {"fec-xdp-tx", "fec-xdp-drop", "fec-xdp-skb",
                                                      "fec-xdp-redirect", "fec-pcap-forward"};
  return kScenarios;
}

base::Result<BenchRow> row_from(const std::string& json_text) {
  const Json json = Json::parse(json_text, nullptr, false);
  if (!json.is_object() || !json.contains("wall") || !json.contains("sim") ||
      !json.contains("ledger")) {
    return base::Error{"not a result of doorbell run --json"};
  }
  BenchRow row;
  row.scenario = json.value("scenario", "");
  row.engine = json.value("engine", "");
  if (!json["ledger"].value("balanced", false)) {
    return base::Error{row.scenario + ": the ledger does not balance, so its speed does not count"};
  }
  const double seconds = json["wall"].value("seconds", 0.0);
  row.packets = json["sim"].value("packets", uint64_t{0});
  if (seconds <= 0 || row.packets == 0) {
    return base::Error{row.scenario + ": nothing was simulated"};
  }
  const auto packets = static_cast<double>(row.packets);
  row.packets_per_s = packets / seconds;
  row.crossed_per_s = json["sim"].value("crossed", 0.0) / seconds;
  row.slowdown = json["wall"].value("slowdown", 0.0);
  row.events_per_packet = json["sim"].value("events", 0.0) / packets;
  return row;
}

BenchRow median_row(std::vector<BenchRow> runs) {
  std::sort(runs.begin(), runs.end(),
            [](const BenchRow& a, const BenchRow& b) { return a.packets_per_s < b.packets_per_s; });
  return runs[runs.size() / 2];
}

base::Result<BenchResult> run_bench(const BenchOptions& options) {
  const auto& scenarios = options.scenarios.empty() ? default_scenarios() : options.scenarios;
  const auto count = static_cast<unsigned>(scenarios.size());
  BenchResult result;
  result.core = pin_to_one_core();
  std::vector<std::vector<BenchRow>> runs(count);
  std::vector<double> kernel;
  for (unsigned round = 0; round < options.repeat; ++round) {
    for (unsigned i = 0; i < count; ++i) {
      if (options.progress) {
        options.progress(round * count + i, options.repeat * count, scenarios[i]);
      }
      const auto output =
          run_command(options, {"run", scenarios[i], "--json", "--set",
                                "duration=" + options.duration, "--set", "measure=rest"});
      if (!output) {
        return base::Error{scenarios[i] + ": " + output.error()};
      }
      auto row = row_from(output.value().text);
      if (!row) {
        return base::Error{row.error()};
      }
      runs[i].push_back(row.take());
    }
    const auto rate = kernel_rate(options);
    if (!rate) {
      return base::Error{rate.error()};
    }
    kernel.push_back(rate.value());
  }
  for (auto& of_scenario : runs) {
    result.rows.push_back(median_row(std::move(of_scenario)));
  }
  result.kernel_events_per_s = median(std::move(kernel));
  return result;
}

Json bench_json(const BenchResult& result) {
  Json rows = Json::array();
  for (const auto& row : result.rows) {
    rows.push_back(Json{{"scenario", row.scenario},
                        {"engine", row.engine},
                        {"packets", row.packets},
                        {"packets_per_s", row.packets_per_s},
                        {"crossed_per_s", row.crossed_per_s},
                        {"slowdown", row.slowdown},
                        {"events_per_packet", row.events_per_packet}});
  }
  Json json;
  json["rows"] = std::move(rows);
  json["kernel_events_per_s"] = result.kernel_events_per_s;
  json["core"] = result.core;
  return json;
}

std::string bench_table(const BenchResult& result) {
  std::string text;
  char line[256];
  std::snprintf(line, sizeof line, "%-24s %-8s %10s %14s %14s %9s %8s\n", "scenario", "engine",
                "packets", "packets/s", "crossed/s", "slowdown", "events");
  text += line;
  for (const auto& row : result.rows) {
    std::snprintf(line, sizeof line, "%-24s %-8s %10llu %12.3f M %12.3f M %9.3f %8.2f\n",
                  row.scenario.c_str(), row.engine.c_str(),
                  static_cast<unsigned long long>(row.packets), row.packets_per_s / 1e6,
                  row.crossed_per_s / 1e6, row.slowdown, row.events_per_packet);
    text += line;
  }
  std::snprintf(
      line, sizeof line,
      "\nSystemC kernel, one pending timed event: %.1f M events/s. One core%s, median of "
      "runs taken in turns.\n",
      result.kernel_events_per_s / 1e6,
      result.core >= 0 ? (" (" + std::to_string(result.core) + ")").c_str() : ", not pinned");
  return text + line;
}

}  // namespace doorbell::study
