// What the tsnep driver counts: totals over all queues, as `ethtool -S` and rtnl_link_stats64.
//
// Per-queue numbers are in the rings; the device's own 8-bit counters are added as they are read.
// Units: frames, bytes or events, as the help of each row says.
#pragma once

#include <cstdint>
#include <string>

namespace doorbell::drivers::tsnep {

// X(member, "help")
#define DOORBELL_TSNEP_STATISTICS(X)                                           \
  X(rx_packets, "frames taken from receive rings")                             \
  X(rx_bytes, "their lengths without FCS")                                     \
  X(rx_dropped, "received frames dropped by the driver")                       \
  X(rx_errors, "frames of an impossible length")                               \
  X(rx_multicast, "frames to group addresses")                                 \
  X(rx_alloc_failed, "receive buffers not replaced for want of memory")        \
  X(rx_reused, "received buffers put back unread: no memory for another")      \
  X(rx_skb_failed, "frames dropped for want of an sk_buff")                    \
  X(rx_copied, "frames copied out of zero-copy buffers for the stack")         \
  X(rx_doorbells, "writes of RX enable")                                       \
  X(rx_timestamps, "received frames whose time stamp was taken up")            \
  X(rx_no_descriptor_errors, "frames the device had no descriptor for")        \
  X(rx_buffer_too_small_errors, "frames too long for their buffer")            \
  X(rx_fifo_overflow_errors, "frames the device's FIFO had no room for")       \
  X(rx_invalid_frame_errors, "frames the device found invalid in a queue")     \
  X(rx_phy_errors, "receive errors of the PHY")                                \
  X(rx_crc_errors, "invalid frames of the MAC")                                \
  X(rx_forwarded_phy_errors, "receive errors of the PHY, forwarded")           \
  X(tx_submitted, "frames handed to a transmit ring, of whatever kind")        \
  X(tx_packets, "frames reclaimed after transmission")                         \
  X(tx_bytes, "their lengths with FCS")                                        \
  X(tx_dropped, "packets of the stack dropped by the driver")                  \
  X(tx_busy, "packets refused by a full ring")                                 \
  X(tx_inline, "fragments copied into descriptors")                            \
  X(tx_mapped, "fragments mapped for the device")                              \
  X(tx_doorbells, "writes of TX enable")                                       \
  X(tx_timestamps, "transmit time stamps read back")                           \
  X(tx_timeouts, "the transmit watchdog fired")                                \
  X(tx_lock_waits, "turns waited for a transmit queue's lock")                 \
  X(tx_drain_timeouts, "queues that did not drain in a second and were reset") \
  X(rx_stop_timeouts, "receive queues that did not stop in a second")          \
  X(rx_xdp_pass, "XDP verdict pass")                                           \
  X(rx_xdp_drop, "XDP verdict drop, aborted or unknown")                       \
  X(rx_xdp_tx, "XDP verdict tx")                                               \
  X(rx_xdp_tx_errors, "XDP_TX not queued")                                     \
  X(rx_xdp_redirect, "XDP verdict redirect")                                   \
  X(tx_xdp_xmit, "redirected frames queued")                                   \
  X(tx_xdp_xmit_errors, "redirected frames not queued")                        \
  X(xsk_tx, "AF_XDP descriptors queued")                                       \
  X(xsk_tx_batches, "batches of AF_XDP descriptors")                           \
  X(xsk_completed, "AF_XDP descriptors reported as sent")                      \
  X(xsk_wakeups, "wake-ups by AF_XDP sockets")                                 \
  X(xsk_leaked, "zero-copy buffers and pages lost (defects L1 and L4)")        \
  X(interrupts, "interrupts of all lines")                                     \
  X(polls, "calls of the poll function")                                       \
  X(rechecks, "work found after interrupts had been enabled")                  \
  X(link_events, "link interrupts")                                            \
  X(mdio_timeouts, "management frames that did not end")                       \
  X(gate_retries, "gate control lists enabled again: the window had closed")

struct TsnepStatistics {
#define DOORBELL_TSNEP_STATISTIC(name, help) uint64_t name = 0;
  DOORBELL_TSNEP_STATISTICS(DOORBELL_TSNEP_STATISTIC)
#undef DOORBELL_TSNEP_STATISTIC
};

/// One line of a statistics report.
struct StatisticRow {
  std::string name;
  uint64_t value = 0;
  std::string help;
};

}  // namespace doorbell::drivers::tsnep
