// Checksum insertion of the transmit accelerator.
//
// Like the hardware it sums what is there: software must have cleared the checksum fields. IPv6 has
// no header checksum, so `ip` does nothing there. Protocols other than TCP, UDP and ICMP, fragments
// and frames that are cut short are left alone. Source: i.MX 6ULL RM ch. 22.
#pragma once

#include "models/base/bytes.h"

namespace doorbell::fec {

/// Fills the fields of `frame` (no FCS) in place.
void insert_checksums(base::MutByteView frame, bool ip, bool protocol);

}  // namespace doorbell::fec
