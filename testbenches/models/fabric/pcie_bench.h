// A root complex with memory and one or more ports, for the PCIe tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/base/calendar.h"
#include "models/fabric/memory.h"
#include "models/fabric/pcie_port.h"

namespace doorbell::fabric {

inline constexpr uint64_t kBase = 0x40000000;

/// Memory without waiting of its own, so that what is measured is the port.
inline MemoryConfig plain_memory() {
  MemoryConfig config;
  config.base = kBase;
  config.size = 16 << 20;
  config.latency = base::Picos(0);
  config.bank_busy = base::Picos(0);
  return config;
}

/// The default link without the root complex's random part.
inline PcieConfig steady() {
  PcieConfig config;
  config.root_spread = base::Picos(0);
  return config;
}

struct PcieBench {
  explicit PcieBench(const PcieConfig& config) : PcieBench(std::vector<PcieConfig>{config}) {}
  explicit PcieBench(const std::vector<PcieConfig>& configs,
                     const MemoryConfig& memory_config = plain_memory())
      : memory("memory", memory_config) {
    for (size_t i = 0; i < configs.size(); ++i) {
      ports.push_back(
          std::make_unique<PciePort>(("pcie" + std::to_string(i)).c_str(), configs[i], calendar));
      ports.back()->socket.bind(memory.socket);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: sockets work from here on
  }
  PciePort& port(size_t i = 0) { return *ports[i]; }
  uint8_t byte_at(uint64_t addr, base::Picos when) {
    memory.settle(when);
    return *memory.pointer(addr);
  }
  /// Both steps of a read.
  PciePort::Done read(base::Picos issue, uint64_t addr, uint32_t bytes) {
    const auto ticket = port().request_read(issue, addr, bytes);
    return port().complete_read(ticket, addr, {buffer, bytes});
  }
  PciePort::Done write(base::Picos issue, uint64_t addr, uint32_t bytes) {
    return port().write(issue, addr, {buffer, bytes});
  }

  base::Calendar calendar;
  Memory memory;
  std::vector<std::unique_ptr<PciePort>> ports;
  uint8_t buffer[65536] = {};
};

}  // namespace doorbell::fabric
