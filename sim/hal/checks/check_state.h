// Everything the checks of one machine know. Decorators of its HALs and fabric links share it.
//
// Off costs nothing: without a CheckState there are no decorators either. One machine, one
// CheckState; each device gets a number for its registers and rings.
#pragma once

#include "sim/hal/checks/coherent_blocks.h"
#include "sim/hal/checks/dma_tracker.h"
#include "sim/hal/checks/finding.h"
#include "sim/hal/checks/ring_tracker.h"

namespace doorbell::hal::checks {

class CheckState {
 public:
  explicit CheckState(const CheckConfig& config)
      : config_(config),
        blocks_(log_),
        dma_(config, log_, blocks_),
        rings_(config, log_, blocks_, dma_) {}
  CheckState(const CheckState&) = delete;
  CheckState& operator=(const CheckState&) = delete;

  const CheckConfig& config() const { return config_; }
  const FindingLog& log() const { return log_; }
  CoherentBlocks& blocks() { return blocks_; }
  DmaTracker& dma() { return dma_; }
  RingTracker& rings() { return rings_; }

  unsigned add_device() { return devices_++; }

  /// A device's accesses, for fabric decorators. `cache` may be null.
  void device_read(DmaAddr addr, uint32_t bytes, base::Picos at, const host::CacheView* cache) {
    dma_.device_read(addr, bytes, at, cache);
  }
  void device_write(DmaAddr addr, base::ByteView data, base::Picos issued, base::Picos visible,
                    const host::CacheView* cache);

  /// Call once the driver is closed and gone: what is still allocated or mapped is a leak.
  void end(base::Picos at);

 private:
  CheckConfig config_;
  FindingLog log_;
  CoherentBlocks blocks_;
  DmaTracker dma_;
  RingTracker rings_;
  unsigned devices_ = 0;
};

}  // namespace doorbell::hal::checks
