// The simulated machine that drivers run on: cores, memory, caches, interrupts, and the little of
// an operating system that decides what a core does next.
//
// Owns everything of the host side; a device joins by its register socket, its interrupt lines and
// a fabric link to memory. make_hal() gives a driver its view. All calls charge the core that makes
// them. Timing contract: software acts on hardware at its core's local time, after
// host::Core::sync(), so that every device event up to then has happened and none after. Costs:
// sim/hal/op.h by the platform's [cost] section.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "models/fabric/axi.h"
#include "models/fabric/memory.h"
#include "models/host/cache_view.h"
#include "models/host/core.h"
#include "models/host/interrupts.h"
#include "sim/hal/hal.h"
#include "sim/hal/process.h"

namespace doorbell::hal {

class Executive;
class SimMmio;
class SimMemory;

struct MachineConfig {
  unsigned cores = 1;
  base::Picos quantum{100000000};  // how far a core may run ahead of the kernel
  bool coherent = false;
  fabric::MemoryConfig memory;
  base::Picos interrupt_latency;
  base::Picos mmio_forward;  // register access: core to device
  std::array<base::Picos, kOpCount> cost{};
  uint64_t coherent_bytes = 8u << 20;  // share of memory for coherent blocks
  base::Picos tick{4000000000};        // of a core whose thread runs: arm64's CONFIG_HZ=250
};

class Machine {
 public:
  explicit Machine(const MachineConfig& config);
  ~Machine();

  base::Calendar& calendar() { return calendar_; }
  fabric::CalendarDriver& driver() { return driver_; }
  fabric::Memory& memory() { return memory_; }
  host::CacheView& cache() { return cache_; }
  host::Core& core(unsigned i) { return *cores_[i]; }
  unsigned cores() const { return static_cast<unsigned>(cores_.size()); }
  /// See host::CoreGroup::set_lookahead(): for devices whose registers are at least `span` away.
  void set_lookahead(base::Picos span) {
    group_.set_lookahead(span);
    memory_.set_lookback(span);
  }
  /// See host::CoreGroup::halt().
  void halt() { group_.halt(); }
  host::Core& running() { return group_.running(); }
  host::InterruptController& interrupts() { return interrupts_; }
  Executive& executive(unsigned core) { return *executives_[core]; }
  /// Process context of a core, for an application's thread.
  Process& process(unsigned core);

  /// Charges the running core.
  void charge(Op op, uint32_t count = 1) {
    group_.running().spend(config_.cost[static_cast<size_t>(op)] * count,
                           static_cast<unsigned>(kOps[static_cast<size_t>(op)].label));
    counts_[static_cast<size_t>(op)] += count;
  }
  /// Counts an operation whose time the caller spends itself.
  void count(Op op, uint64_t n = 1) { counts_[static_cast<size_t>(op)] += n; }
  base::Picos cost(Op op) const { return config_.cost[static_cast<size_t>(op)]; }
  /// How often each operation was charged, all cores.
  const std::array<uint64_t, kOpCount>& op_counts() const { return counts_; }
  const MachineConfig& config() const { return config_; }

  /// A device's view of the machine. Interrupt lines of the device start at `first_line` of the
  /// controller and go to `core`. Bind mmio->socket to the device's register socket.
  struct DeviceHal {
    DeviceHal();
    DeviceHal(DeviceHal&&) noexcept;
    ~DeviceHal();
    std::unique_ptr<SimMmio> mmio;
    std::unique_ptr<Irq> irq;
    std::unique_ptr<Napi> napi;
    std::unique_ptr<Timers> timers;
    std::unique_ptr<Cpu> cpu;
    std::unique_ptr<Order> order;
    SimMmio* registers = nullptr;  // mmio, or that of the device's first view
    SimMemory* memory = nullptr;
    Hal view();
  };
  DeviceHal make_hal(const std::string& name, unsigned core, unsigned first_line);
  /// One more view of the same device for a message-signalled vector that is served on `core`.
  DeviceHal make_vector_hal(const DeviceHal& device, unsigned core, unsigned line);
  SimMemory& sim_memory() { return *sim_memory_; }

 private:
  DeviceHal make_parts(unsigned core, unsigned first_line,
                       host::InterruptController::Trigger trigger);

  MachineConfig config_;
  base::Calendar calendar_;
  fabric::CalendarDriver driver_;
  host::CoreGroup group_;
  fabric::Memory memory_;
  host::CacheView cache_;
  host::InterruptController interrupts_;
  std::vector<std::unique_ptr<host::Core>> cores_;
  std::vector<std::unique_ptr<Executive>> executives_;
  std::unique_ptr<SimMemory> sim_memory_;
  std::array<uint64_t, kOpCount> counts_{};
};

}  // namespace doorbell::hal
