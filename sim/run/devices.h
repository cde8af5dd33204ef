// The list of devices: the one place outside a device's own folders that knows it.
//
// A row gives what the scenario loader checks keys against and what `doorbell describe` prints. How
// a device and its driver are built is in sim/run/simulation.cc.
#pragma once

#include <string_view>
#include <vector>

#include "models/base/params.h"
#include "models/reg/reg_spec.h"

namespace doorbell::run {

/// One kind of descriptor, a row for each 32-bit word.
struct DescriptorLayout {
  std::string_view name;
  reg::RegTable words;
};

struct DeviceInfo {
  std::string_view name;     // as in scenarios and folder names
  std::string_view summary;  // one line
  std::string_view links;  // allowed values of nic.link, separated by '|'; the first is the default
  std::string_view engines;  // allowed values of nic.engine, likewise
  base::ParamTable nic;      // [nic] keys of its own
  base::ParamTable driver;   // [driver] keys
  reg::RegTable registers;
  std::vector<DescriptorLayout> descriptors;
};

const std::vector<DeviceInfo>& devices();
/// Null when there is no such device.
const DeviceInfo* find_device(std::string_view name);
std::vector<std::string_view> device_names();

}  // namespace doorbell::run
