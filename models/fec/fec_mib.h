// Offsets of the FEC's statistics (MIB) counters.
//
// Contract header beside fec_regs.h: the device counts, software reads. On i.MX8M they are
// read-only (U-Boot fec_mxc.c leaves them alone there) and stand still while MIBC.MIB_DIS is set.
// Width: MCUXpresso PERI_ENET.h documents 32 bits for the octet counters and 16 bits for all
// others. What silicon does at 2^16 is not known; assumption here: all counters hold 32 bits and
// wrap.
#pragma once

#include <cstdint>

namespace doorbell::fec::mib {

inline constexpr uint32_t kFirst = 0x200;
inline constexpr uint32_t kRmonTDrop = 0x200;
inline constexpr uint32_t kRmonTPackets = 0x204;
inline constexpr uint32_t kRmonTBcPkt = 0x208;
inline constexpr uint32_t kRmonTMcPkt = 0x20C;
inline constexpr uint32_t kRmonTCrcAlign = 0x210;
inline constexpr uint32_t kRmonTUndersize = 0x214;
inline constexpr uint32_t kRmonTOversize = 0x218;
inline constexpr uint32_t kRmonTFrag = 0x21C;
inline constexpr uint32_t kRmonTJab = 0x220;
inline constexpr uint32_t kRmonTCol = 0x224;
inline constexpr uint32_t kRmonTP64 = 0x228;
inline constexpr uint32_t kRmonTP65To127 = 0x22C;
inline constexpr uint32_t kRmonTP128To255 = 0x230;
inline constexpr uint32_t kRmonTP256To511 = 0x234;
inline constexpr uint32_t kRmonTP512To1023 = 0x238;
inline constexpr uint32_t kRmonTP1024To2047 = 0x23C;
inline constexpr uint32_t kRmonTPGte2048 = 0x240;
inline constexpr uint32_t kRmonTOctets = 0x244;
inline constexpr uint32_t kIeeeTDrop = 0x248;
inline constexpr uint32_t kIeeeTFrameOk = 0x24C;
inline constexpr uint32_t kIeeeT1Col = 0x250;
inline constexpr uint32_t kIeeeTMcol = 0x254;
inline constexpr uint32_t kIeeeTDef = 0x258;
inline constexpr uint32_t kIeeeTLcol = 0x25C;
inline constexpr uint32_t kIeeeTExcol = 0x260;
inline constexpr uint32_t kIeeeTMacErr = 0x264;
inline constexpr uint32_t kIeeeTCsErr = 0x268;
inline constexpr uint32_t kIeeeTSqe = 0x26C;
inline constexpr uint32_t kIeeeTFdxFc = 0x270;
inline constexpr uint32_t kIeeeTOctetsOk = 0x274;
inline constexpr uint32_t kRmonRPackets = 0x284;
inline constexpr uint32_t kRmonRBcPkt = 0x288;
inline constexpr uint32_t kRmonRMcPkt = 0x28C;
inline constexpr uint32_t kRmonRCrcAlign = 0x290;
inline constexpr uint32_t kRmonRUndersize = 0x294;
inline constexpr uint32_t kRmonROversize = 0x298;
inline constexpr uint32_t kRmonRFrag = 0x29C;
inline constexpr uint32_t kRmonRJab = 0x2A0;
inline constexpr uint32_t kRmonRResvd = 0x2A4;
inline constexpr uint32_t kRmonRP64 = 0x2A8;
inline constexpr uint32_t kRmonRP65To127 = 0x2AC;
inline constexpr uint32_t kRmonRP128To255 = 0x2B0;
inline constexpr uint32_t kRmonRP256To511 = 0x2B4;
inline constexpr uint32_t kRmonRP512To1023 = 0x2B8;
inline constexpr uint32_t kRmonRP1024To2047 = 0x2BC;
inline constexpr uint32_t kRmonRPGte2048 = 0x2C0;
inline constexpr uint32_t kRmonROctets = 0x2C4;
inline constexpr uint32_t kIeeeRDrop = 0x2C8;
inline constexpr uint32_t kIeeeRFrameOk = 0x2CC;
inline constexpr uint32_t kIeeeRCrc = 0x2D0;
inline constexpr uint32_t kIeeeRAlign = 0x2D4;
inline constexpr uint32_t kIeeeRMacErr = 0x2D8;
inline constexpr uint32_t kIeeeRFdxFc = 0x2DC;
inline constexpr uint32_t kIeeeROctetsOk = 0x2E0;
inline constexpr uint32_t kLast = 0x2E0;

}  // namespace doorbell::fec::mib
