// Who may include whom: docs/architecture.md, section "Layers", as a scan of every #include.
//
// CMake links rooms by the same rules, but a header alone needs no link, so includes are read here.
// A new room must be added to the table; a new edge is a decision, not an accident.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace doorbell {
namespace {

namespace fs = std::filesystem;
using Rooms = std::set<std::string>;

const std::string kRoot = DOORBELL_SOURCE_DIR;

// Room -> rooms whose headers it may include, besides its own. "systemc" stands for <systemc>,
// <tlm...>.
const std::map<std::string, Rooms>& rules() {
  static const Rooms kPure = {"models/base"};
  static const Rooms kContract = {"models/base", "models/reg", "models/desc"};
  static const std::map<std::string, Rooms> table = {
      {"models/base", {}},
      {"models/reg", kPure},
      {"models/desc", kPure},
      {"models/probe", kPure},
      {"models/net", {"models/base", "models/probe", "models/desc"}},
      {"models/fabric", {"models/base", "models/probe", "systemc"}},
      {"models/host", {"models/base", "models/probe", "models/fabric", "systemc"}},
      {"models/fec",
       {"models/base", "models/reg", "models/desc", "models/net", "models/probe", "models/fabric",
        "systemc"}},
      {"models/ice",
       {"models/base", "models/reg", "models/desc", "models/net", "models/probe", "models/fabric",
        "systemc"}},
      {"models/tsnep",
       {"models/base", "models/reg", "models/desc", "models/net", "models/probe", "models/fabric",
        "systemc"}},
      {"contract", kContract},
      {"sim/hal", kPure},
      {"sim/hal/scripted", {"models/base", "sim/hal"}},
      {"sim/hal/simulated", {"models/base", "models/fabric", "models/host", "sim/hal", "systemc"}},
      {"sim/hal/checks",
       {"models/base", "models/fabric", "models/host", "sim/hal", "contract", "systemc"}},
      {"sim/stack", {"models/base", "models/net", "models/probe", "sim/hal"}},
      {"sim/stack/bpf", {"models/base", "sim/hal", "sim/stack"}},
      {"sim/stack/xsk", {"models/base", "sim/hal", "sim/stack"}},
      {"sim/apps", {"models/base", "models/net", "sim/hal", "sim/stack", "sim/stack/xsk"}},
      {"sim/programs", {}},  // BPF programs: they see the kernel's headers only
      {"sim/drivers/fec",
       {"models/base", "models/reg", "models/desc", "models/net", "models/probe", "sim/hal",
        "sim/stack", "contract"}},
      {"sim/drivers/ice",
       {"models/base", "models/reg", "models/desc", "models/net", "models/probe", "sim/hal",
        "sim/stack", "contract"}},
      {"sim/drivers/tsnep",
       {"models/base", "models/reg", "models/desc", "models/net", "models/probe", "sim/hal",
        "sim/stack", "sim/stack/xsk", "contract"}},
      {"sim/report", kPure},
  };
  return table;
}

// These join both halves and may include everything.
bool joins_both_halves(const std::string& room) {
  return room == "sim/run" || room == "sim/app" || room == "sim/study" || room == "sim/cosim";
}

// fec_regs.h, fec_desc.h, fec_limits.h, fec_params.h: shared by a model and its driver.
bool is_contract(const std::string& path) {
  static const std::regex kContract(
      R"(models/[a-z0-9]+/[a-z0-9]+_(regs|desc|limits|params|mib|reg_table|context|adminq)\.h)");
  return std::regex_match(path, kContract);
}

std::string room_of(const std::string& path) {
  if (is_contract(path)) {
    return "contract";
  }
  std::string room = fs::path(path).parent_path().string();
  while (!room.empty() && rules().count(room) == 0 && !joins_both_halves(room)) {
    room = fs::path(room).parent_path().string();
  }
  return room;
}

Rooms includes_of(const fs::path& file) {
  static const std::regex kOwn(R"(^\s*#\s*include\s*"([^"]+)\")");
  static const std::regex kSystemc(R"(^\s*#\s*include\s*<(systemc|tlm|tlm_utils/).*)");
  Rooms found;
  std::ifstream in(file);
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (std::regex_search(line, match, kOwn)) {
      found.insert(match[1]);
    } else if (std::regex_search(line, kSystemc)) {
      found.insert("systemc");
    }
  }
  return found;
}

std::vector<std::string> violations(const std::string& relative, const Rooms& includes) {
  std::vector<std::string> bad;
  const std::string room = room_of(relative);
  if (joins_both_halves(room)) {
    return bad;
  }
  const auto rule = rules().find(room);
  if (rule == rules().end()) {
    return {relative + ": its folder is no known room"};
  }
  for (const std::string& include : includes) {
    const std::string target = include == "systemc" ? include : room_of(include);
    const bool own_contract =
        target == "contract" &&
        (room == "models/fec" || room == "models/ice" || room == "models/tsnep");
    if (target != room && !own_contract && rule->second.count(target) == 0) {
      bad.push_back(relative + " (" + room + ") must not include " + include);
    }
  }
  return bad;
}

TEST(Layering, EveryIncludeFollowsTheRules) {
  size_t files = 0;
  for (const char* top : {"models", "sim"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(kRoot) / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cc") {
        continue;
      }
      ++files;
      const std::string relative = fs::relative(entry.path(), kRoot).string();
      for (const std::string& bad : violations(relative, includes_of(entry.path()))) {
        ADD_FAILURE() << bad;
      }
    }
  }
  EXPECT_GT(files, 100u) << "the scan must see the tree";
}

TEST(Layering, TheScanCatchesWhatItShould) {
  EXPECT_FALSE(violations("sim/drivers/fec/x.cc", {"models/fec/fec.h"}).empty());
  EXPECT_FALSE(violations("sim/drivers/fec/x.cc", {"systemc"}).empty());
  EXPECT_FALSE(violations("models/base/x.h", {"models/net/wire.h"}).empty());
  EXPECT_FALSE(violations("models/fec/x.cc", {"sim/hal/hal.h"}).empty());
  EXPECT_TRUE(violations("sim/drivers/fec/x.cc", {"models/fec/fec_regs.h"}).empty());
  EXPECT_TRUE(violations("sim/run/x.cc", {"models/fec/fec.h", "systemc"}).empty());
}

TEST(Layering, FilesStayUnderFiveHundredLines) {
  for (const char* top : {"models", "sim", "testbenches"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(kRoot) / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cc") {
        continue;
      }
      std::ifstream in(entry.path());
      size_t lines = 0;
      for (std::string line; std::getline(in, line);) {
        ++lines;
      }
      EXPECT_LE(lines, 500u) << fs::relative(entry.path(), kRoot);
    }
  }
}

}  // namespace
}  // namespace doorbell
