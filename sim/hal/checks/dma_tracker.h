// What is mapped for DMA, and the state of every cache line in it: the book of the DMA sanitizer.
//
// Follows the streaming API of Linux's Documentation/core-api/dma-api.rst: who may touch what after
// which call. Per page: its mappings (a few), pages freed, and per line when the CPU brought it
// into its cache, which bytes it dirtied, and when the device last wrote it. The line state is kept
// from the HAL calls alone, so on a coherent machine it still tells what a missing sync would do;
// the effect itself (stale, lost) is reported only where the machine is not coherent.
// Assumption: a DMA address is the physical address (no IOMMU). Pools that map a page once without
// sync and sync per use are supported: there, only what the device wrote binds the CPU.
// Times are given by the caller, in picoseconds. Costs O(mappings of a page + lines) a call.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/units.h"
#include "models/host/cache_view.h"
#include "sim/hal/checks/coherent_blocks.h"
#include "sim/hal/checks/finding.h"
#include "sim/hal/checks/page_table.h"
#include "sim/hal/hal.h"

namespace doorbell::hal::checks {

const char* direction_name(DmaDir dir);

/// The machine that is checked.
struct CheckConfig {
  uint64_t memory_base = 0;
  uint64_t memory_size = 0;
  bool coherent = false;  // devices snoop the caches
};

class DmaTracker {
 public:
  DmaTracker(const CheckConfig& config, FindingLog& log, CoherentBlocks& blocks);

  // The CPU's calls. `synced`: map and unmap do cache maintenance.
  void map(DmaAddr addr, uint32_t bytes, DmaDir dir, bool synced, base::Picos at);
  void unmap(DmaAddr addr, uint32_t bytes, DmaDir dir, bool synced, base::Picos at);
  void sync_for_device(DmaAddr addr, uint32_t bytes, DmaDir dir, base::Picos at);
  void sync_for_cpu(DmaAddr addr, uint32_t bytes, DmaDir dir, base::Picos at);
  void page_allocated(DmaAddr addr, base::Picos at);
  void page_freed(DmaAddr addr, base::Picos at);
  /// `excused`: something more exact was reported for this touch already.
  void touch(DmaAddr addr, uint32_t bytes, Touch how, base::Picos at, bool excused);

  // The device's accesses. `cache` may be null: then the dirty rules go by the calls alone. A write
  // that was refused is visible kNever.
  void device_read(DmaAddr addr, uint32_t bytes, base::Picos at, const host::CacheView* cache);
  void device_write(DmaAddr addr, uint32_t bytes, base::Picos issued, base::Picos visible,
                    const host::CacheView* cache);

  /// What [addr, addr+bytes) is to a device that moves data in direction `dir`.
  enum class Cover : uint8_t { kGood, kWrongDirection, kNone };
  Cover cover(DmaAddr addr, uint32_t bytes, DmaDir dir);
  /// False if bytes of the range are dirty, or were never synced for the device while mapped.
  bool synced_for_device(DmaAddr addr, uint32_t bytes);

  /// What the device wrote there before is of no interest any more: the buffer is handed over anew.
  void forget_contents(DmaAddr addr, uint32_t bytes);

  void report_leaks(base::Picos at);

 private:
  static constexpr unsigned kLines = host::kPageBytes / host::kLineBytes;
  static constexpr unsigned kEnded = 4;

  struct Mapping {
    DmaAddr addr = 0;
    uint32_t bytes = 0;
    DmaDir dir = DmaDir::kToDevice;
    bool pooled = false;    // mapped without sync
    bool cpu_turn = false;  // synced for the CPU since
    bool live = false;
    base::Picos since;
    bool holds(DmaAddr a, uint32_t n) const { return a >= addr && a + n <= addr + bytes; }
    bool overlaps(DmaAddr a, uint32_t n) const { return a < addr + bytes && addr < a + n; }
  };
  struct Ended {
    DmaAddr addr = 0;
    uint32_t bytes = 0;
    DmaDir dir = DmaDir::kToDevice;
    base::Picos at{-1};
    bool holds(DmaAddr a, uint32_t n) const { return a >= addr && a + n <= addr + bytes; }
  };
  struct Line {
    base::Picos cached_at;
    base::Picos written_at;  // when the device's last write became visible
    uint8_t dirty_from = 0;  // dirty bytes [from, to) as an interval
    uint8_t dirty_to = 0;
  };
  enum class Use : uint8_t { kUnknown, kAllocated, kFreed };
  struct Page {
    std::vector<uint32_t> mappings;  // indices of those that overlap the page
    std::array<Ended, kEnded> ended;
    unsigned next_ended = 0;
    Use use = Use::kUnknown;
    base::Picos use_since;
    uint64_t cached = 0;
    uint64_t synced = 0;  // for the device, since mapped
    uint64_t fresh = 0;   // written by the device, not synced for the CPU
    std::array<Line, kLines> lines;
  };

  template <typename F>
  void each_line(DmaAddr addr, uint32_t bytes, F f);
  Mapping* holding(DmaAddr addr, uint32_t bytes, DmaDir dir, bool& other_direction);
  /// The latest mapping that starts at `addr`, an exact one if there is one.
  Mapping* starting(DmaAddr addr, uint32_t bytes, DmaDir dir);
  const Mapping* starts_inside(DmaAddr addr);
  const Ended* ended(DmaAddr addr, uint32_t bytes);
  void end(Mapping& mapping, base::Picos at);
  bool check_sync(DmaAddr addr, uint32_t bytes, DmaDir dir, const char* call, base::Picos at);
  void clean_lines(DmaAddr addr, uint32_t bytes);
  void invalidate_lines(DmaAddr addr, uint32_t bytes, base::Picos at);
  void check_freed(DmaAddr addr, const char* what, base::Picos at);
  void check_turn(DmaAddr addr, uint32_t bytes, Touch how, base::Picos at);
  void check_access(DmaAddr addr, uint32_t bytes, bool write, base::Picos at);

  CheckConfig config_;
  FindingLog& log_;
  CoherentBlocks& blocks_;
  PageTable<Page> pages_;
  std::vector<Mapping> mappings_;
  std::vector<uint32_t> free_mappings_;
};

}  // namespace doorbell::hal::checks
