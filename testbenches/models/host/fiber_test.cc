// Fibers: whose turn it is, what comes out of a body, and what is left of one that never returned.
#include "models/host/fiber.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace doorbell::host {
namespace {

constexpr size_t kStack = 64 * 1024;
using Log = std::vector<std::string>;

TEST(Fiber, RunsFromEnterToLeaveInTurns) {
  Log log;
  Fiber* self = nullptr;
  Fiber fiber(kStack, [&] {
    log.push_back("first");
    self->leave();
    log.push_back("second");
    self->leave();
    log.push_back("third");
  });
  self = &fiber;
  EXPECT_TRUE(log.empty()) << "nothing runs before the first enter()";
  fiber.enter();
  log.push_back("outside");
  fiber.enter();
  log.push_back("outside");
  fiber.enter();
  EXPECT_EQ(log, (Log{"first", "outside", "second", "outside", "third"}));
}

TEST(Fiber, IsDoneWhenTheBodyHasReturnedAndNotBefore) {
  int runs = 0;
  Fiber* self = nullptr;
  Fiber fiber(kStack, [&] {
    ++runs;
    EXPECT_FALSE(self->done());
    self->leave();
  });
  self = &fiber;
  EXPECT_FALSE(fiber.done());
  fiber.enter();
  EXPECT_FALSE(fiber.done()) << "suspended is not done";
  fiber.enter();
  EXPECT_TRUE(fiber.done());
  fiber.enter();
  EXPECT_TRUE(fiber.done());
  EXPECT_EQ(runs, 1) << "entering a finished fiber does nothing";
}

TEST(Fiber, LocalVariablesOutliveTheSwitch) {
  Fiber* self = nullptr;
  std::vector<int> got;
  Fiber fiber(kStack, [&] {
    const std::string text = "a text that is too long for the small-string buffer";
    for (int i = 0; i < 5; ++i) {
      got.push_back(i + static_cast<int>(text.size()));
      self->leave();
    }
  });
  self = &fiber;
  for (int i = 0; i < 5; ++i) {
    fiber.enter();
    ASSERT_EQ(got.back(), i + 51);
  }
  EXPECT_EQ(got.size(), 5u);
}

TEST(Fiber, ExceptionComesOutOfEnterOnceAndEndsTheBody) {
  Fiber* self = nullptr;
  Fiber fiber(kStack, [&] {
    self->leave();
    throw std::runtime_error("from inside");
  });
  self = &fiber;
  EXPECT_NO_THROW(fiber.enter());
  try {
    fiber.enter();
    FAIL() << "the exception got lost";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "from inside");
  }
  EXPECT_TRUE(fiber.done());
  EXPECT_NO_THROW(fiber.enter()) << "it comes out once";
}

TEST(Fiber, ExceptionsCaughtInsideStayInside) {
  Fiber* self = nullptr;
  int caught = 0;
  Fiber fiber(kStack, [&] {
    for (int i = 0; i < 3; ++i) {
      try {
        self->leave();
        throw std::logic_error("inner");
      } catch (const std::logic_error&) {
        ++caught;
      }
    }
  });
  self = &fiber;
  for (int i = 0; i < 4; ++i) {
    EXPECT_NO_THROW(fiber.enter());
  }
  EXPECT_EQ(caught, 3);
  EXPECT_TRUE(fiber.done());
}

// What a body still holds is given back: destructors run, innermost first, and code behind the
// leave() does not.
TEST(Fiber, DestructorUnwindsASuspendedBody) {
  Log log;
  struct Guard {
    Log& out;
    std::string name;
    ~Guard() { out.push_back(name); }
  };
  auto shared = std::make_shared<int>(7);
  {
    Fiber* self = nullptr;
    Fiber fiber(kStack, [&, held = shared] {
      const Guard outer{log, "outer"};
      const std::shared_ptr<int> copy = held;
      const Guard inner{log, "inner"};
      self->leave();
      log.push_back("behind leave");
    });
    self = &fiber;
    fiber.enter();
    EXPECT_EQ(shared.use_count(), 3);
    EXPECT_TRUE(log.empty());
  }
  EXPECT_EQ(log, (Log{"inner", "outer"}));
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Fiber, BodyThatNeverStartedIsOnlyDestroyed) {
  auto shared = std::make_shared<int>(1);
  bool ran = false;
  {
    const Fiber fiber(kStack, [&ran, held = shared] { ran = *held == 1; });
    EXPECT_EQ(shared.use_count(), 2);
  }
  EXPECT_FALSE(ran);
  EXPECT_EQ(shared.use_count(), 1);
}

// Software's destructors use exceptions as well; after an unwinding the outside goes on as before.
TEST(Fiber, OutsideGoesOnAfterAnUnwinding) {
  int caught = 0;
  for (int i = 0; i < 3; ++i) {
    {
      Fiber* self = nullptr;
      struct Thrower {
        int& count;
        ~Thrower() {
          try {
            throw std::runtime_error("within a destructor");
          } catch (const std::runtime_error&) {
            ++count;
          }
        }
      };
      Fiber fiber(kStack, [&] {
        const Thrower thrower{caught};
        self->leave();
      });
      self = &fiber;
      fiber.enter();
    }
    try {
      throw std::runtime_error("outside");
    } catch (const std::runtime_error&) {
      ++caught;
    }
  }
  EXPECT_EQ(caught, 6);
}

TEST(Fiber, ManyInterleaveWithoutTouchingEachOther) {
  constexpr int kFibers = 200;
  constexpr int kRounds = 20;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<int> sums(kFibers);
  std::vector<int> order;
  for (int f = 0; f < kFibers; ++f) {
    fibers.push_back(std::make_unique<Fiber>(kStack, [&, f] {
      int sum = f;
      for (int i = 0; i < kRounds; ++i) {
        order.push_back(f);
        fibers[static_cast<size_t>(f)]->leave();
        sum += i;
      }
      sums[static_cast<size_t>(f)] = sum;
    }));
  }
  for (int round = 0; round <= kRounds; ++round) {
    for (auto& fiber : fibers) {
      fiber->enter();
    }
  }
  ASSERT_EQ(order.size(), static_cast<size_t>(kFibers * kRounds));
  for (size_t i = 0; i < order.size(); ++i) {
    ASSERT_EQ(order[i], static_cast<int>(i % kFibers));
  }
  for (int f = 0; f < kFibers; ++f) {
    EXPECT_TRUE(fibers[static_cast<size_t>(f)]->done());
    EXPECT_EQ(sums[static_cast<size_t>(f)], f + kRounds * (kRounds - 1) / 2);
  }
}

// A fiber may enter another one: each leave() goes back to its own enter().
TEST(Fiber, LeavesToWhoEnteredIt) {
  Log log;
  Fiber* inner_self = nullptr;
  Fiber* outer_self = nullptr;
  Fiber inner(kStack, [&] {
    log.push_back("inner 1");
    inner_self->leave();
    log.push_back("inner 2");
  });
  inner_self = &inner;
  Fiber outer(kStack, [&] {
    inner.enter();
    log.push_back("outer");
    outer_self->leave();
  });
  outer_self = &outer;
  outer.enter();
  log.push_back("main");
  inner.enter();  // entered from elsewhere this time
  log.push_back("main again");
  outer.enter();
  EXPECT_EQ(log, (Log{"inner 1", "outer", "main", "inner 2", "main again"}));
  EXPECT_TRUE(inner.done());
  EXPECT_TRUE(outer.done());
}

// Uses the stack down to `depth` frames, leaves at the bottom, and checks every frame on the way
// up.
uint64_t descend(Fiber& fiber, unsigned depth) {
  volatile uint8_t frame[512];
  for (unsigned i = 0; i < sizeof frame; ++i) {
    frame[i] = static_cast<uint8_t>(depth + i);
  }
  uint64_t sum = 0;
  if (depth == 0) {
    fiber.leave();
  } else {
    sum = descend(fiber, depth - 1);
  }
  for (unsigned i = 0; i < sizeof frame; ++i) {
    sum += frame[i] == static_cast<uint8_t>(depth + i) ? 1 : 0;
  }
  return sum;
}

TEST(Fiber, DeepStackIsItsOwn) {
  // Cores have this much; half of it is used here, more under a sanitizer.
  constexpr size_t kCoreStack = 256 * 1024;
  constexpr unsigned kDepth = 150;
  uint64_t sums[2] = {};
  std::unique_ptr<Fiber> fibers[2];
  for (size_t f = 0; f < 2; ++f) {
    fibers[f] =
        std::make_unique<Fiber>(kCoreStack, [&, f] { sums[f] = descend(*fibers[f], kDepth); });
  }
  fibers[0]->enter();  // both are at their deepest now
  fibers[1]->enter();
  fibers[0]->enter();
  fibers[1]->enter();
  EXPECT_EQ(sums[0], (kDepth + 1) * 512u);
  EXPECT_EQ(sums[1], (kDepth + 1) * 512u);
}

// A guard page lies below the stack: an overflow ends the process instead of another fiber's data.
// Goes half a stack too deep, in frames that are too small to step over the guard, with another
// fiber's stack where the host is likely to put it: next to the first.
TEST(FiberDeathTest, OverflowDoesNotGoUnnoticed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr size_t kLarge = 256 * 1024;
  EXPECT_DEATH(
      {
        Fiber* self = nullptr;
        Fiber fiber(kLarge, [&] { descend(*self, 700); });
        const Fiber below(kLarge, [] {});
        self = &fiber;
        fiber.enter();
        std::_Exit(0);  // before anybody trips over what the overflow left
      },
      "");
}

}  // namespace
}  // namespace doorbell::host
