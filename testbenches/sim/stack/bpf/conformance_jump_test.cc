// Jumps, conformance: RFC 9669, section 4.3. Each comparison in its four forms.
#include "support.h"

namespace doorbell::stack::bpf {
namespace {

constexpr uint64_t kMax = 0xFFFFFFFFFFFFFFFF;

// 1 when the jump at 64 or 32 bits was taken.
int taken(uint8_t opcode, uint64_t a, uint64_t b, int32_t imm) {
  const bool by_register = (opcode & 0x08) != 0;
  Asm p;
  p << load64(2, a) << load64(3, b) << mov64(0, 1) << raw(opcode, 2, by_register ? 3 : 0, 1, imm)
    << mov64(0, 0) << exit_insn();
  Engine engine(p.insns());
  EXPECT_EQ(engine.error, "");
  if (!engine.error.empty()) return -1;
  const auto result = static_cast<int>(engine.run());
  EXPECT_EQ(engine.tally().instructions, result == 1 ? 5u : 6u);
  return result;
}

struct Case {
  uint64_t a;
  uint64_t b;
  bool taken64;
  bool taken32;  // on the low halves
};

// `code` is the operation's high nibble.
template <size_t N>
void check(uint8_t code, const Case (&cases)[N]) {
  for (const Case& c : cases) {
    const auto where = [&](const char* form) {
      return std::string(form) + " code " + std::to_string(code) + " a " + std::to_string(c.a) +
             " b " + std::to_string(c.b);
    };
    EXPECT_EQ(taken(code | 0x0d, c.a, c.b, 0), c.taken64) << where("64 bits, register");
    EXPECT_EQ(taken(code | 0x0e, c.a, c.b, 0), c.taken32) << where("32 bits, register");
    const auto imm = static_cast<int32_t>(static_cast<uint32_t>(c.b));
    if (static_cast<uint64_t>(int64_t{imm}) == c.b) {
      EXPECT_EQ(taken(code | 0x05, c.a, 0, imm), c.taken64) << where("64 bits, immediate");
    }
    EXPECT_EQ(taken(code | 0x06, c.a, 0, imm), c.taken32) << where("32 bits, immediate");
  }
}

TEST(ConformanceJump, Equal) {
  check(0x10, {{5, 5, true, true},
               {5, 6, false, false},
               {0x100000005, 5, false, true},
               {kMax, kMax, true, true},
               {0xFFFFFFFF, kMax, false, true}});
  check(0x50, {{5, 5, false, false},
               {5, 6, true, true},
               {0x100000005, 5, true, false},
               {0xFFFFFFFF, kMax, true, false}});
}

TEST(ConformanceJump, UnsignedOrder) {
  check(0x20, {{6, 5, true, true},
               {5, 5, false, false},
               {kMax, 0, true, true},
               {0, kMax, false, false},
               {0x100000000, 1, true, false}});
  check(0x30, {{6, 5, true, true},
               {5, 5, true, true},
               {0, kMax, false, false},
               {0x100000000, 1, true, false}});
  check(0xa0, {{4, 5, true, true},
               {5, 5, false, false},
               {0, kMax, true, true},
               {kMax, 0, false, false},
               {0x100000000, 1, false, true}});
  check(0xb0, {{4, 5, true, true},
               {5, 5, true, true},
               {6, 5, false, false},
               {0x100000006, 5, false, false},
               {0x100000000, 1, false, true}});
}

TEST(ConformanceJump, SignedOrder) {
  check(0x60, {{1, kMax, true, true},  // 1 > -1
               {kMax, 1, false, false},
               {5, 5, false, false},
               {0x80000000, 1, true, false},  // positive in 64 bits, negative in 32
               {0x7FFFFFFFFFFFFFFF, 0x8000000000000000, true, false}});
  check(0x70, {{1, kMax, true, true},
               {5, 5, true, true},
               {kMax, 0, false, false},
               {0x80000000, 0, true, false}});
  check(0xc0, {{kMax, 1, true, true},
               {1, kMax, false, false},
               {5, 5, false, false},
               {0x80000000, 1, false, true}});
  check(0xd0, {{kMax, 1, true, true},
               {5, 5, true, true},
               {1, kMax, false, false},
               {0x80000000, 0, false, true}});
}

TEST(ConformanceJump, AnyBit) {
  check(0x40, {{0xF0, 0x10, true, true},
               {0xF0, 0x0F, false, false},
               {0, kMax, false, false},
               {0x100000000, kMax, true, false},
               {0x8000000000000000, 0xFFFFFFFF80000000, true, false}});
}

TEST(ConformanceJump, Always) {
  Engine shortest((Asm() << mov64(0, 1) << ja(1) << mov64(0, 2) << exit_insn()).insns());
  EXPECT_EQ(shortest.run(), 1u);
  EXPECT_EQ(shortest.tally().instructions, 3u);
  // Class JMP32: the distance is the immediate.
  Engine longest(
      (Asm() << mov64(0, 1) << raw(0x06, 0, 0, 0, 1) << mov64(0, 2) << exit_insn()).insns());
  ASSERT_EQ(longest.error, "");
  EXPECT_EQ(longest.run(), 1u);
}

TEST(ConformanceJump, LongJumpPassesWhatSixteenBitsCannot) {
  Asm p;
  p << mov64(0, 7) << raw(0x06, 0, 0, 0, 40000);
  for (int i = 0; i < 40000; ++i) p << mov64(0, 8);
  p << exit_insn();
  Engine engine(p.insns());
  ASSERT_EQ(engine.error, "");
  EXPECT_EQ(engine.run(), 7u);
  EXPECT_EQ(engine.tally().instructions, 3u);
}

TEST(ConformanceJump, BackwardJumpsLoop) {
  Asm p;
  p << mov64(0, 0) << mov64(2, 10) << raw(0x0f, 0, 2, 0, 0) << add64(2, -1)
    << raw(0x55, 2, 0, -3, 0) << exit_insn();
  Engine engine(p.insns());
  EXPECT_EQ(engine.run(), 55u);
  EXPECT_EQ(engine.tally().instructions, 2u + 10u * 3u + 1u);
}

TEST(ConformanceJump, OverA64BitLoad) {
  Asm p;
  p << mov64(0, 1) << ja(2) << load64(0, 9) << exit_insn();
  Engine engine(p.insns());
  ASSERT_EQ(engine.error, "");
  EXPECT_EQ(engine.run(), 1u);
}

TEST(ConformanceCall, ArgumentsResultAndSavedRegisters) {
  // f(a, b, c, d, e) = a + 2b + 3c + 4d + 5e; r6 to r9 live on in the caller.
  Asm p;
  p << mov64(6, 600) << mov64(7, 70) << mov64(8, 8) << mov64(9, 1) << mov64(1, 1) << mov64(2, 10)
    << mov64(3, 100) << mov64(4, 1000) << mov64(5, 10000) << call_local(5) << raw(0x0f, 0, 6, 0, 0)
    << raw(0x0f, 0, 7, 0, 0) << raw(0x0f, 0, 8, 0, 0) << raw(0x0f, 0, 9, 0, 0) << exit_insn();
  p << mov64(6, 0) << mov64(7, 0) << mov64(8, 0) << mov64(9, 0) << raw(0x27, 2, 0, 0, 2)
    << raw(0x27, 3, 0, 0, 3) << raw(0x27, 4, 0, 0, 4) << raw(0x27, 5, 0, 0, 5) << mov64_reg(0, 1)
    << raw(0x0f, 0, 2, 0, 0) << raw(0x0f, 0, 3, 0, 0) << raw(0x0f, 0, 4, 0, 0)
    << raw(0x0f, 0, 5, 0, 0) << exit_insn();
  Engine engine(p.insns());
  ASSERT_EQ(engine.error, "");
  EXPECT_EQ(engine.run(), 1u + 20 + 300 + 4000 + 50000 + 600 + 70 + 8 + 1);
  EXPECT_EQ(engine.tally().instructions, 29u);
}

TEST(ConformanceCall, EachFrameHasItsOwnStack) {
  // The caller writes -8, the callee writes its own -8 and adds to the caller's through r1.
  Asm p;
  p << raw(0x7a, 10, 0, -8, 5) << mov64_reg(1, 10) << add64(1, -8) << call_local(2)
    << raw(0x79, 0, 10, -8, 0) << exit_insn();
  p << raw(0x7a, 10, 0, -8, 100) << raw(0x79, 2, 1, 0, 0) << add64(2, 1) << raw(0x7b, 1, 2, 0, 0)
    << mov64(0, 0) << exit_insn();
  Engine engine(p.insns());
  ASSERT_EQ(engine.error, "");
  EXPECT_EQ(engine.run(), 6u) << engine.image.first_fault;
}

// f calls itself until r1 is 0: depth frames below the entry's.
std::vector<RawInsn> recursion(int depth) {
  Asm p;
  p << mov64(1, depth) << call_local(1) << exit_insn();
  p << mov64(0, 0) << raw(0x15, 1, 0, 3, 0) << add64(1, -1) << call_local(-4) << add64(0, 1)
    << exit_insn();
  return p.insns();
}

TEST(ConformanceCall, EightFramesAndNoMore) {
  Engine seven(recursion(6));
  ASSERT_EQ(seven.error, "");
  EXPECT_EQ(seven.run(), 6u);
  EXPECT_FALSE(seven.faulted());
  Engine nine(recursion(7));
  EXPECT_EQ(nine.run(), 0u);
  EXPECT_TRUE(nine.faulted());
  EXPECT_EQ(nine.image.first_fault, "function_3: instruction 3: calls deeper than 8 frames");
}

}  // namespace
}  // namespace doorbell::stack::bpf
