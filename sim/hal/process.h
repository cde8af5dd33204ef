// Process context: an application's thread on a core, and memory that it shares with the kernel.
//
// One thread a core. It runs until something takes the core away: code in process context calls
// preempt() at points where an interrupt may come in, often enough that an interrupt is not late by
// more than a packet's work. There interrupts, the softirqs they raise, the scheduler's tick,
// ksoftirqd's share of the core and due work run, on the thread's core and time. A softirq raised
// in process context itself (napi_schedule() in a system call) runs at the end of the next
// interrupt or tick on this core, or at bh_enable(), as in Linux, and not before.
// Not modelled: several threads a core, migration, priorities, signals.
#pragma once

#include <cstdint>

#include "models/base/bytes.h"
#include "models/base/units.h"

namespace doorbell::hal {

class Process;

/// An application's thread.
class Task {
 public:
  virtual ~Task() = default;
  /// Runs in process context of its core; the thread ends when it returns.
  virtual void run_task(Process& process) = 0;
};

/// The operating system as code in process context of one core sees it.
class Process {
 public:
  virtual ~Process() = default;
  virtual unsigned cpu() const = 0;
  /// Starts a thread on this core, from any context. One at a time.
  virtual void start(Task& task) = 0;
  /// A point where the core may be taken away. Returns when the thread goes on.
  virtual void preempt() = 0;
  /// local_bh_enable(): pending softirqs of this core run now. Also a preempt().
  virtual void bh_enable() = 0;
  /// Blocks the thread until wake() or, if it is not kNever, `timeout` from now. True: woken. A
  /// wake() since the last sleep() counts, so none is lost.
  virtual bool sleep(base::Picos timeout) = 0;
  /// Ends the thread's sleep. From any context; a core calls Cpu::meet() first.
  virtual void wake() = 0;

  /// Adds a word of shared memory that the thread's spinning loop looks at; clear_watch() forgets
  /// them all.
  virtual void watch(const uint8_t* /*word*/) {}
  virtual void clear_watch() {}
  /// Call at the end of a round of a loop that did nothing but look at watched words, and cost one
  /// Op::AppLoop. Until another core has written to one of them, or something else wants this core,
  /// every round would be the same: passes as many as fit, charged, and returns their number. Saves
  /// the simulator the work; what is simulated does not change.
  virtual uint64_t spin() { return 0; }
};

/// Cached memory that an application maps and the kernel uses too: rings, packet buffers. Touching
/// it (Dma::touch) from a core whose copy of a line another core has changed since costs
/// Op::LineTransfer.
class SharedMemory {
 public:
  virtual ~SharedMemory() = default;
  /// Zeroed, page aligned, contiguous in physical memory; nullptr when there is no such room.
  virtual uint8_t* alloc_shared(uint32_t bytes) = 0;
  virtual void free_shared(uint8_t* p, uint32_t bytes) = 0;
  /// Puts bytes there as if they had always been there: no time, no change of any cache's state.
  /// For marks of the simulator itself, such as sequence numbers in frames that a real application
  /// sends over and over.
  virtual void poke(uint8_t* p, base::ByteView bytes) = 0;
};

}  // namespace doorbell::hal
