// The uDMA's view of one ring: where it is, which descriptors it holds, whether it is active.
//
// A fetch reads from the current position to the end of an aligned block of `bd_prefetch`
// descriptors in one access and keeps the leading run that the device owns; what comes after a
// descriptor that software owns is never trusted later, it is read again. A fetch also stops short
// of the oldest descriptor that is still open (taken, its write-back not yet visible), so a short
// ring is never seen with its own stale ownership bits.
// Used by both directions; `Desc` is FecRxDesc or FecTxDesc. Timing is the engines' business.
#pragma once

#include <array>
#include <cstdint>

#include "models/base/units.h"
#include "models/fec/fec_desc.h"

namespace doorbell::fec {

inline constexpr unsigned kMaxPrefetch = 16;

template <typename Desc>
class BdCache {
 public:
  struct Entry {
    Desc desc;
    uint32_t address = 0;
  };

  /// ETHEREN rose: the ring starts over at `base`.
  void restart(uint32_t base, DescFormat format) {
    base_ = next_ = base;
    format_ = format;
    head_ = count_ = 0;
    active = fetching = rang = false;
  }

  bool empty() const { return count_ == 0; }
  const Entry& front() const { return entries_[head_]; }
  void pop() {
    ++head_;
    --count_;
  }
  base::Picos available() const { return available_; }
  uint32_t fetch_address() const { return next_; }
  DescFormat format() const { return format_; }

  /// Descriptors that one fetch reads.
  unsigned fetch_count(unsigned prefetch) const {
    const uint32_t size = stride(format_);
    const uint32_t block = prefetch * size;
    const uint32_t count = (block - next_ % block) / size;
    return count == 0 ? 1 : count;
  }
  /// Takes the bytes of a fetch that will be there at `available`. Returns false if software owns
  /// the first one. `open`: address of the oldest open descriptor, 0 if none.
  bool fill(const uint8_t* bytes, unsigned count, base::Picos available, uint32_t open) {
    const uint32_t size = stride(format_);
    available_ = available;
    head_ = 0;
    for (unsigned i = 0; i < count; ++i) {
      if (open != 0 && next_ == open) break;
      const Desc desc = decode<Desc>(bytes + i * size, format_);
      if (!FecOwnership::device_owns(desc.status)) break;
      entries_[count_++] = {desc, next_};
      const bool last = FecOwnership::last_of_ring(desc.status);
      next_ = last ? base_ : next_ + size;
      if (last) break;
    }
    return count_ > 0;
  }

  bool active = false;    // RDAR or TDAR, as the engine sees it
  bool fetching = false;  // a fetch or its answer is under way
  bool rang = false;      // doorbell during the fetch

 private:
  uint32_t base_ = 0;
  uint32_t next_ = 0;
  DescFormat format_ = DescFormat::kLegacy;
  base::Picos available_;
  unsigned head_ = 0;
  unsigned count_ = 0;
  std::array<Entry, kMaxPrefetch> entries_{};
};

}  // namespace doorbell::fec
