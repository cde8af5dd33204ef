// A scripted E810 driver's day, word by word: admin queue, contexts, descriptors, doorbells.
// Numbers are typed from the fact sheet.
#pragma once

#include <gtest/gtest.h>

#include "sim/hal/checks/ice_rings.h"
#include "testbenches/sim/hal/checks/fake_machine.h"

namespace doorbell::hal::checks {

inline constexpr uint32_t kTxDoorbell = 0x002C0000;
inline constexpr uint32_t kRxTail = 0x00290000;
inline constexpr uint32_t kRxControl = 0x00120000;
inline constexpr uint32_t kRxContext = 0x00280000;
inline constexpr uint64_t kEop = 0x10;
inline constexpr uint64_t kRs = 0x20;

inline void put_bits(uint8_t* bytes, unsigned lsb, unsigned width, uint64_t value) {
  for (unsigned i = 0; i < width; ++i) {
    if ((value >> i & 1) != 0) bytes[(lsb + i) / 8] |= static_cast<uint8_t>(1u << (lsb + i) % 8);
  }
}

class IceDriverDay : public ::testing::Test {
 protected:
  static constexpr uint32_t kAdminRing = 16;
  IceDriverDay() : rings(c.checked, {"ice", 32, true}) {
    admin = c.hal.dma.alloc_coherent(kAdminRing * 32, 4096);
    admin_buffer = c.hal.dma.alloc_coherent(4096, 4096);
    c.hal.mmio.write32(0x00080400, 0);  // PF_FW_ATQT
    c.hal.mmio.write32(0x00080000, static_cast<uint32_t>(admin));
    c.hal.mmio.write32(0x00080100, static_cast<uint32_t>(admin >> 32));
    c.hal.mmio.write32(0x00080200, kAdminRing | 1u << 31);
    for (unsigned i = 0; i < kPages; ++i) {
      pages[i] = c.hal.dma.alloc_page();
      addrs[i] = c.machine.phys(pages[i]);
    }
  }
  void command(uint16_t opcode, uint32_t word0, const std::vector<uint8_t>& buffer) {
    c.hal.coherent.write_bytes(admin_buffer, {buffer.data(), buffer.size()});
    uint8_t d[32] = {};
    base::store_le<uint16_t>(d, 0x1400 | 1u << 13);
    base::store_le<uint16_t>(d + 2, opcode);
    base::store_le<uint16_t>(d + 4, static_cast<uint16_t>(buffer.size()));
    base::store_le<uint32_t>(d + 16, word0);
    base::store_le<uint32_t>(d + 24, static_cast<uint32_t>(admin_buffer >> 32));
    base::store_le<uint32_t>(d + 28, static_cast<uint32_t>(admin_buffer));
    for (unsigned i = 0; i < 32; i += 8) {
      c.hal.coherent.write64(admin + admin_tail * 32u + i, base::load_le<uint64_t>(d + i));
    }
    admin_tail = (admin_tail + 1) % kAdminRing;
    c.hal.mmio.write32(0x00080400, admin_tail);
    c.step();
  }
  static std::vector<uint8_t> add_queue_buffer(unsigned queue, DmaAddr base, uint32_t count) {
    std::vector<uint8_t> b(8 + 48);
    b[4] = 1;
    base::store_le<uint16_t>(b.data() + 8, static_cast<uint16_t>(queue));
    put_bits(b.data() + 16, 0, 57, base >> 7);
    put_bits(b.data() + 16, 135, 13, count);
    return b;
  }
  DmaAddr add_tx(unsigned queue, uint32_t count) {
    tx = c.hal.dma.alloc_coherent(4096, 4096);
    command(0x0C30, 1, add_queue_buffer(queue, tx, count));
    return tx;
  }
  static std::vector<uint8_t> disable_buffer(const std::vector<unsigned>& queues) {
    std::vector<uint8_t> b(6 + 2 * queues.size());
    b[4] = static_cast<uint8_t>(queues.size());
    for (size_t i = 0; i < queues.size(); ++i) {
      base::store_le<uint16_t>(b.data() + 6 + 2 * i, static_cast<uint16_t>(queues[i]));
    }
    b.resize((b.size() + 3) / 4 * 4);
    return b;
  }
  void disable_tx(unsigned queue) { command(0x0C31, 1u << 8, disable_buffer({queue})); }
  void add_rx(unsigned queue, uint32_t count, uint32_t buffer_bytes) {
    rx = c.hal.dma.alloc_coherent(count * 32, 4096);
    uint8_t context[32] = {};
    put_bits(context, 32, 57, rx >> 7);
    put_bits(context, 89, 13, count);
    put_bits(context, 102, 7, buffer_bytes / 128);
    for (unsigned i = 0; i < 8; ++i) {
      c.hal.mmio.write32(kRxContext + 8192 * i + 4 * queue,
                         base::load_le<uint32_t>(context + 4 * i));
    }
    c.hal.mmio.write32(kRxTail + 4 * queue, 0);
    c.hal.mmio.write32(kRxControl + 4 * queue, 1);
    c.step();
  }
  void fill(uint32_t i, uint64_t cmd) {
    const unsigned p = i % kPages;
    c.map(pages[p] + 256, 60, DmaDir::kToDevice);
    c.hal.coherent.write64(tx + i * 16, addrs[p] + 256);
    c.hal.coherent.write64(tx + i * 16 + 8, uint64_t{60} << 34 | cmd);
  }
  void release(uint32_t i) { c.hal.dma.unmap(addrs[i % kPages] + 256, 60, DmaDir::kToDevice); }
  void doorbell(uint32_t tail, unsigned queue = 0) {
    c.hal.mmio.write32(kTxDoorbell + 4 * queue, tail);
    c.step();
  }
  void report(uint32_t i) {
    uint8_t d[16];
    base::store_le<uint64_t>(d, addrs[i % kPages] + 256);
    base::store_le<uint64_t>(d + 8, 0xF);
    c.device_write(tx + i * 16, {d, 16});
    c.step();
  }
  void refill(uint32_t i) {
    c.hal.coherent.write64(rx + i * 32, addrs[i % kPages] + 256);
    c.hal.coherent.write16(rx + i * 32 + 8, 0);
  }
  void receive(uint32_t i) {
    c.device_fill(addrs[i % kPages] + 256, 60);
    uint8_t d[32] = {2};
    base::store_le<uint16_t>(d + 4, 60);
    base::store_le<uint16_t>(d + 8, 3);
    c.device_write(rx + i * 32, {d, 32});
    c.step();
  }
  void map_for_receive() {
    for (unsigned i = 0; i < kPages; ++i) {
      c.map_no_sync(pages[i], 4096, DmaDir::kFromDevice);
      c.hal.dma.sync_for_device(addrs[i] + 256, 1536, DmaDir::kFromDevice);
    }
  }
  void expect_only(Rule rule, uint64_t times = 1) {
    EXPECT_EQ(c.count(rule), times) << info(rule).id;
    for (const Finding& f : c.state.log().broken()) {
      if (f.rule != rule) ADD_FAILURE() << info(f.rule).id << ": " << f.message;
    }
  }
  void expect_silence() {
    for (const Finding& f : c.state.log().broken()) {
      ADD_FAILURE() << info(f.rule).id << ": " << f.message;
    }
  }

  static constexpr unsigned kPages = 128;
  Checked c{true};
  IceRings rings;
  DmaAddr admin = 0;
  DmaAddr admin_buffer = 0;
  uint32_t admin_tail = 0;
  DmaAddr tx = 0;
  DmaAddr rx = 0;
  uint8_t* pages[kPages] = {};
  DmaAddr addrs[kPages] = {};
};

}  // namespace doorbell::hal::checks
