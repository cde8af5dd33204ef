// Pages and the page pool that receive rings draw their buffers from.
//
// Modelled: a per-pool cache of 128 pages in front of a ring of pool-size pages in front of the
// page allocator (refilled 64 at a time), pages that stay mapped for their whole life in the pool,
// the cache clean on the way back that the caller bounds with `sync_bytes`, accounting of pages in
// flight. Not modelled: fragmented pages, NUMA, other CPUs' access to the cache (one NAPI owns a
// pool). Timing: alloc and put charge PagePoolAlloc, PageAlloc and PagePoolPut; map and sync charge
// themselves. Nothing allocates host memory per packet. Units: bytes.
// Source: Linux 6.12 net/core/page_pool.c (behaviour).
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/host_array.h"
#include "sim/hal/hal.h"

namespace doorbell::stack {

class NetDevice;
class PagePool;

inline constexpr uint32_t kPageBytes = 4096;

struct Page;

/// A packet queued to a device without an sk_buff. The kernel keeps this in the first bytes of the
/// buffer's headroom; here it lives in the page's record, and whoever uses it calls
/// touch_frame() so that the cache line of the headroom is paid for.
struct XdpFrame {
  uint8_t* data = nullptr;
  uint32_t len = 0;
  uint32_t headroom = 0;  ///< bytes between the record and data
  Page* page = nullptr;
  NetDevice* rx_device = nullptr;
};
/// Bytes an xdp_frame takes at the start of the headroom.
inline constexpr uint32_t kXdpFrameBytes = 40;

/// What is known about one physical page. Lives as long as its PageMap. The host finds all but the
/// frame in one cache line.
struct alignas(64) Page {
  uint8_t* data = nullptr;   ///< the CPU's view of its first byte
  hal::DmaAddr phys = 0;     ///< physical address
  hal::DmaAddr dma = 0;      ///< mapped address of its first byte while it is in a pool
  PagePool* pool = nullptr;  ///< the pool that mapped it; nullptr for a plain page
  bool out = false;          ///< handed out and not returned yet
  XdpFrame frame;            ///< valid while the page is queued as an XDP frame
};

/// Finds the record of the page that holds an address, in one step.
class PageMap {
 public:
  explicit PageMap(hal::Dma& dma) : dma_(dma) {}
  PageMap(const PageMap&) = delete;
  PageMap& operator=(const PageMap&) = delete;

  /// The record of a page just got from hal::Dma::alloc_page, made on its first use.
  Page& adopt(uint8_t* data);
  /// The page holding `p`; it must have been adopted.
  Page& of(const uint8_t* p) const { return of_phys(dma_.phys(p)); }
  /// The page holding physical address `phys`.
  Page& of_phys(hal::DmaAddr phys) const;

 private:
  static constexpr size_t kChunk = (size_t{2} << 20) / sizeof(Page);

  hal::Dma& dma_;
  hal::DmaAddr first_ = 0;  // page number of slots_[0]
  std::vector<Page*> slots_;
  std::vector<base::HostArray<Page>> chunks_;  // records do not move
  size_t records_ = 0;
};

struct PagePoolParams {
  uint32_t size = 256;  ///< pages its ring holds: the size of the receive ring
  hal::DmaDir direction = hal::DmaDir::kFromDevice;
  uint32_t offset = 0;            ///< where the device writes, from the page's start
  uint32_t max_len = kPageBytes;  ///< most bytes the device may write from there
};

class PagePool {
 public:
  static constexpr uint32_t kCachePages = 128;
  static constexpr uint32_t kRefillPages = 64;

  PagePool(hal::Hal& hal, PageMap& pages, const PagePoolParams& params);
  ~PagePool();
  PagePool(const PagePool&) = delete;
  PagePool& operator=(const PagePool&) = delete;

  /// A mapped page, clean for the device over its whole max_len; nullptr when memory or mappings
  /// are exhausted.
  Page* alloc();
  /// Gives a page back after the first `sync_bytes` from the offset were touched by the CPU (0: the
  /// lines are clean already). The page may have come from any alloc() of this pool.
  void put(Page& page, uint32_t sync_bytes);
  /// The same when nobody knows what was touched: cleans all of max_len.
  void put_full(Page& page) { put(page, params_.max_len); }
  /// Unmaps and frees what is at home. Pages still in flight are freed as they come back. Returns
  /// how many those are.
  uint32_t destroy();

  uint32_t inflight() const { return inflight_; }
  hal::DmaDir direction() const { return params_.direction; }
  const PagePoolParams& params() const { return params_; }

  /// Makes the `after`-th next alloc (1: the very next) and `count` - 1 after it fail. For tests
  /// and memory-pressure scenarios.
  void fail_allocs(uint32_t after, uint32_t count);

 private:
  bool injected_failure();
  bool refill();
  void release(Page& page);

  hal::Hal& hal_;
  PageMap& pages_;
  PagePoolParams params_;
  std::vector<Page*> cache_;
  std::vector<Page*> ring_;  // FIFO of capacity params_.size
  uint32_t ring_head_ = 0;
  uint32_t ring_count_ = 0;
  uint32_t inflight_ = 0;
  uint32_t fail_after_ = 0;
  uint32_t fail_count_ = 0;
  bool destroyed_ = false;
};

/// Pays for the CPU's look at the record in the headroom: a write when it is made, a read when it
/// is used.
inline void touch_frame(hal::Dma& dma, const Page& page, hal::Touch how) {
  dma.touch(page.data, kXdpFrameBytes, how);
}

}  // namespace doorbell::stack
