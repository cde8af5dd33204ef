// BPF maps: fixed memory, the program's side and the application's side.
//
// All memory is taken when a map is made; look-ups, updates and deletes allocate nothing. Values
// live in numbered slots, so that a value's address stays valid when its key is deleted, as in the
// kernel with preallocated maps. Iteration order is slot order: the same on every machine.
// Modelled: array, per-CPU array, hash, LRU hash (and per-CPU forms), LPM trie, devmap,
// devmap_hash, cpumap, xskmap, prog array. Differences: LRU is exact (the kernel's is approximate);
// an update of a hash writes in place (the kernel swaps in a new element). Errors are negative
// errno as the helpers and the bpf() call return them. Source: Linux 6.12 kernel/bpf/ (behaviour).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "models/base/result.h"

namespace doorbell::stack {
class XskTarget;
}

namespace doorbell::stack::bpf {

/// Numbered as in the kernel's interface.
enum class MapType : uint32_t {
  kHash = 1,
  kArray = 2,
  kProgArray = 3,
  kPercpuHash = 5,
  kPercpuArray = 6,
  kLruHash = 9,
  kLruPercpuHash = 10,
  kLpmTrie = 11,
  kDevmap = 14,
  kCpumap = 16,
  kXskmap = 17,
  kDevmapHash = 25,
};
/// "hash", "array"...; "type 26" for a type that is not modelled.
std::string map_type_name(MapType type);

// Flags of map creation and of updates.
inline constexpr uint32_t kNoPrealloc = 1, kRdonlyProg = 1u << 7, kWronlyProg = 1u << 8,
                          kMmapable = 1u << 10;
inline constexpr uint64_t kUpdateAny = 0, kUpdateNoExist = 1, kUpdateExist = 2;

/// Octets the maps of an object may take in all; more is refused with a message.
inline constexpr uint64_t kMaxMapBytes = 256ull << 20;

struct MapSpec {
  std::string name;
  MapType type = MapType::kArray;
  uint32_t key_size = 0;
  uint32_t value_size = 0;
  uint32_t max_entries = 0;
  uint32_t flags = 0;
  std::vector<uint8_t> initial;  ///< value of element 0 (global data); empty: zeros
};

/// What a slot of a devmap, cpumap or xskmap leads to.
struct MapTarget {
  uint32_t number = 0;          ///< interface index, core, or queue of the socket
  XskTarget* socket = nullptr;  ///< xskmap: the AF_XDP socket
};

class Map {
 public:
  static constexpr uint32_t kNoSlot = 0xFFFFFFFF;

  /// Error: what about `spec` the kernel would not take, or what is not modelled.
  static base::Result<std::unique_ptr<Map>> create(const MapSpec& spec, unsigned cpus);
  /// Octets a map takes, about; saturates.
  static uint64_t bytes_of(const MapSpec& spec, unsigned cpus);
  virtual ~Map() = default;
  Map(const Map&) = delete;
  Map& operator=(const Map&) = delete;

  const MapSpec& spec() const { return spec_; }
  const std::string& name() const { return spec_.name; }
  unsigned cpus() const { return cpus_; }
  bool per_cpu() const { return per_cpu_; }
  /// Entries that are present.
  virtual uint32_t size() const = 0;

  // By slot.
  /// Slot of `key`; kNoSlot when absent. `use` counts as a use for LRU.
  virtual uint32_t find(const uint8_t* key, bool use) = 0;
  /// Slot of `key`, made if absent, and what it takes to write its value; negative errno in
  /// `error`. A new slot's value is zeros on all CPUs.
  virtual uint32_t prepare(const uint8_t* key, uint64_t flags, int& error) = 0;
  virtual int erase(const uint8_t* key) = 0;
  /// The key after `key` in slot order (nullptr: the first); false at the end.
  virtual bool next_key(const uint8_t* key, uint8_t* next) = 0;

  uint8_t* value(uint32_t slot, unsigned cpu = 0) {
    return values_.data() + static_cast<size_t>(element(slot, cpu)) * stride_;
  }
  /// Number of the element that holds a slot's value for `cpu`.
  uint32_t element(uint32_t slot, unsigned cpu) const {
    return per_cpu_ ? cpu * slots_ + slot : slot;
  }
  uint32_t elements() const { return slots_ * copies_; }
  uint32_t stride() const { return stride_; }
  uint8_t* storage() { return values_.data(); }

  // The application's side, as the bpf() call.
  /// Writes `value_size` octets; on a per-CPU map to all CPUs. 0 or negative errno. Maps of targets
  /// are written with set_target() and set_program().
  int update(const uint8_t* key, const uint8_t* value, uint64_t flags = kUpdateAny);
  /// Reads one CPU's value. False when absent.
  bool read(const uint8_t* key, uint8_t* value, unsigned cpu = 0);
  int set_target(uint32_t key, const MapTarget& target, uint64_t flags = kUpdateAny);
  int set_program(uint32_t key, uint32_t program);
  /// Empties the slots that lead to a socket, which is about to close.
  void forget(const XskTarget& socket);
  int remove(const uint8_t* key) { return erase(key); }

  template <typename V, typename K>
  std::optional<V> get(const K& key, unsigned cpu = 0) {
    static_assert(std::is_trivially_copyable_v<K> && std::is_trivially_copyable_v<V>);
    V out{};
    if (sizeof(K) != spec_.key_size || sizeof(V) != spec_.value_size) return std::nullopt;
    if (!read(reinterpret_cast<const uint8_t*>(&key), reinterpret_cast<uint8_t*>(&out), cpu)) {
      return std::nullopt;
    }
    return out;
  }
  /// -EINVAL when the sizes of K and V are not the map's.
  template <typename K, typename V>
  int set(const K& key, const V& value, uint64_t flags = kUpdateAny) {
    static_assert(std::is_trivially_copyable_v<K> && std::is_trivially_copyable_v<V>);
    if (sizeof(K) != spec_.key_size || sizeof(V) != spec_.value_size) return kInvalid;
    return update(reinterpret_cast<const uint8_t*>(&key), reinterpret_cast<const uint8_t*>(&value),
                  flags);
  }
  /// Sum over all CPUs of the 64-bit number a value starts with.
  template <typename K>
  uint64_t sum(const K& key) {
    if (sizeof(K) != spec_.key_size || spec_.value_size < 8) return 0;
    return sum_of(reinterpret_cast<const uint8_t*>(&key));
  }

  // Maps of targets. A slot is empty until it is set.
  bool is_targets() const;
  const MapTarget* target(uint32_t slot) const {
    return slot < targets_.size() && present_[slot] ? &targets_[slot] : nullptr;
  }

 protected:
  static constexpr int kInvalid = -22;
  Map(const MapSpec& spec, unsigned cpus);
  /// Storage for `slots` values on each CPU of a per-CPU map.
  void allocate(uint32_t slots);
  void clear_value(uint32_t slot);
  void set_present(uint32_t slot, bool present) {
    if (slot < present_.size()) present_[slot] = present;
  }

 private:
  uint64_t sum_of(const uint8_t* key);

  MapSpec spec_;
  unsigned cpus_;
  bool per_cpu_;
  uint32_t copies_;
  uint32_t slots_ = 0;
  uint32_t stride_ = 0;
  std::vector<uint8_t> values_;
  std::vector<MapTarget> targets_;
  std::vector<uint8_t> present_;
};

}  // namespace doorbell::stack::bpf
