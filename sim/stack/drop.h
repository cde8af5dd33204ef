// Why a packet ended short of its destination: one counter per reason, for drivers and stack alike.
//
// Each packet that a driver took from a ring, or a caller gave to transmit, and that goes no
// further is counted under exactly one reason, so that a run's ledger can balance. `is_loss` is
// false where the drop is what was asked for (an XDP program said drop). Units: frames.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace doorbell::stack {

// X(enumerator, "name", direction, is_loss, "help")
#define DOORBELL_DROP_REASONS(X)                                                                  \
  X(RxOverrun, "rx_overrun", kRx, true, "cut off by a full receive FIFO")                         \
  X(RxCrcError, "rx_crc_error", kRx, true, "closed with a wrong FCS")                             \
  X(RxTooLong, "rx_too_long", kRx, true, "closed as longer than the device takes, or truncated")  \
  X(RxError, "rx_error", kRx, true, "closed with another error status or an impossible length")   \
  X(RxAllocFailed, "rx_alloc_failed", kRx, true, "no page to replace the received one")           \
  X(RxSkbFailed, "rx_skb_alloc_failed", kRx, true, "no sk_buff for a received page")              \
  X(RxRingReset, "rx_ring_reset", kRx, true, "received, not processed when the ring restarted")   \
  X(XdpDrop, "xdp_drop", kRx, false, "the XDP program said drop")                                 \
  X(XdpAborted, "xdp_aborted", kRx, true, "the XDP program said aborted")                         \
  X(XdpUnknownVerdict, "xdp_unknown_verdict", kRx, true, "the XDP program's verdict is unknown")  \
  X(XdpNoHeadroom, "xdp_no_headroom", kRx, true, "no room for an xdp_frame before the packet")    \
  X(XdpTxRingFull, "xdp_tx_ring_full", kRx, true, "XDP_TX with too few free descriptors")         \
  X(XdpTxMapFailed, "xdp_tx_map_failed", kRx, true, "XDP_TX, DMA mapping failed")                 \
  X(RedirectNoTarget, "redirect_no_target", kRx, true, "redirect to a port that cannot take it")  \
  X(RedirectDeviceDown, "redirect_device_down", kRx, true, "redirect to a device that was down")  \
  X(RedirectRingFull, "redirect_ring_full", kRx, true, "redirected, too few free descriptors")    \
  X(RedirectMapFailed, "redirect_map_failed", kRx, true, "redirected, DMA mapping failed")        \
  X(RedirectCpuMap, "redirect_cpu_map", kRx, true, "redirect to a CPU map, which is refused")     \
  X(XskNotBound, "xsk_not_bound", kRx, true, "redirect to a socket of another queue or of none")  \
  X(XskTooLong, "xsk_too_long", kRx, true, "longer than a chunk of the AF_XDP socket")            \
  X(XskFillRingEmpty, "xsk_fill_ring_empty", kRx, true, "AF_XDP copy, no chunk in the fill ring") \
  X(XskRxRingFull, "xsk_rx_ring_full", kRx, true, "the AF_XDP socket's Rx ring was full")         \
  X(GenericTxQueueStopped, "generic_tx_queue_stopped", kRx, true, "generic XDP, stopped queue")   \
  X(SkbTxRingFull, "skb_tx_ring_full", kTx, true, "sk_buff with too few free descriptors")        \
  X(SkbTxMapFailed, "skb_tx_map_failed", kTx, true, "sk_buff whose DMA mapping failed")           \
  X(SkbTxLinearizeFailed, "skb_tx_linearize_failed", kTx, true, "no memory to linearise it")      \
  X(SkbTxUnsupported, "skb_tx_unsupported", kTx, true, "asks for an offload the device has not")  \
  X(SkbTxQueueStopped, "skb_tx_queue_stopped", kTx, true, "sent to a stopped transmit queue")     \
  X(XskTxDropped, "xsk_tx_dropped", kTx, true, "AF_XDP copy, device down or without carrier")     \
  X(TxRingReset, "tx_ring_reset", kTx, true, "queued when the transmit ring restarted or closed")

enum class DropReason : uint8_t {
#define DOORBELL_DROP_ENUM(id, name, direction, loss, help) k##id,
  DOORBELL_DROP_REASONS(DOORBELL_DROP_ENUM)
#undef DOORBELL_DROP_ENUM
      kCount,
};

enum class DropDirection : uint8_t { kRx, kTx };

/// One line of a report.
struct DropInfo {
  DropReason reason;
  const char* name;
  DropDirection
      direction;  ///< where the reason is usually met: frames from the wire, or of a caller
  bool is_loss;
  const char* help;
};

inline constexpr DropInfo kDropInfos[] = {
#define DOORBELL_DROP_ROW(id, name, direction, loss, help) \
  {DropReason::k##id, name, DropDirection::direction, loss, help},
    DOORBELL_DROP_REASONS(DOORBELL_DROP_ROW)
#undef DOORBELL_DROP_ROW
};

/// Reasons that a driver meets before software has seen the frame: they close the ledger between
/// the wire and the receive tap.
constexpr bool before_software(DropReason reason) {
  switch (reason) {
    case DropReason::kRxOverrun:
    case DropReason::kRxCrcError:
    case DropReason::kRxTooLong:
    case DropReason::kRxError:
    case DropReason::kRxAllocFailed:
    case DropReason::kRxRingReset:
      return true;
    default:
      return false;
  }
}

inline constexpr size_t kDropReasonCount = static_cast<size_t>(DropReason::kCount);

/// The counters. kDropInfos says what each is.
class Drops {
 public:
  void count(DropReason reason, uint64_t frames = 1) {
    values_[static_cast<size_t>(reason)] += frames;
  }
  uint64_t value(DropReason reason) const { return values_[static_cast<size_t>(reason)]; }
  uint64_t total() const {
    uint64_t sum = 0;
    for (uint64_t v : values_) sum += v;
    return sum;
  }

 private:
  std::array<uint64_t, kDropReasonCount> values_{};
};

}  // namespace doorbell::stack
