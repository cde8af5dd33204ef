#include "models/ice/ice.h"

#include "models/ice/device.h"

namespace doorbell::ice {

using base::Picos;

namespace {
// Working late must not be visible: no write may reach memory before the model has worked it out.
IceConfig bounded(IceConfig config, const fabric::PcieConfig& link) {
  const Picos shortest = link.device_latency + link.hop() + link.root_ingress;
  config.batch = base::min(config.batch, shortest / 2);
  return config;
}
}  // namespace

struct Ice::Parts {
  Parts(base::Calendar& calendar, fabric::PciePort& pcie, const IceConfig& config)
      : device(calendar, pcie, config) {}
  Device device;
};

Ice::Ice(sc_core::sc_module_name name, base::Calendar& calendar, const IceConfig& config,
         const fabric::PcieConfig& link)
    : sc_module(name),
      regs("regs"),
      msix("msix"),
      pcie("pcie", link, calendar),
      calendar_(calendar),
      config_(bounded(config, link)),
      parts_(std::make_unique<Parts>(calendar, pcie, config_)) {
  regs.register_b_transport(this, &Ice::bar0);
  regs.register_transport_dbg(this, &Ice::bar0_debug);
  msix.register_b_transport(this, &Ice::bar3);
}

Ice::~Ice() = default;

void Ice::connect(net::WireIn* in, net::WireOut* out) {
  parts_->device.rx.connect(in);
  parts_->device.tx.connect(out);
  if (in != nullptr) in->set_listener(&parts_->device.rx);
  parts_->device.rx.arrivals_changed();
}

void Ice::set_msix_control(bool enable, bool function_mask) {
  parts_->device.core.msix.set_control(enable, function_mask, calendar_.now());
}

void Ice::set_trace(probe::TraceSink* trace) {
  parts_->device.core.trace = trace;
}
void Ice::set_digest(probe::Digest* digest) {
  parts_->device.core.digest = digest;
}
void Ice::settle() {
  parts_->device.settle();
}

// Brings the device to the access's time and checks what both windows have in common.
bool Ice::access(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay,
                 uint32_t window) {
  const Picos at = fabric::kernel_now() + fabric::from_sc(delay);
  while (at > calendar_.now() && !calendar_.run_until(at)) {
  }
  settle();
  const bool inside = payload.get_address() < window;
  if (inside && payload.get_byte_enable_ptr() == nullptr &&
      payload.get_streaming_width() >= payload.get_data_length()) {
    return true;
  }
  ++parts_->device.core.count.register_errors;
  payload.set_response_status(inside ? tlm::TLM_BURST_ERROR_RESPONSE
                                     : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return false;
}

void Ice::bar0(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!access(payload, delay, kBarBytes)) return;
  Core& core = parts_->device.core;
  const auto offset = static_cast<uint32_t>(payload.get_address());
  const unsigned size = payload.get_data_length();
  reg::Status status;
  if (payload.is_read()) {
    const reg::ReadResult result = core.regs.read(offset, size);
    status = result.status;
    if (result.ok()) base::store_le(payload.get_data_ptr(), result.value);
  } else {
    const auto value = size == 4 ? base::load_le<uint32_t>(payload.get_data_ptr()) : 0u;
    status = core.regs.write(offset, size, value);
  }
  if (status != reg::Status::kOk) ++core.count.register_errors;
  payload.set_response_status(status == reg::Status::kOk         ? tlm::TLM_OK_RESPONSE
                              : status == reg::Status::kUnmapped ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                                 : tlm::TLM_BURST_ERROR_RESPONSE);
  if (driver_ != nullptr) driver_->arm();
}

void Ice::bar3(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!access(payload, delay, kMsixBarBytes)) return;
  Core& core = parts_->device.core;
  const auto offset = static_cast<uint32_t>(payload.get_address());
  const bool word = payload.get_data_length() == 4;
  const bool pba = offset >= kMsixPbaOffset;
  uint32_t value = 0;
  bool ok = false;
  if (word && payload.is_read()) {
    ok = pba ? core.msix.read_pending(offset - kMsixPbaOffset, value)
             : core.msix.read_table(offset, value);
    if (ok) base::store_le(payload.get_data_ptr(), value);
  } else if (word && !pba) {
    value = base::load_le<uint32_t>(payload.get_data_ptr());
    ok = core.msix.write_table(offset, value, calendar_.now());
  }
  if (!ok) ++core.count.register_errors;
  payload.set_response_status(ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (driver_ != nullptr) driver_->arm();
}

unsigned int Ice::bar0_debug(tlm::tlm_generic_payload& payload) {
  const uint64_t address = payload.get_address();
  const reg::RegFile& file = parts_->device.core.regs;
  if (!payload.is_read() || payload.get_data_length() != 4 || address >= kBarBytes ||
      !file.mapped(static_cast<uint32_t>(address))) {
    return 0;
  }
  settle();
  base::store_le(payload.get_data_ptr(), file.peek(static_cast<uint32_t>(address)));
  return 4;
}

const probe::CounterSet& Ice::counters() const {
  return parts_->device.core.counters;
}
unsigned Ice::frames_in_rx_buffer() const {
  return parts_->device.rx.frames_in_buffer();
}
unsigned Ice::frames_held_back() const {
  return parts_->device.rx.frames_held();
}
unsigned Ice::frames_in_tx() const {
  return parts_->device.tx.frames_in_flight();
}
uint32_t Ice::rx_buffer_bytes() const {
  return parts_->device.rx.buffer_used(calendar_.now());
}
uint32_t Ice::tx_buffer_bytes() const {
  return parts_->device.tx.buffer_used(calendar_.now());
}
Picos Ice::tx_line_busy() const {
  return parts_->device.tx.line_busy();
}
Picos Ice::report_engine_busy() const {
  return parts_->device.tx.report_busy();
}
uint64_t Ice::steps() const {
  return parts_->device.pump.steps();
}
bool Ice::vector_armed(unsigned vector) const {
  return parts_->device.irq.armed(vector);
}
bool Ice::vector_pending(unsigned vector) const {
  return parts_->device.irq.pba(vector);
}
uint64_t Ice::vector_messages(unsigned vector) const {
  return parts_->device.irq.messages(vector);
}
unsigned Ice::tx_head(unsigned queue) {
  settle();
  return parts_->device.tx.queue(queue).done;
}
bool Ice::tx_queue_frozen(unsigned queue) const {
  return parts_->device.tx.queue(queue).frozen;
}

}  // namespace doorbell::ice
