// Watches every frame that software receives: counts, checks and dates it. Costs no simulated time.
//
// Stands at the driver's tap, so it sees the bytes the CPU would read, stale lines included. A
// frame that ends in software (dropped or delivered) is verified here against its source; one that
// goes out again is verified by the station, since a source knows each frame once.
#pragma once

#include <array>
#include <string>

#include "models/net/station.h"
#include "models/probe/digest.h"
#include "models/probe/histogram.h"
#include "sim/hal/simulated/machine.h"
#include "sim/stack/rx_tap.h"

namespace doorbell::run {

class Receiver : public stack::ReceiveTap {
 public:
  Receiver(hal::Machine& machine, net::Station& station, probe::Digest& digest, bool verify)
      : machine_(machine), station_(station), digest_(digest), verify_(verify) {}

  void received(base::ByteView frame) override;
  void received_parts(const base::ByteView* parts, unsigned count) override;

  uint64_t frames() const { return frames_; }
  uint64_t bytes() const { return bytes_; }
  /// Frames that were not intact or not in order.
  uint64_t violations() const { return violations_; }
  const std::string& first_violation() const { return first_violation_; }
  base::Picos first_violation_at() const { return first_violation_at_; }
  /// From end of arrival on the wire to the driver's tap.
  const probe::Histogram& latency() const { return latency_; }
  bool verifies() const { return verify_; }

 private:
  void check(base::ByteView seen, base::Picos now);

  hal::Machine& machine_;
  net::Station& station_;
  probe::Digest& digest_;
  bool verify_;
  uint64_t frames_ = 0;
  uint64_t bytes_ = 0;
  uint64_t violations_ = 0;
  std::string first_violation_;
  base::Picos first_violation_at_;
  probe::Histogram latency_;
  std::array<uint8_t, 16384> scratch_;
};

}  // namespace doorbell::run
