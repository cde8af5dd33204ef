#include "sim/hal/simulated/machine.h"

#include "sim/hal/simulated/executive.h"
#include "sim/hal/simulated/sim_memory.h"
#include "sim/hal/simulated/sim_mmio.h"

namespace doorbell::hal {

using base::Picos;

namespace {

class SimCpu : public Cpu {
 public:
  explicit SimCpu(Machine& machine) : machine_(machine) {}
  unsigned id() const override { return machine_.running().id(); }
  Picos now() const override { return machine_.running().now(); }
  void charge(Op op, uint32_t count) override { machine_.charge(op, count); }
  void delay(Picos span) override {
    machine_.running().spend(span, static_cast<unsigned>(Label::kDriver));
  }
  void meet() override { machine_.running().meet(); }

 private:
  Machine& machine_;
};

class SimOrder : public Order {
 public:
  explicit SimOrder(Machine& machine) : machine_(machine) {}
  void dma_rmb() override { machine_.charge(Op::kDmb); }
  void dma_wmb() override { machine_.charge(Op::kDmb); }
  void rmb() override { machine_.charge(Op::kDsb); }
  void wmb() override { machine_.charge(Op::kDsb); }

 private:
  Machine& machine_;
};

class SimIrq : public Irq {
 public:
  SimIrq(Executive& executive, unsigned first_line, host::InterruptController::Trigger trigger)
      : executive_(executive), first_line_(first_line), trigger_(trigger) {}
  void request(unsigned line, IrqHandler& handler) override {
    executive_.connect_irq(first_line_ + line, line, handler, trigger_);
  }
  void free(unsigned line) override { executive_.disconnect_irq(first_line_ + line); }

 private:
  Executive& executive_;
  unsigned first_line_;
  host::InterruptController::Trigger trigger_;
};

class SimTimers : public Timers {
 public:
  explicit SimTimers(Executive& executive) : executive_(executive) {}
  void schedule(Work& work, Picos delay) override {
    executive_.schedule_work(work, executive_.core().now() + delay);
  }
  void cancel(Work& work) override { executive_.cancel_work(work); }

 private:
  Executive& executive_;
};

}  // namespace

Machine::Machine(const MachineConfig& config)
    : config_(config),
      driver_("calendar", calendar_),
      group_("cores", calendar_, driver_, config.quantum),
      memory_("memory", config.memory),
      cache_(memory_, config.coherent),
      interrupts_(config.interrupt_latency) {
  driver_.set_lookahead(config.quantum);
  for (unsigned i = 0; i < config.cores; ++i) {
    cores_.push_back(std::make_unique<host::Core>(i, group_));
    executives_.push_back(std::make_unique<Executive>(*this, *cores_[i]));
    cores_[i]->set_program(*executives_[i]);
  }
  sim_memory_ = std::make_unique<SimMemory>(*this);
}

Machine::~Machine() = default;

Process& Machine::process(unsigned core) {
  return *executives_[core];
}

Machine::DeviceHal::DeviceHal() = default;
Machine::DeviceHal::DeviceHal(DeviceHal&&) noexcept = default;
Machine::DeviceHal::~DeviceHal() = default;

Hal Machine::DeviceHal::view() {
  return Hal{*registers, *memory, *memory, *order, *cpu, *irq, *napi, *timers};
}

Machine::DeviceHal Machine::make_parts(unsigned core, unsigned first_line,
                                       host::InterruptController::Trigger trigger) {
  DeviceHal hal;
  hal.irq = std::make_unique<SimIrq>(*executives_[core], first_line, trigger);
  hal.napi = std::make_unique<SimNapi>(*executives_[core]);
  hal.timers = std::make_unique<SimTimers>(*executives_[core]);
  hal.cpu = std::make_unique<SimCpu>(*this);
  hal.order = std::make_unique<SimOrder>(*this);
  hal.memory = sim_memory_.get();
  return hal;
}

Machine::DeviceHal Machine::make_hal(const std::string& name, unsigned core, unsigned first_line) {
  DeviceHal hal = make_parts(core, first_line, host::InterruptController::Trigger::kLevel);
  hal.mmio = std::make_unique<SimMmio>((name + "_mmio").c_str(), *this);
  hal.registers = hal.mmio.get();
  return hal;
}

Machine::DeviceHal Machine::make_vector_hal(const DeviceHal& device, unsigned core, unsigned line) {
  DeviceHal hal = make_parts(core, line, host::InterruptController::Trigger::kEdge);
  hal.registers = device.registers;
  return hal;
}

}  // namespace doorbell::hal
