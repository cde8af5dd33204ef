// Intel E810 (ice): register offsets, reset values and fields.
// Generated from models/ice/ice_reg_table.h; do not edit.

package ice_regs_pkg;

  // Width of a register offset, in bits.
  parameter int unsigned ICE_OFFSET_WIDTH = 25;

  // VP_MDET_TX_TDPU: malicious: data unit, per VF
  parameter logic [24:0] ICE_VP_MDET_TX_TDPU_OFFSET = 25'h0040000;
  parameter int unsigned ICE_VP_MDET_TX_TDPU_COUNT = 256;
  parameter int unsigned ICE_VP_MDET_TX_TDPU_STRIDE = 4;
  parameter logic [31:0] ICE_VP_MDET_TX_TDPU_RESET = 32'h00000000;
  parameter int unsigned ICE_VP_MDET_TX_TDPU_VALID_LSB = 0;
  parameter logic [31:0] ICE_VP_MDET_TX_TDPU_VALID_MASK = 32'h00000001;

  // PF_MDET_TX_TDPU: malicious: data unit, PF
  parameter logic [24:0] ICE_PF_MDET_TX_TDPU_OFFSET = 25'h0040800;
  parameter logic [31:0] ICE_PF_MDET_TX_TDPU_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_MDET_TX_TDPU_VALID_LSB = 0;
  parameter logic [31:0] ICE_PF_MDET_TX_TDPU_VALID_MASK = 32'h00000001;

  // GL_MDCK_TX_TDPU: checks of the data unit, bit per cause
  parameter logic [24:0] ICE_GL_MDCK_TX_TDPU_OFFSET = 25'h0049348;
  parameter logic [31:0] ICE_GL_MDCK_TX_TDPU_RESET = 32'hFFFFFFFF;
  parameter int unsigned ICE_GL_MDCK_TX_TDPU_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GL_MDCK_TX_TDPU_VALUE_MASK = 32'hFFFFFFFF;

  // GL_MDET_TX_TDPU: malicious: data unit, first event
  parameter logic [24:0] ICE_GL_MDET_TX_TDPU_OFFSET = 25'h0049350;
  parameter logic [31:0] ICE_GL_MDET_TX_TDPU_RESET = 32'h00000000;
  parameter int unsigned ICE_GL_MDET_TX_TDPU_QNUM_LSB = 0;
  parameter logic [31:0] ICE_GL_MDET_TX_TDPU_QNUM_MASK = 32'h00007FFF;
  parameter int unsigned ICE_GL_MDET_TX_TDPU_VF_NUM_LSB = 15;
  parameter logic [31:0] ICE_GL_MDET_TX_TDPU_VF_NUM_MASK = 32'h007F8000;
  parameter int unsigned ICE_GL_MDET_TX_TDPU_PF_NUM_LSB = 23;
  parameter logic [31:0] ICE_GL_MDET_TX_TDPU_PF_NUM_MASK = 32'h03800000;
  parameter int unsigned ICE_GL_MDET_TX_TDPU_MAL_TYPE_LSB = 26;
  parameter logic [31:0] ICE_GL_MDET_TX_TDPU_MAL_TYPE_MASK = 32'h7C000000;
  parameter int unsigned ICE_GL_MDET_TX_TDPU_VALID_LSB = 31;
  parameter logic [31:0] ICE_GL_MDET_TX_TDPU_VALID_MASK = 32'h80000000;

  // PF_FW_ATQBAL: admin commands: ring, low
  parameter logic [24:0] ICE_PF_FW_ATQBAL_OFFSET = 25'h0080000;
  parameter logic [31:0] ICE_PF_FW_ATQBAL_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_FW_ATQBAL_BASE_LSB = 6;
  parameter logic [31:0] ICE_PF_FW_ATQBAL_BASE_MASK = 32'hFFFFFFC0;

  // PF_FW_ARQBAL: admin events: ring, low
  parameter logic [24:0] ICE_PF_FW_ARQBAL_OFFSET = 25'h0080080;
  parameter logic [31:0] ICE_PF_FW_ARQBAL_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_FW_ARQBAL_BASE_LSB = 6;
  parameter logic [31:0] ICE_PF_FW_ARQBAL_BASE_MASK = 32'hFFFFFFC0;

  // PF_FW_ATQBAH: admin commands: ring, high
  parameter logic [24:0] ICE_PF_FW_ATQBAH_OFFSET = 25'h0080100;
  parameter logic [31:0] ICE_PF_FW_ATQBAH_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_FW_ATQBAH_VALUE_LSB = 0;
  parameter logic [31:0] ICE_PF_FW_ATQBAH_VALUE_MASK = 32'hFFFFFFFF;

  // PF_FW_ARQBAH: admin events: ring, high
  parameter logic [24:0] ICE_PF_FW_ARQBAH_OFFSET = 25'h0080180;
  parameter logic [31:0] ICE_PF_FW_ARQBAH_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_FW_ARQBAH_VALUE_LSB = 0;
  parameter logic [31:0] ICE_PF_FW_ARQBAH_VALUE_MASK = 32'hFFFFFFFF;

  // PF_FW_ATQLEN: admin commands: length and enable
  parameter logic [24:0] ICE_PF_FW_ATQLEN_OFFSET = 25'h0080200;
  parameter logic [31:0] ICE_PF_FW_ATQLEN_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_FW_ATQLEN_LEN_LSB = 0;
  parameter logic [31:0] ICE_PF_FW_ATQLEN_LEN_MASK = 32'h000003FF;
  parameter int unsigned ICE_PF_FW_ATQLEN_VFE_LSB = 28;
  parameter logic [31:0] ICE_PF_FW_ATQLEN_VFE_MASK = 32'h10000000;
  parameter int unsigned ICE_PF_FW_ATQLEN_OVFL_LSB = 29;
  parameter logic [31:0] ICE_PF_FW_ATQLEN_OVFL_MASK = 32'h20000000;
  parameter int unsigned ICE_PF_FW_ATQLEN_CRIT_LSB = 30;
  parameter logic [31:0] ICE_PF_FW_ATQLEN_CRIT_MASK = 32'h40000000;
  parameter int unsigned ICE_PF_FW_ATQLEN_ENABLE_LSB = 31;
  parameter logic [31:0] ICE_PF_FW_ATQLEN_ENABLE_MASK = 32'h80000000;

  // PF_FW_ARQLEN: admin events: length and enable
  parameter logic [24:0] ICE_PF_FW_ARQLEN_OFFSET = 25'h0080280;
  parameter logic [31:0] ICE_PF_FW_ARQLEN_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_FW_ARQLEN_LEN_LSB = 0;
  parameter logic [31:0] ICE_PF_FW_ARQLEN_LEN_MASK = 32'h000003FF;
  parameter int unsigned ICE_PF_FW_ARQLEN_VFE_LSB = 28;
  parameter logic [31:0] ICE_PF_FW_ARQLEN_VFE_MASK = 32'h10000000;
  parameter int unsigned ICE_PF_FW_ARQLEN_OVFL_LSB = 29;
  parameter logic [31:0] ICE_PF_FW_ARQLEN_OVFL_MASK = 32'h20000000;
  parameter int unsigned ICE_PF_FW_ARQLEN_CRIT_LSB = 30;
  parameter logic [31:0] ICE_PF_FW_ARQLEN_CRIT_MASK = 32'h40000000;
  parameter int unsigned ICE_PF_FW_ARQLEN_ENABLE_LSB = 31;
  parameter logic [31:0] ICE_PF_FW_ARQLEN_ENABLE_MASK = 32'h80000000;

  // PF_FW_ATQH: admin commands: device's index
  parameter logic [24:0] ICE_PF_FW_ATQH_OFFSET = 25'h0080300;
  parameter logic [31:0] ICE_PF_FW_ATQH_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_FW_ATQH_INDEX_LSB = 0;
  parameter logic [31:0] ICE_PF_FW_ATQH_INDEX_MASK = 32'h000003FF;

  // PF_FW_ARQH: admin events: device's index
  parameter logic [24:0] ICE_PF_FW_ARQH_OFFSET = 25'h0080380;
  parameter logic [31:0] ICE_PF_FW_ARQH_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_FW_ARQH_INDEX_LSB = 0;
  parameter logic [31:0] ICE_PF_FW_ARQH_INDEX_MASK = 32'h000003FF;

  // PF_FW_ATQT: admin commands: doorbell
  parameter logic [24:0] ICE_PF_FW_ATQT_OFFSET = 25'h0080400;
  parameter logic [31:0] ICE_PF_FW_ATQT_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_FW_ATQT_INDEX_LSB = 0;
  parameter logic [31:0] ICE_PF_FW_ATQT_INDEX_MASK = 32'h000003FF;

  // PF_FW_ARQT: admin events: doorbell
  parameter logic [24:0] ICE_PF_FW_ARQT_OFFSET = 25'h0080480;
  parameter logic [31:0] ICE_PF_FW_ARQT_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_FW_ARQT_INDEX_LSB = 0;
  parameter logic [31:0] ICE_PF_FW_ARQT_INDEX_MASK = 32'h000003FF;

  // PFGEN_CTRL: PF reset
  parameter logic [24:0] ICE_PFGEN_CTRL_OFFSET = 25'h0091000;
  parameter logic [31:0] ICE_PFGEN_CTRL_RESET = 32'h00000000;
  parameter int unsigned ICE_PFGEN_CTRL_PFSWR_LSB = 0;
  parameter logic [31:0] ICE_PFGEN_CTRL_PFSWR_MASK = 32'h00000001;

  // GLPCI_LINKCAP: PCIe capabilities
  parameter logic [24:0] ICE_GLPCI_LINKCAP_OFFSET = 25'h009DE90;
  parameter logic [31:0] ICE_GLPCI_LINKCAP_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPCI_LINKCAP_SPEEDS_LSB = 0;
  parameter logic [31:0] ICE_GLPCI_LINKCAP_SPEEDS_MASK = 32'h0000003F;
  parameter int unsigned ICE_GLPCI_LINKCAP_MAX_WIDTH_LSB = 9;
  parameter logic [31:0] ICE_GLPCI_LINKCAP_MAX_WIDTH_MASK = 32'h00001E00;

  // PF_FUNC_RID: function number
  parameter logic [24:0] ICE_PF_FUNC_RID_OFFSET = 25'h009E880;
  parameter logic [31:0] ICE_PF_FUNC_RID_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_FUNC_RID_FUNC_NUM_LSB = 0;
  parameter logic [31:0] ICE_PF_FUNC_RID_FUNC_NUM_MASK = 32'h00000007;

  // GLRPB_DHW: packet buffer: dedicated, high
  parameter logic [24:0] ICE_GLRPB_DHW_OFFSET = 25'h00AC000;
  parameter logic [31:0] ICE_GLRPB_DHW_RESET = 32'h00000000;
  parameter int unsigned ICE_GLRPB_DHW_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLRPB_DHW_VALUE_MASK = 32'h000FFFFF;

  // GLRPB_DLW: packet buffer: dedicated, low
  parameter logic [24:0] ICE_GLRPB_DLW_OFFSET = 25'h00AC044;
  parameter logic [31:0] ICE_GLRPB_DLW_RESET = 32'h00000000;
  parameter int unsigned ICE_GLRPB_DLW_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLRPB_DLW_VALUE_MASK = 32'h000FFFFF;

  // GLRPB_SHW: packet buffer: shared, high
  parameter logic [24:0] ICE_GLRPB_SHW_OFFSET = 25'h00AC120;
  parameter logic [31:0] ICE_GLRPB_SHW_RESET = 32'h00000000;
  parameter int unsigned ICE_GLRPB_SHW_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLRPB_SHW_VALUE_MASK = 32'h000FFFFF;

  // GLRPB_SLW: packet buffer: shared, low
  parameter logic [24:0] ICE_GLRPB_SLW_OFFSET = 25'h00AC140;
  parameter logic [31:0] ICE_GLRPB_SLW_RESET = 32'h00000000;
  parameter int unsigned ICE_GLRPB_SLW_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLRPB_SLW_VALUE_MASK = 32'h000FFFFF;

  // PRTRPB_RDPC: received, dropped: packet buffer full
  parameter logic [24:0] ICE_PRTRPB_RDPC_OFFSET = 25'h00AC260;
  parameter logic [31:0] ICE_PRTRPB_RDPC_RESET = 32'h00000000;
  parameter int unsigned ICE_PRTRPB_RDPC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_PRTRPB_RDPC_VALUE_MASK = 32'hFFFFFFFF;

  // GLRPB_TCHW: packet buffer: traffic class, high
  parameter logic [24:0] ICE_GLRPB_TCHW_OFFSET = 25'h00AC330;
  parameter logic [31:0] ICE_GLRPB_TCHW_RESET = 32'h00000000;
  parameter int unsigned ICE_GLRPB_TCHW_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLRPB_TCHW_VALUE_MASK = 32'h000FFFFF;

  // GLRPB_TCLW: packet buffer: traffic class, low
  parameter logic [24:0] ICE_GLRPB_TCLW_OFFSET = 25'h00AC3B0;
  parameter logic [31:0] ICE_GLRPB_TCLW_RESET = 32'h00000000;
  parameter int unsigned ICE_GLRPB_TCLW_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLRPB_TCLW_VALUE_MASK = 32'h000FFFFF;

  // GLNVM_ULD: resets done
  parameter logic [24:0] ICE_GLNVM_ULD_OFFSET = 25'h00B6008;
  parameter logic [31:0] ICE_GLNVM_ULD_RESET = 32'h00000018;
  parameter int unsigned ICE_GLNVM_ULD_CORER_DONE_LSB = 3;
  parameter logic [31:0] ICE_GLNVM_ULD_CORER_DONE_MASK = 32'h00000008;
  parameter int unsigned ICE_GLNVM_ULD_GLOBR_DONE_LSB = 4;
  parameter logic [31:0] ICE_GLNVM_ULD_GLOBR_DONE_MASK = 32'h00000010;

  // GLNVM_GENS: shadow RAM size
  parameter logic [24:0] ICE_GLNVM_GENS_OFFSET = 25'h00B6100;
  parameter logic [31:0] ICE_GLNVM_GENS_RESET = 32'h000000C0;
  parameter int unsigned ICE_GLNVM_GENS_SR_SIZE_LSB = 5;
  parameter logic [31:0] ICE_GLNVM_GENS_SR_SIZE_MASK = 32'h000000E0;

  // GLNVM_FLA: flash access
  parameter logic [24:0] ICE_GLNVM_FLA_OFFSET = 25'h00B6108;
  parameter logic [31:0] ICE_GLNVM_FLA_RESET = 32'h00000040;
  parameter int unsigned ICE_GLNVM_FLA_LOCKED_LSB = 6;
  parameter logic [31:0] ICE_GLNVM_FLA_LOCKED_MASK = 32'h00000040;

  // GLGEN_RSTCTL: global reset delay
  parameter logic [24:0] ICE_GLGEN_RSTCTL_OFFSET = 25'h00B8180;
  parameter logic [31:0] ICE_GLGEN_RSTCTL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLGEN_RSTCTL_GRSTDEL_LSB = 0;
  parameter logic [31:0] ICE_GLGEN_RSTCTL_GRSTDEL_MASK = 32'h0000003F;

  // GLGEN_RSTAT: reset state
  parameter logic [24:0] ICE_GLGEN_RSTAT_OFFSET = 25'h00B8188;
  parameter logic [31:0] ICE_GLGEN_RSTAT_RESET = 32'h00000000;
  parameter int unsigned ICE_GLGEN_RSTAT_DEVSTATE_LSB = 0;
  parameter logic [31:0] ICE_GLGEN_RSTAT_DEVSTATE_MASK = 32'h00000003;
  parameter int unsigned ICE_GLGEN_RSTAT_RESET_TYPE_LSB = 2;
  parameter logic [31:0] ICE_GLGEN_RSTAT_RESET_TYPE_MASK = 32'h0000000C;

  // GLGEN_RTRIG: reset triggers
  parameter logic [24:0] ICE_GLGEN_RTRIG_OFFSET = 25'h00B8190;
  parameter logic [31:0] ICE_GLGEN_RTRIG_RESET = 32'h00000000;
  parameter int unsigned ICE_GLGEN_RTRIG_CORER_LSB = 0;
  parameter logic [31:0] ICE_GLGEN_RTRIG_CORER_MASK = 32'h00000001;
  parameter int unsigned ICE_GLGEN_RTRIG_GLOBR_LSB = 1;
  parameter logic [31:0] ICE_GLGEN_RTRIG_GLOBR_MASK = 32'h00000002;

  // GLPCI_CNF2: PCIe settings
  parameter logic [24:0] ICE_GLPCI_CNF2_OFFSET = 25'h00BE004;
  parameter logic [31:0] ICE_GLPCI_CNF2_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPCI_CNF2_RO_DIS_LSB = 0;
  parameter logic [31:0] ICE_GLPCI_CNF2_RO_DIS_MASK = 32'h00000001;
  parameter int unsigned ICE_GLPCI_CNF2_CACHELINE_SIZE_LSB = 1;
  parameter logic [31:0] ICE_GLPCI_CNF2_CACHELINE_SIZE_MASK = 32'h00000002;

  // GLPCI_NPQ_CFG: non-posted queue
  parameter logic [24:0] ICE_GLPCI_NPQ_CFG_OFFSET = 25'h00BFD80;
  parameter logic [31:0] ICE_GLPCI_NPQ_CFG_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPCI_NPQ_CFG_WEIGHT_AVG_LSB = 2;
  parameter logic [31:0] ICE_GLPCI_NPQ_CFG_WEIGHT_AVG_MASK = 32'h0000003C;

  // GLPCI_WATMK_CLNT_PIPEMON: water mark
  parameter logic [24:0] ICE_GLPCI_WATMK_CLNT_PIPEMON_OFFSET = 25'h00BFD90;
  parameter logic [31:0] ICE_GLPCI_WATMK_CLNT_PIPEMON_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPCI_WATMK_CLNT_PIPEMON_DATA_LINES_LSB = 0;
  parameter logic [31:0] ICE_GLPCI_WATMK_CLNT_PIPEMON_DATA_LINES_MASK = 32'h0000FFFF;

  // GLPCI_PKTCT_NP_C: reads issued
  parameter logic [24:0] ICE_GLPCI_PKTCT_NP_C_OFFSET = 25'h00BFD9C;
  parameter logic [31:0] ICE_GLPCI_PKTCT_NP_C_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPCI_PKTCT_NP_C_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPCI_PKTCT_NP_C_VALUE_MASK = 32'hFFFFFFFF;

  // GLPCI_LATCT_NP_C: sum of read latencies, ns
  parameter logic [24:0] ICE_GLPCI_LATCT_NP_C_OFFSET = 25'h00BFDA0;
  parameter logic [31:0] ICE_GLPCI_LATCT_NP_C_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPCI_LATCT_NP_C_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPCI_LATCT_NP_C_VALUE_MASK = 32'hFFFFFFFF;

  // GLPCI_BYTCTL_NP_C: bytes read
  parameter logic [24:0] ICE_GLPCI_BYTCTL_NP_C_OFFSET = 25'h00BFDAC;
  parameter logic [31:0] ICE_GLPCI_BYTCTL_NP_C_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPCI_BYTCTL_NP_C_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPCI_BYTCTL_NP_C_VALUE_MASK = 32'hFFFFFFFF;

  // QTX_COMM_HEAD: transmit head
  parameter logic [24:0] ICE_QTX_COMM_HEAD_OFFSET = 25'h00E0000;
  parameter int unsigned ICE_QTX_COMM_HEAD_COUNT = 16384;
  parameter int unsigned ICE_QTX_COMM_HEAD_STRIDE = 4;
  parameter logic [31:0] ICE_QTX_COMM_HEAD_RESET = 32'h00000000;
  parameter int unsigned ICE_QTX_COMM_HEAD_HEAD_LSB = 0;
  parameter logic [31:0] ICE_QTX_COMM_HEAD_HEAD_MASK = 32'h00001FFF;
  parameter int unsigned ICE_QTX_COMM_HEAD_RS_PENDING_LSB = 16;
  parameter logic [31:0] ICE_QTX_COMM_HEAD_RS_PENDING_MASK = 32'h00010000;

  // GLTCLAN_CQ_CNTX: completion queue contexts, dword i of queue n at 512i + n; stored
  parameter logic [24:0] ICE_GLTCLAN_CQ_CNTX_OFFSET = 25'h00F0800;
  parameter int unsigned ICE_GLTCLAN_CQ_CNTX_COUNT = 11264;
  parameter int unsigned ICE_GLTCLAN_CQ_CNTX_STRIDE = 4;
  parameter logic [31:0] ICE_GLTCLAN_CQ_CNTX_RESET = 32'h00000000;
  parameter int unsigned ICE_GLTCLAN_CQ_CNTX_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLTCLAN_CQ_CNTX_VALUE_MASK = 32'hFFFFFFFF;

  // VP_MDET_TX_TCLAN: malicious: descriptors, per VF
  parameter logic [24:0] ICE_VP_MDET_TX_TCLAN_OFFSET = 25'h00FB800;
  parameter int unsigned ICE_VP_MDET_TX_TCLAN_COUNT = 256;
  parameter int unsigned ICE_VP_MDET_TX_TCLAN_STRIDE = 4;
  parameter logic [31:0] ICE_VP_MDET_TX_TCLAN_RESET = 32'h00000000;
  parameter int unsigned ICE_VP_MDET_TX_TCLAN_VALID_LSB = 0;
  parameter logic [31:0] ICE_VP_MDET_TX_TCLAN_VALID_MASK = 32'h00000001;

  // PF_MDET_TX_TCLAN: malicious: descriptors, PF
  parameter logic [24:0] ICE_PF_MDET_TX_TCLAN_OFFSET = 25'h00FC000;
  parameter logic [31:0] ICE_PF_MDET_TX_TCLAN_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_MDET_TX_TCLAN_VALID_LSB = 0;
  parameter logic [31:0] ICE_PF_MDET_TX_TCLAN_VALID_MASK = 32'h00000001;

  // GLCOMM_MIN_MAX_PKT: shortest and longest frame
  parameter logic [24:0] ICE_GLCOMM_MIN_MAX_PKT_OFFSET = 25'h00FC064;
  parameter logic [31:0] ICE_GLCOMM_MIN_MAX_PKT_RESET = 32'h10112600;
  parameter int unsigned ICE_GLCOMM_MIN_MAX_PKT_MAHDL_LSB = 0;
  parameter logic [31:0] ICE_GLCOMM_MIN_MAX_PKT_MAHDL_MASK = 32'h00003FFF;
  parameter int unsigned ICE_GLCOMM_MIN_MAX_PKT_MIHDL_LSB = 16;
  parameter logic [31:0] ICE_GLCOMM_MIN_MAX_PKT_MIHDL_MASK = 32'h003F0000;
  parameter int unsigned ICE_GLCOMM_MIN_MAX_PKT_LSO_COMS_MIHDL_LSB = 22;
  parameter logic [31:0] ICE_GLCOMM_MIN_MAX_PKT_LSO_COMS_MIHDL_MASK = 32'hFFC00000;

  // GL_MDET_TX_TCLAN: malicious: descriptors, first event
  parameter logic [24:0] ICE_GL_MDET_TX_TCLAN_OFFSET = 25'h00FC068;
  parameter logic [31:0] ICE_GL_MDET_TX_TCLAN_RESET = 32'h00000000;
  parameter int unsigned ICE_GL_MDET_TX_TCLAN_QNUM_LSB = 0;
  parameter logic [31:0] ICE_GL_MDET_TX_TCLAN_QNUM_MASK = 32'h00007FFF;
  parameter int unsigned ICE_GL_MDET_TX_TCLAN_VF_NUM_LSB = 15;
  parameter logic [31:0] ICE_GL_MDET_TX_TCLAN_VF_NUM_MASK = 32'h007F8000;
  parameter int unsigned ICE_GL_MDET_TX_TCLAN_PF_NUM_LSB = 23;
  parameter logic [31:0] ICE_GL_MDET_TX_TCLAN_PF_NUM_MASK = 32'h03800000;
  parameter int unsigned ICE_GL_MDET_TX_TCLAN_MAL_TYPE_LSB = 26;
  parameter logic [31:0] ICE_GL_MDET_TX_TCLAN_MAL_TYPE_MASK = 32'h7C000000;
  parameter int unsigned ICE_GL_MDET_TX_TCLAN_VALID_LSB = 31;
  parameter logic [31:0] ICE_GL_MDET_TX_TCLAN_VALID_MASK = 32'h80000000;

  // GLLAN_TCLAN_CACHE_CTL: descriptor cache; reset from parameters
  parameter logic [24:0] ICE_GLLAN_TCLAN_CACHE_CTL_OFFSET = 25'h00FC0B8;
  parameter logic [31:0] ICE_GLLAN_TCLAN_CACHE_CTL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLLAN_TCLAN_CACHE_CTL_MIN_FETCH_THRESH_LSB = 0;
  parameter logic [31:0] ICE_GLLAN_TCLAN_CACHE_CTL_MIN_FETCH_THRESH_MASK = 32'h0000003F;
  parameter int unsigned ICE_GLLAN_TCLAN_CACHE_CTL_FETCH_CL_ALIGN_LSB = 6;
  parameter logic [31:0] ICE_GLLAN_TCLAN_CACHE_CTL_FETCH_CL_ALIGN_MASK = 32'h00000040;
  parameter int unsigned ICE_GLLAN_TCLAN_CACHE_CTL_MIN_ALLOC_THRESH_LSB = 7;
  parameter logic [31:0] ICE_GLLAN_TCLAN_CACHE_CTL_MIN_ALLOC_THRESH_MASK = 32'h00003F80;
  parameter int unsigned ICE_GLLAN_TCLAN_CACHE_CTL_CACHE_ENTRY_CNT_LSB = 14;
  parameter logic [31:0] ICE_GLLAN_TCLAN_CACHE_CTL_CACHE_ENTRY_CNT_MASK = 32'h003FC000;
  parameter int unsigned ICE_GLLAN_TCLAN_CACHE_CTL_CACHE_DESC_LIM_LSB = 22;
  parameter logic [31:0] ICE_GLLAN_TCLAN_CACHE_CTL_CACHE_DESC_LIM_MASK = 32'hFFC00000;

  // GL_MDCK_TDAT_TCLAN: checks of descriptors, bit per cause
  parameter logic [24:0] ICE_GL_MDCK_TDAT_TCLAN_OFFSET = 25'h00FC0DC;
  parameter logic [31:0] ICE_GL_MDCK_TDAT_TCLAN_RESET = 32'hFFFFFFFF;
  parameter int unsigned ICE_GL_MDCK_TDAT_TCLAN_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GL_MDCK_TDAT_TCLAN_VALUE_MASK = 32'hFFFFFFFF;

  // QRX_CTRL: receive queue enable
  parameter logic [24:0] ICE_QRX_CTRL_OFFSET = 25'h0120000;
  parameter int unsigned ICE_QRX_CTRL_COUNT = 2048;
  parameter int unsigned ICE_QRX_CTRL_STRIDE = 4;
  parameter logic [31:0] ICE_QRX_CTRL_RESET = 32'h00000000;
  parameter int unsigned ICE_QRX_CTRL_QENA_REQ_LSB = 0;
  parameter logic [31:0] ICE_QRX_CTRL_QENA_REQ_MASK = 32'h00000001;
  parameter int unsigned ICE_QRX_CTRL_FAST_QDIS_LSB = 1;
  parameter logic [31:0] ICE_QRX_CTRL_FAST_QDIS_MASK = 32'h00000002;
  parameter int unsigned ICE_QRX_CTRL_QENA_STAT_LSB = 2;
  parameter logic [31:0] ICE_QRX_CTRL_QENA_STAT_MASK = 32'h00000004;
  parameter int unsigned ICE_QRX_CTRL_CDE_LSB = 3;
  parameter logic [31:0] ICE_QRX_CTRL_CDE_MASK = 32'h00000008;
  parameter int unsigned ICE_QRX_CTRL_CDS_LSB = 4;
  parameter logic [31:0] ICE_QRX_CTRL_CDS_MASK = 32'h00000010;

  // QINT_TQCTL: transmit cause
  parameter logic [24:0] ICE_QINT_TQCTL_OFFSET = 25'h0140000;
  parameter int unsigned ICE_QINT_TQCTL_COUNT = 16384;
  parameter int unsigned ICE_QINT_TQCTL_STRIDE = 4;
  parameter logic [31:0] ICE_QINT_TQCTL_RESET = 32'h00000000;
  parameter int unsigned ICE_QINT_TQCTL_MSIX_INDX_LSB = 0;
  parameter logic [31:0] ICE_QINT_TQCTL_MSIX_INDX_MASK = 32'h000007FF;
  parameter int unsigned ICE_QINT_TQCTL_ITR_INDX_LSB = 11;
  parameter logic [31:0] ICE_QINT_TQCTL_ITR_INDX_MASK = 32'h00001800;
  parameter int unsigned ICE_QINT_TQCTL_CAUSE_ENA_LSB = 30;
  parameter logic [31:0] ICE_QINT_TQCTL_CAUSE_ENA_MASK = 32'h40000000;
  parameter int unsigned ICE_QINT_TQCTL_INTEVENT_LSB = 31;
  parameter logic [31:0] ICE_QINT_TQCTL_INTEVENT_MASK = 32'h80000000;

  // QINT_RQCTL: receive cause
  parameter logic [24:0] ICE_QINT_RQCTL_OFFSET = 25'h0150000;
  parameter int unsigned ICE_QINT_RQCTL_COUNT = 2048;
  parameter int unsigned ICE_QINT_RQCTL_STRIDE = 4;
  parameter logic [31:0] ICE_QINT_RQCTL_RESET = 32'h00000000;
  parameter int unsigned ICE_QINT_RQCTL_MSIX_INDX_LSB = 0;
  parameter logic [31:0] ICE_QINT_RQCTL_MSIX_INDX_MASK = 32'h000007FF;
  parameter int unsigned ICE_QINT_RQCTL_ITR_INDX_LSB = 11;
  parameter logic [31:0] ICE_QINT_RQCTL_ITR_INDX_MASK = 32'h00001800;
  parameter int unsigned ICE_QINT_RQCTL_CAUSE_ENA_LSB = 30;
  parameter logic [31:0] ICE_QINT_RQCTL_CAUSE_ENA_MASK = 32'h40000000;
  parameter int unsigned ICE_QINT_RQCTL_INTEVENT_LSB = 31;
  parameter logic [31:0] ICE_QINT_RQCTL_INTEVENT_MASK = 32'h80000000;

  // GLINT_ITR: throttle timers; timer i of vector n at 2048i + n
  parameter logic [24:0] ICE_GLINT_ITR_OFFSET = 25'h0154000;
  parameter int unsigned ICE_GLINT_ITR_COUNT = 6144;
  parameter int unsigned ICE_GLINT_ITR_STRIDE = 4;
  parameter logic [31:0] ICE_GLINT_ITR_RESET = 32'h00000000;
  parameter int unsigned ICE_GLINT_ITR_INTERVAL_LSB = 0;
  parameter logic [31:0] ICE_GLINT_ITR_INTERVAL_MASK = 32'h00000FFF;

  // GLINT_RATE: interrupt rate limit
  parameter logic [24:0] ICE_GLINT_RATE_OFFSET = 25'h015A000;
  parameter int unsigned ICE_GLINT_RATE_COUNT = 2048;
  parameter int unsigned ICE_GLINT_RATE_STRIDE = 4;
  parameter logic [31:0] ICE_GLINT_RATE_RESET = 32'h00000000;
  parameter int unsigned ICE_GLINT_RATE_INTERVAL_LSB = 0;
  parameter logic [31:0] ICE_GLINT_RATE_INTERVAL_MASK = 32'h0000003F;
  parameter int unsigned ICE_GLINT_RATE_INTRL_ENA_LSB = 6;
  parameter logic [31:0] ICE_GLINT_RATE_INTRL_ENA_MASK = 32'h00000040;

  // GLINT_CEQCTL: RDMA cause; stored
  parameter logic [24:0] ICE_GLINT_CEQCTL_OFFSET = 25'h015C000;
  parameter int unsigned ICE_GLINT_CEQCTL_COUNT = 2048;
  parameter int unsigned ICE_GLINT_CEQCTL_STRIDE = 4;
  parameter logic [31:0] ICE_GLINT_CEQCTL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLINT_CEQCTL_MSIX_INDX_LSB = 0;
  parameter logic [31:0] ICE_GLINT_CEQCTL_MSIX_INDX_MASK = 32'h000007FF;
  parameter int unsigned ICE_GLINT_CEQCTL_ITR_INDX_LSB = 11;
  parameter logic [31:0] ICE_GLINT_CEQCTL_ITR_INDX_MASK = 32'h00001800;
  parameter int unsigned ICE_GLINT_CEQCTL_CAUSE_ENA_LSB = 30;
  parameter logic [31:0] ICE_GLINT_CEQCTL_CAUSE_ENA_MASK = 32'h40000000;
  parameter int unsigned ICE_GLINT_CEQCTL_INTEVENT_LSB = 31;
  parameter logic [31:0] ICE_GLINT_CEQCTL_INTEVENT_MASK = 32'h80000000;

  // GLINT_DYN_CTL: vector control
  parameter logic [24:0] ICE_GLINT_DYN_CTL_OFFSET = 25'h0160000;
  parameter int unsigned ICE_GLINT_DYN_CTL_COUNT = 2048;
  parameter int unsigned ICE_GLINT_DYN_CTL_STRIDE = 4;
  parameter logic [31:0] ICE_GLINT_DYN_CTL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLINT_DYN_CTL_INTENA_LSB = 0;
  parameter logic [31:0] ICE_GLINT_DYN_CTL_INTENA_MASK = 32'h00000001;
  parameter int unsigned ICE_GLINT_DYN_CTL_CLEARPBA_LSB = 1;
  parameter logic [31:0] ICE_GLINT_DYN_CTL_CLEARPBA_MASK = 32'h00000002;
  parameter int unsigned ICE_GLINT_DYN_CTL_SWINT_TRIG_LSB = 2;
  parameter logic [31:0] ICE_GLINT_DYN_CTL_SWINT_TRIG_MASK = 32'h00000004;
  parameter int unsigned ICE_GLINT_DYN_CTL_ITR_INDX_LSB = 3;
  parameter logic [31:0] ICE_GLINT_DYN_CTL_ITR_INDX_MASK = 32'h00000018;
  parameter int unsigned ICE_GLINT_DYN_CTL_INTERVAL_LSB = 5;
  parameter logic [31:0] ICE_GLINT_DYN_CTL_INTERVAL_MASK = 32'h0001FFE0;
  parameter int unsigned ICE_GLINT_DYN_CTL_SW_ITR_INDX_ENA_LSB = 24;
  parameter logic [31:0] ICE_GLINT_DYN_CTL_SW_ITR_INDX_ENA_MASK = 32'h01000000;
  parameter int unsigned ICE_GLINT_DYN_CTL_SW_ITR_INDX_LSB = 25;
  parameter logic [31:0] ICE_GLINT_DYN_CTL_SW_ITR_INDX_MASK = 32'h06000000;
  parameter int unsigned ICE_GLINT_DYN_CTL_WB_ON_ITR_LSB = 30;
  parameter logic [31:0] ICE_GLINT_DYN_CTL_WB_ON_ITR_MASK = 32'h40000000;
  parameter int unsigned ICE_GLINT_DYN_CTL_INTENA_MSK_LSB = 31;
  parameter logic [31:0] ICE_GLINT_DYN_CTL_INTENA_MSK_MASK = 32'h80000000;

  // GLINT_VECT2FUNC: owner of a vector
  parameter logic [24:0] ICE_GLINT_VECT2FUNC_OFFSET = 25'h0162000;
  parameter int unsigned ICE_GLINT_VECT2FUNC_COUNT = 2048;
  parameter int unsigned ICE_GLINT_VECT2FUNC_STRIDE = 4;
  parameter logic [31:0] ICE_GLINT_VECT2FUNC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLINT_VECT2FUNC_VF_NUM_LSB = 0;
  parameter logic [31:0] ICE_GLINT_VECT2FUNC_VF_NUM_MASK = 32'h000000FF;
  parameter int unsigned ICE_GLINT_VECT2FUNC_PF_NUM_LSB = 12;
  parameter logic [31:0] ICE_GLINT_VECT2FUNC_PF_NUM_MASK = 32'h00007000;
  parameter int unsigned ICE_GLINT_VECT2FUNC_IS_PF_LSB = 16;
  parameter logic [31:0] ICE_GLINT_VECT2FUNC_IS_PF_MASK = 32'h00010000;

  // PFINT_MBX_CTL: mailbox cause; stored
  parameter logic [24:0] ICE_PFINT_MBX_CTL_OFFSET = 25'h016B280;
  parameter logic [31:0] ICE_PFINT_MBX_CTL_RESET = 32'h00000000;
  parameter int unsigned ICE_PFINT_MBX_CTL_MSIX_INDX_LSB = 0;
  parameter logic [31:0] ICE_PFINT_MBX_CTL_MSIX_INDX_MASK = 32'h000007FF;
  parameter int unsigned ICE_PFINT_MBX_CTL_ITR_INDX_LSB = 11;
  parameter logic [31:0] ICE_PFINT_MBX_CTL_ITR_INDX_MASK = 32'h00001800;
  parameter int unsigned ICE_PFINT_MBX_CTL_CAUSE_ENA_LSB = 30;
  parameter logic [31:0] ICE_PFINT_MBX_CTL_CAUSE_ENA_MASK = 32'h40000000;
  parameter int unsigned ICE_PFINT_MBX_CTL_INTEVENT_LSB = 31;
  parameter logic [31:0] ICE_PFINT_MBX_CTL_INTEVENT_MASK = 32'h80000000;

  // PFINT_FW_CTL: admin queue cause
  parameter logic [24:0] ICE_PFINT_FW_CTL_OFFSET = 25'h016C800;
  parameter logic [31:0] ICE_PFINT_FW_CTL_RESET = 32'h00000000;
  parameter int unsigned ICE_PFINT_FW_CTL_MSIX_INDX_LSB = 0;
  parameter logic [31:0] ICE_PFINT_FW_CTL_MSIX_INDX_MASK = 32'h000007FF;
  parameter int unsigned ICE_PFINT_FW_CTL_ITR_INDX_LSB = 11;
  parameter logic [31:0] ICE_PFINT_FW_CTL_ITR_INDX_MASK = 32'h00001800;
  parameter int unsigned ICE_PFINT_FW_CTL_CAUSE_ENA_LSB = 30;
  parameter logic [31:0] ICE_PFINT_FW_CTL_CAUSE_ENA_MASK = 32'h40000000;
  parameter int unsigned ICE_PFINT_FW_CTL_INTEVENT_LSB = 31;
  parameter logic [31:0] ICE_PFINT_FW_CTL_INTEVENT_MASK = 32'h80000000;

  // PFINT_OICR_ENA: other causes, enable
  parameter logic [24:0] ICE_PFINT_OICR_ENA_OFFSET = 25'h016C900;
  parameter logic [31:0] ICE_PFINT_OICR_ENA_RESET = 32'h00000000;
  parameter int unsigned ICE_PFINT_OICR_ENA_TSYN_TX_LSB = 11;
  parameter logic [31:0] ICE_PFINT_OICR_ENA_TSYN_TX_MASK = 32'h00000800;
  parameter int unsigned ICE_PFINT_OICR_ENA_ECC_ERR_LSB = 16;
  parameter logic [31:0] ICE_PFINT_OICR_ENA_ECC_ERR_MASK = 32'h00010000;
  parameter int unsigned ICE_PFINT_OICR_ENA_MAL_DETECT_LSB = 19;
  parameter logic [31:0] ICE_PFINT_OICR_ENA_MAL_DETECT_MASK = 32'h00080000;
  parameter int unsigned ICE_PFINT_OICR_ENA_GRST_LSB = 20;
  parameter logic [31:0] ICE_PFINT_OICR_ENA_GRST_MASK = 32'h00100000;
  parameter int unsigned ICE_PFINT_OICR_ENA_PCI_EXCEPTION_LSB = 21;
  parameter logic [31:0] ICE_PFINT_OICR_ENA_PCI_EXCEPTION_MASK = 32'h00200000;
  parameter int unsigned ICE_PFINT_OICR_ENA_HMC_ERR_LSB = 26;
  parameter logic [31:0] ICE_PFINT_OICR_ENA_HMC_ERR_MASK = 32'h04000000;
  parameter int unsigned ICE_PFINT_OICR_ENA_PE_CRITERR_LSB = 28;
  parameter logic [31:0] ICE_PFINT_OICR_ENA_PE_CRITERR_MASK = 32'h10000000;
  parameter int unsigned ICE_PFINT_OICR_ENA_VFLR_LSB = 29;
  parameter logic [31:0] ICE_PFINT_OICR_ENA_VFLR_MASK = 32'h20000000;
  parameter int unsigned ICE_PFINT_OICR_ENA_SWINT_LSB = 31;
  parameter logic [31:0] ICE_PFINT_OICR_ENA_SWINT_MASK = 32'h80000000;

  // PFINT_OICR: other causes
  parameter logic [24:0] ICE_PFINT_OICR_OFFSET = 25'h016CA00;
  parameter logic [31:0] ICE_PFINT_OICR_RESET = 32'h00000000;
  parameter int unsigned ICE_PFINT_OICR_TSYN_TX_LSB = 11;
  parameter logic [31:0] ICE_PFINT_OICR_TSYN_TX_MASK = 32'h00000800;
  parameter int unsigned ICE_PFINT_OICR_ECC_ERR_LSB = 16;
  parameter logic [31:0] ICE_PFINT_OICR_ECC_ERR_MASK = 32'h00010000;
  parameter int unsigned ICE_PFINT_OICR_MAL_DETECT_LSB = 19;
  parameter logic [31:0] ICE_PFINT_OICR_MAL_DETECT_MASK = 32'h00080000;
  parameter int unsigned ICE_PFINT_OICR_GRST_LSB = 20;
  parameter logic [31:0] ICE_PFINT_OICR_GRST_MASK = 32'h00100000;
  parameter int unsigned ICE_PFINT_OICR_PCI_EXCEPTION_LSB = 21;
  parameter logic [31:0] ICE_PFINT_OICR_PCI_EXCEPTION_MASK = 32'h00200000;
  parameter int unsigned ICE_PFINT_OICR_HMC_ERR_LSB = 26;
  parameter logic [31:0] ICE_PFINT_OICR_HMC_ERR_MASK = 32'h04000000;
  parameter int unsigned ICE_PFINT_OICR_PE_CRITERR_LSB = 28;
  parameter logic [31:0] ICE_PFINT_OICR_PE_CRITERR_MASK = 32'h10000000;
  parameter int unsigned ICE_PFINT_OICR_VFLR_LSB = 29;
  parameter logic [31:0] ICE_PFINT_OICR_VFLR_MASK = 32'h20000000;
  parameter int unsigned ICE_PFINT_OICR_SWINT_LSB = 31;
  parameter logic [31:0] ICE_PFINT_OICR_SWINT_MASK = 32'h80000000;

  // PFINT_OICR_CTL: other causes, vector
  parameter logic [24:0] ICE_PFINT_OICR_CTL_OFFSET = 25'h016CA80;
  parameter logic [31:0] ICE_PFINT_OICR_CTL_RESET = 32'h00000000;
  parameter int unsigned ICE_PFINT_OICR_CTL_MSIX_INDX_LSB = 0;
  parameter logic [31:0] ICE_PFINT_OICR_CTL_MSIX_INDX_MASK = 32'h000007FF;
  parameter int unsigned ICE_PFINT_OICR_CTL_ITR_INDX_LSB = 11;
  parameter logic [31:0] ICE_PFINT_OICR_CTL_ITR_INDX_MASK = 32'h00001800;
  parameter int unsigned ICE_PFINT_OICR_CTL_CAUSE_ENA_LSB = 30;
  parameter logic [31:0] ICE_PFINT_OICR_CTL_CAUSE_ENA_MASK = 32'h40000000;
  parameter int unsigned ICE_PFINT_OICR_CTL_INTEVENT_LSB = 31;
  parameter logic [31:0] ICE_PFINT_OICR_CTL_INTEVENT_MASK = 32'h80000000;

  // GLINT_CTL: timer units
  parameter logic [24:0] ICE_GLINT_CTL_OFFSET = 25'h016CC54;
  parameter logic [31:0] ICE_GLINT_CTL_RESET = 32'h22220000;
  parameter int unsigned ICE_GLINT_CTL_DIS_AUTOMASK_LSB = 0;
  parameter logic [31:0] ICE_GLINT_CTL_DIS_AUTOMASK_MASK = 32'h00000001;
  parameter int unsigned ICE_GLINT_CTL_ITR_GRAN_200_LSB = 16;
  parameter logic [31:0] ICE_GLINT_CTL_ITR_GRAN_200_MASK = 32'h000F0000;
  parameter int unsigned ICE_GLINT_CTL_ITR_GRAN_100_LSB = 20;
  parameter logic [31:0] ICE_GLINT_CTL_ITR_GRAN_100_MASK = 32'h00F00000;
  parameter int unsigned ICE_GLINT_CTL_ITR_GRAN_50_LSB = 24;
  parameter logic [31:0] ICE_GLINT_CTL_ITR_GRAN_50_MASK = 32'h0F000000;
  parameter int unsigned ICE_GLINT_CTL_ITR_GRAN_25_LSB = 28;
  parameter logic [31:0] ICE_GLINT_CTL_ITR_GRAN_25_MASK = 32'hF0000000;

  // PFLAN_RX_QALLOC: receive queues of the PF
  parameter logic [24:0] ICE_PFLAN_RX_QALLOC_OFFSET = 25'h01D2500;
  parameter logic [31:0] ICE_PFLAN_RX_QALLOC_RESET = 32'h87FF0000;
  parameter int unsigned ICE_PFLAN_RX_QALLOC_FIRST_LSB = 0;
  parameter logic [31:0] ICE_PFLAN_RX_QALLOC_FIRST_MASK = 32'h000007FF;
  parameter int unsigned ICE_PFLAN_RX_QALLOC_LAST_LSB = 16;
  parameter logic [31:0] ICE_PFLAN_RX_QALLOC_LAST_MASK = 32'h07FF0000;
  parameter int unsigned ICE_PFLAN_RX_QALLOC_VALID_LSB = 31;
  parameter logic [31:0] ICE_PFLAN_RX_QALLOC_VALID_MASK = 32'h80000000;

  // PFLAN_TX_QALLOC: transmit queues of the PF
  parameter logic [24:0] ICE_PFLAN_TX_QALLOC_OFFSET = 25'h01D2580;
  parameter logic [31:0] ICE_PFLAN_TX_QALLOC_RESET = 32'hBFFF0000;
  parameter int unsigned ICE_PFLAN_TX_QALLOC_FIRST_LSB = 0;
  parameter logic [31:0] ICE_PFLAN_TX_QALLOC_FIRST_MASK = 32'h00003FFF;
  parameter int unsigned ICE_PFLAN_TX_QALLOC_LAST_LSB = 16;
  parameter logic [31:0] ICE_PFLAN_TX_QALLOC_LAST_MASK = 32'h3FFF0000;
  parameter int unsigned ICE_PFLAN_TX_QALLOC_VALID_LSB = 31;
  parameter logic [31:0] ICE_PFLAN_TX_QALLOC_VALID_MASK = 32'h80000000;

  // PFINT_ALLOC: vectors of the PF
  parameter logic [24:0] ICE_PFINT_ALLOC_OFFSET = 25'h01D2600;
  parameter logic [31:0] ICE_PFINT_ALLOC_RESET = 32'h807FF000;
  parameter int unsigned ICE_PFINT_ALLOC_FIRST_LSB = 0;
  parameter logic [31:0] ICE_PFINT_ALLOC_FIRST_MASK = 32'h000007FF;
  parameter int unsigned ICE_PFINT_ALLOC_LAST_LSB = 12;
  parameter logic [31:0] ICE_PFINT_ALLOC_LAST_MASK = 32'h007FF000;
  parameter int unsigned ICE_PFINT_ALLOC_VALID_LSB = 31;
  parameter logic [31:0] ICE_PFINT_ALLOC_VALID_MASK = 32'h80000000;

  // QRX_CONTEXT: receive contexts, dword i of queue n at 2048i + n
  parameter logic [24:0] ICE_QRX_CONTEXT_OFFSET = 25'h0280000;
  parameter int unsigned ICE_QRX_CONTEXT_COUNT = 16384;
  parameter int unsigned ICE_QRX_CONTEXT_STRIDE = 4;
  parameter logic [31:0] ICE_QRX_CONTEXT_RESET = 32'h00000000;
  parameter int unsigned ICE_QRX_CONTEXT_VALUE_LSB = 0;
  parameter logic [31:0] ICE_QRX_CONTEXT_VALUE_MASK = 32'hFFFFFFFF;

  // QRX_TAIL: receive doorbell, low 3 bits ignored
  parameter logic [24:0] ICE_QRX_TAIL_OFFSET = 25'h0290000;
  parameter int unsigned ICE_QRX_TAIL_COUNT = 2048;
  parameter int unsigned ICE_QRX_TAIL_STRIDE = 4;
  parameter logic [31:0] ICE_QRX_TAIL_RESET = 32'h00000000;
  parameter int unsigned ICE_QRX_TAIL_TAIL_LSB = 0;
  parameter logic [31:0] ICE_QRX_TAIL_TAIL_MASK = 32'h00001FFF;

  // QRX_ITR: write-back without merging
  parameter logic [24:0] ICE_QRX_ITR_OFFSET = 25'h0292000;
  parameter int unsigned ICE_QRX_ITR_COUNT = 2048;
  parameter int unsigned ICE_QRX_ITR_STRIDE = 4;
  parameter logic [31:0] ICE_QRX_ITR_RESET = 32'h00000000;
  parameter int unsigned ICE_QRX_ITR_NO_EXPR_LSB = 0;
  parameter logic [31:0] ICE_QRX_ITR_NO_EXPR_MASK = 32'h00000001;

  // GLLAN_RCTL_0: receive control
  parameter logic [24:0] ICE_GLLAN_RCTL_0_OFFSET = 25'h02941F8;
  parameter logic [31:0] ICE_GLLAN_RCTL_0_RESET = 32'h00000000;
  parameter int unsigned ICE_GLLAN_RCTL_0_PXE_LSB = 0;
  parameter logic [31:0] ICE_GLLAN_RCTL_0_PXE_MASK = 32'h00000001;

  // GLLAN_RCTL_1: receive control, ordering
  parameter logic [24:0] ICE_GLLAN_RCTL_1_OFFSET = 25'h02941FC;
  parameter logic [31:0] ICE_GLLAN_RCTL_1_RESET = 32'h00000000;
  parameter int unsigned ICE_GLLAN_RCTL_1_RXMAX_EXPANSION_LSB = 12;
  parameter logic [31:0] ICE_GLLAN_RCTL_1_RXMAX_EXPANSION_MASK = 32'h0000F000;
  parameter int unsigned ICE_GLLAN_RCTL_1_RXDRDCTL_LSB = 17;
  parameter logic [31:0] ICE_GLLAN_RCTL_1_RXDRDCTL_MASK = 32'h00020000;
  parameter int unsigned ICE_GLLAN_RCTL_1_RXDESCRDROEN_LSB = 18;
  parameter logic [31:0] ICE_GLLAN_RCTL_1_RXDESCRDROEN_MASK = 32'h00040000;
  parameter int unsigned ICE_GLLAN_RCTL_1_RXDATAWRROEN_LSB = 19;
  parameter logic [31:0] ICE_GLLAN_RCTL_1_RXDATAWRROEN_MASK = 32'h00080000;

  // GL_MDCK_RX: checks of receive, bit per cause
  parameter logic [24:0] ICE_GL_MDCK_RX_OFFSET = 25'h029422C;
  parameter logic [31:0] ICE_GL_MDCK_RX_RESET = 32'hFFFFFFFF;
  parameter int unsigned ICE_GL_MDCK_RX_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GL_MDCK_RX_VALUE_MASK = 32'hFFFFFFFF;

  // PF_MDET_RX: malicious: receive, PF
  parameter logic [24:0] ICE_PF_MDET_RX_OFFSET = 25'h0294280;
  parameter logic [31:0] ICE_PF_MDET_RX_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_MDET_RX_VALID_LSB = 0;
  parameter logic [31:0] ICE_PF_MDET_RX_VALID_MASK = 32'h00000001;

  // VP_MDET_RX: malicious: receive, per VF
  parameter logic [24:0] ICE_VP_MDET_RX_OFFSET = 25'h0294400;
  parameter int unsigned ICE_VP_MDET_RX_COUNT = 256;
  parameter int unsigned ICE_VP_MDET_RX_STRIDE = 4;
  parameter logic [31:0] ICE_VP_MDET_RX_RESET = 32'h00000000;
  parameter int unsigned ICE_VP_MDET_RX_VALID_LSB = 0;
  parameter logic [31:0] ICE_VP_MDET_RX_VALID_MASK = 32'h00000001;

  // GL_MDET_RX: malicious: receive, first event
  parameter logic [24:0] ICE_GL_MDET_RX_OFFSET = 25'h0294C00;
  parameter logic [31:0] ICE_GL_MDET_RX_RESET = 32'h00000000;
  parameter int unsigned ICE_GL_MDET_RX_QNUM_LSB = 0;
  parameter logic [31:0] ICE_GL_MDET_RX_QNUM_MASK = 32'h00007FFF;
  parameter int unsigned ICE_GL_MDET_RX_VF_NUM_LSB = 15;
  parameter logic [31:0] ICE_GL_MDET_RX_VF_NUM_MASK = 32'h007F8000;
  parameter int unsigned ICE_GL_MDET_RX_PF_NUM_LSB = 23;
  parameter logic [31:0] ICE_GL_MDET_RX_PF_NUM_MASK = 32'h03800000;
  parameter int unsigned ICE_GL_MDET_RX_MAL_TYPE_LSB = 26;
  parameter logic [31:0] ICE_GL_MDET_RX_MAL_TYPE_MASK = 32'h7C000000;
  parameter int unsigned ICE_GL_MDET_RX_VALID_LSB = 31;
  parameter logic [31:0] ICE_GL_MDET_RX_VALID_MASK = 32'h80000000;

  // GLV_RDPC: received, dropped: no descriptor; per VSI
  parameter logic [24:0] ICE_GLV_RDPC_OFFSET = 25'h0294C04;
  parameter int unsigned ICE_GLV_RDPC_COUNT = 768;
  parameter int unsigned ICE_GLV_RDPC_STRIDE = 4;
  parameter logic [31:0] ICE_GLV_RDPC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLV_RDPC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLV_RDPC_VALUE_MASK = 32'hFFFFFFFF;

  // QTX_COMM_DBELL: transmit doorbell: new tail
  parameter logic [24:0] ICE_QTX_COMM_DBELL_OFFSET = 25'h02C0000;
  parameter int unsigned ICE_QTX_COMM_DBELL_COUNT = 16384;
  parameter int unsigned ICE_QTX_COMM_DBELL_STRIDE = 4;
  parameter logic [31:0] ICE_QTX_COMM_DBELL_RESET = 32'h00000000;
  parameter int unsigned ICE_QTX_COMM_DBELL_VALUE_LSB = 0;
  parameter logic [31:0] ICE_QTX_COMM_DBELL_VALUE_MASK = 32'hFFFFFFFF;

  // QTX_COMM_DBLQ_CNTX: doorbell queue contexts; stored
  parameter logic [24:0] ICE_QTX_COMM_DBLQ_CNTX_OFFSET = 25'h02D0000;
  parameter int unsigned ICE_QTX_COMM_DBLQ_CNTX_COUNT = 1280;
  parameter int unsigned ICE_QTX_COMM_DBLQ_CNTX_STRIDE = 4;
  parameter logic [31:0] ICE_QTX_COMM_DBLQ_CNTX_RESET = 32'h00000000;
  parameter int unsigned ICE_QTX_COMM_DBLQ_CNTX_VALUE_LSB = 0;
  parameter logic [31:0] ICE_QTX_COMM_DBLQ_CNTX_VALUE_MASK = 32'hFFFFFFFF;

  // QTX_COMM_DBLQ_DBELL: doorbell queues; stored
  parameter logic [24:0] ICE_QTX_COMM_DBLQ_DBELL_OFFSET = 25'h02D1400;
  parameter int unsigned ICE_QTX_COMM_DBLQ_DBELL_COUNT = 256;
  parameter int unsigned ICE_QTX_COMM_DBLQ_DBELL_STRIDE = 4;
  parameter logic [31:0] ICE_QTX_COMM_DBLQ_DBELL_RESET = 32'h00000000;
  parameter int unsigned ICE_QTX_COMM_DBLQ_DBELL_TAIL_LSB = 0;
  parameter logic [31:0] ICE_QTX_COMM_DBLQ_DBELL_TAIL_MASK = 32'h00001FFF;

  // VP_MDET_TX_PQM: malicious: doorbells, per VF
  parameter logic [24:0] ICE_VP_MDET_TX_PQM_OFFSET = 25'h02D2000;
  parameter int unsigned ICE_VP_MDET_TX_PQM_COUNT = 256;
  parameter int unsigned ICE_VP_MDET_TX_PQM_STRIDE = 4;
  parameter logic [31:0] ICE_VP_MDET_TX_PQM_RESET = 32'h00000000;
  parameter int unsigned ICE_VP_MDET_TX_PQM_VALID_LSB = 0;
  parameter logic [31:0] ICE_VP_MDET_TX_PQM_VALID_MASK = 32'h00000001;

  // PF_MDET_TX_PQM: malicious: doorbells, PF
  parameter logic [24:0] ICE_PF_MDET_TX_PQM_OFFSET = 25'h02D2C80;
  parameter logic [31:0] ICE_PF_MDET_TX_PQM_RESET = 32'h00000000;
  parameter int unsigned ICE_PF_MDET_TX_PQM_VALID_LSB = 0;
  parameter logic [31:0] ICE_PF_MDET_TX_PQM_VALID_MASK = 32'h00000001;

  // GLCOMM_QTX_CNTX_DATA: transmit context, indirect
  parameter logic [24:0] ICE_GLCOMM_QTX_CNTX_DATA_OFFSET = 25'h02D2D40;
  parameter int unsigned ICE_GLCOMM_QTX_CNTX_DATA_COUNT = 10;
  parameter int unsigned ICE_GLCOMM_QTX_CNTX_DATA_STRIDE = 4;
  parameter logic [31:0] ICE_GLCOMM_QTX_CNTX_DATA_RESET = 32'h00000000;
  parameter int unsigned ICE_GLCOMM_QTX_CNTX_DATA_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLCOMM_QTX_CNTX_DATA_VALUE_MASK = 32'hFFFFFFFF;

  // GLCOMM_QUANTA_PROF: scheduler quanta; reset from parameters
  parameter logic [24:0] ICE_GLCOMM_QUANTA_PROF_OFFSET = 25'h02D2D68;
  parameter int unsigned ICE_GLCOMM_QUANTA_PROF_COUNT = 16;
  parameter int unsigned ICE_GLCOMM_QUANTA_PROF_STRIDE = 4;
  parameter logic [31:0] ICE_GLCOMM_QUANTA_PROF_RESET = 32'h00000000;
  parameter int unsigned ICE_GLCOMM_QUANTA_PROF_QUANTA_SIZE_LSB = 0;
  parameter logic [31:0] ICE_GLCOMM_QUANTA_PROF_QUANTA_SIZE_MASK = 32'h00003FFF;
  parameter int unsigned ICE_GLCOMM_QUANTA_PROF_MAX_CMD_LSB = 16;
  parameter logic [31:0] ICE_GLCOMM_QUANTA_PROF_MAX_CMD_MASK = 32'h00FF0000;
  parameter int unsigned ICE_GLCOMM_QUANTA_PROF_MAX_DESC_LSB = 24;
  parameter logic [31:0] ICE_GLCOMM_QUANTA_PROF_MAX_DESC_MASK = 32'h3F000000;

  // GLCOMM_PKT_SHAPER_PROF: packet shapers
  parameter logic [24:0] ICE_GLCOMM_PKT_SHAPER_PROF_OFFSET = 25'h02D2DA8;
  parameter int unsigned ICE_GLCOMM_PKT_SHAPER_PROF_COUNT = 8;
  parameter int unsigned ICE_GLCOMM_PKT_SHAPER_PROF_STRIDE = 4;
  parameter logic [31:0] ICE_GLCOMM_PKT_SHAPER_PROF_RESET = 32'h00000000;
  parameter int unsigned ICE_GLCOMM_PKT_SHAPER_PROF_PKTCNT_LSB = 0;
  parameter logic [31:0] ICE_GLCOMM_PKT_SHAPER_PROF_PKTCNT_MASK = 32'h0000003F;

  // GLCOMM_QTX_CNTX_CTL: transmit context, indirect: command
  parameter logic [24:0] ICE_GLCOMM_QTX_CNTX_CTL_OFFSET = 25'h02D2DC8;
  parameter logic [31:0] ICE_GLCOMM_QTX_CNTX_CTL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLCOMM_QTX_CNTX_CTL_QUEUE_ID_LSB = 0;
  parameter logic [31:0] ICE_GLCOMM_QTX_CNTX_CTL_QUEUE_ID_MASK = 32'h00003FFF;
  parameter int unsigned ICE_GLCOMM_QTX_CNTX_CTL_CMD_LSB = 16;
  parameter logic [31:0] ICE_GLCOMM_QTX_CNTX_CTL_CMD_MASK = 32'h00070000;
  parameter int unsigned ICE_GLCOMM_QTX_CNTX_CTL_CMD_EXEC_LSB = 19;
  parameter logic [31:0] ICE_GLCOMM_QTX_CNTX_CTL_CMD_EXEC_MASK = 32'h00080000;

  // GLCOMM_QTX_CNTX_STAT: transmit context, indirect: status
  parameter logic [24:0] ICE_GLCOMM_QTX_CNTX_STAT_OFFSET = 25'h02D2DCC;
  parameter logic [31:0] ICE_GLCOMM_QTX_CNTX_STAT_RESET = 32'h00000000;
  parameter int unsigned ICE_GLCOMM_QTX_CNTX_STAT_CMD_IN_PROG_LSB = 0;
  parameter logic [31:0] ICE_GLCOMM_QTX_CNTX_STAT_CMD_IN_PROG_MASK = 32'h00000001;

  // GL_MDCK_EN_TX_PQM: checks of doorbells, bit per cause
  parameter logic [24:0] ICE_GL_MDCK_EN_TX_PQM_OFFSET = 25'h02D2DFC;
  parameter logic [31:0] ICE_GL_MDCK_EN_TX_PQM_RESET = 32'hFFFFFFFF;
  parameter int unsigned ICE_GL_MDCK_EN_TX_PQM_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GL_MDCK_EN_TX_PQM_VALUE_MASK = 32'hFFFFFFFF;

  // GL_MDET_TX_PQM: malicious: doorbells, first event
  parameter logic [24:0] ICE_GL_MDET_TX_PQM_OFFSET = 25'h02D2E00;
  parameter logic [31:0] ICE_GL_MDET_TX_PQM_RESET = 32'h00000000;
  parameter int unsigned ICE_GL_MDET_TX_PQM_PF_NUM_LSB = 0;
  parameter logic [31:0] ICE_GL_MDET_TX_PQM_PF_NUM_MASK = 32'h00000007;
  parameter int unsigned ICE_GL_MDET_TX_PQM_VF_NUM_LSB = 4;
  parameter logic [31:0] ICE_GL_MDET_TX_PQM_VF_NUM_MASK = 32'h00000FF0;
  parameter int unsigned ICE_GL_MDET_TX_PQM_QNUM_LSB = 12;
  parameter logic [31:0] ICE_GL_MDET_TX_PQM_QNUM_MASK = 32'h03FFF000;
  parameter int unsigned ICE_GL_MDET_TX_PQM_MAL_TYPE_LSB = 26;
  parameter logic [31:0] ICE_GL_MDET_TX_PQM_MAL_TYPE_MASK = 32'h7C000000;
  parameter int unsigned ICE_GL_MDET_TX_PQM_VALID_LSB = 31;
  parameter logic [31:0] ICE_GL_MDET_TX_PQM_VALID_MASK = 32'h80000000;

  // GLV_GOTC: sent: octets; VSI n: low word at 2n, high at 2n + 1
  parameter logic [24:0] ICE_GLV_GOTC_OFFSET = 25'h0300000;
  parameter int unsigned ICE_GLV_GOTC_COUNT = 1536;
  parameter int unsigned ICE_GLV_GOTC_STRIDE = 4;
  parameter logic [31:0] ICE_GLV_GOTC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLV_GOTC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLV_GOTC_VALUE_MASK = 32'hFFFFFFFF;

  // GLV_UPTC: sent: unicast; VSI n: low word at 2n, high at 2n + 1
  parameter logic [24:0] ICE_GLV_UPTC_OFFSET = 25'h030A000;
  parameter int unsigned ICE_GLV_UPTC_COUNT = 1536;
  parameter int unsigned ICE_GLV_UPTC_STRIDE = 4;
  parameter logic [31:0] ICE_GLV_UPTC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLV_UPTC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLV_UPTC_VALUE_MASK = 32'hFFFFFFFF;

  // GLV_MPTC: sent: multicast; VSI n: low word at 2n, high at 2n + 1
  parameter logic [24:0] ICE_GLV_MPTC_OFFSET = 25'h030C000;
  parameter int unsigned ICE_GLV_MPTC_COUNT = 1536;
  parameter int unsigned ICE_GLV_MPTC_STRIDE = 4;
  parameter logic [31:0] ICE_GLV_MPTC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLV_MPTC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLV_MPTC_VALUE_MASK = 32'hFFFFFFFF;

  // GLV_BPTC: sent: broadcast; VSI n: low word at 2n, high at 2n + 1
  parameter logic [24:0] ICE_GLV_BPTC_OFFSET = 25'h030E000;
  parameter int unsigned ICE_GLV_BPTC_COUNT = 1536;
  parameter int unsigned ICE_GLV_BPTC_STRIDE = 4;
  parameter logic [31:0] ICE_GLV_BPTC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLV_BPTC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLV_BPTC_VALUE_MASK = 32'hFFFFFFFF;

  // GLV_TEPC: not sent: errors; per VSI
  parameter logic [24:0] ICE_GLV_TEPC_OFFSET = 25'h0312000;
  parameter int unsigned ICE_GLV_TEPC_COUNT = 768;
  parameter int unsigned ICE_GLV_TEPC_STRIDE = 4;
  parameter logic [31:0] ICE_GLV_TEPC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLV_TEPC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLV_TEPC_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_GORCL: received: octets with FCS, low
  parameter logic [24:0] ICE_GLPRT_GORCL_OFFSET = 25'h0380000;
  parameter logic [31:0] ICE_GLPRT_GORCL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_GORCL_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_GORCL_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_GORCH: received: octets, high
  parameter logic [24:0] ICE_GLPRT_GORCH_OFFSET = 25'h0380004;
  parameter logic [31:0] ICE_GLPRT_GORCH_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_GORCH_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_GORCH_VALUE_MASK = 32'h000000FF;

  // GLPRT_CRCERRS: received: wrong FCS
  parameter logic [24:0] ICE_GLPRT_CRCERRS_OFFSET = 25'h0380100;
  parameter logic [31:0] ICE_GLPRT_CRCERRS_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_CRCERRS_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_CRCERRS_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_RUC: received: too short
  parameter logic [24:0] ICE_GLPRT_RUC_OFFSET = 25'h0380200;
  parameter logic [31:0] ICE_GLPRT_RUC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_RUC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_RUC_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_ROC: received: too long
  parameter logic [24:0] ICE_GLPRT_ROC_OFFSET = 25'h0380240;
  parameter logic [31:0] ICE_GLPRT_ROC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_ROC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_ROC_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_GOTCL: sent: octets with FCS, low
  parameter logic [24:0] ICE_GLPRT_GOTCL_OFFSET = 25'h0380B40;
  parameter logic [31:0] ICE_GLPRT_GOTCL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_GOTCL_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_GOTCL_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_GOTCH: sent: octets, high
  parameter logic [24:0] ICE_GLPRT_GOTCH_OFFSET = 25'h0380B44;
  parameter logic [31:0] ICE_GLPRT_GOTCH_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_GOTCH_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_GOTCH_VALUE_MASK = 32'h000000FF;

  // GLPRT_UPTCL: sent: unicast, low
  parameter logic [24:0] ICE_GLPRT_UPTCL_OFFSET = 25'h03811C0;
  parameter logic [31:0] ICE_GLPRT_UPTCL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_UPTCL_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_UPTCL_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_UPTCH: sent: unicast, high
  parameter logic [24:0] ICE_GLPRT_UPTCH_OFFSET = 25'h03811C4;
  parameter logic [31:0] ICE_GLPRT_UPTCH_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_UPTCH_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_UPTCH_VALUE_MASK = 32'h000000FF;

  // GLPRT_MPTCL: sent: multicast, low
  parameter logic [24:0] ICE_GLPRT_MPTCL_OFFSET = 25'h0381200;
  parameter logic [31:0] ICE_GLPRT_MPTCL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_MPTCL_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_MPTCL_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_MPTCH: sent: multicast, high
  parameter logic [24:0] ICE_GLPRT_MPTCH_OFFSET = 25'h0381204;
  parameter logic [31:0] ICE_GLPRT_MPTCH_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_MPTCH_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_MPTCH_VALUE_MASK = 32'h000000FF;

  // GLPRT_BPTCL: sent: broadcast, low
  parameter logic [24:0] ICE_GLPRT_BPTCL_OFFSET = 25'h0381240;
  parameter logic [31:0] ICE_GLPRT_BPTCL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_BPTCL_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_BPTCL_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_BPTCH: sent: broadcast, high
  parameter logic [24:0] ICE_GLPRT_BPTCH_OFFSET = 25'h0381244;
  parameter logic [31:0] ICE_GLPRT_BPTCH_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_BPTCH_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_BPTCH_VALUE_MASK = 32'h000000FF;

  // GLPRT_TDOLD: sent: dropped on link down
  parameter logic [24:0] ICE_GLPRT_TDOLD_OFFSET = 25'h0381280;
  parameter logic [31:0] ICE_GLPRT_TDOLD_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_TDOLD_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_TDOLD_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_UPRCL: received: unicast, low
  parameter logic [24:0] ICE_GLPRT_UPRCL_OFFSET = 25'h0381300;
  parameter logic [31:0] ICE_GLPRT_UPRCL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_UPRCL_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_UPRCL_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_UPRCH: received: unicast, high
  parameter logic [24:0] ICE_GLPRT_UPRCH_OFFSET = 25'h0381304;
  parameter logic [31:0] ICE_GLPRT_UPRCH_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_UPRCH_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_UPRCH_VALUE_MASK = 32'h000000FF;

  // GLPRT_MPRCL: received: multicast, low
  parameter logic [24:0] ICE_GLPRT_MPRCL_OFFSET = 25'h0381340;
  parameter logic [31:0] ICE_GLPRT_MPRCL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_MPRCL_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_MPRCL_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_MPRCH: received: multicast, high
  parameter logic [24:0] ICE_GLPRT_MPRCH_OFFSET = 25'h0381344;
  parameter logic [31:0] ICE_GLPRT_MPRCH_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_MPRCH_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_MPRCH_VALUE_MASK = 32'h000000FF;

  // GLPRT_BPRCL: received: broadcast, low
  parameter logic [24:0] ICE_GLPRT_BPRCL_OFFSET = 25'h0381380;
  parameter logic [31:0] ICE_GLPRT_BPRCL_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_BPRCL_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_BPRCL_VALUE_MASK = 32'hFFFFFFFF;

  // GLPRT_BPRCH: received: broadcast, high
  parameter logic [24:0] ICE_GLPRT_BPRCH_OFFSET = 25'h0381384;
  parameter logic [31:0] ICE_GLPRT_BPRCH_RESET = 32'h00000000;
  parameter int unsigned ICE_GLPRT_BPRCH_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLPRT_BPRCH_VALUE_MASK = 32'h000000FF;

  // GLV_GORC: received: octets; VSI n: low word at 2n, high at 2n + 1
  parameter logic [24:0] ICE_GLV_GORC_OFFSET = 25'h03B0000;
  parameter int unsigned ICE_GLV_GORC_COUNT = 1536;
  parameter int unsigned ICE_GLV_GORC_STRIDE = 4;
  parameter logic [31:0] ICE_GLV_GORC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLV_GORC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLV_GORC_VALUE_MASK = 32'hFFFFFFFF;

  // GLV_UPRC: received: unicast; VSI n: low word at 2n, high at 2n + 1
  parameter logic [24:0] ICE_GLV_UPRC_OFFSET = 25'h03B2000;
  parameter int unsigned ICE_GLV_UPRC_COUNT = 1536;
  parameter int unsigned ICE_GLV_UPRC_STRIDE = 4;
  parameter logic [31:0] ICE_GLV_UPRC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLV_UPRC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLV_UPRC_VALUE_MASK = 32'hFFFFFFFF;

  // GLV_MPRC: received: multicast; VSI n: low word at 2n, high at 2n + 1
  parameter logic [24:0] ICE_GLV_MPRC_OFFSET = 25'h03B4000;
  parameter int unsigned ICE_GLV_MPRC_COUNT = 1536;
  parameter int unsigned ICE_GLV_MPRC_STRIDE = 4;
  parameter logic [31:0] ICE_GLV_MPRC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLV_MPRC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLV_MPRC_VALUE_MASK = 32'hFFFFFFFF;

  // GLV_BPRC: received: broadcast; VSI n: low word at 2n, high at 2n + 1
  parameter logic [24:0] ICE_GLV_BPRC_OFFSET = 25'h03B6000;
  parameter int unsigned ICE_GLV_BPRC_COUNT = 1536;
  parameter int unsigned ICE_GLV_BPRC_STRIDE = 4;
  parameter logic [31:0] ICE_GLV_BPRC_RESET = 32'h00000000;
  parameter int unsigned ICE_GLV_BPRC_VALUE_LSB = 0;
  parameter logic [31:0] ICE_GLV_BPRC_VALUE_MASK = 32'hFFFFFFFF;

  // QRXFLXP_CNTXT: write-back format of a receive queue
  parameter logic [24:0] ICE_QRXFLXP_CNTXT_OFFSET = 25'h0480000;
  parameter int unsigned ICE_QRXFLXP_CNTXT_COUNT = 2048;
  parameter int unsigned ICE_QRXFLXP_CNTXT_STRIDE = 4;
  parameter logic [31:0] ICE_QRXFLXP_CNTXT_RESET = 32'h00000000;
  parameter int unsigned ICE_QRXFLXP_CNTXT_RXDID_IDX_LSB = 0;
  parameter logic [31:0] ICE_QRXFLXP_CNTXT_RXDID_IDX_MASK = 32'h0000003F;
  parameter int unsigned ICE_QRXFLXP_CNTXT_RXDID_PRIO_LSB = 8;
  parameter logic [31:0] ICE_QRXFLXP_CNTXT_RXDID_PRIO_MASK = 32'h00000700;
  parameter int unsigned ICE_QRXFLXP_CNTXT_TS_LSB = 11;
  parameter logic [31:0] ICE_QRXFLXP_CNTXT_TS_MASK = 32'h00000800;

endpackage : ice_regs_pkg
