// What the ring checks must know about a device's ring: where it is, who owns a descriptor, and
// which registers move it.
//
// For rings whose descriptors carry their owner (a bit, or any field with one value that means "the
// device's"). A ring without an ownership field gets the doorbell checks only. Base address and
// buffer size may be learned from the driver's register writes. Offsets in bytes, words
// little-endian. Contract numbers come from the device's own headers: see fec_rings.h.
#pragma once

#include <cstdint>
#include <string>

#include "sim/hal/hal.h"

namespace doorbell::hal::checks {

inline constexpr uint32_t kNoRegister = 0xFFFFFFFF;

/// A word of a descriptor; 0 bytes: there is none.
struct Word {
  uint32_t offset = 0;
  uint32_t bytes = 0;  // 2 or 4
};

struct RingSpec {
  std::string name;                      ///< in messages: "fec tx0"
  DmaDir direction = DmaDir::kToDevice;  ///< which way the device moves the buffers
  uint32_t stride = 0;
  uint32_t count = 0;

  DmaAddr base = 0;  ///< used without a base register
  uint32_t base_register = kNoRegister;
  uint32_t base_mask = 0xFFFFFFFF;

  /// The device runs while these bits are set. Without a register it always does.
  uint32_t enable_register = kNoRegister;
  uint32_t enable_mask = 0;
  /// Once enabled, the device leaves the ring alone until the first doorbell that finds work.
  bool waits_for_doorbell = false;

  Word ownership;
  uint32_t owner_mask = 0;
  uint32_t device_value = 0;  ///< (word & owner_mask) when the device owns it
  uint32_t wrap_mask = 0;     ///< bit of the ownership word in the last descriptor; 0: none

  Word address;
  Word length;  ///< none: every buffer has buffer_bytes
  uint32_t buffer_bytes = 0;
  uint32_t buffer_register = kNoRegister;  ///< a write sets buffer_bytes
  uint32_t buffer_mask = 0xFFFFFFFF;

  uint32_t doorbell_register = kNoRegister;
  bool doorbell_is_index = false;    ///< the value written is an index, below `count`
  bool doorbell_needs_work = false;  ///< a doorbell without a hand-over since the last is wrong
  /// A load barrier must stand between the ownership word and the others. Off: many drivers for
  /// ordered buses have none.
  bool load_barrier = false;
};

}  // namespace doorbell::hal::checks
