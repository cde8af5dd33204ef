#include "models/probe/ledger.h"

#include <gtest/gtest.h>

namespace doorbell::probe {
namespace {

TEST(Ledger, BalancesWhenEveryFrameIsBooked) {
  Ledger ledger("rx");
  Counter& ring = ledger.add_reason("rx_ring_full", "No empty descriptor");
  Counter& fifo = ledger.add_reason("rx_fifo_overrun", "FIFO full");
  EXPECT_TRUE(ledger.balanced());
  ledger.inject(10);
  for (int i = 0; i < 6; ++i) ledger.deliver();
  ++ring;
  fifo.add(2);
  ledger.add_in_flight(1);
  EXPECT_TRUE(ledger.balanced());
  EXPECT_EQ(ledger.dropped(), 3u);
  EXPECT_EQ(ledger.text(),
            "rx ledger: injected 10, delivered 6, rx_ring_full 1, rx_fifo_overrun 2, in flight 1: "
            "balanced");
}

TEST(Ledger, TellsHowManyAreMissingOrTooMany) {
  Ledger ledger("tx");
  ledger.add_reason("underrun", "FIFO empty");
  ledger.inject(5);
  ledger.deliver(3);
  EXPECT_FALSE(ledger.balanced());
  EXPECT_EQ(ledger.text(), "tx ledger: injected 5, delivered 3, in flight 0: 2 missing");
  ledger.deliver(3);
  EXPECT_FALSE(ledger.balanced());
  EXPECT_EQ(ledger.text(), "tx ledger: injected 5, delivered 6, in flight 0: 1 too many");
}

TEST(Ledger, SameReasonIsShared) {
  Ledger ledger("rx");
  Counter& a = ledger.add_reason("crc", "Bad FCS");
  Counter& b = ledger.add_reason("crc", "Bad FCS");
  EXPECT_EQ(&a, &b);
  EXPECT_EQ(ledger.drops().size(), 1u);
}

}  // namespace
}  // namespace doorbell::probe
