// The E810's register table: access kinds, reset values, descriptions.
//
// Contract header, built from the offsets and masks of ice_regs.h. The model's RegFile,
// docs/devices/ice_registers.md and rtl/ice/ice_regs_pkg.sv come from it. Rows with a count are
// families, one register a queue, vector, port or VSI. Intel publishes no reset values: all are
// assumptions (0, but for a granularity of 2 us in GLINT_CTL and the descriptor engine's settings,
// which the model sets from its parameters). Sources: Linux 6.12 and DPDK ice_hw_autogen.h.
#pragma once

#include "models/ice/ice_regs.h"
#include "models/reg/reg_spec.h"

namespace doorbell::ice {

inline constexpr reg::FieldSpec kRwWordFields[] = {
    reg::field("VALUE", 0xFFFFFFFF, reg::Access::kRw, "value"),
};
inline constexpr reg::FieldSpec kRoWordFields[] = {
    reg::field("VALUE", 0xFFFFFFFF, reg::Access::kRo, "value"),
};
/// High words of 40-bit statistics.
inline constexpr reg::FieldSpec kStatHighFields[] = {
    reg::field("VALUE", 0xFF, reg::Access::kRo, "bits 39:32"),
};
inline constexpr reg::FieldSpec kMdetClearFields[] = {
    reg::field("VALID", kPfMdetValid, reg::Access::kW1c, "an event of this function"),
};
inline constexpr reg::FieldSpec kMdetTclanFields[] = {
    reg::field("QNUM", mdet_tclan::kQnum, reg::Access::kW1c, "queue"),
    reg::field("VF_NUM", mdet_tclan::kVfNum, reg::Access::kW1c, "VF"),
    reg::field("PF_NUM", mdet_tclan::kPfNum, reg::Access::kW1c, "PF"),
    reg::field("MAL_TYPE", mdet_tclan::kMalType, reg::Access::kW1c, "cause"),
    reg::field("VALID", mdet_tclan::kValid, reg::Access::kW1c, "an event is held"),
};
inline constexpr reg::FieldSpec kMdetPqmFields[] = {
    reg::field("PF_NUM", mdet_pqm::kPfNum, reg::Access::kW1c, "PF"),
    reg::field("VF_NUM", mdet_pqm::kVfNum, reg::Access::kW1c, "VF"),
    reg::field("QNUM", mdet_pqm::kQnum, reg::Access::kW1c, "queue"),
    reg::field("MAL_TYPE", mdet_pqm::kMalType, reg::Access::kW1c, "cause"),
    reg::field("VALID", mdet_pqm::kValid, reg::Access::kW1c, "an event is held"),
};
inline constexpr reg::FieldSpec kFwBaseLowFields[] = {
    reg::field("BASE", kFwBaseLow, reg::Access::kRw, "address, a multiple of 64"),
};
inline constexpr reg::FieldSpec kFwLenFields[] = {
    reg::field("LEN", fw_qlen::kLen, reg::Access::kRw, "entries"),
    reg::field("VFE", fw_qlen::kVfe, reg::Access::kRw, "VF error"),
    reg::field("OVFL", fw_qlen::kOvfl, reg::Access::kRw, "an event found no entry"),
    reg::field("CRIT", fw_qlen::kCrit, reg::Access::kRw, "ring unusable"),
    reg::field("ENABLE", fw_qlen::kEnable, reg::Access::kRw, "in use"),
};
inline constexpr reg::FieldSpec kFwIndexFields[] = {
    reg::field("INDEX", kFwQueueIndex, reg::Access::kRw, "descriptor"),
};
inline constexpr reg::FieldSpec kPfgenCtrlFields[] = {
    reg::field("PFSWR", kPfgenCtrlPfswr, reg::Access::kW1s, "PF reset; hardware clears"),
};
inline constexpr reg::FieldSpec kLinkcapFields[] = {
    reg::field("SPEEDS", glpci_linkcap::kSpeeds, reg::Access::kRo, "generations, bit per one"),
    reg::field("MAX_WIDTH", glpci_linkcap::kMaxWidth, reg::Access::kRo,
               "log2 of the lanes, plus 1"),
};
inline constexpr reg::FieldSpec kFuncRidFields[] = {
    reg::field("FUNC_NUM", 0x7, reg::Access::kRo, "function"),
};
inline constexpr reg::FieldSpec kUldFields[] = {
    reg::field("CORER_DONE", glnvm_uld::kCorerDone, reg::Access::kRo, "core reset done"),
    reg::field("GLOBR_DONE", glnvm_uld::kGlobrDone, reg::Access::kRo, "global reset done"),
};
inline constexpr reg::FieldSpec kGensFields[] = {
    reg::field("SR_SIZE", kGlnvmGensSrSize, reg::Access::kRo, "shadow RAM, log2 of KiB"),
};
inline constexpr reg::FieldSpec kFlaFields[] = {
    reg::field("LOCKED", kGlnvmFlaLocked, reg::Access::kRo, "flash locked: 0 is blank mode"),
};
inline constexpr reg::FieldSpec kRstctlFields[] = {
    reg::field("GRSTDEL", 0x3F, reg::Access::kRw, "delay of a global reset, 100 ms"),
};
inline constexpr reg::FieldSpec kRstatFields[] = {
    reg::field("DEVSTATE", glgen_rstat::kDevState, reg::Access::kRo, "0: no reset under way"),
    reg::field("RESET_TYPE", glgen_rstat::kResetType, reg::Access::kRo, "last reset"),
};
inline constexpr reg::FieldSpec kRtrigFields[] = {
    reg::field("CORER", glgen_rtrig::kCorer, reg::Access::kSelfClearing, "core reset"),
    reg::field("GLOBR", glgen_rtrig::kGlobr, reg::Access::kSelfClearing, "global reset"),
};
inline constexpr reg::FieldSpec kCnf2Fields[] = {
    reg::field("RO_DIS", glpci_cnf2::kRoDis, reg::Access::kRw, "no relaxed ordering"),
    reg::field("CACHELINE_SIZE", glpci_cnf2::kCachelineSize, reg::Access::kRw, "1: 128 bytes"),
};
inline constexpr reg::FieldSpec kNpqCfgFields[] = {
    reg::field("WEIGHT_AVG", kGlpciNpqCfgWeightAvg, reg::Access::kRw, "non-posted queue"),
};
inline constexpr reg::FieldSpec kPipemonFields[] = {
    reg::field("DATA_LINES", kGlpciPipemonDataLines, reg::Access::kRo, "water mark"),
};
inline constexpr reg::FieldSpec kWatermarkFields[] = {
    reg::field("VALUE", kGlrpbWatermark, reg::Access::kRw, "bytes"),
};
inline constexpr reg::FieldSpec kHeadFields[] = {
    reg::field("HEAD", qtx_comm_head::kHead, reg::Access::kRo, "next descriptor to send"),
    reg::field("RS_PENDING", qtx_comm_head::kRsPending, reg::Access::kRo, "a report is held back"),
};
inline constexpr reg::FieldSpec kTailFields[] = {
    reg::field("TAIL", kTailMask, reg::Access::kRw, "first descriptor that is not valid"),
};
inline constexpr reg::FieldSpec kMinMaxFields[] = {
    reg::field("MAHDL", glcomm_min_max_pkt::kMahdl, reg::Access::kRw, "longest frame, bytes"),
    reg::field("MIHDL", glcomm_min_max_pkt::kMihdl, reg::Access::kRw, "shortest frame, bytes"),
    reg::field("LSO_COMS_MIHDL", glcomm_min_max_pkt::kLsoComsMihdl, reg::Access::kRw,
               "shortest MSS, bytes"),
};
inline constexpr reg::FieldSpec kCacheCtlFields[] = {
    reg::field("MIN_FETCH_THRESH", tclan_cache_ctl::kMinFetchThresh, reg::Access::kRw,
               "free places before more is fetched"),
    reg::field("FETCH_CL_ALIGN", tclan_cache_ctl::kFetchClAlign, reg::Access::kRw,
               "fetches end at a cache line"),
    reg::field("MIN_ALLOC_THRESH", tclan_cache_ctl::kMinAllocThresh, reg::Access::kRw,
               "stored, not used"),
    reg::field("CACHE_ENTRY_CNT", tclan_cache_ctl::kCacheEntryCnt, reg::Access::kRw,
               "stored, not used"),
    reg::field("CACHE_DESC_LIM", tclan_cache_ctl::kCacheDescLim, reg::Access::kRw,
               "descriptors of a queue"),
};
inline constexpr reg::FieldSpec kQrxCtrlFields[] = {
    reg::field("QENA_REQ", qrx_ctrl::kQenaReq, reg::Access::kRw, "asks for the queue"),
    reg::field("FAST_QDIS", qrx_ctrl::kFastQdis, reg::Access::kRw, "stored, not used"),
    reg::field("QENA_STAT", qrx_ctrl::kQenaStat, reg::Access::kRo, "the queue runs"),
    reg::field("CDE", qrx_ctrl::kCde, reg::Access::kRw, "1: no descriptor drops, 0: waits"),
    reg::field("CDS", qrx_ctrl::kCds, reg::Access::kRo, "CDE as it acts"),
};
inline constexpr reg::FieldSpec kQintFields[] = {
    reg::field("MSIX_INDX", qint_ctl::kMsixIndx, reg::Access::kRw, "vector"),
    reg::field("ITR_INDX", qint_ctl::kItrIndx, reg::Access::kRw, "throttle timer; 3: none"),
    reg::field("CAUSE_ENA", qint_ctl::kCauseEna, reg::Access::kRw, "the cause interrupts"),
    reg::field("INTEVENT", qint_ctl::kIntEvent, reg::Access::kRo, "an event waits"),
};
inline constexpr reg::FieldSpec kItrFields[] = {
    reg::field("INTERVAL", kGlintItrInterval, reg::Access::kRw, "units of GLINT_CTL, 2 us"),
};
inline constexpr reg::FieldSpec kRateFields[] = {
    reg::field("INTERVAL", glint_rate::kInterval, reg::Access::kRw, "least distance, 4 us"),
    reg::field("INTRL_ENA", glint_rate::kIntrlEna, reg::Access::kRw, "the limit acts"),
};
inline constexpr reg::FieldSpec kDynCtlFields[] = {
    reg::field("INTENA", glint_dyn_ctl::kIntEna, reg::Access::kRw, "armed"),
    reg::field("CLEARPBA", glint_dyn_ctl::kClearPba, reg::Access::kSelfClearing,
               "forgets pending events"),
    reg::field("SWINT_TRIG", glint_dyn_ctl::kSwIntTrig, reg::Access::kSelfClearing,
               "software interrupt"),
    reg::field("ITR_INDX", glint_dyn_ctl::kItrIndx, reg::Access::kSelfClearing,
               "timer that INTERVAL sets; 3: none"),
    reg::field("INTERVAL", glint_dyn_ctl::kInterval, reg::Access::kSelfClearing, "new interval"),
    reg::field("SW_ITR_INDX_ENA", glint_dyn_ctl::kSwItrIndxEna, reg::Access::kSelfClearing,
               "SW_ITR_INDX is valid"),
    reg::field("SW_ITR_INDX", glint_dyn_ctl::kSwItrIndx, reg::Access::kRw,
               "timer of software interrupts"),
    reg::field("WB_ON_ITR", glint_dyn_ctl::kWbOnItr, reg::Access::kRw,
               "timers write back while not armed"),
    reg::field("INTENA_MSK", glint_dyn_ctl::kIntEnaMsk, reg::Access::kSelfClearing,
               "leaves INTENA as it is"),
};
inline constexpr reg::FieldSpec kVect2funcFields[] = {
    reg::field("VF_NUM", glint_vect2func::kVfNum, reg::Access::kRw, "VF"),
    reg::field("PF_NUM", glint_vect2func::kPfNum, reg::Access::kRw, "PF"),
    reg::field("IS_PF", glint_vect2func::kIsPf, reg::Access::kRw, "the vector is the PF's"),
};
inline constexpr reg::FieldSpec kOicrFields[] = {
    reg::field("TSYN_TX", pfint_oicr::kTsynTx, reg::Access::kRc, "transmit time stamp"),
    reg::field("ECC_ERR", pfint_oicr::kEccErr, reg::Access::kRc, "memory error"),
    reg::field("MAL_DETECT", pfint_oicr::kMalDetect, reg::Access::kRc, "malicious driver"),
    reg::field("GRST", pfint_oicr::kGrst, reg::Access::kRc, "reset"),
    reg::field("PCI_EXCEPTION", pfint_oicr::kPciException, reg::Access::kRc, "PCIe error"),
    reg::field("HMC_ERR", pfint_oicr::kHmcErr, reg::Access::kRc, "host memory cache"),
    reg::field("PE_CRITERR", pfint_oicr::kPeCritErr, reg::Access::kRc, "protocol engine"),
    reg::field("VFLR", pfint_oicr::kVflr, reg::Access::kRc, "VF reset"),
    reg::field("SWINT", pfint_oicr::kSwInt, reg::Access::kRc, "software interrupt"),
};
inline constexpr reg::FieldSpec kOicrEnaFields[] = {
    reg::field("TSYN_TX", pfint_oicr::kTsynTx, reg::Access::kRw, "enables TSYN_TX"),
    reg::field("ECC_ERR", pfint_oicr::kEccErr, reg::Access::kRw, "enables ECC_ERR"),
    reg::field("MAL_DETECT", pfint_oicr::kMalDetect, reg::Access::kRw, "enables MAL_DETECT"),
    reg::field("GRST", pfint_oicr::kGrst, reg::Access::kRw, "enables GRST"),
    reg::field("PCI_EXCEPTION", pfint_oicr::kPciException, reg::Access::kRw,
               "enables PCI_EXCEPTION"),
    reg::field("HMC_ERR", pfint_oicr::kHmcErr, reg::Access::kRw, "enables HMC_ERR"),
    reg::field("PE_CRITERR", pfint_oicr::kPeCritErr, reg::Access::kRw, "enables PE_CRITERR"),
    reg::field("VFLR", pfint_oicr::kVflr, reg::Access::kRw, "enables VFLR"),
    reg::field("SWINT", pfint_oicr::kSwInt, reg::Access::kRw, "enables SWINT"),
};
inline constexpr reg::FieldSpec kGlintCtlFields[] = {
    reg::field("DIS_AUTOMASK", glint_ctl::kDisAutomask, reg::Access::kRw,
               "a vector stays armed after its message"),
    reg::field("ITR_GRAN_200", glint_ctl::kItrGran200, reg::Access::kRw, "unit above 100 Gb/s, us"),
    reg::field("ITR_GRAN_100", glint_ctl::kItrGran100, reg::Access::kRw, "unit at 100 Gb/s, us"),
    reg::field("ITR_GRAN_50", glint_ctl::kItrGran50, reg::Access::kRw, "unit at 50 Gb/s, us"),
    reg::field("ITR_GRAN_25", glint_ctl::kItrGran25, reg::Access::kRw, "unit to 25 Gb/s, us"),
};
inline constexpr reg::FieldSpec kRxQallocFields[] = {
    reg::field("FIRST", pflan_rx_qalloc::kFirst, reg::Access::kRo, "first queue"),
    reg::field("LAST", pflan_rx_qalloc::kLast, reg::Access::kRo, "last queue"),
    reg::field("VALID", pflan_rx_qalloc::kValid, reg::Access::kRo, "the PF has queues"),
};
inline constexpr reg::FieldSpec kTxQallocFields[] = {
    reg::field("FIRST", pflan_tx_qalloc::kFirst, reg::Access::kRo, "first queue"),
    reg::field("LAST", pflan_tx_qalloc::kLast, reg::Access::kRo, "last queue"),
    reg::field("VALID", pflan_tx_qalloc::kValid, reg::Access::kRo, "the PF has queues"),
};
inline constexpr reg::FieldSpec kAllocFields[] = {
    reg::field("FIRST", pfint_alloc::kFirst, reg::Access::kRo, "first vector"),
    reg::field("LAST", pfint_alloc::kLast, reg::Access::kRo, "last vector"),
    reg::field("VALID", pfint_alloc::kValid, reg::Access::kRo, "the PF has vectors"),
};
inline constexpr reg::FieldSpec kRctl0Fields[] = {
    reg::field("PXE", kGllanRctl0Pxe, reg::Access::kRw, "boot mode"),
};
inline constexpr reg::FieldSpec kRctl1Fields[] = {
    reg::field("RXMAX_EXPANSION", gllan_rctl_1::kRxmaxExpansion, reg::Access::kRw, "stored"),
    reg::field("RXDRDCTL", gllan_rctl_1::kRxdrdctl, reg::Access::kRw, "stored"),
    reg::field("RXDESCRDROEN", gllan_rctl_1::kRxdescrdroen, reg::Access::kRw,
               "descriptor reads may be relaxed"),
    reg::field("RXDATAWRROEN", gllan_rctl_1::kRxdatawrroen, reg::Access::kRw,
               "payload writes may be relaxed"),
};
inline constexpr reg::FieldSpec kQrxItrFields[] = {
    reg::field("NO_EXPR", kQrxItrNoExpr, reg::Access::kRw, "each descriptor is written back alone"),
};
inline constexpr reg::FieldSpec kQuantaFields[] = {
    reg::field("QUANTA_SIZE", glcomm_quanta_prof::kQuantaSize, reg::Access::kRw, "bytes"),
    reg::field("MAX_CMD", glcomm_quanta_prof::kMaxCmd, reg::Access::kRw, "commands; 0: no limit"),
    reg::field("MAX_DESC", glcomm_quanta_prof::kMaxDesc, reg::Access::kRw,
               "descriptors; 0: no limit"),
};
inline constexpr reg::FieldSpec kShaperFields[] = {
    reg::field("PKTCNT", kGlcommPktShaperProfPktcnt, reg::Access::kRw, "stored, not used"),
};
inline constexpr reg::FieldSpec kCntxCtlFields[] = {
    reg::field("QUEUE_ID", glcomm_qtx_cntx_ctl::kQueueId, reg::Access::kRw, "queue"),
    reg::field("CMD", glcomm_qtx_cntx_ctl::kCmd, reg::Access::kRw, "0 read, 1 write"),
    reg::field("CMD_EXEC", glcomm_qtx_cntx_ctl::kCmdExec, reg::Access::kSelfClearing, "go"),
};
inline constexpr reg::FieldSpec kCntxStatFields[] = {
    reg::field("CMD_IN_PROG", kGlcommQtxCntxStatInProg, reg::Access::kRo, "busy"),
};
inline constexpr reg::FieldSpec kRxdidFields[] = {
    reg::field("RXDID_IDX", qrxflxp_cntxt::kRxdidIdx, reg::Access::kRw, "write-back format"),
    reg::field("RXDID_PRIO", qrxflxp_cntxt::kRxdidPrio, reg::Access::kRw, "stored, not used"),
    reg::field("TS", qrxflxp_cntxt::kTs, reg::Access::kRw, "time stamps"),
};

inline constexpr reg::RegSpec kIceRegs[] = {
    {"VP_MDET_TX_TDPU", reg::kVpMdetTxTdpu, 0, "malicious: data unit, per VF", kMdetClearFields,
     kVfs},
    {"PF_MDET_TX_TDPU", reg::kPfMdetTxTdpu, 0, "malicious: data unit, PF", kMdetClearFields},
    {"GL_MDCK_TX_TDPU", reg::kGlMdckTxTdpu, 0xFFFFFFFF, "checks of the data unit, bit per cause",
     kRwWordFields},
    {"GL_MDET_TX_TDPU", reg::kGlMdetTxTdpu, 0, "malicious: data unit, first event",
     kMdetTclanFields},
    {"PF_FW_ATQBAL", reg::kPfFwAtqbal, 0, "admin commands: ring, low", kFwBaseLowFields},
    {"PF_FW_ARQBAL", reg::kPfFwArqbal, 0, "admin events: ring, low", kFwBaseLowFields},
    {"PF_FW_ATQBAH", reg::kPfFwAtqbah, 0, "admin commands: ring, high", kRwWordFields},
    {"PF_FW_ARQBAH", reg::kPfFwArqbah, 0, "admin events: ring, high", kRwWordFields},
    {"PF_FW_ATQLEN", reg::kPfFwAtqlen, 0, "admin commands: length and enable", kFwLenFields},
    {"PF_FW_ARQLEN", reg::kPfFwArqlen, 0, "admin events: length and enable", kFwLenFields},
    {"PF_FW_ATQH", reg::kPfFwAtqh, 0, "admin commands: device's index", kFwIndexFields},
    {"PF_FW_ARQH", reg::kPfFwArqh, 0, "admin events: device's index", kFwIndexFields},
    {"PF_FW_ATQT", reg::kPfFwAtqt, 0, "admin commands: doorbell", kFwIndexFields},
    {"PF_FW_ARQT", reg::kPfFwArqt, 0, "admin events: doorbell", kFwIndexFields},
    {"PFGEN_CTRL", reg::kPfgenCtrl, 0, "PF reset", kPfgenCtrlFields},
    {"GLPCI_LINKCAP", reg::kGlpciLinkcap, 0, "PCIe capabilities", kLinkcapFields},
    {"PF_FUNC_RID", reg::kPfFuncRid, 0, "function number", kFuncRidFields},
    {"GLRPB_DHW", reg::kGlrpbDhw, 0, "packet buffer: dedicated, high", kWatermarkFields},
    {"GLRPB_DLW", reg::kGlrpbDlw, 0, "packet buffer: dedicated, low", kWatermarkFields},
    {"GLRPB_SHW", reg::kGlrpbShw, 0, "packet buffer: shared, high", kWatermarkFields},
    {"GLRPB_SLW", reg::kGlrpbSlw, 0, "packet buffer: shared, low", kWatermarkFields},
    {"PRTRPB_RDPC", reg::kPrtrpbRdpc, 0, "received, dropped: packet buffer full", kRoWordFields},
    {"GLRPB_TCHW", reg::kGlrpbTchw, 0, "packet buffer: traffic class, high", kWatermarkFields},
    {"GLRPB_TCLW", reg::kGlrpbTclw, 0, "packet buffer: traffic class, low", kWatermarkFields},
    {"GLNVM_ULD", reg::kGlnvmUld, 0x18, "resets done", kUldFields},
    {"GLNVM_GENS", reg::kGlnvmGens, 0xC0, "shadow RAM size", kGensFields},
    {"GLNVM_FLA", reg::kGlnvmFla, 0x40, "flash access", kFlaFields},
    {"GLGEN_RSTCTL", reg::kGlgenRstctl, 0, "global reset delay", kRstctlFields},
    {"GLGEN_RSTAT", reg::kGlgenRstat, 0, "reset state", kRstatFields},
    {"GLGEN_RTRIG", reg::kGlgenRtrig, 0, "reset triggers", kRtrigFields},
    {"GLPCI_CNF2", reg::kGlpciCnf2, 0, "PCIe settings", kCnf2Fields},
    {"GLPCI_NPQ_CFG", reg::kGlpciNpqCfg, 0, "non-posted queue", kNpqCfgFields},
    {"GLPCI_WATMK_CLNT_PIPEMON", reg::kGlpciWatmkClntPipemon, 0, "water mark", kPipemonFields},
    {"GLPCI_PKTCT_NP_C", reg::kGlpciPktctNpC, 0, "reads issued", kRoWordFields},
    {"GLPCI_LATCT_NP_C", reg::kGlpciLatctNpC, 0, "sum of read latencies, ns", kRoWordFields},
    {"GLPCI_BYTCTL_NP_C", reg::kGlpciBytctlNpC, 0, "bytes read", kRoWordFields},
    {"QTX_COMM_HEAD", reg::kQtxCommHead, 0, "transmit head", kHeadFields, kTxQueues},
    {"GLTCLAN_CQ_CNTX", reg::kGltclanCqCntx, 0,
     "completion queue contexts, dword i of queue n at 512i + n; stored", kRwWordFields, 22 * 512},
    {"VP_MDET_TX_TCLAN", reg::kVpMdetTxTclan, 0, "malicious: descriptors, per VF", kMdetClearFields,
     kVfs},
    {"PF_MDET_TX_TCLAN", reg::kPfMdetTxTclan, 0, "malicious: descriptors, PF", kMdetClearFields},
    {"GLCOMM_MIN_MAX_PKT", reg::kGlcommMinMaxPkt, 0x10112600, "shortest and longest frame",
     kMinMaxFields},
    {"GL_MDET_TX_TCLAN", reg::kGlMdetTxTclan, 0, "malicious: descriptors, first event",
     kMdetTclanFields},
    {"GLLAN_TCLAN_CACHE_CTL", reg::kGllanTclanCacheCtl, 0,
     "descriptor cache; reset from parameters", kCacheCtlFields},
    {"GL_MDCK_TDAT_TCLAN", reg::kGlMdckTdatTclan, 0xFFFFFFFF,
     "checks of descriptors, bit per cause", kRwWordFields},
    {"QRX_CTRL", reg::kQrxCtrl, 0, "receive queue enable", kQrxCtrlFields, kRxQueues},
    {"QINT_TQCTL", reg::kQintTqctl, 0, "transmit cause", kQintFields, kTxQueues},
    {"QINT_RQCTL", reg::kQintRqctl, 0, "receive cause", kQintFields, kRxQueues},
    {"GLINT_ITR", reg::kGlintItr, 0, "throttle timers; timer i of vector n at 2048i + n",
     kItrFields, 3 * kVectors},
    {"GLINT_RATE", reg::kGlintRate, 0, "interrupt rate limit", kRateFields, kVectors},
    {"GLINT_CEQCTL", reg::kGlintCeqctl, 0, "RDMA cause; stored", kQintFields, kVectors},
    {"GLINT_DYN_CTL", reg::kGlintDynCtl, 0, "vector control", kDynCtlFields, kVectors},
    {"GLINT_VECT2FUNC", reg::kGlintVect2func, 0, "owner of a vector", kVect2funcFields, kVectors},
    {"PFINT_MBX_CTL", reg::kPfintMbxCtl, 0, "mailbox cause; stored", kQintFields},
    {"PFINT_FW_CTL", reg::kPfintFwCtl, 0, "admin queue cause", kQintFields},
    {"PFINT_OICR_ENA", reg::kPfintOicrEna, 0, "other causes, enable", kOicrEnaFields},
    {"PFINT_OICR", reg::kPfintOicr, 0, "other causes", kOicrFields},
    {"PFINT_OICR_CTL", reg::kPfintOicrCtl, 0, "other causes, vector", kQintFields},
    {"GLINT_CTL", reg::kGlintCtl, 0x22220000, "timer units", kGlintCtlFields},
    {"PFLAN_RX_QALLOC", reg::kPflanRxQalloc, 0x87FF0000, "receive queues of the PF",
     kRxQallocFields},
    {"PFLAN_TX_QALLOC", reg::kPflanTxQalloc, 0xBFFF0000, "transmit queues of the PF",
     kTxQallocFields},
    {"PFINT_ALLOC", reg::kPfintAlloc, 0x807FF000, "vectors of the PF", kAllocFields},
    {"QRX_CONTEXT", reg::kQrxContext, 0, "receive contexts, dword i of queue n at 2048i + n",
     kRwWordFields, 8 * kRxQueues},
    {"QRX_TAIL", reg::kQrxTail, 0, "receive doorbell, low 3 bits ignored", kTailFields, kRxQueues},
    {"QRX_ITR", reg::kQrxItr, 0, "write-back without merging", kQrxItrFields, kRxQueues},
    {"GLLAN_RCTL_0", reg::kGllanRctl0, 0, "receive control", kRctl0Fields},
    {"GLLAN_RCTL_1", reg::kGllanRctl1, 0, "receive control, ordering", kRctl1Fields},
    {"GL_MDCK_RX", reg::kGlMdckRx, 0xFFFFFFFF, "checks of receive, bit per cause", kRwWordFields},
    {"PF_MDET_RX", reg::kPfMdetRx, 0, "malicious: receive, PF", kMdetClearFields},
    {"VP_MDET_RX", reg::kVpMdetRx, 0, "malicious: receive, per VF", kMdetClearFields, kVfs},
    {"GL_MDET_RX", reg::kGlMdetRx, 0, "malicious: receive, first event", kMdetTclanFields},
    {"GLV_RDPC", reg::kGlvRdpc, 0, "received, dropped: no descriptor; per VSI", kRoWordFields,
     kVsis},
    {"QTX_COMM_DBELL", reg::kQtxCommDbell, 0, "transmit doorbell: new tail", kRwWordFields,
     kTxQueues},
    {"QTX_COMM_DBLQ_CNTX", reg::kQtxCommDblqCntx, 0, "doorbell queue contexts; stored",
     kRwWordFields, 5 * 256},
    {"QTX_COMM_DBLQ_DBELL", reg::kQtxCommDblqDbell, 0, "doorbell queues; stored", kTailFields, 256},
    {"VP_MDET_TX_PQM", reg::kVpMdetTxPqm, 0, "malicious: doorbells, per VF", kMdetClearFields,
     kVfs},
    {"PF_MDET_TX_PQM", reg::kPfMdetTxPqm, 0, "malicious: doorbells, PF", kMdetClearFields},
    {"GLCOMM_QTX_CNTX_DATA", reg::kGlcommQtxCntxData, 0, "transmit context, indirect",
     kRwWordFields, 10},
    {"GLCOMM_QUANTA_PROF", reg::kGlcommQuantaProf, 0, "scheduler quanta; reset from parameters",
     kQuantaFields, 16},
    {"GLCOMM_PKT_SHAPER_PROF", reg::kGlcommPktShaperProf, 0, "packet shapers", kShaperFields, 8},
    {"GLCOMM_QTX_CNTX_CTL", reg::kGlcommQtxCntxCtl, 0, "transmit context, indirect: command",
     kCntxCtlFields},
    {"GLCOMM_QTX_CNTX_STAT", reg::kGlcommQtxCntxStat, 0, "transmit context, indirect: status",
     kCntxStatFields},
    {"GL_MDCK_EN_TX_PQM", reg::kGlMdckEnTxPqm, 0xFFFFFFFF, "checks of doorbells, bit per cause",
     kRwWordFields},
    {"GL_MDET_TX_PQM", reg::kGlMdetTxPqm, 0, "malicious: doorbells, first event", kMdetPqmFields},
    {"GLV_GOTC", reg::kGlvGotcl, 0, "sent: octets; VSI n: low word at 2n, high at 2n + 1",
     kRoWordFields, 2 * kVsis},
    {"GLV_UPTC", reg::kGlvUptcl, 0, "sent: unicast; VSI n: low word at 2n, high at 2n + 1",
     kRoWordFields, 2 * kVsis},
    {"GLV_MPTC", reg::kGlvMptcl, 0, "sent: multicast; VSI n: low word at 2n, high at 2n + 1",
     kRoWordFields, 2 * kVsis},
    {"GLV_BPTC", reg::kGlvBptcl, 0, "sent: broadcast; VSI n: low word at 2n, high at 2n + 1",
     kRoWordFields, 2 * kVsis},
    {"GLV_TEPC", reg::kGlvTepc, 0, "not sent: errors; per VSI", kRoWordFields, kVsis},
    {"GLPRT_GORCL", reg::kGlprtGorcl, 0, "received: octets with FCS, low", kRoWordFields},
    {"GLPRT_GORCH", reg::kGlprtGorcl + 4, 0, "received: octets, high", kStatHighFields},
    {"GLPRT_CRCERRS", reg::kGlprtCrcerrs, 0, "received: wrong FCS", kRoWordFields},
    {"GLPRT_RUC", reg::kGlprtRuc, 0, "received: too short", kRoWordFields},
    {"GLPRT_ROC", reg::kGlprtRoc, 0, "received: too long", kRoWordFields},
    {"GLPRT_GOTCL", reg::kGlprtGotcl, 0, "sent: octets with FCS, low", kRoWordFields},
    {"GLPRT_GOTCH", reg::kGlprtGotcl + 4, 0, "sent: octets, high", kStatHighFields},
    {"GLPRT_UPTCL", reg::kGlprtUptcl, 0, "sent: unicast, low", kRoWordFields},
    {"GLPRT_UPTCH", reg::kGlprtUptcl + 4, 0, "sent: unicast, high", kStatHighFields},
    {"GLPRT_MPTCL", reg::kGlprtMptcl, 0, "sent: multicast, low", kRoWordFields},
    {"GLPRT_MPTCH", reg::kGlprtMptcl + 4, 0, "sent: multicast, high", kStatHighFields},
    {"GLPRT_BPTCL", reg::kGlprtBptcl, 0, "sent: broadcast, low", kRoWordFields},
    {"GLPRT_BPTCH", reg::kGlprtBptcl + 4, 0, "sent: broadcast, high", kStatHighFields},
    {"GLPRT_TDOLD", reg::kGlprtTdold, 0, "sent: dropped on link down", kRoWordFields},
    {"GLPRT_UPRCL", reg::kGlprtUprcl, 0, "received: unicast, low", kRoWordFields},
    {"GLPRT_UPRCH", reg::kGlprtUprcl + 4, 0, "received: unicast, high", kStatHighFields},
    {"GLPRT_MPRCL", reg::kGlprtMprcl, 0, "received: multicast, low", kRoWordFields},
    {"GLPRT_MPRCH", reg::kGlprtMprcl + 4, 0, "received: multicast, high", kStatHighFields},
    {"GLPRT_BPRCL", reg::kGlprtBprcl, 0, "received: broadcast, low", kRoWordFields},
    {"GLPRT_BPRCH", reg::kGlprtBprcl + 4, 0, "received: broadcast, high", kStatHighFields},
    {"GLV_GORC", reg::kGlvGorcl, 0, "received: octets; VSI n: low word at 2n, high at 2n + 1",
     kRoWordFields, 2 * kVsis},
    {"GLV_UPRC", reg::kGlvUprcl, 0, "received: unicast; VSI n: low word at 2n, high at 2n + 1",
     kRoWordFields, 2 * kVsis},
    {"GLV_MPRC", reg::kGlvMprcl, 0, "received: multicast; VSI n: low word at 2n, high at 2n + 1",
     kRoWordFields, 2 * kVsis},
    {"GLV_BPRC", reg::kGlvBprcl, 0, "received: broadcast; VSI n: low word at 2n, high at 2n + 1",
     kRoWordFields, 2 * kVsis},
    {"QRXFLXP_CNTXT", reg::kQrxflxpCntxt, 0, "write-back format of a receive queue", kRxdidFields,
     kRxQueues},
};
static_assert(reg::well_formed(reg::RegTable(kIceRegs)));

}  // namespace doorbell::ice
