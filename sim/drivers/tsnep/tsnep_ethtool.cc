// What ethtool and ip ask a driver for: steering, interrupt delay, filter, MTU, statistics.
#include <cerrno>

#include "models/net/frame.h"
#include "sim/drivers/tsnep/tsnep_driver.h"

namespace doorbell::drivers::tsnep {

namespace reg = hw::reg;

namespace {

// Counters of eight bits that wrap: what was added since the last look.
uint32_t grown(uint32_t mask, uint32_t before, uint32_t now) {
  using doorbell::reg::get_field;
  return (get_field(mask, now) - get_field(mask, before)) & 0xFF;
}

}  // namespace

int TsnepDriver::set_interrupt_delay(unsigned queue, uint32_t micros) {
  if (micros > hw::kMaxDelayMicros) return -ERANGE;
  hal_.mmio.write8(reg::int_delay(queue), hw::int_delay::value(micros));
  return 0;
}

void TsnepDriver::set_rx_mode(bool promiscuous, bool all_multicast) {
  uint16_t filter = 0;
  if (promiscuous) filter |= hw::rx_filter::kAllUnicast | hw::rx_filter::kAllMulticast;
  if (all_multicast) filter |= hw::rx_filter::kAllMulticast;
  hal_.mmio.write16(reg::kRxFilter, filter);
}

int TsnepDriver::set_mtu(uint32_t mtu) {
  if (mtu < hw::kMinMtu || mtu > hw::kMaxMtu) return -EINVAL;
  config_.mtu = mtu;
  return 0;
}

int TsnepDriver::add_flow_rule(uint16_t ether_type, unsigned queue, int location) {
  // L7: Linux 6.12 compares with what the field holds, and takes a queue that is not there.
  constexpr unsigned kFieldMax = 3;
  if (queue > kFieldMax || (config_.fix_hazards && queue >= queues())) return -EINVAL;
  if (location != kAnyLocation &&
      (location < 0 || location >= static_cast<int>(hw::kRxAssignRules))) {
    return -EINVAL;
  }
  int at = location;
  for (unsigned i = 0; i < hw::kRxAssignRules; ++i) {
    const bool other = static_cast<int>(i) != location;
    if (rule_used_[i] && rule_type_[i] == ether_type && other) return -EEXIST;
    if (at == kAnyLocation && !rule_used_[i]) at = static_cast<int>(i);
  }
  if (at == kAnyLocation) return -ENOSPC;
  const auto rule = static_cast<unsigned>(at);
  hal_.mmio.write16(reg::rx_assign_ether_type(rule), ether_type);
  hal_.mmio.write8(
      reg::rx_assign(rule),
      static_cast<uint8_t>(hw::rx_assign::kActive |
                           doorbell::reg::put_field(uint32_t{hw::rx_assign::kQueue}, queue)));
  rule_used_[rule] = true;
  rule_type_[rule] = ether_type;
  return at;
}

int TsnepDriver::remove_flow_rule(unsigned location) {
  if (location >= hw::kRxAssignRules || !rule_used_[location]) return -ENOENT;
  hal_.mmio.write8(reg::rx_assign(location), 0);
  rule_used_[location] = false;
  return 0;
}

void TsnepDriver::read_device_statistics() {
  const uint32_t stat = rd(reg::kStat);
  stats_.rx_phy_errors += grown(hw::stat::kRxErrors, stat_seen_, stat);
  stats_.rx_crc_errors += grown(hw::stat::kInvalidFrames, stat_seen_, stat);
  stats_.rx_forwarded_phy_errors += grown(hw::stat::kForwardedErrors, stat_seen_, stat);
  stat_seen_ = stat;
  for (const auto& q : pairs_) {
    uint32_t& seen = rx_statistic_seen_[q->index];
    const uint32_t now = rd(reg::rx_statistic(q->index));
    stats_.rx_no_descriptor_errors += grown(hw::rx_statistic::kNoDescriptor, seen, now);
    stats_.rx_buffer_too_small_errors += grown(hw::rx_statistic::kBufferTooSmall, seen, now);
    stats_.rx_fifo_overflow_errors += grown(hw::rx_statistic::kFifoOverflow, seen, now);
    stats_.rx_invalid_frame_errors += grown(hw::rx_statistic::kInvalidFrame, seen, now);
    seen = now;
  }
}

std::vector<StatisticRow> TsnepDriver::statistic_rows() const {
  std::vector<StatisticRow> rows = {
#define DOORBELL_TSNEP_STATISTIC_ROW(name, help) {#name, stats_.name, help},
      DOORBELL_TSNEP_STATISTICS(DOORBELL_TSNEP_STATISTIC_ROW)
#undef DOORBELL_TSNEP_STATISTIC_ROW
  };
  uint64_t interrupts = 0;
  for (const auto& q : pairs_) interrupts += q->interrupts;
  for (StatisticRow& row : rows) {
    if (row.name == "interrupts") row.value = interrupts;
  }
  return rows;
}

}  // namespace doorbell::drivers::tsnep
