// The one line that says what is wrong with a file:
// "FILE:LINE: key 'x.y': what is wrong; allowed: ...". Keys from the command line have no line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/run/toml_reader.h"

namespace doorbell::run {

inline base::Error complaint(const std::string& file, int line, const std::string& key,
                             const base::ParamIssue& issue) {
  const std::string where = line > 0 ? file + ":" + std::to_string(line) : "command line";
  return base::Error{where + ": key '" + key + "': " + issue.message()};
}

/// "a.b" from "a" and "b"; "b" when the prefix is empty.
inline std::string join_key(std::string_view prefix, std::string_view name) {
  return prefix.empty() ? std::string(name) : std::string(prefix) + "." + std::string(name);
}

inline std::string_view origin_of(const TomlNode& node) {
  return node.line > 0 ? "scenario" : "command line";
}

}  // namespace doorbell::run
