// The log: counts, the first message only, the order of the table.
#include "sim/hal/checks/finding.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

namespace doorbell::hal::checks {
namespace {

TEST(FindingLog, KeepsTheFirstTimeAndFormatsItsMessageOnly) {
  FindingLog log;
  int formatted = 0;
  for (int i = 1; i <= 3; ++i) {
    log.report(Rule::kDoubleUnmap, base::Picos(i * 10), [&] {
      ++formatted;
      return text("number %d", i);
    });
  }
  EXPECT_EQ(formatted, 1);
  EXPECT_EQ(log.count(Rule::kDoubleUnmap), 3u);
  EXPECT_EQ(log.of(Rule::kDoubleUnmap).first.count(), 10);
  EXPECT_EQ(log.of(Rule::kDoubleUnmap).message, "number 1");
  EXPECT_EQ(log.total(), 3u);
}

TEST(FindingLog, ListsBrokenRulesInTheOrderOfTheTable) {
  FindingLog log;
  const auto say = [] { return std::string("x"); };
  log.report(Rule::kLeakMapping, base::Picos(1), say);
  log.report(Rule::kSyncTooLong, base::Picos(2), say);
  log.report(Rule::kDoubleUnmap, base::Picos(3), say);
  const std::vector<Finding> broken = log.broken();
  ASSERT_EQ(broken.size(), 3u);
  EXPECT_EQ(broken[0].rule, Rule::kDoubleUnmap);
  EXPECT_EQ(broken[1].rule, Rule::kSyncTooLong);
  EXPECT_EQ(broken[2].rule, Rule::kLeakMapping);
  EXPECT_STREQ(info(broken[2].rule).id, "leak-mapping");
}

TEST(FindingLog, IdsAreUniqueAndHelped) {
  std::set<std::string> ids;
  for (const RuleInfo& rule : kRules) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_NE(std::string(rule.help), "") << rule.id;
    EXPECT_EQ(&info(rule.rule), &rule);
  }
  EXPECT_EQ(ids.size(), kRuleCount);
}

TEST(FindingLog, TheUsersPageHasARowForEachRuleInOrder) {
  std::ifstream file(std::string(DOORBELL_SOURCE_DIR) + "/docs/checks.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  size_t at = 0;
  for (const RuleInfo& rule : kRules) {
    at = page.find("\n| `" + std::string(rule.id) + "` |", at);
    ASSERT_NE(at, std::string::npos) << rule.id;
  }
}

TEST(FindingLog, IsEmptyAtFirst) {
  const FindingLog log;
  EXPECT_EQ(log.total(), 0u);
  EXPECT_TRUE(log.broken().empty());
}

}  // namespace
}  // namespace doorbell::hal::checks
