// Scenario keys of an application on the host: [app].
//
// Defaults are xdpsock's (Linux tree until 5.19, then xdp-project/bpf-examples) where it has one.
// Ring and chunk numbers that cannot work together are refused by xdpsock_config().
#pragma once

#include "models/base/params.h"

namespace doorbell::apps {

inline constexpr base::ParamSpec kAppParams[] = {
    {"kind", base::ParamKind::kChoice, "off", "off|xdpsock", "",
     "xdpsock: an AF_XDP application on its own core", "study"},
    {"mode", base::ParamKind::kChoice, "rxdrop", "txonly|rxdrop|l2fwd", "",
     "send as fast as possible, drop what comes, or send it back with swapped MAC addresses",
     "xdpsock"},
    {"zero_copy", base::ParamKind::kBoolean, "true", "", "",
     "true: the driver uses the application's memory; false: packets are copied", "study"},
    {"batch", base::ParamKind::kInteger, "64", "1..512", "packets", "packets of one round",
     "xdpsock"},
    {"need_wakeup", base::ParamKind::kBoolean, "true", "", "",
     "system calls only while the kernel asks for them", "xdpsock"},
    {"busy_poll", base::ParamKind::kBoolean, "false", "", "",
     "the driver's poll runs in the application's system calls", "xdpsock"},
    {"busy_poll_hold", base::ParamKind::kTime, "200 us", "0 us..10 ms", "",
     "how long interrupts stay off after a busy poll (gro_flush_timeout)", "xdpsock, README"},
    {"poll", base::ParamKind::kBoolean, "false", "", "",
     "blocks in poll() when there is nothing to do, instead of spinning", "xdpsock"},
    {"frame", base::ParamKind::kBytes, "64 B", "64 B..1518 B", "",
     "frames that txonly sends, with FCS", "xdpsock"},
    {"cpu", base::ParamKind::kInteger, "1", "0..63", "", "core that the application runs on",
     "study"},
    {"queue", base::ParamKind::kInteger, "0", "0..63", "", "queue of the first socket", "xdpsock"},
    {"sockets", base::ParamKind::kInteger, "1", "1..16", "sockets",
     "sockets of the application, each on the next queue unless same_queue", "study"},
    {"same_queue", base::ParamKind::kBoolean, "false", "", "",
     "all sockets on one queue, taking turns; needs shared_umem", "xdpsock -M"},
    {"shared_umem", base::ParamKind::kBoolean, "false", "", "",
     "all sockets use the first one's UMEM", "xdpsock -M"},
    {"rx_ring", base::ParamKind::kInteger, "2048", "2..65536", "entries", "Rx ring, a power of two",
     "libxdp xsk.h"},
    {"tx_ring", base::ParamKind::kInteger, "2048", "2..65536", "entries", "Tx ring, a power of two",
     "libxdp xsk.h"},
    {"fill_ring", base::ParamKind::kInteger, "4096", "2..65536", "entries",
     "fill ring, a power of two", "xdpsock"},
    {"completion_ring", base::ParamKind::kInteger, "2048", "2..65536", "entries",
     "completion ring, a power of two", "libxdp xsk.h"},
    {"chunks", base::ParamKind::kInteger, "4096", "2..65536", "chunks", "chunks of an UMEM",
     "xdpsock"},
    {"chunk_size", base::ParamKind::kBytes, "4096 B", "2048 B..4096 B", "",
     "bytes of a chunk; a power of two unless unaligned", "xdpsock"},
    {"unaligned", base::ParamKind::kBoolean, "false", "", "",
     "unaligned chunk mode; memory is contiguous, as on huge pages", "xdpsock"},
    {"headroom", base::ParamKind::kBytes, "0 B", "0 B..1024 B", "",
     "bytes before each received packet that are the application's", "xdpsock"},
};

}  // namespace doorbell::apps
