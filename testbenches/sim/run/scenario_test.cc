// Scenarios: what is read, and the exact line for what is refused.
#include "sim/run/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/run/data_dir.h"
#include "sim/run/platform.h"

namespace doorbell::run {
namespace {

using base::Picos;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Ten good lines; a test adds to them or replaces one.
std::vector<std::string> good_lines() {
  return {"schema = 1",                 // 1
          "name = \"test\"",            // 2
          "duration = \"10 ms\"",       // 3
          "platform = \"imx8mp-evk\"",  // 4
          "[nic]",                      // 5
          "device = \"fec\"",           // 6
          "[driver]",                   // 7
          "xdp = \"tx\"",               // 8
          "[traffic]",                  // 9
          "kind = \"fixed\""};          // 10
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) {
    text += line + "\n";
  }
  return text;
}

base::Result<Scenario> load(const std::string& text, const std::vector<Override>& sets = {}) {
  return load_scenario_text(text, "s.toml", sets);
}

// The message for the good scenario with line `number` (from 1) replaced.
std::string with_line(size_t number, const std::string& line) {
  auto lines = good_lines();
  lines.at(number - 1) = line;
  const auto scenario = load(text_of(lines));
  return scenario ? "accepted" : scenario.error();
}

// ... with lines added at the end.
std::string with_more(const std::string& more) {
  const auto scenario = load(text_of(good_lines()) + more);
  return scenario ? "accepted" : scenario.error();
}

std::string with_set(const std::string& key, const std::string& value) {
  const auto scenario = load(text_of(good_lines()), {{key, value}});
  return scenario ? "accepted" : scenario.error();
}

TEST(Scenario, DefaultsAndValues) {
  const auto loaded = load(text_of(good_lines()));
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  const Scenario& s = loaded.value();
  EXPECT_EQ(s.name, "test");
  EXPECT_EQ(s.seed, 1u);
  EXPECT_EQ(s.duration, Picos(10000000000));
  EXPECT_EQ(s.warmup, Picos(0));
  EXPECT_EQ(s.measure, s.duration);
  ASSERT_EQ(s.nics.size(), 1u);
  EXPECT_EQ(s.nics[0].name, "nic");
  EXPECT_EQ(s.nics[0].device, "fec");
  EXPECT_EQ(s.nics[0].engine, Engine::kTlm);
  EXPECT_EQ(s.nics[0].link.count(), 1000000000u);
  ASSERT_EQ(s.drivers.size(), 1u);
  EXPECT_EQ(s.drivers[0].nic, "nic");
  EXPECT_EQ(s.drivers[0].params.choice("xdp"), "tx");
  EXPECT_EQ(s.drivers[0].params.integer("rx_ring"), 256);
  EXPECT_EQ(s.traffic.kind, TrafficKind::kFixed);
  EXPECT_EQ(s.traffic.frame_bytes, 64u);
  EXPECT_TRUE(s.traffic.rate_is_line);
  EXPECT_TRUE(s.expect.empty());
}

TEST(Scenario, TrafficValues) {
  auto lines = good_lines();
  lines[9] = "kind = \"burst\"";
  const auto loaded = load(text_of(lines) +
                           "frame = \"594 B\"\nburst = 16\nburst_gap = \"50 us\"\nflows = 8\n"
                           "vlan_pcp = 5\nbad_fcs_every = 100\nflow_control = true\n"
                           "pause_storm_period = \"1 ms\"\npause_storm_quanta = 100\n");
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  const Traffic& t = loaded.value().traffic;
  EXPECT_EQ(t.kind, TrafficKind::kBurst);
  EXPECT_EQ(t.frame_bytes, 594u);
  EXPECT_EQ(t.burst, 16u);
  EXPECT_EQ(t.burst_gap, Picos(50000000));
  EXPECT_EQ(t.flows, 8u);
  EXPECT_EQ(t.vlan_pcp, 5);
  EXPECT_EQ(t.bad_fcs_every, 100u);
  EXPECT_TRUE(t.flow_control);
  EXPECT_EQ(t.pause_storm_period, Picos(1000000000));
  EXPECT_EQ(t.pause_storm_quanta, 100u);
}

TEST(Scenario, PcapFileIsRelativeToTheScenario) {
  auto lines = good_lines();
  lines[9] = "kind = \"pcap\"";
  const std::string text = text_of(lines) + "file = \"scenario_test.cc\"\ntiming = 2.5\n";
  const std::string here = std::string(__FILE__).substr(0, std::string(__FILE__).rfind('/'));
  const auto loaded = load_scenario_text(text, "s.toml", {}, here);
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  EXPECT_EQ(loaded.value().traffic.file, __FILE__);
  EXPECT_EQ(loaded.value().traffic.timing, PcapTiming::kScaled);
  EXPECT_EQ(loaded.value().traffic.timing_factor, 2.5);
  EXPECT_EQ(load_scenario_text(text, "s.toml", {}, "/nowhere").error(),
            "s.toml:11: key 'traffic.file': there is no file /nowhere/scenario_test.cc; allowed: "
            "path of a pcap or pcapng file");
}

TEST(Scenario, WindowOfMeasurement) {
  const auto loaded = load("warmup = \"2 ms\"\nmeasure = \"5 ms\"\n" + text_of(good_lines()));
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  EXPECT_EQ(loaded.value().warmup, Picos(2000000000));
  EXPECT_EQ(loaded.value().measure, Picos(5000000000));
  EXPECT_EQ(load("warmup = \"2 ms\"\nmeasure = \"9 ms\"\n" + text_of(good_lines())).error(),
            "s.toml:2: key 'measure': it passes the end of the run; allowed: at most 8 ms");
  EXPECT_EQ(load("warmup = \"10 ms\"\n" + text_of(good_lines())).error(),
            "s.toml:1: key 'warmup': it leaves nothing of the duration to measure; allowed: less "
            "than 10 ms");
}

TEST(ScenarioErrors, UnknownKeysNameTheNearest) {
  EXPECT_THAT(with_line(8, "xpd = \"tx\""),
              StartsWith("s.toml:8: key 'driver.xpd': unknown name, did you mean 'xdp'?; allowed: "
                         "xdp, "));
  EXPECT_THAT(with_line(9, "[trafic]"),
              StartsWith("s.toml:9: key 'trafic': unknown name, did you mean 'traffic'?; allowed: "
                         "traffic, "));
  EXPECT_THAT(with_line(3, "dration = \"10 ms\""),
              StartsWith("s.toml:3: key 'dration': unknown name, did you mean 'duration'?"));
  EXPECT_THAT(with_line(6, "device = \"fec\"\nrx_fif = \"1 KiB\""),
              StartsWith("s.toml:7: key 'nic.rx_fif': unknown name, did you mean 'rx_fifo'?"));
  EXPECT_THAT(with_more("fram = \"64 B\"\n"),
              StartsWith("s.toml:11: key 'traffic.fram': unknown name, did you mean 'frame'?"));
  EXPECT_THAT(with_more("[output]\npcapng = true\n"),
              StartsWith("s.toml:12: key 'output.pcapng': unknown name"));
}

TEST(ScenarioErrors, DuplicateKeys) {
  EXPECT_THAT(with_line(8, "xdp = \"tx\"\nxdp = \"drop\""), StartsWith("s.toml:9: "));
  EXPECT_THAT(with_line(8, "xdp = \"tx\"\nxdp = \"drop\""), HasSubstr("'xdp'"));
}

TEST(ScenarioErrors, WrongTypes) {
  EXPECT_EQ(with_line(8, "rx_ring = \"256\""),
            "s.toml:8: key 'driver.rx_ring': \"256\" is not an integer; allowed: 16..1024 "
            "descriptors");
  EXPECT_EQ(with_line(8, "pause = 1"),
            "s.toml:8: key 'driver.pause': 1 is not a boolean; allowed: true, false");
  EXPECT_EQ(with_line(8, "xdp = true"),
            "s.toml:8: key 'driver.xdp': true is not one of the choices; allowed: off, pass, drop, "
            "tx, redirect");
  EXPECT_EQ(with_line(2, "name = [1]"),
            "s.toml:2: key 'name': a list is not text; allowed: a text");
  EXPECT_EQ(with_line(1, "schema = 2"),
            "s.toml:1: key 'schema': 2 is not one of the allowed values; allowed: 1");
}

TEST(ScenarioErrors, MissingUnits) {
  EXPECT_EQ(with_line(3, "duration = 10"),
            "s.toml:3: key 'duration': 10 is a bare number, not a time: the unit is missing; "
            "allowed: 1 us..1000 s");
  EXPECT_EQ(with_line(3, "duration = \"10\""),
            "s.toml:3: key 'duration': '10' is not a time: the unit is missing (a number and one "
            "of: ps, ns, us, ms, s); allowed: 1 us..1000 s");
  EXPECT_EQ(with_more("frame = \"64\"\n"),
            "s.toml:11: key 'traffic.frame': '64' is not a size: the unit is missing (a number and "
            "one of: B, KiB, MiB, GiB, kB, MB); allowed: 64 B..2000 B");
  EXPECT_THAT(with_more("rate = \"1 Gb/s\"\n"),
              StartsWith("s.toml:11: key 'traffic.rate': '1 Gb/s' is not a packet rate: the unit "
                         "is wrong"));
}

TEST(ScenarioErrors, ImpossibleValues) {
  EXPECT_EQ(with_more("frame = \"63 B\"\n"),
            "s.toml:11: key 'traffic.frame': \"63 B\" is out of range; allowed: 64 B..2000 B");
  EXPECT_EQ(with_more("rate = \"1.5 Mpps\"\n"),
            "s.toml:11: key 'traffic.rate': the link carries no more than 1488095 frames of this "
            "size a second; allowed: line, 1 pps..1488095 pps");
  EXPECT_EQ(with_more("rate = \"1488095 pps\"\n"), "accepted");
  EXPECT_EQ(with_line(6, "device = \"fec\"\nlink = \"2.5 Gb/s\""),
            "s.toml:7: key 'nic.link': \"2.5 Gb/s\" is not one of the allowed values; allowed: 1 "
            "Gb/s, 100 Mb/s, 10 Mb/s");
  EXPECT_EQ(with_line(6, "device = \"fec\"\nengine = \"rtl\""),
            "s.toml:7: key 'nic.engine': \"rtl\" is not one of the choices; allowed: tlm");
  EXPECT_EQ(with_line(2, "name = \"Has Space\""),
            "s.toml:2: key 'name': it is not a plain name; allowed: 1 to 64 of a-z, 0-9, '-' and "
            "'_'");
  EXPECT_EQ(with_line(8, "rx_ring = 15"),
            "s.toml:8: key 'driver.rx_ring': 15 is out of range; allowed: 16..1024 descriptors");
}

TEST(ScenarioErrors, KeysThatTheTrafficIgnores) {
  EXPECT_EQ(with_more("burst = 4\n"),
            "s.toml:11: key 'traffic.burst': traffic of kind \"fixed\" does not use it; allowed: "
            "only with kind burst");
  EXPECT_EQ(with_line(10, "kind = \"none\"\nrate = \"1 kpps\""),
            "s.toml:11: key 'traffic.rate': traffic of kind \"none\" does not use it; allowed: "
            "only with kind fixed, imix, poisson, burst");
  EXPECT_EQ(with_line(10, "kind = \"pcap\""),
            "s.toml:9: key 'traffic.file': traffic of kind \"pcap\" needs a capture; allowed: path "
            "of a file");
  EXPECT_THAT(with_line(10, "kind = \"burst\""), HasSubstr("bursts need a gap"));
  EXPECT_EQ(with_line(10, "kind = \"poisson\""),
            "s.toml:9: key 'traffic.rate': traffic of kind \"poisson\" needs a mean rate; allowed: "
            "1 pps..1488095 pps");
  EXPECT_THAT(with_line(10, "kind = \"burst\"\nrate = \"1 kpps\"\nburst_gap = \"1 us\""),
              HasSubstr("rate and burst_gap both set the gap"));
  EXPECT_EQ(with_more("pause_storm_period = \"1 ms\"\n"),
            "s.toml:9: key 'traffic.pause_storm_quanta': a pause storm needs a pause time; "
            "allowed: 1..65535 quanta");
  EXPECT_THAT(with_more("pause_storm_quanta = 10\n"), HasSubstr("a pause storm needs a period"));
}

TEST(ScenarioErrors, WhatIsMissing) {
  EXPECT_EQ(with_line(1, ""), "s.toml:1: key 'schema': it is missing; allowed: 1");
  EXPECT_THAT(with_line(6, ""),
              StartsWith("s.toml:5: key 'nic.device': it is missing; allowed: fec, ice"));
  EXPECT_EQ(with_line(10, ""),
            "s.toml:9: key 'traffic.kind': it is missing; allowed: none, fixed, imix, poisson, "
            "burst, pcap");
  EXPECT_EQ(
      load("schema = 1\nname = \"x\"\nduration = \"1 ms\"\nplatform = \"imx8mp-evk\"\n").error(),
      "s.toml:1: key 'nic': the section is missing; allowed: [nic] or [[nic]]");
}

TEST(ScenarioErrors, WrongShapes) {
  EXPECT_EQ(with_line(9, "[output]\n[[traffic]]"),
            "s.toml:10: key 'traffic': a list is not a section; allowed: [traffic]");
  auto head = good_lines();
  head.resize(4);
  EXPECT_EQ(load("nic = 3\n" + text_of(head)).error(),
            "s.toml:1: key 'nic': 3 is not a section; allowed: [nic] or [[nic]]");
}

TEST(ScenarioErrors, UnknownDeviceAndPlatform) {
  EXPECT_THAT(with_line(6, "device = \"ecf\""),
              StartsWith("s.toml:6: key 'nic.device': \"ecf\" is not a device; allowed: fec, ice"));
  EXPECT_THAT(with_line(4, "platform = \"imx8mp\""),
              StartsWith("s.toml:4: key 'platform': unknown name"));
  EXPECT_THAT(with_line(4, "platform = \"imx8mp\""), HasSubstr("imx8mp-evk"));
  EXPECT_EQ(with_line(4, "platform = \"none/here.toml\""),
            "s.toml:4: key 'platform': there is no file none/here.toml; allowed: name or path of a "
            "platform");
}

TEST(ScenarioExpect, AllForms) {
  const auto loaded = load(text_of(good_lines()) +
                           "[expect]\n\"tx.pps\" = { value = 353600, tolerance = \"5 %\" }\n"
                           "\"drops.x\" = { min = 1, max = 10.5 }\n\"ledger.balanced\" = true\n"
                           "\"bottleneck.resource\" = \"cpu0\"\n\"rx.packets\" = 7\n");
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  const auto& e = loaded.value().expect;
  ASSERT_EQ(e.size(), 5u);
  EXPECT_EQ(e[0].key, "tx.pps");
  EXPECT_EQ(std::get<int64_t>(e[0].value), 353600);
  EXPECT_DOUBLE_EQ(e[0].tolerance, 0.05);
  EXPECT_EQ(e[0].line, 12);
  EXPECT_EQ(*e[1].min, 1);
  EXPECT_EQ(*e[1].max, 10.5);
  EXPECT_EQ(std::get<bool>(e[2].value), true);
  EXPECT_EQ(std::get<std::string>(e[3].value), "cpu0");
  EXPECT_EQ(std::get<int64_t>(e[4].value), 7);
}

TEST(ScenarioExpect, Refusals) {
  const auto refusal = [](const std::string& line) {
    return with_more("[expect]\n" + line + "\n");
  };
  EXPECT_THAT(refusal("\"a\" = [1]"), StartsWith("s.toml:12: key 'expect.a': a list cannot be "
                                                 "expected; allowed: a number, "));
  EXPECT_THAT(refusal("\"a\" = { value = 1, min = 2 }"),
              StartsWith("s.toml:12: key 'expect.a': value and min or max together; allowed: "));
  EXPECT_THAT(refusal("\"a\" = {}"), StartsWith("s.toml:12: key 'expect.a': nothing is expected"));
  EXPECT_THAT(refusal("\"a\" = { min = 3, max = 2 }"),
              StartsWith("s.toml:12: key 'expect.a': min is more than max"));
  EXPECT_THAT(refusal("\"a\" = { value = true, tolerance = \"5 %\" }"),
              StartsWith("s.toml:12: key 'expect.a': a tolerance needs a number as value"));
  EXPECT_THAT(refusal("\"a\" = { value = 1, tolerance = 5 }"),
              StartsWith("s.toml:12: key 'expect.a.tolerance': 5 is a bare number"));
  EXPECT_THAT(refusal("\"a\" = { vale = 1 }"),
              StartsWith("s.toml:12: key 'expect.a.vale': unknown name, did you mean 'value'?"));
  EXPECT_THAT(refusal("tx.pps = 1"), HasSubstr("key 'expect.tx.pps'"));
  EXPECT_THAT(refusal("\"a\" = inf"), HasSubstr("inf cannot be expected"));
}

TEST(ScenarioSet, OverridesMeetTheSameChecks) {
  const auto loaded = load(text_of(good_lines()), {{"driver.rx_ring", "512"},
                                                   {"traffic.rate", "300 kpps"},
                                                   {"nic.link", "100 Mb/s"},
                                                   {"seed", "7"},
                                                   {"driver.pause", "true"},
                                                   {"traffic.rate", "100 kpps"},
                                                   {"expect.tx.pps", "{ min = 5 }"}});
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  const Scenario& s = loaded.value();
  EXPECT_EQ(s.drivers[0].params.integer("rx_ring"), 512);
  EXPECT_EQ(s.drivers[0].params.origin("rx_ring"), "command line");
  EXPECT_EQ(s.drivers[0].params.origin("xdp"), "scenario");
  EXPECT_TRUE(s.drivers[0].params.boolean("pause"));
  EXPECT_EQ(s.traffic.rate_pps, 100000u);
  EXPECT_EQ(s.seed, 7u);
  ASSERT_EQ(s.expect.size(), 1u);
  EXPECT_EQ(*s.expect[0].min, 5);
}

TEST(ScenarioSet, Refusals) {
  EXPECT_EQ(with_set("driver.rx_ring", "8"),
            "command line: key 'driver.rx_ring': 8 is out of range; allowed: 16..1024 descriptors");
  EXPECT_THAT(
      with_set("driver.rx_rin", "64"),
      StartsWith("command line: key 'driver.rx_rin': unknown name, did you mean 'rx_ring'?"));
  EXPECT_THAT(with_set("traffic.rate", "fast"),
              StartsWith("command line: key 'traffic.rate': 'fast' is not a packet rate"));
  EXPECT_EQ(with_set("name.x", "1"), "command line: key 'name.x': 'name' is not a table");
  EXPECT_THAT(with_set("trafic.rate", "line"), StartsWith("command line: key 'trafic': unknown"));
  EXPECT_FALSE(parse_override("driver.rx_ring").ok());
  EXPECT_FALSE(parse_override("=5").ok());
  EXPECT_EQ(parse_override(" a.b = c=d ").value().key, "a.b");
  EXPECT_EQ(parse_override(" a.b = c=d ").value().value, "c=d");
  EXPECT_EQ(parse_override("x").error(),
            "command line: --set 'x' is not an override; allowed: key=value, for example "
            "driver.rx_ring=512");
}

TEST(ScenarioNics, SeveralWithTheirDrivers) {
  const std::string head =
      "schema = 1\nname = \"two\"\nduration = \"1 ms\"\nplatform = "
      "\"imx8mp-evk\"\n[traffic]\nkind = \"none\"\n"
      "[[nic]]\nname = \"left\"\ndevice = \"fec\"\n"
      "[[nic]]\nname = \"right\"\ndevice = \"fec\"\n";
  const auto both = load(head + "[driver]\nxdp = \"drop\"\n");
  ASSERT_TRUE(both.ok()) << both.error();
  ASSERT_EQ(both.value().drivers.size(), 2u);
  EXPECT_EQ(both.value().drivers[1].params.choice("xdp"), "drop");
  const auto one = load(head + "[[driver]]\nnic = \"right\"\nxdp = \"drop\"\n");
  ASSERT_TRUE(one.ok()) << one.error();
  ASSERT_EQ(one.value().drivers.size(), 2u);
  EXPECT_EQ(one.value().drivers[0].nic, "left");
  EXPECT_EQ(one.value().drivers[0].params.choice("xdp"), "off");
  EXPECT_EQ(one.value().drivers[1].params.choice("xdp"), "drop");
  EXPECT_EQ(load(head + "[[driver]]\nnic = \"lef\"\n").error(),
            "s.toml:14: key 'driver.nic': there is no such nic; allowed: left, right");
  EXPECT_THAT(load(head + "[[driver]]\nnic = \"left\"\n[[driver]]\nnic = \"left\"\n").error(),
              HasSubstr("two drivers for \"left\""));
  EXPECT_THAT(load(head + "[[nic]]\nname = \"left\"\ndevice = \"fec\"\n").error(),
              StartsWith("s.toml:14: key 'nic.name': two nics are called \"left\""));
}

TEST(ShippedScenarios, AllLoadWithTheirPlatform) {
  const auto names = shipped_names("scenarios");
  EXPECT_GE(names.size(), 8u);
  for (const auto& name : names) {
    const auto scenario = load_scenario(name);
    ASSERT_TRUE(scenario.ok()) << scenario.error();
    EXPECT_EQ(scenario.value().name, name);
    EXPECT_FALSE(scenario.value().summary.empty()) << name;
    EXPECT_FALSE(scenario.value().expect.empty()) << name;
    const auto platform = platform_of(scenario.value());
    EXPECT_TRUE(platform.ok()) << platform.error();
  }
}

TEST(ShippedScenarios, UnknownNameListsNearOnes) {
  const auto missing = load_scenario("fec-xdp-t");
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error(), StartsWith("scenario 'fec-xdp-t': unknown name, did you mean "
                                          "'fec-xdp-tx'?; allowed: fec-xdp-tx, "));
  EXPECT_EQ(load_scenario("no/such.toml").error(),
            "no/such.toml: cannot open the file: No such file or directory");
}

}  // namespace
}  // namespace doorbell::run
