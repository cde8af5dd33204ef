// Interrupt and poll of a vector: what is written to GLINT_DYN_CTL and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/ice/ice_bench.h"

namespace doorbell::drivers::ice {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Vector {
  explicit Vector(unsigned vectors = 1) : b(IceBench::base_config(), vectors) {
    b.start();
    for (unsigned i = 0; i < vectors; ++i) {
      b.host.on_write(reg::glint_dyn_ctl(i + 1), [this, i](uint32_t v) {
        writes.push_back({i, v});
      });
    }
  }
  std::vector<uint32_t> take() {
    std::vector<uint32_t> values;
    for (const auto& w : writes) values.push_back(w.second);
    writes.clear();
    return values;
  }
  std::vector<std::pair<unsigned, uint32_t>>
      writes;  // outlives the driver, which writes to the end
  IceBench b;
};

TEST(Vector, TheInterruptHandlerWritesNothing) {
  Vector t;
  const uint64_t writes = t.b.host.count(hal::Op::kMmioWrite);
  const uint64_t reads = t.b.host.count(hal::Op::kMmioRead);
  EXPECT_TRUE(t.b.vector_host(0).raise(0));
  EXPECT_EQ(t.b.host.count(hal::Op::kMmioWrite), writes);
  EXPECT_EQ(t.b.host.count(hal::Op::kMmioRead), reads);
  EXPECT_TRUE(t.b.vector_host(0).napi_scheduled());
  EXPECT_EQ(t.b.driver->vector(0).events, 1u);
}

TEST(Vector, NormalEndArmsWithoutTimer) {
  Vector t;
  t.b.receive(0, udp_frame());
  t.b.poll();
  EXPECT_THAT(t.take(), ElementsAre(0x0000001Bu));
}

// Polling on: once, until armed; then a software interrupt limited to 20 k a second.
TEST(Vector, B21_B23_WriteBackOnTimerWhilePollingAndOneSoftwareInterruptAfter) {
  Vector t;
  for (int i = 0; i < 100; ++i) t.b.receive(0, udp_frame());
  EXPECT_EQ(t.b.poll(), 64);
  EXPECT_THAT(t.take(), ElementsAre(0xC0000018u));
  for (int i = 0; i < 64; ++i) t.b.receive(0, udp_frame());
  EXPECT_EQ(t.b.poll(), 64);
  EXPECT_THAT(t.take(), IsEmpty()) << "it is on already";
  EXPECT_EQ(t.b.poll(), 36);
  EXPECT_THAT(t.take(), ElementsAre(0x05000337u));
  EXPECT_EQ(t.b.poll(), 0);
  EXPECT_THAT(t.take(), ElementsAre(0x0000001Bu)) << "no storm: the next end is a plain one";
}

TEST(Vector, TransmitWorkLeftKeepsThePollGoing) {
  IceDriverConfig c = IceBench::base_config();
  c.tx_clean_budget = 4;
  IceBench b(c);
  b.start();
  for (int i = 0; i < 6; ++i) b.send(b.skb(udp_frame()));
  b.finish(0);
  EXPECT_EQ(b.poll(), 64) << "no packet received, but not complete";
  EXPECT_TRUE(b.vector_host(0).napi_scheduled());
  EXPECT_EQ(b.dyn_ctl(0), 0xC0000018u);
  EXPECT_EQ(b.poll(), 0);
  EXPECT_FALSE(b.vector_host(0).napi_scheduled());
  EXPECT_EQ(b.driver->statistics().tx_packets, 6u);
}

// A budget of exactly what there was is not complete.
TEST(Vector, ExactlyTheBudgetGoesOn) {
  Vector t;
  for (int i = 0; i < 64; ++i) t.b.receive(0, udp_frame());
  EXPECT_EQ(t.b.poll(), 64);
  EXPECT_THAT(t.take(), ElementsAre(0xC0000018u));
  EXPECT_EQ(t.b.poll(), 0);
}

TEST(Vector, NetpollTouchesTransmitOnly) {
  Vector t;
  t.b.send(t.b.skb(udp_frame()));
  t.b.finish(0);
  t.b.receive(0, udp_frame());
  auto& vector = const_cast<IceVector&>(t.b.driver->vector(0));
  EXPECT_EQ(vector.poll(0), 0);
  EXPECT_EQ(t.b.driver->statistics().tx_packets, 1u);
  EXPECT_EQ(t.b.driver->statistics().rx_packets, 0u);
  EXPECT_THAT(t.take(), IsEmpty());
}

TEST(Vector, VectorsAreIndependent) {
  Vector t(3);
  t.b.receive(1, udp_frame());
  t.b.receive(2, udp_frame());
  t.b.poll(1);
  ASSERT_EQ(t.writes.size(), 1u);
  EXPECT_EQ(t.writes[0].first, 1u);
  EXPECT_EQ(t.b.driver->rx_ring(1).packets, 1u);
  EXPECT_EQ(t.b.driver->rx_ring(2).packets, 0u);
}

// After stop() a poll that is still under way does not arm.
TEST(Vector, B13_NothingIsArmedAfterStop) {
  Vector t;
  t.b.vector_host(0).raise(0);
  t.b.driver->stop();
  EXPECT_EQ(t.b.vector_host(0).run_napi(), -1) << "disabled";
  t.b.vector_host(0).raise(0);
  EXPECT_FALSE(t.b.vector_host(0).napi_scheduled());
}

}  // namespace
}  // namespace doorbell::drivers::ice
