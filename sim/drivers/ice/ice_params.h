// Scenario keys of the ice driver: [driver] when the nic is an "ice".
//
// Each key is a design choice of the driver that a study may vary. Defaults are those of Linux
// 6.12, except `rs`, whose default is the change of kernel commit 9610bd988df9.
#pragma once

#include "models/base/params.h"

namespace doorbell::ice {

inline constexpr base::ParamSpec kIceDriverParams[] = {
    {"mode", base::ParamKind::kChoice, "native", "native|skb", "",
     "native: the program runs in the driver; skb: generic XDP, after an sk_buff is built",
     "Linux 6.12 ice_txrx.c"},
    {"program",
     base::ParamKind::kText,
     "",
     {},
     "",
     "BPF object that runs instead of xdp: a shipped program's name, or a file compiled by clang",
     "study"},
    {"xdp", base::ParamKind::kChoice, "off", "off|pass|drop|tx|redirect", "",
     "what the XDP program decides; redirect goes out of the same port", "study"},
    {"rs", base::ParamKind::kChoice, "threshold", "every|threshold|threshold-6.12", "",
     "report of XDP transmit descriptors: on each, cleaned by every poll (every); on every "
     "rs_threshold-th, cleaned when few are free (threshold); once a poll, cleaned when less than "
     "a quarter is free (threshold-6.12)",
     "kernel commit 9610bd988df9; Linux 5.15 and 6.12"},
    {"rs_threshold", base::ParamKind::kInteger, "32", "2..4080", "descriptors",
     "with rs = threshold: descriptors per report and per clean; must divide tx_ring",
     "kernel commit 9610bd988df9"},
    {"rx_ring", base::ParamKind::kInteger, "2048", "8..8160", "descriptors",
     "receive descriptors per queue: 64..8160 in steps of 32", "Linux 6.12 ice.h"},
    {"tx_ring", base::ParamKind::kInteger, "256", "8..8160", "descriptors",
     "transmit descriptors per queue, XDP rings too: 64..8160 in steps of 32", "Linux 6.12 ice.h"},
    {"force_ring_size", base::ParamKind::kBoolean, "false", "", "",
     "take sizes that ethtool refuses, to see what they break", "study"},
    {"queues", base::ParamKind::kInteger, "0", "0..255", "",
     "queue pairs, each with a vector of its own; 0: one a core", "Linux 6.12 ice_lib.c"},
    {"shared_xdp_rings", base::ParamKind::kInteger, "0", "0..255", "rings",
     "XDP transmit rings, shared by the cores under a lock when they are fewer; 0: one a core",
     "kernel commit 22bf877e528f"},
    {"rx_adaptive", base::ParamKind::kBoolean, "true", "", "",
     "receive moderation by the dynamic algorithm, 2 to 126 us", "Linux 6.12 ice_lib.c"},
    {"rx_itr", base::ParamKind::kTime, "50 us", "0 s..8160 us", "",
     "receive moderation when not adaptive, in steps of 2 us", "Linux 6.12 ice_txrx.h"},
    {"tx_adaptive", base::ParamKind::kBoolean, "true", "", "",
     "transmit moderation by the dynamic algorithm, 2 to 256 us", "Linux 6.12 ice_lib.c"},
    {"tx_itr", base::ParamKind::kTime, "50 us", "0 s..8160 us", "",
     "transmit moderation when not adaptive, in steps of 2 us", "Linux 6.12 ice_txrx.h"},
    {"intrl", base::ParamKind::kTime, "0 us", "0 s..236 us", "",
     "least time between interrupts of a vector when nothing is adaptive (else 4 us), in steps of "
     "4 us",
     "Linux 6.12 ice_ethtool.c"},
    {"napi_weight", base::ParamKind::kInteger, "64", "1..64", "packets", "budget of one poll",
     "Linux 6.12 include/linux/netdevice.h"},
    {"mtu", base::ParamKind::kInteger, "1500", "68..9702", "bytes", "largest IP packet",
     "Linux 6.12 ice_main.c"},
    {"vlan_strip", base::ParamKind::kBoolean, "false", "", "",
     "the device takes VLAN tags out of received frames; they then differ from what was sent",
     "study; Linux has it on"},
    {"rx_csum", base::ParamKind::kBoolean, "true", "", "", "use the device's receive checksums",
     "Linux 6.12 ice_txrx_lib.c"},
    {"lrxqthresh", base::ParamKind::kInteger, "1", "0..7", "64 descriptors",
     "fewer free receive descriptors raise an interrupt at once", "Linux 6.12 ice_base.c"},
    {"fix_hazards", base::ParamKind::kBoolean, "false", "", "",
     "true: mend the races of Linux 6.12 that the test plan names H3, H4 and H6",
     "deduced: Linux 6.12 ice_txrx.c, ice_txrx_lib.c"},
    {"tx_timeout", base::ParamKind::kTime, "5 s", "1 ms..60 s", "", "transmit watchdog",
     "Linux 6.12 ice_main.c"},
};

}  // namespace doorbell::ice
