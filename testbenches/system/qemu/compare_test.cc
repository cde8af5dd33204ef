// The judge itself: patterns, explained, unexplained, ambiguous and stale differences; the tables.
#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "testbenches/system/qemu/anchors.h"
#include "testbenches/system/qemu/observation.h"
#include "testbenches/system/qemu/scripts.h"

namespace doorbell::qemu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<ExpectedDifference> table(std::vector<DifferenceRow> rows) {
  return {{"known", Verdict::kOpen, "what", "source", std::move(rows)}};
}

TEST(Pattern, StarStandsForAnyText) {
  EXPECT_TRUE(matches("", ""));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*c", "ac"));
  EXPECT_TRUE(matches("a*c", "abbc"));
  EXPECT_TRUE(matches("*b*b", "abcb"));
  EXPECT_TRUE(matches("6* B *", "60 B 0x1"));
  EXPECT_FALSE(matches("a*c", "abcd"));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_FALSE(matches("a", ""));
  EXPECT_FALSE(matches("ab", "a"));
}

TEST(Compare, EqualLogsPassWithAnEmptyTable) {
  const Log log = {{"a", "1", ""}, {"b", "2", ""}};
  const Comparison result = compare("s", log, log, {});
  EXPECT_THAT(result.unexplained, IsEmpty());
  EXPECT_THAT(result.stale, IsEmpty());
  EXPECT_EQ(result.equal, 2u);
}

TEST(Compare, DifferenceWithoutRowIsUnexplained) {
  const Comparison result = compare("s", {{"a", "1", ""}}, {{"a", "2", ""}}, {});
  EXPECT_THAT(result.unexplained, ElementsAre("a: QEMU 1, model 2"));
}

TEST(Compare, RowExplainsOnlyItsScriptLabelAndValues) {
  const Log qemu = {{"a", "1", ""}};
  const Log model = {{"a", "2", ""}};
  EXPECT_THAT(compare("s", qemu, model, table({{"r s", "a", "1", "2"}})).unexplained, IsEmpty());
  EXPECT_EQ(compare("s", qemu, model, table({{"ss", "a", "1", "2"}})).unexplained.size(), 1u);
  EXPECT_EQ(compare("s", qemu, model, table({{"s", "b", "1", "2"}})).unexplained.size(), 1u);
  EXPECT_EQ(compare("s", qemu, model, table({{"s", "a", "3", "2"}})).unexplained.size(), 1u);
  EXPECT_EQ(compare("s", qemu, model, table({{"s", "a", "1", "3"}})).unexplained.size(), 1u);
}

TEST(Compare, TwoRowsForOneDifferenceAreAmbiguous) {
  const Comparison result = compare("s", {{"a", "1", ""}}, {{"a", "2", ""}},
                                    table({{"s", "a", "1", "2"}, {"s", "*", "1", "*"}}));
  EXPECT_THAT(result.unexplained,
              ElementsAre("a: QEMU 1, model 2, explained by known, explained by known"));
}

TEST(Compare, RowThatMeetsNothingIsStale) {
  const Log log = {{"a", "1", ""}};
  EXPECT_THAT(compare("s", log, log, table({{"s", "a", "1", "2"}})).stale,
              ElementsAre("known, row a"));
  EXPECT_THAT(compare("other", log, log, table({{"s", "a", "1", "2"}})).stale, IsEmpty());
}

TEST(Compare, LogsOfDifferentShapeFail) {
  EXPECT_FALSE(compare("s", {{"a", "1", ""}}, {}, {}).unexplained.empty());
  EXPECT_FALSE(compare("s", {{"a", "1", ""}}, {{"b", "1", ""}}, {}).unexplained.empty());
}

TEST(Anchors, MissingAndWrongAreReported) {
  EXPECT_THAT(missed_anchors("mdio", {}), testing::SizeIs(3));
  const Log log = {{"ID1.data", "0x00000007", ""},
                   {"ID2.data", "0x00000000", ""},
                   {"nobody.data", "0x0000ffff", ""}};
  EXPECT_THAT(missed_anchors("mdio", log),
              ElementsAre("ID2.data is 0x00000000, measured was 0x0000c0d1"));
}

TEST(Tables, NamesAreUniqueAndRowsNameScripts) {
  std::set<std::string> names;
  for (const Script& script : scripts()) EXPECT_TRUE(names.insert(script.name).second);
  std::set<std::string> ids;
  for (const ExpectedDifference& entry : expected_differences()) {
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    for (const DifferenceRow& row : entry.rows) {
      std::istringstream words(row.scripts);
      for (std::string word; words >> word;) EXPECT_EQ(names.count(word), 1u) << word;
      EXPECT_FALSE(std::string(row.qemu) == "*" && std::string(row.model) == "*" &&
                   std::string(row.label) == "*")
          << entry.id << " would explain everything";
    }
  }
  for (const Anchor& anchor : anchors()) EXPECT_EQ(names.count(anchor.script), 1u);
}

}  // namespace
}  // namespace doorbell::qemu
