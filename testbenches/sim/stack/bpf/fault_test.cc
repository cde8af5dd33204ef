// What ends a run: accesses out of bounds, budgets, bad arguments. Verdict 0 and one message each.
#include "support.h"

namespace doorbell::stack::bpf {
namespace {

struct Result {
  uint64_t r0;
  bool faulted;
  std::string text;
};

Result run(const std::vector<RawInsn>& insns, const std::vector<MapSpec>& maps = {},
           size_t packet_bytes = 64) {
  Engine engine(insns, maps);
  EXPECT_EQ(engine.error, "");
  if (!engine.error.empty()) return {0, false, engine.error};
  engine.set_packet(std::vector<uint8_t>(packet_bytes, 0x11));
  for (const auto& map : engine.image.maps) {
    const std::vector<uint8_t> zeros(64);
    if (map->spec().type == MapType::kHash) map->update(zeros.data(), zeros.data());
  }
  const uint64_t r0 = engine.run();
  return {r0, engine.faulted(), engine.image.first_fault};
}

// r2 = data, r3 = data_end
std::vector<RawInsn> with_packet(const std::vector<RawInsn>& body) {
  return (Asm() << raw(0x61, 2, 1, 0, 0) << raw(0x61, 3, 1, 4, 0) << mov64(0, 7) << body
                << exit_insn())
      .insns();
}

TEST(Faults, PacketBoundsToTheOctet) {
  EXPECT_EQ(run(with_packet({raw(0x71, 0, 2, 63, 0)})).r0, 0x11u);
  EXPECT_EQ(run(with_packet({raw(0x79, 0, 2, 56, 0)})).r0, 0x1111111111111111u);
  EXPECT_EQ(run(with_packet({raw(0x71, 0, 2, 64, 0)})).text,
            "program: instruction 3: load of 1 octets at octet 64 of the packet (64 octets)");
  EXPECT_EQ(run(with_packet({raw(0x79, 0, 2, 57, 0)})).text,
            "program: instruction 3: load of 8 octets at octet 57 of the packet (64 octets)");
  EXPECT_EQ(run(with_packet({raw(0x71, 0, 2, -1, 0)})).text,
            "program: instruction 3: load of 1 octets at octet -1 of the packet (64 octets)");
  EXPECT_EQ(run(with_packet({raw(0x73, 3, 0, 0, 0)})).text,
            "program: instruction 3: store of 1 octets at octet 64 of the packet (64 octets)");
  EXPECT_EQ(run(with_packet({raw(0x72, 3, 0, -1, 0)})).r0, 7u);
}

TEST(Faults, EveryOffsetAroundAPacketIsInOrOut) {
  for (int offset = -300; offset < 400; ++offset) {
    const bool inside = offset >= 0 && offset + 4 <= 64;
    const Result load = run(with_packet({raw(0x61, 4, 2, offset, 0)}));
    EXPECT_EQ(load.faulted, !inside) << offset;
    EXPECT_EQ(load.r0, inside ? 7u : 0u);
    EXPECT_EQ(run(with_packet({raw(0x62, 2, 0, offset, 0)})).faulted, !inside) << offset;
  }
}

TEST(Faults, StackBounds) {
  EXPECT_FALSE(run({raw(0x7a, 10, 0, -512, 1), raw(0x79, 0, 10, -512, 0), exit_insn()}).faulted);
  EXPECT_EQ(run({raw(0x79, 0, 10, -520, 0), exit_insn()}).text,
            "program: instruction 0: load of 8 octets at octet r10-520 of stack frame 0");
  EXPECT_EQ(run({raw(0x79, 0, 10, 0, 0), exit_insn()}).text,
            "program: instruction 0: load of 8 octets at octet r10+0 of stack frame 0");
  EXPECT_EQ(run({raw(0x79, 0, 10, -4, 0), exit_insn()}).text,
            "program: instruction 0: load of 8 octets at octet r10-4 of stack frame 0");
}

TEST(Faults, ACalleesStackIsGoneAfterItsReturn) {
  Asm p;
  p << call_local(2) << raw(0x79, 0, 0, 0, 0) << exit_insn();
  p << raw(0x7a, 10, 0, -8, 5) << mov64_reg(0, 10) << add64(0, -8) << exit_insn();
  EXPECT_EQ(run(p.insns()).text,
            "program: instruction 1: load of 8 octets at octet r10-8 of stack frame 1, which is "
            "gone");
}

TEST(Faults, AStackBeginsWithZeros) {
  // Leaves something behind, at the entry and in a callee.
  Asm p;
  p << raw(0x79, 6, 10, -64, 0) << raw(0x7a, 10, 0, -64, 77) << call_local(2)
    << raw(0x4f, 0, 6, 0, 0) << exit_insn();
  p << raw(0x79, 0, 10, -64, 0) << raw(0x7a, 10, 0, -64, 78) << exit_insn();
  Engine engine(p.insns());
  ASSERT_EQ(engine.error, "");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(engine.run(), 0u);
}

TEST(Faults, PointersThatAreNone) {
  EXPECT_EQ(run({mov64(2, 0), raw(0x61, 0, 2, 0, 0), exit_insn()}).text,
            "program: instruction 1: load of 4 octets at null");
  EXPECT_EQ(
      run((Asm() << load64(2, 0xDEADBEEF00000000) << raw(0x61, 0, 2, 0, 0) << exit_insn()).insns())
          .text,
      "program: instruction 2: load of 4 octets at address 0xdeadbeef00000000, which is no "
      "pointer");
  EXPECT_TRUE(run({mov64(2, 4096), raw(0x61, 0, 2, 0, 0), exit_insn()}).faulted);
}

TEST(Faults, TheContextIsReadIn32BitFieldsOnly) {
  EXPECT_EQ(run({raw(0x61, 0, 1, 20, 0), exit_insn()}).text, "");
  for (const int offset : {-4, 2, 22, 24, 100}) {
    EXPECT_TRUE(run({raw(0x61, 0, 1, offset, 0), exit_insn()}).faulted) << offset;
  }
  EXPECT_EQ(run({raw(0x79, 0, 1, 0, 0), exit_insn()}).text,
            "program: instruction 0: load of 8 octets at octet 0 of the context (24 octets)");
  EXPECT_TRUE(run({raw(0x69, 0, 1, 0, 0), exit_insn()}).faulted);
  EXPECT_EQ(run({raw(0x62, 1, 0, 0, 1), mov64(0, 0), exit_insn()}).text,
            "program: instruction 0: store of 4 octets at octet 0 of the context (24 octets)");
}

TEST(Faults, MapValuesDoNotReachTheirNeighbours) {
  const std::vector<MapSpec> maps = {map_spec("m", MapType::kArray, 4, 12, 8)};
  const auto access = [&](int offset, uint8_t opcode) {
    Asm p;
    p << raw(0x62, 10, 0, -4, 3) << load_map(1, 0) << mov64_reg(2, 10) << add64(2, -4) << call(1)
      << raw(0x55, 0, 0, 1, 0) << exit_insn() << raw(opcode, 0, 0, offset, 0) << mov64(0, 1)
      << exit_insn();
    return run(p.insns(), maps);
  };
  for (int offset = -40; offset < 60; ++offset) {
    EXPECT_EQ(access(offset, 0x62).faulted, offset < 0 || offset > 8) << offset;
  }
  EXPECT_EQ(access(9, 0x62).text,
            "program: instruction 8: store of 4 octets at octet 9 of a value of map 'm' (12 "
            "octets)");
}

TEST(Faults, ReadOnlyData) {
  MapSpec data = map_spec(".rodata", MapType::kArray, 4, 8, 1, 1u << 7);
  data.initial = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(
      run((Asm() << load64(1, 0, 6) << raw(0x79, 0, 1, 0, 0) << exit_insn()).insns(), {data}).r0,
      0x0807060504030201u);
  EXPECT_EQ(
      run((Asm() << load64(1, 0, 6) << raw(0x7a, 1, 0, 0, 0) << mov64(0, 0) << exit_insn()).insns(),
          {data})
          .text,
      "program: instruction 2: store of 8 octets at octet 0 of a value of map '.rodata' (8 "
      "octets), which is not open to this");
}

TEST(Faults, TheMapItselfIsNoMemory) {
  EXPECT_EQ(run((Asm() << load_map(1, 0) << raw(0x79, 0, 1, 0, 0) << exit_insn()).insns(),
                {map_spec("m", MapType::kArray, 4, 8, 1)})
                .text,
            "program: instruction 2: load of 8 octets at a map itself, not its value");
}

TEST(Faults, AtomicsWhereTheKernelForbidsThem) {
  EXPECT_EQ(run(with_packet({mov64(4, 1), raw(0xdb, 2, 4, 0, 0)})).text,
            "program: instruction 4: atomic operation on 8 octets at octet 0 of the packet (64 "
            "octets); allowed: aligned, on the stack or a map value");
  EXPECT_TRUE(run({mov64(0, 1), raw(0xdb, 10, 0, -12, 0), exit_insn()}).faulted) << "unaligned";
  EXPECT_TRUE(run({mov64(0, 1), raw(0xc3, 10, 0, 0, 0), exit_insn()}).faulted) << "out of bounds";
}

TEST(Faults, EndlessLoopsEndAtTheBudget) {
  Engine engine({mov64(0, 1), ja(-1)});
  ASSERT_EQ(engine.error, "");
  EXPECT_EQ(engine.run(), 0u);
  EXPECT_TRUE(engine.faulted());
  EXPECT_EQ(engine.image.first_fault,
            "program: instruction 1: more than 1000000 instructions: an endless loop?");
  EXPECT_EQ(engine.tally().instructions, 1000001u);
  engine.image.budget = 10;
  engine.run();
  EXPECT_EQ(engine.tally().instructions, 11u);
  EXPECT_EQ(engine.image.faults, 2u);
}

TEST(Faults, EndlessRecursionThroughAHelperEnds) {
  // bpf_loop over a function that calls bpf_loop over itself.
  Asm p;
  p << mov64(1, 1000) << load64(2, 6, 4) << mov64(3, 0) << mov64(4, 0) << call(181) << mov64(0, 2)
    << exit_insn();
  p << mov64(1, 1000) << load64(2, 0xFFFFFFFFu - 1, 4) << mov64(3, 0) << mov64(4, 0) << call(181)
    << mov64(0, 0) << exit_insn();
  auto insns = p.insns();
  insns[1].imm = 6;   // of instruction 1: to 8
  insns[9].imm = -2;  // of instruction 9: to 8
  insns[10].imm = 0;
  const Result r = run(insns);
  EXPECT_TRUE(r.faulted);
  EXPECT_THAT(r.text, testing::HasSubstr("calls deeper than 8 frames"));
}

TEST(Faults, TheFirstOneIsKeptAndAllAreCounted) {
  Engine engine({raw(0x61, 2, 1, 0, 0), raw(0x71, 0, 2, 10, 0), exit_insn()});
  engine.set_packet(std::vector<uint8_t>(10));
  engine.run();
  engine.set_packet(std::vector<uint8_t>(8));
  engine.run();
  EXPECT_EQ(engine.image.faults, 2u);
  EXPECT_THAT(engine.image.first_fault, testing::HasSubstr("(10 octets)"));
  engine.set_packet(std::vector<uint8_t>(11));
  engine.run();
  EXPECT_FALSE(engine.faulted());
  EXPECT_EQ(engine.image.faults, 2u);
}

TEST(Faults, BadArgumentsOfHelpers) {
  const std::vector<MapSpec> maps = {map_spec("m", MapType::kHash, 16, 8, 4)};
  EXPECT_EQ(run({mov64(1, 0), mov64_reg(2, 10), call(1), exit_insn()}, maps).text,
            "program: instruction 2: the map argument is null");
  EXPECT_EQ(
      run((Asm() << load_map(1, 0) << mov64_reg(2, 10) << add64(2, -8) << call(1) << exit_insn())
              .insns(),
          maps)
          .text,
      "program: instruction 4: key of 16 octets at octet r10-8 of stack frame 0");
  EXPECT_EQ(run({mov64(1, 5), mov64(2, 0), call(44), exit_insn()}).text,
            "program: instruction 2: the context argument is address 0x5, which is no pointer");
  EXPECT_EQ(run({mov64(1, 3), mov64(2, 0), mov64(3, 0), mov64(4, 0), call(181), exit_insn()}).text,
            "program: instruction 4: calls back an address that is no function");
}

// Random programs that passed decode() never leave their bounds: run under sanitizers this is what
// the regions are for.
TEST(Faults, RandomProgramsAreHarmless) {
  base::Stream random(1, "bpf programs");
  const std::vector<MapSpec> maps = {map_spec("a", MapType::kArray, 4, 24, 4),
                                     map_spec("h", MapType::kHash, 4, 8, 4),
                                     map_spec("x", MapType::kXskmap, 4, 4, 4)};
  static const uint8_t kOps[] = {0x07, 0x0f, 0x17, 0x1f, 0x57, 0x67, 0x77, 0xb7, 0xbf, 0x71, 0x69,
                                 0x61, 0x79, 0x72, 0x6a, 0x62, 0x7a, 0x73, 0x6b, 0x63, 0x7b, 0xdb,
                                 0xc3, 0x15, 0x1d, 0x25, 0xa5, 0x05, 0x85, 0x85, 0x18};
  static const int32_t kHelpers[] = {1,  2,  3,  5,  6,   7,   8,   12,  23,  28,
                                     44, 51, 54, 65, 177, 181, 188, 189, 190, 195};
  unsigned loaded = 0;
  unsigned fine = 0;
  for (int round = 0; round < 20000; ++round) {
    Asm p;
    for (unsigned r = 0; r < 10; ++r) {
      if (r == 1) continue;
      if (random.chance(1, 3)) {
        p << load64(r, random.below(3), 5);
      } else {
        p << mov64_reg(r, random.chance(1, 2) ? 10 : 1);
      }
    }
    const auto count = random.between(3, 24);
    for (uint64_t i = 0; i < count; ++i) {
      const uint8_t op = kOps[random.below(sizeof kOps)];
      const auto dst = static_cast<unsigned>(random.below(10));
      const auto src = static_cast<unsigned>(random.below(11));
      const auto offset = static_cast<int>(random.between(0, 40)) - 20;
      const auto imm = static_cast<int32_t>(random.between(0, 64)) - 32;
      const bool by_register = (op & 0x08) != 0 && (op & 0x07) >= 4;
      if (op == 0x18) {
        p << load64(dst, random.below(3), 5);
      } else if (op == 0x85) {
        p << call(kHelpers[random.below(sizeof kHelpers / sizeof *kHelpers)]);
        for (unsigned r = 1; r < 6; ++r) {
          p << mov64_reg(r, static_cast<unsigned>(random.between(6, 10)));
        }
      } else if (op == 0x05) {
        p << ja(static_cast<int>(random.below(3)));
      } else if (op == 0xdb || op == 0xc3) {
        p << raw(op, dst, src % 10, offset & ~7, random.chance(1, 2) ? 0xe1 : 0x01);
      } else if ((op & 0x07) >= 4) {
        const bool jump = (op & 0x07) == 5;
        p << raw(op, dst, by_register ? src : 0, jump ? static_cast<int>(random.below(3)) : 0,
                 by_register ? 0 : imm);
      } else {
        const bool immediate = (op & 0x07) == 2;
        p << raw(op, dst, immediate ? 0 : src, offset, immediate ? imm : 0);
      }
    }
    p << mov64(0, 2) << mov64(0, 2) << mov64(0, 2) << exit_insn();
    Engine engine(p.insns(), maps);
    if (!engine.error.empty()) continue;
    ++loaded;
    engine.image.budget = 2000;
    engine.run();
    fine += engine.faulted() ? 0 : 1;
    ASSERT_LE(engine.packet.hard_start, engine.packet.meta);
    ASSERT_LE(engine.packet.meta, engine.packet.data);
    ASSERT_LE(engine.packet.data, engine.packet.end);
    ASSERT_LE(engine.packet.end, engine.packet.hard_end);
  }
  EXPECT_GT(loaded, 10000u);
  EXPECT_GT(fine, 200u);
}

}  // namespace
}  // namespace doorbell::stack::bpf
