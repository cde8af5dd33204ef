#include "sim/run/data_dir.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace doorbell::run {
namespace fs = std::filesystem;
namespace {
constexpr std::string_view kSuffix = ".toml";
}  // namespace

std::string data_dir() {
  const char* chosen = std::getenv("DOORBELL_DATA");
  return chosen != nullptr && *chosen != '\0' ? chosen : DOORBELL_SOURCE_DIR "/sim";
}

bool is_path(std::string_view name) {
  return name.find('/') != std::string_view::npos ||
         (name.size() >= kSuffix.size() && name.substr(name.size() - kSuffix.size()) == kSuffix);
}

std::vector<std::string> shipped_names(const std::string& kind) {
  std::vector<std::string> names;
  std::error_code ec;
  for (fs::directory_iterator it(fs::path(data_dir()) / kind, ec), end; !ec && it != end;
       it.increment(ec)) {
    if (it->path().extension() == kSuffix) {
      names.push_back(it->path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string shipped_path(const std::string& kind, const std::string& name) {
  return (fs::path(data_dir()) / kind / (name + std::string(kSuffix))).string();
}

std::string resolve(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).lexically_normal().string();
}

bool file_exists(const std::string& path) {
  std::error_code ec;
  return path.find('\0') == std::string::npos && fs::is_regular_file(path, ec);
}

}  // namespace doorbell::run
