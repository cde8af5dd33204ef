// What a scenario may change of its platform: sections [pcie] and [iommu], and how they are
// refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/run/platform.h"
#include "sim/run/scenario.h"

namespace doorbell::run {
namespace {

using ::testing::StartsWith;

// Nine good lines; a test adds to them.
std::string text(const std::string& more, const std::string& platform = "xeon-e810",
                 const std::string& device = "ice") {
  return "schema = 1\nname = \"test\"\nduration = \"1 ms\"\nplatform = \"" + platform +
         "\"\n[nic]\ndevice = \"" + device + "\"\n[traffic]\nkind = \"none\"\n\n" + more;
}

base::Result<Scenario> load(const std::string& more, const std::vector<Override>& sets = {}) {
  return load_scenario_text(text(more), "s.toml", sets);
}

std::string refusal(const std::string& more, const std::vector<Override>& sets = {}) {
  const auto scenario = load(more, sets);
  return scenario ? "accepted" : scenario.error();
}

TEST(ScenarioPlatform, SectionsBecomeChanges) {
  const auto loaded =
      load("[iommu]\nenabled = true\n[pcie]\ngeneration = 4\nmax_payload = \"512 B\"\n",
           {{"pcie.lanes", "8"}});
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  const auto& changes = loaded.value().changes;
  ASSERT_EQ(changes.size(), 4u);
  const auto is = [&](size_t i, const char* section, const char* key, const char* origin) {
    EXPECT_EQ(changes[i].section, section);
    EXPECT_EQ(changes[i].key, key);
    EXPECT_EQ(changes[i].origin, origin);
  };
  is(0, "pcie", "generation", "scenario");
  is(1, "pcie", "max_payload", "scenario");
  is(2, "pcie", "lanes", "command line");
  is(3, "iommu", "enabled", "scenario");
  EXPECT_TRUE(load("").value().changes.empty());
}

TEST(ScenarioPlatform, ChangesReachThePlatformAndNothingElseDoes) {
  const auto scenario = load("[pcie]\ngeneration = 4\nlanes = 8\n[iommu]\nenabled = true\n",
                             {{"pcie.lanes", "4"}, {"iommu.walk_latency", "1 us"}});
  ASSERT_TRUE(scenario.ok()) << scenario.error();
  const auto before = load_platform("xeon-e810");
  const auto after = platform_of(scenario.value());
  ASSERT_TRUE(after.ok()) << after.error();
  const base::ParamSet& pcie = after.value().section("pcie");
  EXPECT_EQ(pcie.integer("generation"), 4);
  EXPECT_EQ(pcie.integer("lanes"), 4) << "the command line has the last word";
  EXPECT_EQ(pcie.origin("lanes"), "command line");
  EXPECT_EQ(pcie.origin("generation"), "scenario");
  EXPECT_EQ(pcie.origin("max_payload"), "platform");
  EXPECT_TRUE(after.value().section("iommu").boolean("enabled"));
  EXPECT_EQ(after.value().section("iommu").time("walk_latency"), base::Picos(1000000));
  for (const auto& section : before.value().sections) {
    for (const auto& spec : section.params.table()) {
      const std::string key = section.name + "." + std::string(spec.name);
      if (key != "pcie.generation" && key != "pcie.lanes" && key != "iommu.enabled" &&
          key != "iommu.walk_latency") {
        EXPECT_EQ(after.value().section(section.name).written(spec.name),
                  section.params.written(spec.name))
            << key;
      }
    }
  }
}

TEST(ScenarioPlatform, UnknownKeysNameTheNearest) {
  EXPECT_THAT(refusal("[pcie]\nlane = 8\n"),
              StartsWith("s.toml:11: key 'pcie.lane': unknown name, did you mean 'lanes'?; "
                         "allowed: lanes, "));
  EXPECT_THAT(refusal("[iommu]\nenable = true\n"),
              StartsWith("s.toml:11: key 'iommu.enable': unknown name, did you mean 'enabled'?; "
                         "allowed: enabled, "));
  EXPECT_THAT(refusal("", {{"pcie.lane", "8"}}),
              StartsWith("command line: key 'pcie.lane': unknown name, did you mean 'lanes'?"));
}

TEST(ScenarioPlatform, WrongValuesAreRefusedByTheSectionsOwnTable) {
  EXPECT_EQ(refusal("[pcie]\nlanes = 3\n"),
            "s.toml:11: key 'pcie.lanes': 3 is not one of the allowed values; allowed: 1, 2, 4, 8, "
            "16 lanes");
  EXPECT_EQ(refusal("[pcie]\ngeneration = 6\n"),
            "s.toml:11: key 'pcie.generation': 6 is out of range; allowed: 1..5");
  EXPECT_EQ(refusal("[pcie]\nmax_payload = 256\n"),
            "s.toml:11: key 'pcie.max_payload': 256 is a bare number, not a size: the unit is "
            "missing; allowed: 128 B..4 KiB");
  EXPECT_EQ(refusal("[iommu]\nenabled = 1\n"),
            "s.toml:11: key 'iommu.enabled': 1 is not a boolean; allowed: true, false");
  EXPECT_EQ(refusal("", {{"pcie.lanes", "wide"}}),
            "command line: key 'pcie.lanes': 'wide' is not an integer; allowed: 1, 2, 4, 8, 16 "
            "lanes");
  EXPECT_EQ(load_scenario_text("pcie = 3\n" + text(""), "s.toml").error(),
            "s.toml:1: key 'pcie': 3 is not a section; allowed: [pcie]");
  EXPECT_EQ(refusal("[[iommu]]\nenabled = true\n"),
            "s.toml:10: key 'iommu': a list is not a section; allowed: [iommu]");
}

// The rest of a platform is the board's: no scenario turns its costs.
TEST(ScenarioPlatform, OtherSectionsOfThePlatformCannotBeChanged) {
  for (const char* section : {"cost", "cpu", "memory", "axi", "interrupt", "link", "ice"}) {
    EXPECT_THAT(refusal("[" + std::string(section) + "]\nx = 1\n"),
                StartsWith("s.toml:10: key '" + std::string(section) + "': unknown name"));
  }
}

TEST(ScenarioPlatform, APlatformWithoutTheSectionIsOneMessage) {
  const auto with = [](const std::string& more, const std::vector<Override>& sets = {}) {
    auto scenario = load_scenario_text(text(more, "imx8mp-evk", "fec"), "s.toml", sets);
    EXPECT_TRUE(scenario.ok()) << scenario.error();
    const auto platform = platform_of(scenario.value());
    return platform ? "accepted" : platform.error();
  };
  EXPECT_EQ(with("[pcie]\nlanes = 8\nmax_payload = \"256 B\"\n[iommu]\nenabled = true\n"),
            "test: key 'pcie.lanes': platform 'imx8mp-evk' has no section [pcie]");
  EXPECT_EQ(with("", {{"iommu.enabled", "true"}}),
            "test: key 'iommu.enabled': platform 'imx8mp-evk' has no section [iommu]");
  EXPECT_EQ(with(""), "accepted");
}

TEST(ScenarioPlatform, ShippedOnesThatChangeTheirPlatformAreAccepted) {
  const auto faster = load_scenario("ice-xdp-tx-gen4");
  ASSERT_TRUE(faster.ok()) << faster.error();
  EXPECT_EQ(platform_of(faster.value()).value().section("pcie").integer("generation"), 4);
  const auto guarded = load_scenario("ice-xdp-tx-iommu");
  ASSERT_TRUE(guarded.ok()) << guarded.error();
  EXPECT_TRUE(platform_of(guarded.value()).value().section("iommu").boolean("enabled"));
}

}  // namespace
}  // namespace doorbell::run
