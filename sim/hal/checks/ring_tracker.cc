#include "sim/hal/checks/ring_tracker.h"

#include <algorithm>

namespace doorbell::hal::checks {

using base::Picos;

RingTracker::RingTracker(const CheckConfig& config, FindingLog& log, CoherentBlocks& blocks,
                         DmaTracker& dma)
    : buffers_(config, log, dma), world_{log, blocks, dma, buffers_, places_, barriers_} {}

RingTracker::Device& RingTracker::device(unsigned number) {
  if (number >= devices_.size()) devices_.resize(number + 1);
  return devices_[number];
}

void RingTracker::add_ring(unsigned number, const RingSpec& spec, const When& when) {
  Device& d = device(number);
  const auto same = [&spec](const Ring* r) {
    return r->spec().name == spec.name && r->spec().handing == spec.handing;
  };
  const auto old = std::find_if(d.rings.begin(), d.rings.end(), same);
  Ring* ring = old == d.rings.end() ? nullptr : *old;
  if (ring == nullptr) {
    rings_.push_back(make_ring(world_, number, spec));
    ring = rings_.back().get();
    d.rings.push_back(ring);
  } else {
    ring->stop(when.at);
  }
  ring->begin(spec, when);
  listen(d, *ring);
}

void RingTracker::listen(Device& device, Ring& ring) {
  auto& all = device.listeners;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&ring](const Device::Listener& l) { return l.ring == &ring; }),
            all.end());
  const RingSpec& spec = ring.spec();
  for (const uint32_t offset : {spec.base_register, spec.base_high_register, spec.enable_register,
                                spec.buffer_register, spec.doorbell_register, spec.stop_register}) {
    if (offset == kNoRegister) continue;
    const auto after =
        std::upper_bound(all.begin(), all.end(), offset,
                         [](uint32_t o, const Device::Listener& l) { return o < l.offset; });
    const bool known = std::any_of(all.begin(), after, [&](const Device::Listener& l) {
      return l.offset == offset && l.ring == &ring;
    });
    if (!known) all.insert(after, {offset, &ring});
  }
}

void RingTracker::stop_ring(unsigned number, const std::string& name, Picos at) {
  for (Ring* ring : device(number).rings) {
    if (ring->spec().name == name) ring->stop(at);
  }
}

void RingTracker::stop_all(unsigned number, Picos at) {
  for (Ring* ring : device(number).rings) ring->stop(at);
}

void RingTracker::set_watch(unsigned number, RegisterWatch* watch) {
  device(number).watch = watch;
}

void RingTracker::register_write(unsigned number, uint32_t offset, uint32_t value,
                                 const When& when) {
  store_barrier(when.core);
  if (RegisterWatch* watch = device(number).watch) watch->register_write(offset, value, when);
  const auto& all = device(number).listeners;
  const auto first =
      std::lower_bound(all.begin(), all.end(), offset,
                       [](const Device::Listener& l, uint32_t o) { return l.offset < o; });
  for (auto l = first; l != all.end() && l->offset == offset; ++l) {
    l->ring->register_write(offset, value, when);
  }
}

// Calls f(ring, index, first and end byte inside the descriptor) for those the range touches.
template <typename F>
void RingTracker::each_descriptor(const RingPlaces::Place& place, DmaAddr addr, uint64_t bytes,
                                  F f) {
  Ring& ring = *place.ring;
  const uint64_t from = addr - place.addr;
  const uint64_t to = std::min<uint64_t>(from + bytes, place.end - place.addr);
  const uint32_t stride = place.stride;
  for (uint64_t at = from; at < to;) {
    const uint64_t number = at / stride;
    const uint64_t start = number * stride;
    const uint64_t end = std::min(to, start + stride);
    f(ring, place.first + static_cast<uint32_t>(number), static_cast<uint32_t>(at - start),
      static_cast<uint32_t>(end - start));
    at = end;
  }
}

void RingTracker::store(DmaAddr addr, uint32_t bytes, const When& when) {
  const RingPlaces::Place* place = places_.below(addr);
  if (place != nullptr && addr < place->end) {
    each_descriptor(*place, addr, bytes, [&](Ring& ring, uint32_t i, uint32_t from, uint32_t to) {
      ring.store(i, from, to, when);
    });
    return;
  }
  if (place != nullptr && addr < place->guard) place->ring->outside(addr, bytes, "wrote", when);
  touch(addr, bytes, Touch::kWrite, when.at);
  buffers_.header_stored(addr, bytes, barriers_, when);
}

void RingTracker::load(DmaAddr addr, uint32_t bytes, const When& when) {
  const RingPlaces::Place* place = places_.below(addr);
  if (place == nullptr || addr >= place->guard) return;
  if (addr >= place->end) {
    place->ring->outside(addr, bytes, "read", when);
    return;
  }
  each_descriptor(*place, addr, bytes, [&](Ring& ring, uint32_t i, uint32_t from, uint32_t to) {
    ring.load(i, from, to, when);
  });
}

void RingTracker::device_write(const DeviceWrite& write) {
  const RingPlaces::Place* place = places_.below(write.addr);
  if (place == nullptr || write.addr >= place->end) return;
  each_descriptor(*place, write.addr, write.data.size,
                  [&](Ring& ring, uint32_t i, uint32_t from, uint32_t to) {
                    ring.device_write(i, from, to, write);
                  });
}

void RingTracker::forget(DmaAddr addr, uint32_t bytes, Picos at) {
  places_.each_ring(addr, bytes, [at](Ring& ring) { ring.forget(at); });
}

}  // namespace doorbell::hal::checks
