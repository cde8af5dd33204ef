// From a program's verdict through the stack's redirect to a device, and that a run allocates
// nothing: every operator new of this executable is counted.
#include <cerrno>
#include <cstdlib>
#include <new>

#include "hook.h"
#include "testbenches/sim/stack/fake_device.h"

namespace {
uint64_t allocations = 0;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DOORBELL_OWN_ALLOCATOR 1
#endif
#endif
// clang's sanitizer has an allocator of its own, and wants both ends of each pair.
#ifndef DOORBELL_OWN_ALLOCATOR
void* operator new(size_t n) {
  ++allocations;
  if (void* p = std::malloc(n == 0 ? 1 : n)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, size_t) noexcept {
  std::free(p);
}
#endif

namespace doorbell::stack::bpf {
namespace {

TEST(RedirectRun, DevmapToADevice) {
  Hook h("devmap");
  NetStack stack(h.hal);
  FakeDevice a(h.hal);
  FakeDevice b(h.hal);
  stack.register_device(a);
  stack.register_device(b);
  a.open();
  b.open();
  h.map("ports").set_target(3, {2, nullptr});
  ASSERT_EQ(h.run(make_frame()), Verdict::kRedirect);
  ASSERT_EQ(stack.redirector().redirect(h.buff, h.context), 0);
  stack.redirector().flush();
  ASSERT_EQ(b.frames.size(), 1u);
  EXPECT_EQ(b.frames[0]->data, h.buff.data);
  EXPECT_EQ(b.frames[0]->len, 60u);
  EXPECT_TRUE(a.frames.empty());
  EXPECT_EQ(h.host.count(hal::Op::kXdpRedirect), 1u) << "charged once, by the redirect";
  h.map("ports").set_target(3, {7, nullptr});
  h.run(make_frame());
  EXPECT_EQ(stack.redirector().redirect(h.buff, h.context), -EINVAL) << "no such port";
}

TEST(RedirectRun, XskmapToASocketUntilItCloses) {
  class Taker : public Socket {
   public:
    int receive(XdpBuff& buff) override {
      lengths.push_back(buff.length());
      return 0;
    }
    std::vector<uint32_t> lengths;
  } socket;
  Hook h("xsk");
  NetStack stack(h.hal);
  h.map("xsks_map").set_target(3, {3, &socket});
  ASSERT_EQ(h.run(make_frame()), Verdict::kRedirect);
  EXPECT_EQ(stack.redirector().redirect(h.buff, h.context), 0);
  EXPECT_EQ(socket.lengths, std::vector<uint32_t>{60});
  stack.redirector().flush();
  h.program->forget(socket);
  EXPECT_EQ(h.run(make_frame()), Verdict::kPass);
  EXPECT_EQ(h.map("xsks_map").size(), 0u);
}

TEST(RedirectRun, AnEarlierTargetDoesNotStick) {
  // A program that redirects to a port by map on odd queues and says XDP_REDIRECT without a target
  // on even ones.
  auto program = make_program(
      (Asm() << raw(0x61, 2, 1, 16, 0) << mov64_reg(3, 2) << raw(0x57, 3, 0, 0, 1) << mov64(0, 4)
             << raw(0x15, 3, 0, 4, 0) << load_map(1, 0) << mov64(3, 0) << call(51) << exit_insn())
          .insns(),
      {map_spec("ports", MapType::kDevmap, 4, 4, 4)});
  ASSERT_TRUE(program.ok()) << program.error();
  program.value()->map("ports")->set_target(1, {5, nullptr});
  Hook h("pass");
  h.program = program.take();
  h.queue.index = 1;
  EXPECT_EQ(h.run(make_frame()), Verdict::kRedirect);
  EXPECT_EQ(h.context.redirect_ifindex, 5u);
  h.queue.index = 2;
  EXPECT_EQ(h.run(make_frame()), Verdict::kRedirect);
  EXPECT_EQ(h.context.redirect_ifindex, 0u);
}

// adjust_head or adjust_tail by `delta` in the hook; the verdict is 2 when it worked, else 1.
Verdict adjust(Hook& h, int32_t helper, int32_t delta) {
  auto program = make_program({mov64(2, delta), call(helper), mov64_reg(1, 0), mov64(0, 2),
                               raw(0x15, 1, 0, 1, 0), mov64(0, 1), exit_insn()},
                              {});
  EXPECT_TRUE(program.ok()) << program.error();
  h.program = program.take();
  return h.run(make_frame());
}

TEST(RedirectRun, HeadAndTailStopAtWhatTheKernelKeeps) {
  Hook h("pass");
  EXPECT_EQ(adjust(h, 44, -(256 - 40)), Verdict::kPass);
  EXPECT_EQ(h.buff.data, h.page->data + 40) << "the xdp_frame's record stays free";
  EXPECT_EQ(adjust(h, 44, -(256 - 39)), Verdict::kDrop);
  EXPECT_EQ(adjust(h, 65, 4096 - 320 - 256 - 60), Verdict::kPass);
  EXPECT_EQ(h.buff.data_end, h.page->data + 4096 - 320);
  EXPECT_EQ(adjust(h, 65, 4096 - 320 - 256 - 59), Verdict::kDrop);
}

TEST(RedirectRun, AGrownTailReachesTheDeviceAsZeros) {
  Hook h("pass");
  // The device's last packet there was longer.
  const std::vector<uint8_t> old(1000, 0xEE);
  h.host.device_write(h.hal.dma.phys(h.page->data + 256), {old.data(), old.size()});
  ASSERT_EQ(adjust(h, 65, 200), Verdict::kPass);
  bool ok = false;
  h.hal.dma.map(h.buff.data, h.buff.length(), hal::DmaDir::kToDevice, ok);
  const auto seen = h.host.device_read(h.hal.dma.phys(h.buff.data), h.buff.length());
  ASSERT_EQ(seen.size(), 260u);
  for (size_t i = 60; i < 260; ++i) ASSERT_EQ(seen[i], 0) << i;
}

TEST(RedirectRun, PacketsAllocateNothing) {
  for (const char* name : {"drop", "tx", "count", "parse", "lb", "route", "tail", "vlan_pop"}) {
    Hook h(name);
    const auto frame = make_frame();
    h.run(frame);
    const uint64_t before = allocations;
    for (int i = 0; i < 100; ++i) h.run(frame);
    EXPECT_EQ(allocations, before) << name;
  }
}

}  // namespace
}  // namespace doorbell::stack::bpf
