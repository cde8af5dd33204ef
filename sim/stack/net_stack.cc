#include "sim/stack/net_stack.h"

#include "models/net/frame.h"

namespace doorbell::stack {

NetStack::NetStack(hal::Hal& hal, const NetStackConfig& config)
    : hal_(hal), pages_(hal.dma), skbs_(hal, pages_, config.skbs), redirector_(hal, drops_) {}

void NetStack::napi_gro_receive(NetDevice& device, SkBuff& skb) {
  hal_.cpu.charge(hal::Op::kSkbReceive);
  // eth_type_trans and GRO look at the Ethernet header; the layers above it share its line.
  hal_.dma.touch(skb.data, net::kEtherHeaderBytes, hal::Touch::kRead);
  skb.device = &device;
  if (device.generic_program() != nullptr && !run_generic_xdp(device, skb)) return;
  deliver(skb);
}

void NetStack::deliver(SkBuff& skb) {
  hal_.cpu.charge(hal::Op::kStackDeliver);
  ++delivered_frames_;
  delivered_bytes_ += skb.length();
  if (sink_ != nullptr) sink_->deliver(skb);
  skbs_.free(skb);
}

// True if the packet goes on up the stack.
bool NetStack::run_generic_xdp(NetDevice& device, SkBuff& skb) {
  hal_.cpu.charge(hal::Op::kGenericXdp);
  RxQueueInfo rxq;
  rxq.device = &device;
  rxq.index = skb.queue;
  XdpBuff buff;
  buff.data_hard_start = skb.head;
  buff.data = buff.data_meta = skb.data;
  buff.data_end = skb.tail;
  buff.rxq = &rxq;
  buff.page = skb.head_page;
  XdpContext context{hal_};
  const Verdict verdict = device.generic_program()->run(buff, context);
  device.xdp_counts.count(verdict);
  skb.data = buff.data;
  skb.tail = buff.data_end;
  switch (verdict) {
    case Verdict::kPass:
      return true;
    case Verdict::kTx:
      generic_tx(device, skb);
      return false;
    case Verdict::kRedirect:
      generic_redirect(buff, context, skb);
      return false;
    case Verdict::kDrop:
      drop(skb, DropReason::kXdpDrop);
      return false;
    case Verdict::kAborted:
      drop(skb, DropReason::kXdpAborted);
      return false;
  }
  drop(skb, DropReason::kXdpUnknownVerdict);
  return false;
}

// xdp_do_generic_redirect.
void NetStack::generic_redirect(XdpBuff& buff, const XdpContext& context, SkBuff& skb) {
  hal_.cpu.charge(hal::Op::kXdpRedirect);
  if (context.redirect_socket != nullptr) {
    const int error = context.redirect_socket->receive_generic(buff);
    if (error != 0) {
      drop(skb, redirect_drop_reason(error));
    } else {
      skbs_.free(skb);
    }
    return;
  }
  NetDevice* target = redirector_.device(context.redirect_ifindex);
  if (context.redirect_cpu != XdpContext::kNoCpu) {
    drop(skb, DropReason::kRedirectCpuMap);
  } else if (target == nullptr) {
    drop(skb, DropReason::kRedirectNoTarget);
  } else if (!target->running()) {
    drop(skb, DropReason::kRedirectDeviceDown);
  } else {
    generic_tx(*target, skb);
  }
}

// generic_xdp_tx: straight to the driver, past any qdisc; a stopped queue means drop.
void NetStack::generic_tx(NetDevice& device, SkBuff& skb) {
  hal_.cpu.charge(hal::Op::kStackTx);
  const uint16_t queue = device.select_queue(skb);
  skb.queue = queue;
  charge_tx_lock(hal_);
  if (device.queue(queue).stopped) {
    drop(skb, DropReason::kGenericTxQueueStopped);
    return;
  }
  if (device.xmit(skb, queue) == TxStatus::kBusy) {
    drop(skb, DropReason::kGenericTxQueueStopped);
    return;
  }
  device.note_transmit(queue);
}

bool NetStack::transmit(NetDevice& device, SkBuff& skb) {
  hal_.cpu.charge(hal::Op::kStackTx);
  const uint16_t queue = device.select_queue(skb);
  skb.queue = queue;
  charge_tx_lock(hal_);
  if (!device.running() || device.queue(queue).stopped ||
      device.xmit(skb, queue) == TxStatus::kBusy) {
    drop(skb, DropReason::kSkbTxQueueStopped);
    return false;
  }
  device.note_transmit(queue);
  return true;
}

NetStack::Direct NetStack::direct_xmit(NetDevice& device, SkBuff& skb, uint16_t queue) {
  if (!device.running() || !device.carrier()) {
    drop(skb, DropReason::kXskTxDropped);
    return Direct::kDropped;
  }
  skb.queue = queue;
  charge_tx_lock(hal_);
  if (device.queue(queue).stopped || device.xmit(skb, queue) == TxStatus::kBusy) {
    return Direct::kBusy;
  }
  device.note_transmit(queue);
  return Direct::kSent;
}

void NetStack::drop(SkBuff& skb, DropReason reason) {
  drops_.count(reason);
  skbs_.free(skb);
}

}  // namespace doorbell::stack
