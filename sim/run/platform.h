// A platform: the board a scenario runs on, with a source for every constant.
//
// Each constant is `name = { value = "...", source = "...", note = "...", fitted_to = ["row"] }`.
// Which names a section has, and of which kind, is declared by the rooms that use them (see
// platform_sections); the loader refuses unknown names, missing ones, and constants without a
// source. source: published, datasheet, derived, assumed or fitted. A fitted constant names the
// measured rows it was fitted to, and a platform has no more fitted constants than such rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/params.h"
#include "models/base/result.h"

namespace doorbell::run {

/// A section's name and the table of its constants.
struct SectionTable {
  std::string_view name;
  base::ParamTable table;
  bool required = true;     // every platform has it; else only those with such hardware
  bool changeable = false;  // a scenario may have a section of this name that changes values
};

/// A value that a scenario gives a platform's section: a wider link, an IOMMU switched on.
struct PlatformChange {
  std::string section;
  std::string key;
  base::RawValue value;  // checked against the section's table
  std::string origin;
};

/// Where a constant's value comes from.
struct Constant {
  std::string section;
  std::string name;
  std::string value;  // as written
  std::string source;
  std::string note;
  std::vector<std::string> fitted_to;  // row ids, for source "fitted"
};

class Platform {
 public:
  std::string name;
  std::string summary;
  std::string path;
  std::vector<Constant> constants;  // in file order

  /// Values of [section]. Asking for a section that platform_sections() lacks throws
  /// std::logic_error: a programmer error.
  const base::ParamSet& section(std::string_view section_name) const;
  /// Null when the platform has no such section.
  const base::ParamSet* find_section(std::string_view section_name) const;
  /// Changes values, in order. Error: a section that the platform lacks.
  std::optional<base::Error> apply(const std::vector<PlatformChange>& changes);

  struct Section {
    std::string name;
    base::ParamSet params;
  };
  std::vector<Section> sections;
};

/// Every section a platform file has, with the tables of the rooms that read them.
const std::vector<SectionTable>& platform_sections();

base::Result<Platform> load_platform_text(std::string_view text, const std::string& name,
                                          const std::vector<SectionTable>& sections);
/// Loads a shipped platform by name, or a file by path; an unknown name lists the available ones.
base::Result<Platform> load_platform(const std::string& name_or_path);

struct PlatformSummary {
  std::string name;
  std::string summary;
};
base::Result<std::vector<PlatformSummary>> list_platforms();

}  // namespace doorbell::run
