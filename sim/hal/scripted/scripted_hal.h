// A HAL for unit tests of drivers: no device, no clock, every access is checked or counted.
//
// Registers: in script mode each access must be the next of the script, in order, and a read gets
// the script's answer; in store mode registers are plain memory with optional hooks. Memory is
// real: coherent blocks go straight to DRAM; pages have a CPU view and a DRAM view with a state per
// 64-byte line, so a missing clean or invalidate shows as stale bytes. Mappings and pages are
// tracked. Time moves only by advance() and delay(). Deviations are collected in failures(), each
// with index, expected and got; nothing throws. Not modelled: several cores running, cache
// capacity, cost.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/hal/hal.h"
#include "sim/hal/process.h"

namespace doorbell::hal {

/// One recorded step, in program order.
struct ScriptedStep {
  enum class Kind : uint8_t {
    kMmioRead,
    kMmioWrite,
    kLoad,   // coherent
    kStore,  // coherent
    kDmaRmb,
    kDmaWmb,
    kRmb,
    kWmb,
    kSyncForDevice,
    kSyncForCpu,
    kMap,
    kUnmap,
  };
  Kind kind;
  uint64_t address = 0;  // offset or address
  uint64_t value = 0;    // value or bytes
};

class ScriptedHal {
 public:
  static constexpr uint32_t kLineBytes = 64;
  static constexpr DmaAddr kDramBase = 0x40000000;

  explicit ScriptedHal(uint32_t dram_bytes = 16u << 20, uint32_t coherent_bytes = 2u << 20);
  ScriptedHal(const ScriptedHal&) = delete;
  ScriptedHal& operator=(const ScriptedHal&) = delete;

  Hal& hal() { return hal_; }
  /// Process context: preempt() and sleep() call the hooks, bh_enable() polls a scheduled NAPI.
  Process& process();
  SharedMemory& shared();

  // Registers.
  /// Appends to the script and switches to script mode.
  ScriptedHal& expect_write(uint32_t offset, uint32_t value);
  ScriptedHal& expect_read(uint32_t offset, uint32_t answer);
  /// True when the whole script was consumed. A failure is noted if not.
  bool finish_script();
  /// Back to store mode.
  void store_mode() { scripted_ = false; }
  void set_register(uint32_t offset, uint32_t value) { registers_[offset] = value; }
  uint32_t register_value(uint32_t offset) { return registers_[offset]; }
  void on_read(uint32_t offset, std::function<uint32_t()> hook) { read_hooks_[offset] = hook; }
  void on_write(uint32_t offset, std::function<void(uint32_t)> hook) {
    write_hooks_[offset] = hook;
  }
  uint64_t mmio_reads(uint32_t offset) const;
  uint64_t mmio_writes(uint32_t offset) const;

  // What happened.
  const std::vector<std::string>& failures() const { return failures_; }
  uint64_t count(Op op) const { return counts_[static_cast<size_t>(op)]; }
  uint64_t dma_wmbs() const { return dma_wmbs_; }
  uint64_t wmbs() const { return wmbs_; }
  void reset_counts();
  void record(bool on) { recording_ = on; }
  std::vector<ScriptedStep>& steps() { return steps_; }

  // Memory as the device sees it.
  void device_write(DmaAddr addr, base::ByteView bytes);
  std::vector<uint8_t> device_read(DmaAddr addr, uint32_t bytes) const;
  uint16_t peek16(DmaAddr addr) const;
  uint32_t peek32(DmaAddr addr) const;
  void poke16(DmaAddr addr, uint16_t value);
  void poke32(DmaAddr addr, uint32_t value);
  uint64_t peek64(DmaAddr addr) const;
  void poke64(DmaAddr addr, uint64_t value);
  /// What the CPU would read at `p` without a touch: its line, or DRAM if it has none.
  std::vector<uint8_t> cpu_would_read(const uint8_t* p, uint32_t bytes) const;

  uint32_t pages_out() const { return pages_out_; }
  uint32_t mappings() const { return static_cast<uint32_t>(mappings_.size()); }
  uint32_t coherent_blocks() const { return static_cast<uint32_t>(coherent_blocks_.size()); }
  /// Call number `after` from now (1: the next) fails, and `count` - 1 after it.
  void fail_maps(uint32_t after, uint32_t count) { map_failure_ = {after, count}; }
  void fail_pages(uint32_t after, uint32_t count) { page_failure_ = {after, count}; }
  void fail_coherent(uint32_t after, uint32_t count) { coherent_failure_ = {after, count}; }

  // Process context.
  void on_preempt(std::function<void()> hook) { preempt_hook_ = std::move(hook); }
  /// What sleep() answers; called with its timeout. Without a hook it times out, or, if for ever,
  /// notes a failure and says woken.
  void on_sleep(std::function<bool(base::Picos)> hook) { sleep_hook_ = std::move(hook); }
  uint64_t preempts() const { return preempts_; }
  uint64_t wakes() const { return wakes_; }
  uint64_t sleeps() const { return sleeps_; }
  Task* started_task() const { return task_; }
  uint32_t shared_bytes_out() const { return shared_out_; }
  void fail_shared(uint32_t after, uint32_t count) { shared_failure_ = {after, count}; }

  // Time, interrupts, softirq.
  base::Picos now() const { return now_; }
  /// Lets time pass and runs the work that falls due, in order.
  void advance(base::Picos span);
  unsigned timers_pending() const { return static_cast<unsigned>(timers_.size()); }
  void set_cpu(unsigned id) { cpu_id_ = id; }
  /// Calls the line's handler; what it returned.
  bool raise(unsigned line);
  bool has_irq(unsigned line) const { return handlers_.count(line) != 0; }
  bool napi_scheduled() const { return napi_scheduled_; }
  bool napi_enabled() const { return napi_enabled_; }
  int napi_weight() const { return napi_weight_; }
  /// Runs the poll function as the softirq would. Its result; -1 when not scheduled.
  int run_napi();

 private:
  struct Expectation {
    bool write = false;
    uint32_t offset = 0;
    uint32_t value = 0;
  };
  struct Failure {
    uint32_t after = 0;
    uint32_t count = 0;
    bool due();
  };
  struct Timer {
    Work* work;
    base::Picos due;
    uint64_t order;
  };
  struct Mapping {
    uint32_t bytes;
    DmaDir dir;
  };
  enum class Line : uint8_t { kInvalid, kClean, kDirty };

  struct MmioPart;
  struct CoherentPart;
  struct DmaPart;
  struct OrderPart;
  struct CpuPart;
  struct IrqPart;
  struct NapiPart;
  struct TimersPart;
  struct ProcessPart;
  struct SharedPart;

  void fail(std::string message) { failures_.push_back(std::move(message)); }
  void step(ScriptedStep::Kind kind, uint64_t address, uint64_t value) {
    if (recording_) steps_.push_back({kind, address, value});
  }
  void add(Op op, uint64_t n = 1) { counts_[static_cast<size_t>(op)] += n; }
  uint32_t scripted_access(bool write, uint32_t offset, uint32_t value);
  bool in_dram(DmaAddr addr, uint64_t bytes, const char* who);
  size_t at(DmaAddr addr) const { return static_cast<size_t>(addr - kDramBase); }
  void clean(DmaAddr addr, uint32_t bytes);
  void invalidate(DmaAddr addr, uint32_t bytes);
  void touch_lines(DmaAddr addr, uint32_t bytes, bool write);
  void add_mapping(DmaAddr addr, uint32_t bytes, DmaDir dir);
  void remove_mapping(DmaAddr addr, uint32_t bytes, DmaDir dir);

  // Members the parts use; declared before them.
  std::vector<uint8_t> dram_;
  std::vector<uint8_t> view_store_;
  uint8_t* view_ = nullptr;  // page aligned
  std::vector<Line> lines_;
  uint32_t coherent_bytes_;
  uint32_t coherent_next_ = 0;
  std::map<DmaAddr, uint32_t> coherent_blocks_;
  uint32_t page_next_;
  std::vector<uint32_t> free_pages_;
  std::vector<bool> page_live_;
  uint32_t pages_out_ = 0;
  std::multimap<DmaAddr, Mapping> mappings_;
  Failure map_failure_;
  Failure page_failure_;
  Failure coherent_failure_;

  bool scripted_ = false;
  std::vector<Expectation> script_;
  size_t script_next_ = 0;
  std::map<uint32_t, uint32_t> registers_;
  std::map<uint32_t, std::function<uint32_t()>> read_hooks_;
  std::map<uint32_t, std::function<void(uint32_t)>> write_hooks_;
  std::map<uint32_t, uint64_t> read_counts_;
  std::map<uint32_t, uint64_t> write_counts_;

  std::vector<std::string> failures_;
  std::array<uint64_t, kOpCount> counts_{};
  uint64_t dma_wmbs_ = 0;
  uint64_t wmbs_ = 0;
  bool recording_ = false;
  std::vector<ScriptedStep> steps_;

  base::Picos now_;
  unsigned cpu_id_ = 0;
  std::vector<Timer> timers_;
  uint64_t timer_order_ = 0;
  std::map<unsigned, IrqHandler*> handlers_;
  NapiPoll* poll_ = nullptr;
  int napi_weight_ = 0;
  bool napi_enabled_ = false;
  bool napi_scheduled_ = false;

  std::function<void()> preempt_hook_;
  std::function<bool(base::Picos)> sleep_hook_;
  uint64_t preempts_ = 0;
  uint64_t wakes_ = 0;
  uint64_t sleeps_ = 0;
  Task* task_ = nullptr;
  std::multimap<uint32_t, uint32_t> shared_free_;  // by bytes: offset
  uint32_t shared_out_ = 0;
  Failure shared_failure_;

  std::unique_ptr<MmioPart> mmio_;
  std::unique_ptr<CoherentPart> coherent_;
  std::unique_ptr<DmaPart> dma_;
  std::unique_ptr<OrderPart> order_;
  std::unique_ptr<CpuPart> cpu_;
  std::unique_ptr<IrqPart> irq_;
  std::unique_ptr<NapiPart> napi_;
  std::unique_ptr<TimersPart> timers_part_;
  std::unique_ptr<ProcessPart> process_;
  std::unique_ptr<SharedPart> shared_;
  Hal hal_;

 public:
  ~ScriptedHal();
};

}  // namespace doorbell::hal
