// The time a transaction is annotated with, in either of two forms.
//
// TLM-2.0's loosely timed style passes an offset from kernel time. Doorbell's own blocks work with
// absolute time, and converting costs several library calls a hop; so a port whose links are all
// ours may attach this extension once, and the delay argument is then left alone. Targets use the
// two functions and serve both forms alike.
#pragma once

#include <tlm>

#include "models/base/units.h"
#include "models/fabric/time.h"

namespace doorbell::fabric {

class TransactionTime : public tlm::tlm_extension<TransactionTime> {
 public:
  base::Picos time;

  tlm::tlm_extension_base* clone() const override {
    auto* copy = new TransactionTime;  // TLM's protocol: the payload owns it
    copy->time = time;
    return copy;
  }
  void copy_from(const tlm::tlm_extension_base& other) override {
    time = static_cast<const TransactionTime&>(other).time;
  }
};

/// When the transaction reaches the callee.
inline base::Picos annotated_time(const tlm::tlm_generic_payload& payload,
                                  const sc_core::sc_time& delay) {
  const TransactionTime* absolute = payload.get_extension<TransactionTime>();
  return absolute != nullptr ? absolute->time : kernel_now() + from_sc(delay);
}
/// Sets the time at which the caller goes on, or the next hop is reached.
inline void annotate(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, base::Picos t) {
  TransactionTime* absolute = payload.get_extension<TransactionTime>();
  if (absolute != nullptr) {
    absolute->time = t;
  } else {
    delay = to_sc(t - kernel_now());
  }
}

}  // namespace doorbell::fabric
