// The statistics block (MIB): counters that stand still while MIBC.MIB_DIS is set.
//
// Width: 32 bits for octet counters, 16 for the others as documented, or 32 for all by
// FecConfig::mib_16_bits; wrap-around in either case is an assumption.
// Sources: i.MX 6ULL RM ch. 22, MCUXpresso PERI_ENET.h.
#pragma once

#include <array>
#include <cstdint>

#include "models/fec/fec_mib.h"
#include "models/fec/fec_regs.h"

namespace doorbell::fec {

class Mib {
 public:
  explicit Mib(bool narrow) : mask_(narrow ? 0xFFFFu : 0xFFFFFFFFu) {}

  void control(uint32_t mibc) {
    running_ = (mibc & mibc::kDis) == 0;
    if ((mibc & mibc::kClear) != 0) counts_.fill(0);
    clearing_ = (mibc & mibc::kClear) != 0;
  }
  bool running() const { return running_ && !clearing_; }
  void count(uint32_t offset) {
    if (running()) at(offset) = (at(offset) + 1) & mask_;
  }
  void octets(uint32_t offset, uint32_t n) {
    if (running()) at(offset) += n;
  }
  uint32_t value(uint32_t offset) const { return counts_[(offset - mib::kFirst) / 4]; }

  /// RMON size bin of a frame, FCS included; `first` is the offset of the 64-octet bin.
  static uint32_t size_bin(uint32_t first, uint32_t bytes) {
    if (bytes <= 64) return first;
    if (bytes >= 2048) return first + 24;
    return first + 4 * (26u - static_cast<uint32_t>(__builtin_clz(bytes)));
  }

 private:
  uint32_t& at(uint32_t offset) { return counts_[(offset - mib::kFirst) / 4]; }

  uint32_t mask_;
  bool running_ = false;
  bool clearing_ = false;
  std::array<uint32_t, (mib::kLast - mib::kFirst) / 4 + 1> counts_{};
};

}  // namespace doorbell::fec
