// A scenario: what to run and what to expect, read from TOML and checked in full before a run
// starts.
//
// The loader knows no device: [nic] and [driver] are checked against the tables that
// sim/run/devices.h lists. Quantities are strings with units. Every refusal is one line,
// "FILE:LINE: key 'x.y': what is wrong; allowed: ...", and nothing else happens.
// Relative paths resolve against the scenario's folder. Command-line overrides ("--set a.b=c") are
// applied to the parsed text before it is checked, so they meet the same checks.
// Units: base types; times are spans of simulated time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/params.h"
#include "models/base/result.h"
#include "models/base/units.h"
#include "sim/report/expect.h"
#include "sim/run/platform.h"

namespace doorbell::run {

enum class Engine : uint8_t { kTlm, kRtl, kLockstep };
std::string_view engine_name(Engine engine);

/// One [nic] or [[nic]].
struct NicSection {
  std::string name;    // "nic" when the scenario gives none
  std::string device;  // "fec"
  Engine engine = Engine::kTlm;
  base::BitsPerSecond link;
  base::ParamSet params;  // the device's nic table
};

/// One [driver] or [[driver]], in the order of the nics they belong to.
struct DriverSection {
  std::string nic;        // name of its nic
  base::ParamSet params;  // the device's driver table
};

enum class TrafficKind : uint8_t { kNone, kFixed, kImix, kPoisson, kBurst, kPcap };
enum class PcapTiming : uint8_t { kOriginal, kLine, kScaled };

/// What arrives on the wire of the first nic.
struct Traffic {
  TrafficKind kind = TrafficKind::kNone;
  uint64_t frame_bytes = 64;  // with FCS
  bool rate_is_line = true;
  uint64_t rate_pps = 0;  // when not line rate
  uint32_t flows = 1;
  uint32_t burst = 1;     // frames in a burst, back to back
  base::Picos burst_gap;  // from the end of one burst to the start of the next
  std::string file;       // resolved path of the capture
  PcapTiming timing = PcapTiming::kOriginal;
  double timing_factor = 1;  // kScaled: 2 plays twice as fast
  bool loop = false;
  bool flow_control = false;       // the link partner obeys pause frames
  int vlan_pcp = -1;               // 0..7 tags every frame; -1: untagged
  uint32_t bad_fcs_every = 0;      // every nth frame has a bad FCS; 0: none
  base::Picos pause_storm_period;  // a pause frame arrives this often; 0: none
  uint32_t pause_storm_quanta = 0;
  base::ParamSet params;  // the same, by name
};

struct Output {
  bool pcap = false;
  bool trace = false;
};

struct Scenario {
  std::string name;
  std::string summary;
  uint64_t seed = 1;
  base::Picos duration;  // the whole run
  base::Picos warmup;    // rates, latency and CPU shares are measured from here ...
  base::Picos measure;   // ... for this long; warmup + measure <= duration
  std::string platform;  // name, or path of a platform file
  std::vector<NicSection> nics;
  std::vector<DriverSection> drivers;
  std::vector<PlatformChange> changes;  // sections of the platform's, such as [pcie]
  Traffic traffic;
  base::ParamSet app;  // [app], at its defaults when there is none
  Output output;
  std::vector<report::Expectation> expect;
  std::string path;  // file it came from; empty when from memory
};

/// One "--set key=value".
struct Override {
  std::string key;
  std::string value;
};
/// Splits "a.b=c"; an error without '=' or key.
base::Result<Override> parse_override(std::string_view text);

/// Reads a scenario from memory. `name` stands for the file in messages, `folder` resolves files.
base::Result<Scenario> load_scenario_text(std::string_view text, const std::string& name,
                                          const std::vector<Override>& overrides = {},
                                          const std::string& folder = ".");
/// Reads a shipped scenario by name, or a file by path (anything with a '/' or ".toml").
base::Result<Scenario> load_scenario(const std::string& name_or_path,
                                     const std::vector<Override>& overrides = {});

/// The scenario's platform with the scenario's changes.
base::Result<Platform> platform_of(const Scenario& scenario);

/// One line of `doorbell list`.
struct ScenarioSummary {
  std::string name;
  std::string device;
  std::string summary;
};
/// Every shipped scenario, by name.
base::Result<std::vector<ScenarioSummary>> list_scenarios();

/// The table behind [traffic], for `doorbell describe traffic`.
base::ParamTable traffic_table();

}  // namespace doorbell::run
