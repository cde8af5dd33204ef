// Ownership schemes: how device and driver agree who may touch a descriptor.
//
// Each scheme is a small policy with no memory access of its own: it looks at a word and says who
// owns it, or makes the word that hands it over. Model and driver of a device use the same policy.
//   OwnBit        a bit in the descriptor, and a wrap bit that ends the ring       (fec)
//   DoneBit       software owns from its tail on; the device sets "done"           (ice)
//   OwnerCounter  an epoch in the descriptor, echoed by the device's write-back    (tsnep)
//   ValidBit      a bit whose meaning flips each lap                               (dpaa2)
// Ordering is the caller's: the word that hands over goes out after all others.
#pragma once

#include <cassert>
#include <cstdint>

namespace doorbell::desc {

/// Bit `Own` set: the device owns the descriptor. Bit `Wrap` set: the next one is the ring's first.
template <typename Word, Word Own, Word Wrap>
struct OwnBit {
  static constexpr bool device_owns(Word word) { return (word & Own) != 0; }
  static constexpr Word to_device(Word word) { return static_cast<Word>(word | Own); }
  static constexpr Word to_software(Word word) { return static_cast<Word>(word & ~Own); }
  static constexpr bool last_of_ring(Word word) { return (word & Wrap) != 0; }
  /// Index after `index`, whose word is `word`. The ring's size is not known to the device.
  static constexpr uint32_t next(uint32_t index, Word word) {
    return last_of_ring(word) ? 0 : index + 1;
  }
};

/// Bit `Done` set by the device when it has finished. Software clears it before it reuses the slot,
/// and hands over by moving its tail, so the word alone never says "device owns".
template <typename Word, Word Done>
struct DoneBit {
  static constexpr bool done(Word word) { return (word & Done) != 0; }
  static constexpr Word finish(Word word) { return static_cast<Word>(word | Done); }
  static constexpr Word clear(Word word) { return static_cast<Word>(word & ~Done); }
};

/// Epochs 1..Epochs in the `Bits`-wide field; 0 is memory that was never used. The epoch advances
/// every size - 1 activations, not every lap: the slot that the device reaches next then always
/// holds the epoch before, so it tells new from stale without knowing the ring's size (tsnep,
/// Linux 6.12 tsnep_main.c; the closed form is a deduction).
class OwnerCounter {
 public:
  static constexpr uint32_t kEpochs = 3;

  explicit OwnerCounter(uint32_t ring_size) : size_(ring_size), step_at_(ring_size - 1) {
    assert(ring_size >= 2);
  }
  /// Software: the epoch to write into slot `index`, which is being activated. Once per activation.
  uint32_t activate(uint32_t index) {
    assert(index < size_);
    if (index == step_at_) {
      current_ = next(current_);
      step_at_ = step_at_ == 0 ? size_ - 1 : step_at_ - 1;
    }
    return current_;
  }
  /// Device: whether a fetched descriptor with epoch `seen` is new, when the last new one had
  /// `last`.
  static constexpr bool is_new(uint32_t seen, uint32_t last) {
    return seen != 0 && (seen == last || seen == next(last));
  }
  /// Software: whether the write-back's epoch acknowledges the one submitted.
  static constexpr bool completed(uint32_t echoed, uint32_t submitted) {
    return echoed == submitted;
  }
  static constexpr uint32_t next(uint32_t epoch) { return epoch == kEpochs ? 1 : epoch + 1; }

 private:
  uint32_t size_;
  uint32_t step_at_;
  uint32_t current_ = 1;
};

/// A producer's or consumer's side of a ring of power-of-two size whose entries are valid when
/// their bit equals the lap's polarity. Indices count modulo twice the size; the first lap's
/// polarity is 1, so zeroed memory is not valid.
class ValidBit {
 public:
  explicit ValidBit(uint32_t ring_size) : size_(ring_size) {
    assert(ring_size != 0 && (ring_size & (ring_size - 1)) == 0);
  }
  uint32_t slot() const { return count_ & (size_ - 1); }
  /// Bit to write with, or to expect in, the current slot.
  bool polarity() const { return (count_ & size_) == 0; }
  bool is_valid(bool bit) const { return bit == polarity(); }
  void advance() { count_ = (count_ + 1) & (2 * size_ - 1); }
  /// Position modulo twice the ring size, as a device's index register counts.
  uint32_t count() const { return count_; }

 private:
  uint32_t size_;
  uint32_t count_ = 0;
};

}  // namespace doorbell::desc
