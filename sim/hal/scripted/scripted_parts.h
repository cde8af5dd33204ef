// The interfaces of hal.h on top of ScriptedHal's state. Included by scripted_*.cc only.
#pragma once

#include "sim/hal/scripted/scripted_hal.h"

namespace doorbell::hal {

struct ScriptedHal::MmioPart : Mmio {
  explicit MmioPart(ScriptedHal& h) : host(h) {}
  uint32_t read32(uint32_t offset) override;
  void write32(uint32_t offset, uint32_t value) override;
  // A narrow register is one of its own: at its offset, in scripts, hooks and counts.
  uint8_t read8(uint32_t offset) override { return static_cast<uint8_t>(read32(offset)); }
  void write8(uint32_t offset, uint8_t value) override { write32(offset, value); }
  void write16(uint32_t offset, uint16_t value) override { write32(offset, value); }
  ScriptedHal& host;
};

struct ScriptedHal::CoherentPart : Coherent {
  explicit CoherentPart(ScriptedHal& h) : host(h) {}
  uint16_t read16(DmaAddr addr) override;
  uint32_t read32(DmaAddr addr) override;
  void write16(DmaAddr addr, uint16_t value) override;
  void write32(DmaAddr addr, uint32_t value) override;
  uint64_t read64(DmaAddr addr) override;
  void write64(DmaAddr addr, uint64_t value) override;
  void write_bytes(DmaAddr addr, base::ByteView bytes) override;
  bool check(DmaAddr addr, uint32_t bytes, uint32_t align);
  ScriptedHal& host;
};

struct ScriptedHal::DmaPart : Dma {
  explicit DmaPart(ScriptedHal& h) : host(h) {}
  DmaAddr alloc_coherent(uint32_t bytes, uint32_t align) override;
  void free_coherent(DmaAddr addr) override;
  uint8_t* alloc_page() override;
  void free_page(uint8_t* page) override;
  DmaAddr phys(const uint8_t* p) const override;
  uint8_t* virt(DmaAddr addr) const override;
  DmaAddr map(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) override;
  void unmap(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
  DmaAddr map_no_sync(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) override;
  void unmap_no_sync(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
  void sync_for_device(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
  void sync_for_cpu(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
  void touch(const uint8_t* p, uint32_t bytes, Touch how) override;
  ScriptedHal& host;
};

struct ScriptedHal::OrderPart : Order {
  explicit OrderPart(ScriptedHal& h) : host(h) {}
  void dma_rmb() override;
  void dma_wmb() override;
  void rmb() override;
  void wmb() override;
  ScriptedHal& host;
};

struct ScriptedHal::CpuPart : Cpu {
  explicit CpuPart(ScriptedHal& h) : host(h) {}
  unsigned id() const override { return host.cpu_id_; }
  base::Picos now() const override { return host.now_; }
  void charge(Op op, uint32_t count) override { host.add(op, count); }
  void delay(base::Picos span) override { host.now_ += span; }
  ScriptedHal& host;
};

struct ScriptedHal::IrqPart : Irq {
  explicit IrqPart(ScriptedHal& h) : host(h) {}
  void request(unsigned line, IrqHandler& handler) override { host.handlers_[line] = &handler; }
  void free(unsigned line) override { host.handlers_.erase(line); }
  ScriptedHal& host;
};

struct ScriptedHal::NapiPart : Napi {
  explicit NapiPart(ScriptedHal& h) : host(h) {}
  void add(NapiPoll& poll, int weight) override;
  bool schedule() override;
  bool complete(int done) override;
  void enable() override;
  void disable() override;
  int busy_poll(int budget, base::Picos hold) override;
  void bh_enable() override;
  ScriptedHal& host;
};

struct ScriptedHal::TimersPart : Timers {
  explicit TimersPart(ScriptedHal& h) : host(h) {}
  void schedule(Work& work, base::Picos delay) override;
  void cancel(Work& work) override;
  ScriptedHal& host;
};

struct ScriptedHal::ProcessPart : Process {
  explicit ProcessPart(ScriptedHal& h) : host(h) {}
  unsigned cpu() const override { return host.cpu_id_; }
  void start(Task& task) override { host.task_ = &task; }
  void preempt() override;
  void bh_enable() override;
  bool sleep(base::Picos timeout) override;
  void wake() override { ++host.wakes_; }
  ScriptedHal& host;
};

struct ScriptedHal::SharedPart : SharedMemory {
  explicit SharedPart(ScriptedHal& h) : host(h) {}
  uint8_t* alloc_shared(uint32_t bytes) override;
  void free_shared(uint8_t* p, uint32_t bytes) override;
  void poke(uint8_t* p, base::ByteView bytes) override;
  ScriptedHal& host;
};

}  // namespace doorbell::hal
