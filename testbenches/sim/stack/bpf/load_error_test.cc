// What decode() refuses, each with the one message a person gets.
#include "support.h"

namespace doorbell::stack::bpf {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(const RawInsn& insn) {
  return load_error((Asm() << mov64(0, 0) << mov64(2, 0) << insn << exit_insn()).insns());
}

TEST(LoadErrors, UnknownOpcodes) {
  EXPECT_EQ(error_of(raw(0x8d, 0, 0, 0, 0)), "program: instruction 2: opcode 0x8d is unknown");
  EXPECT_EQ(error_of(raw(0xff, 0, 0, 0, 0)), "program: instruction 2: opcode 0xff is unknown");
  EXPECT_EQ(error_of(raw(0xdf, 0, 0, 0, 16)), "program: instruction 2: opcode 0xdf is unknown");
  EXPECT_EQ(error_of(raw(0x99, 0, 0, 0, 0)), "program: instruction 2: opcode 0x99 is unknown")
      << "a sign-extending load of 64 bits";
}

TEST(LoadErrors, LegacyPacketLoads) {
  for (const uint8_t opcode : {0x20, 0x28, 0x30, 0x40, 0x48, 0x50}) {
    EXPECT_THAT(error_of(raw(opcode, 0, 0, 0, 0)), HasSubstr("legacy packet load 0x"));
  }
  EXPECT_EQ(error_of(raw(0x30, 0, 0, 0, 12)),
            "program: instruction 2: legacy packet load 0x30, which XDP programs may not use");
}

TEST(LoadErrors, ReservedFields) {
  const std::string text = "has a reserved field that is not zero";
  EXPECT_THAT(error_of(raw(0x0f, 0, 2, 0, 1)), HasSubstr(text)) << "add register with immediate";
  EXPECT_THAT(error_of(raw(0x07, 0, 2, 0, 1)), HasSubstr(text)) << "add immediate with register";
  EXPECT_THAT(error_of(raw(0x07, 0, 0, 1, 1)), HasSubstr(text)) << "add with offset";
  EXPECT_THAT(error_of(raw(0x37, 0, 0, 2, 1)), HasSubstr(text)) << "offset of a division";
  EXPECT_THAT(error_of(raw(0x87, 0, 0, 0, 1)), HasSubstr(text)) << "neg";
  EXPECT_THAT(error_of(raw(0xb7, 0, 0, 8, 1)), HasSubstr(text)) << "sign extension of an immediate";
  EXPECT_THAT(error_of(raw(0x61, 0, 10, -8, 1)), HasSubstr(text)) << "load";
  EXPECT_THAT(error_of(raw(0x62, 10, 1, -8, 1)), HasSubstr(text)) << "store of an immediate";
  EXPECT_THAT(error_of(raw(0x63, 10, 0, -8, 1)), HasSubstr(text)) << "store";
  EXPECT_THAT(error_of(raw(0x05, 1, 0, 0, 0)), HasSubstr(text)) << "ja";
  EXPECT_THAT(error_of(raw(0x05, 0, 0, 0, 1)), HasSubstr(text)) << "ja with immediate";
  EXPECT_THAT(error_of(raw(0x06, 0, 0, 1, 0)), HasSubstr(text)) << "gotol with offset";
  EXPECT_THAT(error_of(raw(0x15, 0, 2, 0, 0)), HasSubstr(text)) << "jump with register";
  EXPECT_THAT(error_of(raw(0x95, 0, 0, 0, 1)), HasSubstr(text)) << "exit";
  EXPECT_THAT(error_of(raw(0x85, 1, 0, 0, 8)), HasSubstr(text)) << "call";
  EXPECT_THAT(error_of(raw(0xd4, 0, 0, 1, 16)), HasSubstr(text)) << "byte swap";
}

TEST(LoadErrors, FieldsWithUnknownValues) {
  EXPECT_THAT(error_of(raw(0xd4, 0, 0, 0, 24)), HasSubstr("byte swap of 24 bits is unknown"));
  EXPECT_THAT(error_of(raw(0xbf, 0, 2, 24, 0)), HasSubstr("sign extension from 24 bits"));
  EXPECT_THAT(error_of(raw(0xbc, 0, 2, 32, 0)), HasSubstr("sign extension from 32 bits"));
  EXPECT_THAT(error_of(raw(0xdb, 10, 0, -8, 0x10)), HasSubstr("atomic operation 0x10 is unknown"));
  EXPECT_THAT(error_of(raw(0xdb, 10, 0, -8, 0xe0)), HasSubstr("atomic operation 0xe0 is unknown"));
}

TEST(LoadErrors, Registers) {
  EXPECT_THAT(error_of(raw(0xb7, 11, 0, 0, 0)), HasSubstr("register r11 does not exist"));
  EXPECT_THAT(error_of(raw(0xbf, 0, 15, 0, 0)), HasSubstr("register r15 does not exist"));
  EXPECT_THAT(error_of(mov64(10, 0)), HasSubstr("writes r10, the frame pointer"));
  EXPECT_THAT(error_of(raw(0x79, 10, 10, -8, 0)), HasSubstr("writes r10"));
  EXPECT_THAT(error_of(raw(0xdb, 10, 10, -8, 0x01)), HasSubstr("writes r10"));
}

TEST(LoadErrors, ReadsOfWhatNothingWrote) {
  EXPECT_EQ(load_error({mov64_reg(0, 3), exit_insn()}),
            "program: instruction 0: reads r3, which nothing has written");
  EXPECT_EQ(load_error({exit_insn()}),
            "program: instruction 0: reads r0, which nothing has written");
  EXPECT_EQ(load_error({call(8), mov64_reg(0, 1), exit_insn()}),
            "program: instruction 1: reads r1, which nothing has written")
      << "a call takes the arguments";
  EXPECT_EQ(load_error({mov64(1, 0), mov64(2, 0), call(51), exit_insn()}),
            "program: instruction 2: reads r3, which nothing has written")
      << "redirect_map has three";
  // Written on one path: the paths may exclude each other.
  EXPECT_EQ(
      load_error({mov64(0, 0), raw(0x15, 0, 0, 1, 0), mov64(3, 1), mov64_reg(0, 3), exit_insn()}),
      "");
}

TEST(LoadErrors, JumpTargets) {
  EXPECT_EQ(load_error({mov64(0, 0), ja(5), exit_insn()}),
            "program: instruction 1: jumps to instruction 7, outside of the program");
  EXPECT_EQ(load_error({mov64(0, 0), ja(-3), exit_insn()}),
            "program: instruction 1: jumps to instruction -1, outside of the program");
  EXPECT_EQ(load_error((Asm() << mov64(0, 0) << ja(1) << load64(0, 5) << exit_insn()).insns()),
            "program: instruction 1: jumps into the middle of the 64-bit load at instruction 2");
  EXPECT_EQ(load_error({mov64(0, 0), raw(0x06, 0, 0, 0, 0x7FFFFFFF), exit_insn()}),
            "program: instruction 1: jumps to instruction 2147483649, outside of the program");
  EXPECT_EQ(load_error({call_local(1), exit_insn(), mov64(0, 0), ja(-4), exit_insn()}),
            "program: instruction 3: jumps to instruction -2, outside of its function");
}

TEST(LoadErrors, Ends) {
  EXPECT_EQ(load_error({}), "the program has no instructions");
  EXPECT_EQ(load_error({mov64(0, 0)}),
            "program: instruction 0: is the last of its function, but no exit or jump");
  EXPECT_EQ(load_error({call_local(1), mov64(0, 0), mov64(0, 0), exit_insn()}),
            "program: instruction 1: is the last of its function, but no exit or jump");
  EXPECT_EQ(load_error({mov64(0, 0), raw(0x18, 0, 0, 0, 0)}),
            "program: instruction 1: a 64-bit load lacks its second half");
  EXPECT_THAT(load_error({raw(0x18, 0, 0, 0, 0), mov64(0, 0), exit_insn()}),
              HasSubstr("reserved field"));
}

TEST(LoadErrors, Calls) {
  EXPECT_EQ(error_of(call(9999)),
            "program: instruction 2: calls helper 9999, which does not exist");
  EXPECT_EQ(error_of(call(-1)), "program: instruction 2: calls helper -1, which does not exist");
  EXPECT_EQ(error_of(call(0)), "program: instruction 2: calls helper 0, which does not exist");
  EXPECT_EQ(error_of(call(69)),
            "program: instruction 2: calls helper 69 (bpf_fib_lookup), which is not modelled: "
            "there is no routing table; an LPM trie map can hold routes");
  EXPECT_THAT(error_of(call(25)), StartsWith("program: instruction 2: calls helper 25 "
                                             "(bpf_perf_event_output), which is not modelled: "));
  EXPECT_THAT(error_of(call(93)), HasSubstr("(bpf_spin_lock)"));
  EXPECT_THAT(error_of(call(2 + 100)), HasSubstr("which is not modelled"));
  EXPECT_EQ(error_of(raw(0x85, 0, 2, 0, 5)),
            "program: instruction 2: calls a kernel function (kfunc); there is no kernel");
  EXPECT_THAT(error_of(raw(0x85, 0, 3, 0, 5)), HasSubstr("reserved field"));
  EXPECT_EQ(load_error({call_local(5), exit_insn()}),
            "program: instruction 0: calls instruction 6");
  EXPECT_EQ(load_error({call_local(-2), exit_insn()}),
            "program: instruction 0: calls instruction -1");
}

TEST(LoadErrors, GplHelpersNeedTheLicence) {
  CodeInput input;
  input.insns = {call(5), exit_insn()};
  EXPECT_TRUE(decode(input).ok());
  input.gpl = false;
  EXPECT_EQ(decode(input).error(),
            "program: instruction 0: calls bpf_ktime_get_ns, which is for programs under a "
            "GPL-compatible licence");
}

TEST(LoadErrors, SixtyFourBitLoadsOfMaps) {
  const std::vector<MapSpec> maps = {map_spec("a", MapType::kArray, 4, 8, 1),
                                     map_spec("b", MapType::kArray, 4, 8, 2)};
  const auto error = [&](const std::vector<RawInsn>& load) {
    return load_error((Asm() << load << mov64(0, 0) << exit_insn()).insns(), maps);
  };
  EXPECT_EQ(error(load64(1, 1, 5)), "");
  EXPECT_EQ(error(load64(1, 0, 6)), "");
  EXPECT_EQ(error(load64(1, 2, 5)), "program: instruction 0: names map 2 of 2");
  EXPECT_EQ(error(load64(1, 1, 6)),
            "program: instruction 0: takes the address of a value of map 'b', which is no array "
            "of one entry");
  EXPECT_EQ(error(load64(1, uint64_t{8} << 32, 6)),
            "program: instruction 0: points 8 octets into 'a', which has 8");
  EXPECT_EQ(error(load64(1, 3, 1)),
            "program: instruction 0: names a map by file descriptor; there is none");
  EXPECT_THAT(error(load64(1, 0, 3)), HasSubstr("64-bit load of kind 3"));
  EXPECT_EQ(error(load64(1, 100, 4)),
            "program: instruction 0: takes the address of instruction 101");
}

TEST(LoadErrors, FunctionsAreNamed) {
  CodeInput input;
  input.insns = {mov64(0, 0), exit_insn(), mov64(0, 0), raw(0xff, 0, 0, 0, 0), exit_insn()};
  input.functions = {{0, "first", true}, {2, "second", true}};
  EXPECT_EQ(decode(input).error(), "second: instruction 1: opcode 0xff is unknown");
}

}  // namespace
}  // namespace doorbell::stack::bpf
