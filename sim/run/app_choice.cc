#include "sim/run/app_choice.h"

#include "sim/hal/simulated/sim_memory.h"
#include "sim/run/xdp_choice.h"

namespace doorbell::run {
namespace {

bool wanted(const Scenario& scenario) {
  return scenario.app.choice("kind") != "off";
}

std::string_view mode(const Scenario& scenario) {
  return wanted(scenario) ? scenario.app.choice("mode") : std::string_view();
}

}  // namespace

void add_app(const AppChoice& app, report::Ledger& all) {
  all.injected += app.injected();
  all.delivered += app.delivered();
  all.in_flight += app.rx_in_flight() + app.tx_in_flight();
}

unsigned app_cores(const Scenario& scenario) {
  return wanted(scenario) ? static_cast<unsigned>(scenario.app.integer("cpu")) + 1 : 0;
}
bool app_sends(const Scenario& scenario) {
  return mode(scenario) == "txonly";
}
bool app_receives(const Scenario& scenario) {
  return mode(scenario) == "rxdrop";
}

// Takes the next frame of the application's own source.
class AppChoice::Filler : public apps::FrameFiller {
 public:
  Filler(net::TrafficSource& source, hal::SharedMemory& memory)
      : source_(source), memory_(memory) {}
  uint32_t fill(uint8_t* to, uint32_t room, unsigned) override {
    const net::Arrival* next = source_.peek();
    if (next == nullptr || next->bytes.size > room) {
      return 0;
    }
    const auto size = static_cast<uint32_t>(next->bytes.size);
    memory_.poke(to, next->bytes);
    source_.pop();
    return size;
  }

 private:
  net::TrafficSource& source_;
  hal::SharedMemory& memory_;
};

AppChoice::AppChoice(const NicEnvironment& env, const apps::XdpsockConfig& config)
    : machine_(env.machine), config_(config) {}
AppChoice::~AppChoice() = default;

base::Result<std::unique_ptr<AppChoice>> AppChoice::make(const NicEnvironment& env) {
  if (!wanted(env.scenario)) {
    return std::unique_ptr<AppChoice>();
  }
  const auto refuse = [&env](const std::string& what) {
    return base::Error{env.scenario.name + ": " + what};
  };
  auto config = apps::xdpsock_config(env.scenario.app);
  if (!config) {
    return refuse(config.error());
  }
  if (has_bpf_program(env.driver) || env.driver.params.choice("xdp") != "off") {
    return refuse(
        "section [app]: the application brings its own XDP program; allowed: xdp = \"off\" "
        "and no program in [driver]");
  }
  const auto cores = env.platform.section("cpu").integer("cores");
  if (config.value().cpu >= cores) {
    return refuse("key 'app.cpu': there is no core " + std::to_string(config.value().cpu) +
                  "; allowed: 0.." + std::to_string(cores - 1));
  }
  std::unique_ptr<AppChoice> choice(new AppChoice(env, config.value()));
  if (config.value().mode == apps::AppMode::kTxOnly) {
    net::TrafficSpec spec;
    spec.frame_bytes = config.value().frame + net::kFcsBytes;
    spec.link = env.nic.link;
    spec.seed = env.scenario.seed;
    auto source = net::TrafficSource::create(spec);
    if (!source) {
      return refuse(source.error());
    }
    choice->made_ = source.take();
    env.station.set_origin(choice->made_.get());
  }
  return choice;
}

void AppChoice::attach(stack::NetStack& stack) {
  sockets_ = std::make_unique<stack::xsk::Sockets>(stack, machine_.sim_memory());
  app_ = std::make_unique<apps::Xdpsock>(*sockets_, config_);
  if (made_ != nullptr) {
    filler_ = std::make_unique<Filler>(*made_, machine_.sim_memory());
    app_->set_filler(filler_.get());
  }
}

int AppChoice::start(stack::NetDevice& device) {
  if (const int status = app_->open(device); status != 0) {
    return status;
  }
  machine_.process(config_.cpu).start(*app_);
  return 0;
}

uint64_t AppChoice::delivered() const {
  return config_.mode == apps::AppMode::kRxDrop ? app_->counters().rx_packets : 0;
}

uint64_t AppChoice::rx_in_flight() const {
  uint64_t frames = 0;
  for (const auto& account : app_->accounts()) {
    frames += account.at(stack::xsk::Place::kRxRing);
  }
  return frames;
}

uint64_t AppChoice::injected() const {
  return config_.mode == apps::AppMode::kTxOnly ? app_->counters().tx_submitted : 0;
}

void AppChoice::report(report::RunResult& result) const {
  const apps::XdpsockCounters& c = app_->counters();
  const auto count = [&result](const char* name, uint64_t value) {
    result.counters.emplace_back(std::string("app.") + name, value);
  };
  count("rounds", c.rounds);
  count("rx_packets", c.rx_packets);
  count("tx_submitted", c.tx_submitted);
  count("tx_completed", c.tx_completed);
  count("sendtos", c.sendtos);
  count("recvfroms", c.recvfroms);
  count("polls", c.polls);
  count("errors", c.errors);
}

}  // namespace doorbell::run
