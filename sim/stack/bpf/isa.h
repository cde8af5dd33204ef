// The BPF instruction set: encodings and the raw 8-byte instruction.
//
// Names and numbers as in RFC 9669 (instruction set, versions 1 to 4). Nothing is executed here;
// code.h turns raw instructions into what the interpreter runs. The legacy packet loads (LD_ABS,
// LD_IND) are named so that they can be refused.
#pragma once

#include <cstdint>
#include <cstring>

namespace doorbell::stack::bpf {

/// One instruction as it stands in an object file (little endian).
struct RawInsn {
  uint8_t opcode = 0;
  uint8_t regs = 0;  ///< source register in the high nibble, destination in the low
  int16_t offset = 0;
  int32_t imm = 0;

  uint8_t dst() const { return regs & 0xF; }
  uint8_t src() const { return static_cast<uint8_t>(regs >> 4); }
  uint8_t cls() const { return opcode & 0x07; }
};
static_assert(sizeof(RawInsn) == 8, "the encoding has eight octets");

/// For tests and generated code.
constexpr RawInsn raw(uint8_t opcode, unsigned dst, unsigned src, int offset, int64_t imm) {
  return {opcode, static_cast<uint8_t>(src << 4 | dst), static_cast<int16_t>(offset),
          static_cast<int32_t>(imm)};
}

namespace isa {

// Classes.
inline constexpr uint8_t kLd = 0x00, kLdx = 0x01, kSt = 0x02, kStx = 0x03;
inline constexpr uint8_t kAlu = 0x04, kJmp = 0x05, kJmp32 = 0x06, kAlu64 = 0x07;
// Source operand of arithmetic and jumps.
inline constexpr uint8_t kK = 0x00, kX = 0x08;
// Arithmetic.
inline constexpr uint8_t kAdd = 0x00, kSub = 0x10, kMul = 0x20, kDiv = 0x30, kOr = 0x40,
                         kAnd = 0x50, kLsh = 0x60, kRsh = 0x70, kNeg = 0x80, kMod = 0x90,
                         kXor = 0xa0, kMov = 0xb0, kArsh = 0xc0, kEnd = 0xd0;
// Jumps.
inline constexpr uint8_t kJa = 0x00, kJeq = 0x10, kJgt = 0x20, kJge = 0x30, kJset = 0x40,
                         kJne = 0x50, kJsgt = 0x60, kJsge = 0x70, kCall = 0x80, kExit = 0x90,
                         kJlt = 0xa0, kJle = 0xb0, kJslt = 0xc0, kJsle = 0xd0;
// Memory: size and mode.
inline constexpr uint8_t kW = 0x00, kH = 0x08, kB = 0x10, kDw = 0x18;
inline constexpr uint8_t kImm = 0x00, kAbs = 0x20, kInd = 0x40, kMem = 0x60, kMemsx = 0x80,
                         kAtomic = 0xc0;
// Atomic operations, in imm.
inline constexpr int32_t kAtomicFetch = 0x01, kAtomicAdd = 0x00, kAtomicOr = 0x40,
                         kAtomicAnd = 0x50, kAtomicXor = 0xa0, kAtomicXchg = 0xe1,
                         kAtomicCmpxchg = 0xf1;
// Source register of the 64-bit immediate load.
inline constexpr uint8_t kSrcMapFd = 1, kSrcMapFdValue = 2, kSrcVariable = 3, kSrcCode = 4,
                         kSrcMapIndex = 5, kSrcMapIndexValue = 6;
// Source register of a call.
inline constexpr uint8_t kCallHelper = 0, kCallLocal = 1, kCallKernel = 2;

}  // namespace isa

inline constexpr unsigned kRegisters = 11;
inline constexpr unsigned kFramePointer = 10;
inline constexpr uint32_t kStackBytes = 512;  ///< of one frame
inline constexpr unsigned kMaxFrames = 8;
inline constexpr unsigned kMaxTailCalls = 33;
inline constexpr uint64_t kDefaultBudget = 1'000'000;

}  // namespace doorbell::stack::bpf
