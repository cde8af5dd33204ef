#include "sim/hal/checks/buffer_book.h"

#include <algorithm>
#include <cinttypes>

namespace doorbell::hal::checks {

using base::Picos;

namespace {

bool overlap(DmaAddr a, uint32_t a_bytes, DmaAddr b, uint32_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

// Does the device have the descriptor, and its buffer a part of the range?
bool holds(const BufferBook::Ref& ref, DmaAddr addr, uint32_t bytes, Picos at) {
  if (!ref.ring->live() || ref.index >= ref.ring->slots()) return false;
  const Ring::Slot& slot = ref.ring->slot(ref.index);
  return overlap(slot.buffer, slot.bytes, addr, bytes) && ref.ring->device_has(ref.index, at);
}

}  // namespace

void BufferBook::remember(const Ring& ring, uint32_t index, Picos at) {
  const Ring::Slot& slot = ring.slot(index);
  pages_.over(slot.buffer, slot.bytes, [&](Page& page, DmaAddr page_addr) {
    const auto stale = [&](const Ref& ref) {
      if (ref.ring == &ring && ref.index == index) return true;
      if (ref.index >= ref.ring->slots()) return true;
      const Ring::Slot& other = ref.ring->slot(ref.index);
      return (!other.owned && at >= other.returned_at) ||
             !overlap(other.buffer, other.bytes, page_addr, host::kPageBytes);
    };
    page.refs.erase(std::remove_if(page.refs.begin(), page.refs.end(), stale), page.refs.end());
    page.refs.push_back({&ring, index});
  });
}

BufferBook::Ref BufferBook::other_owner(const Ring& ring, uint32_t index, Picos at) const {
  const Ring::Slot& slot = ring.slot(index);
  const Page* page = pages_.find(slot.buffer);
  if (page == nullptr) return {};
  for (const Ref& ref : page->refs) {
    if (ref.ring == &ring && ref.index == index) continue;
    // Two that only read do not disturb each other.
    if (ring.spec().direction == DmaDir::kToDevice &&
        ref.ring->spec().direction == DmaDir::kToDevice) {
      continue;
    }
    if (holds(ref, slot.buffer, slot.bytes, at)) return ref;
  }
  return {};
}

void BufferBook::header_stored(DmaAddr addr, uint32_t bytes, const Barriers& barriers,
                               const When& when) {
  if (Page* page = pages_.at(addr)) {
    page->store_addr = addr;
    page->store_bytes = bytes;
    page->store_core = when.core % Barriers::kCores;
    page->store_epoch = barriers.stores[page->store_core];
  }
}

bool BufferBook::header_unordered(DmaAddr addr, uint32_t bytes, const Barriers& barriers,
                                  const When& when) const {
  const Page* page = pages_.find(addr);
  const unsigned core = when.core % Barriers::kCores;
  return page != nullptr && page->store_core == core &&
         page->store_epoch == barriers.stores[core] &&
         overlap(addr, bytes, page->store_addr, page->store_bytes);
}

BufferBook::Ref BufferBook::holder(DmaAddr addr, uint32_t bytes, Picos at, bool reads_only) const {
  const Page* page = pages_.find(addr);
  if (page == nullptr || bytes == 0) return {};
  for (const Ref& ref : page->refs) {
    // The CPU may read what the device only reads.
    if (reads_only && ref.ring->spec().direction == DmaDir::kToDevice) continue;
    if (holds(ref, addr, bytes, at)) return ref;
  }
  return {};
}

bool BufferBook::touch(DmaAddr addr, uint32_t bytes, Touch how, Picos at) {
  const Ref ref = holder(addr, bytes, at, how == Touch::kRead);
  if (ref.ring == nullptr) return false;
  log_.report(Rule::kTouchDeviceOwned, at, [&] {
    return text("CPU %s 0x%" PRIx64
                ", %u bytes: in the buffer of %s descriptor %u, the device's since %" PRId64 " ps",
                how == Touch::kRead ? "read" : "wrote", addr, bytes, ref.ring->spec().name.c_str(),
                ref.index, ref.ring->slot(ref.index).handed_at.count());
  });
  return true;
}

void BufferBook::unmap(DmaAddr addr, uint32_t bytes, Picos at) {
  const Ref ref = holder(addr, bytes, at, false);
  if (ref.ring == nullptr) return;
  const Ring::Slot& slot = ref.ring->slot(ref.index);
  // Another mapping may go on serving the device.
  if (dma_.cover(slot.buffer, slot.bytes, ref.ring->spec().direction) == DmaTracker::Cover::kGood) {
    return;
  }
  log_.report(Rule::kUnmapDeviceOwned, at, [&] {
    return text("unmap of 0x%" PRIx64
                ", %u bytes: in the buffer of %s descriptor %u, the device's since %" PRId64 " ps",
                addr, bytes, ref.ring->spec().name.c_str(), ref.index, slot.handed_at.count());
  });
}

}  // namespace doorbell::hal::checks
