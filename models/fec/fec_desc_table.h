// The FEC's descriptors as tables, for `doorbell describe` and documents.
//
// Contract header, built from the masks of fec_desc.h. One row a 32-bit word; bits 15:0 of word 0
// are the halfword at offset 0, bits 31:16 the one at offset 2. A legacy descriptor has the first
// two words only. Access is what software may do; "ro" bits are written by the device when it
// closes the descriptor. Sources: i.MX 6ULL RM ch. 22, MCUXpresso PERI_ENET.h.
#pragma once

#include "models/fec/fec_desc.h"
#include "models/reg/reg_spec.h"

namespace doorbell::fec {

inline constexpr reg::FieldSpec kRxWord0Fields[] = {
    reg::field("E", rx_sc::kEmpty << 16, reg::Access::kRw, "empty: the device owns it"),
    reg::field("RO1", rx_sc::kSoftware1 << 16, reg::Access::kRw, "software's own"),
    reg::field("W", rx_sc::kWrap << 16, reg::Access::kRw, "last of the ring"),
    reg::field("RO2", rx_sc::kSoftware2 << 16, reg::Access::kRw, "software's own"),
    reg::field("L", rx_sc::kLast << 16, reg::Access::kRo, "last of its frame"),
    reg::field("M", rx_sc::kMiss << 16, reg::Access::kRo, "accepted by promiscuous mode only"),
    reg::field("BC", rx_sc::kBroadcast << 16, reg::Access::kRo, "broadcast"),
    reg::field("MC", rx_sc::kMulticast << 16, reg::Access::kRo, "multicast"),
    reg::field("LG", rx_sc::kLong << 16, reg::Access::kRo, "longer than MAX_FL"),
    reg::field("NO", rx_sc::kNonOctet << 16, reg::Access::kRo, "not a whole number of octets"),
    reg::field("CR", rx_sc::kCrc << 16, reg::Access::kRo, "wrong FCS"),
    reg::field("OV", rx_sc::kOverrun << 16, reg::Access::kRo, "FIFO overrun"),
    reg::field("TR", rx_sc::kTruncated << 16, reg::Access::kRo, "truncated"),
    reg::field("LENGTH", 0xFFFF, reg::Access::kRo, "bytes; with L the whole frame"),
};
inline constexpr reg::FieldSpec kAddressFields[] = {
    reg::field("ADDRESS", 0xFFFFFFFF, reg::Access::kRw, "buffer"),
};
inline constexpr reg::FieldSpec kRxControlFields[] = {
    reg::field("ME", rx_esc::kMacError, reg::Access::kRo, "MAC error"),
    reg::field("PE", rx_esc::kPhyError, reg::Access::kRo, "PHY error"),
    reg::field("CE", rx_esc::kCollision, reg::Access::kRo, "collision"),
    reg::field("UC", rx_esc::kUnicast, reg::Access::kRo, "unicast"),
    reg::field("INT", rx_esc::kInt, reg::Access::kRw, "raise RXF or RXB"),
    reg::field("VPCP", rx_esc::kVpcp, reg::Access::kRo, "VLAN priority"),
    reg::field("ICE", rx_esc::kIce, reg::Access::kRo, "IP header checksum error, or no IP"),
    reg::field("PCR", rx_esc::kPcr, reg::Access::kRo, "protocol checksum error, or unknown"),
    reg::field("VLAN", rx_esc::kVlan, reg::Access::kRo, "has a VLAN tag"),
    reg::field("IPV6", rx_esc::kIpv6, reg::Access::kRo, "IPv6"),
    reg::field("FRAG", rx_esc::kFrag, reg::Access::kRo, "IPv4 fragment"),
};
inline constexpr reg::FieldSpec kRxProtocolFields[] = {
    reg::field("HDRLEN", rx_prot::kHeaderWords, reg::Access::kRo, "header, 32-bit words"),
    reg::field("PROTO", rx_prot::kProtocol, reg::Access::kRo, "IP protocol"),
    reg::field("CSUM", rx_prot::kChecksum, reg::Access::kRo, "payload checksum"),
};
inline constexpr reg::FieldSpec kBduFields[] = {
    reg::field("BDU", kBduDone, reg::Access::kRw, "set by the device with its last update"),
};
inline constexpr reg::FieldSpec kTimestampFields[] = {
    reg::field("TIMESTAMP", 0xFFFFFFFF, reg::Access::kRo, "1588 time, ns"),
};
inline constexpr reg::FieldSpec kTxWord0Fields[] = {
    reg::field("R", tx_sc::kReady << 16, reg::Access::kRw, "ready: the device owns it"),
    reg::field("TO1", tx_sc::kSoftware1 << 16, reg::Access::kRw, "software's own"),
    reg::field("W", tx_sc::kWrap << 16, reg::Access::kRw, "last of the ring"),
    reg::field("TO2", tx_sc::kIntr << 16, reg::Access::kRw, "software's own"),
    reg::field("L", tx_sc::kLast << 16, reg::Access::kRw, "last of its frame"),
    reg::field("TC", tx_sc::kTc << 16, reg::Access::kRw, "append the FCS"),
    reg::field("LENGTH", 0xFFFF, reg::Access::kRw, "bytes in this buffer"),
};
inline constexpr reg::FieldSpec kTxControlFields[] = {
    reg::field("INT", tx_esc::kInt, reg::Access::kRw, "raise TXF or TXB"),
    reg::field("TS", tx_esc::kTs, reg::Access::kRw, "take a time stamp"),
    reg::field("PINS", tx_esc::kPins, reg::Access::kRw, "insert the protocol checksum"),
    reg::field("IINS", tx_esc::kIins, reg::Access::kRw, "insert the IPv4 header checksum"),
    reg::field("UTLT", tx_esc::kUseLaunchTime, reg::Access::kRw, "use the launch time"),
    reg::field("FTYPE", tx_esc::kFtype, reg::Access::kRw, "number of the ring"),
    reg::field("TXE", tx_esc::kTxError, reg::Access::kRo, "any of the errors below"),
    reg::field("UE", tx_esc::kUnderflow, reg::Access::kRo, "FIFO underflow"),
    reg::field("EE", tx_esc::kExcessCollision, reg::Access::kRo, "excess collisions"),
    reg::field("FE", tx_esc::kFrameError, reg::Access::kRo, "frame with error"),
    reg::field("LCE", tx_esc::kLateCollision, reg::Access::kRo, "late collision"),
    reg::field("OE", tx_esc::kOverflow, reg::Access::kRo, "FIFO overflow"),
    reg::field("TSE", tx_esc::kTimestampError, reg::Access::kRo, "time stamp error"),
};
inline constexpr reg::FieldSpec kTxLaunchFields[] = {
    reg::field("TLT", 0xFFFFFFFF, reg::Access::kRw, "launch time, low half; else 0"),
};

inline constexpr reg::RegSpec kFecRxDescWords[] = {
    {"STATUS_LENGTH", 0x00, 0, "status and length; owns the descriptor", kRxWord0Fields},
    {"ADDRESS", kOffAddress, 0, "buffer, a multiple of 64", kAddressFields},
    {"CONTROL", kOffControl, 0, "enhanced only, as all below", kRxControlFields},
    {"PROTOCOL", kOffProtocol, 0, "what the frame is", kRxProtocolFields},
    {"UPDATE", kOffBdu, 0, "update mark", kBduFields},
    {"TIMESTAMP", kOffTimestamp, 0, "valid with L", kTimestampFields},
};
inline constexpr reg::RegSpec kFecTxDescWords[] = {
    {"STATUS_LENGTH", 0x00, 0, "status and length; owns the descriptor", kTxWord0Fields},
    {"ADDRESS", kOffAddress, 0, "buffer, any byte address", kAddressFields},
    {"CONTROL", kOffControl, 0, "enhanced only, as all below", kTxControlFields},
    {"LAUNCH", kOffProtocol, 0, "AVB launch time", kTxLaunchFields},
    {"UPDATE", kOffBdu, 0, "update mark", kBduFields},
    {"TIMESTAMP", kOffTimestamp, 0, "valid with L and TS", kTimestampFields},
};
static_assert(reg::well_formed(reg::RegTable(kFecRxDescWords)));
static_assert(reg::well_formed(reg::RegTable(kFecTxDescWords)));

}  // namespace doorbell::fec
