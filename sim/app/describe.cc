#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <iostream>

#include "models/base/params.h"
#include "sim/app/app.h"
#include "sim/run/data_dir.h"
#include "sim/run/devices.h"

namespace doorbell::app {
namespace {

using report::Json;

std::string hex(uint32_t value, int digits) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%0*X", digits, value);
  return text;
}

Json words_json(const reg::RegTable& table, bool resets) {
  Json list = Json::array();
  for (const auto& row : table) {
    Json fields = Json::array();
    for (const auto& field : row.fields) {
      fields.push_back({{"name", field.name},
                        {"bits", {field.hi, field.lo}},
                        {"access", reg::access_name(field.access)},
                        {"description", field.description}});
    }
    Json word{{"name", row.name}, {"offset", row.offset}};
    if (resets) {
      word["reset"] = row.reset;
    }
    word["description"] = row.description;
    word["fields"] = std::move(fields);
    list.push_back(std::move(word));
  }
  return list;
}

void print_words(std::ostream& out, const Json& words) {
  for (const auto& word : words) {
    out << "  " << hex(word["offset"], 3) << "  " << std::left << std::setw(14)
        << word["name"].get<std::string>()
        << (word.contains("reset") ? hex(word["reset"], 8) + "  " : "")
        << word["description"].get<std::string>() << "\n";
    for (const auto& field : word["fields"]) {
      const int hi = field["bits"][0];
      const int lo = field["bits"][1];
      const std::string bits =
          hi == lo ? std::to_string(hi) : std::to_string(hi) + ":" + std::to_string(lo);
      out << "           " << std::right << std::setw(5) << bits << "  " << std::left
          << std::setw(14) << field["name"].get<std::string>() << std::setw(5)
          << field["access"].get<std::string>() << field["description"].get<std::string>() << "\n";
    }
  }
}

Json params_json(const base::ParamTable& table) {
  Json list = Json::array();
  for (const auto& spec : table) {
    Json row{{"name", spec.name}, {"kind", base::kind_name(spec.kind)}};
    row["default"] = spec.default_text.data() == nullptr ? Json() : Json(spec.default_text);
    row["allowed"] = base::describe_allowed(spec);
    row["unit"] = spec.unit;
    row["help"] = spec.help;
    row["source"] = spec.source;
    list.push_back(std::move(row));
  }
  return list;
}

void print_params(std::ostream& out, const Json& params) {
  for (const auto& row : params) {
    const std::string value =
        row["default"].is_null() ? "(required)" : row["default"].get<std::string>();
    out << "  " << std::left << std::setw(28) << row["name"].get<std::string>() << std::setw(14)
        << value << row["help"].get<std::string>() << "\n"
        << "      allowed: " << row["allowed"].get<std::string>();
    if (const auto source = row["source"].get<std::string>(); !source.empty()) {
      out << "   source: " << source;
    }
    out << "\n";
  }
}

Json device_json(const run::DeviceInfo& device, const std::string& section) {
  Json document{{"device", device.name}, {"summary", device.summary}};
  if (section.empty() || section == "registers") {
    document["registers"] = words_json(device.registers, true);
  }
  if (section.empty() || section == "descriptors") {
    for (const auto& layout : device.descriptors) {
      document["descriptors"][std::string(layout.name)] = words_json(layout.words, false);
    }
  }
  if (section.empty() || section == "parameters") {
    document["parameters"] = {{"nic", params_json(device.nic)},
                              {"driver", params_json(device.driver)}};
  }
  return document;
}

int describe_device(const run::DeviceInfo& device, const std::string& section, bool json,
                    const Services& services) {
  if (!section.empty() && section != "registers" && section != "descriptors" &&
      section != "parameters") {
    return bad_input(
        services,
        "describe " + std::string(device.name) + " '" + section + "': " +
            base::unknown_name(section, {"registers", "descriptors", "parameters"}).message());
  }
  const Json document = device_json(device, section);
  std::ostream& out = services.out;
  if (json) {
    out << document.dump(2) << "\n";
    return kDone;
  }
  out << device.name << ": " << device.summary << "\n";
  if (document.contains("registers")) {
    out << "\nRegisters: offset, name, reset, description; bits, access\n";
    print_words(out, document["registers"]);
  }
  if (document.contains("descriptors")) {
    for (const auto& [name, words] : document["descriptors"].items()) {
      out << "\nDescriptor, " << name << ": offset, name; bits, access\n";
      print_words(out, words);
    }
  }
  if (document.contains("parameters")) {
    for (const auto& [table, params] : document["parameters"].items()) {
      out << "\nScenario keys in [" << table << "]: name, default, meaning\n";
      print_params(out, params);
    }
  }
  return kDone;
}

int describe_platform(const run::Platform& platform, bool json, const Services& services) {
  Json document{
      {"platform", platform.name}, {"summary", platform.summary}, {"constants", Json::array()}};
  for (const auto& constant : platform.constants) {
    const auto* spec = platform.section(constant.section).table().find(constant.name);
    document["constants"].push_back({{"section", constant.section},
                                     {"name", constant.name},
                                     {"value", constant.value},
                                     {"source", constant.source},
                                     {"note", constant.note},
                                     {"fitted_to", constant.fitted_to},
                                     {"help", spec->help}});
  }
  std::ostream& out = services.out;
  if (json) {
    out << document.dump(2) << "\n";
    return kDone;
  }
  out << platform.name << ": " << platform.summary << "\n";
  std::string section;
  for (const auto& c : platform.constants) {
    if (c.section != section) {
      section = c.section;
      out << "\n[" << section << "]\n";
    }
    std::string rows;
    for (const auto& row : c.fitted_to) {
      rows += (rows.empty() ? " to " : ", ") + row;
    }
    const auto* spec = platform.section(c.section).table().find(c.name);
    out << "  " << std::left << std::setw(20) << c.name << std::setw(16) << c.value << c.source
        << rows << ": " << spec->help << (c.note.empty() ? "" : " (" + c.note + ")") << "\n";
  }
  return kDone;
}

int describe_traffic(bool json, const Services& services) {
  const Json params = params_json(run::traffic_table());
  if (json) {
    services.out << Json{{"traffic", params}}.dump(2) << "\n";
    return kDone;
  }
  services.out << "Scenario keys in [traffic]: name, default, meaning\n";
  print_params(services.out, params);
  return kDone;
}

}  // namespace

int describe_verb(const std::string& subject, const std::string& section, bool json,
                  const Services& services) {
  if (const auto* device = run::find_device(subject)) {
    return describe_device(*device, section, json, services);
  }
  const auto platforms = run::shipped_names("platforms");
  const bool shipped = std::find(platforms.begin(), platforms.end(), subject) != platforms.end();
  if (!shipped && !run::is_path(subject) && subject != "traffic") {
    auto known = run::device_names();
    known.insert(known.end(), platforms.begin(), platforms.end());
    known.emplace_back("traffic");
    return bad_input(services,
                     "describe '" + subject + "': " + base::unknown_name(subject, known).message());
  }
  if (!section.empty()) {
    return bad_input(services, "describe " + subject + " has no section '" + section +
                                   "'; allowed: describe " + subject);
  }
  if (subject == "traffic") {
    return describe_traffic(json, services);
  }
  const auto platform = run::load_platform(subject);
  return platform ? describe_platform(platform.value(), json, services)
                  : bad_input(services, platform.error());
}

}  // namespace doorbell::app
