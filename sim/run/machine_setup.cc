#include "sim/run/machine_setup.h"

#include <algorithm>

namespace doorbell::run {

hal::MachineConfig machine_config(const Platform& platform, unsigned cores) {
  const base::ParamSet& cpu = platform.section("cpu");
  const base::ParamSet& memory = platform.section("memory");
  const base::ParamSet& cost = platform.section("cost");
  hal::MachineConfig config;
  config.cores = cores;
  config.coherent = cpu.boolean("coherent_dma");
  config.tick = cpu.time("tick");
  config.memory.base = static_cast<uint64_t>(memory.integer("base"));
  config.memory.size = memory.bytes("size");
  config.memory.latency = memory.time("latency");
  config.memory.bank_busy = memory.time("bank_busy");
  config.memory.banks = static_cast<unsigned>(memory.integer("banks"));
  config.memory.interleave = static_cast<unsigned>(memory.bytes("interleave"));
  config.interrupt_latency = platform.section("interrupt").time("latency");
  // On PCI Express the way to the registers is the link's.
  if (const base::ParamSet* axi = platform.find_section("axi")) {
    config.mmio_forward = axi->time("mmio_forward");
  }
  config.coherent_bytes = std::max(config.coherent_bytes, config.memory.size / 16);
  for (size_t i = 0; i < hal::kOpCount; ++i) {
    config.cost[i] = cost.cycles(hal::kOps[i].name, cpu.frequency("frequency"));
  }
  return config;
}

fabric::AxiConfig axi_config(const Platform& platform) {
  const base::ParamSet& axi = platform.section("axi");
  fabric::AxiConfig config;
  config.clock = axi.frequency("clock");
  config.forward_latency = axi.time("forward_latency");
  config.return_latency = axi.time("return_latency");
  return config;
}

}  // namespace doorbell::run
