// The E810's register map against numbers typed from the documents, not from our table.
//
// Offsets and fields: Linux 6.12 and DPDK ice_hw_autogen.h. Every row of the table must be in the
// list.
#include "models/ice/ice_regs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "models/ice/ice_limits.h"
#include "models/ice/ice_params.h"
#include "models/ice/ice_reg_table.h"
#include "models/reg/emit.h"
#include "models/reg/reg_file.h"

namespace doorbell::ice {
namespace {

struct Pinned {
  const char* name;
  uint32_t first;
  uint32_t last;  ///< offset of the family's last register
};
const Pinned kPinned[] = {
    {"QTX_COMM_DBELL", 0x002C0000, 0x002CFFFC},
    {"QTX_COMM_HEAD", 0x000E0000, 0x000EFFFC},
    {"QTX_COMM_DBLQ_DBELL", 0x002D1400, 0x002D17FC},
    {"QTX_COMM_DBLQ_CNTX", 0x002D0000, 0x002D13FC},
    {"GLCOMM_QTX_CNTX_CTL", 0x002D2DC8, 0x002D2DC8},
    {"GLCOMM_QTX_CNTX_DATA", 0x002D2D40, 0x002D2D64},
    {"GLCOMM_QTX_CNTX_STAT", 0x002D2DCC, 0x002D2DCC},
    {"QRX_TAIL", 0x00290000, 0x00291FFC},
    {"QRX_CTRL", 0x00120000, 0x00121FFC},
    {"QRX_CONTEXT", 0x00280000, 0x0028FFFC},
    {"QRX_ITR", 0x00292000, 0x00293FFC},
    {"QRXFLXP_CNTXT", 0x00480000, 0x00481FFC},
    {"QINT_TQCTL", 0x00140000, 0x0014FFFC},
    {"QINT_RQCTL", 0x00150000, 0x00151FFC},
    {"GLINT_DYN_CTL", 0x00160000, 0x00161FFC},
    {"GLINT_ITR", 0x00154000, 0x00159FFC},
    {"GLINT_RATE", 0x0015A000, 0x0015BFFC},
    {"GLINT_CTL", 0x0016CC54, 0x0016CC54},
    {"GLINT_VECT2FUNC", 0x00162000, 0x00163FFC},
    {"GLINT_CEQCTL", 0x0015C000, 0x0015DFFC},
    {"PFINT_OICR", 0x0016CA00, 0x0016CA00},
    {"PFINT_OICR_ENA", 0x0016C900, 0x0016C900},
    {"PFINT_OICR_CTL", 0x0016CA80, 0x0016CA80},
    {"PFINT_FW_CTL", 0x0016C800, 0x0016C800},
    {"PFINT_MBX_CTL", 0x0016B280, 0x0016B280},
    {"PFINT_ALLOC", 0x001D2600, 0x001D2600},
    {"PFLAN_RX_QALLOC", 0x001D2500, 0x001D2500},
    {"PFLAN_TX_QALLOC", 0x001D2580, 0x001D2580},
    {"GLLAN_TCLAN_CACHE_CTL", 0x000FC0B8, 0x000FC0B8},
    {"GLCOMM_QUANTA_PROF", 0x002D2D68, 0x002D2DA4},
    {"GLCOMM_PKT_SHAPER_PROF", 0x002D2DA8, 0x002D2DC4},
    {"GLCOMM_MIN_MAX_PKT", 0x000FC064, 0x000FC064},
    {"GLTCLAN_CQ_CNTX", 0x000F0800, 0x000FB7FC},
    {"GLLAN_RCTL_0", 0x002941F8, 0x002941F8},
    {"GLLAN_RCTL_1", 0x002941FC, 0x002941FC},
    {"GLPCI_CNF2", 0x000BE004, 0x000BE004},
    {"GLPCI_LINKCAP", 0x0009DE90, 0x0009DE90},
    {"GLPCI_NPQ_CFG", 0x000BFD80, 0x000BFD80},
    {"GLPCI_PKTCT_NP_C", 0x000BFD9C, 0x000BFD9C},
    {"GLPCI_LATCT_NP_C", 0x000BFDA0, 0x000BFDA0},
    {"GLPCI_BYTCTL_NP_C", 0x000BFDAC, 0x000BFDAC},
    {"GLPCI_WATMK_CLNT_PIPEMON", 0x000BFD90, 0x000BFD90},
    {"GLRPB_TCHW", 0x000AC330, 0x000AC330},
    {"GLRPB_TCLW", 0x000AC3B0, 0x000AC3B0},
    {"GLRPB_DHW", 0x000AC000, 0x000AC000},
    {"GLRPB_DLW", 0x000AC044, 0x000AC044},
    {"GLRPB_SHW", 0x000AC120, 0x000AC120},
    {"GLRPB_SLW", 0x000AC140, 0x000AC140},
    {"GL_MDET_TX_PQM", 0x002D2E00, 0x002D2E00},
    {"GL_MDET_TX_TCLAN", 0x000FC068, 0x000FC068},
    {"GL_MDET_TX_TDPU", 0x00049350, 0x00049350},
    {"GL_MDET_RX", 0x00294C00, 0x00294C00},
    {"PF_MDET_TX_PQM", 0x002D2C80, 0x002D2C80},
    {"PF_MDET_TX_TCLAN", 0x000FC000, 0x000FC000},
    {"PF_MDET_TX_TDPU", 0x00040800, 0x00040800},
    {"PF_MDET_RX", 0x00294280, 0x00294280},
    {"VP_MDET_TX_PQM", 0x002D2000, 0x002D23FC},
    {"VP_MDET_TX_TCLAN", 0x000FB800, 0x000FBBFC},
    {"VP_MDET_TX_TDPU", 0x00040000, 0x000403FC},
    {"VP_MDET_RX", 0x00294400, 0x002947FC},
    {"GL_MDCK_EN_TX_PQM", 0x002D2DFC, 0x002D2DFC},
    {"GL_MDCK_TDAT_TCLAN", 0x000FC0DC, 0x000FC0DC},
    {"GL_MDCK_TX_TDPU", 0x00049348, 0x00049348},
    {"GL_MDCK_RX", 0x0029422C, 0x0029422C},
    {"GLV_RDPC", 0x00294C04, 0x00295800},
    {"PRTRPB_RDPC", 0x000AC260, 0x000AC260},
    {"GLV_TEPC", 0x00312000, 0x00312BFC},
    {"PF_FW_ATQBAL", 0x00080000, 0x00080000},
    {"PF_FW_ARQBAL", 0x00080080, 0x00080080},
    {"PF_FW_ATQBAH", 0x00080100, 0x00080100},
    {"PF_FW_ARQBAH", 0x00080180, 0x00080180},
    {"PF_FW_ATQLEN", 0x00080200, 0x00080200},
    {"PF_FW_ARQLEN", 0x00080280, 0x00080280},
    {"PF_FW_ATQH", 0x00080300, 0x00080300},
    {"PF_FW_ARQH", 0x00080380, 0x00080380},
    {"PF_FW_ATQT", 0x00080400, 0x00080400},
    {"PF_FW_ARQT", 0x00080480, 0x00080480},
    {"PFGEN_CTRL", 0x00091000, 0x00091000},
    {"PF_FUNC_RID", 0x0009E880, 0x0009E880},
    {"GLNVM_ULD", 0x000B6008, 0x000B6008},
    {"GLNVM_GENS", 0x000B6100, 0x000B6100},
    {"GLNVM_FLA", 0x000B6108, 0x000B6108},
    {"GLGEN_RSTCTL", 0x000B8180, 0x000B8180},
    {"GLGEN_RSTAT", 0x000B8188, 0x000B8188},
    {"GLGEN_RTRIG", 0x000B8190, 0x000B8190},
    {"GLV_GOTC", 0x00300000, 0x003017FC},
    {"GLV_UPTC", 0x0030A000, 0x0030B7FC},
    {"GLV_MPTC", 0x0030C000, 0x0030D7FC},
    {"GLV_BPTC", 0x0030E000, 0x0030F7FC},
    {"GLV_GORC", 0x003B0000, 0x003B17FC},
    {"GLV_UPRC", 0x003B2000, 0x003B37FC},
    {"GLV_MPRC", 0x003B4000, 0x003B57FC},
    {"GLV_BPRC", 0x003B6000, 0x003B77FC},
    {"GLPRT_GORCL", 0x00380000, 0x00380000},
    {"GLPRT_GORCH", 0x00380004, 0x00380004},
    {"GLPRT_CRCERRS", 0x00380100, 0x00380100},
    {"GLPRT_RUC", 0x00380200, 0x00380200},
    {"GLPRT_ROC", 0x00380240, 0x00380240},
    {"GLPRT_GOTCL", 0x00380B40, 0x00380B40},
    {"GLPRT_GOTCH", 0x00380B44, 0x00380B44},
    {"GLPRT_UPTCL", 0x003811C0, 0x003811C0},
    {"GLPRT_UPTCH", 0x003811C4, 0x003811C4},
    {"GLPRT_MPTCL", 0x00381200, 0x00381200},
    {"GLPRT_MPTCH", 0x00381204, 0x00381204},
    {"GLPRT_BPTCL", 0x00381240, 0x00381240},
    {"GLPRT_BPTCH", 0x00381244, 0x00381244},
    {"GLPRT_TDOLD", 0x00381280, 0x00381280},
    {"GLPRT_UPRCL", 0x00381300, 0x00381300},
    {"GLPRT_UPRCH", 0x00381304, 0x00381304},
    {"GLPRT_MPRCL", 0x00381340, 0x00381340},
    {"GLPRT_MPRCH", 0x00381344, 0x00381344},
    {"GLPRT_BPRCL", 0x00381380, 0x00381380},
    {"GLPRT_BPRCH", 0x00381384, 0x00381384},
};

TEST(IceRegs, OffsetsArePinned) {
  const reg::RegTable table(kIceRegs);
  std::set<std::string> seen;
  for (const Pinned& p : kPinned) {
    const reg::RegSpec* row = table.find(p.name);
    ASSERT_NE(row, nullptr) << p.name;
    EXPECT_EQ(row->offset, p.first) << p.name;
    EXPECT_EQ(row->end() - 4, p.last) << p.name;
    seen.insert(p.name);
  }
  for (const reg::RegSpec& row : table) {
    EXPECT_EQ(seen.count(row.name), 1u) << row.name << " is not pinned";
    EXPECT_LE(row.end(), 0x02000000u) << row.name << " must lie in the 32 MB BAR";
  }
}

TEST(IceRegs, FamiliesByIndex) {
  EXPECT_EQ(reg::qtx_comm_dbell(16383), 0x002CFFFCu);
  EXPECT_EQ(reg::qtx_comm_head(5), 0x000E0014u);
  EXPECT_EQ(reg::qtx_comm_dblq_dbell(255), 0x002D17FCu);
  EXPECT_EQ(reg::qtx_comm_dblq_cntx(4, 255), 0x002D13FCu);
  EXPECT_EQ(reg::glcomm_qtx_cntx_data(9), 0x002D2D64u);
  EXPECT_EQ(reg::qrx_tail(2047), 0x00291FFCu);
  EXPECT_EQ(reg::qrx_ctrl(3), 0x0012000Cu);
  EXPECT_EQ(reg::qrx_context(7, 2047), 0x0028FFFCu);
  EXPECT_EQ(reg::qrx_context(1, 0), 0x00282000u);
  EXPECT_EQ(reg::qrx_itr(1), 0x00292004u);
  EXPECT_EQ(reg::qrxflxp_cntxt(2), 0x00480008u);
  EXPECT_EQ(reg::qint_tqctl(7), 0x0014001Cu);
  EXPECT_EQ(reg::qint_rqctl(7), 0x0015001Cu);
  EXPECT_EQ(reg::glint_itr(2, 1), 0x00158004u);
  EXPECT_EQ(reg::glint_rate(1), 0x0015A004u);
  EXPECT_EQ(reg::glint_dyn_ctl(2047), 0x00161FFCu);
  EXPECT_EQ(reg::glint_vect2func(1), 0x00162004u);
  EXPECT_EQ(reg::gltclan_cq_cntx(21, 511), 0x000FB7FCu);
  EXPECT_EQ(reg::glcomm_quanta_prof(15), 0x002D2DA4u);
  EXPECT_EQ(reg::glcomm_pkt_shaper_prof(7), 0x002D2DC4u);
  EXPECT_EQ(reg::glv_rdpc(1), 0x00294C08u);
  EXPECT_EQ(reg::glv_tepc(2), 0x00312008u);
  EXPECT_EQ(reg::kQtxCommDbellPage, 0x04000000u);
  EXPECT_EQ(reg::kQrxTailPage, 0x03800000u);
  EXPECT_EQ(vf_reg::kQtxTail, 0u);
  EXPECT_EQ(vf_reg::kQrxTail1, 0x2000u);
  EXPECT_EQ(vf_reg::kQrxTail, 0x2E000u);
  EXPECT_EQ(vf_reg::kQtxCommDbell, 0x30000u);
}

TEST(IceRegs, FieldsArePinned) {
  EXPECT_EQ(qtx_comm_head::kHead | qtx_comm_head::kRsPending, 0x00011FFFu);
  EXPECT_EQ(kTailMask, 0x1FFFu);
  EXPECT_EQ(glcomm_qtx_cntx_ctl::kQueueId, 0x3FFFu);
  EXPECT_EQ(glcomm_qtx_cntx_ctl::kCmd, 0x00070000u);
  EXPECT_EQ(glcomm_qtx_cntx_ctl::kCmdExec, 0x00080000u);
  EXPECT_EQ(qrx_ctrl::kQenaReq | qrx_ctrl::kQenaStat, 5u);
  EXPECT_EQ(qrx_ctrl::kFastQdis | qrx_ctrl::kCde | qrx_ctrl::kCds, 0x1Au);
  EXPECT_EQ(qrxflxp_cntxt::kRxdidIdx, 0x3Fu);
  EXPECT_EQ(qrxflxp_cntxt::kRxdidPrio, 0x700u);
  EXPECT_EQ(qrxflxp_cntxt::kTs, 0x800u);
  EXPECT_EQ(qint_ctl::kMsixIndx, 0x7FFu);
  EXPECT_EQ(qint_ctl::kItrIndx, 0x1800u);
  EXPECT_EQ(qint_ctl::kCauseEna | qint_ctl::kIntEvent, 0xC0000000u);
  EXPECT_EQ(glint_dyn_ctl::kIntEna | glint_dyn_ctl::kClearPba | glint_dyn_ctl::kSwIntTrig, 7u);
  EXPECT_EQ(glint_dyn_ctl::kItrIndx, 0x18u);
  EXPECT_EQ(glint_dyn_ctl::kInterval, 0x1FFE0u);
  EXPECT_EQ(glint_dyn_ctl::kSwItrIndxEna, 0x01000000u);
  EXPECT_EQ(glint_dyn_ctl::kSwItrIndx, 0x06000000u);
  EXPECT_EQ(glint_dyn_ctl::kWbOnItr, 0x40000000u);
  EXPECT_EQ(glint_dyn_ctl::kIntEnaMsk, 0x80000000u);
  EXPECT_EQ(kGlintItrInterval, 0xFFFu);
  EXPECT_EQ(glint_rate::kInterval | glint_rate::kIntrlEna, 0x7Fu);
  EXPECT_EQ(glint_ctl::kDisAutomask, 1u);
  EXPECT_EQ(glint_ctl::kItrGran200, 0x000F0000u);
  EXPECT_EQ(glint_ctl::kItrGran100, 0x00F00000u);
  EXPECT_EQ(glint_ctl::kItrGran50, 0x0F000000u);
  EXPECT_EQ(glint_ctl::kItrGran25, 0xF0000000u);
  EXPECT_EQ(glint_vect2func::kVfNum | glint_vect2func::kPfNum | glint_vect2func::kIsPf, 0x170FFu);
  EXPECT_EQ(pfint_oicr::kTsynTx, 1u << 11);
  EXPECT_EQ(pfint_oicr::kEccErr, 1u << 16);
  EXPECT_EQ(pfint_oicr::kMalDetect, 1u << 19);
  EXPECT_EQ(pfint_oicr::kGrst, 1u << 20);
  EXPECT_EQ(pfint_oicr::kPciException, 1u << 21);
  EXPECT_EQ(pfint_oicr::kHmcErr, 1u << 26);
  EXPECT_EQ(pfint_oicr::kVflr, 1u << 29);
  EXPECT_EQ(pfint_oicr::kSwInt, 1u << 31);
  EXPECT_EQ(tclan_cache_ctl::kMinFetchThresh, 0x3Fu);
  EXPECT_EQ(tclan_cache_ctl::kFetchClAlign, 0x40u);
  EXPECT_EQ(tclan_cache_ctl::kMinAllocThresh, 0x3F80u);
  EXPECT_EQ(tclan_cache_ctl::kCacheEntryCnt, 0x003FC000u);
  EXPECT_EQ(tclan_cache_ctl::kCacheDescLim, 0xFFC00000u);
  EXPECT_EQ(glcomm_quanta_prof::kQuantaSize, 0x3FFFu);
  EXPECT_EQ(glcomm_quanta_prof::kMaxCmd, 0x00FF0000u);
  EXPECT_EQ(glcomm_quanta_prof::kMaxDesc, 0x3F000000u);
  EXPECT_EQ(glcomm_min_max_pkt::kMahdl, 0x3FFFu);
  EXPECT_EQ(glcomm_min_max_pkt::kMihdl, 0x003F0000u);
  EXPECT_EQ(glcomm_min_max_pkt::kLsoComsMihdl, 0xFFC00000u);
  EXPECT_EQ(mdet_pqm::kPfNum | mdet_pqm::kVfNum, 0x00000FF7u);
  EXPECT_EQ(mdet_pqm::kQnum, 0x03FFF000u);
  EXPECT_EQ(mdet_pqm::kMalType, 0x7C000000u);
  EXPECT_EQ(mdet_tclan::kQnum, 0x7FFFu);
  EXPECT_EQ(mdet_tclan::kVfNum, 0x007F8000u);
  EXPECT_EQ(mdet_tclan::kPfNum, 0x03800000u);
  EXPECT_EQ(mdet_tclan::kMalType, 0x7C000000u);
  EXPECT_EQ(fw_qlen::kLen, 0x3FFu);
  EXPECT_EQ(fw_qlen::kEnable, 0x80000000u);
  EXPECT_EQ(pflan_rx_qalloc::kFirst | pflan_rx_qalloc::kLast, 0x07FF07FFu);
}

TEST(IceRegs, DynCtlPatternsOfDrivers) {
  using namespace glint_dyn_ctl;
  EXPECT_EQ(kIntEna | kClearPba | reg::put_field(kItrIndx, 3), 0x0000001Bu);
  EXPECT_EQ(kIntEnaMsk | kWbOnItr | reg::put_field(kItrIndx, 3), 0xC0000018u);
  EXPECT_EQ(kIntEna | kClearPba | reg::put_field(kItrIndx, 2) | reg::put_field(kInterval, 25) |
                kSwIntTrig | reg::put_field(kSwItrIndx, 2) | kSwItrIndxEna,
            0x05000337u);
}

TEST(IceLimits, Numbers) {
  EXPECT_TRUE(valid_ring_size(64) && valid_ring_size(8160) && valid_ring_size(96));
  EXPECT_FALSE(valid_ring_size(63) || valid_ring_size(100) || valid_ring_size(8192));
  EXPECT_EQ(kMinTxBytes, 17u);
  EXPECT_EQ(kMaxTxBuffers, 8u);
  EXPECT_EQ(kMaxTxBufferBytes, 16383u);
  EXPECT_EQ(kMaxFrameBytes, 9728u);
  EXPECT_EQ(kMaxRxBuffers, 5u);
  EXPECT_EQ(kMaxRxBufferBytes, 16256u);
  EXPECT_EQ(itr_value(50), 25u);
  EXPECT_EQ(kMaxItrMicros / kItrUnitMicros, 4080u);
}

TEST(IceParams, DefaultsSatisfyTheirRows) {
  const base::ParamSet set{base::ParamTable(kIceNicParams)};
  EXPECT_EQ(set.choice("tx_writeback"), "line-merge");
  EXPECT_EQ(set.integer("tx_fetch_max"), 16);
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

const reg::EmitOptions kEmit{"ICE", "Intel E810 (ice)", "models/ice/ice_reg_table.h", 25};

TEST(IceRegs, DocumentIsFresh) {
  expect_fresh("docs/devices/ice_registers.md", reg::emit_markdown(kIceRegs, kEmit));
}

TEST(IceRegs, SystemVerilogPackageIsFresh) {
  expect_fresh("rtl/ice/ice_regs_pkg.sv", reg::emit_sv_package(kIceRegs, kEmit));
}

}  // namespace
}  // namespace doorbell::ice
