// Helpers as programs call them: results as the kernel's, and what each counts.
#include <cerrno>

#include "hook.h"

namespace doorbell::stack::bpf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

uint64_t negative(int error) {
  return static_cast<uint64_t>(int64_t{error});
}

// r6 = context; then `body`; exit with its r0.
std::vector<RawInsn> program(const std::vector<RawInsn>& body) {
  return (Asm() << mov64_reg(6, 1) << body << exit_insn()).insns();
}

// Calls an adjust helper with `delta` on a packet of `bytes`.
struct Adjusted {
  uint64_t result;
  int64_t head;  // how far the ends moved
  int64_t tail;
  int64_t meta;  // octets of metadata after
};
Adjusted adjust(int32_t helper, int32_t delta, size_t bytes = 64, size_t meta = 0) {
  Engine e(program((Asm() << mov64(2, delta) << call(helper)).insns()));
  e.set_packet(std::vector<uint8_t>(bytes, 0x22));
  e.packet.meta -= meta;
  const Packet before = e.packet;
  const uint64_t result = e.run();
  EXPECT_FALSE(e.faulted()) << e.image.first_fault;
  EXPECT_EQ(e.tally().helpers, 1u);
  return {result, e.packet.data - before.data, e.packet.end - before.end,
          e.packet.data - e.packet.meta};
}

TEST(Helpers, AdjustHead) {
  EXPECT_EQ(adjust(44, 4).head, 4);
  EXPECT_EQ(adjust(44, -4).head, -4);
  EXPECT_EQ(adjust(44, 50).head, 50) << "an Ethernet header is left";
  EXPECT_EQ(adjust(44, 51).result, negative(-EINVAL));
  EXPECT_EQ(adjust(44, 51).head, 0);
  EXPECT_EQ(adjust(44, -216).head, -216) << "down to the frame record, 40 octets from the start";
  EXPECT_EQ(adjust(44, -217).result, negative(-EINVAL));
  EXPECT_EQ(adjust(44, -208, 64, 8).head, -208);
  EXPECT_EQ(adjust(44, -209, 64, 8).result, negative(-EINVAL)) << "metadata goes along";
  EXPECT_EQ(adjust(44, 4, 64, 8).meta, 8);
}

TEST(Helpers, AdjustHeadMovesMetadata) {
  Engine e(program((Asm() << mov64(2, -12) << call(44)).insns()));
  e.packet.meta -= 8;
  for (uint8_t i = 0; i < 8; ++i) e.packet.meta[i] = i;
  e.run();
  EXPECT_THAT(std::vector<uint8_t>(e.packet.meta, e.packet.data),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(e.tally().octets, 8u);
}

TEST(Helpers, AdjustTail) {
  EXPECT_EQ(adjust(65, -10).tail, -10);
  EXPECT_EQ(adjust(65, -50).tail, -50);
  EXPECT_EQ(adjust(65, -51).result, negative(-EINVAL));
  EXPECT_EQ(adjust(65, 100).tail, 100);
  // 4096 - 320 of shared info - 256 of headroom - 64 of packet.
  EXPECT_EQ(adjust(65, 3456).tail, 3456);
  EXPECT_EQ(adjust(65, 3457).result, negative(-EINVAL));
  EXPECT_EQ(adjust(65, 0x7FFFFFFF).result, negative(-EINVAL));
  EXPECT_EQ(adjust(65, static_cast<int32_t>(0x80000000)).result, negative(-EINVAL));
}

TEST(Helpers, AGrownTailIsZero) {
  Engine e(program((Asm() << mov64(2, 16) << call(65)).insns()));
  std::fill(e.packet.end, e.packet.end + 32, uint8_t{0xEE});
  e.run();
  EXPECT_TRUE(std::all_of(e.packet.end - 16, e.packet.end, [](uint8_t b) { return b == 0; }));
  EXPECT_EQ(*e.packet.end, 0xEE);
}

TEST(Helpers, AdjustMeta) {
  EXPECT_EQ(adjust(54, -8).meta, 8);
  EXPECT_EQ(adjust(54, 4, 64, 8).meta, 4);
  EXPECT_EQ(adjust(54, -6).result, negative(-EACCES)) << "in words of 4";
  EXPECT_EQ(adjust(54, 4).result, negative(-EINVAL)) << "not past the data";
  EXPECT_EQ(adjust(54, -216).meta, 216);
  EXPECT_EQ(adjust(54, -220).result, negative(-EINVAL));
  Engine e(program((Asm() << mov64(2, -8) << call(54)).insns()));
  e.packet.meta_supported = false;
  EXPECT_EQ(e.run(), negative(-524));
}

TEST(Helpers, PointersSeeTheMovedPacket) {
  // After adjust_head(4): data + 60 is the end; the octet at data is the old fifth.
  Asm p;
  p << mov64(2, 4) << call(44) << raw(0x61, 2, 6, 0, 0) << raw(0x61, 3, 6, 4, 0)
    << raw(0x71, 7, 2, 0, 0) << mov64_reg(0, 3) << raw(0x1f, 0, 2, 0, 0) << raw(0x67, 0, 0, 0, 8)
    << raw(0x4f, 0, 7, 0, 0);
  Engine e(program(p.insns()));
  std::vector<uint8_t> bytes(64);
  for (size_t i = 0; i < 64; ++i) bytes[i] = static_cast<uint8_t>(i);
  e.set_packet(bytes);
  EXPECT_EQ(e.run(), 60u << 8 | 4u);
}

TEST(Helpers, LoadAndStoreBytes) {
  // load 8 octets at 10 to the stack, store them at 30.
  Asm p;
  p << mov64(2, 10) << mov64_reg(3, 10) << add64(3, -8) << mov64(4, 8) << call(189)
    << mov64_reg(7, 0) << mov64_reg(1, 6) << mov64(2, 30) << mov64_reg(3, 10) << add64(3, -8)
    << mov64(4, 8) << call(190) << raw(0x4f, 0, 7, 0, 0);
  Engine e(program(p.insns()));
  std::vector<uint8_t> bytes(64);
  for (size_t i = 0; i < 64; ++i) bytes[i] = static_cast<uint8_t>(i);
  e.set_packet(bytes);
  EXPECT_EQ(e.run(), 0u);
  EXPECT_THAT(std::vector<uint8_t>(e.packet.data + 30, e.packet.data + 38),
              ElementsAre(10, 11, 12, 13, 14, 15, 16, 17));
  EXPECT_EQ(e.tally().octets, 16u);
  const auto attempt = [](int32_t helper, int32_t offset, int32_t length) {
    Engine engine(program((Asm() << mov64(2, offset) << mov64_reg(3, 10) << add64(3, -8)
                                 << mov64(4, length) << call(helper))
                              .insns()));
    return engine.run();
  };
  for (const int32_t helper : {189, 190}) {
    EXPECT_EQ(attempt(helper, 56, 8), 0u);
    EXPECT_EQ(attempt(helper, 57, 8), negative(-EINVAL));
    EXPECT_EQ(attempt(helper, -1, 8), negative(-EINVAL));
  }
}

TEST(Helpers, BufferLength) {
  Engine e(program({call(188)}));
  e.set_packet(std::vector<uint8_t>(123));
  EXPECT_EQ(e.run(), 123u);
}

// csum_diff over octets on the stack: `from` at r10-16, `to` at r10-8.
uint64_t csum(uint64_t from, int32_t from_size, uint64_t to, int32_t to_size, int32_t seed) {
  Asm p;
  p << load64(2, from) << raw(0x7b, 10, 2, -16, 0) << load64(2, to) << raw(0x7b, 10, 2, -8, 0)
    << mov64_reg(1, 10) << add64(1, -16) << mov64(2, from_size) << mov64_reg(3, 10) << add64(3, -8)
    << mov64(4, to_size) << mov64(5, seed) << call(28);
  Engine e(program(p.insns()));
  const uint64_t result = e.run();
  EXPECT_FALSE(e.faulted()) << e.image.first_fault;
  return result;
}

uint16_t folded(uint64_t sum) {
  while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

TEST(Helpers, CsumDiff) {
  EXPECT_EQ(csum(0, 0, 0x0000000000010002, 4, 0), 0x10002u) << "only `to`: its sum";
  EXPECT_EQ(csum(0, 0, 0x0000000300010002, 8, 5), 0x10002u + 3 + 5);
  EXPECT_EQ(folded(csum(5, 4, 5, 4, 0x1234)), 0x1234) << "no change";
  EXPECT_EQ(folded(csum(0x0001, 4, 0x0003, 4, 0x1234)), 0x1236);
  EXPECT_EQ(folded(csum(0x0003, 4, 0x0001, 4, 0x1234)), 0x1232);
  EXPECT_EQ(csum(0, 3, 0, 4, 0), negative(-EINVAL));
  EXPECT_EQ(csum(0, 4, 0, 6, 0), negative(-EINVAL));
  EXPECT_EQ(csum(0, 512, 0, 4, 0), negative(-EINVAL));
}

TEST(Helpers, RandomIsSeededAndRepeatable) {
  const auto numbers = [](uint64_t seed) {
    Engine e(program({call(7)}));
    e.image.random = base::Stream(seed, "bpf");
    std::vector<uint64_t> out(5);
    for (uint64_t& n : out) n = e.run();
    return out;
  };
  EXPECT_EQ(numbers(1), numbers(1));
  EXPECT_NE(numbers(1), numbers(2));
  for (const uint64_t n : numbers(1)) EXPECT_LE(n, 0xFFFFFFFFu);
}

TEST(Helpers, ProcessorAndTime) {
  Engine e(program({call(8)}));
  EXPECT_EQ(e.run(0), 0u);
  EXPECT_EQ(e.run(1), 1u);
  class Clock : public Host {
   public:
    uint64_t now_ns(const Tally& so_far) override { return 1000 + so_far.instructions; }
  } clock;
  for (const int32_t helper : {5, 125, 160, 208}) {
    Engine t(program({call(helper)}));
    EXPECT_EQ(t.vms[0]->run(0, t.packet, clock), 1002u) << helper;
  }
}

TEST(Helpers, Redirect) {
  Engine e(program((Asm() << mov64(1, 7) << mov64(2, 0) << call(23)).insns()));
  EXPECT_EQ(e.run(), 4u);
  EXPECT_EQ(e.vms[0]->redirect().kind, TargetKind::kPort);
  EXPECT_EQ(e.vms[0]->redirect().number, 7u);
  EXPECT_EQ(e.tally().helpers, 0u) << "part of the redirect's own cost";
  Engine flagged(program((Asm() << mov64(1, 7) << mov64(2, 1) << call(23)).insns()));
  EXPECT_EQ(flagged.run(), 0u);
  EXPECT_EQ(flagged.vms[0]->redirect().kind, TargetKind::kNone);
}

TEST(Helpers, RedirectMap) {
  const auto run = [](MapType type, uint32_t key, int32_t flags, RedirectTarget* out = nullptr) {
    static Socket socket;
    Engine e(program((Asm() << load_map(1, 0) << mov64(2, static_cast<int32_t>(key))
                            << mov64(3, flags) << call(51))
                         .insns()),
             {map_spec("t", type, 4, 4, 4)});
    e.image.maps[0]->set_target(2, {9, type == MapType::kXskmap ? &socket : nullptr});
    const uint64_t result = e.run();
    if (out != nullptr) *out = e.vms[0]->redirect();
    return e.faulted() ? 0xFA : result;
  };
  RedirectTarget target;
  for (const MapType type : {MapType::kDevmap, MapType::kDevmapHash}) {
    EXPECT_EQ(run(type, 2, 0, &target), 4u);
    EXPECT_EQ(target.kind, TargetKind::kPort);
    EXPECT_EQ(target.number, 9u);
  }
  EXPECT_EQ(run(MapType::kCpumap, 2, 2, &target), 4u);
  EXPECT_EQ(target.kind, TargetKind::kCpu);
  EXPECT_EQ(run(MapType::kXskmap, 2, 2, &target), 4u);
  EXPECT_EQ(target.kind, TargetKind::kSocket);
  EXPECT_NE(target.socket, nullptr);
  // No entry: the two low bits of the flags say what to do.
  for (const int32_t flags : {0, 1, 2, 3}) {
    EXPECT_EQ(run(MapType::kXskmap, 1, flags), static_cast<uint64_t>(flags));
    EXPECT_EQ(run(MapType::kDevmap, 99, flags, &target), static_cast<uint64_t>(flags));
    EXPECT_EQ(target.kind, TargetKind::kNone);
  }
  EXPECT_EQ(run(MapType::kDevmap, 2, 4), 0u) << "unknown flags abort";
  EXPECT_EQ(run(MapType::kDevmap, 2, 8), 0xFAu) << "broadcast is refused";
  EXPECT_EQ(run(MapType::kArray, 2, 0), 0xFAu);
}

// Map helpers on every kind, counted.
TEST(Helpers, MapCallsAndTheirCounts) {
  // update(key 5 -> 77), lookup, delete, lookup again: 77 << 1 | gone
  Asm p;
  p << raw(0x62, 10, 0, -4, 5) << raw(0x7a, 10, 0, -16, 77) << load_map(1, 0) << mov64_reg(2, 10)
    << add64(2, -4) << mov64_reg(3, 10) << add64(3, -16) << mov64(4, 0) << call(2) << load_map(1, 0)
    << mov64_reg(2, 10) << add64(2, -4) << call(1) << raw(0x55, 0, 0, 2, 0) << mov64(0, 0)
    << exit_insn() << raw(0x79, 7, 0, 0, 0) << load_map(1, 0) << mov64_reg(2, 10) << add64(2, -4)
    << call(3) << load_map(1, 0) << mov64_reg(2, 10) << add64(2, -4) << call(1)
    << raw(0x67, 7, 0, 0, 1) << raw(0x55, 0, 0, 1, 0) << raw(0x47, 7, 0, 0, 1) << mov64_reg(0, 7);
  for (const MapType type :
       {MapType::kHash, MapType::kPercpuHash, MapType::kLruHash, MapType::kLruPercpuHash}) {
    SCOPED_TRACE(map_type_name(type));
    Engine e(program(p.insns()), {map_spec("m", type, 4, 8, 4)});
    ASSERT_EQ(e.error, "");
    EXPECT_EQ(e.run(1), 77u << 1 | 1u) << e.image.first_fault;
    EXPECT_EQ(e.tally(1).map_hash, 2u);
    EXPECT_EQ(e.tally(1).map_updates, 2u);
    EXPECT_EQ(e.tally(1).helpers, 4u);
    EXPECT_EQ(e.tally(1).map_array, 0u);
  }
  Engine array(program(p.insns()), {map_spec("m", MapType::kArray, 4, 8, 6)});
  EXPECT_EQ(array.run(), 77u << 1) << "an array's entry cannot be deleted";
  EXPECT_EQ(array.tally().map_array, 2u);
  EXPECT_EQ(array.tally().helpers, 2u) << "array look-ups are inlined";
}

TEST(Helpers, PerCpuValues) {
  // ++*lookup(key 0) on this CPU; then the value of CPU 1.
  Asm p;
  p << raw(0x62, 10, 0, -4, 0) << load_map(1, 0) << mov64_reg(2, 10) << add64(2, -4) << call(1)
    << raw(0x79, 1, 0, 0, 0) << add64(1, 1) << raw(0x7b, 0, 1, 0, 0) << load_map(1, 0)
    << mov64_reg(2, 10) << add64(2, -4) << mov64(3, 1) << call(195) << raw(0x79, 0, 0, 0, 0);
  Engine e(program(p.insns()), {map_spec("m", MapType::kPercpuArray, 4, 8, 2)});
  EXPECT_EQ(e.run(0), 0u);
  EXPECT_EQ(e.run(0), 0u);
  EXPECT_EQ(e.run(1), 1u);
  EXPECT_EQ(e.image.maps[0]->sum(uint32_t{0}), 3u);
  EXPECT_EQ(e.image.maps[0]->get<uint64_t>(uint32_t{0}, 0), 2u);
}

TEST(Helpers, UpdatesAndLooksTheKernelForbids) {
  const auto attempt = [](MapType type, int32_t helper) {
    Engine e(program((Asm() << raw(0x7a, 10, 0, -8, 0) << load_map(1, 0) << mov64_reg(2, 10)
                            << add64(2, -8) << mov64_reg(3, 2) << mov64(4, 0) << call(helper))
                         .insns()),
             {map_spec("m", type, 4, 4, 4)});
    e.run();
    return e.image.first_fault;
  };
  for (const MapType type : {MapType::kDevmap, MapType::kXskmap, MapType::kCpumap,
                             MapType::kProgArray, MapType::kDevmapHash}) {
    EXPECT_THAT(attempt(type, 2), HasSubstr("which the kernel does not allow"));
    EXPECT_THAT(attempt(type, 3), HasSubstr("which the kernel does not allow"));
  }
  EXPECT_THAT(attempt(MapType::kCpumap, 1), HasSubstr("bpf_map_lookup_elem on map 'm' (cpumap)"));
  EXPECT_THAT(attempt(MapType::kProgArray, 1), HasSubstr("does not allow"));
  EXPECT_EQ(attempt(MapType::kXskmap, 1), "") << "programs ask whether a socket is there";
  EXPECT_THAT(attempt(MapType::kHash, 195), HasSubstr("bpf_map_lookup_percpu_elem"));
}

TEST(Helpers, Loop) {
  // Sums the index into *context until it is 10 or `rounds` are done.
  const auto run = [](int32_t rounds, uint64_t& sum) {
    Asm p;
    p << raw(0x7a, 10, 0, -8, 0) << mov64(1, rounds) << load64(2, 0, 4) << mov64_reg(3, 10)
      << add64(3, -8) << mov64(4, 0) << call(181) << raw(0x79, 1, 10, -8, 0)
      << raw(0x61, 2, 6, 0, 0) << raw(0x7b, 2, 1, 0, 0) << exit_insn();
    auto insns = program(p.insns());
    insns[3].imm = static_cast<int32_t>(insns.size()) - 4;  // the callback is behind
    const std::vector<RawInsn> callback = {raw(0x79, 3, 2, 0, 0),
                                           raw(0x0f, 3, 1, 0, 0),
                                           raw(0x7b, 2, 3, 0, 0),
                                           mov64(0, 0),
                                           raw(0x55, 1, 0, 1, 10),
                                           mov64(0, 1),
                                           exit_insn()};
    insns.insert(insns.end(), callback.begin(), callback.end());
    Engine e(insns);
    EXPECT_EQ(e.error, "");
    const uint64_t result = e.run();
    EXPECT_FALSE(e.faulted()) << e.image.first_fault;
    sum = base::load_le<uint64_t>(e.packet.data);
    return result;
  };
  uint64_t sum = 0;
  EXPECT_EQ(run(5, sum), 5u);
  EXPECT_EQ(sum, 0u + 1 + 2 + 3 + 4);
  EXPECT_EQ(run(100, sum), 11u) << "the callback stopped it";
  EXPECT_EQ(sum, 55u);
  EXPECT_EQ(run(0, sum), 0u);
  EXPECT_EQ(run((8 << 20) + 1, sum), negative(-E2BIG));
}

std::vector<std::string> traced(const std::string& format, const std::vector<uint64_t>& args) {
  MapSpec text = map_spec(".rodata", MapType::kArray, 4, 64, 1, kRdonlyProg);
  text.initial.assign(format.begin(), format.end());
  Asm p;
  for (unsigned i = 0; i < 3; ++i) p << load64(3 + i, i < args.size() ? args[i] : 0);
  p << load64(1, 0, 6) << mov64(2, static_cast<int32_t>(format.size()) + 1) << call(6);
  Engine e(program(p.insns()), {text});
  EXPECT_EQ(e.error, "");
  e.run();
  EXPECT_FALSE(e.faulted()) << e.image.first_fault;
  return e.image.trace.lines();
}

TEST(Helpers, TracePrintk) {
  EXPECT_THAT(traced("hello\n", {}), ElementsAre("hello"));
  EXPECT_THAT(traced("%d %u %x", {0xFFFFFFFF, 0xFFFFFFFF, 0xABC}),
              ElementsAre("-1 4294967295 abc"));
  EXPECT_THAT(traced("%lld %llu %llx", {negative(-5), negative(-1), 0x123456789A}),
              ElementsAre("-5 18446744073709551615 123456789a"));
  EXPECT_THAT(traced("[%5d] [%05u] %%", {42, 42}), ElementsAre("[   42] [00042] %"));
  EXPECT_THAT(traced("%hx %hhd %c", {0x12345, 0xFF, 'z'}), ElementsAre("2345 -1 z"));
  EXPECT_THAT(traced("%s!", {make_addr(kFirstMapRegion, 0, 1)}), ElementsAre("s!!"));
  EXPECT_THAT(traced("%p", {0x1234}), ElementsAre("0000000000001234"));
  EXPECT_TRUE(traced("%d %d %d %d", {1, 2, 3}).empty()) << "more than there are arguments";
  EXPECT_TRUE(traced("%f", {1}).empty());
  EXPECT_TRUE(traced("%", {1}).empty());
}

TEST(Helpers, TraceIsBounded) {
  Engine e(program((Asm() << raw(0x62, 10, 0, -4, 0x6968) << mov64_reg(1, 10) << add64(1, -4)
                          << mov64(2, 4) << call(6))
                       .insns()));
  e.image.trace = TraceLog(2);
  for (int i = 0; i < 5; ++i) e.run();
  EXPECT_THAT(e.image.trace.lines(), ElementsAre("hi", "hi"));
  EXPECT_EQ(e.image.trace.lost(), 3u);
}

TEST(Helpers, TailCallChainsEndAt33) {
  // A program that calls itself through slot 0 and counts in the packet how often it ran.
  Asm p;
  p << raw(0x61, 2, 6, 0, 0) << raw(0x79, 3, 2, 0, 0) << add64(3, 1) << raw(0x7b, 2, 3, 0, 0)
    << mov64_reg(1, 6) << load_map(2, 0) << mov64(3, 0) << call(12) << mov64(0, 2);
  Engine e(program(p.insns()), {map_spec("p", MapType::kProgArray, 4, 4, 2)});
  ASSERT_EQ(e.error, "");
  e.set_packet(std::vector<uint8_t>(64));
  EXPECT_EQ(e.run(), 2u) << "an empty slot: the program goes on";
  EXPECT_EQ(base::load_le<uint64_t>(e.packet.data), 1u);
  EXPECT_EQ(e.tally().tail_calls, 0u);
  e.image.maps[0]->set_program(0, 0);
  e.set_packet(std::vector<uint8_t>(64));
  EXPECT_EQ(e.run(), 2u);
  EXPECT_EQ(base::load_le<uint64_t>(e.packet.data), 34u);
  EXPECT_EQ(e.tally().tail_calls, 33u);
  EXPECT_EQ(e.tally().instructions, 34u * 9u + 2u) << "no count is lost in the jumps";
}

TEST(Helpers, TailCallArguments) {
  Engine e(program((Asm() << load_map(2, 0) << mov64(3, 0) << call(12) << mov64(0, 2)).insns()),
           {map_spec("a", MapType::kArray, 4, 4, 2)});
  e.run();
  EXPECT_THAT(e.image.first_fault, HasSubstr("tail call through map 'a', no prog array"));
}

// Packet memory is reported once for each cache line and kind of access.
TEST(Helpers, LinesAreTouchedBeforeTheirFirstUse) {
  class Lines : public Host {
   public:
    void touch(const uint8_t* p, uint32_t bytes, Access access) override {
      seen.push_back({p, bytes, access});
    }
    struct Touch {
      const uint8_t* p;
      uint32_t bytes;
      Access access;
    };
    std::vector<Touch> seen;
  } lines;
  Asm p;
  p << raw(0x61, 2, 6, 0, 0) << raw(0x71, 0, 2, 0, 0) << raw(0x71, 0, 2, 5, 0)
    << raw(0x72, 2, 0, 1, 9) << raw(0x72, 2, 0, 2, 9) << raw(0x71, 0, 2, 100, 0) << mov64(0, 2);
  Engine e(program(p.insns()));
  e.set_packet(std::vector<uint8_t>(128));
  e.vms[0]->run(0, e.packet, lines);
  ASSERT_EQ(lines.seen.size(), 3u);
  EXPECT_EQ(lines.seen[0].p, e.packet.data);
  EXPECT_EQ(lines.seen[0].access, Access::kRead);
  EXPECT_EQ(lines.seen[1].p, e.packet.data + 1);
  EXPECT_EQ(lines.seen[1].access, Access::kWrite);
  EXPECT_EQ(lines.seen[2].p, e.packet.data + 100);
  e.vms[0]->run(0, e.packet, lines);
  EXPECT_EQ(lines.seen.size(), 6u) << "the next run begins anew";
}

}  // namespace
}  // namespace doorbell::stack::bpf
