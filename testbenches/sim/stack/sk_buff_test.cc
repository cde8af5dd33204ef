#include "sim/stack/sk_buff.h"

#include <gtest/gtest.h>

#include "sim/hal/scripted/scripted_hal.h"

namespace doorbell::stack {
namespace {

using hal::Op;

struct Bench {
  Bench() : pages(host.hal().dma), skbs(host.hal(), pages, 4) {
    PagePoolParams params;
    params.offset = 256;
    params.max_len = 3520;
    pool = std::make_unique<PagePool>(host.hal(), pages, params);
  }
  ~Bench() {
    for (const std::string& f : host.failures()) ADD_FAILURE() << f;
  }
  hal::ScriptedHal host;
  PageMap pages;
  SkbPool skbs;
  std::unique_ptr<PagePool> pool;
};

TEST(SkBuff, Geometry) {
  Bench b;
  SkBuff* skb = b.skbs.alloc(100);
  ASSERT_NE(skb, nullptr);
  EXPECT_EQ(skb->headroom(), 100u);
  EXPECT_EQ(skb->length(), 0u);
  uint8_t* start = skb->put(60);
  EXPECT_EQ(start, skb->data);
  EXPECT_EQ(skb->head_len(), 60u);
  skb->pull(14);
  EXPECT_EQ(skb->head_len(), 46u);
  skb->push(14);
  EXPECT_EQ(skb->data, start);
  EXPECT_EQ(skb->end - skb->head, 3776);
  Page* page = b.skbs.alloc_page();
  skb->add_frag(*page, page->data, 500);
  EXPECT_EQ(skb->length(), 560u);
  b.skbs.free(*skb);
  EXPECT_EQ(b.skbs.in_use(), 0u);
}

TEST(SkBuff, BuildAroundAPoolPageAndRecycle) {
  Bench b;
  Page* page = b.pool->alloc();
  b.host.reset_counts();
  SkBuff* skb = b.skbs.build(*page);
  ASSERT_NE(skb, nullptr);
  skb->pp_recycle = true;
  EXPECT_EQ(b.host.count(Op::kSkbBuild), 1u);
  EXPECT_EQ(b.host.count(Op::kCacheMiss), 1u);  // skb_shared_info
  b.skbs.free(*skb);
  EXPECT_EQ(b.host.count(Op::kSkbFree), 1u);
  EXPECT_EQ(b.host.count(Op::kLineClean), 55u);
  EXPECT_EQ(b.pool->inflight(), 0u);
}

TEST(SkBuff, ReusedOnesStartClean) {
  Bench b;
  SkBuff* skb = b.skbs.alloc(0);
  skb->vlan_present = true;
  skb->gso = Gso::kTcpV4;
  skb->ip_summed = Checksum::kPartial;
  b.skbs.free(*skb);
  SkBuff* again = b.skbs.alloc(0);
  EXPECT_EQ(again, skb);
  EXPECT_FALSE(again->vlan_present);
  EXPECT_EQ(again->gso, Gso::kNone);
  EXPECT_EQ(again->ip_summed, Checksum::kNone);
  b.skbs.free(*again);
}

TEST(SkBuff, PoolIsFiniteAndKeepsPlainPages) {
  Bench b;
  std::vector<SkBuff*> all;
  while (SkBuff* skb = b.skbs.alloc(0)) all.push_back(skb);
  EXPECT_EQ(all.size(), 4u);
  EXPECT_EQ(b.host.count(Op::kPageAlloc), 5u);  // the fifth found no sk_buff
  for (SkBuff* skb : all) b.skbs.free(*skb);
  const uint32_t pages = b.host.pages_out();
  for (int i = 0; i < 10; ++i) b.skbs.free(*b.skbs.alloc(0));
  EXPECT_EQ(b.host.pages_out(), pages);
}

TEST(SkBuff, InjectedFailure) {
  Bench b;
  b.skbs.fail_next(1);
  Page* page = b.pool->alloc();
  EXPECT_EQ(b.skbs.build(*page), nullptr);
  EXPECT_EQ(b.pool->inflight(), 1u);
  b.pool->put(*page, 0);
  SkBuff* skb = b.skbs.alloc(0);
  EXPECT_NE(skb, nullptr);
  b.skbs.free(*skb);
}

}  // namespace
}  // namespace doorbell::stack
