// Who owns each descriptor of each ring, learned from stores, write-backs and register writes.
//
// Finds the ring that a call concerns and passes it on; the rules are in the rings (ring.h and the
// files of the three kinds). A ring may be added at any time; one of the same device and name takes
// the old one's place (a driver that changes its ring sizes). Barriers are counted per core: a
// store is ordered before another if a dma_wmb, wmb or register write lies between them. Times are
// given by the caller.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/hal/checks/buffer_book.h"
#include "sim/hal/checks/ring.h"

namespace doorbell::hal::checks {

/// Learns a device's rings from its registers. Called before the rings are.
class RegisterWatch {
 public:
  virtual ~RegisterWatch() = default;
  virtual void register_write(uint32_t offset, uint32_t value, const When& when) = 0;
};

class RingTracker {
 public:
  RingTracker(const CheckConfig& config, FindingLog& log, CoherentBlocks& blocks, DmaTracker& dma);

  /// Rings belong to the device whose registers move them.
  void add_ring(unsigned device, const RingSpec& spec, const When& when = {});
  /// The device leaves the ring alone from now on (nothing if there is no such ring); or all of the
  /// device's.
  void stop_ring(unsigned device, const std::string& name, base::Picos at);
  void stop_all(unsigned device, base::Picos at);
  /// Must outlive the tracker's use.
  void set_watch(unsigned device, RegisterWatch* watch);

  void register_write(unsigned device, uint32_t offset, uint32_t value, const When& when);
  void store_barrier(unsigned core) { ++barriers_.stores[core % Barriers::kCores]; }
  void load_barrier(unsigned core) { ++barriers_.loads[core % Barriers::kCores]; }
  /// A CPU's store to coherent memory; the copy holds it already.
  void store(DmaAddr addr, uint32_t bytes, const When& when);
  void load(DmaAddr addr, uint32_t bytes, const When& when);
  /// A device's write to coherent memory, before the copy has it.
  void device_write(const DeviceWrite& write);
  /// Coherent memory was freed: rings in it are gone.
  void forget(DmaAddr addr, uint32_t bytes, base::Picos at);

  /// Reports a touch of a buffer that the device owns, and returns true.
  bool touch(DmaAddr addr, uint32_t bytes, Touch how, base::Picos at) {
    return buffers_.touch(addr, bytes, how, at);
  }
  void unmap(DmaAddr addr, uint32_t bytes, base::Picos at) { buffers_.unmap(addr, bytes, at); }

 private:
  struct Device {
    RegisterWatch* watch = nullptr;
    std::vector<Ring*> rings;
    // Rings that look at a register, by register.
    struct Listener {
      uint32_t offset;
      Ring* ring;
    };
    std::vector<Listener> listeners;
  };
  Device& device(unsigned number);
  static void listen(Device& device, Ring& ring);
  template <typename F>
  static void each_descriptor(const RingPlaces::Place& place, DmaAddr addr, uint64_t bytes, F f);

  RingPlaces places_;
  Barriers barriers_;
  BufferBook buffers_;
  RingWorld world_;
  std::vector<std::unique_ptr<Ring>> rings_;
  std::vector<Device> devices_;
};

}  // namespace doorbell::hal::checks
