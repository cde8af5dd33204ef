// What the receive registers say, decoded once per write: address filter, length rules,
// classification.
//
// Pure: no time, no counters. Classification looks at the outer tag's priority; with VLANUSE2ND at
// the inner one when there are two. S-VLAN tags (0x88A8) count only with SVLANEN. SVLANDBL is not
// modelled. Sources: i.MX 6ULL RM ch. 22, MCUXpresso PERI_ENET.h, Linux 6.12 fec_main.c.
#pragma once

#include <array>
#include <cstdint>

#include "models/base/bytes.h"
#include "models/fec/fec_core.h"

namespace doorbell::fec {

/// Outcome of the address filter.
struct Address {
  bool accepted = false;
  bool miss = false;  // accepted only because of PROM
  bool broadcast = false;
  bool multicast = false;
};

struct RxRules {
  void load(const Core& core);

  /// `bytes` must hold at least a whole destination address.
  Address filter(base::ByteView bytes) const;
  /// Ring for a frame.
  unsigned classify(base::ByteView bytes) const;
  /// Type field as the parser sees it, behind the tags; `tagged` and `priority` of the chosen tag.
  struct Tag {
    bool present = false;
    unsigned priority = 0;
    uint32_t type_offset = net::kEtherTypeOffset;
  };
  Tag find_tag(base::ByteView bytes) const;

  uint64_t own = 0;  // as MacAddress::as_u48
  uint64_t unicast_hash = 0;
  uint64_t group_hash = 0;
  uint32_t max_fl = 0;
  uint32_t ftrl = 0;
  uint32_t rafl = 0;         // words
  uint32_t rsem = 0;         // words, 0: off
  uint32_t rsem_frames = 0;  // 0: off
  uint32_t cut_through = 0;  // octets until visible, 0: store and forward
  std::array<uint8_t, 8> ring_of_priority{};
  std::array<uint32_t, kRings> mrbr{};
  bool enabled = false, enhanced = false, speed_ok = false, asleep = false, magic = false;
  bool prom = false, bc_rej = false, fce = false, paufwd = false, cfen = false, crcfwd = false;
  bool paden = false, nlc = false, svlan = false, second_tag = false, loop = false;
  bool shift16 = false, padrem = false, ipdis = false, prodis = false, linedis = false;
};

}  // namespace doorbell::fec
