// A ring of eight descriptors moved by a tail register, in its two flavours: transmit with reports
// on request, receive with a mark on each.
#pragma once

#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/fake_machine.h"

namespace doorbell::hal::checks {

inline constexpr auto kTo = DmaDir::kToDevice;
inline constexpr auto kFrom = DmaDir::kFromDevice;

inline constexpr uint32_t kCount = 8;
inline constexpr uint32_t kStride = 16;
inline constexpr uint32_t kDoorbell = 0x40;
inline constexpr uint64_t kDone = 0xF;
inline constexpr uint64_t kReport = 0x20;

// Eight descriptors of an address and a command: bits 3:0 done mark, bit 5 report, 63:34 length.
class TailRules : public ::testing::Test {
 protected:
  explicit TailRules(DmaDir dir = kTo) {
    block = c.hal.dma.alloc_coherent(4096, 4096);
    base = block;
    spec.name = "ring";
    spec.handing = Handing::kTail;
    spec.direction = dir;
    spec.stride = kStride;
    spec.count = kCount;
    spec.base = base;
    spec.address = {0, 8};
    spec.length = {8, 8, 34, 0x3FFF};
    spec.control = {8, 8};
    spec.no_buffer_mask = 0xF;
    spec.report_mask = kReport;
    spec.done = {8, 8};
    spec.done_mask = spec.done_value = kDone;
    spec.doorbell_register = kDoorbell;
    spec.doorbell_is_index = true;
    spec.alone_in_block = true;
    spec.running = true;
    page = c.hal.dma.alloc_page();
    buffer = c.map(page, 4096, dir);
    c.step();
  }
  void add() { c.checked.add_ring(spec); }
  void fill(uint32_t i, bool report = true, uint32_t bytes = 64) {
    c.hal.coherent.write64(base + i * kStride, buffer + i * 256u);
    c.hal.coherent.write64(base + i * kStride + 8,
                           uint64_t{bytes} << 34 | 0x10 | (report ? kReport : 0));
  }
  void ring(uint32_t tail) {
    c.hal.mmio.write32(kDoorbell, tail);
    c.step();
  }
  void submit(uint32_t i, bool report = true) {
    fill(i, report);
    ring((i + 1) % kCount);
  }
  void report(uint32_t i, base::Picos later = base::Picos(0)) {
    uint8_t desc[kStride];
    base::store_le<uint64_t>(desc, buffer + i * 256u);
    base::store_le<uint64_t>(desc + 8, kDone);
    c.device_write(base + i * kStride, {desc, kStride}, later);
    c.step();
  }
  void expect_only(Rule rule, uint64_t times = 1) {
    EXPECT_EQ(c.count(rule), times) << info(rule).id;
    EXPECT_EQ(c.state.log().total(), times);
    for (const Finding& f : c.state.log().broken()) {
      if (f.rule != rule) ADD_FAILURE() << info(f.rule).id << ": " << f.message;
    }
  }
  void expect_silence() {
    for (const Finding& f : c.state.log().broken()) {
      ADD_FAILURE() << info(f.rule).id << ": " << f.message;
    }
  }
  Checked c{true};
  RingSpec spec;
  DmaAddr block = 0;
  DmaAddr base = 0;
  uint8_t* page = nullptr;
  DmaAddr buffer = 0;
};

// Every descriptor is reported, as on receive rings.
class TailRulesEach : public TailRules {
 protected:
  TailRulesEach() : TailRules(kFrom) {
    spec.length = {};
    spec.buffer_bytes = 128;
    spec.control = {};
    spec.no_buffer_mask = 0;
    spec.report_mask = 0;
    spec.done = {8, 2};
    spec.done_mask = spec.done_value = 1;
    spec.load_barrier = true;
  }
  void refill(uint32_t i) {
    c.hal.coherent.write64(base + i * kStride, buffer + i * 256u);
    c.hal.coherent.write16(base + i * kStride + 8, 0);
  }
  void done(uint32_t i, base::Picos later = base::Picos(0)) {
    uint8_t desc[kStride] = {};
    base::store_le<uint16_t>(desc + 8, 3);
    c.device_write(base + i * kStride, {desc, kStride}, later);
    c.step();
  }
};

}  // namespace doorbell::hal::checks
