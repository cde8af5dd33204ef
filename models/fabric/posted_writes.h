// Posted writes on their way to memory, found by the page they go to.
//
// A write waits here from its issue until somebody looks at its page at or after its arrival. Each
// page is in order of arrival, whatever the order of calls; pages are independent, so that a core
// may look at its own ring ahead of a core that lags (models/host, lookahead). Writes to pages that
// nobody looks at are applied in bulk once many wait. No allocation in steady state. Times in
// picoseconds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/base/bytes.h"
#include "models/base/units.h"

namespace doorbell::fabric {

class PostedWrites {
 public:
  static constexpr uint32_t kPageBytes = 4096;

  PostedWrites();

  /// Nobody looks at memory at a time that is more than `span` before the latest look.
  void set_lookback(base::Picos span) { lookback_ = span; }
  bool empty() const { return waiting_ == 0; }
  uint32_t waiting() const { return waiting_; }

  void post(base::Picos arrival, uint64_t addr, const uint8_t* data, uint32_t size);

  /// Calls `apply(addr, data, size)` for what has arrived by `t` in the pages of [addr,
  /// addr+bytes).
  template <typename Apply>
  void settle(uint64_t addr, uint64_t bytes, base::Picos t, Apply&& apply) {
    latest_ = base::max(latest_, t);
    const uint64_t last = (addr + std::max<uint64_t>(bytes, 1) - 1) / kPageBytes;
    for (uint64_t page = addr / kPageBytes; page <= last; ++page) {
      if (heads_[bucket(page)] != kNone) {
        drain(bucket(page), page, t, apply);
      }
    }
  }
  /// Puts what has arrived by `t` on top of `into`, which holds the bytes at `addr`: what a device
  /// sees that is ahead of the cores. Nothing is applied.
  void overlay(uint64_t addr, base::MutByteView into, base::Picos t) const;
  /// The same as settle() for every page.
  template <typename Apply>
  void settle_all(base::Picos t, Apply&& apply) {
    latest_ = base::max(latest_, t);
    for (uint32_t b = 0; b < kBuckets && waiting_ != 0; ++b) {
      if (heads_[b] != kNone) {
        drain(b, kAnyPage, t, apply);
      }
    }
  }
  /// Now and then applies what nobody can look at earlier any more, so that few wait.
  template <typename Apply>
  void relieve(Apply&& apply) {
    if (waiting_ >= relieve_at_) {
      settle_all(latest_ - lookback_, apply);
      relieve_at_ = waiting_ + kRelieveAt;
    }
  }

 private:
  static constexpr uint32_t kBuckets = 1024;
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint64_t kAnyPage = UINT64_MAX;
  static constexpr uint32_t kSmallBytes = 64;
  static constexpr uint32_t kRelieveAt = 256;
  static constexpr uint32_t kReserved = 4096;
  static constexpr uint32_t kReservedBlocks = 64;

  struct Node {
    base::Picos arrival;
    uint64_t addr = 0;
    uint32_t size = 0;
    uint32_t next = kNone;
    uint32_t block = kNone;  // of blocks_, for more than fits here
    std::array<uint8_t, kSmallBytes> bytes;
  };
  using Block = std::array<uint8_t, kPageBytes>;

  static uint32_t bucket(uint64_t page) {
    return static_cast<uint32_t>(page ^ page >> 10) & (kBuckets - 1);
  }
  void post_in_page(base::Picos arrival, uint64_t addr, const uint8_t* data, uint32_t size);
  const uint8_t* storage(const Node& node) const {
    return node.block == kNone ? node.bytes.data() : blocks_[node.block]->data();
  }
  void release(uint32_t index);

  template <typename Apply>
  void drain(uint32_t b, uint64_t page, base::Picos t, Apply&& apply) {
    uint32_t* link = &heads_[b];
    uint32_t kept = kNone;
    while (*link != kNone) {
      const uint32_t index = *link;
      Node& node = nodes_[index];
      if (node.arrival > t) {
        return;  // so are all behind it
      }
      if (page == kAnyPage || node.addr / kPageBytes == page) {
        *link = node.next;
        apply(node.addr, storage(node), node.size);
        release(index);
      } else {
        link = &node.next;
        kept = index;
      }
    }
    tails_[b] = kept;
  }

  std::array<uint32_t, kBuckets> heads_;  // each list in order of arrival
  std::array<uint32_t, kBuckets> tails_;  // its last node: most writes go behind it
  std::vector<Node> nodes_;
  std::vector<uint32_t> free_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<uint32_t> free_blocks_;
  uint32_t waiting_ = 0;
  uint32_t relieve_at_ = kRelieveAt;
  base::Picos latest_;
  base::Picos lookback_;
};

}  // namespace doorbell::fabric
