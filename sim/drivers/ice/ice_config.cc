#include "sim/drivers/ice/ice_config.h"

#include <algorithm>
#include <string>

namespace doorbell::drivers::ice {

namespace {

std::optional<base::Error> check_ring(const char* key, uint32_t size) {
  if (hw::valid_ring_size(size)) return std::nullopt;
  return base::Error{"key 'driver." + std::string(key) + "': the E810 driver has no ring of " +
                     std::to_string(size) +
                     " descriptors; allowed: 64..8160 in steps of 32, or force_ring_size = true"};
}

uint32_t micros(const base::ParamSet& params, const char* key) {
  return static_cast<uint32_t>(params.time(key).count() / 1000000);
}

}  // namespace

RssKey default_rss_key() {
  RssKey key{};
  std::copy(net::kMicrosoftRssKey.begin(), net::kMicrosoftRssKey.end(), key.begin());
  return key;
}

std::optional<base::Error> check(const IceDriverConfig& config) {
  if (config.force_ring_size) return std::nullopt;
  if (auto error = check_ring("rx_ring", config.rx_ring)) return error;
  if (auto error = check_ring("tx_ring", config.tx_ring)) return error;
  if (config.rs == RsMode::kThreshold &&
      (config.rs_threshold < 2 || config.tx_ring % config.rs_threshold != 0 ||
       config.tx_ring == config.rs_threshold)) {
    return base::Error{"key 'driver.rs_threshold': " + std::to_string(config.rs_threshold) +
                       " is no part of a ring of " + std::to_string(config.tx_ring) +
                       "; allowed: its divisors from 2 to half of it, or force_ring_size = true"};
  }
  return std::nullopt;
}

base::Result<IceDriverConfig> config_from(const base::ParamSet& params) {
  const auto number = [&](const char* key) { return static_cast<uint32_t>(params.integer(key)); };
  IceDriverConfig config;
  config.mode = params.choice("mode") == "skb" ? XdpMode::kSkb : XdpMode::kNative;
  const std::string_view rs = params.choice("rs");
  config.rs = rs == "every"       ? RsMode::kEvery
              : rs == "threshold" ? RsMode::kThreshold
                                  : RsMode::kQuarter;
  config.rs_threshold = number("rs_threshold");
  config.rx_ring = number("rx_ring");
  config.tx_ring = number("tx_ring");
  config.force_ring_size = params.boolean("force_ring_size");
  config.queues = number("queues");
  config.xdp_rings = number("shared_xdp_rings");
  config.rx_itr = {params.boolean("rx_adaptive"), micros(params, "rx_itr")};
  config.tx_itr = {params.boolean("tx_adaptive"), micros(params, "tx_itr")};
  config.intrl_micros = micros(params, "intrl");
  config.napi_weight = static_cast<int>(params.integer("napi_weight"));
  config.mtu = number("mtu");
  config.vlan_strip = params.boolean("vlan_strip");
  config.rx_csum = params.boolean("rx_csum");
  config.lrxqthresh = number("lrxqthresh");
  config.fix_hazards = params.boolean("fix_hazards");
  config.tx_timeout = params.time("tx_timeout");
  if (auto error = check(config)) return *error;
  return config;
}

}  // namespace doorbell::drivers::ice
