// Transmit of sk_buffs: linear and scatter-gather, and the doorbells of every transmit path.
#include <cerrno>

#include "models/net/frame.h"
#include "sim/drivers/fec/fec_driver.h"

namespace doorbell::drivers::fec {

namespace reg = hw::reg;

namespace {
// What of an old status goes into a new one: W and the software bits (R is 0 by then).
constexpr uint16_t kKept = 0xF000;
constexpr unsigned kDoorbellReads = 4;
// VLAN priority to transmit ring; untagged goes to ring 0.
constexpr uint8_t kPriorityToQueue[8] = {0, 0, 1, 1, 1, 2, 2, 2};
}  // namespace

uint16_t FecDriver::select_queue(const stack::SkBuff& skb) {
  if (skb.vlan_present) return kPriorityToQueue[skb.vlan_tci >> 13];
  if (skb.protocol == net::kEtherTypeVlan) {
    const uint8_t* tci = skb.data + net::kEtherHeaderBytes;
    hal_.dma.touch(tci, 2, hal::Touch::kRead);
    return kPriorityToQueue[base::load_be16(tci) >> 13];
  }
  return 0;
}

stack::TxStatus FecDriver::xmit(stack::SkBuff& skb, uint16_t queue) {
  if (skb.gso != stack::Gso::kNone) {
    submit_tso(skb, queue);
  } else {
    submit_skb(skb, queue);
  }
  if (tx_[queue].free_descriptors() <= hw::kTxStop) stop_queue(queue);
  return stack::TxStatus::kOk;
}

void FecDriver::drop_skb(stack::SkBuff& skb, stack::DropReason reason) {
  ++stats_.tx_dropped;
  stack_.drops().count(reason);
  stack_.skbs().free(skb);
}

hal::DmaAddr FecDriver::map(const uint8_t* data, uint32_t bytes, bool& ok) {
  hal_.cpu.charge(hal::Op::kMapSetup);
  return hal_.dma.map(data, bytes, hal::DmaDir::kToDevice, ok);
}

uint16_t FecDriver::tx_base_status(hal::DmaAddr bd) {
  return hal_.coherent.read16(bd + hw::kOffStatus) & kKept;
}

uint32_t FecDriver::tx_esc(const stack::SkBuff& skb, unsigned queue) const {
  uint32_t esc = hw::tx_esc::ftype(queue);
  if (skb.ip_summed == stack::Checksum::kPartial) esc |= hw::tx_esc::kPins | hw::tx_esc::kIins;
  return esc;
}

// The device adds into the fields, so they must be zero.
void FecDriver::clear_checksums(stack::SkBuff& skb) {
  if (skb.ip_summed != stack::Checksum::kPartial) return;
  if (skb.ipv4) {
    uint8_t* field = skb.data + skb.network_offset + net::kIpv4ChecksumOffset;
    hal_.dma.touch(field, 2, hal::Touch::kWrite);
    base::store_be16(field, 0);
  }
  uint8_t* field = skb.data + skb.transport_offset + skb.csum_offset;
  hal_.dma.touch(field, 2, hal::Touch::kWrite);
  base::store_be16(field, 0);
}

void FecDriver::submit_skb(stack::SkBuff& skb, unsigned queue) {
  TxRing& ring = tx_[queue];
  if (ring.free_descriptors() < hw::kTxNeeded) {
    drop_skb(skb, stack::DropReason::kSkbTxRingFull);
    return;
  }
  clear_checksums(skb);
  hal_.cpu.charge(hal::Op::kDriverTx);
  const uint32_t first = ring.bd.cur;
  const hal::DmaAddr bd = ring.bd.at(first);
  uint16_t status = tx_base_status(bd);
  const uint32_t head_len = skb.head_len();
  bool ok = false;
  const hal::DmaAddr address = map(skb.data, head_len, ok);
  if (!ok) {
    drop_skb(skb, stack::DropReason::kSkbTxMapFailed);
    return;
  }
  uint32_t esc = tx_esc(skb, queue);
  uint32_t last = first;
  if (skb.frag_count > 0) {
    if (!map_frags(skb, queue, last)) {
      hal_.dma.unmap(address, head_len, hal::DmaDir::kToDevice);
      drop_skb(skb, stack::DropReason::kSkbTxMapFailed);
      return;
    }
  } else {
    status |= hw::tx_sc::kIntr | hw::tx_sc::kLast;
    esc |= hw::tx_esc::kInt;
    if (skb.want_tx_timestamp && config_.hw_timestamps) esc |= hw::tx_esc::kTs;
  }
  hal_.coherent.write32(bd + hw::kOffAddress, static_cast<uint32_t>(address));
  hal_.coherent.write16(bd + hw::kOffLength, static_cast<uint16_t>(head_len));
  if (enhanced()) {
    hal_.coherent.write32(bd + hw::kOffBdu, 0);
    hal_.coherent.write32(bd + hw::kOffControl, esc);
  }
  ring.slots[last].skb = &skb;
  ring.slots[last].ends_frame = true;
  // Orders: the packet's other words, and R of its fragments, before R of its first descriptor: the
  // device must not start before all of it is there.
  hal_.order.wmb();
  hal_.coherent.write16(bd + hw::kOffStatus, status | hw::tx_sc::kReady | hw::tx_sc::kTc);
  // Orders: R and the slot before cur, or clean-up sees the old R = 0 and an empty slot.
  hal_.order.wmb();
  ring.bd.cur = ring.bd.next(last);
  ++stats_.tx_submitted;
  submit_doorbell(queue);
}

// Fills the descriptors after the head's. On failure nothing of them is left for the device.
bool FecDriver::map_frags(stack::SkBuff& skb, unsigned queue, uint32_t& last) {
  TxRing& ring = tx_[queue];
  const uint32_t head = ring.bd.cur;
  uint32_t index = head;
  for (unsigned i = 0; i < skb.frag_count; ++i) {
    index = ring.bd.next(index);
    hal_.cpu.charge(hal::Op::kDriverTx);
    const stack::SkbFrag& frag = skb.frags[i];
    const hal::DmaAddr bd = ring.bd.at(index);
    uint16_t status = tx_base_status(bd) | hw::tx_sc::kReady | hw::tx_sc::kTc;
    uint32_t esc = tx_esc(skb, queue);
    if (i + 1 == skb.frag_count) {
      status |= hw::tx_sc::kIntr | hw::tx_sc::kLast;
      esc |= hw::tx_esc::kInt;
      if (skb.want_tx_timestamp && config_.hw_timestamps) esc |= hw::tx_esc::kTs;
    }
    bool ok = false;
    const hal::DmaAddr address = map(frag.data, frag.size, ok);
    if (!ok) {
      unwind(queue, ring.bd.next(head), index);
      return false;
    }
    hal_.coherent.write32(bd + hw::kOffAddress, static_cast<uint32_t>(address));
    hal_.coherent.write16(bd + hw::kOffLength, static_cast<uint16_t>(frag.size));
    if (enhanced()) {
      hal_.coherent.write32(bd + hw::kOffBdu, 0);
      hal_.coherent.write32(bd + hw::kOffControl, esc);
    }
    // Orders: address, length and control before R.
    hal_.order.wmb();
    hal_.coherent.write16(bd + hw::kOffStatus, status);
  }
  last = index;
  return true;
}

// Takes back descriptors first..end-1, which were filled but never submitted.
void FecDriver::unwind(unsigned queue, uint32_t first, uint32_t end) {
  TxRing& ring = tx_[queue];
  for (uint32_t i = first; i != end; i = ring.bd.next(i)) {
    const hal::DmaAddr bd = ring.bd.at(i);
    // R goes first: Linux leaves it set here, and the next packet then exposes freed memory.
    hal_.coherent.write16(bd + hw::kOffStatus,
                          hal_.coherent.read16(bd + hw::kOffStatus) & hw::tx_sc::kWrap);
    // Orders: R = 0 before the address goes.
    hal_.order.wmb();
    const uint32_t address = hal_.coherent.read32(bd + hw::kOffAddress);
    if (address != 0 && !ring.is_tso_header(address)) {
      hal_.dma.unmap(address, hal_.coherent.read16(bd + hw::kOffLength), hal::DmaDir::kToDevice);
    }
    hal_.coherent.write32(bd + hw::kOffAddress, 0);
    ring.slots[i] = TxSlot{};
  }
}

// Writes TDAR. Orders: descriptors before the doorbell (writel implies it), or the engine sees R =
// 0 and goes idle. ERR007885: a write while the engine clears TDAR hangs it, so the write waits
// until the register reads 0; if it never does in four reads, the engine is taken to be running.
void FecDriver::ring_doorbell(unsigned queue) {
  const uint32_t tdar = reg::tdar(queue);
  if (config_.erratum_007885_workaround) {
    bool idle = false;
    for (unsigned i = 0; i < kDoorbellReads && !idle; ++i) idle = rd(tdar) == 0;
    if (!idle) {
      ++stats_.tx_doorbells_skipped;
      return;
    }
  }
  ++stats_.tx_doorbells;
  wr(tdar, 0);
}

void FecDriver::submit_doorbell(unsigned queue) {
  if (config_.doorbell == DoorbellMode::kBatched && in_poll_) {
    tx_[queue].doorbell_due = true;
  } else {
    ring_doorbell(queue);
  }
}

void FecDriver::flush_doorbells() {
  for (unsigned q = 0; q < hw::kRings; ++q) {
    if (!tx_[q].doorbell_due) continue;
    tx_[q].doorbell_due = false;
    ring_doorbell(q);
  }
}

}  // namespace doorbell::drivers::fec
