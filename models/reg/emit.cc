#include "models/reg/emit.h"

#include <cassert>
#include <cctype>
#include <cinttypes>
#include <cstdio>

namespace doorbell::reg {
namespace {

std::string hex(uint32_t value, unsigned digits) {
  char text[16];
  std::snprintf(text, sizeof text, "%0*" PRIX32, static_cast<int>(digits), value);
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

[[maybe_unused]] bool fits(const RegTable& table, unsigned bits) {
  return bits >= 32 || ((table.data[table.count - 1].end() - 1) >> bits) == 0;
}

std::string bit_range(const FieldSpec& f) {
  if (f.hi == f.lo) return std::to_string(f.hi);
  return std::to_string(f.hi) + ":" + std::to_string(f.lo);
}

/// Access of a register whose fields all agree, else "mixed".
std::string row_access(const RegSpec& row) {
  const char* first = nullptr;
  for (const FieldSpec& f : row.fields) {
    if (first == nullptr) first = access_name(f.access);
    if (std::string(first) != access_name(f.access)) return "mixed";
  }
  return first == nullptr ? "reserved" : first;
}

/// " + 4n, n < 2048" for a family, nothing for a single register.
std::string family(const RegSpec& row) {
  if (row.count == 1) return "";
  return " + " + std::to_string(row.stride) + "n, n < " + std::to_string(row.count);
}

void emit_sv_row(const RegSpec& row, const std::string& prefix, unsigned bits, std::string& out) {
  const std::string reg_name = prefix + "_" + row.name;
  const unsigned digits = (bits + 3) / 4;
  out += "\n  // " + std::string(row.name) + ": " + row.description + "\n";
  out += "  parameter logic [" + std::to_string(bits - 1) + ":0] " + reg_name +
         "_OFFSET = " + std::to_string(bits) + "'h" + hex(row.offset, digits) + ";\n";
  if (row.count > 1) {
    out += "  parameter int unsigned " + reg_name + "_COUNT = " + std::to_string(row.count) + ";\n";
    out +=
        "  parameter int unsigned " + reg_name + "_STRIDE = " + std::to_string(row.stride) + ";\n";
  }
  out += "  parameter logic [31:0] " + reg_name + "_RESET = 32'h" + hex(row.reset, 8) + ";\n";
  for (const FieldSpec& f : row.fields) {
    if (f.access == Access::kReserved) continue;
    const std::string name = reg_name + "_" + f.name;
    out += "  parameter int unsigned " + name + "_LSB = " + std::to_string(f.lo) + ";\n";
    out += "  parameter logic [31:0] " + name + "_MASK = 32'h" + hex(f.mask(), 8) + ";\n";
  }
}

}  // namespace

std::string emit_sv_package(const RegTable& table, const EmitOptions& options) {
  const std::string package = lower(options.prefix) + "_regs_pkg";
  const unsigned bits = options.offset_bits;
  assert(fits(table, bits));
  std::string out;
  out += "// " + options.title + ": register offsets, reset values and fields.\n";
  out += "// Generated from " + options.source + "; do not edit.\n\n";
  out += "package " + package + ";\n\n";
  out += "  // Width of a register offset, in bits.\n";
  out += "  parameter int unsigned " + options.prefix + "_OFFSET_WIDTH = " + std::to_string(bits) +
         ";\n";
  for (const RegSpec& row : table) emit_sv_row(row, options.prefix, bits, out);
  out += "\nendpackage : " + package + "\n";
  return out;
}

std::string emit_markdown(const RegTable& table, const EmitOptions& options) {
  assert(fits(table, options.offset_bits));
  const unsigned digits = (options.offset_bits + 3) / 4;
  std::string out;
  out += "# " + options.title + ": registers\n\n";
  out += "<!-- Generated from " + options.source + "; do not edit. -->\n\n";
  out += "Access: rw; ro; w1c writing 1 clears; w1s writing 1 sets, hardware clears; rc a read ";
  out += "clears; sc self-clearing. Bits without a field are reserved: they read 0 and ignore ";
  out += "writes.\n\n";
  out += "| Offset | Register | Access | Reset | Description |\n|---|---|---|---|---|\n";
  for (const RegSpec& row : table) {
    out += "| 0x" + hex(row.offset, digits) + family(row) + " | " + row.name + " | " +
           row_access(row) + " | 0x" + hex(row.reset, 8) + " | " + row.description + " |\n";
  }
  out += "\n## Fields\n\nRegisters that are one 32-bit field are left out.\n\n";
  out += "| Register | Bits | Field | Access | Description |\n|---|---|---|---|---|\n";
  for (const RegSpec& row : table) {
    for (const FieldSpec& f : row.fields) {
      if (f.width() == 32) continue;
      out += "| " + std::string(row.name) + " | " + bit_range(f) + " | " + f.name + " | " +
             access_name(f.access) + " | " + f.description + " |\n";
    }
  }
  return out;
}

}  // namespace doorbell::reg
