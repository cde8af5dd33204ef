#include "sim/hal/checks/counter_ring.h"

#include <cinttypes>

namespace doorbell::hal::checks {

void CounterRing::begin(const RingSpec& spec, const When& when) {
  Ring::begin(spec, when);
  activations_ = 0;
  if (spec.base_register == kNoRegister) restart(spec.base, when);
}

uint32_t CounterRing::owner(uint64_t word) const {
  return static_cast<uint32_t>(word & spec_.owner_mask) >> __builtin_ctz(spec_.owner_mask);
}

// The epoch of the descriptor when its turn comes.
uint32_t CounterRing::expected(uint32_t index) const {
  const uint32_t next = wrapped(head_ + run_);
  const uint32_t distance = index >= next ? index - next : index + spec_.count - next;
  return 1 + static_cast<uint32_t>((activations_ + distance) / (spec_.count - 1) % kEpochs);
}

bool CounterRing::says_device(uint32_t index, uint64_t word) const {
  return owner(word) == expected(index);
}

void CounterRing::register_write(uint32_t offset, uint32_t value, const When& when) {
  if (offset == spec_.base_register) {
    base_low_ = value & spec_.base_mask;
    reset_asked_ = spec_.reset_mask == 0 || (value & spec_.reset_mask) != 0;
    if (spec_.base_high_register == kNoRegister) restart(base_low_, when);
  }
  if (offset == spec_.base_high_register) restart(uint64_t{value} << 32 | base_low_, when);
  if (offset == spec_.stop_register && (value & spec_.stop_mask) != 0) stop(when.at);
  if (offset == spec_.doorbell_register && (value & spec_.doorbell_mask) != 0)
    doorbell(when, value);
}

void CounterRing::restart(DmaAddr base, const When& when) {
  stop(when.at);
  if (!reset_asked_ && activations_ > 0) {
    world_.log.report(Rule::kOwnerCounter, when.at, [&] {
      return text("%s: a new address without a reset: the device goes on with counter %u",
                  spec_.name.c_str(), expected(wrapped(head_ + run_)));
    });
  }
  unplace();
  head_ = run_ = 0;
  handed_ = handed_at_doorbell_ = 0;
  activations_ = 0;
  slots_.assign(spec_.count, Slot{});
  if (!follow_links(base, when)) return;
  place_links();
  state_ = State::kLive;
  check_clean(when);
}

bool CounterRing::follow_links(DmaAddr base, const When& when) {
  linked_.clear();
  DmaAddr next = base;
  while (linked_.size() < spec_.count && world_.blocks.find(next, spec_.stride) != nullptr) {
    linked_.push_back(next);
    next = world_.blocks.word(next + spec_.next.offset, spec_.next.bytes);
  }
  if (linked_.size() == spec_.count && next == base) return true;
  world_.log.report(Rule::kRingLink, when.at, [&] {
    return linked_.empty() ? text("%s: its address, 0x%" PRIx64 ", is not in coherent memory",
                                  spec_.name.c_str(), base)
                           : text("%s: the link of descriptor %zu of %u leads to 0x%" PRIx64,
                                  spec_.name.c_str(), linked_.size() - 1, spec_.count, next);
  });
  linked_.clear();
  return false;
}

// One place for each run of neighbours.
void CounterRing::place_links() {
  uint32_t first = 0;
  for (uint32_t i = 1; i <= spec_.count; ++i) {
    if (i < spec_.count && linked_[i] == linked_[i - 1] + spec_.stride) continue;
    const DmaAddr end = linked_[i - 1] + spec_.stride;
    world_.places.add({linked_[first], end, end, this, first, spec_.stride});
    first = i;
  }
  placed_ = true;
}

// The device begins with epoch 1: an old counter would be taken for a new one, and an old
// acknowledgement for that of the first lap.
void CounterRing::check_clean(const When& when) {
  for (uint32_t i = 0; i < spec_.count; ++i) {
    const bool descriptor = owner(field(i, spec_.ownership)) != 0;
    if (!descriptor && owner(field(i, spec_.echo)) == 0) continue;
    world_.log.report(Rule::kOwnerCounter, when.at, [&] {
      return text("%s descriptor %u: the owner counter was reset with an old one in its %s",
                  spec_.name.c_str(), i, descriptor ? "properties" : "write-back");
    });
    return;
  }
}

void CounterRing::judge_owner(uint32_t index, uint64_t word, const When& when) {
  const uint32_t given = owner(word);
  if (given == 0) return;
  if (given != expected(index)) {
    world_.log.report(Rule::kOwnerCounter, when.at, [&] {
      return text("%s descriptor %u: owner counter %u, where the device waits for %u",
                  spec_.name.c_str(), index, given, expected(index));
    });
    return;
  }
  const bool acknowledged = spec_.first_mask == 0 || (word & spec_.first_mask) != 0;
  if (acknowledged && (field(index, spec_.echo) & spec_.echo_mask) == (word & spec_.echo_mask)) {
    world_.log.report(Rule::kStaleDone, when.at, [&] {
      return text("%s descriptor %u: handed over with an old acknowledgement that fits",
                  spec_.name.c_str(), index);
    });
  }
}

void CounterRing::device_write(uint32_t index, uint32_t from, uint32_t to,
                               const DeviceWrite& write) {
  if (state_ != State::kLive) return;
  if (!device_has(index)) {
    report_unowned(index, from, write.issued);
    return;
  }
  const auto repeated = [this](uint64_t word) { return word & spec_.echo_mask; };
  if (!spec_.echo.touches(from, to) ||
      repeated(field_after(index, spec_.echo, write)) != repeated(field(index, spec_.ownership))) {
    return;
  }
  uint32_t i = index;
  for (uint32_t n = run_; n > 0; --n) {
    const uint64_t word = field(i, spec_.ownership);
    give_back(i, write.visible);
    if (spec_.last_mask == 0 || (word & spec_.last_mask) != 0) break;
    i = wrapped(i + 1);
  }
}

}  // namespace doorbell::hal::checks
