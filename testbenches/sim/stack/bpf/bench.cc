// How fast the interpreter is on this machine: instructions per wall second. Prints numbers,
// asserts none: `bench_sim_stack_bpf [MILLIONS]`.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "sim/stack/bpf/shipped.h"
#include "support.h"

namespace {

using namespace doorbell::stack::bpf;

double seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

void report(const char* name, uint64_t runs, uint64_t instructions, double span) {
  std::printf("%-34s %8.1f M instructions/s %8.2f M runs/s %7.1f ns a run\n", name,
              static_cast<double>(instructions) / span / 1e6,
              static_cast<double>(runs) / span / 1e6, span * 1e9 / static_cast<double>(runs));
}

void measure(const char* name, Engine& engine, uint64_t instructions) {
  if (!engine.error.empty()) {
    std::printf("%s: %s\n", name, engine.error.c_str());
    std::exit(1);
  }
  uint64_t done = 0;
  uint64_t runs = 0;
  const double start = seconds();
  while (done < instructions) {
    engine.run();
    if (engine.faulted()) {
      std::printf("%s: %s\n", name, engine.image.first_fault.c_str());
      std::exit(1);
    }
    done += engine.tally().instructions;
    ++runs;
  }
  report(name, runs, done, seconds() - start);
}

// A mix of arithmetic in a loop of 10,000 rounds.
std::vector<RawInsn> arithmetic() {
  Asm a;
  a << mov64(0, 0) << mov64(2, 10000) << mov64(3, 12345) << raw(0x0f, 0, 3, 0, 0)
    << raw(0xa7, 3, 0, 0, 0x55aa) << raw(0x67, 3, 0, 0, 1) << raw(0x77, 0, 0, 0, 1)
    << raw(0x0c, 3, 0, 0, 0) << raw(0x4f, 0, 3, 0, 0) << add64(2, -1) << raw(0x55, 2, 0, -8, 0)
    << mov64(0, 1) << exit_insn();
  return a.insns();
}

// Sums the packet's 16-bit words.
std::vector<RawInsn> packet_sum() {
  Asm a;
  a << raw(0x61, 2, 1, 0, 0) << raw(0x61, 3, 1, 4, 0) << mov64(0, 0)  // data, data_end
    << mov64_reg(4, 2) << add64(4, 2) << raw(0x2d, 4, 3, 4, 0)        // next > end: out
    << raw(0x69, 5, 2, 0, 0) << raw(0x0f, 0, 5, 0, 0) << mov64_reg(2, 4) << ja(-7) << exit_insn();
  return a.insns();
}

// Stores to and loads from the stack.
std::vector<RawInsn> stack_loop() {
  Asm a;
  a << mov64(2, 10000) << mov64(0, 0) << raw(0x7b, 10, 0, -8, 0) << raw(0x79, 3, 10, -8, 0)
    << add64(3, 1) << mov64_reg(0, 3) << add64(2, -1) << raw(0x55, 2, 0, -6, 0) << exit_insn();
  return a.insns();
}

// Counts in an array map, as the counter of every XDP program does.
std::vector<RawInsn> counter() {
  Asm a;
  a << raw(0x62, 10, 0, -4, 0) << load_map(1, 0) << mov64_reg(2, 10) << add64(2, -4) << call(1)
    << raw(0x15, 0, 0, 3, 0) << raw(0x79, 1, 0, 0, 0) << add64(1, 1) << raw(0x7b, 0, 1, 0, 0)
    << mov64(0, 2) << exit_insn();
  return a.insns();
}

// A shipped object on a packet, without a HAL.
void measure_object(const char* name, uint64_t instructions) {
  auto program = load_program(shipped_program_path(name));
  if (!program.ok()) {
    std::printf("%s\n", program.error().c_str());
    return;
  }
  std::vector<uint8_t> memory(4096);
  const auto frame = make_frame();
  uint64_t done = 0;
  uint64_t runs = 0;
  Host host;
  Vm vm(program.value()->image(), 0);
  const double start = seconds();
  while (done < instructions) {
    Packet p;
    p.hard_start = memory.data() + 40;
    p.data = p.meta = memory.data() + 256;
    p.end = p.data + frame.size();
    p.hard_end = memory.data() + 3776;
    std::copy(frame.begin(), frame.end(), p.data);
    vm.run(0, p, host);
    done += vm.tally().instructions;
    ++runs;
  }
  report((std::string(name) + ".o").c_str(), runs, done, seconds() - start);
}

// What this machine does just now: a native loop of three dependent operations a step.
void reference() {
  constexpr uint64_t kSteps = 100'000'000;
  uint64_t x = 88172645463325252u;
  const double start = seconds();
  for (uint64_t i = 0; i < kSteps; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  const double span = seconds() - start;
  std::printf("%-34s %8.1f M steps/s (%llx)\n", "reference: native xorshift64",
              static_cast<double>(kSteps) / span / 1e6, static_cast<unsigned long long>(x & 0xF));
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t n = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300) * 1'000'000;
  reference();
  Engine alu(arithmetic());
  measure("arithmetic loop", alu, n);
  Engine stack(stack_loop());
  measure("stack loop", stack, n);
  Engine sum(packet_sum());
  sum.set_packet(std::vector<uint8_t>(1500, 1));
  measure("sum of 1500 octets of packet", sum, n);
  Engine count(counter(), {map_spec("c", MapType::kArray, 4, 8, 1)});
  measure("array map counter (12)", count, n / 4);
  for (const char* name : {"drop", "tx", "count", "parse", "tail"}) measure_object(name, n / 8);
  reference();
  return 0;
}
