// XDP in the receive loop, XDP_TX and redirected frames on the transmit rings.
#include <algorithm>
#include <cerrno>

#include "sim/drivers/fec/fec_driver.h"

namespace doorbell::drivers::fec {

FecDriver::XdpResult FecDriver::run_xdp(stack::XdpBuff& buff) {
  const uint32_t received = buff.length();
  stack::XdpContext context{hal_};
  const stack::Verdict verdict = program_->run(buff, context);
  xdp_counts.count(verdict);
  // The program may have moved both ends: a clean must cover the most the CPU can have touched.
  const uint32_t sync = std::max(received, buff.length());
  switch (verdict) {
    case stack::Verdict::kPass:
      ++stats_.rx_xdp_pass;
      return XdpResult::kPass;
    case stack::Verdict::kTx: {
      ++stats_.rx_xdp_tx;
      auto why = stack::DropReason::kXdpTxRingFull;
      if (!xdp_tx(buff, sync, why)) {
        ++stats_.rx_xdp_tx_errors;
        xdp_consume(buff, sync, why);
      }
      return XdpResult::kConsumed;
    }
    case stack::Verdict::kRedirect: {
      ++stats_.rx_xdp_redirect;
      const int error = stack_.redirector().redirect(buff, context);
      if (error == 0) return XdpResult::kRedirected;
      xdp_consume(buff, sync, stack::redirect_drop_reason(error));
      return XdpResult::kConsumed;
    }
    case stack::Verdict::kDrop:
      ++stats_.rx_xdp_drop;
      xdp_consume(buff, sync, stack::DropReason::kXdpDrop);
      return XdpResult::kConsumed;
    case stack::Verdict::kAborted:
      ++stats_.rx_xdp_drop;
      xdp_consume(buff, sync, stack::DropReason::kXdpAborted);
      return XdpResult::kConsumed;
  }
  ++stats_.rx_xdp_drop;
  xdp_consume(buff, sync, stack::DropReason::kXdpUnknownVerdict);
  return XdpResult::kConsumed;
}

void FecDriver::xdp_consume(stack::XdpBuff& buff, uint32_t sync, stack::DropReason reason) {
  stack_.drops().count(reason);
  buff.page->pool->put(*buff.page, config_.dma_sync == DmaSync::kFull ? hw::kRxUsable : sync);
}

bool FecDriver::xdp_tx(stack::XdpBuff& buff, uint32_t sync, stack::DropReason& why) {
  XdpSend send;
  send.type = TxBuffer::kXdpTx;
  send.sync = sync;
  if (config_.xdp_frame_conversion) {
    send.frame = stack::convert_to_frame(hal_, buff);
    if (send.frame == nullptr) {
      why = stack::DropReason::kXdpNoHeadroom;
      return false;
    }
  }
  send.page = buff.page;
  send.data = buff.data;
  send.length = buff.length();
  const unsigned queue = xdp_tx_queue();
  stack::charge_tx_lock(hal_);
  // XDP shares the ring with the stack: its progress must show, or the watchdog fires.
  note_transmit(queue);
  if (!xdp_queue(queue, send, why)) return false;
  submit_doorbell(queue);
  return true;
}

int FecDriver::xdp_xmit(stack::XdpFrame* const* frames, int count) {
  if (!running()) return -ENETDOWN;
  const unsigned queue = xdp_tx_queue();
  stack::charge_tx_lock(hal_);
  note_transmit(queue);
  int sent = 0;
  xdp_refusal_ = stack::DropReason::kRedirectRingFull;
  for (; sent < count; ++sent) {
    stack::XdpFrame& frame = *frames[sent];
    stack::touch_frame(hal_.dma, *frame.page, hal::Touch::kRead);
    XdpSend send;
    send.type = TxBuffer::kXdpNdo;
    send.frame = &frame;
    send.page = frame.page;
    send.data = frame.data;
    send.length = frame.len;
    if (!xdp_queue(queue, send, xdp_refusal_)) break;
    if (config_.doorbell == DoorbellMode::kPerFrame) ring_doorbell(queue);
  }
  if (config_.doorbell == DoorbellMode::kBatched && sent > 0) ring_doorbell(queue);
  stats_.tx_xdp_xmit += static_cast<uint64_t>(sent);
  stats_.tx_xdp_xmit_errors += static_cast<uint64_t>(count - sent);
  return sent;
}

// Fills one descriptor. The caller holds the queue's lock and rings the doorbell.
bool FecDriver::xdp_queue(unsigned queue, const XdpSend& send, stack::DropReason& why) {
  TxRing& ring = tx_[queue];
  const bool own = send.type == TxBuffer::kXdpTx;
  if (ring.free_descriptors() < hw::kTxNeeded) {
    why = own ? stack::DropReason::kXdpTxRingFull : stack::DropReason::kRedirectRingFull;
    return false;
  }
  hal_.cpu.charge(hal::Op::kDriverTx);
  const uint32_t index = ring.bd.cur;
  const hal::DmaAddr bd = ring.bd.at(index);
  uint16_t status = tx_base_status(bd);
  hal::DmaAddr address = 0;
  if (own) {
    address = send.page->dma + static_cast<uint64_t>(send.data - send.page->data);
    hal_.dma.sync_for_device(address, send.sync, hal::DmaDir::kBidirectional);
  } else {
    bool ok = false;
    address = map(send.data, send.length, ok);
    if (!ok) {
      why = stack::DropReason::kRedirectMapFailed;
      return false;
    }
  }
  TxSlot& slot = ring.slots[index];
  slot.type = send.type;
  slot.frame = send.frame;
  slot.page = send.page;
  slot.ends_frame = true;
  status |= hw::tx_sc::kIntr | hw::tx_sc::kLast;
  hal_.coherent.write32(bd + hw::kOffAddress, static_cast<uint32_t>(address));
  hal_.coherent.write16(bd + hw::kOffLength, static_cast<uint16_t>(send.length));
  if (enhanced()) {
    hal_.coherent.write32(bd + hw::kOffBdu, 0);
    hal_.coherent.write32(bd + hw::kOffControl, hw::tx_esc::kInt | hw::tx_esc::ftype(queue));
  }
  // Orders: address, length and control before R, or the device sends something else.
  hal_.order.dma_wmb();
  hal_.coherent.write16(bd + hw::kOffStatus, status | hw::tx_sc::kReady | hw::tx_sc::kTc);
  // Orders: R and the slot before cur, or clean-up sees the old R = 0 and an empty slot.
  hal_.order.dma_wmb();
  ring.bd.cur = ring.bd.next(index);
  ++stats_.tx_submitted;
  return true;
}

int FecDriver::set_xdp_program(stack::XdpProgram* program) {
  config_.program = program;
  if (config_.mode == XdpMode::kSkb) {
    set_generic_program(program);
    return 0;
  }
  const bool up = running();
  if (up) {
    hal_.napi.disable();
    stop_all_queues();
  }
  program_ = program;
  // Linux restarts a closed device too, with its clocks gated and freed pages re-armed.
  if (up) {
    restart();
    hal_.napi.enable();
    wake_all_queues();
  }
  return 0;
}

}  // namespace doorbell::drivers::fec
