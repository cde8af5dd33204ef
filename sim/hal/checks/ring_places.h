// Where rings are in memory: finds the ring and the descriptor of an address.
//
// A ring has one place, or several when its descriptors are linked. Places do not overlap; one that
// is added over an old one takes its ground.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/hal/hal.h"

namespace doorbell::hal::checks {

class Ring;

class RingPlaces {
 public:
  struct Place {
    DmaAddr addr = 0;
    DmaAddr end = 0;
    DmaAddr guard = 0;  // nothing else lives between end and here
    Ring* ring = nullptr;
    uint32_t first = 0;  // index of the descriptor at addr
    uint32_t stride = 0;
  };

  void add(const Place& place) {
    places_.insert(std::upper_bound(places_.begin(), places_.end(), place.addr, before), place);
  }
  void remove(const Ring* ring) {
    places_.erase(std::remove_if(places_.begin(), places_.end(),
                                 [ring](const Place& p) { return p.ring == ring; }),
                  places_.end());
  }
  /// The last place at or below the address. The address may be behind its end.
  const Place* below(DmaAddr addr) const {
    const auto after = std::upper_bound(places_.begin(), places_.end(), addr, before);
    return after == places_.begin() ? nullptr : &*(after - 1);
  }
  /// The rings with a place in [addr, addr + bytes), one after the other.
  template <typename F>
  void each_ring(DmaAddr addr, uint32_t bytes, F f) {
    std::vector<Ring*> rings;
    for (const Place& p : places_) {
      if (p.addr < addr + bytes && addr < p.end) rings.push_back(p.ring);
    }
    for (Ring* ring : rings) f(*ring);
  }

 private:
  static bool before(DmaAddr addr, const Place& place) { return addr < place.addr; }
  std::vector<Place> places_;
};

}  // namespace doorbell::hal::checks
