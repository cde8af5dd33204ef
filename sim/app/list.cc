#include <algorithm>
#include <iomanip>
#include <iostream>

#include "sim/app/app.h"
#include "sim/run/devices.h"

namespace doorbell::app {

int list_verb(bool json, const Services& services) {
  const auto scenarios = run::list_scenarios();
  if (!scenarios) {
    return bad_input(services, scenarios.error());
  }
  const auto platforms = run::list_platforms();
  if (!platforms) {
    return bad_input(services, platforms.error());
  }
  report::Json document{{"scenarios", report::Json::array()},
                        {"devices", report::Json::array()},
                        {"platforms", report::Json::array()}};
  for (const auto& s : scenarios.value()) {
    document["scenarios"].push_back(
        {{"name", s.name}, {"device", s.device}, {"summary", s.summary}});
  }
  for (const auto& d : run::devices()) {
    document["devices"].push_back({{"name", d.name}, {"summary", d.summary}});
  }
  for (const auto& p : platforms.value()) {
    document["platforms"].push_back({{"name", p.name}, {"summary", p.summary}});
  }
  if (json) {
    services.out << document.dump(2) << "\n";
    return kDone;
  }
  size_t width = 0;
  for (const auto& group : document) {
    for (const auto& entry : group) {
      width = std::max(width, entry["name"].get_ref<const std::string&>().size());
    }
  }
  for (const auto& [title, group] : document.items()) {
    services.out << title << "\n";
    for (const auto& entry : group) {
      services.out << "  " << std::left << std::setw(static_cast<int>(width) + 2)
                   << entry["name"].get<std::string>() << entry["summary"].get<std::string>()
                   << "\n";
    }
  }
  return kDone;
}

}  // namespace doorbell::app
