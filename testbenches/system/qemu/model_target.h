// Doorbell's FEC as a Target: fec::Fec, an AXI link and memory, driven without the SystemC kernel.
//
// Registers are accessed over the device's own TLM socket. All time is on the calendar: the kernel
// is started once to bind the sockets and then stays at time 0. settle() runs the calendar for
// kSettle, far longer than anything a script starts takes. One per process (SystemC elaborates
// once).
#pragma once

#include <memory>

#include "testbenches/system/qemu/qemu_process.h"
#include "testbenches/system/qemu/target.h"

namespace doorbell::qemu {

class ModelTarget final : public Target {
 public:
  /// The PHY is the board's. `drop_partial`: partial_frame_policy.
  ModelTarget(const Board& board, bool drop_partial);
  ~ModelTarget() override;

  uint32_t read32(uint32_t offset) override;
  void write32(uint32_t offset, uint32_t value) override;
  std::optional<uint32_t> read_narrow(uint32_t offset, unsigned octets) override;
  Bytes mem_read(uint32_t addr, size_t bytes) override;
  void mem_write(uint32_t addr, base::ByteView bytes) override;
  void inject(base::ByteView frame) override;
  std::vector<Bytes> take_sent() override;
  std::set<unsigned> raised_lines() override;
  void settle() override;

 private:
  struct Bench;
  std::unique_ptr<Bench> bench_;
};

}  // namespace doorbell::qemu
