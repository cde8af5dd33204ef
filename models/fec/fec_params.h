// Scenario keys of the FEC's hardware: [nic] with device = "fec".
//
// Not the register map (fec_regs.h) nor fixed properties of the part (fec_limits.h): only what a
// study may turn. Defaults marked "assumption" are not published for the i.MX8MP; change them to
// see what depends on them. Units are in the values.
#pragma once

#include "models/base/params.h"

namespace doorbell::fec {

inline constexpr base::ParamSpec kFecNicParams[] = {
    {"erratum_007885", base::ParamKind::kBoolean, "false", "", "",
     "a TDAR write within a few cycles of its clearing is lost",
     "NXP ERR007885, as worked around by Linux 6.12 fec_main.c"},
    {"rx_fifo", base::ParamKind::kBytes, "8 KiB", "1 KiB..64 KiB", "", "receive FIFO",
     "assumption"},
    {"tx_fifo", base::ParamKind::kBytes, "8 KiB", "2 KiB..64 KiB", "", "transmit FIFO",
     "assumption"},
    {"axi_width_bits", base::ParamKind::kInteger, "64", "32|64|128", "bits",
     "width of the DMA master's data bus", "assumption"},
    {"axi_burst_beats", base::ParamKind::kInteger, "16", "1..256", "beats",
     "longest burst the DMA master issues", "assumption"},
    {"axi_outstanding", base::ParamKind::kInteger, "4", "1..16", "transactions",
     "transactions the DMA master keeps in flight", "assumption"},
    {"bd_prefetch", base::ParamKind::kInteger, "2", "1..16", "descriptors",
     "descriptors fetched ahead of the frame being moved", "assumption"},
    {"event_before_coalescing", base::ParamKind::kBoolean, "true", "", "",
     "true: EIR shows a frame event at once and only the line waits for coalescing; false: EIR "
     "waits "
     "too",
     "assumption"},
    {"irq_map", base::ParamKind::kChoice, "shared", "shared|per-class", "",
     "shared: every event on the third line; per-class: class 1 and 2 events also on the first two",
     "assumption"},
    {"class_priority", base::ParamKind::kChoice, "2-first", "1-first|2-first", "",
     "which AVB class wins when both have credit", "assumption"},
    {"partial_frame_policy", base::ParamKind::kChoice, "wait", "wait|drop", "",
     "what the engine does when it meets a descriptor that is not ready in the middle of a frame",
     "assumption"},
    {"mib_width", base::ParamKind::kChoice, "documented", "documented|32", "",
     "width of the MIB counters: 16 bits as documented (octets 32), or 32 bits for all",
     "MCUXpresso PERI_ENET.h; silicon not verified"},
    {"rx_mac_cycles", base::ParamKind::kInteger, "8", "0..1000", "cycles",
     "last octet on the line to frame visible to the DMA", "assumption"},
    {"tx_mac_cycles", base::ParamKind::kInteger, "8", "0..1000", "cycles",
     "frame complete in the FIFO to first preamble octet on an idle line", "assumption"},
    {"doorbell_cycles", base::ParamKind::kInteger, "4", "0..1000", "cycles",
     "RDAR or TDAR write to descriptor fetch", "assumption"},
    {"udma_cycles", base::ParamKind::kInteger, "4", "0..1000", "cycles",
     "between two steps of the DMA engine", "assumption"},
    {"rx_start_words", base::ParamKind::kInteger, "8", "1..1024", "words",
     "free words above RAFL that a frame needs to begin; 8 loses 64-octet frames whole",
     "assumption"},
    {"erratum_007885_window", base::ParamKind::kInteger, "4", "0..1000", "cycles",
     "how close to the clearing of TDAR a write hangs the transmitter",
     "NXP ERR007885: 2 to 4 cycles"},
    {"erratum_006358", base::ParamKind::kBoolean, "false", "", "",
     "a TDAR write after R = 0 was seen and before the frame has left is forgotten",
     "NXP ERR006358, as worked around by Linux 6.12 fec_main.c"},
    {"shaper_counts_preamble", base::ParamKind::kBoolean, "true", "", "",
     "the credit of an AVB class also pays for preamble and SFD", "assumption"},
    {"ftrl_counts_shift", base::ParamKind::kBoolean, "false", "", "",
     "SHIFT16's two octets count against FTRL", "assumption"},
    {"phy_address", base::ParamKind::kInteger, "1", "0..31", "", "MDIO address of the PHY",
     "i.MX8MP EVK device tree"},
    {"autoneg_time", base::ParamKind::kTime, "1500 ms", "0 s..10 s", "",
     "reset or restart of the PHY to link up", "assumption"},
    {"partner_pause", base::ParamKind::kBoolean, "true", "", "",
     "the link partner advertises pause", "assumption"},
};

}  // namespace doorbell::fec
