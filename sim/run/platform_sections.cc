// Which sections a platform file has: a row for each room that reads constants.
#include "models/fabric/fabric_params.h"
#include "models/host/host_params.h"
#include "sim/hal/op_params.h"
#include "sim/run/platform.h"

namespace doorbell::run {
namespace {

constexpr base::ParamSpec kLinkParams[] = {
    {"propagation",
     base::ParamKind::kTime,
     base::kRequired,
     "0 ps..10 us",
     {},
     "PHY and cable, each way",
     "platform file"},
};

}  // namespace

const std::vector<SectionTable>& platform_sections() {
  static const std::vector<SectionTable> kSections = {
      {"cpu", host::kCpuParams},
      {"cost", hal::kCostParams},
      {"memory", fabric::kMemoryParams},
      {"axi", fabric::kAxiParams},
      {"interrupt", host::kInterruptParams},
      {"link", kLinkParams},
  };
  return kSections;
}

}  // namespace doorbell::run
