#include "models/net/cable.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace doorbell::net {
namespace {

using namespace base::literals;

struct Listener : ArrivalListener {
  int calls = 0;
  void arrivals_changed() override { ++calls; }
};

TEST(Cable, DeliversOnePropagationDelayLaterInBothDirections) {
  Cable cable(500_ns);
  std::vector<uint8_t> f(60, 0xA5);
  cable.a().transmit(1_us, {f.data(), f.size()}, 0);
  cable.b().transmit(2_us, {f.data(), f.size()}, kTxError);
  const Arrival* at_b = cable.b().peek();
  ASSERT_NE(at_b, nullptr);
  EXPECT_EQ(at_b->start, 1500_ns);
  EXPECT_EQ(at_b->flaws, 0);
  f.assign(60, 0);  // the cable has its own copy
  EXPECT_EQ(at_b->bytes[59], 0xA5);
  ASSERT_NE(cable.a().peek(), nullptr);
  EXPECT_EQ(cable.a().peek()->start, 2500_ns);
  EXPECT_EQ(cable.a().peek()->flaws, kTxError);
  cable.b().pop();
  EXPECT_EQ(cable.b().peek(), nullptr);
}

TEST(Cable, TellsTheListenerOnlyWhenTheFirstFrameChanges) {
  Cable cable(0_ns);
  Listener listener;
  cable.b().set_listener(&listener);
  const std::vector<uint8_t> f(60);
  for (int i = 0; i < 3; ++i) cable.a().transmit(base::Picos(i), {f.data(), f.size()}, 0);
  EXPECT_EQ(listener.calls, 1);
  for (int i = 0; i < 3; ++i) cable.b().pop();
  cable.a().transmit(9_ns, {f.data(), f.size()}, 0);
  EXPECT_EQ(listener.calls, 2);
}

TEST(Cable, KeepsOrderAroundTheRingAndCountsWhatDoesNotFit) {
  Cable cable(1_ns, 4, 100);
  uint8_t f[60] = {};
  uint64_t expect = 0;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 3; ++i) {
      f[0] = static_cast<uint8_t>(round * 3 + i);
      cable.a().transmit(base::Picos(round * 3 + i), {f, 60}, 0);
    }
    for (int i = 0; i < 3; ++i, ++expect) {
      ASSERT_EQ(cable.b().peek()->id, expect);
      ASSERT_EQ(cable.b().peek()->bytes[0], expect);
      cable.b().pop();
    }
  }
  for (int i = 0; i < 6; ++i) cable.a().transmit(1_us, {f, 60}, 0);
  EXPECT_EQ(cable.a().lost(), 2u);
  EXPECT_EQ(cable.b().in_flight(), 4u);
  cable.b().pop();
  const std::vector<uint8_t> big(101);
  cable.a().transmit(2_us, {big.data(), big.size()}, 0);
  EXPECT_EQ(cable.a().lost(), 3u);
  EXPECT_EQ(cable.a().sent(), 22u);
  EXPECT_EQ(cable.b().in_flight() + cable.a().lost() + 16, cable.a().sent());
}

}  // namespace
}  // namespace doorbell::net
