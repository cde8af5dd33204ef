// What the data unit changes in a frame: tags, checksums, the headers of a segment.
//
// Pure functions. Offsets come from the descriptor (MACLEN, IPLEN, L4LEN), as the hardware trusts
// them; a frame they do not fit is refused. Checksums are computed anew: what software has put in
// the field (a pseudo-header sum) does not matter, the result is the same when it was right.
// L2TAG1 goes in as 802.1Q behind the addresses, L2TAG2 as 802.1Q outside of it. Not modelled:
// tunnels (EIPT, NATLEN), SCTP checksums. Sources: Linux 6.12 ice_txrx.c (ice_tso, ice_tx_csum).
#pragma once

#include "models/base/bytes.h"
#include "models/ice/tx_engine.h"

namespace doorbell::ice {

enum class OffloadStatus : uint8_t { kOk, kBadOffset, kBadCommand };

/// Applies `extra` to `frame` in place, or, when the frame grows, into `out`, which must have room.
/// `bytes` becomes the length.
OffloadStatus apply_offload(const TxExtra& extra, base::MutByteView frame, base::MutByteView out,
                            uint32_t& bytes);

}  // namespace doorbell::ice
