#include "sim/apps/app_params.h"
#include "sim/run/scenario_sections.h"

namespace doorbell::run {

base::Result<base::ParamSet> read_app(const std::string& file, const TomlNode* table) {
  base::ParamSet params{base::ParamTable(apps::kAppParams)};
  if (table != nullptr) {
    if (auto error = fill(file, *table, "app", params)) {
      return *error;
    }
  }
  return params;
}

}  // namespace doorbell::run
