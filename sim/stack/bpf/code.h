// Decoded BPF code: what the interpreter runs, and the checks that make it.
//
// decode() takes raw instructions, refuses what no run could make sense of (unknown opcodes, used
// reserved fields, bad registers, jumps out of a function or into the middle of a 64-bit load,
// unknown helpers, a function that runs off its end, a register that nothing writes before it is
// read) and turns the rest into fixed 16-byte steps with resolved targets. It is no verifier: what
// depends on values, such as bounds and loops, is checked while the program runs.
// Errors name the function and the index of the instruction in it, as llvm-objdump counts them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/result.h"
#include "sim/stack/bpf/isa.h"
#include "sim/stack/bpf/map.h"

namespace doorbell::stack::bpf {

// Two-operand arithmetic: each in 64 and 32 bits, with immediate and with register.
#define DOORBELL_BPF_BINARY(X) \
  X(Add)                       \
  X(Sub)                       \
  X(Mul)                       \
  X(Div)                       \
  X(Sdiv)                      \
  X(Mod)                       \
  X(Smod)                      \
  X(Or)                        \
  X(And)                       \
  X(Xor)                       \
  X(Lsh)                       \
  X(Rsh)                       \
  X(Arsh)                      \
  X(Mov)
// Conditional jumps: the same four forms.
#define DOORBELL_BPF_COMPARE(X) \
  X(Jeq)                        \
  X(Jne)                        \
  X(Jgt)                        \
  X(Jge)                        \
  X(Jlt)                        \
  X(Jle)                        \
  X(Jset)                       \
  X(Jsgt)                       \
  X(Jsge)                       \
  X(Jslt)                       \
  X(Jsle)
#define DOORBELL_BPF_PLAIN(X) \
  X(Neg64)                    \
  X(Neg32)                    \
  X(Sx8To64)                  \
  X(Sx16To64)                 \
  X(Sx32To64)                 \
  X(Sx8To32)                  \
  X(Sx16To32)                 \
  X(Swap16)                   \
  X(Swap32)                   \
  X(Swap64)                   \
  X(Low16)                    \
  X(Low32)                    \
  X(Nop)                      \
  X(Ja)                       \
  X(CallHelper)               \
  X(CallLocal)                \
  X(TailCall)                 \
  X(Exit)                     \
  X(LdB)                      \
  X(LdH)                      \
  X(LdW)                      \
  X(LdDw)                     \
  X(LdsB)                     \
  X(LdsH)                     \
  X(LdsW)                     \
  X(StB)                      \
  X(StH)                      \
  X(StW)                      \
  X(StDw)                     \
  X(StxB)                     \
  X(StxH)                     \
  X(StxW)                     \
  X(StxDw)                    \
  X(Atomic32)                 \
  X(Atomic64)                 \
  X(Poison)

enum class Exec : uint16_t {
#define DOORBELL_BPF_FOUR(name) k##name##64K, k##name##64X, k##name##32K, k##name##32X,
#define DOORBELL_BPF_ONE(name) k##name,
  DOORBELL_BPF_BINARY(DOORBELL_BPF_FOUR) DOORBELL_BPF_COMPARE(DOORBELL_BPF_FOUR)
      DOORBELL_BPF_PLAIN(DOORBELL_BPF_ONE)
#undef DOORBELL_BPF_FOUR
#undef DOORBELL_BPF_ONE
          kCount,
};

struct Insn {
  Exec op = Exec::kPoison;
  uint8_t dst = 0;
  uint8_t src = 0;
  int32_t offset = 0;  ///< of memory in octets, or of a jump in decoded instructions from this one
  int64_t imm = 0;     ///< also: helper's place in its table, atomic operation
};
static_assert(sizeof(Insn) == 16, "four to a cache line");

/// Where a function starts, in raw instructions.
struct FunctionStart {
  uint32_t first = 0;
  std::string name;
  bool program = false;  ///< entered with the context alone in r1
};

struct CodeInput {
  std::vector<RawInsn> insns;
  std::vector<FunctionStart> functions;  ///< empty: one program that starts at 0
  std::vector<const MapSpec*> maps;
  bool gpl = true;  ///< licence allows the helpers that are for GPL programs
};

struct Function {
  std::string name;
  uint32_t first = 0;  ///< decoded
  uint32_t count = 0;
  uint32_t raw_first = 0;
  bool program = false;
};

struct Code {
  std::vector<Insn> insns;
  std::vector<uint32_t> raw_index;  ///< of each decoded instruction
  std::vector<Function> functions;  ///< by place

  /// "name: instruction 12".
  std::string where(uint32_t insn) const;
};

base::Result<Code> decode(const CodeInput& input);

}  // namespace doorbell::stack::bpf
