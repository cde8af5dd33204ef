#include "sim/hal/checks/ring_tracker.h"

#include <algorithm>
#include <cassert>
#include <cinttypes>

namespace doorbell::hal::checks {

using base::Picos;
using host::kPageBytes;

namespace {

bool overlap(DmaAddr a, uint32_t a_bytes, DmaAddr b, uint32_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

RingTracker::RingTracker(const CheckConfig& config, FindingLog& log, CoherentBlocks& blocks,
                         DmaTracker& dma)
    : log_(log), blocks_(blocks), dma_(dma), pages_(config.memory_base, config.memory_size) {
  store_epoch_.fill(1);
  load_epoch_.fill(1);
}

void RingTracker::add_ring(unsigned device, const RingSpec& spec) {
  assert(spec.count > 0 && spec.stride > 0);
  Ring ring;
  ring.spec = spec;
  ring.device = device;
  ring.slots.resize(spec.count);
  ring.enabled = spec.enable_register == kNoRegister;
  rings_.push_back(std::move(ring));
  if (spec.base_register == kNoRegister) {
    move_ring(rings_.back(), spec.base);
    // Nothing is handed over yet: whoever registers a ring does so before it is used.
    if (rings_.back().enabled) {
      rings_.back().state = spec.waits_for_doorbell ? State::kArmed : State::kLive;
    }
  }
}

RingTracker::Ring* RingTracker::ring_at(DmaAddr addr) {
  const auto after =
      std::upper_bound(placed_.begin(), placed_.end(), addr,
                       [this](DmaAddr a, uint32_t i) { return a < rings_[i].spec.base; });
  if (after == placed_.begin()) return nullptr;
  Ring& ring = rings_[*(after - 1)];
  return addr < ring.at(ring.spec.count) ? &ring : nullptr;
}

// Calls f(index, first and end byte inside the descriptor) for those the range touches.
template <typename F>
void RingTracker::each_descriptor(Ring& ring, DmaAddr addr, uint32_t bytes, F f) {
  const uint64_t from = addr - ring.spec.base;
  const uint64_t to =
      std::min<uint64_t>(from + bytes, uint64_t{ring.spec.count} * ring.spec.stride);
  for (uint64_t at = from; at < to;) {
    const auto index = static_cast<uint32_t>(at / ring.spec.stride);
    const uint64_t start = uint64_t{index} * ring.spec.stride;
    const uint64_t end = std::min(to, start + ring.spec.stride);
    f(index, static_cast<uint32_t>(at - start), static_cast<uint32_t>(end - start));
    at = end;
  }
}

void RingTracker::move_ring(Ring& ring, DmaAddr base) {
  const auto index = static_cast<uint32_t>(&ring - rings_.data());
  placed_.erase(std::remove(placed_.begin(), placed_.end(), index), placed_.end());
  ring.spec.base = base;
  ring.placed = true;
  placed_.insert(
      std::upper_bound(placed_.begin(), placed_.end(), base,
                       [this](DmaAddr a, uint32_t i) { return a < rings_[i].spec.base; }),
      index);
}

void RingTracker::forget(DmaAddr addr, uint32_t bytes) {
  for (size_t i = placed_.size(); i-- > 0;) {
    Ring& ring = rings_[placed_[i]];
    if (!overlap(addr, bytes, ring.spec.base, ring.spec.count * ring.spec.stride)) continue;
    ring.placed = false;
    ring.state = State::kOff;
    ring.run = 0;
    placed_.erase(placed_.begin() + static_cast<ptrdiff_t>(i));
  }
}

bool RingTracker::says_device(const Ring& ring, uint32_t word) const {
  return ring.spec.ownership.bytes != 0 && (word & ring.spec.owner_mask) == ring.spec.device_value;
}

uint32_t RingTracker::owner_word(const Ring& ring, uint32_t index) {
  return blocks_.word(ring.at(index) + ring.spec.ownership.offset, ring.spec.ownership.bytes);
}

void RingTracker::register_write(unsigned device, uint32_t offset, uint32_t value,
                                 const When& when) {
  store_barrier(when.core);
  for (Ring& ring : rings_) {
    if (ring.device != device) continue;
    RingSpec& spec = ring.spec;
    if (offset == spec.base_register) {
      stop(ring, when.at);
      move_ring(ring, value & spec.base_mask);
      if (ring.enabled) ring.state = State::kArmed;
    }
    if (offset == spec.buffer_register) spec.buffer_bytes = value & spec.buffer_mask;
    if (offset == spec.enable_register) {
      const bool on = (value & spec.enable_mask) != 0;
      if (ring.enabled && !on) stop(ring, when.at);
      if (!ring.enabled && on && ring.placed) ring.state = State::kArmed;
      ring.enabled = on;
    }
    if (ring.state == State::kArmed && !spec.waits_for_doorbell) start(ring, when);
    if (offset == spec.doorbell_register) doorbell(ring, value, when);
  }
}

void RingTracker::doorbell(Ring& ring, uint32_t value, const When& when) {
  if (ring.spec.doorbell_is_index && value >= ring.spec.count) {
    log_.report(Rule::kDoorbellPastRing, when.at, [&] {
      return text("doorbell of %s with index %u: the ring has %u descriptors",
                  ring.spec.name.c_str(), value, ring.spec.count);
    });
  }
  // On an empty ring the device looks once and goes idle again.
  if (ring.state == State::kArmed && says_device(ring, owner_word(ring, 0))) start(ring, when);
  if (ring.spec.doorbell_needs_work && ring.state == State::kLive &&
      ring.handed == ring.handed_at_doorbell) {
    log_.report(Rule::kDoorbellNoWork, when.at, [&] {
      return text("doorbell of %s: no descriptor was handed over since the last",
                  ring.spec.name.c_str());
    });
  }
  ring.handed_at_doorbell = ring.handed;
}

// The device may look at the ring from now on, from its first descriptor.
void RingTracker::start(Ring& ring, const When& when) {
  ring.state = State::kLive;
  ring.head = 0;
  ring.run = 0;
  if (ring.spec.ownership.bytes == 0) return;
  for (uint32_t i = 0; i < ring.spec.count; ++i) {
    ring.slots[i] = Slot{};
    const uint32_t word = owner_word(ring, i);
    if (says_device(ring, word)) hand_over(ring, i, word, when);
  }
}

void RingTracker::stop(Ring& ring, Picos at) {
  if (ring.state == State::kLive) {
    for (Slot& slot : ring.slots) {
      slot.owned = slot.returned = false;
      slot.returned_at = base::min(slot.returned_at, at);
    }
  }
  ring.state = State::kOff;
  ring.run = 0;
}

void RingTracker::store(DmaAddr addr, uint32_t bytes, const When& when) {
  if (Ring* ring = ring_at(addr)) {
    if (ring->state != State::kLive || ring->spec.ownership.bytes == 0) return;
    each_descriptor(*ring, addr, bytes, [&](uint32_t index, uint32_t from, uint32_t to) {
      cpu_store(*ring, index, from, to, when);
    });
    return;
  }
  touch(addr, bytes, Touch::kWrite, when.at);
  if (Page* page = pages_.at(addr)) {
    page->store_addr = addr;
    page->store_bytes = bytes;
    page->store_core = when.core % kCores;
    page->store_epoch = store_epoch_[page->store_core];
  }
}

void RingTracker::cpu_store(Ring& ring, uint32_t index, uint32_t from, uint32_t to,
                            const When& when) {
  const Word& own = ring.spec.ownership;
  const bool to_owner = from < own.offset + own.bytes && own.offset < to;
  Slot& slot = ring.slots[index];
  if (ring.device_has(index, when.at)) {
    intruding_store(ring, index, to_owner, when);
    return;
  }
  if (to_owner) {
    const uint32_t word = owner_word(ring, index);
    if (says_device(ring, word)) {
      hand_over(ring, index, word, when);
      return;
    }
    slot.owned = false;  // taken back before the device could see it
  }
  slot.store_core = static_cast<uint8_t>(when.core % kCores);
  slot.store_epoch = store_epoch_[slot.store_core];
}

// A store to a descriptor that the device has. Right behind the hand-over it is the driver's order
// that is wrong; later, it is the driver's idea of who owns it.
void RingTracker::intruding_store(Ring& ring, uint32_t index, bool to_owner, const When& when) {
  Slot& slot = ring.slots[index];
  const unsigned core = when.core % kCores;
  const bool behind = !to_owner && slot.owned && slot.handed_core == core &&
                      slot.handed_epoch == store_epoch_[core];
  log_.report(behind ? Rule::kOwnershipBeforeFields : Rule::kDescriptorDeviceOwned, when.at, [&] {
    return behind
               ? text("%s descriptor %u: a field was stored after the ownership word",
                      ring.spec.name.c_str(), index)
               : text("%s descriptor %u: the CPU stored to it; the device's since %" PRId64 " ps",
                      ring.spec.name.c_str(), index, slot.handed_at.count());
  });
  if (to_owner && slot.owned && !says_device(ring, owner_word(ring, index))) {
    slot.owned = false;
    ring.run = ring.ahead(index);  // the device will stop there
  }
}

void RingTracker::hand_over(Ring& ring, uint32_t index, uint32_t word, const When& when) {
  Slot& slot = ring.slots[index];
  const unsigned core = when.core % kCores;
  const RingSpec& spec = ring.spec;
  slot.owned = true;
  slot.returned = false;
  slot.handed_at = when.at;
  slot.handed_core = static_cast<uint8_t>(core);
  slot.handed_epoch = store_epoch_[core];
  slot.buffer = blocks_.word(ring.at(index) + spec.address.offset, spec.address.bytes);
  slot.bytes = spec.length.bytes != 0
                   ? blocks_.word(ring.at(index) + spec.length.offset, spec.length.bytes)
                   : spec.buffer_bytes;
  ++ring.handed;
  const bool last = index + 1 == spec.count;
  if (spec.wrap_mask != 0 && ((word & spec.wrap_mask) != 0) != last) {
    log_.report(Rule::kRingWrap, when.at, [&] {
      return text("%s descriptor %u of %u: wrap bit %s", spec.name.c_str(), index, spec.count,
                  last ? "missing" : "set");
    });
  }
  check_buffer(ring, index, when.at);
  remember_buffer(static_cast<uint32_t>(&ring - rings_.data()), index, when.at);
  if (ring.run < spec.count && ring.wrapped(ring.head + ring.run) == index) {
    extend_run(ring, when);
  } else {
    // Behind a descriptor that is not the device's: this store, too, must be there before that
    // one's hand-over.
    slot.store_core = slot.handed_core;
    slot.store_epoch = slot.handed_epoch;
  }
}

void RingTracker::extend_run(Ring& ring, const When& when) {
  while (ring.run < ring.spec.count) {
    const uint32_t index = ring.wrapped(ring.head + ring.run);
    if (!ring.slots[index].owned) return;
    ++ring.run;
    check_order(ring, index, when);
  }
}

// The device may take the descriptor: are its words, and a header in coherent memory, there?
void RingTracker::check_order(Ring& ring, uint32_t index, const When& when) {
  const Slot& slot = ring.slots[index];
  const unsigned core = when.core % kCores;
  if (slot.store_epoch == store_epoch_[core] && slot.store_core == core) {
    log_.report(Rule::kOwnershipBeforeFields, when.at, [&] {
      return text("%s descriptor %u: no dma_wmb between its words and the store that hands it over",
                  ring.spec.name.c_str(), index);
    });
    return;
  }
  const Page* page = pages_.find(slot.buffer);
  if (page != nullptr && page->store_epoch == store_epoch_[core] && page->store_core == core &&
      overlap(slot.buffer, slot.bytes, page->store_addr, page->store_bytes)) {
    log_.report(Rule::kOwnershipBeforeFields, when.at, [&] {
      return text(
          "%s descriptor %u: no dma_wmb between its buffer in coherent memory and the store "
          "that hands it over",
          ring.spec.name.c_str(), index);
    });
  }
}

void RingTracker::check_buffer(Ring& ring, uint32_t index, Picos at) {
  const Slot& slot = ring.slots[index];
  const RingSpec& spec = ring.spec;
  if (spec.address.bytes == 0 || slot.bytes == 0) return;
  const DmaTracker::Cover cover = dma_.cover(slot.buffer, slot.bytes, spec.direction);
  if (cover == DmaTracker::Cover::kNone) {
    log_.report(Rule::kHandoverNotMapped, at, [&] {
      return text("%s descriptor %u: buffer 0x%" PRIx64 ", %u bytes, is not mapped",
                  spec.name.c_str(), index, slot.buffer, slot.bytes);
    });
    return;
  }
  if (cover == DmaTracker::Cover::kWrongDirection) {
    log_.report(Rule::kHandoverWrongDirection, at, [&] {
      return text("%s descriptor %u: buffer 0x%" PRIx64 ", %u bytes, is not mapped %s",
                  spec.name.c_str(), index, slot.buffer, slot.bytes,
                  direction_name(spec.direction));
    });
  }
  if (!dma_.synced_for_device(slot.buffer, slot.bytes)) {
    log_.report(Rule::kHandoverNotSynced, at, [&] {
      return text("%s descriptor %u: buffer 0x%" PRIx64 ", %u bytes, was not synced for the device",
                  spec.name.c_str(), index, slot.buffer, slot.bytes);
    });
  }
  if (spec.direction != DmaDir::kToDevice) dma_.forget_contents(slot.buffer, slot.bytes);
}

// Notes in the buffer's pages who points there, and drops notes that no longer hold.
void RingTracker::remember_buffer(uint32_t ring, uint32_t index, Picos at) {
  const Slot& slot = rings_[ring].slots[index];
  pages_.over(slot.buffer, slot.bytes, [&](Page& page, DmaAddr page_addr) {
    auto stale = [&](const BufferRef& ref) {
      const Slot& other = rings_[ref.ring].slots[ref.index];
      return (ref.ring == ring && ref.index == index) ||
             (!other.owned && at >= other.returned_at) ||
             !overlap(other.buffer, other.bytes, page_addr, kPageBytes);
    };
    page.buffers.erase(std::remove_if(page.buffers.begin(), page.buffers.end(), stale),
                       page.buffers.end());
    page.buffers.push_back({ring, index});
  });
}

const RingTracker::Slot* RingTracker::holder(DmaAddr addr, uint32_t bytes, Picos at,
                                             const Ring** ring, uint32_t* index, bool reads_only) {
  const Slot* found = nullptr;
  const Page* page = pages_.find(addr);
  if (page == nullptr || bytes == 0) return nullptr;
  for (const BufferRef& ref : page->buffers) {
    const Ring& r = rings_[ref.ring];
    const Slot& slot = r.slots[ref.index];
    // The CPU may read what the device only reads.
    if (reads_only && r.spec.direction == DmaDir::kToDevice) continue;
    if (r.state != State::kLive || !r.device_has(ref.index, at) ||
        !overlap(slot.buffer, slot.bytes, addr, bytes)) {
      continue;
    }
    found = &slot;
    *ring = &r;
    *index = ref.index;
    break;
  }
  return found;
}

bool RingTracker::touch(DmaAddr addr, uint32_t bytes, Touch how, Picos at) {
  const Ring* ring = nullptr;
  uint32_t index = 0;
  const Slot* slot = holder(addr, bytes, at, &ring, &index, how == Touch::kRead);
  if (slot == nullptr) return false;
  log_.report(Rule::kTouchDeviceOwned, at, [&] {
    return text("CPU %s 0x%" PRIx64
                ", %u bytes: in the buffer of %s descriptor %u, the device's "
                "since %" PRId64 " ps",
                how == Touch::kRead ? "read" : "wrote", addr, bytes, ring->spec.name.c_str(), index,
                slot->handed_at.count());
  });
  return true;
}

void RingTracker::unmap(DmaAddr addr, uint32_t bytes, Picos at) {
  const Ring* ring = nullptr;
  uint32_t index = 0;
  const Slot* slot = holder(addr, bytes, at, &ring, &index, false);
  if (slot == nullptr) return;
  // Another mapping may go on serving the device.
  if (dma_.cover(slot->buffer, slot->bytes, ring->spec.direction) == DmaTracker::Cover::kGood) {
    return;
  }
  log_.report(Rule::kUnmapDeviceOwned, at, [&] {
    return text("unmap of 0x%" PRIx64
                ", %u bytes: in the buffer of %s descriptor %u, the device's "
                "since %" PRId64 " ps",
                addr, bytes, ring->spec.name.c_str(), index, slot->handed_at.count());
  });
}

void RingTracker::load(DmaAddr addr, uint32_t bytes, const When& when) {
  Ring* ring = ring_at(addr);
  if (ring == nullptr || !ring->spec.load_barrier || ring->state != State::kLive) return;
  const unsigned core = when.core % kCores;
  each_descriptor(*ring, addr, bytes, [&](uint32_t index, uint32_t from, uint32_t to) {
    Slot& slot = ring->slots[index];
    if (!slot.returned || when.at < slot.returned_at) return;
    const Word& own = ring->spec.ownership;
    if (from < own.offset + own.bytes && own.offset < to) {
      slot.seen = true;
      slot.seen_core = static_cast<uint8_t>(core);
      slot.seen_epoch = load_epoch_[core];
      return;
    }
    if (slot.seen && slot.seen_core == core && slot.seen_epoch == load_epoch_[core]) {
      log_.report(Rule::kNoLoadBarrier, when.at, [&] {
        return text("%s descriptor %u: no dma_rmb between the ownership word and the load at +%u",
                    ring->spec.name.c_str(), index, from);
      });
    }
    slot.returned = false;
  });
}

void RingTracker::device_write(DmaAddr addr, uint32_t bytes, Picos issued, Picos visible) {
  Ring* ring = ring_at(addr);
  if (ring == nullptr || ring->state != State::kLive || ring->spec.ownership.bytes == 0) return;
  each_descriptor(*ring, addr, bytes, [&](uint32_t index, uint32_t from, uint32_t to) {
    if (!ring->device_has(index)) {
      log_.report(Rule::kDeviceWroteUnowned, issued, [&] {
        return text("device wrote %s descriptor %u at +%u, which is the CPU's",
                    ring->spec.name.c_str(), index, from);
      });
      return;
    }
    const Word& own = ring->spec.ownership;
    if (from < own.offset + own.bytes && own.offset < to &&
        !says_device(*ring, owner_word(*ring, index))) {
      given_back(*ring, index, visible);
    }
  });
}

void RingTracker::given_back(Ring& ring, uint32_t index, Picos visible) {
  Slot& slot = ring.slots[index];
  slot.owned = false;
  slot.returned = true;
  slot.seen = false;
  slot.returned_at = visible;
  while (ring.run > 0 && !ring.slots[ring.head].owned) {
    ring.head = ring.wrapped(ring.head + 1);
    --ring.run;
  }
}

}  // namespace doorbell::hal::checks
