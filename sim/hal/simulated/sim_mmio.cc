#include "sim/hal/simulated/sim_mmio.h"

namespace doorbell::hal {

using base::Picos;

SimMmio::SimMmio(sc_core::sc_module_name name, Machine& machine)
    : sc_module(name),
      socket("socket"),
      machine_(machine),
      constant_path_(
          machine.config().mmio_forward,
          base::max(machine.cost(Op::kMmioRead) - machine.config().mmio_forward, Picos(0))),
      path_(&constant_path_) {
  arrival_.bind<&SimMmio::deliver>(*this);
}

Picos SimMmio::transport(tlm::tlm_command command, Picos at, uint32_t offset, uint32_t& value,
                         unsigned bytes) {
  payload_.set_command(command);
  payload_.set_address(offset);
  payload_.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
  payload_.set_data_length(bytes);  // little-endian: the low octets of `value`
  payload_.set_streaming_width(bytes);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay;
  fabric::annotate(payload_, delay, at);
  socket->b_transport(payload_, delay);
  if (!payload_.is_response_ok()) {
    value = 0xFFFFFFFFu;
    ++bus_errors_;
  }
  return fabric::annotated_time(payload_, delay);
}

SimMmio::~SimMmio() {
  if (absolute_) {
    payload_.clear_extension(&time_);
  }
}

void SimMmio::absolute_time() {
  payload_.set_extension(&time_);
  absolute_ = true;
}

void SimMmio::deliver() {
  const Picos now = machine_.calendar().now();
  while (head_ != tail_ && posted_[head_ % kPosted].arrival <= now) {
    Posted write = posted_[head_++ % kPosted];
    transport(tlm::TLM_WRITE_COMMAND, write.arrival, write.offset, write.value, write.bytes);
  }
  if (head_ != tail_) {
    machine_.calendar().schedule(arrival_, posted_[head_ % kPosted].arrival);
  }
}

void SimMmio::post(uint32_t offset, uint32_t value, unsigned bytes) {
  machine_.charge(Op::kMmioWrite);
  host::Core& core = machine_.running();
  core.sync();
  // Again and again: another core may have been quicker to take the place that came free.
  while (tail_ - head_ == kPosted) {
    const Picos wait = posted_[head_ % kPosted].arrival - core.now();
    core.spend(base::max(wait, Picos(0)), static_cast<unsigned>(Label::kMmio));
    core.sync();
  }
  // Cores that are out of order post out of order.
  const Picos arrival = path_->forward(core.now(), bytes);
  unsigned at = tail_++;
  while (at != head_ && posted_[(at - 1) % kPosted].arrival > arrival) {
    posted_[at % kPosted] = posted_[(at - 1) % kPosted];
    --at;
  }
  posted_[at % kPosted] = {arrival, offset, value, bytes};
  if (at == head_) {
    machine_.calendar().schedule(arrival_, arrival);
  }
}

uint32_t SimMmio::fetch(uint32_t offset, unsigned bytes) {
  host::Core& core = machine_.running();
  const auto label = static_cast<unsigned>(Label::kMmio);
  const Picos begin = core.now();
  // The read arrives behind every posted write.
  const Picos arrival = path_->request(begin);
  core.spend(arrival - begin, label);
  core.sync();
  uint32_t value = 0;
  const Picos answered = transport(tlm::TLM_READ_COMMAND, core.now(), offset, value, bytes);
  core.spend(base::max(path_->back(answered, bytes) - core.now(), Picos(0)), label);
  if (path_ == &constant_path_) {
    machine_.count(Op::kMmioRead);  // its cost is the path's
  } else {
    machine_.charge(Op::kMmioRead);
  }
  return value;
}

}  // namespace doorbell::hal
