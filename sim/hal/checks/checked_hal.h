// A HAL that watches its user: the DMA sanitizer and ring checks around any other HAL.
//
// Give the driver (and the stack it uses) view() in place of the inner HAL. Each call goes to the
// inner interface exactly once and is judged when it returns; no simulated time is added, so a
// checked run and an unchecked one are the same to the picosecond. A touch is judged at the time it
// was made, before its misses are paid for. Interrupts, NAPI, timers and the CPU pass through.
// The inner HAL's parts and the CheckState must outlive it. A device with several views (one for
// each interrupt vector) gets one of these for each view, all but the first made from the first.
#pragma once

#include "sim/hal/checks/check_state.h"
#include "sim/hal/checks/ring_spec.h"
#include "sim/hal/hal.h"

namespace doorbell::hal::checks {

class CheckedHal {
 public:
  /// A device's first view.
  CheckedHal(const Hal& inner, CheckState& state);
  /// One more view of the device of `first`.
  CheckedHal(const Hal& inner, const CheckedHal& first);
  CheckedHal(const CheckedHal&) = delete;
  CheckedHal& operator=(const CheckedHal&) = delete;

  Hal view();
  CheckState& state() { return state_; }
  /// A ring of this HAL's device, at any time; one with the name of an older one replaces it. Rings
  /// handed over by marks must come before the driver uses them. `when`: for rings that the device
  /// works on already.
  void add_ring(const RingSpec& spec, const When& when = {}) {
    state_.rings().add_ring(device_, spec, when);
  }
  /// The device leaves the ring alone from now on; or all of its rings.
  void stop_ring(const std::string& name, base::Picos at) {
    state_.rings().stop_ring(device_, name, at);
  }
  void stop_rings(base::Picos at) { state_.rings().stop_all(device_, at); }
  /// Is told of the device's register writes, through whatever view; null: nobody.
  void set_watch(RegisterWatch* watch) { state_.rings().set_watch(device_, watch); }

 private:
  class CheckedMmio : public Mmio {
   public:
    explicit CheckedMmio(CheckedHal& hal) : hal_(hal) {}
    uint32_t read32(uint32_t offset) override;
    void write32(uint32_t offset, uint32_t value) override;
    uint8_t read8(uint32_t offset) override;
    void write8(uint32_t offset, uint8_t value) override;
    void write16(uint32_t offset, uint16_t value) override;

   private:
    CheckedHal& hal_;
  };

  class CheckedCoherent : public Coherent {
   public:
    explicit CheckedCoherent(CheckedHal& hal) : hal_(hal) {}
    uint16_t read16(DmaAddr addr) override;
    uint32_t read32(DmaAddr addr) override;
    void write16(DmaAddr addr, uint16_t value) override;
    void write32(DmaAddr addr, uint32_t value) override;
    uint64_t read64(DmaAddr addr) override;
    void write64(DmaAddr addr, uint64_t value) override;
    void write_bytes(DmaAddr addr, base::ByteView bytes) override;

   private:
    void loaded(DmaAddr addr, uint32_t bytes);
    void stored(DmaAddr addr, base::ByteView bytes);
    CheckedHal& hal_;
  };

  class CheckedDma : public Dma {
   public:
    explicit CheckedDma(CheckedHal& hal) : hal_(hal) {}
    DmaAddr alloc_coherent(uint32_t bytes, uint32_t align) override;
    void free_coherent(DmaAddr addr) override;
    uint8_t* alloc_page() override;
    void free_page(uint8_t* page) override;
    DmaAddr phys(const uint8_t* p) const override { return hal_.inner_.dma.phys(p); }
    uint8_t* virt(DmaAddr addr) const override { return hal_.inner_.dma.virt(addr); }
    DmaAddr map(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) override;
    void unmap(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
    DmaAddr map_no_sync(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) override;
    void unmap_no_sync(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
    void sync_for_device(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
    void sync_for_cpu(DmaAddr addr, uint32_t bytes, DmaDir dir) override;
    void touch(const uint8_t* p, uint32_t bytes, Touch how) override;

   private:
    void unmapped(DmaAddr addr, uint32_t bytes, DmaDir dir, bool synced);
    CheckedHal& hal_;
  };

  class CheckedOrder : public Order {
   public:
    explicit CheckedOrder(CheckedHal& hal) : hal_(hal) {}
    void dma_rmb() override;
    void dma_wmb() override;
    void rmb() override;
    void wmb() override;

   private:
    CheckedHal& hal_;
  };

  base::Picos now() const { return inner_.cpu.now(); }
  When when() const { return {inner_.cpu.now(), inner_.cpu.id()}; }

  Hal inner_;
  CheckState& state_;
  unsigned device_;
  CheckedMmio mmio_;
  CheckedCoherent coherent_;
  CheckedDma dma_;
  CheckedOrder order_;
};

}  // namespace doorbell::hal::checks
