// A net device that takes what it is told to take.
#pragma once

#include <cerrno>
#include <vector>

#include "sim/stack/net_stack.h"

namespace doorbell::stack {

class FakeDevice : public NetDevice {
 public:
  explicit FakeDevice(hal::Hal& hal, uint32_t queues = 2)
      : NetDevice(hal, queues, base::Picos(2000000000000)) {}
  const char* name() const override { return "fake"; }
  int open() override {
    set_running(true);
    set_carrier(true);
    return 0;
  }
  void stop() override {
    set_carrier(false);
    set_running(false);
  }
  TxStatus xmit(SkBuff& skb, uint16_t queue) override {
    if (busy) return TxStatus::kBusy;
    sent.push_back(&skb);
    sent_queue = queue;
    return TxStatus::kOk;
  }
  int xdp_xmit(XdpFrame* const* offered, int count) override {
    batches.push_back(count);
    if (takes < 0) return takes;
    const int taken = count < takes ? count : takes;
    for (int i = 0; i < taken; ++i) frames.push_back(offered[i]);
    return taken;
  }
  int xdp_xmit_more(XdpFrame* const* offered, int count) override {
    ++more;
    return xdp_xmit(offered, count);
  }
  uint16_t select_queue(const SkBuff& skb) override { return skb.vlan_present ? 1 : 0; }
  void tx_timeout(uint16_t queue) override { timeouts.push_back(queue); }
  int set_xdp_program(XdpProgram*) override { return 0; }
  bool accepts_xdp_frames() const override { return accepts; }

  bool busy = false;
  bool accepts = true;
  int takes = 1000;
  int more = 0;  // batches announced as not the last
  uint16_t sent_queue = 99;
  std::vector<SkBuff*> sent;
  std::vector<XdpFrame*> frames;
  std::vector<int> batches;
  std::vector<uint16_t> timeouts;
};

}  // namespace doorbell::stack
