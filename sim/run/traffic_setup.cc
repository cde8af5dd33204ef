#include "sim/run/traffic_setup.h"

#include "models/net/pcap_source.h"
#include "models/net/traffic.h"

namespace doorbell::run {
namespace {

using SourceResult = base::Result<std::unique_ptr<net::Source>>;

net::TrafficKind generator(TrafficKind kind) {
  switch (kind) {
    case TrafficKind::kImix:
      return net::TrafficKind::kImix;
    case TrafficKind::kPoisson:
      return net::TrafficKind::kPoisson;
    case TrafficKind::kBurst:
      return net::TrafficKind::kBurst;
    default:
      return net::TrafficKind::kFixed;
  }
}

SourceResult make_replay(const Traffic& traffic, base::BitsPerSecond link, base::Picos start,
                         base::Picos end) {
  net::PcapSpec spec;
  spec.link = link;
  spec.start = start;
  spec.end = end;
  spec.loops = traffic.loop ? 0 : 1;
  switch (traffic.timing) {
    case PcapTiming::kOriginal:
      break;
    case PcapTiming::kLine:
      spec.timing = net::PcapTiming::kLineRate;
      break;
    case PcapTiming::kScaled:
      spec.speed = traffic.timing_factor;
      break;
  }
  auto opened = net::PcapSource::open(traffic.file, spec);
  if (!opened) {
    return base::Error{opened.error()};
  }
  return std::unique_ptr<net::Source>(opened.take());
}

SourceResult make_generator(const Scenario& scenario, base::BitsPerSecond link, base::Picos start,
                            base::Picos end) {
  const Traffic& traffic = scenario.traffic;
  net::TrafficSpec spec;
  spec.kind = generator(traffic.kind);
  spec.frame_bytes = static_cast<uint32_t>(traffic.frame_bytes);
  spec.link = link;
  spec.rate_pps = traffic.rate_is_line ? 0 : traffic.rate_pps;
  spec.flows = traffic.flows;
  spec.burst_frames = traffic.burst;
  spec.burst_gap = traffic.burst_gap;
  spec.seed = scenario.seed;
  if (traffic.vlan_pcp >= 0) {
    spec.vlan_pcp = static_cast<uint8_t>(traffic.vlan_pcp);
  }
  spec.bad_fcs_every = traffic.bad_fcs_every;
  spec.start = start;
  spec.end = end;
  auto created = net::TrafficSource::create(spec);
  if (!created) {
    return base::Error{created.error()};
  }
  return std::unique_ptr<net::Source>(created.take());
}

}  // namespace

SourceResult make_source(const Scenario& scenario, base::Picos start, base::Picos end) {
  const base::BitsPerSecond link = scenario.nics.front().link;
  switch (scenario.traffic.kind) {
    case TrafficKind::kNone:
      return std::unique_ptr<net::Source>();
    case TrafficKind::kPcap:
      return make_replay(scenario.traffic, link, start, end);
    default:
      return make_generator(scenario, link, start, end);
  }
}

net::StationSpec station_spec(const Scenario& scenario, const Platform& platform, base::Picos start,
                              base::Picos end) {
  net::StationSpec spec;
  spec.link = scenario.nics.front().link;
  spec.propagation = platform.section("link").time("propagation");
  spec.flow_control = scenario.traffic.flow_control;
  spec.storm.period = scenario.traffic.pause_storm_period;
  spec.storm.quanta = static_cast<uint16_t>(scenario.traffic.pause_storm_quanta);
  spec.storm.start = start;
  spec.storm.end = end;
  return spec;
}

}  // namespace doorbell::run
