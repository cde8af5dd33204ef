// A machine with one core whose software is a lambda, for tests of the simulated HAL.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <vector>

#include "sim/hal/simulated/executive.h"
#include "sim/hal/simulated/machine.h"
#include "sim/hal/simulated/sim_memory.h"
#include "sim/hal/simulated/sim_mmio.h"

namespace doorbell::hal::test {

using base::Picos;
using namespace base::literals;

/// Every operation costs its own, recognisable number of nanoseconds.
inline MachineConfig machine_config(unsigned cores = 1) {
  MachineConfig config;
  config.cores = cores;
  config.memory.size = 32u << 20;
  config.memory.latency = 80_ns;
  config.interrupt_latency = 150_ns;
  config.mmio_forward = 100_ns;
  for (size_t i = 0; i < kOpCount; ++i) {
    config.cost[i] = Picos(1000);
  }
  const auto cost = [&config](Op op, Picos t) { config.cost[static_cast<size_t>(op)] = t; };
  cost(Op::kUncachedLoad, 200_ns);
  cost(Op::kUncachedStore, 10_ns);
  cost(Op::kMmioRead, 250_ns);
  cost(Op::kMmioWrite, 30_ns);
  cost(Op::kLineClean, 20_ns);
  cost(Op::kLineWriteback, 7_ns);
  cost(Op::kLineInvalidate, 15_ns);
  cost(Op::kDsb, 60_ns);
  cost(Op::kCacheMiss, 150_ns);
  return config;
}

/// Records each register access with its arrival time; reads answer offset + 1 after 5 ns.
struct RegisterTarget : sc_core::sc_module {
  struct Access {
    bool write;
    uint64_t offset;
    uint32_t value;
    Picos at;
    bool operator==(const Access& o) const {
      return write == o.write && offset == o.offset && value == o.value && at == o.at;
    }
  };
  explicit RegisterTarget(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &RegisterTarget::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    auto* value = reinterpret_cast<uint32_t*>(payload.get_data_ptr());
    const Picos at = fabric::kernel_now() + fabric::from_sc(delay);
    if (payload.get_address() >= 0x1000) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    if (payload.is_read()) {
      *value = static_cast<uint32_t>(payload.get_address()) + 1;
      delay += fabric::to_sc(5_ns);
    }
    log.push_back({payload.is_write(), payload.get_address(), *value, at});
    bytes.push_back(payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm_utils::simple_target_socket<RegisterTarget> socket;
  std::vector<Access> log;
  std::vector<unsigned> bytes;  // of each access
};

struct Bench {
  explicit Bench(const MachineConfig& config = machine_config())
      : machine(config), parts(machine.make_hal("dev", 0, 32)), hal(parts.view()) {
    parts.mmio->socket.bind(target.socket);
  }
  /// Runs `body` as the core's boot code, then the executive's loop, for `span`.
  void run(std::function<void()> body, Picos span = 1_ms) {
    machine.executive(0).set_boot(std::move(body));
    sc_core::sc_start(fabric::to_sc(span));
  }
  RegisterTarget target{"target"};
  Machine machine;
  Machine::DeviceHal parts;
  Hal hal;
};

}  // namespace doorbell::hal::test
