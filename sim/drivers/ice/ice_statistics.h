// What the ice driver counts: totals over all rings, as `ethtool -S` and rtnl_link_stats64.
//
// Per-ring numbers are in the rings. Units: frames, bytes or events, as the help of each row says.
#pragma once

#include <cstdint>
#include <string>

namespace doorbell::drivers::ice {

// X(member, "help")
#define DOORBELL_ICE_STATISTICS(X)                                             \
  X(rx_packets, "frames taken from receive rings")                             \
  X(rx_bytes, "their lengths")                                                 \
  X(rx_errors, "frames with an error status, no bytes or too many buffers")    \
  X(rx_page_failed, "receive buffers not replaced for want of memory")         \
  X(rx_skb_failed, "frames dropped for want of an sk_buff")                    \
  X(rx_non_eop, "buffers that did not end a frame")                            \
  X(rx_zero_bytes, "buffers of no bytes")                                      \
  X(rx_csum_good, "checksums verified by the device")                          \
  X(rx_csum_bad, "checksums the device found wrong")                           \
  X(rx_vlan_stripped, "VLAN tags taken from the descriptor")                   \
  X(rx_tail_writes, "receive doorbells")                                       \
  X(tx_submitted, "frames handed to a transmit ring, of whatever kind")        \
  X(tx_packets, "frames reclaimed after transmission")                         \
  X(tx_bytes, "their lengths")                                                 \
  X(tx_dropped, "packets of the stack dropped by the driver")                  \
  X(tx_busy, "frames and packets refused by a full ring")                      \
  X(tx_restart, "queues stopped and started again at once or by the clean-up") \
  X(tx_linearize, "packets copied together: too many buffers")                 \
  X(tx_tso, "packets segmented by the device")                                 \
  X(tx_doorbells, "transmit doorbells")                                        \
  X(tx_doorbells_deferred, "transmit doorbells left to the next packet")       \
  X(tx_timeouts, "the transmit watchdog fired")                                \
  X(tx_hang_kicks, "software interrupts for rings that stand still")           \
  X(rx_xdp_pass, "XDP verdict pass")                                           \
  X(rx_xdp_drop, "XDP verdict drop, aborted or unknown")                       \
  X(rx_xdp_tx, "XDP verdict tx")                                               \
  X(rx_xdp_tx_errors, "XDP_TX not queued")                                     \
  X(rx_xdp_redirect, "XDP verdict redirect")                                   \
  X(tx_xdp_xmit, "redirected frames queued")                                   \
  X(tx_xdp_xmit_errors, "redirected frames not queued")                        \
  X(xdp_cleans, "XDP ring cleans that freed something")                        \
  X(xdp_cleans_early, "XDP ring cleans that found no report")                  \
  X(xdp_empty_slots, "slots without a frame met by a clean (wrong ring size)") \
  X(xdp_rs_outside_ring, "report requests written behind the ring's end")      \
  X(xdp_dd_outside_ring, "reports looked for behind the ring's end")           \
  X(xdp_lock_waits, "turns waited for the lock of a shared XDP ring")          \
  X(interrupts, "interrupts of queue vectors")                                 \
  X(misc_interrupts, "interrupts of vector 0")                                 \
  X(polls, "calls of the poll function")                                       \
  X(wb_on_itr, "polls that went on with write-back on timer expiry")           \
  X(itr_writes, "throttle timers written")                                     \
  X(dim_decisions, "changes of profile by adaptive moderation")                \
  X(mdd_events, "malicious driver events reported by the device")              \
  X(link_events, "link changes reported by firmware")                          \
  X(admin_failures, "admin commands refused or timed out")                     \
  X(resets, "resets of the function or the device after probe")

struct IceStatistics {
#define DOORBELL_ICE_STATISTIC(name, help) uint64_t name = 0;
  DOORBELL_ICE_STATISTICS(DOORBELL_ICE_STATISTIC)
#undef DOORBELL_ICE_STATISTIC
};

/// One line of a statistics report.
struct StatisticRow {
  std::string name;
  uint64_t value = 0;
  std::string help;
};

}  // namespace doorbell::drivers::ice
