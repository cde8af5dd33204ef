// Masks, field helpers and the soundness check of register tables.
#include "models/reg/reg_spec.h"

#include <gtest/gtest.h>

namespace doorbell::reg {
namespace {

constexpr FieldSpec kFields[] = {
    field("TOP", 0xF0000000u, Access::kRw, ""),
    field("MID", 0x0000FF00u, Access::kRo, ""),
    field("OLD", 0x00000080u, Access::kReserved, ""),
    field("LOW", 0x00000001u, Access::kW1c, ""),
};
constexpr FieldSpec kWhole[] = {field("ALL", ~0u, Access::kRw, "")};
constexpr FieldSpec kOverlap[] = {field("A", 0x30u, Access::kRw, ""),
                                  field("B", 0x20u, Access::kRo, "")};
constexpr FieldSpec kReversed[] = {{"A", 3, 5, Access::kRw, ""}};
constexpr FieldSpec kTooHigh[] = {{"A", 32, 0, Access::kRw, ""}};
constexpr FieldSpec kNameless[] = {{"", 5, 3, Access::kRw, ""}};

TEST(RegSpec, FieldFromMaskHasItsEnds) {
  constexpr FieldSpec f = field("F", 0x00000FF0u, Access::kRw, "");
  EXPECT_EQ(f.hi, 11);
  EXPECT_EQ(f.lo, 4);
  EXPECT_EQ(f.width(), 8u);
  EXPECT_EQ(f.mask(), 0xFF0u);
  EXPECT_EQ(kWhole[0].mask(), 0xFFFFFFFFu);
  EXPECT_EQ(kWhole[0].width(), 32u);
}

TEST(RegSpec, MasksPerAccessAreDisjointAndReservedIsNotImplemented) {
  constexpr RegSpec row{"R", 0, 0, "", kFields};
  EXPECT_EQ(row.mask(Access::kRw), 0xF0000000u);
  EXPECT_EQ(row.mask(Access::kRo), 0x0000FF00u);
  EXPECT_EQ(row.mask(Access::kW1c), 0x00000001u);
  EXPECT_EQ(row.mask(Access::kRc), 0u);
  EXPECT_EQ(row.implemented(), 0xF000FF01u);
}

TEST(RegSpec, GetPutAndReplaceField) {
  EXPECT_EQ(get_field(0x3FFF0000u, 0x47C00044u), 0x7C0u);
  EXPECT_EQ(put_field(0x3FFF0000u, 0x7C0), 0x07C00000u);
  EXPECT_EQ(put_field(0x80000000u, 1), 0x80000000u);
  EXPECT_EQ(with_field(0xFFFFFFFFu, 0x0000FF00u, 0x12), 0xFFFF12FFu);
}

TEST(RegSpec, SoundTableIsAccepted) {
  constexpr RegSpec rows[] = {{"A", 0, 0x1, "", kFields}, {"B", 8, 0, "", kWhole}};
  EXPECT_TRUE(well_formed(RegTable(rows)));
  EXPECT_FALSE(well_formed(RegTable()));
}

TEST(RegSpec, EachFaultIsRefused) {
  EXPECT_FALSE(well_formed(RegSpec{"R", 0, 0, "", kOverlap}));
  EXPECT_FALSE(well_formed(RegSpec{"R", 0, 0, "", kReversed}));
  EXPECT_FALSE(well_formed(RegSpec{"R", 0, 0, "", kTooHigh}));
  EXPECT_FALSE(well_formed(RegSpec{"R", 0, 0, "", kNameless}));
  EXPECT_FALSE(well_formed(RegSpec{"", 0, 0, "", kWhole}));
  EXPECT_FALSE(well_formed(RegSpec{"R", 2, 0, "", kWhole}));
  EXPECT_FALSE(well_formed(RegSpec{"R", 0, 0x80, "", kFields})) << "reset value in reserved bit";
  constexpr RegSpec twice[] = {{"A", 4, 0, "", kWhole}, {"B", 4, 0, "", kWhole}};
  EXPECT_FALSE(well_formed(RegTable(twice)));
  constexpr RegSpec descending[] = {{"A", 8, 0, "", kWhole}, {"B", 4, 0, "", kWhole}};
  EXPECT_FALSE(well_formed(RegTable(descending)));
}

TEST(RegSpec, FindsByOffsetAndByName) {
  constexpr RegSpec rows[] = {{"A", 0, 0, "", kWhole}, {"B", 8, 0, "", kWhole}};
  const RegTable table(rows);
  EXPECT_EQ(table.find(8u), &table.data[1]);
  EXPECT_EQ(table.find(4u), nullptr);
  EXPECT_EQ(table.find("A"), &table.data[0]);
  EXPECT_EQ(table.find("C"), nullptr);
}

}  // namespace
}  // namespace doorbell::reg
