#include "sim/stack/sk_buff.h"

#include <cassert>

namespace doorbell::stack {

namespace {
// The head of skb_shared_info that building zeroes and freeing reads: one cache line.
constexpr uint32_t kSharedInfoTouched = 40;
}  // namespace

void SkBuff::add_frag(Page& page, uint8_t* bytes, uint32_t size) {
  assert(frag_count < kMaxSkbFrags);
  frags[frag_count++] = SkbFrag{&page, bytes, size};
  frag_bytes += size;
}

SkbPool::SkbPool(hal::Hal& hal, PageMap& pages, uint32_t count)
    : hal_(hal), pages_(pages), storage_(count) {
  free_.reserve(count);
  for (auto it = storage_.rbegin(); it != storage_.rend(); ++it) free_.push_back(&*it);
  stash_.reserve(count);
}

SkbPool::~SkbPool() {
  for (Page* page : stash_) hal_.dma.free_page(page->data);
}

SkBuff* SkbPool::take() {
  hal_.cpu.charge(hal::Op::kSkbBuild);
  if (fail_next_ > 0) {
    --fail_next_;
    return nullptr;
  }
  if (free_.empty()) return nullptr;
  SkBuff* skb = free_.back();
  free_.pop_back();
  return skb;
}

SkBuff* SkbPool::build(Page& page) {
  SkBuff* skb = take();
  if (skb == nullptr) return nullptr;
  *skb = SkBuff{};
  skb->head = skb->data = skb->tail = page.data;
  skb->end = page.data + kPageBytes - kSharedInfoBytes;
  skb->head_page = &page;
  hal_.dma.touch(skb->end, kSharedInfoTouched, hal::Touch::kWrite);
  return skb;
}

SkBuff* SkbPool::alloc(uint32_t headroom) {
  Page* page = alloc_page();
  if (page == nullptr) return nullptr;
  SkBuff* skb = build(*page);
  if (skb == nullptr) {
    free_page(*page);
    return nullptr;
  }
  skb->reserve(headroom);
  return skb;
}

void SkbPool::free(SkBuff& skb) {
  hal_.cpu.charge(hal::Op::kSkbFree);
  skb.orphan();
  hal_.dma.touch(skb.end, kSharedInfoTouched, hal::Touch::kRead);
  for (unsigned i = 0; i < skb.frag_count; ++i) {
    Page& page = *skb.frags[i].page;
    if (skb.pp_recycle && page.pool != nullptr) {
      page.pool->put_full(page);
    } else {
      free_page(page);
    }
  }
  Page& head = *skb.head_page;
  if (skb.pp_recycle && head.pool != nullptr) {
    head.pool->put_full(head);
  } else {
    free_page(head);
  }
  skb.head_page = nullptr;
  free_.push_back(&skb);
}

Page* SkbPool::alloc_page() {
  if (!stash_.empty()) {
    Page* page = stash_.back();
    stash_.pop_back();
    return page;
  }
  uint8_t* data = hal_.dma.alloc_page();
  if (data == nullptr) return nullptr;
  hal_.cpu.charge(hal::Op::kPageAlloc);
  return &pages_.adopt(data);
}

void SkbPool::free_page(Page& page) {
  assert(page.pool == nullptr);
  stash_.push_back(&page);
}

}  // namespace doorbell::stack
