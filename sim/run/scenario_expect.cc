#include <cmath>

#include "sim/run/complaint.h"
#include "sim/run/scenario_sections.h"

namespace doorbell::run {
namespace {

using base::RawValue;

constexpr std::string_view kWanted =
    "a number, true, false, a text, { value = ..., tolerance = \"5 %\" } or { min = ..., max = ... "
    "}";

constexpr base::ParamSpec kBoundParams[] = {
    {"tolerance", base::ParamKind::kPercent, "0 %", "0 %..100 %", {}, "of the value", {}},
    {"min", base::ParamKind::kReal, base::kRequired, {}, {}, "least", {}},
    {"max", base::ParamKind::kReal, base::kRequired, {}, {}, "most", {}},
};

// Fills e.value; false when `raw` is nothing a result can be compared with.
bool take_value(const RawValue& raw, report::Expectation& e) {
  switch (raw.type) {
    case RawValue::Type::kBoolean:
      e.value = raw.boolean;
      return true;
    case RawValue::Type::kInteger:
      e.value = raw.integer;
      return true;
    case RawValue::Type::kReal:
      e.value = raw.real;
      return std::isfinite(raw.real);
    case RawValue::Type::kText:
      e.value = raw.text;
      return true;
    case RawValue::Type::kLoose:
    case RawValue::Type::kOther:
      break;
  }
  return false;
}

std::optional<base::ParamIssue> check_table(const TomlNode& node, const report::Expectation& e) {
  const bool value = node.find("value") != nullptr;
  const bool min_or_max = e.min || e.max;
  if (value == min_or_max) {
    return base::ParamIssue{value ? "value and min or max together" : "nothing is expected",
                            std::string(kWanted)};
  }
  const bool number =
      std::holds_alternative<int64_t>(e.value) || std::holds_alternative<double>(e.value);
  if (node.find("tolerance") != nullptr && !number) {
    return base::ParamIssue{"a tolerance needs a number as value", std::string(kWanted)};
  }
  if (e.min && e.max && *e.min > *e.max) {
    return base::ParamIssue{"min is more than max", std::string(kWanted)};
  }
  return std::nullopt;
}

std::optional<base::Error> read_bounds(const std::string& file, const TomlNode& node,
                                       const std::string& key, report::Expectation& e) {
  base::ParamSet bounds{base::ParamTable(kBoundParams)};
  for (const auto& part : node.children) {
    if (part.key == "value") {
      if (!take_value(part.as_value(), e)) {
        return complaint(
            file, part.line, key + ".value",
            {part.as_value().shown() + " cannot be expected", "a number, true, false or a text"});
      }
    } else if (bounds.table().find(part.key) == nullptr) {
      return complaint(file, part.line, key + "." + part.key,
                       base::unknown_name(part.key, {"value", "tolerance", "min", "max"}));
    } else if (const auto issue = bounds.set(part.key, part.as_value())) {
      return complaint(file, part.line, key + "." + part.key, *issue);
    }
  }
  e.tolerance = bounds.percent("tolerance");
  if (bounds.has("min")) {
    e.min = bounds.real("min");
  }
  if (bounds.has("max")) {
    e.max = bounds.real("max");
  }
  if (const auto issue = check_table(node, e)) {
    return complaint(file, node.line, key, *issue);
  }
  return std::nullopt;
}

}  // namespace

base::Result<std::vector<report::Expectation>> read_expect(const std::string& file,
                                                           const TomlNode& table) {
  std::vector<report::Expectation> list;
  for (const auto& node : table.children) {
    report::Expectation e;
    e.key = node.key;
    e.line = node.line;
    const std::string key = "expect." + node.key;
    if (node.is_table()) {
      if (auto error = read_bounds(file, node, key, e)) {
        return *error;
      }
    } else if (!take_value(node.as_value(), e)) {
      return complaint(file, node.line, key,
                       {node.as_value().shown() + " cannot be expected", std::string(kWanted)});
    }
    list.push_back(std::move(e));
  }
  return list;
}

}  // namespace doorbell::run
