// The device's own 8-bit counters: STAT, and RX_STATISTIC of each queue.
//
// What they do beyond 255 and when they are read is TsnepConfig::statistics; a narrow read clears
// only its own octet. The named counters of tsnep_counters.h count the same without limits.
#pragma once

#include <array>

#include "models/tsnep/tsnep_core.h"

namespace doorbell::tsnep {

class Statistics {
 public:
  explicit Statistics(Core& core) : core_(core) {}

  /// `field` is a mask of rx_statistic.
  void count_rx(unsigned queue, uint32_t field) { add(queues_[queue], field); }
  /// `field` is a mask of stat.
  void count(uint32_t field) { add(stat_, field); }

  /// Which octets the read now under way asks for.
  void set_lanes(uint32_t lanes) { lanes_ = lanes; }
  uint32_t read_stat(uint32_t, uint32_t) { return read(stat_); }
  uint32_t read_queue(uint32_t offset, uint32_t) {
    const uint32_t block = offset - reg::kQueueRxStatistic;
    return read(queues_[block == 0 ? 0 : (block - kFirstBlockBytes) / kQueueBlockBytes + 1]);
  }
  /// What a debugger sees: nothing is cleared.
  uint32_t shown(unsigned queue) const { return queues_[queue]; }
  void reset_common() { stat_ = 0; }
  void reset_queue(unsigned queue) { queues_[queue] = 0; }

 private:
  void add(uint32_t& word, uint32_t field) const {
    const bool full = (word & field) == field;
    if (full && core_.config.statistics == StatisticsMode::kSaturate) return;
    const uint32_t one = field & (~field + 1);
    word = (word & ~field) | ((word + one) & field);
  }
  uint32_t read(uint32_t& word) const {
    const uint32_t value = word;
    if (core_.config.statistics == StatisticsMode::kClearOnRead) word &= ~lanes_;
    return value;
  }

  Core& core_;
  uint32_t lanes_ = 0xFFFFFFFF;
  uint32_t stat_ = 0;
  std::array<uint32_t, kMaxQueues> queues_{};
};

}  // namespace doorbell::tsnep
