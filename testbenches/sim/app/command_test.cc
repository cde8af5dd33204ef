// The built `doorbell`: what a shell sees of it. Exit statuses, pure JSON, files, and the promise
// that neither output options nor repetition change what is simulated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <systemc>

#include "sim/study/child.h"

int sc_main(int, char**) {
  return 0;
}

namespace doorbell {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Command : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::path(::testing::TempDir()) / ("doorbell_command_" + std::to_string(::getpid()));
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  // Runs the command; standard error goes to a file, for err().
  study::ChildOutput run(const std::string& arguments) {
    const std::string line =
        std::string(DOORBELL_COMMAND) + " " + arguments + " 2>" + (dir_ / "stderr").string();
    auto output = study::run_child("/bin/sh", {"-c", line});
    EXPECT_TRUE(output.ok()) << output.error();
    return output.ok() ? output.take() : study::ChildOutput{};
  }
  std::string err() const {
    std::ifstream in(dir_ / "stderr");
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  fs::path dir_;
};

constexpr const char* kShort = "run fec-xdp-drop --set duration='2 ms' --set warmup='1 ms' --json";

TEST_F(Command, JsonIsOneDocumentAndQuiet) {
  const auto output = run(kShort);
  EXPECT_LE(output.status, 1) << err();
  const Json json = Json::parse(output.text);  // throws on anything before or after
  EXPECT_EQ(json["scenario"], "fec-xdp-drop");
  EXPECT_EQ(json["ledger"]["balanced"], true);
  EXPECT_GT(json["rx"]["packets"], 0);
  EXPECT_EQ(json["digest"].get<std::string>().size(), 16u);
  EXPECT_THAT(err(), IsEmpty());
}

TEST_F(Command, FilesAndChecksDoNotChangeTheRun) {
  const Json plain = Json::parse(run(kShort).text);
  const Json again = Json::parse(run(kShort).text);
  const std::string out = (dir_ / "out").string();
  const Json traced =
      Json::parse(run(std::string(kShort) + " --pcap --trace --check --out " + out).text);
  EXPECT_EQ(plain["digest"], again["digest"]);
  EXPECT_EQ(plain["digest"], traced["digest"]);
  EXPECT_EQ(plain["rx"], traced["rx"]);
  EXPECT_EQ(plain["cpu"], traced["cpu"]);
  for (const auto* name : {"result.json", "packets.pcap", "trace.json"}) {
    EXPECT_GT(fs::file_size(fs::path(out) / name), 24u) << name;
  }
  std::ifstream file(fs::path(out) / "result.json");
  EXPECT_EQ(Json::parse(file)["digest"], plain["digest"]);
}

TEST_F(Command, SeedChangesTheDigest) {
  const std::string poisson =
      std::string(kShort) + " --set traffic.kind=poisson --set traffic.rate='200 kpps'";
  const Json one = Json::parse(run(poisson + " --set seed=1").text);
  const Json two = Json::parse(run(poisson + " --set seed=2").text);
  EXPECT_NE(one["digest"], two["digest"]);
}

TEST_F(Command, FailedExpectationIsStatusOne) {
  const auto output = run(std::string(kShort) + " --set expect.rx.packets=1");
  EXPECT_EQ(output.status, 1);
  const Json json = Json::parse(output.text);
  EXPECT_TRUE(std::any_of(json["expect"].begin(), json["expect"].end(), [](const Json& e) {
    return e["key"] == "rx.packets" && e["pass"] == false;
  }));
}

TEST_F(Command, BadInputIsStatusTwoWithOneLine) {
  std::ofstream(dir_ / "bad.toml") << "schema = 1\nname = \"bad\"\nduraton = \"1 ms\"\n";
  const std::string bad = (dir_ / "bad.toml").string();
  const auto output = run("run " + bad);
  EXPECT_EQ(output.status, 2);
  EXPECT_THAT(output.text, IsEmpty());
  EXPECT_THAT(err(), StartsWith("doorbell: " + bad +
                                ":3: key 'duraton': unknown name, did you "
                                "mean 'duration'?; allowed: "));
  const std::string message = err();
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1);
  EXPECT_EQ(run("rnu").status, 2);
  EXPECT_EQ(run("run no-such-scenario").status, 2);
  EXPECT_EQ(run("run fec-xdp-tx --out /dev/null/x").status, 2);
}

TEST_F(Command, BrokenCaptureIsBadInput) {
  std::ofstream(dir_ / "broken.pcap") << "this is no capture";
  const auto output =
      run("run fec-pcap-forward --set traffic.file=" + (dir_ / "broken.pcap").string());
  EXPECT_EQ(output.status, 2);
  EXPECT_THAT(err(), HasSubstr("broken.pcap"));
}

TEST_F(Command, UnwritableOutputIsBadInput) {
  EXPECT_EQ(run("list >/dev/full").status, 2);
  EXPECT_THAT(err(), HasSubstr("cannot write to standard output"));
}

TEST_F(Command, BenchMeasuresWhatItSays) {
  const auto output = run("bench fec-xdp-drop --repeat 1 --duration '40 ms' --json");
  ASSERT_EQ(output.status, 0) << err();
  const Json json = Json::parse(output.text);
  ASSERT_EQ(json["rows"].size(), 1u);
  const Json& row = json["rows"][0];
  EXPECT_EQ(row["scenario"], "fec-xdp-drop");
  EXPECT_EQ(row["packets"], 12000);  // 300 kpps for 40 ms
  EXPECT_GT(row["packets_per_s"], 0);
  EXPECT_GT(row["crossed_per_s"], 0);
  EXPECT_LE(row["crossed_per_s"], row["packets_per_s"]);
  EXPECT_GT(row["events_per_packet"], 0);
  EXPECT_GT(json["kernel_events_per_s"], 0);
  EXPECT_THAT(err(), IsEmpty());  // no progress bar in a pipe
}

}  // namespace
}  // namespace doorbell
