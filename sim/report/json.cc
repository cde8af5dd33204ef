#include <cmath>

#include "sim/report/result.h"

namespace doorbell::report {
namespace {

// Three decimals: enough for every rate and percentage, and short in the file.
double rounded(double v) {
  return std::round(v * 1000) / 1000;
}

Json named_counts(const std::vector<std::pair<std::string, uint64_t>>& counts) {
  Json json = Json::object();
  for (const auto& [name, value] : counts) {
    json[name] = value;
  }
  return json;
}

Json ledger_json(const Ledger& ledger) {
  return Json{{"injected", ledger.injected},
              {"delivered", ledger.delivered},
              {"dropped", ledger.dropped},
              {"in_flight", ledger.in_flight},
              {"balanced", ledger.balanced()}};
}

Json cpu_json(const std::vector<CpuShare>& shares) {
  Json list = Json::array();
  for (const auto& share : shares) {
    Json by = Json::object();
    Json ns_by = Json::object();
    for (const auto& line : share.by) {
      by[line.label] = rounded(line.percent);
      ns_by[line.label] = rounded(line.ns_per_packet);
    }
    list.push_back(Json{{"id", share.id},
                        {"busy_percent", rounded(share.busy_percent)},
                        {"by", std::move(by)},
                        {"ns_per_packet", rounded(share.ns_per_packet)},
                        {"ns_per_packet_by", std::move(ns_by)}});
  }
  return list;
}

Json checks_json(const std::vector<CheckFinding>& findings) {
  Json list = Json::array();
  for (const auto& finding : findings) {
    list.push_back(Json{{"rule", finding.rule},
                        {"count", finding.count},
                        {"first_ps", finding.first_ps},
                        {"message", finding.message}});
  }
  return list;
}

Json expect_json(const std::vector<ExpectResult>& outcomes) {
  Json list = Json::array();
  for (const auto& outcome : outcomes) {
    list.push_back(Json{{"key", outcome.key},
                        {"want", outcome.want},
                        {"got", outcome.got},
                        {"pass", outcome.pass}});
  }
  return list;
}

}  // namespace

bool RunResult::passed() const {
  bool pass = ledgers_balanced() && checks.empty();
  for (const auto& outcome : expect) {
    pass = pass && outcome.pass;
  }
  return pass;
}

Json to_json(const RunResult& r) {
  Json ledger = ledger_json(r.ledger);
  ledger["rx"] = ledger_json(r.ledger_rx);
  ledger["tx"] = ledger_json(r.ledger_tx);
  // What a reader asks first: does all of it add up.
  ledger["balanced"] = r.ledgers_balanced();
  Json json;
  json["schema"] = r.schema;
  json["scenario"] = r.scenario;
  json["device"] = r.device;
  json["engine"] = r.engine;
  json["seed"] = r.seed;
  json["digest"] = r.digest;
  json["sim"] = Json{{"duration_ns", rounded(r.sim.duration_ns)},
                     {"packets", r.sim.packets},
                     {"crossed", r.sim.crossed},
                     {"events", r.sim.events}};
  json["wall"] = Json{{"seconds", r.wall.seconds},
                      {"packets_per_s", rounded(r.wall.packets_per_s)},
                      {"slowdown", rounded(r.wall.slowdown)}};
  json["rx"] = Json{{"offered_pps", rounded(r.rx.offered_pps)},
                    {"pps", rounded(r.rx.pps)},
                    {"packets", r.rx.packets},
                    {"bytes", r.rx.bytes}};
  json["tx"] = Json{{"pps", rounded(r.tx.pps)}, {"packets", r.tx.packets}, {"bytes", r.tx.bytes}};
  json["drops"] = named_counts(r.drops);
  json["ledger"] = std::move(ledger);
  json["latency_ns"] = Json{{"samples", r.latency.samples},    {"p50", rounded(r.latency.p50)},
                            {"p90", rounded(r.latency.p90)},   {"p99", rounded(r.latency.p99)},
                            {"p999", rounded(r.latency.p999)}, {"max", rounded(r.latency.max)}};
  json["cpu"] = cpu_json(r.cpu);
  json["bottleneck"] = Json{{"resource", r.bottleneck.resource},
                            {"utilisation_percent", rounded(r.bottleneck.utilisation_percent)},
                            {"saturated", r.bottleneck.saturated}};
  json["checked"] = r.checked;
  json["checks"] = checks_json(r.checks);
  json["expect"] = expect_json(r.expect);
  json["counters"] = named_counts(r.counters);
  json["statistics"] = named_counts(r.statistics);
  return json;
}

void apply_expectations(RunResult& result, const std::vector<Expectation>& expectations) {
  result.expect = evaluate(expectations, to_json(result));
}

}  // namespace doorbell::report
