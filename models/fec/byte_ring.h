// Storage of a FIFO: a byte ring that places each frame in one piece, and a ring of frame records.
//
// Both are allocated once. How full a FIFO is, in hardware's 64-bit words, is the engine's
// business; this only finds room. Frames leave in the order in which they came.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

namespace doorbell::fec {

/// Longest frame any length register can ask for, with room for SHIFT16 and the FCS.
inline constexpr uint32_t kLongestFrame = 16384 + 64;

class ByteRing {
 public:
  explicit ByteRing(uint32_t live_bytes) : data_(size_t{live_bytes} + 3 * kLongestFrame) {}

  /// Room for the longest frame; commit() says how much of it is used.
  uint8_t* reserve() {
    if (tail_ + kLongestFrame > data_.size()) tail_ = 0;
    return data_.data() + tail_;
  }
  /// Keeps `bytes` of what reserve() gave. Returns where they are.
  uint32_t commit(uint32_t bytes) {
    const uint32_t offset = tail_;
    tail_ += bytes;
    return offset;
  }
  uint32_t tail() const { return tail_; }
  uint8_t* at(uint32_t offset) { return data_.data() + offset; }

 private:
  std::vector<uint8_t> data_;
  uint32_t tail_ = 0;
};

/// Queue of records that are written in place. Capacity is fixed; full is a programmer error.
template <typename T>
class RecordQueue {
 public:
  explicit RecordQueue(size_t capacity) {
    size_t size = 1;
    while (size < capacity) size *= 2;
    records_.resize(size);
  }
  bool empty() const { return head_ == tail_; }
  bool full() const { return tail_ - head_ == records_.size(); }
  uint32_t size() const { return tail_ - head_; }
  T& front() {
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
  void pop() { ++head_; }
  void pop_back() { --tail_; }
  void clear() { head_ = tail_ = 0; }

 private:
  uint32_t mask() const { return static_cast<uint32_t>(records_.size() - 1); }
  std::vector<T> records_;
  uint32_t head_ = 0;
  uint32_t tail_ = 0;
};

}  // namespace doorbell::fec
