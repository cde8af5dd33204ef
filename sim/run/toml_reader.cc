#include "sim/run/toml_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <toml++/toml.h>

namespace doorbell::run {
namespace {

// No sensible file comes near these. A line bounds how deep a dotted key can nest, and with it the
// recursion of the parser's tree.
constexpr size_t kLongestText = 1 << 20;
constexpr size_t kLongestLine = 4096;

base::RawValue convert_value(const toml::node& node) {
  if (const auto* text = node.as_string()) {
    return base::RawValue::of_text(text->get());
  }
  if (const auto* integer = node.as_integer()) {
    return base::RawValue::of_integer(integer->get());
  }
  if (const auto* real = node.as_floating_point()) {
    return base::RawValue::of_real(real->get());
  }
  if (const auto* boolean = node.as_boolean()) {
    return base::RawValue::of_boolean(boolean->get());
  }
  return base::RawValue::other("a date or time of day");
}

TomlNode convert(const toml::node& node, std::string key) {
  struct Placed {
    toml::source_position where;
    TomlNode node;
  };
  TomlNode out;
  out.key = std::move(key);
  out.line = static_cast<int>(node.source().begin.line);
  if (const auto* table = node.as_table()) {
    std::vector<Placed> placed;
    for (const auto& [name, child] : *table) {
      // A table made by a dotted key has no place of its own; its key has.
      TomlNode converted = convert(child, std::string(name.str()));
      if (converted.line == 0) {
        converted.line = static_cast<int>(name.source().begin.line);
      }
      placed.push_back({name.source().begin, std::move(converted)});
    }
    std::stable_sort(placed.begin(), placed.end(),
                     [](const Placed& a, const Placed& b) { return a.where < b.where; });
    for (auto& child : placed) {
      out.children.push_back(std::move(child.node));
    }
  } else if (const auto* list = node.as_array()) {
    out.type = TomlNode::Type::kList;
    for (const auto& child : *list) {
      out.children.push_back(convert(child, ""));
    }
  } else {
    out.type = TomlNode::Type::kValue;
    out.value = convert_value(node);
  }
  return out;
}

base::Error at(const std::string& name, size_t line, const std::string& what) {
  return base::Error{name + ":" + std::to_string(line) + ": " + what};
}

// The parser's text may quote bytes of the input; messages stay one printable line.
std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return out;
}

TomlNode* find_mutable(TomlNode& table, std::string_view name) {
  const auto it = std::find_if(table.children.begin(), table.children.end(),
                               [&](const TomlNode& child) { return child.key == name; });
  return it == table.children.end() ? nullptr : &*it;
}

TomlNode* add_table(TomlNode& parent, std::string_view name) {
  TomlNode child;
  child.key = name;
  parent.children.push_back(std::move(child));
  return &parent.children.back();
}

// Chooses a table of a list: by name when `path` starts with one (which is then removed), or the
// only one.
TomlNode* choose(TomlNode& list, std::string_view& path, std::string& why) {
  const size_t dot = path.find('.');
  const std::string_view first = path.substr(0, dot);
  std::string names;
  for (auto& element : list.children) {
    const TomlNode* name = element.find("name");
    if (name != nullptr && dot != std::string_view::npos && name->value.text == first) {
      path.remove_prefix(dot + 1);
      return &element;
    }
    names += (names.empty() ? "" : ", ") + (name != nullptr ? name->value.text : std::string("?"));
  }
  if (list.children.size() == 1) {
    return &list.children.front();
  }
  why = "there are several [[" + list.key + "]]: name one; allowed: " + names;
  return nullptr;
}

// Values of expectations have TOML's own types (`typed`); those of all other keys are read as the
// key needs, so that "--set traffic.rate=300 kpps" works without a second pair of quotes.
TomlNode override_node(std::string_view key, std::string_view value, bool typed) {
  TomlNode node;
  if (const auto parsed = read_toml("v = " + std::string(value) + "\n", "");
      parsed && parsed.value().children.size() == 1) {
    node = parsed.value().children.front();
  } else {
    node.type = TomlNode::Type::kValue;
    node.value = base::RawValue::of_text(value);
  }
  if (node.type == TomlNode::Type::kValue && !typed) {
    const bool quoted = !value.empty() && (value.front() == '"' || value.front() == '\'');
    node.value.text = quoted ? node.value.text : std::string(value);
    node.value.type = base::RawValue::Type::kLoose;
  }
  node.key = key;
  return node;
}

void clear_lines(TomlNode& node) {
  node.line = 0;
  for (auto& child : node.children) {
    clear_lines(child);
  }
}

void put(TomlNode& table, std::string_view key, std::string_view value, bool typed) {
  TomlNode node = override_node(key, value, typed);
  clear_lines(node);
  if (TomlNode* old = find_mutable(table, key)) {
    *old = std::move(node);
  } else {
    table.children.push_back(std::move(node));
  }
}

}  // namespace

bool TomlNode::is_table_list() const {
  return type == Type::kList && !children.empty() &&
         std::all_of(children.begin(), children.end(),
                     [](const TomlNode& child) { return child.is_table(); });
}

const TomlNode* TomlNode::find(std::string_view name) const {
  const auto it = std::find_if(children.begin(), children.end(),
                               [&](const TomlNode& child) { return child.key == name; });
  return it == children.end() ? nullptr : &*it;
}

base::RawValue TomlNode::as_value() const {
  if (type == Type::kValue) {
    return value;
  }
  return base::RawValue::other(type == Type::kTable ? "a table" : "a list");
}

base::Result<TomlNode> read_toml(std::string_view text, const std::string& name) {
  if (text.size() > kLongestText) {
    return base::Error{name + ": the file is larger than 1 MiB"};
  }
  size_t line = 1;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == '\n') {
      if (i - begin > kLongestLine) {
        return at(name, line, "the line is longer than 4096 characters");
      }
      begin = i + 1;
      ++line;
    }
  }
  try {
    return convert(toml::parse(text), "");
  } catch (const toml::parse_error& error) {
    return at(name, error.source().begin.line, "not valid TOML: " + printable(error.description()));
  }
}

std::string apply_override(TomlNode& root, std::string_view key, std::string_view value) {
  TomlNode* table = &root;
  std::string_view rest = key;
  for (;;) {
    const size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    if (part.empty()) {
      return "an empty part in the key";
    }
    const bool in_expect = table != &root && root.find("expect") == table;
    if (dot == std::string_view::npos || in_expect) {
      put(*table, rest, value, in_expect);
      return {};
    }
    rest.remove_prefix(dot + 1);
    TomlNode* next = find_mutable(*table, part);
    next = next == nullptr ? add_table(*table, part) : next;
    if (next->is_table_list()) {
      std::string why;
      next = choose(*next, rest, why);
      if (next == nullptr) {
        return why;
      }
    }
    if (!next->is_table()) {
      return "'" + std::string(part) + "' is not a table";
    }
    table = next;
  }
}

base::Result<std::string> read_text_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return base::Error{path + ": cannot open the file: " + std::strerror(errno)};
  }
  std::stringstream text;
  text << in.rdbuf();
  if (in.bad() || (text.fail() && !text.str().empty())) {
    return base::Error{path + ": cannot read the file"};
  }
  return text.str();
}

}  // namespace doorbell::run
