#include "testbenches/system/qemu/model_target.h"

#include <cstring>
#include <deque>
#include <stdexcept>
#include <systemc>
#include <utility>

#include "models/fabric/axi.h"
#include "models/fabric/memory.h"
#include "models/fec/fec.h"
#include "models/net/frame.h"

namespace doorbell::qemu {

namespace {

using base::Picos;
using namespace base::literals;

constexpr Picos kSettle = 2_ms;       // 64 KiB at 1 Gb/s take 0.6 ms
constexpr Picos kAccessGap = 100_ns;  // between two register accesses of a script
constexpr unsigned kFirstLine = 118;  // i.MX8MP: lines 118 to 121 in the order of the device
// The identifier that QEMU's PHY model answers with.
constexpr uint32_t kQemuPhyId = 0x0007C0D1;

/// The wire towards the device: frames back to back, none before now.
class Injector final : public net::WireIn {
 public:
  explicit Injector(base::Calendar& calendar) : calendar_(calendar) {}
  void add(base::ByteView frame) {
    frames_.emplace_back(frame.begin(), frame.end());
    const Picos start = base::max(calendar_.now(), free_);
    starts_.push_back(start);
    free_ = start + kLink.time_for_bytes(
                        net::slot_octets(std::max<size_t>(frame.size, net::kMinFrameBytes)));
    if (listener_ != nullptr) listener_->arrivals_changed();
  }
  const net::Arrival* peek() override {
    if (frames_.empty()) return nullptr;
    arrival_.start = starts_.front();
    arrival_.bytes = {frames_.front().data(), frames_.front().size()};
    arrival_.id = taken_;
    return &arrival_;
  }
  void pop() override {
    frames_.pop_front();
    starts_.pop_front();
    ++taken_;
  }
  void set_listener(net::ArrivalListener* listener) override { listener_ = listener; }

 private:
  static constexpr base::BitsPerSecond kLink{1'000'000'000};
  base::Calendar& calendar_;
  std::deque<Bytes> frames_;
  std::deque<Picos> starts_;
  Picos free_;
  uint64_t taken_ = 0;
  net::Arrival arrival_;
  net::ArrivalListener* listener_ = nullptr;
};

class Collector final : public net::WireOut {
 public:
  void transmit(Picos, base::ByteView bytes, uint8_t flaws) override {
    if (flaws != 0) throw std::runtime_error("the model sent a frame with an error");
    frames_.emplace_back(bytes.begin(), bytes.end());
  }
  std::vector<Bytes> take() { return std::exchange(frames_, {}); }

 private:
  std::vector<Bytes> frames_;
};

class Lines final : public fabric::IrqSink {
 public:
  void set_level(unsigned line, bool level, Picos) override {
    if (level) {
      raised_.insert(kFirstLine + line);
    } else {
      raised_.erase(kFirstLine + line);
    }
  }
  const std::set<unsigned>& raised() const { return raised_; }

 private:
  std::set<unsigned> raised_;
};

fec::FecConfig fec_config(const Board& board, bool drop_partial) {
  fec::FecConfig config;
  config.phy_address = board.phy_address;
  config.phy_id = kQemuPhyId;
  config.autoneg_time = Picos(0);
  config.partial_frame =
      drop_partial ? fec::PartialFramePolicy::kDrop : fec::PartialFramePolicy::kWait;
  return config;
}

fabric::MemoryConfig memory_config() {
  fabric::MemoryConfig config;
  config.base = kRamBase;
  config.size = kRamBytes;
  config.latency = 100_ns;
  config.bank_busy = 10_ns;
  return config;
}

fabric::AxiConfig axi_config() {
  fabric::AxiConfig config;
  config.forward_latency = 50_ns;
  config.return_latency = 50_ns;
  return config;
}

}  // namespace

// A module because TLM ports must live in one.
struct ModelTarget::Bench : sc_core::sc_module {
  Bench(sc_core::sc_module_name name, const Board& board, bool drop_partial)
      : sc_module(name),
        wire_in(calendar),
        port("port"),
        fec("fec", calendar, fec_config(board, drop_partial), axi_config().forward_latency),
        axi("axi", axi_config()),
        memory("memory", memory_config()) {
    port.bind(fec.regs);
    fec.dma.socket.bind(axi.from_device);
    axi.to_memory.bind(memory.socket);
    fec.connect(&wire_in, &wire_out, &lines);
  }

  /// False if the bus answers with an error.
  bool access(tlm::tlm_command command, uint32_t offset, uint8_t* data, unsigned octets) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(offset);
    payload.set_data_ptr(data);
    payload.set_data_length(octets);
    payload.set_streaming_width(octets);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    calendar.run_until(calendar.now() + kAccessGap);
    sc_core::sc_time delay = fabric::to_sc(calendar.now() - fabric::kernel_now());
    port->b_transport(payload, delay);
    return payload.is_response_ok();
  }

  base::Calendar calendar;
  Injector wire_in;
  Collector wire_out;
  Lines lines;
  tlm_utils::simple_initiator_socket<Bench> port;
  fec::Fec fec;
  fabric::AxiLink axi;
  fabric::Memory memory;
};

ModelTarget::ModelTarget(const Board& board, bool drop_partial)
    : bench_(std::make_unique<Bench>("bench", board, drop_partial)) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}
ModelTarget::~ModelTarget() = default;

uint32_t ModelTarget::read32(uint32_t offset) {
  uint8_t data[4] = {};
  if (!bench_->access(tlm::TLM_READ_COMMAND, offset, data, sizeof data)) {
    throw std::runtime_error("the model refuses a register read");
  }
  return base::load_le<uint32_t>(data);
}

void ModelTarget::write32(uint32_t offset, uint32_t value) {
  uint8_t data[4];
  base::store_le(data, value);
  if (!bench_->access(tlm::TLM_WRITE_COMMAND, offset, data, sizeof data)) {
    throw std::runtime_error("the model refuses a register write");
  }
}

std::optional<uint32_t> ModelTarget::read_narrow(uint32_t offset, unsigned octets) {
  uint8_t data[4] = {};
  if (!bench_->access(tlm::TLM_READ_COMMAND, offset, data, octets)) return std::nullopt;
  return base::load_le<uint32_t>(data);
}

Bytes ModelTarget::mem_read(uint32_t addr, size_t bytes) {
  bench_->memory.settle(bench_->calendar.now());
  const uint8_t* p = bench_->memory.pointer(addr);
  return Bytes(p, p + bytes);
}

void ModelTarget::mem_write(uint32_t addr, base::ByteView bytes) {
  bench_->memory.settle(bench_->calendar.now());
  std::memcpy(bench_->memory.pointer(addr), bytes.data, bytes.size);
}

void ModelTarget::inject(base::ByteView frame) {
  bench_->wire_in.add(frame);
}

std::vector<Bytes> ModelTarget::take_sent() {
  return bench_->wire_out.take();
}

std::set<unsigned> ModelTarget::raised_lines() {
  return bench_->lines.raised();
}

void ModelTarget::settle() {
  bench_->calendar.run_until(bench_->calendar.now() + kSettle);
  bench_->fec.settle();
}

}  // namespace doorbell::qemu
