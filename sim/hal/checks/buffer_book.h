// Which descriptors point into each page: whose buffer the CPU is about to touch.
//
// Kept by page as a short list; notes that no longer hold are dropped when the list grows. Also
// remembers the last store to coherent memory that is no descriptor (headers of segments), which
// must be ordered before the hand-over of a descriptor that points there.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/hal/checks/dma_tracker.h"
#include "sim/hal/checks/finding.h"
#include "sim/hal/checks/page_table.h"
#include "sim/hal/checks/ring.h"

namespace doorbell::hal::checks {

class BufferBook {
 public:
  struct Ref {
    const Ring* ring = nullptr;
    uint32_t index = 0;
  };

  BufferBook(const CheckConfig& config, FindingLog& log, DmaTracker& dma)
      : log_(log), dma_(dma), pages_(config.memory_base, config.memory_size) {}

  /// The descriptor points to its slot's buffer from now on.
  void remember(const Ring& ring, uint32_t index, base::Picos at);
  /// Another descriptor of a device that owns bytes of the slot's buffer, where one of the two is
  /// written by the device.
  Ref other_owner(const Ring& ring, uint32_t index, base::Picos at) const;

  /// The CPU stored to coherent memory that is no descriptor.
  void header_stored(DmaAddr addr, uint32_t bytes, const Barriers& barriers, const When& when);
  /// Whether the last such store hit [addr, addr+bytes) with no barrier of this core since.
  bool header_unordered(DmaAddr addr, uint32_t bytes, const Barriers& barriers,
                        const When& when) const;

  /// Reports a touch of a buffer that the device owns, and returns true.
  bool touch(DmaAddr addr, uint32_t bytes, Touch how, base::Picos at);
  void unmap(DmaAddr addr, uint32_t bytes, base::Picos at);

 private:
  struct Page {
    std::vector<Ref> refs;  // of descriptors that are, or were, the device's
    DmaAddr store_addr = 0;
    uint32_t store_bytes = 0;
    uint64_t store_epoch = 0;
    unsigned store_core = 0;
  };
  /// The descriptor whose buffer overlaps the range while the device has it.
  Ref holder(DmaAddr addr, uint32_t bytes, base::Picos at, bool reads_only) const;

  FindingLog& log_;
  DmaTracker& dma_;
  PageTable<Page> pages_;
};

}  // namespace doorbell::hal::checks
