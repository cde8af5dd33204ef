#include "sim/stack/page_pool.h"

#include <cassert>

namespace doorbell::stack {

Page& PageMap::adopt(uint8_t* data) {
  const hal::DmaAddr phys = dma_.phys(data);
  assert(phys % kPageBytes == 0);
  const hal::DmaAddr number = phys / kPageBytes;
  if (slots_.empty()) first_ = number;
  if (number < first_) {
    slots_.insert(slots_.begin(), static_cast<size_t>(first_ - number), nullptr);
    first_ = number;
  }
  const auto index = static_cast<size_t>(number - first_);
  if (index >= slots_.size()) slots_.resize(index + 1 + slots_.size() / 2, nullptr);
  if (slots_[index] == nullptr) {
    if (records_ % kChunk == 0) chunks_.emplace_back(kChunk);
    slots_[index] = &chunks_.back()[records_++ % kChunk];
  }
  Page& page = *slots_[index];
  page.data = data;
  page.phys = phys;
  page.frame.page = &page;
  return page;
}

Page& PageMap::of_phys(hal::DmaAddr phys) const {
  const hal::DmaAddr number = phys / kPageBytes;
  assert(number >= first_ && number - first_ < slots_.size());
  Page* page = slots_[static_cast<size_t>(number - first_)];
  assert(page != nullptr);
  return *page;
}

PagePool::PagePool(hal::Hal& hal, PageMap& pages, const PagePoolParams& params)
    : hal_(hal), pages_(pages), params_(params), ring_(params.size, nullptr) {
  assert(params.offset + params.max_len <= kPageBytes);
  cache_.reserve(kCachePages);
}

PagePool::~PagePool() {
  destroy();
}

void PagePool::fail_allocs(uint32_t after, uint32_t count) {
  fail_after_ = after;
  fail_count_ = count;
}

bool PagePool::injected_failure() {
  if (fail_count_ == 0) return false;
  if (fail_after_ > 1) {
    --fail_after_;
    return false;
  }
  --fail_count_;
  return true;
}

Page* PagePool::alloc() {
  hal_.cpu.charge(hal::Op::kPagePoolAlloc);
  if (injected_failure()) return nullptr;
  if (cache_.empty() && !refill()) return nullptr;
  Page* page = cache_.back();
  cache_.pop_back();
  page->out = true;
  ++inflight_;
  return page;
}

bool PagePool::refill() {
  while (ring_count_ > 0 && cache_.size() < kRefillPages) {
    cache_.push_back(ring_[ring_head_]);
    ring_head_ = ring_head_ + 1 == params_.size ? 0 : ring_head_ + 1;
    --ring_count_;
  }
  while (cache_.size() < kRefillPages) {
    uint8_t* data = hal_.dma.alloc_page();
    if (data == nullptr) break;
    hal_.cpu.charge(hal::Op::kPageAlloc);
    bool ok = false;
    const hal::DmaAddr dma = hal_.dma.map_no_sync(data, kPageBytes, params_.direction, ok);
    if (!ok) {
      hal_.dma.free_page(data);
      break;
    }
    Page& page = pages_.adopt(data);
    page.dma = dma;
    page.pool = this;
    page.out = false;
    // The allocator hands out lines that anybody may have dirtied.
    hal_.dma.sync_for_device(dma + params_.offset, params_.max_len, params_.direction);
    cache_.push_back(&page);
  }
  return !cache_.empty();
}

void PagePool::put(Page& page, uint32_t sync_bytes) {
  assert(page.pool == this && page.out);
  hal_.cpu.charge(hal::Op::kPagePoolPut);
  page.out = false;
  assert(inflight_ > 0);
  --inflight_;
  if (destroyed_) {
    release(page);
    return;
  }
  if (sync_bytes > params_.max_len) sync_bytes = params_.max_len;
  if (sync_bytes > 0) {
    hal_.dma.sync_for_device(page.dma + params_.offset, sync_bytes, params_.direction);
  }
  if (cache_.size() < kCachePages) {
    cache_.push_back(&page);
  } else if (ring_count_ < params_.size) {
    const uint32_t slot = ring_head_ + ring_count_;
    ring_[slot < params_.size ? slot : slot - params_.size] = &page;
    ++ring_count_;
  } else {
    release(page);
  }
}

void PagePool::release(Page& page) {
  hal_.dma.unmap_no_sync(page.dma, kPageBytes, params_.direction);
  page.pool = nullptr;
  hal_.dma.free_page(page.data);
}

uint32_t PagePool::destroy() {
  destroyed_ = true;
  for (Page* page : cache_) release(*page);
  cache_.clear();
  while (ring_count_ > 0) {
    release(*ring_[ring_head_]);
    ring_head_ = ring_head_ + 1 == params_.size ? 0 : ring_head_ + 1;
    --ring_count_;
  }
  return inflight_;
}

}  // namespace doorbell::stack
