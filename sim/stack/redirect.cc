#include "sim/stack/redirect.h"

#include <algorithm>
#include <cerrno>

namespace doorbell::stack {

DropReason redirect_drop_reason(int error) {
  switch (error) {
    case -EOVERFLOW:
      return DropReason::kXdpNoHeadroom;
    case -ENETDOWN:
      return DropReason::kRedirectDeviceDown;
    case -ENOSYS:
      return DropReason::kRedirectCpuMap;
    case -ENXIO:
      return DropReason::kXskNotBound;
    case -ENOSPC:
      return DropReason::kXskTooLong;
    case -ENOMEM:
      return DropReason::kXskFillRingEmpty;
    case -ENOBUFS:
      return DropReason::kXskRxRingFull;
    default:
      return DropReason::kRedirectNoTarget;
  }
}

void Redirector::register_device(NetDevice& device) {
  devices_.push_back(&device);
  device.set_ifindex(static_cast<uint32_t>(devices_.size()));
  for (PerCpu& cpu : cpus_) {
    cpu.queues.resize(devices_.size());
    cpu.to_flush.reserve(devices_.size());
  }
}

int Redirector::redirect(XdpBuff& buff, const XdpContext& context) {
  if (context.redirect_socket != nullptr) return to_socket(buff, *context.redirect_socket);
  if (context.redirect_cpu != XdpContext::kNoCpu) {
    hal_.cpu.charge(hal::Op::kXdpRedirect);
    return -ENOSYS;
  }
  return redirect(buff, context.redirect_ifindex);
}

int Redirector::to_socket(XdpBuff& buff, XskTarget& socket) {
  hal_.cpu.charge(hal::Op::kXdpRedirect);
  const int error = socket.receive(buff);
  if (error != 0) return error;
  ++frames_to_sockets_;
  auto& sockets = cpus_[hal_.cpu.id() % kCpus].sockets;
  if (std::find(sockets.begin(), sockets.end(), &socket) == sockets.end()) {
    sockets.push_back(&socket);
  }
  return 0;
}

void Redirector::forget(const XskTarget& socket) {
  for (PerCpu& cpu : cpus_) {
    cpu.sockets.erase(std::remove(cpu.sockets.begin(), cpu.sockets.end(), &socket),
                      cpu.sockets.end());
  }
}

int Redirector::redirect(XdpBuff& buff, uint32_t ifindex) {
  hal_.cpu.charge(hal::Op::kXdpRedirect);
  NetDevice* target = device(ifindex);
  if (target == nullptr) return -EINVAL;
  if (!target->running()) return -ENETDOWN;
  if (!target->accepts_xdp_frames()) return -EOPNOTSUPP;
  XdpFrame* frame = convert_to_frame(hal_, buff);
  if (frame == nullptr) return -EOVERFLOW;

  PerCpu& cpu = cpus_[hal_.cpu.id() % kCpus];
  const uint32_t slot = ifindex - 1;
  BulkQueue& queue = cpu.queues[slot];
  hal_.cpu.charge(hal::Op::kBulkEnqueue);
  if (queue.count == kBulkFrames) send(slot, queue, true);
  if (!queue.listed) {
    queue.listed = true;
    cpu.to_flush.push_back(slot);
  }
  queue.frames[static_cast<size_t>(queue.count++)] = frame;
  return 0;
}

void Redirector::flush() {
  PerCpu& cpu = cpus_[hal_.cpu.id() % kCpus];
  for (uint32_t slot : cpu.to_flush) {
    BulkQueue& queue = cpu.queues[slot];
    send(slot, queue, false);
    queue.listed = false;
  }
  cpu.to_flush.clear();
  for (XskTarget* socket : cpu.sockets) socket->flush();
  cpu.sockets.clear();
}

void Redirector::send(uint32_t slot, BulkQueue& queue, bool more) {
  if (queue.count == 0) return;
  hal_.cpu.charge(hal::Op::kBulkFlush);
  NetDevice& device = *devices_[slot];
  const int sent = more ? device.xdp_xmit_more(queue.frames.data(), queue.count)
                        : device.xdp_xmit(queue.frames.data(), queue.count);
  const DropReason reason = sent < 0 ? redirect_drop_reason(sent) : device.xdp_refusal();
  const int taken = sent < 0 ? 0 : sent;
  frames_sent_ += static_cast<uint64_t>(taken);
  for (int i = taken; i < queue.count; ++i) {
    return_frame(hal_, *queue.frames[static_cast<size_t>(i)]);
    drops_.count(reason);
    ++frames_returned_;
  }
  queue.count = 0;
}

uint32_t Redirector::pending() const {
  uint32_t sum = 0;
  for (const PerCpu& cpu : cpus_) {
    for (const BulkQueue& q : cpu.queues) sum += static_cast<uint32_t>(q.count);
  }
  return sum;
}

}  // namespace doorbell::stack
