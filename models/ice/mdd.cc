#include "models/ice/mdd.h"

#include "models/ice/interrupts.h"

namespace doorbell::ice {

bool Mdd::raise(uint32_t enable, uint32_t global, uint32_t pf, unsigned cause, uint32_t value) {
  if ((core_.regs.peek(enable) >> cause & 1) == 0) return false;
  // VALID is bit 31 in all four registers.
  if ((core_.regs.peek(global) & mdet_tclan::kValid) == 0) core_.regs.poke(global, value);
  core_.regs.set_bits(pf, kPfMdetValid);
  ++core_.count.mdd_events;
  core_.irq->other(pfint_oicr::kMalDetect);
  if (core_.trace != nullptr) core_.trace->instant("ice mdd", "event", core_.now(), cause);
  return true;
}

namespace {
uint32_t tclan_value(unsigned queue, unsigned cause) {
  return mdet_tclan::kValid | reg::put_field(mdet_tclan::kQnum, queue) |
         reg::put_field(mdet_tclan::kMalType, cause);
}
}  // namespace

bool Mdd::tclan(unsigned queue, TclanCause cause) {
  const auto n = static_cast<unsigned>(cause);
  return raise(reg::kGlMdckTdatTclan, reg::kGlMdetTxTclan, reg::kPfMdetTxTclan, n,
               tclan_value(queue, n));
}

bool Mdd::pqm(unsigned queue, PqmCause cause) {
  const auto n = static_cast<unsigned>(cause);
  return raise(reg::kGlMdckEnTxPqm, reg::kGlMdetTxPqm, reg::kPfMdetTxPqm, n,
               mdet_pqm::kValid | reg::put_field(mdet_pqm::kQnum, queue) |
                   reg::put_field(mdet_pqm::kMalType, n));
}

bool Mdd::tdpu(unsigned queue, TdpuCause cause) {
  const auto n = static_cast<unsigned>(cause);
  return raise(reg::kGlMdckTxTdpu, reg::kGlMdetTxTdpu, reg::kPfMdetTxTdpu, n,
               tclan_value(queue, n));
}

bool Mdd::rx(unsigned queue, RxMdetCause cause) {
  const auto n = static_cast<unsigned>(cause);
  return raise(reg::kGlMdckRx, reg::kGlMdetRx, reg::kPfMdetRx, n, tclan_value(queue, n));
}

}  // namespace doorbell::ice
