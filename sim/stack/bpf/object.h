// From an ELF object to code that decode() takes: functions, maps, relocations.
//
// Takes the programs of sections "xdp..." and the functions they reach, lays them out one behind
// the other, and turns each relocation into what the instruction set has for it: maps by index,
// global data as the value of an array map, calls and code addresses relative. CO-RE relocations
// (.BTF.ext) are not applied: the types a program was compiled against are the types there are.
// Unresolved weak externs are 0; a call of one ends a run that reaches it. Errors: one message.
#pragma once

#include <string>
#include <vector>

#include "sim/stack/bpf/btf_maps.h"
#include "sim/stack/bpf/code.h"
#include "sim/stack/bpf/elf_file.h"

namespace doorbell::stack::bpf {

/// Entry of a prog array that the object itself fills.
struct ProgramEntry {
  uint32_t map = 0;
  uint32_t slot = 0;
  uint32_t function = 0;  ///< index in ObjectCode::functions
};

struct ObjectCode {
  std::vector<MapSpec> maps;
  std::vector<RawInsn> insns;
  std::vector<FunctionStart> functions;
  std::vector<ProgramEntry> entries;
  uint32_t program = 0;  ///< the one to run, in functions
  bool gpl = false;
};

/// `program`: the function to run; empty: the first one that no prog array holds.
base::Result<ObjectCode> read_object(const ElfFile& elf, const std::string& program);

}  // namespace doorbell::stack::bpf
