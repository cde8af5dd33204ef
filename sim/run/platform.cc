#include "sim/run/platform.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "sim/run/complaint.h"
#include "sim/run/data_dir.h"
#include "sim/run/toml_reader.h"

namespace doorbell::run {
namespace {

constexpr base::ParamSpec kHeadParams[] = {
    {"schema", base::ParamKind::kInteger, base::kRequired, "1", {}, "version of the format", {}},
    {"name", base::ParamKind::kText, base::kRequired, {}, {}, "name of the platform", {}},
    {"summary", base::ParamKind::kText, base::kRequired, {}, {}, "one line", {}},
};
constexpr base::ParamSpec kConstantParams[] = {
    {"value", base::ParamKind::kText, base::kRequired, {}, {}, "a quantity", {}},
    {"source",
     base::ParamKind::kChoice,
     base::kRequired,
     "published|datasheet|derived|assumed|fitted",
     {},
     "where it comes from",
     {}},
    {"note", base::ParamKind::kText, "", {}, {}, "where exactly, or how", {}},
    {"fitted_to", base::ParamKind::kText, "", {}, {}, "ids of measured rows, a list", {}},
};

class Reader {
 public:
  Reader(std::string file, const std::vector<SectionTable>& tables)
      : file_(std::move(file)), tables_(tables) {}

  base::Result<Platform> read(const TomlNode& root) {
    platform_.path = file_;
    if (!read_head(root) || !read_sections(root) || !check_fit()) {
      return error_;
    }
    return std::move(platform_);
  }

 private:
  bool refuse(int line, const std::string& key, const base::ParamIssue& issue) {
    error_ = complaint(file_, line, key, issue);
    return false;
  }

  bool read_head(const TomlNode& root) {
    base::ParamSet head{base::ParamTable(kHeadParams)};
    for (const auto& node : root.children) {
      const bool section = std::any_of(tables_.begin(), tables_.end(),
                                       [&](const auto& t) { return t.name == node.key; });
      if (section) {
        continue;
      }
      if (head.table().find(node.key) == nullptr) {
        std::vector<std::string_view> known;
        for (const auto& spec : head.table()) {
          known.push_back(spec.name);
        }
        for (const auto& table : tables_) {
          known.push_back(table.name);
        }
        return refuse(node.line, node.key, base::unknown_name(node.key, known));
      }
      if (const auto issue = head.set(node.key, node.as_value())) {
        return refuse(node.line, node.key, *issue);
      }
    }
    if (const auto missing = head.missing(); !missing.empty()) {
      return refuse(1, std::string(missing.front()), {"it is missing", ""});
    }
    platform_.name = head.text("name");
    platform_.summary = head.text("summary");
    return true;
  }

  bool read_sections(const TomlNode& root) {
    // In file order, so that the first mistake of the file is the one reported.
    for (const auto& node : root.children) {
      for (const auto& table : tables_) {
        if (table.name == node.key && !read_section(node, table)) {
          return false;
        }
      }
    }
    for (const auto& table : tables_) {
      if (table.required && root.find(table.name) == nullptr) {
        return refuse(1, std::string(table.name), {"the section is missing", ""});
      }
    }
    return true;
  }

  bool read_section(const TomlNode& node, const SectionTable& table) {
    if (!node.is_table()) {
      return refuse(node.line, node.key, {node.as_value().shown() + " is not a section", ""});
    }
    Platform::Section section{std::string(table.name), base::ParamSet(table.table)};
    for (const auto& child : node.children) {
      if (!read_constant(child, section)) {
        return false;
      }
    }
    if (const auto missing = section.params.missing(); !missing.empty()) {
      return refuse(
          node.line, join_key(table.name, missing.front()),
          {"the constant is missing", base::describe_allowed(*table.table.find(missing.front()))});
    }
    platform_.sections.push_back(std::move(section));
    return true;
  }

  bool read_constant(const TomlNode& node, Platform::Section& section) {
    const std::string key = join_key(section.name, node.key);
    if (section.params.table().find(node.key) == nullptr) {
      return refuse(node.line, key, *section.params.set(node.key, base::RawValue()));
    }
    if (!node.is_table()) {
      return refuse(node.line, key,
                    {node.as_value().shown() + " has no source",
                     "{ value = \"...\", source = \"...\", note = \"...\" }"});
    }
    Constant constant;
    constant.section = section.name;
    constant.name = node.key;
    base::ParamSet parts{base::ParamTable(kConstantParams)};
    for (const auto& part : node.children) {
      if (!read_part(part, key, parts, section, constant)) {
        return false;
      }
    }
    if (node.find("value") == nullptr || !parts.has("source")) {
      return refuse(
          node.line, key,
          {node.find("value") == nullptr ? "the value is missing" : "the source is missing",
           node.find("value") == nullptr
               ? base::describe_allowed(*section.params.table().find(node.key))
               : std::string("published, datasheet, derived, assumed, fitted")});
    }
    constant.source = parts.choice("source");
    constant.note = parts.text("note");
    if ((constant.source == "fitted") == constant.fitted_to.empty()) {
      return refuse(node.line, key,
                    {constant.fitted_to.empty()
                         ? "a fitted constant must name the rows it is fitted to in fitted_to"
                         : "fitted_to is for constants whose source is fitted",
                     ""});
    }
    platform_.constants.push_back(std::move(constant));
    return true;
  }

  bool read_part(const TomlNode& part, const std::string& key, base::ParamSet& parts,
                 Platform::Section& section, Constant& constant) {
    const std::string part_key = join_key(key, part.key);
    if (part.key == "value") {
      base::RawValue raw = part.as_value();
      if (raw.type == base::RawValue::Type::kText) {
        raw = base::RawValue::loose(raw.text);
      }
      if (const auto issue = section.params.set(constant.name, raw, "platform")) {
        return refuse(part.line, key, *issue);
      }
      constant.value = section.params.written(constant.name);
      return true;
    }
    if (part.key == "fitted_to") {
      for (const auto& row : part.children) {
        if (row.as_value().type != base::RawValue::Type::kText || row.value.text.empty()) {
          return refuse(part.line, part_key, {"it is not a list of row ids", "[\"row\", ...]"});
        }
        constant.fitted_to.push_back(row.value.text);
      }
      if (part.type != TomlNode::Type::kList) {
        return refuse(part.line, part_key, {"it is not a list of row ids", "[\"row\", ...]"});
      }
      return true;
    }
    if (const auto issue = parts.set(part.key, part.as_value())) {
      return refuse(part.line, part_key, *issue);
    }
    return true;
  }

  // More fitted constants than rows would let any row be met: no prediction would be left.
  bool check_fit() {
    std::set<std::string> rows;
    std::string names;
    size_t fitted = 0;
    for (const auto& constant : platform_.constants) {
      rows.insert(constant.fitted_to.begin(), constant.fitted_to.end());
      if (constant.source == "fitted") {
        ++fitted;
        names += (names.empty() ? "" : ", ") + join_key(constant.section, constant.name);
      }
    }
    if (fitted <= rows.size()) {
      return true;
    }
    error_ = base::Error{file_ + ": " + std::to_string(fitted) + " fitted constants (" + names +
                         ") but only " + std::to_string(rows.size()) +
                         " rows they are fitted to; allowed: no more constants than rows"};
    return false;
  }

  std::string file_;
  const std::vector<SectionTable>& tables_;
  Platform platform_;
  base::Error error_;
};

}  // namespace

const base::ParamSet* Platform::find_section(std::string_view section_name) const {
  for (const auto& candidate : sections) {
    if (candidate.name == section_name) {
      return &candidate.params;
    }
  }
  return nullptr;
}

std::optional<base::Error> Platform::apply(const std::vector<PlatformChange>& changes) {
  for (const auto& change : changes) {
    const auto section = std::find_if(sections.begin(), sections.end(),
                                      [&](const Section& s) { return s.name == change.section; });
    if (section == sections.end()) {
      return base::Error{"key '" + join_key(change.section, change.key) + "': platform '" + name +
                         "' has no section [" + change.section + "]"};
    }
    if (const auto issue = section->params.set(change.key, change.value, change.origin)) {
      return base::Error{"key '" + join_key(change.section, change.key) + "': " + issue->message()};
    }
  }
  return std::nullopt;
}

const base::ParamSet& Platform::section(std::string_view section_name) const {
  if (const base::ParamSet* found = find_section(section_name)) {
    return *found;
  }
  throw std::logic_error("platform '" + name + "' has no section '" + std::string(section_name) +
                         "'");
}

base::Result<Platform> load_platform_text(std::string_view text, const std::string& name,
                                          const std::vector<SectionTable>& sections) {
  const auto root = read_toml(text, name);
  if (!root) {
    return base::Error{root.error()};
  }
  return Reader(name, sections).read(root.value());
}

base::Result<Platform> load_platform(const std::string& name_or_path) {
  std::string path = name_or_path;
  if (!is_path(name_or_path)) {
    path = shipped_path("platforms", name_or_path);
    if (!file_exists(path)) {
      const auto names = shipped_names("platforms");
      return base::Error{"platform '" + name_or_path + "': " +
                         base::unknown_name(name_or_path, {names.begin(), names.end()}).message()};
    }
  }
  const auto text = read_text_file(path);
  if (!text) {
    return base::Error{text.error()};
  }
  return load_platform_text(text.value(), path, platform_sections());
}

base::Result<std::vector<PlatformSummary>> list_platforms() {
  std::vector<PlatformSummary> list;
  for (const auto& name : shipped_names("platforms")) {
    const auto platform = load_platform(name);
    if (!platform) {
      return base::Error{platform.error()};
    }
    list.push_back({name, platform.value().summary});
  }
  return list;
}

}  // namespace doorbell::run
