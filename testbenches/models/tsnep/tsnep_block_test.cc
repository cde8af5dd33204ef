// The rest of the block: accesses, TYPE, clocks, MDIO and PHY, link, statistics, resets, coherence.
#include "models/tsnep/tsnep_config.h"
#include "models/tsnep/tsnep_params.h"
#include "testbenches/models/tsnep/bench.h"

namespace doorbell::tsnep::test {
namespace {

TEST(TsnepBlock, RefusedAccesses) {
  Bench b;  // two queues: 0x5000 octets
  b.run_to(10_us);
  uint32_t v = 0;
  const auto at = [&](uint32_t offset, unsigned size) { return b.access(false, offset, &v, size); };
  EXPECT_EQ(at(0x4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(at(0x5108, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "queue 2 is not there";
  EXPECT_EQ(at(0x10000, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(at(0x18, 2), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(at(0x108, 1), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(at(0x0, 8), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(at(0x0, 3), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(at(0x1, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.access(true, 0x4, &v, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.access(true, 0x807, &v, 1), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.access(true, 0x7001, &v, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.count("register_errors"), 11u);
}

TEST(TsnepBlock, TypeSaysWhatIsThere) {
  TsnepConfig c = quick_link();
  c.queues = 7;
  Bench b(c);
  EXPECT_EQ(b.rd(0) & 0x02070000, 0x02070000u);
  EXPECT_EQ(b.rd(0xA100 - 0x1000), 0u) << "queue 6: no TX_TIME";
}

TEST(TsnepBlock, EightQueuesDoNotFitTheCount) {
  TsnepConfig c = quick_link();
  c.queues = 8;
  Bench b(c);
  EXPECT_EQ(b.rd(0) & 0x00070000, 0u);
  EXPECT_EQ(b.rd(0xA108), 0u);
}

TEST(TsnepBlock, NarrowWritesChangeTheirOwnOctetsOnly) {
  Bench b;
  b.run_to(10_us);
  b.wr(0x804, 0xBEEF, 2);
  b.wr(0x806, 3, 2);
  EXPECT_EQ(b.rd(0x804), 0x3BEEFu);
  b.wr(0x806, 1, 2);
  EXPECT_EQ(b.rd(0x804), 0x1BEEFu);
  EXPECT_EQ(b.rd(0x806, 2), 1u);
  b.wr(0x882, 0x88F7, 2);
  b.wr(0x880, 0x0806, 2);
  EXPECT_EQ(b.rd(0x880), 0x88F70806u);
  b.wr(0x841, 7, 1);
  EXPECT_EQ(b.rd(0x840), 0x700u);
}

// Clocks.

uint64_t read64(Bench& b, uint32_t low) {
  return b.rd(low) | uint64_t{b.rd(low + 4)} << 32;
}

TEST(TsnepBlock, CounterAndTimeRunInStepsOf8Ns) {
  Bench b;
  b.run_to(1'000'007_ns);
  EXPECT_EQ(read64(b, 0x28), 1'000'000u);
  b.run_to(1'000'008_ns);
  EXPECT_EQ(read64(b, 0x28), 1'000'008u);
  EXPECT_EQ(read64(b, 0x08), 1'000'008u);
  b.run_to(20_s);
  EXPECT_EQ(read64(b, 0x28), 20'000'000'000u);
}

TEST(TsnepBlock, TimeIsSetByTheLowHalf) {
  Bench b;
  b.run_to(80_us);
  b.wr(0x0C, 0x1234);
  EXPECT_EQ(read64(b, 0x08), 80'000u) << "the high half waits";
  b.wr(0x08, 0x5678);
  EXPECT_EQ(read64(b, 0x08), 0x123400005678u);
  EXPECT_EQ(read64(b, 0x28), 80'000u) << "the counter is free-running";
  b.run(8_us);
  EXPECT_EQ(read64(b, 0x08), 0x123400005678u + 8000);
}

TEST(TsnepBlock, ClockRateIs2ToTheMinus32NsAClock) {
  Bench b;
  b.run_to(8_us);
  const auto drift = [&b](uint32_t rate, Picos span) {
    b.wr(0x10, rate);
    const auto time = static_cast<int64_t>(read64(b, 0x08));
    const auto counter = static_cast<int64_t>(read64(b, 0x28));
    b.run(span);
    return static_cast<int64_t>(read64(b, 0x08)) - time -
           (static_cast<int64_t>(read64(b, 0x28)) - counter);
  };
  // 1 ppm of 8 ns is 34359.738 units; a second has 125 million clocks.
  EXPECT_NEAR(static_cast<double>(drift(34360, 1_s)), 1000.0, 1.0);
  EXPECT_NEAR(static_cast<double>(drift(34360 | 1u << 31, 1_s)), -1000.0, 1.0);
  // Half a ns a clock: 62 500 000 ppb, the driver's limit and 1 more.
  EXPECT_NEAR(static_cast<double>(drift(0x7FFFFFFF, 1_s)), 62'500'000.0, 1.0);
  EXPECT_NEAR(static_cast<double>(drift(0xFFFFFFFF, 1_s)), -62'500'000.0, 1.0);
  EXPECT_EQ(drift(0, 1_s), 0);
}

TEST(TsnepBlock, StampsOfAFrameUnderWayKeepTheOldTime) {
  Bench b;
  b.open();
  const Picos start(b.now().count() / 8000 * 8000 + 800'000);
  b.in.push(start, frame(1000));
  b.run_to(start + 2_us);
  b.wr(0x0C, 0x77);
  b.wr(0x08, 0);
  b.run(20_us);
  const Bytes got = b.receive();
  EXPECT_EQ(base::load_le<uint64_t>(got.data() + 8),
            static_cast<uint64_t>((start + 64_ns).count()) / 1000);
}

// MDIO and link.

constexpr uint32_t mdio_read(unsigned phy, unsigned reg) {
  return 1u | 4u | reg << 3 | phy << 8;
}
constexpr uint32_t mdio_write(unsigned phy, unsigned reg, uint16_t value) {
  return 1u | 2u | reg << 3 | phy << 8 | uint32_t{value} << 16;
}

TEST(TsnepBlock, MdioTakes64ClocksOr32) {
  Bench b;
  b.run_to(10_us);
  b.wr(0x84, mdio_read(1, 2));
  EXPECT_EQ(b.rd(0x84) & 1, 1u);
  b.run(25'600_ns - 1_ps);
  EXPECT_EQ(b.rd(0x84) & 1, 1u);
  b.run(1_ps);
  EXPECT_EQ(b.rd(0x84), 0x001C0000u);
  b.wr(0x84, mdio_read(1, 3) & ~1u);  // no preamble
  b.run(12'800_ns - 1_ps);
  EXPECT_EQ(b.rd(0x84) & 1, 1u);
  b.run(1_ps);
  EXPECT_EQ(b.rd(0x84), 0xC9150000u);
  b.wr(0x84, mdio_read(5, 2));
  b.run(26_us);
  EXPECT_EQ(b.rd(0x84), 0xFFFF0000u) << "nobody answers";
  b.wr(0x84, 1);
  EXPECT_EQ(b.rd(0x84) & 1, 0u) << "neither read nor write";
  EXPECT_EQ(b.count("mdio_frames"), 3u);
}

TEST(TsnepBlock, MdioCommandDuringAFrameStartsOver) {
  Bench b;
  b.run_to(10_us);
  b.wr(0x84, mdio_read(1, 2));
  b.run(10_us);
  b.wr(0x84, mdio_read(1, 3));
  b.run(20_us);
  EXPECT_EQ(b.rd(0x84) & 1, 1u);
  b.run(10_us);
  EXPECT_EQ(b.rd(0x84), 0xC9150000u);
  EXPECT_EQ(b.count("mdio_overlaps"), 1u);
}

TEST(TsnepBlock, PhyNegotiatesAfterAReset) {
  TsnepConfig c;
  c.autoneg_time = 300_us;
  Bench b(c);
  const auto bmsr = [&b] {
    b.wr(0x84, mdio_read(1, 1));
    b.run(26_us);
    return b.rd(0x84) >> 16;
  };
  b.wr(0x18, 1u << 5);
  EXPECT_EQ(bmsr() & 4, 0u);
  EXPECT_EQ(b.rd(0x80) & 0x01000000, 0x01000000u);
  b.run_to(300_us);
  EXPECT_EQ(b.rd(0x80), 0u);
  EXPECT_TRUE(b.irq.levels[0]);
  EXPECT_EQ(bmsr() & 0x24, 0x24u);
  b.wr(0x84, mdio_write(1, 0, 0x9140));
  b.run(26_us);
  EXPECT_EQ(b.rd(0x80), 0x01000000u);
  b.run(280_us);
  EXPECT_EQ(bmsr() & 4, 0u) << "the loss is latched until it was read";
  EXPECT_EQ(bmsr() & 4, 4u);
  EXPECT_EQ(b.rd(0x80), 0u);
  b.wr(0x84, mdio_write(1, 0, 0x1340));
  b.run(400_us);
  EXPECT_EQ(bmsr() & 4, 0u);
  EXPECT_EQ(bmsr() & 4, 4u);
}

TEST(TsnepBlock, StatusShowsModeAndLink) {
  Bench b;
  EXPECT_EQ(b.rd(0x80), 0x01000000u);
  b.run_to(2_us);
  EXPECT_EQ(b.rd(0x80), 0u);
  b.wr(0x80, 0x04000000);
  EXPECT_EQ(b.rd(0x80), 0x04000000u);
  b.nic.set_cable(false);
  EXPECT_EQ(b.rd(0x80), 0x05000000u);
  b.wr(0x80, 0x01000000);
  EXPECT_EQ(b.rd(0x80), 0x01000000u);
}

TEST(TsnepBlock, HundredMegabits) {
  TsnepConfig c = quick_link();
  c.link = base::BitsPerSecond(100'000'000);
  Bench b(c);
  b.setup();
  b.wr(0x80, 0x02000000);
  b.refill(0, 4);
  b.ring_rx();
  b.run(2_us);
  b.put(0, frame(60));
  b.put(0, frame(60));
  b.ring_tx();
  b.in.push(b.now() + 1_us, frame(60));
  b.run(100_us);
  ASSERT_EQ(b.out.sent.size(), 2u);
  EXPECT_EQ(b.out.sent[1].start - b.out.sent[0].start, 6720_ns);
  EXPECT_TRUE(b.rx_done(0));
}

// Statistics.

void lose(Bench& b, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    b.in.push(b.now() + 1_us, frame(60), net::kBadFcs);
    b.run(2_us);
  }
}

TEST(TsnepBlock, StatisticsWrap) {
  Bench b;
  b.open();
  lose(b, 256);
  EXPECT_EQ(b.rd(0xB0), 0u);
  EXPECT_EQ(b.rd(0x190), 0u);
  lose(b, 3);
  EXPECT_EQ(b.rd(0xB0), 3u << 8);
  EXPECT_EQ(b.rd(0xB0), 3u << 8) << "reading does not clear";
  EXPECT_EQ(b.rd(0x190), 3u << 24);
  EXPECT_EQ(b.rd(0x4190), 0u);
  EXPECT_EQ(b.count("rx_bad_fcs"), 259u);
}

TEST(TsnepBlock, StatisticsSaturate) {
  TsnepConfig c = quick_link();
  c.statistics = StatisticsMode::kSaturate;
  Bench b(c);
  b.open();
  lose(b, 300);
  EXPECT_EQ(b.rd(0xB0), 0xFFu << 8);
  EXPECT_EQ(b.rd(0x193, 1), 0xFFu);
}

TEST(TsnepBlock, StatisticsClearOnRead) {
  TsnepConfig c = quick_link();
  c.statistics = StatisticsMode::kClearOnRead;
  Bench b(c);
  b.setup();
  b.ring_rx();
  b.run(1_us);
  b.in.push(b.now() + 1_us, frame(60));
  b.run(3_us);
  lose(b, 2);
  EXPECT_EQ(b.rd(0x190, 1), 1u);
  EXPECT_EQ(b.rd(0x190), 2u << 24) << "only the octet that was read is cleared";
  EXPECT_EQ(b.rd(0x190), 0u);
  EXPECT_EQ(b.rd(0xB0), 2u << 8);
  EXPECT_EQ(b.rd(0xB0), 0u);
}

// Resets.

TEST(TsnepBlock, ResetsRestoreTheirBlocks) {
  Bench b;
  b.open();
  b.wr(0x31, 0x40, 1);
  b.wr(0x10, 55);
  b.wr(0x80C, 77);
  b.send(frame(60));
  b.run(10_us);
  ASSERT_TRUE(b.irq.levels[0]);
  b.wr(0x20, 1);
  EXPECT_FALSE(b.irq.levels[0]);
  EXPECT_EQ(b.rd(0x18), 0u);
  EXPECT_EQ(b.rd(0x30), 0u);
  EXPECT_EQ(b.rd(0x80), 0u) << "mode off, the PHY still has a link";
  EXPECT_LT(b.rd(0x08), 100u);
  EXPECT_EQ(b.rd(0x800), 0x105E0002u) << "the MAC block is another";
  EXPECT_EQ(b.rd(0x80C), 77u);
  EXPECT_NE(b.rd(0) & 0x00070000, 0u) << "TYPE is no state";
  b.wr(0x20, 1u << 8);
  EXPECT_EQ(b.rd(0x800), 0u);
  EXPECT_EQ(b.rd(0x808), 0u);
  EXPECT_EQ(b.rd(0x80C), 0u);
  EXPECT_EQ(b.rd(0x108), 0x200u);
  EXPECT_NE(b.rd(0x140), 0u);
  b.wr(0x20, 1u << 16);
  EXPECT_EQ(b.rd(0x108), 0u);
  EXPECT_EQ(b.rd(0x4108), 0u);
  EXPECT_EQ(b.rd(0x140), 0u);
  EXPECT_EQ(b.rd(0x4180), 0u);
  // And it works again.
  b.setup();
  b.refill(0, 3);
  b.ring_rx();
  b.run(1_us);
  b.in.push(b.now() + 1_us, frame(60));
  b.send(frame(60));
  b.run(10_us);
  EXPECT_TRUE(b.rx_done(0));
  EXPECT_TRUE(b.tx_done(0, 0));
}

// A coherent machine's caches are told of every write of the device: payload and write-back, of
// just those octets.
TEST(TsnepBlock, CoherentMachinesSeeEveryWrite) {
  struct Observer final : fabric::WriteObserver {
    void written(uint64_t addr, uint32_t bytes) override { seen.emplace_back(addr, bytes); }
    std::vector<std::pair<uint64_t, uint32_t>> seen;
  } observer;
  Bench b;
  b.open();
  b.memory.set_observer(&observer);
  b.in.push(b.now() + 1_us, frame(100));
  b.run(10_us);
  b.send(frame(60));
  b.run(10_us);
  b.memory.settle(b.now());
  const std::vector<std::pair<uint64_t, uint32_t>> want{
      {Bench::rx_buffer(0, 0), 120}, {b.rx[0].block(0), 32}, {b.tx[0].block(0), 32}};
  EXPECT_EQ(observer.seen, want);
  b.memory.set_observer(nullptr);
}

TEST(TsnepBlock, DebugReadsChangeNothing) {
  TsnepConfig c = quick_link();
  c.statistics = StatisticsMode::kClearOnRead;
  Bench b(c);
  b.open();
  lose(b, 4);
  tlm::tlm_generic_payload payload;
  uint32_t value = 0;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(0xB0);
  payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
  payload.set_data_length(4);
  EXPECT_EQ(b.bus->transport_dbg(payload), 4u);
  EXPECT_EQ(value, 4u << 8);
  EXPECT_EQ(b.rd(0xB0), 4u << 8);
  payload.set_address(0x4);
  EXPECT_EQ(b.bus->transport_dbg(payload), 0u);
}

// Every key reaches its place.
TEST(TsnepConfig, ReadsTheKeys) {
  base::ParamSet nic{base::ParamTable(kTsnepNicParams)};
  const auto set = [&nic](const char* key, const char* value) {
    EXPECT_FALSE(nic.set(key, base::RawValue::loose(value)).has_value()) << key;
  };
  const TsnepConfig standard = tsnep_config(nic);
  const TsnepConfig plain;
  EXPECT_EQ(standard.queues, plain.queues);
  EXPECT_EQ(standard.tx_fifo_bytes, plain.tx_fifo_bytes);
  EXPECT_EQ(standard.rx_fifo_bytes, plain.rx_fifo_bytes);
  EXPECT_EQ(standard.tx_prefetch, plain.tx_prefetch);
  EXPECT_EQ(standard.rx_prefetch, plain.rx_prefetch);
  EXPECT_EQ(standard.writeback_bytes, plain.writeback_bytes);
  EXPECT_EQ(standard.tx_mac_time, plain.tx_mac_time);
  EXPECT_EQ(standard.rx_mac_time, plain.rx_mac_time);
  EXPECT_EQ(standard.doorbell_time, plain.doorbell_time);
  EXPECT_EQ(standard.step_time, plain.step_time);
  EXPECT_EQ(standard.mdc.count(), plain.mdc.count());
  EXPECT_EQ(standard.autoneg_time, plain.autoneg_time);
  EXPECT_EQ(standard.tx_cut_through, plain.tx_cut_through);
  set("queues", "5");
  set("gate_control", "false");
  set("tx_fifo", "16 KiB");
  set("rx_fifo", "4 KiB");
  set("tx_prefetch", "3");
  set("rx_prefetch", "4");
  set("tx_forwarding", "cut-through");
  set("tx_start", "128 B");
  set("rx_forwarding", "cut-through");
  set("writeback", "4");
  set("tx_writeback", "started");
  set("tx_priority", "round-robin");
  set("gate_guard", "start");
  set("rx_idle", "frame");
  set("int_while_disabled", "kept");
  set("statistics", "saturate");
  set("tx_mac_time", "1 ns");
  set("rx_mac_time", "2 ns");
  set("doorbell_time", "3 ns");
  set("step_time", "4 ns");
  set("mdc_clock", "1 MHz");
  set("phy_address", "9");
  set("autoneg_time", "5 ms");
  const TsnepConfig c = tsnep_config(nic);
  EXPECT_EQ(c.queues, 5u);
  EXPECT_FALSE(c.gate_control);
  EXPECT_EQ(c.tx_fifo_bytes, 16384u);
  EXPECT_EQ(c.rx_fifo_bytes, 4096u);
  EXPECT_EQ(c.tx_prefetch, 3u);
  EXPECT_EQ(c.rx_prefetch, 4u);
  EXPECT_TRUE(c.tx_cut_through);
  EXPECT_EQ(c.tx_start_bytes, 128u);
  EXPECT_TRUE(c.rx_cut_through);
  EXPECT_EQ(c.writeback_bytes, 4u);
  EXPECT_TRUE(c.writeback_at_start);
  EXPECT_EQ(c.tx_priority, TxPriority::kRoundRobin);
  EXPECT_FALSE(c.gate_guards_frame);
  EXPECT_TRUE(c.rx_looks_with_frames);
  EXPECT_TRUE(c.keep_disabled_interrupts);
  EXPECT_EQ(c.statistics, StatisticsMode::kSaturate);
  EXPECT_EQ(c.tx_mac_time, 1_ns);
  EXPECT_EQ(c.rx_mac_time, 2_ns);
  EXPECT_EQ(c.doorbell_time, 3_ns);
  EXPECT_EQ(c.step_time, 4_ns);
  EXPECT_EQ(c.mdc.count(), 1'000'000u);
  EXPECT_EQ(c.phy_address, 9u);
  EXPECT_EQ(c.autoneg_time, 5_ms);
}

}  // namespace
}  // namespace doorbell::tsnep::test
