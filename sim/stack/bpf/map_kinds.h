// The three ways in which maps find a key: by index, by hash, by longest prefix.
//
// Included by map*.cc only. HashMap: a table of chains over preallocated slots, exact LRU by a
// linked list. LpmMap: one hash table over (length, prefix), asked once for each length in use,
// longest first.
#pragma once

#include <array>

#include "sim/stack/bpf/map.h"

namespace doorbell::stack::bpf {

/// Octets an entry takes besides key and value: links, and its share of the table.
inline constexpr uint64_t kEntryOverhead = 32;

class ArrayMap : public Map {
 public:
  ArrayMap(const MapSpec& spec, unsigned cpus);
  uint32_t size() const override;
  uint32_t find(const uint8_t* key, bool use) override;
  uint32_t prepare(const uint8_t* key, uint64_t flags, int& error) override;
  int erase(const uint8_t* key) override;
  bool next_key(const uint8_t* key, uint8_t* next) override;
};

/// Keys of one size to slots. All memory is taken at construction.
class KeyTable {
 public:
  KeyTable(uint32_t key_size, uint32_t slots);
  uint32_t find(const uint8_t* key) const;
  /// Adds an absent key; kNoSlot when full.
  uint32_t insert(const uint8_t* key);
  void erase(uint32_t slot);
  bool used(uint32_t slot) const { return used_[slot] != 0; }
  const uint8_t* key(uint32_t slot) const { return keys_.data() + size_t{slot} * key_size_; }
  uint32_t size() const { return size_; }
  uint32_t slots() const { return static_cast<uint32_t>(next_.size()); }
  /// First used slot from `slot` on; kNoSlot at the end.
  uint32_t next_used(uint32_t slot) const;

 private:
  uint32_t bucket(const uint8_t* key) const;

  uint32_t key_size_;
  uint32_t mask_;
  std::vector<uint32_t> heads_;
  std::vector<uint32_t> next_;
  std::vector<uint8_t> used_;
  std::vector<uint8_t> keys_;
  std::vector<uint32_t> free_;
  uint32_t size_ = 0;
};

class HashMap : public Map {
 public:
  HashMap(const MapSpec& spec, unsigned cpus);
  uint32_t size() const override { return table_.size(); }
  uint32_t find(const uint8_t* key, bool use) override;
  uint32_t prepare(const uint8_t* key, uint64_t flags, int& error) override;
  int erase(const uint8_t* key) override;
  bool next_key(const uint8_t* key, uint8_t* next) override;

 private:
  void make_newest(uint32_t slot);
  void unlink(uint32_t slot);

  KeyTable table_;
  bool lru_;
  // Doubly linked, newest first; kNoSlot ends it.
  std::vector<uint32_t> newer_;
  std::vector<uint32_t> older_;
  uint32_t newest_ = kNoSlot;
  uint32_t oldest_ = kNoSlot;
};

class LpmMap : public Map {
 public:
  LpmMap(const MapSpec& spec, unsigned cpus);
  uint32_t size() const override { return table_.size(); }
  uint32_t find(const uint8_t* key, bool use) override;
  uint32_t prepare(const uint8_t* key, uint64_t flags, int& error) override;
  int erase(const uint8_t* key) override;
  bool next_key(const uint8_t* key, uint8_t* next) override;

 private:
  /// Copies `key` with `length` and zeros behind its prefix into scratch_.
  const uint8_t* masked(const uint8_t* key, uint32_t length);

  uint32_t max_length_;
  KeyTable table_;
  std::vector<uint32_t> with_length_;  // entries by prefix length
  std::vector<uint8_t> scratch_;
};

}  // namespace doorbell::stack::bpf
