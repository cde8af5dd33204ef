// Steady state allocates nothing per packet: two runs that differ in length allocate equally often.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "sim/run/simulation.h"

namespace {
uint64_t g_allocations = 0;
}

// glibc's own allocator, counted. Under AddressSanitizer malloc is the sanitizer's.
#ifndef __SANITIZE_ADDRESS__
extern "C" void* __libc_malloc(size_t size);
extern "C" void* malloc(size_t size) {
  ++g_allocations;
  return __libc_malloc(size);
}
#endif

namespace doorbell::run {
namespace {

// Allocations of one run; its packets in `packets`. One elaboration a process, so each case forks
// by being its own test; the two lengths are compared through the kernel's own exit of a child.
struct Length {
  const char* duration;
  const char* measure;
};
uint64_t allocations(const char* name, const Length& length, uint64_t& packets) {
  int fds[2];
  EXPECT_EQ(pipe(fds), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::vector<Override> overrides = {
        {"duration", length.duration}, {"warmup", "1 ms"}, {"measure", length.measure}};
    auto scenario = load_scenario(name, overrides);
    auto platform = platform_of(scenario.value());
    const uint64_t before = g_allocations;
    auto result = simulate(scenario.value(), platform.value(), {});
    const uint64_t numbers[2] = {g_allocations - before, result.value().sim.packets};
    const bool sent = write(fds[1], numbers, sizeof numbers) == sizeof numbers;
    _exit(sent ? 0 : 1);
  }
  uint64_t numbers[2] = {};
  EXPECT_EQ(read(fds[0], numbers, sizeof numbers), static_cast<ssize_t>(sizeof numbers));
  close(fds[0]);
  close(fds[1]);
  packets = numbers[1];
  return numbers[0];
}

class SteadyState : public testing::TestWithParam<const char*> {};

// 100 Gb/s brings a hundred times as much as 1 Gb/s.
bool fast(const char* name) {
  return std::string(name).rfind("ice-", 0) == 0;
}

TEST_P(SteadyState, AllocatesNothing) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer has an allocator of its own";
#endif
  uint64_t few = 0;
  uint64_t many = 0;
  const Length shorter = fast(GetParam()) ? Length{"3 ms", "1 ms"} : Length{"20 ms", "5 ms"};
  const Length longer = fast(GetParam()) ? Length{"5 ms", "1 ms"} : Length{"60 ms", "5 ms"};
  const uint64_t short_run = allocations(GetParam(), shorter, few);
  const uint64_t long_run = allocations(GetParam(), longer, many);
  EXPECT_GT(many, few + 1000);
  EXPECT_LE(long_run, short_run + 8) << "for " << many - few << " packets more";
}

INSTANTIATE_TEST_SUITE_P(Shipped, SteadyState,
                         testing::Values("fec-xsk-rxdrop-copy", "ice-xdp-tx", "ice-xdp-tx-before",
                                         "ice-xdp-drop", "ice-xdp-redirect", "ice-xdp-tx-iommu",
                                         "fec-xdp-tx", "fec-xdp-skb", "fec-xdp-redirect",
                                         "fec-xdp-drop", "fec-pcap-forward", "fec-pause-storm"),
                         [](const auto& one) {
                           std::string name = one.param;
                           for (char& c : name) {
                             c = c == '-' ? '_' : c;
                           }
                           return name;
                         });

}  // namespace
}  // namespace doorbell::run

extern "C" int sc_main(int, char**) {
  return 0;
}
