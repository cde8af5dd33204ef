#include <algorithm>

#include "sim/stack/bpf/decode_parts.h"
#include "sim/stack/bpf/helpers.h"
#include "sim/stack/bpf/memory.h"

namespace doorbell::stack::bpf {
using namespace isa;

namespace {

constexpr uint16_t mask(unsigned reg) {
  return static_cast<uint16_t>(1u << reg);
}
constexpr uint16_t kArguments = 0x3E;  // r1 to r5

bool in(Exec op, Exec first, Exec last) {
  return op >= first && op <= last;
}
bool is_compare(Exec op) {
  return in(op, Exec::kJeq64K, Exec::kJsle32X);
}
bool is_jump(Exec op) {
  return op == Exec::kJa || is_compare(op);
}
bool by_register(Exec op) {  // of the four forms: 64K 64X 32K 32X
  return (static_cast<unsigned>(op) & 1u) != 0;
}
static_assert((static_cast<unsigned>(Exec::kJeq64K) & 3u) == 0 &&
                  (static_cast<unsigned>(Exec::kAdd64K) & 3u) == 0,
              "by_register() reads the form from the number");

struct Effect {
  uint16_t reads = 0;
  uint16_t writes = 0;
  uint16_t spoils = 0;  // hold nothing afterwards
};

Effect effect_of(const Insn& i) {
  Effect e;
  const uint16_t dst = mask(i.dst);
  const uint16_t src = mask(i.src);
  if (in(i.op, Exec::kAdd64K, Exec::kMov32X)) {
    const bool move = in(i.op, Exec::kMov64K, Exec::kMov32X);
    e.reads = static_cast<uint16_t>((move ? 0 : dst) | (by_register(i.op) ? src : 0));
    e.writes = dst;
  } else if (is_compare(i.op)) {
    e.reads = static_cast<uint16_t>(dst | (by_register(i.op) ? src : 0));
  } else if (in(i.op, Exec::kSx8To64, Exec::kSx16To32) || in(i.op, Exec::kLdB, Exec::kLdsW)) {
    e.reads = src;
    e.writes = dst;
  } else if (in(i.op, Exec::kNeg64, Exec::kNeg32) || in(i.op, Exec::kSwap16, Exec::kNop)) {
    e.reads = dst;
    e.writes = dst;
  } else if (in(i.op, Exec::kStB, Exec::kStDw)) {
    e.reads = dst;
  } else if (in(i.op, Exec::kStxB, Exec::kStxDw)) {
    e.reads = static_cast<uint16_t>(dst | src);
  } else if (i.op == Exec::kAtomic32 || i.op == Exec::kAtomic64) {
    const bool compare = i.imm == kAtomicCmpxchg;
    e.reads = static_cast<uint16_t>(dst | src | (compare ? mask(0) : 0));
    e.writes = compare ? mask(0) : (i.imm & kAtomicFetch) != 0 ? src : uint16_t{0};
  } else if (i.op == Exec::kCallHelper) {
    const unsigned args = helper_at(static_cast<uint32_t>(i.imm)).args;
    e.reads = static_cast<uint16_t>(((1u << args) - 1) << 1);
    e.writes = mask(0);
    e.spoils = kArguments;
  } else if (i.op == Exec::kTailCall) {
    e.reads = 0x0E;  // r1 to r3
    e.writes = mask(0);
    e.spoils = kArguments;
  } else if (i.op == Exec::kCallLocal) {
    e.writes = mask(0);
    e.spoils = kArguments;
  } else if (i.op == Exec::kExit) {
    e.reads = mask(0);
  }
  return e;
}

}  // namespace

bool Decoder::fail(uint32_t raw_at, const std::string& what) {
  // Before the functions are known the start list says which one it is in.
  std::string name = "program";
  uint32_t first = 0;
  for (const FunctionStart& f : input_.functions) {
    if (f.first <= raw_at && f.first >= first) {
      name = f.name;
      first = f.first;
    }
  }
  error_ = name + ": instruction " + std::to_string(raw_at - first) + ": " + what;
  return false;
}

bool Decoder::decode_all() {
  const auto count = static_cast<uint32_t>(input_.insns.size());
  if (count == 0) {
    error_ = "the program has no instructions";
    return false;
  }
  decoded_at_.assign(count, kSecondHalf);
  code_.insns.reserve(count);
  for (uint32_t at = 0; at < count; ++at) {
    Insn insn;
    const std::string error = decode_one(at, insn);
    if (!error.empty()) return fail(at, error);
    decoded_at_[at] = static_cast<uint32_t>(code_.insns.size());
    code_.insns.push_back(insn);
    code_.raw_index.push_back(at);
    if (input_.insns[at].cls() == kLd) ++at;
  }
  return true;
}

bool Decoder::find_functions() {
  std::vector<FunctionStart> starts = input_.functions;
  if (starts.empty()) starts.push_back({0, "program", true});
  const auto add = [&](int64_t target) {
    if (target < 0 || target >= static_cast<int64_t>(decoded_at_.size())) return false;
    const auto at = static_cast<uint32_t>(target);
    if (decoded_at_[at] == kSecondHalf) return false;
    const bool known = std::any_of(starts.begin(), starts.end(),
                                   [at](const FunctionStart& f) { return f.first == at; });
    if (!known) starts.push_back({at, "function_" + std::to_string(at), false});
    return true;
  };
  for (size_t i = 0; i < code_.insns.size(); ++i) {
    if (code_.insns[i].op != Exec::kCallLocal) continue;
    const uint32_t at = code_.raw_index[i];
    const int64_t target = int64_t{at} + 1 + input_.insns[at].imm;
    if (!add(target)) return fail(at, "calls instruction " + std::to_string(target));
  }
  for (const uint32_t at : code_addresses_) {
    const int64_t target = int64_t{at} + 1 + input_.insns[at].imm;
    if (!add(target)) return fail(at, "takes the address of instruction " + std::to_string(target));
  }
  std::sort(starts.begin(), starts.end(),
            [](const FunctionStart& a, const FunctionStart& b) { return a.first < b.first; });
  if (starts.front().first != 0) return fail(0, "the code does not begin with a function");
  for (size_t i = 0; i < starts.size(); ++i) {
    const uint32_t end =
        i + 1 < starts.size() ? starts[i + 1].first : static_cast<uint32_t>(decoded_at_.size());
    if (starts[i].first >= end || decoded_at_[starts[i].first] == kSecondHalf) {
      return fail(std::min<uint32_t>(starts[i].first, end), "a function starts where none can");
    }
    Function f{starts[i].name, decoded_at_[starts[i].first], 0, starts[i].first, starts[i].program};
    if (!code_.functions.empty()) {
      code_.functions.back().count = f.first - code_.functions.back().first;
    }
    code_.functions.push_back(f);
  }
  code_.functions.back().count =
      static_cast<uint32_t>(code_.insns.size()) - code_.functions.back().first;
  return true;
}

bool Decoder::resolve_call(uint32_t at) {
  const uint32_t raw_at = code_.raw_index[at];
  const auto target = static_cast<uint32_t>(int64_t{raw_at} + 1 + input_.insns[raw_at].imm);
  code_.insns[at].offset = static_cast<int32_t>(decoded_at_[target]) - static_cast<int32_t>(at);
  return true;
}

bool Decoder::resolve() {
  for (const Function& f : code_.functions) {
    for (uint32_t at = f.first; at < f.first + f.count; ++at) {
      Insn& insn = code_.insns[at];
      if (insn.op == Exec::kCallLocal) resolve_call(at);
      if (!is_jump(insn.op)) continue;
      const uint32_t raw_at = code_.raw_index[at];
      const int64_t target = int64_t{raw_at} + 1 + insn.offset;
      const int64_t shown = target - f.raw_first;
      if (target < 0 || target >= static_cast<int64_t>(decoded_at_.size())) {
        return fail(raw_at,
                    "jumps to instruction " + std::to_string(shown) + ", outside of the program");
      }
      const uint32_t decoded = decoded_at_[static_cast<size_t>(target)];
      if (decoded == kSecondHalf) {
        return fail(raw_at, "jumps into the middle of the 64-bit load at instruction " +
                                std::to_string(shown - 1));
      }
      if (decoded < f.first || decoded >= f.first + f.count) {
        return fail(raw_at,
                    "jumps to instruction " + std::to_string(shown) + ", outside of its function");
      }
      insn.offset = static_cast<int32_t>(decoded) - static_cast<int32_t>(at);
    }
  }
  return resolve_code_addresses();
}

bool Decoder::resolve_code_addresses() {
  for (const uint32_t raw_at : code_addresses_) {
    const auto target = static_cast<uint32_t>(int64_t{raw_at} + 1 + input_.insns[raw_at].imm);
    code_.insns[decoded_at_[raw_at]].imm =
        static_cast<int64_t>(make_addr(kCodeRegion, decoded_at_[target]));
  }
  return true;
}

bool Decoder::check_ends() {
  for (const Function& f : code_.functions) {
    const uint32_t last = f.first + f.count - 1;
    const Exec op = code_.insns[last].op;
    if (op != Exec::kExit && op != Exec::kJa) {
      return fail(code_.raw_index[last], "is the last of its function, but no exit or jump");
    }
  }
  return true;
}

// A register that no path to an instruction writes cannot be read there. Paths are joined by union:
// a program that only some path leaves without a value is let in, as paths may exclude each other.
bool Decoder::check_reads_of(const Function& function) {
  std::vector<uint16_t> known(function.count, 0);
  std::vector<bool> seen(function.count, false);
  std::vector<uint32_t> work{0};
  known[0] = static_cast<uint16_t>((function.program ? mask(1) : kArguments) | mask(10));
  seen[0] = true;
  const auto flow = [&](uint32_t to, uint16_t state) {
    if (seen[to] && (known[to] | state) == known[to]) return;
    known[to] |= state;
    seen[to] = true;
    work.push_back(to);
  };
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    const Insn& insn = code_.insns[function.first + at];
    const Effect effect = effect_of(insn);
    const auto after =
        static_cast<uint16_t>((known[at] & ~unsigned{effect.spoils}) | effect.writes);
    if (is_jump(insn.op)) {
      flow(static_cast<uint32_t>(static_cast<int32_t>(at) + insn.offset), after);
    }
    const bool stops = insn.op == Exec::kJa || insn.op == Exec::kExit;
    if (!stops) flow(at + 1, after);
  }
  for (uint32_t at = 0; at < function.count; ++at) {
    const auto missing = static_cast<uint16_t>(effect_of(code_.insns[function.first + at]).reads &
                                               ~unsigned{known[at]});
    if (!seen[at] || missing == 0) continue;
    const int reg = __builtin_ctz(missing);
    return fail(code_.raw_index[function.first + at],
                "reads r" + std::to_string(reg) + ", which nothing has written");
  }
  return true;
}

bool Decoder::check_reads() {
  return std::all_of(code_.functions.begin(), code_.functions.end(),
                     [this](const Function& f) { return check_reads_of(f); });
}

base::Result<Code> Decoder::decode() {
  if (decode_all() && find_functions() && resolve() && check_ends() && check_reads()) {
    return std::move(code_);
  }
  return base::Error{error_};
}

base::Result<Code> decode(const CodeInput& input) {
  return Decoder(input).decode();
}

}  // namespace doorbell::stack::bpf
