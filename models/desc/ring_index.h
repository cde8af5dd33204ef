// Index arithmetic of a descriptor ring.
//
// A ring of `size` slots, any size from 2 up. The producer's index is the next slot to fill, the
// consumer's the next to take; equal indices mean empty, so one slot always stays empty and at most
// size - 1 are in use. Indices run from 0 to size - 1. No divisions, no state besides the size.
#pragma once

#include <cassert>
#include <cstdint>

namespace doorbell::desc {

class RingIndex {
 public:
  explicit constexpr RingIndex(uint32_t size) : size_(size) { assert(size >= 2); }

  constexpr uint32_t size() const { return size_; }
  constexpr uint32_t next(uint32_t i) const {
    assert(i < size_);
    return i + 1 == size_ ? 0 : i + 1;
  }
  constexpr uint32_t prev(uint32_t i) const {
    assert(i < size_);
    return i == 0 ? size_ - 1 : i - 1;
  }
  /// `count` slots on, at most one lap.
  constexpr uint32_t advance(uint32_t i, uint32_t count) const {
    assert(i < size_ && count <= size_);
    const uint32_t left = size_ - i;
    return count < left ? i + count : count - left;
  }
  /// Steps forward from `from` to `to`; 0 when equal.
  constexpr uint32_t distance(uint32_t from, uint32_t to) const {
    assert(from < size_ && to < size_);
    return to >= from ? to - from : to + (size_ - from);
  }
  constexpr uint32_t used(uint32_t producer, uint32_t consumer) const {
    return distance(consumer, producer);
  }
  /// Slots the producer may still fill.
  constexpr uint32_t free_slots(uint32_t producer, uint32_t consumer) const {
    return size_ - 1 - used(producer, consumer);
  }
  constexpr bool empty(uint32_t producer, uint32_t consumer) const { return producer == consumer; }
  constexpr bool full(uint32_t producer, uint32_t consumer) const {
    return next(producer) == consumer;
  }
  /// Slots from `i` to the end of the ring: how far one burst of descriptors can reach.
  constexpr uint32_t to_end(uint32_t i) const {
    assert(i < size_);
    return size_ - i;
  }

 private:
  uint32_t size_;
};

}  // namespace doorbell::desc
