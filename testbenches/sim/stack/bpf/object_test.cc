// Objects as clang makes them, good ones and refused ones.
#include <fstream>
#include <iterator>

#include "sim/hal/scripted/scripted_hal.h"
#include "sim/stack/bpf/shipped.h"
#include "support.h"

namespace doorbell::stack::bpf {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string path_of(const std::string& name) {
  return std::string(DOORBELL_TEST_OBJECTS) + "/" + name + ".o";
}

std::string refusal(const std::string& name, const std::string& program = "") {
  LoadOptions options;
  options.program = program;
  auto loaded = load_program(path_of(name), options);
  if (loaded.ok()) return "";
  // Without the folder, which is the build's.
  const std::string prefix = std::string(DOORBELL_TEST_OBJECTS) + "/";
  EXPECT_THAT(loaded.error(), StartsWith(prefix));
  return loaded.error().substr(prefix.size());
}

class Versions : public testing::TestWithParam<const char*> {};

TEST_P(Versions, GlobalDataFunctionsCallbacksAndWeakSymbols) {
  auto loaded = load_program(path_of(std::string("features_") + GetParam()));
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  Program& program = *loaded.value();
  EXPECT_STREQ(program.name(), "first");
  EXPECT_THAT(program.programs(), ElementsAre("first")) << "only what is run is loaded";
  std::vector<uint8_t> memory(4096);
  Packet packet;
  packet.hard_start = memory.data();
  packet.data = packet.meta = memory.data() + 256;
  packet.end = packet.data + 60;
  packet.hard_end = memory.data() + 3776;
  Host host;
  Vm vm(program.image(), 0);
  const int function = program.find_program("first");
  ASSERT_GE(function, 0);
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(vm.run(static_cast<uint32_t>(function), packet, host), 3u) << program.first_fault();
  }
  ASSERT_NE(program.map(".bss"), nullptr);
  EXPECT_EQ(base::load_le<uint64_t>(program.map(".bss")->value(0)), 3u);
  ASSERT_NE(program.map(".data"), nullptr);
  EXPECT_EQ(base::load_le<uint64_t>(program.map(".data")->value(0)), 0x1122334455667788u + 3 * 55);
  EXPECT_THAT(program.trace().lines(),
              ElementsAre("run 1 of first, 13", "run 2 of first, 13", "run 3 of first, 13"));
  EXPECT_NE(program.map(".rodata")->spec().flags & kRdonlyProg, 0u);
  EXPECT_EQ(program.map(".data")->spec().flags & kRdonlyProg, 0u);
  EXPECT_EQ(program.map("hidden")->sum(uint64_t{5}), 1u);
}

TEST_P(Versions, AnotherProgramOfTheObject) {
  LoadOptions options;
  options.program = "second";
  auto loaded = load_program(path_of(std::string("features_") + GetParam()), options);
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  Program& program = *loaded.value();
  std::vector<uint8_t> memory(4096);
  Packet packet{memory.data(),
                memory.data() + 256,
                memory.data() + 256,
                memory.data() + 300,
                memory.data() + 3776,
                true,
                2,
                3,
                1};
  Host host;
  Vm vm(program.image(), 0);
  EXPECT_EQ(vm.run(0, packet, host), 1u) << program.first_fault();
  struct Value {
    uint64_t n;
    uint32_t more[4];
  };
  const auto value = program.map("seen")->get<Value>(uint32_t{2 * 256 + 3 * 16 + 1});
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->n, 1u * 3 + 2);
}

INSTANTIATE_TEST_SUITE_P(Objects, Versions, testing::Values("v1", "v2", "v3"),
                         [](const auto& version) { return std::string(version.param); });

TEST(Objects, Refused) {
  EXPECT_EQ(refusal("legacy_map"),
            "legacy_map.o: section 'maps' holds legacy map definitions; define maps in section "
            "'.maps' (SEC(\".maps\"), __uint, __type)");
  EXPECT_THAT(refusal("refused_1"),
              StartsWith("refused_1.o: refused: instruction 3: calls helper 134 "
                         "(bpf_ringbuf_query), which is not modelled: "));
  EXPECT_EQ(refusal("refused_2"),
            "refused_2.o: map 'outer': member 'values' is for prog arrays; maps in maps are not "
            "modelled");
  EXPECT_THAT(refusal("refused_3"),
              StartsWith("refused_3.o: map 'odd': member 'colour' is unknown; allowed: type, "));
  EXPECT_EQ(refusal("refused_4"),
            "refused_4.o: refused: instruction 0: symbol 'bpf_needed' is not in the object; "
            "symbols of the kernel are not modelled");
  EXPECT_THAT(refusal("refused_5"), EndsWith("holds addresses, which is not modelled"));
  EXPECT_EQ(refusal("refused_6"),
            "refused_6.o: the object has no XDP program: no function in a section named \"xdp\"");
  EXPECT_EQ(refusal("refused_7"),
            "refused_7.o: refused: instruction 0: calls bpf_ktime_get_ns, which is for programs "
            "under a GPL-compatible licence");
  EXPECT_EQ(refusal("refused_8"), "refused_8.o: map 'typeless': member 'type' is missing");
  EXPECT_EQ(refusal("no_types"),
            "no_types.o: section '.maps' needs type information (.BTF); compile with -g");
  EXPECT_EQ(refusal("features_v1", "third"),
            "features_v1.o: the object has no XDP program 'third'; allowed: first, second");
  EXPECT_EQ(refusal("missing"), "missing.o: cannot be read");
}

TEST(Objects, NotBpfAtAll) {
  const auto error = [](std::vector<uint8_t> bytes) {
    auto loaded = load_program_memory({bytes.data(), bytes.size()}, "x.o");
    return loaded.ok() ? "" : loaded.error();
  };
  EXPECT_EQ(error({}), "x.o: this is no ELF object");
  EXPECT_EQ(error(std::vector<uint8_t>(1000, 'a')), "x.o: this is no ELF object");
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::vector<uint8_t> bytes(65536);
  self.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  EXPECT_THAT(error(bytes), HasSubstr("not BPF (247); compile with -target bpf"));
  bytes[4] = 1;
  EXPECT_THAT(error(bytes), HasSubstr("not 64-bit little endian"));
}

TEST(Objects, TheListOfShippedProgramsIsTheFolder) {
  for (const ShippedProgram& p : shipped_programs()) {
    EXPECT_TRUE(
        std::ifstream(std::string(DOORBELL_PROGRAM_SOURCES "/") + std::string(p.name) + ".c")
            .good())
        << p.name;
    EXPECT_TRUE(is_shipped_program(p.name));
    auto loaded = load_program(shipped_program_path(p.name));
    EXPECT_TRUE(loaded.ok()) << loaded.error();
    if (loaded.ok()) {
      EXPECT_EQ(std::string(loaded.value()->name()), p.name);
    }
  }
  EXPECT_FALSE(is_shipped_program("nonsense"));
  EXPECT_EQ(shipped_programs().size(), DOORBELL_PROGRAM_COUNT);
}

}  // namespace
}  // namespace doorbell::stack::bpf
