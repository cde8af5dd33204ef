// The engines of one device and the register hooks that join them.
//
// Private to models/ice. Resets: PFR stops all queues and clears what is the PF's, CORER and GLOBR
// clear every register; both are over at once (assumption).
#pragma once

#include "models/ice/admin.h"
#include "models/ice/fifo.h"
#include "models/ice/ice_core.h"
#include "models/ice/interrupts.h"
#include "models/ice/mdd.h"
#include "models/ice/pump.h"
#include "models/ice/reads.h"
#include "models/ice/rx_engine.h"
#include "models/ice/stats.h"
#include "models/ice/tx_engine.h"

namespace doorbell::ice {

class Device {
 public:
  Device(base::Calendar& calendar, fabric::PciePort& pcie, const IceConfig& config);

  void settle() {
    pump.settle();
    rx.absorb(core.now());
  }

  Core core;
  Pump pump;
  Reads reads;
  Interrupts irq;
  Mdd mdd;
  Stats stats;
  TxEngine tx;
  RxEngine rx;
  Admin admin;

 private:
  struct Enable {
    base::Picos at;
    uint16_t queue;
  };

  void hook_queues();
  void hook_interrupts();
  void hook_device();
  void initialise();
  void stop();

  void dbell_written(const reg::WriteEvent& e) { tx.doorbell(e.index, e.written); }
  void tail_written(const reg::WriteEvent& e) { rx.doorbell(e.index, e.after); }
  void tqctl_written(const reg::WriteEvent& e) { tx.route(e.index, e.after); }
  void rqctl_written(const reg::WriteEvent& e) { rx.route(e.index, e.after); }
  void qrx_itr_written(const reg::WriteEvent& e) {
    rx.set_no_merge(e.index, (e.after & kQrxItrNoExpr) != 0);
  }
  void limits_written(const reg::WriteEvent&) { tx.reload(); }
  void qrx_ctrl_written(const reg::WriteEvent& e);
  void cntx_ctl_written(const reg::WriteEvent& e);
  void pfgen_ctrl_written(const reg::WriteEvent& e);
  void rtrig_written(const reg::WriteEvent& e);
  uint32_t read_head(uint32_t offset, uint32_t stored);
  void enable_due();

  base::Event enable_event_;
  Fifo<Enable> enables_;
};

}  // namespace doorbell::ice
