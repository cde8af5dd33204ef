// One ring under watch: what all ways of handing over have in common.
//
// The device takes descriptors in ring order, from `head_` on; `run_` of them are its own. A
// descriptor given back by a posted write is the CPU's when that write becomes visible. Kinds:
// mark_ring.h, tail_ring.h, counter_ring.h; RingTracker tells each what concerns it. Descriptors
// are read from the copy in CoherentBlocks. Times are given by the caller. O(1) a call, but for
// batches and the scan of a ring when it starts.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/hal/checks/coherent_blocks.h"
#include "sim/hal/checks/dma_tracker.h"
#include "sim/hal/checks/finding.h"
#include "sim/hal/checks/ring_places.h"
#include "sim/hal/checks/ring_spec.h"

namespace doorbell::hal::checks {

class BufferBook;

/// Who calls and when.
struct When {
  base::Picos at;
  unsigned core = 0;
};

/// How many barriers each core has executed: what lies between two equal counts is not ordered.
struct Barriers {
  static constexpr unsigned kCores = 64;
  std::array<uint64_t, kCores> stores;
  std::array<uint64_t, kCores> loads;
  Barriers() {
    stores.fill(1);
    loads.fill(1);
  }
};

/// What rings share.
struct RingWorld {
  FindingLog& log;
  CoherentBlocks& blocks;
  DmaTracker& dma;
  BufferBook& buffers;
  RingPlaces& places;
  Barriers& barriers;
};

/// A device's write to coherent memory, before the copy has it.
struct DeviceWrite {
  DmaAddr addr = 0;
  base::ByteView data;
  base::Picos issued;
  base::Picos visible;
};

class Ring {
 public:
  struct Slot {
    DmaAddr buffer = 0;
    uint32_t bytes = 0;
    bool owned = false;     // by its own word, or posted
    bool returned = false;  // by the device; the CPU has not passed a load barrier since
    bool seen = false;      // ... but has read the word that says so
    bool reported = false;  // kTail: the done mark in it is the device's of this lap
    bool asked = false;     // kTail: for a report
    uint8_t filled = 0;     // kTail: which words software has written for the next use
    uint8_t store_core = 0;
    uint8_t handed_core = 0;
    uint8_t seen_core = 0;
    uint64_t store_epoch = 0;  // of the last store that must be visible before the device starts
    uint64_t handed_epoch = 0;
    uint64_t seen_epoch = 0;
    base::Picos handed_at;
    base::Picos returned_at;
  };
  enum class State : uint8_t { kOff, kArmed, kLive };

  Ring(RingWorld& world, unsigned device, const RingSpec& spec);
  virtual ~Ring() = default;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  const RingSpec& spec() const { return spec_; }
  unsigned device() const { return device_; }
  bool live() const { return state_ == State::kLive; }
  const Slot& slot(uint32_t index) const { return slots_[index]; }
  uint32_t slots() const { return static_cast<uint32_t>(slots_.size()); }
  bool device_has(uint32_t index) const { return slots_[index].owned && ahead(index) < run_; }
  bool device_has(uint32_t index, base::Picos at) const {
    return device_has(index) || at < slots_[index].returned_at;
  }

  /// Added, or added again with another place or size.
  virtual void begin(const RingSpec& spec, const When& when);
  virtual void register_write(uint32_t offset, uint32_t value, const When& when) = 0;
  /// The CPU stored to, or loaded, bytes [from, to) of a descriptor; the copy holds them already.
  virtual void store(uint32_t index, uint32_t from, uint32_t to, const When& when) = 0;
  virtual void load(uint32_t index, uint32_t from, uint32_t to, const When& when);
  virtual void device_write(uint32_t index, uint32_t from, uint32_t to,
                            const DeviceWrite& write) = 0;
  /// The CPU accessed the ring's block behind its end.
  virtual void outside(uint64_t, uint32_t, const char*, const When&) {}
  virtual void stop(base::Picos at);
  /// Its memory was freed.
  void forget(base::Picos at);

 protected:
  DmaAddr at(uint32_t index) const {
    return linked_.empty() ? spec_.base + uint64_t{index} * spec_.stride : linked_[index];
  }
  uint32_t wrapped(uint32_t index) const {
    return index < spec_.count ? index : index - spec_.count;
  }
  uint32_t ahead(uint32_t index) const {
    return index >= head_ ? index - head_ : index + spec_.count - head_;
  }
  uint64_t field(uint32_t index, const Word& word) const {
    return world_.blocks.word(at(index) + word.offset, word.bytes) >> word.shift & word.mask;
  }
  /// The same as it will be after `write`.
  uint64_t field_after(uint32_t index, const Word& word, const DeviceWrite& write) const;
  uint64_t store_epoch(const When& when) const {
    return world_.barriers.stores[when.core % Barriers::kCores];
  }
  uint64_t load_epoch(const When& when) const {
    return world_.barriers.loads[when.core % Barriers::kCores];
  }
  void place(DmaAddr base);
  void unplace();
  /// The device has the descriptor from now on: notes its buffer and judges it.
  void take(uint32_t index, bool has_buffer, const When& when);
  void give_back(uint32_t index, base::Picos visible);
  /// The word in which the CPU sees that a descriptor is its own again.
  virtual const Word& done_word() const { return spec_.ownership; }
  virtual const char* done_name() const { return "ownership word"; }
  void no_work(const When& when);
  void report_unowned(uint32_t index, uint32_t from, base::Picos at);

  RingWorld& world_;
  RingSpec spec_;
  unsigned device_;
  State state_ = State::kOff;
  bool placed_ = false;
  uint32_t head_ = 0;  // the device's position
  uint32_t run_ = 0;   // descriptors from there on that it owns
  uint64_t handed_ = 0;
  uint64_t handed_at_doorbell_ = 0;
  std::vector<Slot> slots_;
  std::vector<DmaAddr> linked_;  // descriptors that are not side by side

 private:
  void check_buffer(uint32_t index, base::Picos at);
};

/// A ring of the spec's kind.
std::unique_ptr<Ring> make_ring(RingWorld& world, unsigned device, const RingSpec& spec);

}  // namespace doorbell::hal::checks
