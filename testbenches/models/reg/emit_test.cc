// The emitted texts of a small table, to the letter.
#include "models/reg/emit.h"

#include <gtest/gtest.h>

namespace doorbell::reg {
namespace {

constexpr FieldSpec kCtrl[] = {
    field("MODE", 0x3u << 4, Access::kRw, "how"),
    field("OLD", 0x1u << 2, Access::kReserved, "was something"),
    field("GO", 0x1u << 0, Access::kSelfClearing, "start"),
};
constexpr FieldSpec kCount[] = {field("COUNT", ~0u, Access::kRo, "all")};
constexpr RegSpec kRows[] = {
    {"CTRL", 0x04, 0x30, "control", kCtrl},
    {"COUNT", 0x108, 0, "counter", kCount},
};

const EmitOptions kOptions{"TOY", "Toy", "models/toy.h", 9};

TEST(Emit, SystemVerilogPackage) {
  EXPECT_EQ(emit_sv_package(kRows, kOptions),
            "// Toy: register offsets, reset values and fields.\n"
            "// Generated from models/toy.h; do not edit.\n"
            "\n"
            "package toy_regs_pkg;\n"
            "\n"
            "  // Width of a register offset, in bits.\n"
            "  parameter int unsigned TOY_OFFSET_WIDTH = 9;\n"
            "\n"
            "  // CTRL: control\n"
            "  parameter logic [8:0] TOY_CTRL_OFFSET = 9'h004;\n"
            "  parameter logic [31:0] TOY_CTRL_RESET = 32'h00000030;\n"
            "  parameter int unsigned TOY_CTRL_MODE_LSB = 4;\n"
            "  parameter logic [31:0] TOY_CTRL_MODE_MASK = 32'h00000030;\n"
            "  parameter int unsigned TOY_CTRL_GO_LSB = 0;\n"
            "  parameter logic [31:0] TOY_CTRL_GO_MASK = 32'h00000001;\n"
            "\n"
            "  // COUNT: counter\n"
            "  parameter logic [8:0] TOY_COUNT_OFFSET = 9'h108;\n"
            "  parameter logic [31:0] TOY_COUNT_RESET = 32'h00000000;\n"
            "  parameter int unsigned TOY_COUNT_COUNT_LSB = 0;\n"
            "  parameter logic [31:0] TOY_COUNT_COUNT_MASK = 32'hFFFFFFFF;\n"
            "\n"
            "endpackage : toy_regs_pkg\n");
}

TEST(Emit, MarkdownTables) {
  const std::string text = emit_markdown(kRows, kOptions);
  EXPECT_EQ(text.find("# Toy: registers\n"), 0u);
  EXPECT_NE(text.find("| 0x004 | CTRL | mixed | 0x00000030 | control |\n"
                      "| 0x108 | COUNT | ro | 0x00000000 | counter |\n"),
            std::string::npos);
  EXPECT_NE(text.find("| CTRL | 5:4 | MODE | rw | how |\n"
                      "| CTRL | 2 | OLD | reserved | was something |\n"
                      "| CTRL | 0 | GO | sc | start |\n"),
            std::string::npos);
  EXPECT_EQ(text.find("| COUNT | 31:0"), std::string::npos) << "one-field registers are left out";
}

}  // namespace
}  // namespace doorbell::reg
