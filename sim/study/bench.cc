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

constexpr unsigned kManyQueues = 64;
constexpr unsigned kQueuePackets = 1'500'000;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

base::Result<BenchRow> measure(const BenchOptions& options, const BenchCase& one) {
  std::vector<std::string> args = {
      "run", one.scenario, "--json", "--set", "duration=" + one.duration, "--set", "measure=rest"};
  for (const auto& change : one.sets) {
    args.insert(args.end(), {"--set", change});
  }
  const auto output = run_command(options, args);
  if (!output) {
    return base::Error{one.scenario + ": " + output.error()};
  }
  auto row = row_from(output.value().text);
  if (row) {
    row.value().variant = one.variant;
  }
  return row;
}

double queue_cost_ratio(const std::vector<BenchRow>& rows) {
  double one = 0;
  double many = 0;
  for (const auto& row : rows) {
    one = row.variant == "1 queue" ? row.packets_per_s : one;
    many = row.variant == std::to_string(kManyQueues) + " queues" ? row.packets_per_s : many;
  }
  return many > 0 ? one / many : 0;
}

}  // namespace

const std::vector<BenchCase>& default_cases() {
  static const std::vector<BenchCase> kCases = [] {
    std::vector<BenchCase> cases;
    for (const char* name :
         {"fec-xdp-tx", "fec-xdp-drop", "fec-xdp-skb", "fec-xdp-redirect", "fec-pcap-forward"}) {
      cases.push_back({name, "", "2 s", {}});
    }
    for (const char* name : {"ice-xdp-tx", "ice-xdp-tx-before", "ice-xdp-drop"}) {
      cases.push_back({name, "", "20 ms", {}});
    }
    // The same load a queue, and as many packets in all.
    for (const unsigned queues : {1u, 4u, 16u, kManyQueues}) {
      const std::string n = std::to_string(queues);
      cases.push_back({"ice-xdp-tx",
                       n + (queues == 1 ? " queue" : " queues"),
                       std::to_string(kQueuePackets / queues) + " us",
                       {"driver.queues=" + n, "traffic.rate=" + n + " Mpps", "traffic.flows=1024",
                        "warmup=100 us"}});
    }
    return cases;
  }();
  return kCases;
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
  const auto& cases = options.cases;
  const auto count = static_cast<unsigned>(cases.size());
  BenchResult result;
  result.core = pin_to_one_core();
  std::vector<std::vector<BenchRow>> runs(count);
  std::vector<double> kernel;
  for (unsigned round = 0; round < options.repeat; ++round) {
    for (unsigned i = 0; i < count; ++i) {
      if (options.progress) {
        options.progress(round * count + i, options.repeat * count, cases[i].scenario);
      }
      auto row = measure(options, cases[i]);
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
  result.queue_cost_ratio = queue_cost_ratio(result.rows);
  return result;
}

Json bench_json(const BenchResult& result) {
  Json rows = Json::array();
  for (const auto& row : result.rows) {
    rows.push_back(Json{{"scenario", row.scenario},
                        {"variant", row.variant},
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
  if (result.queue_cost_ratio > 0) {
    json["queue_cost_ratio"] = result.queue_cost_ratio;
  }
  json["core"] = result.core;
  return json;
}

std::string bench_table(const BenchResult& result) {
  std::string text;
  char line[256];
  std::snprintf(line, sizeof line, "%-29s %-8s %10s %14s %14s %9s %8s\n", "scenario", "engine",
                "packets", "packets/s", "crossed/s", "slowdown", "events");
  text += line;
  for (const auto& row : result.rows) {
    const std::string name = row.scenario + (row.variant.empty() ? "" : ", " + row.variant);
    std::snprintf(line, sizeof line, "%-29s %-8s %10llu %12.3f M %12.3f M %9.3f %8.2f\n",
                  name.c_str(), row.engine.c_str(), static_cast<unsigned long long>(row.packets),
                  row.packets_per_s / 1e6, row.crossed_per_s / 1e6, row.slowdown,
                  row.events_per_packet);
    text += line;
  }
  if (result.queue_cost_ratio > 0) {
    std::snprintf(line, sizeof line,
                  "\nCost of a packet with %u queues: %.2f times that with one, at the same load a "
                  "queue.\n",
                  kManyQueues, result.queue_cost_ratio);
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
