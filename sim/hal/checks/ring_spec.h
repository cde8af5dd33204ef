// What the ring checks must know about a device's ring: where it is, how its descriptors change
// hands, and which registers move it.
//
// Three ways of handing over (Handing): a mark in the descriptor, a tail register, an owner
// counter. Base address and buffer size may be learned from the driver's register writes. Offsets
// in bytes, words little-endian. A field that a way does not use stays as it is. Contract numbers
// come from the device's own headers: fec_rings.h, ice_rings.h, tsnep_rings.h.
#pragma once

#include <cstdint>
#include <string>

#include "sim/hal/hal.h"

namespace doorbell::hal::checks {

inline constexpr uint32_t kNoRegister = 0xFFFFFFFF;

/// A field of a descriptor: (word at `offset` >> shift) & mask; 0 bytes: there is none.
struct Word {
  uint32_t offset = 0;
  uint32_t bytes = 0;  // 2, 4 or 8
  uint32_t shift = 0;
  uint64_t mask = ~uint64_t{0};

  bool touches(uint32_t from, uint32_t to) const { return from < offset + bytes && offset < to; }
};

enum class Handing : uint8_t {
  kMark,     ///< a bit, or any field with one value that means "the device's", each way (fec)
  kTail,     ///< software moves a tail register; the device marks what it has done (ice)
  kCounter,  ///< an epoch in linked descriptors, echoed by the device (tsnep)
};

struct RingSpec {
  std::string name;                      ///< in messages: "fec tx0"
  Handing handing = Handing::kMark;      ///< how descriptors change hands
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

  // The buffer of a descriptor.
  Word address;
  Word length;  ///< none: every buffer has buffer_bytes
  uint32_t buffer_bytes = 0;
  uint32_t buffer_register = kNoRegister;  ///< a write sets buffer_bytes
  uint32_t buffer_mask = 0xFFFFFFFF;
  /// A load barrier must stand between the word that says "done" and the others. Off: many drivers
  /// for ordered buses have none.
  bool load_barrier = false;

  uint32_t doorbell_register = kNoRegister;
  uint32_t doorbell_mask = 0;        ///< a write without these bits is no doorbell; 0: each is one
  bool doorbell_is_index = false;    ///< the value written is an index, below `count`
  bool doorbell_needs_work = false;  ///< a doorbell without a hand-over since the last is wrong
  bool needs_doorbell = false;       ///< a hand-over that no doorbell followed is wrong

  // kMark, kCounter: the word that hands over.
  Word ownership;
  uint32_t owner_mask = 0;
  uint32_t device_value = 0;  ///< kMark: (word & owner_mask) when the device owns it
  uint32_t wrap_mask = 0;     ///< bit of the ownership word in the last descriptor; 0: none

  // kTail.
  Word control;                 ///< what software writes for each use besides the address; or none
  uint64_t no_buffer_mask = 0;  ///< a descriptor with one of these control bits has no buffer
  uint64_t report_mask = 0;     ///< control bit that asks for a report; 0: each one is reported
  Word done;                    ///< where the device reports
  uint64_t done_mask = 0;       ///< (word & done_mask) == done_value: done
  uint64_t done_value = 0;
  uint32_t doorbell_step = 1;   ///< the device rounds the index down to a multiple
  bool alone_in_block = false;  ///< nothing else is in the ring's coherent block
  uint32_t report_every = 0;    ///< the driver's threshold scheme; 0: it has none
  bool running = false;         ///< the device has [head, tail) when the ring is added
  uint32_t head = 0;
  uint32_t tail = 0;

  // kCounter. A write of the base register, and of base_high_register if there is one, starts the
  // ring anew; reset_mask resets the device's counter.
  uint32_t base_high_register = kNoRegister;
  uint32_t reset_mask = 0;
  Word next;                ///< address of the descriptor after this one
  Word echo;                ///< where the device acknowledges
  uint32_t echo_mask = 0;   ///< bits of the ownership word that it repeats
  uint32_t first_mask = 0;  ///< none set: no first fragment, never acknowledged; 0: all are first
  uint32_t last_mask = 0;   ///< last fragment; 0: all are
  uint32_t no_buffer_owner = 0;  ///< a descriptor with one of these ownership bits has no buffer
  uint32_t stop_register = kNoRegister;
  uint32_t stop_mask = 0;
};

}  // namespace doorbell::hal::checks
