// The driver's end of the admin queue: sends commands to firmware and waits, takes events.
//
// One ring of commands with one buffer, one ring of events with a buffer each, in coherent memory.
// A command waits for its end by polling the ring's head register, up to a second (Linux polls
// with sleeps of 100 us and more; the step here is an assumption). Calls advance the core's time.
// Allocates in open() only. Sources: Linux 6.12 ice_controlq.c, ice_adminq_cmd.h.
#pragma once

#include <cstdint>

#include "models/ice/ice_adminq.h"
#include "sim/hal/hal.h"

namespace doorbell::drivers::ice {

namespace hw = doorbell::ice;

class AdminQueue {
 public:
  static constexpr uint32_t kCommands = 32;
  static constexpr uint32_t kEvents = 16;
  static constexpr uint32_t kEventBuffer = 512;

  explicit AdminQueue(hal::Hal& hal) : hal_(hal) {}
  ~AdminQueue() { close(); }
  AdminQueue(const AdminQueue&) = delete;
  AdminQueue& operator=(const AdminQueue&) = delete;

  /// Rings, buffers, registers. 0, -ENOMEM, or -EIO if the device does not take the addresses.
  int open();
  /// Switches both rings off and frees them. Does nothing when closed.
  void close();
  bool is_open() const { return commands_ != 0; }

  enum class Buffer : uint8_t { kNone, kSend, kReceive, kExchange };
  /// Sends `d` and waits; `d` becomes the answer. `data`: what goes with it or, up to `bytes`,
  /// comes back. 0; -EIO if firmware refused (the reason is in d.retval); -ETIMEDOUT.
  int command(hw::IceAqDesc& d, Buffer how = Buffer::kNone, uint8_t* data = nullptr,
              uint32_t bytes = 0);
  /// Takes the next event, if there is one, and gives its entry back.
  bool next_event(hw::IceAqDesc& event);

  uint64_t sent() const { return sent_; }
  uint64_t refused() const { return refused_; }
  uint64_t timeouts() const { return timeouts_; }

 private:
  bool program(bool events);
  void put_event(uint32_t index);
  void store(hal::DmaAddr at, const hw::IceAqDesc& d);
  hw::IceAqDesc load(hal::DmaAddr at);

  hal::Hal& hal_;
  hal::DmaAddr commands_ = 0;
  hal::DmaAddr events_ = 0;
  hal::DmaAddr buffer_ = 0;
  hal::DmaAddr event_buffers_ = 0;
  uint32_t tail_ = 0;
  uint32_t next_event_ = 0;
  uint64_t sent_ = 0;
  uint64_t refused_ = 0;
  uint64_t timeouts_ = 0;
};

}  // namespace doorbell::drivers::ice
