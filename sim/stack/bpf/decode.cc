#include <algorithm>

#include "sim/stack/bpf/decode_parts.h"
#include "sim/stack/bpf/helpers.h"
#include "sim/stack/bpf/memory.h"

namespace doorbell::stack::bpf {
using namespace isa;

namespace {

std::string hex(unsigned value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%02x", value);
  return text;
}

Exec form(Exec first, unsigned step) {
  return static_cast<Exec>(static_cast<unsigned>(first) + step);
}

// The 64K form of an arithmetic operation with offset 0, Poison when there is none.
Exec binary_of(uint8_t operation) {
  switch (operation) {
    case kAdd:
      return Exec::kAdd64K;
    case kSub:
      return Exec::kSub64K;
    case kMul:
      return Exec::kMul64K;
    case kDiv:
      return Exec::kDiv64K;
    case kOr:
      return Exec::kOr64K;
    case kAnd:
      return Exec::kAnd64K;
    case kLsh:
      return Exec::kLsh64K;
    case kRsh:
      return Exec::kRsh64K;
    case kMod:
      return Exec::kMod64K;
    case kXor:
      return Exec::kXor64K;
    case kMov:
      return Exec::kMov64K;
    case kArsh:
      return Exec::kArsh64K;
    default:
      return Exec::kPoison;
  }
}

Exec compare_of(uint8_t operation) {
  switch (operation) {
    case kJeq:
      return Exec::kJeq64K;
    case kJgt:
      return Exec::kJgt64K;
    case kJge:
      return Exec::kJge64K;
    case kJset:
      return Exec::kJset64K;
    case kJne:
      return Exec::kJne64K;
    case kJsgt:
      return Exec::kJsgt64K;
    case kJsge:
      return Exec::kJsge64K;
    case kJlt:
      return Exec::kJlt64K;
    case kJle:
      return Exec::kJle64K;
    case kJslt:
      return Exec::kJslt64K;
    case kJsle:
      return Exec::kJsle64K;
    default:
      return Exec::kPoison;
  }
}

// B, H, W, Dw of a row of four.
Exec sized(Exec first, uint8_t size) {
  return form(first, size == kB ? 0 : size == kH ? 1 : size == kW ? 2 : 3);
}

bool atomic_known(int32_t operation) {
  switch (operation) {
    case kAtomicAdd:
    case kAtomicOr:
    case kAtomicAnd:
    case kAtomicXor:
    case kAtomicAdd | kAtomicFetch:
    case kAtomicOr | kAtomicFetch:
    case kAtomicAnd | kAtomicFetch:
    case kAtomicXor | kAtomicFetch:
    case kAtomicXchg:
    case kAtomicCmpxchg:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string Decoder::unknown(const RawInsn& raw) const {
  return "opcode " + hex(raw.opcode) + " is unknown";
}

std::string Decoder::reserved(const RawInsn& raw) const {
  return "opcode " + hex(raw.opcode) + " has a reserved field that is not zero";
}

// MOV with an offset: sign extension.
std::string Decoder::move_extended(const RawInsn& raw, bool wide, Insn& out) {
  if ((raw.opcode & kX) == 0 || raw.imm != 0) return reserved(raw);
  switch (raw.offset) {
    case 8:
      out.op = wide ? Exec::kSx8To64 : Exec::kSx8To32;
      return {};
    case 16:
      out.op = wide ? Exec::kSx16To64 : Exec::kSx16To32;
      return {};
    case 32:
      if (!wide) break;
      out.op = Exec::kSx32To64;
      return {};
    default:
      break;
  }
  return "sign extension from " + std::to_string(raw.offset) + " bits is unknown";
}

std::string Decoder::byte_swap(const RawInsn& raw, bool wide, Insn& out) {
  const bool to_big = (raw.opcode & kX) != 0;
  if (wide && to_big) return unknown(raw);
  if (raw.src() != 0 || raw.offset != 0) return reserved(raw);
  // The host is little endian: to big endian is a swap, to little endian cuts off.
  const bool swap = wide || to_big;
  switch (raw.imm) {
    case 16:
      out.op = swap ? Exec::kSwap16 : Exec::kLow16;
      return {};
    case 32:
      out.op = swap ? Exec::kSwap32 : Exec::kLow32;
      return {};
    case 64:
      out.op = swap ? Exec::kSwap64 : Exec::kNop;
      return {};
    default:
      return "byte swap of " + std::to_string(raw.imm) + " bits is unknown";
  }
}

std::string Decoder::arithmetic(const RawInsn& raw, Insn& out) {
  const bool wide = raw.cls() == kAlu64;
  const uint8_t operation = raw.opcode & 0xf0;
  const bool by_register = (raw.opcode & kX) != 0;
  if (operation == kEnd) return byte_swap(raw, wide, out);
  if (operation == kNeg) {
    if (by_register) return unknown(raw);
    if (raw.src() != 0 || raw.offset != 0 || raw.imm != 0) return reserved(raw);
    out.op = wide ? Exec::kNeg64 : Exec::kNeg32;
    return {};
  }
  if (operation == kMov && raw.offset != 0) return move_extended(raw, wide, out);
  Exec first = binary_of(operation);
  if (first == Exec::kPoison) return unknown(raw);
  if (by_register ? raw.imm != 0 : raw.src() != 0) return reserved(raw);
  if (raw.offset != 0) {
    const bool division = operation == kDiv || operation == kMod;
    if (!division || raw.offset != 1) return reserved(raw);
    first = operation == kDiv ? Exec::kSdiv64K : Exec::kSmod64K;
  }
  out.op = form(first, (wide ? 0u : 2u) + (by_register ? 1u : 0u));
  // 32-bit operations see the low half; sign extension there changes nothing.
  out.imm = raw.imm;
  out.offset = 0;
  return {};
}

std::string Decoder::call(const RawInsn& raw, Insn& out) {
  if (raw.dst() != 0 || raw.offset != 0) return reserved(raw);
  if (raw.src() == kCallLocal) {
    out.op = Exec::kCallLocal;
    return {};
  }
  if (raw.src() == kCallKernel) {
    if (raw.imm == kPoisonCall) {
      out.op = Exec::kPoison;
      return {};
    }
    return "calls a kernel function (kfunc); there is no kernel";
  }
  if (raw.src() != kCallHelper) return reserved(raw);
  if (raw.imm == static_cast<int32_t>(kHelperTailCall)) {
    out.op = Exec::kTailCall;
    return {};
  }
  const int place = helper_place(raw.imm);
  if (place < 0) {
    const std::string name = helper_name(raw.imm);
    if (name.empty()) return "calls helper " + std::to_string(raw.imm) + ", which does not exist";
    return "calls helper " + std::to_string(raw.imm) + " (" + name +
           "), which is not modelled: " + helper_refusal(raw.imm);
  }
  const Helper& helper = helper_at(static_cast<uint32_t>(place));
  if (helper.gpl && !input_.gpl) {
    return std::string("calls ") + helper.name +
           ", which is for programs under a GPL-compatible licence";
  }
  out.op = Exec::kCallHelper;
  out.imm = place;
  return {};
}

std::string Decoder::jump(const RawInsn& raw, Insn& out) {
  const bool narrow = raw.cls() == kJmp32;
  const uint8_t operation = raw.opcode & 0xf0;
  const bool by_register = (raw.opcode & kX) != 0;
  if (operation == kJa) {
    if (by_register) return unknown(raw);
    if (raw.regs != 0 || (narrow ? raw.offset != 0 : raw.imm != 0)) return reserved(raw);
    out.op = Exec::kJa;
    out.offset = narrow ? raw.imm : raw.offset;
    return {};
  }
  if (operation == kCall || operation == kExit) {
    if (narrow || by_register) return unknown(raw);
    if (operation == kCall) return call(raw, out);
    if (raw.regs != 0 || raw.offset != 0 || raw.imm != 0) return reserved(raw);
    out.op = Exec::kExit;
    return {};
  }
  const Exec first = compare_of(operation);
  if (first == Exec::kPoison) return unknown(raw);
  if (by_register ? raw.imm != 0 : raw.src() != 0) return reserved(raw);
  out.op = form(first, (narrow ? 2u : 0u) + (by_register ? 1u : 0u));
  return {};
}

std::string Decoder::load_store(const RawInsn& raw, Insn& out) {
  const uint8_t size = raw.opcode & 0x18;
  const uint8_t mode = raw.opcode & 0xe0;
  switch (raw.cls()) {
    case kLdx:
      if (raw.imm != 0) return reserved(raw);
      if (mode == kMem) {
        out.op = sized(Exec::kLdB, size);
        return {};
      }
      if (mode != kMemsx || size == kDw) return unknown(raw);
      out.op = sized(Exec::kLdsB, size);
      return {};
    case kSt:
      if (mode != kMem) return unknown(raw);
      if (raw.src() != 0) return reserved(raw);
      out.op = sized(Exec::kStB, size);
      return {};
    default:
      break;
  }
  if (mode == kMem) {
    if (raw.imm != 0) return reserved(raw);
    out.op = sized(Exec::kStxB, size);
    return {};
  }
  if (mode != kAtomic || (size != kW && size != kDw)) return unknown(raw);
  if (!atomic_known(raw.imm)) {
    return "atomic operation " + hex(static_cast<unsigned>(raw.imm)) + " is unknown";
  }
  out.op = size == kW ? Exec::kAtomic32 : Exec::kAtomic64;
  return {};
}

// The 64-bit load: two slots.
std::string Decoder::load_imm64(uint32_t at, Insn& out) {
  const RawInsn& raw = input_.insns[at];
  if (raw.opcode != (kLd | kImm | kDw)) {
    const uint8_t mode = raw.opcode & 0xe0;
    if (mode == kAbs || mode == kInd) {
      return "legacy packet load " + hex(raw.opcode) + ", which XDP programs may not use";
    }
    return unknown(raw);
  }
  if (at + 1 >= input_.insns.size()) return "a 64-bit load lacks its second half";
  const RawInsn& high = input_.insns[at + 1];
  if (raw.offset != 0 || high.opcode != 0 || high.regs != 0 || high.offset != 0) {
    return reserved(raw);
  }
  out.op = Exec::kMov64K;
  out.offset = 0;
  switch (raw.src()) {
    case 0:
      out.imm = static_cast<int64_t>(static_cast<uint64_t>(static_cast<uint32_t>(high.imm)) << 32 |
                                     static_cast<uint32_t>(raw.imm));
      return {};
    case kSrcMapIndex:
    case kSrcMapIndexValue:
      return map_address(raw, high.imm, out);
    case kSrcCode:
      if (high.imm != 0) return reserved(raw);
      code_addresses_.push_back(at);
      return {};
    case kSrcMapFd:
    case kSrcMapFdValue:
      return "names a map by file descriptor; there is none";
    default:
      return "64-bit load of kind " + std::to_string(raw.src()) + " is unknown or not modelled";
  }
}

std::string Decoder::map_address(const RawInsn& raw, int32_t high, Insn& out) {
  const auto index = static_cast<uint32_t>(raw.imm);
  if (index >= input_.maps.size()) {
    return "names map " + std::to_string(index) + " of " + std::to_string(input_.maps.size());
  }
  if (raw.src() == kSrcMapIndex) {
    if (high != 0) return reserved(raw);
    out.imm = static_cast<int64_t>(make_addr(kMapHandleRegion, index));
    return {};
  }
  const MapSpec& spec = *input_.maps[index];
  if (spec.type != MapType::kArray || spec.max_entries != 1) {
    return "takes the address of a value of map '" + spec.name +
           "', which is no array of one entry";
  }
  const auto octet = static_cast<uint32_t>(high);
  if (octet >= spec.value_size) {
    return "points " + std::to_string(octet) + " octets into '" + spec.name + "', which has " +
           std::to_string(spec.value_size);
  }
  out.imm = static_cast<int64_t>(make_addr(kFirstMapRegion + index, 0, octet));
  return {};
}

std::string Decoder::decode_one(uint32_t at, Insn& out) {
  const RawInsn& raw = input_.insns[at];
  out = {};
  out.dst = raw.dst();
  out.src = raw.src();
  out.offset = raw.offset;
  out.imm = raw.imm;
  std::string error;
  switch (raw.cls()) {
    case kAlu:
    case kAlu64:
      error = arithmetic(raw, out);
      break;
    case kJmp:
    case kJmp32:
      error = jump(raw, out);
      break;
    case kLd:
      error = load_imm64(at, out);
      break;
    default:
      error = load_store(raw, out);
      break;
  }
  if (!error.empty()) return error;
  return check_registers(raw, out);
}

std::string Decoder::check_registers(const RawInsn& raw, Insn& out) {
  const bool src_is_kind = raw.cls() == kLd || out.op == Exec::kCallLocal ||
                           out.op == Exec::kCallHelper || out.op == Exec::kPoison;
  if (src_is_kind) out.src = 0;
  for (const unsigned reg : {unsigned{out.dst}, unsigned{out.src}}) {
    if (reg >= kRegisters) return "register r" + std::to_string(reg) + " does not exist";
  }
  const uint8_t cls = raw.cls();
  const bool writes_dst = cls == kAlu || cls == kAlu64 || cls == kLd || cls == kLdx;
  const bool writes_src = (out.op == Exec::kAtomic32 || out.op == Exec::kAtomic64) &&
                          (raw.imm & kAtomicFetch) != 0 && raw.imm != kAtomicCmpxchg;
  if ((writes_dst && out.dst == kFramePointer) || (writes_src && out.src == kFramePointer)) {
    return "writes r10, the frame pointer";
  }
  return {};
}

std::string Code::where(uint32_t insn) const {
  const auto after = std::upper_bound(functions.begin(), functions.end(), insn,
                                      [](uint32_t at, const Function& f) { return at < f.first; });
  if (after == functions.begin() || insn >= raw_index.size()) return "outside of the code";
  const Function& f = *(after - 1);
  return f.name + ": instruction " + std::to_string(raw_index[insn] - f.raw_first);
}

}  // namespace doorbell::stack::bpf
