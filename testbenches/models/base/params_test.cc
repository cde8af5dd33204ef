// Parameter tables: defaults, typed values, and the exact text of every refusal.
#include "models/base/params.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace doorbell::base {
namespace {

constexpr ParamSpec kTable[] = {
    {"native", ParamKind::kBoolean, "true", "", "", "", ""},
    {"rx_ring", ParamKind::kInteger, "256", "16..1024", "entries", "", ""},
    {"axi_width_bits", ParamKind::kInteger, "64", "32|64|128", "bits", "", ""},
    {"scale", ParamKind::kReal, "0.5", "0..10", "", "", ""},
    {"coalesce_time", ParamKind::kTime, "1000 us", "1 us..10 ms", "", "", ""},
    {"miss", ParamKind::kCycles, "120 cycles", "0 cycles..1000 cycles|0 ns..1 us", "", "", ""},
    {"fifo", ParamKind::kBytes, "8 KiB", "", "", "", ""},
    {"link", ParamKind::kBitRate, "1 Gb/s", "10 Mb/s|100 Mb/s|1 Gb/s", "", "", ""},
    {"clock", ParamKind::kFrequency, "1.8 GHz", "", "", "", ""},
    {"rate", ParamKind::kPacketRate, "line", "line|1 pps..100 Mpps", "", "", ""},
    {"share", ParamKind::kPercent, "50 %", "0 %..100 %", "", "", ""},
    {"xdp", ParamKind::kChoice, "off", "off|pass|drop", "", "", ""},
    {"file", ParamKind::kText, kRequired, "", "", "", ""},
};

std::string refusal(std::string_view name, const RawValue& value) {
  ParamSet set{ParamTable(kTable)};
  const auto issue = set.set(name, value);
  return issue ? issue->message() : "accepted as " + std::string(set.written(name));
}

TEST(Params, DefaultsAreTyped) {
  const ParamSet set{ParamTable(kTable)};
  EXPECT_TRUE(set.boolean("native"));
  EXPECT_EQ(set.integer("rx_ring"), 256);
  EXPECT_EQ(set.real("scale"), 0.5);
  EXPECT_EQ(set.time("coalesce_time"), Picos(1000000000));
  EXPECT_EQ(set.cycles("miss", Hertz(1200000000)), Picos(100000));
  EXPECT_EQ(set.bytes("fifo"), 8192u);
  EXPECT_EQ(set.bit_rate("link").count(), 1000000000u);
  EXPECT_EQ(set.frequency("clock").count(), 1800000000u);
  EXPECT_TRUE(set.is_word("rate", "line"));
  EXPECT_EQ(set.percent("share"), 0.5);
  EXPECT_EQ(set.choice("xdp"), "off");
  EXPECT_FALSE(set.has("file"));
  EXPECT_EQ(set.origin("xdp"), "default");
  ASSERT_EQ(set.missing().size(), 1u);
  EXPECT_EQ(set.missing()[0], "file");
}

TEST(Params, SetValuesKeepTextAndOrigin) {
  ParamSet set{ParamTable(kTable)};
  EXPECT_FALSE(set.set("rx_ring", RawValue::of_integer(16)));
  EXPECT_FALSE(set.set("coalesce_time", RawValue::of_text("2.5 us"), "command line"));
  EXPECT_FALSE(set.set("miss", RawValue::of_text("80 ns")));
  EXPECT_FALSE(set.set("rate", RawValue::of_text("353.6 kpps")));
  EXPECT_FALSE(set.set("file", RawValue::of_text("a.pcap")));
  EXPECT_FALSE(set.set("scale", RawValue::of_integer(3)));
  EXPECT_EQ(set.integer("rx_ring"), 16);
  EXPECT_EQ(set.time("coalesce_time"), Picos(2500000));
  EXPECT_EQ(set.written("coalesce_time"), "2.5 us");
  EXPECT_EQ(set.origin("coalesce_time"), "command line");
  EXPECT_EQ(set.cycles("miss", Hertz(1)), Picos(80000));
  EXPECT_EQ(set.packet_rate("rate"), 353600u);
  EXPECT_EQ(set.real("scale"), 3.0);
  EXPECT_TRUE(set.missing().empty());
}

TEST(Params, LooseTextIsTakenAsTheKindNeeds) {
  ParamSet set{ParamTable(kTable)};
  EXPECT_FALSE(set.set("rx_ring", RawValue::loose("512")));
  EXPECT_FALSE(set.set("native", RawValue::loose("false")));
  EXPECT_FALSE(set.set("scale", RawValue::loose("1.25")));
  EXPECT_FALSE(set.set("xdp", RawValue::loose("drop")));
  EXPECT_EQ(set.integer("rx_ring"), 512);
  EXPECT_FALSE(set.set("rx_ring", RawValue::loose("0x100")));
  EXPECT_EQ(set.integer("rx_ring"), 256);
  EXPECT_TRUE(set.set("rx_ring", RawValue::loose("0x")));
  EXPECT_TRUE(set.set("rx_ring", RawValue::loose("0x-20")));
  EXPECT_TRUE(set.set("rx_ring", RawValue::loose("64 ")));
  EXPECT_FALSE(set.boolean("native"));
  EXPECT_EQ(set.real("scale"), 1.25);
  EXPECT_EQ(set.choice("xdp"), "drop");
}

TEST(Params, UnknownNameListsNearestFirst) {
  EXPECT_EQ(refusal("rx_rin", RawValue::of_integer(1)),
            "unknown name, did you mean 'rx_ring'?; allowed: rx_ring, native, axi_width_bits, "
            "scale, coalesce_time, miss, fifo, link, clock, rate, share, xdp, file");
  ParamSet set{ParamTable(kTable)};
  const auto issue = set.set("completely_different", RawValue::of_integer(1));
  ASSERT_TRUE(issue);
  EXPECT_EQ(issue->what, "unknown name");
}

TEST(Params, WrongKindIsRefused) {
  EXPECT_EQ(refusal("rx_ring", RawValue::of_text("256")),
            "\"256\" is not an integer; allowed: 16..1024 entries");
  EXPECT_EQ(refusal("rx_ring", RawValue::of_real(256)),
            "256 is not an integer; allowed: 16..1024 entries");
  EXPECT_EQ(refusal("rx_ring", RawValue::of_boolean(true)),
            "true is not an integer; allowed: 16..1024 entries");
  EXPECT_EQ(refusal("native", RawValue::of_text("yes")),
            "\"yes\" is not a boolean; allowed: true, false");
  EXPECT_EQ(refusal("native", RawValue::of_integer(1)), "1 is not a boolean; allowed: true, false");
  EXPECT_EQ(refusal("xdp", RawValue::of_text("redirect")),
            "\"redirect\" is not one of the choices; allowed: off, pass, drop");
  EXPECT_EQ(refusal("xdp", RawValue::of_boolean(false)),
            "false is not one of the choices; allowed: off, pass, drop");
  EXPECT_EQ(refusal("file", RawValue::of_integer(3)), "3 is not text; allowed: a text");
  EXPECT_EQ(refusal("fifo", RawValue::other("a list")),
            "a list is not a size; allowed: a size, for example \"2 KiB\"");
}

TEST(Params, MissingAndWrongUnitsAreRefused) {
  EXPECT_EQ(refusal("fifo", RawValue::of_integer(8192)),
            "8192 is a bare number, not a size: the unit is missing; allowed: a size, for example "
            "\"2 KiB\"");
  EXPECT_EQ(refusal("coalesce_time", RawValue::of_text("64 B")),
            "'64 B' is not a time: the unit is wrong (a number and one of: ps, ns, us, ms, s); "
            "allowed: 1 us..10 ms");
  EXPECT_EQ(refusal("miss", RawValue::of_text("12 clocks")),
            "'12 clocks' is not a time: the unit is wrong (a number and one of: ps, ns, us, ms, "
            "s), or a whole number and: cycles; allowed: 0 cycles..1000 cycles, 0 ns..1 us");
  EXPECT_EQ(refusal("miss", RawValue::of_text("-4 cycles")),
            "'-4 cycles' is not a number of cycles; allowed: 0 cycles..1000 cycles, 0 ns..1 us");
}

TEST(Params, RangesIncludeTheirEnds) {
  EXPECT_EQ(refusal("rx_ring", RawValue::of_integer(15)),
            "15 is out of range; allowed: 16..1024 entries");
  EXPECT_EQ(refusal("rx_ring", RawValue::of_integer(16)), "accepted as 16");
  EXPECT_EQ(refusal("rx_ring", RawValue::of_integer(1024)), "accepted as 1024");
  EXPECT_EQ(refusal("rx_ring", RawValue::of_integer(1025)),
            "1025 is out of range; allowed: 16..1024 entries");
  EXPECT_EQ(refusal("coalesce_time", RawValue::of_text("10.1 ms")),
            "\"10.1 ms\" is out of range; allowed: 1 us..10 ms");
  EXPECT_EQ(refusal("share", RawValue::of_text("100.5 %")),
            "\"100.5 %\" is out of range; allowed: 0 %..100 %");
  EXPECT_EQ(refusal("rate", RawValue::of_text("0 pps")),
            "\"0 pps\" is out of range; allowed: line, 1 pps..100 Mpps");
  EXPECT_EQ(refusal("miss", RawValue::of_text("1001 cycles")),
            "\"1001 cycles\" is out of range; allowed: 0 cycles..1000 cycles, 0 ns..1 us");
  EXPECT_EQ(refusal("miss", RawValue::of_text("2 us")),
            "\"2 us\" is out of range; allowed: 0 cycles..1000 cycles, 0 ns..1 us");
}

TEST(Params, SingleNumbersAreAlternatives) {
  EXPECT_EQ(refusal("axi_width_bits", RawValue::of_integer(128)), "accepted as 128");
  EXPECT_EQ(refusal("axi_width_bits", RawValue::of_integer(48)),
            "48 is not one of the allowed values; allowed: 32, 64, 128 bits");
  EXPECT_EQ(refusal("link", RawValue::of_text("1000 Mb/s")), "accepted as 1000 Mb/s");
  EXPECT_EQ(refusal("link", RawValue::of_text("2.5 Gb/s")),
            "\"2.5 Gb/s\" is not one of the allowed values; allowed: 10 Mb/s, 100 Mb/s, 1 Gb/s");
}

TEST(Params, RefusedValueLeavesTheOldOne) {
  ParamSet set{ParamTable(kTable)};
  EXPECT_TRUE(set.set("rx_ring", RawValue::of_integer(1 << 20)));
  EXPECT_EQ(set.integer("rx_ring"), 256);
}

TEST(Params, FillFromTakesWhatIsNotGivenHere) {
  ParamSet card{ParamTable(kTable)};
  EXPECT_FALSE(card.set("rx_ring", RawValue::of_integer(512), "platform"));
  EXPECT_FALSE(card.set("xdp", RawValue::of_text("pass"), "platform"));
  EXPECT_FALSE(card.set("rate", RawValue::of_text("1 kpps"), "platform"));
  EXPECT_FALSE(card.set("file", RawValue::of_text("card.pcap"), "platform"));
  ParamSet set{ParamTable(kTable)};
  EXPECT_FALSE(set.set("xdp", RawValue::of_text("drop")));
  EXPECT_FALSE(set.set("native", RawValue::of_boolean(false)));
  EXPECT_FALSE(set.set("rate", RawValue::of_text("line")));  // the default's text, but given
  set.fill_from(card);
  EXPECT_EQ(set.integer("rx_ring"), 512);
  EXPECT_EQ(set.origin("rx_ring"), "platform");
  EXPECT_EQ(set.written("rx_ring"), "512");
  EXPECT_EQ(set.text("file"), "card.pcap");
  EXPECT_TRUE(set.missing().empty());
  EXPECT_EQ(set.choice("xdp"), "drop") << "given here";
  EXPECT_EQ(set.origin("xdp"), "scenario");
  EXPECT_FALSE(set.boolean("native")) << "given here, default there";
  EXPECT_TRUE(set.is_word("rate", "line"));
  EXPECT_EQ(set.integer("axi_width_bits"), 64);
  EXPECT_EQ(set.origin("axi_width_bits"), "default");
  EXPECT_EQ(card.choice("xdp"), "pass") << "the other one is as it was";
}

TEST(Params, FillFromAnEmptySetChangesNothing) {
  const ParamSet card{ParamTable(kTable)};
  ParamSet set{ParamTable(kTable)};
  EXPECT_FALSE(set.set("rx_ring", RawValue::of_integer(64)));
  set.fill_from(card);
  EXPECT_EQ(set.integer("rx_ring"), 64);
  EXPECT_FALSE(set.has("file")) << "required, and given by neither";
  EXPECT_EQ(set.missing().size(), 1u);
}

TEST(Params, FillFromAnotherTableIsAProgrammerError) {
  static constexpr ParamSpec kOther[] = {{"ring", ParamKind::kInteger, "8", "", "", "", ""}};
  ParamSet set{ParamTable(kTable)};
  EXPECT_THROW(set.fill_from(ParamSet{ParamTable(kOther)}), std::logic_error);
  EXPECT_THROW(set.fill_from(ParamSet{ParamTable(kTable, 2)}), std::logic_error);
}

TEST(Params, NonFiniteNumbersAreRefused) {
  EXPECT_EQ(refusal("scale", RawValue::of_real(1.0 / 0.0)), "inf is out of range; allowed: 0..10");
  EXPECT_EQ(refusal("scale", RawValue::loose("nan")), "'nan' is not a number; allowed: 0..10");
}

TEST(Params, ProgrammerErrorsThrow) {
  const ParamSet set{ParamTable(kTable)};
  EXPECT_THROW(set.integer("no_such"), std::logic_error);
  EXPECT_THROW(set.integer("native"), std::logic_error);
  EXPECT_THROW(set.text("file"), std::logic_error);
  EXPECT_THROW(set.packet_rate("rate"), std::logic_error);  // it is the word "line"
  static constexpr ParamSpec kBroken[] = {
      {"ring", ParamKind::kInteger, "8", "16..1024", "", "", ""}};
  EXPECT_THROW(ParamSet{ParamTable(kBroken)}, std::logic_error);
}

TEST(Params, EditDistance) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("ring", "ring"), 0u);
  EXPECT_EQ(edit_distance("rign", "ring"), 2u);
  EXPECT_EQ(edit_distance("tx_ring", "rx_ring"), 1u);
}

}  // namespace
}  // namespace doorbell::base
