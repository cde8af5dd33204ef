// Uncached accesses, register accesses, barriers and cache lines per packet: the numbers that
// decide the packet rate. Each count is the difference between serving two batches that differ by
// `kFrames` packets, so that per-poll costs drop out.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

constexpr uint64_t kFrames = 8;

struct Counts {
  uint64_t loads, stores, mmio_writes, mmio_reads, cleans, invalidates, dma_wmbs, wmbs;
};

Counts now(const FecBench& b) {
  const hal::ScriptedHal& h = b.host;
  return {h.count(hal::Op::kUncachedLoad),
          h.count(hal::Op::kUncachedStore),
          h.count(hal::Op::kMmioWrite),
          h.count(hal::Op::kMmioRead),
          h.count(hal::Op::kLineClean),
          h.count(hal::Op::kLineInvalidate),
          h.dma_wmbs(),
          h.wmbs()};
}

Counts minus(const Counts& a, const Counts& b) {
  return {a.loads - b.loads,           a.stores - b.stores, a.mmio_writes - b.mmio_writes,
          a.mmio_reads - b.mmio_reads, a.cleans - b.cleans, a.invalidates - b.invalidates,
          a.dma_wmbs - b.dma_wmbs,     a.wmbs - b.wmbs};
}

// What polling `frames` frames costs; completions of earlier ones are not mixed in.
Counts serve(FecBench& b, uint64_t frames) {
  for (uint64_t i = 0; i < frames; ++i) EXPECT_TRUE(b.receive(0, udp_frame()));
  b.eir = 0;
  const Counts before = now(b);
  b.poll(64);
  return minus(now(b), before);
}

Counts per_frame(FecBench& b) {
  // The ERR006358 check reads TDAR when descriptors are pending: keep that the same in both.
  serve(b, 1);
  const Counts small = serve(b, kFrames);
  const Counts large = serve(b, 2 * kFrames);
  const Counts d = minus(large, small);
  EXPECT_EQ(d.loads % kFrames, 0u);
  return {d.loads / kFrames,      d.stores / kFrames, d.mmio_writes / kFrames,
          d.mmio_reads / kFrames, d.cleans / kFrames, d.invalidates / kFrames,
          d.dma_wmbs / kFrames,   d.wmbs / kFrames};
}

void warm(FecBench& b) {
  b.start();
  b.host.reset_counts();
}

TEST(OpCount, RxDropIsTheCommonPart) {
  stack::XdpDropProgram program;
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  FecBench b(c);
  warm(b);
  const Counts n = per_frame(b);
  EXPECT_EQ(n.loads, 3u);
  EXPECT_EQ(n.stores, 5u);
  EXPECT_EQ(n.mmio_writes, 2u);
  EXPECT_EQ(n.mmio_reads, 0u);
  EXPECT_EQ(n.invalidates, 2u);  // 66 bytes at page + 256
  EXPECT_EQ(n.cleans, 1u);       // 60 bytes from there, on the way back to the pool
  EXPECT_EQ(n.wmbs, 1u);
}

TEST(OpCount, SkbPathReadsControlTwiceMore) {
  FecBench b;
  warm(b);
  const Counts n = per_frame(b);
  EXPECT_EQ(n.loads, 5u);
  EXPECT_EQ(n.stores, 5u);
  EXPECT_EQ(n.mmio_writes, 2u);
  EXPECT_EQ(n.cleans, 55u);  // the sk_buff's page goes back whole: 3520 bytes
}

TEST(OpCount, HardwareTimestampsCostOneLoad) {
  FecDriverConfig c = FecBench::base_config();
  c.hw_timestamps = true;
  FecBench b(c);
  warm(b);
  EXPECT_EQ(per_frame(b).loads, 6u);
}

TEST(OpCount, XdpTxSubmit) {
  stack::XdpTxProgram program;
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  FecBench b(c);
  warm(b);
  const Counts n = per_frame(b);
  EXPECT_EQ(n.loads, 3u + 1u);
  EXPECT_EQ(n.stores, 5u + 5u);
  EXPECT_EQ(n.mmio_writes, 2u + 1u);
  EXPECT_EQ(n.mmio_reads, 0u);
  EXPECT_EQ(n.cleans, 1u + 0u);
  EXPECT_EQ(n.dma_wmbs, 2u);
}

TEST(OpCount, XdpTxBatchedRingsOncePerPoll) {
  stack::XdpTxProgram program;
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  c.doorbell = DoorbellMode::kBatched;
  FecBench b(c);
  warm(b);
  EXPECT_EQ(per_frame(b).mmio_writes, 2u);
  b.host.reset_counts();
  serve(b, 5);
  EXPECT_EQ(b.host.mmio_writes(0x014), 1u);
}

// Serves nothing but completions of `frames` frames already sent.
Counts complete(FecBench& b, uint64_t frames) {
  for (uint64_t i = 0; i < frames; ++i) EXPECT_TRUE(b.receive(0, udp_frame()));
  b.poll(64);
  EXPECT_EQ(b.transmit(0).size(), frames);
  b.eir = 0;
  const Counts before = now(b);
  b.poll(64);
  return minus(now(b), before);
}

Counts per_completion(FecBench& b) {
  const Counts small = complete(b, kFrames);
  const Counts large = complete(b, 2 * kFrames);
  const Counts d = minus(large, small);
  return {d.loads / kFrames,      d.stores / kFrames, d.mmio_writes / kFrames,
          d.mmio_reads / kFrames, d.cleans / kFrames, d.invalidates / kFrames,
          d.dma_wmbs / kFrames,   d.wmbs / kFrames};
}

TEST(OpCount, XdpTxComplete) {
  stack::XdpTxProgram program;
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  FecBench b(c);
  warm(b);
  const Counts n = per_completion(b);
  EXPECT_EQ(n.loads, 2u);
  EXPECT_EQ(n.stores, 1u);
  EXPECT_EQ(n.mmio_writes, 0u);
  EXPECT_EQ(n.cleans, 0u);
  EXPECT_EQ(n.wmbs, 1u);
}

TEST(OpCount, XdpTxFullSyncCleansTheWholeBuffer) {
  stack::XdpTxProgram program;
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  c.dma_sync = DmaSync::kFull;
  FecBench b(c);
  warm(b);
  EXPECT_EQ(per_completion(b).cleans, 55u);
}

TEST(OpCount, RedirectCompleteReadsAddressTwiceAndCleansAll) {
  stack::XdpRedirectProgram program(1);
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  FecBench b(c);
  warm(b);
  const Counts n = per_completion(b);
  EXPECT_EQ(n.loads, 2u + 3u);
  EXPECT_EQ(n.stores, 1u);
  EXPECT_EQ(n.cleans, 55u);
}

TEST(OpCount, RedirectSubmit) {
  stack::XdpRedirectProgram program(1);
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  FecBench b(c);
  warm(b);
  const Counts n = per_frame(b);
  EXPECT_EQ(n.loads, 3u + 1u);
  EXPECT_EQ(n.stores, 5u + 5u);
  EXPECT_EQ(n.mmio_writes, 2u + 1u);
  EXPECT_EQ(n.cleans, 1u);
}

TEST(OpCount, EmptyPollReadsEirOnce) {
  FecBench b;
  warm(b);
  b.poll(64);
  EXPECT_EQ(b.host.count(hal::Op::kMmioRead), 1u);
  EXPECT_EQ(b.host.count(hal::Op::kMmioWrite), 2u);  // EIR back, EIMR
  EXPECT_EQ(b.host.count(hal::Op::kUncachedLoad), 3u);
  EXPECT_EQ(b.host.count(hal::Op::kUncachedStore), 0u);
}

TEST(OpCount, SoftwareStepsAreChargedOnce) {
  stack::XdpTxProgram program;
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  FecBench b(c);
  warm(b);
  for (int i = 0; i < 4; ++i) b.receive(0, udp_frame());
  b.poll(64);
  b.transmit(0);
  b.poll(64);
  EXPECT_EQ(b.host.count(hal::Op::kDriverRx), 4u);
  EXPECT_EQ(b.host.count(hal::Op::kDriverTx), 4u);
  EXPECT_EQ(b.host.count(hal::Op::kDriverClean), 4u);
  EXPECT_EQ(b.host.count(hal::Op::kTxLock), 4u);
  EXPECT_EQ(b.host.count(hal::Op::kMapSetup), 0u);
  EXPECT_EQ(b.host.count(hal::Op::kXdpProgram), 4u);
  EXPECT_EQ(b.host.count(hal::Op::kXdpConvert), 4u);
  EXPECT_EQ(b.host.count(hal::Op::kPagePoolAlloc), 4u);
  EXPECT_EQ(b.host.count(hal::Op::kPagePoolPut), 4u);
}

TEST(OpCount, RedirectStepsAreChargedPerFrameAndPerFlush) {
  stack::XdpRedirectProgram program(1);
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  FecBench b(c);
  warm(b);
  for (int i = 0; i < 20; ++i) b.receive(0, udp_frame());
  b.poll(64);
  EXPECT_EQ(b.host.count(hal::Op::kXdpRedirect), 20u);
  EXPECT_EQ(b.host.count(hal::Op::kBulkEnqueue), 20u);
  EXPECT_EQ(b.host.count(hal::Op::kBulkFlush), 2u);  // 16, then the rest at the end
  EXPECT_EQ(b.host.count(hal::Op::kTxLock), 2u);
  EXPECT_EQ(b.host.count(hal::Op::kMapSetup), 20u);
}

TEST(OpCount, NoFrameConversionWhenTheBufferIsQueuedItself) {
  stack::XdpTxProgram program;
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  c.xdp_frame_conversion = false;
  FecBench b(c);
  warm(b);
  for (int i = 0; i < 4; ++i) b.receive(0, udp_frame());
  b.poll(64);
  EXPECT_EQ(b.transmit(0).size(), 4u);
  b.poll(64);
  EXPECT_EQ(b.host.count(hal::Op::kXdpConvert), 0u);
  b.expect_no_leaks();
}

}  // namespace
}  // namespace doorbell::drivers::fec
