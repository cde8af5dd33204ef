// The FEC's register table: access kinds, reset values, descriptions.
//
// Contract header, built from the offsets and masks of fec_regs.h and fec_mib.h. The model's
// RegFile, docs/devices/fec_registers.md and rtl/fec/fec_regs_pkg.sv come from it. Reset values:
// i.MX RT1176 ENET_1G (same IP line) and i.MX 6ULL RM ch. 22; not verified on i.MX8MP silicon.
// ECR's top nibble is stored as written (assumption: the RM asks for 0b0111, Linux writes 0). The
// RM leaves the hash registers out of reset; here they reset to 0 (assumption).
#pragma once

#include "models/fec/fec_mib.h"
#include "models/fec/fec_regs.h"
#include "models/reg/reg_spec.h"

namespace doorbell::fec {

inline constexpr reg::FieldSpec kEirFields[] = {
    reg::field("BABR", eir::kBabr, reg::Access::kW1c, "frame received longer than MAX_FL"),
    reg::field("BABT", eir::kBabt, reg::Access::kW1c, "frame sent longer than MAX_FL"),
    reg::field("GRA", eir::kGra, reg::Access::kW1c, "graceful stop complete"),
    reg::field("TXF0", eir::kTxf0, reg::Access::kW1c, "frame sent, ring 0"),
    reg::field("TXB0", eir::kTxb0, reg::Access::kW1c, "transmit buffer done, ring 0"),
    reg::field("RXF0", eir::kRxf0, reg::Access::kW1c, "frame received, ring 0"),
    reg::field("RXB0", eir::kRxb0, reg::Access::kW1c, "receive buffer done, ring 0"),
    reg::field("MII", eir::kMii, reg::Access::kW1c, "management transfer complete"),
    reg::field("EBERR", eir::kEberr, reg::Access::kW1c, "bus error; hardware clears ECR.ETHEREN"),
    reg::field("LC", eir::kLc, reg::Access::kW1c, "late collision"),
    reg::field("RL", eir::kRl, reg::Access::kW1c, "retry limit"),
    reg::field("UN", eir::kUn, reg::Access::kW1c, "transmit FIFO underrun"),
    reg::field("PLR", eir::kPlr, reg::Access::kW1c, "payload length error"),
    reg::field("WAKEUP", eir::kWakeup, reg::Access::kW1c, "magic packet"),
    reg::field("TS_AVAIL", eir::kTsAvail, reg::Access::kW1c, "transmit timestamp available"),
    reg::field("TS_TIMER", eir::kTsTimer, reg::Access::kW1c, "timer wrapped or event"),
    reg::field("RXFLUSH_2", eir::kRxflush2, reg::Access::kW1c, "frame of ring 2 flushed"),
    reg::field("RXFLUSH_1", eir::kRxflush1, reg::Access::kW1c, "frame of ring 1 flushed"),
    reg::field("RXFLUSH_0", eir::kRxflush0, reg::Access::kW1c, "frame of ring 0 flushed"),
    reg::field("TXF2", eir::kTxf2, reg::Access::kW1c, "frame sent, ring 2"),
    reg::field("TXB2", eir::kTxb2, reg::Access::kW1c, "transmit buffer done, ring 2"),
    reg::field("RXF2", eir::kRxf2, reg::Access::kW1c, "frame received, ring 2"),
    reg::field("RXB2", eir::kRxb2, reg::Access::kW1c, "receive buffer done, ring 2"),
    reg::field("TXF1", eir::kTxf1, reg::Access::kW1c, "frame sent, ring 1"),
    reg::field("TXB1", eir::kTxb1, reg::Access::kW1c, "transmit buffer done, ring 1"),
    reg::field("RXF1", eir::kRxf1, reg::Access::kW1c, "frame received, ring 1"),
    reg::field("RXB1", eir::kRxb1, reg::Access::kW1c, "receive buffer done, ring 1"),
};
inline constexpr reg::FieldSpec kEimrFields[] = {
    reg::field("BABR", eir::kBabr, reg::Access::kRw, "enables BABR"),
    reg::field("BABT", eir::kBabt, reg::Access::kRw, "enables BABT"),
    reg::field("GRA", eir::kGra, reg::Access::kRw, "enables GRA"),
    reg::field("TXF0", eir::kTxf0, reg::Access::kRw, "enables TXF0"),
    reg::field("TXB0", eir::kTxb0, reg::Access::kRw, "enables TXB0"),
    reg::field("RXF0", eir::kRxf0, reg::Access::kRw, "enables RXF0"),
    reg::field("RXB0", eir::kRxb0, reg::Access::kRw, "enables RXB0"),
    reg::field("MII", eir::kMii, reg::Access::kRw, "enables MII"),
    reg::field("EBERR", eir::kEberr, reg::Access::kRw, "enables EBERR"),
    reg::field("LC", eir::kLc, reg::Access::kRw, "enables LC"),
    reg::field("RL", eir::kRl, reg::Access::kRw, "enables RL"),
    reg::field("UN", eir::kUn, reg::Access::kRw, "enables UN"),
    reg::field("PLR", eir::kPlr, reg::Access::kRw, "enables PLR"),
    reg::field("WAKEUP", eir::kWakeup, reg::Access::kRw, "enables WAKEUP"),
    reg::field("TS_AVAIL", eir::kTsAvail, reg::Access::kRw, "enables TS_AVAIL"),
    reg::field("TS_TIMER", eir::kTsTimer, reg::Access::kRw, "enables TS_TIMER"),
    reg::field("RXFLUSH_2", eir::kRxflush2, reg::Access::kRw, "enables RXFLUSH_2"),
    reg::field("RXFLUSH_1", eir::kRxflush1, reg::Access::kRw, "enables RXFLUSH_1"),
    reg::field("RXFLUSH_0", eir::kRxflush0, reg::Access::kRw, "enables RXFLUSH_0"),
    reg::field("TXF2", eir::kTxf2, reg::Access::kRw, "enables TXF2"),
    reg::field("TXB2", eir::kTxb2, reg::Access::kRw, "enables TXB2"),
    reg::field("RXF2", eir::kRxf2, reg::Access::kRw, "enables RXF2"),
    reg::field("RXB2", eir::kRxb2, reg::Access::kRw, "enables RXB2"),
    reg::field("TXF1", eir::kTxf1, reg::Access::kRw, "enables TXF1"),
    reg::field("TXB1", eir::kTxb1, reg::Access::kRw, "enables TXB1"),
    reg::field("RXF1", eir::kRxf1, reg::Access::kRw, "enables RXF1"),
    reg::field("RXB1", eir::kRxb1, reg::Access::kRw, "enables RXB1"),
};
inline constexpr reg::FieldSpec kRdarFields[] = {
    reg::field("RDAR", kActive, reg::Access::kW1s,
               "ring has empty descriptors; any write sets it, hardware clears"),
};
inline constexpr reg::FieldSpec kTdarFields[] = {
    reg::field("TDAR", kActive, reg::Access::kW1s,
               "ring has ready descriptors; any write sets it, hardware clears"),
};
inline constexpr reg::FieldSpec kEcrFields[] = {
    reg::field("TOP", ecr::kTop, reg::Access::kRw, "no known function"),
    reg::field("RXC_DLY", ecr::kRxcDly, reg::Access::kRw, "delay RGMII RX clock"),
    reg::field("TXC_DLY", ecr::kTxcDly, reg::Access::kRw,
               "delay RGMII TX clock; does not work on i.MX8M"),
    reg::field("SVLANDBL", ecr::kSvlanDbl, reg::Access::kRw, "frames carry two tags"),
    reg::field("VLANUSE2ND", ecr::kVlanUse2nd, reg::Access::kRw, "classify by the second tag"),
    reg::field("SVLANEN", ecr::kSvlanEn, reg::Access::kRw, "accept the S-VLAN type"),
    reg::field("DBSWP", ecr::kDbSwp, reg::Access::kRw, "little-endian descriptors"),
    reg::field("DBGEN", ecr::kDbgEn, reg::Access::kRw, "stop in debug mode"),
    reg::field("SPEED", ecr::kSpeed, reg::Access::kRw, "1 = 1000 Mb/s"),
    reg::field("EN1588", ecr::kEn1588, reg::Access::kRw, "enhanced descriptors"),
    reg::field("SLEEP", ecr::kSleep, reg::Access::kRw, "sleep mode"),
    reg::field("MAGICEN", ecr::kMagicEn, reg::Access::kRw, "detect magic packets"),
    reg::field("ETHEREN", ecr::kEtherEn, reg::Access::kRw,
               "enable; hardware clears it on a bus error"),
    reg::field("RESET", ecr::kReset, reg::Access::kSelfClearing,
               "reset the block and its registers"),
};
inline constexpr reg::FieldSpec kMmfrFields[] = {
    reg::field("ST", mmfr::kSt, reg::Access::kRw, "start of frame"),
    reg::field("OP", mmfr::kOp, reg::Access::kRw, "operation"),
    reg::field("PA", mmfr::kPa, reg::Access::kRw, "PHY or port address"),
    reg::field("RA", mmfr::kRa, reg::Access::kRw, "register or device address"),
    reg::field("TA", mmfr::kTa, reg::Access::kRw, "turnaround, 2"),
    reg::field("DATA", mmfr::kData, reg::Access::kRw, "data written or read"),
};
inline constexpr reg::FieldSpec kMscrFields[] = {
    reg::field("HOLDTIME", mscr::kHoldTime, reg::Access::kRw, "MDIO hold, clocks - 1"),
    reg::field("DIS_PRE", mscr::kDisPre, reg::Access::kRw, "no preamble"),
    reg::field("MII_SPEED", mscr::kMiiSpeed, reg::Access::kRw,
               "MDC = clock / ((n + 1) * 2); 0 = off"),
};
inline constexpr reg::FieldSpec kMibcFields[] = {
    reg::field("MIB_DIS", mibc::kDis, reg::Access::kRw, "stop counting"),
    reg::field("MIB_IDLE", mibc::kIdle, reg::Access::kRo, "no counter update in progress"),
    reg::field("MIB_CLEAR", mibc::kClear, reg::Access::kRw, "counters held at 0 while set"),
};
inline constexpr reg::FieldSpec kRcrFields[] = {
    reg::field("GRS", rcr::kGrs, reg::Access::kRo, "graceful receive stop"),
    reg::field("NLC", rcr::kNlc, reg::Access::kRw, "1 = check payload length"),
    reg::field("MAX_FL", rcr::kMaxFl, reg::Access::kRw, "longest frame, bytes"),
    reg::field("CFEN", rcr::kCfEn, reg::Access::kRw, "discard MAC control frames other than pause"),
    reg::field("CRCFWD", rcr::kCrcFwd, reg::Access::kRw, "1 = strip the FCS"),
    reg::field("PAUFWD", rcr::kPauFwd, reg::Access::kRw, "forward pause frames"),
    reg::field("PADEN", rcr::kPadEn, reg::Access::kRw, "remove padding"),
    reg::field("RMII_10T", rcr::kRmii10T, reg::Access::kRw, "RMII at 10 Mb/s"),
    reg::field("RMII_MODE", rcr::kRmiiMode, reg::Access::kRw, "RMII"),
    reg::field("RGMII_EN", rcr::kRgmiiEn, reg::Access::kRw, "RGMII"),
    reg::field("FCE", rcr::kFce, reg::Access::kRw, "obey pause frames"),
    reg::field("BC_REJ", rcr::kBcRej, reg::Access::kRw, "reject broadcast"),
    reg::field("PROM", rcr::kProm, reg::Access::kRw, "promiscuous"),
    reg::field("MII_MODE", rcr::kMiiMode, reg::Access::kRw, "must be 1"),
    reg::field("DRT", rcr::kDrt, reg::Access::kRw, "no receive while transmitting"),
    reg::field("LOOP", rcr::kLoop, reg::Access::kRw, "internal loopback"),
};
inline constexpr reg::FieldSpec kTcrFields[] = {
    reg::field("CRCFWD", tcr::kCrcFwd, reg::Access::kRw, "1 = frames come with FCS"),
    reg::field("ADDINS", tcr::kAddIns, reg::Access::kRw, "insert the source address"),
    reg::field("ADDSEL", tcr::kAddSel, reg::Access::kRw, "which address to insert"),
    reg::field("RFC_PAUSE", tcr::kRfcPause, reg::Access::kRo, "paused by the link partner"),
    reg::field("TFC_PAUSE", tcr::kTfcPause, reg::Access::kRw,
               "send one pause frame; hardware clears"),
    reg::field("FDEN", tcr::kFdEn, reg::Access::kRw, "full duplex"),
    reg::field("GTS", tcr::kGts, reg::Access::kRw, "graceful transmit stop"),
};
inline constexpr reg::FieldSpec kPaurFields[] = {
    reg::field("PADDR2", paur::kPaddr2, reg::Access::kRw, "MAC bytes 4 and 5"),
    reg::field("TYPE", paur::kType, reg::Access::kRo, "pause frame type"),
};
inline constexpr reg::FieldSpec kOpdFields[] = {
    reg::field("OPCODE", opd::kOpcode, reg::Access::kRo, "pause opcode"),
    reg::field("PAUSE_DUR", opd::kPauseDur, reg::Access::kRw, "pause quanta"),
};
inline constexpr reg::FieldSpec kIcFields[] = {
    reg::field("ICEN", ic::kIcEn, reg::Access::kRw, "enable"),
    reg::field("ICCS", ic::kIccs, reg::Access::kRw, "1 = ENET system clock, 0 = TX clock"),
    reg::field("ICFT", ic::kIcft, reg::Access::kRw, "frames"),
    reg::field("ICTT", ic::kIctt, reg::Access::kRw, "time, 64 clocks each"),
};
inline constexpr reg::FieldSpec kWordFields[] = {
    reg::field("VALUE", ~0u, reg::Access::kRw, "all bits"),
};
inline constexpr reg::FieldSpec kTfwrFields[] = {
    reg::field("STRFWD", tfwr::kStrFwd, reg::Access::kRw, "store and forward"),
    reg::field("TFWR", tfwr::kTfwr, reg::Access::kRw, "threshold, 64 B each; 0 = 64 B"),
};
inline constexpr reg::FieldSpec kDsrFields[] = {
    reg::field("DES_START", fifo::kDescBase, reg::Access::kRw, "address of the first descriptor"),
};
inline constexpr reg::FieldSpec kMrbrFields[] = {
    reg::field("BUF_SIZE", fifo::kMrbr, reg::Access::kRw, "receive buffer size, multiple of 16 B"),
};
inline constexpr reg::FieldSpec kLevelFields[] = {
    reg::field("LEVEL", fifo::kLevel, reg::Access::kRw, "64-bit words"),
};
inline constexpr reg::FieldSpec kRsemFields[] = {
    reg::field("STAT_SECTION_EMPTY", fifo::kStatSectionEmpty, reg::Access::kRw, "frames"),
    reg::field("LEVEL", fifo::kLevel, reg::Access::kRw, "64-bit words; 0 = never send pause"),
};
inline constexpr reg::FieldSpec kTipgFields[] = {
    reg::field("IPG", fifo::kIpg, reg::Access::kRw, "byte times, 8..26"),
};
inline constexpr reg::FieldSpec kFtrlFields[] = {
    reg::field("TRUNC_FL", fifo::kTruncFl, reg::Access::kRw, "bytes"),
};
inline constexpr reg::FieldSpec kTaccFields[] = {
    reg::field("PROCHK", tacc::kProChk, reg::Access::kRw, "insert protocol checksums"),
    reg::field("IPCHK", tacc::kIpChk, reg::Access::kRw, "insert IP header checksums"),
    reg::field("SHIFT16", tacc::kShift16, reg::Access::kRw, "frames start with two pad bytes"),
};
inline constexpr reg::FieldSpec kRaccFields[] = {
    reg::field("SHIFT16", racc::kShift16, reg::Access::kRw, "put two pad bytes in front"),
    reg::field("LINEDIS", racc::kLineDis, reg::Access::kRw, "discard frames with MAC errors"),
    reg::field("PRODIS", racc::kProDis, reg::Access::kRw, "discard wrong protocol checksums"),
    reg::field("IPDIS", racc::kIpDis, reg::Access::kRw, "discard wrong IP header checksums"),
    reg::field("PADREM", racc::kPadRem, reg::Access::kRw, "remove padding of short IP frames"),
};
inline constexpr reg::FieldSpec kRcmrFields[] = {
    reg::field("MATCHEN", rcmr::kMatchEn, reg::Access::kRw, "enable"),
    reg::field("CMP3", rcmr::cmp(3), reg::Access::kRw, "VLAN priority"),
    reg::field("CMP2", rcmr::cmp(2), reg::Access::kRw, "VLAN priority"),
    reg::field("CMP1", rcmr::cmp(1), reg::Access::kRw, "VLAN priority"),
    reg::field("CMP0", rcmr::cmp(0), reg::Access::kRw, "VLAN priority"),
};
inline constexpr reg::FieldSpec kDmaCfgFields[] = {
    reg::field("CALC_NOIPG", dma_cfg::kCalcNoIpg, reg::Access::kRw,
               "leave the gap out of the credit"),
    reg::field("DMA_CLASS_EN", dma_cfg::kClassEn, reg::Access::kRw, "enable the class"),
    reg::field("IDLE_SLOPE", dma_cfg::kIdleSlope, reg::Access::kRw, "share = 1 / (1 + 512 / n)"),
};
inline constexpr reg::FieldSpec kQosFields[] = {
    reg::field("RX_FLUSH2", qos::kRxFlush2, reg::Access::kRw,
               "flush frames without descriptor, ring 2"),
    reg::field("RX_FLUSH1", qos::kRxFlush1, reg::Access::kRw,
               "flush frames without descriptor, ring 1"),
    reg::field("RX_FLUSH0", qos::kRxFlush0, reg::Access::kRw,
               "flush frames without descriptor, ring 0"),
    reg::field("TX_SCHEME", qos::kTxScheme, reg::Access::kRw, "0 credit based, 1 round robin"),
};
inline constexpr reg::FieldSpec kMibFields[] = {
    reg::field("COUNT", ~0u, reg::Access::kRo, "documented width 16 bits"),
};
inline constexpr reg::FieldSpec kMibOctetFields[] = {
    reg::field("COUNT", ~0u, reg::Access::kRo, "documented width 32 bits"),
};
inline constexpr reg::FieldSpec kAtcrFields[] = {
    reg::field("SLAVE", atcr::kSlave, reg::Access::kRw, "follow another timer"),
    reg::field("CAPTURE", atcr::kCapture, reg::Access::kW1s,
               "copy the time to ATVR; hardware clears"),
    reg::field("RESTART", atcr::kRestart, reg::Access::kSelfClearing, "time to 0"),
    reg::field("PINPER", atcr::kPinPer, reg::Access::kRw, "event pin on wrap"),
    reg::field("PEREN", atcr::kPerEn, reg::Access::kRw, "event on wrap"),
    reg::field("OFFRST", atcr::kOffRst, reg::Access::kRw, "time to 0 on offset event"),
    reg::field("OFFEN", atcr::kOffEn, reg::Access::kRw, "offset event armed; hardware clears"),
    reg::field("EN", atcr::kEn, reg::Access::kRw, "timer runs"),
};
inline constexpr reg::FieldSpec kAtcorFields[] = {
    reg::field("COR", kAtcorPeriod, reg::Access::kRw, "timer clocks between corrections; 0 = off"),
};
inline constexpr reg::FieldSpec kAtincFields[] = {
    reg::field("INC_CORR", atinc::kIncCorr, reg::Access::kRw, "ns per clock when correcting"),
    reg::field("INC", atinc::kInc, reg::Access::kRw, "ns per clock"),
};
inline constexpr reg::FieldSpec kAtstmpFields[] = {
    reg::field("TIMESTAMP", ~0u, reg::Access::kRo, "ns"),
};
inline constexpr reg::FieldSpec kTgsrFields[] = {
    reg::field("TF3", tgsr_tf(3), reg::Access::kW1c, "flag of channel 3"),
    reg::field("TF2", tgsr_tf(2), reg::Access::kW1c, "flag of channel 2"),
    reg::field("TF1", tgsr_tf(1), reg::Access::kW1c, "flag of channel 1"),
    reg::field("TF0", tgsr_tf(0), reg::Access::kW1c, "flag of channel 0"),
};
inline constexpr reg::FieldSpec kTcsrFields[] = {
    reg::field("TF", tcsr::kTf, reg::Access::kW1c, "event happened"),
    reg::field("TIE", tcsr::kTie, reg::Access::kRw, "interrupt enable"),
    reg::field("TMODE", tcsr::kTmode, reg::Access::kRw, "mode"),
    reg::field("TDRE", tcsr::kTdre, reg::Access::kRw, "DMA request enable"),
};

inline constexpr reg::RegSpec kFecRegs[] = {
    {"EIR", reg::kEir, 0, "interrupt events", kEirFields},
    {"EIMR", reg::kEimr, 0, "interrupt mask", kEimrFields},
    {"RDAR", reg::kRdar0, 0, "receive ring 0 active", kRdarFields},
    {"TDAR", reg::kTdar0, 0, "transmit ring 0 active", kTdarFields},
    {"ECR", reg::kEcr, 0x70000000, "control", kEcrFields},
    {"MMFR", reg::kMmfr, 0, "MDIO frame", kMmfrFields},
    {"MSCR", reg::kMscr, 0, "MDIO speed", kMscrFields},
    {"MIBC", reg::kMibc, 0xC0000000, "statistics control", kMibcFields},
    {"RCR", reg::kRcr, 0x05EE0001, "receive control", kRcrFields},
    {"TCR", reg::kTcr, 0, "transmit control", kTcrFields},
    {"PALR", reg::kPalr, 0, "MAC bytes 0..3, byte 0 in 31:24", kWordFields},
    {"PAUR", reg::kPaur, 0x00008808, "MAC bytes 4, 5", kPaurFields},
    {"OPD", reg::kOpd, 0x00010000, "pause opcode and duration", kOpdFields},
    {"TXIC0", reg::kTxic0, 0, "transmit interrupt coalescing, ring 0", kIcFields},
    {"TXIC1", reg::kTxic1, 0, "transmit interrupt coalescing, ring 1", kIcFields},
    {"TXIC2", reg::kTxic2, 0, "transmit interrupt coalescing, ring 2", kIcFields},
    {"RXIC0", reg::kRxic0, 0, "receive interrupt coalescing, ring 0", kIcFields},
    {"RXIC1", reg::kRxic1, 0, "receive interrupt coalescing, ring 1", kIcFields},
    {"RXIC2", reg::kRxic2, 0, "receive interrupt coalescing, ring 2", kIcFields},
    {"IAUR", reg::kIaur, 0, "unicast hash 63:32", kWordFields},
    {"IALR", reg::kIalr, 0, "unicast hash 31:0", kWordFields},
    {"GAUR", reg::kGaur, 0, "group hash 63:32", kWordFields},
    {"GALR", reg::kGalr, 0, "group hash 31:0", kWordFields},
    {"TFWR", reg::kTfwr, 0, "transmit FIFO threshold", kTfwrFields},
    {"RDSR1", reg::kRdsr1, 0, "receive ring 1 base", kDsrFields},
    {"TDSR1", reg::kTdsr1, 0, "transmit ring 1 base", kDsrFields},
    {"MRBR1", reg::kMrbr1, 0, "receive ring 1 buffer size", kMrbrFields},
    {"RDSR2", reg::kRdsr2, 0, "receive ring 2 base", kDsrFields},
    {"TDSR2", reg::kTdsr2, 0, "transmit ring 2 base", kDsrFields},
    {"MRBR2", reg::kMrbr2, 0, "receive ring 2 buffer size", kMrbrFields},
    {"RDSR", reg::kRdsr0, 0, "receive ring 0 base", kDsrFields},
    {"TDSR", reg::kTdsr0, 0, "transmit ring 0 base", kDsrFields},
    {"MRBR", reg::kMrbr0, 0, "receive ring 0 buffer size", kMrbrFields},
    {"RSFL", reg::kRsfl, 0, "receive section full; 0 = store and forward", kLevelFields},
    {"RSEM", reg::kRsem, 0, "receive section empty: XOFF level", kRsemFields},
    {"RAEM", reg::kRaem, 4, "receive almost empty", kLevelFields},
    {"RAFL", reg::kRafl, 4, "receive almost full", kLevelFields},
    {"TSEM", reg::kTsem, 0, "transmit section empty", kLevelFields},
    {"TAEM", reg::kTaem, 4, "transmit almost empty", kLevelFields},
    {"TAFL", reg::kTafl, 8, "transmit almost full", kLevelFields},
    {"TIPG", reg::kTipg, 0x0C, "inter-packet gap", kTipgFields},
    {"FTRL", reg::kFtrl, 0x7FF, "truncation length", kFtrlFields},
    {"TACC", reg::kTacc, 0, "transmit accelerator", kTaccFields},
    {"RACC", reg::kRacc, 0, "receive accelerator", kRaccFields},
    {"RCMR1", reg::kRcmr1, 0, "receive classification, class 1", kRcmrFields},
    {"RCMR2", reg::kRcmr2, 0, "receive classification, class 2", kRcmrFields},
    {"DMA1CFG", reg::kDma1Cfg, 0, "DMA class 1", kDmaCfgFields},
    {"DMA2CFG", reg::kDma2Cfg, 0, "DMA class 2", kDmaCfgFields},
    {"RDAR1", reg::kRdar1, 0, "receive ring 1 active", kRdarFields},
    {"TDAR1", reg::kTdar1, 0, "transmit ring 1 active", kTdarFields},
    {"RDAR2", reg::kRdar2, 0, "receive ring 2 active", kRdarFields},
    {"TDAR2", reg::kTdar2, 0, "transmit ring 2 active", kTdarFields},
    {"QOS", reg::kQos, 0, "queue scheme", kQosFields},
    {"LPI_SLEEP", reg::kLpiSleep, 0,
     "EEE Ts; a reserved hole in the i.MX8MP header, stored because Linux writes it", kWordFields},
    {"LPI_WAKE", reg::kLpiWake, 0,
     "EEE Tw; a reserved hole in the i.MX8MP header, stored because Linux writes it", kWordFields},
    {"RMON_T_DROP", mib::kRmonTDrop, 0, "sent: dropped; reserved, reads 0", kMibFields},
    {"RMON_T_PACKETS", mib::kRmonTPackets, 0, "sent: frames", kMibFields},
    {"RMON_T_BC_PKT", mib::kRmonTBcPkt, 0, "sent: broadcast frames", kMibFields},
    {"RMON_T_MC_PKT", mib::kRmonTMcPkt, 0, "sent: multicast frames", kMibFields},
    {"RMON_T_CRC_ALIGN", mib::kRmonTCrcAlign, 0, "sent: frames with CRC or alignment error",
     kMibFields},
    {"RMON_T_UNDERSIZE", mib::kRmonTUndersize, 0, "sent: frames < 64 B, good CRC", kMibFields},
    {"RMON_T_OVERSIZE", mib::kRmonTOversize, 0, "sent: frames > MAX_FL, good CRC", kMibFields},
    {"RMON_T_FRAG", mib::kRmonTFrag, 0, "sent: frames < 64 B, bad CRC", kMibFields},
    {"RMON_T_JAB", mib::kRmonTJab, 0, "sent: frames > MAX_FL, bad CRC", kMibFields},
    {"RMON_T_COL", mib::kRmonTCol, 0, "sent: collisions", kMibFields},
    {"RMON_T_P64", mib::kRmonTP64, 0, "sent: frames of 64 B", kMibFields},
    {"RMON_T_P65TO127", mib::kRmonTP65To127, 0, "sent: frames of 65..127 B", kMibFields},
    {"RMON_T_P128TO255", mib::kRmonTP128To255, 0, "sent: frames of 128..255 B", kMibFields},
    {"RMON_T_P256TO511", mib::kRmonTP256To511, 0, "sent: frames of 256..511 B", kMibFields},
    {"RMON_T_P512TO1023", mib::kRmonTP512To1023, 0, "sent: frames of 512..1023 B", kMibFields},
    {"RMON_T_P1024TO2047", mib::kRmonTP1024To2047, 0, "sent: frames of 1024..2047 B", kMibFields},
    {"RMON_T_P_GTE2048", mib::kRmonTPGte2048, 0, "sent: frames of 2048 B and more", kMibFields},
    {"RMON_T_OCTETS", mib::kRmonTOctets, 0, "sent: octets", kMibOctetFields},
    {"IEEE_T_DROP", mib::kIeeeTDrop, 0, "sent: dropped; reserved, reads 0", kMibFields},
    {"IEEE_T_FRAME_OK", mib::kIeeeTFrameOk, 0, "sent: frames without error", kMibFields},
    {"IEEE_T_1COL", mib::kIeeeT1Col, 0, "sent: sent after one collision", kMibFields},
    {"IEEE_T_MCOL", mib::kIeeeTMcol, 0, "sent: sent after several collisions", kMibFields},
    {"IEEE_T_DEF", mib::kIeeeTDef, 0, "sent: deferred", kMibFields},
    {"IEEE_T_LCOL", mib::kIeeeTLcol, 0, "sent: late collisions", kMibFields},
    {"IEEE_T_EXCOL", mib::kIeeeTExcol, 0, "sent: excessive collisions", kMibFields},
    {"IEEE_T_MACERR", mib::kIeeeTMacErr, 0, "sent: transmit FIFO underruns", kMibFields},
    {"IEEE_T_CSERR", mib::kIeeeTCsErr, 0, "sent: carrier sense errors", kMibFields},
    {"IEEE_T_SQE", mib::kIeeeTSqe, 0, "sent: SQE errors; reserved", kMibFields},
    {"IEEE_T_FDXFC", mib::kIeeeTFdxFc, 0, "sent: pause frames", kMibFields},
    {"IEEE_T_OCTETS_OK", mib::kIeeeTOctetsOk, 0, "sent: octets of frames without error",
     kMibOctetFields},
    {"RMON_R_PACKETS", mib::kRmonRPackets, 0, "received: frames", kMibFields},
    {"RMON_R_BC_PKT", mib::kRmonRBcPkt, 0, "received: broadcast frames", kMibFields},
    {"RMON_R_MC_PKT", mib::kRmonRMcPkt, 0, "received: multicast frames", kMibFields},
    {"RMON_R_CRC_ALIGN", mib::kRmonRCrcAlign, 0, "received: frames with CRC or alignment error",
     kMibFields},
    {"RMON_R_UNDERSIZE", mib::kRmonRUndersize, 0, "received: frames < 64 B, good CRC", kMibFields},
    {"RMON_R_OVERSIZE", mib::kRmonROversize, 0, "received: frames > MAX_FL, good CRC", kMibFields},
    {"RMON_R_FRAG", mib::kRmonRFrag, 0, "received: frames < 64 B, bad CRC", kMibFields},
    {"RMON_R_JAB", mib::kRmonRJab, 0, "received: frames > MAX_FL, bad CRC", kMibFields},
    {"RMON_R_RESVD", mib::kRmonRResvd, 0, "received: reserved", kMibFields},
    {"RMON_R_P64", mib::kRmonRP64, 0, "received: frames of 64 B", kMibFields},
    {"RMON_R_P65TO127", mib::kRmonRP65To127, 0, "received: frames of 65..127 B", kMibFields},
    {"RMON_R_P128TO255", mib::kRmonRP128To255, 0, "received: frames of 128..255 B", kMibFields},
    {"RMON_R_P256TO511", mib::kRmonRP256To511, 0, "received: frames of 256..511 B", kMibFields},
    {"RMON_R_P512TO1023", mib::kRmonRP512To1023, 0, "received: frames of 512..1023 B", kMibFields},
    {"RMON_R_P1024TO2047", mib::kRmonRP1024To2047, 0, "received: frames of 1024..2047 B",
     kMibFields},
    {"RMON_R_P_GTE2048", mib::kRmonRPGte2048, 0, "received: frames of 2048 B and more", kMibFields},
    {"RMON_R_OCTETS", mib::kRmonROctets, 0, "received: octets", kMibOctetFields},
    {"IEEE_R_DROP", mib::kIeeeRDrop, 0, "received: received, dropped", kMibFields},
    {"IEEE_R_FRAME_OK", mib::kIeeeRFrameOk, 0, "received: frames without error", kMibFields},
    {"IEEE_R_CRC", mib::kIeeeRCrc, 0, "received: frames with CRC error", kMibFields},
    {"IEEE_R_ALIGN", mib::kIeeeRAlign, 0, "received: frames with alignment error", kMibFields},
    {"IEEE_R_MACERR", mib::kIeeeRMacErr, 0, "received: receive FIFO overflows", kMibFields},
    {"IEEE_R_FDXFC", mib::kIeeeRFdxFc, 0, "received: pause frames", kMibFields},
    {"IEEE_R_OCTETS_OK", mib::kIeeeROctetsOk, 0, "received: octets of frames without error",
     kMibOctetFields},
    {"ATCR", reg::kAtcr, 0, "timer control", kAtcrFields},
    {"ATVR", reg::kAtvr, 0, "time, ns; a write sets the timer", kWordFields},
    {"ATOFF", reg::kAtoff, 0, "one-shot offset, ns", kWordFields},
    {"ATPER", reg::kAtper, 0x3B9ACA00, "wrap period, ns", kWordFields},
    {"ATCOR", reg::kAtcor, 0, "correction period", kAtcorFields},
    {"ATINC", reg::kAtinc, 0, "increment", kAtincFields},
    {"ATSTMP", reg::kAtstmp, 0, "time of the last sent frame with TS", kAtstmpFields},
    {"TGSR", reg::kTgsr, 0, "timer flags, copies of TCSR.TF", kTgsrFields},
    {"TCSR0", reg::tcsr(0), 0, "timer channel 0 control", kTcsrFields},
    {"TCCR0", reg::tccr(0), 0, "timer channel 0 compare or capture, ns", kWordFields},
    {"TCSR1", reg::tcsr(1), 0, "timer channel 1 control", kTcsrFields},
    {"TCCR1", reg::tccr(1), 0, "timer channel 1 compare or capture, ns", kWordFields},
    {"TCSR2", reg::tcsr(2), 0, "timer channel 2 control", kTcsrFields},
    {"TCCR2", reg::tccr(2), 0, "timer channel 2 compare or capture, ns", kWordFields},
    {"TCSR3", reg::tcsr(3), 0, "timer channel 3 control", kTcsrFields},
    {"TCCR3", reg::tccr(3), 0, "timer channel 3 compare or capture, ns", kWordFields},
};
static_assert(reg::well_formed(reg::RegTable(kFecRegs)));

}  // namespace doorbell::fec
