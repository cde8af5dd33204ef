// Receive side scaling and packet types: what the parser says about a frame.
//
// The hash is Toeplitz over addresses and, for TCP and UDP, ports, with the first 40 of the 52 key
// bytes (the other 12 are stored only). The look-up table in use is the one set last: VSI (64
// entries), global (512) or PF (2048); after a reset every entry is queue 0 and the key is 0. IPv4
// and IPv6 with TCP, UDP, SCTP or ICMP get their own packet types, without tunnels; the rest is L2.
// Sources: Linux 6.12 ice_lib.c (ice_vsi_cfg_rss_lut_key), ice_lan_tx_rx.h.
#pragma once

#include <array>
#include <vector>

#include "models/ice/ice_adminq.h"
#include "models/ice/ice_desc.h"
#include "models/ice/ice_limits.h"
#include "models/net/frame.h"
#include "models/net/rss.h"

namespace doorbell::ice {

class Rss {
 public:
  Rss();

  void set_key(const uint8_t* key);
  const std::array<uint8_t, kRssKeyBytes>& key() const { return key_; }
  /// `entries` is 64, 512 or 2048.
  void set_lut(const uint8_t* lut, unsigned entries);
  const std::vector<uint8_t>& lut() const { return lut_; }
  void reset();

  uint32_t hash(base::ByteView frame, const net::Layers& layers) const {
    return toeplitz_.hash_frame(frame, layers);
  }
  unsigned queue(uint32_t hash) const { return lut_[hash & (lut_.size() - 1)]; }

 private:
  std::array<uint8_t, kRssKeyBytes> key_{};
  net::ToeplitzHash toeplitz_;
  std::vector<uint8_t> lut_;
};

uint16_t packet_type(const net::Layers& layers);

}  // namespace doorbell::ice
