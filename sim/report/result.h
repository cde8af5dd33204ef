// What a run found out, in the shape of result.json.
//
// Plain structs that whoever runs a simulation fills in, and the writers for them: one JSON
// document, one short table for people, and a file that appears whole or not at all. Rates are per
// second of simulated time inside the measured window; ledgers and drops cover the whole run. Times
// carry their unit in the name. `digest` is a hash over every frame, completion and time stamp: it
// does not depend on the machine, the build or the tracing options; `wall` does.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/base/result.h"
#include "sim/report/expect.h"

namespace doorbell::report {

struct SimTotals {
  double duration_ns = 0;
  uint64_t packets = 0;  // frames offered by wire or application
  uint64_t crossed = 0;  // of those, frames that went through a ring
  uint64_t events = 0;
};

struct WallTotals {
  double seconds = 0;
  double packets_per_s = 0;
  double slowdown = 0;  // wall seconds per simulated second
};

struct RxTotals {
  double offered_pps = 0;
  double pps = 0;
  uint64_t packets = 0;
  uint64_t bytes = 0;
};

struct TxTotals {
  double pps = 0;
  uint64_t packets = 0;
  uint64_t bytes = 0;
};

/// injected = delivered + dropped + in_flight, or the run failed.
struct Ledger {
  uint64_t injected = 0;
  uint64_t delivered = 0;
  uint64_t dropped = 0;
  uint64_t in_flight = 0;
  bool balanced() const { return injected == delivered + dropped + in_flight; }
};

struct LatencyNs {
  uint64_t samples = 0;  // 0: nothing measured, the table omits the line
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  double p999 = 0;
  double max = 0;
};

/// One core. `by` adds up to busy_percent.
struct CpuShare {
  struct Line {
    std::string label;
    double percent = 0;        // of the core's time
    double ns_per_packet = 0;  // of that time, per packet the core processed
  };
  unsigned id = 0;
  double busy_percent = 0;
  double ns_per_packet = 0;
  std::vector<Line> by;
};

struct Bottleneck {
  std::string resource;  // "cpu0", "tx wire", "pcie up"; empty: none
  double utilisation_percent = 0;
  std::vector<std::string> saturated;  // others that are at their limit too
};

/// Findings of the DMA sanitizer and the ring checks (--check).
struct CheckFinding {
  std::string rule;
  uint64_t count = 0;
  int64_t first_ps = 0;
  std::string message;
};

struct RunResult {
  int schema = 1;
  std::string scenario;
  std::string device;
  std::string engine;
  uint64_t seed = 0;
  std::string digest;
  SimTotals sim;
  WallTotals wall;
  RxTotals rx;
  TxTotals tx;
  std::vector<std::pair<std::string, uint64_t>> drops;  // reason, frames; whole run
  Ledger ledger;
  Ledger ledger_rx;
  Ledger ledger_tx;
  LatencyNs latency;
  std::vector<CpuShare> cpu;
  Bottleneck bottleneck;
  bool checked = false;  // --check was on
  std::vector<CheckFinding> checks;
  std::vector<ExpectResult> expect;
  std::vector<std::pair<std::string, uint64_t>> counters;    // of the device: "fec.rx.packets"
  std::vector<std::pair<std::string, uint64_t>> statistics;  // of the driver, ethtool-like

  bool ledgers_balanced() const {
    return ledger.balanced() && ledger_rx.balanced() && ledger_tx.balanced();
  }
  /// True when every expectation holds, every ledger balances and no check found anything.
  bool passed() const;
};

/// The whole document. Key order is fixed.
Json to_json(const RunResult& result);
/// A short table for people; ends with a newline.
std::string to_table(const RunResult& result);
/// Fills result.expect from the result's own JSON.
void apply_expectations(RunResult& result, const std::vector<Expectation>& expectations);

/// Writes DIR/result.json through a temporary file and a rename, creating DIR. Returns the path.
base::Result<std::string> write_result(const RunResult& result, const std::string& dir);
/// Creates DIR if needed and proves it writable: called before a run, so that it is not wasted.
base::Result<bool> prepare_out_dir(const std::string& dir);

}  // namespace doorbell::report
