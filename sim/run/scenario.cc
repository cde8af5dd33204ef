#include "sim/run/scenario.h"

#include <algorithm>
#include <filesystem>

#include "models/base/quantity.h"
#include "sim/run/complaint.h"
#include "sim/run/data_dir.h"
#include "sim/run/devices.h"
#include "sim/run/scenario_sections.h"
#include "sim/run/toml_reader.h"

namespace doorbell::run {
namespace {

using base::ParamKind;

constexpr base::ParamSpec kTopParams[] = {
    {"schema", ParamKind::kInteger, base::kRequired, "1", {}, "version of the format", {}},
    {"name", ParamKind::kText, base::kRequired, {}, {}, "name of the scenario", {}},
    {"summary", ParamKind::kText, "", {}, {}, "one line for doorbell list", {}},
    {"seed", ParamKind::kInteger, "1", "0..9223372036854775807", {}, "of every random stream", {}},
    {"duration", ParamKind::kTime, base::kRequired, "1 us..1000 s", {}, "simulated time", {}},
    {"warmup", ParamKind::kTime, "0 ps", "0 ps..1000 s", {}, "measure from here on", {}},
    {"measure", ParamKind::kTime, "rest", "rest|1 us..1000 s", {}, "for this long", {}},
    {"platform", ParamKind::kText, base::kRequired, {}, {}, "name or path", {}},
};
constexpr std::string_view kSections[] = {"nic", "driver", "traffic", "app", "output", "expect"};

// The scenario's own sections, and those of the platform that a scenario may change.
std::vector<std::string_view> section_names() {
  std::vector<std::string_view> names(std::begin(kSections), std::end(kSections));
  for (const auto& section : platform_sections()) {
    if (section.changeable) {
      names.push_back(section.name);
    }
  }
  return names;
}

constexpr base::ParamSpec kOutputParams[] = {
    {"pcap", ParamKind::kBoolean, "false", {}, {}, "write packets.pcap", {}},
    {"trace", ParamKind::kBoolean, "false", {}, {}, "write trace.json", {}},
};

std::string_view first_of(std::string_view alternatives) {
  return alternatives.substr(0, alternatives.find('|'));
}

Engine engine_of(std::string_view name) {
  return name == "rtl" ? Engine::kRtl : name == "lockstep" ? Engine::kLockstep : Engine::kTlm;
}

bool plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

class Reader {
 public:
  Reader(std::string file, std::string folder)
      : file_(std::move(file)), folder_(std::move(folder)) {}

  base::Result<Scenario> read(const TomlNode& root) {
    for (const auto& step : {&Reader::read_top, &Reader::read_nics, &Reader::read_drivers,
                             &Reader::read_changes, &Reader::read_rest}) {
      if (!(this->*step)(root)) {
        return error_;
      }
    }
    return std::move(scenario_);
  }

 private:
  bool refuse(base::Error error) {
    error_ = std::move(error);
    return false;
  }
  bool refuse(int line, const std::string& key, const base::ParamIssue& issue) {
    return refuse(complaint(file_, line, key, issue));
  }
  // For keys that may be absent: then the line of their table stands in.
  bool refuse_in(const TomlNode& table, const std::string& prefix, std::string_view name,
                 const base::ParamIssue& issue) {
    const TomlNode* node = table.find(name);
    return refuse(node != nullptr ? node->line : std::max(table.line, 1), join_key(prefix, name),
                  issue);
  }
  bool refuse_missing(const TomlNode& table, const std::string& prefix,
                      const base::ParamSpec& spec) {
    return refuse(std::max(table.line, 1), join_key(prefix, spec.name),
                  {"it is missing", base::describe_allowed(spec)});
  }

  bool read_top(const TomlNode& root) {
    base::ParamSet top{base::ParamTable(kTopParams)};
    const std::vector<std::string_view> sections = section_names();
    if (!check_names(root, sections)) {
      return false;
    }
    if (auto error = fill(file_, root, "", top, sections)) {
      return refuse(std::move(*error));
    }
    if (const auto missing = top.missing(); !missing.empty()) {
      return refuse_missing(root, "", *top.table().find(missing.front()));
    }
    scenario_.name = top.text("name");
    if (!plain_name(scenario_.name)) {
      return refuse_in(root, "", "name",
                       {"it is not a plain name", "1 to 64 of a-z, 0-9, '-' and '_'"});
    }
    scenario_.summary = top.text("summary");
    scenario_.seed = static_cast<uint64_t>(top.integer("seed"));
    return read_times(root, top) && read_platform(root, top);
  }

  bool check_names(const TomlNode& root, const std::vector<std::string_view>& sections) {
    std::vector<std::string_view> known;
    for (const auto& spec : kTopParams) {
      known.push_back(spec.name);
    }
    known.insert(known.end(), sections.begin(), sections.end());
    for (const auto& node : root.children) {
      if (std::find(known.begin(), known.end(), node.key) == known.end()) {
        return refuse(node.line, node.key, base::unknown_name(node.key, known));
      }
    }
    return true;
  }

  bool read_times(const TomlNode& root, const base::ParamSet& top) {
    scenario_.duration = top.time("duration");
    scenario_.warmup = top.time("warmup");
    if (scenario_.warmup >= scenario_.duration) {
      return refuse_in(root, "", "warmup",
                       {"it leaves nothing of the duration to measure",
                        "less than " + base::format_time(scenario_.duration)});
    }
    const base::Picos rest = scenario_.duration - scenario_.warmup;
    scenario_.measure = top.is_word("measure", "rest") ? rest : top.time("measure");
    if (scenario_.measure > rest) {
      return refuse_in(root, "", "measure",
                       {"it passes the end of the run", "at most " + base::format_time(rest)});
    }
    return true;
  }

  bool read_platform(const TomlNode& root, const base::ParamSet& top) {
    scenario_.platform = top.text("platform");
    if (is_path(scenario_.platform)) {
      scenario_.platform = resolve(folder_, scenario_.platform);
      if (!file_exists(scenario_.platform)) {
        return refuse_in(root, "", "platform",
                         {"there is no file " + scenario_.platform, "name or path of a platform"});
      }
      return true;
    }
    const auto names = shipped_names("platforms");
    if (std::find(names.begin(), names.end(), scenario_.platform) == names.end()) {
      return refuse_in(root, "", "platform",
                       base::unknown_name(scenario_.platform, {names.begin(), names.end()}));
    }
    return true;
  }

  // Calls `read` with each table of [key] or [[key]].
  template <typename F>
  bool each_table(const TomlNode& node, F&& read) {
    if (node.is_table()) {
      return read(node);
    }
    if (!node.is_table_list()) {
      return refuse(node.line, node.key,
                    {node.as_value().shown() + " is not a section",
                     "[" + node.key + "] or [[" + node.key + "]]"});
    }
    return std::all_of(node.children.begin(), node.children.end(), read);
  }

  bool read_nics(const TomlNode& root) {
    const TomlNode* node = root.find("nic");
    if (node == nullptr) {
      return refuse(1, "nic", {"the section is missing", "[nic] or [[nic]]"});
    }
    return each_table(*node, [&](const TomlNode& table) { return read_nic(table); });
  }

  bool read_nic(const TomlNode& table) {
    const TomlNode* device_node = table.find("device");
    const base::RawValue raw = device_node != nullptr ? device_node->as_value() : base::RawValue();
    const DeviceInfo* device = device_node != nullptr ? find_device(raw.text) : nullptr;
    if (device == nullptr) {
      base::ParamIssue issue = base::unknown_name(raw.text, device_names());
      issue.what = device_node == nullptr ? "it is missing" : raw.shown() + " is not a device";
      return refuse_in(table, "nic", "device", issue);
    }
    const base::ParamSpec common_specs[] = {
        {"name", ParamKind::kText, "nic", {}, {}, {}, {}},
        {"device", ParamKind::kText, device->name, {}, {}, {}, {}},
        {"engine", ParamKind::kChoice, first_of(device->engines), device->engines, {}, {}, {}},
        {"link", ParamKind::kBitRate, first_of(device->links), device->links, {}, {}, {}},
    };
    base::ParamSet common{base::ParamTable(common_specs)};
    NicSection nic;
    nic.params = base::ParamSet(device->nic);
    for (const auto& child : table.children) {
      const bool is_common = common.table().find(child.key) != nullptr;
      if (!is_common && nic.params.table().find(child.key) == nullptr) {
        std::vector<std::string_view> known;
        for (const auto& specs : {common.table(), nic.params.table()}) {
          for (const auto& spec : specs) {
            known.push_back(spec.name);
          }
        }
        return refuse(child.line, "nic." + child.key, base::unknown_name(child.key, known));
      }
      base::ParamSet& params = is_common ? common : nic.params;
      if (const auto issue = params.set(child.key, child.as_value(), origin_of(child))) {
        return refuse(child.line, "nic." + child.key, *issue);
      }
    }
    nic.name = common.text("name");
    nic.device = device->name;
    nic.engine = engine_of(common.choice("engine"));
    nic.link = common.bit_rate("link");
    return add_nic(table, std::move(nic));
  }

  bool add_nic(const TomlNode& table, NicSection nic) {
    if (!plain_name(nic.name)) {
      return refuse_in(table, "nic", "name",
                       {"it is not a plain name", "1 to 64 of a-z, 0-9, '-' and '_'"});
    }
    for (const auto& other : scenario_.nics) {
      if (other.name == nic.name) {
        return refuse_in(table, "nic", "name",
                         {"two nics are called \"" + nic.name + "\"", "a name for each [[nic]]"});
      }
    }
    scenario_.nics.push_back(std::move(nic));
    return true;
  }

  bool read_drivers(const TomlNode& root) {
    const TomlNode* node = root.find("driver");
    if (node != nullptr && node->is_table_list()) {
      if (!each_table(*node, [&](const TomlNode& table) { return read_named_driver(table); })) {
        return false;
      }
    } else if (node != nullptr && !node->is_table()) {
      return each_table(*node, [](const TomlNode&) { return true; });
    }
    // One [driver], or none: it holds for every nic that has none of its own.
    for (const auto& nic : scenario_.nics) {
      const bool has_own = std::any_of(scenario_.drivers.begin(), scenario_.drivers.end(),
                                       [&](const auto& d) { return d.nic == nic.name; });
      if (!has_own && !read_driver(node != nullptr && node->is_table() ? node : nullptr, nic)) {
        return false;
      }
    }
    order_drivers();
    return true;
  }

  bool read_named_driver(const TomlNode& table) {
    const TomlNode* name = table.find("nic");
    const std::string wanted = name != nullptr ? name->value.text : "";
    std::vector<std::string_view> known;
    for (const auto& nic : scenario_.nics) {
      known.push_back(nic.name);
    }
    const auto nic = std::find_if(scenario_.nics.begin(), scenario_.nics.end(),
                                  [&](const auto& n) { return n.name == wanted; });
    if (nic == scenario_.nics.end()) {
      base::ParamIssue issue = base::unknown_name(wanted, known);
      issue.what = name == nullptr ? "it is missing" : "there is no such nic";
      return refuse_in(table, "driver", "nic", issue);
    }
    for (const auto& other : scenario_.drivers) {
      if (other.nic == wanted) {
        return refuse_in(table, "driver", "nic",
                         {"two drivers for \"" + wanted + "\"", "one for each nic"});
      }
    }
    return read_driver(&table, *nic);
  }

  bool read_driver(const TomlNode* table, const NicSection& nic) {
    DriverSection driver;
    driver.nic = nic.name;
    driver.params = base::ParamSet(find_device(nic.device)->driver);
    if (table != nullptr) {
      if (auto error = fill(file_, *table, "driver", driver.params, {"nic"})) {
        return refuse(std::move(*error));
      }
    }
    scenario_.drivers.push_back(std::move(driver));
    return true;
  }

  void order_drivers() {
    std::vector<DriverSection> ordered;
    for (const auto& nic : scenario_.nics) {
      for (auto& driver : scenario_.drivers) {
        if (driver.nic == nic.name) {
          ordered.push_back(std::move(driver));
          break;
        }
      }
    }
    scenario_.drivers = std::move(ordered);
  }

  bool read_changes(const TomlNode& root) {
    for (const auto& section : platform_sections()) {
      const TomlNode* node = section.changeable ? root.find(section.name) : nullptr;
      if (node == nullptr) {
        continue;
      }
      if (!node->is_table()) {
        return refuse(node->line, node->key,
                      {node->as_value().shown() + " is not a section", "[" + node->key + "]"});
      }
      base::ParamSet params{section.table};
      if (auto error = fill(file_, *node, node->key, params)) {
        return refuse(std::move(*error));
      }
      for (const auto& child : node->children) {
        scenario_.changes.push_back(
            {node->key, child.key, child.as_value(), std::string(origin_of(child))});
      }
    }
    return true;
  }

  bool read_rest(const TomlNode& root) {
    for (const auto& name : {"traffic", "app", "output", "expect"}) {
      const TomlNode* node = root.find(name);
      if (node != nullptr && !node->is_table()) {
        return refuse(node->line, name,
                      {node->as_value().shown() + " is not a section", "[" + node->key + "]"});
      }
    }
    const TomlNode* traffic = root.find("traffic");
    if (traffic == nullptr) {
      return refuse(1, "traffic", {"the section is missing", "[traffic]"});
    }
    auto read = read_traffic(file_, *traffic, scenario_.nics.front().link, folder_);
    if (!read) {
      return refuse(base::Error{read.error()});
    }
    scenario_.traffic = read.take();
    auto app = read_app(file_, root.find("app"));
    if (!app) {
      return refuse(base::Error{app.error()});
    }
    scenario_.app = app.take();
    if (const TomlNode* output = root.find("output")) {
      base::ParamSet params{base::ParamTable(kOutputParams)};
      if (auto error = fill(file_, *output, "output", params)) {
        return refuse(std::move(*error));
      }
      scenario_.output = {params.boolean("pcap"), params.boolean("trace")};
    }
    if (const TomlNode* expect = root.find("expect")) {
      auto list = read_expect(file_, *expect);
      if (!list) {
        return refuse(base::Error{list.error()});
      }
      scenario_.expect = list.take();
    }
    return true;
  }

  std::string file_;
  std::string folder_;
  Scenario scenario_;
  base::Error error_;
};

}  // namespace

std::string_view engine_name(Engine engine) {
  switch (engine) {
    case Engine::kTlm:
      return "tlm";
    case Engine::kRtl:
      return "rtl";
    case Engine::kLockstep:
      return "lockstep";
  }
  return "?";
}

std::optional<base::Error> fill(const std::string& file, const TomlNode& table,
                                const std::string& prefix, base::ParamSet& params,
                                const std::vector<std::string_view>& skip) {
  for (const auto& child : table.children) {
    if (std::find(skip.begin(), skip.end(), child.key) != skip.end()) {
      continue;
    }
    if (const auto issue = params.set(child.key, child.as_value(), origin_of(child))) {
      return complaint(file, child.line, join_key(prefix, child.key), *issue);
    }
  }
  return std::nullopt;
}

base::Result<Override> parse_override(std::string_view text) {
  const size_t equals = text.find('=');
  const auto trimmed = [](std::string_view part) {
    while (!part.empty() && part.front() == ' ') {
      part.remove_prefix(1);
    }
    while (!part.empty() && part.back() == ' ') {
      part.remove_suffix(1);
    }
    return std::string(part);
  };
  Override result;
  if (equals != std::string_view::npos) {
    result = {trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1))};
  }
  if (result.key.empty()) {
    return base::Error{"command line: --set '" + std::string(text) +
                       "' is not an override; allowed: key=value, for example driver.rx_ring=512"};
  }
  return result;
}

base::Result<Scenario> load_scenario_text(std::string_view text, const std::string& name,
                                          const std::vector<Override>& overrides,
                                          const std::string& folder) {
  auto root = read_toml(text, name);
  if (!root) {
    return base::Error{root.error()};
  }
  for (const auto& change : overrides) {
    if (const auto why = apply_override(root.value(), change.key, change.value); !why.empty()) {
      return base::Error{"command line: key '" + change.key + "': " + why};
    }
  }
  return Reader(name, folder).read(root.value());
}

base::Result<Scenario> load_scenario(const std::string& name_or_path,
                                     const std::vector<Override>& overrides) {
  std::string path = name_or_path;
  if (!is_path(name_or_path)) {
    path = shipped_path("scenarios", name_or_path);
    if (!file_exists(path)) {
      const auto names = shipped_names("scenarios");
      return base::Error{"scenario '" + name_or_path + "': " +
                         base::unknown_name(name_or_path, {names.begin(), names.end()}).message()};
    }
  }
  const auto text = read_text_file(path);
  if (!text) {
    return base::Error{text.error()};
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  auto scenario = load_scenario_text(text.value(), path, overrides, folder.empty() ? "." : folder);
  if (scenario) {
    scenario.value().path = path;
  }
  return scenario;
}

base::Result<Platform> platform_of(const Scenario& scenario) {
  auto platform = load_platform(scenario.platform);
  if (platform) {
    if (auto error = platform.value().apply(scenario.changes)) {
      return base::Error{(scenario.path.empty() ? scenario.name : scenario.path) + ": " +
                         error->message};
    }
  }
  return platform;
}

base::Result<std::vector<ScenarioSummary>> list_scenarios() {
  std::vector<ScenarioSummary> list;
  for (const auto& name : shipped_names("scenarios")) {
    const auto scenario = load_scenario(name);
    if (!scenario) {
      return base::Error{scenario.error()};
    }
    list.push_back({name, scenario.value().nics.front().device, scenario.value().summary});
  }
  return list;
}

}  // namespace doorbell::run
