// The dispatch loop. One label for each Exec; the next instruction is fetched and jumped to at the
// end of each, so that the branch predictor learns pairs of instructions. Instructions are counted
// by distance at every taken jump, not one by one. The loop is one function because the labels and
// the registers must share it.
#include <cstring>
#include <type_traits>

#include "sim/stack/bpf/helpers.h"
#include "sim/stack/bpf/vm.h"

namespace doorbell::stack::bpf {
using namespace isa;

namespace {

template <typename U>
using Signed = std::make_signed_t<U>;

// Arithmetic as RFC 9669, section 4.1 has it; U is uint64_t or uint32_t.
template <typename U>
U do_Add(U a, U b) {
  return a + b;
}
template <typename U>
U do_Sub(U a, U b) {
  return a - b;
}
template <typename U>
U do_Mul(U a, U b) {
  return a * b;
}
template <typename U>
U do_Div(U a, U b) {
  return b == 0 ? 0 : a / b;
}
template <typename U>
U do_Mod(U a, U b) {
  return b == 0 ? a : a % b;
}
// The smallest number by -1 wraps to itself.
template <typename U>
U do_Sdiv(U a, U b) {
  if (b == 0) return 0;
  if (b == static_cast<U>(-1)) return U{0} - a;
  return static_cast<U>(static_cast<Signed<U>>(a) / static_cast<Signed<U>>(b));
}
template <typename U>
U do_Smod(U a, U b) {
  if (b == 0) return a;
  if (b == static_cast<U>(-1)) return 0;
  return static_cast<U>(static_cast<Signed<U>>(a) % static_cast<Signed<U>>(b));
}
template <typename U>
U do_Or(U a, U b) {
  return a | b;
}
template <typename U>
U do_And(U a, U b) {
  return a & b;
}
template <typename U>
U do_Xor(U a, U b) {
  return a ^ b;
}
template <typename U>
U do_Lsh(U a, U b) {
  return a << (b & (sizeof(U) * 8 - 1));
}
template <typename U>
U do_Rsh(U a, U b) {
  return a >> (b & (sizeof(U) * 8 - 1));
}
template <typename U>
U do_Arsh(U a, U b) {
  return static_cast<U>(static_cast<Signed<U>>(a) >> (b & (sizeof(U) * 8 - 1)));
}
template <typename U>
U do_Mov(U, U b) {
  return b;
}

template <typename U>
bool do_Jeq(U a, U b) {
  return a == b;
}
template <typename U>
bool do_Jne(U a, U b) {
  return a != b;
}
template <typename U>
bool do_Jgt(U a, U b) {
  return a > b;
}
template <typename U>
bool do_Jge(U a, U b) {
  return a >= b;
}
template <typename U>
bool do_Jlt(U a, U b) {
  return a < b;
}
template <typename U>
bool do_Jle(U a, U b) {
  return a <= b;
}
template <typename U>
bool do_Jset(U a, U b) {
  return (a & b) != 0;
}
template <typename U>
bool do_Jsgt(U a, U b) {
  return static_cast<Signed<U>>(a) > static_cast<Signed<U>>(b);
}
template <typename U>
bool do_Jsge(U a, U b) {
  return static_cast<Signed<U>>(a) >= static_cast<Signed<U>>(b);
}
template <typename U>
bool do_Jslt(U a, U b) {
  return static_cast<Signed<U>>(a) < static_cast<Signed<U>>(b);
}
template <typename U>
bool do_Jsle(U a, U b) {
  return static_cast<Signed<U>>(a) <= static_cast<Signed<U>>(b);
}

template <typename T>
uint64_t extended(uint64_t value) {
  return static_cast<uint64_t>(static_cast<int64_t>(static_cast<T>(value)));
}

}  // namespace

inline void Vm::note_packet(const uint8_t* p, uint32_t bytes, Access access) {
  const uint64_t done = access == Access::kWrite ? lines_written_[0] : lines_read_[0];
  const uintptr_t first = (reinterpret_cast<uintptr_t>(p) >> 6) - line_base_;
  const uintptr_t last = (reinterpret_cast<uintptr_t>(p + bytes - 1) >> 6) - line_base_;
  const bool known = first == last && first < 64 && (done >> first & 1) != 0;
  if (__builtin_expect(!known, 0)) touch_packet(p, bytes, access);
}

template <typename T>
inline bool Vm::load(Addr a, uint64_t& out) {
  const uint8_t* p = memory_.translate(a, sizeof(T), Access::kRead);
  if (__builtin_expect(p == nullptr, 0)) return load_context(a, sizeof(T), out);
  if (region_of(a) == kPacketRegion) note_packet(p, sizeof(T), Access::kRead);
  T value;
  std::memcpy(&value, p, sizeof value);
  out = value;
  return true;
}

template <typename T>
inline bool Vm::store(Addr a, T value) {
  uint8_t* p = memory_.translate(a, sizeof(T), Access::kWrite);
  if (__builtin_expect(p == nullptr, 0)) return false;
  if (region_of(a) == kPacketRegion) note_packet(p, sizeof(T), Access::kWrite);
  std::memcpy(p, &value, sizeof value);
  return true;
}

// The kernel allows atomics on the stack and on map values only.
template <typename T>
bool Vm::atomic(Addr a, int64_t operation, uint64_t& source, uint64_t& r0) {
  uint8_t* p = memory_.translate(a, sizeof(T), Access::kWrite);
  const bool aligned = (a & (sizeof(T) - 1)) == 0;
  if (p == nullptr || region_of(a) == kPacketRegion || !aligned) return false;
  T old;
  std::memcpy(&old, p, sizeof old);
  const T operand = static_cast<T>(source);
  T now = old;
  switch (operation & ~int64_t{kAtomicFetch}) {
    case kAtomicAdd:
      now = old + operand;
      break;
    case kAtomicOr:
      now = old | operand;
      break;
    case kAtomicAnd:
      now = old & operand;
      break;
    case kAtomicXor:
      now = old ^ operand;
      break;
    case kAtomicXchg & ~kAtomicFetch:
      now = operand;
      break;
    default:  // compare and exchange
      if (old == static_cast<T>(r0)) now = operand;
      break;
  }
  std::memcpy(p, &now, sizeof now);
  if (operation == kAtomicCmpxchg) {
    r0 = old;
  } else if ((operation & kAtomicFetch) != 0) {
    source = old;
  }
  return true;
}

uint64_t Vm::execute(const Insn* entry, const uint64_t (&args)[5]) {
  static const void* const kLabels[] = {
#define DOORBELL_BPF_FOUR(name) &&L_##name##64K, &&L_##name##64X, &&L_##name##32K, &&L_##name##32X,
#define DOORBELL_BPF_ONE(name) &&L_##name,
      DOORBELL_BPF_BINARY(DOORBELL_BPF_FOUR) DOORBELL_BPF_COMPARE(DOORBELL_BPF_FOUR)
          DOORBELL_BPF_PLAIN(DOORBELL_BPF_ONE)
#undef DOORBELL_BPF_FOUR
#undef DOORBELL_BPF_ONE
  };
  static_assert(sizeof kLabels / sizeof *kLabels == static_cast<size_t>(Exec::kCount), "");

  uint64_t r[kRegisters] = {0, args[0], args[1], args[2], args[3], args[4]};
  r[kFramePointer] = make_addr(kStackRegion + depth_ - 1, 0, kStackBytes);
  const unsigned base_depth = depth_;
  const uint64_t budget = image_.budget;
  const Insn* pc = entry;
  // Instructions executed: those before `mark` in `count`, and pc - mark.
  const Insn* mark = pc;
  uint64_t count = tally_.instructions;

#define DST (r[pc->dst])
#define SRC (r[pc->src])
#define DISPATCH goto* kLabels[static_cast<unsigned>(pc->op)]
#define NEXT  \
  do {        \
    ++pc;     \
    DISPATCH; \
  } while (0)
#define GO(target)                                       \
  do {                                                   \
    count += static_cast<uint64_t>(pc - mark) + 1;       \
    pc = (target);                                       \
    mark = pc;                                           \
    if (__builtin_expect(count > budget, 0)) goto spent; \
    DISPATCH;                                            \
  } while (0)

  DISPATCH;

#define DOORBELL_BPF_FOUR(name)                                                                    \
  L_##name##64K : DST = do_##name<uint64_t>(DST, static_cast<uint64_t>(pc->imm));                  \
  NEXT;                                                                                            \
  L_##name##64X : DST = do_##name<uint64_t>(DST, SRC);                                             \
  NEXT;                                                                                            \
  L_##name##32K                                                                                    \
      : DST = do_##name<uint32_t>(static_cast<uint32_t>(DST), static_cast<uint32_t>(pc->imm));     \
  NEXT;                                                                                            \
  L_##name##32X : DST =                                                                            \
                      do_##name<uint32_t>(static_cast<uint32_t>(DST), static_cast<uint32_t>(SRC)); \
  NEXT;
  DOORBELL_BPF_BINARY(DOORBELL_BPF_FOUR)
#undef DOORBELL_BPF_FOUR

#define DOORBELL_BPF_FOUR(name)                                                                    \
  L_##name##64K : if (do_##name<uint64_t>(DST, static_cast<uint64_t>(pc->imm)))                    \
                      GO(pc + pc->offset);                                                         \
  NEXT;                                                                                            \
  L_##name##64X : if (do_##name<uint64_t>(DST, SRC)) GO(pc + pc->offset);                          \
  NEXT;                                                                                            \
  L_##name##32K                                                                                    \
      : if (do_##name<uint32_t>(static_cast<uint32_t>(DST), static_cast<uint32_t>(pc->imm)))       \
            GO(pc + pc->offset);                                                                   \
  NEXT;                                                                                            \
  L_##name##32X : if (do_##name<uint32_t>(static_cast<uint32_t>(DST), static_cast<uint32_t>(SRC))) \
                      GO(pc + pc->offset);                                                         \
  NEXT;
  DOORBELL_BPF_COMPARE(DOORBELL_BPF_FOUR)
#undef DOORBELL_BPF_FOUR

L_Ja:
  GO(pc + pc->offset);

L_Neg64:
  DST = uint64_t{0} - DST;
  NEXT;
L_Neg32:
  DST = static_cast<uint32_t>(0u - static_cast<uint32_t>(DST));
  NEXT;
L_Sx8To64:
  DST = extended<int8_t>(SRC);
  NEXT;
L_Sx16To64:
  DST = extended<int16_t>(SRC);
  NEXT;
L_Sx32To64:
  DST = extended<int32_t>(SRC);
  NEXT;
L_Sx8To32:
  DST = static_cast<uint32_t>(extended<int8_t>(SRC));
  NEXT;
L_Sx16To32:
  DST = static_cast<uint32_t>(extended<int16_t>(SRC));
  NEXT;
L_Swap16:
  DST = __builtin_bswap16(static_cast<uint16_t>(DST));
  NEXT;
L_Swap32:
  DST = __builtin_bswap32(static_cast<uint32_t>(DST));
  NEXT;
L_Swap64:
  DST = __builtin_bswap64(DST);
  NEXT;
L_Low16:
  DST = static_cast<uint16_t>(DST);
  NEXT;
L_Low32:
  DST = static_cast<uint32_t>(DST);
  NEXT;
L_Nop:
  NEXT;

#define ADDRESS(reg) ((reg) + static_cast<uint64_t>(int64_t{pc->offset}))
#define LOAD(label, type, finish)                                \
  L_##label : {                                                  \
    uint64_t value;                                              \
    if (__builtin_expect(!load<type>(ADDRESS(SRC), value), 0)) { \
      pc_ = pc;                                                  \
      fault_access(ADDRESS(SRC), sizeof(type), Access::kRead);   \
      goto stopped;                                              \
    }                                                            \
    DST = finish;                                                \
    NEXT;                                                        \
  }
  LOAD(LdB, uint8_t, value)
  LOAD(LdH, uint16_t, value)
  LOAD(LdW, uint32_t, value)
  LOAD(LdDw, uint64_t, value)
  LOAD(LdsB, uint8_t, extended<int8_t>(value))
  LOAD(LdsH, uint16_t, extended<int16_t>(value))
  LOAD(LdsW, uint32_t, extended<int32_t>(value))
#undef LOAD
#define STORE(label, type, from)                                                    \
  L_##label : {                                                                     \
    if (__builtin_expect(!store<type>(ADDRESS(DST), static_cast<type>(from)), 0)) { \
      pc_ = pc;                                                                     \
      fault_access(ADDRESS(DST), sizeof(type), Access::kWrite);                     \
      goto stopped;                                                                 \
    }                                                                               \
    NEXT;                                                                           \
  }
  STORE(StB, uint8_t, pc->imm)
  STORE(StH, uint16_t, pc->imm)
  STORE(StW, uint32_t, pc->imm)
  STORE(StDw, uint64_t, pc->imm)
  STORE(StxB, uint8_t, SRC)
  STORE(StxH, uint16_t, SRC)
  STORE(StxW, uint32_t, SRC)
  STORE(StxDw, uint64_t, SRC)
#undef STORE
#define ATOMIC(label, type)                                                                \
  L_##label : {                                                                            \
    if (__builtin_expect(!atomic<type>(ADDRESS(DST), pc->imm, SRC, r[0]), 0)) {            \
      pc_ = pc;                                                                            \
      fault([&] {                                                                          \
        return "atomic operation on " + std::to_string(sizeof(type)) + " octets at " +     \
               describe(ADDRESS(DST)) + "; allowed: aligned, on the stack or a map value"; \
      });                                                                                  \
      goto stopped;                                                                        \
    }                                                                                      \
    NEXT;                                                                                  \
  }
  ATOMIC(Atomic32, uint32_t)
  ATOMIC(Atomic64, uint64_t)
#undef ATOMIC
#undef ADDRESS

L_CallHelper : {
  const Helper& helper = helper_at(static_cast<uint32_t>(pc->imm));
  pc_ = pc;
  count += static_cast<uint64_t>(pc - mark) + 1;
  mark = pc + 1;
  tally_.instructions = count;
  if (helper.counted) ++tally_.helpers;
  r[0] = helper.fn(*this, r[1], r[2], r[3], r[4], r[5]);
  if (__builtin_expect(faulted_, 0)) return 0;
  count = tally_.instructions;  // a helper may have called back
  NEXT;
}
L_TailCall : {
  pc_ = pc;
  const Insn* target = tail_target(r[1], r[2], r[3]);
  if (__builtin_expect(faulted_, 0)) goto stopped;
  if (target == nullptr) NEXT;
  GO(target);
}
L_CallLocal : {
  Frame& frame = frames_[depth_ - 1];
  frame.back = pc + 1;
  std::memcpy(frame.saved, &r[6], sizeof frame.saved);
  pc_ = pc;
  if (!enter_frame()) goto stopped;
  r[kFramePointer] = make_addr(kStackRegion + depth_ - 1, 0, kStackBytes);
  GO(pc + pc->offset);
}
L_Exit:
  if (depth_ == base_depth) {
    tally_.instructions = count + static_cast<uint64_t>(pc - mark) + 1;
    return r[0];
  }
  {
    leave_frame();
    const Frame& frame = frames_[depth_ - 1];
    std::memcpy(&r[6], frame.saved, sizeof frame.saved);
    r[kFramePointer] = make_addr(kStackRegion + depth_ - 1, 0, kStackBytes);
    GO(frame.back);
  }
L_Poison:
  pc_ = pc;
  fault([] { return std::string("calls a kernel function that does not exist"); });
  goto stopped;

spent:
  // `pc` was not executed.
  pc_ = pc;
  tally_.instructions = count;
  fault_budget();
  return 0;
stopped:
  tally_.instructions = count + static_cast<uint64_t>(pc - mark) + 1;
  return 0;
#undef GO
#undef NEXT
#undef DISPATCH
#undef SRC
#undef DST
}

}  // namespace doorbell::stack::bpf
