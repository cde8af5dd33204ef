#include "sim/stack/bpf/elf_file.h"

#include <gelf.h>
#include <libelf.h>

#include <cstring>

namespace doorbell::stack::bpf {
namespace {

constexpr size_t kMaxSections = 4096;
constexpr size_t kSymbolBytes = 24;
constexpr size_t kRelocationBytes = 16;
constexpr uint16_t kMachineBpf = 247;

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};

std::string quoted(const std::string& name) {
  return "'" + name + "'";
}

}  // namespace

base::Result<std::unique_ptr<ElfFile>> ElfFile::read(base::ByteView file) {
  auto elf = std::make_unique<ElfFile>();
  const std::string error = elf->open(file);
  if (!error.empty()) return base::Error{error};
  return elf;
}

std::string ElfFile::open(base::ByteView file) {
  if (file.size < sizeof(Elf64_Ehdr) || std::memcmp(file.data, ELFMAG, SELFMAG) != 0) {
    return "this is no ELF object";
  }
  if (file[EI_CLASS] != ELFCLASS64 || file[EI_DATA] != ELFDATA2LSB) {
    return "this ELF object is not 64-bit little endian; compile with -target bpf";
  }
  copy_.resize((file.size + 7) / 8);
  std::memcpy(copy_.data(), file.data, file.size);
  file_size_ = file.size;
  if (elf_version(EV_CURRENT) == EV_NONE) return "libelf is too old";
  const std::unique_ptr<Elf, ElfCloser> elf(
      elf_memory(reinterpret_cast<char*>(copy_.data()), file.size));
  GElf_Ehdr header;
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF ||
      gelf_getehdr(elf.get(), &header) == nullptr) {
    return "the ELF header is broken";
  }
  if (header.e_machine != kMachineBpf) {
    return "this ELF object is for machine " + std::to_string(header.e_machine) +
           ", not BPF (247); compile with -target bpf";
  }
  if (header.e_type != ET_REL) return "this ELF file is no relocatable object";
  size_t names = 0;
  if (elf_getshdrstrndx(elf.get(), &names) != 0) return "the section names are missing";
  const std::string error = read_sections(elf.get(), names);
  return error.empty() ? read_symbols(elf.get()) : error;
}

std::string ElfFile::read_sections(void* handle, size_t names) {
  Elf* elf = static_cast<Elf*>(handle);
  sections_.emplace_back();  // section 0 is none
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
    const std::string number = std::to_string(sections_.size());
    if (sections_.size() >= kMaxSections) return "more than 4096 sections";
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr) return "section " + number + " has a broken header";
    const char* name = elf_strptr(elf, names, header.sh_name);
    if (name == nullptr) return "section " + number + " has a broken name";
    ElfSection section{
        name, header.sh_type, header.sh_flags, header.sh_link, header.sh_info, header.sh_size, {}};
    if (header.sh_type != SHT_NOBITS && header.sh_size != 0) {
      if (header.sh_offset > file_size_ || header.sh_size > file_size_ - header.sh_offset) {
        return "section " + quoted(name) + " ends behind the end of the file";
      }
      section.data = {reinterpret_cast<const uint8_t*>(copy_.data()) + header.sh_offset,
                      static_cast<size_t>(header.sh_size)};
    }
    sections_.push_back(std::move(section));
  }
  if (sections_.size() == 1) return "the object has no sections";
  return {};
}

std::string ElfFile::read_symbols(void* handle) {
  Elf* elf = static_cast<Elf*>(handle);
  for (uint32_t i = 1; i < sections_.size(); ++i) {
    if (sections_[i].type == SHT_SYMTAB) symbol_table_ = i;
  }
  if (symbol_table_ == 0) return "the symbol table is missing";
  const ElfSection& table = sections_[symbol_table_];
  if (table.data.size % kSymbolBytes != 0) return "the symbol table has a broken size";
  if (table.link == 0 || table.link >= sections_.size()) return "the symbol names are missing";
  for (size_t at = 0; at < table.data.size; at += kSymbolBytes) {
    const uint8_t* p = table.data.data + at;
    const auto name = base::load_le<uint32_t>(p);
    const char* text = elf_strptr(elf, table.link, name);
    const std::string number = std::to_string(at / kSymbolBytes);
    if (text == nullptr) return "symbol " + number + " has a broken name";
    ElfSymbol symbol{text,
                     base::load_le<uint64_t>(p + 8),
                     base::load_le<uint64_t>(p + 16),
                     static_cast<uint8_t>(p[4] & 0xF),
                     static_cast<uint8_t>(p[4] >> 4),
                     base::load_le<uint16_t>(p + 6)};
    if (symbol.section < SHN_LORESERVE && symbol.section >= sections_.size()) {
      return "symbol " + quoted(symbol.name) + " is in section " + std::to_string(symbol.section) +
             ", which does not exist";
    }
    if (symbol.type == STT_SECTION && symbol.name.empty() && symbol.section < sections_.size()) {
      symbol.name = sections_[symbol.section].name;
    }
    symbols_.push_back(std::move(symbol));
  }
  return {};
}

uint32_t ElfFile::find(const std::string& name) const {
  for (uint32_t i = 1; i < sections_.size(); ++i) {
    if (sections_[i].name == name) return i;
  }
  return 0;
}

base::Result<std::vector<ElfRelocation>> ElfFile::relocations(uint32_t section) const {
  std::vector<ElfRelocation> found;
  for (const ElfSection& table : sections_) {
    if (table.info != section || (table.type != SHT_REL && table.type != SHT_RELA)) continue;
    if (table.type == SHT_RELA) {
      return base::Error{"section " + quoted(table.name) + " has relocations with addends (RELA)"};
    }
    if (table.data.size % kRelocationBytes != 0 || table.link != symbol_table_) {
      return base::Error{"section " + quoted(table.name) + " is broken"};
    }
    for (size_t at = 0; at < table.data.size; at += kRelocationBytes) {
      const auto offset = base::load_le<uint64_t>(table.data.data + at);
      const auto info = base::load_le<uint64_t>(table.data.data + at + 8);
      const ElfRelocation r{offset, static_cast<uint32_t>(info), static_cast<uint32_t>(info >> 32)};
      if (r.symbol >= symbols_.size() || offset >= sections_[section].size) {
        return base::Error{"section " + quoted(table.name) + ": relocation " +
                           std::to_string(at / kRelocationBytes) + " is broken"};
      }
      found.push_back(r);
    }
  }
  return found;
}

}  // namespace doorbell::stack::bpf
