// Scenario keys of tsnep's hardware: [nic] with device = "tsnep".
//
// Not the register map (tsnep_regs.h) nor fixed properties of the part (tsnep_limits.h): only what
// a study may turn. The IP core's inside is not published, so nearly every default is an
// assumption: change them to see what depends on them. Units are in the values.
#pragma once

#include "models/base/params.h"

namespace doorbell::tsnep {

inline constexpr base::ParamSpec kTsnepNicParams[] = {
    {"queues", base::ParamKind::kInteger, "2", "1..8", "queue pairs",
     "queue pairs, each with a register page and an interrupt line; TYPE can report 7 at most",
     "assumption: a synthesis option of the IP core"},
    {"gate_control", base::ParamKind::kBoolean, "true", "", "", "gate control lists are there",
     "assumption: a synthesis option of the IP core"},
    {"axi_width_bits", base::ParamKind::kInteger, "64", "32|64|128", "bits",
     "width of the DMA master's data bus", "assumption"},
    {"axi_burst_beats", base::ParamKind::kInteger, "16", "1..256", "beats",
     "longest burst the DMA master issues", "assumption"},
    {"axi_outstanding", base::ParamKind::kInteger, "4", "1..16", "transactions",
     "transactions the DMA master keeps in flight", "assumption"},
    {"tx_fifo", base::ParamKind::kBytes, "8 KiB", "2 KiB..64 KiB", "",
     "transmit FIFO of each queue", "assumption"},
    {"rx_fifo", base::ParamKind::kBytes, "8 KiB", "2 KiB..64 KiB", "",
     "receive FIFO, shared by all queues", "assumption"},
    {"tx_prefetch", base::ParamKind::kInteger, "2", "1..16", "descriptors",
     "transmit descriptors that a queue holds at most", "assumption"},
    {"rx_prefetch", base::ParamKind::kInteger, "2", "1..16", "descriptors",
     "receive descriptors that a queue holds at most", "assumption"},
    {"tx_forwarding", base::ParamKind::kChoice, "store-and-forward",
     "store-and-forward|cut-through", "",
     "a frame starts when all of it is in the FIFO, or when tx_start bytes are", "assumption"},
    {"tx_start", base::ParamKind::kBytes, "64 B", "1 B..16383 B", "",
     "bytes in the FIFO that start a frame; with tx_forwarding = cut-through", "assumption"},
    {"rx_forwarding", base::ParamKind::kChoice, "store-and-forward",
     "store-and-forward|cut-through", "",
     "a frame's data is written when all of it has arrived, or while it arrives", "assumption"},
    {"writeback", base::ParamKind::kChoice, "32", "4|32", "bytes",
     "size of a write-back; an extended one always has 32", "assumption"},
    {"tx_writeback", base::ParamKind::kChoice, "sent", "sent|started", "",
     "a transmit write-back goes out behind the frame's last bit or at its first", "assumption"},
    {"tx_priority", base::ParamKind::kChoice, "highest-first",
     "highest-first|lowest-first|round-robin", "", "which queue goes first when several can send",
     "assumption"},
    {"gate_guard", base::ParamKind::kChoice, "frame", "frame|start", "",
     "a frame is sent only if it ends before its gate closes, or if it starts before",
     "assumption"},
    {"rx_idle", base::ParamKind::kChoice, "doorbell", "doorbell|frame", "",
     "when a receive engine that found no descriptor looks again: when RX enable is written, or "
     "with every frame too",
     "assumption"},
    {"int_while_disabled", base::ParamKind::kChoice, "lost", "lost|kept", "",
     "an interrupt event of a disabled bit is forgotten, or raised when the bit is enabled",
     "assumption; Linux commit 2dc4ac91f845 says that packets went unnoticed"},
    {"statistics", base::ParamKind::kChoice, "wrap", "wrap|saturate|clear-on-read", "",
     "what the 8-bit error counters do", "assumption"},
    {"tx_mac_time", base::ParamKind::kTime, "64 ns", "0 s..10 us", "",
     "frame ready in the FIFO to first preamble octet on an idle line", "assumption"},
    {"rx_mac_time", base::ParamKind::kTime, "64 ns", "0 s..10 us", "",
     "last octet on the line to payload write issued", "assumption"},
    {"doorbell_time", base::ParamKind::kTime, "32 ns", "0 s..10 us", "",
     "CONTROL write to descriptor fetch issued", "assumption"},
    {"step_time", base::ParamKind::kTime, "16 ns", "0 s..10 us", "",
     "between two steps of a DMA engine: decision, address, write-back", "assumption"},
    {"mdc_clock", base::ParamKind::kFrequency, "2500 kHz", "100 kHz..50 MHz", "",
     "clock of the MDIO bus", "assumption; IEEE 802.3 clause 22 allows up to 2.5 MHz"},
    {"phy_address", base::ParamKind::kInteger, "1", "0..31", "", "MDIO address of the PHY",
     "assumption; address 0 is never scanned by the driver"},
    {"autoneg_time", base::ParamKind::kTime, "1500 ms", "0 s..10 s", "",
     "reset or restart of the PHY, or plugging the cable, to link up", "assumption"},
};

}  // namespace doorbell::tsnep
