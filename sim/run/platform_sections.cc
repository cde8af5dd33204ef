// Which sections a platform file has: a row for each room that reads constants.
#include "models/fabric/fabric_params.h"
#include "models/fabric/pcie_platform.h"
#include "models/host/host_params.h"
#include "models/ice/ice_params.h"
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
  // A section named as a device holds what the board's own card is: values of that device's [nic]
  // keys, which a scenario may overrule.
  static const std::vector<SectionTable> kSections = {
      {"cpu", host::kCpuParams},
      {"cost", hal::kCostParams},
      {"memory", fabric::kMemoryParams},
      {"axi", fabric::kAxiParams, false},
      {"pcie", fabric::kPcieParams, false, true},
      {"iommu", fabric::kIommuParams, false, true},
      {"ice", ice::kIceNicParams, false},
      {"interrupt", host::kInterruptParams},
      {"link", kLinkParams},
  };
  return kSections;
}

}  // namespace doorbell::run
