// Gate control: changes of the list, list errors, the clock. Numbers are typed from the fact sheet.
#include "testbenches/models/tsnep/gate_bench.h"

namespace doorbell::tsnep::test {
namespace {

TEST(TsnepGate, ChangeBehindAWholeCycle) {
  GateBench b;
  b.load(0, {{0x01, 1000}, {0x02, 1000}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t + 500));
  b.load(1, {{0x04, 300}, {0x01, 300}});
  // The last operation of A carries CHANGE; the one that starts at the change time is the one.
  b.op(0, 1, 0x02 | kLast | kChange, 1000);
  b.command(0x10);
  b.wr(0x810, static_cast<uint32_t>(t + 401'000));
  b.command(0x04);
  EXPECT_EQ(b.status(), 0x0Au) << "A runs, a change is pending";
  b.run_to(GateBench::when(t + 400'000));
  EXPECT_EQ(b.status(), 0x0Au) << "cycles before are not changed";
  EXPECT_EQ(b.open(), 0x01u);
  b.run_to(GateBench::when(t + 402'000) - 1_ps);
  EXPECT_EQ(b.open(), 0x02u);
  b.run_to(GateBench::when(t + 402'000));
  EXPECT_EQ(b.status(), 0x04u);
  EXPECT_EQ(b.open(), 0x04u);
  b.run_to(GateBench::when(t + 402'300));
  EXPECT_EQ(b.open(), 0x01u);
}

// Cut: operation 1 ends early. Operation 0 triggers (INSERT), 255 is the shorter piece (CHANGE).
TEST(TsnepGate, ChangeByAnInsertedOperation) {
  GateBench b;
  b.load(0, {{0x01, 1000}, {0x02, 1000}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t + 500));
  b.load(1, {{0x04, 300}, {0x01, 300}});
  b.op(0, 255, 0x02 | kChange, 40);
  b.op(0, 0, 0x01 | kInsert, 1000);
  b.command(0x10);
  b.wr(0x810, static_cast<uint32_t>(t + 300'000));
  b.command(0x04);
  b.send(frame(60));
  b.run_to(GateBench::when(t + 300'999));
  EXPECT_EQ(b.open(), 0x01u);
  EXPECT_EQ(b.next(), 0x02u);
  b.run_to(GateBench::when(t + 301'000));
  EXPECT_EQ(b.open(), 0x02u);
  EXPECT_EQ(b.next(), 0x04u);
  b.run_to(GateBench::when(t + 301'040));
  EXPECT_EQ(b.open(), 0x04u);
  EXPECT_EQ(b.status(), 0x04u);
}

TEST(TsnepGate, ChangeByAnExtension) {
  GateBench b;
  b.load(0, {{0x01, 1000}, {0x02, 1000}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t + 500));
  b.load(1, {{0x04, 300}});
  b.op(0, 255, 0x02 | kChange, 1777);
  b.op(0, 0, 0x01 | kInsert, 1000);
  b.command(0x10);
  b.wr(0x810, static_cast<uint32_t>(t + 300'000));
  b.command(0x04);
  b.run_to(GateBench::when(t + 302'776));
  EXPECT_EQ(b.open(), 0x02u);
  b.run_to(GateBench::when(t + 302'777));
  EXPECT_EQ(b.open(), 0x04u);
}

// A frame that needs the window of the list to come starts there, and not before.
TEST(TsnepGate, StartsAreFoundAcrossAChange) {
  GateBench b;
  b.load(0, {{0x01, 1000}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t + 500));
  b.load(1, {{0x02, 100}, {0x06, 5000}, {0x00, 1000}});
  b.op(0, 0, 0x01 | kLast | kChange, 1000);
  b.command(0x10);
  b.wr(0x810, static_cast<uint32_t>(t + 90'000'000));
  b.command(0x04);
  b.send(frame(300), 2);
  b.run_to(GateBench::when(t + 90'050'000));
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].start, GateBench::when(t + 90'001'100));
}

TEST(TsnepGate, BackAndForth) {
  GateBench b;
  b.load(0, {{0x01, 1000}});
  uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  for (unsigned list = 1, i = 0; i < 6; ++i, list = 1 - list) {
    b.run_to(GateBench::when(t + 500));
    const unsigned from = 1 - list;
    b.load(list, {{1u << list, 1000}});
    b.op(from, 0, 1u << from | kLast | kChange, 1000);
    b.command(0x10);
    t += 200'000;
    b.wr(0x810, static_cast<uint32_t>(t - 1000));
    b.command(list == 0 ? 0x02 : 0x04);
    b.run_to(GateBench::when(t) - 1_ps);
    EXPECT_EQ(b.open(), 1u << from);
    b.run_to(GateBench::when(t));
    EXPECT_EQ(b.open(), 1u << list);
    EXPECT_EQ(b.status(), list == 0 ? 0x02u : 0x04u);
  }
  EXPECT_EQ(b.count("gc_enables"), 7u);
}

// What has been is not changed by writing the list.
TEST(TsnepGate, WritingARunningListActsFromNowOn) {
  GateBench b;
  b.load(0, {{0x01, 1000}, {0x02, 1000}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t + 102'500));
  b.wr(0x2004, 3000);  // the operation under way began at 102 000
  b.run_to(GateBench::when(t + 105'000) - 1_ps);
  EXPECT_EQ(b.open(), 0x01u);
  b.run_to(GateBench::when(t + 105'000));
  EXPECT_EQ(b.open(), 0x02u);
  b.run_to(GateBench::when(t + 106'000));
  EXPECT_EQ(b.open(), 0x01u);
}

// List errors.

TEST(TsnepGate, IntervalBelow32NsIsAListError) {
  GateBench b;
  b.load(0, {{0x01, 1000}, {0x02, 31}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t + 999));
  EXPECT_EQ(b.status(), 0x02u);
  b.run_to(GateBench::when(t + 1000));
  EXPECT_EQ(b.status(), 0x80u);
  EXPECT_EQ(b.open(), 0xFFu);
  EXPECT_EQ(b.count("gc_list_errors"), 1u);
  b.load(0, {{0x01, 1000}, {0x02, 32}});
  b.start(0, t + 500'000);
  EXPECT_EQ(b.status(), 0x02u) << "an enable clears it";
  b.run_to(GateBench::when(t + 501'010));
  EXPECT_EQ(b.open(), 0x02u);
}

TEST(TsnepGate, AListWithoutLastRunsIntoOperation255) {
  GateBench b;
  for (unsigned i = 0; i < 256; ++i) b.op(0, i, 0x01, 32);
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t + 255 * 32 - 1));
  EXPECT_EQ(b.status(), 0x02u);
  b.run_to(GateBench::when(t + 255 * 32));
  EXPECT_EQ(b.status(), 0x80u);
}

// Nothing else happens then: the frame must have been told.
TEST(TsnepGate, AFrameGoesWhenTheListStopsWithAnError) {
  GateBench b;
  for (unsigned i = 0; i < 256; ++i) b.op(0, i, 0x02, 1000);
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t));
  b.send(frame(60));
  b.run(1_ms);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_EQ(b.out.sent[0].start, GateBench::when(t + 255'000));
}

TEST(TsnepGate, AFullListOf255Operations) {
  GateBench b;
  for (unsigned i = 0; i < 255; ++i)
    b.op(0, i, (i == 254 ? 0x04 : 0x02) | (i == 254 ? kLast : 0), 32);
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t + 3 * 255 * 32 - 1));
  EXPECT_EQ(b.open(), 0x04u);
  b.run_to(GateBench::when(t + 3 * 255 * 32));
  EXPECT_EQ(b.open(), 0x02u);
}

// Windows are in system time: at another rate they are as long in it, not in the calendar.
TEST(TsnepGate, WindowsFollowTheClock) {
  GateBench b;
  b.wr(0x10, 1u << 31);    // with the sign, magnitude 0: nominal
  b.wr(0x10, 0x40000000);  // 8.25 ns a clock: 3.125 % faster
  b.wr(0x0C, 0);
  b.wr(0x08, 0);
  const Picos zero(b.now().count() / 8000 * 8000);
  b.load(0, {{0x01, 100'000}, {0x02, 100'000}});
  b.start(0, 165'000);
  b.send(frame(60), 1);
  const Picos begin = zero + Picos(int64_t{265'000} * 1000 * 32 / 33 + 1);
  b.run_to(zero + 160_us - 1_ps);  // 165 us of system time
  EXPECT_EQ(b.open(), 0xFFu);
  b.run_to(zero + 160_us);
  EXPECT_EQ(b.open(), 0x01u);
  b.run(400_us);
  ASSERT_EQ(b.out.sent.size(), 1u);
  EXPECT_LT(b.out.sent[0].start, zero + 160_us) << "before the list all gates are open";
  b.send(frame(60), 1);
  b.run(1_ms);
  ASSERT_EQ(b.out.sent.size(), 2u);
  const Picos cycle((int64_t{200'000} * 1000 * 32 + 32) / 33);
  const Picos phase = (b.out.sent[1].start - begin) % cycle;
  EXPECT_LE(phase, Picos(96'969'700)) << "inside the window of 100 us at 33/32";
}

TEST(TsnepGate, AJumpOfTheTimeKeepsThePhase) {
  GateBench b;
  b.load(0, {{0x01, 1000}, {0x02, 3000}});
  const uint64_t t = b.system_time() + 200'000;
  b.start(0, t);
  b.run_to(GateBench::when(t + 100));
  const uint64_t jump = t + 4000ull * 1'000'000'000 + 1500;
  b.wr(0x0C, static_cast<uint32_t>(jump >> 32));
  b.wr(0x08, static_cast<uint32_t>(jump));
  EXPECT_EQ(b.open(), 0x02u);
}

}  // namespace
}  // namespace doorbell::tsnep::test
