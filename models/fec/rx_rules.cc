#include "models/fec/rx_rules.h"

#include <algorithm>

#include "models/fec/fec_limits.h"
#include "models/net/checksum.h"

namespace doorbell::fec {

namespace {
constexpr uint64_t kU48 = 0xFFFFFFFFFFFFu;
constexpr uint32_t kMinMrbr = 64;  // assumption: the engine never uses less than one FIFO burst
}  // namespace

void RxRules::load(const Core& core) {
  const uint32_t ecr_value = core.value(reg::kEcr);
  const uint32_t rcr_value = core.value(reg::kRcr);
  const uint32_t racc_value = core.value(reg::kRacc);
  own = core.own_address().as_u48();
  unicast_hash = uint64_t{core.value(reg::kIaur)} << 32 | core.value(reg::kIalr);
  group_hash = uint64_t{core.value(reg::kGaur)} << 32 | core.value(reg::kGalr);
  max_fl = reg::get_field(rcr::kMaxFl, rcr_value);
  ftrl = core.value(reg::kFtrl) & fifo::kTruncFl;
  rafl = std::max<uint32_t>(4, core.value(reg::kRafl) & fifo::kLevel);
  rsem = core.value(reg::kRsem) & fifo::kLevel;
  rsem_frames = reg::get_field(fifo::kStatSectionEmpty, core.value(reg::kRsem));
  cut_through = (core.value(reg::kRsfl) & fifo::kLevel) * kFifoWordBytes;
  if (cut_through != 0) cut_through = std::max(cut_through, net::kMinFrameWithFcs);
  enabled = (ecr_value & ecr::kEtherEn) != 0;
  enhanced = (ecr_value & ecr::kEn1588) != 0;
  speed_ok = core.speed_matches();
  magic = (ecr_value & ecr::kMagicEn) != 0;
  asleep = magic && (ecr_value & ecr::kSleep) != 0;
  svlan = (ecr_value & ecr::kSvlanEn) != 0;
  second_tag = (ecr_value & ecr::kVlanUse2nd) != 0;
  loop = (rcr_value & rcr::kLoop) != 0;
  prom = (rcr_value & rcr::kProm) != 0;
  bc_rej = (rcr_value & rcr::kBcRej) != 0;
  fce = (rcr_value & rcr::kFce) != 0;
  paufwd = (rcr_value & rcr::kPauFwd) != 0;
  cfen = (rcr_value & rcr::kCfEn) != 0;
  crcfwd = (rcr_value & rcr::kCrcFwd) != 0;
  paden = (rcr_value & rcr::kPadEn) != 0;
  nlc = (rcr_value & rcr::kNlc) != 0;
  shift16 = (racc_value & racc::kShift16) != 0;
  padrem = (racc_value & racc::kPadRem) != 0;
  ipdis = (racc_value & racc::kIpDis) != 0;
  prodis = (racc_value & racc::kProDis) != 0;
  linedis = (racc_value & racc::kLineDis) != 0;
  for (unsigned ring = 0; ring < kRings; ++ring) {
    mrbr[ring] = std::max(core.value(reg::mrbr(ring)) & fifo::kMrbr, kMinMrbr);
  }
  ring_of_priority.fill(0);
  for (unsigned cls = 2; cls >= 1; --cls) {  // class 1 last: it wins where both match (assumption)
    const uint32_t match = core.value(reg::rcmr(cls));
    if ((match & rcmr::kMatchEn) == 0) continue;
    if ((core.value(reg::dma_cfg(cls)) & dma_cfg::kClassEn) == 0) continue;
    for (unsigned n = 0; n < 4; ++n) {
      ring_of_priority[reg::get_field(rcmr::cmp(n), match)] = static_cast<uint8_t>(cls);
    }
  }
}

Address RxRules::filter(base::ByteView bytes) const {
  uint64_t to;
  if (bytes.size >= 8) {
    to = base::load_le<uint64_t>(bytes.data) & kU48;
  } else {
    to = net::MacAddress::from(bytes.data).as_u48();
  }
  Address out;
  if (to == own) {
    out.accepted = true;
    return out;
  }
  out.broadcast = to == kU48;
  out.multicast = (to & 1) != 0 && !out.broadcast;
  if (out.broadcast) {
    out.accepted = !bc_rej;
  } else {
    const uint64_t table = out.multicast ? group_hash : unicast_hash;
    if (table != 0) {
      const unsigned index = net::enet_hash_index(net::MacAddress::from(bytes.data));
      out.accepted = (table >> index & 1) != 0;
    }
  }
  if (!out.accepted && prom) {
    out.accepted = true;
    out.miss = true;
  }
  return out;
}

RxRules::Tag RxRules::find_tag(base::ByteView bytes) const {
  Tag tag;
  const auto type_at = [&](uint32_t offset) -> uint16_t {
    return offset + 2 <= bytes.size ? base::load_be16(bytes.data + offset) : uint16_t{0};
  };
  const auto is_tag = [&](uint16_t type) {
    return type == net::kEtherTypeVlan || (svlan && type == net::kEtherTypeQinQ);
  };
  for (unsigned n = 0; n < 2 && is_tag(type_at(tag.type_offset)); ++n) {
    if (tag.type_offset + net::kVlanTagBytes + 2 > bytes.size) break;
    if (n == 0 || second_tag) tag.priority = bytes[tag.type_offset + 2] >> 5;
    tag.present = true;
    tag.type_offset += net::kVlanTagBytes;
  }
  return tag;
}

unsigned RxRules::classify(base::ByteView bytes) const {
  const Tag tag = find_tag(bytes);
  return tag.present ? ring_of_priority[tag.priority] : 0;
}

}  // namespace doorbell::fec
