#include "models/fec/fec.h"

#include "models/fec/fec_core.h"
#include "models/fec/interrupts.h"
#include "models/fec/loop_wire.h"
#include "models/fec/mdio.h"
#include "models/fec/phy.h"
#include "models/fec/ptp_timer.h"
#include "models/fec/rx_dma.h"
#include "models/fec/rx_mac.h"
#include "models/fec/tx_dma.h"
#include "models/fec/tx_mac.h"

namespace doorbell::fec {

using base::Picos;

/// The engines of one device and the register hooks that join them.
struct Fec::Parts final : net::ArrivalListener {
  Parts(base::Calendar& calendar, fabric::DmaPort& dma, const FecConfig& config);

  void arrivals_changed() override {
    rx_mac.look_again();
    rx_dma.plan();
  }
  void hook();
  void reload();
  void reset();

  void ecr_written(const reg::WriteEvent& event);
  void rdar_written(const reg::WriteEvent& event);
  void tdar_written(const reg::WriteEvent& event);
  void eimr_written(const reg::WriteEvent& event);
  void mibc_written(const reg::WriteEvent& event) { core.mib.control(event.after); }
  uint32_t read_mib(uint32_t offset, uint32_t) { return core.mib.value(offset); }

  Core core;
  RxFifo rx_fifo;
  TxFifo tx_fifo;
  Interrupts irq;
  Phy phy;
  Mdio mdio;
  PtpTimer ptp;
  RxMac rx_mac;
  RxDma rx_dma;
  TxMac tx_mac;
  TxDma tx_dma;
  LoopWire loop;
};

Fec::Parts::Parts(base::Calendar& calendar, fabric::DmaPort& dma, const FecConfig& config)
    : core(calendar, dma, config),
      rx_fifo(config.rx_fifo_bytes),
      tx_fifo(config.tx_fifo_bytes),
      irq(core),
      phy(config),
      mdio(core, phy),
      ptp(core),
      rx_mac(core, rx_fifo),
      rx_dma(core, rx_fifo, rx_mac),
      tx_mac(core, tx_fifo),
      tx_dma(core, tx_fifo) {
  core.irq = &irq;
  core.ptp = &ptp;
  core.rx_mac = &rx_mac;
  core.rx_dma = &rx_dma;
  core.tx_mac = &tx_mac;
  core.tx_dma = &tx_dma;
  rx_mac.connect_loop(&loop);
  tx_mac.connect_loop(&loop);
  loop.set_listener(this);
  hook();
  core.mib.control(core.value(reg::kMibc));
  reload();
}

void Fec::Parts::hook() {
  reg::RegFile& r = core.regs;
  r.on_write<&Interrupts::eir_written>(reg::kEir, irq);
  r.on_write<&Parts::eimr_written>(reg::kEimr, *this);
  r.on_write<&Parts::ecr_written>(reg::kEcr, *this);
  r.on_write<&Mdio::mmfr_written>(reg::kMmfr, mdio);
  r.on_write<&Mdio::mscr_written>(reg::kMscr, mdio);
  r.on_write<&Parts::mibc_written>(reg::kMibc, *this);
  r.on_write<&TxMac::control_written>(reg::kTcr, tx_mac);
  r.on_read<&TxMac::read_control>(reg::kTcr, tx_mac);
  for (unsigned ring = 0; ring < kRings; ++ring) {
    r.on_write<&Parts::rdar_written>(reg::rdar(ring), *this);
    r.on_write<&Parts::tdar_written>(reg::tdar(ring), *this);
    r.on_write<&Interrupts::coalescing_written>(reg::txic(ring), irq);
    r.on_write<&Interrupts::coalescing_written>(reg::rxic(ring), irq);
  }
  for (uint32_t offset = mib::kFirst; offset <= mib::kLast; offset += 4) {
    if (r.mapped(offset)) r.on_read<&Parts::read_mib>(offset, *this);
  }
  r.on_write<&PtpTimer::control_written>(reg::kAtcr, ptp);
  r.on_read<&PtpTimer::read_control>(reg::kAtcr, ptp);
  r.on_write<&PtpTimer::value_written>(reg::kAtvr, ptp);
  r.on_read<&PtpTimer::read_value>(reg::kAtvr, ptp);
  for (const uint32_t offset : {reg::kAtoff, reg::kAtper, reg::kAtcor, reg::kAtinc}) {
    r.on_write<&PtpTimer::rate_written>(offset, ptp);
  }
  r.on_write<&PtpTimer::flags_written>(reg::kTgsr, ptp);
  for (unsigned c = 0; c < PtpTimer::kChannels; ++c) {
    r.on_write<&PtpTimer::channel_written>(reg::tcsr(c), ptp);
    r.on_write<&PtpTimer::channel_written>(reg::tccr(c), ptp);
  }
}

void Fec::Parts::reload() {
  rx_mac.reload();
  tx_mac.reload();
  tx_dma.reload();
  rx_dma.plan();
}

void Fec::Parts::reset() {
  core.running = false;
  core.stop_engines();
  core.regs.reset();
  mdio.reset();
  ptp.reset();
  irq.reset();
  core.mib.control(core.value(reg::kMibc));
  rx_mac.set_mask(0);
}

void Fec::Parts::ecr_written(const reg::WriteEvent& event) {
  if ((event.written & ecr::kReset) != 0) {
    reset();
    return;
  }
  core.running = (event.after & ecr::kEtherEn) != 0;
  if (event.falling(ecr::kEtherEn) != 0) {
    core.stop_engines();
    core.regs.set_bits(reg::kRcr, rcr::kGrs);
  }
  if (event.rising(ecr::kEtherEn) != 0) {
    core.regs.clear_bits(reg::kRcr, rcr::kGrs);
    rx_mac.reload();
    tx_mac.reload();
    tx_dma.start();
    rx_dma.start();
  }
}

void Fec::Parts::rdar_written(const reg::WriteEvent& event) {
  rx_dma.rang(event.offset == reg::kRdar0 ? 0 : event.offset == reg::kRdar1 ? 1 : 2);
}

void Fec::Parts::tdar_written(const reg::WriteEvent& event) {
  tx_dma.rang(event.offset == reg::kTdar0 ? 0 : event.offset == reg::kTdar1 ? 1 : 2);
}

void Fec::Parts::eimr_written(const reg::WriteEvent& event) {
  irq.eimr_written(event);
  if (event.changed(eir::kBabr | eir::kPlr | eir::kWakeup) != 0) {
    rx_mac.set_mask(event.after);
    rx_dma.plan();
  }
}

void Core::stop_engines() {
  rx_mac->stop();
  rx_dma->stop();
  tx_dma->stop();
  tx_mac->stop();
}

void Core::bus_error() {
  ++count.bus_errors;
  rx_mac->catch_up(now());
  regs.clear_bits(reg::kEcr, ecr::kEtherEn);
  regs.set_bits(reg::kRcr, rcr::kGrs);
  running = false;
  stop_engines();
  rx_mac->reload();
  irq->raise(eir::kEberr);
  rx_dma->plan();
}

Fec::Fec(sc_core::sc_module_name name, base::Calendar& calendar, const FecConfig& config,
         Picos dma_forward_latency)
    : sc_module(name),
      regs("regs"),
      dma("dma", dma_forward_latency),
      calendar_(calendar),
      config_(config),
      parts_(std::make_unique<Parts>(calendar, dma, config_)) {
  regs.register_b_transport(this, &Fec::b_transport);
  regs.register_transport_dbg(this, &Fec::transport_dbg);
}

Fec::~Fec() = default;

void Fec::connect(net::WireIn* in, net::WireOut* out, fabric::IrqSink* irq) {
  parts_->rx_mac.connect(in);
  parts_->tx_mac.connect(out);
  parts_->irq.connect(irq);
  if (in != nullptr) in->set_listener(parts_.get());
  parts_->arrivals_changed();
}

void Fec::set_trace(probe::TraceSink* trace) {
  parts_->core.trace = trace;
}
void Fec::set_digest(probe::Digest* digest) {
  parts_->core.digest = digest;
}

void Fec::settle() {
  parts_->rx_mac.catch_up(calendar_.now());
  parts_->irq.settle();
}

namespace {
// Registers whose writes change nothing that the engines keep decoded.
bool needs_no_reload(uint32_t offset) {
  switch (offset) {
    case reg::kEir:
    case reg::kEimr:
    case reg::kRdar0:
    case reg::kRdar1:
    case reg::kRdar2:
    case reg::kTdar0:
    case reg::kTdar1:
    case reg::kTdar2:
    case reg::kMmfr:
      return true;
    default:
      return offset >= reg::kAtcr;
  }
}
}  // namespace

void Fec::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Picos at = fabric::annotated_time(payload, delay);
  while (at > calendar_.now() && !calendar_.run_until(at)) {
  }
  Parts& p = *parts_;
  const uint64_t address = payload.get_address();
  const unsigned size = payload.get_data_length();
  if (payload.get_byte_enable_ptr() != nullptr || payload.get_streaming_width() < size ||
      address >= kWindowBytes) {
    ++p.core.count.register_errors;
    payload.set_response_status(address >= kWindowBytes ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                        : tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const auto offset = static_cast<uint32_t>(address);
  settle();
  reg::Status status;
  if (payload.is_read()) {
    const reg::ReadResult result = p.core.regs.read(offset, size);
    status = result.status;
    if (result.ok()) base::store_le(payload.get_data_ptr(), result.value);
  } else {
    const auto value = size == 4 ? base::load_le<uint32_t>(payload.get_data_ptr()) : 0u;
    status = p.core.regs.write(offset, size, value);
    if (status == reg::Status::kOk && !needs_no_reload(offset)) p.reload();
  }
  if (status != reg::Status::kOk) ++p.core.count.register_errors;
  payload.set_response_status(status == reg::Status::kOk         ? tlm::TLM_OK_RESPONSE
                              : status == reg::Status::kUnmapped ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                                 : tlm::TLM_BURST_ERROR_RESPONSE);
  if (driver_ != nullptr) driver_->arm();
}

unsigned int Fec::transport_dbg(tlm::tlm_generic_payload& payload) {
  const uint64_t address = payload.get_address();
  if (!payload.is_read() || payload.get_data_length() != 4 || address >= kWindowBytes ||
      !parts_->core.regs.mapped(static_cast<uint32_t>(address))) {
    return 0;
  }
  settle();
  const auto offset = static_cast<uint32_t>(address);
  uint32_t value = parts_->core.regs.peek(offset);
  if (offset >= mib::kFirst && offset <= mib::kLast) value = parts_->core.mib.value(offset);
  base::store_le(payload.get_data_ptr(), value);
  return 4;
}

const probe::CounterSet& Fec::counters() const {
  return parts_->core.counters;
}
unsigned Fec::frames_in_rx_fifo() const {
  return parts_->rx_fifo.frames().size();
}
unsigned Fec::frames_in_tx_fifo() const {
  unsigned waiting = 0;
  for (uint32_t i = 0; i < parts_->tx_fifo.frames().size(); ++i) {
    const TxFrame& frame = parts_->tx_fifo.frames()[i];
    if (!frame.sent && (frame.errors & tx_esc::kOverflow) == 0) ++waiting;
  }
  return waiting;
}
unsigned Fec::frames_sent_not_closed() const {
  return parts_->tx_dma.sent_not_closed();
}
unsigned Fec::rx_fifo_words() const {
  return parts_->rx_mac.level(calendar_.now());
}
unsigned Fec::tx_fifo_words() const {
  return parts_->tx_fifo.used();
}
Picos Fec::rx_dma_busy() const {
  return parts_->rx_dma.busy();
}
Picos Fec::tx_dma_busy() const {
  return parts_->tx_dma.busy();
}
Picos Fec::tx_line_busy() const {
  return parts_->tx_mac.line_busy();
}
const char* Fec::last_overflow() const {
  return parts_->rx_mac.last_overflow();
}
bool Fec::tx_hung() const {
  return parts_->tx_dma.hung();
}

}  // namespace doorbell::fec
