// Main memory as a TLM-2.0 target, with posted writes that become visible at their arrival time.
//
// One flat range of DRAM. A write annotated with a future time waits in a queue and is applied when
// somebody looks at memory at or after that time, so that a device may hand over a payload and a
// descriptor in one event and software still sees them in order and not early. Reads sample at the
// time they are annotated with. Addresses outside the range answer TLM_ADDRESS_ERROR_RESPONSE. Bank
// timing: the range is interleaved over banks by `interleave` bytes; each access occupies its bank
// for `bank_busy` and answers after `latency`. Not modelled: refresh, row hits and misses, ECC. The
// CPU's cached view lives in models/host; this is what devices see.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <systemc>
#include <vector>

#include "models/base/bytes.h"
#include "models/base/units.h"
#include "models/fabric/posted_writes.h"
#include "models/fabric/time.h"

namespace doorbell::fabric {

struct MemoryConfig {
  uint64_t base = 0x40000000;
  uint64_t size = 64u << 20;
  base::Picos latency;        // request at the controller to first data
  base::Picos bank_busy;      // how long an access keeps its bank
  unsigned banks = 8;         // power of two
  unsigned interleave = 256;  // bytes, power of two
};

/// Told of every device write when it becomes visible: a coherent machine's caches drop the lines.
class WriteObserver {
 public:
  virtual ~WriteObserver() = default;
  virtual void written(uint64_t addr, uint32_t bytes) = 0;
  /// There will be a call of written() for this address: a hint for the host's caches.
  virtual void coming(uint64_t /*addr*/) {}
};

class Memory : public sc_core::sc_module {
 public:
  Memory(sc_core::sc_module_name name, const MemoryConfig& config);
  ~Memory() override;

  /// Any number of masters, none included.
  tlm_utils::multi_passthrough_target_socket<Memory, 64, tlm::tlm_base_protocol_types, 0,
                                             sc_core::SC_ZERO_OR_MORE_BOUND>
      socket;

  const MemoryConfig& config() const { return config_; }
  /// Null: nobody. Not owned.
  void set_observer(WriteObserver* observer) { observer_ = observer; }
  bool contains(uint64_t addr, uint64_t bytes) const {
    return addr >= config_.base && addr + bytes <= config_.base + config_.size;
  }
  /// Applies the posted writes to the pages of [addr, addr+bytes) that have arrived by `t`. Callers
  /// that hold a pointer() call it before each look.
  void settle(uint64_t addr, uint64_t bytes, base::Picos t) {
    if (!posted_.empty()) {
      posted_.settle(addr, bytes, t, *this);
    }
  }
  /// The same for all of memory; slow.
  void settle(base::Picos t) { posted_.settle_all(t, *this); }
  /// See PostedWrites::set_lookback().
  void set_lookback(base::Picos span) { posted_.set_lookback(span); }
  /// Bytes arrive: for PostedWrites.
  void operator()(uint64_t addr, const uint8_t* data, uint32_t size);
  /// Host pointer to simulated memory; valid for the life of the module.
  uint8_t* pointer(uint64_t addr) { return data_ + (addr - config_.base); }

 private:
  void b_transport(int id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned int transport_dbg(int id, tlm::tlm_generic_payload& payload);
  bool get_dmi(int id, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  base::Picos reserve_bank(base::Picos at, uint64_t addr);

  MemoryConfig config_;
  WriteObserver* observer_ = nullptr;
  uint8_t* data_ = nullptr;
  std::vector<base::Picos> bank_free_;
  PostedWrites posted_;
};

}  // namespace doorbell::fabric
