// What ethtool and ip ask a driver for: ring sizes, moderation, RSS, MTU, statistics.
#include <algorithm>
#include <cerrno>

#include "sim/drivers/ice/ice_driver.h"

namespace doorbell::drivers::ice {

int IceDriver::set_ring_sizes(uint32_t rx, uint32_t tx) {
  IceDriverConfig wanted = config_;
  wanted.rx_ring = rx;
  wanted.tx_ring = tx;
  if (check(wanted)) return -EINVAL;
  config_ = wanted;
  return reopen();
}

int IceDriver::set_coalesce(const ItrSetting& rx, const ItrSetting& tx, uint32_t intrl_micros) {
  if (rx.micros > hw::kMaxItrMicros || tx.micros > hw::kMaxItrMicros ||
      intrl_micros > hw::kMaxIntrlMicros || intrl_micros % hw::kIntrlUnitMicros != 0) {
    return -EINVAL;
  }
  config_.rx_itr = rx;
  config_.tx_itr = tx;
  config_.intrl_micros = intrl_micros;
  if (!running()) return 0;
  for (const auto& v : vectors_) {
    configure_moderation(*v);
    init_moderation(*v);
  }
  return 0;
}

int IceDriver::set_rss(const std::vector<uint8_t>& lut, const RssKey& key) {
  if (lut.size() != hw::kRssLutVsi && lut.size() != hw::kRssLutGlobal &&
      lut.size() != hw::kRssLutPf) {
    return -EINVAL;
  }
  if (std::any_of(lut.begin(), lut.end(), [this](uint8_t q) { return q >= queues_; })) {
    return -EINVAL;
  }
  lut_ = lut;
  config_.rss_key = key;
  return probed_ ? configure_rss() : 0;
}

int IceDriver::set_mtu(uint32_t mtu) {
  constexpr uint32_t kMinMtu = 68;
  constexpr uint32_t kMaxMtu = hw::kMaxFrameBytes - 26;
  if (mtu < kMinMtu || mtu > kMaxMtu) return -EINVAL;
  if (program_ != nullptr && mtu > kMaxXdpMtu) return -EOPNOTSUPP;
  config_.mtu = mtu;
  return reopen();
}

std::vector<StatisticRow> IceDriver::statistic_rows() const {
  std::vector<StatisticRow> rows = {
#define DOORBELL_ICE_STATISTIC_ROW(name, help) {#name, stats_.name, help},
      DOORBELL_ICE_STATISTICS(DOORBELL_ICE_STATISTIC_ROW)
#undef DOORBELL_ICE_STATISTIC_ROW
  };
  rows.push_back({"admin_commands", admin_.sent(), "admin commands sent"});
  uint64_t events = 0;
  for (const auto& v : vectors_) events += v->events;
  for (StatisticRow& row : rows) {
    if (row.name == "interrupts") row.value = events;
  }
  return rows;
}

}  // namespace doorbell::drivers::ice
