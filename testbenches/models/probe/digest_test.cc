#include "models/probe/digest.h"

#include <gtest/gtest.h>

#include <vector>

namespace doorbell::probe {
namespace {

using base::Picos;

std::vector<uint8_t> frame(size_t n) {
  std::vector<uint8_t> out(n);
  for (size_t i = 0; i < n; ++i) out[i] = static_cast<uint8_t>(i * 7 + 3);
  return out;
}

TEST(Digest, SameInputSameValueAndKnownForAllMachines) {
  const auto bytes = frame(60);
  Digest a;
  Digest b;
  for (Digest* d : {&a, &b}) {
    d->add_frame(Picos(672000), {bytes.data(), bytes.size()});
    d->add_u64(17);
  }
  EXPECT_EQ(a.value(), b.value());
  // Pinned: a change of the digest's definition makes all published digests void.
  EXPECT_EQ(a.hex(), "92903e835a43890a");
}

TEST(Digest, EveryBitOfFrameAndTimeCounts) {
  auto bytes = frame(60);
  Digest reference;
  reference.add_frame(Picos(1000), {bytes.data(), bytes.size()});
  for (size_t i = 0; i < bytes.size() * 8; ++i) {
    bytes[i / 8] ^= static_cast<uint8_t>(1 << i % 8);
    Digest other;
    other.add_frame(Picos(1000), {bytes.data(), bytes.size()});
    EXPECT_NE(other.value(), reference.value()) << "bit " << i;
    bytes[i / 8] ^= static_cast<uint8_t>(1 << i % 8);
  }
  Digest later;
  later.add_frame(Picos(1001), {bytes.data(), bytes.size()});
  EXPECT_NE(later.value(), reference.value());
}

TEST(Digest, OrderCounts) {
  Digest a;
  a.add_u64(1);
  a.add_u64(2);
  Digest b;
  b.add_u64(2);
  b.add_u64(1);
  EXPECT_NE(a.value(), b.value());
}

TEST(Digest, ZerosCount) {
  Digest a;
  a.add_u64(0);
  Digest b;
  b.add_u64(0);
  b.add_u64(0);
  EXPECT_NE(a.value(), Digest().value());
  EXPECT_NE(a.value(), b.value());
}

TEST(Digest, HexHasSixteenDigits) {
  Digest d;
  EXPECT_EQ(d.hex(), "d6e8feb86659fd93");
}

}  // namespace
}  // namespace doorbell::probe
