#include "sim/drivers/tsnep/tsnep_config.h"

#include <string>

namespace doorbell::drivers::tsnep {

std::optional<base::Error> check(const TsnepDriverConfig& config) {
  if (config.rx_reuse < config.rx_refill) {
    return base::Error{"key 'driver.rx_reuse': " + std::to_string(config.rx_reuse) +
                       " is below rx_refill; allowed: rx_refill (" +
                       std::to_string(config.rx_refill) + ") to 255"};
  }
  return std::nullopt;
}

base::Result<TsnepDriverConfig> config_from(const base::ParamSet& params) {
  const auto number = [&](const char* key) { return static_cast<uint32_t>(params.integer(key)); };
  TsnepDriverConfig config;
  config.mode = params.choice("mode") == "skb" ? XdpMode::kSkb : XdpMode::kNative;
  config.queues = number("queues");
  config.interrupt_delay_micros =
      static_cast<uint32_t>(params.time("interrupt_delay").count() / 1000000);
  config.napi_weight = static_cast<int>(params.integer("napi_weight"));
  config.tx_poll_budget = number("tx_poll_budget");
  config.tx_inline = number("tx_inline");
  config.rx_refill = number("rx_refill");
  config.rx_reuse = number("rx_reuse");
  config.mtu = number("mtu");
  config.hw_timestamps = params.boolean("hw_timestamps");
  config.promiscuous = params.boolean("promiscuous");
  config.recheck = params.boolean("recheck");
  config.fix_hazards = params.boolean("fix_hazards");
  config.tx_timeout = params.time("tx_timeout");
  if (auto error = check(config)) return *error;
  return config;
}

}  // namespace doorbell::drivers::tsnep
