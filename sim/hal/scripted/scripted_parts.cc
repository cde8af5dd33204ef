#include "sim/hal/scripted/scripted_parts.h"

#include <algorithm>
#include <cassert>

namespace doorbell::hal {

using Kind = ScriptedStep::Kind;

namespace {
constexpr uint32_t kPage = 4096;
}

uint32_t ScriptedHal::MmioPart::read32(uint32_t offset) {
  host.add(Op::kMmioRead);
  ++host.read_counts_[offset];
  uint32_t value = 0;
  const auto hook = host.read_hooks_.find(offset);
  if (host.scripted_) {
    value = host.scripted_access(false, offset, 0);
  } else if (hook != host.read_hooks_.end()) {
    value = hook->second();
  } else {
    value = host.registers_[offset];
  }
  host.step(Kind::kMmioRead, offset, value);
  return value;
}

void ScriptedHal::MmioPart::write32(uint32_t offset, uint32_t value) {
  host.add(Op::kMmioWrite);
  ++host.write_counts_[offset];
  host.step(Kind::kMmioWrite, offset, value);
  if (host.scripted_) {
    host.scripted_access(true, offset, value);
    return;
  }
  host.registers_[offset] = value;
  const auto hook = host.write_hooks_.find(offset);
  if (hook != host.write_hooks_.end()) hook->second(value);
}

bool ScriptedHal::CoherentPart::check(DmaAddr addr, uint32_t bytes, uint32_t align) {
  auto it = host.coherent_blocks_.upper_bound(addr);
  if (it != host.coherent_blocks_.begin()) {
    --it;
    if (addr + bytes <= it->first + it->second && addr % align == 0) return true;
  }
  host.fail("coherent access outside any block or misaligned");
  return false;
}

uint16_t ScriptedHal::CoherentPart::read16(DmaAddr addr) {
  host.add(Op::kUncachedLoad);
  if (!check(addr, 2, 2)) return 0;
  const uint16_t value = host.peek16(addr);
  host.step(Kind::kLoad, addr, value);
  return value;
}

uint32_t ScriptedHal::CoherentPart::read32(DmaAddr addr) {
  host.add(Op::kUncachedLoad);
  if (!check(addr, 4, 4)) return 0;
  const uint32_t value = host.peek32(addr);
  host.step(Kind::kLoad, addr, value);
  return value;
}

void ScriptedHal::CoherentPart::write16(DmaAddr addr, uint16_t value) {
  host.add(Op::kUncachedStore);
  if (!check(addr, 2, 2)) return;
  host.step(Kind::kStore, addr, value);
  host.poke16(addr, value);
}

void ScriptedHal::CoherentPart::write32(DmaAddr addr, uint32_t value) {
  host.add(Op::kUncachedStore);
  if (!check(addr, 4, 4)) return;
  host.step(Kind::kStore, addr, value);
  host.poke32(addr, value);
}

uint64_t ScriptedHal::CoherentPart::read64(DmaAddr addr) {
  host.add(Op::kUncachedLoad);
  if (!check(addr, 8, 8)) return 0;
  const uint64_t value = host.peek64(addr);
  host.step(Kind::kLoad, addr, value);
  return value;
}

void ScriptedHal::CoherentPart::write64(DmaAddr addr, uint64_t value) {
  host.add(Op::kUncachedStore);
  if (!check(addr, 8, 8)) return;
  host.step(Kind::kStore, addr, value);
  host.poke64(addr, value);
}

void ScriptedHal::CoherentPart::write_bytes(DmaAddr addr, base::ByteView bytes) {
  host.add(Op::kUncachedStore, (bytes.size + 7) / 8);
  if (!check(addr, static_cast<uint32_t>(bytes.size), 1)) return;
  host.step(Kind::kStore, addr, bytes.size);
  host.device_write(addr, bytes);
}

DmaAddr ScriptedHal::DmaPart::alloc_coherent(uint32_t bytes, uint32_t align) {
  if (host.coherent_failure_.due()) return 0;
  const uint32_t start = (host.coherent_next_ + align - 1) / align * align;
  if (start + bytes > host.coherent_bytes_) return 0;
  host.coherent_next_ = start + bytes;
  std::fill_n(host.dram_.begin() + start, bytes, uint8_t{0});
  host.coherent_blocks_[kDramBase + start] = bytes;
  return kDramBase + start;
}

void ScriptedHal::DmaPart::free_coherent(DmaAddr addr) {
  if (host.coherent_blocks_.erase(addr) == 0) host.fail("free_coherent: no such block");
}

uint8_t* ScriptedHal::DmaPart::alloc_page() {
  if (host.page_failure_.due()) return nullptr;
  uint32_t offset = host.page_next_;
  if (!host.free_pages_.empty()) {
    offset = host.free_pages_.back();
    host.free_pages_.pop_back();
  } else if (offset + kPage > host.dram_.size()) {
    return nullptr;
  } else {
    host.page_next_ += kPage;
  }
  host.page_live_[offset / kPage] = true;
  ++host.pages_out_;
  return host.view_ + offset;
}

void ScriptedHal::DmaPart::free_page(uint8_t* page) {
  const auto offset = static_cast<uint32_t>(page - host.view_);
  if (offset % kPage != 0 || !host.page_live_[offset / kPage]) {
    host.fail("free_page: not a live page");
    return;
  }
  host.page_live_[offset / kPage] = false;
  --host.pages_out_;
  host.free_pages_.push_back(offset);
}

DmaAddr ScriptedHal::DmaPart::phys(const uint8_t* p) const {
  assert(p >= host.view_ && p < host.view_ + host.dram_.size());
  return kDramBase + static_cast<DmaAddr>(p - host.view_);
}

uint8_t* ScriptedHal::DmaPart::virt(DmaAddr addr) const {
  assert(addr >= kDramBase && addr < kDramBase + host.dram_.size());
  return host.view_ + (addr - kDramBase);
}

DmaAddr ScriptedHal::DmaPart::map(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) {
  const DmaAddr addr = map_no_sync(p, bytes, dir, ok);
  if (ok) host.clean(addr, bytes);
  return addr;
}

void ScriptedHal::DmaPart::unmap(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  unmap_no_sync(addr, bytes, dir);
  if (dir != DmaDir::kToDevice) host.invalidate(addr, bytes);
}

DmaAddr ScriptedHal::DmaPart::map_no_sync(const uint8_t* p, uint32_t bytes, DmaDir dir, bool& ok) {
  ok = !host.map_failure_.due();
  if (!ok) return 0;
  const DmaAddr addr = phys(p);
  host.step(Kind::kMap, addr, bytes);
  host.add_mapping(addr, bytes, dir);
  return addr;
}

void ScriptedHal::DmaPart::unmap_no_sync(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  host.step(Kind::kUnmap, addr, bytes);
  host.remove_mapping(addr, bytes, dir);
}

void ScriptedHal::DmaPart::sync_for_device(DmaAddr addr, uint32_t bytes, DmaDir) {
  host.step(Kind::kSyncForDevice, addr, bytes);
  host.clean(addr, bytes);
}

void ScriptedHal::DmaPart::sync_for_cpu(DmaAddr addr, uint32_t bytes, DmaDir) {
  host.step(Kind::kSyncForCpu, addr, bytes);
  host.invalidate(addr, bytes);
}

void ScriptedHal::DmaPart::touch(const uint8_t* p, uint32_t bytes, Touch how) {
  host.touch_lines(phys(p), bytes, how == Touch::kWrite);
}

void ScriptedHal::OrderPart::dma_rmb() {
  host.add(Op::kDmb);
  host.step(Kind::kDmaRmb, 0, 0);
}
void ScriptedHal::OrderPart::dma_wmb() {
  host.add(Op::kDmb);
  ++host.dma_wmbs_;
  host.step(Kind::kDmaWmb, 0, 0);
}
void ScriptedHal::OrderPart::rmb() {
  host.add(Op::kDsb);
  host.step(Kind::kRmb, 0, 0);
}
void ScriptedHal::OrderPart::wmb() {
  host.add(Op::kDsb);
  ++host.wmbs_;
  host.step(Kind::kWmb, 0, 0);
}

void ScriptedHal::NapiPart::add(NapiPoll& poll, int weight) {
  host.poll_ = &poll;
  host.napi_weight_ = weight;
}

bool ScriptedHal::NapiPart::schedule() {
  if (!host.napi_enabled_ || host.napi_scheduled_) return false;
  host.napi_scheduled_ = true;
  return true;
}

bool ScriptedHal::NapiPart::complete(int) {
  host.napi_scheduled_ = false;
  return true;
}

void ScriptedHal::NapiPart::enable() {
  if (host.napi_enabled_) host.fail("napi: enabled twice");
  host.napi_enabled_ = true;
}

void ScriptedHal::NapiPart::disable() {
  if (!host.napi_enabled_) host.fail("napi: disabled twice");
  host.napi_enabled_ = false;
  host.napi_scheduled_ = false;
}

int ScriptedHal::NapiPart::busy_poll(int budget, base::Picos) {
  if (!host.napi_enabled_ || host.napi_scheduled_ || host.poll_ == nullptr) return -1;
  host.napi_scheduled_ = true;
  const int done = host.poll_->poll(budget);
  host.napi_scheduled_ = false;
  return done;
}

void ScriptedHal::NapiPart::bh_enable() {
  if (host.napi_scheduled_) host.run_napi();
}

void ScriptedHal::ProcessPart::preempt() {
  ++host.preempts_;
  if (host.preempt_hook_) host.preempt_hook_();
}

void ScriptedHal::ProcessPart::bh_enable() {
  if (host.napi_scheduled_) host.run_napi();
  preempt();
}

bool ScriptedHal::ProcessPart::sleep(base::Picos timeout) {
  ++host.sleeps_;
  if (host.sleep_hook_) return host.sleep_hook_(timeout);
  if (timeout == base::kNever) {
    host.fail("sleep for ever with nobody to wake");
    return true;
  }
  host.advance(timeout);
  return false;
}

uint8_t* ScriptedHal::SharedPart::alloc_shared(uint32_t bytes) {
  if (host.shared_failure_.due()) return nullptr;
  const uint32_t whole = (bytes + kPage - 1) / kPage * kPage;
  uint32_t offset = host.page_next_;
  const auto reused = host.shared_free_.find(whole);
  if (reused != host.shared_free_.end()) {
    offset = reused->second;
    host.shared_free_.erase(reused);
  } else if (offset + whole > host.dram_.size()) {
    return nullptr;
  } else {
    host.page_next_ += whole;
  }
  std::fill_n(host.dram_.begin() + offset, whole, uint8_t{0});
  std::fill_n(host.view_ + offset, whole, uint8_t{0});
  host.shared_out_ += whole;
  return host.view_ + offset;
}

void ScriptedHal::SharedPart::free_shared(uint8_t* p, uint32_t bytes) {
  const uint32_t whole = (bytes + kPage - 1) / kPage * kPage;
  host.shared_free_.emplace(whole, static_cast<uint32_t>(p - host.view_));
  host.shared_out_ -= whole;
}

void ScriptedHal::SharedPart::poke(uint8_t* p, base::ByteView bytes) {
  std::copy(bytes.begin(), bytes.end(), p);
  host.device_write(host.hal_.dma.phys(p), bytes);
}

void ScriptedHal::TimersPart::schedule(Work& work, base::Picos delay) {
  cancel(work);
  host.timers_.push_back({&work, host.now_ + delay, host.timer_order_++});
}

void ScriptedHal::TimersPart::cancel(Work& work) {
  host.timers_.erase(std::remove_if(host.timers_.begin(), host.timers_.end(),
                                    [&](const Timer& t) { return t.work == &work; }),
                     host.timers_.end());
}

}  // namespace doorbell::hal
