// Bench: rows from results, the median, child processes, the kernel's own rate.
#include "sim/study/bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <systemc>

#include "sim/study/child.h"
#include "sim/study/kernel_rate.h"

int sc_main(int, char**) {
  return 0;
}

namespace doorbell::study {
namespace {

using ::testing::HasSubstr;

std::string result_text(double seconds, bool balanced = true) {
  return R"({"scenario": "s", "engine": "tlm", "sim": {"packets": 1000, "crossed": 250, "events": 4000},
             "wall": {"seconds": )" +
         std::to_string(seconds) + R"(, "slowdown": 0.5}, "ledger": {"balanced": )" +
         (balanced ? "true" : "false") + "}}";
}

TEST(Bench, RowOfAResult) {
  const auto row = row_from(result_text(0.5));
  ASSERT_TRUE(row.ok()) << row.error();
  EXPECT_EQ(row.value().scenario, "s");
  EXPECT_EQ(row.value().packets, 1000u);
  EXPECT_DOUBLE_EQ(row.value().packets_per_s, 2000);
  EXPECT_DOUBLE_EQ(row.value().crossed_per_s, 500);
  EXPECT_DOUBLE_EQ(row.value().events_per_packet, 4);
  EXPECT_DOUBLE_EQ(row.value().slowdown, 0.5);
}

TEST(Bench, WhatDoesNotCount) {
  EXPECT_EQ(row_from("").error(), "not a result of doorbell run --json");
  EXPECT_EQ(row_from("[1]").error(), "not a result of doorbell run --json");
  EXPECT_EQ(row_from(result_text(0.5, false)).error(),
            "s: the ledger does not balance, so its speed does not count");
  EXPECT_EQ(row_from(result_text(0)).error(), "s: nothing was simulated");
}

TEST(Bench, MedianIsAWholeRun) {
  std::vector<BenchRow> runs(5);
  const double speeds[] = {5, 1, 4, 2, 3};
  for (size_t i = 0; i < runs.size(); ++i) {
    runs[i].packets_per_s = speeds[i];
    runs[i].slowdown = 10 * speeds[i];
  }
  EXPECT_EQ(median_row(runs).packets_per_s, 3);
  EXPECT_EQ(median_row(runs).slowdown, 30);
}

// A stand-in for the command, so that the bench's own steps are what is tested.
class BenchRun : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(::testing::TempDir()) /
            ("doorbell_bench_" + std::to_string(::getpid()));
  }
  void TearDown() override { std::filesystem::remove(path_); }
  BenchOptions options(const std::string& script) {
    std::ofstream(path_) << "#!/bin/sh\n" << script;
    ::chmod(path_.c_str(), 0755);
    BenchOptions o;
    o.program = path_.string();
    o.cases = {{"one", "", "1 ms", {}}, {"two", "64 queues", "2 ms", {"a.b=c"}}};
    o.repeat = 3;
    return o;
  }
  std::filesystem::path path_;
};

TEST_F(BenchRun, RunsEachScenarioInTurns) {
  auto o = options(
      "case \"$*\" in *two*) [ \"$*\" = 'run two --json --set duration=2 ms --set measure=rest "
      "--set "
      "a.b=c' ] || exit 9;; esac\n"
      "if [ $1 = kernel-rate ]; then echo '{\"kernel_events_per_s\": 7e6}'; exit 0; fi\n"
      "echo \"{\\\"scenario\\\": \\\"$2\\\", \\\"engine\\\": \\\"tlm\\\", \\\"sim\\\": "
      "{\\\"packets\\\": 10, \\\"crossed\\\": 5, \\\"events\\\": 20}, \\\"wall\\\": "
      "{\\\"seconds\\\": 2.0, \\\"slowdown\\\": 1}, \\\"ledger\\\": {\\\"balanced\\\": true}}\"\n"
      "exit 1\n");  // an expectation that failed does not matter here
  std::vector<std::string> order;
  o.progress = [&](unsigned, unsigned total, const std::string& scenario) {
    EXPECT_EQ(total, 6u);
    order.push_back(scenario);
  };
  const auto result = run_bench(o);
  ASSERT_TRUE(result.ok()) << result.error();
  EXPECT_EQ(order, (std::vector<std::string>{"one", "two", "one", "two", "one", "two"}));
  ASSERT_EQ(result.value().rows.size(), 2u);
  EXPECT_EQ(result.value().rows[1].scenario, "two");
  EXPECT_EQ(result.value().rows[1].variant, "64 queues");
  EXPECT_EQ(result.value().queue_cost_ratio, 0) << "one queue was not measured";
  EXPECT_EQ(result.value().rows[1].packets_per_s, 5);
  EXPECT_EQ(result.value().kernel_events_per_s, 7e6);
  const auto json = bench_json(result.value());
  EXPECT_EQ(json["rows"][0]["scenario"], "one");
  EXPECT_EQ(json["rows"][1]["variant"], "64 queues");
  EXPECT_EQ(json["rows"][0]["events_per_packet"], 2);
  EXPECT_EQ(json["rows"][0]["crossed_per_s"], 2.5);
  EXPECT_EQ(json["kernel_events_per_s"], 7e6);
  EXPECT_THAT(bench_table(result.value()), HasSubstr("7.0 M events/s"));
}

// The stand-in takes twice as long for the same packets with many queues.
TEST_F(BenchRun, CostByNumberOfQueues) {
  auto o = options(
      "if [ $1 = kernel-rate ]; then echo '{\"kernel_events_per_s\": 7e6}'; exit 0; fi\n"
      "s=2.0; [ $2 = one ] && s=1.0\n"
      "echo \"{\\\"scenario\\\": \\\"$2\\\", \\\"engine\\\": \\\"tlm\\\", \\\"sim\\\": "
      "{\\\"packets\\\": 10, \\\"crossed\\\": 5, \\\"events\\\": 20}, \\\"wall\\\": "
      "{\\\"seconds\\\": $s, \\\"slowdown\\\": 1}, \\\"ledger\\\": {\\\"balanced\\\": true}}\"\n");
  o.cases[0].variant = "1 queue";
  const auto result = run_bench(o);
  ASSERT_TRUE(result.ok()) << result.error();
  EXPECT_EQ(result.value().queue_cost_ratio, 2);
  EXPECT_EQ(bench_json(result.value())["queue_cost_ratio"], 2);
  EXPECT_THAT(bench_table(result.value()), HasSubstr("with 64 queues: 2.00 times"));
}

TEST_F(BenchRun, AFailedRunEndsIt) {
  EXPECT_EQ(run_bench(options("exit 3\n")).error(), "one: doorbell run ended with status 3");
  EXPECT_EQ(run_bench(options("kill -9 $$\n")).error(), "one: doorbell run ended with status 137");
}

TEST(Child, OutputAndStatus) {
  const auto output = run_child("/bin/sh", {"-c", "echo hello; exit 5"});
  ASSERT_TRUE(output.ok()) << output.error();
  EXPECT_EQ(output.value().text, "hello\n");
  EXPECT_EQ(output.value().status, 5);
  EXPECT_THAT(run_child("/no/such", {}).error(), HasSubstr("cannot run /no/such"));
  EXPECT_TRUE(std::filesystem::exists(own_path()));
}

TEST(Child, LongOutputIsKeptWhole) {
  const auto output = run_child("/bin/sh", {"-c", "seq 1 50000"});
  ASSERT_TRUE(output.ok());
  EXPECT_EQ(output.value().text.size(), 288894u);
}

TEST(Child, PinningLeavesOneCore) {
  const int core = pin_to_one_core();
  if (core < 0) {
    GTEST_SKIP() << "the system does not let processes be pinned";
  }
  cpu_set_t set;
  ASSERT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  EXPECT_EQ(CPU_COUNT(&set), 1);
  EXPECT_TRUE(CPU_ISSET(static_cast<size_t>(core), &set));
}

TEST(KernelRate, IsPlausible) {
  const double rate = kernel_events_per_second(200000);
  EXPECT_GT(rate, 1e5);
  EXPECT_LT(rate, 1e10);
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(200000, sc_core::SC_NS));
}

}  // namespace
}  // namespace doorbell::study
