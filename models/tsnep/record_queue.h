// Queues that allocate once: records in order, and the bytes of frames on their way.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

namespace doorbell::tsnep {

/// Records written in place. Capacity is fixed; full is a programmer error.
template <typename T>
class RecordQueue {
 public:
  explicit RecordQueue(uint32_t capacity) : limit_(capacity) {
    uint32_t size = 1;
    while (size < capacity) size *= 2;
    records_.resize(size);
  }
  bool empty() const { return head_ == tail_; }
  bool full() const { return tail_ - head_ >= limit_; }
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
  const T& operator[](uint32_t i) const {
    assert(i < size());
    return records_[(head_ + i) & mask()];
  }
  T& push() {
    assert(!full());
    T& record = records_[tail_++ & mask()];
    record = T();
    return record;
  }
  void pop() {
    assert(!empty());
    ++head_;
  }
  void pop_back() {
    assert(!empty());
    --tail_;
  }
  void clear() { head_ = tail_ = 0; }

 private:
  uint32_t mask() const { return static_cast<uint32_t>(records_.size() - 1); }
  uint32_t limit_;
  std::vector<T> records_;
  uint32_t head_ = 0;
  uint32_t tail_ = 0;
};

/// Bytes of frames, each in one piece. Frames leave in the order in which they came; the owner sees
/// to it that no more than `live_bytes` are kept at a time.
class FrameStore {
 public:
  /// Longest frame with metadata and FCS, and some slack.
  static constexpr uint32_t kLongest = 16384 + 64;

  explicit FrameStore(uint32_t live_bytes) : data_(std::size_t{live_bytes} + 3 * kLongest) {}
  /// Place for `bytes`, at most kLongest.
  uint32_t take(uint32_t bytes) {
    assert(bytes <= kLongest);
    if (tail_ + bytes > data_.size()) tail_ = 0;
    const uint32_t place = tail_;
    tail_ += bytes;
    return place;
  }
  uint8_t* at(uint32_t place) { return data_.data() + place; }

 private:
  std::vector<uint8_t> data_;
  uint32_t tail_ = 0;
};

}  // namespace doorbell::tsnep
