// The digest of a run: one 64-bit number over every frame, completion and time stamp, in order.
//
// Same binary, scenario and seed must give the same digest on any machine and under any tracing
// option, so only simulated values go in: never pointers, wall time or iteration orders of hashes.
// Frames go through XXH3 (64 bit) with the running state as seed; numbers through one wide
// multiply. Not cryptographic: it finds differences, not adversaries. About 6 ns for a 64-byte
// frame.
#pragma once

#include <cstdint>
#include <string>

#include "models/base/bytes.h"
#include "models/base/units.h"

namespace doorbell::probe {

class Digest {
 public:
  void add_frame(base::Picos at, base::ByteView bytes);
  void add_bytes(base::ByteView bytes);
  void add_u64(uint64_t v) {
    const auto wide = static_cast<unsigned __int128>(state_ ^ v) * kMultiplier + (v ^ kOffset);
    state_ = static_cast<uint64_t>(wide) ^ static_cast<uint64_t>(wide >> 64);
  }
  void add_time(base::Picos at) { add_u64(static_cast<uint64_t>(at.count())); }

  uint64_t value() const { return state_; }
  /// 16 lower-case hexadecimal digits.
  std::string hex() const;

 private:
  static constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15u;
  static constexpr uint64_t kOffset = 0xD6E8FEB86659FD93u;
  uint64_t state_ = kOffset;
};

}  // namespace doorbell::probe
