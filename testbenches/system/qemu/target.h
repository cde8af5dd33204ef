// What the differential test needs from a FEC, whoever implements it.
//
// Two implementations: QemuTarget (QEMU's device over the qtest protocol) and ModelTarget
// (Doorbell's fec::Fec with memory and an AXI link). Registers are addressed by their offset in the
// block, memory by guest physical address; RAM begins at kRamBase on both. Frames are destination
// MAC to end of payload, without FCS. Timing contract: nothing is promised to have happened after a
// write until settle() returns; then everything that can happen without further input has happened.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "models/base/bytes.h"

namespace doorbell::qemu {

using Bytes = std::vector<uint8_t>;

inline constexpr uint32_t kRamBase = 0x80000000;
inline constexpr uint32_t kRamBytes = 32u << 20;

class Target {
 public:
  virtual ~Target() = default;

  virtual uint32_t read32(uint32_t offset) = 0;
  virtual void write32(uint32_t offset, uint32_t value) = 0;
  /// A read of 1 or 2 octets; nullopt if the bus answers with an error.
  virtual std::optional<uint32_t> read_narrow(uint32_t offset, unsigned octets) = 0;

  virtual Bytes mem_read(uint32_t addr, size_t bytes) = 0;
  virtual void mem_write(uint32_t addr, base::ByteView bytes) = 0;

  /// Puts a frame on the wire towards the device. At most 64 KiB between two calls of settle().
  virtual void inject(base::ByteView frame) = 0;
  /// Frames that the device has sent since the last call.
  virtual std::vector<Bytes> take_sent() = 0;

  /// Interrupt lines that are raised, as numbers of the GIC's shared peripheral interrupts.
  virtual std::set<unsigned> raised_lines() = 0;

  virtual void settle() = 0;
};

}  // namespace doorbell::qemu
