// XDP: the program's verdict, XDP_TX, the end of a poll, redirected frames.
#include <algorithm>
#include <cerrno>

#include "sim/drivers/tsnep/tsnep_driver.h"

namespace doorbell::drivers::tsnep {

namespace {

// Octets behind the page's headroom that the program may have touched.
uint32_t touched(const stack::XdpBuff& buff) {
  const ptrdiff_t end = buff.data_end - buff.data_hard_start - hw::kRxHeadroom;
  return static_cast<uint32_t>(std::max<ptrdiff_t>(end, 0));
}

}  // namespace

void TsnepDriver::run_xdp(TsnepQueue& q, stack::XdpBuff& buff, stack::XdpProgram& program,
                          XdpResult& result) {
  const uint32_t before = touched(buff);
  stack::XdpContext context{hal_};
  const stack::Verdict verdict = program.run(buff, context);
  xdp_counts.count(verdict);
  // The page is cleaned as far as the longer of both goes.
  const uint32_t sync = std::max(before, touched(buff));
  result = XdpResult::kConsumed;
  auto reason = stack::DropReason::kXdpUnknownVerdict;
  switch (verdict) {
    case stack::Verdict::kPass:
      ++stats_.rx_xdp_pass;
      result = XdpResult::kPass;
      return;
    case stack::Verdict::kTx:
      ++stats_.rx_xdp_tx;
      result = xdp_tx(q, buff, sync);
      return;
    case stack::Verdict::kRedirect: {
      ++stats_.rx_xdp_redirect;
      const int error = stack_.redirector().redirect(buff, context);
      if (error != 0) {
        xdp_drop(buff, stack::redirect_drop_reason(error), sync);
        return;
      }
      result = XdpResult::kRedirected;
      return;
    }
    case stack::Verdict::kDrop:
      reason = stack::DropReason::kXdpDrop;
      break;
    case stack::Verdict::kAborted:
      reason = stack::DropReason::kXdpAborted;
      break;
  }
  ++stats_.rx_xdp_drop;
  xdp_drop(buff, reason, sync);
}

void TsnepDriver::xdp_drop(stack::XdpBuff& buff, stack::DropReason reason, uint32_t sync) {
  stack_.drops().count(reason);
  if (buff.xsk != nullptr) {
    buff.xsk->free(buff);
  } else {
    buff.page->pool->put(*buff.page, sync);
  }
}

// A page goes out as it is. A zero-copy buffer has been copied to a plain page, which must be
// mapped like a stranger's (bug B8).
TsnepDriver::XdpResult TsnepDriver::xdp_tx(TsnepQueue& q, stack::XdpBuff& buff, uint32_t sync) {
  const bool zero_copy = buff.xsk != nullptr;
  stack::XdpFrame* frame = stack::convert_to_frame(hal_, buff);
  if (frame == nullptr) {
    ++stats_.rx_xdp_tx_errors;
    // Without room in front; for a zero-copy buffer: without a page to copy it to.
    xdp_drop(buff, stack::DropReason::kXdpNoHeadroom, sync);
    return XdpResult::kConsumed;
  }
  bool map_failed = false;
  lock(q.tx);
  const bool sent =
      xdp_send(q.tx, *frame, zero_copy ? tx_type::kXdpNdo : tx_type::kXdpTx, map_failed);
  if (sent) note_transmit(q.index);
  unlock(q.tx);
  if (sent) return XdpResult::kTx;
  ++stats_.rx_xdp_tx_errors;
  stack_.drops().count(map_failed ? stack::DropReason::kXdpTxMapFailed
                                  : stack::DropReason::kXdpTxRingFull);
  if (!zero_copy) {
    frame->page->pool->put(*frame->page, sync);
  } else if (config_.fix_hazards) {
    stack::return_frame(hal_, *frame);
  } else {
    ++stats_.xsk_leaked;  // L4: the buffer is home already, and nobody thinks of the page
  }
  return XdpResult::kConsumed;
}

// Never inlined. The threshold leaves room for one sk_buff of the most fragments.
bool TsnepDriver::xdp_send(TxRing& ring, stack::XdpFrame& frame, uint32_t type, bool& map_failed) {
  if (ring.draining || ring.available() < hw::kTxNeeded) return false;
  const uint32_t index = ring.write;
  TxSlot& slot = ring.slots[index];
  if (type == tx_type::kXdpNdo) {
    bool ok = false;
    hal_.cpu.charge(hal::Op::kMapSetup);
    const hal::DmaAddr dma = hal_.dma.map(frame.data, frame.len, hal::DmaDir::kToDevice, ok);
    if (!ok) {
      map_failed = true;
      return false;
    }
    slot.dma = dma;
    slot.type = type | tx_type::kMap;
    ++stats_.tx_mapped;
  } else {
    slot.dma = frame.page->dma + static_cast<uint64_t>(frame.data - frame.page->data);
    slot.type = type;
    hal_.dma.sync_for_device(slot.dma, frame.len, hal::DmaDir::kBidirectional);
  }
  slot.frame = &frame;
  slot.fragments = 1;
  slot.length = slot.frame_length = frame.len;
  hal_.coherent.write64(ring.blocks.buffer(index), slot.dma);
  activate(ring, index, true, true);
  ring.write = ring_next(ring.write);
  ++stats_.tx_submitted;
  return true;
}

// Once a poll: the doorbell for everything XDP_TX has queued, then bulk queues and sockets.
void TsnepDriver::finalize_xdp(TsnepQueue& q, const PollTodo& todo) {
  if (todo.sent) {
    lock(q.tx);
    ring_tx_doorbell(q.tx);
    unlock(q.tx);
  }
  if (todo.redirected) stack_.redirector().flush();
}

int TsnepDriver::xdp_xmit(stack::XdpFrame* const* frames, int count) {
  return xdp_submit(frames, count, true);
}
int TsnepDriver::xdp_xmit_more(stack::XdpFrame* const* frames, int count) {
  return xdp_submit(frames, count, false);
}

// ndo_xdp_xmit: on the queue of the core that calls, which sk_buffs and others share: locked.
int TsnepDriver::xdp_submit(stack::XdpFrame* const* frames, int count, bool flush) {
  if (!running()) return -ENETDOWN;
  unsigned number = hal_.cpu.id() % hw::kMaxQueues;
  while (number >= queues()) number -= queues();
  TxRing& ring = pairs_[number]->tx;
  auto refusal = stack::DropReason::kRedirectRingFull;
  int taken = 0;
  lock(ring);
  for (; taken < count; ++taken) {
    stack::XdpFrame& frame = *frames[taken];
    stack::touch_frame(hal_.dma, *frame.page, hal::Touch::kRead);
    bool map_failed = false;
    if (!xdp_send(ring, frame, tx_type::kXdpNdo, map_failed)) {
      if (map_failed) refusal = stack::DropReason::kRedirectMapFailed;
      break;
    }
    note_transmit(number);
  }
  if (flush) ring_tx_doorbell(ring);
  unlock(ring);
  stats_.tx_xdp_xmit += static_cast<uint64_t>(taken);
  stats_.tx_xdp_xmit_errors += static_cast<uint64_t>(count - taken);
  xdp_refusal_ = refusal;
  return taken;
}

// A pointer exchange: no queue stops (bug B15).
int TsnepDriver::set_xdp_program(stack::XdpProgram* program) {
  config_.program = program;
  if (config_.mode == XdpMode::kSkb) {
    set_generic_program(program);
  } else {
    program_ = program;
  }
  return 0;
}

}  // namespace doorbell::drivers::tsnep
