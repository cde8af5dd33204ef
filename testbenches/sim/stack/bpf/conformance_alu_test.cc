// Arithmetic, conformance: operands and results typed from RFC 9669, sections 4.1 and 4.2.
//
// `a` is the destination register before, `b` the source register, and in the immediate forms
// `imm`, which 64-bit operations sign-extend. Every opcode of the two classes appears.
#include "support.h"

namespace doorbell::stack::bpf {
namespace {

constexpr uint64_t kMax = 0xFFFFFFFFFFFFFFFF;
constexpr uint64_t kMin64 = 0x8000000000000000;
constexpr uint64_t kMin32 = 0x80000000;

struct Case {
  uint8_t opcode;
  int16_t offset;
  uint64_t a;
  uint64_t b;  // register forms
  int32_t imm;
  uint64_t want;
};

uint64_t result_of(const Case& c) {
  Asm program;
  program << load64(2, c.a) << load64(3, c.b);
  const bool by_register = (c.opcode & 0x08) != 0 && c.opcode != 0xdc;
  program << raw(c.opcode, 2, by_register ? 3 : 0, c.offset, c.imm);
  program << mov64_reg(0, 2) << exit_insn();
  Engine engine(program.insns());
  EXPECT_EQ(engine.error, "");
  if (!engine.error.empty()) return 0xDEAD;
  const uint64_t got = engine.run();
  EXPECT_FALSE(engine.faulted()) << engine.image.first_fault;
  EXPECT_EQ(engine.tally().instructions, 5u);
  return got;
}

template <size_t N>
void check(const Case (&cases)[N]) {
  for (const Case& c : cases) {
    EXPECT_EQ(result_of(c), c.want) << std::hex << "opcode " << int{c.opcode} << " offset "
                                    << c.offset << " a " << c.a << " b " << c.b << " imm " << c.imm;
  }
}

TEST(ConformanceAlu, Add) {
  check({
      {0x07, 0, 1, 0, 2, 3},
      {0x07, 0, 0, 0, -1, kMax},  // the immediate is sign-extended
      {0x07, 0, kMax, 0, 1, 0},   // wraps
      {0x0f, 0, 0x7FFFFFFFFFFFFFFF, 1, 0, kMin64},
      {0x0f, 0, kMax, kMax, 0, kMax - 1},
      {0x04, 0, 0xFFFFFFFF, 0, 1, 0},          // 32 bits wrap, upper half zero
      {0x04, 0, 0xFFFFFFFF00000001, 0, 2, 3},  // upper half is cleared
      {0x04, 0, 1, 0, -1, 0},                  //
      {0x0c, 0, 0xAAAAAAAA80000000, 0x80000000, 0, 0},
      {0x0c, 0, 5, 0xFFFFFFFFFFFFFFFF, 0, 4},
  });
}

TEST(ConformanceAlu, Sub) {
  check({
      {0x17, 0, 5, 0, 7, static_cast<uint64_t>(-2)},
      {0x17, 0, 0, 0, -1, 1},
      {0x17, 0, kMin64, 0, 1, 0x7FFFFFFFFFFFFFFF},
      {0x1f, 0, 0, kMin64, 0, kMin64},
      {0x1f, 0, 10, 10, 0, 0},
      {0x14, 0, 0, 0, 1, 0xFFFFFFFF},
      {0x14, 0, 0xFFFFFFFF00000005, 0, 5, 0},
      {0x1c, 0, 0x100000000, 1, 0, 0xFFFFFFFF},
      {0x1c, 0, kMin32, 1, 0, 0x7FFFFFFF},
  });
}

TEST(ConformanceAlu, Mul) {
  check({
      {0x27, 0, 3, 0, -4, static_cast<uint64_t>(-12)},
      {0x27, 0, kMax, 0, 2, kMax - 1},
      {0x2f, 0, 0x100000001, 0x100000001, 0, 0x200000001},
      {0x2f, 0, kMin64, 2, 0, 0},
      {0x24, 0, 0x80000001, 0, 2, 2},
      {0x24, 0, 0xFFFFFFFF00000003, 0, 3, 9},
      {0x24, 0, 3, 0, -1, 0xFFFFFFFD},
      {0x2c, 0, 0xFFFFFFFF, 0xFFFFFFFF, 0, 1},
  });
}

TEST(ConformanceAlu, DivIsUnsignedAndByZeroIsZero) {
  check({
      {0x37, 0, 100, 0, 7, 14},
      {0x37, 0, 100, 0, 0, 0},
      {0x37, 0, kMax, 0, -1, 1},  // by 2^64 - 1
      {0x37, 0, 100, 0, -1, 0},
      {0x3f, 0, kMax, 2, 0, 0x7FFFFFFFFFFFFFFF},
      {0x3f, 0, 5, 0, 0, 0},
      {0x3f, 0, kMin64, kMax, 0, 0},
      {0x34, 0, 0xFFFFFFFF00000064, 0, 7, 14},
      {0x34, 0, 0xFFFFFFFF00000064, 0, 0, 0},
      {0x34, 0, 0xFFFFFFFF, 0, -1, 1},           // by 2^32 - 1
      {0x3c, 0, 0xFFFFFFFF, 0x100000000, 0, 0},  // low half of the divisor is zero
      {0x3c, 0, kMin32, 2, 0, 0x40000000},
  });
}

TEST(ConformanceAlu, ModByZeroLeavesTheDestination) {
  check({
      {0x97, 0, 100, 0, 7, 2},
      {0x97, 0, 100, 0, 0, 100},
      {0x97, 0, 0xFFFFFFFF00000064, 0, 0, 0xFFFFFFFF00000064},
      {0x97, 0, 100, 0, -1, 100},
      {0x9f, 0, kMax, 10, 0, 5},
      {0x9f, 0, kMax, 0, 0, kMax},
      {0x94, 0, 0xFFFFFFFF00000064, 0, 7, 2},
      {0x94, 0, 0xFFFFFFFF00000064, 0, 0, 0x64},  // upper half is cleared all the same
      {0x9c, 0, 0xAAAAAAAA00000005, 0, 0, 5},
      {0x9c, 0, 0xFFFFFFFF, 10, 0, 5},
  });
}

TEST(ConformanceAlu, SignedDiv) {
  check({
      {0x37, 1, static_cast<uint64_t>(-13), 0, 3, static_cast<uint64_t>(-4)},  // towards zero
      {0x37, 1, 13, 0, -3, static_cast<uint64_t>(-4)},
      {0x37, 1, kMin64, 0, -1, kMin64},
      {0x37, 1, static_cast<uint64_t>(-13), 0, 0, 0},
      {0x3f, 1, static_cast<uint64_t>(-13), static_cast<uint64_t>(-3), 0, 4},
      {0x3f, 1, kMin64, kMax, 0, kMin64},
      {0x3f, 1, 7, 0, 0, 0},
      {0x34, 1, 0xFFFFFFF3, 0, 3, 0xFFFFFFFC},
      {0x34, 1, 0x12345678FFFFFFF3, 0, 3, 0xFFFFFFFC},
      {0x34, 1, kMin32, 0, -1, kMin32},
      {0x34, 1, 0xFFFFFFF3, 0, 0, 0},
      {0x3c, 1, 13, 0xFFFFFFFD, 0, 0xFFFFFFFC},
      {0x3c, 1, kMin32, 0xFFFFFFFF, 0, kMin32},
      {0x3c, 1, 13, 0x500000000, 0, 0},
  });
}

TEST(ConformanceAlu, SignedModHasTheSignOfTheDividend) {
  check({
      {0x97, 1, static_cast<uint64_t>(-13), 0, 3, static_cast<uint64_t>(-1)},
      {0x97, 1, 13, 0, -3, 1},
      {0x97, 1, kMin64, 0, -1, 0},
      {0x97, 1, static_cast<uint64_t>(-13), 0, 0, static_cast<uint64_t>(-13)},
      {0x9f, 1, static_cast<uint64_t>(-13), static_cast<uint64_t>(-3), 0,
       static_cast<uint64_t>(-1)},
      {0x9f, 1, kMin64, kMax, 0, 0},
      {0x9f, 1, kMin64, 0, 0, kMin64},
      {0x94, 1, 0xFFFFFFF3, 0, 3, 0xFFFFFFFF},
      {0x94, 1, kMin32, 0, -1, 0},
      {0x94, 1, 0xAAAAAAAAFFFFFFF3, 0, 0, 0xFFFFFFF3},
      {0x9c, 1, 13, 0xFFFFFFFD, 0, 1},
      {0x9c, 1, kMin32, 0xFFFFFFFF, 0, 0},
  });
}

TEST(ConformanceAlu, OrAndXor) {
  check({
      {0x47, 0, 0xF0, 0, 0x0F, 0xFF},
      {0x47, 0, 1, 0, -256, 0xFFFFFFFFFFFFFF01},
      {0x4f, 0, 0xF000000000000000, 0x0F, 0, 0xF00000000000000F},
      {0x44, 0, 0xFFFFFFFF000000F0, 0, 0x0F, 0xFF},
      {0x44, 0, 1, 0, -256, 0xFFFFFF01},
      {0x4c, 0, 0xFFFFFFFF00000001, 0xFFFFFFFF00000002, 0, 3},
      {0x57, 0, kMax, 0, -256, 0xFFFFFFFFFFFFFF00},
      {0x57, 0, kMax, 0, 0x0F, 0x0F},
      {0x5f, 0, 0xFF00FF00FF00FF00, 0x0FF00FF00FF00FF0, 0, 0x0F000F000F000F00},
      {0x54, 0, kMax, 0, -256, 0xFFFFFF00},
      {0x5c, 0, kMax, kMax, 0, 0xFFFFFFFF},
      {0xa7, 0, kMax, 0, -1, 0},
      {0xa7, 0, 0xFF, 0, 0x0F, 0xF0},
      {0xaf, 0, 0x123456789ABCDEF0, 0x123456789ABCDEF0, 0, 0},
      {0xa4, 0, kMax, 0, -1, 0},
      {0xa4, 0, 0xFFFFFFFF00000000, 0, 5, 5},
      {0xac, 0, kMax, 1, 0, 0xFFFFFFFE},
  });
}

TEST(ConformanceAlu, ShiftsMaskTheirCount) {
  check({
      {0x67, 0, 1, 0, 63, kMin64},
      {0x67, 0, 1, 0, 0, 1},
      {0x6f, 0, 1, 64, 0, 1},  // 64 & 0x3F
      {0x6f, 0, 1, 65, 0, 2},
      {0x6f, 0, 3, 0xFFFFFFFFFFFFFFFF, 0, kMin64},
      {0x64, 0, 1, 0, 31, kMin32},
      {0x64, 0, 0xFFFFFFFF00000001, 0, 1, 2},
      {0x6c, 0, 1, 32, 0, 1},  // 32 & 0x1F
      {0x6c, 0, 1, 33, 0, 2},
      {0x77, 0, kMin64, 0, 63, 1},
      {0x7f, 0, kMax, 64, 0, kMax},
      {0x7f, 0, kMax, 4, 0, 0x0FFFFFFFFFFFFFFF},
      {0x74, 0, 0xFFFFFFFF80000000, 0, 31, 1},
      {0x7c, 0, 0xFFFFFFFF80000000, 32, 0, kMin32},
      {0x7c, 0, 0xFFFFFFFF, 4, 0, 0x0FFFFFFF},
      {0xc7, 0, kMin64, 0, 63, kMax},
      {0xc7, 0, 0x4000000000000000, 0, 62, 1},
      {0xcf, 0, kMin64, 4, 0, 0xF800000000000000},
      {0xcf, 0, kMin64, 64, 0, kMin64},
      {0xc4, 0, 0x80000000, 0, 31, 0xFFFFFFFF},
      {0xc4, 0, 0xFFFFFFFF7FFFFFFF, 0, 30, 1},
      {0xcc, 0, 0x80000000, 4, 0, 0xF8000000},
      {0xcc, 0, 0x80000000, 36, 0, 0xF8000000},
  });
}

TEST(ConformanceAlu, Neg) {
  check({
      {0x87, 0, 1, 0, 0, kMax},
      {0x87, 0, 0, 0, 0, 0},
      {0x87, 0, kMin64, 0, 0, kMin64},
      {0x84, 0, 1, 0, 0, 0xFFFFFFFF},
      {0x84, 0, 0xFFFFFFFF00000001, 0, 0, 0xFFFFFFFF},
      {0x84, 0, kMin32, 0, 0, kMin32},
  });
}

TEST(ConformanceAlu, Mov) {
  check({
      {0xb7, 0, 7, 0, -1, kMax},
      {0xb7, 0, 7, 0, 0x7FFFFFFF, 0x7FFFFFFF},
      {0xbf, 0, 7, 0x123456789ABCDEF0, 0, 0x123456789ABCDEF0},
      {0xb4, 0, kMax, 0, -1, 0xFFFFFFFF},
      {0xbc, 0, kMax, 0x123456789ABCDEF0, 0, 0x9ABCDEF0},
  });
}

TEST(ConformanceAlu, MovWithSignExtension) {
  check({
      {0xbf, 8, 0, 0x1280, 0, 0xFFFFFFFFFFFFFF80},
      {0xbf, 8, 0, 0xFF7F, 0, 0x7F},
      {0xbf, 16, 0, 0x18000, 0, 0xFFFFFFFFFFFF8000},
      {0xbf, 16, 0, 0xFFFF7FFF, 0, 0x7FFF},
      {0xbf, 32, 0, 0x180000000, 0, 0xFFFFFFFF80000000},
      {0xbf, 32, 0, 0xFFFFFFFF7FFFFFFF, 0, 0x7FFFFFFF},
      {0xbc, 8, 0, 0x1280, 0, 0xFFFFFF80},  // to 32 bits, then zero-extended
      {0xbc, 8, 0, 0x127F, 0, 0x7F},
      {0xbc, 16, 0, 0x18000, 0, 0xFFFF8000},
      {0xbc, 16, 0, 0x17FFF, 0, 0x7FFF},
  });
}

TEST(ConformanceAlu, ByteOrder) {
  constexpr uint64_t kValue = 0x0123456789ABCDEF;
  check({
      // To little endian, on a machine that is: cut off.
      {0xd4, 0, kValue, 0, 16, 0xCDEF},
      {0xd4, 0, kValue, 0, 32, 0x89ABCDEF},
      {0xd4, 0, kValue, 0, 64, kValue},
      // To big endian.
      {0xdc, 0, kValue, 0, 16, 0xEFCD},
      {0xdc, 0, kValue, 0, 32, 0xEFCDAB89},
      {0xdc, 0, kValue, 0, 64, 0xEFCDAB8967452301},
      // Swap, whatever the machine.
      {0xd7, 0, kValue, 0, 16, 0xEFCD},
      {0xd7, 0, kValue, 0, 32, 0xEFCDAB89},
      {0xd7, 0, kValue, 0, 64, 0xEFCDAB8967452301},
  });
}

TEST(ConformanceAlu, SixtyFourBitImmediate) {
  for (const uint64_t value : {uint64_t{0}, kMax, kMin64, uint64_t{0x80000000},
                               uint64_t{0xFFFFFFFF}, uint64_t{0x123456789ABCDEF0}}) {
    Engine engine((Asm() << load64(0, value) << exit_insn()).insns());
    ASSERT_EQ(engine.error, "");
    EXPECT_EQ(engine.run(), value);
    EXPECT_EQ(engine.tally().instructions, 2u) << "its two slots are one instruction";
  }
}

TEST(ConformanceAlu, DestinationAndSourceMayBeOneRegister) {
  Engine engine((Asm() << mov64(0, 21) << raw(0x0f, 0, 0, 0, 0) << exit_insn()).insns());
  EXPECT_EQ(engine.run(), 42u);
}

}  // namespace
}  // namespace doorbell::stack::bpf
