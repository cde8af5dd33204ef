// Ring arithmetic against plain modulo arithmetic, for sizes that are powers of two and not.
#include "models/desc/ring_index.h"

#include <gtest/gtest.h>

namespace doorbell::desc {
namespace {

TEST(RingIndex, AgreesWithModuloForEverySmallSize) {
  for (uint32_t size = 2; size <= 17; ++size) {
    const RingIndex ring(size);
    for (uint32_t a = 0; a < size; ++a) {
      ASSERT_EQ(ring.next(a), (a + 1) % size);
      ASSERT_EQ(ring.prev(a), (a + size - 1) % size);
      ASSERT_EQ(ring.to_end(a), size - a);
      for (uint32_t b = 0; b < size; ++b) {
        ASSERT_EQ(ring.distance(a, b), (b + size - a) % size);
        ASSERT_EQ(ring.advance(a, ring.distance(a, b)), b);
        ASSERT_EQ(ring.used(b, a) + ring.free_slots(b, a), size - 1);
        ASSERT_EQ(ring.full(b, a), ring.free_slots(b, a) == 0);
        ASSERT_EQ(ring.empty(b, a), ring.used(b, a) == 0);
      }
      ASSERT_EQ(ring.advance(a, size), a) << "one lap";
    }
  }
}

TEST(RingIndex, OneSlotStaysEmpty) {
  const RingIndex ring(6);
  uint32_t producer = 4;
  const uint32_t consumer = 4;
  uint32_t filled = 0;
  while (!ring.full(producer, consumer)) {
    producer = ring.next(producer);
    ++filled;
  }
  EXPECT_EQ(filled, 5u);
  EXPECT_EQ(producer, 3u);
}

TEST(RingIndex, LargestRing) {
  const RingIndex ring(0x80000001u);
  EXPECT_EQ(ring.distance(0x80000000u, 0), 1u);
  EXPECT_EQ(ring.advance(0x80000000u, 0x80000000u), 0x7FFFFFFFu);
}

}  // namespace
}  // namespace doorbell::desc
