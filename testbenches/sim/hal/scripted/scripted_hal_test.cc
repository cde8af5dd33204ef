// The scripted HAL itself: its messages, its two views of memory, its bookkeeping.
#include "sim/hal/scripted/scripted_hal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace doorbell::hal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Script, AcceptsTheSequenceAndAnswersReads) {
  ScriptedHal h;
  h.expect_write(0x24, 0).expect_read(0x4, 0x80).expect_write(0x4, 0x80);
  Hal hal = h.hal();
  hal.mmio.write32(0x24, 0);
  EXPECT_EQ(hal.mmio.read32(0x4), 0x80u);
  hal.mmio.write32(0x4, 0x80);
  EXPECT_TRUE(h.finish_script());
  EXPECT_THAT(h.failures(), IsEmpty());
}

TEST(Script, NamesIndexExpectedAndGot) {
  ScriptedHal h;
  h.expect_write(0x24, 0x132).expect_write(0x14, 0);
  h.hal().mmio.write32(0x24, 0x130);
  h.hal().mmio.read32(0x14);
  EXPECT_THAT(h.failures(),
              ElementsAre("MMIO #0: expected write 0x024 = 0x00000132, got write 0x024 = "
                          "0x00000130",
                          "MMIO #1: expected write 0x014 = 0x00000000, got read 0x014"));
}

TEST(Script, NoticesTooMuchAndTooLittle) {
  ScriptedHal h;
  h.expect_read(0x8, 1);
  EXPECT_FALSE(h.finish_script());
  EXPECT_EQ(h.hal().mmio.read32(0x8), 1u);
  EXPECT_TRUE(h.finish_script());
  h.hal().mmio.write32(0x8, 5);
  EXPECT_THAT(h.failures(),
              ElementsAre("MMIO #0: expected read 0x008, got nothing more",
                          "MMIO #1: expected nothing more, got write 0x008 = 0x00000005"));
}

TEST(Store, KeepsValuesAndCallsHooks) {
  ScriptedHal h;
  uint32_t seen = 0;
  h.on_write(0x10, [&](uint32_t v) { seen = v; });
  h.on_read(0x20, [] { return 7u; });
  h.hal().mmio.write32(0x10, 3);
  EXPECT_EQ(seen, 3u);
  EXPECT_EQ(h.hal().mmio.read32(0x10), 3u);
  EXPECT_EQ(h.hal().mmio.read32(0x20), 7u);
  EXPECT_EQ(h.mmio_reads(0x10), 1u);
  EXPECT_EQ(h.mmio_writes(0x10), 1u);
  EXPECT_EQ(h.count(Op::kMmioRead), 2u);
}

TEST(Memory, DirtyLinesReachTheDeviceOnlyByAClean) {
  ScriptedHal h;
  Hal hal = h.hal();
  uint8_t* page = hal.dma.alloc_page();
  const DmaAddr addr = hal.dma.phys(page);
  hal.dma.touch(page, 1, Touch::kWrite);
  page[0] = 0xAA;
  EXPECT_EQ(h.device_read(addr, 1)[0], 0);
  hal.dma.sync_for_device(addr, 1, DmaDir::kBidirectional);
  EXPECT_EQ(h.device_read(addr, 1)[0], 0xAA);
  EXPECT_EQ(h.count(Op::kLineClean), 1u);
}

TEST(Memory, DeviceWritesReachTheCpuOnlyByAnInvalidate) {
  ScriptedHal h;
  Hal hal = h.hal();
  uint8_t* page = hal.dma.alloc_page();
  const DmaAddr addr = hal.dma.phys(page);
  hal.dma.touch(page, 64, Touch::kRead);
  const uint8_t byte = 0x55;
  h.device_write(addr, {&byte, 1});
  hal.dma.touch(page, 64, Touch::kRead);
  EXPECT_EQ(page[0], 0);
  EXPECT_EQ(h.cpu_would_read(page, 1)[0], 0);
  hal.dma.sync_for_cpu(addr, 64, DmaDir::kFromDevice);
  EXPECT_EQ(h.cpu_would_read(page, 1)[0], 0x55);
  hal.dma.touch(page, 64, Touch::kRead);
  EXPECT_EQ(page[0], 0x55);
  EXPECT_EQ(h.count(Op::kCacheMiss), 2u);
}

TEST(Memory, PartialDirtyEdgesAreWrittenBackBeforeTheyGo) {
  ScriptedHal h;
  Hal hal = h.hal();
  uint8_t* page = hal.dma.alloc_page();
  const DmaAddr addr = hal.dma.phys(page);
  hal.dma.touch(page, 1, Touch::kWrite);
  page[0] = 0x77;
  hal.dma.sync_for_cpu(addr + 32, 96, DmaDir::kFromDevice);
  EXPECT_EQ(h.device_read(addr, 1)[0], 0x77);
  EXPECT_EQ(h.count(Op::kLineInvalidate), 2u);
}

TEST(Memory, CoherentAccessesCountAndStayInTheirBlock) {
  ScriptedHal h;
  Hal hal = h.hal();
  const DmaAddr block = hal.dma.alloc_coherent(64, 64);
  hal.coherent.write32(block + 60, 0x12345678);
  EXPECT_EQ(hal.coherent.read16(block + 62), 0x1234);
  EXPECT_EQ(h.count(Op::kUncachedLoad), 1u);
  EXPECT_EQ(h.count(Op::kUncachedStore), 1u);
  const uint8_t bytes[20] = {1};
  hal.coherent.write_bytes(block, {bytes, 20});
  EXPECT_EQ(h.count(Op::kUncachedStore), 4u);
  EXPECT_THAT(h.failures(), IsEmpty());
  hal.coherent.write32(block + 64, 0);
  hal.coherent.read32(block + 2);
  EXPECT_EQ(h.failures().size(), 2u);
}

TEST(Memory, SixtyFourBitsAreOneAccess) {
  ScriptedHal h;
  Hal hal = h.hal();
  const DmaAddr block = hal.dma.alloc_coherent(64, 64);
  h.record(true);
  hal.coherent.write64(block + 8, 0x1122334455667788u);
  EXPECT_EQ(h.peek32(block + 8), 0x55667788u);
  EXPECT_EQ(h.peek64(block + 8), 0x1122334455667788u);
  h.poke64(block + 8, 5);
  EXPECT_EQ(hal.coherent.read64(block + 8), 5u);
  EXPECT_EQ(h.count(Op::kUncachedLoad), 1u);
  EXPECT_EQ(h.count(Op::kUncachedStore), 1u);
  ASSERT_EQ(h.steps().size(), 2u);
  EXPECT_EQ(h.steps()[0].value, 0x1122334455667788u);
  EXPECT_THAT(h.failures(), IsEmpty());
  hal.coherent.read64(block + 4);
  EXPECT_EQ(h.failures().size(), 1u);
}

TEST(Memory, PagesAndMappingsAreTracked) {
  ScriptedHal h;
  Hal hal = h.hal();
  uint8_t* page = hal.dma.alloc_page();
  bool ok = false;
  const DmaAddr addr = hal.dma.map(page, 100, DmaDir::kToDevice, ok);
  ASSERT_TRUE(ok);
  EXPECT_EQ(h.mappings(), 1u);
  hal.dma.unmap(addr, 99, DmaDir::kToDevice);
  EXPECT_EQ(h.failures().size(), 1u);
  hal.dma.unmap(addr, 100, DmaDir::kToDevice);
  EXPECT_EQ(h.mappings(), 0u);
  hal.dma.free_page(page);
  EXPECT_EQ(h.pages_out(), 0u);
  hal.dma.free_page(page);
  EXPECT_EQ(h.failures().size(), 2u);
}

TEST(Memory, InjectedFailures) {
  ScriptedHal h;
  Hal hal = h.hal();
  uint8_t* page = hal.dma.alloc_page();
  h.fail_maps(2, 1);
  bool ok = false;
  hal.dma.map(page, 1, DmaDir::kToDevice, ok);
  EXPECT_TRUE(ok);
  hal.dma.map(page, 1, DmaDir::kToDevice, ok);
  EXPECT_FALSE(ok);
  hal.dma.map(page, 1, DmaDir::kToDevice, ok);
  EXPECT_TRUE(ok);
  h.fail_pages(1, 1);
  EXPECT_EQ(hal.dma.alloc_page(), nullptr);
  h.fail_coherent(1, 1);
  EXPECT_EQ(hal.dma.alloc_coherent(8, 8), 0u);
}

class Log : public Work {
 public:
  Log(std::vector<int>& log, int id) : log_(log), id_(id) {}
  void run_work() override { log_.push_back(id_); }

 private:
  std::vector<int>& log_;
  int id_;
};

TEST(Time, WorkRunsInOrderOfDueTimeAndCanMove) {
  ScriptedHal h;
  std::vector<int> log;
  Log a(log, 1), b(log, 2), c(log, 3);
  h.hal().timers.schedule(a, base::Picos(30));
  h.hal().timers.schedule(b, base::Picos(10));
  h.hal().timers.schedule(c, base::Picos(10));
  h.hal().timers.schedule(a, base::Picos(5));
  h.hal().timers.cancel(c);
  h.advance(base::Picos(9));
  EXPECT_THAT(log, ElementsAre(1));
  h.advance(base::Picos(1));
  EXPECT_THAT(log, ElementsAre(1, 2));
  EXPECT_EQ(h.now().count(), 10);
  EXPECT_EQ(h.timers_pending(), 0u);
}

class Poll : public NapiPoll {
 public:
  explicit Poll(Napi& napi) : napi_(napi) {}
  int poll(int budget) override {
    last_budget = budget;
    napi_.complete(0);
    return 0;
  }
  int last_budget = -1;

 private:
  Napi& napi_;
};

TEST(Napi, LifeCycle) {
  ScriptedHal h;
  Hal hal = h.hal();
  Poll poll(hal.napi);
  hal.napi.add(poll, 32);
  EXPECT_FALSE(hal.napi.schedule());
  hal.napi.enable();
  EXPECT_TRUE(hal.napi.schedule());
  EXPECT_FALSE(hal.napi.schedule());
  EXPECT_EQ(h.run_napi(), 0);
  EXPECT_EQ(poll.last_budget, 32);
  EXPECT_EQ(h.run_napi(), -1);
  hal.napi.disable();
  hal.napi.disable();
  EXPECT_EQ(h.failures().size(), 1u);
}

TEST(Steps, AreRecordedInProgramOrder) {
  ScriptedHal h;
  Hal hal = h.hal();
  const DmaAddr block = hal.dma.alloc_coherent(64, 64);
  h.record(true);
  hal.coherent.write32(block, 1);
  hal.order.dma_wmb();
  hal.mmio.write32(0x14, 0);
  ASSERT_EQ(h.steps().size(), 3u);
  EXPECT_EQ(h.steps()[0].kind, ScriptedStep::Kind::kStore);
  EXPECT_EQ(h.steps()[1].kind, ScriptedStep::Kind::kDmaWmb);
  EXPECT_EQ(h.steps()[2].address, 0x14u);
}

}  // namespace
}  // namespace doorbell::hal
