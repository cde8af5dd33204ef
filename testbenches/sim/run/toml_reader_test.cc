// The TOML tree: order, lines, syntax errors in one line, overrides.
#include "sim/run/toml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace doorbell::run {
namespace {

using base::RawValue;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(TomlReader, KeepsOrderAndLines) {
  const auto root = read_toml("zeta = 1\n\nalpha = \"x\"\n[mid]\nb.c = true\na = 2.5\n", "f");
  ASSERT_TRUE(root.ok()) << root.error();
  const auto& top = root.value().children;
  ASSERT_EQ(top.size(), 3u);
  EXPECT_EQ(top[0].key, "zeta");
  EXPECT_EQ(top[0].line, 1);
  EXPECT_EQ(top[1].key, "alpha");
  EXPECT_EQ(top[1].line, 3);
  EXPECT_EQ(top[1].value.text, "x");
  EXPECT_EQ(top[2].line, 4);
  const TomlNode* c = top[2].find("b")->find("c");
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->line, 5);
  EXPECT_TRUE(c->value.boolean);
  EXPECT_EQ(top[2].find("a")->value.real, 2.5);
}

TEST(TomlReader, ShapesAreNamed) {
  const auto root = read_toml("a = [1]\nb = { c = 1 }\nd = 1979-05-27\n[[e]]\nf = 1\n", "f");
  ASSERT_TRUE(root.ok()) << root.error();
  EXPECT_EQ(root.value().find("a")->as_value().shown(), "a list");
  EXPECT_EQ(root.value().find("b")->as_value().shown(), "a table");
  EXPECT_EQ(root.value().find("d")->as_value().shown(), "a date or time of day");
  EXPECT_FALSE(root.value().find("a")->is_table_list());
  EXPECT_TRUE(root.value().find("e")->is_table_list());
}

TEST(TomlReader, SyntaxErrorsNameFileAndLine) {
  EXPECT_THAT(read_toml("a = 1\nb = \n", "f.toml").error(),
              StartsWith("f.toml:2: not valid TOML:"));
  EXPECT_THAT(read_toml("a = 1\na = 2\n", "f.toml").error(),
              StartsWith("f.toml:2: not valid TOML: "));
  EXPECT_THAT(read_toml("a = 1\na = 2\n", "f.toml").error(), HasSubstr("'a'"));
  EXPECT_THAT(read_toml("[t]\nx=1\n[t]\n", "f.toml").error(), StartsWith("f.toml:3: "));
  EXPECT_THAT(read_toml("a = \"\xff\"\n", "f.toml").error(), StartsWith("f.toml:1: "));
  EXPECT_THAT(read_toml("a = \"x\ny\"\n", "f.toml").error(), Not(HasSubstr("\n")));
}

TEST(TomlReader, OverlongInputIsRefusedBeforeParsing) {
  EXPECT_EQ(read_toml(std::string(5000, 'a'), "f").error(),
            "f:1: the line is longer than 4096 characters");
  EXPECT_EQ(read_toml(std::string((1 << 20) + 1, '\n'), "f").error(),
            "f: the file is larger than 1 MiB");
}

TomlNode tree() {
  return read_toml(
             "seed = 1\n[driver]\nrx_ring = 256\n[[nic]]\nname = \"a\"\n[[nic]]\nname = \"b\"\n"
             "[expect]\n\"tx.pps\" = 1\n",
             "f")
      .take();
}

TEST(Override, ReplacesAndAdds) {
  TomlNode root = tree();
  EXPECT_EQ(apply_override(root, "driver.rx_ring", "512"), "");
  EXPECT_EQ(root.find("driver")->find("rx_ring")->value.text, "512");
  EXPECT_EQ(root.find("driver")->find("rx_ring")->value.type, RawValue::Type::kLoose);
  EXPECT_EQ(root.find("driver")->find("rx_ring")->line, 0);
  EXPECT_EQ(apply_override(root, "traffic.rate", "300 kpps"), "");
  EXPECT_EQ(root.find("traffic")->find("rate")->value.text, "300 kpps");
  EXPECT_EQ(apply_override(root, "traffic.kind", "\"fixed\""), "");
  EXPECT_EQ(root.find("traffic")->find("kind")->value.text, "fixed");
}

TEST(Override, ChoosesFromAListByName) {
  TomlNode root = tree();
  EXPECT_EQ(apply_override(root, "nic.b.link", "100 Mb/s"), "");
  EXPECT_EQ(root.find("nic")->children[1].find("link")->value.text, "100 Mb/s");
  EXPECT_EQ(root.find("nic")->children[0].find("link"), nullptr);
  EXPECT_EQ(apply_override(root, "nic.link", "100 Mb/s"),
            "there are several [[nic]]: name one; allowed: a, b");
}

TEST(Override, ExpectationsKeepTheirTypes) {
  TomlNode root = tree();
  EXPECT_EQ(apply_override(root, "expect.tx.pps", "{ value = 5, tolerance = \"1 %\" }"), "");
  ASSERT_EQ(root.find("expect")->children.size(), 1u);
  EXPECT_TRUE(root.find("expect")->children[0].is_table());
  EXPECT_EQ(apply_override(root, "expect.ledger.rx.balanced", "true"), "");
  EXPECT_EQ(root.find("expect")->find("ledger.rx.balanced")->value.type, RawValue::Type::kBoolean);
}

TEST(Override, WrongKeysAreExplained) {
  TomlNode root = tree();
  EXPECT_EQ(apply_override(root, "seed.x", "1"), "'seed' is not a table");
  EXPECT_EQ(apply_override(root, "driver..x", "1"), "an empty part in the key");
  EXPECT_EQ(apply_override(root, "", "1"), "an empty part in the key");
}

}  // namespace
}  // namespace doorbell::run
