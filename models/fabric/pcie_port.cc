#include "models/fabric/pcie_port.h"

#include <algorithm>
#include <cassert>

#include "models/fabric/time.h"

namespace doorbell::fabric {

using base::Picos;

namespace {

constexpr uint64_t kPage = 4096;  // no TLP crosses this boundary
constexpr uint64_t kLine = 64;

uint32_t data_units(uint32_t bytes) {
  return (bytes + 15) / 16;
}

}  // namespace

PciePort::PciePort(sc_core::sc_module_name name, const PcieConfig& config, base::Calendar& calendar)
    : sc_module(name),
      socket("socket"),
      config_(config),
      calendar_(calendar),
      hop_(config.hop()),
      request_overhead_(config.request_overhead()),
      completion_overhead_(config.completion_overhead()),
      up_(config.tlp_rate()),
      down_(config.tlp_rate()),
      write_pipe_(config.tlp_rate()),
      tags_(config.tags),
      root_posted_(config.root_posted),
      root_non_posted_(config.root_non_posted),
      device_completion_(config.device_completion),
      device_posted_(config.device_posted),
      device_non_posted_(config.device_non_posted),
      random_(config.seed, "pcie"),
      spread_table_(spread_table(config.root_spread)) {
  assert(config.complaint() == nullptr);
  if (config.iommu.enabled) {
    iommu_ = std::make_unique<Iommu>(config.iommu);
  }
  if (config.llc_reads == LlcReads::kTracked) {
    llc_ = std::make_unique<PcieLlc>(config.llc_bytes, config.llc_ways, config.ddio_ways);
  }
  delivery_.bind<&PciePort::deliver>(*this);
  messages_.reserve(64);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
}

// Detaches what absolute_time() attached: the payload must not delete it.
PciePort::~PciePort() {
  if (absolute_) {
    payload_.clear_extension(&time_);
  }
}

void PciePort::start_of_simulation() {
  tlm::tlm_generic_payload payload;
  tlm::tlm_dmi dmi;
  payload.set_command(tlm::TLM_READ_COMMAND);
  if (socket->get_direct_mem_ptr(payload, dmi) && dmi.is_read_allowed()) {
    host_memory_ = dmi.get_dmi_ptr();
    host_begin_ = dmi.get_start_address();
    host_end_ = dmi.get_end_address() + 1;
  }
}

void PciePort::absolute_time() {
  payload_.set_extension(&time_);
  absolute_ = true;
}

// Midpoint quantiles of an exponential distribution. Their distances are ln(1 + 1/m), summed here
// as a series of plain operations: a library's logarithm may differ between machines.
std::vector<Picos> PciePort::spread_table(Picos mean) {
  std::vector<Picos> table;
  if (mean <= Picos(0)) {
    return table;
  }
  const auto step = [](double m) {
    const double z = 1.0 / (2.0 * m + 1.0);
    double term = z;
    double sum = 0;
    for (int i = 1; i < 60; i += 2) {
      sum += term / i;
      term *= z * z;
    }
    return 2.0 * sum;
  };
  // The first midpoint: -ln(1 - 0.5 / n) = ln(1 + 1 / (2 n - 1)).
  double quantile = step(2.0 * kSpreadSteps - 1.0);
  for (unsigned i = 0; i < kSpreadSteps; ++i) {
    table.emplace_back(static_cast<int64_t>(quantile * static_cast<double>(mean.count()) + 0.5));
    quantile += step(kSpreadSteps - i - 1.5);
  }
  return table;
}

bool PciePort::transport(tlm::tlm_command command, Picos& at, uint64_t addr, uint8_t* data,
                         size_t bytes) {
  payload_.set_command(command);
  payload_.set_address(addr);
  payload_.set_data_ptr(data);
  payload_.set_data_length(static_cast<unsigned>(bytes));
  payload_.set_streaming_width(static_cast<unsigned>(bytes));
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  if (absolute_) {
    time_.time = at;
    sc_core::sc_time unused;
    socket->b_transport(payload_, unused);
    at = base::max(at, time_.time);
    return payload_.is_response_ok();
  }
  const Picos kernel = kernel_now();
  sc_core::sc_time delay = to_sc(base::max(Picos(0), at - kernel));
  socket->b_transport(payload_, delay);
  at = base::max(at, kernel + from_sc(delay));
  return payload_.is_response_ok();
}

PcieStatus PciePort::fault_of_next_read() {
  if (fault_skip_ > 0) {
    --fault_skip_;
    return PcieStatus::kOk;
  }
  --fault_count_;
  return fault_;
}

void PciePort::inject(PcieStatus status, uint64_t skip, uint64_t count) {
  fault_ = status;
  fault_skip_ = skip;
  fault_count_ = count;
}

/// One read request TLP and its completions, being reserved.
struct PciePort::Piece {
  uint64_t addr;
  uint32_t bytes;
  PcieStatus fault;
  Picos wanted;  // request at the link layer
  Picos sample;
  Picos back;  // last completion at the device's link layer
};

void PciePort::request_piece(Picos issue, Piece& piece) {
  const Picos tagged = tags_.earliest(piece.wanted);
  const Picos ready = root_non_posted_.earliest(tagged, 0);
  const Picos sent = up_.send(ready, request_overhead_);
  Picos at_root = sent + hop_;
  if (iommu_ != nullptr) {
    at_root = iommu_->translate(at_root, piece.addr);
  }
  // A read pushes the posted writes before it.
  piece.sample = base::max(at_root + config_.root_ingress, up_order_.floor(issue));
  root_non_posted_.take(0, sent, piece.sample - config_.root_ingress + config_.credit_return);
  piece.back = piece.fault == PcieStatus::kTimeout ? sent + config_.completion_timeout
                                                   : complete_piece(piece);
  if (piece.back - sent > config_.completion_timeout) {
    piece.fault = PcieStatus::kTimeout;
    piece.back = sent + config_.completion_timeout;
  }
  tags_.take(piece.wanted, tagged, piece.back);
  ++totals_.read_requests;
  totals_.read_latency += piece.back - piece.wanted;
}

Picos PciePort::complete_piece(const Piece& piece) {
  Picos ready = piece.sample + config_.root_read + spread();
  if (config_.llc_reads != LlcReads::kHit &&
      (llc_ == nullptr || !llc_->read(piece.addr, piece.bytes))) {
    ready += config_.llc_miss_latency;
  }
  ready = base::max(ready, down_order_.floor(ready));
  if (piece.fault == PcieStatus::kUnsupported || piece.fault == PcieStatus::kAborted) {
    ++totals_.down.tlps;
    return down_.send(ready, completion_overhead_) + hop_ + config_.device_latency;
  }
  const uint32_t boundary = config_.completion_boundary;
  const uint32_t odd = static_cast<uint32_t>(piece.addr) & (boundary - 1);
  const uint32_t first = odd == 0 ? 0 : std::min(piece.bytes, boundary - odd);
  const uint32_t count =
      (first != 0 ? 1 : 0) + (piece.bytes - first + config_.max_payload - 1) / config_.max_payload;
  totals_.down.tlps += count;
  totals_.down.payload += piece.bytes;
  if (!device_completion_.finite()) {
    return down_.send(ready, piece.bytes + count * completion_overhead_) + hop_ +
           config_.device_latency;
  }
  Picos back;
  uint32_t left = piece.bytes;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t bytes = i == 0 && first != 0 ? first : std::min(left, config_.max_payload);
    const Picos from = device_completion_.earliest(ready, data_units(bytes));
    const Picos sent = down_.send(from, bytes + completion_overhead_);
    back = sent + hop_ + config_.device_latency;
    device_completion_.take(data_units(bytes), sent, back + config_.credit_return);
    ready = sent;  // those of one request ascend
    left -= bytes;
  }
  return back;
}

PciePort::ReadTicket PciePort::request_read(Picos issue, uint64_t addr, uint32_t bytes) {
  assert(bytes > 0);
  expect(addr);
  const PcieStatus fault = fault_count_ == 0 ? PcieStatus::kOk : fault_of_next_read();
  ++totals_.reads;
  totals_.read_bytes += bytes;
  ReadTicket ticket;
  ticket.status = fault;
  Piece piece;
  piece.fault = fault;
  piece.wanted = issue + config_.device_latency;
  for (uint32_t left = bytes; left > 0; left -= piece.bytes) {
    const auto to_page = static_cast<uint32_t>(kPage - (addr & (kPage - 1)));
    piece.addr = addr;
    piece.bytes = std::min({left, config_.max_read_request, to_page});
    request_piece(issue, piece);
    ticket.sample = base::max(ticket.sample, piece.sample);
    ticket.done = base::max(ticket.done, piece.back);
    if (piece.fault == PcieStatus::kTimeout) {
      ticket.status = piece.fault;
    }
    addr += piece.bytes;
  }
  ticket.done = base::max(ticket.done, ticket.sample);
  if (ticket.status == PcieStatus::kOk || ticket.status == PcieStatus::kPoisoned) {
    ticket.done += Picos(int64_t{bytes} * config_.device_byte_time_fs / 1000);
  }
  return ticket;
}

Picos PciePort::request_reads(ReadOp* ops, size_t count) {
  Picos latest;
  for (size_t i = 0; i < count; ++i) {
    ops[i].ticket = request_read(ops[i].issue, ops[i].addr, ops[i].bytes);
    latest = base::max(latest, ops[i].ticket.sample);
  }
  return latest;
}

PciePort::Done PciePort::complete_read(const ReadTicket& ticket, uint64_t addr,
                                       base::MutByteView into) {
  Done done{ticket.done, ticket.status};
  if (ticket.status == PcieStatus::kOk || ticket.status == PcieStatus::kPoisoned) {
    Picos at = ticket.sample;
    if (!transport(tlm::TLM_READ_COMMAND, at, addr, into.data, into.size)) {
      done.status = PcieStatus::kUnsupported;
    }
  }
  totals_.errors += done.ok() ? 0 : 1;
  return done;
}

// A line that a write covers in part is merged by the root port: some latency, and if the platform
// says so some time of its write pipe.
Picos PciePort::merge_partial(Picos arrival, uint64_t addr, uint32_t bytes) {
  const uint64_t end = addr + bytes;
  unsigned lines = (addr & (kLine - 1)) != 0 ? 1 : 0;
  if ((end & (kLine - 1)) != 0 && (lines == 0 || end / kLine != addr / kLine)) {
    ++lines;
  }
  if (lines == 0) {
    return arrival;
  }
  totals_.partial_writes += lines;
  if (config_.partial_write_busy > Picos(0)) {
    arrival = write_pipe_.occupy(arrival, config_.partial_write_busy * lines);
  }
  return arrival + config_.partial_write_latency;
}

/// One posted TLP towards memory or, `to_memory` false, towards the interrupt controller. Returns
/// when it takes effect.
Picos PciePort::post(Picos issue, uint64_t addr, uint32_t bytes, Picos floor, bool to_memory) {
  const uint32_t units = data_units(bytes);
  const Picos ready = root_posted_.earliest(issue + config_.device_latency, units);
  const Picos sent = up_.send(ready, bytes + request_overhead_);
  ++totals_.up.tlps;
  totals_.up.payload += bytes;
  Picos effect = sent + hop_;
  if (to_memory) {
    if (iommu_ != nullptr) {
      effect = iommu_->translate(effect, addr);
    }
    effect = merge_partial(effect, addr, bytes);
    if (llc_ != nullptr) {
      llc_->write(addr, bytes, config_.ddio);
    }
    if (!config_.ddio) {
      effect += config_.memory_write_latency;
    }
  }
  effect = base::max(effect + config_.root_ingress, floor);
  root_posted_.take(units, sent, effect - config_.root_ingress + config_.credit_return);
  return effect;
}

PciePort::Done PciePort::write(Picos issue, uint64_t addr, base::ByteView from, Order order) {
  assert(from.size > 0);
  ++totals_.writes;
  totals_.write_bytes += from.size;
  const bool relaxed = order == Order::kRelaxed && config_.relaxed_ordering;
  Picos visible = relaxed ? Picos(0) : up_order_.floor(issue);
  uint64_t at = addr;
  for (auto left = static_cast<uint32_t>(from.size); left > 0;) {
    const auto to_page = static_cast<uint32_t>(kPage - (at & (kPage - 1)));
    const uint32_t bytes = std::min({left, config_.max_payload, to_page});
    visible = post(issue, at, bytes, visible, true);
    at += bytes;
    left -= bytes;
  }
  Done done{visible};
  if (!transport(tlm::TLM_WRITE_COMMAND, done.time, addr, const_cast<uint8_t*>(from.data),
                 from.size)) {
    done.status = PcieStatus::kUnsupported;
    ++totals_.errors;
  }
  up_order_.add(issue, done.time);
  return done;
}

PciePort::Done PciePort::msix(Picos issue, uint64_t address, uint32_t data) {
  ++totals_.messages;
  const Picos arrival = post(issue, address, 4, up_order_.floor(issue), false);
  up_order_.add(issue, arrival);
  if (sink_ != nullptr) {
    auto where = messages_.end();
    while (where != messages_.begin() && (where - 1)->arrival > arrival) {
      --where;
    }
    messages_.insert(where, Message{arrival, address, data});
    calendar_.schedule(delivery_, messages_.front().arrival);
  }
  return {arrival};
}

void PciePort::deliver() {
  while (!messages_.empty() && messages_.front().arrival <= calendar_.now()) {
    const Message message = messages_.front();
    messages_.erase(messages_.begin());
    sink_->message(message.address, message.data, message.arrival);
  }
  if (!messages_.empty()) {
    calendar_.schedule(delivery_, messages_.front().arrival);
  }
}

// A write is ordered by the time it is at the root port; it departs behind the writes before it.
Picos PciePort::forward(Picos at, unsigned bytes) {
  const Picos at_root = at + config_.mmio_root_latency;
  const Picos ready =
      device_posted_.earliest(base::max(at_root, down_order_.floor(at_root)), data_units(bytes));
  const Picos sent = down_.send(ready, bytes + request_overhead_);
  const Picos arrival = sent + hop_ + config_.device_latency;
  device_posted_.take(data_units(bytes), sent, arrival + config_.credit_return);
  down_order_.add(at_root, sent);
  ++totals_.mmio_writes;
  ++totals_.down.tlps;
  totals_.down.payload += bytes;
  return arrival;
}

Picos PciePort::request(Picos at) {
  const Picos at_root = at + config_.mmio_root_latency;
  const Picos ready =
      device_non_posted_.earliest(base::max(at_root, down_order_.floor(at_root)), 0);
  const Picos sent = down_.send(ready, request_overhead_);
  const Picos arrival = sent + hop_ + config_.device_latency;
  device_non_posted_.take(0, sent, arrival + config_.credit_return);
  ++totals_.mmio_reads;
  ++totals_.down.tlps;
  return arrival;
}

Picos PciePort::back(Picos at, unsigned bytes) {
  const Picos sent = up_.send(at + config_.device_latency, bytes + completion_overhead_);
  ++totals_.up.tlps;
  totals_.up.payload += bytes;
  return base::max(sent + hop_, up_order_.floor(at)) + config_.mmio_root_latency;
}

}  // namespace doorbell::fabric
