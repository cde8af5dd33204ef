// Transmit of sk_buffs: inline, mapped and paged fragments; activation, doorbell, lock.
#include "sim/drivers/tsnep/tsnep_driver.h"

namespace doorbell::drivers::tsnep {

namespace reg = hw::reg;
namespace props = hw::props;

namespace {
constexpr base::Picos kSpinPause{20000};  // 20 ns between looks at a lock
}  // namespace

// One queue a core, as XPS would.
uint16_t TsnepDriver::select_queue(const stack::SkBuff&) {
  return static_cast<uint16_t>(hal_.cpu.id() % queues());
}

// The address goes out with the command that resets the owner counter.
void TsnepDriver::start_tx_ring(TxRing& ring) {
  ring.read = ring.write = 0;
  ring.owner = desc::OwnerCounter(hw::kRingSize);
  ring.slots.fill(TxSlot{});
  ring.draining = false;
  const hal::DmaAddr first = ring.blocks.block(0);
  wr(reg::tx_desc_addr_low(ring.queue),
     static_cast<uint32_t>(first) | hw::desc_addr::kResetOwnerCounter);
  wr(reg::tx_desc_addr_high(ring.queue), static_cast<uint32_t>(first >> 32));
}

// Spins while another core holds the queue; `charged`: the stack has paid for the lock already.
void TsnepDriver::lock(TxRing& ring, bool charged) {
  if (!charged) stack::charge_tx_lock(hal_);
  hal_.cpu.meet();
  while (ring.locked) {
    ++stats_.tx_lock_waits;
    hal_.cpu.delay(kSpinPause);
    hal_.coherent.read32(ring.lock_word);
    hal_.cpu.meet();
  }
  ring.locked = true;
}

void TsnepDriver::unlock(TxRing& ring) {
  hal_.cpu.meet();
  ring.locked = false;
}

stack::TxStatus TsnepDriver::xmit(stack::SkBuff& skb, uint16_t queue) {
  TxRing& ring = pairs_[queue]->tx;
  if (skb.gso != stack::Gso::kNone || skb.ip_summed == stack::Checksum::kPartial ||
      skb.vlan_present || skb.length() > hw::kLengthMax) {
    return drop_skb(skb, stack::DropReason::kSkbTxUnsupported);
  }
  const unsigned count = 1u + skb.frag_count;
  lock(ring, true);
  if (ring.draining || ring.available() < count) {
    stop_queue(queue);
    ++stats_.tx_busy;
    unlock(ring);
    return stack::TxStatus::kBusy;
  }
  if (!fill_skb(ring, skb, count)) {
    unlock(ring);
    return drop_skb(skb, stack::DropReason::kSkbTxMapFailed);
  }
  for (unsigned i = 0; i < count; ++i) {
    activate(ring, ring_next(ring.write, i), i == 0, i + 1 == count);
  }
  ring.write = ring_next(ring.write, count);
  ++stats_.tx_submitted;
  ring_tx_doorbell(ring);
  if (ring.available() < hw::kTxNeeded) stop_queue(queue);
  unlock(ring);
  return stack::TxStatus::kOk;
}

stack::TxStatus TsnepDriver::drop_skb(stack::SkBuff& skb, stack::DropReason reason) {
  ++stats_.tx_dropped;
  stack_.drops().count(reason);
  stack_.skbs().free(skb);
  return stack::TxStatus::kOk;
}

// Maps or copies every fragment; nothing is the device's yet. On failure nothing is left.
bool TsnepDriver::fill_skb(TxRing& ring, stack::SkBuff& skb, unsigned count) {
  const uint32_t first = ring.write;
  for (unsigned i = 0; i < count; ++i) {
    const bool head = i == 0;
    TxPart part;
    part.data = head ? skb.data : skb.frags[i - 1].data;
    part.bytes = head ? skb.head_len() : skb.frags[i - 1].size;
    part.type = (head ? tx_type::kSkb : tx_type::kSkbFrag) |
                (part.bytes <= config_.tx_inline ? tx_type::kInline
                 : head                          ? tx_type::kMap
                                                 : tx_type::kMapPage);
    if (!place(ring, ring_next(first, i), part)) {
      // From the first slot of this frame on: from `read` on it would unmap frames in flight (bug
      // B1).
      unwind(ring, first, i);
      return false;
    }
  }
  TxSlot& slot = ring.slots[first];
  slot.fragments = static_cast<uint8_t>(count);
  slot.frame_length = skb.length();
  slot.skb = &skb;
  // Decided here once: the flag alone may mean somebody else's stamp (bug B9).
  if (skb.want_tx_timestamp && config_.hw_timestamps) slot.type |= tx_type::kTstamp;
  return true;
}

bool TsnepDriver::place(TxRing& ring, uint32_t index, const TxPart& part) {
  TxSlot& slot = ring.slots[index];
  slot.fragments = 0;
  slot.frame_length = 0;
  if ((part.type & tx_type::kInline) != 0) {
    hal_.dma.touch(part.data, part.bytes, hal::Touch::kRead);
    hal_.coherent.write_bytes(ring.blocks.buffer(index), {part.data, part.bytes});
    ++stats_.tx_inline;
  } else {
    bool ok = false;
    hal_.cpu.charge(hal::Op::kMapSetup);
    const hal::DmaAddr dma = hal_.dma.map(part.data, part.bytes, hal::DmaDir::kToDevice, ok);
    if (!ok) return false;
    slot.dma = dma;
    hal_.coherent.write64(ring.blocks.buffer(index), dma);
    ++stats_.tx_mapped;
  }
  slot.type = part.type;
  slot.length = part.bytes;
  return true;
}

// Takes back slots that were filled and never activated.
void TsnepDriver::unwind(TxRing& ring, uint32_t first, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    TxSlot& slot = ring.slots[ring_next(first, i)];
    unmap(slot);
    slot.type = 0;
    slot.length = 0;
    slot.skb = nullptr;
  }
}

void TsnepDriver::unmap(const TxSlot& slot) {
  if ((slot.type & (tx_type::kMap | tx_type::kMapPage)) == 0) return;
  hal_.dma.unmap(slot.dma, slot.length, hal::DmaDir::kToDevice);
}

// Gives the slot to the device. `first` and `last` of its frame.
void TsnepDriver::activate(TxRing& ring, uint32_t index, bool first, bool last) {
  hal_.cpu.charge(hal::Op::kDriverTx);
  TxSlot& slot = ring.slots[index];
  uint32_t p = 0;
  if (first) {
    p = slot.frame_length | props::kInterrupt;
    if ((slot.type & tx_type::kTstamp) != 0) p |= props::kExtendedWriteback;
    // Only first fragments are acknowledged: an acknowledgement that is still there from two uses
    // ago may hold this very counter.
    slot.user_flag = !slot.user_flag;
  }
  if (last) p |= props::kLastFragment;
  if ((slot.type & tx_type::kInline) != 0) p |= props::kDataAfterDesc;
  if (slot.user_flag) p |= props::kOwnerUserFlag;
  slot.properties = props::with_owner(p, ring.owner.activate(index));
  hal_.coherent.write32(ring.blocks.more_properties(index), slot.length);
  // Orders: address or data and length before the owner counter, or the device sends what the slot
  // held before.
  hal_.order.dma_wmb();
  hal_.coherent.write32(ring.blocks.properties(index), slot.properties);
}

void TsnepDriver::ring_tx_doorbell(TxRing& ring) {
  ++stats_.tx_doorbells;
  // Orders: owner counters before the doorbell, or the engine finds nothing and goes idle.
  hal_.order.dma_wmb();
  wr(reg::control(ring.queue), hw::control::kTxEnable);
}

}  // namespace doorbell::drivers::tsnep
