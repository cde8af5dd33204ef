// The register file of a device: interprets a RegTable for software's reads and writes.
//
// Software side: read() and write() apply the access kinds and then call the device's hooks.
// Hardware side: peek(), poke(), set_bits(), clear_bits() see and change the bits with no side
// effect. Only aligned 4-byte accesses to rows of the table succeed; anything else is a bus error
// with a counter, never an abort. Reset restores reset values and calls no hook. Takes no simulated
// time and allocates only while it is built: look-up is two indices, by the offset's 4 KiB page and
// by the word in it, so sparse maps of many megabytes cost only their used pages. The registers of
// a family share their row's access kinds and hooks; the hook learns which one from `index`.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "models/reg/reg_spec.h"

namespace doorbell::reg {

enum class Status : uint8_t { kOk, kUnmapped, kBadSize };

struct ReadResult {
  Status status = Status::kOk;
  uint32_t value = 0;  ///< 0 unless status is kOk
  bool ok() const { return status == Status::kOk; }
};

/// What a write hook is told. An enable edge is `rising(mask)`.
struct WriteEvent {
  uint32_t offset = 0;
  uint32_t before = 0;   ///< stored value before the write
  uint32_t after = 0;    ///< stored value now, with self-clearing bits still set
  uint32_t written = 0;  ///< what software put on the bus
  uint32_t index = 0;    ///< of the register in its family, else 0

  uint32_t rising(uint32_t mask) const { return after & ~before & mask; }
  uint32_t falling(uint32_t mask) const { return before & ~after & mask; }
  uint32_t changed(uint32_t mask) const { return (before ^ after) & mask; }
};

class RegFile {
 public:
  /// `table` is static data; the file keeps a view of it.
  explicit RegFile(RegTable table);

  /// Software's read. A read hook may supply a live value; bits that clear on read clear
  /// afterwards.
  ReadResult read(uint32_t offset, uint32_t size = 4) {
    const Slot* slot = find(offset, size);
    if (slot == nullptr) return {fail(size, offset), 0};
    uint32_t& stored = values_[place(*slot, offset)];
    uint32_t value = stored;
    if (slot->read_hook != nullptr) {
      value = slot->read_hook(slot->read_context, offset, value) & slot->implemented;
    }
    stored &= ~slot->rc;
    return {Status::kOk, value};
  }

  /// Software's write. The write hook runs on every write, whether or not a bit changed.
  Status write(uint32_t offset, uint32_t size, uint32_t written) {
    const Slot* slot = find(offset, size);
    if (slot == nullptr) return fail(size, offset);
    const uint32_t where = place(*slot, offset);
    uint32_t& stored = values_[where];
    const uint32_t before = stored;
    uint32_t after = (before & ~slot->rw) | (written & slot->rw);
    after = (after | (written & slot->set)) & ~(written & slot->w1c);
    stored = after;
    if (slot->write_hook != nullptr) {
      slot->write_hook(slot->write_context,
                       WriteEvent{offset, before, after, written, where - slot->first});
    }
    stored &= ~slot->self_clearing;
    return Status::kOk;
  }

  /// Calls `(object.*Method)(const WriteEvent&)` after each write to `offset`, which must be
  /// mapped; of a family, after each write to any of its registers.
  template <auto Method, typename T>
  void on_write(uint32_t offset, T& object) {
    Slot& slot = at(offset);
    slot.write_context = &object;
    slot.write_hook = [](void* context, const WriteEvent& event) {
      (static_cast<T*>(context)->*Method)(event);
    };
  }
  /// Reads of `offset` return `(object.*Method)(offset, stored)`. The result is not stored.
  template <auto Method, typename T>
  void on_read(uint32_t offset, T& object) {
    Slot& slot = at(offset);
    slot.read_context = &object;
    slot.read_hook = [](void* context, uint32_t where, uint32_t stored) -> uint32_t {
      return (static_cast<T*>(context)->*Method)(where, stored);
    };
  }

  // Hardware side: `offset` must be mapped.
  uint32_t peek(uint32_t offset) const { return values_[place(at(offset), offset)]; }
  /// Sets the stored value, whatever the access kind; reserved bits stay 0.
  void poke(uint32_t offset, uint32_t value) {
    const Slot& slot = at(offset);
    values_[place(slot, offset)] = value & slot.implemented;
  }
  void set_bits(uint32_t offset, uint32_t bits) {
    const Slot& slot = at(offset);
    values_[place(slot, offset)] |= bits & slot.implemented;
  }
  void clear_bits(uint32_t offset, uint32_t bits) { values_[place(at(offset), offset)] &= ~bits; }

  /// Restores every reset value. Calls no hook, keeps the hooks and the bus-error counters.
  void reset();

  bool mapped(uint32_t offset) const { return row_of(offset) != kNoSlot; }
  const RegTable& table() const { return table_; }
  /// The row at `offset`, or null.
  const RegSpec* spec(uint32_t offset) const {
    const uint16_t row = row_of(offset);
    return row != kNoSlot ? &table_.data[row] : nullptr;
  }
  /// Accesses refused since construction: to holes, and of a wrong size or alignment.
  uint64_t unmapped_accesses() const { return unmapped_; }
  uint64_t bad_size_accesses() const { return bad_size_; }
  uint64_t bus_errors() const { return unmapped_ + bad_size_; }

 private:
  using WriteHook = void (*)(void* context, const WriteEvent& event);
  using ReadHook = uint32_t (*)(void* context, uint32_t offset, uint32_t stored);
  /// What the registers of one row have in common.
  struct Slot {
    uint32_t offset = 0;
    uint32_t shift = 2;  // of the stride
    uint32_t first = 0;  // where its values begin
    uint32_t rw = 0;
    uint32_t set = 0;  ///< w1s and self-clearing
    uint32_t w1c = 0;
    uint32_t self_clearing = 0;
    uint32_t rc = 0;
    uint32_t implemented = 0;
    WriteHook write_hook = nullptr;
    void* write_context = nullptr;
    ReadHook read_hook = nullptr;
    void* read_context = nullptr;
  };
  static constexpr uint16_t kNoSlot = UINT16_MAX;
  static constexpr unsigned kPageShift = 12;
  static constexpr uint32_t kPageWords = (1u << kPageShift) / 4;

  uint16_t row_of(uint32_t offset) const {
    const uint32_t page = offset >> kPageShift;
    if (offset % 4 != 0 || page >= pages_.size()) return kNoSlot;
    return index_[pages_[page] + (offset >> 2) % kPageWords];
  }
  static uint32_t place(const Slot& slot, uint32_t offset) {
    return slot.first + ((offset - slot.offset) >> slot.shift);
  }
  const Slot* find(uint32_t offset, uint32_t size) const {
    if (size != 4) return nullptr;
    const uint16_t row = row_of(offset);
    return row != kNoSlot ? &slots_[row] : nullptr;
  }
  Slot& at(uint32_t offset) {
    assert(mapped(offset));
    return slots_[row_of(offset)];
  }
  const Slot& at(uint32_t offset) const {
    assert(mapped(offset));
    return slots_[row_of(offset)];
  }
  void map(const RegSpec& row, uint16_t number);
  Status fail(uint32_t size, uint32_t offset);

  RegTable table_;
  std::vector<uint32_t> pages_;  // where in index_ a page's words begin; 0: an empty page
  std::vector<uint16_t> index_;  // row of each word
  std::vector<Slot> slots_;      // by row
  std::vector<uint32_t> values_;
  uint64_t unmapped_ = 0;
  uint64_t bad_size_ = 0;
};

}  // namespace doorbell::reg
