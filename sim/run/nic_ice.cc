// The E810 of a run: model, PCI Express link, MSI-X vectors, driver, stack and program, joined.
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <deque>

#include "models/fabric/pcie_platform.h"
#include "models/ice/ice.h"
#include "sim/drivers/ice/ice_driver.h"
#include "sim/drivers/ice/ice_params.h"
#include "sim/hal/checks/checked_hal.h"
#include "sim/hal/checks/dma_interposer.h"
#include "sim/hal/checks/ice_rings.h"
#include "sim/hal/simulated/sim_memory.h"
#include "sim/hal/simulated/sim_mmio.h"
#include "sim/run/app_choice.h"
#include "sim/run/nic.h"
#include "sim/run/xdp_choice.h"
#include "sim/stack/net_stack.h"

namespace doorbell::run {
namespace {

using drivers::ice::IceDriver;
using drivers::ice::IceDriverConfig;
using drivers::ice::XdpMode;

constexpr unsigned kFirstLine = 32;            // of the interrupt controller: MSI-X vector 0
constexpr uint64_t kMessageBase = 0xFEE00000;  // where x86 takes interrupt messages

ice::IceConfig device_config(const NicEnvironment& env) {
  ice::IceConfig config = ice::ice_config(nic_params(env));
  config.link = env.nic.link;
  return config;
}

fabric::PcieConfig link_config(const NicEnvironment& env) {
  return fabric::pcie_config(env.platform.section("pcie"), env.platform.section("iommu"),
                             env.scenario.seed);
}

// Vectors are lines of the interrupt controller, routed to the core that serves the queue.
class Messages : public fabric::MsixSink {
 public:
  explicit Messages(host::InterruptController& controller) : controller_(controller) {}
  void message(uint64_t, uint32_t data, base::Picos at) override {
    controller_.set_level(kFirstLine + data, true, at);
  }

 private:
  host::InterruptController& controller_;
};

// What the operating system's PCI core does before a driver's probe: the MSI-X table, over BAR3.
class MsixTable : public sc_core::sc_module {
 public:
  explicit MsixTable(sc_core::sc_module_name name) : sc_module(name), socket("socket") {}
  tlm_utils::simple_initiator_socket<MsixTable> socket;

  void program(unsigned vectors, base::Calendar& calendar) {
    for (unsigned i = 0; i < vectors; ++i) {
      const uint32_t entry[4] = {static_cast<uint32_t>(kMessageBase), 0, i, 0};
      for (unsigned word = 0; word < 4; ++word) {
        write(16 * i + 4 * word, entry[word], calendar.now());
      }
    }
  }

 private:
  void write(uint32_t offset, uint32_t value, base::Picos at) {
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(offset);
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_core::sc_time delay = fabric::to_sc(at - fabric::kernel_now());
    socket->b_transport(payload, delay);
  }
};

class Peek : public drivers::ice::DevicePeek {
 public:
  Peek(hal::Machine& machine, ice::Ice& device) : machine_(machine), device_(device) {}
  uint16_t peek16(hal::DmaAddr addr) const override {
    machine_.memory().settle(machine_.calendar().now());
    return base::load_le<uint16_t>(machine_.memory().pointer(addr));
  }
  uint32_t tx_head(unsigned queue) const override { return device_.tx_head(queue); }

 private:
  hal::Machine& machine_;
  ice::Ice& device_;
};

// --check: the sanitizer around each vector's view of the machine, and between device and memory.
class Checks {
 public:
  explicit Checks(const NicEnvironment& env)
      : state(config(env)),
        interposer((env.nic.name + "_checks").c_str(), state, &env.machine.cache()),
        name_(env.nic.name),
        report_every_(env.driver.params.choice("rs") == "threshold"
                          ? static_cast<uint32_t>(env.driver.params.integer("rs_threshold"))
                          : 0) {}

  hal::Hal around(const hal::Hal& inner) {
    if (hals_.empty()) {
      hals_.emplace_back(inner, state);
      hal::checks::IceRingsConfig rings;
      rings.name = name_;
      rings.report_every = report_every_;
      rings_ = std::make_unique<hal::checks::IceRings>(hals_.front(), rings);
    } else {
      hals_.emplace_back(inner, hals_.front());
    }
    return hals_.back().view();
  }

 private:
  static hal::checks::CheckConfig config(const NicEnvironment& env) {
    hal::checks::CheckConfig config;
    config.memory_base = env.machine.config().memory.base;
    config.memory_size = env.machine.config().memory.size;
    config.coherent = env.machine.config().coherent;
    return config;
  }

 public:
  hal::checks::CheckState state;
  hal::checks::DmaInterposer interposer;

 private:
  std::string name_;
  uint32_t report_every_;
  std::deque<hal::checks::CheckedHal> hals_;
  std::unique_ptr<hal::checks::IceRings> rings_;
};

class NicIce : public Nic {
 public:
  NicIce(const NicEnvironment& env, const IceDriverConfig& driver_config,
         std::unique_ptr<XdpChoice> xdp)
      : env_(env),
        device_(env.nic.name.c_str(), env.machine.calendar(), device_config(env), link_config(env)),
        table_(("pci_" + env.nic.name).c_str()),
        messages_(env.machine.interrupts()),
        xdp_(std::move(xdp)),
        peek_(env.machine, device_),
        host_(env.machine.make_hal("host_" + env.nic.name, 0, kFirstLine)),
        checks_(env.check ? std::make_unique<Checks>(env) : nullptr) {
    host_.mmio->socket.bind(device_.regs);
    host_.mmio->absolute_time();
    host_.mmio->set_path(device_.pcie);
    if (checks_ != nullptr) {
      device_.pcie.socket.bind(checks_->interposer.from_device);
      checks_->interposer.to_link.bind(env.machine.memory().socket);
    } else {
      device_.pcie.socket.bind(env.machine.memory().socket);
    }
    device_.pcie.absolute_time();
    device_.pcie.set_msix_sink(&messages_);
    table_.socket.bind(device_.msix);
    device_.connect(&env.station, &env.station);
    device_.set_digest(&env.digest);
    device_.set_trace(env.trace);
    env.machine.set_lookahead(device_.pcie.nearest());
    make_driver(driver_config);
  }

  int boot() override {
    table_.program(vectors() + 1, env_.machine.calendar());
    device_.set_msix_control(true, false);
    if (const int status = driver_->probe(); status != 0) {
      return status;
    }
    xdp_->set_port(driver_->ifindex());
    if (driver_->config().mode == XdpMode::kSkb) {
      driver_->set_generic_program(xdp_->program());
    }
    return driver_->open();
  }

  bool link_up() const override { return driver_->carrier(); }
  void shut_down() override {
    driver_.reset();  // stops the device first
    stack_.reset();
    if (checks_ != nullptr) {
      checks_->state.end(misc_.front().cpu.now());
    }
  }
  void report_checks(report::RunResult& result) override {
    if (checks_ != nullptr) {
      run::report_checks(checks_->state, result);
    }
  }
  void settle() override { device_.settle(); }
  uint64_t rx_in_flight() override {
    return device_.frames_in_rx_buffer() + device_.frames_held_back() + driver_->pending_rx(peek_);
  }
  uint64_t tx_in_flight() override { return driver_->pending_tx_device(peek_); }
  std::vector<Utilisation> utilisation() override;
  void report(report::RunResult& result) override;

 private:
  unsigned vectors() const { return static_cast<unsigned>(views_.size()); }
  void make_driver(IceDriverConfig config);
  void report_ledgers(report::RunResult& result);
  void report_link(report::RunResult& result);

  NicEnvironment env_;
  ice::Ice device_;
  MsixTable table_;
  Messages messages_;
  std::unique_ptr<XdpChoice> xdp_;
  Peek peek_;
  hal::Machine::DeviceHal host_;  // owns the register window
  std::unique_ptr<Checks> checks_;
  std::vector<hal::Machine::DeviceHal> parts_;
  std::vector<hal::Hal> views_;  // vector i + 1
  std::vector<hal::Hal> misc_;   // vector 0
  std::unique_ptr<stack::NetStack> stack_;
  std::unique_ptr<IceDriver> driver_;
};

// Vector 0 is for firmware and other causes, on core 0; vector i + 1 serves queue i on core i.
void NicIce::make_driver(IceDriverConfig config) {
  const unsigned cores = env_.machine.cores();
  parts_.reserve(cores + 1);
  views_.reserve(cores);
  parts_.push_back(env_.machine.make_vector_hal(host_, 0, kFirstLine));
  const auto view = [this] {
    const hal::Hal inner = parts_.back().view();
    return checks_ != nullptr ? checks_->around(inner) : inner;
  };
  misc_.push_back(view());
  drivers::ice::IceHals hals;
  hals.misc = &misc_.front();
  for (unsigned i = 0; i < cores; ++i) {
    parts_.push_back(env_.machine.make_vector_hal(host_, i, kFirstLine + 1 + i));
    views_.push_back(view());
    hals.vectors.push_back(&views_.back());
  }
  config.program = config.mode == XdpMode::kNative ? xdp_->program() : nullptr;
  stack_ = std::make_unique<stack::NetStack>(misc_.front());
  stack_->set_tap(&env_.receiver);
  driver_ = std::make_unique<IceDriver>(hals, *stack_, config);
  driver_->set_peek(&peek_);
}

std::vector<Utilisation> NicIce::utilisation() {
  const fabric::PcieStats link = device_.pcie.stats();
  const auto share = [](const fabric::PcieStats::Pool& pool) {
    return pool.size == 0 ? base::Picos(0) : pool.held / pool.size;
  };
  return {{"tx wire", device_.tx_line_busy()},
          {"tx report engine", device_.report_engine_busy()},
          {"pcie up", link.up.busy},
          {"pcie down", link.down.busy},
          {"pcie tags", share(link.tags)},
          {"pcie posted headers", share(link.posted_headers)},
          {"pcie posted data", share(link.posted_data)},
          {"pcie non-posted headers", share(link.non_posted)},
          {"iommu walkers", share(link.walkers)}};
}

void NicIce::report(report::RunResult& result) {
  device_.settle();
  report_ledgers(result);
  for (const probe::Counter& counter : device_.counters()) {
    result.counters.emplace_back("ice." + counter.name, counter.value);
  }
  report_link(result);
  xdp_->report(result);
  for (const auto& row : driver_->statistic_rows()) {
    result.statistics.emplace_back(row.name, row.value);
  }
}

void NicIce::report_link(report::RunResult& result) {
  const fabric::PcieStats link = device_.pcie.stats();
  const auto count = [&result](const char* name, uint64_t value) {
    result.counters.emplace_back(std::string("pcie.") + name, value);
  };
  count("up_tlps", link.up.tlps);
  count("up_bytes", link.up.bytes);
  count("down_tlps", link.down.tlps);
  count("down_bytes", link.down.bytes);
  count("reads", link.reads);
  count("read_bytes", link.read_bytes);
  count("writes", link.writes);
  count("write_bytes", link.write_bytes);
  count("partial_writes", link.partial_writes);
  count("messages", link.messages);
  count("mmio_writes", link.mmio_writes);
  count("mmio_reads", link.mmio_reads);
  count("iotlb_hits", link.iotlb_hits);
  count("iotlb_misses", link.iotlb_misses);
  count("errors", link.errors);
}

void NicIce::report_ledgers(report::RunResult& result) {
  const auto counted = [this](const char* name) { return device_.counters().find(name)->value; };
  const auto drop = [&result](report::Ledger& ledger, const std::string& reason, uint64_t frames) {
    result.drops.emplace_back(reason, frames);
    ledger.dropped += frames;
  };
  // Receive: from the wire to the driver's tap.
  report::Ledger& rx = result.ledger_rx;
  rx.injected = env_.station.data_sent() + env_.station.counters().find("sent_pause")->value;
  rx.delivered = env_.receiver.frames();
  rx.in_flight = rx_in_flight();
  for (const char* reason : ice::kRxDropReasons) {
    drop(rx, reason, counted(reason));
  }
  // Transmit: from the driver's rings to the wire.
  report::Ledger& tx = result.ledger_tx;
  tx.injected = driver_->statistics().tx_submitted;
  tx.delivered = env_.station.data_received();
  tx.in_flight = tx_in_flight();
  for (const char* reason : ice::kTxDropReasons) {
    drop(tx, reason, counted(reason));
  }
  report::Ledger& all = result.ledger;
  all.injected = rx.injected;
  all.delivered = tx.delivered + stack_->delivered_frames();
  all.in_flight = rx.in_flight + tx.in_flight;
  for (const stack::DropInfo& info : stack::kDropInfos) {
    const uint64_t frames = stack_->drops().value(info.reason);
    report::Ledger software;
    if (info.reason == stack::DropReason::kTxRingReset) {
      // Of what a restart found in the rings the device has counted its share already.
      drop(tx, info.name, frames - counted("tx_disabled") - counted("tx_reset"));
    } else {
      drop(stack::before_software(info.reason) ? rx : software, info.name, frames);
    }
    all.dropped += software.dropped;
  }
  all.dropped += rx.dropped + tx.dropped;
}

}  // namespace

CoreUse ice_cores(const DriverSection& driver, const Platform& platform) {
  const auto queues = static_cast<unsigned>(driver.params.integer("queues"));
  const auto cores = static_cast<unsigned>(platform.section("cpu").integer("cores"));
  return {queues != 0 ? std::min(queues, cores) : cores, 0};
}

base::Result<std::unique_ptr<Nic>> make_ice(const NicEnvironment& env) {
  const auto refuse = [&env](const std::string& what) {
    return base::Error{env.scenario.name + ": " + what};
  };
  if (env.platform.find_section("pcie") == nullptr ||
      env.platform.find_section("iommu") == nullptr) {
    return refuse("key 'platform': '" + env.platform.name +
                  "' has no [pcie] and [iommu], which the E810 is attached to");
  }
  if (const char* complaint = link_config(env).complaint()) {
    return refuse("section [pcie] of platform '" + env.platform.name + "': " + complaint);
  }
  const auto cores = env.platform.section("cpu").integer("cores");
  if (env.driver.params.integer("queues") > cores) {
    return refuse("key 'driver.queues': " + std::to_string(env.driver.params.integer("queues")) +
                  " is more than one a core; allowed: at most the " + std::to_string(cores) +
                  " cores of platform '" + env.platform.name + "'");
  }
  if (app_cores(env.scenario) != 0) {
    return refuse("section [app]: applications run on device 'fec' so far");
  }
  auto config = drivers::ice::config_from(env.driver.params);
  if (!config) {
    return refuse(config.error());
  }
  auto xdp = XdpChoice::make(env.scenario, env.driver, env.machine.cores());
  if (!xdp) {
    return base::Error{xdp.error()};
  }
  return std::unique_ptr<Nic>(std::make_unique<NicIce>(env, config.take(), xdp.take()));
}

}  // namespace doorbell::run
