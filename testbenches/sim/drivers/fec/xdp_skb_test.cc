// Generic XDP (skb mode) through the driver.
#include <gtest/gtest.h>

#include "testbenches/sim/drivers/fec/fec_bench.h"

namespace doorbell::drivers::fec {
namespace {

using stack::DropReason;
using stack::Verdict;

FecDriverConfig with(stack::XdpProgram* program) {
  FecDriverConfig c = FecBench::base_config();
  c.program = program;
  c.mode = XdpMode::kSkb;
  return c;
}

Bytes swapped(Bytes frame) {
  std::swap_ranges(frame.begin(), frame.begin() + 6, frame.begin() + 6);
  return frame;
}

TEST(XdpSkb, TxDropPassRedirect) {
  stack::XdpTxProgram tx;
  FecBench b(with(&tx));
  b.start();
  b.receive(0, udp_frame(90, 5));
  b.poll(64);
  const std::vector<Sent> sent = b.transmit(0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].bytes, swapped(udp_frame(90, 5)));
  EXPECT_EQ(sent[0].status[0], 0x9C00);
  EXPECT_EQ(sent[0].control[0], 0x40000000u);
  b.service();

  stack::XdpDropProgram drop;
  b.driver->set_xdp_program(&drop);
  b.receive(0, udp_frame());
  b.service();
  EXPECT_EQ(b.drops(DropReason::kXdpDrop), 1u);

  stack::XdpPassProgram pass;
  b.driver->set_xdp_program(&pass);
  b.receive(0, udp_frame());
  b.service();
  EXPECT_EQ(b.stack.delivered_frames(), 1u);

  stack::XdpRedirectProgram redirect(1);
  b.driver->set_xdp_program(&redirect);
  b.receive(0, udp_frame());
  b.poll(64);
  EXPECT_EQ(b.transmit(0).size(), 1u);
  b.service();
  EXPECT_EQ(b.driver->xdp_counts.redirect, 1u);
  b.expect_no_leaks();
}

TEST(XdpSkb, BatchedDoorbellOncePerPass) {
  stack::XdpTxProgram tx;
  FecDriverConfig c = with(&tx);
  c.doorbell = DoorbellMode::kBatched;
  FecBench b(c);
  b.start();
  for (int i = 0; i < 10; ++i) b.receive(0, udp_frame());
  b.eir = 0;
  b.poll(64);
  EXPECT_EQ(b.driver->statistics().tx_doorbells, 1u);
  EXPECT_EQ(b.transmit(0).size(), 10u);
}

TEST(XdpSkb, AbortedUnknownAndStoppedQueue) {
  stack::XdpFixedProgram aborted("aborted", Verdict::kAborted);
  FecBench b(with(&aborted));
  b.start();
  b.receive(0, udp_frame());
  b.service();
  EXPECT_EQ(b.drops(DropReason::kXdpAborted), 1u);
  stack::XdpFixedProgram odd("odd", static_cast<Verdict>(9));
  b.driver->set_xdp_program(&odd);
  b.receive(0, udp_frame());
  b.service();
  EXPECT_EQ(b.drops(DropReason::kXdpUnknownVerdict), 1u);
  stack::XdpTxProgram tx;
  b.driver->set_xdp_program(&tx);
  b.driver->stop_queue(0);
  b.receive(0, udp_frame());
  b.service();
  EXPECT_EQ(b.drops(DropReason::kGenericTxQueueStopped), 1u);
  stack::XdpRedirectProgram nowhere(7);
  b.driver->set_xdp_program(&nowhere);
  b.receive(0, udp_frame());
  b.service();
  EXPECT_EQ(b.drops(DropReason::kRedirectNoTarget), 1u);
  b.expect_no_leaks();
}

}  // namespace
}  // namespace doorbell::drivers::fec
