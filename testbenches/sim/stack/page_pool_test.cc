#include "sim/stack/page_pool.h"

#include <gtest/gtest.h>

#include "sim/hal/scripted/scripted_hal.h"

namespace doorbell::stack {
namespace {

using hal::Op;

struct Bench {
  explicit Bench(uint32_t size = 256) : pages(host.hal().dma) {
    params.size = size;
    params.offset = 256;
    params.max_len = 3520;
    pool = std::make_unique<PagePool>(host.hal(), pages, params);
  }
  ~Bench() {
    for (const std::string& f : host.failures()) ADD_FAILURE() << f;
  }
  hal::ScriptedHal host;
  PageMap pages;
  PagePoolParams params;
  std::unique_ptr<PagePool> pool;
};

TEST(PageMap, FindsPagesByPointerAndAddress) {
  hal::ScriptedHal host;
  PageMap map(host.hal().dma);
  uint8_t* a = host.hal().dma.alloc_page();
  uint8_t* b = host.hal().dma.alloc_page();
  uint8_t* c = host.hal().dma.alloc_page();
  Page& pb = map.adopt(b);
  Page& pc = map.adopt(c);
  Page& pa = map.adopt(a);  // below the first one
  EXPECT_EQ(&map.of(a), &pa);
  EXPECT_EQ(&map.of(b + 4095), &pb);
  EXPECT_EQ(&map.of_phys(host.hal().dma.phys(c) + 17), &pc);
  EXPECT_EQ(&map.adopt(b), &pb);
  EXPECT_EQ(pb.frame.page, &pb);
}

TEST(PagePool, FirstAllocRefillsCleanAndMapped) {
  Bench b;
  Page* page = b.pool->alloc();
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->pool, b.pool.get());
  EXPECT_EQ(b.host.pages_out(), 64u);
  EXPECT_EQ(b.host.mappings(), 64u);
  EXPECT_EQ(b.host.count(Op::kPageAlloc), 64u);
  EXPECT_EQ(b.host.count(Op::kPagePoolAlloc), 1u);
  EXPECT_EQ(b.host.count(Op::kLineClean), 64u * 55u);
  EXPECT_EQ(b.pool->inflight(), 1u);
  b.pool->put(*page, 0);
}

TEST(PagePool, PutCleansWhatItIsTold) {
  Bench b;
  Page* page = b.pool->alloc();
  const struct {
    uint32_t sync;
    uint64_t lines;
  } cases[] = {{0, 0}, {1, 1}, {60, 1}, {64, 1}, {65, 2}, {3520, 55}, {9999, 55}};
  for (const auto& c : cases) {
    b.host.reset_counts();
    b.pool->put(*page, c.sync);
    EXPECT_EQ(b.host.count(Op::kLineClean), c.lines) << c.sync;
    EXPECT_EQ(b.host.count(Op::kPagePoolPut), 1u);
    page = b.pool->alloc();
  }
  b.host.reset_counts();
  b.pool->put_full(*page);
  EXPECT_EQ(b.host.count(Op::kLineClean), 55u);
}

TEST(PagePool, CleanMakesWritesVisible) {
  Bench b;
  Page* page = b.pool->alloc();
  b.host.hal().dma.touch(page->data + 256, 1, hal::Touch::kWrite);
  page->data[256] = 0x5A;
  b.pool->put(*page, 1);
  EXPECT_EQ(b.host.device_read(page->dma + 256, 1)[0], 0x5A);
}

TEST(PagePool, CacheThenRingThenAllocator) {
  Bench b(16);
  std::vector<Page*> out;
  for (int i = 0; i < 256; ++i) out.push_back(b.pool->alloc());
  EXPECT_EQ(b.host.pages_out(), 256u);
  for (Page* page : out) b.pool->put(*page, 0);
  // 128 in the cache, 16 in the ring, the rest freed.
  EXPECT_EQ(b.host.pages_out(), 144u);
  EXPECT_EQ(b.host.mappings(), 144u);
  EXPECT_EQ(b.pool->inflight(), 0u);
  b.host.reset_counts();
  out.clear();
  for (int i = 0; i < 144; ++i) out.push_back(b.pool->alloc());
  EXPECT_EQ(b.host.count(Op::kPageAlloc), 48u);  // refill tops up to 64 behind the ring's 16
  for (Page* page : out) b.pool->put(*page, 0);
}

TEST(PagePool, ExhaustionAndInjectedFailure) {
  Bench b;
  b.host.fail_pages(1, 1000);
  EXPECT_EQ(b.pool->alloc(), nullptr);
  EXPECT_EQ(b.pool->inflight(), 0u);
  b.host.fail_pages(0, 0);
  b.pool->fail_allocs(2, 2);
  Page* a = b.pool->alloc();
  EXPECT_NE(a, nullptr);
  EXPECT_EQ(b.pool->alloc(), nullptr);
  EXPECT_EQ(b.pool->alloc(), nullptr);
  Page* c = b.pool->alloc();
  EXPECT_NE(c, nullptr);
  b.pool->put(*a, 0);
  b.pool->put(*c, 0);
}

TEST(PagePool, MapFailureFreesThePage) {
  Bench b;
  b.host.fail_maps(1, 1);
  EXPECT_EQ(b.pool->alloc(), nullptr);
  EXPECT_EQ(b.host.pages_out(), 0u);
}

TEST(PagePool, DestroyReportsLeaksAndFreesLateComers) {
  Bench b;
  Page* late = b.pool->alloc();
  Page* later = b.pool->alloc();
  EXPECT_EQ(b.pool->destroy(), 2u);
  EXPECT_EQ(b.host.pages_out(), 2u);
  b.pool->put_full(*late);
  b.pool->put(*later, 0);
  EXPECT_EQ(b.host.pages_out(), 0u);
  EXPECT_EQ(b.host.mappings(), 0u);
  EXPECT_EQ(b.pool->inflight(), 0u);
}

}  // namespace
}  // namespace doorbell::stack
