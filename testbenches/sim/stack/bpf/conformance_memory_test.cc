// Loads, stores and atomic operations, conformance: RFC 9669, section 5.
#include "support.h"

namespace doorbell::stack::bpf {
namespace {

// Runs `body` with the value at r10 - 8 and returns r0; what is then at r10 - 8 goes to `after`.
uint64_t with_stack(uint64_t value, const std::vector<RawInsn>& body, uint64_t* after = nullptr) {
  // The program writes its first 8 octets of packet with the stack's last state.
  Asm p;
  p << raw(0x61, 6, 1, 0, 0);  // data
  p << load64(2, value) << raw(0x7b, 10, 2, -8, 0) << mov64(0, 0) << body << raw(0x79, 1, 10, -8, 0)
    << raw(0x7b, 6, 1, 0, 0) << exit_insn();
  Engine engine(p.insns());
  EXPECT_EQ(engine.error, "");
  if (!engine.error.empty()) return 0xDEAD;
  const uint64_t result = engine.run();
  EXPECT_FALSE(engine.faulted()) << engine.image.first_fault;
  if (after != nullptr) *after = base::load_le<uint64_t>(engine.packet.data);
  return result;
}

constexpr uint64_t kPattern = 0x8182838485868788;

TEST(ConformanceMemory, LoadsZeroExtend) {
  EXPECT_EQ(with_stack(kPattern, {raw(0x71, 0, 10, -8, 0)}), 0x88u);
  EXPECT_EQ(with_stack(kPattern, {raw(0x69, 0, 10, -8, 0)}), 0x8788u);
  EXPECT_EQ(with_stack(kPattern, {raw(0x61, 0, 10, -8, 0)}), 0x85868788u);
  EXPECT_EQ(with_stack(kPattern, {raw(0x79, 0, 10, -8, 0)}), kPattern);
  EXPECT_EQ(with_stack(kPattern, {raw(0x71, 0, 10, -1, 0)}), 0x81u) << "little endian";
  EXPECT_EQ(with_stack(kPattern, {raw(0x69, 0, 10, -5, 0)}), 0x8485u) << "unaligned";
}

TEST(ConformanceMemory, LoadsWithSignExtension) {
  EXPECT_EQ(with_stack(kPattern, {raw(0x91, 0, 10, -8, 0)}), 0xFFFFFFFFFFFFFF88u);
  EXPECT_EQ(with_stack(kPattern, {raw(0x89, 0, 10, -8, 0)}), 0xFFFFFFFFFFFF8788u);
  EXPECT_EQ(with_stack(kPattern, {raw(0x81, 0, 10, -8, 0)}), 0xFFFFFFFF85868788u);
  constexpr uint64_t kPositive = 0x7172737475767778;
  EXPECT_EQ(with_stack(kPositive, {raw(0x91, 0, 10, -8, 0)}), 0x78u);
  EXPECT_EQ(with_stack(kPositive, {raw(0x89, 0, 10, -8, 0)}), 0x7778u);
  EXPECT_EQ(with_stack(kPositive, {raw(0x81, 0, 10, -8, 0)}), 0x75767778u);
}

TEST(ConformanceMemory, StoresOfImmediates) {
  uint64_t after = 0;
  with_stack(0, {raw(0x72, 10, 0, -8, -1)}, &after);
  EXPECT_EQ(after, 0xFFu);
  with_stack(0, {raw(0x6a, 10, 0, -8, 0x12345)}, &after);
  EXPECT_EQ(after, 0x2345u);
  with_stack(0, {raw(0x62, 10, 0, -8, -2)}, &after);
  EXPECT_EQ(after, 0xFFFFFFFEu);
  with_stack(0, {raw(0x7a, 10, 0, -8, -2)}, &after);
  EXPECT_EQ(after, 0xFFFFFFFFFFFFFFFEu) << "sign-extended to 64 bits";
}

TEST(ConformanceMemory, StoresOfRegisters) {
  Asm value;
  value << load64(3, kPattern);
  const auto store = [&](uint8_t opcode) {
    uint64_t after = 0;
    auto body = value.insns();
    body.push_back(raw(opcode, 10, 3, -8, 0));
    with_stack(0x1111111111111111, body, &after);
    return after;
  };
  EXPECT_EQ(store(0x73), 0x1111111111111188u);
  EXPECT_EQ(store(0x6b), 0x1111111111118788u);
  EXPECT_EQ(store(0x63), 0x1111111185868788u);
  EXPECT_EQ(store(0x7b), kPattern);
}

struct Atomic {
  int32_t operation;
  uint64_t want;  // in memory
};

// Memory 0xF0F0F0F0F0F0F0F0, source 0x1F1F1F1F1F1F1F1F.
TEST(ConformanceAtomic, OperationsOf64Bits) {
  constexpr uint64_t kOld = 0xF0F0F0F0F0F0F0F0;
  constexpr uint64_t kSource = 0x1F1F1F1F1F1F1F1F;
  for (const Atomic& c : {Atomic{0x00, 0x101010101010100F}, Atomic{0x40, 0xFFFFFFFFFFFFFFFF},
                          Atomic{0x50, 0x1010101010101010}, Atomic{0xa0, 0xEFEFEFEFEFEFEFEF}}) {
    for (const int32_t fetch : {0, 1}) {
      Asm body;
      body << load64(3, kSource) << raw(0xdb, 10, 3, -8, c.operation | fetch) << mov64_reg(0, 3);
      uint64_t after = 0;
      EXPECT_EQ(with_stack(kOld, body.insns(), &after), fetch != 0 ? kOld : kSource) << c.operation;
      EXPECT_EQ(after, c.want) << c.operation;
    }
  }
}

TEST(ConformanceAtomic, OperationsOf32Bits) {
  constexpr uint64_t kOld = 0xAAAAAAAAF0F0F0F0;
  constexpr uint64_t kSource = 0xBBBBBBBB1F1F1F1F;
  for (const Atomic& c : {Atomic{0x00, 0xAAAAAAAA1010100F}, Atomic{0x40, 0xAAAAAAAAFFFFFFFF},
                          Atomic{0x50, 0xAAAAAAAA10101010}, Atomic{0xa0, 0xAAAAAAAAEFEFEFEF}}) {
    for (const int32_t fetch : {0, 1}) {
      Asm body;
      body << load64(3, kSource) << raw(0xc3, 10, 3, -8, c.operation | fetch) << mov64_reg(0, 3);
      uint64_t after = 0;
      EXPECT_EQ(with_stack(kOld, body.insns(), &after), fetch != 0 ? 0xF0F0F0F0u : kSource)
          << c.operation;
      EXPECT_EQ(after, c.want) << c.operation;
    }
  }
}

TEST(ConformanceAtomic, Exchange) {
  Asm wide;
  wide << load64(3, 0x1122334455667788) << raw(0xdb, 10, 3, -8, 0xe1) << mov64_reg(0, 3);
  uint64_t after = 0;
  EXPECT_EQ(with_stack(kPattern, wide.insns(), &after), kPattern);
  EXPECT_EQ(after, 0x1122334455667788u);
  Asm narrow;
  narrow << load64(3, 0x1122334455667788) << raw(0xc3, 10, 3, -8, 0xe1) << mov64_reg(0, 3);
  EXPECT_EQ(with_stack(kPattern, narrow.insns(), &after), 0x85868788u);
  EXPECT_EQ(after, 0x8182838455667788u);
}

TEST(ConformanceAtomic, CompareAndExchange) {
  const auto attempt = [](uint8_t opcode, uint64_t expected, uint64_t& after) {
    Asm body;
    body << load64(0, expected) << mov64(3, 77) << raw(opcode, 10, 3, -8, 0xf1);
    return with_stack(kPattern, body.insns(), &after);
  };
  uint64_t after = 0;
  EXPECT_EQ(attempt(0xdb, kPattern, after), kPattern);
  EXPECT_EQ(after, 77u);
  EXPECT_EQ(attempt(0xdb, kPattern + 1, after), kPattern) << "r0 gets what was there";
  EXPECT_EQ(after, kPattern);
  EXPECT_EQ(attempt(0xc3, 0x1111111185868788, after), 0x85868788u) << "compares 32 bits";
  EXPECT_EQ(after, 0x818283840000004Du);
  EXPECT_EQ(attempt(0xc3, 5, after), 0x85868788u);
  EXPECT_EQ(after, kPattern);
}

// Opcodes that RFC 9669's appendix lists, less the deprecated packet loads. With the fields each
// needs: source register kind or immediate.
struct Opcode {
  uint8_t opcode;
  int16_t offset;
  int32_t imm;
};
const std::vector<Opcode>& known_opcodes() {
  static const std::vector<Opcode> kKnown = [] {
    std::vector<Opcode> all;
    for (const int op :
         {0x04, 0x05, 0x06, 0x07, 0x0c, 0x0f, 0x14, 0x15, 0x16, 0x17, 0x18, 0x1c, 0x1d, 0x1e, 0x1f,
          0x24, 0x25, 0x26, 0x27, 0x2c, 0x2d, 0x2e, 0x2f, 0x34, 0x35, 0x36, 0x37, 0x3c, 0x3d, 0x3e,
          0x3f, 0x44, 0x45, 0x46, 0x47, 0x4c, 0x4d, 0x4e, 0x4f, 0x54, 0x55, 0x56, 0x57, 0x5c, 0x5d,
          0x5e, 0x5f, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e,
          0x6f, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x79, 0x7a, 0x7b, 0x7c, 0x7d, 0x7e, 0x7f,
          0x81, 0x84, 0x85, 0x87, 0x89, 0x91, 0x94, 0x95, 0x97, 0x9c, 0x9f, 0xa4, 0xa5, 0xa6, 0xa7,
          0xac, 0xad, 0xae, 0xaf, 0xb4, 0xb5, 0xb6, 0xb7, 0xbc, 0xbd, 0xbe, 0xbf, 0xc3, 0xc4, 0xc5,
          0xc6, 0xc7, 0xcc, 0xcd, 0xce, 0xcf, 0xd4, 0xd5, 0xd6, 0xd7, 0xdb, 0xdc, 0xdd, 0xde}) {
      const bool swap = op == 0xd4 || op == 0xd7 || op == 0xdc;
      const bool helper = op == 0x85;
      all.push_back({static_cast<uint8_t>(op), 0, swap ? 16 : helper ? 8 : 0});
    }
    return all;
  }();
  return kKnown;
}

TEST(ConformanceOpcodes, TheTableOfTheSpecificationAndNothingElse) {
  std::vector<const Opcode*> known(256, nullptr);
  for (const Opcode& op : known_opcodes()) known[op.opcode] = &op;
  for (int op = 0; op < 256; ++op) {
    Asm p;
    p << mov64(0, 0) << mov64(2, 0);
    if (op == 0x18) {
      p << load64(2, 0);
    } else {
      p << raw(
          static_cast<uint8_t>(op),
          known[op] != nullptr && (op == 0x05 || op == 0x06 || op == 0x85 || op == 0x95) ? 0 : 2, 0,
          0, known[op] != nullptr ? known[op]->imm : 0);
    }
    p << mov64(0, 0) << exit_insn();
    const std::string error = load_error(p.insns());
    if (known[op] != nullptr) {
      EXPECT_EQ(error, "") << std::hex << op;
    } else {
      EXPECT_THAT(error, testing::HasSubstr("program: instruction 2: ")) << std::hex << op;
    }
  }
}

}  // namespace
}  // namespace doorbell::stack::bpf
