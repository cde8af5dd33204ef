#include "models/fabric/axi.h"

#include <algorithm>

#include "models/fabric/transaction_time.h"

namespace doorbell::fabric {

using base::Picos;

AxiLink::AxiLink(sc_core::sc_module_name name, const AxiConfig& config)
    : sc_module(name),
      from_device("from_device"),
      to_memory("to_memory"),
      config_(config),
      beat_bytes_(config.width_bits / 8),
      beat_time_(config.clock.cycles(1)),
      read_slots_(config.outstanding),
      write_slots_(config.outstanding) {
  from_device.register_b_transport(this, &AxiLink::b_transport);
}

Picos AxiLink::take_slot(std::vector<Picos>& slots, size_t& next, Picos at) {
  const Picos start = base::max(at, slots[next]);
  next = next + 1 == slots.size() ? 0 : next + 1;
  return start;
}

void AxiLink::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (payload.is_read()) {
    read(payload, delay);
  } else {
    write(payload, delay);
  }
}

// The annotated time is the request's arrival at memory, where the data is sampled.
void AxiLink::read(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Picos at = annotated_time(payload, delay);
  to_memory->b_transport(payload, delay);
  if (!payload.is_response_ok()) {
    return;
  }
  const Picos latency = annotated_time(payload, delay) - at;
  Picos done = at;
  uint64_t addr = payload.get_address();
  unsigned left = payload.get_data_length();
  const unsigned burst_bytes = config_.burst_beats * beat_bytes_;
  while (left > 0) {
    const unsigned bytes = std::min<unsigned>(left, burst_bytes - addr % burst_bytes);
    const size_t slot = next_read_slot_;
    const Picos start = take_slot(read_slots_, next_read_slot_, at);
    const Picos data = base::max(start + latency, read_channel_free_);
    const Picos moved = beat_time_ * beats(addr, bytes);
    read_channel_free_ = data + moved;
    read_busy_ += moved;
    done = read_channel_free_ + config_.return_latency;
    read_slots_[slot] = done;
    addr += bytes;
    left -= bytes;
  }
  annotate(payload, delay, done);
}

// The annotated time is the issue at the device; the answer is when memory has it.
void AxiLink::write(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Picos at = annotated_time(payload, delay);
  Picos sent = at;
  uint64_t addr = payload.get_address();
  unsigned left = payload.get_data_length();
  const unsigned burst_bytes = config_.burst_beats * beat_bytes_;
  while (left > 0) {
    const unsigned bytes = std::min<unsigned>(left, burst_bytes - addr % burst_bytes);
    const size_t slot = next_write_slot_;
    const Picos start =
        base::max(take_slot(write_slots_, next_write_slot_, at), write_channel_free_);
    const Picos moved = beat_time_ * beats(addr, bytes);
    write_channel_free_ = start + moved;
    write_busy_ += moved;
    sent = write_channel_free_ + config_.forward_latency;
    write_slots_[slot] = sent + config_.return_latency;
    addr += bytes;
    left -= bytes;
  }
  annotate(payload, delay, sent);
  to_memory->b_transport(payload, delay);
}

}  // namespace doorbell::fabric
