#include "models/probe/trace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace doorbell::probe {
namespace {

using base::Picos;
using namespace base::literals;
using nlohmann::json;

std::string temp_path(const char* name) {
  return testing::TempDir() + "doorbell_" + name;
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(PerfettoTrace, WritesSpansInstantsAndLevels) {
  const std::string path = temp_path("trace.json");
  auto trace = PerfettoTrace::create(path).take();
  trace->span("rx0", "Ready", 1_us, 3500001_ps, 7);
  trace->instant("irq", "assert", 4_us, 1);
  trace->level("rx0", "fill", 5_ns, -3);
  ASSERT_FALSE(trace->close().has_value());
  const json doc = json::parse(read(path));
  std::vector<json> events;
  for (const json& e : doc["traceEvents"]) {
    if (e["ph"] != "M") events.push_back(e);
  }
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0]["ph"], "b");
  EXPECT_EQ(events[0]["name"], "Ready");
  EXPECT_EQ(events[0]["cat"], "rx0");
  EXPECT_EQ(events[0]["id"], "7");
  EXPECT_DOUBLE_EQ(events[0]["ts"], 1.0);
  EXPECT_EQ(events[1]["ph"], "e");
  EXPECT_DOUBLE_EQ(events[1]["ts"], 3.500001);  // to the picosecond
  EXPECT_EQ(events[2]["ph"], "i");
  EXPECT_EQ(events[2]["args"]["id"], 1);
  EXPECT_EQ(events[3]["ph"], "C");
  EXPECT_EQ(events[3]["args"]["value"], -3);
  EXPECT_DOUBLE_EQ(events[3]["ts"], 0.005);
  EXPECT_EQ(events[0]["tid"], events[3]["tid"]);
  EXPECT_NE(events[0]["tid"], events[2]["tid"]);
}

TEST(PerfettoTrace, NamesEachTrackOnceAndEscapes) {
  const std::string path = temp_path("trace_names.json");
  auto trace = PerfettoTrace::create(path).take();
  for (int i = 0; i < 3; ++i) trace->instant("odd \"track\"\\\n", "x", 1_ns, 0);
  ASSERT_FALSE(trace->close().has_value());
  int names = 0;
  const json doc = json::parse(read(path));
  for (const json& e : doc["traceEvents"]) {
    if (e["name"] != "thread_name") continue;
    ++names;
    EXPECT_EQ(e["args"]["name"], "odd \"track\"\\\n");
  }
  EXPECT_EQ(names, 1);
}

TEST(PerfettoTrace, StopsAtTheLimitAndSaysSo) {
  const std::string path = temp_path("trace_limit.json");
  auto trace = PerfettoTrace::create(path, 2).take();
  for (int i = 0; i < 5; ++i) trace->instant("t", "x", Picos(i), 0);
  EXPECT_EQ(trace->events(), 2u);
  EXPECT_EQ(trace->suppressed(), 3u);
  ASSERT_FALSE(trace->close().has_value());
  EXPECT_EQ(json::parse(read(path))["otherData"]["suppressed_events"], 3);
}

TEST(PerfettoTrace, SameEventsSameBytes) {
  std::string text[2];
  for (std::string& t : text) {
    const std::string path = temp_path("trace_twice.json");
    auto trace = PerfettoTrace::create(path).take();
    for (int i = 0; i < 5000; ++i) trace->span("t", "Moving", Picos(i), Picos(i + 5), i % 64);
    ASSERT_FALSE(trace->close().has_value());
    t = read(path);
  }
  EXPECT_EQ(text[0], text[1]);
  EXPECT_EQ(json::parse(text[0])["traceEvents"].size(), 10002u);
}

TEST(PerfettoTrace, ReportsWhatCannotBeWritten) {
  const auto missing = PerfettoTrace::create("/no/such/folder/trace.json");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error(),
            "/no/such/folder/trace.json: cannot write trace: No such file or directory");
  // The part file is a link to a device that is always full.
  const std::string path = temp_path("trace_full.json");
  std::remove((path + ".part").c_str());
  ASSERT_EQ(symlink("/dev/full", (path + ".part").c_str()), 0);
  auto full = PerfettoTrace::create(path);
  ASSERT_TRUE(full.ok());
  full.value()->instant("t", "x", 1_ns, 0);
  const auto error = full.value()->close();
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message, path + ": writing the trace failed: disk full?");
  EXPECT_FALSE(std::ifstream(path).is_open());
}

TEST(PerfettoTrace, NothingHalfWrittenIsLeftBehind) {
  const std::string path = temp_path("trace_left.json");
  std::remove(path.c_str());
  { auto trace = PerfettoTrace::create(path).take(); }
  EXPECT_FALSE(std::ifstream(path).is_open());
  EXPECT_FALSE(std::ifstream(path + ".part").is_open());
}

}  // namespace
}  // namespace doorbell::probe
