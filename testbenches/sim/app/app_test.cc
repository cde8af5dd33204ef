// The command line: verbs, exit statuses, messages, and that --json prints one document only. The
// simulation is replaced by a function that notes what it was asked and returns a canned result;
// the real one is run in testbenches/system.
#include "sim/app/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <systemc>

int sc_main(int, char**) {
  return 0;
}

namespace doorbell::app {
namespace {

namespace fs = std::filesystem;
using report::Json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class App : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::path(::testing::TempDir()) / ("doorbell_app_" + std::to_string(::getpid()));
    fs::create_directories(dir_);
    result_.scenario = "fec-xdp-tx";
    result_.device = "fec";
    result_.engine = "tlm";
    result_.digest = "cafe";
    result_.tx.pps = 353600;
  }
  void TearDown() override { fs::remove_all(dir_); }

  int run(const std::vector<std::string>& args) {
    out_.str("");
    err_.str("");
    const Services services{
        [this](const run::Scenario& scenario, const run::Platform& platform,
               const run::RunOptions& options) { return simulate(scenario, platform, options); },
        out_, err_};
    return main_with(args, services);
  }
  base::Result<report::RunResult> simulate(const run::Scenario& scenario,
                                           const run::Platform& platform,
                                           const run::RunOptions& options) {
    ++runs_;
    scenario_ = scenario;
    platform_ = platform.name;
    options_ = options;
    if (throws_) {
      throw std::logic_error("a bug");
    }
    if (!error_.empty()) {
      return base::Error{error_};
    }
    return result_;
  }
  std::string err() const { return err_.str(); }
  std::string out() const { return out_.str(); }
  // Exactly one line, as every refusal.
  void expect_one_line() {
    const std::string text = err();
    ASSERT_FALSE(text.empty());
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    EXPECT_EQ(text.back(), '\n');
    EXPECT_THAT(text, StartsWith("doorbell: "));
    EXPECT_THAT(out(), IsEmpty());
  }

  fs::path dir_;
  std::ostringstream out_;
  std::ostringstream err_;
  report::RunResult result_;
  run::Scenario scenario_;
  std::string platform_;
  run::RunOptions options_;
  std::string error_;
  bool throws_ = false;
  int runs_ = 0;
};

TEST_F(App, RunPrintsATableAndReturnsZero) {
  EXPECT_EQ(run({"run", "fec-xdp-tx"}), kDone);
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(scenario_.name, "fec-xdp-tx");
  EXPECT_EQ(platform_, "imx8mp-evk");
  EXPECT_THAT(out(), HasSubstr("353 600 pps"));
  EXPECT_THAT(out(), HasSubstr("ok       tx.pps = 353600.0, expected 353600 within 3 %"));
  EXPECT_THAT(err(), IsEmpty());
}

TEST_F(App, JsonIsOneDocument) {
  EXPECT_EQ(run({"run", "fec-xdp-tx", "--json"}), kDone);
  const Json json = Json::parse(out());  // throws on anything more
  EXPECT_EQ(json["digest"], "cafe");
  EXPECT_EQ(json["expect"].size(), 2u);
  EXPECT_THAT(err(), IsEmpty());
}

TEST_F(App, FailedExpectationLedgerOrCheckIsOne) {
  result_.tx.pps = 1000;
  EXPECT_EQ(run({"run", "fec-xdp-tx"}), kFailed);
  EXPECT_THAT(out(), HasSubstr("FAILED   tx.pps"));
  result_.tx.pps = 353600;
  result_.ledger.injected = 1;
  EXPECT_EQ(run({"run", "fec-xdp-tx"}), kFailed);
  result_.ledger.injected = 0;
  result_.checks.push_back({"rule", 1, 0, "message"});
  EXPECT_EQ(run({"run", "fec-xdp-tx", "--check"}), kFailed);
  EXPECT_TRUE(options_.check);
}

TEST_F(App, OptionsReachTheSimulation) {
  EXPECT_EQ(run({"run", "fec-xdp-tx", "--set", "driver.rx_ring=512", "--set", "seed=9", "--out",
                 (dir_ / "out").string(), "--pcap", "--trace", "--engine", "tlm"}),
            kDone);
  EXPECT_EQ(scenario_.drivers[0].params.integer("rx_ring"), 512);
  EXPECT_EQ(scenario_.seed, 9u);
  EXPECT_TRUE(options_.pcap);
  EXPECT_TRUE(options_.trace);
  EXPECT_EQ(options_.out_dir, (dir_ / "out").string());
  std::ifstream file(dir_ / "out" / "result.json");
  EXPECT_EQ(Json::parse(file)["scenario"], "fec-xdp-tx");
}

TEST_F(App, ScenarioFileByPath) {
  std::ofstream(dir_ / "mine.toml")
      << "schema = 1\nname = \"mine\"\nduration = \"1 ms\"\nplatform = \"imx8mp-evk\"\n[nic]\n"
         "device = \"fec\"\n[traffic]\nkind = \"none\"\n";
  EXPECT_EQ(run({"run", (dir_ / "mine.toml").string()}), kDone);
  EXPECT_EQ(scenario_.name, "mine");
}

TEST_F(App, BadInputIsTwoWithOneLineAndNoRun) {
  std::ofstream(dir_ / "bad.toml") << "schema = 1\nname = \"bad\"\nduraton = \"1 ms\"\n";
  const std::string bad = (dir_ / "bad.toml").string();
  const std::vector<std::vector<std::string>> commands = {
      {"run", bad},
      {"run", "no-such-scenario"},
      {"run", "fec-xdp-tx", "--set", "driver.rx_rin=3"},
      {"run", "fec-xdp-tx", "--set", "nonsense"},
      {"run", "fec-xdp-tx", "--engine", "rtl"},
      {"run", "fec-xdp-tx", "--pcap"},
      {"run", "fec-xdp-tx", "--out", "/proc/none/out"},
      {"run", "fec-xdp-tx", "--no-such-option"},
      {"run", "fec-xdp-tx", "fec-xdp-skb"},
      {"run"},
      {"rnu"},
      {""},
      {"--no-such-option"},
      {"list", "more"},
      {"describe"},
      {"describe", "fce"},
      {"describe", "fec", "regs"},
      {"describe", "imx8mp-evk", "registers"},
      {"bench", "no-such-scenario"},
      {"bench", "--repeat", "0"},
      {"bench", "--duration", "2"},
  };
  for (const auto& command : commands) {
    std::string shown;
    for (const auto& word : command) {
      shown += word + " ";
    }
    SCOPED_TRACE(shown);
    EXPECT_EQ(run(command), kBadInput);
    expect_one_line();
    EXPECT_EQ(runs_, 0);
  }
}

TEST_F(App, MessagesSayWhereAndWhatIsAllowed) {
  std::ofstream(dir_ / "bad.toml") << "schema = 1\nname = \"bad\"\nduraton = \"1 ms\"\n";
  const std::string bad = (dir_ / "bad.toml").string();
  run({"run", bad});
  EXPECT_THAT(err(), StartsWith("doorbell: " + bad +
                                ":3: key 'duraton': unknown name, did you mean "
                                "'duration'?; allowed: duration, "));
  run({"run", "fec-xdp-tx", "--engine", "rtl"});
  EXPECT_EQ(err(),
            "doorbell: command line: key 'nic.engine': rtl is not one of the choices; "
            "allowed: tlm\n");
  run({"rnu"});
  EXPECT_EQ(err(),
            "doorbell: verb 'rnu': unknown name, did you mean 'run'?; allowed: run, list, "
            "describe, bench\n");
  run({"describe", "fex"});
  // Devices, platforms and traffic: the nearest first, then as they are listed.
  EXPECT_THAT(err(), StartsWith("doorbell: describe 'fex': unknown name, did you mean 'fec'?; "
                                "allowed: fec, ice, "));
  EXPECT_THAT(err(), HasSubstr(", imx8mp-evk, "));
  EXPECT_THAT(err(), EndsWith("traffic\n"));
  run({"run", "fec-xdp-tx", "--pcap"});
  EXPECT_EQ(err(), "doorbell: --pcap needs a folder to write to; allowed: --out DIR\n");
}

TEST_F(App, ErrorsOfTheSimulationAreBadInput) {
  error_ = "capture.pcap: not a capture";
  EXPECT_EQ(run({"run", "fec-xdp-tx", "--json"}), kBadInput);
  EXPECT_EQ(err(), "doorbell: capture.pcap: not a capture\n");
  EXPECT_THAT(out(), IsEmpty());
}

TEST_F(App, ExceptionsAreDefects) {
  throws_ = true;
  EXPECT_EQ(run({"run", "fec-xdp-tx"}), kDefect);
  EXPECT_EQ(err(), "doorbell: defect: a bug\n");
}

TEST_F(App, NoVerbPrintsHelp) {
  EXPECT_EQ(run({}), kBadInput);
  EXPECT_THAT(err(), HasSubstr("describe"));
  EXPECT_EQ(run({"--help"}), kDone);
  EXPECT_THAT(out(), HasSubstr("bench"));
  EXPECT_EQ(out().find("kernel-rate"), std::string::npos);  // only bench calls it
  EXPECT_EQ(run({"run", "--help"}), kDone);
  EXPECT_THAT(out(), HasSubstr("--set"));
  EXPECT_EQ(run({"--version"}), kDone);
  EXPECT_THAT(out(), StartsWith("doorbell 0."));
}

TEST_F(App, ListNamesEverything) {
  EXPECT_EQ(run({"list", "--json"}), kDone);
  const Json json = Json::parse(out());
  EXPECT_GE(json["scenarios"].size(), 8u);
  for (const auto& scenario : json["scenarios"]) {
    const std::string device = scenario["device"];
    EXPECT_TRUE(std::any_of(json["devices"].begin(), json["devices"].end(), [&](const Json& d) {
      return d["name"] == device;
    })) << device;
    EXPECT_THAT(scenario["name"].get<std::string>(), HasSubstr(device));
    EXPECT_FALSE(scenario["summary"].get<std::string>().empty());
  }
  EXPECT_EQ(json["devices"][0]["name"], "fec");
  EXPECT_EQ(json["platforms"][0]["name"], "imx8mp-evk");
  EXPECT_EQ(run({"list"}), kDone);
  EXPECT_THAT(out(), HasSubstr("\n  fec-xdp-tx "));
}

TEST_F(App, DescribeADevice) {
  EXPECT_EQ(run({"describe", "fec", "--json"}), kDone);
  const Json json = Json::parse(out());
  EXPECT_EQ(json["device"], "fec");
  EXPECT_GT(json["registers"].size(), 100u);
  EXPECT_EQ(json["registers"][0]["name"], "EIR");
  EXPECT_EQ(json["registers"][0]["offset"], 4);
  EXPECT_EQ(json["descriptors"]["receive"].size(), 6u);
  bool found = false;
  for (const auto& row : json["parameters"]["driver"]) {
    if (row["name"] == "rx_ring") {
      found = true;
      EXPECT_EQ(row["default"], "256");
      EXPECT_EQ(row["unit"], "descriptors");
      EXPECT_FALSE(row["source"].get<std::string>().empty());
    }
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(run({"describe", "fec", "registers"}), kDone);
  EXPECT_THAT(out(), HasSubstr("0x004  EIR"));
  EXPECT_EQ(out().find("Scenario keys"), std::string::npos);
  EXPECT_EQ(run({"describe", "fec", "parameters"}), kDone);
  EXPECT_THAT(out(), HasSubstr("erratum_007885"));
}

TEST_F(App, DescribeTheDescriptorsOfTheE810) {
  EXPECT_EQ(run({"describe", "ice", "descriptors", "--json"}), kDone);
  const Json json = Json::parse(out());
  const Json& kinds = json["descriptors"];
  EXPECT_EQ(kinds.size(), 4u);
  EXPECT_EQ(kinds["transmit"].size(), 4u);
  EXPECT_EQ(kinds["transmit context"].size(), 4u);
  EXPECT_EQ(kinds["receive"].size(), 5u);
  EXPECT_EQ(kinds["receive write-back"].size(), 8u);
  const Json& status = kinds["receive write-back"][2];
  EXPECT_EQ(status["name"], "STATUS0");
  EXPECT_EQ(status["offset"], 8);
  EXPECT_EQ(status["fields"][0]["name"], "DD");
  EXPECT_EQ(status["fields"][0]["access"], "ro");
  EXPECT_EQ(run({"describe", "ice", "descriptors"}), kDone);
  EXPECT_THAT(out(), HasSubstr("\nDescriptor, transmit context: "));
  EXPECT_THAT(out(), HasSubstr("    5  RS            rw   report when done\n"));
}

TEST_F(App, DescribeAPlatformWithSources) {
  EXPECT_EQ(run({"describe", "imx8mp-evk", "--json"}), kDone);
  const Json json = Json::parse(out());
  EXPECT_GT(json["constants"].size(), 20u);
  for (const auto& constant : json["constants"]) {
    EXPECT_FALSE(constant["source"].get<std::string>().empty());
    EXPECT_EQ(constant["source"] == "fitted", !constant["fitted_to"].empty());
  }
  EXPECT_EQ(run({"describe", "imx8mp-evk"}), kDone);
  EXPECT_THAT(out(), HasSubstr("[cost]"));
  EXPECT_THAT(out(), HasSubstr("fitted to fec-xdp-"));
  EXPECT_EQ(run({"describe", "traffic"}), kDone);
  EXPECT_THAT(out(), HasSubstr("burst_gap"));
}

}  // namespace
}  // namespace doorbell::app
