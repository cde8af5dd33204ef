// The tsnep of a run: model, AXI link, driver, stack, program and application, joined.
#include <algorithm>
#include <deque>

#include "models/base/quantity.h"
#include "models/fabric/axi.h"
#include "models/net/traffic.h"
#include "models/tsnep/tsnep.h"
#include "sim/drivers/tsnep/tsnep_driver.h"
#include "sim/drivers/tsnep/tsnep_params.h"
#include "sim/hal/checks/checked_hal.h"
#include "sim/hal/checks/dma_interposer.h"
#include "sim/hal/checks/tsnep_rings.h"
#include "sim/hal/simulated/sim_memory.h"
#include "sim/hal/simulated/sim_mmio.h"
#include "sim/run/app_choice.h"
#include "sim/run/machine_setup.h"
#include "sim/run/nic.h"
#include "sim/run/xdp_choice.h"
#include "sim/stack/net_stack.h"

namespace doorbell::run {
namespace {

using drivers::tsnep::TsnepDriver;
using drivers::tsnep::TsnepDriverConfig;
using drivers::tsnep::XdpMode;

constexpr unsigned kFirstLine = 32;  // of the interrupt controller

unsigned queue_count(const DriverSection& driver) {
  return std::max(1u, static_cast<unsigned>(driver.params.integer("queues")));
}

fabric::AxiConfig link_config(const NicEnvironment& env) {
  fabric::AxiConfig config = axi_config(env.platform);
  config.width_bits = static_cast<unsigned>(env.nic.params.integer("axi_width_bits"));
  config.burst_beats = static_cast<unsigned>(env.nic.params.integer("axi_burst_beats"));
  config.outstanding = static_cast<unsigned>(env.nic.params.integer("axi_outstanding"));
  return config;
}

tsnep::TsnepConfig device_config(const NicEnvironment& env) {
  tsnep::TsnepConfig config = tsnep::tsnep_config(env.nic.params);
  config.link = env.nic.link;
  config.queues = std::max(config.queues, queue_count(env.driver));
  return config;
}

class Peek : public drivers::tsnep::DevicePeek {
 public:
  Peek(hal::Machine& machine, const tsnep::Tsnep& device) : machine_(machine), device_(device) {}
  uint32_t peek32(hal::DmaAddr addr) const override {
    machine_.memory().settle(machine_.calendar().now());
    return base::load_le<uint32_t>(machine_.memory().pointer(addr));
  }
  uint64_t tx_not_closed() const override { return device_.frames_sent_not_closed(); }

 private:
  hal::Machine& machine_;
  const tsnep::Tsnep& device_;
};

// --check: the sanitizer around each queue's view of the machine, and between device and memory.
class Checks {
 public:
  explicit Checks(const NicEnvironment& env)
      : state(config(env)),
        interposer((env.nic.name + "_checks").c_str(), state, &env.machine.cache()),
        name_(env.nic.name) {}

  hal::Hal around(const hal::Hal& inner) {
    const auto queue = static_cast<unsigned>(hals_.size());
    if (hals_.empty()) {
      hals_.emplace_back(inner, state);
    } else {
      hals_.emplace_back(inner, hals_.front());
    }
    for (const bool receive : {false, true}) {
      hals_.front().add_ring(hal::checks::tsnep_ring(name_, queue, receive));
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
  std::deque<hal::checks::CheckedHal> hals_;
};

class NicTsnep : public Nic {
 public:
  NicTsnep(const NicEnvironment& env, const TsnepDriverConfig& driver_config,
           std::unique_ptr<XdpChoice> xdp, std::unique_ptr<AppChoice> app)
      : env_(env),
        axi_(("axi_" + env.nic.name).c_str(), link_config(env)),
        device_(env.nic.name.c_str(), env.machine.calendar(), device_config(env),
                env.platform.section("axi").time("forward_latency")),
        xdp_(std::move(xdp)),
        app_(std::move(app)),
        peek_(env.machine, device_),
        host_(env.machine.make_hal("host_" + env.nic.name, first_cpu(), kFirstLine)),
        checks_(env.check ? std::make_unique<Checks>(env) : nullptr) {
    host_.mmio->socket.bind(device_.regs);
    host_.mmio->absolute_time();
    if (checks_ != nullptr) {
      device_.dma.socket.bind(checks_->interposer.from_device);
      checks_->interposer.to_link.bind(axi_.from_device);
    } else {
      device_.dma.socket.bind(axi_.from_device);
    }
    axi_.to_memory.bind(env.machine.memory().socket);
    device_.dma.absolute_time();
    lines_.controller = &env.machine.interrupts();
    device_.connect(&env.station, &env.station, &lines_);
    device_.set_digest(&env.digest);
    device_.set_trace(env.trace);
    make_driver(driver_config);
  }

  int boot() override {
    if (const int status = driver_->probe(); status != 0) {
      return status;
    }
    xdp_->set_port(driver_->ifindex());
    if (driver_->config().mode == XdpMode::kSkb) {
      driver_->set_generic_program(program());
    }
    return driver_->open();
  }
  int start_app() override { return app_ != nullptr ? app_->start(*driver_) : 0; }
  bool link_up() const override { return driver_->carrier(); }
  bool stop_app() override {
    if (app_ != nullptr) {
      app_->stop();
    }
    return app_ == nullptr || !app_->running();
  }
  void shut_down() override {
    if (app_ != nullptr) {
      app_->close();
    }
    driver_.reset();  // stops the device first
    stack_.reset();
    if (checks_ != nullptr) {
      checks_->state.end(views_.front().cpu.now());
    }
  }
  void report_checks(report::RunResult& result) override {
    if (checks_ != nullptr) {
      run::report_checks(checks_->state, result);
    }
  }
  void settle() override { device_.settle(); }
  uint64_t rx_in_flight() override {
    return device_.frames_in_rx_fifo() + driver_->pending_rx(peek_);
  }
  uint64_t tx_in_flight() override { return driver_->pending_tx_device(peek_); }
  std::vector<Utilisation> utilisation() override {
    return {{"tx wire", device_.tx_line_busy()},
            {"rx dma", device_.rx_dma_busy()},
            {"tx dma", device_.tx_dma_busy()},
            {"axi read", axi_.read_busy()},
            {"axi write", axi_.write_busy()}};
  }
  void report(report::RunResult& result) override;

 private:
  struct Lines : fabric::IrqSink {
    host::InterruptController* controller = nullptr;
    void set_level(unsigned line, bool level, base::Picos at) override {
      controller->set_level(kFirstLine + line, level, at);
    }
  };
  unsigned first_cpu() const { return static_cast<unsigned>(env_.driver.params.integer("cpu")); }
  stack::XdpProgram* program() const { return app_ != nullptr ? app_->program() : xdp_->program(); }
  void make_driver(TsnepDriverConfig config);
  void report_ledgers(report::RunResult& result);

  NicEnvironment env_;
  fabric::AxiLink axi_;
  tsnep::Tsnep device_;
  std::unique_ptr<XdpChoice> xdp_;
  std::unique_ptr<AppChoice> app_;
  Peek peek_;
  hal::Machine::DeviceHal host_;  // owns the register window
  std::unique_ptr<Checks> checks_;
  Lines lines_;
  std::vector<hal::Machine::DeviceHal> parts_;
  std::vector<hal::Hal> views_;  // by queue
  std::unique_ptr<stack::NetStack> stack_;
  std::unique_ptr<TsnepDriver> driver_;
};

// Queue n has line n, served by the n-th core after the first.
void NicTsnep::make_driver(TsnepDriverConfig config) {
  const unsigned queues = queue_count(env_.driver);
  parts_.reserve(queues);
  views_.reserve(queues);
  drivers::tsnep::TsnepHals hals;
  for (unsigned i = 0; i < queues; ++i) {
    parts_.push_back(env_.machine.make_vector_hal(host_, first_cpu() + i, kFirstLine + i));
    const hal::Hal inner = parts_.back().view();
    views_.push_back(checks_ != nullptr ? checks_->around(inner) : inner);
    hals.queues.push_back(&views_.back());
  }
  stack_ = std::make_unique<stack::NetStack>(views_.front());
  stack_->set_tap(&env_.receiver);
  if (app_ != nullptr) {
    app_->attach(*stack_);
  }
  config.queues = queues;
  config.program = config.mode == XdpMode::kNative ? program() : nullptr;
  config.mac = net::TrafficSpec{}.destination;
  // A capture's frames are addressed to whoever was there: forward them all.
  config.promiscuous |= env_.scenario.traffic.kind == TrafficKind::kPcap;
  driver_ = std::make_unique<TsnepDriver>(hals, *stack_, config);
  driver_->set_peek(&peek_);
}

void NicTsnep::report(report::RunResult& result) {
  device_.settle();
  report_ledgers(result);
  for (const probe::Counter& counter : device_.counters()) {
    result.counters.emplace_back("tsnep." + counter.name, counter.value);
  }
  xdp_->report(result);
  if (app_ != nullptr) {
    app_->report(result);
  }
  for (const auto& row : driver_->statistic_rows()) {
    result.statistics.emplace_back(row.name, row.value);
  }
}

void NicTsnep::report_ledgers(report::RunResult& result) {
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
  for (const char* reason : tsnep::kRxDropReasons) {
    drop(rx, reason, counted(reason));
  }
  // Transmit: from the driver's rings to the wire.
  report::Ledger& tx = result.ledger_tx;
  tx.injected = driver_->statistics().tx_submitted;
  tx.delivered = env_.station.data_received();
  tx.in_flight = tx_in_flight();
  for (const char* reason : tsnep::kTxDropReasons) {
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
      drop(tx, info.name, frames - std::min(frames, counted("tx_reset")));
    } else {
      drop(stack::before_software(info.reason) ? rx : software, info.name, frames);
    }
    all.dropped += software.dropped;
  }
  all.dropped += rx.dropped + tx.dropped;
  if (app_ != nullptr) {
    add_app(*app_, all);
  }
}

}  // namespace

CoreUse tsnep_cores(const DriverSection& driver, const Platform&) {
  const auto cpu = static_cast<unsigned>(driver.params.integer("cpu"));
  return {cpu + queue_count(driver), cpu};
}

base::Result<std::unique_ptr<Nic>> make_tsnep(const NicEnvironment& env) {
  const auto refuse = [&env](const std::string& what) {
    return base::Error{env.scenario.name + ": " + what};
  };
  if (env.platform.find_section("axi") == nullptr) {
    return refuse("key 'platform': '" + env.platform.name +
                  "' has no [axi], which the tsnep is attached to");
  }
  const auto cores = static_cast<unsigned>(env.platform.section("cpu").integer("cores"));
  if (tsnep_cores(env.driver, env.platform).count > cores) {
    return refuse("keys 'driver.cpu' and 'driver.queues' need more cores than the " +
                  std::to_string(cores) + " of platform '" + env.platform.name + "'");
  }
  auto config = drivers::tsnep::config_from(env.driver.params);
  if (!config) {
    return refuse(config.error());
  }
  auto xdp = XdpChoice::make(env.scenario, env.driver, env.machine.cores());
  if (!xdp) {
    return base::Error{xdp.error()};
  }
  auto app = AppChoice::make(env);
  if (!app) {
    return base::Error{app.error()};
  }
  return std::unique_ptr<Nic>(
      std::make_unique<NicTsnep>(env, config.take(), xdp.take(), app.take()));
}

}  // namespace doorbell::run
