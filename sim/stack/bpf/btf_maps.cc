#include "sim/stack/bpf/btf_maps.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <elf.h>

#include <algorithm>

namespace doorbell::stack::bpf {
namespace {

struct BtfCloser {
  void operator()(btf* b) const { btf__free(b); }
};
using BtfPtr = std::unique_ptr<btf, BtfCloser>;

class MapReader {
 public:
  MapReader(const ElfFile& elf, const btf* types, uint32_t section)
      : elf_(elf), types_(types), section_(section) {}

  std::string read_all(std::vector<MapDefinition>& out) {
    const uint32_t count = btf__type_cnt(types_);
    for (uint32_t id = 1; id < count; ++id) {
      const btf_type* t = btf__type_by_id(types_, id);
      if (t == nullptr || !btf_is_datasec(t) || name_of(t->name_off) != ".maps") continue;
      const btf_var_secinfo* vars = btf_var_secinfos(t);
      for (unsigned i = 0; i < btf_vlen(t); ++i) {
        MapDefinition map;
        std::string error = read_map(vars[i].type, map);
        if (!error.empty()) return error;
        out.push_back(std::move(map));
      }
    }
    return {};
  }

 private:
  std::string name_of(uint32_t offset) const {
    const char* name = btf__name_by_offset(types_, offset);
    return name == nullptr ? "" : name;
  }

  // Through typedefs and qualifiers; nullptr when there is no such type.
  const btf_type* skip_modifiers(uint32_t id) const {
    for (int depth = 0; depth < 32; ++depth) {
      const btf_type* t = btf__type_by_id(types_, id);
      if (t == nullptr || !(btf_is_mod(t) || btf_is_typedef(t))) return t;
      id = t->type;
    }
    return nullptr;
  }

  std::string read_map(uint32_t var_id, MapDefinition& map) {
    const btf_type* var = btf__type_by_id(types_, var_id);
    if (var == nullptr || !btf_is_var(var)) return "section '.maps' has a broken type";
    map.spec.name = name_of(var->name_off);
    const std::string who = "map '" + map.spec.name + "': ";
    const auto symbol =
        std::find_if(elf_.symbols().begin(), elf_.symbols().end(), [&](const ElfSymbol& s) {
          return s.section == section_ && s.name == map.spec.name && s.type == STT_OBJECT;
        });
    if (map.spec.name.empty() || symbol == elf_.symbols().end()) {
      return who + "there is no such symbol in section '.maps'";
    }
    map.offset = symbol->value;
    map.size = symbol->size;
    const btf_type* definition = skip_modifiers(var->type);
    if (definition == nullptr || !btf_is_struct(definition)) return who + "it is no struct";
    map.spec.type = static_cast<MapType>(0);
    const btf_member* members = btf_members(definition);
    for (unsigned i = 0; i < btf_vlen(definition); ++i) {
      const std::string error = read_member(members[i], map);
      if (!error.empty()) return who + error;
    }
    if (map.spec.type == static_cast<MapType>(0)) return who + "member 'type' is missing";
    return complete(map);
  }

  // What libbpf leaves to be guessed: targets have 32-bit keys and values.
  std::string complete(MapDefinition& map) {
    const MapType type = map.spec.type;
    const bool targets = type == MapType::kDevmap || type == MapType::kDevmapHash ||
                         type == MapType::kCpumap || type == MapType::kXskmap ||
                         type == MapType::kProgArray;
    if (targets && map.spec.key_size == 0) map.spec.key_size = 4;
    if (targets && map.spec.value_size == 0) map.spec.value_size = 4;
    return {};
  }

  std::string read_member(const btf_member& member, MapDefinition& map) {
    const std::string name = name_of(member.name_off);
    MapSpec& spec = map.spec;
    uint32_t number = 0;
    if (name == "type") {
      if (!read_number(member, number)) return broken(name);
      spec.type = static_cast<MapType>(number);
      return {};
    }
    if (name == "max_entries") return read_number(member, spec.max_entries) ? "" : broken(name);
    if (name == "map_flags") return read_number(member, spec.flags) ? "" : broken(name);
    if (name == "key_size") return read_number(member, spec.key_size) ? "" : broken(name);
    if (name == "value_size") return read_number(member, spec.value_size) ? "" : broken(name);
    if (name == "key") return read_size(member, spec.key_size) ? "" : broken(name);
    if (name == "value") return read_size(member, spec.value_size) ? "" : broken(name);
    if (name == "pinning" || name == "numa_node") {  // nothing to share it with, one node
      return read_number(member, number) ? "" : broken(name);
    }
    if (name == "values") {
      if (spec.type != MapType::kProgArray) {
        return "member 'values' is for prog arrays; maps in maps are not modelled";
      }
      map.values_offset = member.offset / 8;
      return {};
    }
    return "member '" + name +
           "' is unknown; allowed: type, key, key_size, value, value_size, max_entries, map_flags, "
           "values, pinning, numa_node";
  }

  static std::string broken(const std::string& member) {
    return "member '" + member + "' has not the type that bpf_helpers.h gives it";
  }

  // __uint(name, n): a pointer to an array of n.
  bool read_number(const btf_member& member, uint32_t& out) const {
    const btf_type* pointer = skip_modifiers(member.type);
    if (pointer == nullptr || !btf_is_ptr(pointer)) return false;
    const btf_type* array = skip_modifiers(pointer->type);
    if (array == nullptr || !btf_is_array(array)) return false;
    out = btf_array(array)->nelems;
    return true;
  }

  // __type(name, T): a pointer to T.
  bool read_size(const btf_member& member, uint32_t& out) const {
    const btf_type* pointer = skip_modifiers(member.type);
    if (pointer == nullptr || !btf_is_ptr(pointer)) return false;
    const int64_t size = btf__resolve_size(types_, pointer->type);
    if (size <= 0 || size > 0x7FFFFFFF) return false;
    out = static_cast<uint32_t>(size);
    return true;
  }

  const ElfFile& elf_;
  const btf* types_;
  uint32_t section_;
};

}  // namespace

base::Result<std::vector<MapDefinition>> read_btf_maps(const ElfFile& elf) {
  static const bool kQuiet = (libbpf_set_print(nullptr), true);
  std::vector<MapDefinition> maps;
  const uint32_t section = elf.find(".maps");
  if (section == 0 || !kQuiet) return maps;
  const uint32_t btf_section = elf.find(".BTF");
  if (btf_section == 0) {
    return base::Error{"section '.maps' needs type information (.BTF); compile with -g"};
  }
  const base::ByteView data = elf.sections()[btf_section].data;
  const BtfPtr types(btf__new(data.data, static_cast<uint32_t>(data.size)));
  if (types == nullptr) return base::Error{"the type information (.BTF) is broken"};
  const std::string error = MapReader(elf, types.get(), section).read_all(maps);
  if (!error.empty()) return base::Error{error};
  return maps;
}

}  // namespace doorbell::stack::bpf
