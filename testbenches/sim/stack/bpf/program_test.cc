// The shipped programs in the XDP hook, on packets, with the time they are charged.
#include <array>
#include <cerrno>
#include <map>

#include "hook.h"

namespace doorbell::stack::bpf {
namespace {

using hal::Op;
using testing::HasSubstr;

std::vector<uint8_t> swapped(std::vector<uint8_t> frame) {
  std::swap_ranges(frame.begin(), frame.begin() + 6, frame.begin() + 6);
  return frame;
}

bool checksums_right(const std::vector<uint8_t>& f) {
  const uint8_t* ip = f.data() + 14;
  const size_t l4 = base::load_be16(ip + 2) - 20u;
  const uint32_t pseudo = sum16(ip + 12, 8, ip[9] + static_cast<uint32_t>(l4));
  return sum16(ip, 20) == 0xFFFF && sum16(ip + 20, l4, pseudo) == 0xFFFF;
}

TEST(ShippedPrograms, FixedVerdictsAndWhatTheyCost) {
  Hook pass("pass");
  EXPECT_EQ(pass.run(make_frame()), Verdict::kPass);
  EXPECT_EQ(pass.host.count(Op::kBpfRun), 1u);
  EXPECT_EQ(pass.host.count(Op::kBpfInstruction), 2u);
  EXPECT_EQ(pass.host.count(Op::kBpfHelper), 0u);
  EXPECT_EQ(pass.host.count(Op::kXdpProgram), 0u) << "that row is of the native programs";
  EXPECT_EQ(pass.host.count(Op::kCacheMiss), 0u) << "the packet is not looked at";
  Hook drop("drop");
  EXPECT_EQ(drop.run(make_frame()), Verdict::kDrop);
  EXPECT_EQ(drop.program->runs(), 1u);
  EXPECT_EQ(drop.program->total().instructions, 2u);
}

TEST(ShippedPrograms, Tx) {
  Hook h("tx");
  const auto frame = make_frame();
  EXPECT_EQ(h.run(frame), Verdict::kTx);
  EXPECT_EQ(h.bytes(), swapped(frame));
  EXPECT_EQ(h.host.count(Op::kBpfInstruction), h.program->last().instructions);
  EXPECT_EQ(h.run(std::vector<uint8_t>(13)), Verdict::kDrop);
  EXPECT_EQ(h.program->faults(), 0u);
}

TEST(ShippedPrograms, WritesReachTheDevice) {
  Hook h("tx");
  const auto frame = make_frame();
  h.run(frame);
  const auto addr = h.hal.dma.phys(h.buff.data);
  bool ok = false;
  h.hal.dma.map(h.buff.data, h.buff.length(), hal::DmaDir::kToDevice, ok);
  EXPECT_EQ(h.host.device_read(addr, 60), swapped(frame)) << "dirty lines were marked";
}

TEST(ShippedPrograms, Redirect) {
  Hook h("redirect");
  EXPECT_EQ(h.run(make_frame()), Verdict::kDrop) << "no port set";
  h.map("port").set(uint32_t{0}, uint32_t{5});
  EXPECT_EQ(h.run(make_frame()), Verdict::kRedirect);
  EXPECT_EQ(h.context.redirect_ifindex, 5u);
  EXPECT_EQ(h.program->redirect().kind, TargetKind::kPort);
  EXPECT_EQ(h.bytes(), swapped(make_frame()));
  EXPECT_EQ(h.host.count(Op::kBpfMapArray), 1u);
  EXPECT_EQ(h.host.count(Op::kBpfHelper), 0u);
}

TEST(ShippedPrograms, DevmapXskmapAndCpumap) {
  Hook dev("devmap");
  EXPECT_EQ(dev.run(make_frame()), Verdict::kPass) << "no entry for queue 3";
  dev.map("ports").set_target(3, {2, nullptr});
  EXPECT_EQ(dev.run(make_frame()), Verdict::kRedirect);
  EXPECT_EQ(dev.context.redirect_ifindex, 2u);
  dev.queue.index = 64;
  EXPECT_EQ(dev.run(make_frame()), Verdict::kPass);

  Hook xsk("xsk");
  Socket socket;
  EXPECT_EQ(xsk.run(make_frame()), Verdict::kPass);
  xsk.map("xsks_map").set_target(3, {3, &socket});
  EXPECT_EQ(xsk.run(make_frame()), Verdict::kRedirect);
  EXPECT_EQ(xsk.program->redirect().kind, TargetKind::kSocket);
  EXPECT_EQ(xsk.program->redirect().socket, &socket);
  EXPECT_EQ(xsk.context.redirect_socket, &socket);
  EXPECT_EQ(xsk.context.redirect_ifindex, 0u);

  Hook cpu("cpumap");
  base::store_le<uint32_t>(cpu.map(".data").value(0), 4);
  for (uint32_t i = 0; i < 4; ++i) cpu.map("cores").set_target(i, {10 + i, nullptr});
  std::map<uint32_t, int> seen;
  for (uint16_t port = 0; port < 200; ++port) {
    FrameSpec spec;
    spec.source_port = port;
    ASSERT_EQ(cpu.run(make_frame(spec)), Verdict::kRedirect);
    ASSERT_EQ(cpu.program->redirect().kind, TargetKind::kCpu);
    ASSERT_EQ(cpu.context.redirect_cpu, cpu.program->redirect().number);
    ASSERT_EQ(cpu.context.redirect_socket, nullptr);
    ++seen[cpu.program->redirect().number];
  }
  EXPECT_EQ(seen.size(), 4u);
  for (const auto& [core, n] : seen) EXPECT_GT(n, 20) << core;
  FrameSpec v6;
  v6.ipv6 = true;
  EXPECT_EQ(cpu.run(make_frame(v6)), Verdict::kPass);
}

TEST(ShippedPrograms, VlanPop) {
  Hook h("vlan_pop");
  FrameSpec tagged;
  tagged.vlans = 1;
  tagged.bytes = 64;
  const auto frame = make_frame(tagged);
  EXPECT_EQ(h.run(frame), Verdict::kPass);
  std::vector<uint8_t> want = frame;
  want.erase(want.begin() + 12, want.begin() + 16);
  EXPECT_EQ(h.bytes(), want);
  EXPECT_EQ(h.buff.data, h.page->data + 260);
  EXPECT_EQ(h.buff.data_meta, h.buff.data);
  EXPECT_EQ(h.host.count(Op::kBpfHelper), 1u);
  EXPECT_EQ(h.run(make_frame()), Verdict::kPass);
  EXPECT_EQ(h.bytes(), make_frame()) << "untagged: as it was";
}

TEST(ShippedPrograms, CountPerCpu) {
  Hook h("count");
  struct Counter {
    uint64_t packets, octets;
  };
  FrameSpec tcp;
  tcp.protocol = 6;
  tcp.bytes = 100;
  EXPECT_EQ(h.run(make_frame()), Verdict::kDrop);
  h.host.set_cpu(2);
  h.run(make_frame());
  h.run(make_frame(tcp));
  FrameSpec v6;
  v6.ipv6 = true;
  v6.bytes = 80;
  h.run(make_frame(v6));
  h.run(std::vector<uint8_t>(60, 0xFF));
  Map& counters = h.map("counters");
  EXPECT_EQ(counters.sum(uint32_t{17}), 3u);
  EXPECT_EQ(counters.get<Counter>(uint32_t{17}, 0)->octets, 60u);
  EXPECT_EQ(counters.get<Counter>(uint32_t{17}, 2)->octets, 140u);
  EXPECT_EQ(counters.get<Counter>(uint32_t{6}, 2)->octets, 100u);
  EXPECT_EQ(counters.sum(uint32_t{255}), 1u);
}

TEST(ShippedPrograms, ACoreThatTheProgramWasNotLoadedFor) {
  LoadOptions options;
  options.cpus = 2;
  Hook h("count", options);
  h.host.set_cpu(2);
  EXPECT_EQ(h.run(make_frame()), Verdict::kAborted);
  EXPECT_EQ(h.program->first_fault(), "count: runs on core 2, but was loaded for 2");
}

TEST(ShippedPrograms, Parse) {
  Hook h("parse");
  enum { kShort, kOther, kBadIp, kUdp, kTcp, kIp };
  std::array<uint64_t, 6> want{};
  const auto expect = [&](const std::vector<uint8_t>& frame, int kind) {
    const bool bad = kind == kShort || kind == kBadIp;
    EXPECT_EQ(h.run(frame), bad ? Verdict::kDrop : Verdict::kPass);
    ++want[static_cast<size_t>(kind)];
    for (uint32_t i = 0; i < 6; ++i) {
      EXPECT_EQ(h.map("found").get<uint64_t>(i), want[i]) << "kind " << i;
    }
  };
  FrameSpec s;
  expect(make_frame(s), kUdp);
  s.vlans = 2;
  s.bytes = 80;
  expect(make_frame(s), kUdp);
  s.vlans = 3;
  expect(make_frame(s), kOther);
  s = {};
  s.protocol = 6;
  expect(make_frame(s), kTcp);
  s.protocol = 1;
  expect(make_frame(s), kIp);
  s.ipv6 = true;
  s.protocol = 17;
  s.bytes = 80;
  expect(make_frame(s), kUdp);
  auto bad = make_frame();
  bad[24] ^= 1;
  expect(bad, kBadIp);
  bad = make_frame();
  bad[14] = 0x44;
  expect(bad, kBadIp);
  // Cut off at every place: never a fault.
  for (size_t n = 0; n < 42; ++n) {
    auto cut = make_frame();
    cut.resize(n);
    EXPECT_EQ(h.run(cut), Verdict::kDrop) << n;
  }
  EXPECT_EQ(h.program->faults(), 0u) << h.program->first_fault();
}

TEST(ShippedPrograms, LoadBalancer) {
  Hook h("lb");
  struct ServiceKey {
    uint32_t address;
    uint16_t port;
    uint8_t protocol, zero;
  };
  struct Service {
    uint32_t first, count;
  };
  struct Backend {
    uint32_t address;
    uint8_t mac[6];
    uint16_t zero;
  };
  const auto be32 = [](uint32_t v) { return __builtin_bswap32(v); };
  const uint32_t service = be32(0xC0A80101);
  EXPECT_EQ(h.run(make_frame()), Verdict::kPass) << "no service there";
  for (const uint8_t protocol : {uint8_t{6}, uint8_t{17}}) {
    h.map("services").set(ServiceKey{service, __builtin_bswap16(80), protocol, 0}, Service{4, 3});
  }
  for (uint32_t i = 4; i < 7; ++i) {
    h.map("backends").set(i, Backend{be32(0xAC100000 + i), {2, 0, 0, 0, 1, uint8_t(i)}, 0});
  }
  std::map<uint8_t, int> used;
  for (const uint8_t protocol : {uint8_t{6}, uint8_t{17}}) {
    for (uint16_t port = 1000; port < 1060; ++port) {
      FrameSpec s;
      s.protocol = protocol;
      s.source_port = port;
      s.bytes = 90;
      ASSERT_EQ(h.run(make_frame(s)), Verdict::kTx);
      const auto first = h.bytes();
      EXPECT_TRUE(checksums_right(first)) << int{protocol} << " " << port;
      const uint8_t backend = first[33];
      EXPECT_EQ(base::load_be32(first.data() + 30), 0xAC100000u + backend);
      EXPECT_EQ(first[5], backend) << "the back end's MAC address";
      EXPECT_EQ(base::load_be16(first.data() + 10), 0x00B1) << "from the address it came to";
      ++used[backend];
      const uint64_t updates = h.program->total().map_updates;
      ASSERT_EQ(h.run(make_frame(s)), Verdict::kTx);
      EXPECT_EQ(h.bytes(), first) << "a flow keeps its back end";
      EXPECT_EQ(h.program->total().map_updates, updates);
      EXPECT_EQ(h.host.count(Op::kBpfMapHash), 2u);
      EXPECT_EQ(h.host.count(Op::kBpfHelper), 4u) << "two look-ups, two csum_diff";
      EXPECT_EQ(h.host.count(Op::kBpfOctets), 2u);
    }
  }
  EXPECT_EQ(used.size(), 3u);
  EXPECT_EQ(h.map("flows").size(), 120u);
}

TEST(ShippedPrograms, Router) {
  Hook h("route");
  struct Prefix {
    uint32_t length;
    uint8_t address[4];
  };
  struct Hop {
    uint32_t port;
    uint8_t source[6], destination[6];
  };
  h.map("routes").set(Prefix{16, {192, 168, 0, 0}}, Hop{1, {2, 2, 2, 2, 2, 2}, {4, 4, 4, 4, 4, 4}});
  h.map("routes").set(Prefix{24, {192, 168, 1, 0}}, Hop{2, {6, 6, 6, 6, 6, 6}, {8, 8, 8, 8, 8, 8}});
  h.map("ports").set_target(1, {11, nullptr});
  h.map("ports").set_target(2, {12, nullptr});
  EXPECT_EQ(h.run(make_frame()), Verdict::kRedirect);
  EXPECT_EQ(h.context.redirect_ifindex, 12u);
  auto out = h.bytes();
  EXPECT_EQ(out[0], 8);
  EXPECT_EQ(out[6], 6);
  EXPECT_EQ(out[22], 63) << "time to live";
  EXPECT_TRUE(checksums_right(out));
  EXPECT_EQ(h.host.count(Op::kBpfMapLpm), 1u);
  FrameSpec s;
  s.destination = 0xC0A80201;
  h.run(make_frame(s));
  EXPECT_EQ(h.context.redirect_ifindex, 11u);
  s.destination = 0x08080808;
  EXPECT_EQ(h.run(make_frame(s)), Verdict::kPass) << "no route";
  s = {};
  s.ttl = 1;
  EXPECT_EQ(h.run(make_frame(s)), Verdict::kPass);
  // The checksum at every time to live and many addresses.
  for (uint32_t i = 0; i < 2000; ++i) {
    FrameSpec many;
    many.ttl = static_cast<uint8_t>(2 + i % 254);
    many.source = i * 2654435761u;
    ASSERT_EQ(h.run(make_frame(many)), Verdict::kRedirect);
    ASSERT_TRUE(checksums_right(h.bytes())) << i;
  }
}

TEST(ShippedPrograms, TailCalls) {
  Hook h("tail");
  EXPECT_EQ(h.run(make_frame()), Verdict::kPass) << h.program->first_fault();
  EXPECT_EQ(h.host.count(Op::kBpfTailCall), 2u);
  EXPECT_EQ(h.buff.data - h.buff.data_meta, 4);
  EXPECT_EQ(base::load_le<uint32_t>(h.buff.data_meta), 3u) << "all three were there";
  FrameSpec s;
  s.protocol = 6;
  EXPECT_EQ(h.run(make_frame(s)), Verdict::kDrop);
  EXPECT_EQ(h.host.count(Op::kBpfTailCall), 1u);
  EXPECT_THAT(h.program->programs(),
              testing::UnorderedElementsAre("tail", "stage_ipv4", "stage_udp"));
}

TEST(ShippedPrograms, BrokenOnesAbortAndSayWhy) {
  Hook bounds("broken_bounds");
  EXPECT_EQ(bounds.run(make_frame()), Verdict::kAborted);
  EXPECT_EQ(bounds.run(make_frame()), Verdict::kAborted);
  EXPECT_EQ(bounds.program->faults(), 2u);
  EXPECT_THAT(bounds.program->first_fault(),
              HasSubstr("load of 1 octets at octet 4096 of the packet (60 octets)"));
  EXPECT_GT(bounds.host.count(Op::kBpfInstruction), 0u) << "its time is charged all the same";

  LoadOptions options;
  options.budget = 5000;
  Hook loop("broken_loop", options);
  EXPECT_EQ(loop.run(make_frame()), Verdict::kAborted);
  EXPECT_THAT(loop.program->first_fault(), HasSubstr("more than 5000 instructions"));
  EXPECT_GE(loop.host.count(Op::kBpfInstruction), 5000u);
}

TEST(Program, VerdictsBeyondTheKnownOnes) {
  hal::ScriptedHal host;
  XdpContext context{host.hal()};
  const auto verdict = [&](int32_t r0) {
    auto program = make_program({mov64(0, r0), exit_insn()}, {});
    std::vector<uint8_t> memory(4096);
    XdpBuff buff;
    buff.data_hard_start = memory.data();
    buff.data = buff.data_meta = memory.data() + 256;
    buff.data_end = buff.data + 60;
    return static_cast<int>(program.value()->run(buff, context));
  };
  EXPECT_EQ(verdict(5), 5);
  EXPECT_EQ(verdict(256 + 2), 255) << "must not become XDP_PASS";
  EXPECT_EQ(verdict(-1), 255);
}

TEST(Program, ContextFieldsAndMetadataThatADriverDoesNotSupport) {
  hal::ScriptedHal host;
  XdpContext context{host.hal()};
  // r0 = data_meta == data
  auto program = make_program({raw(0x61, 2, 1, 0, 0), raw(0x61, 3, 1, 8, 0), mov64(0, 1),
                               raw(0x1d, 2, 3, 1, 0), mov64(0, 2), exit_insn()},
                              {});
  std::vector<uint8_t> memory(4096);
  XdpBuff buff;
  buff.data_hard_start = memory.data();
  buff.data = memory.data() + 256;
  buff.data_end = buff.data + 60;
  buff.data_meta = buff.data + 1;  // how drivers say that they have none
  EXPECT_EQ(program.value()->run(buff, context), Verdict::kDrop);
  EXPECT_EQ(buff.data_meta, buff.data + 1);
  buff.data_meta = buff.data - 4;
  EXPECT_EQ(program.value()->run(buff, context), Verdict::kPass);
}

TEST(Program, TimeStandsWhereTheInstructionsSoFarLeftIt) {
  hal::ScriptedHal host;
  XdpContext context{host.hal()};
  host.advance(base::Picos(5'000'999));
  auto program =
      make_program({mov64(6, 0), mov64(7, 0), call(5), raw(0x57, 0, 0, 0, 0xFF), exit_insn()}, {});
  std::vector<uint8_t> memory(4096);
  XdpBuff buff;
  buff.data_hard_start = memory.data();
  buff.data = buff.data_meta = memory.data() + 256;
  buff.data_end = buff.data + 60;
  EXPECT_EQ(static_cast<int>(program.value()->run(buff, context)), 5000 & 0xFF);
  EXPECT_EQ(host.count(Op::kBpfInstruction), 5u) << "charged in two parts, no more and no less";
  EXPECT_EQ(host.count(Op::kBpfHelper), 1u);
}

TEST(Program, MapsThatTogetherTakeTooMuch) {
  LoadOptions options;
  options.map_bytes = 100'000;
  const std::vector<MapSpec> maps = {map_spec("a", MapType::kArray, 4, 8, 1500),
                                     map_spec("b", MapType::kArray, 4, 8, 1500)};
  auto program = make_program({mov64(0, 2), exit_insn()}, maps, options);
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.error(), "map 'b': all maps together take more than 0 MiB");
}

}  // namespace
}  // namespace doorbell::stack::bpf
