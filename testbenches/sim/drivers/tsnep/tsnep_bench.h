// A driver under test, a scripted machine, and the little of a tsnep it needs: rings followed by
// their links and owner counters, a PHY behind MDIO, a clock, the gate control register.
//
// The engine's rules are typed from the fact sheet, not from our headers: a descriptor is new when
// its counter is the last one's or the next; only a frame's first fragment is written back.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "sim/drivers/tsnep/tsnep_driver.h"
#include "sim/hal/scripted/scripted_hal.h"
#include "sim/stack/net_stack.h"
#include "sim/stack/xsk/socket.h"

namespace doorbell::drivers::tsnep {

using Bytes = std::vector<uint8_t>;

/// A UDP frame of `bytes` without FCS; `tag` makes its payload unlike others'.
Bytes udp_frame(uint32_t bytes = 60, uint8_t tag = 0);
/// The same with its MAC addresses swapped.
Bytes swapped(Bytes frame);

/// One frame as the device read it.
struct Sent {
  Bytes bytes;
  uint64_t block = 0;                // of its first fragment
  std::vector<uint32_t> properties;  // of each fragment
  std::vector<uint32_t> lengths;
};

class TapLog : public stack::ReceiveTap {
 public:
  explicit TapLog(const hal::ScriptedHal& host) : host_(host) {}
  void received(base::ByteView frame) override {
    frames.push_back(host_.cpu_would_read(frame.data, static_cast<uint32_t>(frame.size)));
  }
  std::vector<Bytes> frames;

 private:
  const hal::ScriptedHal& host_;
};

/// What the stack's top got.
class Sink : public stack::ProtocolSink {
 public:
  explicit Sink(const hal::ScriptedHal& host) : host_(host) {}
  void deliver(const stack::SkBuff& skb) override {
    frames.push_back(host_.cpu_would_read(skb.data, skb.head_len()));
    stamps.push_back(skb.has_timestamp ? skb.timestamp_ns : 0);
  }
  std::vector<Bytes> frames;
  std::vector<uint64_t> stamps;

 private:
  const hal::ScriptedHal& host_;
};

/// What a test says about a received packet.
class Custom : public stack::XdpProgram {
 public:
  using Body = std::function<stack::Verdict(stack::XdpBuff&, stack::XdpContext&)>;
  explicit Custom(Body body) : body_(std::move(body)) {}
  const char* name() const override { return "custom"; }
  stack::Verdict run(stack::XdpBuff& buff, stack::XdpContext& context) override {
    return body_(buff, context);
  }

 private:
  Body body_;
};

/// An engine's side of a ring.
struct Engine {
  uint64_t next = 0;
  uint32_t counter = 1;
};

class TsnepBench : public DevicePeek {
 public:
  explicit TsnepBench(const TsnepDriverConfig& config = {}, unsigned queues = 1);
  ~TsnepBench() override;
  static TsnepDriverConfig with(stack::XdpProgram* program);

  /// probe() and open(), link up, then counts from zero.
  void start();

  // Device.
  /// Takes what is new in transmit queue `q`, at most `limit` frames; not written back yet.
  std::vector<Sent> transmit(unsigned q = 0, size_t limit = SIZE_MAX);
  /// Writes back a frame's first fragment, with `extra` in its properties.
  void acknowledge(const Sent& frame, uint32_t extra = 0, uint64_t stamp = 0);
  /// Both, for all that is there; how many frames.
  size_t finish(unsigned q = 0);
  /// A frame arrives. False: no new descriptor.
  bool receive(const Bytes& frame, unsigned q = 0, uint64_t stamp = 0);
  /// One poll, as if its interrupt had come; what it returned.
  int poll(unsigned q = 0);
  hal::ScriptedHal& queue_host(unsigned q) { return *queue_hosts[q]; }

  // Stack.
  stack::SkBuff* skb(const Bytes& bytes);
  void add_frag(stack::SkBuff& skb, const Bytes& bytes);
  bool send(stack::SkBuff* skb) { return stack.transmit(*driver, *skb); }
  uint64_t drops(stack::DropReason reason) { return stack.drops().value(reason); }
  /// Stops the driver and checks that nothing is left anywhere.
  void expect_no_leaks();

  // DevicePeek
  uint32_t peek32(hal::DmaAddr addr) const override { return host.peek32(addr); }
  uint64_t tx_not_closed() const override { return 0; }

  hal::ScriptedHal host;
  std::vector<std::unique_ptr<hal::ScriptedHal>> queue_hosts;
  std::vector<std::unique_ptr<hal::Hal>> queue_hals;
  hal::Hal main_hal;
  stack::NetStack stack;
  TapLog tap;
  Sink sink;
  std::unique_ptr<TsnepDriver> driver;

  std::map<unsigned, Engine> tx;
  std::map<unsigned, Engine> rx;
  std::map<unsigned, bool> rx_running;
  bool tx_stuck = false;    // the engine never goes idle
  bool sends_alone = true;  // sends and writes back when CONTROL is read
  bool rx_stuck = false;
  std::map<unsigned, uint16_t> phy;
  unsigned gc_refusals = 0;  // enables that come too late
  uint32_t gc_status = 0;
  std::vector<uint32_t> enables;  // what was written to INT_ENABLE
  std::vector<uint8_t> gc_commands;

 private:
  void wire_registers();
  void wire_queue(unsigned q);
};

}  // namespace doorbell::drivers::tsnep
