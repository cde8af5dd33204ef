#include <cerrno>
#include <cstring>

#include "sim/stack/bpf/helpers.h"

namespace doorbell::stack::bpf {
namespace {

uint64_t negative(int error) {
  return static_cast<uint64_t>(int64_t{error});
}

unsigned map_index(Addr handle) {
  return element_of(handle);
}

void count_lookup(Vm& vm, const Map& map) {
  Tally& tally = vm.counts();
  switch (map.spec().type) {
    case MapType::kHash:
    case MapType::kPercpuHash:
    case MapType::kLruHash:
    case MapType::kLruPercpuHash:
    case MapType::kDevmapHash:
      ++tally.helpers;
      ++tally.map_hash;
      break;
    case MapType::kLpmTrie:
      ++tally.helpers;
      ++tally.map_lpm;
      break;
    default:
      ++tally.map_array;  // the JIT makes it inline
      break;
  }
}

bool allowed(Vm& vm, const Map& map, const char* helper, bool possible) {
  if (possible) return true;
  vm.fault([&] {
    return std::string(helper) + " on map '" + map.name() + "' (" + map_type_name(map.spec().type) +
           "), which the kernel does not allow";
  });
  return false;
}

uint64_t lookup(Vm& vm, Addr handle, Addr key, unsigned cpu) {
  Map* map = vm.map(handle);
  if (map == nullptr) return 0;
  const MapType type = map->spec().type;
  const bool possible = type != MapType::kProgArray && type != MapType::kCpumap;
  if (!allowed(vm, *map, "bpf_map_lookup_elem", possible)) return 0;
  const uint8_t* bytes = vm.readable(key, map->spec().key_size, "key");
  if (bytes == nullptr) return 0;
  count_lookup(vm, *map);
  const uint32_t slot = map->find(bytes, true);
  if (slot == Map::kNoSlot || (map->is_targets() && map->target(slot) == nullptr)) return 0;
  return make_addr(kFirstMapRegion + map_index(handle), map->element(slot, cpu));
}

bool program_may_write(const Map& map) {
  return !map.is_targets() && (map.spec().flags & kRdonlyProg) == 0;
}

}  // namespace

uint64_t help_map_lookup(Vm& vm, uint64_t handle, uint64_t key, uint64_t, uint64_t, uint64_t) {
  return lookup(vm, handle, key, vm.cpu());
}

uint64_t help_map_lookup_percpu(Vm& vm, uint64_t handle, uint64_t key, uint64_t cpu, uint64_t,
                                uint64_t) {
  Map* map = vm.map(handle);
  if (map == nullptr) return 0;
  if (!allowed(vm, *map, "bpf_map_lookup_percpu_elem", map->per_cpu())) return 0;
  const auto number = static_cast<uint32_t>(cpu);
  return number < map->cpus() ? lookup(vm, handle, key, number) : 0;
}

uint64_t help_map_update(Vm& vm, uint64_t handle, uint64_t key, uint64_t value, uint64_t flags,
                         uint64_t) {
  Map* map = vm.map(handle);
  if (map == nullptr) return 0;
  if (!allowed(vm, *map, "bpf_map_update_elem", program_may_write(*map))) return 0;
  const uint8_t* key_bytes = vm.readable(key, map->spec().key_size, "key");
  if (key_bytes == nullptr) return 0;
  const uint8_t* value_bytes = vm.readable(value, map->spec().value_size, "value");
  if (value_bytes == nullptr) return 0;
  ++vm.counts().map_updates;
  int error = 0;
  const uint32_t slot = map->prepare(key_bytes, flags, error);
  if (slot == Map::kNoSlot) return negative(error);
  // The value may lie in the slot it goes to.
  std::memmove(map->value(slot, map->per_cpu() ? vm.cpu() : 0), value_bytes,
               map->spec().value_size);
  return 0;
}

uint64_t help_map_delete(Vm& vm, uint64_t handle, uint64_t key, uint64_t, uint64_t, uint64_t) {
  Map* map = vm.map(handle);
  if (map == nullptr) return 0;
  if (!allowed(vm, *map, "bpf_map_delete_elem", program_may_write(*map))) return 0;
  const uint8_t* bytes = vm.readable(key, map->spec().key_size, "key");
  if (bytes == nullptr) return 0;
  ++vm.counts().map_updates;
  return negative(map->erase(bytes));
}

// Flags are not used yet: the kernel aborts on any.
uint64_t help_redirect(Vm& vm, uint64_t ifindex, uint64_t flags, uint64_t, uint64_t, uint64_t) {
  constexpr uint64_t kAborted = 0, kRedirect = 4;
  if (flags != 0) return kAborted;
  vm.set_redirect({TargetKind::kPort, static_cast<uint32_t>(ifindex), nullptr});
  return kRedirect;
}

// Without an entry the two low bits of `flags` are the verdict.
uint64_t help_redirect_map(Vm& vm, uint64_t handle, uint64_t key, uint64_t flags, uint64_t,
                           uint64_t) {
  constexpr uint64_t kAborted = 0, kRedirect = 4, kActions = 3, kBroadcast = 8,
                     kExcludeIngress = 16;
  Map* map = vm.map(handle);
  if (map == nullptr) return 0;
  const MapType type = map->spec().type;
  if (!allowed(vm, *map, "bpf_redirect_map", map->is_targets() && type != MapType::kProgArray)) {
    return 0;
  }
  if ((flags & (kBroadcast | kExcludeIngress)) != 0) {
    vm.fault([] {
      return std::string("bpf_redirect_map to all ports (BPF_F_BROADCAST) is not modelled");
    });
    return 0;
  }
  if ((flags & ~kActions) != 0) return kAborted;
  const auto index = static_cast<uint32_t>(key);
  const uint32_t slot = map->find(reinterpret_cast<const uint8_t*>(&index), true);
  const MapTarget* target = slot == Map::kNoSlot ? nullptr : map->target(slot);
  if (target == nullptr) return flags & kActions;
  const TargetKind kind = type == MapType::kXskmap   ? TargetKind::kSocket
                          : type == MapType::kCpumap ? TargetKind::kCpu
                                                     : TargetKind::kPort;
  vm.set_redirect({kind, target->number, target->socket});
  return kRedirect;
}

}  // namespace doorbell::stack::bpf
