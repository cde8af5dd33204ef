// XDP in the receive loop: the program's verdict, XDP_TX, the end of a poll, redirected frames.
#include <cerrno>

#include "sim/drivers/ice/ice_driver.h"

namespace doorbell::drivers::ice {

IceDriver::XdpResult IceDriver::run_xdp(RxRing& ring, stack::XdpBuff& buff) {
  stack::XdpContext context{hal_};
  const stack::Verdict verdict = program_->run(buff, context);
  xdp_counts.count(verdict);
  switch (verdict) {
    case stack::Verdict::kPass:
      ++stats_.rx_xdp_pass;
      return XdpResult::kPass;
    case stack::Verdict::kTx:
      ++stats_.rx_xdp_tx;
      return xdp_tx(ring, buff);
    case stack::Verdict::kRedirect: {
      ++stats_.rx_xdp_redirect;
      const int error = stack_.redirector().redirect(buff, context);
      if (error == 0) return XdpResult::kRedirected;
      xdp_consume(buff, stack::redirect_drop_reason(error));
      return XdpResult::kConsumed;
    }
    case stack::Verdict::kDrop:
      ++stats_.rx_xdp_drop;
      xdp_consume(buff, stack::DropReason::kXdpDrop);
      return XdpResult::kConsumed;
    case stack::Verdict::kAborted:
      ++stats_.rx_xdp_drop;
      xdp_consume(buff, stack::DropReason::kXdpAborted);
      return XdpResult::kConsumed;
  }
  ++stats_.rx_xdp_drop;
  xdp_consume(buff, stack::DropReason::kXdpUnknownVerdict);
  return XdpResult::kConsumed;
}

void IceDriver::xdp_consume(stack::XdpBuff& buff, stack::DropReason reason) {
  stack_.drops().count(reason);
  buff.page->pool->put_full(*buff.page);
}

// The page goes to the transmit ring as it is; clean-up there gives it back.
IceDriver::XdpResult IceDriver::xdp_tx(RxRing& rx, stack::XdpBuff& buff) {
  XdpSend send;
  send.kind = TxKind::kXdpTx;
  send.page = buff.page;
  send.data = buff.data;
  send.length = buff.length();
  TxRing& ring = *rx.xdp_ring;
  if (xdp_shared_) lock(ring);
  const XdpSent sent = xdp_send(ring, send);
  if (xdp_shared_) unlock(ring);
  if (sent == XdpSent::kTaken) return XdpResult::kTx;
  ++stats_.rx_xdp_tx_errors;
  xdp_consume(buff, sent == XdpSent::kFull ? stack::DropReason::kXdpTxRingFull
                                           : stack::DropReason::kXdpTxMapFailed);
  return XdpResult::kConsumed;
}

// Once a poll: bulk queues go out, then the doorbell for everything XDP_TX has queued.
void IceDriver::finalize_xdp(RxRing& rx, bool sent, bool redirected, uint32_t first) {
  if (redirected) stack_.redirector().flush();
  if (!sent) return;
  TxRing& ring = *rx.xdp_ring;
  if (xdp_shared_) lock(ring);
  if (config_.rs == RsMode::kQuarter) close_batch(ring, first);
  xdp_doorbell(ring);
  if (xdp_shared_) unlock(ring);
}

int IceDriver::xdp_xmit(stack::XdpFrame* const* frames, int count) {
  return xdp_submit(frames, count, true);
}
int IceDriver::xdp_xmit_more(stack::XdpFrame* const* frames, int count) {
  return xdp_submit(frames, count, false);
}

// ndo_xdp_xmit: on the ring of the core that calls.
int IceDriver::xdp_submit(stack::XdpFrame* const* frames, int count, bool flush) {
  if (!running()) return -ENETDOWN;
  if (xdp_.empty()) return -ENXIO;
  const unsigned cpu = hal_.cpu.id();
  if (!xdp_shared_ && cpu >= xdp_.size()) return -ENXIO;
  TxRing& ring = xdp_[cpu % xdp_.size()];
  if (xdp_shared_) lock(ring);
  const uint32_t first = ring.ntu;
  auto refusal = stack::DropReason::kRedirectRingFull;
  int taken = 0;
  for (; taken < count; ++taken) {
    stack::XdpFrame& frame = *frames[taken];
    stack::touch_frame(hal_.dma, *frame.page, hal::Touch::kRead);
    XdpSend send;
    send.kind = TxKind::kXdpXmit;
    send.frame = &frame;
    send.data = frame.data;
    send.length = frame.len;
    const XdpSent sent = xdp_send(ring, send);
    if (sent == XdpSent::kMapFailed) refusal = stack::DropReason::kRedirectMapFailed;
    if (sent != XdpSent::kTaken) break;
  }
  // Linux 6.12 asks for a report even when it took nothing: the descriptor is the device's then,
  // and a report that arrives between this load and store is lost (hazard H4).
  if (config_.rs == RsMode::kQuarter) close_batch(ring, first);
  if (flush) xdp_doorbell(ring);
  if (xdp_shared_) unlock(ring);
  stats_.tx_xdp_xmit += static_cast<uint64_t>(taken);
  stats_.tx_xdp_xmit_errors += static_cast<uint64_t>(count - taken);
  xdp_refusal_ = refusal;
  return taken;
}

}  // namespace doorbell::drivers::ice
