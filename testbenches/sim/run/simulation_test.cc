// A scenario put together and run: what only shows then is refused with one message, a card's own
// values count, and cores that share a transmit ring lose nothing. One run a process.
#include "sim/run/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <systemc>

#include "sim/run/machine_setup.h"
#include "sim/run/nic.h"
#include "sim/run/traffic_setup.h"

int sc_main(int, char**) {
  return 0;
}

namespace doorbell::run {
namespace {

using ::testing::IsEmpty;

base::Result<report::RunResult> run(const Scenario& scenario) {
  const auto platform = platform_of(scenario);
  if (!platform) {
    return base::Error{platform.error()};
  }
  return simulate(scenario, platform.value(), RunOptions());
}

// What putting the scenario together says.
std::string refusal(const std::string& platform, const std::string& device,
                    const std::string& more) {
  const std::string text = "schema = 1\nname = \"t\"\nduration = \"1 us\"\nplatform = \"" +
                           platform + "\"\n[nic]\ndevice = \"" + device +
                           "\"\n[traffic]\nkind = \"none\"\n" + more;
  const auto scenario = load_scenario_text(text, "s.toml");
  EXPECT_TRUE(scenario.ok()) << scenario.error();
  const auto result = run(scenario.value());
  return result ? "accepted" : result.error();
}

TEST(Refusal, TheFecNeedsAnAxiBus) {
  EXPECT_EQ(refusal("xeon-e810", "fec", ""),
            "t: key 'platform': 'xeon-e810' has no [axi], which the FEC is attached to");
}

TEST(Refusal, TheE810NeedsPciExpress) {
  EXPECT_EQ(refusal("imx8mp-evk", "ice", ""),
            "t: key 'platform': 'imx8mp-evk' has no [pcie] and [iommu], which the E810 is attached "
            "to");
}

TEST(Refusal, NoMoreQueuesThanCores) {
  EXPECT_EQ(refusal("xeon-e810", "ice", "[driver]\nqueues = 65\n"),
            "t: key 'driver.queues': 65 is more than one a core; allowed: at most the 64 cores of "
            "platform 'xeon-e810'");
}

TEST(Refusal, ALinkThatCannotBe) {
  EXPECT_EQ(refusal("xeon-e810", "ice", "[pcie]\nmax_payload = \"192 B\"\n"),
            "t: section [pcie] of platform 'xeon-e810': max_payload and max_read_request must be "
            "powers of two from 128 B to 4 KiB");
}

TEST(Refusal, AnIommuThatCannotBe) {
  EXPECT_EQ(refusal("xeon-e810", "ice", "[iommu]\nenabled = true\nentries = 48\n"),
            "t: section [pcie] of platform 'xeon-e810': iommu: entries, ways and page_bytes are "
            "powers of two, ways <= entries, walkers 1..16");
}

TEST(Refusal, RingSizesThatTheDriverLacks) {
  EXPECT_EQ(refusal("xeon-e810", "ice", "[driver]\nrx_ring = 100\n"),
            "t: key 'driver.rx_ring': the E810 driver has no ring of 100 descriptors; allowed: "
            "64..8160 in steps of 32, or force_ring_size = true");
}

TEST(Refusal, TransmitRingsToo) {
  EXPECT_EQ(refusal("xeon-e810", "ice", "[driver]\ntx_ring = 100\n"),
            "t: key 'driver.tx_ring': the E810 driver has no ring of 100 descriptors; allowed: "
            "64..8160 in steps of 32, or force_ring_size = true");
}

TEST(Refusal, NoneWhenTheSizeIsForced) {
  EXPECT_EQ(
      refusal("xeon-e810", "ice", "[driver]\nqueues = 1\nrx_ring = 100\nforce_ring_size = true\n"),
      "accepted");
}

TEST(Refusal, AReportIntervalThatIsNoPartOfTheRing) {
  EXPECT_EQ(refusal("xeon-e810", "ice",
                    "[driver]\nrs = \"threshold\"\nrs_threshold = 48\ntx_ring = 256\n"),
            "t: key 'driver.rs_threshold': 48 is no part of a ring of 256; allowed: its divisors "
            "from 2 to half of it, or force_ring_size = true");
}

TEST(Refusal, SeveralNics) {
  const auto scenario = load_scenario_text(
      "schema = 1\nname = \"t\"\nduration = \"1 us\"\nplatform = \"imx8mp-evk\"\n"
      "[traffic]\nkind = \"none\"\n[[nic]]\nname = \"a\"\ndevice = \"fec\"\n"
      "[[nic]]\nname = \"b\"\ndevice = \"fec\"\n",
      "s.toml");
  ASSERT_TRUE(scenario.ok()) << scenario.error();
  EXPECT_EQ(run(scenario.value()).error(),
            "t: a run has one [nic] so far; several [[nic]] cannot be run");
}

// The platform's [ice] is the board's card: it fills what [nic] does not say.
TEST(NicParams, TheCardFillsInAndTheScenarioOverrules) {
  const auto scenario = load_scenario("ice-xdp-tx", {{"nic.tx_writeback_service", "50 ns"}});
  ASSERT_TRUE(scenario.ok()) << scenario.error();
  const auto platform = platform_of(scenario.value());
  ASSERT_TRUE(platform.ok()) << platform.error();
  hal::Machine machine(machine_config(platform.value(), 1));
  net::Station station(
      station_spec(scenario.value(), platform.value(), base::Picos(0), base::Picos(1000)), nullptr);
  probe::Digest digest;
  Receiver receiver(machine, station, digest, false);
  const NicEnvironment env{scenario.value(),
                           platform.value(),
                           scenario.value().nics.front(),
                           scenario.value().drivers.front(),
                           machine,
                           station,
                           receiver,
                           digest,
                           nullptr,
                           false};
  const base::ParamSet params = nic_params(env);
  EXPECT_EQ(params.choice("tx_writeback"), "engine");
  EXPECT_EQ(params.origin("tx_writeback"), "platform");
  EXPECT_EQ(params.time("tx_writeback_service"), base::Picos(50000));
  EXPECT_EQ(params.origin("tx_writeback_service"), "command line");
  EXPECT_EQ(params.origin("tx_cache"), "default");
  EXPECT_EQ(scenario.value().nics.front().params.choice("tx_writeback"), "line-merge")
      << "what the scenario said stays as it was";
}

uint64_t statistic(const report::RunResult& result, const std::string& name) {
  const auto row = std::find_if(result.statistics.begin(), result.statistics.end(),
                                [&](const auto& r) { return r.first == name; });
  EXPECT_NE(row, result.statistics.end()) << name;
  return row == result.statistics.end() ? 0 : static_cast<uint64_t>(row->second);
}

uint64_t dropped(const report::RunResult& result, const std::string& reason) {
  for (const auto& [name, frames] : result.drops) {
    if (name == reason) {
      return frames;
    }
  }
  ADD_FAILURE() << reason;
  return 0;
}

// Four cores, two rings: whoever comes second waits. Every frame that was received is sent, once,
// unharmed and behind the earlier ones of its flow (frame-integrity), and only the packet buffer
// drops.
void expect_nothing_lost(const report::RunResult& result) {
  EXPECT_THAT(result.checks, IsEmpty())
      << result.checks.front().rule << ": " << result.checks.front().message;
  EXPECT_TRUE(result.ledger.balanced());
  EXPECT_TRUE(result.ledger_rx.balanced());
  EXPECT_TRUE(result.ledger_tx.balanced());
  EXPECT_EQ(result.ledger.in_flight, 0u);
  EXPECT_GT(result.ledger_rx.delivered, 5000u);
  EXPECT_EQ(result.ledger_tx.delivered, result.ledger_rx.delivered);
  EXPECT_EQ(result.ledger.dropped, dropped(result, "rx_buffer_full"));
  EXPECT_GT(statistic(result, "xdp_lock_waits"), 100u);
}

base::Result<report::RunResult> run_shared(const std::string& name, const std::string& rings) {
  const auto scenario = load_scenario(name, {{"driver.shared_xdp_rings", rings},
                                             {"driver.queues", "4"},
                                             {"duration", "400 us"},
                                             {"warmup", "100 us"}});
  if (!scenario) {
    return base::Error{scenario.error()};
  }
  return run(scenario.value());
}

TEST(SharedXdpRings, XdpTxKeepsOrderAndLosesNothing) {
  const auto result = run_shared("ice-xdp-tx", "2");
  ASSERT_TRUE(result.ok()) << result.error();
  expect_nothing_lost(result.value());
  EXPECT_EQ(statistic(result.value(), "rx_xdp_tx"), result.value().ledger_tx.delivered);
}

TEST(SharedXdpRings, RedirectKeepsOrderAndLosesNothing) {
  const auto result = run_shared("ice-xdp-redirect", "2");
  ASSERT_TRUE(result.ok()) << result.error();
  expect_nothing_lost(result.value());
  EXPECT_EQ(statistic(result.value(), "tx_xdp_xmit"), result.value().ledger_tx.delivered);
}

// As in Linux, XDP wants a ring for every second core at least.
TEST(SharedXdpRings, LessThanHalfAsManyAsCoresIsNotEnough) {
  const auto result = run_shared("ice-xdp-tx", "1");
  ASSERT_TRUE(result.ok()) << result.error();
  ASSERT_EQ(result.value().checks.size(), 1u);
  EXPECT_EQ(result.value().checks[0].rule, "driver-open");
  EXPECT_EQ(result.value().checks[0].message, "probe or open failed with status -12");
  EXPECT_EQ(result.value().ledger.dropped, dropped(result.value(), "rx_disabled"));
  EXPECT_TRUE(result.value().ledger.balanced());
}

TEST(SharedXdpRings, ARingForEachCoreIsNeverWaitedFor) {
  const auto result = run_shared("ice-xdp-tx", "0");
  ASSERT_TRUE(result.ok()) << result.error();
  EXPECT_EQ(statistic(result.value(), "xdp_lock_waits"), 0u);
  EXPECT_GT(result.value().ledger_tx.delivered, 5000u);
  EXPECT_TRUE(result.value().ledger.balanced());
  EXPECT_THAT(result.value().checks, IsEmpty());
}

}  // namespace
}  // namespace doorbell::run
