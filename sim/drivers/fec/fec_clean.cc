// Transmit clean-up: reclaims descriptors the device has given back, wakes queues.
#include "sim/drivers/fec/fec_driver.h"

namespace doorbell::drivers::fec {

namespace reg = hw::reg;

namespace {
// Transmit status of older FECs, which ENET never writes: errors of this MAC stay unseen.
constexpr uint16_t kOldTxErrors = 0x0383;
}  // namespace

void FecDriver::clean(int budget) {
  for (unsigned q = hw::kRings; q-- > 0;) clean_ring(q, budget);
}

void FecDriver::clean_ring(unsigned queue, int budget) {
  TxRing& ring = tx_[queue];
  uint32_t index = ring.bd.next(ring.dirty);
  while (index != ring.bd.cur) {
    // Orders: cur before the status, or a descriptor not yet filled looks finished.
    hal_.order.rmb();
    const uint16_t status = hal_.coherent.read16(ring.bd.at(index) + hw::kOffStatus);
    if ((status & hw::tx_sc::kReady) != 0) break;
    TxSlot& slot = ring.slots[index];
    // Budget 0 is netpoll in interrupt context: no page pool there.
    if (slot.type != TxBuffer::kSkb && budget == 0) break;
    hal_.cpu.charge(hal::Op::kDriverClean);
    if ((status & kOldTxErrors) != 0) ++stats_.tx_errors;
    if (slot.type == TxBuffer::kSkb) {
      clean_skb(ring, index);
    } else {
      clean_xdp(ring, index);
    }
    slot = TxSlot{};
    // Orders: address 0 and the empty slot before dirty, or a new packet's slot is overwritten.
    hal_.order.wmb();
    ring.dirty = index;
    index = ring.bd.next(index);
    if (this->queue(queue).stopped && ring.free_descriptors() >= hw::kTxWake) wake_queue(queue);
  }
  // ERR006358: TDAR may have been cleared late, over a doorbell. Only a 0 to 1 write helps.
  if (index != ring.bd.cur && rd(reg::tdar(queue)) == 0) {
    ++stats_.tx_kicks;
    wr(reg::tdar(queue), 0);
  }
}

void FecDriver::clean_skb(TxRing& ring, uint32_t index) {
  const hal::DmaAddr bd = ring.bd.at(index);
  const uint32_t address = hal_.coherent.read32(bd + hw::kOffAddress);
  if (address != 0 && !ring.is_tso_header(address)) {
    hal_.dma.unmap(address, hal_.coherent.read16(bd + hw::kOffLength), hal::DmaDir::kToDevice);
  }
  hal_.coherent.write32(bd + hw::kOffAddress, 0);
  stack::SkBuff* skb = ring.slots[index].skb;
  if (skb == nullptr) return;
  ++stats_.tx_packets;
  stats_.tx_bytes += skb->length();
  if (skb->want_tx_timestamp && config_.hw_timestamps && enhanced()) {
    last_tx_timestamp_ns_ = ptp_extend(hal_.coherent.read32(bd + hw::kOffTimestamp));
    ++stats_.tx_timestamps;
  }
  stack_.skbs().free(*skb);
}

void FecDriver::clean_xdp(TxRing& ring, uint32_t index) {
  const hal::DmaAddr bd = ring.bd.at(index);
  TxSlot& slot = ring.slots[index];
  if (slot.type == TxBuffer::kXdpNdo && hal_.coherent.read32(bd + hw::kOffAddress) != 0) {
    hal_.dma.unmap(hal_.coherent.read32(bd + hw::kOffAddress),
                   hal_.coherent.read16(bd + hw::kOffLength), hal::DmaDir::kToDevice);
  }
  hal_.coherent.write32(bd + hw::kOffAddress, 0);
  ++stats_.tx_packets;
  stats_.tx_bytes += hal_.coherent.read16(bd + hw::kOffLength);
  give_back(slot);
}

}  // namespace doorbell::drivers::fec
