// Whole runs through the command: published rates, ledgers, digests, checks, files.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace doorbell {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Outcome {
  int status = -1;
  std::string out;
  Json json() const { return Json::parse(out); }
};

Outcome doorbell(const std::string& arguments) {
  Outcome outcome;
  const std::string command = std::string(DOORBELL_BINARY) + " " + arguments + " 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << "cannot start " << command;
    return outcome;
  }
  char buffer[65536];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    outcome.out.append(buffer, n);
  }
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

class ScratchDir {
 public:
  ScratchDir() {
    char name[] = "/tmp/doorbell-test-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~ScratchDir() { fs::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<std::string> shipped() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(DOORBELL_SOURCE_DIR "/sim/scenarios")) {
    if (entry.path().extension() == ".toml") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

double pps(const std::string& scenario) {
  const Outcome run = doorbell("run " + scenario + " --json");
  EXPECT_EQ(run.status, 0) << run.out;
  return run.json()["tx"]["pps"].get<double>();
}

// Published: Wei Fang, netdev, 2023-08-15, "net: fec: add XDP_TX feature support" V6, i.MX8MP-EVK,
// 64 bytes.
TEST(PublishedRate, FecNativeXdpTx) {
  EXPECT_NEAR(pps("fec-xdp-tx"), 353600, 0.03 * 353600);
}
TEST(PublishedRate, FecGenericXdpTx) {
  EXPECT_NEAR(pps("fec-xdp-skb"), 160600, 0.03 * 160600);
}
// A prediction: no constant is fitted to it.
TEST(PublishedRate, FecXdpRedirect) {
  EXPECT_NEAR(pps("fec-xdp-redirect"), 234900, 0.08 * 234900);
}

// Published: kernel commit 9610bd988df9, "ice: optimize XDP_TX workloads", 64 bytes, 30 flows.
TEST(PublishedRate, IceXdpTxBeforeAndAfter) {
  const Json before = doorbell("run ice-xdp-tx-before --json").json();
  const Json after = doorbell("run ice-xdp-tx --json").json();
  EXPECT_NEAR(after["rx"]["pps"].get<double>(), 79.84e6, 0.05 * 79.84e6);
  EXPECT_NEAR(after["tx"]["pps"].get<double>(), 79.84e6, 0.05 * 79.84e6);
  EXPECT_NEAR(before["tx"]["pps"].get<double>(), 42.23e6, 0.10 * 42.23e6);
  EXPECT_NEAR(before["rx"]["pps"].get<double>(), 90.92e6, 0.10 * 90.92e6);
  // What the driver received and did not send it refused for a full ring.
  EXPECT_EQ(before["statistics"]["tx_busy"], before["drops"]["xdp_tx_ring_full"]);
  EXPECT_GT(before["statistics"]["tx_busy"].get<uint64_t>(), 100000u);
  EXPECT_EQ(before["bottleneck"]["resource"], "tx report engine");
  EXPECT_EQ(after["bottleneck"]["resource"].get<std::string>().substr(0, 3), "cpu");
}

// A ring that is no multiple of the threshold stalls, and the check says why.
TEST(IceRingSizes, AWrongSizeStallsAndTheCheckNamesWhy) {
  const Outcome run = doorbell(
      "run ice-ring-sizes --check --json --set driver.tx_ring=100 --set "
      "driver.force_ring_size=true");
  EXPECT_EQ(run.status, 1);
  const Json result = run.json();
  EXPECT_EQ(result["tx"]["pps"], 0);
  bool named = false;
  for (const auto& check : result["checks"]) {
    named = named || (check["rule"] == "ring-size" &&
                      check["message"].get<std::string>().find("no multiple") != std::string::npos);
  }
  EXPECT_TRUE(named) << result["checks"];
  // Without being forced it is bad input, and so is any other size ethtool refuses.
  EXPECT_EQ(doorbell("run ice-ring-sizes --set driver.tx_ring=100").status, 2);
}

// The application in its three modes, in copy mode on the FEC.
TEST(Application, EveryModeBalancesAndIsAccountedFor) {
  const std::string base =
      "run fec-xsk-rxdrop-copy --check --json --set duration='20 ms' --set warmup='5 ms' --set "
      "app.mode=";
  for (const char* mode : {"rxdrop", "l2fwd", "txonly"}) {
    const Outcome run = doorbell(base + mode);
    EXPECT_EQ(run.status, 0) << mode << run.out;
    const Json result = run.json();
    EXPECT_TRUE(result["ledger"]["balanced"].get<bool>()) << mode << result["ledger"];
    EXPECT_TRUE(result["checks"].empty()) << mode << result["checks"];
    EXPECT_EQ(result["counters"]["app.errors"], 0) << mode;
    EXPECT_GT(result["cpu"][1]["busy_percent"].get<double>(), 99) << "a spinning application";
  }
  const Json sent = doorbell(base + "txonly").json();
  EXPECT_EQ(sent["counters"]["app.tx_submitted"], sent["tx"]["packets"]);
  const Json received = doorbell(base + "rxdrop").json();
  EXPECT_GT(received["counters"]["app.rx_packets"].get<uint64_t>(), 1000u);
  EXPECT_EQ(doorbell(base + "rxdrop --set driver.xdp=tx").status, 2);
  EXPECT_EQ(doorbell(base + "rxdrop --set app.cpu=9").status, 2);
  EXPECT_EQ(doorbell(base + "txonly --set app.chunks=128").status, 2);
  EXPECT_EQ(doorbell("run ice-xdp-drop --set app.kind=xdpsock --set driver.xdp=off").status, 2);
}

// Real objects in the XDP hook of both drivers.
TEST(BpfProgram, RunsInTheDriverAndItsTimeIsCharged) {
  for (const char* scenario :
       {"fec-xdp-drop", "ice-xdp-drop --set traffic.rate='20 Mpps' --set duration='2 ms'"}) {
    const Outcome run =
        doorbell(std::string("run ") + scenario + " --check --json --set driver.program=count");
    EXPECT_EQ(run.status, 0) << scenario;
    const Json result = run.json();
    const auto frames = result["rx"]["packets"].get<uint64_t>();
    EXPECT_GT(frames, 100u) << scenario;
    EXPECT_EQ(result["counters"]["bpf.runs"], frames) << scenario;
    EXPECT_GT(result["counters"]["bpf.instructions"].get<uint64_t>(), 10 * frames) << scenario;
    EXPECT_EQ(result["counters"]["bpf.faults"], 0) << scenario;
    EXPECT_EQ(result["drops"]["xdp_drop"], frames) << scenario;
  }
}

TEST(BpfProgram, AFaultIsAFindingAndAWrongNameIsBadInput) {
  const Outcome broken = doorbell(
      "run fec-xdp-drop --json --set driver.program=broken_bounds --set duration='10 ms' --set "
      "warmup='1 ms'");
  EXPECT_EQ(broken.status, 1);
  EXPECT_EQ(broken.json()["checks"][0]["rule"], "bpf-fault");
  EXPECT_TRUE(broken.json()["ledger"]["balanced"].get<bool>());
  EXPECT_EQ(doorbell("run fec-xdp-drop --set driver.program=nothing").status, 2);
  EXPECT_EQ(doorbell("run fec-xdp-drop --set driver.program=/no/such.o").status, 2);
  EXPECT_EQ(doorbell("run fec-xdp-drop --set driver.program=" DOORBELL_BINARY).status, 2);
}

TEST(EveryScenario, HoldsItsExpectationsBalancesAndHasNoFinding) {
  for (const std::string& name : shipped()) {
    const Outcome run = doorbell("run " + name + " --check --json");
    EXPECT_EQ(run.status, 0) << name << ": " << run.out;
    const Json result = run.json();
    EXPECT_TRUE(result["ledger"]["balanced"].get<bool>()) << name;
    EXPECT_TRUE(result["ledger"]["rx"]["balanced"].get<bool>()) << name;
    EXPECT_TRUE(result["ledger"]["tx"]["balanced"].get<bool>()) << name;
    EXPECT_TRUE(result["checks"].empty()) << name << ": " << result["checks"];
  }
}

TEST(Digest, IsTheSameWhateverIsSwitchedOn) {
  const ScratchDir dir;
  const std::string base =
      "run fec-xdp-redirect --set duration='20 ms' --set measure='10 ms' "
      "--set warmup='5 ms' --json";
  const std::string plain = doorbell(base).json()["digest"];
  EXPECT_EQ(doorbell(base).json()["digest"], plain);
  EXPECT_EQ(doorbell(base + " --check").json()["digest"], plain);
  const Outcome traced =
      doorbell(base + " --set output.pcap=true --set output.trace=true --out " + dir.path());
  EXPECT_EQ(traced.json()["digest"], plain);
  EXPECT_TRUE(fs::exists(dir.path() + "/packets.pcap"));
  EXPECT_TRUE(fs::exists(dir.path() + "/trace.json"));
  EXPECT_NE(doorbell(base + " --set traffic.frame='68 B'").json()["digest"], plain);
}

// The numbers are those of the release build on the machine where they were taken; every other
// build and machine must print the same. A change of a model, a driver or a platform constant
// changes them: then take the new ones.
TEST(Digest, IsTheSameInEveryBuild) {
  std::ifstream golden(DOORBELL_SOURCE_DIR "/testbenches/system/scenarios/digests.txt");
  size_t lines = 0;
  for (std::string name, digest; golden >> name >> digest; ++lines) {
    const Outcome run = doorbell("run " + name + " --json");
    EXPECT_EQ(run.json()["digest"].get<std::string>(), digest) << name;
  }
  EXPECT_GE(lines, 4u);
}

TEST(Seed, ChangesRandomTrafficAndNothingElse) {
  const std::string poisson =
      "run fec-xdp-drop --set traffic.kind=poisson --set traffic.rate='200 kpps' "
      "--set duration='20 ms' --set measure='10 ms' --set warmup='5 ms' --json";
  const std::string one = doorbell(poisson + " --set seed=1").json()["digest"];
  EXPECT_EQ(doorbell(poisson + " --set seed=1").json()["digest"], one);
  EXPECT_NE(doorbell(poisson + " --set seed=2").json()["digest"], one);
}

TEST(CpuTable, SplitsTheTimeOfAPacketAndAddsUp) {
  const Json cpu = doorbell("run fec-xdp-tx --json").json()["cpu"][0];
  double sum = 0;
  for (const auto& [label, percent] : cpu["by"].items()) {
    sum += percent.get<double>();
  }
  EXPECT_NEAR(sum, cpu["busy_percent"].get<double>(), 0.01);
  EXPECT_NEAR(sum, 100.0, 0.5) << "an overloaded core has no idle time";
  for (const char* label : {"uncached descriptor access", "cache maintenance", "MMIO",
                            "XDP program", "page pool", "interrupt and poll"}) {
    EXPECT_GT(cpu["by"][label].get<double>(), 0.0) << label;
  }
}

TEST(Overload, NamesWhatOverflows) {
  const Json result = doorbell("run fec-xdp-tx --json").json();
  EXPECT_GT(result["drops"]["rx_ring_full"].get<uint64_t>(), 1000u);
  EXPECT_EQ(result["bottleneck"]["resource"], "cpu0");
}

TEST(Workaround, KeepsTheTransmitterAlive) {
  const Outcome hung = doorbell("run fec-tdar-race --json");
  EXPECT_EQ(hung.status, 0);
  const Json safe =
      doorbell("run fec-tdar-race --set driver.erratum_007885_workaround=true --json").json();
  EXPECT_EQ(safe["counters"]["fec.erratum_007885_hangs"], 0);
  EXPECT_GT(safe["tx"]["pps"].get<double>(), 140000.0);
}

// Cases that a review found: each must balance and be free of findings.
TEST(Ledger, BalancesOverRestartsCutsAndOddRings) {
  for (const char* arguments :
       {"fec-xdp-tx --set driver.mode=skb --set driver.pause=true --set "
        "traffic.pause_storm_quanta=65535 --set traffic.pause_storm_period='10 us' --set "
        "driver.tx_timeout='1 ms'",
        "fec-xdp-tx --set driver.mode=skb --set nic.erratum_007885=true --set "
        "nic.erratum_007885_window=1000 --set traffic.rate='100 kpps' --set "
        "driver.tx_timeout='10 ms'",
        "fec-xdp-tx --set driver.pause=true --set traffic.flow_control=true --set "
        "warmup='5 ms' --set duration='37 ms'",
        "fec-xdp-tx --set driver.rx_ring=1024 --set driver.tx_ring=4096 --set duration='20 ms' "
        "--set warmup='1 ms' --set measure='5 ms'",
        "fec-xdp-tx --set driver.tx_ring=257 --set driver.cpu=2",
        "fec-xdp-drop --set driver.assume_link=false --set driver.pause=true",
        "fec-xdp-drop --set nic.link='100 Mb/s' --set traffic.rate='100 kpps'",
        "fec-xdp-drop --set traffic.bad_fcs_every=7 --set traffic.flows=100"}) {
    const Json result = doorbell(std::string("run ") + arguments + " --check --json").json();
    EXPECT_TRUE(result["ledger"]["balanced"].get<bool>()) << arguments << result["ledger"];
    EXPECT_TRUE(result["checks"].empty()) << arguments << result["checks"];
    EXPECT_GT(result["rx"]["packets"].get<uint64_t>(), 0u) << arguments;
  }
}

TEST(Ledger, NamesWhatOverflows) {
  const Json result = doorbell("run fec-xdp-drop --set traffic.bad_fcs_every=7 --json").json();
  EXPECT_GT(result["drops"]["rx_crc_error"].get<uint64_t>(), 1000u);
  EXPECT_EQ(result["drops"]["rx_error"], 0);
}

TEST(BadInput, IsRefusedWithStatusTwo) {
  for (const char* arguments :
       {"run fec-xdp-tx --set driver.rx_rign=5", "run fec-xdp-tx --set duration=5",
        "run fec-xdp-tx --set nic.link='40 Mb/s'", "run no-such-scenario",
        "run fec-xdp-tx --set platform=nowhere", "run fec-xdp-tx --engine rtl"}) {
    EXPECT_EQ(doorbell(arguments).status, 2) << arguments;
  }
  const ScratchDir dir;
  const std::string file = dir.path() + "/typo.toml";
  std::ifstream shipped_file(DOORBELL_SOURCE_DIR "/sim/scenarios/fec-xdp-drop.toml");
  std::ofstream(file) << shipped_file.rdbuf() << "\"drops.rx_ringg_full\" = 0\n";
  EXPECT_EQ(doorbell("run " + file).status, 2) << "an expectation of nothing";
}

TEST(Variants, OfTheDriverRunAndDiffer) {
  const std::string base = "run fec-xdp-tx --json";
  const double plain = doorbell(base).json()["tx"]["pps"].get<double>();
  const double successor =
      doorbell(base + " --set driver.xdp_frame_conversion=false").json()["tx"]["pps"].get<double>();
  const double batched =
      doorbell(base + " --set driver.doorbell=batched").json()["tx"]["pps"].get<double>();
  EXPECT_GT(successor, plain) << "no xdp_frame to build";
  EXPECT_GT(batched, plain) << "fewer register writes";
  const double full = doorbell(
                          "run fec-xdp-drop --set driver.dma_sync=full --set "
                          "traffic.rate=line --json")
                          .json()["rx"]["pps"]
                          .get<double>();
  const double used =
      doorbell("run fec-xdp-drop --set traffic.rate=line --json").json()["rx"]["pps"].get<double>();
  EXPECT_GT(used, full) << "55 lines cleaned instead of one or two";
}

// Steady state keeps nothing: ten seconds need no more memory than one. Release only, for time.
#ifdef NDEBUG
TEST(LongRun, TenSecondsStayUnderTwoHundredMegabytes) {
  const Outcome run = doorbell("run fec-xdp-tx --set duration='10 s' --set measure='9 s' --json");
  ASSERT_EQ(run.status, 0);
  EXPECT_GT(run.json()["sim"]["packets"].get<uint64_t>(), 14000000u);
  rusage usage{};
  ASSERT_EQ(getrusage(RUSAGE_CHILDREN, &usage), 0);
  EXPECT_LT(usage.ru_maxrss, 200 * 1024) << "KiB";
}
#endif

}  // namespace
}  // namespace doorbell
