// An AXI master link between one device and memory, by reservation.
//
// Five channels reduced to what costs time: bursts are split at `burst_beats`, each burst needs one
// of `outstanding` slots, the read and write data channels each move one beat a clock, and a
// request needs `forward_latency` to reach memory and `return_latency` to come back. A long
// transfer is one call and no event; the answer's time already includes waiting for slots, channel
// and bank. Reads and writes do not wait for each other (separate channels). Not modelled: 4 KiB
// boundary splits of the protocol beyond burst size, QoS, exclusive access, read data interleaving.
// Source of numbers: platform file, section [axi] (on i.MX8MP assumed: NXP publishes none).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <vector>

#include "models/base/units.h"
#include "models/fabric/time.h"

namespace doorbell::fabric {

struct AxiConfig {
  base::Hertz clock{266666666};
  unsigned width_bits = 64;
  unsigned burst_beats = 16;
  unsigned outstanding = 4;
  base::Picos forward_latency;
  base::Picos return_latency;
};

class AxiLink : public sc_core::sc_module {
 public:
  AxiLink(sc_core::sc_module_name name, const AxiConfig& config);

  tlm_utils::simple_target_socket<AxiLink, 64> from_device;
  tlm_utils::simple_initiator_socket<AxiLink, 64> to_memory;

  /// Time the read and the write data channel were occupied: the link's utilisation.
  base::Picos read_busy() const { return read_busy_; }
  base::Picos write_busy() const { return write_busy_; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void read(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void write(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned beats(uint64_t addr, unsigned bytes) const {
    return static_cast<unsigned>((addr % beat_bytes_ + bytes + beat_bytes_ - 1) / beat_bytes_);
  }
  /// Waits for a free slot; returns when the burst may start and remembers which slot it takes.
  base::Picos take_slot(std::vector<base::Picos>& slots, size_t& next, base::Picos at);

  AxiConfig config_;
  unsigned beat_bytes_;
  base::Picos beat_time_;
  std::vector<base::Picos> read_slots_;
  std::vector<base::Picos> write_slots_;
  size_t next_read_slot_ = 0;
  size_t next_write_slot_ = 0;
  base::Picos read_channel_free_;
  base::Picos write_channel_free_;
  base::Picos read_busy_;
  base::Picos write_busy_;
};

}  // namespace doorbell::fabric
