// Receive: write-backs to XDP or sk_buffs, and the refill behind them.
#include <algorithm>

#include "sim/drivers/ice/ice_driver.h"

namespace doorbell::drivers::ice {

namespace reg = hw::reg;
namespace st = hw::rx_status0;

namespace {

constexpr uint32_t kQw1 = 8;  // status, VLAN tag, RSS hash
constexpr uint32_t kLengthShift = 32;
constexpr uint32_t kLengthMask = 0x3FFF;
constexpr uint32_t kPrefetchAhead = 4;  // page records, for the host's caches

uint16_t status0(uint64_t qw1) {
  return static_cast<uint16_t>(qw1);
}

}  // namespace

int IceDriver::receive(RxRing& ring, int budget) {
  // Where this poll's XDP_TX begins. Read without the ring's lock, as in Linux 6.12 (hazard H3).
  const uint32_t first = ring.xdp_ring != nullptr ? ring.xdp_ring->ntu : 0;
  bool sent = false;
  bool redirected = false;
  int done = 0;
  while (done < budget) {
    const uint64_t status = hal_.coherent.read64(ring.at(ring.ntc) + kQw1);
    if ((status & st::kDd) == 0) break;
    // Orders: DD before the descriptor's other words, or they may be older than it.
    hal_.order.dma_rmb();
    hal_.cpu.charge(hal::Op::kDriverRx);
    __builtin_prefetch(ring.pages[ring.after(ring.ntc, kPrefetchAhead)]);
    if (!take_descriptor(ring, status)) continue;
    ++done;
    if (ring.part_count == 1 && !ring.broken) {
      ring.part_count = 0;
      const XdpResult result = one_buffer(ring, RxPart(ring.parts[0]), status);
      sent = sent || result == XdpResult::kTx;
      redirected = redirected || result == XdpResult::kRedirected;
    } else {
      end_of_frame(ring, status);
    }
  }
  const bool refilled = refill(ring, ring.unused());
  if (ring.xdp_ring != nullptr) finalize_xdp(ring, sent, redirected, first);
  // Without memory the poll comes again at once: no interrupt may come for a ring that is empty.
  return refilled ? done : budget;
}

// Takes one buffer out of the ring and appends it to the frame. True: it is the frame's last.
bool IceDriver::take_descriptor(RxRing& ring, uint64_t status) {
  const uint64_t qw0 = hal_.coherent.read64(ring.at(ring.ntc));
  const auto bytes = std::min(static_cast<uint32_t>(qw0 >> kLengthShift) & kLengthMask, rx_buffer_);
  stack::Page* page = ring.pages[ring.ntc];
  ring.pages[ring.ntc] = nullptr;
  ring.ntc = ring.next(ring.ntc);
  if (bytes == 0) {
    // A buffer of nothing goes home at once, but it may end a frame.
    ++stats_.rx_zero_bytes;
    ring.pool->put(*page, 0);
  } else {
    // Orders: the device's writes before the CPU's reads: stale lines go.
    hal_.dma.sync_for_cpu(page->dma + stack::kXdpPacketHeadroom, bytes, ring.pool->direction());
    if (ring.part_count == kMaxRxParts) {
      ring.broken = true;
      ring.pool->put_full(*page);
    } else {
      ring.parts[ring.part_count++] = {page, page->data + stack::kXdpPacketHeadroom, bytes};
    }
  }
  if ((status & st::kEof) != 0) return true;
  ++stats_.rx_non_eop;
  return false;
}

// A frame in one buffer: the common case, and the only one a program sees.
IceDriver::XdpResult IceDriver::one_buffer(RxRing& ring, const RxPart& part, uint64_t status) {
  if ((status & st::kRxe) != 0) {
    ring.parts[0] = part;
    ring.part_count = 1;
    drop_frame(ring, stack::DropReason::kRxError);
    return XdpResult::kConsumed;
  }
  ++stats_.rx_packets;
  stats_.rx_bytes += part.bytes;
  ++ring.packets;
  ring.bytes += part.bytes;
  stack_.tap({part.data, part.bytes});
  if (program_ != nullptr) {
    stack::XdpBuff buff;
    buff.data_hard_start = part.page->data;
    buff.data = buff.data_meta = part.data;
    buff.data_end = part.data + part.bytes;
    buff.rxq = &ring.info;
    buff.page = part.page;
    const XdpResult result = run_xdp(ring, buff);
    if (result != XdpResult::kPass) return result;
    const RxPart passed{part.page, buff.data, buff.length()};
    pass_up(ring, status, &passed, 1);
    return XdpResult::kPass;
  }
  pass_up(ring, status, &part, 1);
  return XdpResult::kPass;
}

// The last buffer of a longer frame, or of one that cannot be used.
void IceDriver::end_of_frame(RxRing& ring, uint64_t status) {
  if (ring.broken || ring.part_count == 0 || (status & st::kRxe) != 0 || program_ != nullptr) {
    drop_frame(ring, ring.broken || ring.part_count > 1 ? stack::DropReason::kRxTooLong
                                                        : stack::DropReason::kRxError);
    return;
  }
  std::array<base::ByteView, kMaxRxParts> views;
  uint32_t bytes = 0;
  for (unsigned i = 0; i < ring.part_count; ++i) {
    views[i] = {ring.parts[i].data, ring.parts[i].bytes};
    bytes += ring.parts[i].bytes;
  }
  ++stats_.rx_packets;
  stats_.rx_bytes += bytes;
  ++ring.packets;
  ring.bytes += bytes;
  const unsigned count = ring.part_count;
  ring.part_count = 0;
  stack_.tap_parts(views.data(), count);
  pass_up(ring, status, ring.parts.data(), count);
}

void IceDriver::drop_frame(RxRing& ring, stack::DropReason reason) {
  ++stats_.rx_errors;
  stack_.drops().count(reason);
  for (unsigned i = 0; i < ring.part_count; ++i) ring.pool->put_full(*ring.parts[i].page);
  ring.part_count = 0;
  ring.broken = false;
}

void IceDriver::pass_up(RxRing& ring, uint64_t status, const RxPart* parts, unsigned count) {
  stack::SkBuff* skb = stack_.skbs().build(*parts[0].page);
  if (skb == nullptr) {
    ++stats_.rx_skb_failed;
    stack_.drops().count(stack::DropReason::kRxSkbFailed);
    for (unsigned i = 0; i < count; ++i) ring.pool->put_full(*parts[i].page);
    return;
  }
  skb->reserve(static_cast<uint32_t>(parts[0].data - skb->head));
  skb->put(parts[0].bytes);
  for (unsigned i = 1; i < count; ++i) skb->add_frag(*parts[i].page, parts[i].data, parts[i].bytes);
  skb->pp_recycle = true;
  skb->queue = static_cast<uint16_t>(ring.index);
  if ((status & st::kL2tag1p) != 0) {
    skb->vlan_present = true;
    skb->vlan_tci = static_cast<uint16_t>(status >> 16);
    ++stats_.rx_vlan_stripped;
  }
  if (config_.rx_csum && (status & st::kL3l4p) != 0) {
    constexpr uint16_t kBad = st::kXsumIpe | st::kXsumL4e | st::kXsumEipe | st::kXsumEudpe;
    if ((status0(status) & kBad) == 0) {
      skb->ip_summed = stack::Checksum::kUnnecessary;
      ++stats_.rx_csum_good;
    } else {
      ++stats_.rx_csum_bad;
    }
  }
  stack_.napi_gro_receive(*this, *skb);
}

// Puts fresh pages under `count` descriptors from ntu on. False if memory ran out first.
bool IceDriver::refill(RxRing& ring, uint32_t count) {
  if (count == 0) return true;
  uint32_t ntu = ring.ntu;
  while (count > 0) {
    stack::Page* page = ring.pool->alloc();
    if (page == nullptr) {
      ++stats_.rx_page_failed;
      break;
    }
    ring.pages[ntu] = page;
    hal_.coherent.write64(ring.at(ntu) + hw::kRxOffPacket, page->dma + stack::kXdpPacketHeadroom);
    ntu = ring.next(ntu);
    // The slot behind the last one is the driver's: an old DD there must not be seen. (Where it
    // lands also is the next one's header address, whose low bit must be 0.)
    hal_.coherent.write16(ring.at(ntu) + hw::kRxOffStatus0, 0);
    --count;
  }
  if (ntu != ring.ntu) release_rx(ring, ntu);
  return count == 0;
}

// The device ignores the low three bits of the tail, so only multiples of eight are worth a write.
void IceDriver::release_rx(RxRing& ring, uint32_t ntu) {
  constexpr uint32_t kMask = ~uint32_t{hw::kRxTailStep - 1};
  const uint32_t before = ring.ntu & kMask;
  ring.ntu = ntu;
  const uint32_t tail = ntu & kMask;
  if (tail == before) return;
  ++stats_.rx_tail_writes;
  // Orders: addresses before the tail, or the device fills old pages.
  hal_.order.wmb();
  wr(reg::qrx_tail(ring.queue), tail);
}

}  // namespace doorbell::drivers::ice
