#include "sim/hal/checks/dma_interposer.h"

#include "models/fabric/transaction_time.h"

namespace doorbell::hal::checks {

using base::Picos;

// NOLINTNEXTLINE: SystemC passes module names by value
DmaInterposer::DmaInterposer(sc_core::sc_module_name name, CheckState& state,
                             const host::CacheView* cache)
    : sc_module(name),
      from_device("from_device"),
      to_link("to_link"),
      state_(state),
      cache_(cache) {
  from_device.register_b_transport(this, &DmaInterposer::b_transport);
  from_device.register_transport_dbg(this, &DmaInterposer::transport_dbg);
}

void DmaInterposer::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Picos at = fabric::annotated_time(payload, delay);
  // The link may change the payload's address on its way; the device's is what counts.
  const uint64_t addr = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  const bool read = payload.is_read();
  if (read) state_.device_read(addr, bytes, at, cache_);
  to_link->b_transport(payload, delay);
  if (!read) {
    // A refused write is never visible, but where it went is wrong all the same.
    const Picos visible =
        payload.is_response_ok() ? fabric::annotated_time(payload, delay) : base::kNever;
    state_.device_write(addr, {payload.get_data_ptr(), bytes}, at, visible, cache_);
  }
}

unsigned int DmaInterposer::transport_dbg(tlm::tlm_generic_payload& payload) {
  return to_link->transport_dbg(payload);
}

}  // namespace doorbell::hal::checks
