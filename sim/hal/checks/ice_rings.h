// The E810's rings as the ring checks need them, and how they are learned.
//
// From the contract headers only. Receive rings come from QRX_CONTEXT and QRX_CTRL, transmit rings
// from the admin commands that add and disable queues, which are read in the driver's own admin
// queue; so the checks follow a driver through resizing and resets with no help. A ring exists from
// the moment its command or QENA_REQ is written: assumes that firmware does not refuse it. Receive:
// everything from head to tail is the device's, the tail counted in steps of eight. Transmit: what
// the device reports (DTYPE 0xF, in descriptors with RS) frees all before it.
//
// Another assembly may add the same rings itself, at any time, with ice_tx_ring and ice_rx_ring.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "models/ice/ice_context.h"
#include "models/ice/ice_desc.h"
#include "sim/hal/checks/checked_hal.h"

namespace doorbell::hal::checks {

/// A transmit ring in the state after its queue was added. `report_every`: the driver's threshold,
/// 0 without one.
RingSpec ice_tx_ring(const std::string& name, unsigned queue, DmaAddr base, uint32_t count,
                     uint32_t report_every = 0);
/// A receive ring in the state after QENA_STAT. `buffer_bytes` as in the context. To add a ring
/// that has buffers already, set `tail` to what QRX_TAIL was last written with.
RingSpec ice_rx_ring(const std::string& name, unsigned queue, DmaAddr base, uint32_t count,
                     uint32_t buffer_bytes, bool load_barrier = true);

struct IceRingsConfig {
  std::string name = "ice";   ///< in front of "tx3", "rx0" in messages; numbers are the device's
  uint32_t report_every = 0;  ///< driver.rs_threshold with driver.rs = "threshold", else 0
  bool load_barrier = true;   ///< ask for a dma_rmb behind DD
};

/// Adds and stops the rings of the device behind `hal` as its driver does. Make it right after the
/// HAL; both must live as long as the driver.
class IceRings : public RegisterWatch {
 public:
  IceRings(CheckedHal& hal, const IceRingsConfig& config);
  ~IceRings() override;
  IceRings(const IceRings&) = delete;
  IceRings& operator=(const IceRings&) = delete;

  void register_write(uint32_t offset, uint32_t value, const When& when) override;

 private:
  void admin_doorbell(uint32_t tail, const When& when);
  void command(const uint8_t* descriptor, const When& when);
  void add_queues(const uint8_t* buffer, uint32_t bytes, unsigned groups, const When& when);
  void disable_queues(const uint8_t* buffer, uint32_t bytes, unsigned groups, const When& when);
  void rx_control(unsigned queue, uint32_t value, const When& when);
  std::string tx_name(unsigned queue) const;
  std::string rx_name(unsigned queue) const;

  CheckedHal& hal_;
  IceRingsConfig config_;
  DmaAddr admin_base_ = 0;
  uint32_t admin_length_ = 0;
  uint32_t admin_tail_ = 0;
  std::map<unsigned, std::array<uint32_t, doorbell::ice::kRxContextWords>> rx_contexts_;
  std::map<unsigned, bool> rx_enabled_;
};

}  // namespace doorbell::hal::checks
