// A device's master port: how its DMA engine reads and writes memory.
//
// Wraps a TLM-2.0 initiator socket with one reused payload, so that an access costs a call and no
// kernel event. Timing contract (AXI link and memory fill it in):
//   read:  memory is sampled at the time of the call, so the engine schedules an event at
//          issue + forward_latency() and reads in it; the returned time is when the last beat is
//          back.
//   write: may be called at issue time; data becomes visible in memory at the returned time
//          (posted) and not before, whoever looks.
// Time is passed as the offset from kernel time, as TLM's loosely timed style has it, or, after
// absolute_time(), as an extension.
// A failed access (decode error, slave error) returns ok = false: the engine raises its bus error.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm>

#include "models/base/bytes.h"
#include "models/base/units.h"
#include "models/fabric/time.h"
#include "models/fabric/transaction_time.h"

namespace doorbell::fabric {

class DmaPort {
 public:
  struct Done {
    base::Picos time;  // read: data complete at the device; write: visible in memory
    bool ok = true;
  };

  /// `forward_latency`: from the port to the point where memory is sampled.
  DmaPort(const char* name, base::Picos forward_latency)
      : socket(name), forward_latency_(forward_latency) {}

  /// Detaches what absolute_time() attached: the payload must not delete it.
  ~DmaPort() {
    if (absolute_) {
      payload_.clear_extension(&time_);
    }
  }
  DmaPort(const DmaPort&) = delete;
  DmaPort& operator=(const DmaPort&) = delete;

  base::Picos forward_latency() const { return forward_latency_; }

  /// Passes time in the TransactionTime extension from now on. Only when every block from here to
  /// memory uses annotated_time() and annotate(): Doorbell's own links do.
  void absolute_time() {
    payload_.set_extension(&time_);
    absolute_ = true;
  }

  /// Samples memory now (at = the calendar's time); at must be the arrival time of the request.
  Done read(base::Picos at, uint64_t addr, base::MutByteView into) {
    return access(tlm::TLM_READ_COMMAND, at, addr, into.data, into.size);
  }
  /// Posted write issued at `issue`.
  Done write(base::Picos issue, uint64_t addr, base::ByteView from) {
    return access(tlm::TLM_WRITE_COMMAND, issue, addr, const_cast<uint8_t*>(from.data), from.size);
  }

  tlm_utils::simple_initiator_socket<DmaPort, 64> socket;

 private:
  Done access(tlm::tlm_command command, base::Picos at, uint64_t addr, uint8_t* data, size_t size) {
    payload_.set_command(command);
    payload_.set_address(addr);
    payload_.set_data_ptr(data);
    payload_.set_data_length(static_cast<unsigned>(size));
    payload_.set_streaming_width(static_cast<unsigned>(size));
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    if (absolute_) {
      time_.time = at;
      sc_core::sc_time unused;
      socket->b_transport(payload_, unused);
      return {time_.time, payload_.is_response_ok()};
    }
    const base::Picos kernel = kernel_now();
    sc_core::sc_time delay = to_sc(at - kernel);
    socket->b_transport(payload_, delay);
    return {kernel + from_sc(delay), payload_.is_response_ok()};
  }

  tlm::tlm_generic_payload payload_;
  TransactionTime time_;
  bool absolute_ = false;
  base::Picos forward_latency_;
};

}  // namespace doorbell::fabric
