// Register map of tsnep, the Engleder TSN endpoint Ethernet MAC: offsets and bits.
//
// Contract header: the device model and the driver both use it. Every number stands here once, as
// an offset or a mask; tsnep_reg_table.h (access kinds, reset values, descriptions) is built from
// these constants. Multi-bit fields are masks: use doorbell::reg::get_field and put_field.
// Little-endian. Accesses are 32 bits; narrow_access() says where 8 or 16 bits are allowed too.
// The first block is ECM registers, MAC registers and queue 0; each further queue has a page of its
// own. No data sheet is public: everything is what Linux 6.12 drivers/net/ethernet/engleder relies
// on (tsnep_hw.h and behaviour), and what that does not say is marked assumption.
#pragma once

#include <cassert>
#include <cstdint>

#include "models/reg/reg_spec.h"

namespace doorbell::tsnep {

inline constexpr unsigned kMaxQueues = 8;  ///< queue pairs
inline constexpr unsigned kRxAssignRules = 2;
inline constexpr uint32_t kFirstBlockBytes = 0x4000;
inline constexpr uint32_t kQueueBlockBytes = 0x1000;
/// Octets of the register window of a device with `queues` queue pairs.
constexpr uint32_t window_bytes(unsigned queues) {
  assert(queues >= 1 && queues <= kMaxQueues);
  return kFirstBlockBytes + kQueueBlockBytes * (queues - 1);
}
inline constexpr uint32_t kWindowBytes = 0x10000;  ///< what a device tree maps

namespace reg {
// Inside doorbell::tsnep the name `reg` means this namespace; RegFile and its friends stay in
// reach.
using namespace doorbell::reg;

// ECM block, common to the whole device.
inline constexpr uint32_t kType = 0x0000;
inline constexpr uint32_t kSystemTimeLow = 0x0008;
inline constexpr uint32_t kSystemTimeHigh = 0x000C;
inline constexpr uint32_t kClockRate = 0x0010;
inline constexpr uint32_t kIntEnable = 0x0018;
inline constexpr uint32_t kIntActive = 0x001C;  ///< read: active; write 1: acknowledge
inline constexpr uint32_t kReset = 0x0020;
inline constexpr uint32_t kCounterLow = 0x0028;
inline constexpr uint32_t kCounterHigh = 0x002C;
inline constexpr uint32_t kIntDelay = 0x0030;  ///< one byte a queue
inline constexpr uint32_t kStatus = 0x0080;
inline constexpr uint32_t kMdControl = 0x0084;  ///< write: command; read: status
inline constexpr uint32_t kStat = 0x00B0;

/// 8 bits wide.
constexpr uint32_t int_delay(unsigned queue) {
  assert(queue < kMaxQueues);
  return kIntDelay + queue;
}

// MAC block.
inline constexpr uint32_t kMacAddressLow = 0x0800;   ///< 32 bits: first four octets, first lowest
inline constexpr uint32_t kMacAddressHigh = 0x0804;  ///< 16 bits: last two octets
inline constexpr uint32_t kRxFilter = 0x0806;        ///< 16 bits
inline constexpr uint32_t kGc = 0x0808;              ///< 8-bit commands, 32-bit set-up
inline constexpr uint32_t kGcTime = 0x080C;
inline constexpr uint32_t kGcChange = 0x0810;
inline constexpr uint32_t kRxAssign = 0x0840;           ///< one byte a rule
inline constexpr uint32_t kRxAssignEtherType = 0x0880;  ///< 16 bits a rule
inline constexpr uint32_t kGclA = 0x2000;
inline constexpr uint32_t kGclB = 0x2800;

/// 8 bits wide.
constexpr uint32_t rx_assign(unsigned rule) {
  assert(rule < kRxAssignRules);
  return kRxAssign + rule;
}
/// 16 bits wide.
constexpr uint32_t rx_assign_ether_type(unsigned rule) {
  assert(rule < kRxAssignRules);
  return kRxAssignEtherType + 2 * rule;
}
/// First word of an operation; its interval is 4 behind. `list` is 0 for A and 1 for B.
constexpr uint32_t gcl_operation(unsigned list, unsigned index) {
  assert(list < 2 && index < 256);
  return (list == 0 ? kGclA : kGclB) + 8 * index;
}

// Queue block: offsets from queue_block(n).
inline constexpr uint32_t kQueueInfo = 0x0100;
inline constexpr uint32_t kQueueControl = 0x0108;
inline constexpr uint32_t kQueueTxDescAddrLow = 0x0140;
inline constexpr uint32_t kQueueTxDescAddrHigh = 0x0144;
inline constexpr uint32_t kQueueRxDescAddrLow = 0x0180;
inline constexpr uint32_t kQueueRxDescAddrHigh = 0x0184;
inline constexpr uint32_t kQueueRxStatistic = 0x0190;

constexpr uint32_t queue_block(unsigned queue) {
  assert(queue < kMaxQueues);
  return queue == 0 ? 0 : kFirstBlockBytes + kQueueBlockBytes * (queue - 1);
}
constexpr uint32_t info(unsigned queue) {
  return queue_block(queue) + kQueueInfo;
}
constexpr uint32_t control(unsigned queue) {
  return queue_block(queue) + kQueueControl;
}
constexpr uint32_t tx_desc_addr_low(unsigned queue) {
  return queue_block(queue) + kQueueTxDescAddrLow;
}
constexpr uint32_t tx_desc_addr_high(unsigned queue) {
  return queue_block(queue) + kQueueTxDescAddrHigh;
}
constexpr uint32_t rx_desc_addr_low(unsigned queue) {
  return queue_block(queue) + kQueueRxDescAddrLow;
}
constexpr uint32_t rx_desc_addr_high(unsigned queue) {
  return queue_block(queue) + kQueueRxDescAddrHigh;
}
constexpr uint32_t rx_statistic(unsigned queue) {
  return queue_block(queue) + kQueueRxStatistic;
}

/// Whether an access of 1 or 2 octets is allowed at `offset`; all others must be 4 octets.
constexpr bool narrow_access(uint32_t offset, uint32_t size) {
  const uint32_t in_queue = offset & (kQueueBlockBytes - 1);
  const bool queue_block_at = offset < kQueueBlockBytes || offset >= kFirstBlockBytes;
  if (queue_block_at && in_queue >= kQueueRxStatistic && in_queue < kQueueRxStatistic + 4) {
    return size == 1;
  }
  if (offset >= kIntDelay && offset < kIntDelay + kMaxQueues) return size == 1;
  if (offset >= kRxAssign && offset < kRxAssign + kRxAssignRules) return size == 1;
  if (offset == kGc) return size == 1;
  if (offset == kMacAddressHigh || offset == kRxFilter) return size == 2;
  return size == 2 && offset % 2 == 0 && offset >= kRxAssignEtherType &&
         offset < kRxAssignEtherType + 2 * kRxAssignRules;
}
}  // namespace reg

/// TYPE.
namespace type {
inline constexpr uint32_t kRevision = 0xFF;
inline constexpr uint32_t kVersion = 0xFFu << 8;
inline constexpr uint32_t kQueueCount = 0x7u << 16;  ///< 8 queues do not fit: they read 0
inline constexpr uint32_t kGateControl = 1u << 25;
}  // namespace type

/// CLOCK_RATE: 2^-32 ns that every 8 ns clock adds or, with the sign set, takes away.
namespace clock_rate {
inline constexpr uint32_t kMagnitude = 0x7FFFFFFF;
inline constexpr uint32_t kNegative = 1u << 31;
}  // namespace clock_rate

/// Bits of INT_ENABLE and INT_ACTIVE.
namespace interrupt {
inline constexpr uint32_t kLink = 1u << 5;
inline constexpr uint32_t kAll = 0x7FFFFFFF;
/// INT_ENABLE only: the other bits of the word are disabled; without it they are enabled.
inline constexpr uint32_t kDisable = 1u << 31;
constexpr uint32_t tx(unsigned queue) {
  assert(queue < kMaxQueues);
  return 1u << (8 + 2 * queue);
}
constexpr uint32_t rx(unsigned queue) {
  assert(queue < kMaxQueues);
  return 1u << (9 + 2 * queue);
}
constexpr uint32_t queue(unsigned n) {
  return tx(n) | rx(n);
}
}  // namespace interrupt

/// INT_DELAY: one byte, in units of 16 us.
namespace int_delay {
inline constexpr uint32_t kDelay = 0xF0;
inline constexpr unsigned kShift = 4;
inline constexpr unsigned kUnitMicros = 16;
/// Register value of a delay, rounded down; `micros` up to 255.
constexpr uint8_t value(unsigned micros) {
  assert(micros <= 255);
  return static_cast<uint8_t>((micros / kUnitMicros) << kShift);
}
}  // namespace int_delay

/// RESET.
namespace reset {
inline constexpr uint32_t kCommon = 1u << 0;
inline constexpr uint32_t kChannel = 1u << 8;
inline constexpr uint32_t kTxRx = 1u << 16;
}  // namespace reset

/// STATUS.
namespace status {
inline constexpr uint32_t kNoLink = 1u << 24;  ///< read: the PHY has no link; write: mode off
inline constexpr uint32_t kMode = 0x3u << 25;
inline constexpr uint32_t kMode100 = 1u << 25;
inline constexpr uint32_t kMode1000 = 1u << 26;
}  // namespace status

/// MD_CONTROL, written.
namespace md_control {
inline constexpr uint32_t kPreamble = 1u << 0;
inline constexpr uint32_t kWrite = 1u << 1;
inline constexpr uint32_t kRead = 1u << 2;
inline constexpr uint32_t kRegister = 0x1Fu << 3;
inline constexpr uint32_t kPhy = 0x1Fu << 8;
inline constexpr uint32_t kData = 0xFFFFu << 16;
}  // namespace md_control
/// MD_STATUS: the same register, read.
namespace md_status {
inline constexpr uint32_t kBusy = 1u << 0;
inline constexpr uint32_t kData = 0xFFFFu << 16;
}  // namespace md_status

/// STAT: 8-bit counters.
namespace stat {
inline constexpr uint32_t kRxErrors = 0xFF;             ///< of the PHY
inline constexpr uint32_t kInvalidFrames = 0xFFu << 8;  ///< reported as CRC errors
inline constexpr uint32_t kForwardedErrors = 0xFFu << 16;
}  // namespace stat

/// RX_FILTER. The own address and broadcast always pass.
namespace rx_filter {
inline constexpr uint16_t kAllMulticast = 1u << 0;
inline constexpr uint16_t kAllUnicast = 1u << 1;
}  // namespace rx_filter

/// GC: commands (8-bit writes), status (reads), gates (32-bit writes and reads).
namespace gc {
inline constexpr uint32_t kEnableA = 0x02;
inline constexpr uint32_t kEnableB = 0x04;
inline constexpr uint32_t kDisable = 0x08;
inline constexpr uint32_t kEnableTimeout = 0x10;
inline constexpr uint32_t kActiveA = 0x02;
inline constexpr uint32_t kActiveB = 0x04;
inline constexpr uint32_t kChangePending = 0x08;
inline constexpr uint32_t kTimeoutActive = 0x10;
inline constexpr uint32_t kTimeoutSignal = 0x20;
inline constexpr uint32_t kListError = 0x80;
inline constexpr uint32_t kOpen = 0xFFu << 16;
inline constexpr uint32_t kNextOpen = 0xFFu << 24;
/// How long after ENABLE_TIMEOUT an enable is still accepted.
inline constexpr uint32_t kTimeoutNs = 131072;
}  // namespace gc

/// One operation of a gate control list: this word, then the interval in ns.
namespace gcl {
inline constexpr uint32_t kMask = 0xFF;        ///< bit n: the gate of transmit queue n is open
inline constexpr uint32_t kInsert = 1u << 29;  ///< the change begins: operation 255 comes next
inline constexpr uint32_t kChange = 1u << 30;  ///< the other list begins behind this operation
inline constexpr uint32_t kLast = 1u << 31;    ///< operation 0 comes next
inline constexpr uint32_t kMinIntervalNs = 32;
inline constexpr unsigned kOperations = 256;
inline constexpr unsigned kInserted = 255;  ///< reserved for an inserted operation
inline constexpr unsigned kUsable = 255;
}  // namespace gcl

/// RX_ASSIGN: one byte.
namespace rx_assign {
inline constexpr uint8_t kActive = 1u << 0;
inline constexpr uint8_t kQueue = 0x3u << 1;
}  // namespace rx_assign

/// INFO of a queue.
namespace info {
inline constexpr uint32_t kTxTime = 1u << 16;  ///< time-based transmission; the model has none
}  // namespace info

/// CONTROL of a queue.
namespace control {
inline constexpr uint32_t kTxReset = 1u << 0;
inline constexpr uint32_t kTxEnable = 1u << 1;  ///< write: doorbell; read: the engine runs
inline constexpr uint32_t kTxDmaError = 1u << 4;
inline constexpr uint32_t kTxDescError = 1u << 5;
inline constexpr uint32_t kRxReset = 1u << 8;
inline constexpr uint32_t kRxEnable = 1u << 9;  ///< write: start or doorbell; read: running
inline constexpr uint32_t kRxDisable = 1u << 10;
inline constexpr uint32_t kRxDmaError = 1u << 12;
inline constexpr uint32_t kRxDescError = 1u << 13;
}  // namespace control

/// TX_DESC_ADDR and RX_DESC_ADDR, low half.
namespace desc_addr {
inline constexpr uint32_t kResetOwnerCounter = 1u << 0;
inline constexpr uint32_t kAddress = 0xFFFFFF00;
}  // namespace desc_addr

/// RX_STATISTIC of a queue: 8-bit counters, each also readable as a byte.
namespace rx_statistic {
inline constexpr uint32_t kNoDescriptor = 0xFF;
inline constexpr uint32_t kBufferTooSmall = 0xFFu << 8;
inline constexpr uint32_t kFifoOverflow = 0xFFu << 16;
inline constexpr uint32_t kInvalidFrame = 0xFFu << 24;
}  // namespace rx_statistic

}  // namespace doorbell::tsnep
