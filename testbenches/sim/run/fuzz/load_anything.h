// One input of the scenario fuzzer: any bytes, as a scenario, as a platform and as overrides. None
// may crash, throw or be refused without a one-line reason. Shared by the fuzzer and the corpus
// test.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sim/run/platform.h"
#include "sim/run/scenario.h"

namespace doorbell::run {

inline void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

inline void check_message(const std::string& message) {
  require(!message.empty());
}

/// Aborts on a broken promise of the loaders.
inline void load_anything(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto scenario = load_scenario_text(text, "fuzz.toml");
  if (scenario) {
    const Scenario& s = scenario.value();
    require(!s.nics.empty() && s.nics.size() == s.drivers.size());
    require(s.warmup + s.measure <= s.duration && s.measure > base::Picos(0));
  } else {
    check_message(scenario.error());
  }
  const auto platform = load_platform_text(text, "fuzz.toml", platform_sections());
  if (!platform) {
    check_message(platform.error());
  }
  // The first line as an override of an otherwise good scenario.
  const auto change = parse_override(text.substr(0, text.find('\n')));
  if (change) {
    static constexpr std::string_view kGood =
        "schema = 1\nname = \"fuzz\"\nduration = \"1 ms\"\nplatform = \"imx8mp-evk\"\n"
        "[nic]\ndevice = \"fec\"\n[traffic]\nkind = \"none\"\n";
    const auto changed = load_scenario_text(kGood, "fuzz.toml", {change.value()});
    if (!changed) {
      check_message(changed.error());
    }
  }
}

}  // namespace doorbell::run
