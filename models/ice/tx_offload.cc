#include "models/ice/tx_offload.h"

#include <cstring>

#include "models/net/checksum.h"
#include "models/net/frame.h"

namespace doorbell::ice {
namespace {

constexpr uint8_t kTcpFin = 0x01;
constexpr uint8_t kTcpPsh = 0x08;
constexpr uint8_t kTcpCwr = 0x80;
constexpr size_t kTcpSequenceOffset = 4;
constexpr size_t kTcpFlagsOffset = 13;

struct Places {
  uint8_t* ip = nullptr;
  uint8_t* l4 = nullptr;
  uint32_t l4_bytes = 0;
};

void patch_segment(const TxExtra& extra, const Places& at, bool v4, uint32_t bytes) {
  const uint32_t l3 = bytes - extra.offload.mac_bytes;
  if (v4) {
    base::store_be16(at.ip + net::kIpv4LengthOffset, static_cast<uint16_t>(l3));
    base::store_be16(at.ip + 4, static_cast<uint16_t>(base::load_be16(at.ip + 4) + extra.number));
  } else {
    base::store_be16(at.ip + 4, static_cast<uint16_t>(l3 - net::kIpv6HeaderBytes));
  }
  if ((extra.offload.cmd & tx_cmd::kL4t) == tx_cmd::kL4tTcp) {
    base::store_be32(at.l4 + kTcpSequenceOffset,
                     base::load_be32(at.l4 + kTcpSequenceOffset) + extra.sequence);
    uint8_t& flags = at.l4[kTcpFlagsOffset];
    if (!extra.last) flags = static_cast<uint8_t>(flags & ~(kTcpFin | kTcpPsh));
    if (!extra.first) flags = static_cast<uint8_t>(flags & ~kTcpCwr);
  } else {
    base::store_be16(at.l4 + net::kUdpLengthOffset, static_cast<uint16_t>(at.l4_bytes));
  }
}

void checksum_l4(const TxOffload& o, const Places& at, bool v4) {
  const uint32_t type = o.cmd & tx_cmd::kL4t;
  const bool tcp = type == tx_cmd::kL4tTcp;
  uint8_t* field = at.l4 + (tcp ? net::kTcpChecksumOffset : net::kUdpChecksumOffset);
  base::store_be16(field, 0);
  const uint8_t protocol = tcp ? net::kIpTcp : net::kIpUdp;
  const uint64_t pseudo = v4 ? net::pseudo_header_sum_v4(at.ip, protocol, at.l4_bytes)
                             : net::pseudo_header_sum_v6(at.ip, protocol, at.l4_bytes);
  const uint16_t sum = net::finish_sum(net::sum_words({at.l4, at.l4_bytes}, pseudo));
  base::store_be16(field, tcp ? sum : net::udp_checksum_field(sum));
}

// Finds the headers where the descriptor says they are.
OffloadStatus locate(const TxExtra& extra, base::MutByteView frame, Places& at) {
  const TxOffload& o = extra.offload;
  const bool v4 = (o.cmd & tx_cmd::kIipt) != tx_cmd::kIiptV6;
  const uint32_t l4t = o.cmd & tx_cmd::kL4t;
  const uint32_t least_l4 = l4t == tx_cmd::kL4tTcp ? net::kTcpHeaderBytes : net::kUdpHeaderBytes;
  const uint32_t least_ip = v4 ? net::kIpv4HeaderBytes : net::kIpv6HeaderBytes;
  const uint32_t l4_at = uint32_t{o.mac_bytes} + o.ip_bytes;
  if (o.mac_bytes < net::kEtherHeaderBytes || o.ip_bytes < least_ip || l4_at > frame.size) {
    return OffloadStatus::kBadOffset;
  }
  if (l4t != 0 && (o.l4_bytes < least_l4 || l4_at + o.l4_bytes > frame.size)) {
    return OffloadStatus::kBadOffset;
  }
  if (extra.header != 0 && (l4t == 0 || l4t == tx_cmd::kL4tSctp)) {
    return OffloadStatus::kBadCommand;
  }
  at.ip = frame.data + o.mac_bytes;
  at.l4 = frame.data + l4_at;
  at.l4_bytes = static_cast<uint32_t>(frame.size) - l4_at;
  if (extra.header != 0) return OffloadStatus::kOk;
  // A short frame may be padded: what counts is the length in its IP header.
  const uint32_t l3 = v4 ? base::load_be16(at.ip + net::kIpv4LengthOffset)
                         : base::load_be16(at.ip + 4) + uint32_t{net::kIpv6HeaderBytes};
  if (l3 >= o.ip_bytes + (l4t != 0 ? least_l4 : 0) && l3 - o.ip_bytes < at.l4_bytes) {
    at.l4_bytes = l3 - o.ip_bytes;
  }
  return OffloadStatus::kOk;
}

OffloadStatus edit_headers(const TxExtra& extra, base::MutByteView frame) {
  const TxOffload& o = extra.offload;
  const uint32_t iipt = o.cmd & tx_cmd::kIipt;
  const uint32_t l4t = o.cmd & tx_cmd::kL4t;
  if (iipt == 0) {
    return l4t == 0 && extra.header == 0 ? OffloadStatus::kOk : OffloadStatus::kBadCommand;
  }
  Places at;
  const OffloadStatus status = locate(extra, frame, at);
  if (status != OffloadStatus::kOk) return status;
  const bool v4 = iipt != tx_cmd::kIiptV6;
  if (extra.header != 0) patch_segment(extra, at, v4, static_cast<uint32_t>(frame.size));
  if (iipt == tx_cmd::kIiptV4Csum) {
    uint8_t* field = at.ip + net::kIpv4ChecksumOffset;
    base::store_be16(field, 0);
    base::store_be16(field, net::internet_checksum({at.ip, o.ip_bytes}));
  }
  if (l4t == tx_cmd::kL4tTcp || l4t == tx_cmd::kL4tUdp) checksum_l4(o, at, v4);
  return OffloadStatus::kOk;
}

}  // namespace

OffloadStatus apply_offload(const TxExtra& extra, base::MutByteView frame, base::MutByteView out,
                            uint32_t& bytes) {
  const TxOffload& o = extra.offload;
  const OffloadStatus status = edit_headers(extra, frame);
  bytes = static_cast<uint32_t>(frame.size);
  const unsigned tags = (o.insert_tag1 ? 1u : 0u) + (o.insert_tag2 ? 1u : 0u);
  if (tags == 0) return status;
  constexpr size_t kAddresses = 2 * net::kMacBytes;
  if (frame.size < kAddresses) return OffloadStatus::kBadOffset;
  uint8_t* p = out.data;
  std::memcpy(p, frame.data, kAddresses);
  p += kAddresses;
  const auto put = [&p](uint16_t tag) {
    base::store_be16(p, net::kEtherTypeVlan);
    base::store_be16(p + 2, tag);
    p += net::kVlanTagBytes;
  };
  if (o.insert_tag2) put(o.tag2);
  if (o.insert_tag1) put(o.tag1);
  std::memcpy(p, frame.data + kAddresses, frame.size - kAddresses);
  bytes += tags * static_cast<uint32_t>(net::kVlanTagBytes);
  return status;
}

}  // namespace doorbell::ice
