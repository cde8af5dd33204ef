#include "sim/stack/bpf/object.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "sim/stack/bpf/decode_parts.h"
#include "sim/stack/bpf/memory.h"

namespace doorbell::stack::bpf {
namespace {

using namespace isa;

// Types of relocations.
constexpr uint32_t kRelocNone = 0, kReloc64 = 1, kRelocCall = 10;

constexpr uint32_t kNone = 0xFFFFFFFF;

bool starts_with(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

bool is_code(const ElfSection& s) {
  return s.type == SHT_PROGBITS && (s.flags & SHF_EXECINSTR) != 0 && s.data.size != 0;
}

bool is_data(const ElfSection& s) {
  return (s.flags & SHF_ALLOC) != 0 && (s.flags & SHF_EXECINSTR) == 0 && s.size > 0 &&
         (starts_with(s.name, ".data") || starts_with(s.name, ".rodata") ||
          starts_with(s.name, ".bss"));
}

bool is_xdp(const std::string& section) {
  return section == "xdp" || starts_with(section, "xdp/") || starts_with(section, "xdp.") ||
         starts_with(section, "xdp_");
}

bool is_gpl(std::string license) {
  while (!license.empty() && license.back() == '\0') license.pop_back();
  for (const char* known : {"GPL", "GPL v2", "GPL and additional rights", "Dual BSD/GPL",
                            "Dual MIT/GPL", "Dual MPL/GPL"}) {
    if (license == known) return true;
  }
  return false;
}

struct SourceFunction {
  std::string name;
  uint32_t section = 0;
  uint32_t first = 0;  // instruction in the section
  uint32_t count = 0;
  bool program = false;
  uint32_t placed = kNone;  // index among the functions that are used
};

class ObjectReader {
 public:
  explicit ObjectReader(const ElfFile& elf) : elf_(elf) {}

  base::Result<ObjectCode> read(const std::string& program) {
    if (read_maps() && read_data() && read_functions() && choose(program) && place_all() &&
        read_entries() && fix_calls()) {
      const uint32_t license = elf_.find("license");
      const base::ByteView text = elf_.sections()[license].data;
      out_.gpl = license != 0 && is_gpl(std::string(text.begin(), text.end()));
      return std::move(out_);
    }
    return base::Error{error_};
  }

 private:
  // A call or a code address, by instruction of the output.
  struct Fixup {
    uint32_t insn;
    uint32_t function;  // of sources_
  };

  bool fail(std::string what) {
    error_ = std::move(what);
    return false;
  }
  bool fail_at(const SourceFunction& f, uint32_t insn, const std::string& what) {
    return fail(f.name + ": instruction " + std::to_string(insn) + ": " + what);
  }

  bool read_maps() {
    if (elf_.find("maps") != 0) {
      return fail(
          "section 'maps' holds legacy map definitions; define maps in section '.maps' "
          "(SEC(\".maps\"), __uint, __type)");
    }
    auto maps = read_btf_maps(elf_);
    if (!maps.ok()) return fail(maps.error());
    maps_ = maps.take();
    for (const MapDefinition& map : maps_) out_.maps.push_back(map.spec);
    if (out_.maps.size() > kMaxMaps) return fail("more than " + std::to_string(kMaxMaps) + " maps");
    return true;
  }

  // Each data section is an array map of one entry.
  bool read_data() {
    data_map_.assign(elf_.sections().size(), kNone);
    for (uint32_t i = 1; i < elf_.sections().size(); ++i) {
      const ElfSection& s = elf_.sections()[i];
      if (!is_data(s)) continue;
      if (s.size > kMaxElementBytes) {
        return fail("section '" + s.name + "' has " + std::to_string(s.size) +
                    " octets; allowed: " + std::to_string(kMaxElementBytes));
      }
      const auto relocations = elf_.relocations(i);
      if (!relocations.ok()) return fail(relocations.error());
      if (!relocations.value().empty()) {
        return fail("section '" + s.name + "' holds addresses, which is not modelled");
      }
      MapSpec spec;
      spec.name = s.name;
      spec.type = MapType::kArray;
      spec.key_size = 4;
      spec.value_size = static_cast<uint32_t>(s.size);
      spec.max_entries = 1;
      spec.flags = kMmapable | (starts_with(s.name, ".rodata") ? kRdonlyProg : 0);
      spec.initial.assign(s.data.begin(), s.data.end());
      data_map_[i] = static_cast<uint32_t>(out_.maps.size());
      out_.maps.push_back(std::move(spec));
    }
    if (out_.maps.size() > kMaxMaps) return fail("more than " + std::to_string(kMaxMaps) + " maps");
    return true;
  }

  bool read_functions() {
    for (uint32_t i = 1; i < elf_.sections().size(); ++i) {
      const ElfSection& s = elf_.sections()[i];
      if (!is_code(s)) continue;
      if (s.data.size % sizeof(RawInsn) != 0) {
        return fail("section '" + s.name + "' is no whole number of instructions");
      }
      if (!read_functions_of(i)) return false;
    }
    return true;
  }

  bool read_functions_of(uint32_t section) {
    const ElfSection& s = elf_.sections()[section];
    const size_t begin = sources_.size();
    for (const ElfSymbol& symbol : elf_.symbols()) {
      if (symbol.section != section || symbol.type != STT_FUNC) continue;
      if (symbol.value % sizeof(RawInsn) != 0 || symbol.value >= s.data.size) {
        return fail("function '" + symbol.name + "' is not inside section '" + s.name + "'");
      }
      SourceFunction f;
      f.name = symbol.name;
      f.section = section;
      f.first = static_cast<uint32_t>(symbol.value / sizeof(RawInsn));
      f.program = is_xdp(s.name) && symbol.bind != STB_LOCAL;
      sources_.push_back(std::move(f));
    }
    std::stable_sort(sources_.begin() + static_cast<ptrdiff_t>(begin), sources_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = begin; i < sources_.size(); ++i) {
      const auto end =
          i + 1 < sources_.size() ? sources_[i + 1].first : static_cast<uint32_t>(s.data.size / 8);
      if (end <= sources_[i].first) {
        return fail("functions '" + sources_[i].name + "' and '" + sources_[i + 1].name +
                    "' begin at one place");
      }
      sources_[i].count = end - sources_[i].first;
    }
    return true;
  }

  // The program to run is the first function placed; a prog array may lead to all others.
  bool choose(const std::string& name) {
    std::vector<uint32_t> programs;
    std::string known;
    for (uint32_t i = 0; i < sources_.size(); ++i) {
      if (!sources_[i].program) continue;
      programs.push_back(i);
      known += (known.empty() ? "" : ", ") + sources_[i].name;
    }
    if (programs.empty()) {
      return fail("the object has no XDP program: no function in a section named \"xdp\"");
    }
    const auto chosen = std::find_if(programs.begin(), programs.end(), [&](uint32_t i) {
      return name.empty() ? !is_entry(sources_[i]) : sources_[i].name == name;
    });
    if (chosen == programs.end() && !name.empty()) {
      return fail("the object has no XDP program '" + name + "'; allowed: " + known);
    }
    enter(chosen != programs.end() ? *chosen : programs.front());
    const bool chains = std::any_of(out_.maps.begin(), out_.maps.end(),
                                    [](const MapSpec& m) { return m.type == MapType::kProgArray; });
    for (const uint32_t i : programs) {
      if (chains) enter(i);
    }
    return true;
  }

  // Whether the object itself puts a function into a prog array: not the one to begin with.
  bool is_entry(const SourceFunction& f) const {
    const auto relocations = elf_.relocations(elf_.find(".maps"));
    if (elf_.find(".maps") == 0 || !relocations.ok()) return false;
    const auto& all = relocations.value();
    return std::any_of(all.begin(), all.end(), [&](const ElfRelocation& r) {
      const ElfSymbol& symbol = elf_.symbols()[r.symbol];
      return symbol.section == f.section && symbol.value == uint64_t{f.first} * sizeof(RawInsn);
    });
  }

  // Adds a function to those that are used.
  uint32_t enter(uint32_t source) {
    SourceFunction& f = sources_[source];
    if (f.placed == kNone) {
      f.placed = static_cast<uint32_t>(used_.size());
      used_.push_back(source);
    }
    return f.placed;
  }

  // Places functions as they are found, until no new one is called.
  bool place_all() {
    for (size_t i = 0; i < used_.size(); ++i) {
      if (!place(used_[i])) return false;
    }
    return true;
  }

  bool place(uint32_t source) {
    const SourceFunction& f = sources_[source];
    const base::ByteView data = elf_.sections()[f.section].data;
    const auto start = static_cast<uint32_t>(out_.insns.size());
    out_.functions.push_back({start, f.name, f.program});
    for (uint32_t i = 0; i < f.count; ++i) {
      RawInsn insn;
      std::memcpy(&insn, data.data + size_t{f.first + i} * sizeof insn, sizeof insn);
      out_.insns.push_back(insn);
    }
    std::vector<bool> relocated(f.count, false);
    const auto relocations = elf_.relocations(f.section);
    if (!relocations.ok()) return fail(relocations.error());
    const uint64_t begin = uint64_t{f.first} * sizeof(RawInsn);
    const uint64_t end = begin + uint64_t{f.count} * sizeof(RawInsn);
    for (const ElfRelocation& r : relocations.value()) {
      if (r.offset < begin || r.offset >= end || r.type == kRelocNone) continue;
      const auto at = static_cast<uint32_t>((r.offset - begin) / sizeof(RawInsn));
      if (r.offset % sizeof(RawInsn) != 0) {
        return fail_at(f, at, "a relocation points inside of it");
      }
      if (!relocate(source, at, r)) return false;
      relocated[at] = true;
    }
    return find_plain_calls(source, relocated);
  }

  // Calls within a section carry their distance.
  bool find_plain_calls(uint32_t source, const std::vector<bool>& relocated) {
    const SourceFunction f = sources_[source];
    const uint32_t start = out_.functions[f.placed].first;
    for (uint32_t i = 0; i < f.count; ++i) {
      const RawInsn& insn = out_.insns[start + i];
      if (insn.opcode == (kLd | kImm | kDw)) {
        ++i;
        continue;
      }
      if (insn.opcode != (kJmp | kCall) || insn.src() != kCallLocal || relocated[i]) continue;
      const int64_t target = int64_t{f.first} + i + 1 + insn.imm;
      if (!add_fixup(f, i, f.section, target)) return false;
    }
    return true;
  }

  bool add_fixup(const SourceFunction& f, uint32_t at, uint32_t section, int64_t target) {
    for (uint32_t i = 0; i < sources_.size(); ++i) {
      if (sources_[i].section != section || sources_[i].first != target) continue;
      fixups_.push_back({out_.functions[f.placed].first + at, i});
      enter(i);
      return true;
    }
    return fail_at(f, at,
                   "calls instruction " + std::to_string(target) + " of section '" +
                       elf_.sections()[section].name + "', where no function begins");
  }

  bool relocate(uint32_t source, uint32_t at, const ElfRelocation& r) {
    const SourceFunction f = sources_[source];
    const ElfSymbol& symbol = elf_.symbols()[r.symbol];
    RawInsn& insn = out_.insns[out_.functions[f.placed].first + at];
    if (symbol.section >= SHN_LORESERVE) {
      return fail_at(f, at, "symbol '" + symbol.name + "' is in no section");
    }
    if (r.type == kRelocCall) {
      if (insn.opcode != (kJmp | kCall)) return fail_at(f, at, "a call's relocation is at no call");
      return relocate_call(f, at, symbol, insn);
    }
    if (r.type != kReloc64) {
      return fail_at(f, at, "relocation type " + std::to_string(r.type) + " is unknown");
    }
    if (insn.opcode != (kLd | kImm | kDw) || at + 1 >= f.count) {
      return fail_at(f, at, "an address's relocation is at no 64-bit load");
    }
    return relocate_load(f, at, symbol, (&insn)[0], (&insn)[1]);
  }

  bool relocate_call(const SourceFunction& f, uint32_t at, const ElfSymbol& symbol, RawInsn& insn) {
    if (symbol.section == 0) {
      if (symbol.bind != STB_WEAK) return unresolved(f, at, symbol);
      insn = raw(kJmp | kCall, 0, kCallKernel, 0, kPoisonCall);
      return true;
    }
    if (!is_code(elf_.sections()[symbol.section])) {
      return fail_at(f, at, "calls '" + symbol.name + "', which is no code");
    }
    insn.regs = kCallLocal << 4;
    const int64_t target = static_cast<int64_t>(symbol.value / sizeof(RawInsn)) + insn.imm + 1;
    return add_fixup(f, at, symbol.section, target);
  }

  bool unresolved(const SourceFunction& f, uint32_t at, const ElfSymbol& symbol) {
    return fail_at(f, at,
                   "symbol '" + symbol.name +
                       "' is not in the object; symbols of the kernel are not modelled");
  }

  bool relocate_load(const SourceFunction& f, uint32_t at, const ElfSymbol& symbol, RawInsn& low,
                     RawInsn& high) {
    const auto dst = low.dst();
    const auto load = [&](uint8_t kind, uint32_t imm, uint64_t second) {
      low = raw(kLd | kImm | kDw, dst, kind, 0, static_cast<int32_t>(imm));
      high.imm = static_cast<int32_t>(static_cast<uint32_t>(second));
    };
    if (symbol.section == 0) {
      if (symbol.bind != STB_WEAK) return unresolved(f, at, symbol);
      load(0, 0, 0);
      return true;
    }
    const uint64_t target = symbol.value + static_cast<uint64_t>(int64_t{low.imm});
    const ElfSection& section = elf_.sections()[symbol.section];
    if (section.name == ".maps") {
      for (uint32_t i = 0; i < maps_.size(); ++i) {
        if (maps_[i].offset != target) continue;
        load(kSrcMapIndex, i, 0);
        return true;
      }
      return fail_at(f, at, "octet " + std::to_string(target) + " of section '.maps' is no map");
    }
    if (data_map_[symbol.section] != kNone) {
      if (target >= section.size) {
        return fail_at(f, at,
                       "symbol '" + symbol.name + "' is outside of section '" + section.name + "'");
      }
      load(kSrcMapIndexValue, data_map_[symbol.section], target);
      return true;
    }
    if (is_code(section) && target % sizeof(RawInsn) == 0) {
      load(kSrcCode, 0, 0);
      return add_fixup(f, at, symbol.section, static_cast<int64_t>(target / sizeof(RawInsn)));
    }
    return fail_at(f, at,
                   "takes the address of '" + symbol.name + "' in section '" + section.name +
                       "', which is neither map, data nor code");
  }

  // Prog arrays that the object fills: relocations of section ".maps".
  bool read_entries() {
    const uint32_t section = elf_.find(".maps");
    if (section == 0) return true;
    const auto relocations = elf_.relocations(section);
    if (!relocations.ok()) return fail(relocations.error());
    for (const ElfRelocation& r : relocations.value()) {
      if (!read_entry(r)) return false;
    }
    return true;
  }

  bool read_entry(const ElfRelocation& r) {
    const ElfSymbol& symbol = elf_.symbols()[r.symbol];
    for (uint32_t i = 0; i < maps_.size(); ++i) {
      const MapDefinition& map = maps_[i];
      const uint64_t values = map.offset + map.values_offset;
      if (map.values_offset == 0 || r.offset < values || r.offset - map.offset >= map.size) {
        continue;
      }
      const uint64_t slot = (r.offset - values) / 8;
      for (uint32_t s = 0; s < sources_.size(); ++s) {
        const SourceFunction& f = sources_[s];
        const bool same = f.section == symbol.section && f.program &&
                          uint64_t{f.first} * sizeof(RawInsn) == symbol.value;
        if (!same || symbol.type != STT_FUNC || slot >= map.spec.max_entries) continue;
        out_.entries.push_back({i, static_cast<uint32_t>(slot), enter(s)});
        return true;
      }
      return fail("map '" + map.spec.name + "': entry " + std::to_string(slot) +
                  " is no XDP program");
    }
    return fail("section '.maps': a relocation at octet " + std::to_string(r.offset) +
                " belongs to no prog array");
  }

  bool fix_calls() {
    for (const Fixup& fix : fixups_) {
      const uint32_t target = out_.functions[sources_[fix.function].placed].first;
      out_.insns[fix.insn].imm = static_cast<int32_t>(target) - static_cast<int32_t>(fix.insn) - 1;
    }
    return true;
  }

  const ElfFile& elf_;
  ObjectCode out_;
  std::string error_;
  std::vector<MapDefinition> maps_;
  std::vector<uint32_t> data_map_;  // by section
  std::vector<SourceFunction> sources_;
  std::vector<uint32_t> used_;
  std::vector<Fixup> fixups_;
};

}  // namespace

base::Result<ObjectCode> read_object(const ElfFile& elf, const std::string& program) {
  return ObjectReader(elf).read(program);
}

}  // namespace doorbell::stack::bpf
