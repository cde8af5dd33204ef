// Transmit: doorbells, descriptor fetch, order, line rate, reports by policy.
#include <gtest/gtest.h>

#include "testbenches/models/ice/bench.h"

namespace doorbell::ice::test {
namespace {

TEST(IceTx, OneFrame) {
  Bench b;
  b.add_tx(5, 256);
  const Bytes f = frame(60);
  b.put_frame(5, f);
  const Picos rung = b.now();
  b.ring_tx(5);
  b.run(5_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].bytes, f);
  // Doorbell, descriptor read, payload read, pipeline: about 1.5 us (fact sheet, section 4.2).
  const Picos took = b.out.sent[0].start - rung;
  EXPECT_GT(took, 1200_ns);
  EXPECT_LT(took, 1600_ns);
  EXPECT_EQ(b.count("tx_frames"), 1u);
}

}  // namespace
}  // namespace doorbell::ice::test

// SystemC's library wants it; tests run in gtest's main.
int sc_main(int, char**) {
  return 0;
}
