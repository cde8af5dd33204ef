// A driver under test, a scripted machine, and the few lines of device it needs: rings followed by
// hand, EIR with write-one-to-clear, TDAR that can be read back, a PHY behind MMFR.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sim/drivers/fec/fec_driver.h"
#include "sim/hal/scripted/scripted_hal.h"
#include "sim/stack/net_stack.h"

namespace doorbell::drivers::fec {

using Bytes = std::vector<uint8_t>;

/// A UDP frame of `bytes` without FCS; `tag` makes its payload unlike others'.
Bytes udp_frame(uint32_t bytes = 60, uint8_t tag = 0);

/// What the device writes when it closes a receive descriptor.
struct RxClose {
  uint16_t status = 0x0800;
  uint32_t control = 0x01800000;  // UC, INT kept
  uint32_t timestamp = 0;
  int length = -1;  // -1: frame + SHIFT16 + FCS
};

/// One frame as it left: bytes, and the descriptors it came from.
struct Sent {
  Bytes bytes;
  std::vector<uint16_t> status;  // before the device cleared R
  std::vector<uint32_t> control;
  std::vector<uint32_t> lengths;
};

class Peek : public CoherentPeek {
 public:
  explicit Peek(const hal::ScriptedHal& host) : host_(host) {}
  uint16_t peek16(hal::DmaAddr addr) const override { return host_.peek16(addr); }

 private:
  const hal::ScriptedHal& host_;
};

/// Records what software received.
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

class FecBench {
 public:
  explicit FecBench(const FecDriverConfig& config = base_config());
  ~FecBench();

  /// Link assumed, small enough to be quick, otherwise defaults.
  static FecDriverConfig base_config();

  /// probe() and open(), then counts from zero.
  void start();

  /// The device closes the next receive descriptor of ring `queue`. False: it is not empty.
  bool receive(unsigned queue, const Bytes& frame, const RxClose& close = {});
  /// The device sends all it finds ready in ring `queue`, at most `limit` frames.
  std::vector<Sent> transmit(unsigned queue, unsigned limit = 0xFFFFFFFF);
  /// Interrupt and poll until the driver is done.
  void service();
  int poll(int budget) { return driver->poll(budget); }

  /// An sk_buff with these bytes in its head.
  stack::SkBuff* skb(const Bytes& bytes);
  void add_frag(stack::SkBuff& skb, const Bytes& bytes);
  bool send(stack::SkBuff* skb) { return stack.transmit(*driver, *skb); }

  uint64_t drops(stack::DropReason reason) { return stack.drops().value(reason); }
  /// Stops the driver and checks that nothing is left anywhere.
  void expect_no_leaks();

  hal::DmaAddr rx_bd(unsigned queue, uint32_t index) const;
  hal::DmaAddr tx_bd(unsigned queue, uint32_t index) const;

  hal::ScriptedHal host;
  stack::NetStack stack;
  TapLog tap;
  Peek peek;
  std::unique_ptr<FecDriver> driver;
  uint32_t eir = 0;
  std::array<bool, 3> tdar{};
  bool tdar_sticky = false;  // TDAR reads 1 for ever
  std::array<uint16_t, 32> phy{};
  bool mdio_dead = false;
  std::vector<uint32_t> mdio_frames;
  unsigned frames_received = 0;

 private:
  void wire_registers();
  std::array<uint32_t, 3> rx_next_{};
  std::array<uint32_t, 3> tx_next_{};
  uint32_t ecr_ = 0;
};

}  // namespace doorbell::drivers::fec
