// The four rings of an AF_XDP socket: mapped memory, the kernel's end and the application's end.
//
// Producer and consumer indices run freely in 32 bits over a power of two of entries; each end
// keeps copies of both and looks at the other's index only when its copy leaves it nothing to do.
// Indices, flags and entries live in simulated memory at the offsets of abi.h, so the lines move
// between the cores that use them and pay for it (hal::Dma::touch). An end costs nothing else:
// instructions are charged by whoever works with it. Source: Linux 6.12 net/xdp/xsk_queue.h, libxdp
// xsk.h (behaviour).
#pragma once

#include <cassert>
#include <cstdint>

#include "models/base/bytes.h"
#include "sim/hal/hal.h"
#include "sim/hal/process.h"
#include "sim/stack/xsk/abi.h"

namespace doorbell::stack::xsk {

enum class RingKind : uint8_t { kFill, kCompletion, kRx, kTx };

/// What mmap() shows of a ring.
class RingMemory {
 public:
  /// `entries`: a power of two. valid() is false when memory is exhausted.
  RingMemory(hal::Dma& dma, hal::SharedMemory& memory, RingKind kind, uint32_t entries);
  ~RingMemory();
  RingMemory(const RingMemory&) = delete;
  RingMemory& operator=(const RingMemory&) = delete;

  bool valid() const { return base_ != nullptr; }
  RingKind kind() const { return kind_; }
  uint32_t entries() const { return entries_; }
  uint32_t bytes() const { return bytes_; }
  uint8_t* base() const { return base_; }

  // Loads and stores of the words, paid for.
  uint32_t producer() const { return load(kProducerOffset); }
  uint32_t consumer() const { return load(kConsumerOffset); }
  uint32_t flags() const { return load(kFlagsOffset); }
  void set_producer(uint32_t index) { store(kProducerOffset, index); }
  void set_consumer(uint32_t index) { store(kConsumerOffset, index); }
  void set_flags(uint32_t value) { store(kFlagsOffset, value); }

  /// Pays for the lines of `count` entries from `index` on; then the entries can be used.
  void touch(uint32_t index, uint32_t count, hal::Touch how) const;
  // Entries, without cost. Indices are free-running.
  Desc desc(uint32_t index) const;
  void set_desc(uint32_t index, const Desc& desc);
  uint64_t addr(uint32_t index) const { return base::load_le<uint64_t>(entry(index)); }
  void set_addr(uint32_t index, uint64_t value) { base::store_le(entry(index), value); }

  // The words as they are, without cost: for accounts and tests.
  uint32_t peek(uint32_t offset) const { return base::load_le<uint32_t>(base_ + offset); }

 private:
  uint8_t* entry(uint32_t index) const {
    return base_ + kEntriesOffset + (index & (entries_ - 1)) * entry_bytes_;
  }
  uint32_t load(uint32_t offset) const;
  void store(uint32_t offset, uint32_t value);

  hal::Dma& dma_;
  hal::SharedMemory& memory_;
  RingKind kind_;
  uint32_t entries_;
  uint32_t entry_bytes_;
  uint32_t bytes_;
  uint8_t* base_;
};

/// The kernel's end. Consumer of fill and Tx rings, producer of completion and Rx rings.
class Queue {
 public:
  Queue(hal::Dma& dma, hal::SharedMemory& memory, RingKind kind, uint32_t entries)
      : ring(dma, memory, kind, entries) {}

  // Consumer. Entries taken are the ring's until release().
  /// How many entries are there to take, at most `max`.
  uint32_t available(uint32_t max);
  /// Index of the next entry to take; valid while available(1) is.
  uint32_t next() const { return cached_consumer; }
  void take(uint32_t count) { cached_consumer += count; }
  void untake(uint32_t count) { cached_consumer -= count; }
  /// Gives what was taken back to the application.
  void release();
  /// Entries that the application has put there and that are not taken, by its index itself.
  uint32_t waiting() const { return ring.producer() - ring.consumer(); }

  // Producer. Entries reserved are the kernel's until submit().
  /// How many entries are free, at most `max`.
  uint32_t free_entries(uint32_t max);
  /// Writes an address into a free entry.
  bool reserve_addr(uint64_t addr);
  bool reserve_desc(const Desc& desc);
  void unreserve(uint32_t count) { cached_producer -= count; }
  /// Shows everything reserved to the application.
  void submit() { ring.set_producer(cached_producer); }
  /// Shows the next `count` reserved entries, whatever is in them.
  void submit(uint32_t count) { ring.set_producer(ring.producer() + count); }
  bool empty() const { return ring.consumer() == ring.producer(); }

  RingMemory ring;
  uint32_t cached_producer = 0;
  uint32_t cached_consumer = 0;
  uint64_t invalid_descs = 0;
  uint64_t empty_descs = 0;
};

/// The application's end of a ring that it fills (fill, Tx).
class UserProducer {
 public:
  explicit UserProducer(RingMemory& ring) : ring_(ring), free_from_(ring.entries()) {}
  /// `count` entries or none; `index` is the first one's. Pays for their lines.
  bool reserve(uint32_t count, uint32_t& index);
  /// Entries free now, at least `count` if that is known without a look at the kernel's index.
  uint32_t free_entries(uint32_t count);
  void set_addr(uint32_t index, uint64_t addr) { ring_.set_addr(index, addr); }
  void set_desc(uint32_t index, const Desc& desc) { ring_.set_desc(index, desc); }
  void submit(uint32_t count) {
    published_ += count;
    ring_.set_producer(published_);
  }
  bool needs_wakeup() const { return (ring_.flags() & kRingNeedWakeup) != 0; }

 private:
  RingMemory& ring_;
  uint32_t reserved_ = 0;   // index after the last reserved entry
  uint32_t published_ = 0;  // what the kernel sees
  uint32_t free_from_;      // consumer index, as seen last, plus entries
};

/// The application's end of a ring that it empties (completion, Rx).
class UserConsumer {
 public:
  explicit UserConsumer(RingMemory& ring) : ring_(ring) {}
  /// Takes up to `max` entries; `index` is the first one's.
  uint32_t peek(uint32_t max, uint32_t& index);
  /// Pays for the lines of entries, before they are read.
  void touch(uint32_t index, uint32_t count) const { ring_.touch(index, count, hal::Touch::kRead); }
  uint64_t addr(uint32_t index) const { return ring_.addr(index); }
  Desc desc(uint32_t index) const { return ring_.desc(index); }
  void cancel(uint32_t count) { taken_ -= count; }
  void release(uint32_t count) {
    released_ += count;
    ring_.set_consumer(released_);
  }

 private:
  RingMemory& ring_;
  uint32_t taken_ = 0;
  uint32_t released_ = 0;
  uint32_t produced_ = 0;  // producer index, as seen last
};

}  // namespace doorbell::stack::xsk
