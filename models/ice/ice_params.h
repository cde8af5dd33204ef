// Scenario keys of the E810's hardware: [nic] with device = "ice".
//
// Not the register map (ice_regs.h) nor fixed properties of the part (ice_limits.h): only what a
// study may turn. Intel publishes none of the engine's internals, so most defaults are assumptions;
// change them to see what depends on them. The PCIe link has its own section of the platform.
#pragma once

#include "models/base/params.h"

namespace doorbell::ice {

inline constexpr base::ParamSpec kIceNicParams[] = {
    {"tx_writeback", base::ParamKind::kChoice, "line-merge",
     "immediate|line-merge|line-full|engine", "",
     "how a descriptor with RS is reported: one 16-byte write each (immediate), 16 bytes each "
     "merged "
     "to one write a 64-byte line (line-merge), the whole line (line-full), or immediate through "
     "one "
     "engine with a service time (engine)",
     "assumption; Linux commit 2ab28bb04c95 and DPDK a08f9cb698 say that full lines are posted and "
     "partial ones wait"},
    {"tx_writeback_service", base::ParamKind::kTime, "24 ns", "0 s..10 us", "",
     "time the write-back engine needs for one write; with tx_writeback = engine", "assumption"},
    {"tx_report", base::ParamKind::kChoice, "fetched", "fetched|sent", "",
     "when a frame counts as done: its data is in the device, or its last bit has left",
     "assumption"},
    {"tx_fetch_threshold", base::ParamKind::kInteger, "4", "1..63", "descriptors",
     "free places of a queue's descriptor cache before more is fetched", "assumption"},
    {"tx_fetch_max", base::ParamKind::kInteger, "16", "1..64", "descriptors",
     "longest fetch of transmit descriptors; never across the end of the ring", "assumption"},
    {"tx_fetch_align", base::ParamKind::kBoolean, "true", "", "",
     "a fetch ends at a multiple of 64 bytes when more than one line is there",
     "GLLAN_TCLAN_CACHE_CTL.FETCH_CL_ALIGN exists; its reset value is an assumption"},
    {"tx_cache", base::ParamKind::kInteger, "64", "16..1024", "descriptors",
     "transmit descriptor cache of each queue", "assumption"},
    {"rx_fetch", base::ParamKind::kInteger, "8", "8..64", "descriptors",
     "receive descriptors of one fetch", "assumption: QRX_TAIL moves in steps of 8"},
    {"rx_cache", base::ParamKind::kInteger, "32", "8..256", "descriptors",
     "receive descriptor cache of each queue", "assumption"},
    {"quantum", base::ParamKind::kBytes, "2048 B", "64 B..16383 B", "",
     "bytes a transmit queue may send before the next queue's turn", "assumption"},
    {"tx_reads", base::ParamKind::kInteger, "256", "1..1024", "reads",
     "payload reads in flight; the PCIe link's tags bound them too", "assumption"},
    {"tx_buffer", base::ParamKind::kBytes, "128 KiB", "16 KiB..4 MiB", "",
     "transmit packet buffer: frames being fetched or waiting for the line", "assumption"},
    {"rx_buffer", base::ParamKind::kBytes, "144 KiB", "16 KiB..8 MiB", "",
     "receive packet buffer, shared by all queues", "assumption; DPDK caps a watermark at 143744"},
    {"rx_no_descriptor", base::ParamKind::kChoice, "wait", "wait|drop", "",
     "a frame whose queue has no descriptor waits in the packet buffer, or is dropped (GLV_RDPC)",
     "assumption"},
    {"rx_merge", base::ParamKind::kBoolean, "true", "", "",
     "two receive write-backs share one 64-byte write", "Linux 6.12, DPDK ice_rxtx.c"},
    {"clearpba", base::ParamKind::kChoice, "bit", "bit|events", "",
     "what arming a vector with CLEARPBA forgets: the pending bit only, or events that waited too",
     "assumption: with events, a frame written between a driver's last look and its arming raises "
     "no interrupt"},
    {"up_arbiter", base::ParamKind::kChoice, "round-robin", "round-robin|rx-first|age", "",
     "order in which receive writes, transmit reads and reports get the link to the host",
     "assumption"},
    {"mdd_own_mac", base::ParamKind::kBoolean, "true", "", "",
     "a frame sent to the port's own address counts as malicious", "DPDK ice guide"},
    {"itr_rule", base::ParamKind::kChoice, "from-last", "from-last|from-event", "",
     "a throttle timer counts from the last interrupt, or starts with an event", "assumption"},
    {"doorbell_time", base::ParamKind::kTime, "20 ns", "0 s..10 us", "",
     "doorbell at the device to descriptor fetch issued", "assumption"},
    {"tx_schedule_time", base::ParamKind::kTime, "0 ns", "0 s..1 us", "",
     "time the transmit scheduler needs per packet", "assumption"},
    {"tx_pipeline_time", base::ParamKind::kTime, "200 ns", "0 s..10 us", "",
     "payload complete in the device to first preamble bit on an idle line", "assumption"},
    {"rx_pipeline_time", base::ParamKind::kTime, "200 ns", "0 s..10 us", "",
     "last bit of a frame to payload write issued", "assumption"},
    {"rx_packet_time", base::ParamKind::kTime, "0 ns", "0 s..1 us", "",
     "time the receive engine needs per packet", "assumption"},
    {"firmware_time", base::ParamKind::kTime, "10 us", "0 s..10 ms", "",
     "time the firmware needs per admin command", "assumption"},
    {"queue_enable_time", base::ParamKind::kTime, "5 us", "0 s..10 ms", "",
     "QRX_CTRL.QENA_REQ to QENA_STAT", "assumption; Linux polls up to 50 times 20 us"},
    {"link_up_time", base::ParamKind::kTime, "0 ms", "0 s..10 s", "", "reset to link up",
     "assumption"},
};

}  // namespace doorbell::ice
