// libFuzzer harness of the object loader and the interpreter: any file is either refused with a
// message or runs on packets without leaving its bounds. Also run over the corpus by
// fuzz_corpus_test.cc in every build.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "sim/stack/bpf/program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace doorbell::stack::bpf;
  LoadOptions options;
  options.cpus = 2;
  options.budget = 3000;
  options.map_bytes = 4 << 20;
  options.trace_lines = 4;
  auto loaded = load_program_memory({data, size}, "fuzz", options);
  if (!loaded.ok()) {
    if (loaded.error().size() <= 6) std::abort();
    return 0;
  }
  Image& image = loaded.value()->image();
  Host host;
  for (unsigned run = 0; run < 4; ++run) {
    // No octet before or behind what the program may have: a sanitizer sees every slip.
    std::vector<uint8_t> memory(run == 0 ? 60 : 700, static_cast<uint8_t>(0x45 + run));
    if (run == 2) memory[12 + 300] = 0x08, memory[13 + 300] = 0x00;
    const size_t at = run == 0 ? 0 : 300;
    Packet packet;
    packet.hard_start = memory.data();
    packet.meta = packet.data = memory.data() + at;
    packet.end = memory.data() + (run == 0 ? 60 : 364);
    packet.hard_end = memory.data() + memory.size();
    Vm vm(image, run % 2);
    for (uint32_t f = 0; f < image.code.functions.size(); ++f) {
      if (image.code.functions[f].program) vm.run(f, packet, host);
    }
    const bool ordered = packet.hard_start <= packet.meta && packet.meta <= packet.data &&
                         packet.data <= packet.end && packet.end <= packet.hard_end;
    if (!ordered || (vm.faulted() && image.first_fault.empty())) std::abort();
  }
  return 0;
}
