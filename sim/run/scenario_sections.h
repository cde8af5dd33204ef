// Parts of the scenario loader: [traffic] and [expect]. Used by scenario.cc only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/run/scenario.h"
#include "sim/run/toml_reader.h"

namespace doorbell::run {

/// Sets every child of `table` in `params`. `prefix` is the table's own key. `skip` names children
/// that the caller reads itself.
std::optional<base::Error> fill(const std::string& file, const TomlNode& table,
                                const std::string& prefix, base::ParamSet& params,
                                const std::vector<std::string_view>& skip = {});

/// Reads [traffic]. `link` bounds the rate; `folder` resolves the capture.
base::Result<Traffic> read_traffic(const std::string& file, const TomlNode& table,
                                   base::BitsPerSecond link, const std::string& folder);

/// Reads [app]; null: the defaults, no application.
base::Result<base::ParamSet> read_app(const std::string& file, const TomlNode* table);

base::Result<std::vector<report::Expectation>> read_expect(const std::string& file,
                                                           const TomlNode& table);

}  // namespace doorbell::run
