#include <gtest/gtest.h>

#include "sim/stack/bpf/program.h"
#include "sim/stack/bpf/shipped.h"

namespace doorbell::stack::bpf {
TEST(Smoke, Loads) {
  for (const auto& p : shipped_programs()) {
    auto r = load_program(shipped_program_path(p.name));
    EXPECT_TRUE(r.ok()) << r.error();
  }
}
}  // namespace doorbell::stack::bpf
