// What the receive accelerator finds in a frame: checksum results, protocol, header length, tag.
//
// ICE is also set for frames that are not IP, PCR for protocols it does not know, and for
// fragments, whose checksum cannot be told from one piece (assumption). IPv6 has no header
// checksum: ICE is 0. The payload checksum is the one's complement sum over the IP payload.
// Sources: i.MX 6ULL RM ch. 22 (enhanced receive descriptor).
#pragma once

#include <cstdint>

#include "models/base/bytes.h"

namespace doorbell::fec {

struct RxOffload {
  uint32_t control = 0;       // rx_esc bits VLAN, VPCP, IPV6, FRAG, ICE, PCR
  uint32_t protocol = 0;      // rx_prot word
  bool bad_ip = false;        // an IPv4 header with a wrong checksum
  bool bad_protocol = false;  // TCP, UDP or ICMP with a wrong checksum
  uint32_t ip_end = 0;        // octets up to the end of the IP packet, 0: not IP
};

/// `frame` without FCS.
RxOffload inspect(base::ByteView frame);

}  // namespace doorbell::fec
