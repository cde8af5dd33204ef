// libFuzzer harness of the scenario and platform loaders. Run: ./dev fuzz
#include "testbenches/sim/run/fuzz/load_anything.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  doorbell::run::load_anything(data, size);
  return 0;
}
