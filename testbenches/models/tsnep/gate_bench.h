// A bench with gate control: loads lists, commands, and knows when a system time comes.
#pragma once

#include "testbenches/models/tsnep/bench.h"

namespace doorbell::tsnep::test {

inline constexpr uint32_t kInsert = 1u << 29;
inline constexpr uint32_t kChange = 1u << 30;
inline constexpr uint32_t kLast = 1u << 31;

/// One operation of a list.
struct Op {
  uint32_t mask;
  uint32_t interval;
};

class GateBench : public Bench {
 public:
  explicit GateBench(const TsnepConfig& config = gates()) : Bench(config) { setup(); }
  static TsnepConfig gates() {
    TsnepConfig c = quick_link();
    c.queues = 3;
    return c;
  }
  void op(unsigned list, unsigned i, uint32_t properties, uint32_t interval) {
    const uint32_t at = (list == 0 ? 0x2000 : 0x2800) + 8 * i;
    wr(at, properties);
    wr(at + 4, interval);
  }
  void load(unsigned list, const std::vector<Op>& ops) {
    for (unsigned i = 0; i < ops.size(); ++i) {
      op(list, i, ops[i].mask | (i + 1 == ops.size() ? kLast : 0), ops[i].interval);
    }
  }
  uint64_t system_time() { return rd(0x08) | uint64_t{rd(0x0C)} << 32; }
  uint32_t status() { return rd(0x808) & 0xFF; }
  uint32_t open() { return rd(0x808) >> 16 & 0xFF; }
  uint32_t next() { return rd(0x808) >> 24; }
  void command(uint8_t c) { wr(0x808, c, 1); }
  /// Enables a list inside a window, to start at `time`.
  void start(unsigned list, uint64_t time) {
    command(0x10);
    wr(0x80C, static_cast<uint32_t>(time));
    command(list == 0 ? 0x02 : 0x04);
    EXPECT_EQ(status() & 0x20, 0u);
  }
  /// The moment of a system time that was never adjusted.
  static Picos when(uint64_t ns) { return Picos(static_cast<int64_t>(ns) * 1000); }
};

}  // namespace doorbell::tsnep::test
