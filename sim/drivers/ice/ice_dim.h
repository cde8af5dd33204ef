// Dynamic interrupt moderation: a hill climb over five steps of throttle.
//
// Each sample of at least 64 interrupts is compared with the one before: more bytes, then more
// packets, then fewer interrupts is better, where a change of up to ten per cent is none. Better
// goes on in the same direction, worse turns round, an optimum parks until the load changes. No
// time of its own: the caller brings samples and applies profile(). Source: Linux 6.12
// lib/dim/net_dim.c (behaviour).
#pragma once

#include <cstdint>

#include "models/base/units.h"

namespace doorbell::drivers::ice {

/// Totals at some time.
struct DimSample {
  base::Picos at;
  uint64_t packets = 0;
  uint64_t bytes = 0;
  uint64_t events = 0;
};

class Dim {
 public:
  static constexpr unsigned kProfiles = 5;
  static constexpr uint64_t kEvents = 64;  ///< of a measurement
  static constexpr unsigned kStartProfile = 1;

  /// Takes a sample. True: the profile changed; the caller applies it, then calls applied().
  bool sample(const DimSample& now);
  void applied() { state_ = State::kStart; }
  unsigned profile() const { return profile_; }
  base::Picos measured_since() const { return start_.at; }
  /// The next sample begins a measurement.
  void restart() {
    if (state_ == State::kMeasuring) state_ = State::kStart;
  }
  void reset() { *this = Dim(); }

 private:
  enum class State : uint8_t { kStart, kMeasuring, kApplying };
  enum class Tune : uint8_t { kParked, kTired, kRight, kLeft };
  enum class Verdict : uint8_t { kWorse, kSame, kBetter };
  struct Rates {  // per millisecond
    uint64_t packets = 0;
    uint64_t bytes = 0;
    uint64_t events = 0;
  };

  static Verdict compare(const Rates& now, const Rates& before);
  bool decide(const Rates& now);
  enum class Step : uint8_t { kStepped, kTooTired, kOnEdge };
  Step step();
  void walk();
  void turn();
  bool on_top() const;
  void park(Tune how);
  void leave_parking();

  State state_ = State::kStart;
  Tune tune_ = Tune::kParked;
  unsigned profile_ = kStartProfile;
  unsigned steps_right_ = 0;
  unsigned steps_left_ = 0;
  unsigned tired_ = 0;
  Rates before_;
  DimSample start_;
};

}  // namespace doorbell::drivers::ice
