// Register map of the NXP ENET/FEC with AVB as on the i.MX8MP: offsets and bits.
//
// Contract header: the device model and the driver both use it. Every number stands here once, as
// an offset or a mask; the table of fec_reg_table.h (access kinds, reset values, descriptions) is
// built from these constants. Multi-bit fields are masks: use doorbell::reg::get_field and
// put_field. Offsets are bytes from the block's base; all registers are 32 bits, little-endian.
// Sources: offsets and widths MCUXpresso i.MX8MP PERI_ENET.h (rev 5.0) and Linux 6.12 fec.h;
// semantics i.MX 6ULL RM (rev 1) ch. 22. LPI_SLEEP and LPI_WAKE are known from Linux only.
#pragma once

#include <cassert>
#include <cstdint>

#include "models/reg/reg_spec.h"

namespace doorbell::fec {

/// Transmit rings, and as many receive rings. Ring 0 is best effort, 1 and 2 are the AVB classes.
inline constexpr unsigned kRings = 3;
/// Register window of the block.
inline constexpr uint32_t kWindowBytes = 0x10000;

namespace reg {
// Inside doorbell::fec the name `reg` means this namespace; RegFile and its friends stay in reach.
using namespace doorbell::reg;

inline constexpr uint32_t kEir = 0x004;
inline constexpr uint32_t kEimr = 0x008;
inline constexpr uint32_t kRdar0 = 0x010;
inline constexpr uint32_t kTdar0 = 0x014;
inline constexpr uint32_t kEcr = 0x024;
inline constexpr uint32_t kMmfr = 0x040;
inline constexpr uint32_t kMscr = 0x044;
inline constexpr uint32_t kMibc = 0x064;
inline constexpr uint32_t kRcr = 0x084;
inline constexpr uint32_t kTcr = 0x0C4;
inline constexpr uint32_t kPalr = 0x0E4;
inline constexpr uint32_t kPaur = 0x0E8;
inline constexpr uint32_t kOpd = 0x0EC;
inline constexpr uint32_t kTxic0 = 0x0F0;
inline constexpr uint32_t kTxic1 = 0x0F4;
inline constexpr uint32_t kTxic2 = 0x0F8;
inline constexpr uint32_t kRxic0 = 0x100;
inline constexpr uint32_t kRxic1 = 0x104;
inline constexpr uint32_t kRxic2 = 0x108;
inline constexpr uint32_t kIaur = 0x118;
inline constexpr uint32_t kIalr = 0x11C;
inline constexpr uint32_t kGaur = 0x120;
inline constexpr uint32_t kGalr = 0x124;
inline constexpr uint32_t kTfwr = 0x144;
inline constexpr uint32_t kRdsr1 = 0x160;
inline constexpr uint32_t kTdsr1 = 0x164;
inline constexpr uint32_t kMrbr1 = 0x168;
inline constexpr uint32_t kRdsr2 = 0x16C;
inline constexpr uint32_t kTdsr2 = 0x170;
inline constexpr uint32_t kMrbr2 = 0x174;
inline constexpr uint32_t kRdsr0 = 0x180;
inline constexpr uint32_t kTdsr0 = 0x184;
inline constexpr uint32_t kMrbr0 = 0x188;
inline constexpr uint32_t kRsfl = 0x190;
inline constexpr uint32_t kRsem = 0x194;
inline constexpr uint32_t kRaem = 0x198;
inline constexpr uint32_t kRafl = 0x19C;
inline constexpr uint32_t kTsem = 0x1A0;
inline constexpr uint32_t kTaem = 0x1A4;
inline constexpr uint32_t kTafl = 0x1A8;
inline constexpr uint32_t kTipg = 0x1AC;
inline constexpr uint32_t kFtrl = 0x1B0;
inline constexpr uint32_t kTacc = 0x1C0;
inline constexpr uint32_t kRacc = 0x1C4;
inline constexpr uint32_t kRcmr1 = 0x1C8;
inline constexpr uint32_t kRcmr2 = 0x1CC;
inline constexpr uint32_t kDma1Cfg = 0x1D8;
inline constexpr uint32_t kDma2Cfg = 0x1DC;
inline constexpr uint32_t kRdar1 = 0x1E0;
inline constexpr uint32_t kTdar1 = 0x1E4;
inline constexpr uint32_t kRdar2 = 0x1E8;
inline constexpr uint32_t kTdar2 = 0x1EC;
inline constexpr uint32_t kQos = 0x1F0;
inline constexpr uint32_t kLpiSleep = 0x1F4;
inline constexpr uint32_t kLpiWake = 0x1F8;
// IEEE 1588 block.
inline constexpr uint32_t kAtcr = 0x400;
inline constexpr uint32_t kAtvr = 0x404;
inline constexpr uint32_t kAtoff = 0x408;
inline constexpr uint32_t kAtper = 0x40C;
inline constexpr uint32_t kAtcor = 0x410;
inline constexpr uint32_t kAtinc = 0x414;
inline constexpr uint32_t kAtstmp = 0x418;
inline constexpr uint32_t kTgsr = 0x604;
inline constexpr uint32_t kTcsr0 = 0x608;
inline constexpr uint32_t kTccr0 = 0x60C;

/// Value for ring 0, 1 or 2 out of three.
constexpr uint32_t of_ring(unsigned ring, uint32_t r0, uint32_t r1, uint32_t r2) {
  assert(ring < kRings);
  return ring == 0 ? r0 : ring == 1 ? r1 : r2;
}
constexpr uint32_t rdar(unsigned ring) {
  return of_ring(ring, kRdar0, kRdar1, kRdar2);
}
constexpr uint32_t tdar(unsigned ring) {
  return of_ring(ring, kTdar0, kTdar1, kTdar2);
}
constexpr uint32_t rdsr(unsigned ring) {
  return of_ring(ring, kRdsr0, kRdsr1, kRdsr2);
}
constexpr uint32_t tdsr(unsigned ring) {
  return of_ring(ring, kTdsr0, kTdsr1, kTdsr2);
}
constexpr uint32_t mrbr(unsigned ring) {
  return of_ring(ring, kMrbr0, kMrbr1, kMrbr2);
}
constexpr uint32_t txic(unsigned ring) {
  return of_ring(ring, kTxic0, kTxic1, kTxic2);
}
constexpr uint32_t rxic(unsigned ring) {
  return of_ring(ring, kRxic0, kRxic1, kRxic2);
}
/// Receive classification match of class 1 or 2.
constexpr uint32_t rcmr(unsigned cls) {
  assert(cls == 1 || cls == 2);
  return cls == 1 ? kRcmr1 : kRcmr2;
}
/// DMA class configuration of class 1 or 2.
constexpr uint32_t dma_cfg(unsigned cls) {
  assert(cls == 1 || cls == 2);
  return cls == 1 ? kDma1Cfg : kDma2Cfg;
}
/// Control and compare register of timer channel 0..3.
constexpr uint32_t tcsr(unsigned channel) {
  assert(channel < 4);
  return kTcsr0 + 8 * channel;
}
constexpr uint32_t tccr(unsigned channel) {
  assert(channel < 4);
  return kTccr0 + 8 * channel;
}
}  // namespace reg

/// Event bits of EIR and EIMR. Bit 31 (heartbeat error of older parts) is reserved here.
namespace eir {
inline constexpr uint32_t kBabr = 1u << 30;
inline constexpr uint32_t kBabt = 1u << 29;
inline constexpr uint32_t kGra = 1u << 28;
inline constexpr uint32_t kTxf0 = 1u << 27;
inline constexpr uint32_t kTxb0 = 1u << 26;
inline constexpr uint32_t kRxf0 = 1u << 25;
inline constexpr uint32_t kRxb0 = 1u << 24;
inline constexpr uint32_t kMii = 1u << 23;
inline constexpr uint32_t kEberr = 1u << 22;
inline constexpr uint32_t kLc = 1u << 21;
inline constexpr uint32_t kRl = 1u << 20;
inline constexpr uint32_t kUn = 1u << 19;
inline constexpr uint32_t kPlr = 1u << 18;
inline constexpr uint32_t kWakeup = 1u << 17;
inline constexpr uint32_t kTsAvail = 1u << 16;
inline constexpr uint32_t kTsTimer = 1u << 15;
inline constexpr uint32_t kRxflush2 = 1u << 14;
inline constexpr uint32_t kRxflush1 = 1u << 13;
inline constexpr uint32_t kRxflush0 = 1u << 12;
inline constexpr uint32_t kTxf2 = 1u << 7;
inline constexpr uint32_t kTxb2 = 1u << 6;
inline constexpr uint32_t kRxf2 = 1u << 5;
inline constexpr uint32_t kRxb2 = 1u << 4;
inline constexpr uint32_t kTxf1 = 1u << 3;
inline constexpr uint32_t kTxb1 = 1u << 2;
inline constexpr uint32_t kRxf1 = 1u << 1;
inline constexpr uint32_t kRxb1 = 1u << 0;

constexpr uint32_t txf(unsigned ring) {
  return reg::of_ring(ring, kTxf0, kTxf1, kTxf2);
}
constexpr uint32_t txb(unsigned ring) {
  return reg::of_ring(ring, kTxb0, kTxb1, kTxb2);
}
constexpr uint32_t rxf(unsigned ring) {
  return reg::of_ring(ring, kRxf0, kRxf1, kRxf2);
}
constexpr uint32_t rxb(unsigned ring) {
  return reg::of_ring(ring, kRxb0, kRxb1, kRxb2);
}
constexpr uint32_t rxflush(unsigned ring) {
  return reg::of_ring(ring, kRxflush0, kRxflush1, kRxflush2);
}
inline constexpr uint32_t kTxfAll = kTxf0 | kTxf1 | kTxf2;
inline constexpr uint32_t kRxfAll = kRxf0 | kRxf1 | kRxf2;
/// The mask a driver runs with: 0x0A0000AA.
inline constexpr uint32_t kFrames = kTxfAll | kRxfAll;
}  // namespace eir

/// RDAR and TDAR: bit 24. Any write sets it, whatever is written.
inline constexpr uint32_t kActive = 1u << 24;

namespace ecr {
inline constexpr uint32_t kReset = 1u << 0;
inline constexpr uint32_t kEtherEn = 1u << 1;
inline constexpr uint32_t kMagicEn = 1u << 2;
inline constexpr uint32_t kSleep = 1u << 3;
inline constexpr uint32_t kEn1588 = 1u << 4;  ///< 32-byte descriptors
inline constexpr uint32_t kSpeed = 1u << 5;   ///< 1 = 1000 Mb/s
inline constexpr uint32_t kDbgEn = 1u << 6;
inline constexpr uint32_t kDbSwp = 1u << 8;  ///< little-endian descriptors
inline constexpr uint32_t kSvlanEn = 1u << 9;
inline constexpr uint32_t kVlanUse2nd = 1u << 10;
inline constexpr uint32_t kSvlanDbl = 1u << 11;
inline constexpr uint32_t kTxcDly = 1u << 16;
inline constexpr uint32_t kRxcDly = 1u << 17;
inline constexpr uint32_t kTop = 0xFu << 28;  ///< resets to 0b0111, no known function
}  // namespace ecr

namespace mmfr {
inline constexpr uint32_t kSt = 0x3u << 30;
inline constexpr uint32_t kOp = 0x3u << 28;
inline constexpr uint32_t kPa = 0x1Fu << 23;
inline constexpr uint32_t kRa = 0x1Fu << 18;
inline constexpr uint32_t kTa = 0x3u << 16;
inline constexpr uint32_t kData = 0xFFFFu;
inline constexpr uint32_t kStClause22 = 1;
inline constexpr uint32_t kStClause45 = 0;
inline constexpr uint32_t kOpWrite = 1;
inline constexpr uint32_t kOpRead22 = 2;  ///< clause 45: read and increment
inline constexpr uint32_t kOpRead45 = 3;
inline constexpr uint32_t kOpAddress45 = 0;
inline constexpr uint32_t kTaValue = 2;
}  // namespace mmfr

namespace mscr {
inline constexpr uint32_t kMiiSpeed = 0x3Fu << 1;
inline constexpr uint32_t kDisPre = 1u << 7;
inline constexpr uint32_t kHoldTime = 0x7u << 8;  ///< clocks - 1
}  // namespace mscr

namespace mibc {
inline constexpr uint32_t kDis = 1u << 31;
inline constexpr uint32_t kIdle = 1u << 30;
inline constexpr uint32_t kClear = 1u << 29;  ///< not self-clearing
}  // namespace mibc

namespace rcr {
inline constexpr uint32_t kLoop = 1u << 0;
inline constexpr uint32_t kDrt = 1u << 1;
inline constexpr uint32_t kMiiMode = 1u << 2;
inline constexpr uint32_t kProm = 1u << 3;
inline constexpr uint32_t kBcRej = 1u << 4;
inline constexpr uint32_t kFce = 1u << 5;
inline constexpr uint32_t kRgmiiEn = 1u << 6;
inline constexpr uint32_t kRmiiMode = 1u << 8;
inline constexpr uint32_t kRmii10T = 1u << 9;
inline constexpr uint32_t kPadEn = 1u << 12;
inline constexpr uint32_t kPauFwd = 1u << 13;
inline constexpr uint32_t kCrcFwd = 1u << 14;
inline constexpr uint32_t kCfEn = 1u << 15;
inline constexpr uint32_t kMaxFl = 0x3FFFu << 16;
inline constexpr uint32_t kNlc = 1u << 30;  ///< 1 = length check on, in spite of its name
inline constexpr uint32_t kGrs = 1u << 31;
}  // namespace rcr

namespace tcr {
inline constexpr uint32_t kGts = 1u << 0;
inline constexpr uint32_t kFdEn = 1u << 2;
inline constexpr uint32_t kTfcPause = 1u << 3;
inline constexpr uint32_t kRfcPause = 1u << 4;
inline constexpr uint32_t kAddSel = 0x7u << 5;
inline constexpr uint32_t kAddIns = 1u << 8;
inline constexpr uint32_t kCrcFwd = 1u << 9;
}  // namespace tcr

namespace paur {
inline constexpr uint32_t kPaddr2 = 0xFFFFu << 16;
inline constexpr uint32_t kType = 0xFFFFu;
inline constexpr uint32_t kTypeValue = 0x8808;
}  // namespace paur

namespace opd {
inline constexpr uint32_t kOpcode = 0xFFFFu << 16;
inline constexpr uint32_t kPauseDur = 0xFFFFu;  ///< quanta of 512 bit times
}  // namespace opd

/// TXIC and RXIC: interrupt coalescing of one ring and direction.
namespace ic {
inline constexpr uint32_t kIcEn = 1u << 31;
inline constexpr uint32_t kIccs = 1u << 30;      ///< 1 = ENET system clock, 0 = (G)MII TX clock
inline constexpr uint32_t kIcft = 0xFFu << 20;   ///< frames
inline constexpr uint32_t kIctt = 0xFFFFu << 0;  ///< units of 64 clocks
}  // namespace ic

namespace tfwr {
inline constexpr uint32_t kTfwr = 0x3Fu;  ///< 0 and 1: 64 B; n: 64 n B
inline constexpr uint32_t kStrFwd = 1u << 8;
}  // namespace tfwr

namespace fifo {
inline constexpr uint32_t kDescBase = ~0x7u;                ///< RDSR and TDSR 31:3
inline constexpr uint32_t kMrbr = 0x7Fu << 4;               ///< MRBR 10:4; larger on other SoCs
inline constexpr uint32_t kLevel = 0x3FFu;                  ///< thresholds, in 64-bit words
inline constexpr uint32_t kStatSectionEmpty = 0x1Fu << 16;  ///< RSEM: frames, not words
inline constexpr uint32_t kIpg = 0x1Fu;                     ///< TIPG, byte times
inline constexpr uint32_t kTruncFl = 0x3FFFu;               ///< FTRL, bytes
}  // namespace fifo

namespace tacc {
inline constexpr uint32_t kShift16 = 1u << 0;
inline constexpr uint32_t kIpChk = 1u << 3;
inline constexpr uint32_t kProChk = 1u << 4;
}  // namespace tacc

namespace racc {
inline constexpr uint32_t kPadRem = 1u << 0;
inline constexpr uint32_t kIpDis = 1u << 1;
inline constexpr uint32_t kProDis = 1u << 2;
inline constexpr uint32_t kLineDis = 1u << 6;
inline constexpr uint32_t kShift16 = 1u << 7;
}  // namespace racc

namespace rcmr {
inline constexpr uint32_t kMatchEn = 1u << 16;
/// Field of compare value 0..3: a VLAN priority.
constexpr uint32_t cmp(unsigned n) {
  assert(n < 4);
  return 0x7u << (4 * n);
}
}  // namespace rcmr

namespace dma_cfg {
inline constexpr uint32_t kIdleSlope = 0xFFFFu;
inline constexpr uint32_t kClassEn = 1u << 16;
inline constexpr uint32_t kCalcNoIpg = 1u << 17;
}  // namespace dma_cfg

namespace qos {
inline constexpr uint32_t kTxScheme = 0x7u;
inline constexpr uint32_t kSchemeCredit = 0;
inline constexpr uint32_t kSchemeRoundRobin = 1;
inline constexpr uint32_t kRxFlush0 = 1u << 3;
inline constexpr uint32_t kRxFlush1 = 1u << 4;
inline constexpr uint32_t kRxFlush2 = 1u << 5;
constexpr uint32_t rx_flush(unsigned ring) {
  return reg::of_ring(ring, kRxFlush0, kRxFlush1, kRxFlush2);
}
}  // namespace qos

namespace atcr {
inline constexpr uint32_t kEn = 1u << 0;
inline constexpr uint32_t kOffEn = 1u << 2;
inline constexpr uint32_t kOffRst = 1u << 3;
inline constexpr uint32_t kPerEn = 1u << 4;
inline constexpr uint32_t kPinPer = 1u << 7;
inline constexpr uint32_t kRestart = 1u << 9;
inline constexpr uint32_t kCapture = 1u << 11;
inline constexpr uint32_t kSlave = 1u << 13;
}  // namespace atcr

inline constexpr uint32_t kAtcorPeriod = 0x7FFFFFFFu;

namespace atinc {
inline constexpr uint32_t kInc = 0x7Fu;
inline constexpr uint32_t kIncCorr = 0x7Fu << 8;
}  // namespace atinc

namespace tcsr {
inline constexpr uint32_t kTdre = 1u << 0;
inline constexpr uint32_t kTmode = 0xFu << 2;
inline constexpr uint32_t kTie = 1u << 6;
inline constexpr uint32_t kTf = 1u << 7;
}  // namespace tcsr

/// TGSR: flag of timer channel 0..3.
constexpr uint32_t tgsr_tf(unsigned channel) {
  assert(channel < 4);
  return 1u << channel;
}

}  // namespace doorbell::fec
