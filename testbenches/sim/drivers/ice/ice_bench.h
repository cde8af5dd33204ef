// A driver under test, a scripted machine, and the little of an E810 it needs: firmware behind the
// admin queue, queues followed by hand, a report for each RS when the test wants it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "sim/drivers/ice/ice_driver.h"
#include "sim/hal/scripted/scripted_hal.h"
#include "sim/stack/net_stack.h"

namespace doorbell::drivers::ice {

namespace reg = hw::reg;
using Bytes = std::vector<uint8_t>;

/// A UDP frame of `bytes` without FCS; `tag` makes its payload unlike others'.
Bytes udp_frame(uint32_t bytes = 60, uint8_t tag = 0);
/// The same with its MAC addresses swapped.
Bytes swapped(Bytes frame);

/// What the device writes back besides DD and the length.
struct RxClose {
  uint16_t status = 0;
  uint16_t tag = 0;
  uint32_t hash = 0;
};

/// One frame as the device read it.
struct Sent {
  Bytes bytes;
  std::vector<uint32_t> indices;
  std::vector<uint64_t> qw1;
  std::vector<uint32_t> sizes;
  bool has_context = false;
  hw::IceTxContextDesc context;
};

/// Records what software received.
class TapLog : public stack::ReceiveTap {
 public:
  explicit TapLog(const hal::ScriptedHal& host) : host_(host) {}
  void received(base::ByteView frame) override {
    frames.push_back(host_.cpu_would_read(frame.data, static_cast<uint32_t>(frame.size)));
  }
  void received_parts(const base::ByteView* parts, unsigned count) override {
    frames.emplace_back();
    for (unsigned i = 0; i < count; ++i) {
      const Bytes part = host_.cpu_would_read(parts[i].data, static_cast<uint32_t>(parts[i].size));
      frames.back().insert(frames.back().end(), part.begin(), part.end());
    }
  }
  std::vector<Bytes> frames;

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

class IceBench : public DevicePeek {
 public:
  explicit IceBench(const IceDriverConfig& config = base_config(), unsigned vectors = 1,
                    unsigned cpus = 0);
  ~IceBench() override;

  /// Small rings, static moderation, XDP off.
  static IceDriverConfig base_config();
  static IceDriverConfig with(stack::XdpProgram* program, RsMode rs = RsMode::kThreshold);

  /// probe() and open(), then counts from zero.
  void start();

  // Device.
  struct TxQueue {
    bool enabled = false;
    hw::IceTxContext context;
    uint32_t head = 0;
    uint32_t tail = 0;
    std::vector<uint32_t> reports;  // of descriptors with RS, not written yet
  };
  /// The device takes what the doorbell has shown it of queue `q`, at most `limit` frames.
  std::vector<Sent> transmit(unsigned q, size_t limit = SIZE_MAX);
  /// Writes the reports of everything taken.
  void report(unsigned q);
  /// Both, for all that is there.
  size_t finish(unsigned q) {
    const size_t n = transmit(q).size();
    report(q);
    return n;
  }
  /// A frame arrives on receive ring `i`. False: too few descriptors below the tail.
  bool receive(unsigned i, const Bytes& frame, const RxClose& close = {});
  /// One buffer's worth, with exactly these status bits (DD is added).
  bool receive_buffer(unsigned i, const Bytes& part, uint16_t status, const RxClose& close = {});
  uint32_t posted(unsigned i) const;

  /// Interrupt of vector `i` and polls until the driver is done.
  void service(unsigned i = 0);
  /// One poll of vector `i`, as if its interrupt had come.
  int poll(unsigned i = 0);
  hal::ScriptedHal& vector_host(unsigned i) { return *vector_hosts[i]; }

  // Stack.
  stack::SkBuff* skb(const Bytes& bytes);
  void add_frag(stack::SkBuff& skb, const Bytes& bytes);
  bool send(stack::SkBuff* skb) { return stack.transmit(*driver, *skb); }
  uint64_t drops(stack::DropReason reason) { return stack.drops().value(reason); }
  /// Stops the driver and checks that nothing is left anywhere.
  void expect_no_leaks();

  // DevicePeek
  uint16_t peek16(hal::DmaAddr addr) const override { return host.peek16(addr); }
  uint32_t tx_head(unsigned queue) const override { return tx.at(queue).head; }

  uint64_t qw1(const TxRing& ring, uint32_t i) const { return host.peek64(ring.qw1_at(i)); }
  uint32_t dyn_ctl(unsigned i) {
    return host.register_value(reg::glint_dyn_ctl(driver->vector(i).msix));
  }

  hal::ScriptedHal host;
  std::vector<std::unique_ptr<hal::ScriptedHal>> vector_hosts;
  std::vector<std::unique_ptr<hal::Hal>> vector_hals;
  hal::Hal main_hal;
  stack::NetStack stack;
  TapLog tap;
  std::unique_ptr<IceDriver> driver;

  std::map<unsigned, TxQueue> tx;
  std::map<unsigned, uint32_t> rx_head;
  // Firmware.
  bool link_up = true;
  bool firmware_dead = false;
  bool rx_never_enables = false;
  uint8_t api_major = 1;
  uint32_t tx_queues = 16384;
  std::map<uint16_t, hw::AqError> refuse;  // by opcode
  std::vector<uint16_t> opcodes;
  std::vector<hw::IceAqDesc> commands;
  std::vector<Bytes> buffers;  // what came with each
  void post_event(const hw::IceAqDesc& event);

 private:
  void wire_registers();
  void run_firmware(uint32_t tail);
  hw::AqError execute(hw::IceAqDesc& d, Bytes& buffer);
  uint32_t command_head_ = 0;
  uint32_t event_head_ = 0;
};

}  // namespace doorbell::drivers::ice
