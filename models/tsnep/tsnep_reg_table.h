// tsnep's register table: access kinds, reset values, descriptions.
//
// Contract header, built from the offsets and masks of tsnep_regs.h. The model's RegFile and
// docs/devices/tsnep_registers.md come from it. Rows are 32-bit words; narrow_access() of
// tsnep_regs.h says where 8 and 16 bits are allowed. A word whose write and read mean different
// things has the written bits as "sc" (commands) and shows what a read gives in its description.
// All reset values are assumptions: none is published. Gates reset to closed, because the driver
// opens them.
#pragma once

#include "models/reg/reg_spec.h"
#include "models/tsnep/tsnep_regs.h"

namespace doorbell::tsnep {

inline constexpr reg::FieldSpec kTypeFields[] = {
    reg::field("REVISION", type::kRevision, reg::Access::kRo, "revision"),
    reg::field("VERSION", type::kVersion, reg::Access::kRo, "version"),
    reg::field("QUEUE_COUNT", type::kQueueCount, reg::Access::kRo, "queue pairs; 8 reads 0"),
    reg::field("GATE_CONTROL", type::kGateControl, reg::Access::kRo, "gate control is there"),
};
inline constexpr reg::FieldSpec kWordRwFields[] = {
    reg::field("VALUE", 0xFFFFFFFF, reg::Access::kRw, "value"),
};
inline constexpr reg::FieldSpec kWordRoFields[] = {
    reg::field("VALUE", 0xFFFFFFFF, reg::Access::kRo, "value"),
};
inline constexpr reg::FieldSpec kClockRateFields[] = {
    reg::field("MAGNITUDE", clock_rate::kMagnitude, reg::Access::kRw, "2^-32 ns a clock of 8 ns"),
    reg::field("NEGATIVE", clock_rate::kNegative, reg::Access::kRw, "slower"),
};
inline constexpr reg::FieldSpec kIntEnableFields[] = {
    reg::field("BITS", interrupt::kAll, reg::Access::kRw,
               "written: which bits to enable or disable; read: the enabled ones"),
    reg::field("DISABLE", interrupt::kDisable, reg::Access::kSelfClearing,
               "written with BITS: disable instead of enable"),
};
inline constexpr reg::FieldSpec kIntActiveFields[] = {
    reg::field("LINK", interrupt::kLink, reg::Access::kW1c, "the PHY's link has changed"),
    reg::field("TX0", interrupt::tx(0), reg::Access::kW1c, "transmit, queue 0"),
    reg::field("RX0", interrupt::rx(0), reg::Access::kW1c, "receive, queue 0"),
    reg::field("TX1", interrupt::tx(1), reg::Access::kW1c, "transmit, queue 1"),
    reg::field("RX1", interrupt::rx(1), reg::Access::kW1c, "receive, queue 1"),
    reg::field("TX2", interrupt::tx(2), reg::Access::kW1c, "transmit, queue 2"),
    reg::field("RX2", interrupt::rx(2), reg::Access::kW1c, "receive, queue 2"),
    reg::field("TX3", interrupt::tx(3), reg::Access::kW1c, "transmit, queue 3"),
    reg::field("RX3", interrupt::rx(3), reg::Access::kW1c, "receive, queue 3"),
    reg::field("TX4", interrupt::tx(4), reg::Access::kW1c, "transmit, queue 4"),
    reg::field("RX4", interrupt::rx(4), reg::Access::kW1c, "receive, queue 4"),
    reg::field("TX5", interrupt::tx(5), reg::Access::kW1c, "transmit, queue 5"),
    reg::field("RX5", interrupt::rx(5), reg::Access::kW1c, "receive, queue 5"),
    reg::field("TX6", interrupt::tx(6), reg::Access::kW1c, "transmit, queue 6"),
    reg::field("RX6", interrupt::rx(6), reg::Access::kW1c, "receive, queue 6"),
    reg::field("TX7", interrupt::tx(7), reg::Access::kW1c, "transmit, queue 7"),
    reg::field("RX7", interrupt::rx(7), reg::Access::kW1c, "receive, queue 7"),
};
inline constexpr reg::FieldSpec kResetFields[] = {
    reg::field("COMMON", reset::kCommon, reg::Access::kSelfClearing, "ECM block"),
    reg::field("CHANNEL", reset::kChannel, reg::Access::kSelfClearing, "MAC block"),
    reg::field("TXRX", reset::kTxRx, reg::Access::kSelfClearing, "all queues"),
};
inline constexpr reg::FieldSpec kIntDelayFields[] = {
    reg::field("DELAY_0", 0xF0u, reg::Access::kRw, "of the first queue, 16 us"),
    reg::field("DELAY_1", 0xF0u << 8, reg::Access::kRw, "of the second queue, 16 us"),
    reg::field("DELAY_2", 0xF0u << 16, reg::Access::kRw, "of the third queue, 16 us"),
    reg::field("DELAY_3", 0xF0u << 24, reg::Access::kRw, "of the fourth queue, 16 us"),
};
inline constexpr reg::FieldSpec kStatusFields[] = {
    reg::field("NO_LINK", status::kNoLink, reg::Access::kRw,
               "written: mode off; read: the PHY has no link"),
    reg::field("MODE", status::kMode, reg::Access::kRw, "1: 100 Mb/s; 2: 1000 Mb/s"),
};
inline constexpr reg::FieldSpec kMdFields[] = {
    reg::field("PREAMBLE", md_control::kPreamble, reg::Access::kRw,
               "written: send the preamble; read: busy"),
    reg::field("WRITE", md_control::kWrite, reg::Access::kSelfClearing, "write a PHY register"),
    reg::field("READ", md_control::kRead, reg::Access::kSelfClearing, "read a PHY register"),
    reg::field("REGISTER", md_control::kRegister, reg::Access::kSelfClearing, "PHY register"),
    reg::field("PHY", md_control::kPhy, reg::Access::kSelfClearing, "PHY address"),
    reg::field("DATA", md_control::kData, reg::Access::kRw, "written or read data"),
};
inline constexpr reg::FieldSpec kStatFields[] = {
    reg::field("RX_ERRORS", stat::kRxErrors, reg::Access::kRo, "errors signalled by the PHY"),
    reg::field("INVALID_FRAMES", stat::kInvalidFrames, reg::Access::kRo, "wrong FCS or length"),
    reg::field("FORWARDED_ERRORS", stat::kForwardedErrors, reg::Access::kRo,
               "bad frames that were being written already"),
};
inline constexpr reg::FieldSpec kMacHighFields[] = {
    reg::field("ADDRESS", 0xFFFFu, reg::Access::kRw, "last two octets"),
    reg::field("ALL_MULTICAST", uint32_t{rx_filter::kAllMulticast} << 16, reg::Access::kRw,
               "accept all multicast"),
    reg::field("ALL_UNICAST", uint32_t{rx_filter::kAllUnicast} << 16, reg::Access::kRw,
               "accept all unicast"),
};
inline constexpr reg::FieldSpec kGcFields[] = {
    reg::field("A", gc::kEnableA, reg::Access::kSelfClearing, "enable list A; read: active"),
    reg::field("B", gc::kEnableB, reg::Access::kSelfClearing, "enable list B; read: active"),
    reg::field("DISABLE", gc::kDisable, reg::Access::kSelfClearing,
               "stop; read: a change is pending"),
    reg::field("TIMEOUT", gc::kEnableTimeout, reg::Access::kSelfClearing,
               "start the enable window; read: it runs"),
    reg::field("SIGNAL", gc::kTimeoutSignal, reg::Access::kRo, "an enable came too late"),
    reg::field("ERROR", gc::kListError, reg::Access::kRo, "bad operation in a list"),
    reg::field("OPEN", gc::kOpen, reg::Access::kRw, "gates without a list; read: open gates"),
    reg::field("NEXT_OPEN", gc::kNextOpen, reg::Access::kRw, "read: gates of the next operation"),
};
inline constexpr reg::FieldSpec kRxAssignFields[] = {
    reg::field("ACTIVE_0", 0x01u, reg::Access::kRw, "rule 0 is used"),
    reg::field("QUEUE_0", 0x06u, reg::Access::kRw, "queue of rule 0"),
    reg::field("ACTIVE_1", 0x01u << 8, reg::Access::kRw, "rule 1 is used"),
    reg::field("QUEUE_1", 0x06u << 8, reg::Access::kRw, "queue of rule 1"),
};
inline constexpr reg::FieldSpec kRxAssignTypeFields[] = {
    reg::field("TYPE_0", 0xFFFFu, reg::Access::kRw, "EtherType of rule 0"),
    reg::field("TYPE_1", 0xFFFFu << 16, reg::Access::kRw, "EtherType of rule 1"),
};
inline constexpr reg::FieldSpec kInfoFields[] = {
    reg::field("TX_TIME", info::kTxTime, reg::Access::kRo, "time-based transmission is there"),
};
inline constexpr reg::FieldSpec kControlFields[] = {
    reg::field("TX_RESET", control::kTxReset, reg::Access::kSelfClearing, "reset transmit"),
    reg::field("TX_ENABLE", control::kTxEnable, reg::Access::kW1s, "doorbell; read: running"),
    reg::field("TX_DMA_ERROR", control::kTxDmaError, reg::Access::kRo, "a DMA access failed"),
    reg::field("TX_DESC_ERROR", control::kTxDescError, reg::Access::kRo, "bad descriptor"),
    reg::field("RX_RESET", control::kRxReset, reg::Access::kSelfClearing, "reset receive"),
    reg::field("RX_ENABLE", control::kRxEnable, reg::Access::kW1s, "doorbell; read: running"),
    reg::field("RX_DISABLE", control::kRxDisable, reg::Access::kSelfClearing, "stop receive"),
    reg::field("RX_DMA_ERROR", control::kRxDmaError, reg::Access::kRo, "a DMA access failed"),
    reg::field("RX_DESC_ERROR", control::kRxDescError, reg::Access::kRo, "bad descriptor"),
};
inline constexpr reg::FieldSpec kDescAddrLowFields[] = {
    reg::field("RESET_OWNER_COUNTER", desc_addr::kResetOwnerCounter, reg::Access::kSelfClearing,
               "expect owner counter 1 next"),
    reg::field("ADDRESS", desc_addr::kAddress, reg::Access::kRw, "first descriptor block"),
};
inline constexpr reg::FieldSpec kRxStatisticFields[] = {
    reg::field("NO_DESCRIPTOR", rx_statistic::kNoDescriptor, reg::Access::kRo, "no descriptor"),
    reg::field("BUFFER_TOO_SMALL", rx_statistic::kBufferTooSmall, reg::Access::kRo,
               "frame longer than its buffer"),
    reg::field("FIFO_OVERFLOW", rx_statistic::kFifoOverflow, reg::Access::kRo, "FIFO overflow"),
    reg::field("INVALID_FRAME", rx_statistic::kInvalidFrame, reg::Access::kRo, "invalid frame"),
};

// One queue's rows.
#define DOORBELL_TSNEP_QUEUE(N)                                                                 \
  {"INFO_" #N, reg::info(N), 0, "features of queue " #N, kInfoFields},                          \
      {"CONTROL_" #N, reg::control(N), 0, "control of queue " #N, kControlFields},              \
      {"TX_DESC_ADDR_LOW_" #N, reg::tx_desc_addr_low(N), 0, "transmit ring of queue " #N,       \
       kDescAddrLowFields},                                                                     \
      {"TX_DESC_ADDR_HIGH_" #N, reg::tx_desc_addr_high(N), 0, "address bits 63:32",             \
       kWordRwFields},                                                                          \
      {"RX_DESC_ADDR_LOW_" #N, reg::rx_desc_addr_low(N), 0, "receive ring of queue " #N,        \
       kDescAddrLowFields},                                                                     \
      {"RX_DESC_ADDR_HIGH_" #N, reg::rx_desc_addr_high(N), 0, "address bits 63:32",             \
       kWordRwFields},                                                                          \
  {                                                                                             \
    "RX_STATISTIC_" #N, reg::rx_statistic(N), 0, "lost frames of queue " #N, kRxStatisticFields \
  }

inline constexpr reg::RegSpec kTsnepRegs[] = {
    {"TYPE", reg::kType, 0, "what the device is", kTypeFields},
    {"SYSTEM_TIME_LOW", reg::kSystemTimeLow, 0, "ns; a write applies both halves", kWordRwFields},
    {"SYSTEM_TIME_HIGH", reg::kSystemTimeHigh, 0, "ns; a write waits for the low half",
     kWordRwFields},
    {"CLOCK_RATE", reg::kClockRate, 0, "rate of the system time", kClockRateFields},
    {"INT_ENABLE", reg::kIntEnable, 0, "enables and disables interrupts", kIntEnableFields},
    {"INT_ACTIVE", reg::kIntActive, 0, "active interrupts; 1 acknowledges", kIntActiveFields},
    {"RESET", reg::kReset, 0, "reset commands", kResetFields},
    {"COUNTER_LOW", reg::kCounterLow, 0, "free-running, ns", kWordRoFields},
    {"COUNTER_HIGH", reg::kCounterHigh, 0, "free-running, ns", kWordRoFields},
    {"INT_DELAY", reg::kIntDelay, 0, "interrupt delay, a byte a queue", kIntDelayFields, 2},
    {"STATUS", reg::kStatus, status::kNoLink, "link", kStatusFields},
    {"MD_CONTROL", reg::kMdControl, 0, "MDIO", kMdFields},
    {"STAT", reg::kStat, 0, "receive errors", kStatFields},
    {"INFO_0", reg::info(0), 0, "features of queue 0", kInfoFields},
    {"CONTROL_0", reg::control(0), 0, "control of queue 0", kControlFields},
    {"TX_DESC_ADDR_LOW_0", reg::tx_desc_addr_low(0), 0, "transmit ring of queue 0",
     kDescAddrLowFields},
    {"TX_DESC_ADDR_HIGH_0", reg::tx_desc_addr_high(0), 0, "address bits 63:32", kWordRwFields},
    {"RX_DESC_ADDR_LOW_0", reg::rx_desc_addr_low(0), 0, "receive ring of queue 0",
     kDescAddrLowFields},
    {"RX_DESC_ADDR_HIGH_0", reg::rx_desc_addr_high(0), 0, "address bits 63:32", kWordRwFields},
    {"RX_STATISTIC_0", reg::rx_statistic(0), 0, "lost frames of queue 0", kRxStatisticFields},
    {"MAC_ADDRESS_LOW", reg::kMacAddressLow, 0, "first four octets, first lowest", kWordRwFields},
    {"MAC_ADDRESS_HIGH", reg::kMacAddressHigh, 0, "last two octets; RX_FILTER", kMacHighFields},
    {"GC", reg::kGc, 0, "gate control", kGcFields},
    {"GC_TIME", reg::kGcTime, 0, "start of a list, ns, low half", kWordRwFields},
    {"GC_CHANGE", reg::kGcChange, 0, "time of a change, ns, low half", kWordRwFields},
    {"RX_ASSIGN", reg::kRxAssign, 0, "steering rules, a byte each", kRxAssignFields},
    {"RX_ASSIGN_ETHER_TYPE", reg::kRxAssignEtherType, 0, "steering rules, 16 bits each",
     kRxAssignTypeFields},
    {"GCL_A", reg::kGclA, 0, "list A: operations of two words", kWordRwFields, 512},
    {"GCL_B", reg::kGclB, 0, "list B: operations of two words", kWordRwFields, 512},
    DOORBELL_TSNEP_QUEUE(1),
    DOORBELL_TSNEP_QUEUE(2),
    DOORBELL_TSNEP_QUEUE(3),
    DOORBELL_TSNEP_QUEUE(4),
    DOORBELL_TSNEP_QUEUE(5),
    DOORBELL_TSNEP_QUEUE(6),
    DOORBELL_TSNEP_QUEUE(7),
};
#undef DOORBELL_TSNEP_QUEUE
static_assert(reg::well_formed(reg::RegTable(kTsnepRegs)));

}  // namespace doorbell::tsnep
