// The FEC's register map against numbers typed from the documents, not from our table.
//
// Offsets, reset values and writable bits: MCUXpresso i.MX8MP PERI_ENET.h, i.MX RT1176 SVD, i.MX
// 6ULL RM ch. 22, Linux 6.12 fec.h. Every constant and every row of the table must be in one of the
// lists.
#include "models/fec/fec_regs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "models/fec/fec_limits.h"
#include "models/fec/fec_mib.h"
#include "models/fec/fec_reg_table.h"
#include "models/reg/emit.h"
#include "models/reg/reg_file.h"

namespace doorbell::fec {
namespace {

struct Pinned {
  uint32_t constant;  ///< ours
  const char* name;
  uint32_t offset;
  uint32_t reset;
  uint32_t write_ones;  ///< what reads back after writing all ones to a block just reset
};

constexpr uint32_t kAll = 0xFFFFFFFFu;

const Pinned kPinned[] = {
    {reg::kEir, "EIR", 0x004, 0, 0},  // nothing to clear
    {reg::kEimr, "EIMR", 0x008, 0, 0x7FFFF0FFu},
    {reg::kRdar0, "RDAR", 0x010, 0, 0x01000000u},
    {reg::kTdar0, "TDAR", 0x014, 0, 0x01000000u},
    {reg::kEcr, "ECR", 0x024, 0x70000000u, 0xF0030F7Eu},
    {reg::kMmfr, "MMFR", 0x040, 0, kAll},
    {reg::kMscr, "MSCR", 0x044, 0, 0x000007FEu},
    {reg::kMibc, "MIBC", 0x064, 0xC0000000u, 0xE0000000u},
    {reg::kRcr, "RCR", 0x084, 0x05EE0001u, 0x7FFFF37Fu},
    {reg::kTcr, "TCR", 0x0C4, 0, 0x000003EDu},
    {reg::kPalr, "PALR", 0x0E4, 0, kAll},
    {reg::kPaur, "PAUR", 0x0E8, 0x00008808u, 0xFFFF8808u},
    {reg::kOpd, "OPD", 0x0EC, 0x00010000u, 0x0001FFFFu},
    {reg::kTxic0, "TXIC0", 0x0F0, 0, 0xCFF0FFFFu},
    {reg::kTxic1, "TXIC1", 0x0F4, 0, 0xCFF0FFFFu},
    {reg::kTxic2, "TXIC2", 0x0F8, 0, 0xCFF0FFFFu},
    {reg::kRxic0, "RXIC0", 0x100, 0, 0xCFF0FFFFu},
    {reg::kRxic1, "RXIC1", 0x104, 0, 0xCFF0FFFFu},
    {reg::kRxic2, "RXIC2", 0x108, 0, 0xCFF0FFFFu},
    {reg::kIaur, "IAUR", 0x118, 0, kAll},
    {reg::kIalr, "IALR", 0x11C, 0, kAll},
    {reg::kGaur, "GAUR", 0x120, 0, kAll},
    {reg::kGalr, "GALR", 0x124, 0, kAll},
    {reg::kTfwr, "TFWR", 0x144, 0, 0x0000013Fu},
    {reg::kRdsr1, "RDSR1", 0x160, 0, 0xFFFFFFF8u},
    {reg::kTdsr1, "TDSR1", 0x164, 0, 0xFFFFFFF8u},
    {reg::kMrbr1, "MRBR1", 0x168, 0, 0x000007F0u},
    {reg::kRdsr2, "RDSR2", 0x16C, 0, 0xFFFFFFF8u},
    {reg::kTdsr2, "TDSR2", 0x170, 0, 0xFFFFFFF8u},
    {reg::kMrbr2, "MRBR2", 0x174, 0, 0x000007F0u},
    {reg::kRdsr0, "RDSR", 0x180, 0, 0xFFFFFFF8u},
    {reg::kTdsr0, "TDSR", 0x184, 0, 0xFFFFFFF8u},
    {reg::kMrbr0, "MRBR", 0x188, 0, 0x000007F0u},
    {reg::kRsfl, "RSFL", 0x190, 0, 0x000003FFu},
    {reg::kRsem, "RSEM", 0x194, 0, 0x001F03FFu},
    {reg::kRaem, "RAEM", 0x198, 4, 0x000003FFu},
    {reg::kRafl, "RAFL", 0x19C, 4, 0x000003FFu},
    {reg::kTsem, "TSEM", 0x1A0, 0, 0x000003FFu},
    {reg::kTaem, "TAEM", 0x1A4, 4, 0x000003FFu},
    {reg::kTafl, "TAFL", 0x1A8, 8, 0x000003FFu},
    {reg::kTipg, "TIPG", 0x1AC, 0x0C, 0x0000001Fu},
    {reg::kFtrl, "FTRL", 0x1B0, 0x7FF, 0x00003FFFu},
    {reg::kTacc, "TACC", 0x1C0, 0, 0x00000019u},
    {reg::kRacc, "RACC", 0x1C4, 0, 0x000000C7u},
    {reg::kRcmr1, "RCMR1", 0x1C8, 0, 0x00017777u},
    {reg::kRcmr2, "RCMR2", 0x1CC, 0, 0x00017777u},
    {reg::kDma1Cfg, "DMA1CFG", 0x1D8, 0, 0x0003FFFFu},
    {reg::kDma2Cfg, "DMA2CFG", 0x1DC, 0, 0x0003FFFFu},
    {reg::kRdar1, "RDAR1", 0x1E0, 0, 0x01000000u},
    {reg::kTdar1, "TDAR1", 0x1E4, 0, 0x01000000u},
    {reg::kRdar2, "RDAR2", 0x1E8, 0, 0x01000000u},
    {reg::kTdar2, "TDAR2", 0x1EC, 0, 0x01000000u},
    {reg::kQos, "QOS", 0x1F0, 0, 0x0000003Fu},
    {reg::kLpiSleep, "LPI_SLEEP", 0x1F4, 0, kAll},
    {reg::kLpiWake, "LPI_WAKE", 0x1F8, 0, kAll},
    {reg::kAtcr, "ATCR", 0x400, 0, 0x0000289Du},  // RESTART (bit 9) is gone at once
    {reg::kAtvr, "ATVR", 0x404, 0, kAll},
    {reg::kAtoff, "ATOFF", 0x408, 0, kAll},
    {reg::kAtper, "ATPER", 0x40C, 0x3B9ACA00u, kAll},
    {reg::kAtcor, "ATCOR", 0x410, 0, 0x7FFFFFFFu},
    {reg::kAtinc, "ATINC", 0x414, 0, 0x00007F7Fu},
    {reg::kAtstmp, "ATSTMP", 0x418, 0, 0},
    {reg::kTgsr, "TGSR", 0x604, 0, 0},
    {reg::tcsr(0), "TCSR0", 0x608, 0, 0x0000007Du},
    {reg::tccr(0), "TCCR0", 0x60C, 0, kAll},
    {reg::tcsr(1), "TCSR1", 0x610, 0, 0x0000007Du},
    {reg::tccr(1), "TCCR1", 0x614, 0, kAll},
    {reg::tcsr(2), "TCSR2", 0x618, 0, 0x0000007Du},
    {reg::tccr(2), "TCCR2", 0x61C, 0, kAll},
    {reg::tcsr(3), "TCSR3", 0x620, 0, 0x0000007Du},
    {reg::tccr(3), "TCCR3", 0x624, 0, kAll},
};

struct PinnedCounter {
  uint32_t constant;
  const char* name;
  uint32_t offset;
};

const PinnedCounter kCounters[] = {
    {mib::kRmonTDrop, "RMON_T_DROP", 0x200},
    {mib::kRmonTPackets, "RMON_T_PACKETS", 0x204},
    {mib::kRmonTBcPkt, "RMON_T_BC_PKT", 0x208},
    {mib::kRmonTMcPkt, "RMON_T_MC_PKT", 0x20C},
    {mib::kRmonTCrcAlign, "RMON_T_CRC_ALIGN", 0x210},
    {mib::kRmonTUndersize, "RMON_T_UNDERSIZE", 0x214},
    {mib::kRmonTOversize, "RMON_T_OVERSIZE", 0x218},
    {mib::kRmonTFrag, "RMON_T_FRAG", 0x21C},
    {mib::kRmonTJab, "RMON_T_JAB", 0x220},
    {mib::kRmonTCol, "RMON_T_COL", 0x224},
    {mib::kRmonTP64, "RMON_T_P64", 0x228},
    {mib::kRmonTP65To127, "RMON_T_P65TO127", 0x22C},
    {mib::kRmonTP128To255, "RMON_T_P128TO255", 0x230},
    {mib::kRmonTP256To511, "RMON_T_P256TO511", 0x234},
    {mib::kRmonTP512To1023, "RMON_T_P512TO1023", 0x238},
    {mib::kRmonTP1024To2047, "RMON_T_P1024TO2047", 0x23C},
    {mib::kRmonTPGte2048, "RMON_T_P_GTE2048", 0x240},
    {mib::kRmonTOctets, "RMON_T_OCTETS", 0x244},
    {mib::kIeeeTDrop, "IEEE_T_DROP", 0x248},
    {mib::kIeeeTFrameOk, "IEEE_T_FRAME_OK", 0x24C},
    {mib::kIeeeT1Col, "IEEE_T_1COL", 0x250},
    {mib::kIeeeTMcol, "IEEE_T_MCOL", 0x254},
    {mib::kIeeeTDef, "IEEE_T_DEF", 0x258},
    {mib::kIeeeTLcol, "IEEE_T_LCOL", 0x25C},
    {mib::kIeeeTExcol, "IEEE_T_EXCOL", 0x260},
    {mib::kIeeeTMacErr, "IEEE_T_MACERR", 0x264},
    {mib::kIeeeTCsErr, "IEEE_T_CSERR", 0x268},
    {mib::kIeeeTSqe, "IEEE_T_SQE", 0x26C},
    {mib::kIeeeTFdxFc, "IEEE_T_FDXFC", 0x270},
    {mib::kIeeeTOctetsOk, "IEEE_T_OCTETS_OK", 0x274},
    {mib::kRmonRPackets, "RMON_R_PACKETS", 0x284},
    {mib::kRmonRBcPkt, "RMON_R_BC_PKT", 0x288},
    {mib::kRmonRMcPkt, "RMON_R_MC_PKT", 0x28C},
    {mib::kRmonRCrcAlign, "RMON_R_CRC_ALIGN", 0x290},
    {mib::kRmonRUndersize, "RMON_R_UNDERSIZE", 0x294},
    {mib::kRmonROversize, "RMON_R_OVERSIZE", 0x298},
    {mib::kRmonRFrag, "RMON_R_FRAG", 0x29C},
    {mib::kRmonRJab, "RMON_R_JAB", 0x2A0},
    {mib::kRmonRResvd, "RMON_R_RESVD", 0x2A4},
    {mib::kRmonRP64, "RMON_R_P64", 0x2A8},
    {mib::kRmonRP65To127, "RMON_R_P65TO127", 0x2AC},
    {mib::kRmonRP128To255, "RMON_R_P128TO255", 0x2B0},
    {mib::kRmonRP256To511, "RMON_R_P256TO511", 0x2B4},
    {mib::kRmonRP512To1023, "RMON_R_P512TO1023", 0x2B8},
    {mib::kRmonRP1024To2047, "RMON_R_P1024TO2047", 0x2BC},
    {mib::kRmonRPGte2048, "RMON_R_P_GTE2048", 0x2C0},
    {mib::kRmonROctets, "RMON_R_OCTETS", 0x2C4},
    {mib::kIeeeRDrop, "IEEE_R_DROP", 0x2C8},
    {mib::kIeeeRFrameOk, "IEEE_R_FRAME_OK", 0x2CC},
    {mib::kIeeeRCrc, "IEEE_R_CRC", 0x2D0},
    {mib::kIeeeRAlign, "IEEE_R_ALIGN", 0x2D4},
    {mib::kIeeeRMacErr, "IEEE_R_MACERR", 0x2D8},
    {mib::kIeeeRFdxFc, "IEEE_R_FDXFC", 0x2DC},
    {mib::kIeeeROctetsOk, "IEEE_R_OCTETS_OK", 0x2E0},
};

TEST(FecRegs, OffsetsAndResetValues) {
  const reg::RegFile file(kFecRegs);
  for (const Pinned& p : kPinned) {
    SCOPED_TRACE(p.name);
    EXPECT_EQ(p.constant, p.offset);
    const reg::RegSpec* spec = file.spec(p.offset);
    ASSERT_NE(spec, nullptr);
    EXPECT_STREQ(spec->name, p.name);
    EXPECT_EQ(file.peek(p.offset), p.reset);
  }
}

TEST(FecRegs, CountersAreReadOnlyAndZero) {
  reg::RegFile file(kFecRegs);
  for (const PinnedCounter& p : kCounters) {
    SCOPED_TRACE(p.name);
    EXPECT_EQ(p.constant, p.offset);
    const reg::RegSpec* spec = file.spec(p.offset);
    ASSERT_NE(spec, nullptr);
    EXPECT_STREQ(spec->name, p.name);
    EXPECT_EQ(file.write(p.offset, 4, kAll), reg::Status::kOk);
    EXPECT_EQ(file.peek(p.offset), 0u);
    file.poke(p.offset, kAll);
    EXPECT_EQ(file.read(p.offset).value, kAll);
    EXPECT_EQ(file.read(p.offset).value, kAll) << "a read does not clear";
  }
}

TEST(FecRegs, TableHoldsNothingElse) {
  std::set<uint32_t> typed;
  for (const Pinned& p : kPinned) typed.insert(p.offset);
  for (const PinnedCounter& p : kCounters) typed.insert(p.offset);
  EXPECT_EQ(typed.size(), std::size(kPinned) + std::size(kCounters));
  for (const reg::RegSpec& row : kFecRegs) EXPECT_EQ(typed.count(row.offset), 1u) << row.name;
  EXPECT_EQ(typed.size(), std::size(kFecRegs));
}

TEST(FecRegs, AllOnesReadBack) {
  for (const Pinned& p : kPinned) {
    SCOPED_TRACE(p.name);
    reg::RegFile file(kFecRegs);
    EXPECT_EQ(file.write(p.offset, 4, kAll), reg::Status::kOk);
    EXPECT_EQ(file.read(p.offset).value, p.write_ones);
  }
}

TEST(FecRegs, DriverValuesReadBackAsOnSilicon) {
  reg::RegFile file(kFecRegs);
  const uint32_t kept[][2] = {
      {0x084, 0x47C00064u}, {0x044, 0x26A},       {0x024, 0x132},       {0x0F0, 0xCC801046u},
      {0x1C4, 0x86},        {0x1C8, 0x00013210u}, {0x1CC, 0x00017654u}, {0x1D8, 0x00010200u},
      {0x144, 0x100},       {0x188, 1984},        {0x1B0, 1984},        {0x008, 0x0A0000AAu},
      {0x194, 0x84},        {0x40C, 0x80000000u}, {0x414, 10},
  };
  for (const auto& pair : kept) {
    file.write(pair[0], 4, pair[1]);
    EXPECT_EQ(file.read(pair[0]).value, pair[1]) << std::hex << pair[0];
  }
  file.write(0x400, 4, 0x31);
  EXPECT_EQ(file.read(0x400).value, 0x11u) << "ATCR bit 5 is reserved";
}

TEST(FecRegs, EventsAreClearedByOnes) {
  reg::RegFile file(kFecRegs);
  file.set_bits(reg::kEir, kAll);
  EXPECT_EQ(file.peek(reg::kEir), 0x7FFFF0FFu) << "31 and 11:8 are reserved";
  file.write(reg::kEir, 4, 0x02000000u);
  EXPECT_EQ(file.peek(reg::kEir), 0x7DFFF0FFu);
  file.write(reg::kEir, 4, 0xFF7FFFFFu);
  EXPECT_EQ(file.peek(reg::kEir), 0x00800000u) << "all but MII";
  file.poke(reg::kTgsr, 0xF);
  file.write(reg::kTgsr, 4, 0x5);
  EXPECT_EQ(file.peek(reg::kTgsr), 0xAu);
  file.poke(reg::tcsr(1), 0xBC);
  file.write(reg::tcsr(1), 4, 0xBC);
  EXPECT_EQ(file.peek(reg::tcsr(1)), 0x3Cu);
}

TEST(FecRegs, EventBitsByNumber) {
  EXPECT_EQ(eir::kBabr, 0x40000000u);
  EXPECT_EQ(eir::kBabt, 0x20000000u);
  EXPECT_EQ(eir::kGra, 0x10000000u);
  EXPECT_EQ(eir::kMii, 0x00800000u);
  EXPECT_EQ(eir::kEberr, 0x00400000u);
  EXPECT_EQ(eir::kLc, 0x00200000u);
  EXPECT_EQ(eir::kRl, 0x00100000u);
  EXPECT_EQ(eir::kUn, 0x00080000u);
  EXPECT_EQ(eir::kPlr, 0x00040000u);
  EXPECT_EQ(eir::kWakeup, 0x00020000u);
  EXPECT_EQ(eir::kTsAvail, 0x00010000u);
  EXPECT_EQ(eir::kTsTimer, 0x00008000u);
  const uint32_t per_ring[3][5] = {
      // TXF, TXB, RXF, RXB, RXFLUSH
      {1u << 27, 1u << 26, 1u << 25, 1u << 24, 1u << 12},
      {1u << 3, 1u << 2, 1u << 1, 1u << 0, 1u << 13},
      {1u << 7, 1u << 6, 1u << 5, 1u << 4, 1u << 14},
  };
  for (unsigned ring = 0; ring < 3; ++ring) {
    EXPECT_EQ(eir::txf(ring), per_ring[ring][0]);
    EXPECT_EQ(eir::txb(ring), per_ring[ring][1]);
    EXPECT_EQ(eir::rxf(ring), per_ring[ring][2]);
    EXPECT_EQ(eir::rxb(ring), per_ring[ring][3]);
    EXPECT_EQ(eir::rxflush(ring), per_ring[ring][4]);
  }
  EXPECT_EQ(eir::kFrames, 0x0A0000AAu);
  EXPECT_EQ(eir::kTxfAll | eir::kMii, 0x08800088u);
}

TEST(FecRegs, RegistersPerRing) {
  const uint32_t typed[3][7] = {
      // RDAR, TDAR, RDSR, TDSR, MRBR, TXIC, RXIC
      {0x010, 0x014, 0x180, 0x184, 0x188, 0x0F0, 0x100},
      {0x1E0, 0x1E4, 0x160, 0x164, 0x168, 0x0F4, 0x104},
      {0x1E8, 0x1EC, 0x16C, 0x170, 0x174, 0x0F8, 0x108},
  };
  for (unsigned ring = 0; ring < 3; ++ring) {
    const uint32_t ours[7] = {reg::rdar(ring), reg::tdar(ring), reg::rdsr(ring), reg::tdsr(ring),
                              reg::mrbr(ring), reg::txic(ring), reg::rxic(ring)};
    for (unsigned i = 0; i < 7; ++i) EXPECT_EQ(ours[i], typed[ring][i]) << ring << " " << i;
  }
  EXPECT_EQ(reg::rcmr(1), 0x1C8u);
  EXPECT_EQ(reg::rcmr(2), 0x1CCu);
  EXPECT_EQ(reg::dma_cfg(1), 0x1D8u);
  EXPECT_EQ(reg::dma_cfg(2), 0x1DCu);
}

// Each register value that the driver composes, from named bits.
TEST(FecRegs, NamedBitsGiveTheDriversValues) {
  EXPECT_EQ(ecr::kEtherEn | ecr::kEn1588 | ecr::kSpeed | ecr::kDbSwp, 0x132u);
  EXPECT_EQ(rcr::kNlc | reg::put_field(rcr::kMaxFl, 1984) | rcr::kRgmiiEn | rcr::kMiiMode,
            0x47C00044u);
  EXPECT_EQ(rcr::kFce, 0x20u);
  EXPECT_EQ(rcr::kProm, 0x8u);
  EXPECT_EQ(rcr::kDrt, 0x2u);
  EXPECT_EQ(reg::put_field(mscr::kMiiSpeed, 53) | reg::put_field(mscr::kHoldTime, 2), 0x26Au);
  EXPECT_EQ(racc::kShift16 | racc::kProDis | racc::kIpDis, 0x86u);
  EXPECT_EQ(tcr::kFdEn, 4u);
  EXPECT_EQ(tcr::kGts, 1u);
  EXPECT_EQ(tfwr::kStrFwd, 0x100u);
  EXPECT_EQ(rcmr::kMatchEn | reg::put_field(rcmr::cmp(3), 3) | reg::put_field(rcmr::cmp(2), 2) |
                reg::put_field(rcmr::cmp(1), 1),
            0x00013210u);
  EXPECT_EQ(dma_cfg::kClassEn | reg::put_field(dma_cfg::kIdleSlope, 0x200), 0x00010200u);
  EXPECT_EQ(qos::kTxScheme, 7u);
  EXPECT_EQ(qos::rx_flush(0), 8u);
  EXPECT_EQ(qos::rx_flush(2), 0x20u);
  EXPECT_EQ(atcr::kEn | atcr::kPerEn, 0x11u);
  EXPECT_EQ(atcr::kCapture, 0x800u);
  EXPECT_EQ(mibc::kDis | mibc::kIdle | mibc::kClear, 0xE0000000u);
  EXPECT_EQ(kActive, 0x01000000u);
}

TEST(FecLimits, CoalescingConversion) {
  const uint64_t hz = 266666666;
  const uint64_t rows[][2] = {{10, 41},    {50, 208},    {100, 416},
                              {500, 2083}, {1000, 4166}, {15730, 65531}};
  for (const auto& row : rows) EXPECT_EQ(ic_ticks(row[0], hz), row[1]) << row[0];
  EXPECT_EQ(ic_value(200, 4166), 0xCC801046u);
  EXPECT_EQ(ic_value(1, 4166), 0u);
  EXPECT_EQ(ic_value(0, 4166), 0u);
  EXPECT_EQ(ic_value(200, 0), 0u);
  EXPECT_EQ(ic_value(255, 0xFFFF), 0xCFF0FFFFu);
}

TEST(FecLimits, DriverNumbers) {
  EXPECT_EQ(kTxStop, 217u);
  EXPECT_EQ(kTxWake, 251u);
  EXPECT_EQ(kTxNeeded, 18u);
  EXPECT_EQ(kRxUsable, 3520u);
  EXPECT_EQ(kMaxMtu, 1966u);
  EXPECT_EQ(kMrbrMax, 2032u);
  EXPECT_EQ(kRxBufferSize % kRxBufferSizeStep, 0u);
  EXPECT_EQ(kRxHeadroom % kRxBufferAlign, 0u);
}

// Committed files made from the table. DOORBELL_REGENERATE=1 writes them anew.
void expect_fresh(const std::string& relative, const std::string& text) {
  const std::string path = std::string(DOORBELL_SOURCE_DIR) + "/" + relative;
  if (const char* again = std::getenv("DOORBELL_REGENERATE"); again != nullptr && *again == '1') {
    std::ofstream out(path, std::ios::binary);
    out << text;
    ASSERT_TRUE(out.good()) << "cannot write " << path;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in.good()) << "cannot read " << path;
  std::ostringstream committed;
  committed << in.rdbuf();
  EXPECT_TRUE(committed.str() == text)
      << relative << " is stale: run this test with DOORBELL_REGENERATE=1 and commit the file";
}

const reg::EmitOptions kEmit{"FEC", "NXP FEC (ENET of the i.MX8MP)", "models/fec/fec_reg_table.h",
                             12};

TEST(FecRegs, DocumentIsFresh) {
  expect_fresh("docs/devices/fec_registers.md", reg::emit_markdown(kFecRegs, kEmit));
}

TEST(FecRegs, SystemVerilogPackageIsFresh) {
  expect_fresh("rtl/fec/fec_regs_pkg.sv", reg::emit_sv_package(kFecRegs, kEmit));
}

}  // namespace
}  // namespace doorbell::fec
