#include <algorithm>
#include <iterator>

#include "sim/run/complaint.h"
#include "sim/run/data_dir.h"
#include "sim/run/scenario_sections.h"

namespace doorbell::run {
namespace {

using base::ParamKind;

constexpr base::ParamSpec kTrafficParams[] = {
    {"kind",
     ParamKind::kChoice,
     base::kRequired,
     "none|fixed|imix|poisson|burst|pcap",
     {},
     "how frames arrive",
     {}},
    {"frame", ParamKind::kBytes, "64 B", "64 B..2000 B", {}, "frame length with FCS", {}},
    {"rate",
     ParamKind::kPacketRate,
     "line",
     "line|1 pps..200 Mpps",
     {},
     "mean rate; line: as fast as the link carries",
     {}},
    {"flows",
     ParamKind::kInteger,
     "1",
     "1..65536",
     "flows",
     "UDP flows that frames take turns in",
     {}},
    {"burst",
     ParamKind::kInteger,
     "32",
     "1..1000000",
     "frames",
     "frames of a burst, back to back",
     {}},
    {"burst_gap",
     ParamKind::kTime,
     "0 ps",
     "0 ps..100 s",
     {},
     "idle after a burst; 0: what rate leaves",
     {}},
    {"file", ParamKind::kText, "", {}, {}, "capture to replay, pcap or pcapng", {}},
    {"timing",
     ParamKind::kReal,
     "original",
     "original|line|0.001..1000000",
     {},
     "as captured, back to back, or a factor: 2 plays twice as fast",
     {}},
    {"loop", ParamKind::kBoolean, "false", {}, {}, "start again at the end of the capture", {}},
    {"flow_control",
     ParamKind::kBoolean,
     "false",
     {},
     {},
     "the link partner obeys pause frames",
     {}},
    {"vlan_pcp",
     ParamKind::kInteger,
     "-1",
     "-1..7",
     {},
     "priority of an 802.1Q tag on every frame; -1: no tag",
     {}},
    {"bad_fcs_every",
     ParamKind::kInteger,
     "0",
     "0..1000000000",
     "frames",
     "every n-th frame has a wrong FCS; 0: none",
     {}},
    {"pause_storm_period",
     ParamKind::kTime,
     "0 ps",
     "0 ps..100 s",
     {},
     "the link partner sends a pause frame this often; 0: never",
     {}},
    {"pause_storm_quanta",
     ParamKind::kInteger,
     "0",
     "0..65535",
     "quanta",
     "pause time of those frames, in units of 512 bit times",
     {}},
};

constexpr unsigned bit_of(TrafficKind kind) {
  return 1u << static_cast<unsigned>(kind);
}
constexpr unsigned kGenerated = bit_of(TrafficKind::kFixed) | bit_of(TrafficKind::kImix) |
                                bit_of(TrafficKind::kPoisson) | bit_of(TrafficKind::kBurst);

// A key that the kind ignores is a mistake of whoever wrote it.
struct KeyUse {
  std::string_view key;
  unsigned kinds;
};
constexpr KeyUse kKeyUse[] = {
    {"frame", kGenerated & ~bit_of(TrafficKind::kImix)},
    {"rate", kGenerated},
    {"flows", kGenerated},
    {"burst", bit_of(TrafficKind::kBurst)},
    {"burst_gap", bit_of(TrafficKind::kBurst)},
    {"file", bit_of(TrafficKind::kPcap)},
    {"timing", bit_of(TrafficKind::kPcap)},
    {"loop", bit_of(TrafficKind::kPcap)},
    {"vlan_pcp", kGenerated},
    {"bad_fcs_every", kGenerated},
};

constexpr std::string_view kKindNames[] = {"none", "fixed", "imix", "poisson", "burst", "pcap"};

TrafficKind kind_of(std::string_view name) {
  const auto* it = std::find(std::begin(kKindNames), std::end(kKindNames), name);
  return static_cast<TrafficKind>(it - std::begin(kKindNames));
}

std::string kinds_text(unsigned kinds) {
  std::string text;
  for (unsigned i = 0; i < std::size(kKindNames); ++i) {
    if ((kinds >> i & 1) != 0) {
      text += (text.empty() ? "" : ", ") + std::string(kKindNames[i]);
    }
  }
  return text;
}

// Frames per second that the link carries at most: preamble and gap take 20 octets a frame.
uint64_t line_rate(const Traffic& traffic, base::BitsPerSecond link) {
  constexpr uint64_t kOverhead = 20;
  if (traffic.kind == TrafficKind::kImix) {
    constexpr uint64_t kCycleBytes =
        7 * (64 + kOverhead) + 4 * (594 + kOverhead) + 1518 + kOverhead;
    return link.count() * 12 / (kCycleBytes * 8);
  }
  const uint64_t tag = traffic.vlan_pcp >= 0 ? 4 : 0;
  return link.count() / ((std::max<uint64_t>(traffic.frame_bytes, 64 + tag) + kOverhead) * 8);
}

class TrafficReader {
 public:
  TrafficReader(const std::string& file, const TomlNode& table) : file_(file), table_(table) {}

  base::Result<Traffic> read(base::BitsPerSecond link, const std::string& folder) {
    base::ParamSet params{base::ParamTable(kTrafficParams)};
    if (auto error = fill(file_, table_, "traffic", params)) {
      return *error;
    }
    if (!params.has("kind")) {
      return refuse("kind",
                    {"it is missing", base::describe_allowed(*params.table().find("kind"))});
    }
    traffic_.params = params;
    take_values(params);
    for (const auto& check : {&TrafficReader::check_use, &TrafficReader::check_pause}) {
      if (auto issue = (this->*check)()) {
        return *issue;
      }
    }
    if (auto issue = check_rate(link)) {
      return *issue;
    }
    if (traffic_.kind == TrafficKind::kPcap) {
      if (auto issue = take_file(folder)) {
        return *issue;
      }
    }
    return std::move(traffic_);
  }

 private:
  base::Error refuse(const std::string& key, const base::ParamIssue& issue) const {
    const TomlNode* node = table_.find(key);
    return complaint(file_, node != nullptr ? node->line : std::max(table_.line, 1),
                     "traffic." + key, issue);
  }

  void take_values(const base::ParamSet& params) {
    traffic_.kind = kind_of(params.choice("kind"));
    traffic_.frame_bytes = params.bytes("frame");
    traffic_.rate_is_line = params.is_word("rate", "line");
    traffic_.rate_pps = traffic_.rate_is_line ? 0 : params.packet_rate("rate");
    traffic_.flows = static_cast<uint32_t>(params.integer("flows"));
    traffic_.burst = static_cast<uint32_t>(params.integer("burst"));
    traffic_.burst_gap = params.time("burst_gap");
    traffic_.timing = params.is_word("timing", "original") ? PcapTiming::kOriginal
                      : params.is_word("timing", "line")   ? PcapTiming::kLine
                                                           : PcapTiming::kScaled;
    traffic_.timing_factor = traffic_.timing == PcapTiming::kScaled ? params.real("timing") : 1.0;
    traffic_.loop = params.boolean("loop");
    traffic_.flow_control = params.boolean("flow_control");
    traffic_.vlan_pcp = static_cast<int>(params.integer("vlan_pcp"));
    traffic_.bad_fcs_every = static_cast<uint32_t>(params.integer("bad_fcs_every"));
    traffic_.pause_storm_period = params.time("pause_storm_period");
    traffic_.pause_storm_quanta = static_cast<uint32_t>(params.integer("pause_storm_quanta"));
  }

  bool given(std::string_view key) const { return table_.find(key) != nullptr; }

  std::optional<base::Error> check_use() {
    for (const auto& use : kKeyUse) {
      if (given(use.key) && (use.kinds & bit_of(traffic_.kind)) == 0) {
        return refuse(
            std::string(use.key),
            {"traffic of kind \"" + std::string(kKindNames[static_cast<size_t>(traffic_.kind)]) +
                 "\" does not use it",
             "only with kind " + kinds_text(use.kinds)});
      }
    }
    return std::nullopt;
  }

  std::optional<base::Error> check_pause() {
    const bool period = traffic_.pause_storm_period > base::Picos(0);
    if (period && traffic_.pause_storm_quanta == 0) {
      return refuse("pause_storm_quanta", {"a pause storm needs a pause time", "1..65535 quanta"});
    }
    if (!period && traffic_.pause_storm_quanta > 0) {
      return refuse("pause_storm_period", {"a pause storm needs a period", "more than 0"});
    }
    return std::nullopt;
  }

  std::optional<base::Error> check_rate(base::BitsPerSecond link) {
    if ((bit_of(traffic_.kind) & kGenerated) == 0) {
      return std::nullopt;
    }
    const uint64_t most = line_rate(traffic_, link);
    if (traffic_.rate_pps > most) {
      return refuse("rate", {"the link carries no more than " + std::to_string(most) +
                                 " frames of this size a second",
                             "line, 1 pps.." + std::to_string(most) + " pps"});
    }
    if (traffic_.kind == TrafficKind::kPoisson && traffic_.rate_is_line) {
      return refuse("rate", {"traffic of kind \"poisson\" needs a mean rate",
                             "1 pps.." + std::to_string(most) + " pps"});
    }
    if (traffic_.kind == TrafficKind::kBurst) {
      const bool gap = traffic_.burst_gap > base::Picos(0);
      if (gap && !traffic_.rate_is_line) {
        return refuse("burst_gap", {"rate and burst_gap both set the gap", "one of them"});
      }
      if (!gap && traffic_.rate_is_line) {
        return refuse("burst_gap", {"bursts need a gap", "rate or burst_gap"});
      }
    }
    return std::nullopt;
  }

  std::optional<base::Error> take_file(const std::string& folder) {
    const std::string written(traffic_.params.text("file"));
    if (written.empty()) {
      return refuse("file", {"traffic of kind \"pcap\" needs a capture", "path of a file"});
    }
    traffic_.file = resolve(folder, written);
    if (!file_exists(traffic_.file)) {
      return refuse("file", {"there is no file " + traffic_.file, "path of a pcap or pcapng file"});
    }
    return std::nullopt;
  }

  const std::string& file_;
  const TomlNode& table_;
  Traffic traffic_;
};

}  // namespace

base::ParamTable traffic_table() {
  return kTrafficParams;
}

base::Result<Traffic> read_traffic(const std::string& file, const TomlNode& table,
                                   base::BitsPerSecond link, const std::string& folder) {
  return TrafficReader(file, table).read(link, folder);
}

}  // namespace doorbell::run
