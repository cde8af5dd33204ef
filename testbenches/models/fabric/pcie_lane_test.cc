// A link direction: exact in order of time, work-conserving out of order.
#include "models/fabric/pcie_lane.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "models/base/random.h"

namespace doorbell::fabric {
namespace {

using base::Picos;
using namespace base::literals;

constexpr double kRate = 80e9;  // 100 ps a byte

TEST(PcieLane, InOrderIsExact) {
  PcieLane lane(kRate);
  EXPECT_EQ(lane.send(50_ns, 100), 60_ns);
  EXPECT_EQ(lane.send(50_ns, 100), 70_ns);
  EXPECT_EQ(lane.send(65_ns, 1), 70100_ps);
  EXPECT_EQ(lane.send(1_us, 4096), 1_us + 409600_ps);
  EXPECT_EQ(lane.bytes(), 4297u);
  EXPECT_EQ(lane.busy(), 429700_ps);
  EXPECT_EQ(lane.waited(), 10_ns + 5_ns);
}

TEST(PcieLane, SoonerTakesTheGapBeforeLater) {
  PcieLane lane(kRate);
  lane.send(10_us, 1000);
  EXPECT_EQ(lane.send(1_us, 100), 1010_ns);
  EXPECT_EQ(lane.send(10_us, 10), 10_us + 101_ns);
}

TEST(PcieLane, GapThatIsTooSmallIsUsedInPart) {
  PcieLane lane(kRate);
  lane.send(100_ns, 1000);                    // 100..200 ns
  lane.send(300_ns, 1000);                    // 300..400 ns
  const Picos end = lane.send(150_ns, 1500);  // 100 ns of gap, 50 ns behind
  EXPECT_GE(end, 445_ns);
  EXPECT_LE(end, 465_ns);
  // And what was in order behind it has moved.
  EXPECT_GE(lane.send(300_ns, 10), end);
}

TEST(PcieLane, CapacityIsKeptWhateverTheOrder) {
  // 1.2 times what fits into 100 us, ready in random order: everything is sent by 120 us and no
  // time is lost.
  for (const uint32_t bytes : {30u, 84u, 276u, 4096u}) {
    PcieLane lane(kRate);
    base::Stream random(bytes, "lane");
    Picos last;
    const int count = static_cast<int>(1200000 / bytes);
    for (int i = 0; i < count; ++i) {
      // In time order but for 500 ns, as reads and doorbells are.
      const int64_t at =
          100000000 / count * static_cast<int64_t>(i) + static_cast<int64_t>(random.below(500000));
      last = base::max(last, lane.send(Picos(at), bytes));
    }
    const double demand = static_cast<double>(bytes) * count * 100;
    EXPECT_GE(static_cast<double>(last.count()), demand) << bytes;
    EXPECT_LE(static_cast<double>(last.count()), demand * 1.005 + 600000) << bytes;
  }
}

// The same reservations on a list of exact intervals: each takes what is free from `ready` on.
class ExactLane {
 public:
  Picos send(Picos ready, Picos span) {
    Picos at = ready;
    size_t i = 0;
    for (;;) {
      while (i < busy_.size() && busy_[i].second <= at) {
        ++i;
      }
      if (i < busy_.size() && busy_[i].first <= at) {
        at = busy_[i].second;
        continue;
      }
      const Picos room = i < busy_.size() ? busy_[i].first - at : base::kNever;
      const Picos part = base::min(room, span);
      busy_.insert(busy_.begin() + static_cast<ptrdiff_t>(i), {at, at + part});
      at += part;
      span -= part;
      if (span == Picos(0)) {
        return at;
      }
    }
  }

 private:
  std::vector<std::pair<Picos, Picos>> busy_;
};

TEST(PcieLane, WaitsAreCloseToThoseOfExactIntervals) {
  for (const unsigned load : {50u, 80u, 95u}) {
    PcieLane lane(kRate);
    ExactLane exact;
    base::Stream random(load, "lane");
    double wait = 0;
    double want = 0;
    constexpr int kCount = 6000;
    for (int i = 0; i < kCount; ++i) {
      const Picos ready(static_cast<int64_t>(i) * 840000 / load +
                        static_cast<int64_t>(random.below(200000)));
      wait += (lane.send(ready, 84) - ready).nanoseconds() - 8.4;
      want += (exact.send(ready, 8400_ps) - ready).nanoseconds() - 8.4;
    }
    std::printf("load %u %%: mean wait %.1f ns, exact %.1f ns\n", load, wait / kCount,
                want / kCount);
    EXPECT_NEAR(wait / kCount, want / kCount, 2 + 0.1 * want / kCount) << load << " %";
  }
}

TEST(PcieLane, ReservationsOlderThanTheRingDoNotWait) {
  PcieLane lane(kRate);
  lane.send(10_ms, 1000);
  EXPECT_EQ(lane.send(1_us, 100), 1010_ns);
}

TEST(PcieLane, LongBacklogWithAGapStaysCheap) {
  // 30 us of contiguous reservations behind a gap, then many that ask for time before the gap.
  PcieLane lane(kRate);
  lane.send(0_ns, 300000);
  lane.send(30010_ns, 1000);
  Picos last;
  for (int i = 0; i < 20000; ++i) {
    const Picos end = lane.send(Picos(i), 84);
    EXPECT_GE(end, last - 10_ns);
    last = end;
  }
  EXPECT_GE(last, 30_us + 100_ns + 20000 * 8400_ps - 10_ns);
}

}  // namespace
}  // namespace doorbell::fabric
