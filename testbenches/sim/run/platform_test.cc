// Platform files: constants with sources, and the exact line for what is refused.
#include "sim/run/platform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace doorbell::run {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr base::ParamSpec kCpu[] = {
    {"cores", base::ParamKind::kInteger, base::kRequired, "1..64", "cores", {}, {}},
    {"clock", base::ParamKind::kFrequency, base::kRequired, {}, {}, {}, {}},
};
constexpr base::ParamSpec kCost[] = {
    {"load", base::ParamKind::kCycles, base::kRequired, {}, {}, {}, {}},
    {"store", base::ParamKind::kCycles, base::kRequired, {}, {}, {}, {}},
};
const std::vector<SectionTable>& tables() {
  static const std::vector<SectionTable> kTables = {{"cpu", kCpu}, {"cost", kCost}};
  return kTables;
}

std::vector<std::string> good_lines() {
  return {"schema = 1",                                                               // 1
          "name = \"board\"",                                                         // 2
          "summary = \"a board\"",                                                    // 3
          "[cpu]",                                                                    // 4
          "cores = { value = 4, source = \"datasheet\", note = \"page 1\" }",         // 5
          "clock = { value = \"1.8 GHz\", source = \"assumed\" }",                    // 6
          "[cost]",                                                                   // 7
          "load = { value = \"165 ns\", source = \"fitted\", fitted_to = [\"a\"] }",  // 8
          "store = { value = \"12 cycles\", source = \"assumed\" }"};                 // 9
}

base::Result<Platform> load(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) {
    text += line + "\n";
  }
  return load_platform_text(text, "p.toml", tables());
}

std::string with_line(size_t number, const std::string& line) {
  auto lines = good_lines();
  lines.at(number - 1) = line;
  const auto platform = load(lines);
  return platform ? "accepted" : platform.error();
}

TEST(Platform, ValuesAndSources) {
  const auto loaded = load(good_lines());
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  const Platform& p = loaded.value();
  EXPECT_EQ(p.name, "board");
  EXPECT_EQ(p.section("cpu").integer("cores"), 4);
  const base::Hertz clock = p.section("cpu").frequency("clock");
  EXPECT_EQ(p.section("cost").cycles("load", clock), base::Picos(165000));
  EXPECT_EQ(p.section("cost").cycles("store", clock), base::Picos(6667));
  ASSERT_EQ(p.constants.size(), 4u);
  EXPECT_EQ(p.constants[0].section, "cpu");
  EXPECT_EQ(p.constants[0].value, "4");
  EXPECT_EQ(p.constants[0].source, "datasheet");
  EXPECT_EQ(p.constants[0].note, "page 1");
  EXPECT_EQ(p.constants[2].fitted_to, std::vector<std::string>{"a"});
  EXPECT_THROW(p.section("no_such"), std::logic_error);
}

TEST(PlatformErrors, UnknownAndMissingConstants) {
  EXPECT_EQ(with_line(8, "lod = { value = \"1 ns\", source = \"assumed\" }"),
            "p.toml:8: key 'cost.lod': unknown name, did you mean 'load'?; allowed: load, store");
  EXPECT_EQ(with_line(8, ""),
            "p.toml:7: key 'cost.load': the constant is missing; allowed: a number of cycles or "
            "time, for example \"120 cycles\" or \"80 ns\"");
  EXPECT_THAT(with_line(7, "[costs]"),
              StartsWith("p.toml:7: key 'costs': unknown name, did you mean 'cost'?"));
  auto without_cost = good_lines();
  without_cost.resize(6);
  EXPECT_EQ(load(without_cost).error(), "p.toml:1: key 'cost': the section is missing");
  EXPECT_EQ(with_line(3, ""), "p.toml:1: key 'summary': it is missing");
}

TEST(PlatformErrors, EveryConstantHasASource) {
  EXPECT_EQ(with_line(9, "store = { value = \"12 cycles\" }"),
            "p.toml:9: key 'cost.store': the source is missing; allowed: published, datasheet, "
            "derived, assumed, fitted");
  EXPECT_EQ(with_line(9, "store = \"12 cycles\""),
            "p.toml:9: key 'cost.store': \"12 cycles\" has no source; allowed: { value = \"...\", "
            "source = \"...\", note = \"...\" }");
  EXPECT_EQ(with_line(9, "store = { value = \"12 cycles\", source = \"guess\" }"),
            "p.toml:9: key 'cost.store.source': \"guess\" is not one of the choices; allowed: "
            "published, datasheet, derived, assumed, fitted");
  EXPECT_THAT(with_line(9, "store = { source = \"assumed\" }"),
              StartsWith("p.toml:9: key 'cost.store': the value is missing"));
  EXPECT_THAT(with_line(9, "store = { value = \"1 ns\", source = \"assumed\", notes = \"\" }"),
              StartsWith("p.toml:9: key 'cost.store.notes': unknown name, did you mean 'note'?"));
}

TEST(PlatformErrors, WrongValues) {
  EXPECT_EQ(with_line(5, "cores = { value = 0, source = \"assumed\" }"),
            "p.toml:5: key 'cpu.cores': 0 is out of range; allowed: 1..64 cores");
  EXPECT_THAT(with_line(6, "clock = { value = \"1.8 ns\", source = \"assumed\" }"),
              StartsWith("p.toml:6: key 'cpu.clock': '1.8 ns' is not a frequency: the unit is "
                         "wrong"));
  EXPECT_THAT(with_line(6, "clock = { value = 18, source = \"assumed\" }"),
              HasSubstr("the unit is missing"));
  EXPECT_EQ(load({"schema = 1", "name = \"b\"", "summary = \"s\"", "cpu = 3"}).error(),
            "p.toml:4: key 'cpu': 3 is not a section");
}

TEST(PlatformErrors, FittedConstantsNameTheirRows) {
  EXPECT_EQ(with_line(8, "load = { value = \"165 ns\", source = \"fitted\" }"),
            "p.toml:8: key 'cost.load': a fitted constant must name the rows it is fitted to in "
            "fitted_to");
  EXPECT_EQ(with_line(9, "store = { value = \"1 ns\", source = \"assumed\", fitted_to = [\"a\"] }"),
            "p.toml:9: key 'cost.store': fitted_to is for constants whose source is fitted");
  EXPECT_EQ(with_line(8, "load = { value = \"1 ns\", source = \"fitted\", fitted_to = \"a\" }"),
            "p.toml:8: key 'cost.load.fitted_to': it is not a list of row ids; allowed: "
            "[\"row\", ...]");
  EXPECT_THAT(with_line(8, "load = { value = \"1 ns\", source = \"fitted\", fitted_to = [1] }"),
              HasSubstr("it is not a list of row ids"));
}

TEST(PlatformErrors, NoMoreFittedConstantsThanRows) {
  EXPECT_EQ(
      with_line(9, "store = { value = \"1 ns\", source = \"fitted\", fitted_to = [\"a\"] }"),
      "p.toml: 2 fitted constants (cost.load, cost.store) but only 1 rows they are fitted to; "
      "allowed: no more constants than rows");
  EXPECT_EQ(with_line(9, "store = { value = \"1 ns\", source = \"fitted\", fitted_to = [\"b\"] }"),
            "accepted");
}

TEST(Platform, UnknownNameListsTheAvailable) {
  const auto missing = load_platform("imx8mp");
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error(), StartsWith("platform 'imx8mp': unknown name"));
  EXPECT_THAT(missing.error(), HasSubstr("imx8mp-evk"));
}

TEST(Platform, ShippedOnesLoad) {
  const auto list = list_platforms();
  ASSERT_TRUE(list.ok()) << list.error();
  ASSERT_FALSE(list.value().empty());
  for (const auto& entry : list.value()) {
    EXPECT_FALSE(entry.summary.empty());
    const auto platform = load_platform(entry.name);
    ASSERT_TRUE(platform.ok());
    for (const auto& table : platform_sections()) {
      const base::ParamSet* section = platform.value().find_section(table.name);
      EXPECT_TRUE(section != nullptr || !table.required) << entry.name << ' ' << table.name;
      EXPECT_TRUE(section == nullptr || section->missing().empty()) << table.name;
    }
  }
}

TEST(Platform, ShippedOnesHaveTheBusOfTheirNic) {
  const auto board = load_platform("imx8mp-evk");
  ASSERT_TRUE(board.ok()) << board.error();
  EXPECT_NE(board.value().find_section("axi"), nullptr);
  EXPECT_EQ(board.value().find_section("pcie"), nullptr);
  EXPECT_EQ(board.value().find_section("iommu"), nullptr);
  EXPECT_EQ(board.value().find_section("ice"), nullptr);
  const auto server = load_platform("xeon-e810");
  ASSERT_TRUE(server.ok()) << server.error();
  EXPECT_EQ(server.value().find_section("axi"), nullptr);
  EXPECT_NE(server.value().find_section("pcie"), nullptr);
  EXPECT_NE(server.value().find_section("iommu"), nullptr);
  EXPECT_NE(server.value().find_section("ice"), nullptr);
}

// Sections that only some boards have. The card's has a default for each of its keys.
constexpr base::ParamSpec kBus[] = {
    {"width", base::ParamKind::kInteger, base::kRequired, "8..64", "bits", {}, {}},
    {"latency", base::ParamKind::kTime, base::kRequired, {}, {}, {}, {}},
};
constexpr base::ParamSpec kCard[] = {
    {"cache", base::ParamKind::kInteger, "64", "16..1024", "descriptors", {}, {}},
    {"merge", base::ParamKind::kChoice, "never", "never|line", {}, {}, {}},
};

base::Result<Platform> load_optional(const std::vector<std::string>& more) {
  static const std::vector<SectionTable> kTables = {
      {"cpu", kCpu}, {"cost", kCost}, {"bus", kBus, false, true}, {"card", kCard, false}};
  std::string text;
  for (const auto& line : good_lines()) {
    text += line + "\n";
  }
  for (const auto& line : more) {
    text += line + "\n";
  }
  return load_platform_text(text, "p.toml", kTables);
}

TEST(PlatformOptional, ASectionMayBeAbsent) {
  const auto loaded = load_optional({});
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  EXPECT_EQ(loaded.value().find_section("bus"), nullptr);
  EXPECT_EQ(loaded.value().find_section("card"), nullptr);
  EXPECT_NE(loaded.value().find_section("cpu"), nullptr);
  EXPECT_THROW(loaded.value().section("bus"), std::logic_error);
}

TEST(PlatformOptional, ASectionThatIsThereIsReadInFull) {
  const auto loaded = load_optional({"[bus]", "width = { value = 32, source = \"assumed\" }",
                                     "latency = { value = \"5 ns\", source = \"assumed\" }"});
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  ASSERT_NE(loaded.value().find_section("bus"), nullptr);
  EXPECT_EQ(loaded.value().section("bus").integer("width"), 32);
  EXPECT_EQ(loaded.value().section("bus").time("latency"), base::Picos(5000));
  EXPECT_EQ(load_optional({"[bus]", "width = { value = 32, source = \"assumed\" }"}).error(),
            "p.toml:10: key 'bus.latency': the constant is missing; allowed: a time, for example "
            "\"10 us\"");
  EXPECT_EQ(load_optional({"[bus]"}).error(),
            "p.toml:10: key 'bus.width': the constant is missing; allowed: 8..64 bits");
  EXPECT_EQ(load_optional({"[bus]", "width = 32"}).error(),
            "p.toml:11: key 'bus.width': 32 has no source; allowed: { value = \"...\", source = "
            "\"...\", note = \"...\" }");
}

// Named as a device: what the board's own card is. What it does not say stays the device's default.
TEST(PlatformOptional, ADevicesSectionGivesSomeOfItsKeys) {
  const auto loaded =
      load_optional({"[card]", "merge = { value = \"line\", source = \"assumed\" }"});
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  const base::ParamSet& card = loaded.value().section("card");
  EXPECT_EQ(card.choice("merge"), "line");
  EXPECT_EQ(card.origin("merge"), "platform");
  EXPECT_EQ(card.integer("cache"), 64);
  EXPECT_EQ(card.origin("cache"), "default");
  ASSERT_EQ(loaded.value().constants.size(), 5u);
  EXPECT_EQ(loaded.value().constants.back().section, "card");
  EXPECT_EQ(
      load_optional({"[card]", "merged = { value = \"line\", source = \"assumed\" }"}).error(),
      "p.toml:11: key 'card.merged': unknown name, did you mean 'merge'?; allowed: merge, "
      "cache");
  EXPECT_EQ(load_optional({"[card]", "cache = { value = 8, source = \"assumed\" }"}).error(),
            "p.toml:11: key 'card.cache': 8 is out of range; allowed: 16..1024 descriptors");
}

Platform with_bus() {
  return load_optional({"[bus]", "width = { value = 32, source = \"assumed\" }",
                        "latency = { value = \"5 ns\", source = \"assumed\" }"})
      .take();
}

TEST(PlatformApply, ChangesValuesInOrder) {
  Platform platform = with_bus();
  EXPECT_FALSE(platform.apply({{"bus", "width", base::RawValue::of_integer(64), "scenario"},
                               {"bus", "latency", base::RawValue::of_text("7 ns"), "scenario"},
                               {"bus", "width", base::RawValue::loose("16"), "command line"}}));
  EXPECT_EQ(platform.section("bus").integer("width"), 16);
  EXPECT_EQ(platform.section("bus").origin("width"), "command line");
  EXPECT_EQ(platform.section("bus").time("latency"), base::Picos(7000));
  EXPECT_EQ(platform.section("bus").origin("latency"), "scenario");
  EXPECT_FALSE(platform.apply({}));
  EXPECT_EQ(platform.section("bus").integer("width"), 16);
}

TEST(PlatformApply, Refusals) {
  Platform platform = with_bus();
  const auto refusal = [&platform](const std::string& section, const std::string& key,
                                   const base::RawValue& value) {
    const auto error = platform.apply({{section, key, value, "scenario"}});
    return error ? error->message : "accepted";
  };
  EXPECT_EQ(refusal("card", "cache", base::RawValue::of_integer(64)),
            "key 'card.cache': platform 'board' has no section [card]");
  EXPECT_EQ(refusal("bus", "widht", base::RawValue::of_integer(64)),
            "key 'bus.widht': unknown name, did you mean 'width'?; allowed: width, latency");
  EXPECT_EQ(refusal("bus", "width", base::RawValue::of_integer(65)),
            "key 'bus.width': 65 is out of range; allowed: 8..64 bits");
  EXPECT_EQ(platform.section("bus").integer("width"), 32);
  // The first that is wrong ends it; what came before has been changed.
  const auto error =
      platform.apply({{"bus", "width", base::RawValue::of_integer(8), "scenario"},
                      {"none", "x", base::RawValue::of_integer(1), "scenario"},
                      {"bus", "latency", base::RawValue::of_text("9 ns"), "scenario"}});
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message, "key 'none.x': platform 'board' has no section [none]");
  EXPECT_EQ(platform.section("bus").integer("width"), 8);
  EXPECT_EQ(platform.section("bus").time("latency"), base::Picos(5000));
}

}  // namespace
}  // namespace doorbell::run
