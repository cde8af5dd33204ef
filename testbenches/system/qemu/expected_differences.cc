#include "testbenches/system/qemu/expected_differences.h"

namespace doorbell::qemu {

namespace {

// One row of observations a line.
// clang-format off
const std::vector<ExpectedDifference> kTable = {
    {"ecr-top-nibble", Verdict::kQemuSimplifies,
     "The top nibble, which has no known function, resets to 0b1111 in QEMU and to 0b0111 in the "
     "model.",
     "i.MX 6ULL RM ch. 22; not verified on i.MX8MP",
     {
         {"reset_values ecr_reset", "ECR", "0xf0000000", "0x70000000"},
     }},
    {"address-of-netdev", Verdict::kQemuSimplifies,
     "QEMU starts with the address of its network back end, the model with 0 (a boot loader may "
     "set it).",
     "i.MX 6ULL RM ch. 22",
     {
         {"reset_values", "PALR", "0x52540012", "0x00000000"},
         {"reset_values", "PAUR", "0x34568808", "0x00008808"},
     }},
    {"address-after-reset", Verdict::kQemuSimplifies,
     "In QEMU the station address survives ECR.RESET, in the model RESET clears every register.",
     "i.MX 6ULL RM ch. 22",
     {
         {"ecr_reset", "PALR", "0x02005e10", "0x00000000"},
         {"ecr_reset", "PAUR", "0x00018808", "0x00008808"},
     }},
    {"eimr-width", Verdict::kQemuSimplifies,
     "QEMU stores all bits, the model only those of defined events.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "EIMR.ones", "0xffffffff", "0x7ffff0ff"},
     }},
    {"mscr-holdtime", Verdict::kQemuLeavesOut,
     "HOLDTIME is not stored by QEMU.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "MSCR.ones", "0x000000fe", "0x000007fe"},
         {"driver_values", "MSCR", "0x0000006a", "0x0000026a"},
     }},
    {"mibc-clear", Verdict::kQemuLeavesOut,
     "QEMU does not store MIB_CLEAR, which does not clear itself.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "MIBC.ones", "0xc0000000", "0xe0000000"},
     }},
    {"mibc-idle", Verdict::kQemuSimplifies,
     "MIB_IDLE is read-only and 1; QEMU lets a write clear it.",
     "i.MX 6ULL RM ch. 22",
     {
         {"writable_bits", "MIBC.zeros", "0x00000000", "0x40000000"},
         {"driver_values statistics", "MIBC", "0x00000000", "0x40000000"},
     }},
    {"rcr-width", Verdict::kQemuLeavesOut,
     "QEMU lacks RGMII_EN, RMII, PADEN, PAUFWD, CRCFWD, CFEN, NLC and the three upper bits of "
     "MAX_FL.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "RCR.ones", "0x07ff003f", "0x7ffff37f"},
         {"driver_values", "RCR", "0x07c00004", "0x47c00044"},
     }},
    {"tcr-width", Verdict::kQemuSimplifies,
     "QEMU stores all bits; in the model RFC_PAUSE is read-only and undefined bits read 0.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "TCR.ones", "0xffffffff", "0x000003ed"},
     }},
    {"coalescing-registers", Verdict::kQemuLeavesOut,
     "QEMU has no interrupt coalescing.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "*XIC*.ones", "0x00000000", "0xcff0ffff"},
     }},
    {"hash-registers", Verdict::kQemuLeavesOut,
     "QEMU does not store the hash tables.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "IA*R.ones", "0x00000000", "0xffffffff"},
         {"writable_bits", "GA*R.ones", "0x00000000", "0xffffffff"},
     }},
    {"class-ring-bases", Verdict::kQemuLeavesOut,
     "QEMU has no receive rings 1 and 2, and the bases of its transmit rings 1 and 2 read 0.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "*DSR*.ones", "0x00000000", "0xfffffff8"},
         {"writable_bits", "MRBR*.ones", "0x00000000", "0x000007f0"},
     }},
    {"mrbr-width", Verdict::kOtherPart,
     "Buffers up to 2032 octets on i.MX8MP, more on the parts that QEMU has.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "MRBR.ones", "0x00003ff0", "0x000007f0"},
     }},
    {"fifo-level-width", Verdict::kOtherPart,
     "FIFO levels have 10 bits on i.MX8MP, 9 on the parts that QEMU has.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "*.ones", "0x000001ff", "0x000003ff"},
         {"writable_bits", "RSEM.ones", "0x000001ff", "0x001f03ff"},
     }},
    {"classification-registers", Verdict::kQemuLeavesOut,
     "QEMU does not classify.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "RCMR*.ones", "0x00000000", "0x00017777"},
     }},
    {"shaper-registers", Verdict::kQemuLeavesOut,
     "QEMU has no shapers.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "DMA*CFG.ones", "0x00000000", "0x0003ffff"},
     }},
    {"qos-register", Verdict::kQemuLeavesOut,
     "QEMU has no queue scheme.",
     "MCUXpresso PERI_ENET.h",
     {
         {"writable_bits", "QOS.ones", "0x00000000", "0x0000003f"},
     }},
    {"ecr-width", Verdict::kQemuSimplifies,
     "QEMU stores all bits but RESET, the model the defined ones and the top nibble.",
     "MCUXpresso PERI_ENET.h",
     {
         {"ecr_bits", "ECR", "0xffffff7c", "0xf0030f7c"},
     }},
    {"narrow-access", Verdict::kQemuSimplifies,
     "The block has 32-bit registers only; QEMU reads 0, the model answers with a bus error.",
     "assumption",
     {
         {"narrow_reads", "*at RCR*", "0x*", "bus error"},
     }},
    {"tx-partial-frame", Verdict::kOpen,
     "QEMU forgets what it has of a frame when it meets R = 0 inside, and later sends the rest as"
     " a frame; the model waits with it. With partial_frame_policy = drop the model does the same"
     " as QEMU (script tx_partial_drop).",
     "assumption, parameter partial_frame_policy",
     {
         {"tx_partial_wait", "rest.sent.frames", "70 B *", "140 B *"},
     }},
    {"tx-babt", Verdict::kQemuLeavesOut,
     "A frame longer than MAX_FL raises BABT.",
     "i.MX 6ULL RM ch. 22",
     {
         {"tx_over_max_fl", "long.eir", "TXF TXB", "BABT TXF TXB"},
     }},
    {"tx-padding", Verdict::kQemuLeavesOut,
     "The MAC pads to 60 octets.",
     "i.MX 6ULL RM ch. 22",
     {
         {"tx_short", "short.sent.frames", "20 B *, 59 B *", "60 B *, 60 B *"},
     }},
    {"tx-own-fcs", Verdict::kHarness,
     "QEMU's wire shows the octets of the buffer, the model's wire the frame without its FCS.",
     "i.MX 6ULL RM ch. 22",
     {
         {"tx_without_tc", "own FCS.sent.frames", "64 B *", "60 B 0xde54d61d"},
     }},
    {"tx-bus-error", Verdict::kQemuLeavesOut,
     "A bus error raises EBERR and stops the block: ETHEREN is cleared.",
     "i.MX 6ULL RM ch. 22",
     {
         {"tx_unmapped", "ecr", "0x00000002", "0x00000000"},
         {"tx_unmapped", "eir", "TXF TXB", "EBERR"},
     }},
    {"tx-bus-error-frame", Verdict::kQemuLeavesOut,
     "QEMU sends zeros where nothing could be read.",
     "i.MX 6ULL RM ch. 22",
     {
         {"tx_unmapped", "sent.count", "1", "0"},
         {"tx_unmapped", "sent.frames", "60 B 0x04128908", "-"},
     }},
    {"tx-bus-error-descriptor", Verdict::kOpen,
     "The descriptor of a frame that met a bus error stays as it was.",
     "assumption",
     {
         {"tx_unmapped", "bd.status", "0x2c00", "0xac00"},
     }},
    {"tx-checksum-kinds", Verdict::kQemuLeavesOut,
     "QEMU inserts checksums of TCP and UDP over IPv4 only.",
     "i.MX 6ULL RM ch. 22",
     {
         {"tx_checksums", "IPv4 ICMP, both.frames", "98 B *", "98 B *"},
         {"tx_checksums", "IPv4 ICMP, both.right", "no", "yes"},
         {"tx_checksums", "IPv6 *, both.frames", "1* B *", "1* B *"},
         {"tx_checksums", "IPv6 *, both.right", "no", "yes"},
     }},
    {"tx-tacc", Verdict::kQemuLeavesOut,
     "TACC alone makes the MAC insert checksums, without IINS and PINS in the descriptor; QEMU "
     "looks at the descriptor only.",
     "i.MX 6ULL RM ch. 22",
     {
         {"tx_tacc", "two.sent.frames", "75 B 0x3657ae81, 75 B 0xa21be4ea",
          "75 B 0x3657ae81, 75 B 0x77381c3d"},
     }},
    {"tx-legacy-rings", Verdict::kQemuSimplifies,
     "With 8-byte descriptors QEMU serves ring 0 whichever TDAR is written; the model serves the "
     "ring of the TDAR.",
     "i.MX 6ULL RM ch. 22, MCUXpresso PERI_ENET.h",
     {
         {"tx_rings_1_2_legacy", "TDAR1.sent.frames", "60 B 0xde54d61d", "61 B *"},
         {"tx_rings_1_2_legacy", "TDAR1.eir", "TXF TXB", "TXF1 TXB1"},
         {"tx_rings_1_2_legacy", "TDAR*.sent.count", "0", "1"},
         {"tx_rings_1_2_legacy", "TDAR*.sent.frames", "-", "6* B *"},
         {"tx_rings_1_2_legacy", "TDAR2.eir", "-", "TXF2 TXB2"},
         {"tx_rings_1_2_legacy", "TDAR.eir", "-", "TXF TXB"},
         {"tx_rings_1_2_legacy", "ring*.status", "0xac00", "0x2c00"},
     }},
    {"tx-ts-avail", Verdict::kQemuLeavesOut,
     "A frame with TS raises TS_AVAIL.",
     "i.MX 6ULL RM ch. 22",
     {
         {"tx_timestamp", "stamped.eir", "TXF TXB", "TXF TXB TS_AVAIL"},
     }},
    {"tx-ts-value", Verdict::kQemuLeavesOut,
     "The time of a frame with TS goes into its descriptor.",
     "i.MX 6ULL RM ch. 22",
     {
         {"tx_timestamp", "bd.timestamp", "0", "set"},
     }},
    {"tx-graceful-stop", Verdict::kQemuSimplifies,
     "QEMU raises GRA and goes on sending; the model sends nothing until GTS is cleared.",
     "i.MX 6ULL RM ch. 22",
     {
         {"tx_graceful_stop", "while stopped.count", "1", "0"},
         {"tx_graceful_stop", "while stopped.frames", "60 B 0xde54d61d", "-"},
         {"tx_graceful_stop", "while stopped.eir", "TXF TXB", "-"},
         {"tx_graceful_stop", "released.count", "0", "1"},
         {"tx_graceful_stop", "released.frames", "-", "60 B 0xde54d61d"},
         {"tx_graceful_stop", "released.eir", "-", "TXF TXB"},
     }},
    {"rx-control-word", Verdict::kQemuLeavesOut,
     "QEMU leaves the control word as software wrote it; the model sets UC for a unicast address,"
     " ICE and PCR for a frame that is not IP, and ME with an error.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_simple_enhanced rx_wrap_enhanced rx_exhausted_enhanced rx_before_rdar "
          "rx_split_enhanced rx_split_ring_ends rx_over_max_fl rx_truncated_enhanced "
          "rx_shift16_enhanced rx_int_gating rx_left_over_bits rx_filter_exact "
          "rx_filter_promiscuous rx_filter_hash rx_filter_no_broadcast rx_crcfwd "
          "rx_restart_enhanced rx_checksum_status rx_vlan_classes loopback",
          "*.control", "0x00800000", "0x01800030"},
         {"rx_int_gating", "INT 0.bd.control", "0x00000000", "0x01000030"},
         {"rx_filter_exact rx_filter_promiscuous rx_filter_hash rx_filter_no_broadcast",
          "bd*.control", "0x00800000", "0x00800030"},
         {"rx_over_max_fl rx_truncated_enhanced", "*.control", "0x00800000", "0x81800030"},
     }},
    {"rx-checksum-bits", Verdict::kQemuLeavesOut,
     "ICE tells of a wrong IP header checksum, PCR of a wrong protocol checksum, IPV6 of the "
     "version; QEMU writes none of them.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_checksum_status", "good UDP.bd.control", "0x00800000", "0x01800000"},
         {"rx_checksum_status", "good IPv6 TCP.bd.control", "0x00800000", "0x01800002"},
         {"rx_checksum_status", "bad IP.bd.control", "0x00800000", "0x01800020"},
         {"rx_checksum_status", "bad UDP.bd.control", "0x00800000", "0x01800010"},
     }},
    {"rx-protocol-word", Verdict::kQemuLeavesOut,
     "The protocol word of an IP frame: header length, protocol, payload checksum.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_checksum_status", "*UDP.bd.protocol", "0x00000000", "0x2811*"},
         {"rx_checksum_status", "good IPv6 TCP.bd.protocol", "0x00000000", "0x5006*"},
         {"rx_checksum_status", "bad IP.bd.protocol", "0x00000000", "0x2811*"},
     }},
    {"rx-while-disabled", Verdict::kQemuSimplifies,
     "A frame that comes while ETHEREN = 0 waits in front of QEMU's device and is delivered "
     "later; the model, like a MAC on a wire, loses it.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_while_disabled", "enabled.eir", "RXF", "-"},
         {"rx_while_disabled", "enabled.bd0.status", "0x0800", "0x8000"},
         {"rx_while_disabled", "enabled.bd0.length", "64", "0"},
         {"rx_while_disabled", "enabled.bd0.bdu", "0x80000000", "0x00000000"},
     }},
    {"rx-last-length", Verdict::kQemuSimplifies,
     "In the last of several descriptors the length is that of the whole frame; QEMU writes the "
     "octets in this buffer.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_split_legacy rx_split_enhanced", "300.bd2.length", "48", "304"},
         {"rx_split_legacy rx_split_enhanced", "128.bd5.length", "4", "132"},
         {"rx_over_max_fl", "1604.bd3.length", "68", "1604"},
         {"rx_int_gating", "INT 0 then 1.bd3.length", "76", "204"},
         {"rx_left_over_bits", "end.length", "76", "204"},
     }},
    {"rx-cut-frame", Verdict::kOpen,
     "When descriptors run out inside a frame QEMU drops the rest; the model keeps it in the FIFO"
     " and goes on when RDAR is written (the length in the last descriptor is that of the whole "
     "frame).",
     "assumption",
     {
         {"rx_split_ring_ends", "resumed.eir", "-", "RXF RXB"},
         {"rx_split_ring_ends", "resumed.bd1.status", "0x8000", "0x0000"},
         {"rx_split_ring_ends", "resumed.bd1.length", "0", "128"},
         {"rx_split_ring_ends", "resumed.bd2.status", "0xa000", "0x2800"},
         {"rx_split_ring_ends", "resumed.bd2.length", "0", "304"},
         {"rx_split_ring_ends", "resumed.bd2.bdu", "0x00000000", "0x80000000"},
     }},
    {"rx-left-over-bits", Verdict::kQemuSimplifies,
     "QEMU only adds status bits to what software left in the descriptor; the model writes all of "
     "them: L in each, the others in the last one.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_left_over_bits", "group bits.status", "0x08c0", "0x0800"},
         {"rx_left_over_bits", "last bit.status", "0x0800", "0x0000"},
     }},
    {"rx-babr", Verdict::kQemuLeavesOut,
     "A frame longer than MAX_FL raises BABR.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_over_max_fl", "1519 with FCS.eir", "RXF", "BABR RXF"},
         {"rx_over_max_fl", "1604 with FCS.eir", "RXF RXB", "BABR RXF RXB"},
     }},
    {"rx-truncation-legacy", Verdict::kQemuSimplifies,
     "QEMU truncates with 32-byte descriptors only; the model does with both, and sets TR and CR.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_truncated_legacy", "1004.bd1.status", "0x0800", "0x0805"},
         {"rx_truncated_legacy", "1004.bd1.length", "1004", "512"},
     }},
    {"rx-truncation-bits", Verdict::kQemuSimplifies,
     "QEMU sets TR and LG; the model TR and CR, since with TR the other bits say nothing.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_truncated_enhanced", "1004.bd1.status", "0x0821", "0x0805"},
     }},
    {"rx-truncation-data", Verdict::kQemuSimplifies,
     "QEMU puts its four FCS octets at the end of a truncated frame, in the model the frame is "
     "cut there.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_truncated_enhanced", "1004.data1 at the cut", "4 B *", "4 B 0xbff297ea"},
     }},
    {"rx-shift16-legacy", Verdict::kQemuSimplifies,
     "QEMU shifts with 32-byte descriptors only; the model whenever RACC.SHIFT16 is set.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_shift16_legacy", "bd0.length", "64", "66"},
         {"rx_shift16_legacy", "bd1.length", "1004", "1006"},
         {"rx_shift16_legacy", "data0 from octet 2", "60 B *", "60 B 0xde54d61d"},
         {"rx_shift16_legacy", "data1 from octet 2", "1000 B *", "1000 B 0xc7398f48"},
     }},
    {"rx-filter", Verdict::kQemuLeavesOut,
     "QEMU does not filter: every frame is taken; the model drops multicast and foreign unicast "
     "without a hash hit.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_filter_exact", "*.eir", "RXF", "-"},
         {"rx_filter_exact", "bd*.status", "0x0800", "0x8000"},
         {"rx_filter_exact", "bd2.length", "76", "0"},
         {"rx_filter_exact", "bd3.length", "80", "0"},
         {"rx_filter_exact", "bd*.bdu", "0x80000000", "0x00000000"},
     }},
    {"rx-group-bits", Verdict::kQemuLeavesOut,
     "BC marks a broadcast, MC a multicast.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_filter_exact rx_filter_promiscuous rx_filter_hash", "bd1.status", "0x0800", "0x0880"},
         {"rx_filter_hash", "bd2.status", "0x0800", "0x0840"},
     }},
    {"rx-miss-bit", Verdict::kQemuLeavesOut,
     "M marks what only PROM let in, MC a multicast.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_filter_promiscuous", "bd2.status", "0x0800", "0x0940"},
         {"rx_filter_promiscuous", "bd3.status", "0x0800", "0x0900"},
     }},
    {"rx-broadcast-reject", Verdict::kQemuLeavesOut,
     "BC_REJ drops broadcasts; the frames behind it are one descriptor earlier in the model.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_filter_no_broadcast", "broadcast.eir", "RXF", "-"},
         {"rx_filter_no_broadcast", "bd1.status", "0x0800", "0x0840"},
         {"rx_filter_no_broadcast", "bd1.length", "72", "76"},
         {"rx_filter_no_broadcast", "bd2.length", "76", "80"},
         {"rx_filter_no_broadcast", "bd3.status", "0x0800", "0x8000"},
         {"rx_filter_no_broadcast", "bd3.length", "80", "0"},
         {"rx_filter_no_broadcast", "bd3.bdu", "0x80000000", "0x00000000"},
     }},
    {"rx-runt", Verdict::kQemuLeavesOut,
     "A frame under 64 octets with FCS is a runt and is dropped.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_short", "20.eir", "RXF", "-"},
         {"rx_short", "20.bd0.status", "0x0800", "0x8000"},
         {"rx_short", "20.bd0.length", "24", "0"},
         {"rx_short", "20.bd0.bdu", "0x80000000", "0x00000000"},
     }},
    {"rx-fcs", Verdict::kQemuLeavesOut,
     "QEMU's four octets are a CRC over more than the frame, in the other byte order.",
     "IEEE 802.3 clause 3.2.9",
     {
         {"rx_fcs", "FCS", "wrong", "right"},
     }},
    {"rx-crcfwd", Verdict::kQemuLeavesOut,
     "CRCFWD takes the FCS off; QEMU has no such bit.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_crcfwd", "CRCFWD.bd.length", "64", "60"},
     }},
    {"rx-classes", Verdict::kQemuLeavesOut,
     "QEMU has one receive ring: tagged frames go to ring 0; the model puts them into the ring of"
     " their class.",
     "MCUXpresso PERI_ENET.h, Linux 6.12 fec_main.c",
     {
         {"rx_vlan_classes", "priority 1.eir", "RXF", "RXF1"},
         {"rx_vlan_classes", "priority 6.eir", "-", "RXF2"},
         {"rx_vlan_classes", "priority *.ring*.status", "0xa000", "0x2800"},
         {"rx_vlan_classes", "priority *.ring*.length", "0", "84"},
         {"rx_vlan_classes", "priority *.ring*.bdu", "0x00000000", "0x80000000"},
         {"rx_vlan_classes", "priority *.ring1.control", "0x00800000", "0x01802034"},
         {"rx_vlan_classes", "priority 6.ring2.control", "0x00800000", "0x0180c034"},
         {"rx_vlan_classes", "ring0 bd1.status", "0x2800", "0xa000"},
         {"rx_vlan_classes", "ring0 bd1.length", "84", "0"},
         {"rx_vlan_classes", "ring0 bd1.bdu", "0x80000000", "0x00000000"},
     }},
    {"rx-pause", Verdict::kQemuLeavesOut,
     "The MAC obeys a PAUSE frame and keeps it; QEMU delivers it.",
     "i.MX 6ULL RM ch. 22",
     {
         {"rx_pause", "pause.eir", "RXF", "-"},
         {"rx_pause", "bd0.status", "0x0800", "0x8000"},
         {"rx_pause", "bd0.length", "64", "0"},
         {"rx_pause", "bd0.bdu", "0x80000000", "0x00000000"},
     }},
    {"irq-lines", Verdict::kOpen,
     "QEMU raises two lines for every event (118 and 119, on mcimx7d 118 and 121); the model "
     "raises line 120, and with irq_map = per-class others too.",
     "assumption, parameter irq_map",
     {
         {"irq_lines", "*", "118 1*", "120"},
     }},
    {"phy-bmsr", Verdict::kOtherPart,
     "QEMU's PHY is a 100 Mb/s one, the model's has extended status for 1000BASE-T.",
     "IEEE 802.3 clause 22",
     {
         {"mdio", "BMSR.data", "0x0000782d", "0x0000796d"},
     }},
    {"mdio-no-clock", Verdict::kQemuSimplifies,
     "Without a clock (MSCR = 0) writing MMFR starts nothing; QEMU answers at once.",
     "Linux 6.12 fec_main.c",
     {
         {"mdio_without_clock", "MSCR 0.eir", "MII", "-"},
     }},
    {"mdio-clock-starts", Verdict::kQemuSimplifies,
     "A frame waits in MMFR and starts when MSCR is set.",
     "Linux 6.12 fec_main.c",
     {
         {"mdio_without_clock", "MSCR set.eir", "-", "MII"},
     }},
    {"loopback", Verdict::kQemuLeavesOut,
     "Internal loopback keeps the frame off the wire and receives it; QEMU sends it.",
     "i.MX 6ULL RM ch. 22",
     {
         {"loopback", "sent.count", "1", "0"},
         {"loopback", "sent.frames", "60 B 0xde54d61d", "-"},
         {"loopback", "eir", "TXF TXB", "TXF TXB RXF"},
         {"loopback", "rx.status", "0xa000", "0x2800"},
         {"loopback", "rx.length", "0", "64"},
         {"loopback", "rx.bdu", "0x00000000", "0x80000000"},
         {"loopback", "data", "60 B *", "60 B 0xde54d61d"},
     }},
    {"statistics", Verdict::kQemuLeavesOut,
     "QEMU does not count.",
     "i.MX 6ULL RM ch. 22",
     {
         {"statistics", "*MON_*_P*", "0x00000000", "0x00000001"},
         {"statistics", "IEEE_*_FRAME_OK", "0x00000000", "0x00000001"},
         {"statistics", "RMON_T_OCTETS", "0x00000000", "0x00000040"},
         {"statistics", "RMON_R_OCTETS", "0x00000000", "0x00000068"},
     }},
    {"timer-capture", Verdict::kQemuSimplifies,
     "CAPTURE clears itself; in QEMU it stays.",
     "i.MX 6ULL RM ch. 22",
     {
         {"timer", "ATCR captured", "0x00000801", "0x00000001"},
     }},
    {"timer-runs", Verdict::kQemuLeavesOut,
     "The timer runs: 2 ms at 10 ns a tick of 100 MHz after 12345; in QEMU it stands.",
     "i.MX 6ULL RM ch. 22",
     {
         {"timer", "ATVR captured", "0x00003039", "0x001e*"},
     }},
};
// clang-format on

}  // namespace

const std::vector<ExpectedDifference>& expected_differences() {
  return kTable;
}

}  // namespace doorbell::qemu
