#include "sim/stack/redirect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/hal/scripted/scripted_hal.h"
#include "testbenches/sim/stack/fake_device.h"

namespace doorbell::stack {
namespace {

using ::testing::ElementsAre;

struct Bench {
  Bench() : stack(hal), a(hal), b(hal) {
    stack.register_device(a);
    stack.register_device(b);
    a.open();
    b.open();
    PagePoolParams params;
    params.offset = 256;
    params.max_len = 3520;
    pool = std::make_unique<PagePool>(hal, stack.pages(), params);
  }
  int redirect(uint32_t ifindex) {
    XdpBuff buff;
    buff.page = pool->alloc();
    buff.data_hard_start = buff.page->data;
    buff.data = buff.page->data + 256;
    buff.data_end = buff.data + 60;
    const int error = stack.redirector().redirect(buff, ifindex);
    if (error != 0) pool->put(*buff.page, 0);
    return error;
  }
  hal::ScriptedHal host;
  hal::Hal hal = host.hal();
  NetStack stack;
  FakeDevice a;
  FakeDevice b;
  std::unique_ptr<PagePool> pool;
};

TEST(Redirect, IndicesCountFromOne) {
  Bench t;
  EXPECT_EQ(t.a.ifindex(), 1u);
  EXPECT_EQ(t.b.ifindex(), 2u);
  EXPECT_EQ(t.stack.redirector().device(2), &t.b);
  EXPECT_EQ(t.stack.redirector().device(0), nullptr);
  EXPECT_EQ(t.stack.redirector().device(3), nullptr);
}

TEST(Redirect, SixteenFramesABatchAndTheRestAtTheFlush) {
  Bench t;
  for (int i = 0; i < 35; ++i) EXPECT_EQ(t.redirect(1), 0);
  EXPECT_THAT(t.a.batches, ElementsAre(16, 16));
  EXPECT_EQ(t.stack.redirector().pending(), 3u);
  t.stack.redirector().flush();
  EXPECT_THAT(t.a.batches, ElementsAre(16, 16, 3));
  EXPECT_EQ(t.a.more, 2) << "only the flush asks for the doorbell";
  t.stack.redirector().flush();
  EXPECT_EQ(t.a.batches.size(), 3u);
  EXPECT_EQ(t.stack.redirector().frames_sent(), 35u);
}

TEST(Redirect, DevicesAreFlushedInOrderOfArrival) {
  Bench t;
  t.redirect(2);
  t.redirect(1);
  t.redirect(2);
  t.stack.redirector().flush();
  EXPECT_THAT(t.b.batches, ElementsAre(2));
  EXPECT_THAT(t.a.batches, ElementsAre(1));
}

TEST(Redirect, CoresDoNotShareQueues) {
  Bench t;
  t.redirect(1);
  t.host.set_cpu(1);
  t.redirect(1);
  t.stack.redirector().flush();
  EXPECT_THAT(t.a.batches, ElementsAre(1));
  EXPECT_EQ(t.stack.redirector().pending(), 1u);
  t.host.set_cpu(0);
  t.stack.redirector().flush();
  EXPECT_EQ(t.stack.redirector().pending(), 0u);
}

TEST(Redirect, UntakenFramesGoBackToTheirPool) {
  Bench t;
  t.a.takes = 4;
  for (int i = 0; i < 10; ++i) t.redirect(1);
  t.stack.redirector().flush();
  EXPECT_EQ(t.a.frames.size(), 4u);
  EXPECT_EQ(t.pool->inflight(), 4u);
  EXPECT_EQ(t.stack.drops().value(DropReason::kRedirectRingFull), 6u);
  EXPECT_EQ(t.stack.redirector().frames_returned(), 6u);
  EXPECT_EQ(t.host.count(hal::Op::kXdpReturn), 6u);
}

TEST(Redirect, RefusedAltogether) {
  Bench t;
  t.a.takes = -ENETDOWN;
  t.redirect(1);
  t.stack.redirector().flush();
  EXPECT_EQ(t.pool->inflight(), 0u);
  EXPECT_EQ(t.stack.drops().value(DropReason::kRedirectDeviceDown), 1u);
}

TEST(Redirect, Errors) {
  Bench t;
  EXPECT_EQ(t.redirect(7), -EINVAL);
  t.a.accepts = false;
  EXPECT_EQ(t.redirect(1), -EOPNOTSUPP);
  t.b.stop();
  EXPECT_EQ(t.redirect(2), -ENETDOWN);
  EXPECT_EQ(redirect_drop_reason(-EINVAL), DropReason::kRedirectNoTarget);
  EXPECT_EQ(redirect_drop_reason(-EOPNOTSUPP), DropReason::kRedirectNoTarget);
  EXPECT_EQ(redirect_drop_reason(-ENETDOWN), DropReason::kRedirectDeviceDown);
  EXPECT_EQ(redirect_drop_reason(-EOVERFLOW), DropReason::kXdpNoHeadroom);
  EXPECT_EQ(t.pool->inflight(), 0u);
}

}  // namespace
}  // namespace doorbell::stack
