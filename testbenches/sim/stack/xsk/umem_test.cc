// UMEM: what setsockopt takes, which descriptors and fill addresses are valid.
#include <gtest/gtest.h>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

UmemConfig config(uint32_t bytes, uint32_t chunk, uint32_t headroom = 0, uint32_t flags = 0) {
  UmemConfig c;
  c.bytes = bytes;
  c.chunk_bytes = chunk;
  c.headroom = headroom;
  c.flags = flags;
  return c;
}

TEST(XskUmem, WhatIsRefused) {
  EXPECT_EQ(check_umem(config(8192, 2048)), 0);
  EXPECT_EQ(check_umem(config(8192, 4096)), 0);
  EXPECT_EQ(check_umem(config(8192, 1024)), -EINVAL) << "chunks are at least 2 KiB";
  EXPECT_EQ(check_umem(config(16384, 8192)), -EINVAL) << "and at most a page";
  EXPECT_EQ(check_umem(config(9000, 3000)), -EINVAL) << "and powers of two";
  EXPECT_EQ(check_umem(config(9000, 3000, 0, kUmemUnaligned)), 0) << "but not in unaligned mode";
  EXPECT_EQ(check_umem(config(5000, 2048)), -EINVAL) << "whole chunks only";
  EXPECT_EQ(check_umem(config(5000, 2048, 0, kUmemUnaligned)), 0);
  EXPECT_EQ(check_umem(config(0, 2048)), -EINVAL);
  EXPECT_EQ(check_umem(config(8192, 2048, 1791)), 0);
  EXPECT_EQ(check_umem(config(8192, 2048, 1792)), -EINVAL) << "no byte left for a packet";
  EXPECT_EQ(check_umem(config(8192, 2048, 0, 2)), -EINVAL) << "unknown flag";
}

TEST(XskUmem, AlignedDescriptors) {
  hal::ScriptedHal host;
  const Umem umem(host.shared(), config(8192, 2048));
  EXPECT_TRUE(umem.valid_desc({0, 2048, 0}));
  EXPECT_TRUE(umem.valid_desc({6144 + 100, 1948, 0}));
  EXPECT_FALSE(umem.valid_desc({6144 + 100, 1949, 0})) << "over the chunk's end";
  EXPECT_FALSE(umem.valid_desc({8192, 60, 0})) << "behind the UMEM";
  EXPECT_FALSE(umem.valid_desc({0, 0, 0})) << "nothing to send";
  EXPECT_FALSE(umem.valid_desc({0, 60, 1})) << "options are refused";
  EXPECT_FALSE(umem.valid_desc({uint64_t{1} << 48, 60, 0})) << "no offset bits in aligned mode";
  uint64_t addr = 2048 + 77;
  EXPECT_TRUE(umem.valid_fill(addr));
  EXPECT_EQ(addr, 2048u) << "anywhere in a chunk means the chunk";
  addr = 8192;
  EXPECT_FALSE(umem.valid_fill(addr));
  EXPECT_EQ(umem.chunk_of(4096 + 5), 2u);
}

TEST(XskUmem, UnalignedDescriptors) {
  hal::ScriptedHal host;
  const Umem umem(host.shared(), config(10000, 2048, 0, kUmemUnaligned));
  EXPECT_TRUE(umem.valid_desc({7, 2048, 0}));
  EXPECT_TRUE(umem.valid_desc({uint64_t{100} << 48 | 4000, 2048, 0})) << "over a page border";
  EXPECT_EQ(umem.at(uint64_t{100} << 48 | 4000) - umem.data(), 4100);
  EXPECT_FALSE(umem.valid_desc({7, 2049, 0})) << "longer than a chunk";
  EXPECT_FALSE(umem.valid_desc({9000, 1001, 0})) << "over the end";
  EXPECT_FALSE(umem.valid_desc({uint64_t{2000} << 48 | 9000, 60, 0})) << "offset leads out";
  uint64_t addr = uint64_t{55} << 48 | 7000;
  EXPECT_TRUE(umem.valid_fill(addr));
  EXPECT_EQ(addr, 7000u) << "an offset means nothing in the fill ring";
  addr = 7953;
  EXPECT_FALSE(umem.valid_fill(addr)) << "no whole chunk from there";
}

TEST(XskUmem, UnalignedWithoutContiguousPages) {
  hal::ScriptedHal host;
  UmemConfig scattered = config(16384, 2048, 0, kUmemUnaligned);
  scattered.contiguous = false;
  const Umem umem(host.shared(), scattered);
  EXPECT_TRUE(umem.valid_desc({2048, 2048, 0}));
  EXPECT_FALSE(umem.valid_desc({2049, 2048, 0})) << "its last byte is on a page that is elsewhere";
  uint64_t addr = 2100;
  EXPECT_FALSE(umem.valid_fill(addr));
}

}  // namespace
}  // namespace doorbell::stack::xsk
