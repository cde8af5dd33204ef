// Checks on the fabric: stands between a device's DMA port and its link and looks at each access.
//
// Bind the device's socket to from_device and to_link to the link. Every transaction is forwarded
// once, with its time unchanged. A read is judged at the time its data is sampled, a write at its
// issue; what it wrote counts as there from the returned time on (contract of fabric/dma_port.h).
// Direct memory access is refused, since it would pass by the checks. `cache` tells the dirty lines
// of a non-coherent machine; null: the HAL calls alone do.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <systemc>

#include "models/host/cache_view.h"
#include "sim/hal/checks/check_state.h"

namespace doorbell::hal::checks {

class DmaInterposer : public sc_core::sc_module {
 public:
  DmaInterposer(sc_core::sc_module_name name, CheckState& state,
                const host::CacheView* cache = nullptr);

  tlm_utils::simple_target_socket<DmaInterposer, 64> from_device;
  tlm_utils::simple_initiator_socket<DmaInterposer, 64> to_link;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned int transport_dbg(tlm::tlm_generic_payload& payload);

  CheckState& state_;
  const host::CacheView* cache_;
};

}  // namespace doorbell::hal::checks
