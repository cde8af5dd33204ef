// Rings that software hands over by moving a tail register, and whose descriptors the device marks
// when it is done (ice).
//
// The device has [head, tail), from the doorbell that moves the tail on. With reports on request
// (RS), a done mark gives back every descriptor up to it, and one that nobody asked a report for
// stays the device's until a later one is reported. Judged at the doorbell: the index, the head,
// what is in the descriptors and their buffers.
#pragma once

#include "sim/hal/checks/ring.h"

namespace doorbell::hal::checks {

class TailRing : public Ring {
 public:
  using Ring::Ring;

  void begin(const RingSpec& spec, const When& when) override;
  void register_write(uint32_t offset, uint32_t value, const When& when) override;
  void store(uint32_t index, uint32_t from, uint32_t to, const When& when) override;
  void load(uint32_t index, uint32_t from, uint32_t to, const When& when) override;
  void device_write(uint32_t index, uint32_t from, uint32_t to, const DeviceWrite& write) override;
  void outside(uint64_t addr, uint32_t bytes, const char* what, const When& when) override;

 private:
  static constexpr uint8_t kAddressFilled = 1;
  static constexpr uint8_t kControlFilled = 2;

  const Word& done_word() const override { return spec_.done; }
  const char* done_name() const override { return "done mark"; }
  bool marked_done(uint32_t index) const {
    return (field(index, spec_.done) & spec_.done_mask) == spec_.done_value;
  }
  bool has_buffer(uint32_t index) const;
  void check_head(uint32_t to, const When& when);
  void check_content(uint32_t index, const When& when);
  void post(uint32_t index, const When& when);
  void complete(uint32_t index, base::Picos visible);
  void explain_size(const When& when);

  uint32_t tail_ = 0;
  bool explained_ = false;
};

}  // namespace doorbell::hal::checks
