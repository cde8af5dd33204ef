// tsnep's register map, limits and parameters against numbers typed from the fact sheet, not from
// our table. Every row of the table must be in the list.
#include "models/tsnep/tsnep_regs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "models/base/params.h"
#include "models/reg/emit.h"
#include "models/reg/reg_file.h"
#include "models/tsnep/tsnep_limits.h"
#include "models/tsnep/tsnep_params.h"
#include "models/tsnep/tsnep_reg_table.h"

namespace doorbell::tsnep {
namespace {

struct Pinned {
  uint32_t constant;  ///< ours
  const char* name;
  uint32_t offset;
  uint32_t reset;       ///< an assumption
  uint32_t write_ones;  ///< what is stored after writing all ones to a block just reset
};

constexpr uint32_t kOnes = 0xFFFFFFFFu;

const Pinned kPinned[] = {
    {reg::kType, "TYPE", 0x0000, 0, 0},
    {reg::kSystemTimeLow, "SYSTEM_TIME_LOW", 0x0008, 0, kOnes},
    {reg::kSystemTimeHigh, "SYSTEM_TIME_HIGH", 0x000C, 0, kOnes},
    {reg::kClockRate, "CLOCK_RATE", 0x0010, 0, kOnes},
    {reg::kIntEnable, "INT_ENABLE", 0x0018, 0, 0x7FFFFFFF},
    {reg::kIntActive, "INT_ACTIVE", 0x001C, 0, 0},
    {reg::kReset, "RESET", 0x0020, 0, 0},
    {reg::kCounterLow, "COUNTER_LOW", 0x0028, 0, 0},
    {reg::kCounterHigh, "COUNTER_HIGH", 0x002C, 0, 0},
    {reg::kIntDelay, "INT_DELAY", 0x0030, 0, 0xF0F0F0F0},
    {reg::kStatus, "STATUS", 0x0080, 0x01000000, 0x07000000},
    {reg::kMdControl, "MD_CONTROL", 0x0084, 0, 0xFFFF0001},
    {reg::kStat, "STAT", 0x00B0, 0, 0},
    {reg::kMacAddressLow, "MAC_ADDRESS_LOW", 0x0800, 0, kOnes},
    {reg::kMacAddressHigh, "MAC_ADDRESS_HIGH", 0x0804, 0, 0x0003FFFF},
    {reg::kGc, "GC", 0x0808, 0, 0xFFFF0000},
    {reg::kGcTime, "GC_TIME", 0x080C, 0, kOnes},
    {reg::kGcChange, "GC_CHANGE", 0x0810, 0, kOnes},
    {reg::kRxAssign, "RX_ASSIGN", 0x0840, 0, 0x0707},
    {reg::kRxAssignEtherType, "RX_ASSIGN_ETHER_TYPE", 0x0880, 0, kOnes},
    {reg::kGclA, "GCL_A", 0x2000, 0, kOnes},
    {reg::kGclB, "GCL_B", 0x2800, 0, kOnes},
};

struct PinnedInQueue {
  uint32_t (*ours)(unsigned);
  const char* name;
  uint32_t offset;
  uint32_t write_ones;
};
const PinnedInQueue kPinnedInQueue[] = {
    {reg::info, "INFO", 0x0100, 0},
    {reg::control, "CONTROL", 0x0108, 0x0202},
    {reg::tx_desc_addr_low, "TX_DESC_ADDR_LOW", 0x0140, 0xFFFFFF00},
    {reg::tx_desc_addr_high, "TX_DESC_ADDR_HIGH", 0x0144, kOnes},
    {reg::rx_desc_addr_low, "RX_DESC_ADDR_LOW", 0x0180, 0xFFFFFF00},
    {reg::rx_desc_addr_high, "RX_DESC_ADDR_HIGH", 0x0184, kOnes},
    {reg::rx_statistic, "RX_STATISTIC", 0x0190, 0},
};
const uint32_t kBlocks[8] = {0, 0x4000, 0x5000, 0x6000, 0x7000, 0x8000, 0x9000, 0xA000};

TEST(TsnepRegs, OffsetsResetValuesAndWritableBits) {
  reg::RegFile file{reg::RegTable(kTsnepRegs)};
  std::set<std::string> seen;
  for (const Pinned& p : kPinned) {
    EXPECT_EQ(p.constant, p.offset) << p.name;
    const reg::RegSpec* row = file.spec(p.offset);
    ASSERT_NE(row, nullptr) << p.name;
    EXPECT_STREQ(row->name, p.name);
    EXPECT_EQ(file.peek(p.offset), p.reset) << p.name;
    file.write(p.offset, 4, kOnes);
    EXPECT_EQ(file.peek(p.offset), p.write_ones) << p.name;
    seen.insert(p.name);
  }
  for (unsigned q = 0; q < 8; ++q) {
    EXPECT_EQ(reg::queue_block(q), kBlocks[q]);
    for (const PinnedInQueue& p : kPinnedInQueue) {
      const std::string name = std::string(p.name) + "_" + std::to_string(q);
      const uint32_t offset = kBlocks[q] + p.offset;
      EXPECT_EQ(p.ours(q), offset) << name;
      ASSERT_NE(file.spec(offset), nullptr) << name;
      EXPECT_EQ(file.spec(offset)->name, name);
      EXPECT_EQ(file.peek(offset), 0u) << name;
      file.write(offset, 4, kOnes);
      EXPECT_EQ(file.peek(offset), p.write_ones) << name;
      seen.insert(name);
    }
  }
  for (const reg::RegSpec& row : kTsnepRegs) EXPECT_EQ(seen.count(row.name), 1u) << row.name;
}

TEST(TsnepRegs, ArraysOfNarrowRegisters) {
  EXPECT_EQ(reg::int_delay(0), 0x30u);
  EXPECT_EQ(reg::int_delay(7), 0x37u);
  EXPECT_EQ(reg::rx_assign(1), 0x841u);
  EXPECT_EQ(reg::rx_assign_ether_type(0), 0x880u);
  EXPECT_EQ(reg::rx_assign_ether_type(1), 0x882u);
  EXPECT_EQ(reg::kRxFilter, 0x806u);
  EXPECT_EQ(reg::gcl_operation(0, 0), 0x2000u);
  EXPECT_EQ(reg::gcl_operation(0, 255), 0x27F8u);
  EXPECT_EQ(reg::gcl_operation(1, 0), 0x2800u);
  EXPECT_EQ(reg::gcl_operation(1, 255), 0x2FF8u);
  EXPECT_EQ(window_bytes(1), 0x4000u);
  EXPECT_EQ(window_bytes(2), 0x5000u);
  EXPECT_EQ(window_bytes(8), 0xB000u);
}

TEST(TsnepRegs, NarrowAccesses) {
  std::set<uint32_t> bytes;
  std::set<uint32_t> halves;
  for (uint32_t at = 0; at < 0xB000; ++at) {
    if (reg::narrow_access(at, 1)) bytes.insert(at);
    if (reg::narrow_access(at, 2)) halves.insert(at);
  }
  std::set<uint32_t> want{0x840, 0x841, 0x808};
  for (uint32_t i = 0; i < 8; ++i) want.insert(0x30 + i);
  for (const uint32_t block : kBlocks) {
    for (uint32_t i = 0x190; i < 0x194; ++i) want.insert(block + i);
  }
  EXPECT_EQ(bytes, want);
  EXPECT_EQ(halves, (std::set<uint32_t>{0x804, 0x806, 0x880, 0x882}));
}

TEST(TsnepRegs, BitsByNumber) {
  EXPECT_EQ(type::kRevision, 0x000000FFu);
  EXPECT_EQ(type::kVersion, 0x0000FF00u);
  EXPECT_EQ(type::kQueueCount, 0x00070000u);
  EXPECT_EQ(type::kGateControl, 0x02000000u);
  EXPECT_EQ(interrupt::kLink, 0x20u);
  EXPECT_EQ(interrupt::tx(0), 0x100u);
  EXPECT_EQ(interrupt::rx(0), 0x200u);
  EXPECT_EQ(interrupt::tx(7), 1u << 22);
  EXPECT_EQ(interrupt::rx(7), 1u << 23);
  EXPECT_EQ(interrupt::kAll, 0x7FFFFFFFu);
  EXPECT_EQ(interrupt::kDisable, 0x80000000u);
  EXPECT_EQ(reset::kCommon | reset::kChannel | reset::kTxRx, 0x00010101u);
  EXPECT_EQ(status::kNoLink, 0x01000000u);
  EXPECT_EQ(status::kMode100, 0x02000000u);
  EXPECT_EQ(status::kMode1000, 0x04000000u);
  EXPECT_EQ(status::kMode, 0x06000000u);
  EXPECT_EQ(md_control::kPreamble | md_control::kWrite | md_control::kRead, 7u);
  EXPECT_EQ(md_control::kRegister, 0x000000F8u);
  EXPECT_EQ(md_control::kPhy, 0x00001F00u);
  EXPECT_EQ(md_control::kData, 0xFFFF0000u);
  EXPECT_EQ(md_status::kBusy, 1u);
  EXPECT_EQ(stat::kRxErrors | stat::kInvalidFrames | stat::kForwardedErrors, 0x00FFFFFFu);
  EXPECT_EQ(rx_filter::kAllMulticast, 1u);
  EXPECT_EQ(rx_filter::kAllUnicast, 2u);
  EXPECT_EQ(gc::kEnableA, 0x02u);
  EXPECT_EQ(gc::kEnableB, 0x04u);
  EXPECT_EQ(gc::kDisable, 0x08u);
  EXPECT_EQ(gc::kEnableTimeout, 0x10u);
  EXPECT_EQ(gc::kTimeoutSignal, 0x20u);
  EXPECT_EQ(gc::kListError, 0x80u);
  EXPECT_EQ(gc::kOpen, 0x00FF0000u);
  EXPECT_EQ(gc::kNextOpen, 0xFF000000u);
  EXPECT_EQ(gc::kTimeoutNs, 131072u);
  EXPECT_EQ(gcl::kInsert, 0x20000000u);
  EXPECT_EQ(gcl::kChange, 0x40000000u);
  EXPECT_EQ(gcl::kLast, 0x80000000u);
  EXPECT_EQ(gcl::kMinIntervalNs, 32u);
  EXPECT_EQ(rx_assign::kActive, 1u);
  EXPECT_EQ(rx_assign::kQueue, 6u);
  EXPECT_EQ(info::kTxTime, 0x00010000u) << "bit 16, not 17 (bug B12)";
  EXPECT_EQ(control::kTxReset, 0x1u);
  EXPECT_EQ(control::kTxEnable, 0x2u);
  EXPECT_EQ(control::kTxDmaError, 0x10u);
  EXPECT_EQ(control::kTxDescError, 0x20u);
  EXPECT_EQ(control::kRxReset, 0x100u);
  EXPECT_EQ(control::kRxEnable, 0x200u);
  EXPECT_EQ(control::kRxDisable, 0x400u);
  EXPECT_EQ(control::kRxDmaError, 0x1000u);
  EXPECT_EQ(control::kRxDescError, 0x2000u);
  EXPECT_EQ(rx_statistic::kNoDescriptor, 0x000000FFu);
  EXPECT_EQ(rx_statistic::kBufferTooSmall, 0x0000FF00u);
  EXPECT_EQ(rx_statistic::kFifoOverflow, 0x00FF0000u);
  EXPECT_EQ(rx_statistic::kInvalidFrame, 0xFF000000u);
}

TEST(TsnepLimits, NumbersOfTheSheet) {
  EXPECT_EQ(kRingSize, 256u);
  EXPECT_EQ(kBlockBytes, 256u);
  EXPECT_EQ(kRingPages, 16u);
  EXPECT_EQ(kMaxOutstanding, 255u);
  EXPECT_EQ(kDescFetchBytes, 64u);
  EXPECT_EQ(kInlineBytes, 40u);
  EXPECT_EQ(kRxBufferSize, 3520u);
  EXPECT_EQ(kXskRxBufferSize, 1544u);
  EXPECT_EQ(kTxNeeded, 18u);
  EXPECT_EQ(kTxWake, 36u);
  EXPECT_EQ(kRxRefill, 16u);
  EXPECT_EQ(kRxReuse, 192u);
  EXPECT_EQ(kMaxAdjustPpb, 62499999);
}

TEST(TsnepParams, DefaultsSatisfyTheirRows) {
  const base::ParamSet nic{base::ParamTable(kTsnepNicParams)};
  EXPECT_EQ(nic.missing().size(), 0u);
  EXPECT_EQ(nic.choice("writeback"), "32");
}

// Committed file made from the table. DOORBELL_REGENERATE=1 writes it anew.
TEST(TsnepRegs, DocumentIsFresh) {
  const reg::EmitOptions emit{"TSNEP", "Engleder TSN endpoint Ethernet MAC (tsnep)",
                              "models/tsnep/tsnep_reg_table.h", 16};
  const std::string text = reg::emit_markdown(kTsnepRegs, emit);
  const std::string path = std::string(DOORBELL_SOURCE_DIR) + "/docs/devices/tsnep_registers.md";
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
      << path << " is stale: run this test with DOORBELL_REGENERATE=1 and commit the file";
}

}  // namespace
}  // namespace doorbell::tsnep
