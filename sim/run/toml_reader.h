// TOML text as a plain tree with line numbers, and command-line overrides applied to it.
//
// The loaders of scenarios and platforms work on this tree, so that toml++ stays in one file and
// its exceptions never leave it. Children are in the order of the text: the first mistake of a file
// is the one reported. Text of any content is safe to read; over-long input is refused before
// parsing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/base/params.h"
#include "models/base/result.h"

namespace doorbell::run {

struct TomlNode {
  enum class Type : uint8_t { kTable, kList, kValue };
  Type type = Type::kTable;
  std::string key;       // empty in a list
  int line = 0;          // 0: from the command line
  base::RawValue value;  // kValue
  std::vector<TomlNode> children;

  bool is_table() const { return type == Type::kTable; }
  /// True for a list whose every element is a table, as [[nic]] makes.
  bool is_table_list() const;
  const TomlNode* find(std::string_view name) const;
  /// The node as a value; tables and lists become RawValue::other.
  base::RawValue as_value() const;
};

/// Parses `text`. `name` stands for the file in the message: "NAME:LINE: not valid TOML: ...".
base::Result<TomlNode> read_toml(std::string_view text, const std::string& name);

/// Puts `value` at the dotted `key` of `root`, making tables on the way. In a list of tables, a
/// part of the key chooses the table by its `name`, and may be left out when there is one.
/// Everything after "expect." is one key. Returns what is wrong with the key, or an empty string.
std::string apply_override(TomlNode& root, std::string_view key, std::string_view value);

/// Reads a whole file; the message names it.
base::Result<std::string> read_text_file(const std::string& path);

}  // namespace doorbell::run
