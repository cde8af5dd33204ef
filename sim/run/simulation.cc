#include "sim/run/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <systemc>

#include "models/base/quantity.h"
#include "models/net/pcap_writer.h"
#include "sim/hal/simulated/executive.h"
#include "sim/run/app_choice.h"
#include "sim/run/machine_setup.h"
#include "sim/run/nic.h"
#include "sim/run/traffic_setup.h"
#include "sim/run/xdp_choice.h"

namespace doorbell::run {
namespace {

using base::Picos;

// Probe, open and finding the link happen before the first frame; the scenario's clock starts at
// the next whole millisecond after them. A link that is not up by then never comes up.
constexpr Picos kBootLimit{20'000'000'000'000};
constexpr Picos kBootStep{1'000'000'000};
// After the last frame the run goes on until nothing is on its way, or nothing has moved for this
// long.
constexpr Picos kDrainPatience{50'000'000'000};
constexpr Picos kDrainStep{100'000'000};
constexpr Picos kShutDown{5'000'000'000};

/// What is counted at both ends of the measured window.
struct Snapshot {
  uint64_t offered = 0;
  uint64_t received = 0;
  uint64_t received_bytes = 0;
  uint64_t sent = 0;
  uint64_t sent_bytes = 0;
  std::vector<std::vector<Picos>> cpu;  // per core, per label
  std::vector<Utilisation> busy;
};

// Stops the driver on its own core, as a module's removal would.
class ShutDown : public hal::Work {
 public:
  explicit ShutDown(Nic& nic) : nic_(nic) {}
  void run_work() override {
    nic_.shut_down();
    done_ = true;
  }
  bool done() const { return done_; }

 private:
  Nic& nic_;
  bool done_ = false;
};

class StartApp : public hal::Work {
 public:
  StartApp(Nic& nic, int& status) : nic_(nic), status_(status) {}
  void run_work() override { status_ = nic_.start_app(); }

 private:
  Nic& nic_;
  int& status_;
};

class Run {
 public:
  Run(const Scenario& scenario, const Platform& platform, const RunOptions& options)
      : scenario_(scenario),
        options_(options),
        cores_(cores_of(scenario.nics.front(), scenario.drivers.front(), platform)),
        machine_(machine_config(platform, std::max(cores_.count, app_cores(scenario)))),
        platform_(platform) {
    window_begin_.bind<&Run::take_first>(*this);
    window_end_.bind<&Run::take_second>(*this);
  }

  std::optional<base::Error> build();
  std::optional<base::Error> boot();
  report::RunResult execute();
  std::optional<base::Error> close_files();

 private:
  // Of a BPF program nobody knows where its frames end or what it makes of them: they are compared
  // where software receives them.
  bool ends_in_software() const {
    if (has_bpf_program(scenario_.drivers.front()) || app_receives(scenario_)) {
      return true;
    }
    if (app_cores(scenario_) != 0) {
      return false;
    }
    const auto xdp = scenario_.drivers.front().params.choice("xdp");
    return xdp != "tx" && xdp != "redirect";
  }
  std::optional<base::Error> open_files();
  Snapshot snapshot();
  void take_first() { first_ = snapshot(); }
  void take_second() { second_ = snapshot(); }
  void start_app();
  void drain();
  void shut_down();
  void fill_rates(report::RunResult& result) const;
  void fill_latency(report::RunResult& result) const;
  void fill_cpu(report::RunResult& result) const;
  void fill_bottleneck(report::RunResult& result) const;
  void fill_integrity(report::RunResult& result) const;

  const Scenario& scenario_;
  RunOptions options_;
  CoreUse cores_;
  hal::Machine machine_;
  Picos end_;
  const Platform& platform_;
  probe::Digest digest_;
  std::unique_ptr<net::PcapWriter> capture_;
  std::unique_ptr<probe::PerfettoTrace> trace_;
  std::unique_ptr<net::Station> station_;
  std::unique_ptr<Receiver> receiver_;
  std::unique_ptr<Nic> nic_;
  base::Event window_begin_;
  base::Event window_end_;
  Snapshot first_;
  Snapshot second_;
  int boot_status_ = 0;
  bool booted_ = false;
};

std::optional<base::Error> Run::open_files() {
  if (options_.out_dir.empty()) {
    return std::nullopt;
  }
  if (options_.pcap || scenario_.output.pcap) {
    auto writer = net::PcapWriter::create(options_.out_dir + "/packets.pcap");
    if (!writer) {
      return base::Error{writer.error()};
    }
    capture_ = writer.take();
    station_->set_capture(capture_.get(), true);
  }
  if (options_.trace || scenario_.output.trace) {
    auto trace = probe::PerfettoTrace::create(options_.out_dir + "/trace.json");
    if (!trace) {
      return base::Error{trace.error()};
    }
    trace_ = trace.take();
  }
  return std::nullopt;
}

std::optional<base::Error> Run::build() {
  // From time zero; boot() moves it all behind the driver's open.
  auto source = make_source(scenario_, Picos(0), scenario_.duration);
  if (!source) {
    return base::Error{source.error()};
  }
  station_ = std::make_unique<net::Station>(
      station_spec(scenario_, platform_, Picos(0), scenario_.duration), source.take());
  station_->delay_start(kBootLimit * 2);  // boot() takes most of it back
  station_->set_digest(&digest_);
  if (ends_in_software()) {
    station_->set_origin(nullptr);
  }
  receiver_ = std::make_unique<Receiver>(machine_, *station_, digest_, ends_in_software());
  if (auto error = open_files()) {
    return error;
  }
  const NicEnvironment env{scenario_,
                           platform_,
                           scenario_.nics.front(),
                           scenario_.drivers.front(),
                           machine_,
                           *station_,
                           *receiver_,
                           digest_,
                           trace_.get(),
                           options_.check};
  auto nic = make_nic(env);
  if (!nic) {
    return base::Error{nic.error()};
  }
  nic_ = nic.take();
  machine_.executive(cores_.boot).set_boot([this] {
    boot_status_ = nic_->boot();
    booted_ = true;
  });
  return std::nullopt;
}

void Run::start_app() {
  StartApp work(*nic_, boot_status_);
  hal::Executive& executive = machine_.executive(cores_.boot);
  executive.schedule_work(work, base::max(executive.core().now(), machine_.calendar().now()));
  machine_.driver().arm();
  sc_core::sc_start(fabric::to_sc(kBootStep));
}

// Runs until the driver is open and has a link, then sets the scenario's clock.
std::optional<base::Error> Run::boot() {
  while (!(booted_ && (boot_status_ != 0 || nic_->link_up()))) {
    if (fabric::kernel_now() >= kBootLimit) {
      return base::Error{scenario_.name + ": the driver found no link within " +
                         base::format_time(kBootLimit) + " of simulated time"};
    }
    sc_core::sc_start(fabric::to_sc(kBootStep));
  }
  if (boot_status_ == 0 && app_cores(scenario_) != 0) {
    start_app();
  }
  const Picos now = base::max(fabric::kernel_now(), machine_.calendar().now());
  const Picos whole = (now / kBootStep + 1) * kBootStep;
  station_->delay_start(whole - kBootLimit * 2);
  end_ = whole + scenario_.duration;
  machine_.calendar().schedule(window_begin_, whole + scenario_.warmup);
  machine_.calendar().schedule(window_end_, whole + scenario_.warmup + scenario_.measure);
  machine_.driver().arm();
  return std::nullopt;
}

Snapshot Run::snapshot() {
  nic_->settle();
  Snapshot s;
  s.offered = station_->data_sent();
  s.received = receiver_->frames();
  s.received_bytes = receiver_->bytes();
  s.sent = station_->data_received();
  s.sent_bytes = station_->counters().find("received_bytes")->value;
  for (unsigned i = 0; i < machine_.cores(); ++i) {
    std::vector<Picos> by;
    for (size_t label = 0; label < hal::kLabelCount; ++label) {
      by.push_back(machine_.core(i).busy(static_cast<unsigned>(label)));
    }
    s.cpu.push_back(std::move(by));
  }
  s.busy = nic_->utilisation();
  return s;
}

void Run::drain() {
  while (!nic_->stop_app()) {
    sc_core::sc_start(fabric::to_sc(kDrainStep));
  }
  uint64_t left = UINT64_MAX;
  for (Picos idle; idle < kDrainPatience; idle += kDrainStep) {
    sc_core::sc_start(fabric::to_sc(kDrainStep));
    nic_->settle();
    const uint64_t now = nic_->rx_in_flight() + nic_->tx_in_flight();
    if (now == 0) {
      return;
    }
    if (now != left) {
      left = now;
      idle = Picos(0);
    }
  }
}

void Run::shut_down() {
  ShutDown work(*nic_);
  hal::Executive& executive = machine_.executive(cores_.boot);
  // Both may lag the kernel when nothing happened since: a core that idles, a transmitter held by
  // pause.
  const Picos now =
      base::max(base::max(executive.core().now(), machine_.calendar().now()), fabric::kernel_now());
  executive.schedule_work(work, now);
  machine_.driver().arm();
  // Large rings take long to empty. A core must not be left in the middle of a destructor.
  sc_core::sc_start(fabric::to_sc(now + kShutDown - fabric::kernel_now()));
  while (!work.done()) {
    sc_core::sc_start(fabric::to_sc(kShutDown));
  }
  machine_.halt();
}

report::RunResult Run::execute() {
  const auto begin = std::chrono::steady_clock::now();
  sc_core::sc_start(fabric::to_sc(end_ - fabric::kernel_now()));
  drain();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;

  report::RunResult result;
  result.scenario = scenario_.name;
  result.device = scenario_.nics.front().device;
  result.engine = options_.engine.empty() ? std::string(engine_name(scenario_.nics.front().engine))
                                          : options_.engine;
  result.seed = scenario_.seed;
  result.sim.duration_ns = scenario_.duration.nanoseconds();
  result.sim.packets = station_->data_sent();
  result.sim.crossed = receiver_->frames();
  result.sim.events = machine_.calendar().events_run();
  result.wall.seconds = wall.count();
  result.wall.packets_per_s = static_cast<double>(result.sim.packets) / wall.count();
  result.wall.slowdown = wall.count() / scenario_.duration.seconds();
  nic_->report(result);
  fill_rates(result);
  fill_latency(result);
  fill_cpu(result);
  fill_bottleneck(result);
  fill_integrity(result);
  result.digest = digest_.hex();
  shut_down();
  nic_->report_checks(result);
  result.checked = options_.check;
  return result;
}

void Run::fill_rates(report::RunResult& result) const {
  const double seconds = scenario_.measure.seconds();
  const auto per_second = [seconds](uint64_t a, uint64_t b) {
    return static_cast<double>(b - a) / seconds;
  };
  result.rx.offered_pps = per_second(first_.offered, second_.offered);
  result.rx.pps = per_second(first_.received, second_.received);
  result.rx.packets = receiver_->frames();
  result.rx.bytes = receiver_->bytes();
  result.tx.pps = per_second(first_.sent, second_.sent);
  result.tx.packets = station_->data_received();
  result.tx.bytes = station_->counters().find("received_bytes")->value;
}

void Run::fill_latency(report::RunResult& result) const {
  const probe::Histogram& latency =
      receiver_->verifies() ? receiver_->latency() : station_->latency();
  result.latency.samples = latency.count();
  result.latency.p50 = latency.percentile(50).nanoseconds();
  result.latency.p90 = latency.percentile(90).nanoseconds();
  result.latency.p99 = latency.percentile(99).nanoseconds();
  result.latency.p999 = latency.percentile(99.9).nanoseconds();
  result.latency.max = latency.max().nanoseconds();
}

void Run::fill_cpu(report::RunResult& result) const {
  const double window = static_cast<double>(scenario_.measure.count());
  const auto packets = static_cast<double>(second_.received - first_.received);
  for (size_t core = 0; core < second_.cpu.size(); ++core) {
    report::CpuShare share;
    share.id = static_cast<unsigned>(core);
    for (const hal::LabelInfo& info : hal::kLabels) {
      const auto label = static_cast<size_t>(info.label);
      const Picos spent = second_.cpu[core][label] - first_.cpu[core][label];
      const double percent = 100.0 * static_cast<double>(spent.count()) / window;
      const double ns = packets > 0 ? spent.nanoseconds() / packets : 0;
      share.busy_percent += percent;
      share.ns_per_packet += ns;
      share.by.push_back({info.name, percent, ns});
    }
    result.cpu.push_back(std::move(share));
  }
}

// The resource nearest to its limit. Of several at the limit it is the one that comes last on a
// packet's way, which Nic::utilisation() lists first: what is before it waits for it.
void Run::fill_bottleneck(report::RunResult& result) const {
  constexpr double kSaturated = 98;
  std::vector<std::pair<std::string, double>> used;
  for (size_t i = 0; i < second_.busy.size(); ++i) {
    const Picos spent = second_.busy[i].busy - first_.busy[i].busy;
    used.emplace_back(second_.busy[i].resource, 100.0 * static_cast<double>(spent.count()) /
                                                    static_cast<double>(scenario_.measure.count()));
  }
  for (const report::CpuShare& share : result.cpu) {
    used.emplace_back("cpu" + std::to_string(share.id), share.busy_percent);
  }
  const auto tenths = [](double percent) { return std::lround(percent * 10); };
  for (const auto& [resource, percent] : used) {
    if (tenths(percent) > tenths(result.bottleneck.utilisation_percent)) {
      result.bottleneck = {resource, percent, {}};
    }
  }
  for (const auto& [resource, percent] : used) {
    if (percent >= kSaturated && resource != result.bottleneck.resource) {
      result.bottleneck.saturated.push_back(resource);
    }
  }
}

// Every run checks every frame; a frame that is not what its source made fails the run.
void Run::fill_integrity(report::RunResult& result) const {
  if (boot_status_ != 0) {
    result.checks.push_back(
        {"driver-open", 1, 0, "probe or open failed with status " + std::to_string(boot_status_)});
  }
  if (receiver_->violations() != 0) {
    result.checks.push_back({"frame-integrity", receiver_->violations(),
                             receiver_->first_violation_at().count(),
                             receiver_->first_violation()});
  }
  if (station_->violations() != 0) {
    result.checks.push_back({"frame-integrity", station_->violations(),
                             station_->last_received().count(), station_->first_violation()});
  }
}

std::optional<base::Error> Run::close_files() {
  if (capture_ != nullptr) {
    if (auto error = capture_->close()) {
      return error;
    }
  }
  if (trace_ != nullptr) {
    return trace_->close();
  }
  return std::nullopt;
}

}  // namespace

base::Result<report::RunResult> simulate(const Scenario& scenario, const Platform& platform,
                                         const RunOptions& options) {
  if (scenario.nics.size() > 1) {
    return base::Error{scenario.name +
                       ": a run has one [nic] so far; several [[nic]] cannot be run"};
  }
  Run run(scenario, platform, options);
  if (auto error = run.build()) {
    return *error;
  }
  if (auto error = run.boot()) {
    return *error;
  }
  report::RunResult result = run.execute();
  if (auto error = run.close_files()) {
    return *error;
  }
  return result;
}

}  // namespace doorbell::run
