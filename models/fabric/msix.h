// MSI-X: the vector table of a PCI Express function, and where its messages arrive.
//
// A vector that fires while masked, or while the function is masked or disabled, sets its pending
// bit and is sent when the mask goes away. A message is a posted write of four bytes in the same
// order as all other device writes: whoever takes the interrupt sees the data written before it.
// Table and pending-bit array have the layout of PCI Local Bus 3.0, 6.8.2. Not modelled: steering
// tags, vector sharing between functions.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/units.h"

namespace doorbell::fabric {

class PciePort;

/// The interrupt controller's end of an MSI-X message.
class MsixSink {
 public:
  virtual ~MsixSink() = default;
  /// A message is here, `at` being the time of the calendar event that calls.
  virtual void message(uint64_t address, uint32_t data, base::Picos at) = 0;
};

class MsixTable {
 public:
  static constexpr unsigned kEntryBytes = 16;

  /// All vectors start masked and the function disabled, as after reset.
  MsixTable(PciePort& port, unsigned vectors);

  unsigned vectors() const { return static_cast<unsigned>(entries_.size()); }
  /// Message control register of the capability.
  void set_control(bool enable, bool function_mask, base::Picos at);
  /// 32-bit access to the table; an offset outside or not a multiple of 4 returns false.
  bool write_table(uint32_t offset, uint32_t value, base::Picos at);
  bool read_table(uint32_t offset, uint32_t& value) const;
  /// Pending-bit array, read only.
  bool read_pending(uint32_t offset, uint32_t& value) const;

  /// The vector's event happened: sends the message or leaves it pending. True when it was sent;
  /// `arrival` then is its time at the interrupt controller.
  bool signal(unsigned vector, base::Picos issue, base::Picos* arrival = nullptr);
  bool pending(unsigned vector) const { return entries_[vector].pending; }
  uint64_t sent() const { return sent_; }

 private:
  struct Entry {
    uint64_t address = 0;
    uint32_t data = 0;
    bool masked = true;
    bool pending = false;
  };
  void flush(unsigned vector, base::Picos at);

  PciePort& port_;
  std::vector<Entry> entries_;
  bool enable_ = false;
  bool function_mask_ = false;
  uint64_t sent_ = 0;
};

}  // namespace doorbell::fabric
