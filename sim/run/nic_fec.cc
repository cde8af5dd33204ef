// The FEC of a run: model, AXI link, driver, stack and program, joined.
#include "models/base/quantity.h"
#include "models/fabric/axi.h"
#include "models/fec/fec.h"
#include "models/net/traffic.h"
#include "sim/drivers/fec/fec_driver.h"
#include "sim/hal/checks/checked_hal.h"
#include "sim/hal/checks/dma_interposer.h"
#include "sim/hal/checks/fec_rings.h"
#include "sim/hal/simulated/sim_memory.h"
#include "sim/hal/simulated/sim_mmio.h"
#include "sim/run/app_choice.h"
#include "sim/run/machine_setup.h"
#include "sim/run/nic.h"
#include "sim/run/xdp_choice.h"
#include "sim/stack/net_stack.h"

namespace doorbell::run {
namespace {

using drivers::fec::FecDriver;
using drivers::fec::FecDriverConfig;
using drivers::fec::XdpMode;

constexpr unsigned kFirstLine = 32;  // of the interrupt controller

fabric::AxiConfig link_config(const NicEnvironment& env) {
  fabric::AxiConfig config = axi_config(env.platform);
  config.width_bits = static_cast<unsigned>(env.nic.params.integer("axi_width_bits"));
  config.burst_beats = static_cast<unsigned>(env.nic.params.integer("axi_burst_beats"));
  config.outstanding = static_cast<unsigned>(env.nic.params.integer("axi_outstanding"));
  return config;
}

fec::FecConfig device_config(const NicEnvironment& env) {
  fec::FecConfig config = fec::fec_config(env.nic.params);
  config.clock = env.platform.section("axi").frequency("clock");
  config.link = env.nic.link;
  return config;
}

fec::DescFormat desc_format(const NicEnvironment& env) {
  return env.driver.params.boolean("enhanced_descriptors") ? fec::DescFormat::kEnhanced
                                                           : fec::DescFormat::kLegacy;
}

class Peek : public drivers::fec::CoherentPeek {
 public:
  explicit Peek(hal::Machine& machine) : machine_(machine) {}
  uint16_t peek16(hal::DmaAddr addr) const override {
    machine_.memory().settle(machine_.calendar().now());
    return base::load_le<uint16_t>(machine_.memory().pointer(addr));
  }

 private:
  hal::Machine& machine_;
};

class NicFec : public Nic {
 public:
  NicFec(const NicEnvironment& env, std::unique_ptr<XdpChoice> xdp, std::unique_ptr<AppChoice> app)
      : env_(env),
        axi_(("axi_" + env.nic.name).c_str(), link_config(env)),
        device_(env.nic.name.c_str(), env.machine.calendar(), device_config(env),
                env.platform.section("axi").time("forward_latency")),
        parts_(env.machine.make_hal(
            env.nic.name, static_cast<unsigned>(env.driver.params.integer("cpu")), kFirstLine)),
        checks_(env.check ? std::make_unique<Checks>(env, parts_.view()) : nullptr),
        hal_(checks_ != nullptr ? checks_->hal.view() : parts_.view()),
        xdp_(std::move(xdp)),
        app_(std::move(app)),
        peek_(env.machine),
        stack_(std::make_unique<stack::NetStack>(hal_)) {
    if (app_ != nullptr) {
      app_->attach(*stack_);
    }
    driver_ = std::make_unique<FecDriver>(hal_, *stack_, driver_config());
    parts_.mmio->socket.bind(device_.regs);
    if (checks_ != nullptr) {
      device_.dma.socket.bind(checks_->interposer.from_device);
      checks_->interposer.to_link.bind(axi_.from_device);
    } else {
      device_.dma.socket.bind(axi_.from_device);
    }
    axi_.to_memory.bind(env.machine.memory().socket);
    device_.dma.absolute_time();
    parts_.mmio->absolute_time();
    lines_.controller = &env.machine.interrupts();
    device_.connect(&env.station, &env.station, &lines_);
    device_.set_digest(&env.digest);
    device_.set_trace(env.trace);
    stack_->set_tap(&env.receiver);
    driver_->set_peek(&peek_);
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
  bool stop_app() override {
    if (app_ != nullptr) {
      app_->stop();
    }
    return app_ == nullptr || !app_->running();
  }

  bool link_up() const override { return driver_->carrier(); }
  void shut_down() override {
    if (app_ != nullptr) {
      app_->close();
    }
    driver_.reset();  // stops the device first
    stack_.reset();
    if (checks_ != nullptr) {
      checks_->state.end(hal_.cpu.now());
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
  uint64_t tx_in_flight() override {
    // A frame that has been on the wire is delivered, even if its descriptor never closes.
    return driver_->pending_tx_device(peek_) - device_.frames_sent_not_closed();
  }
  std::vector<Utilisation> utilisation() override {
    return {{"tx wire", device_.tx_line_busy()},
            {"rx dma", device_.rx_dma_busy()},
            {"tx dma", device_.tx_dma_busy()},
            {"axi read", axi_.read_busy()},
            {"axi write", axi_.write_busy()}};
  }
  void report(report::RunResult& result) override;

 private:
  // The device's lines start at kFirstLine of the controller.
  struct Lines : fabric::IrqSink {
    host::InterruptController* controller = nullptr;
    void set_level(unsigned line, bool level, base::Picos at) override {
      controller->set_level(kFirstLine + line, level, at);
    }
  };

  FecDriverConfig driver_config() const {
    FecDriverConfig config = drivers::fec::config_from(env_.driver.params);
    config.program = config.mode == XdpMode::kNative ? program() : nullptr;
    config.assumed_mbps = static_cast<unsigned>(env_.nic.link.count() / 1000000);
    config.mac = net::TrafficSpec{}.destination;
    // A capture's frames are addressed to whoever was there: forward them all.
    config.promiscuous |= env_.scenario.traffic.kind == TrafficKind::kPcap;
    config.ahb_clock = env_.platform.section("axi").frequency("clock");
    config.ipg_clock = config.ahb_clock;
    return config;
  }
  stack::XdpProgram* program() const { return app_ != nullptr ? app_->program() : xdp_->program(); }
  void report_ledgers(report::RunResult& result);

  // --check: the sanitizer between driver and machine, and between device and memory.
  struct Checks {
    Checks(const NicEnvironment& env, const hal::Hal& inner)
        : state(config(env)),
          hal(inner, state),
          interposer((env.nic.name + "_checks").c_str(), state, &env.machine.cache()) {
      const hal::checks::FecRingSizes sizes{
          static_cast<uint32_t>(env.driver.params.integer("rx_ring")),
          static_cast<uint32_t>(env.driver.params.integer("tx_ring"))};
      for (const auto& ring : hal::checks::fec_rings(env.nic.name, desc_format(env), sizes,
                                                     env.driver.params.boolean("rx_dma_rmb"))) {
        hal.add_ring(ring);
      }
    }
    static hal::checks::CheckConfig config(const NicEnvironment& env) {
      hal::checks::CheckConfig config;
      config.memory_base = env.machine.config().memory.base;
      config.memory_size = env.machine.config().memory.size;
      config.coherent = env.machine.config().coherent;
      return config;
    }
    hal::checks::CheckState state;
    hal::checks::CheckedHal hal;
    hal::checks::DmaInterposer interposer;
  };

  NicEnvironment env_;
  fabric::AxiLink axi_;
  fec::Fec device_;
  hal::Machine::DeviceHal parts_;
  std::unique_ptr<Checks> checks_;
  hal::Hal hal_;
  std::unique_ptr<XdpChoice> xdp_;
  std::unique_ptr<AppChoice> app_;
  Peek peek_;
  Lines lines_;
  std::unique_ptr<stack::NetStack> stack_;
  std::unique_ptr<FecDriver> driver_;
};

void NicFec::report(report::RunResult& result) {
  device_.settle();
  report_ledgers(result);
  for (const probe::Counter& counter : device_.counters()) {
    result.counters.emplace_back("fec." + counter.name, counter.value);
  }
  xdp_->report(result);
  if (app_ != nullptr) {
    app_->report(result);
  }
  for (const auto& row : driver_->statistic_rows()) {
    result.statistics.emplace_back(row.name, row.value);
  }
}

void NicFec::report_ledgers(report::RunResult& result) {
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
  for (const char* reason : fec::kRxDropReasons) {
    drop(rx, reason, counted(reason));
  }
  // Transmit: from the driver's rings to the wire.
  report::Ledger& tx = result.ledger_tx;
  tx.injected = driver_->statistics().tx_submitted;
  tx.delivered = env_.station.data_received();
  tx.in_flight = tx_in_flight();
  for (const char* reason : fec::kTxDropReasons) {
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
      drop(tx, info.name, frames - counted("tx_reset") - counted("tx_unclosed"));
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

CoreUse fec_cores(const DriverSection& driver, const Platform&) {
  const auto cpu = static_cast<unsigned>(driver.params.integer("cpu"));
  return {cpu + 1, cpu};
}

base::Result<std::unique_ptr<Nic>> make_fec(const NicEnvironment& env) {
  if (env.platform.find_section("axi") == nullptr) {
    return base::Error{env.scenario.name + ": key 'platform': '" + env.platform.name +
                       "' has no [axi], which the FEC is attached to"};
  }
  if (env.nic.engine != Engine::kTlm) {
    return base::Error{"device 'fec' has no engine '" + std::string(engine_name(env.nic.engine)) +
                       "'; allowed: tlm"};
  }
  const uint64_t link = env.nic.link.count();
  if (link != 10000000 && link != 100000000 && link != 1000000000) {
    return base::Error{env.scenario.name + ": key 'nic.link': the FEC has no link of " +
                       base::format_bit_rate(env.nic.link) +
                       "; allowed: \"10 Mb/s\", \"100 Mb/s\", \"1 Gb/s\""};
  }
  auto xdp = XdpChoice::make(env.scenario, env.driver, env.machine.cores());
  if (!xdp) {
    return base::Error{xdp.error()};
  }
  auto app = AppChoice::make(env);
  if (!app) {
    return base::Error{app.error()};
  }
  return std::unique_ptr<Nic>(std::make_unique<NicFec>(env, xdp.take(), app.take()));
}

}  // namespace doorbell::run
