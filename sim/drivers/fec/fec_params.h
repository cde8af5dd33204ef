// Scenario keys of the FEC driver: [driver] when the nic is a "fec".
//
// Each key is a design choice of the driver that a study may vary. Defaults are those of Linux 6.12
// fec_main.c, except erratum_007885_workaround, which the measured driver of the published XDP
// rates did not have on its XDP path.
#pragma once

#include "models/base/params.h"

namespace doorbell::fec {

inline constexpr base::ParamSpec kFecDriverParams[] = {
    {"mode", base::ParamKind::kChoice, "native", "native|skb", "",
     "native: the program runs in the driver; skb: generic XDP, after an sk_buff is built",
     "Linux 6.12 fec_main.c"},
    {"program",
     base::ParamKind::kText,
     "",
     {},
     "",
     "BPF object that runs instead of xdp: a shipped program's name, or a file compiled by clang",
     "study"},
    {"xdp", base::ParamKind::kChoice, "off", "off|pass|drop|tx|redirect", "",
     "what the XDP program decides; redirect goes out of the same port", "study"},
    {"xdp_frame_conversion", base::ParamKind::kBoolean, "true", "", "",
     "true: XDP_TX builds an xdp_frame; false: it queues the buffer as it is",
     "Linux: series that added XDP_TX to the FEC, 2023"},
    {"doorbell", base::ParamKind::kChoice, "per-frame", "per-frame|batched", "",
     "TDAR written for each XDP frame, or once per poll", "Linux 6.12 fec_main.c"},
    {"dma_sync", base::ParamKind::kChoice, "used", "used|full", "",
     "length cleaned when a page goes back to the pool: what was used, or the whole buffer",
     "Linux 6.12 fec_main.c"},
    {"rx_ring", base::ParamKind::kInteger, "256", "16..1024", "descriptors",
     "receive descriptors per queue", "Linux 6.12 fec.h"},
    {"tx_ring", base::ParamKind::kInteger, "1024", "256..4096", "descriptors",
     "transmit descriptors per queue", "Linux 6.12 fec.h"},
    {"rx_coalesce_frames", base::ParamKind::kInteger, "200", "1..255", "frames",
     "receive interrupt after this many frames ...", "Linux 6.12 fec_main.c"},
    {"rx_coalesce_time", base::ParamKind::kTime, "1000 us", "1 us..10 ms", "",
     "... or this long after the first", "Linux 6.12 fec_main.c"},
    {"tx_coalesce_frames", base::ParamKind::kInteger, "200", "1..255", "frames",
     "transmit interrupt after this many frames ...", "Linux 6.12 fec_main.c"},
    {"tx_coalesce_time", base::ParamKind::kTime, "1000 us", "1 us..10 ms", "",
     "... or this long after the first", "Linux 6.12 fec_main.c"},
    {"pause", base::ParamKind::kBoolean, "false", "", "",
     "negotiated flow control: sets FCE and the FIFO thresholds", "Linux 6.12 fec_main.c"},
    {"napi_weight", base::ParamKind::kInteger, "64", "1..64", "packets", "budget of one poll",
     "Linux 6.12 include/linux/netdevice.h"},
    {"cpu", base::ParamKind::kInteger, "0", "0..3", "",
     "core that takes the interrupt; also selects the XDP transmit queue", "study"},
    {"erratum_007885_workaround", base::ParamKind::kBoolean, "false", "", "",
     "read TDAR up to four times before writing it", "Linux 6.12 fec_main.c"},
    {"tx_timeout", base::ParamKind::kTime, "2 s", "1 ms..60 s", "", "transmit watchdog",
     "Linux 6.12 fec.h"},
    {"hw_timestamps", base::ParamKind::kBoolean, "false", "", "",
     "read the time stamp of every received frame", "study"},
    {"rx_dma_rmb", base::ParamKind::kBoolean, "false", "", "",
     "load barrier between a closed descriptor's status and its other words",
     "deduced: Linux 6.12 fec_main.c has none"},
    {"enhanced_descriptors", base::ParamKind::kBoolean, "true", "", "",
     "32-byte descriptors; false: 8 bytes, no offloads, no 1588", "Linux 6.12 fec_main.c"},
    {"vlan_strip", base::ParamKind::kBoolean, "true", "", "",
     "take the VLAN tag out of received sk_buffs", "Linux 6.12 fec_main.c"},
    {"rx_csum", base::ParamKind::kBoolean, "true", "", "",
     "use the device's receive checksums, and let it drop bad ones", "Linux 6.12 fec_main.c"},
    {"promiscuous", base::ParamKind::kBoolean, "false", "", "", "receive every frame", "study"},
    {"assume_link", base::ParamKind::kBoolean, "true", "", "",
     "1 Gb/s full duplex from open on, without asking the PHY", "study"},
};

}  // namespace doorbell::fec
