// Posted writes: order of arrival within a page, pages independent of each other, nothing lost.
#include "models/fabric/posted_writes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "models/base/random.h"
#include "testbenches/models/fabric/allocation_count.h"

namespace doorbell::fabric {
namespace {

using base::Picos;
using namespace base::literals;

constexpr uint64_t kPage = PostedWrites::kPageBytes;
constexpr uint64_t kBase = 0x80000000;

// Memory of a few megabytes that writes are applied to, and what was applied.
struct Image {
  struct Piece {
    uint64_t addr;
    uint32_t size;
  };
  std::vector<uint8_t> bytes = std::vector<uint8_t>(8 << 20);
  std::vector<Piece> applied;
  void operator()(uint64_t addr, const uint8_t* data, uint32_t size) {
    std::memcpy(&bytes[addr - kBase], data, size);
    applied.push_back({addr, size});
  }
  uint8_t at(uint64_t addr) const { return bytes[addr - kBase]; }
};

void post(PostedWrites& writes, Picos arrival, uint64_t addr, uint8_t value) {
  writes.post(arrival, addr, &value, 1);
}

TEST(PostedWrites, AreAppliedAtTheirArrivalAndNotBefore) {
  PostedWrites writes;
  Image image;
  EXPECT_TRUE(writes.empty());
  post(writes, 100_ns, kBase + 7, 42);
  EXPECT_EQ(writes.waiting(), 1u);
  writes.settle(kBase, kPage, 100_ns - Picos(1), image);
  EXPECT_EQ(image.at(kBase + 7), 0);
  EXPECT_FALSE(writes.empty());
  writes.settle(kBase, kPage, 100_ns, image);
  EXPECT_EQ(image.at(kBase + 7), 42);
  EXPECT_TRUE(writes.empty());
  writes.settle(kBase, kPage, 1_us, image);
  EXPECT_EQ(image.applied.size(), 1u) << "once";
}

TEST(PostedWrites, WithinAPageInOrderOfArrivalWhateverTheCalls) {
  std::array<unsigned, 4> order = {0, 1, 2, 3};
  do {
    PostedWrites writes;
    Image image;
    for (const unsigned i : order) {
      // All of the same page, so that the last to arrive is what stays at offset 0.
      const uint8_t data[2] = {static_cast<uint8_t>(10 + i), static_cast<uint8_t>(10 + i)};
      writes.post(100_ns * (i + 1), kBase, data, i == 2 ? 1 : 2);
    }
    for (unsigned i = 0; i < 4; ++i) {
      writes.settle(kBase, 1, 100_ns * (i + 1), image);
      ASSERT_EQ(image.at(kBase), 10 + i);
      ASSERT_EQ(image.at(kBase + 1), 10 + (i == 2 ? 1 : i)) << "the third is one byte";
    }
    PostedWrites again;
    Image at_once;
    for (const unsigned i : order) {
      const uint8_t value = static_cast<uint8_t>(10 + i);
      again.post(100_ns * (i + 1), kBase, &value, 1);
    }
    again.settle(kBase, 1, 1_us, at_once);
    ASSERT_EQ(at_once.at(kBase), 13);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(PostedWrites, OfEqualArrivalTheLaterCallWins) {
  PostedWrites writes;
  Image image;
  post(writes, 300_ns, kBase, 9);
  for (uint8_t i = 1; i <= 5; ++i) {
    post(writes, 200_ns, kBase, i);
  }
  post(writes, 100_ns, kBase, 8);
  writes.settle(kBase, 1, 200_ns, image);
  EXPECT_EQ(image.at(kBase), 5);
  EXPECT_EQ(writes.waiting(), 1u);
}

// A core looks at its own ring only: what it does not look at stays where it is, so that another
// core that lags sees no page early.
TEST(PostedWrites, PagesAreIndependent) {
  PostedWrites writes;
  Image image;
  post(writes, 100_ns, kBase, 1);
  post(writes, 50_ns, kBase + kPage, 2);
  post(writes, 50_ns, kBase + 2 * kPage - 1, 3);
  writes.settle(kBase, kPage, 500_ns, image);
  EXPECT_EQ(image.at(kBase), 1);
  EXPECT_EQ(image.at(kBase + kPage), 0);
  EXPECT_EQ(image.at(kBase + 2 * kPage - 1), 0);
  // Any byte of a page stands for all of it.
  writes.settle(kBase + kPage + 100, 1, 60_ns, image);
  EXPECT_EQ(image.at(kBase + kPage), 2);
  EXPECT_EQ(image.at(kBase + 2 * kPage - 1), 3);
}

// Pages are found by a hash: those that fall together, whichever they are, still do not mix.
TEST(PostedWrites, PagesThatAreFoundTogetherAreIndependent) {
  Image image;
  for (uint64_t other = 1; other < 2047; ++other) {
    PostedWrites writes;
    const uint64_t far = kBase + other * kPage;
    image.bytes[0] = 0;
    post(writes, 30_ns, far, 1);
    post(writes, 20_ns, kBase, 2);
    post(writes, 10_ns, far, 3);
    post(writes, 40_ns, kBase, 4);
    writes.settle(kBase, 1, 1_us, image);
    ASSERT_EQ(image.at(kBase), 4) << other;
    ASSERT_EQ(image.at(far), 0) << other;
    ASSERT_EQ(writes.waiting(), 2u) << other;
    writes.settle(far, 1, 1_us, image);
    ASSERT_EQ(image.at(far), 1) << other;
    ASSERT_TRUE(writes.empty()) << other;
  }
}

TEST(PostedWrites, OneThatCrossesPagesArrivesInEach) {
  PostedWrites writes;
  Image image;
  std::vector<uint8_t> data(2 * kPage + 100);
  for (size_t i = 0; i < data.size(); ++i) {
    data[i] = static_cast<uint8_t>(1 + i % 250);
  }
  const uint64_t from = kBase + kPage - 50;  // 50 bytes, a page, a page, 50 bytes
  writes.post(100_ns, from, data.data(), static_cast<uint32_t>(data.size()));
  EXPECT_EQ(writes.waiting(), 4u);
  writes.settle(kBase + 2 * kPage, 1, 100_ns, image);
  EXPECT_EQ(image.at(kBase + 2 * kPage - 1), 0);
  EXPECT_EQ(image.at(kBase + 2 * kPage), data[kPage + 50]);
  EXPECT_EQ(image.at(kBase + 3 * kPage - 1), data[2 * kPage + 49]);
  EXPECT_EQ(image.at(kBase + 3 * kPage), 0);
  writes.settle(from, data.size(), 100_ns, image);
  EXPECT_TRUE(std::equal(data.begin(), data.end(), &image.bytes[from - kBase]));
  for (const auto& piece : image.applied) {
    EXPECT_EQ(piece.addr / kPage, (piece.addr + piece.size - 1) / kPage);
  }
}

// A range's last page counts, and a look at nothing looks at its page.
TEST(PostedWrites, LooksReachTheLastPageOfTheirRange) {
  PostedWrites writes;
  Image image;
  post(writes, 1_ns, kBase + kPage, 1);
  post(writes, 1_ns, kBase + 2 * kPage, 2);
  writes.settle(kBase, kPage, 1_us, image);
  EXPECT_EQ(writes.waiting(), 2u);
  writes.settle(kBase, kPage + 1, 1_us, image);
  EXPECT_EQ(image.at(kBase + kPage), 1);
  EXPECT_EQ(image.at(kBase + 2 * kPage), 0);
  writes.settle(kBase + 2 * kPage, 0, 1_us, image);
  EXPECT_EQ(image.at(kBase + 2 * kPage), 2);
}

TEST(PostedWrites, BlocksOfAnySizeKeepTheirBytes) {
  PostedWrites writes;
  Image image;
  const uint32_t sizes[] = {1, 2, 63, 64, 65, 128, 1500, 4095, 4096};
  std::vector<uint8_t> data(kPage);
  // All wait at the same time, more than once each: no two share their bytes.
  for (uint32_t round = 0; round < 20; ++round) {
    for (uint32_t i = 0; i < std::size(sizes); ++i) {
      std::fill(data.begin(), data.end(), static_cast<uint8_t>(round * 9 + i + 1));
      writes.post(10_ns, kBase + (round * std::size(sizes) + i) * kPage, data.data(), sizes[i]);
    }
  }
  std::fill(data.begin(), data.end(), 0);  // the caller's bytes are its own again
  writes.settle_all(10_ns, image);
  for (uint32_t round = 0; round < 20; ++round) {
    for (uint32_t i = 0; i < std::size(sizes); ++i) {
      const uint64_t page = kBase + (round * std::size(sizes) + i) * kPage;
      const auto value = static_cast<uint8_t>(round * 9 + i + 1);
      ASSERT_EQ(image.at(page), value);
      ASSERT_EQ(image.at(page + sizes[i] - 1), value);
      if (sizes[i] < kPage) {
        ASSERT_EQ(image.at(page + sizes[i]), 0);
      }
    }
  }
}

TEST(PostedWrites, OverlayShowsWhatHasArrivedAndAppliesNothing) {
  PostedWrites writes;
  Image image;
  const uint8_t data[4] = {1, 2, 3, 4};
  writes.post(100_ns, kBase + kPage - 2, data, 4);  // across two pages
  post(writes, 200_ns, kBase + kPage - 1, 9);
  post(writes, 50_ns, kBase + kPage - 3, 7);
  std::array<uint8_t, 6> look{};
  look.fill(0xEE);
  const uint64_t from = kBase + kPage - 3;
  writes.overlay(from, {look.data(), look.size()}, 49_ns);
  EXPECT_EQ(look, (std::array<uint8_t, 6>{0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE}));
  writes.overlay(from, {look.data(), look.size()}, 100_ns);
  EXPECT_EQ(look, (std::array<uint8_t, 6>{7, 1, 2, 3, 4, 0xEE}));
  writes.overlay(from, {look.data(), look.size()}, 200_ns);
  EXPECT_EQ(look, (std::array<uint8_t, 6>{7, 1, 9, 3, 4, 0xEE}));
  // A part of a write's bytes.
  std::array<uint8_t, 1> one{};
  writes.overlay(kBase + kPage + 1, {one.data(), one.size()}, 200_ns);
  EXPECT_EQ(one[0], 4);
  EXPECT_EQ(writes.waiting(), 4u);
  writes.settle(from, 1, 150_ns, image);
  EXPECT_EQ(image.at(from + 1), 1) << "the one at 200 has not arrived for this core";
  EXPECT_EQ(image.at(from + 2), 2);
}

TEST(PostedWrites, SettleAllReachesEveryPageUpToItsTime) {
  PostedWrites writes;
  Image image;
  for (uint32_t i = 0; i < 1500; ++i) {
    post(writes, Picos(i), kBase + i * kPage, 1);
  }
  writes.settle_all(Picos(999), image);
  for (uint32_t i = 0; i < 1500; ++i) {
    ASSERT_EQ(image.at(kBase + i * kPage), i <= 999 ? 1 : 0) << i;
  }
  EXPECT_EQ(writes.waiting(), 500u);
}

// Pages that nobody ever looks at, such as payload that is only forwarded, do not pile up; and what
// a core that lags could still look at is left alone.
TEST(PostedWrites, RelieveKeepsFewWaitingAndAppliesNothingEarly) {
  constexpr Picos kLookback = 500_ns;
  PostedWrites writes;
  writes.set_lookback(kLookback);
  base::Stream random(3, "relieve");
  uint32_t most = 0;
  uint64_t applied = 0;
  Picos look;
  const auto apply = [&](uint64_t, const uint8_t* data, uint32_t) {
    ASSERT_LE(Picos(base::load_le<int64_t>(data)), look - kLookback);
    ++applied;
  };
  Image image;
  for (int64_t i = 0; i < 200000; ++i) {
    writes.relieve(apply);
    const Picos arrival = 5_ns * i + Picos(static_cast<int64_t>(random.below(300000)));
    uint8_t data[8];
    base::store_le<int64_t>(data, arrival.count());
    writes.post(arrival, kBase + random.below(2000) * kPage, data, 8);
    if (i % 10 == 0) {
      look = 5_ns * i;
      writes.settle(kBase + 2047 * kPage, 1, look, image);  // a page without any
    }
    most = std::max(most, writes.waiting());
  }
  // Some 160 are within lookback and flight at any time.
  EXPECT_LE(most, 4096u);
  EXPECT_GT(applied, 190000u);
  EXPECT_EQ(applied + writes.waiting(), 200000u);
}

TEST(PostedWrites, NothingIsAllocatedInSteadyState) {
  PostedWrites writes;
  Image image;
  image.applied.reserve(1 << 20);
  std::vector<uint8_t> data(1500, 1);
  base::Stream random(5, "steady");
  const auto traffic = [&](int from, int count) {
    for (int i = from; i < from + count; ++i) {
      const Picos now = 10_ns * i;
      const uint64_t page = kBase + random.below(500) * kPage;
      writes.post(now + 300_ns, page, data.data(), i % 16 == 0 ? 1500 : 64);
      writes.settle(page, 64, now, image);
      writes.relieve(image);
    }
  };
  traffic(0, 20000);
  image.applied.clear();
  const uint64_t before = test::allocations();
  traffic(20000, 100000);
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(image.applied.size(), 90000u);
}

// A burst may take more room than ever before; once it has been, the same burst finds it.
TEST(PostedWrites, ABurstAllocatesOnceAndItsEndNever) {
  PostedWrites writes;
  std::vector<uint8_t> data(kPage, 1);
  uint64_t applied = 0;
  const auto count = [&applied](uint64_t, const uint8_t*, uint32_t) { ++applied; };
  const auto burst = [&](Picos arrival) {
    for (uint32_t i = 0; i < 10000; ++i) {
      writes.post(arrival, kBase + i * kPage, data.data(), i % 16 == 0 ? 1500 : 64);
    }
  };
  burst(1_us);
  uint64_t before = test::allocations();
  writes.settle_all(1_us, count);
  EXPECT_EQ(test::allocations(), before);
  burst(2_us);
  writes.settle_all(2_us, count);
  EXPECT_EQ(test::allocations(), before);
  EXPECT_EQ(applied, 20000u);
}

// The same by the plainest means: a list that is sorted for every look.
class NaiveWrites {
 public:
  void post(Picos arrival, uint64_t addr, const std::vector<uint8_t>& data) {
    size_t done = 0;
    while (done < data.size()) {
      const size_t part = std::min<size_t>(data.size() - done, kPage - (addr + done) % kPage);
      const auto from = data.begin() + static_cast<std::ptrdiff_t>(done);
      pieces_.push_back({arrival, addr + done, {from, from + static_cast<std::ptrdiff_t>(part)}});
      done += part;
    }
  }
  // `memory` is what lies at `base`; what lies outside of it is skipped.
  void show(uint64_t first_page, uint64_t last_page, Picos t, uint64_t base,
            std::vector<uint8_t>& memory) {
    std::stable_sort(pieces_.begin(), pieces_.end(),
                     [](const Piece& a, const Piece& b) { return a.arrival < b.arrival; });
    for (const Piece& p : pieces_) {
      for (size_t i = 0; p.due(first_page, last_page, t) && i < p.data.size(); ++i) {
        const uint64_t at = p.addr + i - base;
        if (at < memory.size()) {
          memory[at] = p.data[i];
        }
      }
    }
  }
  void settle(uint64_t first_page, uint64_t last_page, Picos t, std::vector<uint8_t>& memory) {
    show(first_page, last_page, t, kBase, memory);
    pieces_.erase(std::remove_if(pieces_.begin(), pieces_.end(),
                                 [&](const Piece& p) { return p.due(first_page, last_page, t); }),
                  pieces_.end());
  }
  bool empty() const { return pieces_.empty(); }

 private:
  struct Piece {
    Picos arrival;
    uint64_t addr;
    std::vector<uint8_t> data;
    bool due(uint64_t first_page, uint64_t last_page, Picos t) const {
      return arrival <= t && addr / kPage >= first_page && addr / kPage <= last_page;
    }
  };
  std::vector<Piece> pieces_;  // of the same arrival: in the order of calls
};

TEST(PostedWrites, AsANaiveListDoes) {
  // Few places, so that writes overlap: three neighbours, and one that is found with the first.
  const uint64_t pages[] = {0, 1, 2, 1025};
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    base::Stream random(seed, "naive");
    PostedWrites writes;
    NaiveWrites naive;
    Image image;
    std::vector<uint8_t> expected(image.bytes.size());
    const auto place = [&] {
      return kBase + pages[random.below(4)] * kPage + random.below(3) * 2000 + random.below(96);
    };
    for (int64_t step = 0; step < 400; ++step) {
      const Picos now = 1_ns * step;
      // Few distinct times: many arrive together.
      const Picos when = now + 10_ns * static_cast<int64_t>(random.below(8));
      const uint64_t addr = place();
      const uint64_t last = addr + random.below(5000);
      switch (random.below(8)) {
        case 0:
          writes.settle(addr, last - addr + 1, now, image);
          naive.settle(addr / kPage, last / kPage, now, expected);
          break;
        case 1: {
          std::vector<uint8_t> seen(&image.bytes[addr - kBase], &image.bytes[last + 1 - kBase]);
          writes.overlay(addr, {seen.data(), seen.size()}, when);
          std::vector<uint8_t> want(&expected[addr - kBase], &expected[last + 1 - kBase]);
          naive.show(addr / kPage, last / kPage, when, addr, want);
          ASSERT_EQ(seen, want) << "seed " << seed << ", step " << step;
          break;
        }
        case 2:
          if (random.below(10) == 0) {
            writes.settle_all(now, image);
            naive.settle(0, UINT64_MAX, now, expected);
          }
          break;
        default: {
          const size_t size = random.below(6) == 0 ? last - addr + 1 : 1 + random.below(70);
          std::vector<uint8_t> data(size);
          for (auto& byte : data) {
            byte = static_cast<uint8_t>(random.below(256));
          }
          writes.post(when, addr, data.data(), static_cast<uint32_t>(size));
          naive.post(when, addr, data);
          break;
        }
      }
      ASSERT_EQ(writes.empty(), naive.empty());
    }
    ASSERT_TRUE(image.bytes == expected) << "seed " << seed;
    writes.settle_all(1_ms, image);
    naive.settle(0, UINT64_MAX, 1_ms, expected);
    ASSERT_TRUE(image.bytes == expected) << "seed " << seed;
    ASSERT_TRUE(writes.empty());
  }
}

}  // namespace
}  // namespace doorbell::fabric
