// Gate control: lists, windows of frames, enable rules. Numbers are typed from the fact sheet.
#include "testbenches/models/tsnep/gate_bench.h"

namespace doorbell::tsnep::test {
namespace {

TEST(TsnepGate, OpenGatesAreWhatTheWordSays) {
  Bench b;
  b.run_to(2_us);
  b.wr(0x80, 0x04000000);
  EXPECT_EQ(b.rd(0x808), 0u) << "closed after reset";
  b.init_tx(0);
  b.send(frame(60));
  b.run(10_us);
  EXPECT_TRUE(b.out.sent.empty());
  b.wr(0x808, 0xFFFE0000);
  b.run(10_us);
  EXPECT_TRUE(b.out.sent.empty());
  b.wr(0x808, 0x01010000);
  EXPECT_EQ(b.rd(0x808), 0x01010000u);
  const Picos opened = b.now();
  b.run(10_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].start, opened);
  EXPECT_EQ(b.count("tx_gated"), 1u);
}

TEST(TsnepGate, WithoutGateControlNothingIsHeldBack) {
  TsnepConfig c = quick_link();
  c.gate_control = false;
  Bench b(c);
  b.setup();
  EXPECT_EQ(b.rd(0) >> 25 & 1, 0u);
  b.wr(0x808, 0);
  b.wr(0x808, 0x02, 1);
  EXPECT_EQ(b.rd(0x808), 0u);
  b.send(frame(60));
  b.run(10_us);
  EXPECT_EQ(b.out.sent.size(), 1u);
}

TEST(TsnepGate, ListRunsFromItsStartOn) {
  GateBench b;
  b.load(0, {{0x01, 1000}, {0x02, 2001}, {0x04, 500}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  EXPECT_EQ(b.status(), 0x02u) << "active from the enable on, nothing pending";
  EXPECT_EQ(b.open(), 0xFFu) << "as without a list until it starts";
  EXPECT_EQ(b.next(), 0x01u);
  const auto open_at = [&b, t](uint64_t ns) {
    b.run_to(GateBench::when(t + ns));
    return b.open();
  };
  b.run_to(GateBench::when(t) - 1_ps);
  EXPECT_EQ(b.open(), 0xFFu);
  EXPECT_EQ(open_at(0), 0x01u);
  EXPECT_EQ(b.next(), 0x02u);
  b.run_to(GateBench::when(t + 1000) - 1_ps);
  EXPECT_EQ(b.open(), 0x01u);
  EXPECT_EQ(open_at(1000), 0x02u);
  EXPECT_EQ(open_at(3000), 0x02u);
  EXPECT_EQ(open_at(3001), 0x04u);
  EXPECT_EQ(b.next(), 0x01u);
  EXPECT_EQ(open_at(3500), 0x04u);
  EXPECT_EQ(open_at(3501), 0x01u);
  // Long after, whole cycles are skipped and the phase is still right.
  EXPECT_EQ(open_at(3501ull * 1'000'000 + 1000), 0x02u);
  EXPECT_EQ(open_at(3501ull * 1'000'000 + 3000), 0x02u);
  EXPECT_EQ(open_at(3501ull * 1'000'000 + 3001), 0x04u);
}

// The heart of it: departures stay in their windows to the nanosecond.
TEST(TsnepGate, FramesStayInTheirWindows) {
  GateBench b;
  // 7 us, 5.003 us and 11.017 us for queues 0, 1 and 2; 97 ns closed.
  const std::vector<Op> ops{{0x01, 7000}, {0x02, 5003}, {0x00, 97}, {0x04, 11017}};
  b.load(1, ops);
  const uint64_t t = b.system_time() + 200'000;
  b.start(1, t);
  EXPECT_EQ(b.status(), 0x04u);
  b.run_to(GateBench::when(t) - 10_us);
  b.wr(0x808, 0x00000000);  // closed until the list starts
  for (unsigned q = 0; q < 3; ++q) {
    for (unsigned i = 0; i < 100; ++i) {
      b.put(q, frame(60 + (i * 61 + q * 17) % 500, kOwn, static_cast<uint8_t>(q * 3 + 1)));
    }
    b.ring_tx(q);
  }
  b.run(3_ms);
  ASSERT_EQ(b.out.sent.size(), 300u);
  const uint64_t begins[] = {0, 7000, 12100};
  const uint64_t ends[] = {7000, 12003, 23117};
  unsigned at_open = 0;
  Picos free;
  for (const auto& sent : b.out.sent) {
    const unsigned q = (sent.bytes[20] - frame(60, kOwn, 1)[20]) / 3;
    ASSERT_LT(q, 3u);
    const Picos offset = (sent.start - GateBench::when(t)) % Picos(23'117'000);
    EXPECT_GE(offset, GateBench::when(begins[q]));
    EXPECT_LE(offset + line_time(sent.bytes), GateBench::when(ends[q]));
    at_open += offset == GateBench::when(begins[q]) ? 1 : 0;
    EXPECT_GE(sent.start, free);
    free = sent.start + line_time(sent.bytes) + 96_ns;
  }
  EXPECT_GT(at_open, 30u) << "and the windows are used from their first picosecond on";
}

TEST(TsnepGate, AFrameThatJustFitsGoesAndOneOctetMoreWaits) {
  GateBench b;
  const Bytes fits = frame(100);  // 112 octets: 896 ns
  b.load(0, {{0x01, 896}, {0x00, 5000}, {0x01, 904}, {0x00, 5000}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t + 2000));
  b.put(0, frame(101));
  b.put(0, fits);
  b.ring_tx();
  b.run(40_us);
  ASSERT_EQ(b.out.sent.size(), 2u);
  EXPECT_EQ(b.out.sent[0].start, GateBench::when(t + 5896)) << "904 ns";
  EXPECT_EQ(b.out.sent[1].start, GateBench::when(t + 11800)) << "896 ns";
}

TEST(TsnepGate, AGuardThatLooksAtTheStartOnly) {
  TsnepConfig c = GateBench::gates();
  c.gate_guards_frame = false;
  GateBench b(c);
  b.load(0, {{0x01, 100}, {0x00, 5000}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t + 2000));
  b.send(frame(1000));
  b.run(40_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].start, GateBench::when(t + 5100));
}

TEST(TsnepGate, AnOpenRunMayCoverSeveralOperations) {
  GateBench b;
  b.load(0, {{0x02, 1000}, {0x01, 300}, {0x03, 300}, {0x05, 400}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t));
  b.send(frame(110));  // 976 ns
  b.run(10_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].start, GateBench::when(t + 1000));
}

TEST(TsnepGate, AFrameThatFitsNowhereWaitsUntilTheListIsOff) {
  GateBench b;
  b.load(0, {{0x01, 800}, {0x02, 800}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t));
  b.send(frame(1000));
  b.send(frame(70), 1);
  b.run(5_ms);
  EXPECT_EQ(b.out.sent.size(), 1u) << "others are not held up";
  b.command(0x08);
  EXPECT_EQ(b.status(), 0u);
  EXPECT_EQ(b.open(), 0xFFu);
  b.run(20_us);
  EXPECT_EQ(b.out.sent.size(), 2u);
}

// Enable rules.

TEST(TsnepGate, EnableWindowIs131072NsToThePicosecond) {
  GateBench b;
  b.load(0, {{0xFF, 1000}});
  b.load(1, {{0xFF, 1000}});
  for (unsigned list = 0; list < 2; ++list) {
    const auto enable = static_cast<uint8_t>(list == 0 ? 0x02 : 0x04);
    b.command(0x10);
    EXPECT_EQ(b.status(), 0x10u);
    b.run(131'072_ns - 1_ps);
    EXPECT_EQ(b.status(), 0x10u);
    b.command(enable);
    EXPECT_EQ(b.status(), enable) << "accepted, the window is closed";
    b.command(0x08);
    b.command(0x10);
    b.run(131'072_ns);
    EXPECT_EQ(b.status(), 0u);
    b.command(enable);
    EXPECT_EQ(b.status(), 0x20u) << "refused and signalled";
    b.command(enable);
    EXPECT_EQ(b.status(), 0u) << "any enable acknowledges, and does nothing else";
    b.command(enable);
    EXPECT_EQ(b.status(), enable) << "without a window there is no limit";
    b.command(0x08);
  }
  EXPECT_EQ(b.count("gc_late"), 2u);
}

// As the driver's self test: delays of 0..200 us in steps of 100 ns (here 700 ns) on both lists.
TEST(TsnepGate, EnableSweep) {
  GateBench b;
  b.load(0, {{0xFF, 1000}});
  b.load(1, {{0xFF, 1000}});
  for (unsigned list = 0; list < 2; ++list) {
    const auto enable = static_cast<uint8_t>(list == 0 ? 0x02 : 0x04);
    for (int64_t delay = 0; delay < 200'000; delay += 700) {
      b.command(0x10);
      b.run(Picos(delay * 1000));
      b.command(enable);
      if (delay < 131'072) {
        ASSERT_EQ(b.status(), enable) << delay;
      } else {
        ASSERT_EQ(b.status(), 0x20u) << delay;
        b.command(enable);
      }
      b.command(0x08);
    }
  }
}

TEST(TsnepGate, StartTimeIsTheNextMomentWithTheseLowBits) {
  GateBench b;
  b.wr(0x0C, 5);
  b.wr(0x08, 0xFFFF0000);
  b.load(0, {{0x01, 1000}});
  const Picos set(b.now().count() / 8000 * 8000);
  b.start(0, 0x0001'0000);  // beyond the wrap of the low word
  b.run_to(set + 131072_ns - 1_ps);
  EXPECT_EQ(b.open(), 0xFFu);
  b.run_to(set + 131072_ns);
  EXPECT_EQ(b.open(), 0x01u);
}

TEST(TsnepGate, AStartTimeThatIsNowOrOverIsAWrapAway) {
  GateBench b;
  b.load(0, {{0x01, 1000}});
  b.run_to(100_us);  // a clock: system time is exact
  const uint64_t t = b.system_time();
  for (const uint64_t back : {0u, 8u}) {
    b.wr(0x80C, static_cast<uint32_t>(t - back));
    b.command(0x02);
    EXPECT_EQ(b.open(), 0xFFu) << back;
    b.command(0x08);
  }
  b.wr(0x80C, static_cast<uint32_t>(t));
  b.command(0x02);
  b.run_to(GateBench::when(t + (uint64_t{1} << 32)) - 1_ps);
  EXPECT_EQ(b.open(), 0xFFu);
  b.run(1_ps);
  EXPECT_EQ(b.open(), 0x01u);
}

}  // namespace
}  // namespace doorbell::tsnep::test
