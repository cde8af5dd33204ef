// The E810's descriptors as tables, for `doorbell describe` and documents.
//
// Contract header, built on the masks of ice_desc.h. One row a 32-bit word, little-endian; a field
// that crosses words has a row in each, its low bits first. Transmit descriptors have 16 bytes,
// receive descriptors 32. Access is what software may do; "ro" bits are written by the device: a
// receive descriptor is written back over the read format, RXDID 2 here. Not here: 16-byte receive
// descriptors, other RXDIDs, flow-director and IPsec descriptors, which ice_desc.h lacks too.
// Sources: Linux 6.12 ice_lan_tx_rx.h, DPDK ice_lan_tx_rx.h.
#pragma once

#include "models/ice/ice_desc.h"
#include "models/reg/reg_spec.h"

namespace doorbell::ice {

namespace desc_table {

inline constexpr reg::Access kRw = reg::Access::kRw;
inline constexpr reg::Access kRo = reg::Access::kRo;
/// Where the low half of QW1 has a command bit.
constexpr uint32_t command(uint32_t cmd) {
  return cmd << kTxCmdShift;
}
constexpr uint32_t high(uint16_t bits) {
  return uint32_t{bits} << 16;
}

inline constexpr uint32_t kDtype = static_cast<uint32_t>(kTxDtypeMask);
inline constexpr unsigned kTsoLenShift = 30;      // of a context descriptor's QW1
inline constexpr unsigned kMssShift = 50 - 32;    // of its high half
inline constexpr unsigned kL4LenShift = 16 + 14;  // of a data descriptor's QW1

}  // namespace desc_table

inline constexpr reg::FieldSpec kTxAddressLowFields[] = {
    reg::field("ADDRESS_LO", 0xFFFFFFFF, desc_table::kRw, "buffer, bits 31:0"),
};
inline constexpr reg::FieldSpec kTxAddressHighFields[] = {
    reg::field("ADDRESS_HI", 0xFFFFFFFF, desc_table::kRw, "buffer, bits 63:32"),
};
inline constexpr reg::FieldSpec kTxCommandFields[] = {
    reg::field("DTYPE", desc_table::kDtype, desc_table::kRw,
               "0 data; the device writes 15 when it reports the descriptor done"),
    reg::field("EOP", desc_table::command(tx_cmd::kEop), desc_table::kRw, "last of its frame"),
    reg::field("RS", desc_table::command(tx_cmd::kRs), desc_table::kRw, "report when done"),
    reg::field("ICRC", desc_table::command(tx_cmd::kIcrc), desc_table::kRw,
               "no effect here; DPDK sets it"),
    reg::field("IL2TAG1", desc_table::command(tx_cmd::kIl2tag1), desc_table::kRw,
               "insert L2TAG1 as VLAN tag"),
    reg::field("DUMMY", desc_table::command(tx_cmd::kDummy), desc_table::kRw,
               "not a frame for the wire"),
    reg::field("IIPT", desc_table::command(tx_cmd::kIipt), desc_table::kRw,
               "1 IPv6, 2 IPv4, 3 IPv4 with header checksum"),
    reg::field("L4T", desc_table::command(tx_cmd::kL4t), desc_table::kRw,
               "checksum of 1 TCP, 2 SCTP, 3 UDP"),
    reg::field("RE", desc_table::command(tx_cmd::kRe), desc_table::kRw, "not modelled"),
    reg::field("MACLEN", 0x7Fu << kTxOffsetShift, desc_table::kRw, "L2 header, units of 2 B"),
    reg::field("IPLEN", 0x7Fu << (kTxOffsetShift + 7), desc_table::kRw, "L3 header, units of 4 B"),
    reg::field("L4LEN_LO", 0xFu << desc_table::kL4LenShift, desc_table::kRw,
               "L4 header, units of 4 B, bits 1:0"),
};
inline constexpr reg::FieldSpec kTxSizeFields[] = {
    reg::field("L4LEN_HI", 0x3, desc_table::kRw, "L4 header, bits 3:2"),
    reg::field("SIZE", 0x3FFFu << (kTxSizeShift - 32), desc_table::kRw, "bytes in this buffer"),
    reg::field("L2TAG1", 0xFFFFu << (kTxTagShift - 32), desc_table::kRw, "VLAN tag"),
};

inline constexpr reg::FieldSpec kTxTunnelFields[] = {
    reg::field("EIPT", tx_tunnel::kEipt, desc_table::kRw,
               "outer header: 0 none, 1 IPv6, 2 IPv4, 3 IPv4 with checksum"),
    reg::field("EIPLEN", tx_tunnel::kEipLen, desc_table::kRw, "outer header, units of 4 B"),
    reg::field("L4TUNT", tx_tunnel::kL4Tunt, desc_table::kRw, "tunnel: 1 UDP, 2 GRE"),
    reg::field("EIP_NOINC", tx_tunnel::kEipNoInc, desc_table::kRw,
               "same outer IP identification in all segments"),
    reg::field("NATLEN", tx_tunnel::kNatLen, desc_table::kRw, "tunnel header, units of 2 B"),
    reg::field("DECTTL", tx_tunnel::kDecTtl, desc_table::kRw, "not modelled"),
    reg::field("L4T_CS", tx_tunnel::kL4TCs, desc_table::kRw, "checksum of the outer UDP header"),
};
inline constexpr reg::FieldSpec kTxTag2Fields[] = {
    reg::field("L2TAG2", 0xFFFF, desc_table::kRw, "second VLAN tag"),
};
inline constexpr reg::FieldSpec kTxContextCommandFields[] = {
    reg::field("DTYPE", desc_table::kDtype, desc_table::kRw, "1 context"),
    reg::field("TSO", desc_table::command(tx_ctx_cmd::kTso), desc_table::kRw,
               "cut the frame into segments of MSS"),
    reg::field("TSYN", desc_table::command(tx_ctx_cmd::kTsyn), desc_table::kRw,
               "take a time stamp; TSO_LEN is its index"),
    reg::field("IL2TAG2", desc_table::command(tx_ctx_cmd::kIl2tag2), desc_table::kRw,
               "insert L2TAG2"),
    reg::field("IL2TAG2_IL2H", desc_table::command(tx_ctx_cmd::kIl2tag2Il2h), desc_table::kRw,
               "insert it in the inner header"),
    reg::field("SWTCH", desc_table::command(tx_ctx_cmd::kSwitch), desc_table::kRw,
               "1 to the wire, 2 to the host, 3 to the VSI in MSS"),
    reg::field("TSO_LEN_LO", 0x3u << desc_table::kTsoLenShift, desc_table::kRw,
               "payload of all segments, bytes, bits 1:0"),
};
inline constexpr reg::FieldSpec kTxMssFields[] = {
    reg::field("TSO_LEN_HI", 0xFFFF, desc_table::kRw, "payload of all segments, bits 17:2"),
    reg::field("MSS", 0x3FFFu << desc_table::kMssShift, desc_table::kRw,
               "payload of a segment, bytes; or the target VSI"),
};

inline constexpr reg::FieldSpec kRxPacketLowFields[] = {
    reg::field("PACKET_LO", 0xFFFFFFFF, desc_table::kRw, "buffer, bits 31:0"),
};
inline constexpr reg::FieldSpec kRxPacketHighFields[] = {
    reg::field("PACKET_HI", 0xFFFFFFFF, desc_table::kRw, "buffer, bits 63:32"),
};
inline constexpr reg::FieldSpec kRxHeaderLowFields[] = {
    reg::field("HEADER_LO", 0xFFFFFFFF, desc_table::kRw,
               "header buffer, bits 31:0; bit 0 must be 0, DD lies here"),
};
inline constexpr reg::FieldSpec kRxHeaderHighFields[] = {
    reg::field("HEADER_HI", 0xFFFFFFFF, desc_table::kRw, "header buffer, bits 63:32"),
};

inline constexpr reg::FieldSpec kRxTypeFields[] = {
    reg::field("RXDID", 0xFF, desc_table::kRo, "2: this layout"),
    reg::field("MIRROR_ID", 0x3F << 8, desc_table::kRo, "mirror rule"),
    reg::field("UMBCAST", 0x3 << 14, desc_table::kRo,
               "0 unicast, 1 multicast, 2 broadcast, 3 mirrored"),
    reg::field("PTYPE", 0x3FF << 16, desc_table::kRo, "what the parser found"),
    reg::field("FLAGS0", 0x3Fu << 26, desc_table::kRo, "extracted flags"),
};
inline constexpr reg::FieldSpec kRxLengthFields[] = {
    reg::field("LENGTH", 0x3FFF, desc_table::kRo, "bytes in this buffer"),
    reg::field("HDR_LEN", 0x7FF << 16, desc_table::kRo, "bytes in the header buffer"),
    reg::field("SPH", 1u << 27, desc_table::kRo, "header split off"),
    reg::field("FLAGS1", 0xFu << 28, desc_table::kRo, "extracted flags"),
};
inline constexpr reg::FieldSpec kRxStatus0Fields[] = {
    reg::field("DD", rx_status0::kDd, desc_table::kRo, "done: software owns the descriptor"),
    reg::field("EOF", rx_status0::kEof, desc_table::kRo, "last of its frame"),
    reg::field("HBO", rx_status0::kHbo, desc_table::kRo, "header buffer overflow"),
    reg::field("L3L4P", rx_status0::kL3l4p, desc_table::kRo, "checksums were checked"),
    reg::field("XSUM_IPE", rx_status0::kXsumIpe, desc_table::kRo, "wrong IP header checksum"),
    reg::field("XSUM_L4E", rx_status0::kXsumL4e, desc_table::kRo, "wrong L4 checksum"),
    reg::field("XSUM_EIPE", rx_status0::kXsumEipe, desc_table::kRo,
               "wrong outer IP header checksum"),
    reg::field("XSUM_EUDPE", rx_status0::kXsumEudpe, desc_table::kRo, "wrong outer UDP checksum"),
    reg::field("LPBK", rx_status0::kLpbk, desc_table::kRo, "looped back"),
    reg::field("IPV6EXADD", rx_status0::kIpv6ExAdd, desc_table::kRo,
               "IPv6 with an address in an extension header"),
    reg::field("RXE", rx_status0::kRxe, desc_table::kRo, "MAC error"),
    reg::field("CRCP", rx_status0::kCrcp, desc_table::kRo, "FCS is in the buffer"),
    reg::field("RSS_VALID", rx_status0::kRssValid, desc_table::kRo, "RSS_HASH holds a hash"),
    reg::field("L2TAG1P", rx_status0::kL2tag1p, desc_table::kRo, "L2TAG1 holds a tag"),
    reg::field("XTRMD0_VALID", rx_status0::kXtrmd0Valid, desc_table::kRo, "metadata 0 is valid"),
    reg::field("XTRMD1_VALID", rx_status0::kXtrmd1Valid, desc_table::kRo, "metadata 1 is valid"),
    reg::field("L2TAG1", 0xFFFFu << 16, desc_table::kRo, "VLAN tag that was stripped"),
};
inline constexpr reg::FieldSpec kRxHashFields[] = {
    reg::field("RSS_HASH", 0xFFFFFFFF, desc_table::kRo, "Toeplitz hash"),
};
inline constexpr reg::FieldSpec kRxStatus1Fields[] = {
    reg::field("CPM", rx_status1::kCpm, desc_table::kRo, "inline crypto status"),
    reg::field("NAT", rx_status1::kNat, desc_table::kRo, "tunnel with an outer UDP or GRE header"),
    reg::field("CRYPTO", rx_status1::kCrypto, desc_table::kRo, "went through inline crypto"),
    reg::field("L2TAG2P", rx_status1::kL2tag2p, desc_table::kRo, "L2TAG2 holds a tag"),
    reg::field("XTRMD2_VALID", rx_status1::kXtrmd2Valid, desc_table::kRo, "metadata 2 is valid"),
    reg::field("XTRMD3_VALID", 1u << 13, desc_table::kRo, "metadata 3 is valid"),
    reg::field("XTRMD4_VALID", 1u << 14, desc_table::kRo, "metadata 4 is valid"),
    reg::field("XTRMD5_VALID", 1u << 15, desc_table::kRo, "metadata 5 is valid"),
    reg::field("FLAGS2", 0xFF << 16, desc_table::kRo, "extracted flags"),
    reg::field("TS_LOW", 0xFFu << 24, desc_table::kRo, "time stamp, fraction; bit 0: valid"),
};
inline constexpr reg::FieldSpec kRxTag2Fields[] = {
    reg::field("L2TAG2_1ST", 0xFFFF, desc_table::kRo, "first of two more tags"),
    reg::field("L2TAG2_2ND", 0xFFFFu << 16, desc_table::kRo, "second of two more tags"),
};
inline constexpr reg::FieldSpec kRxFlowFields[] = {
    reg::field("FLOW_ID", 0xFFFFFFFF, desc_table::kRo, "flow director"),
};
inline constexpr reg::FieldSpec kRxTimeFields[] = {
    reg::field("TS_HIGH", 0xFFFFFFFF, desc_table::kRo, "time stamp, ns; or VLAN and IPv6 flow ids"),
};

inline constexpr reg::RegSpec kIceTxDescWords[] = {
    {"ADDRESS_LO", kTxOffAddress, 0, "buffer, any byte address", kTxAddressLowFields},
    {"ADDRESS_HI", kTxOffAddress + 4, 0, "buffer", kTxAddressHighFields},
    {"COMMAND", kTxOffQw1, 0, "QW1, low: what to do; DTYPE hands back", kTxCommandFields},
    {"SIZE", kTxOffQw1 + 4, 0, "QW1, high", kTxSizeFields},
};
inline constexpr reg::RegSpec kIceTxContextWords[] = {
    {"TUNNEL", 0x00, 0, "outer header of a tunnel", kTxTunnelFields},
    {"TAG", 0x04, 0, "second tag", kTxTag2Fields},
    {"COMMAND", kTxOffQw1, 1, "QW1, low: goes before the data descriptors of its frame",
     kTxContextCommandFields},
    {"MSS", kTxOffQw1 + 4, 0, "QW1, high", kTxMssFields},
};
inline constexpr reg::RegSpec kIceRxReadWords[] = {
    {"PACKET_LO", kRxOffPacket, 0, "buffer", kRxPacketLowFields},
    {"PACKET_HI", kRxOffPacket + 4, 0, "buffer", kRxPacketHighFields},
    {"HEADER_LO", kRxOffHeader, 0, "header buffer; 0: none", kRxHeaderLowFields},
    {"HEADER_HI", kRxOffHeader + 4, 0, "header buffer", kRxHeaderHighFields},
    {"ZERO", 0x10, 0, "all 0, as the three words behind it", {}, 4},
};
inline constexpr reg::RegSpec kIceRxWritebackWords[] = {
    {"TYPE", 0x00, kRxdidNic, "what the frame is", kRxTypeFields},
    {"LENGTH", kRxOffLength, 0, "where it lies", kRxLengthFields},
    {"STATUS0", kRxOffStatus0, 0, "status; owns the descriptor", kRxStatus0Fields},
    {"HASH", 0x0C, 0, "receive-side scaling", kRxHashFields},
    {"STATUS1", 0x10, 0, "more status", kRxStatus1Fields},
    {"TAG2", 0x14, 0, "outer tags", kRxTag2Fields},
    {"FLOW", 0x18, 0, "flow id", kRxFlowFields},
    {"TIME", 0x1C, 0, "time stamp", kRxTimeFields},
};
static_assert(reg::well_formed(reg::RegTable(kIceTxDescWords)));
static_assert(reg::well_formed(reg::RegTable(kIceTxContextWords)));
static_assert(reg::well_formed(reg::RegTable(kIceRxReadWords)));
static_assert(reg::well_formed(reg::RegTable(kIceRxWritebackWords)));

}  // namespace doorbell::ice
