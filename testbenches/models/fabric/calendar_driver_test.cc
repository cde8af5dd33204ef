// The calendar on the kernel: events run when kernel time reaches them, or within the lookahead.
#include "models/fabric/calendar_driver.h"

#include <gtest/gtest.h>

#include <vector>

namespace doorbell::fabric {
namespace {

using base::Picos;
using namespace base::literals;

struct Recorder {
  base::Calendar& calendar;
  base::Event event;
  std::vector<std::pair<Picos, Picos>> seen;  // calendar time, kernel time
  int left;
  explicit Recorder(base::Calendar& c, int n) : calendar(c), left(n) {
    event.bind<&Recorder::fire>(*this);
  }
  void fire() {
    seen.emplace_back(calendar.now(), kernel_now());
    if (--left > 0) {
      calendar.schedule(event, calendar.now() + 10_ns);
    }
  }
};

TEST(CalendarDriver, RunsEventsAtTheirKernelTime) {
  base::Calendar calendar;
  CalendarDriver driver("driver", calendar);
  Recorder recorder(calendar, 3);
  calendar.schedule(recorder.event, 5_ns);
  driver.arm();
  sc_core::sc_start(to_sc(100_ns));
  ASSERT_EQ(recorder.seen.size(), 3u);
  EXPECT_EQ(recorder.seen[2].first, 25_ns);
  EXPECT_EQ(recorder.seen[2].second, 25_ns);
}

TEST(CalendarDriver, LookaheadRunsSeveralInOneActivation) {
  base::Calendar calendar;
  CalendarDriver driver("driver", calendar);
  driver.set_lookahead(15_ns);
  Recorder recorder(calendar, 4);
  calendar.schedule(recorder.event, 5_ns);
  driver.arm();
  sc_core::sc_start(to_sc(100_ns));
  ASSERT_EQ(recorder.seen.size(), 4u);
  EXPECT_EQ(recorder.seen[1], std::make_pair(15_ns, 5_ns));
  EXPECT_EQ(recorder.seen[2], std::make_pair(25_ns, 25_ns));
}

TEST(CalendarDriver, EventsPastTheEndOfTheRunDoNotHappen) {
  base::Calendar calendar;
  CalendarDriver driver("driver", calendar);
  Recorder recorder(calendar, 100);
  calendar.schedule(recorder.event, 5_ns);
  driver.arm();
  sc_core::sc_start(to_sc(50_ns));
  EXPECT_EQ(recorder.seen.size(), 5u);
}

}  // namespace
}  // namespace doorbell::fabric
