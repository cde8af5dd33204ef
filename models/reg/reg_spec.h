// Register tables: what a device's register file looks like to software, as constexpr data.
//
// One table of a device is the single source for the model's decode (RegFile), for the
// SystemVerilog package and for the documentation (emit.h). The numbers stand in the contract
// header as masks; the rows use those masks, so no position is written twice. All registers are 32
// bits wide. One row a register or a family of equal registers (`count` of them, `stride` bytes
// apart), in ascending order of offset. Bits that no field names are reserved: they read 0 and
// ignore writes. Not modelled: registers of other widths, byte enables, windows (index and data
// register pairs), families that interleave.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace doorbell::reg {

/// What software's reads and writes do to a bit.
enum class Access : uint8_t {
  kRw,            ///< holds what was written
  kRo,            ///< ignores writes; only hardware changes it
  kW1c,           ///< writing 1 clears, writing 0 keeps
  kW1s,           ///< writing 1 sets, writing 0 keeps; hardware clears
  kRc,            ///< a read returns the value and clears it; ignores writes
  kSelfClearing,  ///< a written 1 is seen by the write hook and is gone when the write is over
  kReserved,      ///< reads 0, ignores writes
};

constexpr const char* access_name(Access access) {
  switch (access) {
    case Access::kRw:
      return "rw";
    case Access::kRo:
      return "ro";
    case Access::kW1c:
      return "w1c";
    case Access::kW1s:
      return "w1s";
    case Access::kRc:
      return "rc";
    case Access::kSelfClearing:
      return "sc";
    case Access::kReserved:
      return "reserved";
  }
  return "?";
}

/// Value of the field `mask` in a register value. `mask` is one run of ones and not 0.
constexpr uint32_t get_field(uint32_t mask, uint32_t value) {
  return (value & mask) >> __builtin_ctz(mask);
}
/// `value` moved to the place of the field. It must fit.
constexpr uint32_t put_field(uint32_t mask, uint32_t value) {
  assert((value & ~(mask >> __builtin_ctz(mask))) == 0);
  return (value << __builtin_ctz(mask)) & mask;
}
/// `word` with the field replaced.
constexpr uint32_t with_field(uint32_t word, uint32_t mask, uint32_t value) {
  return (word & ~mask) | put_field(mask, value);
}

/// Bits hi..lo of a register.
struct FieldSpec {
  const char* name = "";
  uint8_t hi = 0;
  uint8_t lo = 0;
  Access access = Access::kReserved;
  const char* description = "";

  constexpr uint32_t mask() const { return (~0u >> (31 - hi)) & (~0u << lo); }
  constexpr unsigned width() const { return hi - lo + 1u; }
};

/// A field given by its mask.
constexpr FieldSpec field(const char* name, uint32_t mask, Access access, const char* description) {
  const auto lo = static_cast<uint8_t>(__builtin_ctz(mask));
  const auto hi = static_cast<uint8_t>(31 - __builtin_clz(mask));
  return {name, hi, lo, access, description};
}

/// View of a static array of fields.
struct FieldList {
  const FieldSpec* data = nullptr;
  size_t count = 0;

  constexpr FieldList() = default;
  template <size_t N>
  constexpr FieldList(const FieldSpec (&fields)[N])
      : data(fields), count(N) {}  // NOLINT: on purpose
  constexpr const FieldSpec* begin() const { return data; }
  constexpr const FieldSpec* end() const { return data + count; }
};

/// One register, or a family: register i of it is at offset + i * stride.
struct RegSpec {
  const char* name = "";
  uint32_t offset = 0;
  uint32_t reset = 0;
  const char* description = "";
  FieldList fields;
  uint32_t count = 1;
  uint32_t stride = 4;  ///< a power of two, 4 or more

  /// First byte behind the row.
  constexpr uint32_t end() const { return offset + (count - 1) * stride + 4; }
  constexpr bool contains(uint32_t at) const {
    return at >= offset && at < end() && (at - offset) % stride == 0;
  }

  /// Bits with the given access.
  constexpr uint32_t mask(Access access) const {
    uint32_t bits = 0;
    for (const FieldSpec& f : fields) {
      if (f.access == access) bits |= f.mask();
    }
    return bits;
  }
  /// Bits that exist: all that are not reserved.
  constexpr uint32_t implemented() const {
    uint32_t bits = 0;
    for (const FieldSpec& f : fields) {
      if (f.access != Access::kReserved) bits |= f.mask();
    }
    return bits;
  }
};

/// View of a device's static table.
struct RegTable {
  const RegSpec* data = nullptr;
  size_t count = 0;

  constexpr RegTable() = default;
  template <size_t N>
  constexpr RegTable(const RegSpec (&rows)[N]) : data(rows), count(N) {}  // NOLINT: on purpose
  constexpr const RegSpec* begin() const { return data; }
  constexpr const RegSpec* end() const { return data + count; }
  constexpr const RegSpec* find(uint32_t offset) const {
    for (const RegSpec& row : *this) {
      if (row.contains(offset)) return &row;
    }
    return nullptr;
  }
  constexpr const RegSpec* find(std::string_view name) const {
    for (const RegSpec& row : *this) {
      if (name == row.name) return &row;
    }
    return nullptr;
  }
};

/// Whether a row is sound: aligned, fields inside 32 bits and apart, no reset value in reserved
/// bits, a stride that is a power of two.
constexpr bool well_formed(const RegSpec& row) {
  uint32_t seen = 0;
  for (const FieldSpec& f : row.fields) {
    if (f.hi > 31 || f.lo > f.hi || (seen & f.mask()) != 0 || f.name[0] == '\0') return false;
    seen |= f.mask();
  }
  const bool family = row.count > 0 && row.stride >= 4 && (row.stride & (row.stride - 1)) == 0;
  return family && row.offset % 4 == 0 && row.name[0] != '\0' &&
         (row.reset & ~row.implemented()) == 0;
}
/// Whether a table is sound: for static_assert next to the table.
constexpr bool well_formed(const RegTable& table) {
  for (size_t i = 0; i < table.count; ++i) {
    if (!well_formed(table.data[i])) return false;
    if (i > 0 && table.data[i - 1].end() > table.data[i].offset) return false;
  }
  return table.count > 0;
}

}  // namespace doorbell::reg
