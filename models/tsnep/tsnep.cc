#include "models/tsnep/tsnep.h"

#include "models/tsnep/device.h"

namespace doorbell::tsnep {

using base::Picos;

struct Tsnep::Parts {
  Parts(base::Calendar& calendar, fabric::DmaPort& dma, const TsnepConfig& config)
      : device(calendar, dma, config) {}
  Device device;
};

Tsnep::Tsnep(sc_core::sc_module_name name, base::Calendar& calendar, const TsnepConfig& config,
             Picos dma_forward_latency)
    : sc_module(name),
      regs("regs"),
      dma("dma", dma_forward_latency),
      calendar_(calendar),
      config_(config),
      parts_(std::make_unique<Parts>(calendar, dma, config_)) {
  regs.register_b_transport(this, &Tsnep::b_transport);
  regs.register_transport_dbg(this, &Tsnep::transport_dbg);
}

Tsnep::~Tsnep() = default;

void Tsnep::connect(net::WireIn* in, net::WireOut* out, fabric::IrqSink* irq) {
  parts_->device.irq.connect(irq);
  parts_->device.tx.connect(out);
  parts_->device.rx.connect(in);
}

void Tsnep::set_trace(probe::TraceSink* trace) {
  parts_->device.core.trace = trace;
}
void Tsnep::set_digest(probe::Digest* digest) {
  parts_->device.core.digest = digest;
}

void Tsnep::set_cable(bool plugged) {
  settle();
  parts_->device.link.plug(plugged);
  if (driver_ != nullptr) driver_->arm();
}

void Tsnep::settle() {
  parts_->device.settle();
}

void Tsnep::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Picos at = fabric::annotated_time(payload, delay);
  while (at > calendar_.now() && !calendar_.run_until(at)) {
  }
  Device& device = parts_->device;
  const uint64_t address = payload.get_address();
  const unsigned size = payload.get_data_length();
  reg::Status status = reg::Status::kBadSize;
  if (address >= kWindowBytes) {
    status = reg::Status::kUnmapped;
  } else if (payload.get_byte_enable_ptr() == nullptr && payload.get_streaming_width() >= size &&
             (size == 1 || size == 2 || size == 4)) {
    settle();
    const auto offset = static_cast<uint32_t>(address);
    uint32_t value = 0;
    if (payload.is_read()) {
      status = device.read(offset, size, value);
      if (status == reg::Status::kOk) std::memcpy(payload.get_data_ptr(), &value, size);
    } else {
      std::memcpy(&value, payload.get_data_ptr(), size);
      status = device.write(offset, size, value);
    }
  }
  if (status != reg::Status::kOk) ++device.core.count.register_errors;
  payload.set_response_status(status == reg::Status::kOk         ? tlm::TLM_OK_RESPONSE
                              : status == reg::Status::kUnmapped ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                                 : tlm::TLM_BURST_ERROR_RESPONSE);
  if (driver_ != nullptr) driver_->arm();
}

// What a read would give; nothing is cleared and the calendar does not run.
unsigned int Tsnep::transport_dbg(tlm::tlm_generic_payload& payload) {
  const uint64_t address = payload.get_address();
  Device& device = parts_->device;
  if (!payload.is_read() || payload.get_data_length() != 4 || address >= kWindowBytes ||
      !device.core.regs.mapped(static_cast<uint32_t>(address))) {
    return 0;
  }
  settle();
  uint32_t value = 0;
  device.statistics.set_lanes(0);
  const reg::Status status = device.read(static_cast<uint32_t>(address), 4, value);
  device.statistics.set_lanes(0xFFFFFFFF);
  if (status != reg::Status::kOk) return 0;
  base::store_le(payload.get_data_ptr(), value);
  return 4;
}

const probe::CounterSet& Tsnep::counters() const {
  return parts_->device.core.counters;
}
unsigned Tsnep::frames_in_rx_fifo() const {
  return parts_->device.rx.frames_in_fifo();
}
unsigned Tsnep::frames_in_tx_fifo() const {
  return parts_->device.tx.frames_waiting();
}
unsigned Tsnep::frames_sent_not_closed() const {
  return parts_->device.tx.frames_sent_not_closed();
}
uint32_t Tsnep::rx_fifo_bytes() const {
  return parts_->device.rx.fifo_bytes(calendar_.now());
}
uint32_t Tsnep::tx_fifo_bytes(unsigned queue) const {
  return parts_->device.tx.queue(queue).fifo_bytes();
}
Picos Tsnep::rx_dma_busy() const {
  return parts_->device.rx.busy();
}
Picos Tsnep::tx_dma_busy() const {
  return parts_->device.tx.dma_busy();
}
Picos Tsnep::tx_line_busy() const {
  return parts_->device.tx.line_busy();
}
uint8_t Tsnep::open_gates() const {
  return parts_->device.gates.open();
}

}  // namespace doorbell::tsnep
