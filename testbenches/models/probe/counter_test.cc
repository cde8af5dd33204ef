#include "models/probe/counter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace doorbell::probe {
namespace {

TEST(CounterSet, ReferencesStayGoodWhileTheSetGrows) {
  CounterSet set("mac");
  Counter& first = set.add("rx_frames", "frames", "Frames received");
  for (int i = 0; i < 1000; ++i) set.add("c" + std::to_string(i), "events", "");
  ++first;
  first.add(41);
  EXPECT_EQ(set.find("rx_frames"), &first);
  EXPECT_EQ(set.find("rx_frames")->value, 42u);
  EXPECT_EQ(set.size(), 1001u);
}

TEST(CounterSet, IteratesInOrderOfDeclaration) {
  CounterSet set("mac");
  for (const char* name : {"zeta", "alpha", "mu"}) set.add(name, "events", "help");
  std::vector<std::string> names;
  for (const Counter& counter : set) names.push_back(counter.name);
  EXPECT_EQ(names, (std::vector<std::string>{"zeta", "alpha", "mu"}));
  EXPECT_EQ(set.find("beta"), nullptr);
}

TEST(CounterSet, ResetClearsValuesOnly) {
  CounterSet set("mac");
  Counter& c = set.add("a", "bytes", "Help.");
  c.add(7);
  set.reset();
  EXPECT_EQ(c.value, 0u);
  EXPECT_EQ(c.unit, "bytes");
}

#ifndef NDEBUG
TEST(CounterSetDeathTest, SameNameTwiceIsAProgrammerError) {
  CounterSet set("mac");
  set.add("a", "events", "");
  EXPECT_DEATH(set.add("a", "events", ""), "a counter of this name exists");
}
#endif

}  // namespace
}  // namespace doorbell::probe
