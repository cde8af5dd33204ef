// Queue of records in a ring that grows to its high-water mark and allocates nothing after that.
//
// insert() keeps records in order of time, looking from the back: right for streams that are in
// order but for a few. Records are plain structs. No time of its own.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/units.h"

namespace doorbell::ice {

template <typename T>
class Fifo {
 public:
  explicit Fifo(uint32_t capacity = 64) {
    uint32_t size = 1;
    while (size < capacity) size *= 2;
    records_.resize(size);
  }
  bool empty() const { return head_ == tail_; }
  uint32_t size() const { return tail_ - head_; }
  T& front() {
    assert(!empty());
    return records_[head_ & mask()];
  }
  const T& front() const {
    assert(!empty());
    return records_[head_ & mask()];
  }
  T& back() {
    assert(!empty());
    return records_[(tail_ - 1) & mask()];
  }
  /// i-th from the front.
  T& operator[](uint32_t i) {
    assert(i < size());
    return records_[(head_ + i) & mask()];
  }
  void push(const T& record) {
    if (size() == records_.size()) grow();
    records_[tail_++ & mask()] = record;
  }
  /// Place for one more at the end, with what an earlier record left in it.
  T& slot() {
    if (size() == records_.size()) grow();
    return records_[tail_++ & mask()];
  }
  /// Behind all records whose `at` is not later.
  void insert(const T& record) {
    push(record);
    for (uint32_t i = tail_ - 1; i != head_; --i) {
      T& mine = records_[i & mask()];
      T& before = records_[(i - 1) & mask()];
      if (before.at <= mine.at) break;
      std::swap(before, mine);
    }
  }
  void pop() {
    assert(!empty());
    ++head_;
  }
  void clear() { head_ = tail_ = 0; }
  /// Time of the first record, or never.
  base::Picos next() const { return empty() ? base::kNever : front().at; }

 private:
  uint32_t mask() const { return static_cast<uint32_t>(records_.size() - 1); }
  void grow() {
    std::vector<T> bigger(records_.size() * 2);
    const uint32_t n = size();
    for (uint32_t i = 0; i < n; ++i) bigger[i] = records_[(head_ + i) & mask()];
    records_.swap(bigger);
    head_ = 0;
    tail_ = n;
  }

  std::vector<T> records_;
  uint32_t head_ = 0;
  uint32_t tail_ = 0;
};

/// Bytes of frames on their way, each in one piece. Frames leave in the order in which they came;
/// the owner sees to it that no more than `live_bytes` are kept at a time.
class FrameStore {
 public:
  static constexpr uint32_t kLongest = 16384;

  explicit FrameStore(uint32_t live_bytes) : data_(std::size_t{live_bytes} + 3 * kLongest) {}
  /// Place for `bytes`, at most kLongest; with a few bytes of slack behind it.
  uint32_t take(uint32_t bytes) {
    assert(bytes <= kLongest);
    if (tail_ + bytes + 16 > data_.size()) tail_ = 0;
    const uint32_t place = tail_;
    tail_ += (bytes + 15) & ~15u;
    return place;
  }
  uint8_t* at(uint32_t place) { return data_.data() + place; }

 private:
  std::vector<uint8_t> data_;
  uint32_t tail_ = 0;
};

}  // namespace doorbell::ice
