#include "sim/run/devices.h"

#include <algorithm>

#include "models/fec/fec_desc_table.h"
#include "models/fec/fec_params.h"
#include "models/fec/fec_reg_table.h"
#include "models/ice/ice_desc_table.h"
#include "models/ice/ice_params.h"
#include "models/ice/ice_reg_table.h"
#include "models/tsnep/tsnep_params.h"
#include "models/tsnep/tsnep_reg_table.h"
#include "sim/drivers/fec/fec_params.h"
#include "sim/drivers/ice/ice_params.h"
#include "sim/drivers/tsnep/tsnep_params.h"

namespace doorbell::run {

const std::vector<DeviceInfo>& devices() {
  static const std::vector<DeviceInfo> kDevices = {
      {"fec",
       "NXP FEC (ENET of the i.MX8MP): 1 Gb/s, three rings each way, AVB, IEEE 1588",
       "1 Gb/s|100 Mb/s|10 Mb/s",
       "tlm",
       fec::kFecNicParams,
       fec::kFecDriverParams,
       fec::kFecRegs,
       {{"receive", fec::kFecRxDescWords}, {"transmit", fec::kFecTxDescWords}}},
      {"ice",
       "Intel E810: 100 Gb/s over PCI Express, 2048 queues, RSS, adaptive interrupts",
       "100 Gb/s|50 Gb/s|25 Gb/s|10 Gb/s",
       "tlm",
       ice::kIceNicParams,
       ice::kIceDriverParams,
       ice::kIceRegs,
       {{"receive", ice::kIceRxReadWords},
        {"receive write-back", ice::kIceRxWritebackWords},
        {"transmit", ice::kIceTxDescWords},
        {"transmit context", ice::kIceTxContextWords}}},
      {"tsnep",
       "Engleder TSN endpoint (FPGA): 1 Gb/s, up to 8 queues linked by address, gate control",
       "1 Gb/s|100 Mb/s",
       "tlm",
       tsnep::kTsnepNicParams,
       tsnep::kTsnepDriverParams,
       tsnep::kTsnepRegs,
       {}},
  };
  return kDevices;
}

const DeviceInfo* find_device(std::string_view name) {
  const auto& list = devices();
  const auto it = std::find_if(list.begin(), list.end(),
                               [&](const DeviceInfo& device) { return device.name == name; });
  return it == list.end() ? nullptr : &*it;
}

std::vector<std::string_view> device_names() {
  std::vector<std::string_view> names;
  for (const auto& device : devices()) {
    names.push_back(device.name);
  }
  return names;
}

}  // namespace doorbell::run
