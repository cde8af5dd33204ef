// Each ownership scheme, played by both sides over several laps.
#include "models/desc/ownership.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/desc/desc_state.h"

namespace doorbell::desc {
namespace {

TEST(OwnBit, HandsOverAndWraps) {
  using Own = OwnBit<uint16_t, 0x8000, 0x2000>;
  std::vector<uint16_t> ring = {0x1400, 0x1400, 0x3400};
  uint32_t device = 0;
  for (int step = 0; step < 7; ++step) {
    uint16_t& word = ring[device];
    EXPECT_FALSE(Own::device_owns(word));
    const uint16_t kept = word;
    word = Own::to_device(word);
    EXPECT_TRUE(Own::device_owns(word));
    word = Own::to_software(word);
    EXPECT_EQ(word, kept) << "the other bits stay";
    device = Own::next(device, word);
    EXPECT_EQ(device, static_cast<uint32_t>(step + 1) % 3);
  }
}

TEST(DoneBit, SetByDeviceClearedBySoftware) {
  using Done = DoneBit<uint64_t, 1>;
  EXPECT_FALSE(Done::done(0xF0));
  EXPECT_EQ(Done::finish(0xF0), 0xF1u);
  EXPECT_TRUE(Done::done(0xF1));
  EXPECT_EQ(Done::clear(0xF1), 0xF0u);
}

// Numbers of the closed form 1 + floor(k / 255) mod 3 for a ring of 256.
TEST(OwnerCounter, EpochOfEachActivation) {
  OwnerCounter counter(256);
  for (uint32_t k = 0; k < 3000; ++k) {
    ASSERT_EQ(counter.activate(k % 256), 1 + (k / 255) % 3) << "activation " << k;
  }
}

TEST(OwnerCounter, DeviceTellsNewFromStaleWithoutKnowingTheSize) {
  for (uint32_t size : {2u, 5u, 16u, 256u}) {
    SCOPED_TRACE(size);
    OwnerCounter software(size);
    std::vector<uint32_t> ring(size, 0);
    uint32_t last = 1;
    for (uint32_t k = 0; k < 20 * size; ++k) {
      const uint32_t slot = k % size;
      ASSERT_FALSE(OwnerCounter::is_new(ring[slot], last)) << "stale entry taken, k = " << k;
      const uint32_t submitted = software.activate(slot);
      ASSERT_FALSE(OwnerCounter::completed(ring[slot], submitted)) << "old echo matches, k = " << k;
      ring[slot] = submitted;
      ASSERT_TRUE(OwnerCounter::is_new(ring[slot], last)) << "new entry missed, k = " << k;
      last = ring[slot];
      ASSERT_TRUE(OwnerCounter::completed(last, submitted));
    }
  }
}

TEST(ValidBit, FlipsEachLapAndZeroedMemoryIsInvalid) {
  ValidBit producer(8);
  ValidBit consumer(8);
  std::vector<bool> ring(8, false);
  for (uint32_t k = 0; k < 50; ++k) {
    ASSERT_EQ(consumer.slot(), k % 8);
    ASSERT_FALSE(consumer.is_valid(ring[consumer.slot()])) << "entry of the lap before, k = " << k;
    ring[producer.slot()] = producer.polarity();
    ASSERT_EQ(producer.polarity(), (k / 8) % 2 == 0);
    producer.advance();
    ASSERT_TRUE(consumer.is_valid(ring[consumer.slot()]));
    consumer.advance();
    ASSERT_EQ(consumer.count(), (k + 1) % 16) << "indices count modulo twice the size";
  }
}

TEST(DescState, NamesAndOrder) {
  using S = DescState;
  EXPECT_STREQ(state_name(S::kFetching), "Fetching");
  EXPECT_STREQ(state_name(S::kReady), "Ready");
  EXPECT_STREQ(state_name(S::kMoving), "Moving");
  EXPECT_STREQ(state_name(S::kWritingBack), "WritingBack");
  EXPECT_STREQ(state_name(S::kReturned), "Returned");
  EXPECT_TRUE(may_follow(S::kFetching, S::kReady));
  EXPECT_TRUE(may_follow(S::kMoving, S::kReturned)) << "a stopped engine lets go";
  EXPECT_TRUE(may_follow(S::kReturned, S::kFetching));
  EXPECT_FALSE(may_follow(S::kFetching, S::kMoving));
  EXPECT_FALSE(may_follow(S::kReady, S::kFetching));
  EXPECT_FALSE(may_follow(S::kReturned, S::kReturned));
}

}  // namespace
}  // namespace doorbell::desc
