// The part of a network stack that a driver calls: one object per simulated host.
//
// Owns the page records, the sk_buff pool, the drop counters and the redirector, and carries the
// receive path from a driver's napi_gro_receive through generic XDP to a protocol that counts, and
// the transmit path from a caller to a driver. Not modelled: GRO merging, qdiscs, routing, sockets.
// Timing: SkbReceive, GenericXdp, StackTx and StackDeliver. Allocates at construction and
// registration only.
#pragma once

#include <cstdint>

#include "models/base/units.h"
#include "sim/hal/hal.h"
#include "sim/stack/drop.h"
#include "sim/stack/net_device.h"
#include "sim/stack/page_pool.h"
#include "sim/stack/redirect.h"
#include "sim/stack/rx_tap.h"
#include "sim/stack/sk_buff.h"
#include "sim/stack/xdp.h"

namespace doorbell::stack {

struct NetStackConfig {
  uint32_t skbs = 8192;  ///< sk_buffs in existence: the host's memory for them
};

/// A protocol at the top of the receive path. The stack frees the sk_buff after the call.
class ProtocolSink {
 public:
  virtual ~ProtocolSink() = default;
  virtual void deliver(const SkBuff& skb) = 0;
};

class NetStack {
 public:
  explicit NetStack(hal::Hal& hal, const NetStackConfig& config = {});
  NetStack(const NetStack&) = delete;
  NetStack& operator=(const NetStack&) = delete;

  hal::Hal& hal() { return hal_; }
  PageMap& pages() { return pages_; }
  SkbPool& skbs() { return skbs_; }
  Drops& drops() { return drops_; }
  const Drops& drops() const { return drops_; }
  Redirector& redirector() { return redirector_; }

  /// Gives the device its interface index, counted from 1.
  void register_device(NetDevice& device) { redirector_.register_device(device); }

  void set_tap(ReceiveTap* tap) { tap_ = tap; }
  /// Shows a received frame to the tap, if there is one.
  void tap(base::ByteView frame) {
    if (tap_ != nullptr) tap_->received(frame);
  }
  void tap_parts(const base::ByteView* parts, unsigned count) {
    if (tap_ != nullptr) tap_->received_parts(parts, count);
  }
  void set_sink(ProtocolSink* sink) { sink_ = sink; }

  /// Takes a received sk_buff (data at the MAC header) up to generic XDP or a protocol.
  void napi_gro_receive(NetDevice& device, SkBuff& skb);
  /// Sends an sk_buff of a caller. False: dropped and counted.
  bool transmit(NetDevice& device, SkBuff& skb);
  enum class Direct : uint8_t {
    kSent,
    kBusy,     ///< queue stopped or driver busy: the caller keeps it
    kDropped,  ///< device down or without carrier: freed and counted
  };
  /// dev_direct_xmit: to queue `queue` past everything, softirqs off meanwhile.
  Direct direct_xmit(NetDevice& device, SkBuff& skb, uint16_t queue);

  uint64_t delivered_frames() const { return delivered_frames_; }
  uint64_t delivered_bytes() const { return delivered_bytes_; }
  /// Pages that pools still missed when their rings closed.
  uint64_t leaked_pages = 0;

 private:
  void deliver(SkBuff& skb);
  bool run_generic_xdp(NetDevice& device, SkBuff& skb);
  void generic_tx(NetDevice& device, SkBuff& skb);
  void generic_redirect(XdpBuff& buff, const XdpContext& context, SkBuff& skb);
  void drop(SkBuff& skb, DropReason reason);

  hal::Hal& hal_;
  PageMap pages_;
  SkbPool skbs_;
  Drops drops_;
  Redirector redirector_;
  ReceiveTap* tap_ = nullptr;
  ProtocolSink* sink_ = nullptr;
  uint64_t delivered_frames_ = 0;
  uint64_t delivered_bytes_ = 0;
};

}  // namespace doorbell::stack
