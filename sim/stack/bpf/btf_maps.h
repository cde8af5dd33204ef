// Map definitions from BTF: the variables of section ".maps".
//
// libbpf parses and checks the type information; it is told to print nothing. Each variable is a
// struct whose members' types carry the numbers, as the macros __uint, __type and __array of
// bpf_helpers.h make them. Source: libbpf's documentation of BTF-defined maps (facts).
#pragma once

#include <string>
#include <vector>

#include "sim/stack/bpf/elf_file.h"
#include "sim/stack/bpf/map.h"

namespace doorbell::stack::bpf {

struct MapDefinition {
  MapSpec spec;
  uint64_t offset = 0;         ///< in section ".maps"
  uint64_t size = 0;           ///< of the variable
  uint64_t values_offset = 0;  ///< of member `values` in it, 0: none
};

/// The maps of an object; none when it has no section ".maps".
base::Result<std::vector<MapDefinition>> read_btf_maps(const ElfFile& elf);

}  // namespace doorbell::stack::bpf
