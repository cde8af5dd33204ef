#include "sim/hal/checks/tail_ring.h"

#include <algorithm>
#include <cinttypes>

namespace doorbell::hal::checks {

using base::Picos;

void TailRing::begin(const RingSpec& spec, const When& when) {
  Ring::begin(spec, when);
  place(spec.base);
  head_ = spec.head;
  tail_ = spec.tail - spec.tail % spec.doorbell_step;
  explained_ = false;
  if (!spec.running) return;
  state_ = State::kLive;
  for (uint32_t i = 0; i < spec.count; ++i) {
    if (field(i, spec.address) != 0) slots_[i].filled |= kAddressFilled;
    if (spec.control.bytes != 0 && field(i, spec.control) != 0 && !marked_done(i)) {
      slots_[i].filled |= kControlFilled;
    }
  }
  for (uint32_t i = head_; i != tail_; i = wrapped(i + 1)) post(i, when);
}

void TailRing::register_write(uint32_t offset, uint32_t value, const When& when) {
  if (offset != spec_.doorbell_register || state_ != State::kLive) return;
  if (value >= spec_.count) {
    world_.log.report(Rule::kDoorbellPastRing, when.at, [&] {
      return text("doorbell of %s with index %u: the ring has %u descriptors", spec_.name.c_str(),
                  value, spec_.count);
    });
    return;
  }
  const uint32_t to = value - value % spec_.doorbell_step;
  check_head(to, when);
  while (tail_ != to) {
    check_content(tail_, when);
    post(tail_, when);
    tail_ = wrapped(tail_ + 1);
  }
  no_work(when);
}

// The new tail must stay behind the head, one descriptor at least: equal means empty.
void TailRing::check_head(uint32_t to, const When& when) {
  const uint32_t from = tail_;
  const uint32_t span = to >= from ? to - from : to + spec_.count - from;
  uint32_t blocking = from;
  uint32_t n = 0;
  while (n < span && !device_has(blocking, when.at)) {
    blocking = wrapped(blocking + 1);
    ++n;
  }
  if (n == span && (span == 0 || run_ + span < spec_.count)) return;
  world_.log.report(Rule::kDoorbellPassesHead, when.at, [&] {
    return n == span
               ? text(
                     "doorbell of %s from %u to %u: that is the head, so a full ring looks "
                     "empty",
                     spec_.name.c_str(), from, to)
               : text(
                     "doorbell of %s from %u to %u passes descriptor %u, the device's since "
                     "%" PRId64 " ps",
                     spec_.name.c_str(), from, to, blocking, slots_[blocking].handed_at.count());
  });
}

bool TailRing::has_buffer(uint32_t index) const {
  return spec_.control.bytes == 0 || (field(index, spec_.control) & spec_.no_buffer_mask) == 0;
}

// What the device will find there: this lap's words?
void TailRing::check_content(uint32_t index, const When& when) {
  const uint8_t filled = slots_[index].filled;
  const char* lacking = nullptr;
  if ((filled & kAddressFilled) == 0) {
    lacking = "address";
  } else if (spec_.control.bytes != 0 && (filled & kControlFilled) == 0) {
    lacking = "command";
  }
  if (lacking != nullptr) {
    world_.log.report(Rule::kPostedWithoutContent, when.at, [&] {
      return text("%s descriptor %u: posted, and its %s was not written since the device had it",
                  spec_.name.c_str(), index, lacking);
    });
  } else if (marked_done(index)) {
    world_.log.report(Rule::kStaleDone, when.at, [&] {
      return text("%s descriptor %u: posted with a done mark in it", spec_.name.c_str(), index);
    });
  } else if (has_buffer(index) && spec_.length.bytes != 0 && field(index, spec_.length) == 0) {
    world_.log.report(Rule::kPostedWithoutContent, when.at, [&] {
      return text("%s descriptor %u: posted with a buffer of no bytes", spec_.name.c_str(), index);
    });
  }
}

void TailRing::post(uint32_t index, const When& when) {
  Slot& slot = slots_[index];
  slot.asked = spec_.report_mask == 0 ||
               (has_buffer(index) && (field(index, spec_.control) & spec_.report_mask) != 0);
  run_ = std::min(run_ + 1, spec_.count);
  take(index, has_buffer(index), when);
}

void TailRing::store(uint32_t index, uint32_t from, uint32_t to, const When& when) {
  if (state_ != State::kLive) return;
  Slot& slot = slots_[index];
  if (device_has(index, when.at)) {
    world_.log.report(Rule::kDescriptorDeviceOwned, when.at, [&] {
      return text("%s descriptor %u: the CPU stored to it; the device's since %" PRId64 " ps%s",
                  spec_.name.c_str(), index, slot.handed_at.count(),
                  spec_.done.touches(from, to) ? " (a report that comes meanwhile is lost)" : "");
    });
    return;
  }
  slot.reported = false;
  if (spec_.address.touches(from, to)) slot.filled |= kAddressFilled;
  if (spec_.control.bytes != 0 && spec_.control.touches(from, to)) slot.filled |= kControlFilled;
}

void TailRing::load(uint32_t index, uint32_t from, uint32_t to, const When& when) {
  if (state_ != State::kLive) return;
  const Slot& slot = slots_[index];
  if (spec_.done.touches(from, to) && !slot.reported && !device_has(index, when.at) &&
      marked_done(index)) {
    world_.log.report(Rule::kStaleDone, when.at, [&] {
      return text("%s descriptor %u: the CPU read a done mark that is not of this lap",
                  spec_.name.c_str(), index);
    });
  }
  Ring::load(index, from, to, when);
}

void TailRing::device_write(uint32_t index, uint32_t from, uint32_t to, const DeviceWrite& write) {
  if (state_ != State::kLive) return;
  Slot& slot = slots_[index];
  if (!device_has(index)) {
    // Part of a line that is written whole: harmless if it changes nothing before it is there.
    const DmaAddr where = at(index) + from;
    const CoherentBlocks::Block* block = world_.blocks.find(where, to - from);
    const uint8_t* now = block == nullptr ? nullptr : block->copy.data() + (where - block->addr);
    if (now == nullptr ||
        !std::equal(now, now + (to - from), write.data.data + (where - write.addr))) {
      report_unowned(index, from, write.issued);
    }
    slot.returned_at = base::max(slot.returned_at, write.visible);
    return;
  }
  if (!spec_.done.touches(from, to) ||
      (field_after(index, spec_.done, write) & spec_.done_mask) != spec_.done_value) {
    return;
  }
  if (!slot.asked) {
    world_.log.report(Rule::kReportNotAsked, write.issued, [&] {
      return text("device reported %s descriptor %u, which asks for no report", spec_.name.c_str(),
                  index);
    });
  }
  complete(index, write.visible);
}

void TailRing::complete(uint32_t index, Picos visible) {
  // A report stands for all before it.
  while (spec_.report_mask != 0 && run_ > 0 && head_ != index) give_back(head_, visible);
  give_back(index, visible);
  slots_[index].reported = true;
}

void TailRing::outside(uint64_t addr, uint32_t bytes, const char* what, const When& when) {
  if (state_ != State::kLive) return;
  world_.log.report(Rule::kOutsideRing, when.at, [&] {
    const auto index = static_cast<uint32_t>((addr - spec_.base) / spec_.stride);
    return text("the CPU %s %u bytes at descriptor %u of %s, which has %u", what, bytes, index,
                spec_.name.c_str(), spec_.count);
  });
  explain_size(when);
}

// The seed's arithmetic: report indices go up in steps and start again at step - 1 at the wrap,
// which itself asks for one at the next index in line.
void TailRing::explain_size(const When& when) {
  const uint32_t step = spec_.report_every;
  if (explained_ || step == 0 || spec_.count % step == 0) return;
  explained_ = true;
  world_.log.report(Rule::kRingSize, when.at, [&] {
    const uint32_t rest = spec_.count % step;
    const uint32_t behind = spec_.count - rest + step - 1;
    return text(
        "%s has %u descriptors, no multiple of its report threshold %u: at the wrap RS is written "
        "to descriptor %u, outside the ring, and the last %u of each lap have no report of their "
        "own, so cleaning falls %u behind a lap until the ring stays full",
        spec_.name.c_str(), spec_.count, step, behind, rest, rest);
  });
}

}  // namespace doorbell::hal::checks
