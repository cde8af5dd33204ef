// Who owns each descriptor of each ring, learned from stores, write-backs and register writes.
//
// A ring is off until the device is enabled (and, where the spec says so, its doorbell rings and
// finds work); then its descriptors are read from the copy in CoherentBlocks. The device takes
// descriptors in ring order, so it really has a descriptor only if every one from its position up
// to there is marked its own: a driver may fill the fragments of a packet in any order, as long as
// the first comes last. Barriers are counted per core: a store is ordered before another if a
// dma_wmb, wmb or register write lies between them. A descriptor given back by a posted write is
// the CPU's when that write becomes visible. Times are given by the caller. O(1) a call, but for
// the lists of a page (a few entries) and the scan of a ring when it starts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/hal/checks/coherent_blocks.h"
#include "sim/hal/checks/dma_tracker.h"
#include "sim/hal/checks/finding.h"
#include "sim/hal/checks/page_table.h"
#include "sim/hal/checks/ring_spec.h"

namespace doorbell::hal::checks {

/// Who calls and when.
struct When {
  base::Picos at;
  unsigned core = 0;
};

class RingTracker {
 public:
  RingTracker(const CheckConfig& config, FindingLog& log, CoherentBlocks& blocks, DmaTracker& dma);

  /// Rings belong to the device whose registers move them.
  void add_ring(unsigned device, const RingSpec& spec);

  void register_write(unsigned device, uint32_t offset, uint32_t value, const When& when);
  void store_barrier(unsigned core) { ++store_epoch_[core % kCores]; }
  void load_barrier(unsigned core) { ++load_epoch_[core % kCores]; }
  /// A CPU's store to coherent memory; the copy holds it already.
  void store(DmaAddr addr, uint32_t bytes, const When& when);
  void load(DmaAddr addr, uint32_t bytes, const When& when);
  /// A device's write to coherent memory; the copy holds it already.
  void device_write(DmaAddr addr, uint32_t bytes, base::Picos issued, base::Picos visible);
  /// Coherent memory was freed: rings in it are gone.
  void forget(DmaAddr addr, uint32_t bytes);

  /// Reports a touch of a buffer that the device owns, and returns true.
  bool touch(DmaAddr addr, uint32_t bytes, Touch how, base::Picos at);
  void unmap(DmaAddr addr, uint32_t bytes, base::Picos at);

 private:
  static constexpr unsigned kCores = 64;

  struct Slot {
    DmaAddr buffer = 0;
    uint32_t bytes = 0;
    bool owned = false;     // by its own word
    bool returned = false;  // by the device; the CPU has not passed a load barrier since
    bool seen = false;      // ... but has read the ownership word
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
  struct Ring {
    RingSpec spec;
    unsigned device = 0;
    bool placed = false;
    bool enabled = false;
    State state = State::kOff;
    uint32_t head = 0;  // the device's position
    uint32_t run = 0;   // descriptors from there on that it owns
    uint64_t handed = 0;
    uint64_t handed_at_doorbell = 0;
    std::vector<Slot> slots;

    DmaAddr at(uint32_t index) const { return spec.base + uint64_t{index} * spec.stride; }
    uint32_t wrapped(uint32_t index) const {
      return index < spec.count ? index : index - spec.count;
    }
    uint32_t ahead(uint32_t index) const {
      return index >= head ? index - head : index + spec.count - head;
    }
    bool device_has(uint32_t index) const { return slots[index].owned && ahead(index) < run; }
    bool device_has(uint32_t index, base::Picos at_time) const {
      return device_has(index) || at_time < slots[index].returned_at;
    }
  };
  struct BufferRef {
    uint32_t ring;
    uint32_t index;
  };
  struct Page {
    std::vector<BufferRef> buffers;  // of descriptors marked the device's that point into the page
    // Last store to coherent memory that is no descriptor: TSO headers and the like.
    DmaAddr store_addr = 0;
    uint32_t store_bytes = 0;
    uint64_t store_epoch = 0;
    unsigned store_core = 0;
  };

  Ring* ring_at(DmaAddr addr);
  template <typename F>
  void each_descriptor(Ring& ring, DmaAddr addr, uint32_t bytes, F f);
  void move_ring(Ring& ring, DmaAddr base);
  void place(Ring& ring);
  void start(Ring& ring, const When& when);
  void stop(Ring& ring, base::Picos at);
  void doorbell(Ring& ring, uint32_t value, const When& when);
  uint32_t owner_word(const Ring& ring, uint32_t index);
  bool says_device(const Ring& ring, uint32_t word) const;
  void cpu_store(Ring& ring, uint32_t index, uint32_t from, uint32_t to, const When& when);
  void intruding_store(Ring& ring, uint32_t index, bool to_owner, const When& when);
  void hand_over(Ring& ring, uint32_t index, uint32_t word, const When& when);
  void extend_run(Ring& ring, const When& when);
  void check_order(Ring& ring, uint32_t index, const When& when);
  void check_buffer(Ring& ring, uint32_t index, base::Picos at);
  void remember_buffer(uint32_t ring, uint32_t index, base::Picos at);
  /// The descriptor whose buffer overlaps the range while the device has it.
  const Slot* holder(DmaAddr addr, uint32_t bytes, base::Picos at, const Ring** ring,
                     uint32_t* index, bool reads_only);
  void given_back(Ring& ring, uint32_t index, base::Picos visible);

  FindingLog& log_;
  CoherentBlocks& blocks_;
  DmaTracker& dma_;
  PageTable<Page> pages_;
  std::vector<Ring> rings_;
  std::vector<uint32_t> placed_;  // by address
  std::array<uint64_t, kCores> store_epoch_;
  std::array<uint64_t, kCores> load_epoch_;
};

}  // namespace doorbell::hal::checks
