// Where shipped scenarios and platforms are: $DOORBELL_DATA, else sim/ of the source tree.
//
// The folder holds scenarios/NAME.toml and platforms/NAME.toml. A name is a plain word; anything
// with a '/' or ending in ".toml" is a path instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace doorbell::run {

std::string data_dir();
/// True for text that means a file rather than a shipped name.
bool is_path(std::string_view name_or_path);
/// Names of the shipped files of `kind` ("scenarios", "platforms"), sorted; empty when there is
/// none.
std::vector<std::string> shipped_names(const std::string& kind);
/// Path of the shipped file, whether or not it exists.
std::string shipped_path(const std::string& kind, const std::string& name);
/// `path` as seen from `folder`: unchanged when absolute.
std::string resolve(const std::string& folder, const std::string& path);
bool file_exists(const std::string& path);

}  // namespace doorbell::run
