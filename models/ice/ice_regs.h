// Register map of the Intel E810 ("ice") LAN function: offsets and bits of BAR0.
//
// Contract header: the device model and the driver both use it. Every number stands here once, as
// an offset or a mask; ice_reg_table.h (access kinds, reset values, descriptions) is built from
// these constants. Multi-bit fields are masks: use doorbell::reg::get_field and put_field.
// Registers per queue or vector are functions of the absolute index. Offsets are bytes from BAR0;
// all registers are 32 bits, little-endian. Not in the model's map: the page-spaced aliases
// (outside a 32 MB BAR) and the VF windows. Sources: Linux 6.12 ice_hw_autogen.h, DPDK
// ice_hw_autogen.h.
#pragma once

#include <cassert>
#include <cstdint>

#include "models/reg/reg_spec.h"

namespace doorbell::ice {

inline constexpr unsigned kTxQueues = 16384;
inline constexpr unsigned kRxQueues = 2048;
inline constexpr unsigned kVectors = 2048;
inline constexpr unsigned kVsis = 768;
inline constexpr unsigned kPorts = 8;
inline constexpr unsigned kVfs = 256;
inline constexpr unsigned kItrs = 3;
/// Size of BAR0 as an E810-XXV shows it.
inline constexpr uint32_t kBarBytes = 32u << 20;

namespace reg {
// Inside doorbell::ice the name `reg` means this namespace; RegFile and its friends stay in reach.
using namespace doorbell::reg;

// Doorbells and queue state.
inline constexpr uint32_t kQtxCommDbell = 0x002C0000;
inline constexpr uint32_t kQtxCommDbellPage = 0x04000000;  ///< 4096 apart, not in the model's map
inline constexpr uint32_t kQtxCommHead = 0x000E0000;
inline constexpr uint32_t kQtxCommDblqDbell = 0x002D1400;
inline constexpr uint32_t kQtxCommDblqCntx = 0x002D0000;
inline constexpr uint32_t kGlcommQtxCntxCtl = 0x002D2DC8;
inline constexpr uint32_t kGlcommQtxCntxData = 0x002D2D40;
inline constexpr uint32_t kGlcommQtxCntxStat = 0x002D2DCC;
inline constexpr uint32_t kQrxTail = 0x00290000;
inline constexpr uint32_t kQrxTailPage = 0x03800000;  ///< 4096 apart, not in the model's map
inline constexpr uint32_t kQrxCtrl = 0x00120000;
inline constexpr uint32_t kQrxContext = 0x00280000;
inline constexpr uint32_t kQrxItr = 0x00292000;
inline constexpr uint32_t kQrxflxpCntxt = 0x00480000;

constexpr uint32_t qtx_comm_dbell(unsigned q) {
  assert(q < kTxQueues);
  return kQtxCommDbell + 4 * q;
}
constexpr uint32_t qtx_comm_head(unsigned q) {
  assert(q < kTxQueues);
  return kQtxCommHead + 4 * q;
}
constexpr uint32_t qtx_comm_dblq_dbell(unsigned n) {
  assert(n < 256);
  return kQtxCommDblqDbell + 4 * n;
}
constexpr uint32_t qtx_comm_dblq_cntx(unsigned i, unsigned n) {
  assert(i < 5 && n < 256);
  return kQtxCommDblqCntx + 1024 * i + 4 * n;
}
constexpr uint32_t glcomm_qtx_cntx_data(unsigned i) {
  assert(i < 10);
  return kGlcommQtxCntxData + 4 * i;
}
constexpr uint32_t qrx_tail(unsigned q) {
  assert(q < kRxQueues);
  return kQrxTail + 4 * q;
}
constexpr uint32_t qrx_ctrl(unsigned q) {
  assert(q < kRxQueues);
  return kQrxCtrl + 4 * q;
}
/// Dword `i` of the Rx queue context.
constexpr uint32_t qrx_context(unsigned i, unsigned q) {
  assert(i < 8 && q < kRxQueues);
  return kQrxContext + 8192 * i + 4 * q;
}
constexpr uint32_t qrx_itr(unsigned q) {
  assert(q < kRxQueues);
  return kQrxItr + 4 * q;
}
constexpr uint32_t qrxflxp_cntxt(unsigned q) {
  assert(q < kRxQueues);
  return kQrxflxpCntxt + 4 * q;
}

// Interrupt causes and throttling.
inline constexpr uint32_t kQintTqctl = 0x00140000;
inline constexpr uint32_t kQintRqctl = 0x00150000;
inline constexpr uint32_t kGlintItr = 0x00154000;
inline constexpr uint32_t kGlintRate = 0x0015A000;
inline constexpr uint32_t kGlintCeqctl = 0x0015C000;
inline constexpr uint32_t kGlintDynCtl = 0x00160000;
inline constexpr uint32_t kGlintVect2func = 0x00162000;
inline constexpr uint32_t kPfintMbxCtl = 0x0016B280;
inline constexpr uint32_t kPfintFwCtl = 0x0016C800;
inline constexpr uint32_t kPfintOicrEna = 0x0016C900;
inline constexpr uint32_t kPfintOicr = 0x0016CA00;
inline constexpr uint32_t kPfintOicrCtl = 0x0016CA80;
inline constexpr uint32_t kGlintCtl = 0x0016CC54;
inline constexpr uint32_t kPflanRxQalloc = 0x001D2500;
inline constexpr uint32_t kPflanTxQalloc = 0x001D2580;
inline constexpr uint32_t kPfintAlloc = 0x001D2600;

constexpr uint32_t qint_tqctl(unsigned q) {
  assert(q < kTxQueues);
  return kQintTqctl + 4 * q;
}
constexpr uint32_t qint_rqctl(unsigned q) {
  assert(q < kRxQueues);
  return kQintRqctl + 4 * q;
}
/// Throttle timer `i` of vector `v`.
constexpr uint32_t glint_itr(unsigned i, unsigned v) {
  assert(i < kItrs && v < kVectors);
  return kGlintItr + 8192 * i + 4 * v;
}
constexpr uint32_t glint_rate(unsigned v) {
  assert(v < kVectors);
  return kGlintRate + 4 * v;
}
constexpr uint32_t glint_dyn_ctl(unsigned v) {
  assert(v < kVectors);
  return kGlintDynCtl + 4 * v;
}
constexpr uint32_t glint_vect2func(unsigned v) {
  assert(v < kVectors);
  return kGlintVect2func + 4 * v;
}

// Admin queue of the PF, function, resets, NVM.
inline constexpr uint32_t kPfFwAtqbal = 0x00080000;
inline constexpr uint32_t kPfFwArqbal = 0x00080080;
inline constexpr uint32_t kPfFwAtqbah = 0x00080100;
inline constexpr uint32_t kPfFwArqbah = 0x00080180;
inline constexpr uint32_t kPfFwAtqlen = 0x00080200;
inline constexpr uint32_t kPfFwArqlen = 0x00080280;
inline constexpr uint32_t kPfFwAtqh = 0x00080300;
inline constexpr uint32_t kPfFwArqh = 0x00080380;
inline constexpr uint32_t kPfFwAtqt = 0x00080400;
inline constexpr uint32_t kPfFwArqt = 0x00080480;
inline constexpr uint32_t kPfgenCtrl = 0x00091000;
inline constexpr uint32_t kGlpciLinkcap = 0x0009DE90;
inline constexpr uint32_t kPfFuncRid = 0x0009E880;
inline constexpr uint32_t kGlnvmUld = 0x000B6008;
inline constexpr uint32_t kGlnvmGens = 0x000B6100;
inline constexpr uint32_t kGlnvmFla = 0x000B6108;
inline constexpr uint32_t kGlgenRstctl = 0x000B8180;
inline constexpr uint32_t kGlgenRstat = 0x000B8188;
inline constexpr uint32_t kGlgenRtrig = 0x000B8190;

// Descriptor engine, PCIe.
inline constexpr uint32_t kGlpciCnf2 = 0x000BE004;
inline constexpr uint32_t kGlpciNpqCfg = 0x000BFD80;
inline constexpr uint32_t kGlpciWatmkClntPipemon = 0x000BFD90;
inline constexpr uint32_t kGlpciPktctNpC = 0x000BFD9C;
inline constexpr uint32_t kGlpciLatctNpC = 0x000BFDA0;
inline constexpr uint32_t kGlpciBytctlNpC = 0x000BFDAC;
inline constexpr uint32_t kGltclanCqCntx = 0x000F0800;
inline constexpr uint32_t kGlcommMinMaxPkt = 0x000FC064;
inline constexpr uint32_t kGllanTclanCacheCtl = 0x000FC0B8;
inline constexpr uint32_t kGlcommQuantaProf = 0x002D2D68;
inline constexpr uint32_t kGlcommPktShaperProf = 0x002D2DA8;
inline constexpr uint32_t kGllanRctl0 = 0x002941F8;
inline constexpr uint32_t kGllanRctl1 = 0x002941FC;
inline constexpr uint32_t kGlrpbDhw = 0x000AC000;
inline constexpr uint32_t kGlrpbDlw = 0x000AC044;
inline constexpr uint32_t kGlrpbShw = 0x000AC120;
inline constexpr uint32_t kGlrpbSlw = 0x000AC140;
inline constexpr uint32_t kGlrpbTchw = 0x000AC330;
inline constexpr uint32_t kGlrpbTclw = 0x000AC3B0;

constexpr uint32_t gltclan_cq_cntx(unsigned i, unsigned cq) {
  assert(i < 22 && cq < 512);
  return kGltclanCqCntx + 0x800 * i + 4 * cq;
}
constexpr uint32_t glcomm_quanta_prof(unsigned i) {
  assert(i < 16);
  return kGlcommQuantaProf + 4 * i;
}
constexpr uint32_t glcomm_pkt_shaper_prof(unsigned i) {
  assert(i < 8);
  return kGlcommPktShaperProf + 4 * i;
}

// Malicious driver detection.
inline constexpr uint32_t kVpMdetTxTdpu = 0x00040000;
inline constexpr uint32_t kPfMdetTxTdpu = 0x00040800;
inline constexpr uint32_t kGlMdckTxTdpu = 0x00049348;
inline constexpr uint32_t kGlMdetTxTdpu = 0x00049350;
inline constexpr uint32_t kVpMdetTxTclan = 0x000FB800;
inline constexpr uint32_t kPfMdetTxTclan = 0x000FC000;
inline constexpr uint32_t kGlMdetTxTclan = 0x000FC068;
inline constexpr uint32_t kGlMdckTdatTclan = 0x000FC0DC;
inline constexpr uint32_t kGlMdckRx = 0x0029422C;
inline constexpr uint32_t kPfMdetRx = 0x00294280;
inline constexpr uint32_t kVpMdetRx = 0x00294400;
inline constexpr uint32_t kGlMdetRx = 0x00294C00;
inline constexpr uint32_t kVpMdetTxPqm = 0x002D2000;
inline constexpr uint32_t kPfMdetTxPqm = 0x002D2C80;
inline constexpr uint32_t kGlMdckEnTxPqm = 0x002D2DFC;
inline constexpr uint32_t kGlMdetTxPqm = 0x002D2E00;

// Statistics. Port registers are 8 apart and come as low and high word; VSI registers too, but for
// GLV_RDPC and GLV_TEPC.
inline constexpr uint32_t kPrtrpbRdpc = 0x000AC260;
inline constexpr uint32_t kGlvRdpc = 0x00294C04;
inline constexpr uint32_t kGlvGotcl = 0x00300000;
inline constexpr uint32_t kGlvUptcl = 0x0030A000;
inline constexpr uint32_t kGlvMptcl = 0x0030C000;
inline constexpr uint32_t kGlvBptcl = 0x0030E000;
inline constexpr uint32_t kGlvTepc = 0x00312000;
inline constexpr uint32_t kGlprtGorcl = 0x00380000;
inline constexpr uint32_t kGlprtCrcerrs = 0x00380100;
inline constexpr uint32_t kGlprtRuc = 0x00380200;
inline constexpr uint32_t kGlprtRoc = 0x00380240;
inline constexpr uint32_t kGlprtGotcl = 0x00380B40;
inline constexpr uint32_t kGlprtUptcl = 0x003811C0;
inline constexpr uint32_t kGlprtMptcl = 0x00381200;
inline constexpr uint32_t kGlprtBptcl = 0x00381240;
inline constexpr uint32_t kGlprtTdold = 0x00381280;
inline constexpr uint32_t kGlprtUprcl = 0x00381300;
inline constexpr uint32_t kGlprtMprcl = 0x00381340;
inline constexpr uint32_t kGlprtBprcl = 0x00381380;
inline constexpr uint32_t kGlvGorcl = 0x003B0000;
inline constexpr uint32_t kGlvUprcl = 0x003B2000;
inline constexpr uint32_t kGlvMprcl = 0x003B4000;
inline constexpr uint32_t kGlvBprcl = 0x003B6000;

constexpr uint32_t glv_rdpc(unsigned vsi) {
  assert(vsi < kVsis);
  return kGlvRdpc + 4 * vsi;
}
constexpr uint32_t glv_tepc(unsigned vsi) {
  assert(vsi < kVsis);
  return kGlvTepc + 4 * vsi;
}
}  // namespace reg

/// VF BAR, for reference: the model has no VFs.
namespace vf_reg {
inline constexpr uint32_t kQtxTail = 0x00000000;       ///< legacy, + 4q
inline constexpr uint32_t kQrxTail1 = 0x00002000;      ///< legacy, + 4q
inline constexpr uint32_t kQrxTail = 0x0002E000;       ///< + 4q
inline constexpr uint32_t kQtxCommDbell = 0x00030000;  ///< + 4q
}  // namespace vf_reg

namespace qtx_comm_head {
inline constexpr uint32_t kHead = 0x1FFF;
inline constexpr uint32_t kRsPending = 1u << 16;
}  // namespace qtx_comm_head

inline constexpr uint32_t kTailMask = 0x1FFF;  ///< QRX_TAIL, and what counts of QTX_COMM_DBELL

namespace glcomm_qtx_cntx_ctl {
inline constexpr uint32_t kQueueId = 0x3FFF;
inline constexpr uint32_t kCmd = 0x7u << 16;  ///< 0 read, 1 write
inline constexpr uint32_t kCmdExec = 1u << 19;
}  // namespace glcomm_qtx_cntx_ctl
inline constexpr uint32_t kGlcommQtxCntxStatInProg = 1u << 0;

namespace qrx_ctrl {
inline constexpr uint32_t kQenaReq = 1u << 0;
inline constexpr uint32_t kFastQdis = 1u << 1;
inline constexpr uint32_t kQenaStat = 1u << 2;
inline constexpr uint32_t kCde = 1u << 3;
inline constexpr uint32_t kCds = 1u << 4;
}  // namespace qrx_ctrl

inline constexpr uint32_t kQrxItrNoExpr = 1u << 0;

namespace qrxflxp_cntxt {
inline constexpr uint32_t kRxdidIdx = 0x3F;
inline constexpr uint32_t kRxdidPrio = 0x7u << 8;
inline constexpr uint32_t kTs = 1u << 11;
}  // namespace qrxflxp_cntxt

/// QINT_TQCTL, QINT_RQCTL, GLINT_CEQCTL and the PFINT_*_CTL.
namespace qint_ctl {
inline constexpr uint32_t kMsixIndx = 0x7FF;
inline constexpr uint32_t kItrIndx = 0x3u << 11;
inline constexpr uint32_t kCauseEna = 1u << 30;
inline constexpr uint32_t kIntEvent = 1u << 31;
}  // namespace qint_ctl

namespace glint_dyn_ctl {
inline constexpr uint32_t kIntEna = 1u << 0;
inline constexpr uint32_t kClearPba = 1u << 1;
inline constexpr uint32_t kSwIntTrig = 1u << 2;
inline constexpr uint32_t kItrIndx = 0x3u << 3;
inline constexpr uint32_t kInterval = 0xFFFu << 5;
inline constexpr uint32_t kSwItrIndxEna = 1u << 24;
inline constexpr uint32_t kSwItrIndx = 0x3u << 25;
inline constexpr uint32_t kWbOnItr = 1u << 30;
inline constexpr uint32_t kIntEnaMsk = 1u << 31;
}  // namespace glint_dyn_ctl

inline constexpr uint32_t kGlintItrInterval = 0xFFF;

namespace glint_rate {
inline constexpr uint32_t kInterval = 0x3F;
inline constexpr uint32_t kIntrlEna = 1u << 6;
}  // namespace glint_rate

namespace glint_ctl {
inline constexpr uint32_t kDisAutomask = 1u << 0;
inline constexpr uint32_t kItrGran200 = 0xFu << 16;
inline constexpr uint32_t kItrGran100 = 0xFu << 20;
inline constexpr uint32_t kItrGran50 = 0xFu << 24;
inline constexpr uint32_t kItrGran25 = 0xFu << 28;
}  // namespace glint_ctl

namespace glint_vect2func {
inline constexpr uint32_t kVfNum = 0xFF;
inline constexpr uint32_t kPfNum = 0x7u << 12;
inline constexpr uint32_t kIsPf = 1u << 16;
}  // namespace glint_vect2func

namespace pfint_oicr {
inline constexpr uint32_t kIntEvent = 1u << 0;
inline constexpr uint32_t kTsynTx = 1u << 11;
inline constexpr uint32_t kEccErr = 1u << 16;
inline constexpr uint32_t kMalDetect = 1u << 19;
inline constexpr uint32_t kGrst = 1u << 20;
inline constexpr uint32_t kPciException = 1u << 21;
inline constexpr uint32_t kHmcErr = 1u << 26;
inline constexpr uint32_t kPeCritErr = 1u << 28;
inline constexpr uint32_t kVflr = 1u << 29;
inline constexpr uint32_t kSwInt = 1u << 31;
}  // namespace pfint_oicr

/// PFINT_ALLOC.
namespace pfint_alloc {
inline constexpr uint32_t kFirst = 0x7FF;
inline constexpr uint32_t kLast = 0x7FFu << 12;
inline constexpr uint32_t kValid = 1u << 31;
}  // namespace pfint_alloc
namespace pflan_rx_qalloc {
inline constexpr uint32_t kFirst = 0x7FF;
inline constexpr uint32_t kLast = 0x7FFu << 16;
inline constexpr uint32_t kValid = 1u << 31;
}  // namespace pflan_rx_qalloc
namespace pflan_tx_qalloc {
inline constexpr uint32_t kFirst = 0x3FFF;
inline constexpr uint32_t kLast = 0x3FFFu << 16;
inline constexpr uint32_t kValid = 1u << 31;
}  // namespace pflan_tx_qalloc

/// PF_FW_ATQLEN and PF_FW_ARQLEN.
namespace fw_qlen {
inline constexpr uint32_t kLen = 0x3FF;
inline constexpr uint32_t kVfe = 1u << 28;
inline constexpr uint32_t kOvfl = 1u << 29;
inline constexpr uint32_t kCrit = 1u << 30;
inline constexpr uint32_t kEnable = 1u << 31;
}  // namespace fw_qlen
inline constexpr uint32_t kFwQueueIndex = 0x3FF;  ///< heads and tails of both queues
inline constexpr uint32_t kFwBaseLow = 0xFFFFFFC0;

inline constexpr uint32_t kPfgenCtrlPfswr = 1u << 0;
namespace glgen_rtrig {
inline constexpr uint32_t kCorer = 1u << 0;
inline constexpr uint32_t kGlobr = 1u << 1;
}  // namespace glgen_rtrig
namespace glgen_rstat {
inline constexpr uint32_t kDevState = 0x3;  ///< 0: ready
inline constexpr uint32_t kResetType = 0x3u << 2;
}  // namespace glgen_rstat
namespace glnvm_uld {
inline constexpr uint32_t kCorerDone = 1u << 3;
inline constexpr uint32_t kGlobrDone = 1u << 4;
}  // namespace glnvm_uld
inline constexpr uint32_t kGlnvmGensSrSize = 0x7u << 5;
inline constexpr uint32_t kGlnvmFlaLocked = 1u << 6;

namespace tclan_cache_ctl {
inline constexpr uint32_t kMinFetchThresh = 0x3F;
inline constexpr uint32_t kFetchClAlign = 1u << 6;
inline constexpr uint32_t kMinAllocThresh = 0x7Fu << 7;
inline constexpr uint32_t kCacheEntryCnt = 0xFFu << 14;
inline constexpr uint32_t kCacheDescLim = 0x3FFu << 22;
}  // namespace tclan_cache_ctl
namespace glcomm_quanta_prof {
inline constexpr uint32_t kQuantaSize = 0x3FFF;  ///< bytes
inline constexpr uint32_t kMaxCmd = 0xFFu << 16;
inline constexpr uint32_t kMaxDesc = 0x3Fu << 24;
}  // namespace glcomm_quanta_prof
inline constexpr uint32_t kGlcommPktShaperProfPktcnt = 0x3F;
namespace glcomm_min_max_pkt {
inline constexpr uint32_t kMahdl = 0x3FFF;
inline constexpr uint32_t kMihdl = 0x3Fu << 16;
inline constexpr uint32_t kLsoComsMihdl = 0x3FFu << 22;
}  // namespace glcomm_min_max_pkt
inline constexpr uint32_t kGllanRctl0Pxe = 1u << 0;
namespace gllan_rctl_1 {
inline constexpr uint32_t kRxmaxExpansion = 0xFu << 12;
inline constexpr uint32_t kRxdrdctl = 1u << 17;
inline constexpr uint32_t kRxdescrdroen = 1u << 18;
inline constexpr uint32_t kRxdatawrroen = 1u << 19;
}  // namespace gllan_rctl_1
namespace glpci_cnf2 {
inline constexpr uint32_t kRoDis = 1u << 0;
inline constexpr uint32_t kCachelineSize = 1u << 1;  ///< 0: 64 B, 1: 128 B
}  // namespace glpci_cnf2
namespace glpci_linkcap {
inline constexpr uint32_t kSpeeds = 0x3F;
inline constexpr uint32_t kMaxWidth = 0xFu << 9;
}  // namespace glpci_linkcap
inline constexpr uint32_t kGlpciNpqCfgWeightAvg = 0xFu << 2;
inline constexpr uint32_t kGlpciPipemonDataLines = 0xFFFF;
inline constexpr uint32_t kGlrpbWatermark = 0xFFFFF;

/// GL_MDET_TX_PQM.
namespace mdet_pqm {
inline constexpr uint32_t kPfNum = 0x7;
inline constexpr uint32_t kVfNum = 0xFFu << 4;
inline constexpr uint32_t kQnum = 0x3FFFu << 12;
inline constexpr uint32_t kMalType = 0x1Fu << 26;
inline constexpr uint32_t kValid = 1u << 31;
}  // namespace mdet_pqm
/// GL_MDET_TX_TCLAN, GL_MDET_TX_TDPU, GL_MDET_RX.
namespace mdet_tclan {
inline constexpr uint32_t kQnum = 0x7FFF;
inline constexpr uint32_t kVfNum = 0xFFu << 15;
inline constexpr uint32_t kPfNum = 0x7u << 23;
inline constexpr uint32_t kMalType = 0x1Fu << 26;
inline constexpr uint32_t kValid = 1u << 31;
}  // namespace mdet_tclan
inline constexpr uint32_t kPfMdetValid = 1u << 0;

/// Causes of the descriptor engine: bit number in GL_MDCK_TDAT_TCLAN, MAL_TYPE in GL_MDET_TX_TCLAN.
enum class TclanCause : uint8_t {
  kDescriptorFormat = 0,
  kDescriptorFetchUr = 1,
  kTailNoEop = 2,
  kFalseScheduling = 3,
  kTailBeyondRing = 4,
  kTooManyDataDescriptors = 5,
  kQuantumWithoutHead = 6,
  kPacketLength = 7,
  kTsoLengthMismatch = 8,
  kTsoHitsTail = 9,
  kTsoHeaderDescriptors = 10,
  kTsoHeaderShort = 11,
  kTsoZero = 12,
  kTsoVersusIpsec = 13,
  kFractionalPacket = 14,
  kQuantumBytes = 15,
  kQuantumCommands = 16,
  kLsoIncoherent = 17,
  kLsoIncoherent2 = 18,
  kQuantumDescriptors = 19,
  kPacketMismatch = 20,
};
/// Causes of the doorbell logic: bit number in GL_MDCK_EN_TX_PQM, MAL_TYPE in GL_MDET_TX_PQM.
enum class PqmCause : uint8_t {
  kDummyCompletion = 0,
  kUrCompletion = 1,
  kSecondHeader = 3,
  kEmptyDisagrees = 4,
  kFullDisagrees = 5,
  kLsoDescriptorCountZero = 6,
  kLsoLengthZero = 7,
  kMssBelow = 8,
  kMssAbove = 9,
  kHeaderSizeZero = 10,
  kTailBeyondRing = 20,
  kReservedDoorbell = 21,
  kHeadDrop = 22,
  kLsoOverComms = 23,
  kIllegalVfQueue = 24,
  kQueueTailBeyondRing = 25,
};
/// Causes of the data unit: bit number in GL_MDCK_TX_TDPU, MAL_TYPE in GL_MDET_TX_TDPU.
enum class TdpuCause : uint8_t {
  kTtl = 0,
  kAntiSpoof = 1,
  kDataUr = 2,
  kBadOffset = 3,
  kBadCommand = 4,
  kPacketTooBig = 5,
  kL2Accept = 6,
};
/// Causes of the receive side: bit number in GL_MDCK_RX, MAL_TYPE in GL_MDET_RX.
enum class RxMdetCause : uint8_t { kDescriptorAddress = 0, kDescriptorFetch = 1 };

}  // namespace doorbell::ice
