#include "models/ice/device.h"

namespace doorbell::ice {

using base::Picos;

Device::Device(base::Calendar& calendar, fabric::PciePort& pcie, const IceConfig& config)
    : core(calendar, pcie, config),
      pump(core),
      reads(core),
      irq(core),
      mdd(core),
      stats(core),
      tx(core),
      rx(core),
      admin(core) {
  core.pump = &pump;
  core.reads = &reads;
  core.irq = &irq;
  core.mdd = &mdd;
  core.stats = &stats;
  core.tx = &tx;
  core.rx = &rx;
  core.admin = &admin;
  enable_event_.bind<&Device::enable_due>(*this);
  hook_queues();
  hook_interrupts();
  hook_device();
  initialise();
  core.link_up_at = core.now() + config.link_up_time;
}

void Device::hook_queues() {
  reg::RegFile& r = core.regs;
  r.on_write<&Device::dbell_written>(reg::kQtxCommDbell, *this);
  r.on_write<&Device::tail_written>(reg::kQrxTail, *this);
  r.on_write<&Device::qrx_ctrl_written>(reg::kQrxCtrl, *this);
  r.on_write<&Device::qrx_itr_written>(reg::kQrxItr, *this);
  r.on_read<&Device::read_head>(reg::kQtxCommHead, *this);
  r.on_write<&Device::cntx_ctl_written>(reg::kGlcommQtxCntxCtl, *this);
  r.on_write<&Device::limits_written>(reg::kGllanTclanCacheCtl, *this);
  r.on_write<&Device::limits_written>(reg::kGlcommMinMaxPkt, *this);
}

void Device::hook_interrupts() {
  reg::RegFile& r = core.regs;
  r.on_write<&Device::tqctl_written>(reg::kQintTqctl, *this);
  r.on_write<&Device::rqctl_written>(reg::kQintRqctl, *this);
  r.on_write<&Interrupts::dyn_ctl_written>(reg::kGlintDynCtl, irq);
  r.on_write<&Interrupts::itr_written>(reg::kGlintItr, irq);
  r.on_write<&Interrupts::rate_written>(reg::kGlintRate, irq);
  r.on_write<&Interrupts::glint_ctl_written>(reg::kGlintCtl, irq);
  r.on_write<&Interrupts::oicr_ena_written>(reg::kPfintOicrEna, irq);
}

void Device::hook_device() {
  reg::RegFile& r = core.regs;
  r.on_write<&Admin::tail_written>(reg::kPfFwAtqt, admin);
  r.on_write<&Admin::length_written>(reg::kPfFwAtqlen, admin);
  r.on_write<&Admin::event_tail_written>(reg::kPfFwArqt, admin);
  r.on_write<&Device::pfgen_ctrl_written>(reg::kPfgenCtrl, *this);
  r.on_write<&Device::rtrig_written>(reg::kGlgenRtrig, *this);
  stats.hook();
}

// What a reset leaves in registers whose value depends on the configuration.
void Device::initialise() {
  const IceConfig& c = core.config;
  core.mac = c.mac;
  core.mac_u48 = c.mac.as_u48();
  core.vlan_strip = false;
  core.regs.poke(
      reg::kGllanTclanCacheCtl,
      reg::put_field(tclan_cache_ctl::kMinFetchThresh, c.tx_fetch_threshold) |
          (c.tx_fetch_align ? tclan_cache_ctl::kFetchClAlign : 0) |
          reg::put_field(tclan_cache_ctl::kCacheDescLim, c.tx_cache < 1023 ? c.tx_cache : 1023));
  for (unsigned i = 0; i < 16; ++i) {
    core.regs.poke(reg::glcomm_quanta_prof(i),
                   reg::put_field(glcomm_quanta_prof::kQuantaSize, c.quantum));
  }
  tx.reload();
  const fabric::PcieConfig& link = core.pcie.config();
  const auto width = static_cast<uint32_t>(__builtin_ctz(link.lanes)) + 1;
  core.regs.poke(reg::kGlpciLinkcap,
                 reg::put_field(glpci_linkcap::kSpeeds, (1u << link.generation) - 1) |
                     reg::put_field(glpci_linkcap::kMaxWidth, width));
}

void Device::qrx_ctrl_written(const reg::WriteEvent& e) {
  const bool wanted = (e.after & qrx_ctrl::kQenaReq) != 0;
  const bool is = (e.after & qrx_ctrl::kQenaStat) != 0;
  if (wanted == is) return;
  enables_.insert({core.now() + core.config.queue_enable_time, static_cast<uint16_t>(e.index)});
  core.calendar.schedule(enable_event_, enables_.next());
}

// A receive queue takes the state that QENA_REQ asks for by then.
void Device::enable_due() {
  settle();
  while (enables_.next() <= core.now()) {
    const unsigned queue = enables_.front().queue;
    enables_.pop();
    const uint32_t offset = reg::qrx_ctrl(queue);
    const uint32_t value = core.regs.peek(offset);
    const bool wanted = (value & qrx_ctrl::kQenaReq) != 0;
    if (wanted == ((value & qrx_ctrl::kQenaStat) != 0)) continue;
    if (!wanted) {
      rx.disable(queue);
      core.regs.clear_bits(offset, qrx_ctrl::kQenaStat | qrx_ctrl::kCds);
      continue;
    }
    uint8_t bytes[kRxContextBytes];
    for (unsigned i = 0; i < kRxContextWords; ++i) {
      base::store_le(bytes + 4 * i, core.regs.peek(reg::qrx_context(i, queue)));
    }
    rx.enable(queue, decode_rx_context_bytes(bytes));
    core.regs.poke(reg::qrx_tail(queue), 0);
    core.regs.set_bits(offset,
                       qrx_ctrl::kQenaStat | ((value & qrx_ctrl::kCde) != 0 ? qrx_ctrl::kCds : 0));
  }
  if (!enables_.empty()) core.calendar.schedule(enable_event_, enables_.next());
}

// The command numbers are not published: 0 read, 1 write (assumption).
void Device::cntx_ctl_written(const reg::WriteEvent& e) {
  if ((e.written & glcomm_qtx_cntx_ctl::kCmdExec) == 0) return;
  const unsigned queue = reg::get_field(glcomm_qtx_cntx_ctl::kQueueId, e.after);
  const unsigned cmd = reg::get_field(glcomm_qtx_cntx_ctl::kCmd, e.after);
  uint8_t bytes[40] = {};
  if (cmd == 0) {
    if (tx.enabled(queue) && !encode(tx.queue(queue).context, bytes)) return;
    for (unsigned i = 0; i < 10; ++i) {
      core.regs.poke(reg::glcomm_qtx_cntx_data(i), base::load_le<uint32_t>(bytes + 4 * i));
    }
    return;
  }
  if (cmd != 1) return;
  for (unsigned i = 0; i < 10; ++i) {
    base::store_le(bytes + 4 * i, core.regs.peek(reg::glcomm_qtx_cntx_data(i)));
  }
  const IceTxContext context = decode_tx_context_bytes(bytes);
  if (context.qlen < 8) return;
  tx.disable(queue);
  tx.enable(queue, context, tx_queue_teid(queue));
}

uint32_t Device::read_head(uint32_t offset, uint32_t) {
  const TxQueue& q = tx.queue((offset - reg::kQtxCommHead) / 4);
  return reg::put_field(qtx_comm_head::kHead, q.done & 0x1FFF) |
         (q.held_mask != 0 ? qtx_comm_head::kRsPending : 0);
}

void Device::stop() {
  settle();
  enables_.clear();
  if (enable_event_.pending()) core.calendar.cancel(enable_event_);
  irq.reset();
  tx.reset();
  rx.reset();
}

void Device::pfgen_ctrl_written(const reg::WriteEvent& e) {
  if ((e.written & kPfgenCtrlPfswr) == 0) return;
  stop();
  reg::RegFile& r = core.regs;
  for (unsigned q = 0; q < kRxQueues; ++q) {
    for (const uint32_t offset :
         {reg::qrx_ctrl(q), reg::qrx_tail(q), reg::qrx_itr(q), reg::qint_rqctl(q)}) {
      r.poke(offset, 0);
    }
    rx.route(q, 0);
  }
  for (unsigned q = 0; q < kTxQueues; ++q) {
    r.poke(reg::qint_tqctl(q), 0);
    tx.route(q, 0);
  }
  for (unsigned v = 0; v < kVectors; ++v) {
    r.poke(reg::glint_dyn_ctl(v), 0);
    r.poke(reg::glint_rate(v), 0);
    for (unsigned i = 0; i < kItrs; ++i) r.poke(reg::glint_itr(i, v), 0);
  }
  r.poke(reg::kPfgenCtrl, 0);
}

void Device::rtrig_written(const reg::WriteEvent& e) {
  if ((e.written & (glgen_rtrig::kCorer | glgen_rtrig::kGlobr)) == 0) return;
  stop();
  admin.reset();
  stats.reset();
  for (unsigned q = 0; q < kRxQueues; ++q) rx.route(q, 0);
  for (unsigned q = 0; q < kTxQueues; ++q) tx.route(q, 0);
  core.regs.reset();
  initialise();
  const bool global = (e.written & glgen_rtrig::kGlobr) != 0;
  core.regs.poke(reg::kGlgenRstat, reg::put_field(glgen_rstat::kResetType, global ? 2 : 1));
  core.link_up_at = core.now() + core.config.link_up_time;
  irq.other(pfint_oicr::kGrst);
}

}  // namespace doorbell::ice
