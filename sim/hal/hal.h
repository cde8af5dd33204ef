// What a driver sees of the machine it runs on.
//
// Small pure-virtual interfaces in the shape of the kernel's own: register access, DMA mapping,
// memory barriers, interrupts, softirqs, timers and the CPU that pays for it all. A driver in
// sim/drivers compiles unchanged against the simulated machine (sim/hal/simulated), the scripted
// one of unit tests (sim/hal/scripted) and any other back end. No SystemC here. Time: every call
// happens at the calling core's local time and may advance it; nothing else blocks. Costs: calls
// charge the primitive they stand for (a load, a barrier, a line clean) by the platform's cost
// table. Drivers charge only pure software steps, through Cpu::charge. Rules modelled on Linux:
// Documentation/core-api/dma-api.rst, memory-barriers.txt (facts, not text).
#pragma once

#include <cstdint>

#include "models/base/bytes.h"
#include "models/base/units.h"
#include "sim/hal/op.h"

namespace doorbell::hal {

/// Address as a device's DMA engine sees it.
using DmaAddr = uint64_t;

enum class DmaDir : uint8_t { kToDevice, kFromDevice, kBidirectional };

/// Register window of one device. Offsets in bytes; 32-bit accesses, and narrower ones for devices
/// whose registers have them. Costs and order are the same for every width.
class Mmio {
 public:
  virtual ~Mmio() = default;
  /// readl: stalls the core for the round trip; loads after it are ordered behind it.
  virtual uint32_t read32(uint32_t offset) = 0;
  /// writel: posted; every store before it is visible to the device first (it implies dma_wmb).
  virtual void write32(uint32_t offset, uint32_t value) = 0;
  /// readb, writeb, writew: one access of that width, naturally aligned. A back end without them
  /// makes 32-bit ones, a read and a write for each narrow write.
  virtual uint8_t read8(uint32_t offset) {
    return static_cast<uint8_t>(read32(offset & ~3u) >> (8 * (offset & 3)));
  }
  virtual void write8(uint32_t offset, uint8_t value) { write_lanes(offset, 0xFF, value); }
  virtual void write16(uint32_t offset, uint16_t value) { write_lanes(offset, 0xFFFF, value); }

 private:
  void write_lanes(uint32_t offset, uint32_t mask, uint32_t value) {
    const unsigned shift = 8 * (offset & 3);
    write32(offset & ~3u, (read32(offset & ~3u) & ~(mask << shift)) | value << shift);
  }
};

/// Coherent memory: no cache, so each access is a transfer of its own on a non-coherent platform.
class Coherent {
 public:
  virtual ~Coherent() = default;
  virtual uint16_t read16(DmaAddr addr) = 0;
  virtual uint32_t read32(DmaAddr addr) = 0;
  virtual void write16(DmaAddr addr, uint16_t value) = 0;
  virtual void write32(DmaAddr addr, uint32_t value) = 0;
  /// One access of 64 bits, aligned. A back end without them makes two of 32, low half first.
  virtual uint64_t read64(DmaAddr addr) {
    const uint64_t low = read32(addr);
    return low | static_cast<uint64_t>(read32(addr + 4)) << 32;
  }
  virtual void write64(DmaAddr addr, uint64_t value) {
    write32(addr, static_cast<uint32_t>(value));
    write32(addr + 4, static_cast<uint32_t>(value >> 32));
  }
  /// Copies a block in, at one store per 8 bytes (TSO headers).
  virtual void write_bytes(DmaAddr addr, base::ByteView bytes) = 0;
};

/// How far the CPU has touched memory through its cache.
enum class Touch : uint8_t { kRead, kWrite };

/// Normal cached memory and streaming DMA. Pointers are the CPU's view; on a non-coherent platform
/// it differs from what the device sees until lines are cleaned or invalidated.
class Dma {
 public:
  virtual ~Dma() = default;

  /// Coherent block, zeroed. 0 when memory is exhausted (or the test asked for a failure).
  virtual DmaAddr alloc_coherent(uint32_t bytes, uint32_t align) = 0;
  virtual void free_coherent(DmaAddr addr) = 0;

  /// A page (4 KiB, aligned) of cached memory; nullptr when exhausted.
  virtual uint8_t* alloc_page() = 0;
  virtual void free_page(uint8_t* page) = 0;
  /// Physical address of cached memory, and back.
  virtual DmaAddr phys(const uint8_t* p) const = 0;
  virtual uint8_t* virt(DmaAddr addr) const = 0;

  /// Streaming map: cleans (to device) or invalidates (from device) `bytes` at `p`.
  /// Returns false in `ok` when the mapping fails.
  virtual DmaAddr map(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) = 0;
  virtual void unmap(DmaAddr addr, uint32_t bytes, DmaDir dir) = 0;
  /// map without cache maintenance, for pools that sync per use.
  virtual DmaAddr map_no_sync(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) = 0;
  virtual void unmap_no_sync(DmaAddr addr, uint32_t bytes, DmaDir dir) = 0;
  virtual void sync_for_device(DmaAddr addr, uint32_t bytes, DmaDir dir) = 0;
  virtual void sync_for_cpu(DmaAddr addr, uint32_t bytes, DmaDir dir) = 0;

  /// Must be called before the CPU reads or writes cached memory through a pointer: brings missing
  /// lines into the CPU's view (a charged miss each) and marks written ones dirty.
  virtual void touch(const uint8_t* p, uint32_t bytes, Touch how) = 0;
};

/// Memory barriers. A comment at each call names the two accesses it orders.
class Order {
 public:
  virtual ~Order() = default;
  virtual void dma_rmb() = 0;
  virtual void dma_wmb() = 0;
  virtual void rmb() = 0;
  virtual void wmb() = 0;
};

/// The core that runs the caller.
class Cpu {
 public:
  virtual ~Cpu() = default;
  virtual unsigned id() const = 0;
  virtual base::Picos now() const = 0;
  /// Spends `count` times the cost of `op` and books it under the op's label.
  virtual void charge(Op op, uint32_t count = 1) = 0;
  /// Busy wait, as udelay.
  virtual void delay(base::Picos span) = 0;
  /// Cores meet here: taking or releasing a lock, handing data to another core. All that other
  /// cores do before now() has been done when it returns. Costs nothing.
  virtual void meet() {}
};

/// Top half. Runs in interrupt context of the core the line is routed to.
class IrqHandler {
 public:
  virtual ~IrqHandler() = default;
  /// True if the device had an event (IRQ_HANDLED).
  virtual bool handle_irq(unsigned line) = 0;
};

class Irq {
 public:
  virtual ~Irq() = default;
  /// Connects `line` of the device (0 = its first) to `handler`. Level triggered.
  virtual void request(unsigned line, IrqHandler& handler) = 0;
  virtual void free(unsigned line) = 0;
};

/// One NAPI instance's poll function.
class NapiPoll {
 public:
  virtual ~NapiPoll() = default;
  /// Does up to `budget` receive packets; returns how many. Returning less than budget after
  /// Napi::complete() ends polling; returning budget keeps it scheduled. budget 0: transmit
  /// clean-up only, no page-pool calls.
  virtual int poll(int budget) = 0;
};

/// NAPI life cycle (napi_schedule, napi_complete_done, napi_enable, napi_disable).
class Napi {
 public:
  virtual ~Napi() = default;
  virtual void add(NapiPoll& poll, int weight) = 0;
  /// Schedules the poll in softirq context of this core; false if already scheduled or disabled.
  virtual bool schedule() = 0;
  /// Ends polling; false if it was rescheduled meanwhile and must go on.
  virtual bool complete(int done) = 0;
  virtual void enable() = 0;
  virtual void disable() = 0;
  /// napi_busy_loop, one round, on the calling core in process context: takes the instance if
  /// nobody has it, polls once with `budget` and hands it back with a second poll, whose complete()
  /// counts. With `hold` interrupts stay off from then on (prefer_busy_poll, gro_flush_timeout):
  /// complete() answers false, and polling in softirq starts `hold` later unless another round
  /// comes first; only when polls stay empty are interrupts enabled again. Packets, or -1 when
  /// somebody has it.
  virtual int busy_poll(int /*budget*/, base::Picos /*hold*/) { return -1; }
  /// local_bh_enable() in process context: pending softirqs of the calling core run now. Without it
  /// what schedule() raised in a system call waits for an interrupt or the tick.
  virtual void bh_enable() {}
};

/// A piece of deferred work in process context, as a delayed work item or a timer.
class Work {
 public:
  virtual ~Work() = default;
  virtual void run_work() = 0;
};

class Timers {
 public:
  virtual ~Timers() = default;
  /// Runs `work` once, `delay` from now on this core; scheduling again moves it.
  virtual void schedule(Work& work, base::Picos delay) = 0;
  virtual void cancel(Work& work) = 0;
};

/// Everything a probe function is handed.
struct Hal {
  Mmio& mmio;
  Coherent& coherent;
  Dma& dma;
  Order& order;
  Cpu& cpu;
  Irq& irq;
  Napi& napi;
  Timers& timers;
};

}  // namespace doorbell::hal
