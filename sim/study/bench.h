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

/// One row to measure: a scenario, and what is different about it.
struct BenchCase {
  std::string scenario;
  std::string variant;            // "64 queues"; empty: the scenario as it is
  std::string duration;           // simulated time of each run
  std::vector<std::string> sets;  // key=value, as for doorbell run --set
};

struct BenchRow {
  std::string scenario;
  std::string variant;
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
  /// Wall time per packet with 64 queues over that with one, at the same load a queue; 0: not
  /// measured.
  double queue_cost_ratio = 0;
  int core = -1;  // where it ran; -1: not pinned
};

struct BenchOptions {
  std::string program;           // the doorbell command
  std::vector<BenchCase> cases;  // default_cases(), or the user's own
  unsigned repeat = 5;
  /// Called before each run with what is done and how much there is.
  std::function<void(unsigned done, unsigned total, const std::string& scenario)> progress;
};

/// The shipped set: each scenario that has a floor, and one by number of queues.
const std::vector<BenchCase>& default_cases();

/// A row from the JSON that one `doorbell run --json` printed; an error when it is no result, or
/// its ledger does not balance.
base::Result<BenchRow> row_from(const std::string& json_text);
/// The run whose speed is in the middle. `runs` is not empty.
BenchRow median_row(std::vector<BenchRow> runs);

base::Result<BenchResult> run_bench(const BenchOptions& options);

report::Json bench_json(const BenchResult& result);
std::string bench_table(const BenchResult& result);

}  // namespace doorbell::study
