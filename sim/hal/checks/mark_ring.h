// Rings whose descriptors carry a mark that says who owns them, written by both sides (fec).
//
// A ring is off until the device is enabled (and, where the spec says so, its doorbell rings and
// finds work); then its descriptors are looked through. The device really has a descriptor only if
// every one from its position up to there is marked its own: a driver may fill the fragments of a
// packet in any order, as long as the first comes last.
#pragma once

#include "sim/hal/checks/ring.h"

namespace doorbell::hal::checks {

class MarkRing : public Ring {
 public:
  using Ring::Ring;

  void begin(const RingSpec& spec, const When& when) override;
  void register_write(uint32_t offset, uint32_t value, const When& when) override;
  void store(uint32_t index, uint32_t from, uint32_t to, const When& when) override;
  void device_write(uint32_t index, uint32_t from, uint32_t to, const DeviceWrite& write) override;

 protected:
  /// Would the device take the descriptor for its own with this ownership word?
  virtual bool says_device(uint32_t index, uint64_t word) const;
  virtual bool has_buffer(uint64_t) const { return true; }
  /// The device may look at the ring from now on, from its first descriptor.
  virtual void start(const When& when);
  /// Called for a store to the ownership word of a descriptor that the device does not have.
  virtual void judge_owner(uint32_t, uint64_t, const When&) {}
  virtual void extended(uint32_t) {}
  void doorbell(const When& when, uint32_t value);

 private:
  void intruding_store(uint32_t index, bool to_owner, const When& when);
  void hand_over(uint32_t index, uint64_t word, const When& when);
  void extend_run(const When& when);
  void check_order(uint32_t index, const When& when);

  bool enabled_ = false;
};

}  // namespace doorbell::hal::checks
