// NXP FEC (ENET of the i.MX8MP): register offsets, reset values and fields.
// Generated from models/fec/fec_reg_table.h; do not edit.

package fec_regs_pkg;

  // Width of a register offset, in bits.
  parameter int unsigned FEC_OFFSET_WIDTH = 12;

  // EIR: interrupt events
  parameter logic [11:0] FEC_EIR_OFFSET = 12'h004;
  parameter logic [31:0] FEC_EIR_RESET = 32'h00000000;
  parameter int unsigned FEC_EIR_BABR_LSB = 30;
  parameter logic [31:0] FEC_EIR_BABR_MASK = 32'h40000000;
  parameter int unsigned FEC_EIR_BABT_LSB = 29;
  parameter logic [31:0] FEC_EIR_BABT_MASK = 32'h20000000;
  parameter int unsigned FEC_EIR_GRA_LSB = 28;
  parameter logic [31:0] FEC_EIR_GRA_MASK = 32'h10000000;
  parameter int unsigned FEC_EIR_TXF0_LSB = 27;
  parameter logic [31:0] FEC_EIR_TXF0_MASK = 32'h08000000;
  parameter int unsigned FEC_EIR_TXB0_LSB = 26;
  parameter logic [31:0] FEC_EIR_TXB0_MASK = 32'h04000000;
  parameter int unsigned FEC_EIR_RXF0_LSB = 25;
  parameter logic [31:0] FEC_EIR_RXF0_MASK = 32'h02000000;
  parameter int unsigned FEC_EIR_RXB0_LSB = 24;
  parameter logic [31:0] FEC_EIR_RXB0_MASK = 32'h01000000;
  parameter int unsigned FEC_EIR_MII_LSB = 23;
  parameter logic [31:0] FEC_EIR_MII_MASK = 32'h00800000;
  parameter int unsigned FEC_EIR_EBERR_LSB = 22;
  parameter logic [31:0] FEC_EIR_EBERR_MASK = 32'h00400000;
  parameter int unsigned FEC_EIR_LC_LSB = 21;
  parameter logic [31:0] FEC_EIR_LC_MASK = 32'h00200000;
  parameter int unsigned FEC_EIR_RL_LSB = 20;
  parameter logic [31:0] FEC_EIR_RL_MASK = 32'h00100000;
  parameter int unsigned FEC_EIR_UN_LSB = 19;
  parameter logic [31:0] FEC_EIR_UN_MASK = 32'h00080000;
  parameter int unsigned FEC_EIR_PLR_LSB = 18;
  parameter logic [31:0] FEC_EIR_PLR_MASK = 32'h00040000;
  parameter int unsigned FEC_EIR_WAKEUP_LSB = 17;
  parameter logic [31:0] FEC_EIR_WAKEUP_MASK = 32'h00020000;
  parameter int unsigned FEC_EIR_TS_AVAIL_LSB = 16;
  parameter logic [31:0] FEC_EIR_TS_AVAIL_MASK = 32'h00010000;
  parameter int unsigned FEC_EIR_TS_TIMER_LSB = 15;
  parameter logic [31:0] FEC_EIR_TS_TIMER_MASK = 32'h00008000;
  parameter int unsigned FEC_EIR_RXFLUSH_2_LSB = 14;
  parameter logic [31:0] FEC_EIR_RXFLUSH_2_MASK = 32'h00004000;
  parameter int unsigned FEC_EIR_RXFLUSH_1_LSB = 13;
  parameter logic [31:0] FEC_EIR_RXFLUSH_1_MASK = 32'h00002000;
  parameter int unsigned FEC_EIR_RXFLUSH_0_LSB = 12;
  parameter logic [31:0] FEC_EIR_RXFLUSH_0_MASK = 32'h00001000;
  parameter int unsigned FEC_EIR_TXF2_LSB = 7;
  parameter logic [31:0] FEC_EIR_TXF2_MASK = 32'h00000080;
  parameter int unsigned FEC_EIR_TXB2_LSB = 6;
  parameter logic [31:0] FEC_EIR_TXB2_MASK = 32'h00000040;
  parameter int unsigned FEC_EIR_RXF2_LSB = 5;
  parameter logic [31:0] FEC_EIR_RXF2_MASK = 32'h00000020;
  parameter int unsigned FEC_EIR_RXB2_LSB = 4;
  parameter logic [31:0] FEC_EIR_RXB2_MASK = 32'h00000010;
  parameter int unsigned FEC_EIR_TXF1_LSB = 3;
  parameter logic [31:0] FEC_EIR_TXF1_MASK = 32'h00000008;
  parameter int unsigned FEC_EIR_TXB1_LSB = 2;
  parameter logic [31:0] FEC_EIR_TXB1_MASK = 32'h00000004;
  parameter int unsigned FEC_EIR_RXF1_LSB = 1;
  parameter logic [31:0] FEC_EIR_RXF1_MASK = 32'h00000002;
  parameter int unsigned FEC_EIR_RXB1_LSB = 0;
  parameter logic [31:0] FEC_EIR_RXB1_MASK = 32'h00000001;

  // EIMR: interrupt mask
  parameter logic [11:0] FEC_EIMR_OFFSET = 12'h008;
  parameter logic [31:0] FEC_EIMR_RESET = 32'h00000000;
  parameter int unsigned FEC_EIMR_BABR_LSB = 30;
  parameter logic [31:0] FEC_EIMR_BABR_MASK = 32'h40000000;
  parameter int unsigned FEC_EIMR_BABT_LSB = 29;
  parameter logic [31:0] FEC_EIMR_BABT_MASK = 32'h20000000;
  parameter int unsigned FEC_EIMR_GRA_LSB = 28;
  parameter logic [31:0] FEC_EIMR_GRA_MASK = 32'h10000000;
  parameter int unsigned FEC_EIMR_TXF0_LSB = 27;
  parameter logic [31:0] FEC_EIMR_TXF0_MASK = 32'h08000000;
  parameter int unsigned FEC_EIMR_TXB0_LSB = 26;
  parameter logic [31:0] FEC_EIMR_TXB0_MASK = 32'h04000000;
  parameter int unsigned FEC_EIMR_RXF0_LSB = 25;
  parameter logic [31:0] FEC_EIMR_RXF0_MASK = 32'h02000000;
  parameter int unsigned FEC_EIMR_RXB0_LSB = 24;
  parameter logic [31:0] FEC_EIMR_RXB0_MASK = 32'h01000000;
  parameter int unsigned FEC_EIMR_MII_LSB = 23;
  parameter logic [31:0] FEC_EIMR_MII_MASK = 32'h00800000;
  parameter int unsigned FEC_EIMR_EBERR_LSB = 22;
  parameter logic [31:0] FEC_EIMR_EBERR_MASK = 32'h00400000;
  parameter int unsigned FEC_EIMR_LC_LSB = 21;
  parameter logic [31:0] FEC_EIMR_LC_MASK = 32'h00200000;
  parameter int unsigned FEC_EIMR_RL_LSB = 20;
  parameter logic [31:0] FEC_EIMR_RL_MASK = 32'h00100000;
  parameter int unsigned FEC_EIMR_UN_LSB = 19;
  parameter logic [31:0] FEC_EIMR_UN_MASK = 32'h00080000;
  parameter int unsigned FEC_EIMR_PLR_LSB = 18;
  parameter logic [31:0] FEC_EIMR_PLR_MASK = 32'h00040000;
  parameter int unsigned FEC_EIMR_WAKEUP_LSB = 17;
  parameter logic [31:0] FEC_EIMR_WAKEUP_MASK = 32'h00020000;
  parameter int unsigned FEC_EIMR_TS_AVAIL_LSB = 16;
  parameter logic [31:0] FEC_EIMR_TS_AVAIL_MASK = 32'h00010000;
  parameter int unsigned FEC_EIMR_TS_TIMER_LSB = 15;
  parameter logic [31:0] FEC_EIMR_TS_TIMER_MASK = 32'h00008000;
  parameter int unsigned FEC_EIMR_RXFLUSH_2_LSB = 14;
  parameter logic [31:0] FEC_EIMR_RXFLUSH_2_MASK = 32'h00004000;
  parameter int unsigned FEC_EIMR_RXFLUSH_1_LSB = 13;
  parameter logic [31:0] FEC_EIMR_RXFLUSH_1_MASK = 32'h00002000;
  parameter int unsigned FEC_EIMR_RXFLUSH_0_LSB = 12;
  parameter logic [31:0] FEC_EIMR_RXFLUSH_0_MASK = 32'h00001000;
  parameter int unsigned FEC_EIMR_TXF2_LSB = 7;
  parameter logic [31:0] FEC_EIMR_TXF2_MASK = 32'h00000080;
  parameter int unsigned FEC_EIMR_TXB2_LSB = 6;
  parameter logic [31:0] FEC_EIMR_TXB2_MASK = 32'h00000040;
  parameter int unsigned FEC_EIMR_RXF2_LSB = 5;
  parameter logic [31:0] FEC_EIMR_RXF2_MASK = 32'h00000020;
  parameter int unsigned FEC_EIMR_RXB2_LSB = 4;
  parameter logic [31:0] FEC_EIMR_RXB2_MASK = 32'h00000010;
  parameter int unsigned FEC_EIMR_TXF1_LSB = 3;
  parameter logic [31:0] FEC_EIMR_TXF1_MASK = 32'h00000008;
  parameter int unsigned FEC_EIMR_TXB1_LSB = 2;
  parameter logic [31:0] FEC_EIMR_TXB1_MASK = 32'h00000004;
  parameter int unsigned FEC_EIMR_RXF1_LSB = 1;
  parameter logic [31:0] FEC_EIMR_RXF1_MASK = 32'h00000002;
  parameter int unsigned FEC_EIMR_RXB1_LSB = 0;
  parameter logic [31:0] FEC_EIMR_RXB1_MASK = 32'h00000001;

  // RDAR: receive ring 0 active
  parameter logic [11:0] FEC_RDAR_OFFSET = 12'h010;
  parameter logic [31:0] FEC_RDAR_RESET = 32'h00000000;
  parameter int unsigned FEC_RDAR_RDAR_LSB = 24;
  parameter logic [31:0] FEC_RDAR_RDAR_MASK = 32'h01000000;

  // TDAR: transmit ring 0 active
  parameter logic [11:0] FEC_TDAR_OFFSET = 12'h014;
  parameter logic [31:0] FEC_TDAR_RESET = 32'h00000000;
  parameter int unsigned FEC_TDAR_TDAR_LSB = 24;
  parameter logic [31:0] FEC_TDAR_TDAR_MASK = 32'h01000000;

  // ECR: control
  parameter logic [11:0] FEC_ECR_OFFSET = 12'h024;
  parameter logic [31:0] FEC_ECR_RESET = 32'h70000000;
  parameter int unsigned FEC_ECR_TOP_LSB = 28;
  parameter logic [31:0] FEC_ECR_TOP_MASK = 32'hF0000000;
  parameter int unsigned FEC_ECR_RXC_DLY_LSB = 17;
  parameter logic [31:0] FEC_ECR_RXC_DLY_MASK = 32'h00020000;
  parameter int unsigned FEC_ECR_TXC_DLY_LSB = 16;
  parameter logic [31:0] FEC_ECR_TXC_DLY_MASK = 32'h00010000;
  parameter int unsigned FEC_ECR_SVLANDBL_LSB = 11;
  parameter logic [31:0] FEC_ECR_SVLANDBL_MASK = 32'h00000800;
  parameter int unsigned FEC_ECR_VLANUSE2ND_LSB = 10;
  parameter logic [31:0] FEC_ECR_VLANUSE2ND_MASK = 32'h00000400;
  parameter int unsigned FEC_ECR_SVLANEN_LSB = 9;
  parameter logic [31:0] FEC_ECR_SVLANEN_MASK = 32'h00000200;
  parameter int unsigned FEC_ECR_DBSWP_LSB = 8;
  parameter logic [31:0] FEC_ECR_DBSWP_MASK = 32'h00000100;
  parameter int unsigned FEC_ECR_DBGEN_LSB = 6;
  parameter logic [31:0] FEC_ECR_DBGEN_MASK = 32'h00000040;
  parameter int unsigned FEC_ECR_SPEED_LSB = 5;
  parameter logic [31:0] FEC_ECR_SPEED_MASK = 32'h00000020;
  parameter int unsigned FEC_ECR_EN1588_LSB = 4;
  parameter logic [31:0] FEC_ECR_EN1588_MASK = 32'h00000010;
  parameter int unsigned FEC_ECR_SLEEP_LSB = 3;
  parameter logic [31:0] FEC_ECR_SLEEP_MASK = 32'h00000008;
  parameter int unsigned FEC_ECR_MAGICEN_LSB = 2;
  parameter logic [31:0] FEC_ECR_MAGICEN_MASK = 32'h00000004;
  parameter int unsigned FEC_ECR_ETHEREN_LSB = 1;
  parameter logic [31:0] FEC_ECR_ETHEREN_MASK = 32'h00000002;
  parameter int unsigned FEC_ECR_RESET_LSB = 0;
  parameter logic [31:0] FEC_ECR_RESET_MASK = 32'h00000001;

  // MMFR: MDIO frame
  parameter logic [11:0] FEC_MMFR_OFFSET = 12'h040;
  parameter logic [31:0] FEC_MMFR_RESET = 32'h00000000;
  parameter int unsigned FEC_MMFR_ST_LSB = 30;
  parameter logic [31:0] FEC_MMFR_ST_MASK = 32'hC0000000;
  parameter int unsigned FEC_MMFR_OP_LSB = 28;
  parameter logic [31:0] FEC_MMFR_OP_MASK = 32'h30000000;
  parameter int unsigned FEC_MMFR_PA_LSB = 23;
  parameter logic [31:0] FEC_MMFR_PA_MASK = 32'h0F800000;
  parameter int unsigned FEC_MMFR_RA_LSB = 18;
  parameter logic [31:0] FEC_MMFR_RA_MASK = 32'h007C0000;
  parameter int unsigned FEC_MMFR_TA_LSB = 16;
  parameter logic [31:0] FEC_MMFR_TA_MASK = 32'h00030000;
  parameter int unsigned FEC_MMFR_DATA_LSB = 0;
  parameter logic [31:0] FEC_MMFR_DATA_MASK = 32'h0000FFFF;

  // MSCR: MDIO speed
  parameter logic [11:0] FEC_MSCR_OFFSET = 12'h044;
  parameter logic [31:0] FEC_MSCR_RESET = 32'h00000000;
  parameter int unsigned FEC_MSCR_HOLDTIME_LSB = 8;
  parameter logic [31:0] FEC_MSCR_HOLDTIME_MASK = 32'h00000700;
  parameter int unsigned FEC_MSCR_DIS_PRE_LSB = 7;
  parameter logic [31:0] FEC_MSCR_DIS_PRE_MASK = 32'h00000080;
  parameter int unsigned FEC_MSCR_MII_SPEED_LSB = 1;
  parameter logic [31:0] FEC_MSCR_MII_SPEED_MASK = 32'h0000007E;

  // MIBC: statistics control
  parameter logic [11:0] FEC_MIBC_OFFSET = 12'h064;
  parameter logic [31:0] FEC_MIBC_RESET = 32'hC0000000;
  parameter int unsigned FEC_MIBC_MIB_DIS_LSB = 31;
  parameter logic [31:0] FEC_MIBC_MIB_DIS_MASK = 32'h80000000;
  parameter int unsigned FEC_MIBC_MIB_IDLE_LSB = 30;
  parameter logic [31:0] FEC_MIBC_MIB_IDLE_MASK = 32'h40000000;
  parameter int unsigned FEC_MIBC_MIB_CLEAR_LSB = 29;
  parameter logic [31:0] FEC_MIBC_MIB_CLEAR_MASK = 32'h20000000;

  // RCR: receive control
  parameter logic [11:0] FEC_RCR_OFFSET = 12'h084;
  parameter logic [31:0] FEC_RCR_RESET = 32'h05EE0001;
  parameter int unsigned FEC_RCR_GRS_LSB = 31;
  parameter logic [31:0] FEC_RCR_GRS_MASK = 32'h80000000;
  parameter int unsigned FEC_RCR_NLC_LSB = 30;
  parameter logic [31:0] FEC_RCR_NLC_MASK = 32'h40000000;
  parameter int unsigned FEC_RCR_MAX_FL_LSB = 16;
  parameter logic [31:0] FEC_RCR_MAX_FL_MASK = 32'h3FFF0000;
  parameter int unsigned FEC_RCR_CFEN_LSB = 15;
  parameter logic [31:0] FEC_RCR_CFEN_MASK = 32'h00008000;
  parameter int unsigned FEC_RCR_CRCFWD_LSB = 14;
  parameter logic [31:0] FEC_RCR_CRCFWD_MASK = 32'h00004000;
  parameter int unsigned FEC_RCR_PAUFWD_LSB = 13;
  parameter logic [31:0] FEC_RCR_PAUFWD_MASK = 32'h00002000;
  parameter int unsigned FEC_RCR_PADEN_LSB = 12;
  parameter logic [31:0] FEC_RCR_PADEN_MASK = 32'h00001000;
  parameter int unsigned FEC_RCR_RMII_10T_LSB = 9;
  parameter logic [31:0] FEC_RCR_RMII_10T_MASK = 32'h00000200;
  parameter int unsigned FEC_RCR_RMII_MODE_LSB = 8;
  parameter logic [31:0] FEC_RCR_RMII_MODE_MASK = 32'h00000100;
  parameter int unsigned FEC_RCR_RGMII_EN_LSB = 6;
  parameter logic [31:0] FEC_RCR_RGMII_EN_MASK = 32'h00000040;
  parameter int unsigned FEC_RCR_FCE_LSB = 5;
  parameter logic [31:0] FEC_RCR_FCE_MASK = 32'h00000020;
  parameter int unsigned FEC_RCR_BC_REJ_LSB = 4;
  parameter logic [31:0] FEC_RCR_BC_REJ_MASK = 32'h00000010;
  parameter int unsigned FEC_RCR_PROM_LSB = 3;
  parameter logic [31:0] FEC_RCR_PROM_MASK = 32'h00000008;
  parameter int unsigned FEC_RCR_MII_MODE_LSB = 2;
  parameter logic [31:0] FEC_RCR_MII_MODE_MASK = 32'h00000004;
  parameter int unsigned FEC_RCR_DRT_LSB = 1;
  parameter logic [31:0] FEC_RCR_DRT_MASK = 32'h00000002;
  parameter int unsigned FEC_RCR_LOOP_LSB = 0;
  parameter logic [31:0] FEC_RCR_LOOP_MASK = 32'h00000001;

  // TCR: transmit control
  parameter logic [11:0] FEC_TCR_OFFSET = 12'h0C4;
  parameter logic [31:0] FEC_TCR_RESET = 32'h00000000;
  parameter int unsigned FEC_TCR_CRCFWD_LSB = 9;
  parameter logic [31:0] FEC_TCR_CRCFWD_MASK = 32'h00000200;
  parameter int unsigned FEC_TCR_ADDINS_LSB = 8;
  parameter logic [31:0] FEC_TCR_ADDINS_MASK = 32'h00000100;
  parameter int unsigned FEC_TCR_ADDSEL_LSB = 5;
  parameter logic [31:0] FEC_TCR_ADDSEL_MASK = 32'h000000E0;
  parameter int unsigned FEC_TCR_RFC_PAUSE_LSB = 4;
  parameter logic [31:0] FEC_TCR_RFC_PAUSE_MASK = 32'h00000010;
  parameter int unsigned FEC_TCR_TFC_PAUSE_LSB = 3;
  parameter logic [31:0] FEC_TCR_TFC_PAUSE_MASK = 32'h00000008;
  parameter int unsigned FEC_TCR_FDEN_LSB = 2;
  parameter logic [31:0] FEC_TCR_FDEN_MASK = 32'h00000004;
  parameter int unsigned FEC_TCR_GTS_LSB = 0;
  parameter logic [31:0] FEC_TCR_GTS_MASK = 32'h00000001;

  // PALR: MAC bytes 0..3, byte 0 in 31:24
  parameter logic [11:0] FEC_PALR_OFFSET = 12'h0E4;
  parameter logic [31:0] FEC_PALR_RESET = 32'h00000000;
  parameter int unsigned FEC_PALR_VALUE_LSB = 0;
  parameter logic [31:0] FEC_PALR_VALUE_MASK = 32'hFFFFFFFF;

  // PAUR: MAC bytes 4, 5
  parameter logic [11:0] FEC_PAUR_OFFSET = 12'h0E8;
  parameter logic [31:0] FEC_PAUR_RESET = 32'h00008808;
  parameter int unsigned FEC_PAUR_PADDR2_LSB = 16;
  parameter logic [31:0] FEC_PAUR_PADDR2_MASK = 32'hFFFF0000;
  parameter int unsigned FEC_PAUR_TYPE_LSB = 0;
  parameter logic [31:0] FEC_PAUR_TYPE_MASK = 32'h0000FFFF;

  // OPD: pause opcode and duration
  parameter logic [11:0] FEC_OPD_OFFSET = 12'h0EC;
  parameter logic [31:0] FEC_OPD_RESET = 32'h00010000;
  parameter int unsigned FEC_OPD_OPCODE_LSB = 16;
  parameter logic [31:0] FEC_OPD_OPCODE_MASK = 32'hFFFF0000;
  parameter int unsigned FEC_OPD_PAUSE_DUR_LSB = 0;
  parameter logic [31:0] FEC_OPD_PAUSE_DUR_MASK = 32'h0000FFFF;

  // TXIC0: transmit interrupt coalescing, ring 0
  parameter logic [11:0] FEC_TXIC0_OFFSET = 12'h0F0;
  parameter logic [31:0] FEC_TXIC0_RESET = 32'h00000000;
  parameter int unsigned FEC_TXIC0_ICEN_LSB = 31;
  parameter logic [31:0] FEC_TXIC0_ICEN_MASK = 32'h80000000;
  parameter int unsigned FEC_TXIC0_ICCS_LSB = 30;
  parameter logic [31:0] FEC_TXIC0_ICCS_MASK = 32'h40000000;
  parameter int unsigned FEC_TXIC0_ICFT_LSB = 20;
  parameter logic [31:0] FEC_TXIC0_ICFT_MASK = 32'h0FF00000;
  parameter int unsigned FEC_TXIC0_ICTT_LSB = 0;
  parameter logic [31:0] FEC_TXIC0_ICTT_MASK = 32'h0000FFFF;

  // TXIC1: transmit interrupt coalescing, ring 1
  parameter logic [11:0] FEC_TXIC1_OFFSET = 12'h0F4;
  parameter logic [31:0] FEC_TXIC1_RESET = 32'h00000000;
  parameter int unsigned FEC_TXIC1_ICEN_LSB = 31;
  parameter logic [31:0] FEC_TXIC1_ICEN_MASK = 32'h80000000;
  parameter int unsigned FEC_TXIC1_ICCS_LSB = 30;
  parameter logic [31:0] FEC_TXIC1_ICCS_MASK = 32'h40000000;
  parameter int unsigned FEC_TXIC1_ICFT_LSB = 20;
  parameter logic [31:0] FEC_TXIC1_ICFT_MASK = 32'h0FF00000;
  parameter int unsigned FEC_TXIC1_ICTT_LSB = 0;
  parameter logic [31:0] FEC_TXIC1_ICTT_MASK = 32'h0000FFFF;

  // TXIC2: transmit interrupt coalescing, ring 2
  parameter logic [11:0] FEC_TXIC2_OFFSET = 12'h0F8;
  parameter logic [31:0] FEC_TXIC2_RESET = 32'h00000000;
  parameter int unsigned FEC_TXIC2_ICEN_LSB = 31;
  parameter logic [31:0] FEC_TXIC2_ICEN_MASK = 32'h80000000;
  parameter int unsigned FEC_TXIC2_ICCS_LSB = 30;
  parameter logic [31:0] FEC_TXIC2_ICCS_MASK = 32'h40000000;
  parameter int unsigned FEC_TXIC2_ICFT_LSB = 20;
  parameter logic [31:0] FEC_TXIC2_ICFT_MASK = 32'h0FF00000;
  parameter int unsigned FEC_TXIC2_ICTT_LSB = 0;
  parameter logic [31:0] FEC_TXIC2_ICTT_MASK = 32'h0000FFFF;

  // RXIC0: receive interrupt coalescing, ring 0
  parameter logic [11:0] FEC_RXIC0_OFFSET = 12'h100;
  parameter logic [31:0] FEC_RXIC0_RESET = 32'h00000000;
  parameter int unsigned FEC_RXIC0_ICEN_LSB = 31;
  parameter logic [31:0] FEC_RXIC0_ICEN_MASK = 32'h80000000;
  parameter int unsigned FEC_RXIC0_ICCS_LSB = 30;
  parameter logic [31:0] FEC_RXIC0_ICCS_MASK = 32'h40000000;
  parameter int unsigned FEC_RXIC0_ICFT_LSB = 20;
  parameter logic [31:0] FEC_RXIC0_ICFT_MASK = 32'h0FF00000;
  parameter int unsigned FEC_RXIC0_ICTT_LSB = 0;
  parameter logic [31:0] FEC_RXIC0_ICTT_MASK = 32'h0000FFFF;

  // RXIC1: receive interrupt coalescing, ring 1
  parameter logic [11:0] FEC_RXIC1_OFFSET = 12'h104;
  parameter logic [31:0] FEC_RXIC1_RESET = 32'h00000000;
  parameter int unsigned FEC_RXIC1_ICEN_LSB = 31;
  parameter logic [31:0] FEC_RXIC1_ICEN_MASK = 32'h80000000;
  parameter int unsigned FEC_RXIC1_ICCS_LSB = 30;
  parameter logic [31:0] FEC_RXIC1_ICCS_MASK = 32'h40000000;
  parameter int unsigned FEC_RXIC1_ICFT_LSB = 20;
  parameter logic [31:0] FEC_RXIC1_ICFT_MASK = 32'h0FF00000;
  parameter int unsigned FEC_RXIC1_ICTT_LSB = 0;
  parameter logic [31:0] FEC_RXIC1_ICTT_MASK = 32'h0000FFFF;

  // RXIC2: receive interrupt coalescing, ring 2
  parameter logic [11:0] FEC_RXIC2_OFFSET = 12'h108;
  parameter logic [31:0] FEC_RXIC2_RESET = 32'h00000000;
  parameter int unsigned FEC_RXIC2_ICEN_LSB = 31;
  parameter logic [31:0] FEC_RXIC2_ICEN_MASK = 32'h80000000;
  parameter int unsigned FEC_RXIC2_ICCS_LSB = 30;
  parameter logic [31:0] FEC_RXIC2_ICCS_MASK = 32'h40000000;
  parameter int unsigned FEC_RXIC2_ICFT_LSB = 20;
  parameter logic [31:0] FEC_RXIC2_ICFT_MASK = 32'h0FF00000;
  parameter int unsigned FEC_RXIC2_ICTT_LSB = 0;
  parameter logic [31:0] FEC_RXIC2_ICTT_MASK = 32'h0000FFFF;

  // IAUR: unicast hash 63:32
  parameter logic [11:0] FEC_IAUR_OFFSET = 12'h118;
  parameter logic [31:0] FEC_IAUR_RESET = 32'h00000000;
  parameter int unsigned FEC_IAUR_VALUE_LSB = 0;
  parameter logic [31:0] FEC_IAUR_VALUE_MASK = 32'hFFFFFFFF;

  // IALR: unicast hash 31:0
  parameter logic [11:0] FEC_IALR_OFFSET = 12'h11C;
  parameter logic [31:0] FEC_IALR_RESET = 32'h00000000;
  parameter int unsigned FEC_IALR_VALUE_LSB = 0;
  parameter logic [31:0] FEC_IALR_VALUE_MASK = 32'hFFFFFFFF;

  // GAUR: group hash 63:32
  parameter logic [11:0] FEC_GAUR_OFFSET = 12'h120;
  parameter logic [31:0] FEC_GAUR_RESET = 32'h00000000;
  parameter int unsigned FEC_GAUR_VALUE_LSB = 0;
  parameter logic [31:0] FEC_GAUR_VALUE_MASK = 32'hFFFFFFFF;

  // GALR: group hash 31:0
  parameter logic [11:0] FEC_GALR_OFFSET = 12'h124;
  parameter logic [31:0] FEC_GALR_RESET = 32'h00000000;
  parameter int unsigned FEC_GALR_VALUE_LSB = 0;
  parameter logic [31:0] FEC_GALR_VALUE_MASK = 32'hFFFFFFFF;

  // TFWR: transmit FIFO threshold
  parameter logic [11:0] FEC_TFWR_OFFSET = 12'h144;
  parameter logic [31:0] FEC_TFWR_RESET = 32'h00000000;
  parameter int unsigned FEC_TFWR_STRFWD_LSB = 8;
  parameter logic [31:0] FEC_TFWR_STRFWD_MASK = 32'h00000100;
  parameter int unsigned FEC_TFWR_TFWR_LSB = 0;
  parameter logic [31:0] FEC_TFWR_TFWR_MASK = 32'h0000003F;

  // RDSR1: receive ring 1 base
  parameter logic [11:0] FEC_RDSR1_OFFSET = 12'h160;
  parameter logic [31:0] FEC_RDSR1_RESET = 32'h00000000;
  parameter int unsigned FEC_RDSR1_DES_START_LSB = 3;
  parameter logic [31:0] FEC_RDSR1_DES_START_MASK = 32'hFFFFFFF8;

  // TDSR1: transmit ring 1 base
  parameter logic [11:0] FEC_TDSR1_OFFSET = 12'h164;
  parameter logic [31:0] FEC_TDSR1_RESET = 32'h00000000;
  parameter int unsigned FEC_TDSR1_DES_START_LSB = 3;
  parameter logic [31:0] FEC_TDSR1_DES_START_MASK = 32'hFFFFFFF8;

  // MRBR1: receive ring 1 buffer size
  parameter logic [11:0] FEC_MRBR1_OFFSET = 12'h168;
  parameter logic [31:0] FEC_MRBR1_RESET = 32'h00000000;
  parameter int unsigned FEC_MRBR1_BUF_SIZE_LSB = 4;
  parameter logic [31:0] FEC_MRBR1_BUF_SIZE_MASK = 32'h000007F0;

  // RDSR2: receive ring 2 base
  parameter logic [11:0] FEC_RDSR2_OFFSET = 12'h16C;
  parameter logic [31:0] FEC_RDSR2_RESET = 32'h00000000;
  parameter int unsigned FEC_RDSR2_DES_START_LSB = 3;
  parameter logic [31:0] FEC_RDSR2_DES_START_MASK = 32'hFFFFFFF8;

  // TDSR2: transmit ring 2 base
  parameter logic [11:0] FEC_TDSR2_OFFSET = 12'h170;
  parameter logic [31:0] FEC_TDSR2_RESET = 32'h00000000;
  parameter int unsigned FEC_TDSR2_DES_START_LSB = 3;
  parameter logic [31:0] FEC_TDSR2_DES_START_MASK = 32'hFFFFFFF8;

  // MRBR2: receive ring 2 buffer size
  parameter logic [11:0] FEC_MRBR2_OFFSET = 12'h174;
  parameter logic [31:0] FEC_MRBR2_RESET = 32'h00000000;
  parameter int unsigned FEC_MRBR2_BUF_SIZE_LSB = 4;
  parameter logic [31:0] FEC_MRBR2_BUF_SIZE_MASK = 32'h000007F0;

  // RDSR: receive ring 0 base
  parameter logic [11:0] FEC_RDSR_OFFSET = 12'h180;
  parameter logic [31:0] FEC_RDSR_RESET = 32'h00000000;
  parameter int unsigned FEC_RDSR_DES_START_LSB = 3;
  parameter logic [31:0] FEC_RDSR_DES_START_MASK = 32'hFFFFFFF8;

  // TDSR: transmit ring 0 base
  parameter logic [11:0] FEC_TDSR_OFFSET = 12'h184;
  parameter logic [31:0] FEC_TDSR_RESET = 32'h00000000;
  parameter int unsigned FEC_TDSR_DES_START_LSB = 3;
  parameter logic [31:0] FEC_TDSR_DES_START_MASK = 32'hFFFFFFF8;

  // MRBR: receive ring 0 buffer size
  parameter logic [11:0] FEC_MRBR_OFFSET = 12'h188;
  parameter logic [31:0] FEC_MRBR_RESET = 32'h00000000;
  parameter int unsigned FEC_MRBR_BUF_SIZE_LSB = 4;
  parameter logic [31:0] FEC_MRBR_BUF_SIZE_MASK = 32'h000007F0;

  // RSFL: receive section full; 0 = store and forward
  parameter logic [11:0] FEC_RSFL_OFFSET = 12'h190;
  parameter logic [31:0] FEC_RSFL_RESET = 32'h00000000;
  parameter int unsigned FEC_RSFL_LEVEL_LSB = 0;
  parameter logic [31:0] FEC_RSFL_LEVEL_MASK = 32'h000003FF;

  // RSEM: receive section empty: XOFF level
  parameter logic [11:0] FEC_RSEM_OFFSET = 12'h194;
  parameter logic [31:0] FEC_RSEM_RESET = 32'h00000000;
  parameter int unsigned FEC_RSEM_STAT_SECTION_EMPTY_LSB = 16;
  parameter logic [31:0] FEC_RSEM_STAT_SECTION_EMPTY_MASK = 32'h001F0000;
  parameter int unsigned FEC_RSEM_LEVEL_LSB = 0;
  parameter logic [31:0] FEC_RSEM_LEVEL_MASK = 32'h000003FF;

  // RAEM: receive almost empty
  parameter logic [11:0] FEC_RAEM_OFFSET = 12'h198;
  parameter logic [31:0] FEC_RAEM_RESET = 32'h00000004;
  parameter int unsigned FEC_RAEM_LEVEL_LSB = 0;
  parameter logic [31:0] FEC_RAEM_LEVEL_MASK = 32'h000003FF;

  // RAFL: receive almost full
  parameter logic [11:0] FEC_RAFL_OFFSET = 12'h19C;
  parameter logic [31:0] FEC_RAFL_RESET = 32'h00000004;
  parameter int unsigned FEC_RAFL_LEVEL_LSB = 0;
  parameter logic [31:0] FEC_RAFL_LEVEL_MASK = 32'h000003FF;

  // TSEM: transmit section empty
  parameter logic [11:0] FEC_TSEM_OFFSET = 12'h1A0;
  parameter logic [31:0] FEC_TSEM_RESET = 32'h00000000;
  parameter int unsigned FEC_TSEM_LEVEL_LSB = 0;
  parameter logic [31:0] FEC_TSEM_LEVEL_MASK = 32'h000003FF;

  // TAEM: transmit almost empty
  parameter logic [11:0] FEC_TAEM_OFFSET = 12'h1A4;
  parameter logic [31:0] FEC_TAEM_RESET = 32'h00000004;
  parameter int unsigned FEC_TAEM_LEVEL_LSB = 0;
  parameter logic [31:0] FEC_TAEM_LEVEL_MASK = 32'h000003FF;

  // TAFL: transmit almost full
  parameter logic [11:0] FEC_TAFL_OFFSET = 12'h1A8;
  parameter logic [31:0] FEC_TAFL_RESET = 32'h00000008;
  parameter int unsigned FEC_TAFL_LEVEL_LSB = 0;
  parameter logic [31:0] FEC_TAFL_LEVEL_MASK = 32'h000003FF;

  // TIPG: inter-packet gap
  parameter logic [11:0] FEC_TIPG_OFFSET = 12'h1AC;
  parameter logic [31:0] FEC_TIPG_RESET = 32'h0000000C;
  parameter int unsigned FEC_TIPG_IPG_LSB = 0;
  parameter logic [31:0] FEC_TIPG_IPG_MASK = 32'h0000001F;

  // FTRL: truncation length
  parameter logic [11:0] FEC_FTRL_OFFSET = 12'h1B0;
  parameter logic [31:0] FEC_FTRL_RESET = 32'h000007FF;
  parameter int unsigned FEC_FTRL_TRUNC_FL_LSB = 0;
  parameter logic [31:0] FEC_FTRL_TRUNC_FL_MASK = 32'h00003FFF;

  // TACC: transmit accelerator
  parameter logic [11:0] FEC_TACC_OFFSET = 12'h1C0;
  parameter logic [31:0] FEC_TACC_RESET = 32'h00000000;
  parameter int unsigned FEC_TACC_PROCHK_LSB = 4;
  parameter logic [31:0] FEC_TACC_PROCHK_MASK = 32'h00000010;
  parameter int unsigned FEC_TACC_IPCHK_LSB = 3;
  parameter logic [31:0] FEC_TACC_IPCHK_MASK = 32'h00000008;
  parameter int unsigned FEC_TACC_SHIFT16_LSB = 0;
  parameter logic [31:0] FEC_TACC_SHIFT16_MASK = 32'h00000001;

  // RACC: receive accelerator
  parameter logic [11:0] FEC_RACC_OFFSET = 12'h1C4;
  parameter logic [31:0] FEC_RACC_RESET = 32'h00000000;
  parameter int unsigned FEC_RACC_SHIFT16_LSB = 7;
  parameter logic [31:0] FEC_RACC_SHIFT16_MASK = 32'h00000080;
  parameter int unsigned FEC_RACC_LINEDIS_LSB = 6;
  parameter logic [31:0] FEC_RACC_LINEDIS_MASK = 32'h00000040;
  parameter int unsigned FEC_RACC_PRODIS_LSB = 2;
  parameter logic [31:0] FEC_RACC_PRODIS_MASK = 32'h00000004;
  parameter int unsigned FEC_RACC_IPDIS_LSB = 1;
  parameter logic [31:0] FEC_RACC_IPDIS_MASK = 32'h00000002;
  parameter int unsigned FEC_RACC_PADREM_LSB = 0;
  parameter logic [31:0] FEC_RACC_PADREM_MASK = 32'h00000001;

  // RCMR1: receive classification, class 1
  parameter logic [11:0] FEC_RCMR1_OFFSET = 12'h1C8;
  parameter logic [31:0] FEC_RCMR1_RESET = 32'h00000000;
  parameter int unsigned FEC_RCMR1_MATCHEN_LSB = 16;
  parameter logic [31:0] FEC_RCMR1_MATCHEN_MASK = 32'h00010000;
  parameter int unsigned FEC_RCMR1_CMP3_LSB = 12;
  parameter logic [31:0] FEC_RCMR1_CMP3_MASK = 32'h00007000;
  parameter int unsigned FEC_RCMR1_CMP2_LSB = 8;
  parameter logic [31:0] FEC_RCMR1_CMP2_MASK = 32'h00000700;
  parameter int unsigned FEC_RCMR1_CMP1_LSB = 4;
  parameter logic [31:0] FEC_RCMR1_CMP1_MASK = 32'h00000070;
  parameter int unsigned FEC_RCMR1_CMP0_LSB = 0;
  parameter logic [31:0] FEC_RCMR1_CMP0_MASK = 32'h00000007;

  // RCMR2: receive classification, class 2
  parameter logic [11:0] FEC_RCMR2_OFFSET = 12'h1CC;
  parameter logic [31:0] FEC_RCMR2_RESET = 32'h00000000;
  parameter int unsigned FEC_RCMR2_MATCHEN_LSB = 16;
  parameter logic [31:0] FEC_RCMR2_MATCHEN_MASK = 32'h00010000;
  parameter int unsigned FEC_RCMR2_CMP3_LSB = 12;
  parameter logic [31:0] FEC_RCMR2_CMP3_MASK = 32'h00007000;
  parameter int unsigned FEC_RCMR2_CMP2_LSB = 8;
  parameter logic [31:0] FEC_RCMR2_CMP2_MASK = 32'h00000700;
  parameter int unsigned FEC_RCMR2_CMP1_LSB = 4;
  parameter logic [31:0] FEC_RCMR2_CMP1_MASK = 32'h00000070;
  parameter int unsigned FEC_RCMR2_CMP0_LSB = 0;
  parameter logic [31:0] FEC_RCMR2_CMP0_MASK = 32'h00000007;

  // DMA1CFG: DMA class 1
  parameter logic [11:0] FEC_DMA1CFG_OFFSET = 12'h1D8;
  parameter logic [31:0] FEC_DMA1CFG_RESET = 32'h00000000;
  parameter int unsigned FEC_DMA1CFG_CALC_NOIPG_LSB = 17;
  parameter logic [31:0] FEC_DMA1CFG_CALC_NOIPG_MASK = 32'h00020000;
  parameter int unsigned FEC_DMA1CFG_DMA_CLASS_EN_LSB = 16;
  parameter logic [31:0] FEC_DMA1CFG_DMA_CLASS_EN_MASK = 32'h00010000;
  parameter int unsigned FEC_DMA1CFG_IDLE_SLOPE_LSB = 0;
  parameter logic [31:0] FEC_DMA1CFG_IDLE_SLOPE_MASK = 32'h0000FFFF;

  // DMA2CFG: DMA class 2
  parameter logic [11:0] FEC_DMA2CFG_OFFSET = 12'h1DC;
  parameter logic [31:0] FEC_DMA2CFG_RESET = 32'h00000000;
  parameter int unsigned FEC_DMA2CFG_CALC_NOIPG_LSB = 17;
  parameter logic [31:0] FEC_DMA2CFG_CALC_NOIPG_MASK = 32'h00020000;
  parameter int unsigned FEC_DMA2CFG_DMA_CLASS_EN_LSB = 16;
  parameter logic [31:0] FEC_DMA2CFG_DMA_CLASS_EN_MASK = 32'h00010000;
  parameter int unsigned FEC_DMA2CFG_IDLE_SLOPE_LSB = 0;
  parameter logic [31:0] FEC_DMA2CFG_IDLE_SLOPE_MASK = 32'h0000FFFF;

  // RDAR1: receive ring 1 active
  parameter logic [11:0] FEC_RDAR1_OFFSET = 12'h1E0;
  parameter logic [31:0] FEC_RDAR1_RESET = 32'h00000000;
  parameter int unsigned FEC_RDAR1_RDAR_LSB = 24;
  parameter logic [31:0] FEC_RDAR1_RDAR_MASK = 32'h01000000;

  // TDAR1: transmit ring 1 active
  parameter logic [11:0] FEC_TDAR1_OFFSET = 12'h1E4;
  parameter logic [31:0] FEC_TDAR1_RESET = 32'h00000000;
  parameter int unsigned FEC_TDAR1_TDAR_LSB = 24;
  parameter logic [31:0] FEC_TDAR1_TDAR_MASK = 32'h01000000;

  // RDAR2: receive ring 2 active
  parameter logic [11:0] FEC_RDAR2_OFFSET = 12'h1E8;
  parameter logic [31:0] FEC_RDAR2_RESET = 32'h00000000;
  parameter int unsigned FEC_RDAR2_RDAR_LSB = 24;
  parameter logic [31:0] FEC_RDAR2_RDAR_MASK = 32'h01000000;

  // TDAR2: transmit ring 2 active
  parameter logic [11:0] FEC_TDAR2_OFFSET = 12'h1EC;
  parameter logic [31:0] FEC_TDAR2_RESET = 32'h00000000;
  parameter int unsigned FEC_TDAR2_TDAR_LSB = 24;
  parameter logic [31:0] FEC_TDAR2_TDAR_MASK = 32'h01000000;

  // QOS: queue scheme
  parameter logic [11:0] FEC_QOS_OFFSET = 12'h1F0;
  parameter logic [31:0] FEC_QOS_RESET = 32'h00000000;
  parameter int unsigned FEC_QOS_RX_FLUSH2_LSB = 5;
  parameter logic [31:0] FEC_QOS_RX_FLUSH2_MASK = 32'h00000020;
  parameter int unsigned FEC_QOS_RX_FLUSH1_LSB = 4;
  parameter logic [31:0] FEC_QOS_RX_FLUSH1_MASK = 32'h00000010;
  parameter int unsigned FEC_QOS_RX_FLUSH0_LSB = 3;
  parameter logic [31:0] FEC_QOS_RX_FLUSH0_MASK = 32'h00000008;
  parameter int unsigned FEC_QOS_TX_SCHEME_LSB = 0;
  parameter logic [31:0] FEC_QOS_TX_SCHEME_MASK = 32'h00000007;

  // LPI_SLEEP: EEE Ts; a reserved hole in the i.MX8MP header, stored because Linux writes it
  parameter logic [11:0] FEC_LPI_SLEEP_OFFSET = 12'h1F4;
  parameter logic [31:0] FEC_LPI_SLEEP_RESET = 32'h00000000;
  parameter int unsigned FEC_LPI_SLEEP_VALUE_LSB = 0;
  parameter logic [31:0] FEC_LPI_SLEEP_VALUE_MASK = 32'hFFFFFFFF;

  // LPI_WAKE: EEE Tw; a reserved hole in the i.MX8MP header, stored because Linux writes it
  parameter logic [11:0] FEC_LPI_WAKE_OFFSET = 12'h1F8;
  parameter logic [31:0] FEC_LPI_WAKE_RESET = 32'h00000000;
  parameter int unsigned FEC_LPI_WAKE_VALUE_LSB = 0;
  parameter logic [31:0] FEC_LPI_WAKE_VALUE_MASK = 32'hFFFFFFFF;

  // RMON_T_DROP: sent: dropped; reserved, reads 0
  parameter logic [11:0] FEC_RMON_T_DROP_OFFSET = 12'h200;
  parameter logic [31:0] FEC_RMON_T_DROP_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_DROP_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_DROP_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_PACKETS: sent: frames
  parameter logic [11:0] FEC_RMON_T_PACKETS_OFFSET = 12'h204;
  parameter logic [31:0] FEC_RMON_T_PACKETS_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_PACKETS_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_PACKETS_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_BC_PKT: sent: broadcast frames
  parameter logic [11:0] FEC_RMON_T_BC_PKT_OFFSET = 12'h208;
  parameter logic [31:0] FEC_RMON_T_BC_PKT_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_BC_PKT_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_BC_PKT_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_MC_PKT: sent: multicast frames
  parameter logic [11:0] FEC_RMON_T_MC_PKT_OFFSET = 12'h20C;
  parameter logic [31:0] FEC_RMON_T_MC_PKT_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_MC_PKT_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_MC_PKT_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_CRC_ALIGN: sent: frames with CRC or alignment error
  parameter logic [11:0] FEC_RMON_T_CRC_ALIGN_OFFSET = 12'h210;
  parameter logic [31:0] FEC_RMON_T_CRC_ALIGN_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_CRC_ALIGN_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_CRC_ALIGN_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_UNDERSIZE: sent: frames < 64 B, good CRC
  parameter logic [11:0] FEC_RMON_T_UNDERSIZE_OFFSET = 12'h214;
  parameter logic [31:0] FEC_RMON_T_UNDERSIZE_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_UNDERSIZE_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_UNDERSIZE_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_OVERSIZE: sent: frames > MAX_FL, good CRC
  parameter logic [11:0] FEC_RMON_T_OVERSIZE_OFFSET = 12'h218;
  parameter logic [31:0] FEC_RMON_T_OVERSIZE_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_OVERSIZE_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_OVERSIZE_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_FRAG: sent: frames < 64 B, bad CRC
  parameter logic [11:0] FEC_RMON_T_FRAG_OFFSET = 12'h21C;
  parameter logic [31:0] FEC_RMON_T_FRAG_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_FRAG_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_FRAG_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_JAB: sent: frames > MAX_FL, bad CRC
  parameter logic [11:0] FEC_RMON_T_JAB_OFFSET = 12'h220;
  parameter logic [31:0] FEC_RMON_T_JAB_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_JAB_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_JAB_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_COL: sent: collisions
  parameter logic [11:0] FEC_RMON_T_COL_OFFSET = 12'h224;
  parameter logic [31:0] FEC_RMON_T_COL_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_COL_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_COL_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_P64: sent: frames of 64 B
  parameter logic [11:0] FEC_RMON_T_P64_OFFSET = 12'h228;
  parameter logic [31:0] FEC_RMON_T_P64_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_P64_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_P64_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_P65TO127: sent: frames of 65..127 B
  parameter logic [11:0] FEC_RMON_T_P65TO127_OFFSET = 12'h22C;
  parameter logic [31:0] FEC_RMON_T_P65TO127_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_P65TO127_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_P65TO127_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_P128TO255: sent: frames of 128..255 B
  parameter logic [11:0] FEC_RMON_T_P128TO255_OFFSET = 12'h230;
  parameter logic [31:0] FEC_RMON_T_P128TO255_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_P128TO255_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_P128TO255_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_P256TO511: sent: frames of 256..511 B
  parameter logic [11:0] FEC_RMON_T_P256TO511_OFFSET = 12'h234;
  parameter logic [31:0] FEC_RMON_T_P256TO511_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_P256TO511_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_P256TO511_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_P512TO1023: sent: frames of 512..1023 B
  parameter logic [11:0] FEC_RMON_T_P512TO1023_OFFSET = 12'h238;
  parameter logic [31:0] FEC_RMON_T_P512TO1023_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_P512TO1023_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_P512TO1023_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_P1024TO2047: sent: frames of 1024..2047 B
  parameter logic [11:0] FEC_RMON_T_P1024TO2047_OFFSET = 12'h23C;
  parameter logic [31:0] FEC_RMON_T_P1024TO2047_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_P1024TO2047_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_P1024TO2047_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_P_GTE2048: sent: frames of 2048 B and more
  parameter logic [11:0] FEC_RMON_T_P_GTE2048_OFFSET = 12'h240;
  parameter logic [31:0] FEC_RMON_T_P_GTE2048_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_P_GTE2048_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_P_GTE2048_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_T_OCTETS: sent: octets
  parameter logic [11:0] FEC_RMON_T_OCTETS_OFFSET = 12'h244;
  parameter logic [31:0] FEC_RMON_T_OCTETS_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_T_OCTETS_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_T_OCTETS_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_DROP: sent: dropped; reserved, reads 0
  parameter logic [11:0] FEC_IEEE_T_DROP_OFFSET = 12'h248;
  parameter logic [31:0] FEC_IEEE_T_DROP_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_DROP_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_DROP_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_FRAME_OK: sent: frames without error
  parameter logic [11:0] FEC_IEEE_T_FRAME_OK_OFFSET = 12'h24C;
  parameter logic [31:0] FEC_IEEE_T_FRAME_OK_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_FRAME_OK_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_FRAME_OK_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_1COL: sent: sent after one collision
  parameter logic [11:0] FEC_IEEE_T_1COL_OFFSET = 12'h250;
  parameter logic [31:0] FEC_IEEE_T_1COL_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_1COL_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_1COL_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_MCOL: sent: sent after several collisions
  parameter logic [11:0] FEC_IEEE_T_MCOL_OFFSET = 12'h254;
  parameter logic [31:0] FEC_IEEE_T_MCOL_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_MCOL_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_MCOL_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_DEF: sent: deferred
  parameter logic [11:0] FEC_IEEE_T_DEF_OFFSET = 12'h258;
  parameter logic [31:0] FEC_IEEE_T_DEF_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_DEF_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_DEF_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_LCOL: sent: late collisions
  parameter logic [11:0] FEC_IEEE_T_LCOL_OFFSET = 12'h25C;
  parameter logic [31:0] FEC_IEEE_T_LCOL_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_LCOL_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_LCOL_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_EXCOL: sent: excessive collisions
  parameter logic [11:0] FEC_IEEE_T_EXCOL_OFFSET = 12'h260;
  parameter logic [31:0] FEC_IEEE_T_EXCOL_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_EXCOL_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_EXCOL_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_MACERR: sent: transmit FIFO underruns
  parameter logic [11:0] FEC_IEEE_T_MACERR_OFFSET = 12'h264;
  parameter logic [31:0] FEC_IEEE_T_MACERR_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_MACERR_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_MACERR_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_CSERR: sent: carrier sense errors
  parameter logic [11:0] FEC_IEEE_T_CSERR_OFFSET = 12'h268;
  parameter logic [31:0] FEC_IEEE_T_CSERR_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_CSERR_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_CSERR_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_SQE: sent: SQE errors; reserved
  parameter logic [11:0] FEC_IEEE_T_SQE_OFFSET = 12'h26C;
  parameter logic [31:0] FEC_IEEE_T_SQE_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_SQE_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_SQE_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_FDXFC: sent: pause frames
  parameter logic [11:0] FEC_IEEE_T_FDXFC_OFFSET = 12'h270;
  parameter logic [31:0] FEC_IEEE_T_FDXFC_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_FDXFC_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_FDXFC_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_T_OCTETS_OK: sent: octets of frames without error
  parameter logic [11:0] FEC_IEEE_T_OCTETS_OK_OFFSET = 12'h274;
  parameter logic [31:0] FEC_IEEE_T_OCTETS_OK_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_T_OCTETS_OK_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_T_OCTETS_OK_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_PACKETS: received: frames
  parameter logic [11:0] FEC_RMON_R_PACKETS_OFFSET = 12'h284;
  parameter logic [31:0] FEC_RMON_R_PACKETS_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_PACKETS_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_PACKETS_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_BC_PKT: received: broadcast frames
  parameter logic [11:0] FEC_RMON_R_BC_PKT_OFFSET = 12'h288;
  parameter logic [31:0] FEC_RMON_R_BC_PKT_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_BC_PKT_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_BC_PKT_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_MC_PKT: received: multicast frames
  parameter logic [11:0] FEC_RMON_R_MC_PKT_OFFSET = 12'h28C;
  parameter logic [31:0] FEC_RMON_R_MC_PKT_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_MC_PKT_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_MC_PKT_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_CRC_ALIGN: received: frames with CRC or alignment error
  parameter logic [11:0] FEC_RMON_R_CRC_ALIGN_OFFSET = 12'h290;
  parameter logic [31:0] FEC_RMON_R_CRC_ALIGN_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_CRC_ALIGN_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_CRC_ALIGN_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_UNDERSIZE: received: frames < 64 B, good CRC
  parameter logic [11:0] FEC_RMON_R_UNDERSIZE_OFFSET = 12'h294;
  parameter logic [31:0] FEC_RMON_R_UNDERSIZE_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_UNDERSIZE_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_UNDERSIZE_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_OVERSIZE: received: frames > MAX_FL, good CRC
  parameter logic [11:0] FEC_RMON_R_OVERSIZE_OFFSET = 12'h298;
  parameter logic [31:0] FEC_RMON_R_OVERSIZE_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_OVERSIZE_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_OVERSIZE_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_FRAG: received: frames < 64 B, bad CRC
  parameter logic [11:0] FEC_RMON_R_FRAG_OFFSET = 12'h29C;
  parameter logic [31:0] FEC_RMON_R_FRAG_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_FRAG_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_FRAG_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_JAB: received: frames > MAX_FL, bad CRC
  parameter logic [11:0] FEC_RMON_R_JAB_OFFSET = 12'h2A0;
  parameter logic [31:0] FEC_RMON_R_JAB_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_JAB_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_JAB_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_RESVD: received: reserved
  parameter logic [11:0] FEC_RMON_R_RESVD_OFFSET = 12'h2A4;
  parameter logic [31:0] FEC_RMON_R_RESVD_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_RESVD_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_RESVD_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_P64: received: frames of 64 B
  parameter logic [11:0] FEC_RMON_R_P64_OFFSET = 12'h2A8;
  parameter logic [31:0] FEC_RMON_R_P64_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_P64_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_P64_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_P65TO127: received: frames of 65..127 B
  parameter logic [11:0] FEC_RMON_R_P65TO127_OFFSET = 12'h2AC;
  parameter logic [31:0] FEC_RMON_R_P65TO127_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_P65TO127_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_P65TO127_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_P128TO255: received: frames of 128..255 B
  parameter logic [11:0] FEC_RMON_R_P128TO255_OFFSET = 12'h2B0;
  parameter logic [31:0] FEC_RMON_R_P128TO255_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_P128TO255_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_P128TO255_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_P256TO511: received: frames of 256..511 B
  parameter logic [11:0] FEC_RMON_R_P256TO511_OFFSET = 12'h2B4;
  parameter logic [31:0] FEC_RMON_R_P256TO511_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_P256TO511_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_P256TO511_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_P512TO1023: received: frames of 512..1023 B
  parameter logic [11:0] FEC_RMON_R_P512TO1023_OFFSET = 12'h2B8;
  parameter logic [31:0] FEC_RMON_R_P512TO1023_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_P512TO1023_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_P512TO1023_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_P1024TO2047: received: frames of 1024..2047 B
  parameter logic [11:0] FEC_RMON_R_P1024TO2047_OFFSET = 12'h2BC;
  parameter logic [31:0] FEC_RMON_R_P1024TO2047_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_P1024TO2047_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_P1024TO2047_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_P_GTE2048: received: frames of 2048 B and more
  parameter logic [11:0] FEC_RMON_R_P_GTE2048_OFFSET = 12'h2C0;
  parameter logic [31:0] FEC_RMON_R_P_GTE2048_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_P_GTE2048_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_P_GTE2048_COUNT_MASK = 32'hFFFFFFFF;

  // RMON_R_OCTETS: received: octets
  parameter logic [11:0] FEC_RMON_R_OCTETS_OFFSET = 12'h2C4;
  parameter logic [31:0] FEC_RMON_R_OCTETS_RESET = 32'h00000000;
  parameter int unsigned FEC_RMON_R_OCTETS_COUNT_LSB = 0;
  parameter logic [31:0] FEC_RMON_R_OCTETS_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_R_DROP: received: received, dropped
  parameter logic [11:0] FEC_IEEE_R_DROP_OFFSET = 12'h2C8;
  parameter logic [31:0] FEC_IEEE_R_DROP_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_R_DROP_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_R_DROP_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_R_FRAME_OK: received: frames without error
  parameter logic [11:0] FEC_IEEE_R_FRAME_OK_OFFSET = 12'h2CC;
  parameter logic [31:0] FEC_IEEE_R_FRAME_OK_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_R_FRAME_OK_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_R_FRAME_OK_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_R_CRC: received: frames with CRC error
  parameter logic [11:0] FEC_IEEE_R_CRC_OFFSET = 12'h2D0;
  parameter logic [31:0] FEC_IEEE_R_CRC_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_R_CRC_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_R_CRC_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_R_ALIGN: received: frames with alignment error
  parameter logic [11:0] FEC_IEEE_R_ALIGN_OFFSET = 12'h2D4;
  parameter logic [31:0] FEC_IEEE_R_ALIGN_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_R_ALIGN_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_R_ALIGN_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_R_MACERR: received: receive FIFO overflows
  parameter logic [11:0] FEC_IEEE_R_MACERR_OFFSET = 12'h2D8;
  parameter logic [31:0] FEC_IEEE_R_MACERR_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_R_MACERR_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_R_MACERR_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_R_FDXFC: received: pause frames
  parameter logic [11:0] FEC_IEEE_R_FDXFC_OFFSET = 12'h2DC;
  parameter logic [31:0] FEC_IEEE_R_FDXFC_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_R_FDXFC_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_R_FDXFC_COUNT_MASK = 32'hFFFFFFFF;

  // IEEE_R_OCTETS_OK: received: octets of frames without error
  parameter logic [11:0] FEC_IEEE_R_OCTETS_OK_OFFSET = 12'h2E0;
  parameter logic [31:0] FEC_IEEE_R_OCTETS_OK_RESET = 32'h00000000;
  parameter int unsigned FEC_IEEE_R_OCTETS_OK_COUNT_LSB = 0;
  parameter logic [31:0] FEC_IEEE_R_OCTETS_OK_COUNT_MASK = 32'hFFFFFFFF;

  // ATCR: timer control
  parameter logic [11:0] FEC_ATCR_OFFSET = 12'h400;
  parameter logic [31:0] FEC_ATCR_RESET = 32'h00000000;
  parameter int unsigned FEC_ATCR_SLAVE_LSB = 13;
  parameter logic [31:0] FEC_ATCR_SLAVE_MASK = 32'h00002000;
  parameter int unsigned FEC_ATCR_CAPTURE_LSB = 11;
  parameter logic [31:0] FEC_ATCR_CAPTURE_MASK = 32'h00000800;
  parameter int unsigned FEC_ATCR_RESTART_LSB = 9;
  parameter logic [31:0] FEC_ATCR_RESTART_MASK = 32'h00000200;
  parameter int unsigned FEC_ATCR_PINPER_LSB = 7;
  parameter logic [31:0] FEC_ATCR_PINPER_MASK = 32'h00000080;
  parameter int unsigned FEC_ATCR_PEREN_LSB = 4;
  parameter logic [31:0] FEC_ATCR_PEREN_MASK = 32'h00000010;
  parameter int unsigned FEC_ATCR_OFFRST_LSB = 3;
  parameter logic [31:0] FEC_ATCR_OFFRST_MASK = 32'h00000008;
  parameter int unsigned FEC_ATCR_OFFEN_LSB = 2;
  parameter logic [31:0] FEC_ATCR_OFFEN_MASK = 32'h00000004;
  parameter int unsigned FEC_ATCR_EN_LSB = 0;
  parameter logic [31:0] FEC_ATCR_EN_MASK = 32'h00000001;

  // ATVR: time, ns; a write sets the timer
  parameter logic [11:0] FEC_ATVR_OFFSET = 12'h404;
  parameter logic [31:0] FEC_ATVR_RESET = 32'h00000000;
  parameter int unsigned FEC_ATVR_VALUE_LSB = 0;
  parameter logic [31:0] FEC_ATVR_VALUE_MASK = 32'hFFFFFFFF;

  // ATOFF: one-shot offset, ns
  parameter logic [11:0] FEC_ATOFF_OFFSET = 12'h408;
  parameter logic [31:0] FEC_ATOFF_RESET = 32'h00000000;
  parameter int unsigned FEC_ATOFF_VALUE_LSB = 0;
  parameter logic [31:0] FEC_ATOFF_VALUE_MASK = 32'hFFFFFFFF;

  // ATPER: wrap period, ns
  parameter logic [11:0] FEC_ATPER_OFFSET = 12'h40C;
  parameter logic [31:0] FEC_ATPER_RESET = 32'h3B9ACA00;
  parameter int unsigned FEC_ATPER_VALUE_LSB = 0;
  parameter logic [31:0] FEC_ATPER_VALUE_MASK = 32'hFFFFFFFF;

  // ATCOR: correction period
  parameter logic [11:0] FEC_ATCOR_OFFSET = 12'h410;
  parameter logic [31:0] FEC_ATCOR_RESET = 32'h00000000;
  parameter int unsigned FEC_ATCOR_COR_LSB = 0;
  parameter logic [31:0] FEC_ATCOR_COR_MASK = 32'h7FFFFFFF;

  // ATINC: increment
  parameter logic [11:0] FEC_ATINC_OFFSET = 12'h414;
  parameter logic [31:0] FEC_ATINC_RESET = 32'h00000000;
  parameter int unsigned FEC_ATINC_INC_CORR_LSB = 8;
  parameter logic [31:0] FEC_ATINC_INC_CORR_MASK = 32'h00007F00;
  parameter int unsigned FEC_ATINC_INC_LSB = 0;
  parameter logic [31:0] FEC_ATINC_INC_MASK = 32'h0000007F;

  // ATSTMP: time of the last sent frame with TS
  parameter logic [11:0] FEC_ATSTMP_OFFSET = 12'h418;
  parameter logic [31:0] FEC_ATSTMP_RESET = 32'h00000000;
  parameter int unsigned FEC_ATSTMP_TIMESTAMP_LSB = 0;
  parameter logic [31:0] FEC_ATSTMP_TIMESTAMP_MASK = 32'hFFFFFFFF;

  // TGSR: timer flags, copies of TCSR.TF
  parameter logic [11:0] FEC_TGSR_OFFSET = 12'h604;
  parameter logic [31:0] FEC_TGSR_RESET = 32'h00000000;
  parameter int unsigned FEC_TGSR_TF3_LSB = 3;
  parameter logic [31:0] FEC_TGSR_TF3_MASK = 32'h00000008;
  parameter int unsigned FEC_TGSR_TF2_LSB = 2;
  parameter logic [31:0] FEC_TGSR_TF2_MASK = 32'h00000004;
  parameter int unsigned FEC_TGSR_TF1_LSB = 1;
  parameter logic [31:0] FEC_TGSR_TF1_MASK = 32'h00000002;
  parameter int unsigned FEC_TGSR_TF0_LSB = 0;
  parameter logic [31:0] FEC_TGSR_TF0_MASK = 32'h00000001;

  // TCSR0: timer channel 0 control
  parameter logic [11:0] FEC_TCSR0_OFFSET = 12'h608;
  parameter logic [31:0] FEC_TCSR0_RESET = 32'h00000000;
  parameter int unsigned FEC_TCSR0_TF_LSB = 7;
  parameter logic [31:0] FEC_TCSR0_TF_MASK = 32'h00000080;
  parameter int unsigned FEC_TCSR0_TIE_LSB = 6;
  parameter logic [31:0] FEC_TCSR0_TIE_MASK = 32'h00000040;
  parameter int unsigned FEC_TCSR0_TMODE_LSB = 2;
  parameter logic [31:0] FEC_TCSR0_TMODE_MASK = 32'h0000003C;
  parameter int unsigned FEC_TCSR0_TDRE_LSB = 0;
  parameter logic [31:0] FEC_TCSR0_TDRE_MASK = 32'h00000001;

  // TCCR0: timer channel 0 compare or capture, ns
  parameter logic [11:0] FEC_TCCR0_OFFSET = 12'h60C;
  parameter logic [31:0] FEC_TCCR0_RESET = 32'h00000000;
  parameter int unsigned FEC_TCCR0_VALUE_LSB = 0;
  parameter logic [31:0] FEC_TCCR0_VALUE_MASK = 32'hFFFFFFFF;

  // TCSR1: timer channel 1 control
  parameter logic [11:0] FEC_TCSR1_OFFSET = 12'h610;
  parameter logic [31:0] FEC_TCSR1_RESET = 32'h00000000;
  parameter int unsigned FEC_TCSR1_TF_LSB = 7;
  parameter logic [31:0] FEC_TCSR1_TF_MASK = 32'h00000080;
  parameter int unsigned FEC_TCSR1_TIE_LSB = 6;
  parameter logic [31:0] FEC_TCSR1_TIE_MASK = 32'h00000040;
  parameter int unsigned FEC_TCSR1_TMODE_LSB = 2;
  parameter logic [31:0] FEC_TCSR1_TMODE_MASK = 32'h0000003C;
  parameter int unsigned FEC_TCSR1_TDRE_LSB = 0;
  parameter logic [31:0] FEC_TCSR1_TDRE_MASK = 32'h00000001;

  // TCCR1: timer channel 1 compare or capture, ns
  parameter logic [11:0] FEC_TCCR1_OFFSET = 12'h614;
  parameter logic [31:0] FEC_TCCR1_RESET = 32'h00000000;
  parameter int unsigned FEC_TCCR1_VALUE_LSB = 0;
  parameter logic [31:0] FEC_TCCR1_VALUE_MASK = 32'hFFFFFFFF;

  // TCSR2: timer channel 2 control
  parameter logic [11:0] FEC_TCSR2_OFFSET = 12'h618;
  parameter logic [31:0] FEC_TCSR2_RESET = 32'h00000000;
  parameter int unsigned FEC_TCSR2_TF_LSB = 7;
  parameter logic [31:0] FEC_TCSR2_TF_MASK = 32'h00000080;
  parameter int unsigned FEC_TCSR2_TIE_LSB = 6;
  parameter logic [31:0] FEC_TCSR2_TIE_MASK = 32'h00000040;
  parameter int unsigned FEC_TCSR2_TMODE_LSB = 2;
  parameter logic [31:0] FEC_TCSR2_TMODE_MASK = 32'h0000003C;
  parameter int unsigned FEC_TCSR2_TDRE_LSB = 0;
  parameter logic [31:0] FEC_TCSR2_TDRE_MASK = 32'h00000001;

  // TCCR2: timer channel 2 compare or capture, ns
  parameter logic [11:0] FEC_TCCR2_OFFSET = 12'h61C;
  parameter logic [31:0] FEC_TCCR2_RESET = 32'h00000000;
  parameter int unsigned FEC_TCCR2_VALUE_LSB = 0;
  parameter logic [31:0] FEC_TCCR2_VALUE_MASK = 32'hFFFFFFFF;

  // TCSR3: timer channel 3 control
  parameter logic [11:0] FEC_TCSR3_OFFSET = 12'h620;
  parameter logic [31:0] FEC_TCSR3_RESET = 32'h00000000;
  parameter int unsigned FEC_TCSR3_TF_LSB = 7;
  parameter logic [31:0] FEC_TCSR3_TF_MASK = 32'h00000080;
  parameter int unsigned FEC_TCSR3_TIE_LSB = 6;
  parameter logic [31:0] FEC_TCSR3_TIE_MASK = 32'h00000040;
  parameter int unsigned FEC_TCSR3_TMODE_LSB = 2;
  parameter logic [31:0] FEC_TCSR3_TMODE_MASK = 32'h0000003C;
  parameter int unsigned FEC_TCSR3_TDRE_LSB = 0;
  parameter logic [31:0] FEC_TCSR3_TDRE_MASK = 32'h00000001;

  // TCCR3: timer channel 3 compare or capture, ns
  parameter logic [11:0] FEC_TCCR3_OFFSET = 12'h624;
  parameter logic [31:0] FEC_TCCR3_RESET = 32'h00000000;
  parameter int unsigned FEC_TCCR3_VALUE_LSB = 0;
  parameter logic [31:0] FEC_TCCR3_VALUE_MASK = 32'hFFFFFFFF;

endpackage : fec_regs_pkg
