#include "sim/hal/checks/ring.h"

#include <cassert>
#include <cinttypes>

#include "sim/hal/checks/buffer_book.h"
#include "sim/hal/checks/counter_ring.h"
#include "sim/hal/checks/mark_ring.h"
#include "sim/hal/checks/tail_ring.h"

namespace doorbell::hal::checks {

using base::Picos;

std::unique_ptr<Ring> make_ring(RingWorld& world, unsigned device, const RingSpec& spec) {
  switch (spec.handing) {
    case Handing::kMark:
      return std::make_unique<MarkRing>(world, device, spec);
    case Handing::kTail:
      return std::make_unique<TailRing>(world, device, spec);
    case Handing::kCounter:
      return std::make_unique<CounterRing>(world, device, spec);
  }
  return nullptr;
}

Ring::Ring(RingWorld& world, unsigned device, const RingSpec& spec)
    : world_(world), spec_(spec), device_(device) {}

void Ring::begin(const RingSpec& spec, const When&) {
  assert(spec.count > 0 && spec.stride > 0);
  unplace();
  spec_ = spec;
  state_ = State::kOff;
  head_ = run_ = 0;
  handed_ = handed_at_doorbell_ = 0;
  slots_.assign(spec.count, Slot{});
  linked_.clear();
}

void Ring::place(DmaAddr base) {
  unplace();
  spec_.base = base;
  placed_ = true;
  const DmaAddr end = base + uint64_t{spec_.count} * spec_.stride;
  DmaAddr guard = end;
  if (spec_.alone_in_block) {
    if (const CoherentBlocks::Block* block = world_.blocks.find(base, 1)) {
      guard = block->addr + block->bytes;
    }
  }
  world_.places.add({base, end, guard, this, 0, spec_.stride});
}

void Ring::unplace() {
  if (placed_) world_.places.remove(this);
  placed_ = false;
}

void Ring::forget(Picos at) {
  stop(at);
  unplace();
  linked_.clear();
}

void Ring::stop(Picos at) {
  if (state_ == State::kLive) {
    if (spec_.needs_doorbell && handed_ != handed_at_doorbell_ && run_ > 0) {
      world_.log.report(Rule::kHandoverNoDoorbell, at, [&] {
        return text("%s: %" PRIu64 " descriptors were handed over and no doorbell followed",
                    spec_.name.c_str(), handed_ - handed_at_doorbell_);
      });
    }
    for (Slot& slot : slots_) slot.owned = slot.returned = slot.reported = false;
  }
  state_ = State::kOff;
  run_ = 0;
}

uint64_t Ring::field_after(uint32_t index, const Word& word, const DeviceWrite& write) const {
  const DmaAddr where = at(index) + word.offset;
  if (where < write.addr || where + word.bytes > write.addr + write.data.size) {
    return field(index, word);
  }
  const uint8_t* p = write.data.data + (where - write.addr);
  const uint64_t value = word.bytes == 2   ? base::load_le<uint16_t>(p)
                         : word.bytes == 4 ? base::load_le<uint32_t>(p)
                                           : base::load_le<uint64_t>(p);
  return value >> word.shift & word.mask;
}

void Ring::take(uint32_t index, bool has_buffer, const When& when) {
  Slot& slot = slots_[index];
  slot.owned = true;
  slot.returned = slot.seen = slot.reported = false;
  slot.handed_at = when.at;
  slot.handed_core = static_cast<uint8_t>(when.core % Barriers::kCores);
  slot.handed_epoch = store_epoch(when);
  slot.buffer = 0;
  slot.bytes = 0;
  ++handed_;
  if (!has_buffer || spec_.address.bytes == 0) return;
  slot.buffer = field(index, spec_.address);
  slot.bytes = spec_.length.bytes != 0 ? static_cast<uint32_t>(field(index, spec_.length))
                                       : spec_.buffer_bytes;
  if (slot.bytes == 0) return;
  check_buffer(index, when.at);
  world_.buffers.remember(*this, index, when.at);
}

void Ring::check_buffer(uint32_t index, Picos at) {
  const Slot& slot = slots_[index];
  const DmaTracker::Cover cover = world_.dma.cover(slot.buffer, slot.bytes, spec_.direction);
  if (cover == DmaTracker::Cover::kNone) {
    world_.log.report(Rule::kHandoverNotMapped, at, [&] {
      return text("%s descriptor %u: buffer 0x%" PRIx64 ", %u bytes, is not mapped",
                  spec_.name.c_str(), index, slot.buffer, slot.bytes);
    });
    return;
  }
  if (cover == DmaTracker::Cover::kWrongDirection) {
    world_.log.report(Rule::kHandoverWrongDirection, at, [&] {
      return text("%s descriptor %u: buffer 0x%" PRIx64 ", %u bytes, is not mapped %s",
                  spec_.name.c_str(), index, slot.buffer, slot.bytes,
                  direction_name(spec_.direction));
    });
  }
  if (!world_.dma.synced_for_device(slot.buffer, slot.bytes)) {
    world_.log.report(Rule::kHandoverNotSynced, at, [&] {
      return text("%s descriptor %u: buffer 0x%" PRIx64 ", %u bytes, was not synced for the device",
                  spec_.name.c_str(), index, slot.buffer, slot.bytes);
    });
  }
  const BufferBook::Ref other = world_.buffers.other_owner(*this, index, at);
  if (other.ring != nullptr) {
    world_.log.report(Rule::kHandoverTwice, at, [&] {
      return text("%s descriptor %u: buffer 0x%" PRIx64
                  ", %u bytes, is also that of %s descriptor %u, the device's since %" PRId64 " ps",
                  spec_.name.c_str(), index, slot.buffer, slot.bytes,
                  other.ring->spec().name.c_str(), other.index,
                  other.ring->slot(other.index).handed_at.count());
    });
  }
  if (spec_.direction != DmaDir::kToDevice) world_.dma.forget_contents(slot.buffer, slot.bytes);
}

void Ring::give_back(uint32_t index, Picos visible) {
  Slot& slot = slots_[index];
  slot.owned = false;
  slot.returned = true;
  slot.seen = false;
  slot.filled = 0;
  slot.returned_at = visible;
  while (run_ > 0 && !slots_[head_].owned) {
    head_ = wrapped(head_ + 1);
    --run_;
  }
}

void Ring::load(uint32_t index, uint32_t from, uint32_t to, const When& when) {
  if (!spec_.load_barrier || state_ != State::kLive) return;
  Slot& slot = slots_[index];
  if (!slot.returned || when.at < slot.returned_at) return;
  const unsigned core = when.core % Barriers::kCores;
  if (done_word().touches(from, to)) {
    slot.seen = true;
    slot.seen_core = static_cast<uint8_t>(core);
    slot.seen_epoch = load_epoch(when);
    return;
  }
  if (!slot.seen || (slot.seen_core == core && slot.seen_epoch == load_epoch(when))) {
    world_.log.report(Rule::kNoLoadBarrier, when.at, [&] {
      return slot.seen ? text("%s descriptor %u: no dma_rmb between the %s and the load at +%u",
                              spec_.name.c_str(), index, done_name(), from)
                       : text("%s descriptor %u: the load at +%u came before any look at the %s",
                              spec_.name.c_str(), index, from, done_name());
    });
  }
  slot.returned = false;
}

void Ring::no_work(const When& when) {
  if (spec_.doorbell_needs_work && state_ == State::kLive && handed_ == handed_at_doorbell_) {
    world_.log.report(Rule::kDoorbellNoWork, when.at, [&] {
      return text("doorbell of %s: no descriptor was handed over since the last",
                  spec_.name.c_str());
    });
  }
  handed_at_doorbell_ = handed_;
}

void Ring::report_unowned(uint32_t index, uint32_t from, Picos at) {
  world_.log.report(Rule::kDeviceWroteUnowned, at, [&] {
    return text("device wrote %s descriptor %u at +%u, which is the CPU's", spec_.name.c_str(),
                index, from);
  });
}

}  // namespace doorbell::hal::checks
