#include "sim/run/xdp_choice.h"

#include <filesystem>

#include "models/base/params.h"
#include "sim/run/data_dir.h"
#include "sim/stack/bpf/shipped.h"

namespace doorbell::run {
namespace {

namespace bpf = stack::bpf;

std::unique_ptr<stack::XdpProgram> built_in(std::string_view xdp) {
  if (xdp == "drop") {
    return std::make_unique<stack::XdpDropProgram>();
  }
  if (xdp == "pass") {
    return std::make_unique<stack::XdpPassProgram>();
  }
  if (xdp == "tx") {
    return std::make_unique<stack::XdpTxProgram>();
  }
  if (xdp == "redirect") {
    return std::make_unique<stack::XdpRedirectProgram>(1);
  }
  return nullptr;
}

// A shipped name, or a path seen from the scenario's folder.
base::Result<std::string> object_path(const Scenario& scenario, const std::string& name) {
  if (bpf::is_shipped_program(name)) {
    return bpf::shipped_program_path(name);
  }
  const bool file = name.find('/') != std::string::npos ||
                    (name.size() > 2 && name.compare(name.size() - 2, 2, ".o") == 0);
  if (!file) {
    std::vector<std::string_view> known;
    for (const auto& program : bpf::shipped_programs()) {
      known.push_back(program.name);
    }
    return base::Error{(scenario.path.empty() ? scenario.name : scenario.path) +
                       ": key 'driver.program': '" + name +
                       "': " + base::unknown_name(name, known).message() + ", or a file"};
  }
  const std::string folder = std::filesystem::path(scenario.path).parent_path().string();
  return resolve(folder.empty() ? "." : folder, name);
}

}  // namespace

bool has_bpf_program(const DriverSection& driver) {
  return !driver.params.text("program").empty();
}

base::Result<std::unique_ptr<XdpChoice>> XdpChoice::make(const Scenario& scenario,
                                                         const DriverSection& driver,
                                                         unsigned cores) {
  auto choice = std::make_unique<XdpChoice>();
  if (!has_bpf_program(driver)) {
    choice->built_in_ = built_in(driver.params.choice("xdp"));
    return choice;
  }
  const auto path = object_path(scenario, std::string(driver.params.text("program")));
  if (!path) {
    return base::Error{path.error()};
  }
  bpf::LoadOptions options;
  options.cpus = cores;
  options.seed = scenario.seed;
  auto loaded = bpf::load_program(path.value(), options);
  if (!loaded) {
    return base::Error{"key 'driver.program': " + loaded.error()};
  }
  choice->bpf_ = loaded.take();
  return choice;
}

void XdpChoice::set_port(uint32_t ifindex) {
  if (bpf_ == nullptr) {
    return;
  }
  for (const auto& map : bpf_->maps()) {
    const bool ports =
        map->spec().type == bpf::MapType::kDevmap || map->spec().type == bpf::MapType::kDevmapHash;
    for (uint32_t slot = 0; ports && slot < map->spec().max_entries; ++slot) {
      map->set_target(slot, {ifindex, nullptr});
    }
  }
  if (bpf::Map* port = bpf_->map("port")) {
    port->set(uint32_t{0}, ifindex);
  }
}

void XdpChoice::report(report::RunResult& result) const {
  if (bpf_ == nullptr) {
    return;
  }
  const auto count = [&result](const char* name, uint64_t value) {
    result.counters.emplace_back(std::string("bpf.") + name, value);
  };
  const bpf::Tally& total = bpf_->total();
  count("runs", bpf_->runs());
  count("instructions", total.instructions);
  count("helpers", total.helpers);
  count("map_lookups", total.map_array + total.map_hash + total.map_lpm);
  count("map_updates", total.map_updates);
  count("tail_calls", total.tail_calls);
  count("faults", bpf_->faults());
  if (bpf_->faults() != 0) {
    result.checks.push_back({"bpf-fault", bpf_->faults(), 0, bpf_->first_fault()});
  }
}

}  // namespace doorbell::run
