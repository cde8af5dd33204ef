// The xskmap of a program, and the program that steers each queue to its socket.
//
// What libxdp attaches for an application: look up the receive queue's number in an xskmap and
// redirect to the socket there; without one the packet passes, or is dropped. For programs in BPF,
// see sim/stack/bpf. Costs: XdpProgram; the redirect charges XdpRedirect.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/stack/xdp.h"

namespace doorbell::stack::xsk {

class XskMap {
 public:
  explicit XskMap(uint32_t entries = 64) : sockets_(entries, nullptr) {}
  uint32_t size() const { return static_cast<uint32_t>(sockets_.size()); }
  /// False: no such entry.
  bool set(uint32_t index, XskTarget* socket) {
    if (index >= sockets_.size()) return false;
    sockets_[index] = socket;
    return true;
  }
  XskTarget* at(uint32_t index) const {
    return index < sockets_.size() ? sockets_[index] : nullptr;
  }

 private:
  std::vector<XskTarget*> sockets_;
};

class XskProgram : public XdpProgram {
 public:
  /// Several sockets on one queue take turns, as xdpsock's own program for shared UMEMs does: entry
  /// queue * `sockets_per_queue` + turn.
  explicit XskProgram(const XskMap& map, Verdict otherwise = Verdict::kPass,
                      uint32_t sockets_per_queue = 1)
      : map_(map), otherwise_(otherwise), sockets_per_queue_(sockets_per_queue) {}
  const char* name() const override { return "xsk"; }
  Verdict run(XdpBuff& buff, XdpContext& context) override;

 private:
  const XskMap& map_;
  Verdict otherwise_;
  uint32_t sockets_per_queue_;
  uint32_t turn_ = 0;
};

}  // namespace doorbell::stack::xsk
