// Transmit of sk_buffs: count, space, offloads, mapping, doorbell.
#include <algorithm>
#include <cstring>

#include "sim/drivers/ice/ice_driver.h"

namespace doorbell::drivers::ice {

namespace reg = hw::reg;

namespace {

// Longer buffers are cut so that all pieces but the first begin at the device's largest read
// request.
constexpr uint32_t kReadRequest = 4096;
constexpr uint32_t kAlignedPiece = 12288;
constexpr unsigned kContextDescs = 1;
constexpr uint32_t kMinFrame = 60;
constexpr uint32_t kTcpChecksumAt = 16;
constexpr uint32_t kUdpChecksumAt = 6;
constexpr uint32_t kSctpChecksumAt = 8;
constexpr uint32_t kTcpOffsetByte = 12;  // data offset: upper four bits, in words

// About one per 12 KiB, without a division.
uint32_t descriptors_for(uint32_t bytes) {
  return (bytes * 85 >> 20) + 1;
}
uint32_t descriptors_for(const stack::SkBuff& skb) {
  uint32_t count = descriptors_for(skb.head_len());
  for (unsigned i = 0; i < skb.frag_count; ++i) count += descriptors_for(skb.frags[i].size);
  return count;
}
uint32_t first_piece(hal::DmaAddr address) {
  return kAlignedPiece + (static_cast<uint32_t>(-address) & (kReadRequest - 1));
}

}  // namespace

// XPS with one queue a core.
uint16_t IceDriver::select_queue(const stack::SkBuff&) {
  return static_cast<uint16_t>(hal_.cpu.id() % queues_);
}

stack::TxStatus IceDriver::xmit(stack::SkBuff& skb, uint16_t queue) {
  TxRing& ring = tx_[queue];
  if (!pad(skb)) return drop_skb(ring, skb, stack::DropReason::kSkbTxLinearizeFailed);
  uint32_t count = descriptors_for(skb);
  if (too_scattered(skb, count)) {
    if (!linearize(skb)) return drop_skb(ring, skb, stack::DropReason::kSkbTxLinearizeFailed);
    ++stats_.tx_linearize;
    count = descriptors_for(skb);
  }
  if (stop_if_full(ring, count + hw::kTxDescGap + kContextDescs)) {
    ++ring.busy;
    ++stats_.tx_busy;
    if (config_.fix_hazards) flush_deferred(ring);
    return stack::TxStatus::kBusy;
  }
  TxOffloads off;
  if (!offloads_of(skb, off)) return drop_skb(ring, skb, stack::DropReason::kSkbTxUnsupported);
  const uint32_t first = ring.ntu;
  if (off.tso) write_context(ring, off);
  uint32_t end = 0;
  if (!map_skb(ring, skb, first, off, end)) {
    return drop_skb(ring, skb, stack::DropReason::kSkbTxMapFailed);
  }
  TxBuf& buf = ring.bufs[first];
  buf.kind = TxKind::kSkb;
  buf.skb = &skb;
  buf.frames = off.tso ? std::max<uint16_t>(skb.gso_segs, 1) : 1;
  buf.bytes = std::max(skb.length(), kMinFrame) + (buf.frames - 1) * off.header_bytes;
  stats_.tx_submitted += buf.frames;
  if (off.tso) ++stats_.tx_tso;
  // Orders: descriptors before the watch: clean-up looks at what the watch names.
  hal_.order.wmb();
  buf.watch = ring.prev(end);
  ring.ntu = end;
  stop_if_full(ring, hw::kTxStopThreshold);
  if (skb.xmit_more && !this->queue(queue).stopped) {
    ++stats_.tx_doorbells_deferred;
  } else {
    ring_doorbell(ring);
  }
  return stack::TxStatus::kOk;
}

bool IceDriver::pad(stack::SkBuff& skb) {
  if (skb.length() >= hw::kMinTxBytes) return true;
  const uint32_t missing = hw::kMinTxBytes - skb.length();
  if (skb.frag_count != 0 || skb.end - skb.tail < static_cast<ptrdiff_t>(missing)) return false;
  hal_.dma.touch(skb.tail, missing, hal::Touch::kWrite);
  std::memset(skb.put(missing), 0, missing);
  return true;
}

stack::TxStatus IceDriver::drop_skb(TxRing& ring, stack::SkBuff& skb, stack::DropReason reason) {
  ++stats_.tx_dropped;
  stack_.drops().count(reason);
  if (config_.fix_hazards && !skb.xmit_more) flush_deferred(ring);
  stack_.skbs().free(skb);
  return stack::TxStatus::kOk;
}

// Stops the queue when fewer than `needed` descriptors are free. True: still so at a second look.
bool IceDriver::stop_if_full(TxRing& ring, uint32_t needed) {
  if (ring.unused() >= needed) return false;
  stop_queue(ring.index);
  // Orders: the stop before the second look, or clean-up sees no stopped queue to wake.
  hal_.order.wmb();
  if (ring.unused() < needed) return true;
  ++stats_.tx_restart;
  wake_queue(ring.index);
  return false;
}

// Where each header is and what the device fills in. False: it cannot.
bool IceDriver::offloads_of(stack::SkBuff& skb, TxOffloads& off) {
  if (skb.vlan_present) {
    off.cmd |= hw::tx_cmd::kIl2tag1;
    off.tag = skb.vlan_tci;
  }
  if (skb.ip_summed != stack::Checksum::kPartial) return skb.gso == stack::Gso::kNone;
  off.maclen = skb.network_offset / 2u;
  off.iplen = (skb.transport_offset - uint32_t{skb.network_offset}) / 4u;
  const bool v4 = skb.gso == stack::Gso::kNone ? skb.ipv4 : skb.gso == stack::Gso::kTcpV4;
  const bool tso = skb.gso != stack::Gso::kNone;
  off.cmd |= !v4 ? hw::tx_cmd::kIiptV6 : tso ? hw::tx_cmd::kIiptV4Csum : hw::tx_cmd::kIiptV4;
  if (skb.csum_offset == kTcpChecksumAt) {
    const uint8_t* byte = skb.data + skb.transport_offset + kTcpOffsetByte;
    hal_.dma.touch(byte, 1, hal::Touch::kRead);
    off.l4len = *byte >> 4;
    off.cmd |= hw::tx_cmd::kL4tTcp;
  } else if (skb.csum_offset == kUdpChecksumAt) {
    off.l4len = net::kUdpHeaderBytes / 4;
    off.cmd |= hw::tx_cmd::kL4tUdp;
  } else if (skb.csum_offset == kSctpChecksumAt) {
    off.l4len = 3;
    off.cmd |= hw::tx_cmd::kL4tSctp;
  } else {
    return false;
  }
  if (off.maclen > 0x7F || off.iplen > 0x7F) return false;
  return !tso || prepare_tso(skb, off);
}

hal::DmaAddr IceDriver::map(const uint8_t* data, uint32_t bytes, bool& ok) {
  hal_.cpu.charge(hal::Op::kMapSetup);
  return hal_.dma.map(data, bytes, hal::DmaDir::kToDevice, ok);
}

void IceDriver::write_data(TxRing& ring, uint32_t index, hal::DmaAddr address, uint64_t qw1) {
  hal_.cpu.charge(hal::Op::kDriverTx);
  hal_.coherent.write64(ring.address_at(index), address);
  hal_.coherent.write64(ring.qw1_at(index), qw1);
}

// Maps head and fragments from ring.ntu on. The head's mapping is kept in `first`, which may be the
// context descriptor's slot. On failure nothing is left of it and ntu is `first` again.
bool IceDriver::map_skb(TxRing& ring, stack::SkBuff& skb, uint32_t first, const TxOffloads& off,
                        uint32_t& end) {
  uint32_t index = ring.ntu;
  bool ok = map_part(ring, first, skb.data, skb.head_len(), off, skb.frag_count == 0, index);
  for (unsigned i = 0; ok && i < skb.frag_count; ++i) {
    const stack::SkbFrag& frag = skb.frags[i];
    ok = map_part(ring, index, frag.data, frag.size, off, i + 1 == skb.frag_count, index);
  }
  if (!ok) {
    unwind(ring, first, index);
    return false;
  }
  end = index;
  return true;
}

bool IceDriver::map_part(TxRing& ring, uint32_t slot, const uint8_t* data, uint32_t bytes,
                         const TxOffloads& off, bool final, uint32_t& index) {
  bool ok = false;
  hal::DmaAddr address = map(data, bytes, ok);
  if (!ok) return false;
  ring.bufs[slot].kind = TxKind::kFrag;
  ring.bufs[slot].dma = address;
  ring.bufs[slot].len = bytes;
  hw::IceTxDesc d;
  d.cmd = off.cmd;
  d.maclen = off.maclen;
  d.iplen = off.iplen;
  d.l4len = off.l4len;
  d.l2tag1 = off.tag;
  for (uint32_t piece = first_piece(address); bytes > hw::kMaxTxBufferBytes;
       piece = kAlignedPiece) {
    d.size = piece;
    write_data(ring, index, address, hw::tx_qw1(d));
    index = ring.next(index);
    address += piece;
    bytes -= piece;
  }
  d.size = bytes;
  if (final) d.cmd |= hw::tx_cmd::kLast;
  write_data(ring, index, address, hw::tx_qw1(d));
  index = ring.next(index);
  return true;
}

// Takes back slots first..end-1, which the device has not been told of.
void IceDriver::unwind(TxRing& ring, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i != end; i = ring.next(i)) {
    TxBuf& buf = ring.bufs[i];
    if (buf.len != 0) hal_.dma.unmap(buf.dma, buf.len, hal::DmaDir::kToDevice);
    buf = TxBuf{};
  }
  ring.ntu = first;
}

void IceDriver::ring_doorbell(TxRing& ring) {
  ++stats_.tx_doorbells;
  ring.tail = ring.ntu;
  // Orders: descriptors before the tail (the register write implies it).
  wr(reg::qtx_comm_dbell(ring.queue), ring.ntu);
}

// A doorbell left to a packet that never came.
void IceDriver::flush_deferred(TxRing& ring) {
  if (ring.tail != ring.ntu) ring_doorbell(ring);
}

}  // namespace doorbell::drivers::ice
