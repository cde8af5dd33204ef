#include "sim/stack/bpf/map_kinds.h"

#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "models/base/bytes.h"

namespace doorbell::stack::bpf {
namespace {

uint32_t table_size(uint32_t slots) {
  uint32_t size = 1;
  while (size < slots && size < (1u << 30)) size <<= 1;
  return size;
}

}  // namespace

// ---- by index

ArrayMap::ArrayMap(const MapSpec& spec, unsigned cpus) : Map(spec, cpus) {
  allocate(spec.max_entries);
}

uint32_t ArrayMap::size() const {
  if (!is_targets()) return spec().max_entries;
  uint32_t n = 0;
  for (uint32_t i = 0; i < spec().max_entries; ++i) n += target(i) != nullptr ? 1 : 0;
  return n;
}

uint32_t ArrayMap::find(const uint8_t* key, bool) {
  const auto index = base::load_le<uint32_t>(key);
  return index < spec().max_entries ? index : kNoSlot;
}

uint32_t ArrayMap::prepare(const uint8_t* key, uint64_t flags, int& error) {
  const auto index = base::load_le<uint32_t>(key);
  error = flags > kUpdateExist          ? -EINVAL
          : index >= spec().max_entries ? -E2BIG
          : flags == kUpdateNoExist     ? -EEXIST
                                        : 0;
  return error == 0 ? index : kNoSlot;
}

int ArrayMap::erase(const uint8_t* key) {
  const auto index = base::load_le<uint32_t>(key);
  if (!is_targets()) return -EINVAL;
  if (index >= spec().max_entries) return -EINVAL;
  if (target(index) == nullptr) return -ENOENT;
  set_present(index, false);
  return 0;
}

bool ArrayMap::next_key(const uint8_t* key, uint8_t* next) {
  uint32_t index = 0;
  if (key != nullptr) {
    const auto at = base::load_le<uint32_t>(key);
    index = at < spec().max_entries ? at + 1 : 0;
  }
  if (index >= spec().max_entries) return false;
  base::store_le(next, index);
  return true;
}

// ---- by hash

KeyTable::KeyTable(uint32_t key_size, uint32_t slots)
    : key_size_(key_size),
      mask_(table_size(slots) - 1),
      heads_(mask_ + 1, Map::kNoSlot),
      next_(slots, Map::kNoSlot),
      used_(slots, 0),
      keys_(size_t{slots} * key_size) {
  free_.reserve(slots);
  for (uint32_t i = slots; i > 0; --i) free_.push_back(i - 1);
}

uint32_t KeyTable::bucket(const uint8_t* key) const {
  return static_cast<uint32_t>(XXH3_64bits(key, key_size_)) & mask_;
}

uint32_t KeyTable::find(const uint8_t* key) const {
  uint32_t slot = heads_[bucket(key)];
  while (slot != Map::kNoSlot && std::memcmp(this->key(slot), key, key_size_) != 0) {
    slot = next_[slot];
  }
  return slot;
}

uint32_t KeyTable::insert(const uint8_t* key) {
  if (free_.empty()) return Map::kNoSlot;
  const uint32_t slot = free_.back();
  free_.pop_back();
  std::memcpy(keys_.data() + size_t{slot} * key_size_, key, key_size_);
  uint32_t& head = heads_[bucket(key)];
  next_[slot] = head;
  head = slot;
  used_[slot] = 1;
  ++size_;
  return slot;
}

void KeyTable::erase(uint32_t slot) {
  uint32_t* link = &heads_[bucket(key(slot))];
  while (*link != slot) link = &next_[*link];
  *link = next_[slot];
  used_[slot] = 0;
  free_.push_back(slot);
  --size_;
}

uint32_t KeyTable::next_used(uint32_t slot) const {
  while (slot < slots() && !used(slot)) ++slot;
  return slot < slots() ? slot : Map::kNoSlot;
}

namespace {

// The key behind `key` in slot order; from the start when `key` is gone, as the kernel does.
bool next_in_table(const KeyTable& table, uint32_t at, uint32_t key_size, uint8_t* next) {
  const uint32_t slot = table.next_used(at == Map::kNoSlot ? 0 : at + 1);
  if (slot == Map::kNoSlot) return false;
  std::memcpy(next, table.key(slot), key_size);
  return true;
}

// What flags forbid about a key that is there or not.
int flag_error(bool present, uint64_t flags) {
  if (flags > kUpdateExist) return -EINVAL;
  if (present && flags == kUpdateNoExist) return -EEXIST;
  if (!present && flags == kUpdateExist) return -ENOENT;
  return 0;
}

}  // namespace

HashMap::HashMap(const MapSpec& spec, unsigned cpus)
    : Map(spec, cpus),
      table_(spec.key_size, spec.max_entries),
      lru_(spec.type == MapType::kLruHash || spec.type == MapType::kLruPercpuHash) {
  allocate(spec.max_entries);
  if (lru_) {
    newer_.assign(spec.max_entries, kNoSlot);
    older_.assign(spec.max_entries, kNoSlot);
  }
}

void HashMap::unlink(uint32_t slot) {
  const uint32_t newer = newer_[slot];
  const uint32_t older = older_[slot];
  (newer == kNoSlot ? newest_ : older_[newer]) = older;
  (older == kNoSlot ? oldest_ : newer_[older]) = newer;
}

void HashMap::make_newest(uint32_t slot) {
  newer_[slot] = kNoSlot;
  older_[slot] = newest_;
  (newest_ == kNoSlot ? oldest_ : newer_[newest_]) = slot;
  newest_ = slot;
}

uint32_t HashMap::find(const uint8_t* key, bool use) {
  const uint32_t slot = table_.find(key);
  if (lru_ && use && slot != kNoSlot) {
    unlink(slot);
    make_newest(slot);
  }
  return slot;
}

uint32_t HashMap::prepare(const uint8_t* key, uint64_t flags, int& error) {
  uint32_t slot = table_.find(key);
  error = flag_error(slot != kNoSlot, flags);
  if (error != 0) return kNoSlot;
  if (slot != kNoSlot) {
    if (lru_) {
      unlink(slot);
      make_newest(slot);
    }
    return slot;
  }
  slot = table_.insert(key);
  if (slot == kNoSlot && lru_) {
    const uint32_t victim = oldest_;
    unlink(victim);
    table_.erase(victim);
    slot = table_.insert(key);
  }
  if (slot == kNoSlot) {
    error = -E2BIG;
    return kNoSlot;
  }
  if (lru_) make_newest(slot);
  clear_value(slot);
  return slot;
}

int HashMap::erase(const uint8_t* key) {
  const uint32_t slot = table_.find(key);
  if (slot == kNoSlot) return -ENOENT;
  if (lru_) unlink(slot);
  table_.erase(slot);
  set_present(slot, false);
  return 0;
}

bool HashMap::next_key(const uint8_t* key, uint8_t* next) {
  return next_in_table(table_, key != nullptr ? table_.find(key) : kNoSlot, spec().key_size, next);
}

// ---- by longest prefix

LpmMap::LpmMap(const MapSpec& spec, unsigned cpus)
    : Map(spec, cpus),
      max_length_((spec.key_size - 4) * 8),
      table_(spec.key_size, spec.max_entries),
      with_length_(max_length_ + 1, 0),
      scratch_(spec.key_size) {
  allocate(spec.max_entries);
}

const uint8_t* LpmMap::masked(const uint8_t* key, uint32_t length) {
  base::store_le(scratch_.data(), length);
  const uint32_t whole = length / 8;
  std::memcpy(scratch_.data() + 4, key + 4, whole);
  std::fill(scratch_.begin() + 4 + whole, scratch_.end(), uint8_t{0});
  if (const uint32_t rest = length % 8; rest != 0) {
    scratch_[4 + whole] = static_cast<uint8_t>(key[4 + whole] & (0xFF00u >> rest));
  }
  return scratch_.data();
}

uint32_t LpmMap::find(const uint8_t* key, bool) {
  const uint32_t longest = std::min(base::load_le<uint32_t>(key), max_length_);
  for (uint32_t length = longest + 1; length-- > 0;) {
    if (with_length_[length] == 0) continue;
    const uint32_t slot = table_.find(masked(key, length));
    if (slot != kNoSlot) return slot;
  }
  return kNoSlot;
}

uint32_t LpmMap::prepare(const uint8_t* key, uint64_t flags, int& error) {
  const auto length = base::load_le<uint32_t>(key);
  error = length > max_length_ ? -EINVAL : 0;
  if (error != 0) return kNoSlot;
  const uint8_t* exact = masked(key, length);
  uint32_t slot = table_.find(exact);
  error = flag_error(slot != kNoSlot, flags);
  if (error != 0) return kNoSlot;
  if (slot != kNoSlot) return slot;
  slot = table_.insert(exact);
  if (slot == kNoSlot) {
    error = -ENOSPC;
    return kNoSlot;
  }
  ++with_length_[length];
  clear_value(slot);
  return slot;
}

int LpmMap::erase(const uint8_t* key) {
  const auto length = base::load_le<uint32_t>(key);
  if (length > max_length_) return -EINVAL;
  const uint32_t slot = table_.find(masked(key, length));
  if (slot == kNoSlot) return -ENOENT;
  table_.erase(slot);
  --with_length_[length];
  return 0;
}

bool LpmMap::next_key(const uint8_t* key, uint8_t* next) {
  uint32_t at = kNoSlot;
  if (key != nullptr) {
    const auto length = std::min(base::load_le<uint32_t>(key), max_length_);
    at = table_.find(masked(key, length));
  }
  return next_in_table(table_, at, spec().key_size, next);
}

}  // namespace doorbell::stack::bpf
