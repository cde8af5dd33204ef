// Native XDP verdicts, redirect, attaching, and every way they can fail.
#include <gtest/gtest.h>

#include <cerrno>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

using stack::DropReason;
using stack::Verdict;

FecDriverConfig with(stack::XdpProgram* program) {
  FecDriverConfig c = FecBench::base_config();
  c.program = program;
  return c;
}

Bytes swapped(Bytes frame) {
  std::swap_ranges(frame.begin(), frame.begin() + 6, frame.begin() + 6);
  return frame;
}

// Does what a test says.
class Custom : public stack::XdpProgram {
 public:
  explicit Custom(std::function<Verdict(stack::XdpBuff&, stack::XdpContext&)> body)
      : body_(std::move(body)) {}
  const char* name() const override { return "custom"; }
  Verdict run(stack::XdpBuff& buff, stack::XdpContext& context) override {
    return body_(buff, context);
  }

 private:
  std::function<Verdict(stack::XdpBuff&, stack::XdpContext&)> body_;
};

// A second port that takes a limited number of frames.
class Port : public stack::NetDevice {
 public:
  Port(hal::Hal& hal, bool takes) : NetDevice(hal, 1, base::Picos(1)), takes_(takes) {}
  const char* name() const override { return "port"; }
  int open() override {
    set_running(true);
    return 0;
  }
  void stop() override { set_running(false); }
  stack::TxStatus xmit(stack::SkBuff&, uint16_t) override { return stack::TxStatus::kBusy; }
  int xdp_xmit(stack::XdpFrame* const*, int) override { return -ENETDOWN; }
  uint16_t select_queue(const stack::SkBuff&) override { return 0; }
  void tx_timeout(uint16_t) override {}
  int set_xdp_program(stack::XdpProgram*) override { return 0; }
  bool accepts_xdp_frames() const override { return takes_; }

 private:
  bool takes_;
};

TEST(XdpNative, PassGoesUpTheStack) {
  stack::XdpPassProgram program;
  FecBench b(with(&program));
  b.start();
  b.receive(0, udp_frame());
  b.service();
  EXPECT_EQ(b.stack.delivered_frames(), 1u);
  EXPECT_EQ(b.driver->statistics().rx_xdp_pass, 1u);
  EXPECT_EQ(b.tap.frames.size(), 1u);
  b.expect_no_leaks();
}

TEST(XdpNative, DropAbortedAndUnknownAreNamed) {
  const struct {
    Verdict verdict;
    DropReason reason;
  } cases[] = {{Verdict::kDrop, DropReason::kXdpDrop},
               {Verdict::kAborted, DropReason::kXdpAborted},
               {static_cast<Verdict>(77), DropReason::kXdpUnknownVerdict}};
  for (const auto& c : cases) {
    stack::XdpFixedProgram program("fixed", c.verdict);
    FecBench b(with(&program));
    b.start();
    for (int i = 0; i < 10; ++i) b.receive(0, udp_frame());
    b.service();
    EXPECT_EQ(b.drops(c.reason), 10u);
    EXPECT_EQ(b.stack.drops().total(), 10u);
    EXPECT_EQ(b.driver->statistics().rx_xdp_drop, 10u);
    b.expect_no_leaks();
  }
}

TEST(XdpNative, TxSendsTheSwappedFrame) {
  for (bool conversion : {true, false}) {
    stack::XdpTxProgram program;
    FecDriverConfig c = with(&program);
    c.xdp_frame_conversion = conversion;
    FecBench b(c);
    b.start();
    b.receive(0, udp_frame(130, 9));
    b.poll(64);
    const std::vector<Sent> sent = b.transmit(0);
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].bytes, swapped(udp_frame(130, 9)));
    EXPECT_EQ(sent[0].status[0], 0x9C00);
    EXPECT_EQ(sent[0].control[0], 0x40000000u);
    EXPECT_EQ(program.counts().total(17), 1u);
    b.service();
    EXPECT_EQ(b.driver->pending_tx(), 0u);
    EXPECT_EQ(b.host.peek32(b.tx_bd(0, 0) + 4), 0u);
    EXPECT_EQ(b.host.peek16(b.tx_bd(0, 0) + 2), 0x1C00);
    b.expect_no_leaks();
  }
}

TEST(XdpNative, B16_ProgramSeesTheFrameWithoutShift16) {
  Bytes seen;
  Custom program([&](stack::XdpBuff& buff, stack::XdpContext& context) {
    context.hal.dma.touch(buff.data, buff.length(), hal::Touch::kRead);
    seen.assign(buff.data, buff.data_end);
    EXPECT_EQ(buff.data - buff.data_hard_start, 258);
    return Verdict::kDrop;
  });
  FecBench b(with(&program));
  b.start();
  b.receive(0, udp_frame(77, 4));
  b.poll(64);
  EXPECT_EQ(seen, udp_frame(77, 4));
}

TEST(XdpNative, B17_RxQueueIndexIsTheRings) {
  std::vector<uint32_t> seen;
  Custom program([&](stack::XdpBuff& buff, stack::XdpContext&) {
    seen.push_back(buff.rxq->index);
    return Verdict::kDrop;
  });
  FecBench b(with(&program));
  b.start();
  for (unsigned q = 0; q < 3; ++q) b.receive(q, udp_frame());
  b.poll(64);
  EXPECT_EQ(seen, (std::vector<uint32_t>{2, 1, 0}));
}

TEST(XdpNative, AdjustedHeadAndTailAreSentAndCleaned) {
  for (bool conversion : {true, false}) {
    Custom program([](stack::XdpBuff& buff, stack::XdpContext& context) {
      buff.data -= 4;
      buff.data_end -= 10;
      context.hal.dma.touch(buff.data, 16, hal::Touch::kWrite);
      std::fill(buff.data, buff.data + 16, uint8_t{0xAB});
      return Verdict::kTx;
    });
    FecDriverConfig c = with(&program);
    c.xdp_frame_conversion = conversion;
    FecBench b(c);
    b.start();
    b.receive(0, udp_frame(100, 1));
    b.poll(64);
    const std::vector<Sent> sent = b.transmit(0);
    ASSERT_EQ(sent.size(), 1u);
    Bytes want = udp_frame(100, 1);
    want.resize(90);
    want.insert(want.begin(), 4, 0);
    std::fill(want.begin(), want.begin() + 16, uint8_t{0xAB});
    EXPECT_EQ(sent[0].bytes, want);
  }
}

// A cut tail does not hide what the program wrote there: the page goes back clean to the end.
TEST(XdpNative, DroppedPageIsCleanOverAllThatWasReceived) {
  uint8_t* written = nullptr;
  Custom program([&](stack::XdpBuff& buff, stack::XdpContext& context) {
    written = buff.data_end - 20;
    context.hal.dma.touch(written, 1, hal::Touch::kWrite);
    *written = 0x3C;
    buff.data_end -= 400;
    return Verdict::kDrop;
  });
  FecBench b(with(&program));
  b.start();
  b.receive(0, udp_frame(500));
  b.poll(64);
  ASSERT_NE(written, nullptr);
  EXPECT_EQ(b.host.device_read(b.host.hal().dma.phys(written), 1)[0], 0x3C);
  b.expect_no_leaks();
}

TEST(XdpNative, PassKeepsWhatTheProgramDid) {
  Custom program([](stack::XdpBuff& buff, stack::XdpContext&) {
    buff.data += 14;
    return Verdict::kPass;
  });
  FecBench b(with(&program));
  b.start();
  b.receive(0, udp_frame(100));
  b.poll(64);
  EXPECT_EQ(b.stack.delivered_bytes(), 86u);
}

TEST(XdpNative, NoHeadroomForAFrame) {
  Custom program([](stack::XdpBuff& buff, stack::XdpContext&) {
    buff.data = buff.data_hard_start + 39;
    return Verdict::kTx;
  });
  FecBench b(with(&program));
  b.start();
  b.receive(0, udp_frame());
  b.poll(64);
  EXPECT_EQ(b.drops(DropReason::kXdpNoHeadroom), 1u);
  EXPECT_EQ(b.driver->statistics().rx_xdp_tx_errors, 1u);
  b.expect_no_leaks();
}

// 1022 free descriptors at first, refused below 18: 1005 frames fit.
TEST(XdpNative, TxRingFull) {
  stack::XdpTxProgram program;
  FecBench b(with(&program));
  b.start();
  EXPECT_EQ(b.driver->tx_ring(0).free_descriptors(), 1022u);
  for (int i = 0; i < 1010; ++i) {
    ASSERT_TRUE(b.receive(0, udp_frame()));
    b.poll(64);
  }
  EXPECT_EQ(b.driver->pending_tx(), 1005u);
  EXPECT_EQ(b.driver->tx_ring(0).free_descriptors(), 17u);
  EXPECT_EQ(b.drops(DropReason::kXdpTxRingFull), 5u);
  EXPECT_EQ(b.driver->statistics().rx_xdp_tx_errors, 5u);
  EXPECT_FALSE(b.driver->queue(0).stopped);  // XDP stops no queue
  EXPECT_EQ(b.transmit(0).size(), 1005u);
  b.service();
  EXPECT_EQ(b.driver->pending_tx(), 0u);
  b.expect_no_leaks();
}

TEST(XdpNative, D11_QueueIsTheCoreModuloThree) {
  for (unsigned cpu = 0; cpu < 4; ++cpu) {
    stack::XdpTxProgram program;
    FecBench b(with(&program));
    b.start();
    b.host.set_cpu(cpu);
    b.receive(0, udp_frame());
    b.poll(64);
    const std::vector<Sent> sent = b.transmit(cpu % 3);
    ASSERT_EQ(sent.size(), 1u) << cpu;
    EXPECT_EQ(sent[0].control[0], 0x40000000u | (cpu % 3) << 20);
  }
}

TEST(XdpNative, LastRingDescriptorKeepsWrap) {
  stack::XdpTxProgram program;
  FecBench b(with(&program));
  b.start();
  std::vector<Sent> last;
  for (int i = 0; i < 1024; ++i) {
    b.receive(0, udp_frame());
    b.poll(64);
    last = b.transmit(0);
  }
  ASSERT_EQ(last.size(), 1u);
  EXPECT_EQ(last[0].status[0], 0xBC00);
}

TEST(XdpNative, B6_TransmitTimeIsRefreshed) {
  stack::XdpTxProgram program;
  FecBench b(with(&program));
  b.start();
  b.host.advance(base::Picos(5000000));
  b.receive(0, udp_frame());
  b.poll(64);
  EXPECT_EQ(b.driver->queue(0).trans_start, b.host.now());
}

TEST(XdpRedirect, GoesOutOfTheSamePort) {
  stack::XdpRedirectProgram program(1);
  FecBench b(with(&program));
  b.start();
  for (uint8_t i = 0; i < 40; ++i) b.receive(0, udp_frame(60, i));
  b.poll(64);
  const std::vector<Sent> sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 40u);
  for (uint8_t i = 0; i < 40; ++i) EXPECT_EQ(sent[i].bytes, swapped(udp_frame(60, i)));
  EXPECT_EQ(sent[0].status[0], 0x9C00);
  b.service();
  EXPECT_EQ(b.stack.redirector().frames_sent(), 40u);
  EXPECT_EQ(b.driver->statistics().tx_xdp_xmit, 40u);
  b.expect_no_leaks();
}

TEST(XdpRedirect, BatchedRingsOncePerBulk) {
  stack::XdpRedirectProgram program(1);
  FecDriverConfig c = with(&program);
  c.doorbell = DoorbellMode::kBatched;
  FecBench b(c);
  b.start();
  for (int i = 0; i < 40; ++i) b.receive(0, udp_frame());
  b.eir = 0;
  b.poll(64);
  EXPECT_EQ(b.driver->statistics().tx_doorbells, 3u);  // 16 + 16 + 8
}

TEST(XdpRedirect, B3_PartialCountWhenTheRingIsFull) {
  stack::XdpRedirectProgram program(1);
  FecBench b(with(&program));
  b.start();
  for (int i = 0; i < 1016; ++i) {
    ASSERT_TRUE(b.receive(0, udp_frame()));
    if (i % 64 == 63) {
      b.eir = 0;
      b.poll(64);
    }
  }
  b.eir = 0;
  b.poll(64);
  EXPECT_EQ(b.driver->pending_tx(), 1005u);
  EXPECT_EQ(b.drops(DropReason::kRedirectRingFull), 11u);
  EXPECT_EQ(b.driver->statistics().tx_xdp_xmit, 1005u);
  EXPECT_EQ(b.driver->statistics().tx_xdp_xmit_errors, 11u);
  EXPECT_EQ(b.stack.redirector().frames_returned(), 11u);
  b.transmit(0);
  b.service();
  b.expect_no_leaks();
}

TEST(XdpRedirect, MapFailure) {
  stack::XdpRedirectProgram program(1);
  FecBench b(with(&program));
  b.start();
  // One packet first, so that the pool has pages and maps none.
  b.receive(0, udp_frame());
  b.poll(64);
  b.transmit(0);
  b.service();
  for (int i = 0; i < 4; ++i) b.receive(0, udp_frame());
  b.host.fail_maps(3, 1);
  b.poll(64);
  EXPECT_EQ(b.driver->pending_tx(), 2u);
  EXPECT_EQ(b.drops(DropReason::kRedirectMapFailed), 2u);
  b.transmit(0);
  b.service();
  b.expect_no_leaks();
}

TEST(XdpRedirect, UnknownAndUnwillingTargets) {
  for (uint32_t target : {0u, 9u, 2u}) {
    stack::XdpRedirectProgram program(target);
    FecBench b(with(&program));
    b.start();
    Port port(b.host.hal(), false);
    b.stack.register_device(port);
    port.open();
    b.receive(0, udp_frame());
    b.poll(64);
    EXPECT_EQ(b.drops(DropReason::kRedirectNoTarget), 1u) << target;
    b.expect_no_leaks();
  }
}

TEST(XdpRedirect, TargetDownAtLookupAndAtFlush) {
  stack::XdpRedirectProgram program(2);
  FecBench b(with(&program));
  b.start();
  Port port(b.host.hal(), true);
  b.stack.register_device(port);
  b.receive(0, udp_frame());
  b.poll(64);
  EXPECT_EQ(b.drops(DropReason::kRedirectDeviceDown), 1u);
  port.open();
  b.receive(0, udp_frame());
  b.poll(64);
  EXPECT_EQ(b.drops(DropReason::kRedirectDeviceDown), 2u);
  b.expect_no_leaks();
}

TEST(XdpRedirect, NoHeadroom) {
  Custom program([](stack::XdpBuff& buff, stack::XdpContext& context) {
    buff.data = buff.data_hard_start + 10;
    return stack::redirect_to(context, 1);
  });
  FecBench b(with(&program));
  b.start();
  b.receive(0, udp_frame());
  b.poll(64);
  EXPECT_EQ(b.drops(DropReason::kXdpNoHeadroom), 1u);
  b.expect_no_leaks();
}

TEST(XdpRedirect, B8_OnlyAPortWithAProgramIsATarget) {
  FecBench b;
  b.start();
  EXPECT_FALSE(b.driver->accepts_xdp_frames());
  stack::XdpPassProgram program;
  b.driver->set_xdp_program(&program);
  EXPECT_TRUE(b.driver->accepts_xdp_frames());
  b.driver->stop();
  EXPECT_FALSE(b.driver->accepts_xdp_frames());
}

TEST(XdpAttach, RestartsAndGoesOn) {
  FecBench b;
  b.start();
  b.receive(0, udp_frame());
  b.service();
  stack::XdpDropProgram program;
  EXPECT_EQ(b.driver->set_xdp_program(&program), 0);
  EXPECT_EQ(b.host.mmio_writes(0x024), 2u);
  b.receive(0, udp_frame());
  b.service();
  EXPECT_EQ(b.driver->set_xdp_program(nullptr), 0);
  b.receive(0, udp_frame());
  b.service();
  EXPECT_EQ(b.stack.delivered_frames(), 2u);
  EXPECT_EQ(b.drops(DropReason::kXdpDrop), 1u);
  b.expect_no_leaks();
}

TEST(XdpAttach, D4_WhileClosedTouchesNoHardware) {
  FecBench b;
  b.start();
  b.driver->stop();
  b.host.reset_counts();
  stack::XdpDropProgram program;
  EXPECT_EQ(b.driver->set_xdp_program(&program), 0);
  EXPECT_EQ(b.host.count(hal::Op::kMmioWrite), 0u);
  EXPECT_EQ(b.host.count(hal::Op::kUncachedStore), 0u);
}

TEST(XdpAttach, D10_PoolDirectionIsChosenAtOpen) {
  stack::XdpDropProgram program;
  FecBench late;
  late.start();
  late.driver->set_xdp_program(&program);
  EXPECT_EQ(late.driver->rx_pool(0)->direction(), hal::DmaDir::kFromDevice);
  FecBench early(with(&program));
  early.start();
  EXPECT_EQ(early.driver->rx_pool(0)->direction(), hal::DmaDir::kBidirectional);
}

}  // namespace
}  // namespace doorbell::drivers::fec
