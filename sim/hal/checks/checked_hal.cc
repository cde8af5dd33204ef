#include "sim/hal/checks/checked_hal.h"

namespace doorbell::hal::checks {

CheckedHal::CheckedHal(const Hal& inner, CheckState& state)
    : inner_(inner),
      state_(state),
      device_(state.add_device()),
      mmio_(*this),
      coherent_(*this),
      dma_(*this),
      order_(*this) {}

CheckedHal::CheckedHal(const Hal& inner, const CheckedHal& first)
    : inner_(inner),
      state_(first.state_),
      device_(first.device_),
      mmio_(*this),
      coherent_(*this),
      dma_(*this),
      order_(*this) {}

Hal CheckedHal::view() {
  return Hal{mmio_, coherent_, dma_, order_, inner_.cpu, inner_.irq, inner_.napi, inner_.timers};
}

// readl orders the loads after it.
uint32_t CheckedHal::CheckedMmio::read32(uint32_t offset) {
  const uint32_t value = hal_.inner_.mmio.read32(offset);
  hal_.state_.rings().load_barrier(hal_.inner_.cpu.id());
  return value;
}

void CheckedHal::CheckedMmio::write32(uint32_t offset, uint32_t value) {
  hal_.inner_.mmio.write32(offset, value);
  hal_.state_.rings().register_write(hal_.device_, offset, value, hal_.when());
}

uint8_t CheckedHal::CheckedMmio::read8(uint32_t offset) {
  const uint8_t value = hal_.inner_.mmio.read8(offset);
  hal_.state_.rings().load_barrier(hal_.inner_.cpu.id());
  return value;
}

void CheckedHal::CheckedMmio::write8(uint32_t offset, uint8_t value) {
  hal_.inner_.mmio.write8(offset, value);
  hal_.state_.rings().register_write(hal_.device_, offset, value, hal_.when());
}

void CheckedHal::CheckedMmio::write16(uint32_t offset, uint16_t value) {
  hal_.inner_.mmio.write16(offset, value);
  hal_.state_.rings().register_write(hal_.device_, offset, value, hal_.when());
}

void CheckedHal::CheckedCoherent::loaded(DmaAddr addr, uint32_t bytes) {
  const When when = hal_.when();
  if (hal_.state_.blocks().cpu_access(addr, bytes, "read", when.at) != nullptr) {
    hal_.state_.rings().load(addr, bytes, when);
  }
}

void CheckedHal::CheckedCoherent::stored(DmaAddr addr, base::ByteView bytes) {
  const When when = hal_.when();
  const auto size = static_cast<uint32_t>(bytes.size);
  if (auto* block = hal_.state_.blocks().cpu_access(addr, size, "wrote", when.at)) {
    CoherentBlocks::store(*block, addr, bytes);
    hal_.state_.rings().store(addr, size, when);
  }
}

uint16_t CheckedHal::CheckedCoherent::read16(DmaAddr addr) {
  const uint16_t value = hal_.inner_.coherent.read16(addr);
  loaded(addr, 2);
  return value;
}
uint32_t CheckedHal::CheckedCoherent::read32(DmaAddr addr) {
  const uint32_t value = hal_.inner_.coherent.read32(addr);
  loaded(addr, 4);
  return value;
}

void CheckedHal::CheckedCoherent::write16(DmaAddr addr, uint16_t value) {
  hal_.inner_.coherent.write16(addr, value);
  uint8_t bytes[2];
  base::store_le(bytes, value);
  stored(addr, {bytes, sizeof(bytes)});
}
void CheckedHal::CheckedCoherent::write32(DmaAddr addr, uint32_t value) {
  hal_.inner_.coherent.write32(addr, value);
  uint8_t bytes[4];
  base::store_le(bytes, value);
  stored(addr, {bytes, sizeof(bytes)});
}
uint64_t CheckedHal::CheckedCoherent::read64(DmaAddr addr) {
  const uint64_t value = hal_.inner_.coherent.read64(addr);
  loaded(addr, 8);
  return value;
}
void CheckedHal::CheckedCoherent::write64(DmaAddr addr, uint64_t value) {
  hal_.inner_.coherent.write64(addr, value);
  uint8_t bytes[8];
  base::store_le(bytes, value);
  stored(addr, {bytes, sizeof(bytes)});
}
void CheckedHal::CheckedCoherent::write_bytes(DmaAddr addr, base::ByteView bytes) {
  hal_.inner_.coherent.write_bytes(addr, bytes);
  stored(addr, bytes);
}

DmaAddr CheckedHal::CheckedDma::alloc_coherent(uint32_t bytes, uint32_t align) {
  const DmaAddr addr = hal_.inner_.dma.alloc_coherent(bytes, align);
  if (addr != 0) hal_.state_.blocks().allocated(addr, bytes, hal_.now());
  return addr;
}

void CheckedHal::CheckedDma::free_coherent(DmaAddr addr) {
  if (const auto* block = hal_.state_.blocks().find(addr, 1)) {
    hal_.state_.rings().forget(block->addr, block->bytes, hal_.now());
  }
  hal_.state_.blocks().freed(addr, hal_.now());
  hal_.inner_.dma.free_coherent(addr);
}

uint8_t* CheckedHal::CheckedDma::alloc_page() {
  uint8_t* page = hal_.inner_.dma.alloc_page();
  if (page != nullptr) hal_.state_.dma().page_allocated(phys(page), hal_.now());
  return page;
}

void CheckedHal::CheckedDma::free_page(uint8_t* page) {
  hal_.state_.dma().page_freed(phys(page), hal_.now());
  hal_.inner_.dma.free_page(page);
}

DmaAddr CheckedHal::CheckedDma::map(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) {
  const DmaAddr addr = hal_.inner_.dma.map(p, bytes, dir, ok);
  if (ok) hal_.state_.dma().map(addr, bytes, dir, true, hal_.now());
  return addr;
}

DmaAddr CheckedHal::CheckedDma::map_no_sync(const uint8_t* p, uint32_t bytes, DmaDir dir,
                                            bool& ok) {
  const DmaAddr addr = hal_.inner_.dma.map_no_sync(p, bytes, dir, ok);
  if (ok) hal_.state_.dma().map(addr, bytes, dir, false, hal_.now());
  return addr;
}

void CheckedHal::CheckedDma::unmapped(DmaAddr addr, uint32_t bytes, DmaDir dir, bool synced) {
  const base::Picos at = hal_.now();
  hal_.state_.dma().unmap(addr, bytes, dir, synced, at);
  hal_.state_.rings().unmap(addr, bytes, at);
}

void CheckedHal::CheckedDma::unmap(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  hal_.inner_.dma.unmap(addr, bytes, dir);
  unmapped(addr, bytes, dir, true);
}

void CheckedHal::CheckedDma::unmap_no_sync(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  hal_.inner_.dma.unmap_no_sync(addr, bytes, dir);
  unmapped(addr, bytes, dir, false);
}

void CheckedHal::CheckedDma::sync_for_device(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  hal_.inner_.dma.sync_for_device(addr, bytes, dir);
  hal_.state_.dma().sync_for_device(addr, bytes, dir, hal_.now());
}

void CheckedHal::CheckedDma::sync_for_cpu(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  hal_.inner_.dma.sync_for_cpu(addr, bytes, dir);
  hal_.state_.dma().sync_for_cpu(addr, bytes, dir, hal_.now());
}

void CheckedHal::CheckedDma::touch(const uint8_t* p, uint32_t bytes, Touch how) {
  const base::Picos at = hal_.now();
  hal_.inner_.dma.touch(p, bytes, how);
  const DmaAddr addr = phys(p);
  const bool owned = hal_.state_.rings().touch(addr, bytes, how, at);
  hal_.state_.dma().touch(addr, bytes, how, at, owned);
}

void CheckedHal::CheckedOrder::dma_rmb() {
  hal_.inner_.order.dma_rmb();
  hal_.state_.rings().load_barrier(hal_.inner_.cpu.id());
}
void CheckedHal::CheckedOrder::rmb() {
  hal_.inner_.order.rmb();
  hal_.state_.rings().load_barrier(hal_.inner_.cpu.id());
}
void CheckedHal::CheckedOrder::dma_wmb() {
  hal_.inner_.order.dma_wmb();
  hal_.state_.rings().store_barrier(hal_.inner_.cpu.id());
}
void CheckedHal::CheckedOrder::wmb() {
  hal_.inner_.order.wmb();
  hal_.state_.rings().store_barrier(hal_.inner_.cpu.id());
}

}  // namespace doorbell::hal::checks
