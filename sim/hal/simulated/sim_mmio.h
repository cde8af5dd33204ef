// Register access of the simulated machine, over a TLM-2.0 initiator socket.
//
// Writes are posted: the core goes on at once, the device sees each write in order, `forward`
// later, as a calendar event. A read pushes the writes before it, waits for the device's answer and
// stalls the core for the round trip. An access the device refuses (bus error) reads as all ones
// and is counted.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>

#include "models/fabric/mmio_path.h"
#include "models/fabric/transaction_time.h"
#include "sim/hal/simulated/machine.h"

namespace doorbell::hal {

class SimMmio : public sc_core::sc_module, public Mmio {
 public:
  SimMmio(sc_core::sc_module_name name, Machine& machine);
  ~SimMmio() override;

  /// The way to the device, instead of the machine's constant latency. Not owned. The core's own
  /// part of a read, [cost] mmio_read, then comes on top.
  void set_path(fabric::MmioPath& path) { path_ = &path; }

  /// Passes time in fabric::TransactionTime: for devices that use annotated_time().
  void absolute_time();

  uint32_t read32(uint32_t offset) override { return fetch(offset, 4); }
  void write32(uint32_t offset, uint32_t value) override { post(offset, value, 4); }
  uint8_t read8(uint32_t offset) override { return static_cast<uint8_t>(fetch(offset, 1)); }
  void write8(uint32_t offset, uint8_t value) override { post(offset, value, 1); }
  void write16(uint32_t offset, uint16_t value) override { post(offset, value, 2); }

  tlm_utils::simple_initiator_socket<SimMmio> socket;
  uint64_t bus_errors() const { return bus_errors_; }

 private:
  static constexpr unsigned kPosted = 256;  // a power of two; a core stalls when all are in flight
  struct Posted {
    base::Picos arrival;
    uint32_t offset;
    uint32_t value;
    unsigned bytes;
  };

  uint32_t fetch(uint32_t offset, unsigned bytes);
  void post(uint32_t offset, uint32_t value, unsigned bytes);
  void deliver();
  base::Picos transport(tlm::tlm_command command, base::Picos at, uint32_t offset, uint32_t& value,
                        unsigned bytes);

  Machine& machine_;
  base::Event arrival_;
  std::array<Posted, kPosted> posted_;
  unsigned head_ = 0;
  unsigned tail_ = 0;
  fabric::ConstantMmioPath constant_path_;
  fabric::MmioPath* path_;
  tlm::tlm_generic_payload payload_;
  fabric::TransactionTime time_;
  bool absolute_ = false;
  uint64_t bus_errors_ = 0;
};

}  // namespace doorbell::hal
