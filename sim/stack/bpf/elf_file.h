// An ELF object for BPF, taken apart into sections, symbols and relocations.
//
// libelf finds the sections; what is in them is read here, octet by octet within their bounds, so
// that a broken file gives a message. 64-bit, little endian, relocatable, machine BPF. Copies the
// file. Source: System V gABI; llvm's docs on BPF relocations (facts).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/base/bytes.h"
#include "models/base/result.h"

namespace doorbell::stack::bpf {

struct ElfSection {
  std::string name;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint32_t link = 0;
  uint32_t info = 0;
  uint64_t size = 0;    ///< in memory
  base::ByteView data;  ///< empty for a section without contents (.bss)
};

struct ElfSymbol {
  std::string name;
  uint64_t value = 0;
  uint64_t size = 0;
  uint8_t type = 0;
  uint8_t bind = 0;
  uint16_t section = 0;  ///< index, 0: undefined
};

struct ElfRelocation {
  uint64_t offset = 0;
  uint32_t type = 0;
  uint32_t symbol = 0;
};

class ElfFile {
 public:
  static base::Result<std::unique_ptr<ElfFile>> read(base::ByteView file);

  const std::vector<ElfSection>& sections() const { return sections_; }
  const std::vector<ElfSymbol>& symbols() const { return symbols_; }
  /// Index of a section by name; 0 when there is none.
  uint32_t find(const std::string& name) const;
  /// The relocations of a section, in file order.
  base::Result<std::vector<ElfRelocation>> relocations(uint32_t section) const;

 private:
  std::string open(base::ByteView file);
  std::string read_sections(void* elf, size_t names);
  std::string read_symbols(void* elf);

  std::vector<uint64_t> copy_;  // of the file, aligned for libelf
  size_t file_size_ = 0;
  std::vector<ElfSection> sections_;
  std::vector<ElfSymbol> symbols_;
  uint32_t symbol_table_ = 0;
};

}  // namespace doorbell::stack::bpf
