// The smallest HAL that the checks can stand around: real bytes, a clock that the test moves, and a
// count of calls. It notices nothing itself, so that whatever is reported comes from the checks.
#pragma once

#include <cstring>
#include <vector>

#include "sim/hal/checks/checked_hal.h"

namespace doorbell::hal::checks {

inline constexpr DmaAddr kBase = 0x40000000;
inline constexpr uint32_t kSize = 1u << 20;
inline constexpr uint32_t kCoherentShare = 1u << 18;

class FakeMachine : public Mmio,
                    public Coherent,
                    public Dma,
                    public Order,
                    public Cpu,
                    public Irq,
                    public Napi,
                    public Timers {
 public:
  FakeMachine() : memory_(kSize) {
    for (uint32_t page = kSize / 4096; page-- > kCoherentShare / 4096;) free_.push_back(page);
  }
  Hal hal() { return Hal{*this, *this, *this, *this, *this, *this, *this, *this}; }

  uint64_t calls = 0;
  base::Picos time{1000};
  unsigned core = 0;
  bool fail_map = false;
  uint32_t last_offset = 0;
  uint32_t last_value = 0;

  // Mmio
  using Mmio::write16;
  uint32_t read32(uint32_t offset) override {
    ++calls;
    return offset + 7;
  }
  void write32(uint32_t offset, uint32_t value) override {
    ++calls;
    last_offset = offset;
    last_value = value;
  }

  // Coherent: the names clash with Mmio's, so the accesses go through this part.
  uint16_t read16(DmaAddr addr) override {
    ++calls;
    return base::load_le<uint16_t>(at(addr));
  }
  uint32_t read32(DmaAddr addr) override {
    ++calls;
    return base::load_le<uint32_t>(at(addr));
  }
  void write16(DmaAddr addr, uint16_t value) override {
    ++calls;
    base::store_le(at(addr), value);
  }
  void write32(DmaAddr addr, uint32_t value) override {
    ++calls;
    base::store_le(at(addr), value);
  }
  uint64_t read64(DmaAddr addr) override {
    ++calls;
    return base::load_le<uint64_t>(at(addr));
  }
  void write64(DmaAddr addr, uint64_t value) override {
    ++calls;
    base::store_le(at(addr), value);
  }
  void write_bytes(DmaAddr addr, base::ByteView bytes) override {
    ++calls;
    std::memcpy(at(addr), bytes.data, bytes.size);
  }

  // Dma
  DmaAddr alloc_coherent(uint32_t bytes, uint32_t align) override {
    ++calls;
    const DmaAddr addr = (next_ + align - 1) / align * align;
    next_ = addr + bytes;
    return addr;
  }
  void free_coherent(DmaAddr) override { ++calls; }
  uint8_t* alloc_page() override {
    ++calls;
    const uint32_t page = free_.back();
    free_.pop_back();
    return memory_.data() + page * 4096u;
  }
  void free_page(uint8_t* page) override {
    ++calls;
    free_.push_back(static_cast<uint32_t>((page - memory_.data()) / 4096));
  }
  DmaAddr phys(const uint8_t* p) const override {
    return kBase + static_cast<DmaAddr>(p - memory_.data());
  }
  uint8_t* virt(DmaAddr addr) const override {
    return const_cast<uint8_t*>(memory_.data()) + (addr - kBase);
  }
  DmaAddr map(const uint8_t* p, uint32_t, DmaDir, bool& ok) override {
    ++calls;
    ok = !fail_map;
    return phys(p);
  }
  void unmap(DmaAddr, uint32_t, DmaDir) override { ++calls; }
  DmaAddr map_no_sync(const uint8_t* p, uint32_t, DmaDir, bool& ok) override {
    ++calls;
    ok = !fail_map;
    return phys(p);
  }
  void unmap_no_sync(DmaAddr, uint32_t, DmaDir) override { ++calls; }
  void sync_for_device(DmaAddr, uint32_t, DmaDir) override { ++calls; }
  void sync_for_cpu(DmaAddr, uint32_t, DmaDir) override { ++calls; }
  void touch(const uint8_t*, uint32_t, Touch) override { ++calls; }

  // Order
  void dma_rmb() override { ++calls; }
  void dma_wmb() override { ++calls; }
  void rmb() override { ++calls; }
  void wmb() override { ++calls; }

  // Cpu
  unsigned id() const override { return core; }
  base::Picos now() const override { return time; }
  void charge(Op, uint32_t) override {}
  void delay(base::Picos span) override { time += span; }

  // Irq, Napi, Timers
  void request(unsigned, IrqHandler&) override {}
  void free(unsigned) override {}
  void add(NapiPoll&, int) override {}
  bool schedule() override { return true; }
  bool complete(int) override { return true; }
  void enable() override {}
  void disable() override {}
  void schedule(Work&, base::Picos) override {}
  void cancel(Work&) override {}

  uint8_t* at(DmaAddr addr) { return memory_.data() + (addr - kBase); }

 private:
  std::vector<uint8_t> memory_;
  std::vector<uint32_t> free_;
  DmaAddr next_ = kBase + 64;
};

/// A checked fake machine. Time moves a nanosecond at each step().
struct Checked {
  explicit Checked(bool coherent = false)
      : state({kBase, kSize, coherent}), checked(machine.hal(), state), hal(checked.view()) {}

  void step() { machine.time += base::Picos(1000); }
  uint64_t count(Rule rule) const { return state.log().count(rule); }
  const std::string& message(Rule rule) const { return state.log().of(rule).message; }
  DmaAddr map(const uint8_t* p, uint32_t bytes, DmaDir dir) {
    bool ok = false;
    return hal.dma.map(p, bytes, dir, ok);
  }
  DmaAddr map_no_sync(const uint8_t* p, uint32_t bytes, DmaDir dir) {
    bool ok = false;
    return hal.dma.map_no_sync(p, bytes, dir, ok);
  }
  void device_read(DmaAddr addr, uint32_t bytes) {
    state.device_read(addr, bytes, machine.time, nullptr);
  }
  /// Visible `later` after now.
  void device_write(DmaAddr addr, base::ByteView data, base::Picos later = base::Picos(0)) {
    std::memcpy(machine.at(addr), data.data, data.size);
    state.device_write(addr, data, machine.time, machine.time + later, nullptr);
  }
  void device_fill(DmaAddr addr, uint32_t bytes, base::Picos later = base::Picos(0)) {
    const std::vector<uint8_t> data(bytes, 0xD5);
    device_write(addr, {data.data(), data.size()}, later);
  }

  FakeMachine machine;
  CheckState state;
  CheckedHal checked;
  Hal hal;
};

}  // namespace doorbell::hal::checks
