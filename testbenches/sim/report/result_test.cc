// result.json keeps the documented shape; the table shows what people need; files appear whole.
#include "sim/report/result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace doorbell::report {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

RunResult sample() {
  RunResult r;
  r.scenario = "fec-xdp-tx";
  r.device = "fec";
  r.engine = "tlm";
  r.seed = 1;
  r.digest = "0123456789abcdef";
  r.sim = {1e8, 148809, 35360, 900000};
  r.wall = {0.05, 2976180, 0.5};
  r.rx = {1488095.2, 353600.4, 35360, 2263040};
  r.tx = {353600.4, 35360, 2263040};
  r.drops = {{"rx fifo overflow", 113400}, {"rx ring empty", 0}};
  r.ledger = {148809, 35360, 113400, 49};
  r.ledger_rx = {148809, 35360, 113400, 49};
  r.ledger_tx = {35360, 35360, 0, 0};
  r.latency = {35360, 1000, 2000, 3000, 4000, 5000};
  r.cpu = {{0, 100, 2828, {{"MMIO", 25, 707}, {"driver", 75, 2121}}}};
  r.bottleneck = {"cpu0", 100, {"tx wire"}};
  return r;
}

std::string slurp(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Its own directory for each test, removed afterwards.
class ResultFile : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::temp_directory_path() / ("doorbell_result_" + std::to_string(::getpid()));
    fs::remove_all(dir_);
  }
  void TearDown() override {
    std::error_code ec;
    fs::permissions(dir_, fs::perms::owner_all, ec);
    fs::remove_all(dir_, ec);
  }
  fs::path dir_;
};

TEST(ResultJson, HasTheDocumentedKeysInOrder) {
  const Json json = to_json(sample());
  std::vector<std::string> keys;
  for (const auto& item : json.items()) {
    keys.push_back(item.key());
  }
  const std::vector<std::string> want{
      "schema",     "scenario", "device", "engine", "seed",     "digest",     "sim",
      "wall",       "rx",       "tx",     "drops",  "ledger",   "latency_ns", "cpu",
      "bottleneck", "checked",  "checks", "expect", "counters", "statistics"};
  EXPECT_EQ(keys, want);
  EXPECT_EQ(json["sim"]["packets"], 148809);
  EXPECT_EQ(json["wall"]["slowdown"], 0.5);
  EXPECT_EQ(json["rx"]["offered_pps"], 1488095.2);
  EXPECT_EQ(json["tx"]["bytes"], 2263040);
  EXPECT_EQ(json["drops"]["rx fifo overflow"], 113400);
  EXPECT_EQ(json["ledger"]["balanced"], true);
  EXPECT_EQ(json["ledger"]["rx"]["in_flight"], 49);
  EXPECT_EQ(json["ledger"]["tx"]["delivered"], 35360);
  EXPECT_EQ(json["latency_ns"]["p999"], 4000);
  EXPECT_EQ(json["cpu"][0]["by"]["MMIO"], 25);
  EXPECT_EQ(json["cpu"][0]["ns_per_packet_by"]["driver"], 2121);
  EXPECT_EQ(json["bottleneck"]["utilisation_percent"], 100);
  EXPECT_EQ(json["bottleneck"]["saturated"], Json::array({"tx wire"}));
}

TEST(ResultJson, ListsChecksAndExpectations) {
  RunResult r = sample();
  r.checks = {{"sync after unmap", 3, 1500000, "buffer 0x40001000"}};
  Expectation e;
  e.key = "tx.packets";
  e.value = int64_t{1};
  apply_expectations(r, {e});
  const Json json = to_json(r);
  EXPECT_EQ(json["checks"][0]["rule"], "sync after unmap");
  EXPECT_EQ(json["checks"][0]["first_ps"], 1500000);
  EXPECT_EQ(json["expect"][0]["key"], "tx.packets");
  EXPECT_EQ(json["expect"][0]["want"], "1");
  EXPECT_EQ(json["expect"][0]["got"], 35360);
  EXPECT_EQ(json["expect"][0]["pass"], false);
}

TEST(RunVerdict, NeedsExpectationsLedgersAndChecks) {
  RunResult r = sample();
  EXPECT_TRUE(r.passed());
  r.expect = {{"tx.pps", "1", 2, false}};
  EXPECT_FALSE(r.passed());
  r = sample();
  r.ledger_tx.in_flight = 1;
  EXPECT_FALSE(r.passed());
  r = sample();
  r.ledger.dropped += 1;
  EXPECT_FALSE(r.ledgers_balanced());
  r = sample();
  r.checks.push_back({});
  EXPECT_FALSE(r.passed());
}

TEST(ResultTable, ShowsRatesDropsAndWhy) {
  const std::string table = to_table(sample());
  EXPECT_THAT(table, HasSubstr("1 488 095 pps"));
  EXPECT_THAT(table, HasSubstr("353 600 pps"));
  EXPECT_THAT(table, HasSubstr("113 400  rx fifo overflow"));
  EXPECT_THAT(table, Not(HasSubstr("rx ring empty")));  // it never happened
  EXPECT_THAT(table, HasSubstr("148 809 injected = 35 360 delivered + 113 400 dropped + 49 in "
                               "flight: balanced"));
  EXPECT_THAT(table, HasSubstr("MMIO"));
  EXPECT_THAT(table, HasSubstr("2828.0"));
  EXPECT_THAT(table, HasSubstr("bottleneck  cpu0, 100.0 % used; at their limit too: tx wire\n"));
  EXPECT_THAT(table, HasSubstr("digest   0123456789abcdef"));
  EXPECT_EQ(table.back(), '\n');
}

TEST(ResultTable, SaysWhatFailed) {
  RunResult r = sample();
  r.ledger.dropped += 1;
  r.expect = {{"tx.pps", "400000 within 1 %", 353600.4, false}, {"no.such", "1", nullptr, false}};
  r.checks = {{"leak at stop", 2, 5000000, "page 7"}};
  const std::string table = to_table(r);
  EXPECT_THAT(table, HasSubstr("NOT BALANCED"));
  EXPECT_THAT(table, HasSubstr("FAILED   tx.pps = 353600.4, expected 400000 within 1 %"));
  EXPECT_THAT(table, HasSubstr("FAILED   no.such = (not in the result), expected 1"));
  EXPECT_THAT(table, HasSubstr("leak at stop: 2 times, first at 5.000 us: page 7"));
}

TEST_F(ResultFile, IsWrittenWholeAndAlone) {
  const auto path = write_result(sample(), (dir_ / "a" / "b").string());
  ASSERT_TRUE(path.ok()) << path.error();
  EXPECT_EQ(Json::parse(slurp(path.value())), to_json(sample()));
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(dir_ / "a" / "b")) {
    EXPECT_EQ(entry.path().filename(), "result.json");
    ++files;
  }
  EXPECT_EQ(files, 1u);
}

TEST_F(ResultFile, ReplacesAnOldOne) {
  ASSERT_TRUE(write_result(sample(), dir_.string()).ok());
  RunResult next = sample();
  next.seed = 2;
  ASSERT_TRUE(write_result(next, dir_.string()).ok());
  EXPECT_EQ(Json::parse(slurp(dir_ / "result.json"))["seed"], 2);
}

TEST_F(ResultFile, FailureNamesThePathAndLeavesNothing) {
  fs::create_directories(dir_);
  std::ofstream(dir_ / "file") << "x";
  const auto under_file = write_result(sample(), (dir_ / "file" / "out").string());
  ASSERT_FALSE(under_file.ok());
  EXPECT_THAT(under_file.error(), HasSubstr("cannot create the output directory"));
  EXPECT_THAT(under_file.error(), HasSubstr((dir_ / "file" / "out").string()));
  const auto at_file = prepare_out_dir((dir_ / "file").string());
  EXPECT_FALSE(at_file.ok());

  // result.json is a directory: the rename fails after the temporary file was written.
  fs::create_directories(dir_ / "out" / "result.json");
  const auto blocked = write_result(sample(), (dir_ / "out").string());
  ASSERT_FALSE(blocked.ok());
  EXPECT_THAT(blocked.error(), HasSubstr("cannot write"));
  size_t entries = 0;
  for (const auto& entry : fs::directory_iterator(dir_ / "out")) {
    EXPECT_EQ(entry.path().filename(), "result.json");
    ++entries;
  }
  EXPECT_EQ(entries, 1u);
}

TEST_F(ResultFile, ReadOnlyDirectoryIsRefused) {
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root may write everywhere";
  }
  fs::create_directories(dir_);
  fs::permissions(dir_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(prepare_out_dir(dir_.string()).error(), HasSubstr("cannot write to"));
}

TEST(Table, ManyCoresAreOneTableAndALineOfLoads) {
  RunResult r;
  for (unsigned id = 0; id < 6; ++id) {
    r.cpu.push_back({id, id == 3 ? 0.0 : 50.0, 2.0, {{"driver", id == 3 ? 0.0 : 50.0, 2.0}}});
  }
  const std::string table = to_table(r);
  EXPECT_THAT(table, HasSubstr("5 cores, together"));
  EXPECT_THAT(table, testing::ContainsRegex("driver +2\\.50 +10\\.0\n"));
  EXPECT_THAT(table, testing::ContainsRegex("total +2\\.50 +10\\.0\n"));
  EXPECT_THAT(table, HasSubstr("cpu4   50.0 %"));
  EXPECT_EQ(table.find("cpu3 "), std::string::npos) << "it did nothing";
}

}  // namespace
}  // namespace doorbell::report
