// Transmit clean-up, poll loop and interrupt handler.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

TEST(Clean, Erratum006358_KicksARingWhoseTdarIsClear) {
  FecBench b;
  b.start();
  b.send(b.skb(udp_frame()));
  b.send(b.skb(udp_frame()));
  b.transmit(0, 1);
  b.tdar[0] = false;
  const uint64_t before = b.host.mmio_writes(0x014);
  b.service();
  EXPECT_EQ(b.host.mmio_writes(0x014), before + 1);
  EXPECT_TRUE(b.tdar[0]);
  EXPECT_EQ(b.driver->statistics().tx_kicks, 1u);
}

TEST(Clean, NoKickWhileTdarIsSetOrTheRingIsEmpty) {
  FecBench b;
  b.start();
  b.send(b.skb(udp_frame()));
  b.send(b.skb(udp_frame()));
  b.transmit(0, 1);
  b.tdar[0] = true;
  b.service();
  EXPECT_EQ(b.driver->statistics().tx_kicks, 0u);
  b.transmit(0);
  b.host.reset_counts();
  b.service();
  EXPECT_EQ(b.host.mmio_reads(0x014), 0u);
}

TEST(Clean, B7_Budget0TouchesNoPagePool) {
  stack::XdpTxProgram program;
  FecDriverConfig c = FecBench::base_config();
  c.program = &program;
  FecBench b(c);
  b.start();
  b.receive(0, udp_frame());
  b.eir = 0;
  b.poll(64);
  b.transmit(0);
  b.host.reset_counts();
  EXPECT_EQ(b.poll(0), 0);
  EXPECT_EQ(b.host.count(hal::Op::kPagePoolPut), 0u);
  EXPECT_EQ(b.driver->pending_tx(), 1u);
  b.poll(64);
  EXPECT_EQ(b.driver->pending_tx(), 0u);
  b.expect_no_leaks();
}

TEST(Clean, Budget0StillReclaimsSkBuffs) {
  FecBench b;
  b.start();
  b.send(b.skb(udp_frame()));
  b.transmit(0);
  b.poll(0);
  EXPECT_EQ(b.driver->pending_tx(), 0u);
  EXPECT_EQ(b.host.mmio_writes(0x008), 0u);  // no completion of the poll either
}

TEST(Clean, B1_EventsDuringThePollAreServedByIt) {
  FecBench b;
  b.start();
  b.send(b.skb(udp_frame()));
  b.receive(0, udp_frame());
  b.host.raise(2);
  // The frame's end shows after the first clean-up, while the poll collects events.
  bool done = false;
  b.host.on_read(0x004, [&] {
    if (!done) {
      done = true;
      b.transmit(0);
    }
    return b.eir;
  });
  b.host.run_napi();
  EXPECT_EQ(b.driver->pending_tx(), 0u);
}

TEST(Clean, B2_B4_SlotTypesAreKept) {
  stack::XdpRedirectProgram redirect(1);
  FecDriverConfig c = FecBench::base_config();
  c.program = &redirect;
  FecBench b(c);
  b.start();
  b.receive(0, udp_frame());
  b.eir = 0;
  b.poll(64);
  b.send(b.skb(udp_frame()));
  EXPECT_EQ(b.driver->tx_ring(0).slots[0].type, TxBuffer::kXdpNdo);
  EXPECT_EQ(b.driver->tx_ring(0).slots[1].type, TxBuffer::kSkb);
  b.transmit(0);
  b.poll(64);
  EXPECT_EQ(b.driver->tx_ring(0).slots[0].type, TxBuffer::kSkb);
  EXPECT_EQ(b.driver->tx_ring(0).slots[0].page, nullptr);
  EXPECT_EQ(b.driver->statistics().tx_packets, 2u);
  b.expect_no_leaks();
}

// ENET reports transmit errors in the control word, which the driver does not read.
TEST(Clean, D9_EnhancedTransmitErrorsStayUnseen) {
  FecBench b;
  b.start();
  b.send(b.skb(udp_frame()));
  b.transmit(0);
  b.host.poke32(b.tx_bd(0, 0) + 8, 0x4000A000);
  b.service();
  EXPECT_EQ(b.driver->statistics().tx_errors, 0u);
  EXPECT_EQ(b.driver->statistics().tx_packets, 1u);
}

TEST(Irq, AcknowledgesAllButMiiAndMasks) {
  FecBench b;
  b.start();
  b.eir = 0x02800000;
  EXPECT_TRUE(b.host.raise(2));
  EXPECT_EQ(b.eir, 0x00800000u);
  EXPECT_EQ(b.host.register_value(0x008), 0u);
  EXPECT_TRUE(b.host.napi_scheduled());
  b.host.run_napi();
  EXPECT_EQ(b.host.register_value(0x008), 0x0A0000AAu);
}

TEST(Irq, NothingPendingIsNotHandled) {
  FecBench b;
  b.start();
  EXPECT_FALSE(b.host.raise(0));
  EXPECT_FALSE(b.host.napi_scheduled());
}

TEST(Irq, D9_BusErrorIsNotEnabled) {
  FecBench b;
  b.start();
  EXPECT_EQ(b.host.register_value(0x008) & 0x00400000, 0u);
}

TEST(Irq, SecondInterruptWhileScheduledDoesNotMaskAgain) {
  FecBench b;
  b.start();
  b.eir = 0x02000000;
  b.host.raise(2);
  b.eir = 0x08000000;
  EXPECT_TRUE(b.host.raise(2));
  EXPECT_EQ(b.host.mmio_writes(0x008), 1u);
}

TEST(Irq, WithoutLinkNothingIsScheduled) {
  FecDriverConfig c = FecBench::base_config();
  c.assume_link = false;
  FecBench b(c);
  b.start();
  b.eir = 0x02000000;
  EXPECT_FALSE(b.host.raise(2));
  EXPECT_EQ(b.eir, 0u);
}

}  // namespace
}  // namespace doorbell::drivers::fec
