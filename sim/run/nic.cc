// The one list of devices a run can assemble.
#include "sim/run/nic.h"

namespace doorbell::run {

base::Result<std::unique_ptr<Nic>> make_fec(const NicEnvironment& env);

namespace {
struct Assembly {
  std::string_view device;
  base::Result<std::unique_ptr<Nic>> (*make)(const NicEnvironment& env);
};
constexpr Assembly kAssemblies[] = {
    {"fec", make_fec},
};
}  // namespace

base::Result<std::unique_ptr<Nic>> make_nic(const NicEnvironment& env) {
  for (const Assembly& assembly : kAssemblies) {
    if (assembly.device == env.nic.device) {
      return assembly.make(env);
    }
  }
  return base::Error{"device '" + env.nic.device + "' cannot be run yet"};
}

}  // namespace doorbell::run
