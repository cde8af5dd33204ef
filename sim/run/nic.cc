// The one list of devices a run can assemble.
#include "sim/run/nic.h"

namespace doorbell::run {

base::Result<std::unique_ptr<Nic>> make_fec(const NicEnvironment& env);
CoreUse fec_cores(const DriverSection& driver, const Platform& platform);
base::Result<std::unique_ptr<Nic>> make_ice(const NicEnvironment& env);
CoreUse ice_cores(const DriverSection& driver, const Platform& platform);
base::Result<std::unique_ptr<Nic>> make_tsnep(const NicEnvironment& env);
CoreUse tsnep_cores(const DriverSection& driver, const Platform& platform);

namespace {

struct Assembly {
  std::string_view device;
  base::Result<std::unique_ptr<Nic>> (*make)(const NicEnvironment& env);
  CoreUse (*cores)(const DriverSection& driver, const Platform& platform);
};
constexpr Assembly kAssemblies[] = {
    {"fec", make_fec, fec_cores},
    {"ice", make_ice, ice_cores},
    {"tsnep", make_tsnep, tsnep_cores},
};

const Assembly* find(std::string_view device) {
  for (const Assembly& assembly : kAssemblies) {
    if (assembly.device == device) {
      return &assembly;
    }
  }
  return nullptr;
}

}  // namespace

base::Result<std::unique_ptr<Nic>> make_nic(const NicEnvironment& env) {
  if (const Assembly* assembly = find(env.nic.device)) {
    return assembly->make(env);
  }
  return base::Error{"device '" + env.nic.device + "' cannot be run yet"};
}

CoreUse cores_of(const NicSection& nic, const DriverSection& driver, const Platform& platform) {
  const Assembly* assembly = find(nic.device);
  return assembly != nullptr ? assembly->cores(driver, platform) : CoreUse();
}

base::ParamSet nic_params(const NicEnvironment& env) {
  base::ParamSet params = env.nic.params;
  if (const base::ParamSet* card = env.platform.find_section(env.nic.device)) {
    params.fill_from(*card);
  }
  return params;
}

void report_checks(const hal::checks::CheckState& state, report::RunResult& result) {
  for (const hal::checks::Finding& finding : state.log().broken()) {
    result.checks.push_back({hal::checks::info(finding.rule).id, finding.count,
                             finding.first.count(), finding.message});
  }
}

}  // namespace doorbell::run
