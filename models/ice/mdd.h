// Malicious driver detection: what happens when a driver breaks a rule.
//
// Each check has a bit in its unit's enable register (GL_MDCK_*). A hit is latched in the unit's
// global register, first event only until software writes all ones; sets the PF's register and
// PFINT_OICR.MAL_DETECT; and is counted. The caller stops the queue (assumption: what the hardware
// does to the queue is not published). Causes that only the hardware's own scheduler could produce
// are not modelled. Source: DPDK ice_hw_autogen.h, Linux 6.12 ice_main.c.
#pragma once

#include "models/ice/ice_core.h"

namespace doorbell::ice {

class Mdd {
 public:
  explicit Mdd(Core& core) : core_(core) {}

  // True if the check is on: the event has been raised.
  bool tclan(unsigned queue, TclanCause cause);
  bool pqm(unsigned queue, PqmCause cause);
  bool tdpu(unsigned queue, TdpuCause cause);
  bool rx(unsigned queue, RxMdetCause cause);

 private:
  bool raise(uint32_t enable, uint32_t global, uint32_t pf, unsigned cause, uint32_t value);

  Core& core_;
};

}  // namespace doorbell::ice
