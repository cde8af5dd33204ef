#include "sim/hal/checks/mark_ring.h"

#include <cinttypes>

#include "sim/hal/checks/buffer_book.h"

namespace doorbell::hal::checks {

void MarkRing::begin(const RingSpec& spec, const When& when) {
  Ring::begin(spec, when);
  enabled_ = spec.enable_register == kNoRegister;
  if (spec.base_register != kNoRegister) return;
  place(spec.base);
  // Nothing is handed over yet: whoever registers a ring does so before it is used.
  if (enabled_) state_ = spec.waits_for_doorbell ? State::kArmed : State::kLive;
}

bool MarkRing::says_device(uint32_t, uint64_t word) const {
  return spec_.ownership.bytes != 0 && (word & spec_.owner_mask) == spec_.device_value;
}

void MarkRing::register_write(uint32_t offset, uint32_t value, const When& when) {
  if (offset == spec_.base_register) {
    stop(when.at);
    place(value & spec_.base_mask);
    if (enabled_) state_ = State::kArmed;
  }
  if (offset == spec_.buffer_register) spec_.buffer_bytes = value & spec_.buffer_mask;
  if (offset == spec_.enable_register) {
    const bool on = (value & spec_.enable_mask) != 0;
    if (enabled_ && !on) stop(when.at);
    if (!enabled_ && on && placed_) state_ = State::kArmed;
    enabled_ = on;
  }
  if (state_ == State::kArmed && !spec_.waits_for_doorbell) start(when);
  if (offset == spec_.doorbell_register) doorbell(when, value);
}

void MarkRing::doorbell(const When& when, uint32_t value) {
  if (spec_.doorbell_is_index && value >= spec_.count) {
    world_.log.report(Rule::kDoorbellPastRing, when.at, [&] {
      return text("doorbell of %s with index %u: the ring has %u descriptors", spec_.name.c_str(),
                  value, spec_.count);
    });
  }
  // On an empty ring the device looks once and goes idle again.
  if (state_ == State::kArmed && says_device(0, field(0, spec_.ownership))) start(when);
  no_work(when);
}

void MarkRing::start(const When& when) {
  state_ = State::kLive;
  head_ = 0;
  run_ = 0;
  if (spec_.ownership.bytes == 0) return;
  for (uint32_t i = 0; i < spec_.count; ++i) {
    slots_[i] = Slot{};
    const uint64_t word = field(i, spec_.ownership);
    if (says_device(i, word)) hand_over(i, word, when);
  }
}

void MarkRing::store(uint32_t index, uint32_t from, uint32_t to, const When& when) {
  if (state_ != State::kLive || spec_.ownership.bytes == 0) return;
  const bool to_owner = spec_.ownership.touches(from, to);
  Slot& slot = slots_[index];
  if (device_has(index, when.at)) {
    intruding_store(index, to_owner, when);
    return;
  }
  if (to_owner) {
    const uint64_t word = field(index, spec_.ownership);
    judge_owner(index, word, when);
    if (says_device(index, word)) {
      hand_over(index, word, when);
      return;
    }
    slot.owned = false;  // taken back before the device could see it
  }
  slot.store_core = static_cast<uint8_t>(when.core % Barriers::kCores);
  slot.store_epoch = store_epoch(when);
}

// A store to a descriptor that the device has. Right behind the hand-over it is the driver's order
// that is wrong; later, it is the driver's idea of who owns it.
void MarkRing::intruding_store(uint32_t index, bool to_owner, const When& when) {
  Slot& slot = slots_[index];
  const bool behind = !to_owner && slot.owned && slot.handed_core == when.core % Barriers::kCores &&
                      slot.handed_epoch == store_epoch(when);
  world_.log.report(
      behind ? Rule::kOwnershipBeforeFields : Rule::kDescriptorDeviceOwned, when.at, [&] {
        return behind ? text("%s descriptor %u: a field was stored after the ownership word",
                             spec_.name.c_str(), index)
                      : text("%s descriptor %u: the CPU stored to it; the device's since %" PRId64
                             " ps",
                             spec_.name.c_str(), index, slot.handed_at.count());
      });
  if (to_owner && slot.owned && spec_.handing == Handing::kMark &&
      !says_device(index, field(index, spec_.ownership))) {
    slot.owned = false;
    run_ = ahead(index);  // the device will stop there
  }
}

void MarkRing::hand_over(uint32_t index, uint64_t word, const When& when) {
  const bool last = index + 1 == spec_.count;
  if (spec_.wrap_mask != 0 && ((word & spec_.wrap_mask) != 0) != last) {
    world_.log.report(Rule::kRingWrap, when.at, [&] {
      return text("%s descriptor %u of %u: wrap bit %s", spec_.name.c_str(), index, spec_.count,
                  last ? "missing" : "set");
    });
  }
  take(index, has_buffer(word), when);
  if (run_ < spec_.count && wrapped(head_ + run_) == index) {
    extend_run(when);
  } else {
    // Behind a descriptor that is not the device's: this store, too, must be there before that
    // one's hand-over.
    Slot& slot = slots_[index];
    slot.store_core = slot.handed_core;
    slot.store_epoch = slot.handed_epoch;
  }
}

void MarkRing::extend_run(const When& when) {
  while (run_ < spec_.count) {
    const uint32_t index = wrapped(head_ + run_);
    if (!slots_[index].owned) return;
    ++run_;
    extended(index);
    check_order(index, when);
  }
}

// The device may take the descriptor: are its words, and a header in coherent memory, there?
void MarkRing::check_order(uint32_t index, const When& when) {
  const Slot& slot = slots_[index];
  if (slot.store_epoch == store_epoch(when) && slot.store_core == when.core % Barriers::kCores) {
    world_.log.report(Rule::kOwnershipBeforeFields, when.at, [&] {
      return text("%s descriptor %u: no dma_wmb between its words and the store that hands it over",
                  spec_.name.c_str(), index);
    });
    return;
  }
  if (world_.buffers.header_unordered(slot.buffer, slot.bytes, world_.barriers, when)) {
    world_.log.report(Rule::kOwnershipBeforeFields, when.at, [&] {
      return text(
          "%s descriptor %u: no dma_wmb between its buffer in coherent memory and the store "
          "that hands it over",
          spec_.name.c_str(), index);
    });
  }
}

void MarkRing::device_write(uint32_t index, uint32_t from, uint32_t to, const DeviceWrite& write) {
  if (state_ != State::kLive || spec_.ownership.bytes == 0) return;
  if (!device_has(index)) {
    report_unowned(index, from, write.issued);
    return;
  }
  if (spec_.ownership.touches(from, to) &&
      !says_device(index, field_after(index, spec_.ownership, write))) {
    give_back(index, write.visible);
  }
}

}  // namespace doorbell::hal::checks
