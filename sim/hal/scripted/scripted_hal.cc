#include "sim/hal/scripted/scripted_hal.h"

#include <algorithm>
#include <cassert>
#include <cinttypes>
#include <cstdio>

#include "sim/hal/scripted/scripted_parts.h"

namespace doorbell::hal {

namespace {

constexpr uint32_t kPage = 4096;

std::string describe(bool write, uint32_t offset, uint32_t value) {
  char text[64];
  if (write) {
    std::snprintf(text, sizeof text, "write 0x%03" PRIX32 " = 0x%08" PRIX32, offset, value);
  } else {
    std::snprintf(text, sizeof text, "read 0x%03" PRIX32, offset);
  }
  return text;
}

}  // namespace

ScriptedHal::ScriptedHal(uint32_t dram_bytes, uint32_t coherent_bytes)
    : dram_(dram_bytes),
      view_store_(dram_bytes + kPage),
      lines_(dram_bytes / kLineBytes, Line::kInvalid),
      coherent_bytes_(coherent_bytes),
      coherent_next_(kLineBytes),
      page_next_(coherent_bytes),
      page_live_(dram_bytes / kPage, false),
      mmio_(std::make_unique<MmioPart>(*this)),
      coherent_(std::make_unique<CoherentPart>(*this)),
      dma_(std::make_unique<DmaPart>(*this)),
      order_(std::make_unique<OrderPart>(*this)),
      cpu_(std::make_unique<CpuPart>(*this)),
      irq_(std::make_unique<IrqPart>(*this)),
      napi_(std::make_unique<NapiPart>(*this)),
      timers_part_(std::make_unique<TimersPart>(*this)),
      process_(std::make_unique<ProcessPart>(*this)),
      shared_(std::make_unique<SharedPart>(*this)),
      hal_{*mmio_, *coherent_, *dma_, *order_, *cpu_, *irq_, *napi_, *timers_part_} {
  assert(coherent_bytes % kPage == 0 && coherent_bytes < dram_bytes);
  const auto raw = reinterpret_cast<uintptr_t>(view_store_.data());
  view_ = view_store_.data() + (kPage - raw % kPage) % kPage;
}

ScriptedHal::~ScriptedHal() = default;

Process& ScriptedHal::process() {
  return *process_;
}
SharedMemory& ScriptedHal::shared() {
  return *shared_;
}

bool ScriptedHal::Failure::due() {
  if (count == 0) return false;
  if (after > 1) {
    --after;
    return false;
  }
  --count;
  return true;
}

ScriptedHal& ScriptedHal::expect_write(uint32_t offset, uint32_t value) {
  scripted_ = true;
  script_.push_back({true, offset, value});
  return *this;
}

ScriptedHal& ScriptedHal::expect_read(uint32_t offset, uint32_t answer) {
  scripted_ = true;
  script_.push_back({false, offset, answer});
  return *this;
}

bool ScriptedHal::finish_script() {
  if (script_next_ == script_.size()) return true;
  const Expectation& next = script_[script_next_];
  fail("MMIO #" + std::to_string(script_next_) + ": expected " +
       describe(next.write, next.offset, next.value) + ", got nothing more");
  return false;
}

uint32_t ScriptedHal::scripted_access(bool write, uint32_t offset, uint32_t value) {
  const std::string got = describe(write, offset, value);
  const std::string where = "MMIO #" + std::to_string(script_next_) + ": expected ";
  if (script_next_ == script_.size()) {
    fail(where + "nothing more, got " + got);
    return 0;
  }
  const Expectation& want = script_[script_next_++];
  const bool same = want.write == write && want.offset == offset && (!write || want.value == value);
  if (!same) fail(where + describe(want.write, want.offset, want.value) + ", got " + got);
  return want.write ? 0 : want.value;
}

uint64_t ScriptedHal::mmio_reads(uint32_t offset) const {
  const auto it = read_counts_.find(offset);
  return it == read_counts_.end() ? 0 : it->second;
}

uint64_t ScriptedHal::mmio_writes(uint32_t offset) const {
  const auto it = write_counts_.find(offset);
  return it == write_counts_.end() ? 0 : it->second;
}

void ScriptedHal::reset_counts() {
  counts_.fill(0);
  dma_wmbs_ = wmbs_ = 0;
  read_counts_.clear();
  write_counts_.clear();
  steps_.clear();
}

bool ScriptedHal::in_dram(DmaAddr addr, uint64_t bytes, const char* who) {
  if (addr >= kDramBase && addr + bytes <= kDramBase + dram_.size()) return true;
  char text[96];
  std::snprintf(text, sizeof text, "%s: 0x%" PRIX64 " + %" PRIu64 " is no memory", who, addr,
                bytes);
  fail(text);
  return false;
}

void ScriptedHal::device_write(DmaAddr addr, base::ByteView bytes) {
  if (!in_dram(addr, bytes.size, "device write")) return;
  std::copy(bytes.begin(), bytes.end(), dram_.begin() + static_cast<std::ptrdiff_t>(at(addr)));
}

std::vector<uint8_t> ScriptedHal::device_read(DmaAddr addr, uint32_t bytes) const {
  assert(addr >= kDramBase && at(addr) + bytes <= dram_.size());
  const auto first = dram_.begin() + static_cast<std::ptrdiff_t>(at(addr));
  return {first, first + bytes};
}

uint16_t ScriptedHal::peek16(DmaAddr addr) const {
  return base::load_le<uint16_t>(dram_.data() + at(addr));
}
uint32_t ScriptedHal::peek32(DmaAddr addr) const {
  return base::load_le<uint32_t>(dram_.data() + at(addr));
}
void ScriptedHal::poke16(DmaAddr addr, uint16_t value) {
  base::store_le(dram_.data() + at(addr), value);
}
void ScriptedHal::poke32(DmaAddr addr, uint32_t value) {
  base::store_le(dram_.data() + at(addr), value);
}

uint64_t ScriptedHal::peek64(DmaAddr addr) const {
  return base::load_le<uint64_t>(dram_.data() + at(addr));
}
void ScriptedHal::poke64(DmaAddr addr, uint64_t value) {
  base::store_le(dram_.data() + at(addr), value);
}

std::vector<uint8_t> ScriptedHal::cpu_would_read(const uint8_t* p, uint32_t bytes) const {
  std::vector<uint8_t> out(bytes);
  for (uint32_t i = 0; i < bytes; ++i) {
    const auto offset = static_cast<size_t>(p + i - view_);
    out[i] = lines_[offset / kLineBytes] == Line::kInvalid ? dram_[offset] : view_[offset];
  }
  return out;
}

void ScriptedHal::touch_lines(DmaAddr addr, uint32_t bytes, bool write) {
  if (bytes == 0 || !in_dram(addr, bytes, "touch")) return;
  for (size_t line = at(addr) / kLineBytes; line <= (at(addr) + bytes - 1) / kLineBytes; ++line) {
    if (lines_[line] == Line::kInvalid) {
      add(Op::kCacheMiss);
      std::copy_n(dram_.begin() + static_cast<std::ptrdiff_t>(line * kLineBytes), kLineBytes,
                  view_ + line * kLineBytes);
      lines_[line] = Line::kClean;
    }
    if (write) lines_[line] = Line::kDirty;
  }
}

// Every line costs, dirty or not; only dirty ones change DRAM.
void ScriptedHal::clean(DmaAddr addr, uint32_t bytes) {
  if (bytes == 0 || !in_dram(addr, bytes, "clean")) return;
  for (size_t line = at(addr) / kLineBytes; line <= (at(addr) + bytes - 1) / kLineBytes; ++line) {
    add(Op::kLineClean);
    if (lines_[line] != Line::kDirty) continue;
    std::copy_n(view_ + line * kLineBytes, kLineBytes,
                dram_.begin() + static_cast<std::ptrdiff_t>(line * kLineBytes));
    lines_[line] = Line::kClean;
  }
  add(Op::kDsb);
}

void ScriptedHal::invalidate(DmaAddr addr, uint32_t bytes) {
  if (bytes == 0 || !in_dram(addr, bytes, "invalidate")) return;
  const size_t start = at(addr);
  const size_t end = start + bytes;
  for (size_t line = start / kLineBytes; line <= (end - 1) / kLineBytes; ++line) {
    add(Op::kLineInvalidate);
    const bool partial = line * kLineBytes < start || (line + 1) * kLineBytes > end;
    if (partial && lines_[line] == Line::kDirty) {
      std::copy_n(view_ + line * kLineBytes, kLineBytes,
                  dram_.begin() + static_cast<std::ptrdiff_t>(line * kLineBytes));
    }
    lines_[line] = Line::kInvalid;
  }
  add(Op::kDsb);
}

void ScriptedHal::add_mapping(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  mappings_.insert({addr, {bytes, dir}});
}

void ScriptedHal::remove_mapping(DmaAddr addr, uint32_t bytes, DmaDir dir) {
  const auto range = mappings_.equal_range(addr);
  for (auto it = range.first; it != range.second; ++it) {
    if (it->second.bytes == bytes && it->second.dir == dir) {
      mappings_.erase(it);
      return;
    }
  }
  char text[96];
  std::snprintf(text, sizeof text, "unmap: 0x%" PRIX64 " + %" PRIu32 " was never mapped so", addr,
                bytes);
  fail(text);
}

void ScriptedHal::advance(base::Picos span) {
  const base::Picos end = now_ + span;
  for (;;) {
    const auto next =
        std::min_element(timers_.begin(), timers_.end(), [](const Timer& a, const Timer& b) {
          return a.due < b.due || (a.due == b.due && a.order < b.order);
        });
    if (next == timers_.end() || next->due > end) break;
    Work* work = next->work;
    now_ = base::max(now_, next->due);
    timers_.erase(next);
    work->run_work();
  }
  now_ = base::max(now_, end);
}

bool ScriptedHal::raise(unsigned line) {
  const auto it = handlers_.find(line);
  if (it == handlers_.end()) {
    fail("raise: no handler on line " + std::to_string(line));
    return false;
  }
  return it->second->handle_irq(line);
}

int ScriptedHal::run_napi() {
  if (!napi_scheduled_ || !napi_enabled_ || poll_ == nullptr) return -1;
  return poll_->poll(napi_weight_);
}

}  // namespace doorbell::hal
