// Rings of linked descriptors handed over by an owner counter, which the device echoes (tsnep).
//
// Activation number k carries epoch 1 + floor(k / (size - 1)) mod 3, in ring order; the device
// takes a descriptor when it carries the epoch it waits for. It acknowledges by repeating the
// counter (and a user flag) in the write-back area, on the first fragment of a frame only, which
// gives back the frame's others too. Descriptors are found by following their links from the base
// register; a ring that was stopped is watched again from its next reset on. The epoch rule is a
// deduction (fact sheet tsnep, section 4).
#pragma once

#include "sim/hal/checks/mark_ring.h"

namespace doorbell::hal::checks {

class CounterRing : public MarkRing {
 public:
  using MarkRing::MarkRing;

  void begin(const RingSpec& spec, const When& when) override;
  void register_write(uint32_t offset, uint32_t value, const When& when) override;
  void device_write(uint32_t index, uint32_t from, uint32_t to, const DeviceWrite& write) override;

 private:
  static constexpr uint32_t kEpochs = 3;

  bool says_device(uint32_t index, uint64_t word) const override;
  bool has_buffer(uint64_t word) const override { return (word & spec_.no_buffer_owner) == 0; }
  void judge_owner(uint32_t index, uint64_t word, const When& when) override;
  void extended(uint32_t) override { ++activations_; }
  const Word& done_word() const override { return spec_.echo; }
  const char* done_name() const override { return "acknowledgement"; }

  uint32_t owner(uint64_t word) const;
  uint32_t expected(uint32_t index) const;
  void restart(DmaAddr base, const When& when);
  bool follow_links(DmaAddr base, const When& when);
  void place_links();
  void check_clean(const When& when);

  uint32_t base_low_ = 0;
  bool reset_asked_ = true;
  uint64_t activations_ = 0;
};

}  // namespace doorbell::hal::checks
