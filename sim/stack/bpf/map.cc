#include "sim/stack/bpf/map.h"

#include <algorithm>
#include <cstring>

#include "sim/stack/bpf/map_kinds.h"
#include "sim/stack/bpf/memory.h"

namespace doorbell::stack::bpf {
namespace {

struct TypeInfo {
  MapType type;
  const char* name;
};
constexpr TypeInfo kTypes[] = {
    {MapType::kHash, "hash"},
    {MapType::kArray, "array"},
    {MapType::kProgArray, "prog_array"},
    {MapType::kPercpuHash, "percpu_hash"},
    {MapType::kPercpuArray, "percpu_array"},
    {MapType::kLruHash, "lru_hash"},
    {MapType::kLruPercpuHash, "lru_percpu_hash"},
    {MapType::kLpmTrie, "lpm_trie"},
    {MapType::kDevmap, "devmap"},
    {MapType::kCpumap, "cpumap"},
    {MapType::kXskmap, "xskmap"},
    {MapType::kDevmapHash, "devmap_hash"},
};

bool is_known(MapType type) {
  return std::any_of(std::begin(kTypes), std::end(kTypes),
                     [type](const TypeInfo& t) { return t.type == type; });
}

bool is_per_cpu(MapType type) {
  return type == MapType::kPercpuArray || type == MapType::kPercpuHash ||
         type == MapType::kLruPercpuHash;
}

bool is_array_like(MapType type) {
  return type == MapType::kArray || type == MapType::kPercpuArray || type == MapType::kProgArray ||
         type == MapType::kDevmap || type == MapType::kCpumap || type == MapType::kXskmap;
}

bool is_target_map(MapType type) {
  return type == MapType::kDevmap || type == MapType::kDevmapHash || type == MapType::kCpumap ||
         type == MapType::kXskmap || type == MapType::kProgArray;
}

std::string check_sizes(const MapSpec& spec) {
  const MapType type = spec.type;
  if (spec.max_entries == 0) return "max_entries is 0";
  if (spec.key_size == 0 || spec.key_size > 512) {
    return "key_size is " + std::to_string(spec.key_size) + "; allowed: 1 to 512";
  }
  if (spec.value_size == 0 || spec.value_size > kMaxElementBytes) {
    return "value_size is " + std::to_string(spec.value_size) + "; allowed: 1 to " +
           std::to_string(kMaxElementBytes);
  }
  if ((is_array_like(type) || type == MapType::kDevmapHash) && spec.key_size != 4) {
    return "key_size is " + std::to_string(spec.key_size) + "; this type has keys of 4 octets";
  }
  if (type == MapType::kXskmap || type == MapType::kProgArray) {
    if (spec.value_size != 4) return "value_size is not 4";
  } else if (is_target_map(type) && spec.value_size != 4 && spec.value_size != 8) {
    return "value_size is neither 4 nor 8";
  }
  if (type == MapType::kLpmTrie && (spec.key_size < 5 || spec.key_size > 4 + 256)) {
    return "key_size is " + std::to_string(spec.key_size) +
           "; an LPM key is a 32-bit prefix length and 1 to 256 octets";
  }
  return {};
}

std::string check_flags(const MapSpec& spec) {
  uint32_t allowed = kRdonlyProg | kWronlyProg;
  switch (spec.type) {
    case MapType::kHash:
    case MapType::kPercpuHash:
      allowed |= kNoPrealloc;
      break;
    case MapType::kLpmTrie:
      if ((spec.flags & kNoPrealloc) == 0) return "an LPM trie needs flag BPF_F_NO_PREALLOC";
      allowed |= kNoPrealloc;
      break;
    case MapType::kArray:
      allowed |= kMmapable;
      break;
    default:
      break;
  }
  if ((spec.flags & ~allowed) != 0) {
    return "map_flags " + std::to_string(spec.flags) + " has flags that are not modelled";
  }
  return {};
}

}  // namespace

std::string map_type_name(MapType type) {
  for (const TypeInfo& t : kTypes) {
    if (t.type == type) return t.name;
  }
  return "type " + std::to_string(static_cast<uint32_t>(type));
}

Map::Map(const MapSpec& spec, unsigned cpus)
    : spec_(spec), cpus_(cpus), per_cpu_(is_per_cpu(spec.type)), copies_(per_cpu_ ? cpus : 1) {}

bool Map::is_targets() const {
  return is_target_map(spec_.type);
}

void Map::allocate(uint32_t slots) {
  slots_ = slots;
  stride_ = (spec_.value_size + 7) & ~7u;
  values_.assign(static_cast<size_t>(slots_) * copies_ * stride_, 0);
  if (is_targets()) {
    targets_.resize(slots_);
    present_.resize(slots_);
  }
  if (!spec_.initial.empty() && slots_ > 0) {
    const size_t bytes = std::min<size_t>(spec_.initial.size(), spec_.value_size);
    std::memcpy(values_.data(), spec_.initial.data(), bytes);
  }
}

void Map::clear_value(uint32_t slot) {
  for (unsigned cpu = 0; cpu < copies_; ++cpu) std::memset(value(slot, cpu), 0, stride_);
}

uint64_t Map::bytes_of(const MapSpec& spec, unsigned cpus) {
  const uint64_t copies = is_per_cpu(spec.type) ? cpus : 1;
  constexpr uint64_t kTooMuch = uint64_t{1} << 40;
  const uint64_t entry = (uint64_t{spec.value_size} + 7) * copies + spec.key_size + kEntryOverhead;
  return entry > kMaxMapBytes ? kTooMuch : std::min(entry * spec.max_entries, kTooMuch);
}

base::Result<std::unique_ptr<Map>> Map::create(const MapSpec& spec, unsigned cpus) {
  const auto refuse = [&spec](const std::string& why) {
    return base::Error{"map '" + spec.name + "' (" + map_type_name(spec.type) + "): " + why};
  };
  if (!is_known(spec.type)) {
    std::string known;
    for (const TypeInfo& t : kTypes) known += std::string(known.empty() ? "" : ", ") + t.name;
    return refuse("this type is not modelled; allowed: " + known);
  }
  for (const std::string& why : {check_sizes(spec), check_flags(spec)}) {
    if (!why.empty()) return refuse(why);
  }
  if (bytes_of(spec, cpus) > kMaxMapBytes) {
    return refuse("takes more than " + std::to_string(kMaxMapBytes >> 20) + " MiB");
  }
  if (spec.type == MapType::kLpmTrie) return std::unique_ptr<Map>(new LpmMap(spec, cpus));
  if (is_array_like(spec.type)) return std::unique_ptr<Map>(new ArrayMap(spec, cpus));
  return std::unique_ptr<Map>(new HashMap(spec, cpus));
}

int Map::update(const uint8_t* key, const uint8_t* value_bytes, uint64_t flags) {
  if (is_targets()) return kInvalid;
  int error = 0;
  const uint32_t slot = prepare(key, flags, error);
  if (slot == kNoSlot) return error;
  for (unsigned cpu = 0; cpu < copies_; ++cpu) {
    std::memcpy(value(slot, cpu), value_bytes, spec_.value_size);
  }
  return 0;
}

bool Map::read(const uint8_t* key, uint8_t* value_bytes, unsigned cpu) {
  if (per_cpu_ && cpu >= cpus_) return false;
  const uint32_t slot = find(key, false);
  if (slot == kNoSlot || (is_targets() && target(slot) == nullptr)) return false;
  std::memcpy(value_bytes, value(slot, cpu), spec_.value_size);
  return true;
}

int Map::set_target(uint32_t key, const MapTarget& target, uint64_t flags) {
  if (!is_targets() || spec_.type == MapType::kProgArray) return kInvalid;
  int error = 0;
  const uint32_t slot = prepare(reinterpret_cast<const uint8_t*>(&key), flags, error);
  if (slot == kNoSlot) return error;
  targets_[slot] = target;
  present_[slot] = 1;
  std::memcpy(value(slot), &target.number, sizeof target.number);
  return 0;
}

int Map::set_program(uint32_t key, uint32_t program) {
  if (spec_.type != MapType::kProgArray) return kInvalid;
  if (key >= spec_.max_entries) return -7;  // E2BIG
  targets_[key].number = program;
  present_[key] = 1;
  return 0;
}

void Map::forget(const XskTarget& socket) {
  for (size_t slot = 0; slot < targets_.size(); ++slot) {
    if (targets_[slot].socket != &socket) continue;
    targets_[slot] = {};
    present_[slot] = 0;
  }
}

uint64_t Map::sum_of(const uint8_t* key) {
  const uint32_t slot = find(key, false);
  if (slot == kNoSlot) return 0;
  uint64_t sum = 0;
  for (unsigned cpu = 0; cpu < copies_; ++cpu) {
    uint64_t part = 0;
    std::memcpy(&part, value(slot, cpu), sizeof part);
    sum += part;
  }
  return sum;
}

}  // namespace doorbell::stack::bpf
