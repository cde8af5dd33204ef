// Scenario keys of the tsnep driver: [driver] when the nic is a "tsnep".
//
// Each key is a design choice of the driver that a study may vary. Defaults are those of Linux 6.12
// drivers/net/ethernet/engleder, except fix_hazards: what was found by reading there is mended
// unless a study asks for it.
#pragma once

#include "models/base/params.h"

namespace doorbell::tsnep {

inline constexpr base::ParamSpec kTsnepDriverParams[] = {
    {"mode", base::ParamKind::kChoice, "native", "native|skb", "",
     "native: the program runs in the driver; skb: generic XDP, after an sk_buff is built",
     "Linux 6.12 tsnep_main.c"},
    {"program",
     base::ParamKind::kText,
     "",
     {},
     "",
     "BPF object that runs instead of xdp: a shipped program's name, or a file compiled by clang",
     "study"},
    {"xdp", base::ParamKind::kChoice, "off", "off|pass|drop|tx|redirect", "",
     "what the XDP program decides; redirect goes out of the same port", "study"},
    {"queues", base::ParamKind::kInteger, "0", "0..8", "",
     "queue pairs, each with an interrupt line; 0: as many as the caller has cores for them",
     "Linux 6.12 tsnep_main.c"},
    {"cpu", base::ParamKind::kInteger, "0", "0..7", "",
     "core that takes the interrupt of queue 0; queue n is served by the n-th core after it",
     "study"},
    {"interrupt_delay", base::ParamKind::kTime, "64 us", "0 s..255 us", "",
     "from an event to its interrupt, in steps of 16 us", "Linux 6.12 tsnep_hw.h"},
    {"napi_weight", base::ParamKind::kInteger, "64", "1..64", "packets", "budget of one poll",
     "Linux 6.12 include/linux/netdevice.h"},
    {"tx_poll_budget", base::ParamKind::kInteger, "128", "1..255", "frames",
     "transmitted frames reclaimed in one poll", "Linux 6.12 tsnep_main.c"},
    {"tx_inline", base::ParamKind::kInteger, "40", "0..40", "bytes",
     "fragments of sk_buffs up to this length are copied into the descriptor",
     "Linux commit dccce1d7c040"},
    {"rx_refill", base::ParamKind::kInteger, "16", "1..255", "descriptors",
     "free receive descriptors that start a refill", "Linux 6.12 tsnep_main.c"},
    {"rx_reuse", base::ParamKind::kInteger, "192", "1..255", "descriptors",
     "free receive descriptors from which a received buffer goes back into the ring when there is "
     "no memory",
     "Linux 6.12 tsnep_main.c"},
    {"mtu", base::ParamKind::kInteger, "1500", "68..2048", "bytes", "largest IP packet",
     "Linux 6.12 tsnep.h"},
    {"hw_timestamps", base::ParamKind::kBoolean, "false", "", "",
     "time stamps of received frames are taken up, of sent ones where asked for",
     "Linux 6.12 tsnep_ptp.c; off until requested"},
    {"promiscuous", base::ParamKind::kBoolean, "false", "", "", "receive every frame", "study"},
    {"recheck", base::ParamKind::kBoolean, "true", "", "",
     "look for work again after interrupts are enabled", "Linux commit 2dc4ac91f845"},
    {"fix_hazards", base::ParamKind::kBoolean, "true", "", "",
     "false: the suspected defects of Linux 6.12.117 that the test plan names L1 to L4, L6 and L7 "
     "are there",
     "deduced: Linux 6.12 tsnep_main.c, tsnep_rxnfc.c"},
    {"tx_timeout", base::ParamKind::kTime, "5 s", "1 ms..60 s", "", "transmit watchdog",
     "Linux 6.12 include/linux/netdevice.h"},
};

}  // namespace doorbell::tsnep
