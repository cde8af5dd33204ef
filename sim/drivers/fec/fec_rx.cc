// Receive: closed descriptors to XDP or sk_buffs, one fresh page and one RDAR write per packet.
#include "sim/drivers/fec/fec_driver.h"

namespace doorbell::drivers::fec {

namespace reg = hw::reg;

namespace {
// All that the driver looks at after inverting L: what remains set of these is an error.
constexpr uint16_t kNotLast = hw::rx_sc::kLast;
constexpr uint16_t kShort = 1u << 3;  // of older FECs, reserved on ENET
constexpr uint16_t kErrors = hw::rx_sc::kErrors | kShort | kNotLast;
// Status bits a re-armed descriptor must not show; BC, MC and an inverted L survive.
constexpr uint16_t kStats = 0x013F;
constexpr uint32_t kOverhead = hw::kShift16Bytes + hw::kFcsBytes;
constexpr uint32_t kMacs = 2 * net::kMacBytes;
}  // namespace

int FecDriver::receive(int budget) {
  int done = 0;
  for (unsigned q = hw::kRings; q-- > 0;) done += receive_ring(q, budget - done);
  return done;
}

int FecDriver::receive_ring(unsigned queue, int budget) {
  RxRing& ring = rx_[queue];
  bool redirected = false;
  int done = 0;
  for (;;) {
    const uint32_t index = ring.bd.cur;
    uint16_t status = hal_.coherent.read16(ring.bd.at(index) + hw::kOffStatus);
    if ((status & hw::rx_sc::kEmpty) != 0 || done >= budget) break;
    ++done;
    hal_.cpu.charge(hal::Op::kDriverRx);
    wr(reg::kEir, hw::eir::rxf(queue));
    status ^= hw::rx_sc::kLast;
    if ((status & kErrors) != 0) {
      count_rx_error(status);
    } else if (receive_one(queue, index) == XdpResult::kRedirected) {
      redirected = true;
    }
    rearm(ring, index, status);
    ring.bd.cur = ring.bd.next(index);
    // The engine may have met an empty ring and stopped: each descriptor given back wakes it.
    wr(reg::rdar(queue), 0);
  }
  if (redirected) stack_.redirector().flush();
  return done;
}

namespace {
stack::DropReason reason_of(uint16_t status) {
  if ((status & hw::rx_sc::kOverrun) != 0) return stack::DropReason::kRxOverrun;
  if ((status & (hw::rx_sc::kLong | hw::rx_sc::kTruncated)) != 0) {
    return stack::DropReason::kRxTooLong;
  }
  return (status & hw::rx_sc::kCrc) != 0 ? stack::DropReason::kRxCrcError
                                         : stack::DropReason::kRxError;
}
}  // namespace

void FecDriver::count_rx_error(uint16_t status) {
  ++stats_.rx_errors;
  // A descriptor that is not the frame's last is no frame of its own: its end is counted.
  if ((status & kNotLast) == 0) stack_.drops().count(reason_of(status));
  if ((status & hw::rx_sc::kOverrun) != 0) {
    ++stats_.rx_fifo_errors;
    return;
  }
  if ((status & (hw::rx_sc::kLong | kShort | kNotLast)) != 0) ++stats_.rx_length_errors;
  if ((status & hw::rx_sc::kCrc) != 0) ++stats_.rx_crc_errors;
  if ((status & (hw::rx_sc::kNonOctet | hw::rx_sc::kTruncated)) != 0) ++stats_.rx_frame_errors;
}

FecDriver::XdpResult FecDriver::receive_one(unsigned queue, uint32_t index) {
  RxRing& ring = rx_[queue];
  const hal::DmaAddr bd = ring.bd.at(index);
  // Orders: status before length, control and time stamp, or they may be older than the status.
  // Linux 6.12 has no barrier here.
  if (config_.rx_dma_rmb) hal_.order.dma_rmb();
  const uint32_t length = hal_.coherent.read16(bd + hw::kOffLength);
  ++stats_.rx_packets;
  stats_.rx_bytes += length;
  // Read before the new page replaces it: the sync below is for the old buffer.
  const hal::DmaAddr address = hal_.coherent.read32(bd + hw::kOffAddress);
  if (length < kOverhead + net::kEtherHeaderBytes || length > hw::kRxUsable) {
    ++stats_.rx_errors;
    ++stats_.rx_length_errors;
    stack_.drops().count(stack::DropReason::kRxError);
    return XdpResult::kConsumed;
  }
  stack::Page* page = take_page(ring, index);
  if (page == nullptr) {
    ++stats_.rx_dropped;
    stack_.drops().count(stack::DropReason::kRxAllocFailed);
    return XdpResult::kConsumed;
  }
  // Orders: the device's writes before the CPU's reads: stale lines go.
  hal_.dma.sync_for_cpu(address, length, hal::DmaDir::kFromDevice);

  stack::XdpBuff buff;
  buff.data_hard_start = page->data;
  buff.data = buff.data_meta = page->data + hw::kRxHeadroom + hw::kShift16Bytes;
  buff.data_end = buff.data + (length - kOverhead);
  buff.rxq = &ring.xdp_rxq;
  buff.page = page;
  stack_.tap({buff.data, buff.length()});
  if (program_ != nullptr) {
    const XdpResult result = run_xdp(buff);
    if (result != XdpResult::kPass) return result;
  }
  pass_up(queue, index, buff);
  return XdpResult::kPass;
}

// Puts a fresh page under the descriptor. Returns the one it held, or nullptr if there is no fresh
// page: then the old one stays.
stack::Page* FecDriver::take_page(RxRing& ring, uint32_t index) {
  stack::Page* fresh = ring.pool->alloc();
  if (fresh == nullptr) return nullptr;
  stack::Page* old = ring.pages[index];
  ring.pages[index] = fresh;
  hal_.coherent.write32(ring.bd.at(index) + hw::kOffAddress,
                        static_cast<uint32_t>(fresh->dma + hw::kRxHeadroom));
  return old;
}

void FecDriver::rearm(RxRing& ring, uint32_t index, uint16_t status) {
  const hal::DmaAddr bd = ring.bd.at(index);
  const auto armed = static_cast<uint16_t>((status & ~kStats) | hw::rx_sc::kEmpty);
  if (enhanced()) {
    hal_.coherent.write32(bd + hw::kOffControl, hw::rx_esc::kInt);
    hal_.coherent.write32(bd + hw::kOffProtocol, 0);
    hal_.coherent.write32(bd + hw::kOffBdu, 0);
  }
  // Orders: new address and control before E, or the device fills the old page.
  hal_.order.wmb();
  hal_.coherent.write16(bd + hw::kOffStatus, armed);
}

void FecDriver::pass_up(unsigned queue, uint32_t index, const stack::XdpBuff& buff) {
  const hal::DmaAddr bd = rx_[queue].bd.at(index);
  stack::SkBuff* skb = stack_.skbs().build(*buff.page);
  if (skb == nullptr) {
    ++stats_.rx_dropped;
    stack_.drops().count(stack::DropReason::kRxSkbFailed);
    buff.page->pool->put_full(*buff.page);
    return;
  }
  skb->reserve(static_cast<uint32_t>(buff.data - skb->head));
  skb->put(buff.length());
  skb->pp_recycle = true;
  skb->queue = static_cast<uint16_t>(queue);
  if (enhanced()) {
    if (config_.vlan_strip &&
        (hal_.coherent.read32(bd + hw::kOffControl) & hw::rx_esc::kVlan) != 0) {
      hal_.dma.touch(skb->data, kMacs + net::kVlanTagBytes, hal::Touch::kWrite);
      skb->vlan_present = true;
      skb->vlan_tci = base::load_be16(skb->data + kMacs + 2);
      std::memmove(skb->data + net::kVlanTagBytes, skb->data, kMacs);
      skb->pull(net::kVlanTagBytes);
      ++stats_.rx_vlan_stripped;
    }
    if (config_.hw_timestamps) {
      skb->timestamp_ns = ptp_extend(hal_.coherent.read32(bd + hw::kOffTimestamp));
      skb->has_timestamp = true;
    }
    if (config_.rx_csum &&
        (hal_.coherent.read32(bd + hw::kOffControl) & (hw::rx_esc::kIce | hw::rx_esc::kPcr)) == 0) {
      skb->ip_summed = stack::Checksum::kUnnecessary;
      ++stats_.rx_csum_good;
    }
  }
  stack_.napi_gro_receive(*this, *skb);
}

}  // namespace doorbell::drivers::fec
