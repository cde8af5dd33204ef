// MDIO frames, polling, timeout; the PHY state machine.
#include <gtest/gtest.h>

#include <cerrno>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

FecDriverConfig with_phy() {
  FecDriverConfig c = FecBench::base_config();
  c.assume_link = false;
  return c;
}

TEST(Mdio, Clause22Frames) {
  FecBench b;
  b.start();
  b.phy[2] = 0x1234;
  EXPECT_EQ(b.driver->mdio_read(1, 2), 0x1234);
  EXPECT_EQ(b.mdio_frames.back(), 0x608A0000u);
  EXPECT_EQ(b.driver->mdio_write(1, 0, 0x1200), 0);
  EXPECT_EQ(b.mdio_frames.back(), 0x50821200u);
  EXPECT_EQ(b.eir & 0x00800000, 0u);
}

TEST(Mdio, Clause45Frames) {
  FecBench b;
  b.start();
  b.driver->mdio_read45(1, 7, 0x3C);
  ASSERT_EQ(b.mdio_frames.size(), 2u);
  EXPECT_EQ(b.mdio_frames[0], 0x009E003Cu);
  EXPECT_EQ(b.mdio_frames[1], 0x309E0000u);
  b.driver->mdio_write45(1, 7, 0x3C, 0xABCD);
  EXPECT_EQ(b.mdio_frames[3], 0x109EABCDu);
}

TEST(Mdio, PollsEvery2usAndGivesUpAfter30ms) {
  FecBench b;
  b.start();
  b.mdio_dead = true;
  const base::Picos before = b.host.now();
  EXPECT_EQ(b.driver->mdio_read(1, 1), -ETIMEDOUT);
  EXPECT_EQ((b.host.now() - before).count(), 30000000000);
  EXPECT_EQ(b.host.mmio_reads(0x004), 15001u);
  EXPECT_EQ(b.driver->statistics().mdio_timeouts, 1u);
}

TEST(Phy, NegotiatesAndComesUpAtOneGigabit) {
  FecBench b(with_phy());
  b.start();
  EXPECT_EQ(b.phy[0], 0x1200);
  EXPECT_EQ(b.phy[4], 0x01E1);
  EXPECT_EQ(b.phy[9], 0x0200);
  EXPECT_FALSE(b.driver->carrier());
  b.phy[1] = 0x0004 | 0x0020;
  b.phy[10] = 0x0800;
  b.host.advance(base::Picos(0));
  EXPECT_TRUE(b.driver->carrier());
  EXPECT_EQ(b.host.register_value(0x024), 0x132u);
}

TEST(Phy, PollsOncePerSecondAndFollowsTheLink) {
  FecBench b(with_phy());
  b.start();
  b.host.advance(base::Picos(500000000000));
  b.phy[1] = 0x0024;
  b.phy[5] = 0x0100;
  b.host.advance(base::Picos(400000000000));
  EXPECT_FALSE(b.driver->carrier());
  b.host.advance(base::Picos(200000000000));
  EXPECT_TRUE(b.driver->carrier());
  EXPECT_EQ(b.host.register_value(0x024), 0x112u);
  b.phy[1] = 0;
  b.host.advance(base::Picos(1100000000000));
  EXPECT_FALSE(b.driver->carrier());
}

TEST(Phy, PauseIsAdvertised) {
  FecDriverConfig c = with_phy();
  c.pause = true;
  FecBench b(c);
  b.start();
  EXPECT_EQ(b.phy[4], 0x0DE1);
}

TEST(Phy, SilentPhyKeepsTheLinkDown) {
  FecBench b(with_phy());
  b.mdio_dead = true;
  b.start();
  b.host.advance(base::Picos(3000000000000));
  EXPECT_FALSE(b.driver->carrier());
}

TEST(Phy, AssumedLinkNeedsNoMdio) {
  FecBench b;
  b.start();
  EXPECT_TRUE(b.mdio_frames.empty());
  EXPECT_TRUE(b.driver->carrier());
}

}  // namespace
}  // namespace doorbell::drivers::fec
