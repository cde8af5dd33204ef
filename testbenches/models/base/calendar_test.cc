// The event calendar: order, moving, cancelling, stopping, and a random run against a sorted model.
#include "models/base/calendar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "models/base/random.h"

namespace doorbell::base {
namespace {

using namespace literals;  // NOLINT: units in test values

struct Probe {
  Calendar* calendar = nullptr;
  std::vector<std::pair<int, Picos>>* log = nullptr;
  int id = 0;
  Event event;
  bool stop_after = false;
  Picos again;  // reschedule by this once, when > 0

  void fire() {
    log->emplace_back(id, calendar->now());
    if (again > 0_ps) {
      calendar->schedule(event, calendar->now() + again);
      again = 0_ps;
    }
    if (stop_after) {
      calendar->stop();
    }
  }
};

class CalendarTest : public ::testing::Test {
 protected:
  Probe& probe(int id) {
    probes_.push_back(std::make_unique<Probe>());
    Probe& p = *probes_.back();
    p.calendar = &calendar_;
    p.log = &log_;
    p.id = id;
    p.event.bind<&Probe::fire>(p);
    return p;
  }
  std::vector<int> order() const {
    std::vector<int> ids;
    for (const auto& entry : log_) {
      ids.push_back(entry.first);
    }
    return ids;
  }

  Calendar calendar_;
  std::vector<std::pair<int, Picos>> log_;
  std::vector<std::unique_ptr<Probe>> probes_;
};

TEST_F(CalendarTest, RunsByTimeThenByScheduling) {
  calendar_.schedule(probe(1).event, 20_ns);
  calendar_.schedule(probe(2).event, 10_ns);
  calendar_.schedule(probe(3).event, 20_ns);
  calendar_.schedule(probe(4).event, 20_ns);
  EXPECT_EQ(calendar_.next(), 10_ns);
  EXPECT_TRUE(calendar_.run_until(20_ns));  // the end is included
  EXPECT_EQ(order(), (std::vector<int>{2, 1, 3, 4}));
  EXPECT_EQ(calendar_.events_run(), 4u);
  EXPECT_EQ(calendar_.next(), kNever);
}

TEST_F(CalendarTest, LaterEventsWaitAndNowAdvances) {
  calendar_.schedule(probe(1).event, 20_ns);
  EXPECT_TRUE(calendar_.run_until(19_ns));
  EXPECT_TRUE(log_.empty());
  EXPECT_EQ(calendar_.now(), 19_ns);
}

TEST_F(CalendarTest, SchedulingAgainMoves) {
  Probe& p = probe(1);
  calendar_.schedule(p.event, 20_ns);
  calendar_.schedule(probe(2).event, 30_ns);
  calendar_.schedule(p.event, 40_ns);
  EXPECT_EQ(p.event.time(), 40_ns);
  calendar_.run_until(100_ns);
  EXPECT_EQ(order(), (std::vector<int>{2, 1}));
}

TEST_F(CalendarTest, MovingToTheSameTimeGoesLast) {
  Probe& p = probe(1);
  calendar_.schedule(p.event, 20_ns);
  calendar_.schedule(probe(2).event, 20_ns);
  calendar_.schedule(p.event, 20_ns);
  calendar_.run_until(20_ns);
  EXPECT_EQ(order(), (std::vector<int>{2, 1}));
}

TEST_F(CalendarTest, CancelledEventsDoNotRun) {
  Probe& p = probe(1);
  calendar_.schedule(p.event, 20_ns);
  calendar_.cancel(p.event);
  calendar_.cancel(p.event);  // idle: nothing happens
  EXPECT_FALSE(p.event.pending());
  calendar_.run_until(100_ns);
  EXPECT_TRUE(log_.empty());
}

TEST_F(CalendarTest, PastCountsAsNow) {
  calendar_.run_until(50_ns);
  calendar_.schedule(probe(1).event, 10_ns);
  EXPECT_EQ(calendar_.next(), 50_ns);
  calendar_.run_until(50_ns);
  ASSERT_EQ(log_.size(), 1u);
  EXPECT_EQ(log_[0].second, 50_ns);
}

TEST_F(CalendarTest, CallbackMayRescheduleItself) {
  Probe& p = probe(1);
  p.again = 5_ns;
  calendar_.schedule(p.event, 10_ns);
  calendar_.run_until(100_ns);
  ASSERT_EQ(log_.size(), 2u);
  EXPECT_EQ(log_[1].second, 15_ns);
}

TEST_F(CalendarTest, StopEndsTheRunAtTheEvent) {
  Probe& p = probe(1);
  p.stop_after = true;
  calendar_.schedule(p.event, 10_ns);
  calendar_.schedule(probe(2).event, 10_ns);
  EXPECT_FALSE(calendar_.run_until(100_ns));
  EXPECT_EQ(calendar_.now(), 10_ns);
  EXPECT_EQ(order(), (std::vector<int>{1}));
  EXPECT_TRUE(calendar_.run_until(100_ns));
  EXPECT_EQ(order(), (std::vector<int>{1, 2}));
}

// Random schedule, move and cancel against a plain list sorted by (time, order of scheduling).
TEST_F(CalendarTest, AgreesWithASortedList) {
  Stream random(7, "calendar");
  constexpr int kEvents = 60;
  std::vector<std::pair<int64_t, int>> model(kEvents, {-1, -1});  // time, order; -1: idle
  for (int i = 0; i < kEvents; ++i) {
    probe(i);
  }
  int stamp = 0;
  for (int step = 0; step < 4000; ++step) {
    const auto i = static_cast<size_t>(random.below(kEvents));
    if (random.chance(1, 4)) {
      calendar_.cancel(probes_[i]->event);
      model[i] = {-1, -1};
    } else {
      const auto at = static_cast<int64_t>(random.between(1, 500));
      calendar_.schedule(probes_[i]->event, Picos(at));
      model[i] = {at, stamp++};
    }
  }
  std::vector<std::pair<std::pair<int64_t, int>, int>> want;
  for (int i = 0; i < kEvents; ++i) {
    if (model[static_cast<size_t>(i)].first >= 0) {
      want.emplace_back(model[static_cast<size_t>(i)], i);
    }
  }
  std::sort(want.begin(), want.end());
  calendar_.run_until(1_us);
  ASSERT_EQ(log_.size(), want.size());
  for (size_t k = 0; k < want.size(); ++k) {
    EXPECT_EQ(log_[k].first, want[k].second);
    EXPECT_EQ(log_[k].second.count(), want[k].first.first);
  }
}

}  // namespace
}  // namespace doorbell::base
