// Families: many equal registers as one row of the table.
#include <gtest/gtest.h>

#include <vector>

#include "models/reg/emit.h"
#include "models/reg/reg_file.h"

namespace doorbell::reg {
namespace {

constexpr FieldSpec kWhole[] = {{"VALUE", 31, 0, Access::kRw, "all"}};
constexpr FieldSpec kGo[] = {{"GO", 0, 0, Access::kSelfClearing, "go"},
                             {"CLEAR", 1, 1, Access::kW1c, "clear"}};
constexpr RegSpec kRows[] = {
    {"BELL", 0x100, 0x7, "doorbells", kWhole, 3, 4},
    {"WIDE", 0x10000, 0, "far apart", kGo, 4, 0x1000},
    {"LAST", 0x14004, 0, "one", kWhole},
};

struct Device {
  void wrote(const WriteEvent& event) { writes.push_back(event); }
  uint32_t read(uint32_t offset, uint32_t stored) { return offset + stored; }
  std::vector<WriteEvent> writes;
};

TEST(RegFamily, EachRegisterHasItsOwnValue) {
  RegFile file(kRows);
  EXPECT_EQ(file.write(0x104, 4, 0x55), Status::kOk);
  EXPECT_EQ(file.read(0x100).value, 0x7u);
  EXPECT_EQ(file.read(0x104).value, 0x55u);
  EXPECT_EQ(file.read(0x108).value, 0x7u);
  EXPECT_EQ(file.read(0x10C).status, Status::kUnmapped);
  EXPECT_EQ(file.read(0x0FC).status, Status::kUnmapped);
  file.poke(0x11000, 2);
  EXPECT_EQ(file.peek(0x10000), 0u);
  EXPECT_EQ(file.peek(0x11000), 2u);
  file.write(0x11000, 4, 2);
  EXPECT_EQ(file.peek(0x11000), 0u) << "w1c acts on the one register";
  EXPECT_EQ(file.read(0x10004).status, Status::kUnmapped) << "the hole between two of a family";
  EXPECT_EQ(file.read(0x13000).status, Status::kOk);
  EXPECT_EQ(file.read(0x14000).status, Status::kUnmapped);
  EXPECT_EQ(file.read(0x5000).status, Status::kUnmapped) << "an empty page";
  EXPECT_EQ(file.read(0x100000).status, Status::kUnmapped) << "behind the map";
  file.reset();
  EXPECT_EQ(file.read(0x104).value, 0x7u);
}

TEST(RegFamily, HooksLearnWhichOne) {
  RegFile file(kRows);
  Device device;
  file.on_write<&Device::wrote>(0x10000, device);
  file.on_read<&Device::read>(0x100, device);
  file.write(0x13000, 4, 1);
  ASSERT_EQ(device.writes.size(), 1u);
  EXPECT_EQ(device.writes[0].index, 3u);
  EXPECT_EQ(device.writes[0].offset, 0x13000u);
  EXPECT_EQ(device.writes[0].after, 1u);
  EXPECT_EQ(file.peek(0x13000), 0u) << "self-clearing";
  EXPECT_EQ(file.read(0x108).value, 0x108u + 7);
}

TEST(RegFamily, SpecAndFaults) {
  const RegTable table(kRows);
  EXPECT_STREQ(table.find(0x108u)->name, "BELL");
  EXPECT_EQ(table.find(0x10Cu), nullptr);
  EXPECT_EQ(table.find(0x10004u), nullptr);
  EXPECT_EQ(kRows[0].end(), 0x10Cu);
  EXPECT_TRUE(well_formed(table));
  EXPECT_FALSE(well_formed(RegSpec{"R", 0, 0, "", kWhole, 0, 4})) << "no register";
  EXPECT_FALSE(well_formed(RegSpec{"R", 0, 0, "", kWhole, 2, 2})) << "overlap each other";
  EXPECT_FALSE(well_formed(RegSpec{"R", 0, 0, "", kWhole, 2, 12})) << "no power of two";
  constexpr RegSpec overlap[] = {{"A", 0, 0, "", kWhole, 4, 4}, {"B", 12, 0, "", kWhole}};
  EXPECT_FALSE(well_formed(RegTable(overlap)));
}

TEST(RegFamily, Emitted) {
  const EmitOptions options{"TOY", "Toy", "toy.h", 17};
  const std::string sv = emit_sv_package(kRows, options);
  EXPECT_NE(sv.find("  parameter logic [16:0] TOY_WIDE_OFFSET = 17'h10000;\n"
                    "  parameter int unsigned TOY_WIDE_COUNT = 4;\n"
                    "  parameter int unsigned TOY_WIDE_STRIDE = 4096;\n"),
            std::string::npos);
  const std::string md = emit_markdown(kRows, options);
  EXPECT_NE(md.find("| 0x00100 + 4n, n < 3 | BELL | rw |"), std::string::npos) << md;
  EXPECT_NE(md.find("| 0x14004 | LAST | rw |"), std::string::npos);
}

}  // namespace
}  // namespace doorbell::reg
