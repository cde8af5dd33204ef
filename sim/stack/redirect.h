// XDP_REDIRECT: from a receive queue to another device's transmit ring, 16 frames at a time.
//
// Each core has a bulk queue per target device. A frame joins it in redirect(), and the queue goes
// out when it holds 16 or when the driver flushes at the end of its receive loop. Frames the device
// does not take go back to their page pool and are counted. Timing: XdpRedirect and XdpConvert
// per packet, BulkEnqueue per frame, BulkFlush per hand-over, XdpReturn per frame returned.
// A redirect to an AF_XDP socket is received there at once, and shown to the application by the
// flush. Not modelled: CPU maps (refused with a drop reason), broadcast.
// Source: Linux 6.12 kernel/bpf/devmap.c, net/core/filter.c (behaviour).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/hal/hal.h"
#include "sim/stack/drop.h"
#include "sim/stack/net_device.h"

namespace doorbell::stack {

/// DEV_MAP_BULK_SIZE.
inline constexpr int kBulkFrames = 16;

/// Why a packet was dropped whose redirect() failed with `error`.
DropReason redirect_drop_reason(int error);

class Redirector {
 public:
  static constexpr unsigned kCpus = 256;

  Redirector(hal::Hal& hal, Drops& drops) : hal_(hal), drops_(drops) {}

  void register_device(NetDevice& device);
  NetDevice* device(uint32_t ifindex) const {
    return ifindex > 0 && ifindex <= devices_.size() ? devices_[ifindex - 1] : nullptr;
  }

  /// xdp_do_redirect to wherever the program's context says. 0: the buffer is the socket's or the
  /// bulk queue's now. Negative errno: the caller keeps it, and must count the drop.
  int redirect(XdpBuff& buff, const XdpContext& context);
  /// The same to a port.
  int redirect(XdpBuff& buff, uint32_t ifindex);
  /// xdp_do_flush: hands over everything this core has queued.
  void flush();

  uint64_t frames_sent() const { return frames_sent_; }
  uint64_t frames_returned() const { return frames_returned_; }
  /// A socket that is closed must not be flushed any more.
  void forget(const XskTarget& socket);
  /// Packets that sockets took.
  uint64_t frames_to_sockets() const { return frames_to_sockets_; }
  /// Frames waiting in bulk queues.
  uint32_t pending() const;

 private:
  struct BulkQueue {
    std::array<XdpFrame*, kBulkFrames> frames;
    int count = 0;
    bool listed = false;
  };
  struct PerCpu {
    std::vector<BulkQueue> queues;    // by device
    std::vector<uint32_t> to_flush;   // devices with something queued, in order of arrival
    std::vector<XskTarget*> sockets;  // that received something, in order of arrival
  };
  int to_socket(XdpBuff& buff, XskTarget& socket);
  void send(uint32_t slot, BulkQueue& queue, bool more);

  hal::Hal& hal_;
  Drops& drops_;
  std::vector<NetDevice*> devices_;
  std::array<PerCpu, kCpus> cpus_;
  uint64_t frames_sent_ = 0;
  uint64_t frames_returned_ = 0;
  uint64_t frames_to_sockets_ = 0;
};

}  // namespace doorbell::stack
