// Truth table of the access kinds, hooks, bus errors and reset of the register file.
#include "models/reg/reg_file.h"

#include <gtest/gtest.h>

#include <vector>

namespace doorbell::reg {
namespace {

// One register an access kind; the field is 15:8, so that 31:16 and 7:0 are reserved.
constexpr uint32_t kField = 0x0000FF00u;
constexpr FieldSpec kRw[] = {field("F", kField, Access::kRw, "")};
constexpr FieldSpec kRo[] = {field("F", kField, Access::kRo, "")};
constexpr FieldSpec kW1c[] = {field("F", kField, Access::kW1c, "")};
constexpr FieldSpec kW1s[] = {field("F", kField, Access::kW1s, "")};
constexpr FieldSpec kRc[] = {field("F", kField, Access::kRc, "")};
constexpr FieldSpec kSc[] = {field("F", kField, Access::kSelfClearing, "")};
constexpr FieldSpec kReserved[] = {field("F", kField, Access::kReserved, "")};
constexpr FieldSpec kMixed[] = {
    field("RW", 0xFFu << 0, Access::kRw, ""),   field("W1C", 0xFu << 8, Access::kW1c, ""),
    field("W1S", 0xFu << 12, Access::kW1s, ""), field("RO", 0xFu << 16, Access::kRo, ""),
    field("RC", 0xFu << 20, Access::kRc, ""),   field("SC", 0xFu << 24, Access::kSelfClearing, ""),
};
constexpr RegSpec kRows[] = {
    {"RW", 0x00, 0, "", kRw},        {"RO", 0x04, 0, "", kRo},
    {"W1C", 0x08, 0, "", kW1c},      {"W1S", 0x0C, 0, "", kW1s},
    {"RC", 0x10, 0, "", kRc},        {"SC", 0x14, 0, "", kSc},
    {"RES", 0x18, 0, "", kReserved}, {"MIXED", 0x20, 0x000F00A5u, "", kMixed},
};
static_assert(well_formed(RegTable(kRows)));

struct TruthRow {
  uint32_t offset;
  uint32_t start;  ///< poked by hardware
  uint32_t written;
  uint32_t stored;       ///< after the write
  uint32_t second_read;  ///< the first read returns `stored`
};

TEST(RegFile, TruthTableOfAccessKinds) {
  // All four combinations of start and written bit, one a nibble or so, and ones in reserved bits.
  const TruthRow rows[] = {
      {0x00, 0x3300, 0xFFFF55FF, 0x5500, 0x5500},  // rw: takes the written value
      {0x04, 0x3300, 0xFFFF55FF, 0x3300, 0x3300},  // ro: keeps
      {0x08, 0x3300, 0xFFFF55FF, 0x2200, 0x2200},  // w1c: clears the written ones only
      {0x0C, 0x3300, 0xFFFF55FF, 0x7700, 0x7700},  // w1s: sets the written ones
      {0x10, 0x3300, 0xFFFF55FF, 0x3300, 0x0000},  // rc: ignores writes, the read clears
      {0x14, 0x0000, 0xFFFF55FF, 0x0000, 0x0000},  // self-clearing: gone after the write
      {0x18, 0x3300, 0xFFFF55FF, 0x0000, 0x0000},  // reserved: cannot even be poked
  };
  for (const TruthRow& row : rows) {
    SCOPED_TRACE(kRows[row.offset / 4].name);
    RegFile file(kRows);
    file.poke(row.offset, row.start);
    EXPECT_EQ(file.write(row.offset, 4, row.written), Status::kOk);
    EXPECT_EQ(file.peek(row.offset), row.stored);
    EXPECT_EQ(file.read(row.offset).value, row.stored);
    EXPECT_EQ(file.read(row.offset).value, row.second_read);
  }
}

TEST(RegFile, KindsInOneRegisterDoNotDisturbEachOther) {
  RegFile file(kRows);
  EXPECT_EQ(file.peek(0x20), 0x000F00A5u);
  file.poke(0x20, 0x0073CFA5u);  // rc 7, ro 3, w1s C, w1c F, rw A5
  file.write(0x20, 4, 0xFFFA335Au);
  EXPECT_EQ(file.peek(0x20), 0x0073FC5Au);  // w1s C|3, w1c F&~3, rw 5A; rc and ro kept
  EXPECT_EQ(file.read(0x20).value, 0x0073FC5Au);
  EXPECT_EQ(file.peek(0x20), 0x0003FC5Au) << "only rc bits clear on read";
}

TEST(RegFile, ReservedBitsNeverStick) {
  RegFile file(kRows);
  for (const RegSpec& row : kRows) {
    file.write(row.offset, 4, 0xFFFFFFFFu);
    file.set_bits(row.offset, 0xFFFFFFFFu);
    EXPECT_EQ(file.peek(row.offset) & ~row.implemented(), 0u) << row.name;
    EXPECT_EQ(file.read(row.offset).value & ~row.implemented(), 0u) << row.name;
  }
}

TEST(RegFile, SetAndClearBitsAreHardwareSide) {
  RegFile file(kRows);
  file.set_bits(0x04, 0x1200);
  file.set_bits(0x04, 0x0100);
  EXPECT_EQ(file.peek(0x04), 0x1300u);
  file.clear_bits(0x04, 0x0200);
  EXPECT_EQ(file.peek(0x04), 0x1100u);
}

struct Device {
  std::vector<WriteEvent> writes;
  RegFile* file = nullptr;
  uint32_t live = 0;
  uint32_t read_offset = 0;
  uint32_t read_stored = 0;

  void wrote(const WriteEvent& event) { writes.push_back(event); }
  void wrote_and_set(const WriteEvent& event) { file->set_bits(event.offset, 0x8000); }
  void wrote_and_self_clear(const WriteEvent& event) {
    writes.push_back(event);
    EXPECT_EQ(file->peek(event.offset), event.after) << "the bit is set while the hook runs";
  }
  uint32_t read_live(uint32_t offset, uint32_t stored) {
    read_offset = offset;
    read_stored = stored;
    return live;
  }
};

TEST(RegFile, WriteHookSeesBeforeAfterWrittenAndEdges) {
  RegFile file(kRows);
  Device device;
  file.on_write<&Device::wrote>(0x00, device);
  file.write(0x00, 4, 0xABCD01FFu);
  file.write(0x00, 4, 0x00000300u);
  file.write(0x00, 4, 0x00000300u);
  ASSERT_EQ(device.writes.size(), 3u) << "a write that changes nothing is seen too";
  EXPECT_EQ(device.writes[0].offset, 0x00u);
  EXPECT_EQ(device.writes[0].before, 0u);
  EXPECT_EQ(device.writes[0].after, 0x0100u);
  EXPECT_EQ(device.writes[0].written, 0xABCD01FFu);
  EXPECT_EQ(device.writes[1].rising(0xFF00), 0x0200u);
  EXPECT_EQ(device.writes[1].falling(0xFF00), 0u);
  EXPECT_EQ(device.writes[2].changed(0xFF00), 0u);
  file.write(0x00, 4, 0);
  EXPECT_EQ(device.writes[3].falling(0x0100), 0x0100u);
  file.write(0x04, 4, 1);
  file.poke(0x00, 0x100);
  file.set_bits(0x00, 0x200);
  EXPECT_EQ(device.writes.size(), 4u) << "neither other registers nor the hardware side fire it";
}

TEST(RegFile, SelfClearingBitIsSeenByTheHookOnly) {
  RegFile file(kRows);
  Device device;
  device.file = &file;
  file.on_write<&Device::wrote_and_self_clear>(0x14, device);
  file.write(0x14, 4, 0x0500);
  ASSERT_EQ(device.writes.size(), 1u);
  EXPECT_EQ(device.writes[0].after, 0x0500u);
  EXPECT_EQ(file.peek(0x14), 0u);
}

TEST(RegFile, HookMayChangeItsOwnRegister) {
  RegFile file(kRows);
  Device device;
  device.file = &file;
  file.on_write<&Device::wrote_and_set>(0x0C, device);
  file.write(0x0C, 4, 0);
  EXPECT_EQ(file.read(0x0C).value, 0x8000u);
}

TEST(RegFile, ReadHookGivesLiveValueWithoutReservedBits) {
  RegFile file(kRows);
  Device device;
  device.live = 0xFFFF12FFu;
  file.on_read<&Device::read_live>(0x10, device);
  file.poke(0x10, 0x3400);
  EXPECT_EQ(file.read(0x10).value, 0x1200u);
  EXPECT_EQ(device.read_offset, 0x10u);
  EXPECT_EQ(device.read_stored, 0x3400u);
  EXPECT_EQ(file.peek(0x10), 0u) << "read-to-clear clears what is stored";
}

TEST(RegFile, HolesAndOddAccessesAreBusErrors) {
  RegFile file(kRows);
  EXPECT_EQ(file.read(0x1C).status, Status::kUnmapped);
  EXPECT_EQ(file.read(0x24).status, Status::kUnmapped);
  EXPECT_EQ(file.read(0xFFFFFFFCu).status, Status::kUnmapped);
  EXPECT_EQ(file.write(0x1C, 4, 1), Status::kUnmapped);
  EXPECT_EQ(file.unmapped_accesses(), 4u);
  EXPECT_EQ(file.read(0x00, 2).status, Status::kBadSize);
  EXPECT_EQ(file.read(0x00, 8).status, Status::kBadSize);
  EXPECT_EQ(file.read(0x02, 4).status, Status::kBadSize);
  EXPECT_EQ(file.write(0x01, 1, 0xFF), Status::kBadSize);
  EXPECT_EQ(file.write(0x00, 0, 0xFF00), Status::kBadSize);
  EXPECT_EQ(file.bad_size_accesses(), 5u);
  EXPECT_EQ(file.bus_errors(), 9u);
  EXPECT_EQ(file.read(0x00).value, 0u) << "a refused write changes nothing";
  EXPECT_EQ(file.read(0x1C).value, 0u);
}

TEST(RegFile, ResetRestoresValuesAndFiresNoHook) {
  RegFile file(kRows);
  Device device;
  file.on_write<&Device::wrote>(0x20, device);
  file.write(0x20, 4, 0x11);
  file.poke(0x04, 0x5500);
  ASSERT_EQ(device.writes.size(), 1u);
  file.reset();
  EXPECT_EQ(device.writes.size(), 1u);
  EXPECT_EQ(file.peek(0x20), 0x000F00A5u);
  EXPECT_EQ(file.peek(0x04), 0u);
  file.write(0x20, 4, 0x11);
  EXPECT_EQ(device.writes.size(), 2u) << "hooks stay connected";
}

TEST(RegFile, SpecOfAnOffset) {
  RegFile file(kRows);
  ASSERT_NE(file.spec(0x20), nullptr);
  EXPECT_STREQ(file.spec(0x20)->name, "MIXED");
  EXPECT_EQ(file.spec(0x1C), nullptr);
  EXPECT_EQ(file.spec(0x21), nullptr);
  EXPECT_FALSE(file.mapped(0x22));
}

}  // namespace
}  // namespace doorbell::reg
