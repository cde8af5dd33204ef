// Simulation speed: packets per wall second, events per packet, and the bare SystemC kernel beside
// them.
//
// Each row is the median of several runs, each a process of its own, pinned to one core and taken
// in turns with the kernel's rate, so that a busy machine slows all of them alike. Packets are
// frames offered by wire or application; crossed are those that went through a ring. Expectations
// of the scenarios are not judged here, but a run whose ledger does not balance does not count.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/base/result.h"
#include "sim/report/expect.h"

namespace doorbell::study {

struct BenchRow {
  std::string scenario;
  std::string engine;
  uint64_t packets = 0;
  double packets_per_s = 0;  // wall
  double crossed_per_s = 0;  // wall
  double slowdown = 0;       // wall seconds per simulated second
  double events_per_packet = 0;
};

struct BenchResult {
  std::vector<BenchRow> rows;
  double kernel_events_per_s = 0;
  int core = -1;  // where it ran; -1: not pinned
};

struct BenchOptions {
  std::string program;                 // the doorbell command
  std::vector<std::string> scenarios;  // empty: default_scenarios()
  unsigned repeat = 5;
  std::string duration = "2 s";  // simulated time of each run
  /// Called before each run with what is done and how much there is.
  std::function<void(unsigned done, unsigned total, const std::string& scenario)> progress;
};

const std::vector<std::string>& default_scenarios();

/// A row from the JSON that one `doorbell run --json` printed; an error when it is no result, or
/// its ledger does not balance.
base::Result<BenchRow> row_from(const std::string& json_text);
/// The run whose speed is in the middle. `runs` is not empty.
BenchRow median_row(std::vector<BenchRow> runs);

base::Result<BenchResult> run_bench(const BenchOptions& options);

report::Json bench_json(const BenchResult& result);
std::string bench_table(const BenchResult& result);

}  // namespace doorbell::study
