// The E810's rings: numbers typed from the fact sheet, and their life by contexts, admin commands
// and doorbells. The driver here is scripted, word by word.
#include "sim/hal/checks/ice_rings.h"

#include <gtest/gtest.h>

#include "testbenches/sim/hal/checks/fake_machine.h"

namespace doorbell::hal::checks {
namespace {

constexpr uint32_t kTxDoorbell = 0x002C0000;
constexpr uint32_t kRxTail = 0x00290000;
constexpr uint32_t kRxControl = 0x00120000;
constexpr uint32_t kRxContext = 0x00280000;
constexpr uint64_t kEop = 0x10;
constexpr uint64_t kRs = 0x20;

TEST(IceRingSpecs, TransmitNumbersAreThoseOfTheFactSheet) {
  const RingSpec spec = ice_tx_ring("ice tx3", 3, 0x40001000, 256, 32);
  EXPECT_EQ(spec.name, "ice tx3");
  EXPECT_EQ(spec.handing, Handing::kTail);
  EXPECT_EQ(spec.direction, DmaDir::kToDevice);
  EXPECT_EQ(spec.stride, 16u);
  EXPECT_EQ(spec.count, 256u);
  EXPECT_EQ(spec.base, 0x40001000u);
  EXPECT_EQ(spec.doorbell_register, 0x002C000Cu);
  EXPECT_TRUE(spec.doorbell_is_index);
  EXPECT_EQ(spec.doorbell_step, 1u);
  EXPECT_EQ(spec.address.offset, 0u);
  EXPECT_EQ(spec.address.bytes, 8u);
  EXPECT_EQ(spec.control.offset, 8u);
  EXPECT_EQ(spec.length.shift, 34u);  // BUF_SZ is 47:34
  EXPECT_EQ(spec.length.mask, 0x3FFFu);
  EXPECT_EQ(spec.report_mask, 0x20u);  // RS is 0x002 << 4
  EXPECT_EQ(spec.done.offset, 8u);
  EXPECT_EQ(spec.done_mask, 0xFu);  // DTYPE
  EXPECT_EQ(spec.done_value, 0xFu);
  EXPECT_EQ(spec.report_every, 32u);
}

TEST(IceRingSpecs, ReceiveNumbersAreThoseOfTheFactSheet) {
  const RingSpec spec = ice_rx_ring("ice rx2", 2, 0x40001000, 2048, 1536);
  EXPECT_EQ(spec.direction, DmaDir::kFromDevice);
  EXPECT_EQ(spec.stride, 32u);
  EXPECT_EQ(spec.count, 2048u);
  EXPECT_EQ(spec.buffer_bytes, 1536u);
  EXPECT_EQ(spec.doorbell_register, 0x00290008u);
  EXPECT_EQ(spec.doorbell_step, 8u);
  EXPECT_EQ(spec.control.bytes, 0u);
  EXPECT_EQ(spec.report_mask, 0u);
  EXPECT_EQ(spec.done.offset, 8u);
  EXPECT_EQ(spec.done_mask, 1u);
  EXPECT_EQ(spec.done_value, 1u);
  EXPECT_TRUE(spec.load_barrier);
  EXPECT_FALSE(ice_rx_ring("x", 0, 0x1000, 64, 128, false).load_barrier);
}

void put_bits(uint8_t* bytes, unsigned lsb, unsigned width, uint64_t value) {
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

TEST_F(IceDriverDay, ReportsOnEachAreSilent) {
  add_tx(0, 64);
  for (uint32_t n = 0; n < 200; ++n) {
    fill(n % 64, kEop | kRs);
    doorbell((n + 1) % 64);
    report(n % 64);
    release(n % 64);
  }
  expect_silence();
}

// The seed's scheme: report and clean every 32nd, doorbell at the end of a poll.
struct Threshold {
  uint32_t count;
  uint32_t ntu = 0;
  uint32_t next_rs = 31;
};

TEST_F(IceDriverDay, ReportsOnEvery32ndAreSilent) {
  constexpr uint32_t kRing = 96;
  add_tx(0, kRing);
  Threshold t{kRing};
  for (uint32_t n = 0; n < 5 * kRing; ++n) {
    fill(t.ntu, kEop);
    ++t.ntu;
    if (t.ntu == kRing) t.ntu = 0;
    if (n % 32 == 31) {
      const DmaAddr last = tx + (n % kRing) * 16 + 8;
      c.hal.coherent.write64(last, c.hal.coherent.read64(last) | kRs);
      doorbell(t.ntu);
      report(n % kRing);
      for (uint32_t i = 0; i < 32; ++i) release(n % kRing - 31 + i);
      c.hal.coherent.write64(last, 0);
    }
  }
  expect_silence();
  for (uint32_t i = 0; i < 31; ++i) fill(i, kEop);  // a group's tail: no report, the device's
  doorbell(31);
  release(30);
  expect_only(Rule::kUnmapDeviceOwned);
}

// What the seed does with a ring of 100, up to the first wrap.
TEST_F(IceDriverDay, ARingOf100NamesWhyItWillStall) {
  constexpr uint32_t kRing = 100;
  add_tx(0, kRing);
  Threshold t{kRing};
  const auto ask = [&](uint32_t index) {
    const DmaAddr at = tx + index * 16 + 8;
    c.hal.coherent.write64(at, c.hal.coherent.read64(at) | kRs);
  };
  for (uint32_t n = 0; n < kRing; ++n) {
    fill(t.ntu, kEop);
    uint32_t i = t.ntu + 1;
    if (i == kRing) {
      expect_silence();
      i = 0;
      ask(t.next_rs);
      t.next_rs = 31;
    }
    t.ntu = i;
    if (i > t.next_rs) {
      ask(t.next_rs);
      t.next_rs += 32;
    }
    if (n % 32 == 31) {
      doorbell(t.ntu);
      report(n);
      for (uint32_t k = 0; k < 32; ++k) release(n - k);
    }
  }
  EXPECT_EQ(c.count(Rule::kOutsideRing), 2u);
  EXPECT_EQ(c.count(Rule::kRingSize), 1u);
  EXPECT_EQ(c.state.log().total(), 3u);
  EXPECT_EQ(c.message(Rule::kRingSize),
            "ice tx0 has 100 descriptors, no multiple of its report threshold 32: at the wrap RS "
            "is written to descriptor 127, outside the ring, and the last 4 of each lap have no "
            "report of their own, so cleaning falls 4 behind a lap until the ring stays full");
}

// H4 of the fact sheet: a report asked for after the doorbell.
TEST_F(IceDriverDay, ReportAskedForInAPostedDescriptor) {
  add_tx(0, 64);
  fill(0, kEop);
  doorbell(1);
  const uint64_t word = c.hal.coherent.read64(tx + 8);
  report(0);  // comes between load and store; nobody asked for it, as far as the ring knows
  EXPECT_EQ(c.count(Rule::kReportNotAsked), 1u);
  fill(1, kEop);
  doorbell(2);
  c.hal.coherent.write64(tx + 16 + 8, word | kRs);
  EXPECT_EQ(c.count(Rule::kDescriptorDeviceOwned), 1u);
  EXPECT_NE(c.message(Rule::kDescriptorDeviceOwned).find("a report that comes meanwhile is lost"),
            std::string::npos);
}

TEST_F(IceDriverDay, ContextDescriptorsHaveNoBuffer) {
  add_tx(0, 64);
  c.hal.coherent.write64(tx, 0x0000001200000000);
  c.hal.coherent.write64(tx + 8, uint64_t{1000} << 50 | uint64_t{3000} << 30 | 0x11);
  fill(1, kEop | kRs);
  doorbell(2);
  report(1);
  release(1);
  c.hal.coherent.write64(tx, 0);  // given back with the report behind it
  expect_silence();
}

// Bit 5 of a context descriptor asks for a time stamp, not for a report.
TEST_F(IceDriverDay, AContextDescriptorIsNeverReported) {
  add_tx(0, 64);
  c.hal.coherent.write64(tx, 0x0000001200000000);
  c.hal.coherent.write64(tx + 8, 0x21);
  fill(1, kEop | kRs);
  doorbell(2);
  report(0);
  expect_only(Rule::kReportNotAsked);
}

TEST_F(IceDriverDay, DoorbellIndexOutsideTheRing) {
  add_tx(5, 64);
  doorbell(64, 5);
  expect_only(Rule::kDoorbellPastRing);
  EXPECT_EQ(c.message(Rule::kDoorbellPastRing),
            "doorbell of ice tx5 with index 64: the ring has 64 descriptors");
}

TEST_F(IceDriverDay, DisabledTheBuffersAreTheDrivers) {
  add_tx(0, 64);
  fill(0, kEop);
  doorbell(1);
  disable_tx(0);
  release(0);
  c.hal.dma.free_coherent(tx);
  expect_silence();
}

TEST_F(IceDriverDay, BuffersGoWithTheQueueRunning) {
  add_tx(0, 64);
  fill(0, kEop);
  doorbell(1);
  disable_tx(1);  // another
  release(0);
  expect_only(Rule::kUnmapDeviceOwned);
}

TEST_F(IceDriverDay, SeveralGroupsInOneCommand) {
  const DmaAddr first = c.hal.dma.alloc_coherent(4096, 4096);
  const DmaAddr second = c.hal.dma.alloc_coherent(4096, 4096);
  std::vector<uint8_t> both = add_queue_buffer(0, first, 64);
  const std::vector<uint8_t> more = add_queue_buffer(7, second, 96);
  both.insert(both.end(), more.begin(), more.end());
  command(0x0C30, 2, both);
  tx = second;
  fill(0, kEop);
  doorbell(1, 7);
  tx = first;
  fill(1, kEop);
  c.hal.coherent.write64(tx, addrs[1] + 256);
  fill(0, kEop);
  doorbell(2, 0);
  expect_silence();
  std::vector<uint8_t> off = disable_buffer({1, 2});  // two are followed by padding
  const std::vector<uint8_t> seven = disable_buffer({7});
  off.insert(off.end(), seven.begin(), seven.end());
  command(0x0C31, 2u << 8, off);
  c.hal.coherent.write64(second + 8, 0);
  expect_silence();
  c.hal.coherent.write64(first + 8, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
}

TEST_F(IceDriverDay, AFunctionResetStopsEverything) {
  add_tx(0, 64);
  map_for_receive();
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 16; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 16);
  c.hal.mmio.write32(0x00091000, 1);  // PFGEN_CTRL.PFSWR
  c.hal.coherent.write64(rx, 0);
  c.hal.dma.unmap_no_sync(addrs[1], 4096, DmaDir::kFromDevice);
  expect_silence();
  c.map_no_sync(pages[1], 4096, DmaDir::kFromDevice);
  c.hal.dma.sync_for_device(addrs[1] + 256, 1536, DmaDir::kFromDevice);
  for (uint32_t i = 0; i < 8; ++i) refill(i);
  c.hal.mmio.write32(kRxControl, 1);  // enabled again: from the start
  for (uint32_t i = 0; i < 8; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 8);
  receive(0);
  expect_silence();
  c.hal.coherent.write64(rx + 7 * 32, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
}

TEST_F(IceDriverDay, EnablingAnEnabledReceiveQueueChangesNothing) {
  map_for_receive();
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 8; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 8);
  c.hal.mmio.write32(kRxControl, 5);
  c.hal.coherent.write64(rx + 7 * 32, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
}

TEST_F(IceDriverDay, NonsenseInTheAdminQueueAddsNothing) {
  command(0x0C30, 1, add_queue_buffer(0, 0x40001000, 0));
  command(0x0C30, 9, add_queue_buffer(20000, 0x40001000, 64));
  command(0x0C30, 1, {0, 0, 0, 0, 255, 0});
  command(0x0C31, 9u << 8, {0, 0, 0, 0, 255, 0, 1, 0});
  command(0x0001, 1, add_queue_buffer(1, 0x40001000, 64));
  c.hal.mmio.write32(0x00080400, 999);
  c.hal.mmio.write32(0x00080200, 0);
  c.hal.mmio.write32(0x00080400, 3);
  doorbell(500, 0);
  doorbell(500, 1);
  expect_silence();
}

TEST_F(IceDriverDay, ReceiveIsSilent) {
  map_for_receive();
  add_rx(3, 64, 1536);
  const uint32_t tail = kRxTail + 4 * 3;
  for (uint32_t i = 0; i < 63; ++i) refill(i);
  c.hal.order.wmb();
  c.hal.mmio.write32(tail, 56);  // 63 in steps of eight
  uint32_t ntu = 63;
  for (uint32_t n = 0; n < 200; ++n) {
    const uint32_t i = n % 64;
    receive(i);
    EXPECT_EQ(c.hal.coherent.read64(rx + i * 32 + 8) & 1, 1u);
    c.hal.order.dma_rmb();
    c.hal.coherent.read64(rx + i * 32);
    const DmaAddr buffer = addrs[i % kPages] + 256;
    c.hal.dma.sync_for_cpu(buffer, 60, DmaDir::kFromDevice);
    c.hal.dma.touch(pages[i % kPages] + 256, 60, Touch::kRead);
    c.hal.dma.sync_for_device(buffer, 1536, DmaDir::kFromDevice);
    refill(ntu);
    ntu = (ntu + 1) % 64;
    if (ntu % 8 == 0) c.hal.mmio.write32(tail, ntu);
  }
  c.hal.mmio.write32(kRxControl + 4 * 3, 0);
  for (unsigned i = 0; i < kPages; ++i) {
    c.hal.dma.unmap_no_sync(addrs[i], 4096, DmaDir::kFromDevice);
  }
  expect_silence();
}

TEST_F(IceDriverDay, TheLowBitsOfTheReceiveTailDoNotCount) {
  map_for_receive();
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 15; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 15);
  c.hal.coherent.write64(rx + 8 * 32, addrs[8] + 256);  // still the driver's
  expect_silence();
  c.hal.coherent.write64(rx + 7 * 32, addrs[7] + 256);
  expect_only(Rule::kDescriptorDeviceOwned);
  EXPECT_NE(c.message(Rule::kDescriptorDeviceOwned).find("ice rx0 descriptor 7"),
            std::string::npos);
}

TEST_F(IceDriverDay, ReceiveTailPassesTheHead) {
  map_for_receive();
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 64; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 56);
  expect_silence();
  c.hal.mmio.write32(kRxTail, 0);
  expect_only(Rule::kDoorbellPassesHead);
}

TEST_F(IceDriverDay, ReceiveBuffersNotMappedOrNotSynced) {
  map_for_receive();
  c.hal.dma.unmap_no_sync(addrs[3], 4096, DmaDir::kFromDevice);
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 8; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 8);
  expect_only(Rule::kHandoverNotMapped);
  EXPECT_NE(c.message(Rule::kHandoverNotMapped).find("ice rx0 descriptor 3"), std::string::npos);
  uint8_t* fresh = c.hal.dma.alloc_page();
  const DmaAddr addr = c.map_no_sync(fresh, 4096, DmaDir::kFromDevice);
  for (uint32_t i = 8; i < 16; ++i) refill(i);
  c.hal.coherent.write64(rx + 9 * 32, addr + 256);
  c.hal.mmio.write32(kRxTail, 16);
  EXPECT_EQ(c.count(Rule::kHandoverNotSynced), 1u);
  EXPECT_EQ(c.state.log().total(), 2u);
}

TEST_F(IceDriverDay, TheBufferIsAsLongAsTheContextSays) {
  map_for_receive();
  add_rx(0, 64, 3072);
  for (uint32_t i = 0; i < 8; ++i) {
    c.hal.dma.sync_for_device(addrs[i] + 256, 3072, DmaDir::kFromDevice);
    refill(i);
  }
  c.hal.mmio.write32(kRxTail, 8);
  c.hal.dma.touch(pages[0] + 256 + 3072, 8, Touch::kRead);
  expect_silence();
  c.hal.dma.touch(pages[0] + 256 + 3071, 1, Touch::kRead);
  expect_only(Rule::kTouchDeviceOwned);
}

TEST_F(IceDriverDay, NoBarrierBehindDd) {
  map_for_receive();
  add_rx(0, 64, 1536);
  for (uint32_t i = 0; i < 8; ++i) refill(i);
  c.hal.mmio.write32(kRxTail, 8);
  receive(0);
  c.hal.coherent.read64(rx + 8);
  c.hal.coherent.read64(rx);
  expect_only(Rule::kNoLoadBarrier);
}

// As with one view per interrupt vector: registers of one device, cores of their own.
TEST_F(IceDriverDay, AllViewsOfTheDeviceMoveItsRings) {
  add_tx(0, 64);
  CheckedHal second(c.machine.hal(), c.checked);
  Hal other = second.view();
  c.machine.core = 1;
  fill(0, kEop);
  other.mmio.write32(kTxDoorbell, 1);
  other.coherent.write64(tx + 8, 0);
  expect_only(Rule::kDescriptorDeviceOwned);
  CheckedHal stranger(c.machine.hal(), c.state);  // another device
  stranger.view().mmio.write32(kTxDoorbell, 99);
  expect_only(Rule::kDescriptorDeviceOwned);
}

}  // namespace
}  // namespace doorbell::hal::checks
